"""The bot's automatic posts for an event: its messages, calls, bracket and threads, and Discord's calendar."""
