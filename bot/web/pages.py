"""The open pages: each has one reader's eyes, is told what changes for them, and asks for what they want.

A page that is behind is told what is new since it was told last, however often that has changed: nothing piles up.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Protocol

import orjson

from bot.model.errors import StorageTroubleError
from bot.model.ids import EVERYTHING, EventKey, GuildId, Player, Serves, TableId, TableKey
from bot.model.refusals import Stale
from bot.model.tables import TableState
from bot.ofc.refusals import Refused
from bot.play.doors.play import Play
from bot.play.look.views import ResultView, TableView
from bot.text.words import Words, words_for, words_of_locale
from bot.ui.asked import Asked
from bot.ui.faces import Faces
from bot.ui.gate import Gate
from bot.ui.reply import Promise
from bot.ui.table.panel import Panel
from bot.web.drawing import Drawing, choice_of, drafted, nothing, words_of
from bot.web.drawn_views import DrawnViews
from bot.web.intents import Intents, said
from bot.web.messages import (
    VIEW_PARTS,
    Answer,
    Bye,
    Change,
    Current,
    Draft,
    Heard,
    Intent,
    Look,
    Ping,
    Pong,
    Sent,
    Snapshot,
    TableChoice,
    View,
    Working,
)
from bot.web.tokens import Reader, Tokens

log = logging.getLogger(__name__)

MOST_OF_ONE = 6
"""Pages that one person may have open; the oldest is closed."""
MOST_OPEN = 3_000
MOST_ANSWERS = 5_000
"""Answers that are remembered, for who asks again because the connection was lost."""
PRESSES_FIRST_SECONDS = 0.02
"""A page waits for so long at most while presses are under way."""
LOOK_SECONDS = 0.005
Doing = Callable[[], AbstractAsyncContextManager[None]]
"""In which a page's intents are carried out."""


class Line(Protocol):
    """What leads to a page."""

    def send(self, message: Sent) -> None:
        """Send it soon, in order."""
        ...

    def close(self, bye: Bye) -> None:
        """Say so and close it."""
        ...


@dataclass(slots=True, kw_only=True, eq=False)
class Page:
    """An open page."""

    reader: Reader
    line: Line
    key: TableKey | None
    """The table that it shows; None while its reader has none."""
    has: str
    """The name of the view that it has."""
    tables: list[TableKey] = field(default_factory=list)
    sat: set[TableKey] = field(default_factory=set)
    """The tables at which it has shown its reader a seat of their own."""
    view: View | None = None
    event: EventKey | None = None
    worded: str = ""
    """The language whose words it has."""
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    looks: bool = True
    """True where its reader's tables are to be looked up again."""
    shown: tuple[object, ResultView | None] = (None, None)
    """The result that was read last, and of what."""
    used: int = 0
    """When its reader has last done something on it (ms)."""
    drawing: asyncio.Lock = field(default_factory=asyncio.Lock)
    drafting: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Drafts are kept in the order in which they were made."""


class Pages:
    """All open pages of this process."""

    def __init__(
        self, play: Play, gate: Gate, faces: Faces, *, now_ms: Callable[[], int], serves: Serves = EVERYTHING.serves
    ) -> None:
        """``serves`` is true of the servers of this process."""
        self._serves = serves
        self._play = play
        self._gate = gate
        self._faces = faces
        self._now = now_ms
        self._intents = Intents(play, gate)
        self._drawn = DrawnViews()
        self._turn = asyncio.Lock()
        self._open: dict[GuildId, list[Page]] = defaultdict(list)
        self.count = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: set[TableKey | EventKey] = set()
        self._telling: asyncio.Task[None] | None = None
        self._answers: OrderedDict[tuple[Player, str], asyncio.Future[Answer]] = OrderedDict()
        self.tokens = Tokens(now_ms=now_ms)
        self.doing: Doing = _at_once

    # what changes

    def saw(self, reader: Reader, name: str, *, username: str) -> None:
        """Remember what somebody is called who comes in by a door: perhaps they have pressed nothing yet."""
        self._faces.names.saw(reader.guild, reader.player, name, username=username)

    def committed(self, changed: Collection[TableKey | EventKey]) -> None:
        """Something of these was written: on the thread that writes."""
        if self._loop is None or not self.count:
            return
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._note, tuple(changed))

    def _note(self, changed: Collection[TableKey | EventKey]) -> None:
        self._changed.update(key for key in changed if self._open.get(key.guild))
        if self._changed and (self._telling is None or self._telling.done()):
            self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        """Wake the pages that what has changed may concern."""
        while self._changed:
            key = self._changed.pop()
            pages = list(self._open.get(key.guild, ()))
            if isinstance(key, EventKey):
                for page in pages:
                    if page.event == key:
                        page.woken.set()
                continue
            players = await self._players(key)
            for page in pages:
                sits = players is None or page.reader.player in players
                if page.key == key or key in page.tables or sits:
                    page.looks |= key not in page.tables or not sits or page.view is None or len(page.tables) > 1
                    page.woken.set()

    async def _players(self, key: TableKey) -> frozenset[Player] | None:
        """Those who sit there; None where that cannot be told."""
        try:
            view = await self._play.look(key)
        except (Refused, Stale, StorageTroubleError):
            return None
        if not view.table.open:
            return None
        return frozenset(place.seat.player for place in view.places)

    # opening

    @asynccontextmanager
    async def opened(self, reader: Reader, line: Line, *, table: int, has: str) -> AsyncIterator[Page]:
        """A page, for as long as the block lasts; whoever has too many loses the oldest."""
        self._loop = asyncio.get_running_loop()
        key = TableKey(guild=reader.guild, table=TableId(table)) if table else None
        page = Page(reader=reader, line=line, key=key, has=has, used=self._now())
        others = self._open[reader.guild]
        own = [other for other in others if other.reader.player == reader.player]
        for other in own[: max(0, len(own) + 1 - MOST_OF_ONE)]:
            other.line.close(Bye(said=self._words(other)("page.too_many"), again=False))
        others.append(page)
        self.count += 1
        drawing = asyncio.create_task(self._keep_drawn(page))
        page.woken.set()
        try:
            yield page
        finally:
            drawing.cancel()
            await asyncio.gather(drawing, return_exceptions=True)
            others.remove(page)
            self.count -= 1
            if not others:
                self._open.pop(reader.guild, None)

    @property
    def all(self) -> list[Page]:
        """Those that are open."""
        return [page for pages in self._open.values() for page in pages]

    @property
    def full(self) -> bool:
        """True while no more can be opened."""
        return self.count >= MOST_OPEN

    def close(self) -> None:
        """Close all of them: the process ends."""
        for page in self.all:
            page.line.close(Bye(said=self._words(page)("page.stopping"), again=True))

    def close_of(self, player: Player, guild: GuildId | None = None) -> None:
        """Close those of somebody, in a server or everywhere: they have taken back who may open them."""
        for page in self.all:
            if page.reader.player == player and guild in (None, page.reader.guild):
                page.line.close(Bye(said=self._words(page)("page.closed"), again=False))

    def send_on(self, guild: GuildId, to: str) -> None:
        """Have the pages of a server, which another process serves now, go on there."""
        for page in list(self._open.get(guild, ())):
            page.line.close(Bye(said=self._words(page)("page.moved"), again=True, to=to))

    def _words(self, page: Page) -> Words:
        return words_for(page.worded) if page.worded else words_of_locale(page.reader.locale)

    def used_at(self, key: TableKey, player: Player) -> int | None:
        """When somebody has last done something on a page that shows them this table; None for nobody there."""
        pages = self._open.get(key.guild, ())
        return max((one.used for one in pages if one.key == key and one.reader.player == player), default=None)

    # drawing

    async def _keep_drawn(self, page: Page) -> None:
        """Draw it when it was woken: one page after the other, and behind presses, which somebody waits for."""
        loop = asyncio.get_running_loop()
        while True:
            await page.woken.wait()
            async with self._turn:
                until = loop.time() + PRESSES_FIRST_SECONDS
                while self._gate.under_way and loop.time() < until:  # noqa: ASYNC110  (time is the other end of it)
                    await asyncio.sleep(LOOK_SECONDS)
                page.woken.clear()
                try:
                    await self.refresh(page)
                except Exception:
                    log.exception("a page could not be drawn")

    async def refresh(self, page: Page) -> None:
        """Tell a page what is new to it; nothing where it has the newest view."""
        async with page.drawing:
            view = await self._view(page)
            if view == page.view:
                return
            before, page.view = page.view, view
            state = blake2b(orjson.dumps(view), digest_size=9).hexdigest()
            if before is None and page.has == state:
                page.line.send(Current(now=self._now()))
            elif before is None:
                page.line.send(Snapshot(now=self._now(), state=state, view=view))
            else:
                parts = {name: new for name in VIEW_PARTS if (new := getattr(view, name)) != getattr(before, name)}
                page.line.send(Change(now=self._now(), state=state, parts=parts))

    async def _view(self, page: Page) -> View:
        reader = page.reader
        wishes = await self._play.wishes(reader.guild, reader.player)
        words = words_for(wishes.language) if wishes.language else words_of_locale(reader.locale)
        if page.worded != words.language.code:
            page.worded = words.language.code
            page.line.send(words_of(words))
        seen = await self._tables(page)
        view = next((view for view in seen if view.table.key == page.key), None)
        if view is None:
            page.event = None
            return nothing(words, wishes)
        page.event = view.table.event
        drawing = Drawing(
            view=view,
            words=words,
            faces=self._faces.for_reader(wishes).in_letters(),
            wishes=wishes,
            result=await self._result(page, view),
        )
        return self._drawn.of(drawing, self._choices(page, seen, words))

    async def _tables(self, page: Page) -> list[TableView]:
        """The reader's tables as they see them, and the one that is shown; chooses one where none is open."""
        reader = page.reader
        if page.looks:
            page.looks = False
            page.tables = [table.key for table in await self._play.tables_of(reader.guild, reader.player)]
        keys = [*page.tables, *([page.key] if page.key and page.key not in page.tables else [])]
        seen = [view for key in keys if (view := await self._look(page, key)) is not None]
        page.sat.update(view.table.key for view in seen if view.mine is not None)
        shown = next((view for view in seen if page.key == view.table.key), None)
        sits = [view for view in seen if view.mine is not None and view.table.open]
        if sits and (shown is None or shown not in sits):
            page.key = min(sits, key=lambda view: _urgency(view, reader.player)).table.key
        elif shown is None:
            page.key = None
        return seen

    async def _look(self, page: Page, key: TableKey) -> TableView | None:
        """A table of theirs, or one that they have just left; None for what is none of their business."""
        try:
            view = await self._play.look(key, page.reader.player)
        except (Refused, Stale):
            return None
        played = view.hand is not None and view.hand.mine is not None
        return view if view.mine is not None or played or view.table.key in page.sat else None

    async def _result(self, page: Page, view: TableView) -> ResultView | None:
        table = view.table
        if table.state not in (TableState.BETWEEN, TableState.CLOSED) or not table.hand_no:
            return None
        of = (table.key, table.hand_no, table.state)
        if page.shown[0] != of:
            try:
                result = await self._play.result(table.key, table.hand_no, page.reader.player)
            except (Refused, Stale):
                return None  # others have still to play its deck
            page.shown = of, result
        return page.shown[1]

    def _choices(self, page: Page, seen: list[TableView], words: Words) -> list[TableChoice]:
        """The tables to choose from; nothing where there is one."""
        player = page.reader.player
        found = [choice_of(view, player, words, chosen=view.table.key == page.key) for view in seen]
        return found if len(found) > 1 else []

    # what is asked

    async def heard(self, page: Page, message: Heard) -> None:
        """Do what a page asks for; what comes once another process serves its server is asked for again there."""
        if 0 < page.reader.until <= self._now():
            page.line.close(Bye(said=self._words(page)("page.not_known"), again=False))
            return
        if not self._serves(page.reader.guild):
            return
        if not isinstance(message, Ping):
            page.used = self._now()
        match message:
            case Ping():
                page.line.send(Pong())
            case Look():
                await self._turn_to(page, message)
            case Draft():
                await self._draft(page, message)
            case Intent():
                await self._intent(page, message)
            case _:
                pass  # it is open already

    async def _turn_to(self, page: Page, message: Look) -> None:
        asked = self._asked(page, "look")

        async def body() -> None:
            page.key = TableKey(guild=page.reader.guild, table=TableId(message.table))
            page.looks = True
            await self.refresh(page)

        await self._gate.ask(asked, body, verb="look", table=message.table)
        if asked.said:
            page.line.send(Answer(id="look", outcome=asked.outcome.value, said=said(asked)))

    def _asked(self, page: Page, name: str) -> Asked:
        reader = page.reader
        return Asked(reader.guild, reader.player, locale=reader.locale, name=name, made_at=self._now())

    async def _draft(self, page: Page, message: Draft) -> None:
        asked = self._asked(page, "draft")

        def show(panel: Panel) -> None:
            faces = self._faces.for_reader(asked.wishes).in_letters()
            drawing = Drawing(view=panel.view, words=asked.words, faces=faces, wishes=asked.wishes)
            page.line.send(drafted(drawing, panel))

        async with page.drafting:
            await self._intents.keep(asked, message, show)
        if asked.said:
            await self.refresh(page)
            page.line.send(Answer(id="draft", outcome=asked.outcome.value, said=said(asked)))

    async def _intent(self, page: Page, intent: Intent) -> None:
        name = page.reader.player, intent.id
        if name in self._answers:
            answer = await asyncio.shield(self._answers[name])
        else:
            doing = asyncio.ensure_future(self._carried_out(page, intent))
            self._answers[name] = doing
            while len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
            answer = await asyncio.shield(doing)
        if not self._serves(page.reader.guild):
            self._answers.pop(name, None)
            return  # it has come too late here, and is asked again where the page goes on
        await self.refresh(page)
        page.line.send(answer)

    async def _carried_out(self, page: Page, intent: Intent) -> Answer:
        asked = self._asked(page, intent.id)

        async def promise() -> None:
            page.line.send(Working(id=intent.id))

        promised = Promise(promise, age_seconds=0.0)
        await promised.begin()
        try:
            async with self.doing():
                letters = await self._intents.do(asked, intent)
        finally:
            promised.cancel()
        return Answer(id=intent.id, outcome=asked.outcome.value, said=said(asked), letters=letters)


@asynccontextmanager
async def _at_once() -> AsyncIterator[None]:
    yield


def _urgency(view: TableView, player: Player) -> tuple[bool, bool, int]:
    """What one looks at first: where one is on turn, then where cards are dealt, then the newest."""
    return player not in view.waiting, view.table.state is not TableState.PLAYING, -view.table.key.table
