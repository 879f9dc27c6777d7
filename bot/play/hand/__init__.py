"""The hand: placing, turns, settling, and what a settled hand teaches."""
