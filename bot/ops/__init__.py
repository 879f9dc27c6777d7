"""Watching a bot that runs, and its HTTP servers: what it counts, whether it is well, and what strangers may do."""
