"""Replaced parts of discord.py, and uses of its private names."""
