"""Hands: placing, turns, settling, and learning from settled hands."""
