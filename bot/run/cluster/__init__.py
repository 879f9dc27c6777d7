"""The parts of a bot with several processes, which share the servers and one PostgreSQL database."""
