"""Tournament formats: seating, draws, pairings and payouts. Pure, without a clock or randomness."""
