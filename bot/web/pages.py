"""The open pages. Each shows one reader's view, receives its changes and sends its intents.

A page that is behind is sent the difference from the last view it received, so nothing piles up.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from hashlib import blake2b

from bot.base.meter import InteractionOutcome
from bot.chat.kit.deferral import deferring
from bot.chat.kit.faces import Faces
from bot.chat.kit.gate import Gate
from bot.chat.kit.incidents import incident
from bot.chat.kit.page_request import PageRequest
from bot.chat.table.posts.own_tables import OwnTables
from bot.chat.table.screens.panel import Panel
from bot.model.errors import StorageUnavailableError
from bot.model.ids import EVERYTHING, EventKey, GuildId, Player, Serves, TableId, TableKey
from bot.model.puzzles import NO_PUZZLE
from bot.model.refusals import Stale
from bot.play.api.events import Events
from bot.play.api.play import Play
from bot.play.api.server import Seating
from bot.play.bus import Bus
from bot.play.trainer.use_cases import Trainer
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words, words_for, words_of_locale
from bot.web.analyses import VERBS as ANALYSIS_VERBS
from bot.web.analyses import PageAnalyses
from bot.web.drawing import TableDrawing, drafted
from bot.web.intents import IntentOutcome, Intents, said
from bot.web.messages import (
    VIEW,
    VIEW_PARTS,
    Answer,
    Assemble,
    Bye,
    Change,
    Current,
    Draft,
    Heard,
    Intent,
    Look,
    Ping,
    Pong,
    Read,
    Snapshot,
    Working,
)
from bot.web.page import Page, PageConnection
from bot.web.page_texts import PageTexts
from bot.web.page_views import PageViews
from bot.web.phrases import Phrases
from bot.web.plain import plain
from bot.web.puzzles import VERBS as PUZZLE_VERBS
from bot.web.puzzles import PagePuzzles, PuzzlePage
from bot.web.retry import RetryActions
from bot.web.seats import PageSeats
from bot.web.tokens import PageReader, Tokens
from bot.web.viewers import Viewers
from bot.web.watching import WatchableTables

MAX_PAGES_PER_PLAYER = 6
"""Maximum number of open pages per player. The oldest is closed."""
MAX_PAGES = 3_000
MAX_GUEST_PAGES = 500
"""Maximum number of guests' pages. Guests only have the link to a hand, so the other pages are kept for players."""
MAX_ANSWERS = 64
"""Maximum number of cached answers per player and server. A page repeats an intent after a lost connection."""
MAX_PLAYERS_WITH_ANSWERS = 5_000
"""Maximum number of players with cached answers. The least recently active one is dropped."""
MAX_STREAM_USES = 5_000
"""Maximum number of stream links whose last use is remembered. The one used least recently is dropped."""
MAX_ANNOUNCED_TABLES = 20_000
"""Maximum number of tables remembered as announced to pages."""
PRESSES_FIRST_SECONDS = 0.02
"""Maximum time that a page's drawing waits for running interactions."""
LOOK_SECONDS = 0.005
Doing = Callable[[], AbstractAsyncContextManager[None]]
"""Context manager around a page's intents and reads."""


class Pages:
    """All open pages of this process."""

    def __init__(
        self,
        play: Play,
        events: Events,
        gate: Gate,
        faces: Faces,
        bus: Bus,
        *,
        seating: Seating,
        trainer: Trainer,
        now_ms: Callable[[], int],
        serves: Serves = EVERYTHING.serves,
        seen_by_all: Callable[[int], bool] = lambda channel: False,
    ) -> None:
        """``serves`` returns True for this process's servers, and ``seen_by_all`` for channels that all members see."""
        self._serves = serves
        self._play = play
        self._gate = gate
        self._faces = faces
        self._now = now_ms
        self.watching = WatchableTables(play, events, seen_by_all)
        self.viewers = Viewers(lambda guild: self._open.get(guild, ()), lambda: self.count)
        seats = PageSeats(play, seating, OwnTables(play, events), self.watching)
        self._intents = Intents(play, gate, faces, bus, seats, stream_ended=self.end_streams)
        self._tries = RetryActions(play, gate)
        self._puzzles = PagePuzzles(trainer, gate, faces)
        self._analyses = PageAnalyses(trainer, play, gate)
        self._page_views = PageViews(play, faces, self.watching, seats, self.viewers, self._puzzles, now_ms=now_ms)
        self._reading = PageTexts(play, gate, faces, self.watching)
        self._phrases = Phrases(play, gate, faces, self.watching)
        self._turn = asyncio.Lock()
        self._open: dict[GuildId, list[Page]] = defaultdict(list)
        self.count = self.guests = 0
        self._stream_uses: OrderedDict[tuple[GuildId, Player], int] = OrderedDict()
        """When each player's stream link was last in use (ms)."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: set[TableKey | EventKey] = set()
        self._telling: asyncio.Task[None] | None = None
        self._told: set[TableKey] = set()
        """Tables already announced to pages. A new table also wakes pages of readers without a seat."""
        self._answers: OrderedDict[tuple[GuildId, Player], OrderedDict[str, asyncio.Future[Answer]]] = OrderedDict()
        self._guests_key = secrets.token_bytes(16)
        self.tokens = Tokens(now_ms=now_ms)
        self.doing: Doing = _at_once
        bus.committed.subscribe(self._committed)
        trainer.changed.subscribe(self._follow_solver)

    # changes

    def saw(self, reader: PageReader, name: str, *, username: str) -> None:
        """Remember the name of a player who opens a page, because they may not have used the bot in Discord before."""
        self._faces.names.saw(reader.guild, reader.player, name, username=username)

    async def guest(self, link: str, words: Words, *, address: str) -> PageReader | None:
        """Return a guest for the link to a hand; None if it's invalid. All visitors from one address are one guest.

        Raises StorageUnavailableError.
        """
        try:
            key, _ = await self._play.hand_of(link)
        except Refused:
            return None
        name = blake2b(f"{address} {link}".encode(), key=self._guests_key, digest_size=8).hexdigest()
        return PageReader(guild=key.guild, player=Player(f"guest-{name}"), locale=words.language.code)

    async def stream(self, link: str) -> PageReader | None:
        """Return the reader for a stream link; None if it's invalid or has ended.

        Raises StorageUnavailableError.
        """
        found = await self._play.stream_of(link)
        if found is None:
            return None
        guild, kept = found
        return PageReader(guild=guild, player=kept.player, locale=kept.locale, stream=link)

    def _committed(self, changed: Collection[TableKey | EventKey]) -> None:
        """Note the changed tables and events. This is called on the writing thread."""
        if self._loop is None or not self.count:
            return
        with suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(self._note, tuple(changed))

    def _note(self, changed: Collection[TableKey | EventKey]) -> None:
        self._changed.update(key for key in changed if self._open.get(key.guild))
        if self._changed and (self._telling is None or self._telling.done()):
            self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        """Wake the pages that the changes may concern."""
        while self._changed:
            key = self._changed.pop()
            pages = list(self._open.get(key.guild, ()))
            if isinstance(key, EventKey):
                for page in pages:
                    if page.event == key:
                        page.woken.set()
                continue
            players = await self._players(key)
            new = key not in self._told
            if len(self._told) > MAX_ANNOUNCED_TABLES:
                self._told.clear()
            self._told.add(key)
            for page in pages:
                seatless = page.view is not None and page.view.seatless
                free = page.key is None or page.shows_others or (seatless and not page.knows(key))
                if key in page.beside or (new and free):
                    page.looks |= new
                    page.woken.set()
                sits = players is None or page.reader.player in players
                if page.key == key or key in page.tables or sits:
                    # A move at a watched table doesn't require looking up the reader's tables.
                    watches = page.view is not None and page.view.watches and not sits
                    moved = key not in page.tables or not sits or page.view is None or len(page.tables) > 1
                    page.looks |= moved and not watches
                    page.woken.set()

    async def _players(self, key: TableKey) -> frozenset[Player] | None:
        """Return the players at the table; None if it's closed or unavailable."""
        try:
            view = await self._play.look(key)
        except (Refused, Stale, StorageUnavailableError):
            return None
        if not view.table.open:
            return None
        return frozenset(place.seat.player for place in view.places)

    def _follow_solver(self, player: Player) -> None:
        """Wake the pages that show a player's puzzle, because it may have been answered in Discord."""
        for page in self.all:
            if page.puzzle is not None and page.reader.player == player:
                page.puzzle.none = None
                page.woken.set()

    # opening

    @asynccontextmanager
    async def opened(
        self,
        reader: PageReader,
        line: PageConnection,
        *,
        table: int,
        has: str,
        overlay: bool = False,
        link: str = "",
        puzzle: bool = False,
        analysis: bool = False,
    ) -> AsyncIterator[Page]:
        """Open a page for the duration of the block. Closes the reader's oldest page if they have too many.

        With ``puzzle``, it shows one until the reader turns to a table. Outside servers there's nothing else to show. A
        page opened there for an ``analysis`` shows a puzzle once the reader asks for one.
        """
        self._loop = asyncio.get_running_loop()
        key = TableKey(guild=reader.guild, table=TableId(table)) if table else None
        page = Page(reader=reader, line=line, key=key, has=has, used=self._now(), link=link, chosen=bool(table))
        page.late = overlay or bool(reader.stream)
        if not reader.guild or (puzzle and not table and not link and not page.late):
            page.puzzle = PuzzlePage(name=reader.puzzle, unasked=analysis and not puzzle)
            page.solves = True
        others = self._open[reader.guild]
        # A page opened by a stream link closes none of its owner's pages.
        own = [one for one in others if (one.reader.player, one.reader.stream) == (reader.player, reader.stream)]
        for other in own[: max(0, len(own) + 1 - MAX_PAGES_PER_PLAYER)]:
            other.line.close(Bye(said=self._words(other)("page.too_many"), again=False))
        others.append(page)
        self.count += 1
        self.guests += bool(link)
        drawing = asyncio.create_task(self._keep_drawn(page))
        page.woken.set()
        try:
            yield page
        finally:
            if reader.stream:
                self._note_stream(reader)
            drawing.cancel()
            await asyncio.gather(drawing, return_exceptions=True)
            others.remove(page)
            self.count -= 1
            self.guests -= bool(link)
            if not others:
                self._open.pop(reader.guild, None)
            self.viewers.changed(reader.guild)

    @property
    def all(self) -> list[Page]:
        """The open pages."""
        return [page for pages in self._open.values() for page in pages]

    @property
    def full(self) -> bool:
        """True while no more pages can be opened."""
        return self.count >= MAX_PAGES

    @property
    def full_of_guests(self) -> bool:
        """True while no more guests are admitted."""
        return self.guests >= MAX_GUEST_PAGES

    def seconds_left(self, page: Page) -> float:
        """Return the time until a page expires; infinite if it doesn't."""
        return (page.reader.until - self._now()) / 1000 if page.reader.until else math.inf

    def close(self) -> None:
        """Close all pages, because the process ends."""
        for page in self.all:
            page.line.close(Bye(said=self._words(page)("page.stopping"), again=True))

    def close_for(self, player: Player, guild: GuildId | None = None, *, said: str = "page.closed") -> None:
        """Close a player's pages in ``guild``, by default everywhere. ``said`` is the key of the reason."""
        for page in self.all:
            if page.reader.player == player and guild in (None, page.reader.guild):
                key = "puzzle.page.closed" if page.puzzle is not None and said == "page.closed" else said
                page.line.close(Bye(said=self._words(page)(key), again=False))

    def end_streams(self, guild: GuildId, player: Player) -> None:
        """Close the pages opened by the player's stream link."""
        for page in self._streams(guild, player):
            page.line.close(Bye(said=self._words(page)("page.stream_over"), again=False))

    def stream_used(self, guild: GuildId, player: Player) -> int | None:
        """Return when the player's stream link was last in use (ms): now, if a page is open by it.

        None if it wasn't used in this process.
        """
        return self._now() if self._streams(guild, player) else self._stream_uses.get((guild, player))

    def _streams(self, guild: GuildId, player: Player) -> list[Page]:
        """Return the pages opened by the player's stream link."""
        return [page for page in self._open.get(guild, ()) if page.reader.stream and page.reader.player == player]

    def _note_stream(self, reader: PageReader) -> None:
        """Note that a stream link has been in use until now."""
        whose = reader.guild, reader.player
        self._stream_uses.pop(whose, None)
        self._stream_uses[whose] = self._now()
        while len(self._stream_uses) > MAX_STREAM_USES:
            self._stream_uses.popitem(last=False)

    def send_on(self, guild: GuildId, to: str) -> None:
        """Send a server's pages to the address ``to``, because another process now serves the server."""
        for page in list(self._open.get(guild, ())):
            page.line.close(Bye(said=self._words(page)("page.moved"), again=True, to=to))

    def _words(self, page: Page) -> Words:
        return words_for(page.worded) if page.worded else words_of_locale(page.reader.locale)

    def used_at(self, key: TableKey, player: Player) -> int | None:
        """Return when the player last acted on a page that shows this table; None if they have no such page."""
        pages = self._open.get(key.guild, ())
        used = (one.used for one in pages if one.key == key and one.reader.player == player and not one.late)
        return max(used, default=None)

    # drawing

    async def _keep_drawn(self, page: Page) -> None:
        """Redraw a page whenever it's woken.

        Pages are drawn one at a time, after running interactions, because users are waiting for those.
        """
        loop = asyncio.get_running_loop()
        while True:
            await page.woken.wait()
            async with self._turn:
                until = loop.time() + PRESSES_FIRST_SECONDS
                while self._gate.in_progress and loop.time() < until:  # noqa: ASYNC110  (time is the other end of it)
                    await asyncio.sleep(LOOK_SECONDS)
                page.woken.clear()
                try:
                    await self.refresh(page)
                except Exception:
                    # The page keeps its view, and shows the error.
                    told = plain(incident(self._words(page)), str)
                    page.line.send(Answer(id="look", outcome=InteractionOutcome.FAILED.value, said=told))

    async def refresh(self, page: Page) -> None:
        """Send the changes since its last view to a page, if there are any."""
        async with page.drawing:
            view = await self._page_views.view(page)
            if view == page.view:
                return
            before, page.view = page.view, view
            if before is None or (before.table, before.watches) != (view.table, view.watches):
                self.viewers.changed(page.reader.guild)
            state = blake2b(VIEW.dump_json(view), digest_size=9).hexdigest()
            if before is None and page.has == state:
                page.line.send(Current(now=self._now()))
            elif before is None:
                page.line.send(Snapshot(now=self._now(), state=state, view=view))
            else:
                parts = {name: new for name in VIEW_PARTS if (new := getattr(view, name)) != getattr(before, name)}
                page.line.send(Change(now=self._now(), state=state, parts=parts))

    # messages

    async def heard(self, page: Page, message: Heard) -> None:
        """Handle a page's message.

        It's ignored if another process serves the page's server by now, because the page will repeat it there.
        """
        if 0 < page.reader.until <= self._now():
            page.line.close(Bye(said=self._words(page)("page.not_known"), again=False))
            return
        if not self._serves(page.reader.guild):
            return
        if page.late and not isinstance(message, Ping):
            return  # a stream's page is read-only
        if not isinstance(message, Ping):
            page.used = self._now()
        match message:
            case Ping():
                page.line.send(Pong())
            case Look():
                await self._turn_to(page, message)
            case Draft():
                await self._draft(page, message)
            case Assemble() if not page.link:
                await self._assemble(page, message)
            case Intent():
                await self._intent(page, message)
            case Read():
                await self._read(page, message)
            case _:
                pass  # the page is already open

    async def _turn_to(self, page: Page, message: Look) -> None:
        asked = self._asked(page, "look")

        async def body() -> None:
            page.key = TableKey(guild=page.reader.guild, table=TableId(message.table))
            page.looks = page.chosen = True
            page.shows_others = message.beside
            page.retry = page.last = page.standing = None
            if asked.guild:
                page.puzzle = None
            await self.refresh(page)

        await self._gate.ask(asked, body, verb="look", table=message.table)
        if asked.said:
            page.line.send(Answer(id="look", outcome=asked.outcome.value, said=said(asked, self._faces.names)))

    def _asked(self, page: Page, name: str) -> PageRequest:
        reader = page.reader
        return PageRequest(reader.guild, reader.player, locale=reader.locale, name=name, made_at=self._now())

    async def _draft(self, page: Page, message: Draft) -> None:
        asked = self._asked(page, "draft")

        def show(panel: Panel) -> None:
            faces = self._faces.for_reader(asked.member_settings).in_letters()
            drawing = TableDrawing(
                view=panel.view, words=asked.words, faces=faces, member_settings=asked.member_settings
            )
            page.line.send(drafted(drawing, panel))

        async with page.drafting:
            if page.puzzle is not None:
                await self._puzzles.save_draft(asked, message, page.puzzle, page.line.send)
            elif page.retry is not None:
                await self._tries.save_draft(asked, message, page.retry, show)
            else:
                await self._intents.keep(asked, message, show)
        if asked.said:
            await self.refresh(page)
            page.line.send(Answer(id="draft", outcome=asked.outcome.value, said=said(asked, self._faces.names)))

    async def _assemble(self, page: Page, message: Assemble) -> None:
        asked = self._asked(page, "assemble")
        await self._analyses.check(asked, message, page.line.send)
        if asked.said:
            page.line.send(Answer(id="assemble", outcome=asked.outcome.value, said=said(asked, self._faces.names)))

    async def _intent(self, page: Page, intent: Intent) -> None:
        answers = self._answers_to(page)
        if intent.id not in answers:
            answers[intent.id] = asyncio.ensure_future(self._carried_out(page, intent))
            while len(answers) > MAX_ANSWERS:
                answers.popitem(last=False)
        answer = await asyncio.shield(answers[intent.id])
        if not self._serves(page.reader.guild):
            answers.pop(intent.id, None)
            return  # too late here, so the page will repeat it at the process that serves it now
        await self.refresh(page)
        page.line.send(answer)

    def _answers_to(self, page: Page) -> OrderedDict[str, asyncio.Future[Answer]]:
        """Return the cached answers to the reader, keyed by intent id. Answers to guests aren't cached."""
        if page.link:
            return OrderedDict()
        who = page.reader.guild, page.reader.player
        answers = self._answers.pop(who, OrderedDict())
        self._answers[who] = answers
        while len(self._answers) > MAX_PLAYERS_WITH_ANSWERS:
            self._answers.popitem(last=False)
        return answers

    async def _carried_out(self, page: Page, intent: Intent) -> Answer:
        asked = self._asked(page, intent.id)
        async with self._promised(page, intent.id), self.doing():
            if page.link:
                await self._turn_down(asked, intent)
                found = IntentOutcome()
            elif intent.verb in ANALYSIS_VERBS:
                found = IntentOutcome(analysis=await self._analyses.do(asked, intent))
            elif page.puzzle is not None or intent.verb in PUZZLE_VERBS:
                if page.puzzle is None and page.solves and intent.verb == "puzzle_next":
                    page.puzzle, page.key, page.chosen, page.looks = PuzzlePage(), None, False, True
                found = IntentOutcome(puzzles=await self._puzzles.do(asked, intent, page.puzzle))
            elif page.retry is not None or intent.verb in ("retry", "end_retry"):
                page.retry, letters = await self._tries.do(asked, intent, page.retry)
                found = IntentOutcome(letters=letters)
            elif intent.verb == "say":
                await self._phrases.say(asked, intent, self._open.get(page.reader.guild, ()))
                found = IntentOutcome()
            else:
                found = await self._intents.do(asked, intent)
        return Answer(
            id=intent.id,
            outcome=asked.outcome.value,
            said=said(asked, self._faces.names),
            letters=found.letters,
            hint=found.hint,
            stream=found.stream,
            puzzles=found.puzzles,
            analysis=found.analysis,
        )

    async def _turn_down(self, asked: PageRequest, intent: Intent) -> None:
        """Refuse a guest's intent. Guests have no seat and no settings, whatever their page asks."""

        async def body() -> None:
            await asked.refuse(asked.words("page.look_again"))

        await self._gate.ask(asked, body, verb=intent.verb, table=intent.table)

    def _promised(self, page: Page, name: str) -> AbstractAsyncContextManager[None]:
        """Notify the page if an intent takes a while."""

        async def defer() -> None:
            page.line.send(Working(id=name))

        return deferring(defer, age_seconds=0.0)

    async def _read(self, page: Page, read: Read) -> None:
        asked = self._asked(page, read.what)
        async with self._promised(page, read.id), self.doing():
            if read.what == "analysis" and not page.link:
                puzzle = NO_PUZZLE if page.puzzle is None else page.puzzle.name
                table = page.key if page.puzzle is None and page.view is not None and page.view.table else None
                await self._analyses.read(asked, read, page.line.send, puzzle=puzzle, table=table)
            elif page.puzzle is not None:
                await self._puzzles.read(asked, read, page.puzzle, page.line.send)
            else:
                await self._reading.find(asked, read, link=page.link, found=page.line.send)
        page.line.send(Answer(id=read.id, outcome=asked.outcome.value, said=said(asked, self._faces.names)))


@asynccontextmanager
async def _at_once() -> AsyncIterator[None]:
    yield
