"""A server's custom games: their rules, and the royalties of single hands."""
