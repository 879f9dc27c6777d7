"""Everything that the bot posts for a table: its message, results, notifications, threads and panels to refresh."""
