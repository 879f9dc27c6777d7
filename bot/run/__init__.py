"""Putting the bot together and running it: wiring, the process, its commands, several processes, the playground."""
