"""Positions to learn from: their notation, their values, and puzzles with one best placement."""
