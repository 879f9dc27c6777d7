"""An interaction on its way: fed to the bot, acknowledged, and at last done with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Sequence
from typing import Any

from typing_extensions import override

from tests.standin.things import Channel, Json, Message, User


class Sent:
    """A press, a command or a form that was fed to the bot.

    ``await`` it for its acknowledgement (or for the end of a handler that gave none), ``await sent.finished()`` for
    the end of its handler.
    """

    def __init__(
        self, *, id: int, token: str, kind: int, user: User, channel: Channel, pressed: Message | None
    ) -> None:
        self.id = id
        self.token = token
        self.kind = kind
        self.user = user
        self.channel = channel
        self.pressed = pressed
        """The message that was pressed."""
        self.by_user = False
        """True where who sent it has installed the application, and no server has."""
        self.custom_id = ""
        """The pressed or submitted custom id."""
        self.answer: Message | None = None
        """The answering message: a new one, or the pressed one after its update."""
        self.followups: list[Message] = []
        self.form: Json | None = None
        """The modal that answers it."""
        self.choices: list[Json] = []
        """Suggestions of an autocompletion."""
        self.instance = ""
        """The Activity that it has launched."""
        self.callback = 0
        """Discord's type of the answer, 0 before there is one."""
        self.sent_at_ms = 0
        self._loop = asyncio.get_running_loop()
        self._sent_at = self._loop.time()
        self.answered_at: float | None = None
        """When it was acknowledged, in seconds of the event loop."""
        self._settled: asyncio.Future[None] = self._loop.create_future()
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def acknowledged(self) -> bool:
        """True once Discord has an answer, if only the promise of one."""
        return self.answered_at is not None

    @property
    def seconds(self) -> float:
        """From the event to the acknowledgement."""
        assert self.answered_at is not None, "it was not acknowledged"
        return self.answered_at - self._sent_at

    def arrives(self, feed: Callable[[], Sequence[asyncio.Task[Any]]], *, after_seconds: float) -> None:
        """It is fed to the bot later."""

        async def arrive() -> None:
            await asyncio.sleep(after_seconds)
            self.handled_by(feed())

        self.handled_by([self._loop.create_task(arrive())])

    def handled_by(self, tasks: Sequence[asyncio.Task[Any]]) -> None:
        """Know the tasks that handle it."""
        self._tasks.update(tasks)
        for task in tasks:
            task.add_done_callback(self._done)
        if not tasks:
            self._settle()

    def acknowledge(self, callback: int) -> None:
        """Note the first answer."""
        self.callback = callback
        self.answered_at = self._loop.time()
        self._settle()

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not self._tasks:
            self._settle()

    def _settle(self) -> None:
        if not self._settled.done():
            self._settled.set_result(None)

    def __await__(self) -> Generator[Any, None, Sent]:
        yield from asyncio.shield(self._settled).__await__()
        return self

    async def settled(self) -> None:
        """Wait for its acknowledgement."""
        await asyncio.shield(self._settled)

    async def finished(self) -> Sent:
        """Wait until the bot has done with it; returns itself."""
        while self._tasks:
            await asyncio.wait(self._tasks)
        await self
        return self

    @override
    def __repr__(self) -> str:
        return f"<Sent id={self.id} acknowledged={self.acknowledged}>"
