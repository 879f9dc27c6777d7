"""The playground: the very same bot on a simulated Discord, with a page in the browser. It needs no token."""

from bot.playground.serve import BuildBot, PlaygroundError, serve

__all__ = ["BuildBot", "PlaygroundError", "serve"]
