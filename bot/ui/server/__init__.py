"""Screens about a server and the bot: house rules, my games, status."""
