"""Introduces Discord to play: each cog is a screen or two, with no rule, no SQL and no sentence of its own."""
