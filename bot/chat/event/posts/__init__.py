"""What the bot posts for an event by itself: its messages, calls, bracket, threads, and Discord's calendar."""
