"""The trainer on Discord: puzzles and their solutions."""
