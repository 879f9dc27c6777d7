"""All sentences that players read, from ``data/text``, in every language."""
