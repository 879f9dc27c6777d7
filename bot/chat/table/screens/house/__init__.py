"""A server's own games: their rules, and what single hands pay in them."""
