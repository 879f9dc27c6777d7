"""The posts that a server reads by themselves, and where those who manage it choose them."""
