"""The playground: the unchanged bot on a simulated Discord, with a page in the browser. It needs no token."""

from bot.run.playground.serve import PlaygroundError, PlaygroundMissingError, require_playground, serve

__all__ = ["PlaygroundError", "PlaygroundMissingError", "require_playground", "serve"]
