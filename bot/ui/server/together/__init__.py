"""Screens of players who look for others, or do not want to meet some."""
