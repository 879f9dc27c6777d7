"""The base for posts that the bot makes or updates on its own, such as the club page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

import discord

from bot.base.meter import SILENT, Meter
from bot.chat.kit.faces import Faces
from bot.chat.kit.redraw_queue import RedrawQueue
from bot.chat.kit.use_cases import AllUseCases
from bot.model.ids import EVERYTHING, GuildId, Serves

K = TypeVar("K", bound="tuple[GuildId, *tuple[object, ...]]")
"""Key of a post: the server, then what identifies the post there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PosterContext:
    """Services shared by all posters."""

    client: discord.Client
    use_cases: AllUseCases
    faces: Faces
    now_ms: Callable[[], int]
    meter: Meter = SILENT


class ScheduledPoster(ABC, Generic[K]):
    """Handles each post that is due, never twice at the same time, and retries after transient errors.

    :meth:`sweep` queues posts that are due. A manager's change is queued directly with ``queue.changed``.
    """

    def __init__(self, context: PosterContext) -> None:
        self.client, self.now, self.faces, self.names = (
            context.client,
            context.now_ms,
            context.faces,
            context.faces.names,
        )
        use_cases = context.use_cases
        self.play, self.events, self.bank, self.bulletins = (
            use_cases.play,
            use_cases.events,
            use_cases.bank,
            use_cases.bulletins,
        )
        self.queue = RedrawQueue[K](self._see_to, name=self._name, ready=self.client.is_ready, meter=context.meter)

    async def sweep(self, serves: Serves = EVERYTHING.serves) -> None:
        """Queue the posts that are due in servers that this process serves and the bot is still in.

        Failed posts are retried first, because Discord only recognises a repeated post for a few minutes. That matters
        for posts whose id couldn't be stored.
        """
        self.queue.beat()
        due = await self._due()
        self.queue.catch_up([key for key in due if serves(key[0]) and self.client.get_guild(key[0]) is not None])

    async def done(self) -> None:
        """Wait until the queue is empty."""
        await self.queue.drawn()

    async def close(self) -> None:
        """Stop accepting posts, and wait for those in progress."""
        await self.queue.close()

    @abstractmethod
    async def _due(self) -> Iterable[K]:
        """Return the keys of all posts that are due, in any server."""

    @abstractmethod
    async def _see_to(self, key: K) -> bool:
        """Handle one post. Return False if there was nothing to do."""

    @abstractmethod
    def _name(self, key: K) -> str:
        """Return the post's name for the log."""
