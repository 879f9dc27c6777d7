"""Discord's scheduled events, kept in sync with ours, so that members see them in the server's list and get reminders.

The data last sent to Discord is stored with the event as a short note. That way, nothing is sent twice, and a restart
sends whatever is missing. A scheduled event that a member has deleted isn't created again. If the bot isn't allowed to
create scheduled events, there are none. Our events work without them.

A repeating event is one scheduled event with a recurrence rule, if Discord supports that rule (:func:`discord_rule`).
Our next event takes it over from the previous one. Discord doesn't complete a repeating event. It schedules the next
date instead.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from math import ceil, log2
from typing import Any

import discord
from discord import EntityType, EventStatus, PrivacyLevel
from typing_extensions import override

from bot.chat.discord_patches.scheduled_events import change_scheduled_event, make_scheduled_event
from bot.chat.event.screens.picture import cover
from bot.chat.kit.bot_permissions import Permission, missing_in_server
from bot.model.clock import DAY, HOUR, MINUTE, Clock, Pace
from bot.model.events import DAYS, HANDED_ON, LISTED_REPEATING, Event, Phase, RepeatInterval
from bot.model.ids import EventKey
from bot.play.api.events import Events
from bot.play.event.office.repeating import next_start
from bot.play.event.office.views import EventView
from bot.pure.event.groups import max_rounds
from bot.pure.event.rounds import settle_rounds
from bot.pure.event.structure import Family, Format
from bot.text.games import full_name
from bot.text.words import Words

log = logging.getLogger(__name__)

CANNOT = "no"
GONE = "gone"
"""The note if there is no scheduled event and none should be created."""
MAX_DESCRIPTION_LENGTH = 1000
MAX_PLACE_LENGTH = 100
SOONEST_MS = MINUTE
"""Discord rejects starts in the past, and an event that starts this soon isn't worth an entry."""
NEARLY_MS = 20 * MINUTE
"""Discord ends an event automatically at its announced end. This long before then, the end is postponed."""
MAX_INTERESTED = 400
BAD_REQUEST, SERVER_ERROR = 400, 500
TURNS_PER_HAND = 5
"""Maximum number of turns per player and hand."""

_STATUS = {
    Phase.REGISTERING: EventStatus.scheduled,
    Phase.CHECK_IN: EventStatus.scheduled,
    Phase.RUNNING: EventStatus.active,
    Phase.ENDED: EventStatus.completed,
    Phase.CANCELLED: EventStatus.cancelled,
}
_Change = Callable[[Mapping[str, Any]], Awaitable[EventStatus]]
"""Changes fields of a scheduled event, and returns its new status."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarNote:
    """A note of the data sent to Discord: a status, a hash of texts and times, and the end (ms)."""

    status: int
    facts: str
    until: int
    repeats: bool = field(default=False, compare=False)
    """True if Discord repeats the event. If Discord has refused the rule, it isn't sent again."""

    @override
    def __str__(self) -> str:
        return f"{self.status}:{self.facts}:{self.until}{LISTED_REPEATING if self.repeats else ''}"

    @classmethod
    def read(cls, text: str) -> CalendarNote | None:
        """Return the parsed note; None if nothing was sent."""
        if text in ("", CANNOT, GONE, HANDED_ON):
            return None
        repeats = text.endswith(LISTED_REPEATING)
        status, facts, until = text.removesuffix(LISTED_REPEATING).split(":")
        return cls(status=int(status), facts=facts, until=int(until), repeats=repeats)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """An event for Discord's list."""

    name: str
    text: str
    place: str
    starts_at: int
    until: int
    status: EventStatus
    rule: Mapping[str, Any] | None = None
    """The recurrence rule; None if the event is held once."""
    repeats: bool = False
    """True if Discord will repeat the event."""

    @property
    def told(self) -> CalendarNote:
        """The note to store once Discord has the data."""
        facts = "\0".join(
            (self.name, self.text, self.place, str(self.starts_at), *([str(self.rule)] if self.rule else []))
        )
        digest = hashlib.sha256(facts.encode("utf-8", "replace")).hexdigest()[:12]
        return CalendarNote(status=self.status.value, facts=digest, until=self.until, repeats=self.repeats)

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of an event that hasn't started, including its rule, which is None if it doesn't repeat."""
        return {
            "name": self.name,
            "description": self.text,
            "scheduled_start_time": _time(self.starts_at).isoformat(),
            "scheduled_end_time": _time(self.until).isoformat(),
            "entity_metadata": {"location": self.place},
            "recurrence_rule": self.rule,
        }


class Calendar:
    """Keeps Discord's scheduled events in sync."""

    def __init__(self, client: discord.Client, events: Events, *, now_ms: Callable[[], int]) -> None:
        self._client = client
        self._events = events
        self._now = now_ms

    async def keep(self, view: EventView, words: Words) -> None:
        """Send Discord any data it doesn't have yet."""
        event = view.event
        guild = self._client.get_guild(event.key.guild)
        if guild is None or event.scheduled_as in (CANNOT, GONE, HANDED_ON):
            return
        told = CalendarNote.read(event.scheduled_as)
        entry = self._entry(view, words, told)
        if told == entry.told or (told is not None and told.status > EventStatus.active.value):
            return
        if missing_in_server(guild, Permission.CREATE_EVENTS):
            await self._without(event, "the permission Create Events is missing")
            return
        try:
            if event.scheduled is not None and (entry.rule or (told is not None and told.repeats)):
                await self._change_repeating(guild, event, entry, words)
            elif event.scheduled is not None:
                await self._change(guild, event, entry)
            elif event.phase.before and entry.starts_at > self._now() + SOONEST_MS:
                await self._make(guild, event, entry, words)
        except discord.NotFound:
            await self._events.scheduled(event.key, scheduled=None, told=GONE)
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR:
                raise
            await self._without(event, error)

    async def _without(self, event: Event, why: object) -> None:
        log.warning("Discord's list of events cannot show %s/%s: %s", *_named(event.key), why)
        await self._events.scheduled(event.key, scheduled=event.scheduled, told=CANNOT)

    async def interested(self, event: Event) -> list[str]:
        """Return the ids of the users who are interested on Discord; empty if the request fails."""
        guild = self._client.get_guild(event.key.guild)
        if guild is None or event.scheduled is None:
            return []
        try:
            found = await guild.fetch_scheduled_event(event.scheduled)
            return [str(user.id) async for user in found.users(limit=MAX_INTERESTED) if not user.bot]
        except discord.HTTPException as error:
            log.info("the members interested in event %s/%s could not be read: %s", *_named(event.key), error)
            return []

    def _entry(self, view: EventView, words: Words, told: CalendarNote | None) -> _Entry:
        event = view.event
        assert event.starts_at is not None
        channel = self._client.get_channel(event.channel)
        place = f"#{getattr(channel, 'name', '') or event.name}"[:MAX_PLACE_LENGTH]
        fee = event.structure.fee
        text = words(
            "event_notice.calendar.text",
            format=words(f"event_notice.format.{event.format.value}"),
            game=full_name(event.variant, words),
            fee=words("event_notice.calendar.fee", count=fee) if fee else words("event_notice.calendar.free"),
            place=f"<#{event.channel}>",
        )
        return _Entry(
            name=event.name,
            text=text[:MAX_DESCRIPTION_LENGTH],
            place=place,
            starts_at=event.starts_at,
            until=self._end_at(view, told),
            status=_STATUS[event.phase],
            rule=(rule := self._rule(view)),
            # For a running event, only the end is sent.
            repeats=rule is not None if event.phase.before else told is not None and told.repeats,
        )

    def _rule(self, view: EventView) -> Mapping[str, Any] | None:
        """Return Discord's rule; None if none fits, or if only this date was moved, such as to another day.

        Bots can't give a rule an end, so the last date of a series has none.
        """
        fits = view.event.phase.before and view.repeats and view.regular_start is None
        return discord_rule(view.event) if fits else None

    def _end_at(self, view: EventView, told: CalendarNote | None) -> int:
        """Return the end. The announced estimate is kept until the event runs longer."""
        event = view.event
        starts_at = event.starts_at or 0
        # After a takeover or a postponement, the announced end belongs to another date.
        estimate = told.until if told and told.until > starts_at else starts_at + expected_ms(view)
        if event.phase is Phase.RUNNING and estimate - self._now() < NEARLY_MS:
            return self._now() + HOUR
        return estimate

    async def _make(self, guild: discord.Guild, event: Event, entry: _Entry, words: Words) -> None:
        made = await self._find_created(guild, entry)
        if made is None:
            image = await asyncio.get_running_loop().run_in_executor(None, cover, event, words)
            if entry.rule and (id := await self._make_repeating(guild, entry, image)) is not None:
                await self._events.scheduled(event.key, scheduled=id, told=str(entry.told))
                return
            entry = replace(entry, repeats=False)
            made = await guild.create_scheduled_event(
                name=entry.name,
                description=entry.text,
                start_time=_time(entry.starts_at),
                end_time=_time(entry.until),
                entity_type=EntityType.external,
                privacy_level=PrivacyLevel.guild_only,
                location=entry.place,
                image=image,
            )
        await self._events.scheduled(event.key, scheduled=made.id, told=str(entry.told))

    async def _make_repeating(self, guild: discord.Guild, entry: _Entry, image: bytes) -> int | None:
        """Create a repeating event and return its id; None if Discord rejects the rule.

        The event then has a single date.
        """
        once = {"entity_type": EntityType.external.value, "privacy_level": PrivacyLevel.guild_only.value}
        try:
            return await make_scheduled_event(guild, {**entry.fields, **once}, image=image)
        except discord.HTTPException as error:
            if error.status != BAD_REQUEST:
                raise
            log.warning("Discord refused to repeat an event of server %s automatically: %s", guild.id, error)
            return None

    async def _change_repeating(self, guild: discord.Guild, event: Event, entry: _Entry, words: Words) -> None:
        """Change an event that Discord repeats, or that is starting or ceasing to repeat.

        The event on Discord may still be at the previous date, or already at the next one. Otherwise this works like
        :meth:`_change`.
        """
        assert event.scheduled is not None
        change = partial(change_scheduled_event, guild, event.scheduled)
        found = await guild.fetch_scheduled_event(event.scheduled, with_counts=False)
        status, later = found.status, found.start_time.timestamp() * 1000 - entry.starts_at
        if event.phase.before and status is EventStatus.active and abs(later) >= MINUTE:
            status = await change({"status": EventStatus.completed.value})
        if event.phase.over:
            await self._end_repeating(guild, event, entry, change, went_on=later >= MINUTE)
            return
        if status is EventStatus.completed and event.phase.before and entry.starts_at > self._now() + SOONEST_MS:
            await self._make(guild, event, entry, words)  # Discord hasn't continued it
            return
        # Unless the fields are sent, Discord keeps its current rule.
        told = str(replace(entry, repeats=event.listed_repeating).told)
        if status in (EventStatus.completed, EventStatus.cancelled):
            told = GONE
        elif event.phase.before and status is EventStatus.scheduled:
            told = str((await _tell(change, entry)).told)
        elif event.phase is Phase.RUNNING and later < MINUTE:
            ends = {"scheduled_end_time": _time(max(entry.until, self._now() + MINUTE)).isoformat()}
            await change(ends if status is EventStatus.active else {"status": EventStatus.active.value, **ends})
        await self._events.scheduled(event.key, scheduled=event.scheduled, told=told)

    async def _end_repeating(
        self, guild: discord.Guild, event: Event, entry: _Entry, change: _Change, *, went_on: bool
    ) -> None:
        """End a repeating event that none of ours takes over, so that it doesn't repeat forever.

        ``went_on`` is True if Discord has already moved it to a later date.
        """
        assert event.scheduled is not None
        found = await guild.fetch_scheduled_event(event.scheduled, with_counts=False)
        status = found.status
        if status is EventStatus.active:
            status, went_on = await change({"status": EventStatus.completed.value}), True
        if status is EventStatus.scheduled:
            await change({"recurrence_rule": None})
            if went_on:
                await change({"status": EventStatus.cancelled.value})
        await self._change(guild, event, entry)

    async def _find_created(self, guild: discord.Guild, entry: _Entry) -> discord.ScheduledEvent | None:
        """Return the event that an earlier process created but couldn't record."""
        me = self._client.user.id if self._client.user else 0
        for found in await guild.fetch_scheduled_events(with_counts=False):
            same = (found.creator_id, found.name, found.description) == (me, entry.name, entry.text)
            if same and found.start_time == _time(entry.starts_at):
                return found
        return None

    async def _change(self, guild: discord.Guild, event: Event, entry: _Entry) -> None:
        """Change an event's status step by step, in the only order that Discord allows.

        The event is fetched first, because it starts and ends automatically and members may have ended it.
        """
        assert event.scheduled is not None
        found = await guild.fetch_scheduled_event(event.scheduled, with_counts=False)
        for step in _steps(found.status, entry.status):
            if step is EventStatus.scheduled:
                await found.edit(
                    name=entry.name,
                    description=entry.text,
                    start_time=_time(entry.starts_at),
                    end_time=_time(entry.until),
                    location=entry.place,
                )
            elif step is EventStatus.active:
                ends = _time(max(entry.until, self._now() + MINUTE))
                if found.status is EventStatus.active:
                    await found.edit(end_time=ends)
                else:
                    await found.edit(status=step, end_time=ends)
            else:
                await found.edit(status=step)
        await self._events.scheduled(event.key, scheduled=event.scheduled, told=str(entry.told))


async def _tell(change: _Change, entry: _Entry) -> _Entry:
    """Send an event that hasn't started. If Discord rejects the rule, send it without."""
    try:
        await change(entry.fields)
    except discord.HTTPException as error:
        if error.status != BAD_REQUEST or entry.rule is None:
            raise
        await change(replace(entry, rule=None).fields)
        return replace(entry, repeats=False)
    return entry


def _steps(is_now: EventStatus, wanted: EventStatus) -> list[EventStatus]:
    """Return the steps from one status to another. The first may be the current status, to send its data again."""
    if is_now in (EventStatus.completed, EventStatus.cancelled):
        return []
    if wanted is EventStatus.cancelled:
        return [EventStatus.cancelled if is_now is EventStatus.scheduled else EventStatus.completed]
    if wanted is EventStatus.completed:
        return [EventStatus.active, wanted] if is_now is EventStatus.scheduled else [wanted]
    if wanted is EventStatus.scheduled and is_now is EventStatus.active:
        return []  # it started on time, and ours is about to start
    return [wanted]


def expected_ms(view: EventView) -> int:
    """Return an event's expected length before its start, between an hour and thirty days."""
    event = view.event
    structure = event.structure
    people = max(len(view.lines), structure.least, structure.table_seats)
    hand = _hand_ms(event.clock, structure.table_seats)
    if structure.format.family is Family.ROUNDS:
        structure = settle_rounds(structure, people) if event.phase.before else structure
        wait = structure.round_hours * HOUR * (structure.rounds - 1)
        expected = max(wait, 0) + structure.rounds * structure.round_hands * hand
    elif structure.format.family is Family.KNOCKOUT:
        rounds = ceil(log2(people)) if structure.format.heads_up else 2
        rounds *= 2 if structure.format is Format.DOUBLE else 1
        if structure.format is Format.GROUPS:
            rounds = max_rounds(people, structure.groups, structure.through)
        expected = max(1, rounds) * _play_down_ms(event, structure.table_seats, hand)
    else:
        expected = _play_down_ms(event, people, hand)
    return min(max(expected, HOUR), 30 * 24 * HOUR)


SHORT_POINTS = 40
"""If all chips together are worth at most this number of points, two players are about to finish."""


def _play_down_ms(event: Event, people: int, hand: int) -> int:
    """Return the time from the first hand until one player has all chips.

    The estimate is the level at which all chips together are worth few points.
    """
    structure = event.structure
    levels = 1
    while levels < 60 and structure.point_value(levels - 1) * SHORT_POINTS < structure.stack * people:
        levels += 1
    each = structure.level_hands * hand if structure.by_hands else structure.level_minutes * MINUTE
    breaks = (levels - 1) // structure.break_levels if structure.break_levels else 0
    return levels * each + breaks * structure.break_minutes * MINUTE


def _hand_ms(clock: Clock, seats: int) -> int:
    """Return the length of a hand. Players use only part of their time."""
    if clock.pace is Pace.NONE:
        return 5 * MINUTE
    if clock.pace is Pace.LIVE:
        return clock.seconds * 1000 * seats // 2
    a_turn = clock.seconds * 1000 // (3 if clock.pace is Pace.PER_TURN else 4)
    return TURNS_PER_HAND * seats * a_turn


def _time(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def _named(key: EventKey) -> tuple[int, int]:
    return key.guild, key.number


# Discord repeats events at the same hour of UTC, regardless of daylight saving time.


WEEKLY, DAILY = 2, 3
"""Discord's codes for frequencies."""
AHEAD_MS = 60 * DAY
"""Period in which all dates must have the same hour in UTC.

A rule has no end, so this only keeps its dates right for a while.
"""


def discord_rule(event: Event) -> Mapping[str, Any] | None:
    """Return Discord's rule for an event's dates from the next one on; None if no rule fits.

    No rule fits if clocks change soon, or if this date was moved to another hour.
    """
    repeat, starts_at = event.repeat, event.starts_at
    if repeat is None or starts_at is None:
        return None
    step, at = DAYS[repeat.every] * DAY, starts_at
    while at < starts_at + AHEAD_MS:
        following = next_start(repeat, at, now=0)
        if abs(following - at - step) >= MINUTE:  # an event "in 2 hours" starts at an arbitrary second
            return None
        at = following
    start = datetime.fromtimestamp(starts_at / 1000, UTC)
    if repeat.every is RepeatInterval.DAY:
        return {"start": start.isoformat(), "frequency": DAILY, "interval": 1}
    interval = DAYS[repeat.every] // DAYS[RepeatInterval.WEEK]
    weekday = start.weekday()  # Discord's weeks begin on Monday too
    return {"start": start.isoformat(), "frequency": WEEKLY, "interval": interval, "by_weekday": [weekday]}
