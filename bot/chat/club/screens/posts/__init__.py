"""The bot's scheduled posts in a server, and the managers' pages for them."""
