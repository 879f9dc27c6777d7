"""The trainer: puzzles for each player, their answers, and when a puzzle comes back."""
