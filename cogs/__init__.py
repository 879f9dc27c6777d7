"""Connects Discord to play. Each cog is a screen or two, and has no rules, SQL or texts of its own."""
