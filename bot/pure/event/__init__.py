"""Tournament formats: seating, draws, pairings and payouts. Pure, without clock or randomness."""
