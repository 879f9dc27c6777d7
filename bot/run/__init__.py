"""Assembly and operation of the bot: wiring, the process, its commands, several processes, and the playground."""
