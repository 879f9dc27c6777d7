"""The parts of discord.py that are replaced, or reached under names that are its own."""
