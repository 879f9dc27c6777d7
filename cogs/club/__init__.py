"""Commands and buttons of the club: company, profiles, settings, leaderboard and bank."""
