"""Assembly and operation of the bot: wiring, the process, its commands, multiple processes, and the playground."""
