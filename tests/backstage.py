"""The way behind the scenes, for tests alone: to a session, where every card can be seen."""

from __future__ import annotations

from bot.play.api.play import Play
from bot.play.api.transactions import Transactions


def transactions_of(play: Play) -> Transactions:
    """What a bot's use cases run over."""
    found = play._write.__self__  # type: ignore[attr-defined]  # noqa: SLF001
    assert isinstance(found, Transactions)
    return found
