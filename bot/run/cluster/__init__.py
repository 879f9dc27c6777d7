"""The parts of a bot with multiple processes, which share the servers and one PostgreSQL database."""
