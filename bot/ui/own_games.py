"""A server's own games in choices and custom ids: their names are too long and too free for either."""

from __future__ import annotations

import hashlib

OWN = "own-"
"""In front of the tag of a server's own game, where presets are chosen by their keys."""


def game_tag(name: str) -> str:
    """A short name for a game: twelve digits."""
    return hashlib.sha256(name.encode()).hexdigest()[:12]
