"""Workers for events: messages, Discord's own calendar, threads."""
