"""Watching a bot that runs: what it counts, whether it is well, and a look at connections that have gone deaf."""
