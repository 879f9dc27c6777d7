"""Commands and buttons of the club: people, settings, leaderboard, bank."""
