"""Hand histories as files: PHH-shaped TOML and JSON. Pure; it knows the rules and nothing else of the bot."""
