"""An outbox, which sends each message only once, even if sending it can't be recorded immediately."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Outbox(Generic[T]):
    """Pending messages. Each is sent only once, even if sending it can't be recorded immediately."""

    def __init__(self, noted: Callable[[int, T], Awaitable[None]]) -> None:
        self._noted = noted
        """Records the message with this number as posted, with the result of sending it."""
        self._sent: dict[int, T] = {}
        """Results of sent messages that aren't recorded yet, by number."""

    async def post(self, number: int, send: Callable[[], Awaitable[T]]) -> None:
        """Send message ``number`` unless it was already sent, and record it. Raises the errors of ``send``."""
        if number not in self._sent:
            self._sent[number] = await send()
        await self._noted(number, self._sent[number])
        self._sent.pop(number, None)
