"""Ratings of a server's players: taught by each hand in the transaction that settles it."""
