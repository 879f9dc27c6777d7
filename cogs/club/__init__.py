"""Commands and buttons of the club: invitations, profiles, settings, leaderboard and bank."""
