"""Presses that come too late, or under terms that have changed. They change nothing and aren't refusals."""

from __future__ import annotations


class Stale(Exception):  # noqa: N818 - an answer to the player, no error
    """A press came too late or was repeated. It has no effect, and the player is shown the current state."""


class OtherTerms(Stale):
    """A press was made under outdated terms. It has no effect, and the player is shown the current terms."""
