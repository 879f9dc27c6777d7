"""The trainer on Discord: puzzles, their solutions, and analyses."""
