"""What only a bot of several processes needs, which share the servers and one PostgreSQL database."""
