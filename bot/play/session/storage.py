"""The protocol that runs the transactions of play: the one storage of the bot, and those of tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from bot.model.ids import GuildId
from bot.store.storage import Watcher
from bot.store.transaction import Tx

T = TypeVar("T")


class Storage(Protocol):
    """Runs transactions. ``write`` returns when what the job did is safe on disk; a job that raises changes nothing.

    One that is ``patient`` may wait a moment for the commit of another.
    """

    async def write(self, job: Callable[[Tx], T], *, patient: bool = False) -> T: ...
    async def read(self, job: Callable[[Tx], T]) -> T: ...
    async def unbalanced(self) -> list[GuildId]: ...
    async def tidy(self) -> None: ...
    def watch(self, watcher: Watcher) -> None: ...
