"""An outbox, which sends each message once even where that it was sent can't be noted at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Outbox(Generic[T]):
    """Messages that wait to be posted: each is sent once, also when that it was sent cannot be noted at once."""

    def __init__(self, noted: Callable[[int, T], Awaitable[None]]) -> None:
        self._noted = noted
        """Notes that the message with this number was posted, and what sending it has given."""
        self._sent: dict[int, T] = {}
        """The answers of what was sent and not noted yet, by their numbers."""

    async def post(self, number: int, send: Callable[[], Awaitable[T]]) -> None:
        """Send the message with this number, unless that was done, and note it. What ``send`` raises is raised here."""
        if number not in self._sent:
            self._sent[number] = await send()
        await self._noted(number, self._sent[number])
        self._sent.pop(number, None)
