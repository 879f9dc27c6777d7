"""Posts of a table: its message, results, notifications and threads, and the private panels."""
