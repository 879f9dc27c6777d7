"""An outbox, which sends each message only once, even if sending it can't be recorded immediately."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
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
        await self._note(number)

    async def post_together(self, numbers: Sequence[int], send: Callable[[], Awaitable[T]]) -> None:
        """Send messages as one, none of which may have been sent, and record them. Raises the errors of ``send``."""
        assert not any(map(self.was_sent, numbers))
        self._sent |= dict.fromkeys(numbers, await send())
        for number in numbers:
            await self._note(number)

    def was_sent(self, number: int) -> bool:
        """True if a message was sent, although that isn't recorded yet."""
        return number in self._sent

    async def _note(self, number: int) -> None:
        await self._noted(number, self._sent[number])
        self._sent.pop(number, None)
