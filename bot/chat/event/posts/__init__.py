"""The bot's automatic posts for an event: messages, calls, bracket, threads and the entry in Discord's calendar."""
