"""Access for tests only: to a session, where every card is visible."""

from __future__ import annotations

from bot.play.api.play import Play
from bot.play.api.transactions import Transactions


def transactions_of(play: Play) -> Transactions:
    """Return the transactions behind a bot's use cases."""
    found = play._write.__self__  # type: ignore[attr-defined]  # noqa: SLF001
    assert isinstance(found, Transactions)
    return found
