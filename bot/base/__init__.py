"""Basics for all packages: settings, logs, metrics, and the bot's own files."""
