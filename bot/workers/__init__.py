"""Computations in worker processes, for computer players and other features."""
