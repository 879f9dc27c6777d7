"""Chaipo: a Discord bot that hosts Open-Face Chinese Poker."""

__version__ = "0.1.0"
