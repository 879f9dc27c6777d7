"""Hand history files in PHH-style TOML and in JSON. Depends only on the rules."""
