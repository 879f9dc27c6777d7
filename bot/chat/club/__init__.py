"""A server's club on Discord: its people, settings, leaderboard and bank."""
