"""Replacements for parts of discord.py, and all code that uses its private names."""
