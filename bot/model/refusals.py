"""Errors of play that are no refusals: nobody is to blame for a lost hand or a store in trouble."""

from __future__ import annotations


class Stale(Exception):  # noqa: N818 - an answer to the player, no error
    """A press that comes too late or twice: it has no effect, the present state is shown instead."""


class OtherTerms(Stale):
    """A press under other terms than those that hold now. Nothing has changed; the current terms are shown."""
