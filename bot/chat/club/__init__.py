"""A server's club on Discord, with its people, settings, leaderboard and bank."""
