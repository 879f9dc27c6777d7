"""What discord.py has no door for: what of it is replaced, or reached under names that are its own."""
