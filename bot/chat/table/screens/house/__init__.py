"""A server's custom games: their rules, and the royalties for individual hands."""
