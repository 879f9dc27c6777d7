"""Language: every sentence that players read, from ``data/text``, in every language."""
