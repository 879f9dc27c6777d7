"""All texts that players read, from ``data/text``, in every language."""
