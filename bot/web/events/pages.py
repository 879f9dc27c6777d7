"""The public pages of events: found by their random address, made once per change, and kept.

A request for a known page that hasn't changed reads nothing from the store. The events with a page are kept by address,
so that guessed addresses read nothing either.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from bot.chat.kit.faces import DisplayNames
from bot.model.ids import EVERYTHING, EventKey, GuildId, Player, Serves, TableKey
from bot.play.api.events import Events
from bot.play.bus import Bus
from bot.play.event.office.public_page import PublicEvent
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for
from bot.web.accepted_language import accepted_language
from bot.web.events.building import PageContext, build, public_people
from bot.web.events.csv_file import as_csv
from bot.web.events.document import as_json
from bot.web.events.html_page import html_page
from bot.web.forwarding import ServedElsewhereError

NAME = re.compile(r"([0-9A-Za-z_-]{24})(?:\.(json|csv))?")
"""The last part of an address, and the kind of file."""
KEPT_SECONDS = 30.0
"""Time after which a page is made again even if the event hasn't changed, because names and settings may have."""
UNNAMED_SECONDS = 5.0
"""Shorter time for a page with a name that wasn't known yet."""
REREAD_SECONDS = 10.0
"""Minimum time between two readings of all addresses, unless an event has changed in this process."""
MOVED_SECONDS = 5.0
"""Time for which the process that serves a server is remembered."""
MAX_PAGES = 500
"""Maximum number of kept pages. The least recently read one is dropped."""
MAX_TRIES = 3
"""Maximum number of times that a page is made for one request because the event keeps changing."""
TYPES: Final = {"html": "text/html", "json": "application/json", "csv": "text/csv"}

Learn = Callable[[GuildId, Sequence[Player]], Awaitable[None]]
"""Asks Discord for the names of players. It may return before all are known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A page or file, ready to be sent."""

    body: bytes
    kind: str
    language: str
    tag: str
    """A digest of the body."""


@dataclass(slots=True, kw_only=True)
class _Kept:
    public: PublicEvent
    state: tuple[int, int]
    """Number of changes that were known before it was read."""
    until: float
    files: dict[tuple[str, str], File] = field(default_factory=dict)
    """The files made so far, by kind and language."""


async def _knows_nobody(guild: GuildId, players: Sequence[Player]) -> None:
    return None


async def _nowhere(guild: GuildId) -> str:
    return ""


def _noted(done: asyncio.Task[Any]) -> None:
    """Retrieve a task's exception, which its readers get, even if all of them have disconnected."""
    if not done.cancelled():
        done.exception()


class EventPages:
    """The public pages of this process's events."""

    def __init__(
        self,
        events: Events,
        names: DisplayNames,
        bus: Bus,
        *,
        serves: Serves = EVERYTHING.serves,
        seen_by_all: Callable[[int], bool] = lambda channel: False,
        learn: Learn = _knows_nobody,
        elsewhere: Callable[[GuildId], Awaitable[str]] = _nowhere,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``elsewhere`` returns the base address of the process that serves a server; empty if it's unknown."""
        self._events, self._names = events, names
        self._serves, self._seen_by_all = serves, seen_by_all
        self._learn, self._elsewhere, self._clock = learn, elsewhere, clock
        self._lock = Lock()
        self._changes: Counter[GuildId] = Counter()
        """Number of changes to each server's events. Written on the writing threads."""
        self._all_changes = 0
        self._cleared = 0
        self._addresses: dict[str, EventKey] = {}
        self._read_at = float("-inf")
        self._read_changes = -1
        self._reading: asyncio.Task[None] | None = None
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._making: dict[str, asyncio.Task[_Kept | None]] = {}
        self._moved: dict[GuildId, tuple[float, str]] = {}
        bus.committed.subscribe(self._committed)
        bus.player_deleted.subscribe(lambda player: self.clear())
        bus.profile_changed.subscribe(lambda guild, player: self.clear())

    def _committed(self, changed: Collection[TableKey | EventKey]) -> None:
        """Count changes to events. This is called on the writing thread, before the writer goes on."""
        with self._lock:
            for key in changed:
                if isinstance(key, EventKey):
                    self._changes[key.guild] += 1
                    self._all_changes += 1

    def clear(self) -> None:
        """Drop everything kept, because another process has written, or a player was deleted."""
        self._cleared += 1
        self._kept.clear()
        self._moved.clear()
        self._read_at = float("-inf")

    async def file(self, address: str, kind: str, words_of: Callable[[str], Words]) -> File | None:
        """Return a page or file; None if there's no page with this address.

        ``words_of`` returns the reader's words, given the event's language. Raises ServedElsewhereError and
        StorageUnavailableError.
        """
        key = await self._find(address)
        if key is None:
            return None
        if not self._serves(key.guild):
            raise ServedElsewhereError(await self._where(key.guild))
        kept = await self._current(address, key)
        if kept is None:
            return None
        words = words_of(kept.public.event.language)
        wanted = kind, words.language.code
        if wanted not in kept.files:
            kept.files[wanted] = self._make_file(kept.public, address, kind, words)
        return kept.files[wanted]

    # addresses

    async def _find(self, address: str) -> EventKey | None:
        if address not in self._addresses and self._may_be_new():
            await self._read_addresses()
        return self._addresses.get(address)

    def _may_be_new(self) -> bool:
        """True if there may be addresses that haven't been read."""
        return self._all_changes != self._read_changes or self._clock() - self._read_at >= REREAD_SECONDS

    async def _read_addresses(self) -> None:
        """Read all addresses. Requests at the same time share a reading, and start another if it began too early."""
        if self._reading is not None and not self._reading.done():
            await asyncio.wait([self._reading])
        if self._may_be_new():
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(self._read_all())
                self._reading.add_done_callback(_noted)
            await asyncio.shield(self._reading)

    async def _read_all(self) -> None:
        changes, now = self._all_changes, self._clock()
        self._addresses = await self._events.public_pages()
        self._read_changes, self._read_at = changes, now

    async def _where(self, guild: GuildId) -> str:
        until, url = self._moved.get(guild, (float("-inf"), ""))
        if until <= self._clock():
            url = await self._elsewhere(guild)
            self._moved[guild] = self._clock() + MOVED_SECONDS, url
        return url

    # pages

    async def _current(self, address: str, key: EventKey) -> _Kept | None:
        for _ in range(MAX_TRIES):
            kept = self._kept.get(address)
            if kept is not None and kept.state == self._state(key) and self._clock() < kept.until:
                self._kept.move_to_end(address)
                return kept
            if address not in self._making:
                self._making[address] = task = asyncio.create_task(self._make(address, key))
                task.add_done_callback(lambda done: self._made(address, done))
            kept = await asyncio.shield(self._making[address])
            if kept is None or kept.state == self._state(key):
                return kept
        return kept

    def _made(self, address: str, done: asyncio.Task[_Kept | None]) -> None:
        del self._making[address]
        _noted(done)

    def _state(self, key: EventKey) -> tuple[int, int]:
        return self._cleared, self._changes[key.guild]

    async def _make(self, address: str, key: EventKey) -> _Kept | None:
        state = self._state(key)
        public = await self._events.public(key, address)
        if public is None:
            self._kept.pop(address, None)
            return None
        people = public_people(public)
        if unknown := self._names.to_ask(key.guild, people):
            await self._learn(key.guild, [Player(player) for player in unknown])
        seconds = UNNAMED_SECONDS if self._names.to_ask(key.guild, people) else KEPT_SECONDS
        kept = _Kept(public=public, state=state, until=self._clock() + seconds)
        self._kept[address] = kept
        self._kept.move_to_end(address)
        while len(self._kept) > MAX_PAGES:
            self._kept.popitem(last=False)
        return kept

    def _make_file(self, public: PublicEvent, address: str, kind: str, words: Words) -> File:
        context = PageContext(words=words, names=self._names, seen_by_all=self._seen_by_all)
        document = build(public, context)
        if kind == "json":
            body = as_json(document)
        elif kind == "csv":
            body = as_csv(document, words)
        else:
            zone = public.zone or words.language.zone
            body = html_page(document, words, name=address, zone=zone).encode()
        tag = hashlib.sha256(body).hexdigest()[:32]
        return File(body=body, kind=kind, language=words.language.code, tag=tag)


def chosen_words(chosen: str, accepted: str, language: str) -> Words:
    """Return the words for a reader.

    ``chosen`` is the language from the address and ``accepted`` the header Accept-Language. ``language`` is that of the
    event, for readers who don't say.
    """
    if chosen in LANGUAGES:
        return words_for(chosen)
    return words_for(accepted_language(accepted, language))
