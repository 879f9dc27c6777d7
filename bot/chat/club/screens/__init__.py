"""Screens of the club: setup, settings, leaderboard, profile, bank, seasons, daily hands and my games."""
