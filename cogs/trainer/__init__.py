"""Commands and buttons of the trainer: puzzles."""
