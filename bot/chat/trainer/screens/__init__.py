"""Screens of the trainer: a puzzle, its solution, and the choice of puzzles."""
