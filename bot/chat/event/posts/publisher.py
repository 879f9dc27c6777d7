"""Keeps an event's messages up to date: posts its notices once and in order, and redraws its main message.

Like the publisher of tables, it works on demand, with one task per event that ends once the event is shown.
:meth:`EventPublisher.sweep` retries after failures.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Literal

import discord

from bot.base.logs import note
from bot.base.meter import SILENT, Meter
from bot.chat.art.bracket import DrawnBlock
from bot.chat.discord_patches.errors import is_transient
from bot.chat.discord_patches.governor import Governor, important, post_route
from bot.chat.discord_patches.limits import Importance
from bot.chat.discord_patches.own_messages import edit
from bot.chat.event.posts.bracket_picture import NOBODY, bracket_picture
from bot.chat.event.posts.calendar import Calendar
from bot.chat.event.posts.calls import EventCalls
from bot.chat.event.posts.honours import WinnerRoles, chosen_roles, role_changes
from bot.chat.event.posts.posted_desks import PostedDesks
from bot.chat.event.posts.roll_calls import RollCalls
from bot.chat.event.posts.spare_channels import SpareChannels
from bot.chat.event.screens.bracket import page_for
from bot.chat.event.screens.calls import is_told
from bot.chat.event.screens.notice import (
    PICTURE,
    NoticePage,
    asks_organiser,
    joint_page,
    notice_pages,
    reports_play,
    shares_note,
)
from bot.chat.event.screens.picture import describe_podium, on_podium, pictured, podium
from bot.chat.event.screens.round_report import (
    MAX_CROSS_TABLE_PLAYERS,
    can_draw,
    describe_picture,
    sheet_picture,
    sheet_screen,
)
from bot.chat.event.screens.round_report import PICTURE as SHEET
from bot.chat.event.screens.screen import BRACKET, event_screen
from bot.chat.kit.bot_permissions import NEEDED_FOR_THREADS, Permission, missing_in_channel
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.found_messages import posted_before
from bot.chat.kit.kept_messages import UNKNOWN_CHANNEL, keep, message_exists, way
from bot.chat.kit.members import Members
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.outbox import Outbox
from bot.chat.kit.picture_names import picture_names
from bot.chat.kit.posting import calling, drop_if_refused, post
from bot.chat.kit.redraw_queue import RedrawQueue
from bot.chat.table.posts.publisher import TablePublisher
from bot.chat.table.posts.result_posts import learn_names
from bot.chat.table.posts.threads import MAX_NAME_LENGTH
from bot.model.bank import BankTerms
from bot.model.choices import ServerSettings
from bot.model.clock import MINUTE
from bot.model.events import Event, EventPosting, Notice, Phase
from bot.model.ids import EVERYTHING, EventKey, GuildId, Player, Serves
from bot.model.tables import Table
from bot.play.api.events import Events
from bot.play.bus import Bus
from bot.play.event.formats.brackets import BracketView
from bot.play.event.office.role_claims import RefusedRoles
from bot.play.event.office.views import EventView
from bot.play.queries.results import ResultView
from bot.pure.event.structure import Format
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words, words_for

log = logging.getLogger(__name__)

_DRAWS = frozenset((Notice.STARTED, Notice.ROUND))
_BEFORE_TABLES = _DRAWS | {Notice.RULING}
"""Notices about tables that are about to open."""
SHARED_NOTE_MS = MINUTE
"""Time during which all actions of an organiser share a message."""
THREAD_MINUTES: Literal[10080] = 10080
"""Minutes after which Discord archives the thread with an event's fingerprints."""
_THREAD_EXISTS = 160004
FORMER_SECONDS = 20
"""Maximum time that a new event waits for the posts of earlier ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bracket:
    """A bracket as its event's message shows it."""

    blocks: tuple[DrawnBlock, ...]
    """Content of the picture."""
    picture: bytes
    told: str
    """Description of the picture. It changes during a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _OrganisersNote:
    """The newest message about an organiser's actions, to which their next ones are added."""

    message: int
    postings: tuple[EventPosting, ...]

    def takes(self, posting: EventPosting) -> bool:
        """True if the action was done by the same organiser soon after the first one."""
        first = self.postings[0]
        return first.details["by"] == posting.details["by"] and posting.at - first.at <= SHARED_NOTE_MS


def _stays(event: Event) -> bool:
    """True while the event's message is edited wherever it is, because registrations come over days.

    From check-in on, an old message is posted again at the end of the channel instead.
    """
    return event.phase is Phase.REGISTERING


def _opens(posting: EventPosting) -> bool:
    """True if a notice has the first fingerprints of a new event."""
    return posting.notice is Notice.COMMITTED and not posting.details.get("again")


def _of_message(event: Event) -> tuple[object, ...]:
    """Return what identifies the event's message for Discord."""
    return "event", event.key.guild, event.key.number, event.tag


_Shown = tuple[EventView, BracketView | None]


class EventPublisher:
    """Draws events in their channels, posts their notices, and awards the winners' roles."""

    def __init__(
        self,
        client: discord.Client,
        events: Events,
        publisher: TablePublisher,
        governor: Governor,
        bus: Bus,
        *,
        server: Callable[[GuildId], Awaitable[ServerSettings]],
        terms: Callable[[GuildId], Awaitable[BankTerms]],
        now_ms: Callable[[], int],
        pause_seconds: float,
        names: DisplayNames,
        members: Members,
        page_of: Callable[[Event], str] = lambda event: "",
        may_be_watched: Callable[[Table], bool] = lambda table: False,
        serves: Serves = EVERYTHING.serves,
        meter: Meter = SILENT,
    ) -> None:
        """``server`` returns a server's settings, and ``serves`` is True for this process's servers.

        ``terms`` has the channel of the managers' log. ``names`` are the names for pictures. ``page_of`` returns the
        address of an event's public page; empty if it has none. ``may_be_watched`` is True for tables that everyone in
        the server can watch on a page.
        """
        self._client = client
        self._server = server
        self._serves = serves
        self._people = names
        self.page_of = page_of
        self._may_be_watched = may_be_watched
        self._events = events
        self._publisher = publisher
        self._governor = governor
        self._honours = WinnerRoles(client, events, server)
        self._calendar = Calendar(client, events, now_ms=now_ms)
        self._desks = PostedDesks(client, events, names, now_ms=now_ms, serves=serves)
        self._calls = EventCalls(client, events)
        self.spare_channels = SpareChannels(client, server, terms)
        self._members = members
        self._roll_calls = RollCalls(client, events, members, serves=serves, meter=meter)
        self._now = now_ms
        self._pause_seconds = pause_seconds
        self._drawing = RedrawQueue(
            self._show_event, name=lambda key: f"event {key.guild}/{key.number}", ready=client.is_ready, meter=meter
        )
        self._drawn_at: dict[EventKey, float] = {}
        """When an event's message was last drawn, by the loop's clock. Old entries are removed."""
        self._brackets: dict[EventKey, _Bracket] = {}
        """The current picture of each running bracket's event message."""
        self._notes: dict[EventKey, _OrganisersNote] = {}
        """Each event's newest message, if it's about an organiser's actions."""
        self._unseen: set[EventKey] = set()
        """Events whose message hasn't been searched for since the start."""
        self._outbox = Outbox[RefusedRoles | None](events.posted)
        self._posted: set[tuple[int, int]] = set()
        """Numbers and times of postings whose messages were sent, while what follows from them isn't done yet.

        Numbers are reused.
        """
        self._since = now_ms()
        """Anything posted before this time came from an earlier process."""
        bus.event_changed.subscribe(self.changed)
        bus.roll_called.subscribe(self.call_roll)

    def changed(self, key: EventKey) -> None:
        """Queue the event for drawing. Several changes share one drawing."""
        self._drawing.changed(key)

    def call_roll(self, key: EventKey) -> None:
        """Queue the event's roll call."""
        self._roll_calls.queue.changed(key)

    def beat(self) -> None:
        """Retry anything that transient errors have delayed."""
        self._roll_calls.queue.beat()
        self._drawing.beat()
        self._desks.drawing.beat()

    async def sweep(self, serves: Serves = EVERYTHING.serves) -> None:
        """Queue every event whose message is late or that has notices to post."""
        behind = [key for key in await self._events.undrawn() if serves(key.guild)]
        self._roll_calls.look_through(behind)
        self._drawing.catch_up(behind)

    async def draw_open_events(self, serves: Serves = EVERYTHING.serves) -> None:
        """Check every open event after connecting, and draw those that are late or whose message is gone.

        See :meth:`TablePublisher.draw_open_tables`.
        """
        self._since = self._now()
        running = [key for key in await self._events.running() if serves(key.guild)]
        self._unseen.update(running)
        self._drawing.catch_up([*(key for key in await self._events.undrawn() if serves(key.guild)), *running])
        # Desks of finished events are included, because a bot that was killed may not have closed them.
        self._desks.look_through([key for key in await self._events.kept_desks() if serves(key.guild)])

    def desk_used(self, key: EventKey) -> None:
        """Redraw the organisers' desk in a channel after a choice from one of its menus."""
        self._desks.used(key)

    async def opened(self, guild: GuildId) -> None:
        """Check a server's desks after a change that lets everyone see more of it."""
        self._desks.drawing.catch_up([key for key in await self._events.kept_desks() if key.guild == guild])

    async def drawn(self) -> None:
        """Wait for the drawings in progress."""
        await self._members.queue.drawn()
        await self._roll_calls.queue.drawn()
        await self._drawing.drawn()
        await self._desks.drawing.drawn()

    async def close(self) -> None:
        """Start nothing new, and wait for everything in progress."""
        await self._members.queue.close()
        await self._roll_calls.queue.close()
        await self._drawing.close()
        await self._desks.drawing.close()

    async def _show_event(self, key: EventKey) -> bool:
        note(guild=key.guild)
        if not self._serves(key.guild):
            return False
        try:
            shown = await self._events.shown(key)
        except Refused:
            return False
        view, _ = shown
        if self._client.get_guild(key.guild) is None:
            await self._without_place(view.event, reason="guild_gone")
            return False
        try:
            if key in self._unseen and await self._is_unchanged(view.event):
                return False
            waiting = await self._events.postings(key)
            if view.event.message is None:
                await self._wait_for_earlier(key)
                if any(map(_opens, waiting)) and self._may_start_thread(view.event):
                    await self._announce(view)
            if waiting:
                # Results and threads come before notices about them.
                draw = any(posting.notice in _DRAWS for posting in waiting)
                await self._publisher.lull(key.guild, threads_of=view.event.channels if draw else ())
                await self._post_notices(key)
            paused = await self._pause(key)
            await self._draw_in_turn(shown, waited=paused or bool(waiting))
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            await self._without_place(view.event, reason="channel_gone")
        except discord.Forbidden as error:
            event = view.event
            log.warning("event %s/%s cannot be shown: %s", key.guild, key.number, error)
            await self._events.drawn(key, version=event.version, message=event.message)
        return True

    async def _announce(self, view: EventView) -> None:
        """Post an event's message without its way to register, because its fingerprints are posted in a thread below.

        They must be there before anyone registers. An event that was cancelled in the meantime gets its message too,
        because the thread and the way to hold it again belong to it.
        """
        event, words = view.event, words_for(view.event.language)
        lasts = await self._events.expected(view)
        shown = event_screen(view, words, lasts=lasts, committed=False, page=self.page_of(event))
        shown = with_user_names(shown, self._people, event.key.guild, words)
        ticket = self._governor.ask(post_route(event.channel), Importance.CALL)
        async with self._governor.using(ticket):
            message = await keep(self._channel(event), None, shown, *_of_message(event), now=self._now(), over=False)
        await self._events.drawn(event.key, version=event.drawn_version, message=message)

    def _may_start_thread(self, event: Event) -> bool:
        """True if the event's message can have a thread."""
        plain = isinstance(self._client.get_channel(event.channel), discord.TextChannel)
        return plain and not missing_in_channel(self._client, event.channel, *NEEDED_FOR_THREADS)

    async def _fingerprints_thread(self, event: Event) -> int | None:
        """Start the thread for the event's fingerprints; None if it can't have one. Raises transient errors.

        A thread below a new message makes no notice in the channel, so that publishing an event is one post.
        """
        if event.message is None or not self._may_start_thread(event):
            return None
        name = words_for(event.language)("event_notice.thread", name=event.name)[:MAX_NAME_LENGTH]
        try:
            message = self._channel(event).get_partial_message(event.message)
            thread = await message.create_thread(name=name, auto_archive_duration=THREAD_MINUTES)
        except discord.HTTPException as error:
            if error.code == _THREAD_EXISTS:
                return event.message  # a thread has the id of the message that it's below
            if is_transient(error):
                raise
            log.info("event %s/%s has no thread for its fingerprints: %s", event.key.guild, event.key.number, error)
            return None
        return thread.id

    async def _wait_for_earlier(self, key: EventKey) -> None:
        """Wait for the posts of the server's earlier events, so that a winner is announced before the next event."""
        former = self._drawing.in_progress(lambda other: other.guild == key.guild and other.number < key.number)
        if former:
            await asyncio.wait(former, timeout=FORMER_SECONDS)

    async def _is_unchanged(self, event: Event) -> bool:
        """True if nothing needs drawing at the first check after a start."""
        self._unseen.discard(event.key)
        if event.message is None or event.drawn_version < event.version or await self._events.postings(event.key):
            return False
        with important(Importance.REDRAW):
            return await message_exists(self._channel(event).get_partial_message(event.message))

    async def _pause(self, key: EventKey) -> bool:
        """Wait until the event may be drawn again; True if there was a wait.

        Changes made during the wait share the drawing.
        """
        now = asyncio.get_running_loop().time()
        # A simulated clock can jump forwards and back, so a time in the future comes from another clock.
        self._drawn_at = {other: at for other, at in self._drawn_at.items() if 0 <= now - at < self._pause_seconds}
        if paused := key in self._drawn_at:
            try:
                await asyncio.wait_for(self._drawing.closing.wait(), self._drawn_at[key] + self._pause_seconds - now)
            except TimeoutError:
                self._drawing.seen(key)
                # A notice goes out before the message that shows its effect.
                await self._post_waiting(key, await self._events.postings(key))
        return paused

    async def _without_place(self, event: Event, *, reason: str) -> None:
        """Cancel an event whose channel is gone, and drop its pending notices."""
        if not event.phase.over:
            channel = event.channel if reason == "channel_gone" else None
            await self._events.place_gone(event.key.guild, channel=channel, reason=reason)
        while waiting := await self._events.postings(event.key):
            for posting in waiting:
                if posting.notice is Notice.CANCELLED and posting.details.get("reason") == "channel_gone":
                    await self._outbox.post(posting.number, partial(self._tell_elsewhere, event.key, posting))
                else:
                    await self._events.posted(posting.number)
        now = (await self._events.look(event.key)).event
        await self._events.drawn(event.key, version=now.version, message=None)

    async def _tell_elsewhere(self, key: EventKey, posting: EventPosting) -> None:
        """Announce that the event's channel was deleted, in the first channel that accepts the message."""
        view = await self._events.look(key)
        pages, _ = await self._pages(view, posting, plain=True)
        for channel in await self.spare_channels.of(view.event):
            try:
                await self._send_all(view.event, posting, pages, channel=channel)
            except (discord.Forbidden, discord.NotFound) as error:
                log.info("channel %s does not accept news of event %s/%s: %s", channel, key.guild, key.number, error)
            else:
                return

    def _channel(self, event: Event) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(event.channel, guild_id=event.key.guild)

    # the event's message

    async def _draw_in_turn(self, shown: _Shown, *, waited: bool) -> None:
        """Wait for permission to draw, then draw the current state.

        The current state is ``shown``, unless the event has changed or ``shown`` was loaded before a wait.
        """
        event = shown[0].event
        route = way(event.channel, event.message, now=self._now(), over=event.phase.over, stays=_stays(event))
        if route is None:
            await self._draw(*await self._events.shown(event.key))
            return
        ticket = self._governor.ask(route, Importance.REDRAW if event.message else Importance.CALL)
        waited |= not ticket.granted.done()
        async with self._governor.using(ticket):
            if self._serves(event.key.guild):
                if waited or event.key in self._drawing.dirty:
                    shown = await self._events.shown(event.key)
                await self._draw(*shown)

    async def _draw(self, view: EventView, made: BracketView | None) -> None:
        event, words = view.event, words_for(view.event.language)
        if event.desk_channel is not None:
            self._desks.drawing.changed(event.key)
        channel, over = self._channel(event), event.phase.over
        bracket = None if made is None else await self._bracket(made, words)
        lasts = await self._events.expected(view)
        told, ends_at = bracket.told if bracket else "", await self._events.ends_at(view)
        watched = any(line.table.open and self._may_be_watched(line.table) for line in view.tables)
        page = self.page_of(event)
        shown = event_screen(view, words, bracket=told, lasts=lasts, ends_at=ends_at, page=page, watched=watched)
        shown = with_user_names(shown, self._people, event.key.guild, words)
        attached = (BRACKET, bracket.picture) if bracket else None
        known = self._brackets.get(event.key)
        is_new = bracket is not None and (known is None or known.blocks != bracket.blocks)
        message = await keep(
            channel,
            event.message,
            shown,
            *_of_message(event),
            now=self._now(),
            over=over,
            attached=attached,
            is_new=is_new,
            stays=_stays(event),
        )
        if bracket and not over:
            self._brackets[event.key] = bracket
        else:
            self._brackets.pop(event.key, None)
        self._drawn_at[event.key] = asyncio.get_running_loop().time()
        try:
            if event.starts_at is not None:
                await self._calendar.keep(view, words)
            # They must be done before the event counts as drawn, because a finished event isn't checked again.
            for call in event.calls:
                await self._calls.end(view, call)
        except (discord.HTTPException, OSError):
            # The event's message was posted and must not be posted twice. Only the rest is retried.
            await self._events.drawn(event.key, version=event.drawn_version, message=message)
            raise
        await self._events.drawn(event.key, version=event.version, message=message)

    async def _bracket(self, view: BracketView, words: Words) -> _Bracket | None:
        """Return the bracket as a picture, redrawn only after a match has ended. None if none should be shown."""
        event = view.event
        if event.phase is Phase.CANCELLED or missing_in_channel(self._client, event.channel, Permission.ATTACH_FILES):
            return None
        made = await bracket_picture(self._client, view, page_for(view, NOBODY), self._people, words)
        known = self._brackets.get(event.key)
        if known is not None and known.blocks == made.blocks:
            return replace(known, told=made.told)
        picture = await asyncio.get_running_loop().run_in_executor(None, made.drawing)
        return _Bracket(blocks=made.blocks, picture=picture, told=made.told)

    # notices

    async def _post_notices(self, key: EventKey) -> None:
        while waiting := await self._events.postings(key):
            await self._post_waiting(key, waiting)

    async def _post_waiting(self, key: EventKey, waiting: Sequence[EventPosting]) -> None:
        for _, group in groupby(waiting, key=lambda posting: reports_play(posting) or posting.number):
            # Reload the state for each notice, because posting the previous one may have taken a while.
            postings = [*group]
            if len(postings) > 1 and await self._post_together(await self._events.look(key), postings):
                continue
            for posting in postings:
                await self._post(await self._events.look(key), posting)

    async def _post_together(self, view: EventView, postings: Sequence[EventPosting]) -> bool:
        """Post consecutive reports of play as one message; False if they can't share one.

        Raises NotFound if the channel is gone.
        """
        event = view.event
        page = joint_page(postings, view, await self._words(event))
        if page is None or any(self._outbox.was_sent(posting.number) for posting in postings):
            return False
        self._notes.pop(event.key, None)
        urgent = next((posting for posting in postings if posting.notice in _BEFORE_TABLES), postings[0])

        async def send() -> None:
            with drop_if_refused(f"event {event.key.guild}/{event.key.number}", discord.Forbidden):
                await self._send_all(event, urgent, [page])

        await self._outbox.post_together([posting.number for posting in postings], send)
        return True

    async def _post(self, view: EventView, posting: EventPosting) -> None:
        """Post a notice and run its side effects. If posting isn't allowed, drop it.

        Raises NotFound if the channel is gone.
        """
        event = view.event
        if posting.notice is Notice.VOUCH:
            await self._events.vouch(event.key, await self._honours.vouched(view))
            await self._events.posted(posting.number)
            return

        if (
            posting.notice is Notice.OFFERED
            and not (posting := await self._offered_to_members(posting)).details["players"]
        ):
            await self._events.posted(posting.number)
            return

        this = posting.number, posting.at

        async def send() -> RefusedRoles | None:
            if this not in self._posted:  # after an error, only the rest is retried
                await self._send_notice(view, posting)
                self._posted.add(this)
            return await self._change_roles(view, posting)

        await self._outbox.post(posting.number, send)
        self._posted.discard(this)

    async def _send_notice(self, view: EventView, posting: EventPosting) -> None:
        """Send a notice where it belongs, unless it isn't allowed there."""
        event = view.event
        if posting.notice is Notice.CALLED and await self._call_at_table(view, posting):
            return
        if asks_organiser(posting) and await self._ask_at_desk(view, posting):
            return
        if await self._add_to_note(view, posting):
            return
        self._notes.pop(event.key, None)
        with drop_if_refused(f"event {event.key.guild}/{event.key.number}", discord.Forbidden):
            await self._send_pages(view, posting)
        if posting.notice is Notice.SAID:
            await self._say_at_tables(view, posting)

    async def _change_roles(self, view: EventView, posting: EventPosting) -> RefusedRoles | None:
        """Give and take the roles that follow from a notice; return the refused ones and the recipient."""
        refused = await self._honours.change_roles(view, role_changes(view, posting), chosen_roles(posting))
        if not refused:
            return None
        told = posting.details.get("by", view.event.organiser)
        return RefusedRoles(key=view.event.key, told=told, changes=tuple(refused))

    async def _offered_to_members(self, posting: EventPosting) -> EventPosting:
        """Pass on the places offered to players who have left the server, and return the offer without them."""
        key, players = posting.key, posting.details["players"]
        gone = await self._members.departed(key.guild, players)
        if not gone:
            return posting
        await self._events.pass_on_places(key)
        return replace(posting, details={**posting.details, "players": [one for one in players if one not in gone]})

    async def _add_to_note(self, view: EventView, posting: EventPosting) -> bool:
        """Add an organiser's action to the message about their last one; False if it needs its own."""
        key, former = view.event.key, self._notes.get(view.event.key)
        if former is None or not shares_note(posting) or not former.takes(posting):
            return False
        postings = (*former.postings, posting)
        page = joint_page(postings, view, await self._words(view.event))
        if page is None or page.calls:  # editing a message notifies no one
            return False
        shown = page.screen
        message = self._channel(view.event).get_partial_message(former.message)
        try:
            with important(Importance.ONCE):
                await edit(message, with_user_names(shown, self._people, key.guild, words_for(view.event.language)))
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("a note of event %s/%s gets its own message: %s", key.guild, key.number, error)
            return False
        self._notes[key] = replace(former, postings=postings)
        return True

    async def _words(self, event: Event) -> Words:
        words = words_for(event.language)
        return words.aloud if (await self._server(event.key.guild)).in_words else words

    async def _send_pages(self, view: EventView, posting: EventPosting) -> None:
        """Post a notice page by page, without its picture if the bot may not attach files. Raises Discord's errors."""
        event = view.event
        if posting.notice in _DRAWS and is_told(posting):
            return
        plain = bool(missing_in_channel(self._client, event.channel, Permission.ATTACH_FILES))
        pages, picture = await self._pages(view, posting, plain=plain)
        # A ping in a thread would add everyone it pings to the thread.
        pings = any(page.calls or page.role for page in pages)
        thread = await self._fingerprints_thread(event) if _opens(posting) and not pings else None
        try:
            await self._send_all(event, posting, pages, picture=picture, channel=thread)
        except discord.Forbidden:
            if not picture:
                raise
            # The bot may write here, but not attach files.
            pages, _ = await self._pages(view, posting, plain=True)
            await self._send_all(event, posting, pages)

    async def _send_all(
        self,
        event: Event,
        posting: EventPosting,
        pages: list[NoticePage],
        *,
        picture: bytes = b"",
        channel: int | None = None,
    ) -> None:
        guild = event.key.guild
        there = self._client.get_partial_messageable(channel or event.channel, guild_id=guild)
        for number, page in enumerate(pages):
            shown = with_user_names(page.screen, self._people, guild, words_for(event.language))
            page = replace(page, screen=shown)
            await self._send(there, page, posting, number, picture=b"" if number else picture)

    async def _send(
        self,
        channel: discord.PartialMessageable,
        page: NoticePage,
        posting: EventPosting,
        number: int,
        *,
        picture: bytes = b"",
    ) -> None:
        """Post a page of a notice. Numbers of postings are reused, so the nonce also needs the time."""
        what = ("notice", posting.key.guild, posting.key.number, posting.at, posting.number, number)
        called = SHEET if posting.notice is Notice.SHEET else PICTURE
        attached = (called, picture) if picture else None
        # The draw has already let table messages go first. In a large event, the remaining tables don't delay this
        # notice.
        waited = max(0, self._now() - posting.at) / 1000 if posting.notice in _BEFORE_TABLES else 0.0
        ticket = self._governor.ask(post_route(channel.id), Importance.ONCE, waited_seconds=waited)
        async with self._governor.using(ticket):
            message = await posted_before(
                channel, page.screen, self._client.user, at=posting.at, until=self._since, now=self._now()
            ) or await post(
                channel, page.screen, *what, mentions=calling(page.calls, role=page.role), attached=attached
            )
        await self._calls.posted(posting, message)
        if shares_note(posting) and not page.calls:
            since = posting.at - SHARED_NOTE_MS
            self._notes = {key: note for key, note in self._notes.items() if note.postings[0].at >= since}
            self._notes[posting.key] = _OrganisersNote(message=message.id, postings=(posting,))

    async def _pages(self, view: EventView, posting: EventPosting, *, plain: bool) -> tuple[list[NoticePage], bytes]:
        event, words = view.event, await self._words(view.event)
        if posting.notice is Notice.SHEET:
            return await self._sheet(view, posting, plain=plain)
        if posting.notice is Notice.SOON and "round" not in posting.details:
            interested = await self._calendar.interested(event)
            return notice_pages(posting, view, words, interested=interested), b""
        if posting.notice is Notice.COMMITTED:
            role = None if posting.details.get("quiet") else await self._role_to_ping(event)
            return notice_pages(posting, view, words, role=role), b""
        against = await self._against(view) if posting.notice is Notice.ENDED else {}
        following = await self._next_date(posting)
        if posting.notice is Notice.ENDED and on_podium(view) and not plain:
            last = await self._events.last_hand(event.key)
            names = await self._podium_names(view, last, words)
            drawn = partial(podium, view, names, last, words)
            picture = await asyncio.get_running_loop().run_in_executor(None, drawn)
            told = describe_podium(view, names, words)
            return notice_pages(posting, view, words, picture=told, against=against, following=following), picture
        return notice_pages(posting, view, words, against=against, following=following), b""

    async def _next_date(self, posting: EventPosting) -> EventView | None:
        """Return the next date of the series in an event's results, while players can register for it."""
        number = posting.details.get("series", {}).get("next") if posting.notice is Notice.ENDED else None
        if number is None:
            return None
        try:
            view = await self._events.look(EventKey(guild=posting.key.guild, number=number))
        except Refused:
            return None
        return view if view.registration_open and view.event.phase.before else None

    async def _role_to_ping(self, event: Event) -> int | None:
        """Return the role that's pinged when an event opens; None if there is none, or if it can't be pinged."""
        role, guild = (await self._server(event.key.guild)).event_role, self._client.get_guild(event.key.guild)
        found = guild.get_role(role) if guild is not None and role is not None else None
        if guild is None or found is None or found.is_default():
            return None
        channel = guild.get_channel_or_thread(event.channel)
        known = channel is not None and guild.me is not None
        allowed = channel.permissions_for(guild.me) if channel is not None and known else None
        return found.id if found.mentionable or (allowed is not None and allowed.mention_everyone) else None

    async def _podium_names(self, view: EventView, last: ResultView | None, words: Words) -> dict[str, str]:
        """Return the names of the first three and of the players of the last hand, for a picture."""
        guild, players = view.event.key.guild, pictured(view, last)
        await learn_names(self._client, guild, players, self._people)
        return picture_names(self._people, guild, players, words)

    async def _sheet(self, view: EventView, posting: EventPosting, *, plain: bool) -> tuple[list[NoticePage], bytes]:
        """Return the sheet of a deck; empty if its hands can no longer be read."""
        words, picture, told = words_for(view.event.language), b"", ""
        try:
            sheet = await self._events.deck_view(view.event.key, posting.details["board"])
        except Refused:
            return [], b""
        if can_draw(sheet) and not plain:
            people = [player for seats in sheet.deck.seats.values() for player in seats]
            await learn_names(self._client, view.event.key.guild, people, self._people)
            drawn = partial(sheet_picture, sheet, self._people, words)
            picture = await asyncio.get_running_loop().run_in_executor(None, drawn)
            told = describe_picture(sheet, self._people, words)
        return [NoticePage(screen=sheet_screen(view, sheet, words, picture=told))], picture

    async def _against(self, view: EventView) -> Mapping[Player, Mapping[Player, int]]:
        """Return how players did against each other by the end of a league, if there are few enough to show."""
        crossed = view.event.format is Format.LEAGUE and len(view.fair) <= MAX_CROSS_TABLE_PLAYERS
        return await self._events.against(view.event.key) if crossed else {}

    async def _call_at_table(self, view: EventView, posting: EventPosting) -> bool:
        """Ping the players of a table in its thread; False if it has no thread or the thread can't be used."""
        number = posting.details.get("table")
        channel = next((line.table.channel for line in view.tables if line.info.table == number), view.event.channel)
        if channel == view.event.channel:
            return False
        where = self._client.get_partial_messageable(channel, guild_id=view.event.key.guild)
        try:
            for page, shown in enumerate(notice_pages(posting, view, words_for(view.event.language))):
                await self._send(where, shown, posting, page)
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("the players of table %s of event %s were not called there: %s", number, view.event.key, error)
            return False
        return True

    async def _ask_at_desk(self, view: EventView, posting: EventPosting) -> bool:
        """Ask the organiser in the channel that holds the desk; False if there is none, or it can't be used."""
        event = view.event
        if event.desk_channel is None or event.desk_channel == event.channel:
            return False
        pages, _ = await self._pages(view, posting, plain=True)
        try:
            await self._send_all(event, posting, pages, channel=event.desk_channel)
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("the desk of event %s/%s does not accept a question: %s", event.key.guild, event.key.number, error)
            return False
        return True

    async def _say_at_tables(self, view: EventView, posting: EventPosting) -> None:
        """Post an organiser's announcement in the threads too."""
        event = view.event
        (page,) = notice_pages(posting, view, words_for(event.language))[:1]
        for channel in {line.table.channel for line in view.tables} - {event.channel}:
            where = self._client.get_partial_messageable(channel, guild_id=event.key.guild)
            try:
                await self._send(where, page, posting, 0)
            except (discord.NotFound, discord.Forbidden) as error:
                log.info("a thread of event %s/%s could not be notified: %s", event.key.guild, event.key.number, error)
