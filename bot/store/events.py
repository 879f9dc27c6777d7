"""Queries for events: their state, their log, drafts and polls."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from bot.model.clock import Clock, Pace
from bot.model.event_rulings import RULINGS, UNDONE, struck_players
from bot.model.event_standings import EndedEvent, EventPlacing
from bot.model.events import (
    HANDED_ON,
    Call,
    Event,
    EventDraft,
    EventFact,
    FormerDecks,
    Notice,
    Phase,
    Repeat,
    RepeatInterval,
)
from bot.model.ids import EventKey, GuildId, Player
from bot.model.mentions import mentioned_in
from bot.model.standings import FOR_EVER
from bot.model.start_polls import StartPoll
from bot.pure.event.scoring import SeriesRule
from bot.pure.event.structure import Structure, structure_from
from bot.store.columns import Column, Columns, choice, columns_of, plain
from bot.store.queries import CACHED, OF_EVENT, Queries, as_json, event_key, event_key_of, spec_text, variant_from
from bot.store.sql import Value, in_brackets, names_for


def _former_text(former: tuple[FormerDecks, ...]) -> str:
    return as_json([[decks.epoch, decks.commitment.hex(), decks.sealed.hex()] for decks in former])


def _former(text: str) -> tuple[FormerDecks, ...]:
    return tuple(
        FormerDecks(epoch=epoch, commitment=bytes.fromhex(commitment), sealed=bytes.fromhex(sealed))
        for epoch, commitment, sealed in json.loads(text)
    )


def _calls_text(calls: Sequence[Call]) -> str:
    """Return calls as JSON. Calls in the event's channel don't name it, as in earlier versions."""
    told = ([call.notice.value, call.at, call.message, call.channel] for call in calls)
    return as_json([one if one[-1] is not None else one[:-1] for one in told])


def _calls(text: str) -> tuple[Call, ...]:
    return tuple(
        Call(notice=Notice(notice), at=at, message=message, channel=channel[0] if channel else None)
        for notice, at, message, *channel in json.loads(text)
    )


@lru_cache(CACHED)
def _structure_text(structure: Structure) -> str:
    return as_json(structure.to_json())


@lru_cache(CACHED)
def _structure(text: str) -> Structure:
    return structure_from(json.loads(text))


def _players(text: str) -> tuple[Player, ...]:
    return tuple(json.loads(text))


def _times(text: str) -> tuple[int, ...]:
    return tuple(json.loads(text))


def _repeat_text(repeat: Repeat | None) -> str | None:
    if repeat is None:
        return None
    return as_json({"every": repeat.every.value, "zone": repeat.zone, "minute": repeat.minute})


def _repeat(text: str) -> Repeat:
    fields = json.loads(text)
    return Repeat(every=RepeatInterval(fields["every"]), zone=fields["zone"], minute=fields["minute"])


EVENTS = Columns(
    Event,
    "event",
    columns_of(
        Event,
        plain("guild_id", "key.guild"),
        plain("event_id", "key.number"),
        Column(name="helpers", attribute="helpers", to_sql=as_json, from_sql=_players),
        plain("channel_id", "channel"),
        Column(name="variant", attribute="variant", to_sql=spec_text, from_sql=variant_from),
        Column(name="structure", attribute="structure", to_sql=_structure_text, from_sql=_structure),
        choice("pace", Pace, "clock.pace"),
        plain("turn_seconds", "clock.seconds"),
        Column(name="former_decks", attribute="former_decks", to_sql=_former_text, from_sql=_former),
        Column(name="calls", attribute="calls", to_sql=_calls_text, from_sql=_calls),
        plain("message_id", "message"),
        plain("scheduled_id", "scheduled"),
        Column(name="repeat_rule", attribute="repeat", to_sql=_repeat_text, from_sql=_repeat),
    ),
    key=("guild_id", "event_id"),
    parts={"key": EventKey, "clock": Clock},
    words=("name", "series", "description", "structure"),
)
FACTS = Columns(
    EventFact,
    "event_log",
    columns_of(
        EventFact,
        plain("seq", "number"),
        Column(name="details", attribute="details", to_sql=as_json, from_sql=json.loads),
    ),
    beside=("guild_id", "event_id", "cause"),
)
DRAFTS = Columns(
    EventDraft,
    "event_draft",
    [
        plain("guild_id", "guild"),
        plain("organiser"),
        Column(name="draft", attribute="values", to_sql=as_json, from_sql=json.loads),
        plain("at"),
    ],
    key=("guild_id", "organiser"),
    words=("draft",),
)
START_POLLS = Columns(
    StartPoll,
    "start_poll",
    columns_of(
        StartPoll,
        plain("guild_id", "guild"),
        plain("poll_no", "number"),
        plain("channel_id", "channel"),
        Column(name="times", attribute="times", to_sql=as_json, from_sql=_times),
        plain("message_id", "message"),
    ),
    key=("guild_id", "poll_no"),
)
_START_POLL = f"SELECT {START_POLLS.names} FROM start_poll"
_OF_POLL = "guild_id = :guild_id AND poll_no = :poll_no"
_EVENT = f"SELECT {EVENTS.names} FROM event"
_FACT = f"SELECT {FACTS.names} FROM event_log WHERE {OF_EVENT}"
_OF_ORGANISER = "guild_id = :guild_id AND organiser = :organiser"


def people_in(value: Any) -> set[str]:
    """Return the ids in a JSON value: strings that are an id, and mentions within text."""
    if isinstance(value, Mapping):
        return people_in([*value.keys(), *value.values()])
    if isinstance(value, (list, tuple)):
        return {found for inner in value for found in people_in(inner)}
    if not isinstance(value, str):
        return set()
    return {value} if value.isascii() and value.isdigit() else {*mentioned_in(value)}


class EventQueries(Queries):
    """Queries for events, their log and their drafts."""

    def next_number(self, guild: GuildId) -> int:
        last = self._number("SELECT MAX(event_id) AS last FROM event WHERE guild_id = :guild_id", guild_id=guild)
        return (last or 0) + 1

    def save(self, event: Event) -> None:
        self._save(EVENTS, event)

    def get(self, key: EventKey) -> Event | None:
        row = self._sql.one(f"{_EVENT} WHERE {OF_EVENT}", **event_key(key))
        return None if row is None else EVENTS.read(row)

    def in_phases(self, guild: GuildId, phases: Sequence[Phase]) -> list[Event]:
        """Return a server's events in any of ``phases``, newest first."""
        if not phases:
            return []
        wanted = [phase.value for phase in phases]
        rows = self._sql.all(
            f"{_EVENT} WHERE guild_id = :guild_id AND phase IN ({in_brackets(wanted)}) ORDER BY event_id DESC",
            guild_id=guild,
            **names_for(wanted),
        )
        return [EVENTS.read(row) for row in rows]

    def running(self) -> list[EventKey]:
        """Return the unfinished events of all servers."""
        rows = self._sql.all(
            "SELECT guild_id, event_id FROM event WHERE phase NOT IN ('ended', 'cancelled') ORDER BY guild_id, event_id"
        )
        return [event_key_of(row) for row in rows]

    def kept_desks(self) -> list[EventKey]:
        """Return the events with a desk kept in a channel, including ended ones until the desk shows the end."""
        rows = self._sql.all(
            "SELECT guild_id, event_id FROM event WHERE desk_channel IS NOT NULL ORDER BY guild_id, event_id"
        )
        return [event_key_of(row) for row in rows]

    def note_drawn(self, key: EventKey, *, version: int, message: int | None) -> None:
        self._sql.run(
            f"UPDATE event SET drawn_version = :version, message_id = :message WHERE {OF_EVENT}",
            **event_key(key),
            version=version,
            message=message,
        )

    def note_calls(self, key: EventKey, calls: Sequence[Call]) -> None:
        self._sql.run(f"UPDATE event SET calls = :calls WHERE {OF_EVENT}", **event_key(key), calls=_calls_text(calls))

    def note_scheduled(self, key: EventKey, *, scheduled: int | None, told: str) -> None:
        """Save the state of Discord's scheduled event, unless it was handed on to the next event."""
        self._sql.run(
            "UPDATE event SET scheduled_id = :scheduled, scheduled_as = :told "
            f"WHERE {OF_EVENT} AND scheduled_as <> :handed",
            **event_key(key),
            scheduled=scheduled,
            told=told,
            handed=HANDED_ON,
        )

    def note_desk(self, key: EventKey, *, channel: int | None, message: int | None) -> None:
        self._sql.run(
            f"UPDATE event SET desk_channel = :channel, desk_message = :message WHERE {OF_EVENT}",
            **event_key(key),
            channel=channel,
            message=message,
        )

    def pages(self) -> dict[str, EventKey]:
        """Return the events of all servers that have a public web page, by the last part of its address."""
        rows = self._sql.all("SELECT page, guild_id, event_id FROM event WHERE page <> ''")
        return {row["page"]: event_key_of(row) for row in rows}

    # The log

    def note(
        self,
        key: EventKey,
        kind: str,
        details: Mapping[str, Any],
        *,
        actor: Player | None,
        cause: str | None,
        at: int,
    ) -> None:
        last = self._number(f"SELECT MAX(seq) AS last FROM event_log WHERE {OF_EVENT}", **event_key(key))
        fact = EventFact(number=(last or 0) + 1, kind=kind, details=details, actor=actor, at=at)
        self._add(FACTS, [fact], **event_key(key), cause=cause)
        self._sql.many(
            "INSERT INTO event_named (player, guild_id, event_id) "
            "VALUES (:player, :guild_id, :event_id) ON CONFLICT DO NOTHING",
            [{"player": player, **event_key(key)} for player in sorted(people_in(details))],
        )

    def log(self, key: EventKey) -> list[EventFact]:
        return [FACTS.read(row) for row in self._sql.all(f"{_FACT} ORDER BY seq", **event_key(key))]

    def facts(self, key: EventKey, *kinds: str) -> list[EventFact]:
        """Return the lines of any of ``kinds`` in an event's log, in order."""
        rows = self._sql.all(
            f"{_FACT} AND kind IN ({in_brackets(kinds)}) ORDER BY seq", **event_key(key), **names_for(kinds)
        )
        return [FACTS.read(row) for row in rows]

    def facts_of(self, key: EventKey, actor: Player) -> list[EventFact]:
        rows = self._sql.all(f"{_FACT} AND actor = :actor ORDER BY seq", actor=actor, **event_key(key))
        return [FACTS.read(row) for row in rows]

    def last_fact(self, key: EventKey, kinds: Sequence[str]) -> EventFact | None:
        """Return the last line of any of ``kinds`` in an event's log."""
        if not kinds:
            return None
        row = self._sql.one(
            f"{_FACT} AND kind IN ({in_brackets(kinds)}) ORDER BY seq DESC LIMIT 1",
            **event_key(key),
            **names_for(kinds),
        )
        return None if row is None else FACTS.read(row)

    def rulings(self, key: EventKey) -> list[EventFact]:
        """Return the lines of an event's log about rulings after its end, including those that were undone."""
        return self.facts(key, *RULINGS, UNDONE)

    # Series

    def series(self, guild: GuildId, *, except_of: int = 0) -> dict[str, int]:
        """Return the server's series, most recent first, each with the channel of its newest event.

        The event with the number ``except_of`` is left out.
        """
        rows = self._sql.all(
            "SELECT series, channel_id FROM event WHERE guild_id = :guild_id AND series <> '' "
            "AND event_id <> :except_of ORDER BY created_at DESC, event_id DESC",
            guild_id=guild,
            except_of=except_of,
        )
        newest: dict[str, int] = {}
        for row in rows:
            newest.setdefault(row["series"], row["channel_id"])
        return newest

    def last_date(self, guild: GuildId, series: str) -> EventKey | None:
        """Return a series' newest event, if all its events are over; None otherwise. Cancelled events don't count."""
        rows = self._sql.all(
            "SELECT event_id, phase FROM event WHERE guild_id = :guild_id AND series = :series "
            "AND phase <> 'cancelled' ORDER BY event_id DESC",
            guild_id=guild,
            series=series,
        )
        if not rows or any(row["phase"] != "ended" for row in rows):
            return None
        return EventKey(guild=guild, number=rows[0]["event_id"])

    def series_rule(self, guild: GuildId, series: str) -> SeriesRule | None:
        """Return the rule of a series, taken from its newest event that wasn't cancelled; None if there is none."""
        row = self._sql.one(
            "SELECT structure FROM event WHERE guild_id = :guild_id AND series = :series AND series <> '' "
            "AND phase <> 'cancelled' ORDER BY event_id DESC LIMIT 1",
            guild_id=guild,
            series=series,
        )
        if row is None:
            return None
        structure = _structure(row["structure"])
        return SeriesRule(structure.scoring, structure.counted)

    def series_facts(self, guild: GuildId, series: str, kinds: Sequence[str]) -> list[EventFact]:
        """Return the lines of these kinds in the logs of a series' events, oldest first."""
        rows = self._sql.all(
            f"SELECT {FACTS.names} FROM event_log WHERE guild_id = :guild_id AND kind IN ({in_brackets(kinds)}) "
            "AND event_id IN (SELECT t.event_id FROM event t WHERE t.guild_id = :guild_id AND t.series = :series "
            "AND t.series <> '') ORDER BY at, event_id, seq",
            guild_id=guild,
            series=series,
            **names_for(kinds),
        )
        return [FACTS.read(row) for row in rows]

    def series_channels(self, guild: GuildId, series: str) -> frozenset[int]:
        """Return the channels of a series' events that have ended."""
        rows = self._sql.all(
            "SELECT DISTINCT channel_id FROM event WHERE guild_id = :guild_id AND series = :series AND series <> '' "
            "AND phase = 'ended'",
            guild_id=guild,
            series=series,
        )
        return frozenset(row["channel_id"] for row in rows)

    def dates_held(self, guild: GuildId, series: str, *, since: int = 0) -> int:
        """Return the number of a series' events that have ended since ``since`` (ms)."""
        held = self._number(
            "SELECT COUNT(*) AS held FROM event WHERE guild_id = :guild_id AND series = :series AND series <> '' "
            "AND phase = 'ended' AND ended_at >= :since",
            guild_id=guild,
            series=series,
            since=since,
        )
        return held or 0

    def ended(
        self,
        guild: GuildId,
        *,
        series: str | None = None,
        player: Player | None = None,
        since: int = 0,
        until: int = FOR_EVER,
    ) -> list[EndedEvent]:
        """Return the events that ended between ``since`` and ``until`` (ms), oldest first, with all places.

        ``series`` and ``player`` limit them to a series, or to events where the player has a place.
        """
        wanted = "t.guild_id = :guild_id AND t.phase = 'ended' AND t.ended_at >= :since AND t.ended_at < :until"
        asked: dict[str, Value] = {"guild_id": guild, "since": since, "until": until}
        if series is not None:
            wanted += " AND t.series = :series AND t.series <> ''"
            asked["series"] = series
        if player is not None:
            wanted += (
                " AND t.event_id IN (SELECT o.event_id FROM entrant o "
                "WHERE o.player = :player AND o.guild_id = :guild_id AND o.place > 0)"
            )
            asked["player"] = player
        people: dict[int, list[EventPlacing]] = defaultdict(list)
        struck = cache(lambda number: self.struck(EventKey(guild=guild, number=number)))
        for row in self._sql.all(
            "SELECT e.event_id, e.player, e.entries, e.place, e.prize + e.bounties AS won, e.disqualified, e.end_place "
            "FROM event t CROSS JOIN entrant e WHERE e.guild_id = t.guild_id "
            f"AND e.event_id = t.event_id AND {wanted} AND e.place > 0",
            **asked,
        ):
            one = EventPlacing(
                player=Player(row["player"]),
                entries=row["entries"],
                place=row["place"],
                prize=row["won"],
                disqualified=bool(row["disqualified"]),
                struck=bool(row["disqualified"]) and row["player"] in struck(row["event_id"]),
                end_place=row["end_place"],
            )
            people[row["event_id"]].append(one)
        events = self._sql.all(
            f"SELECT t.event_id, t.structure FROM event t WHERE {wanted} ORDER BY t.ended_at, t.event_id",
            **asked,
        )
        return [
            EndedEvent(
                number=row["event_id"],
                structure=_structure(row["structure"]),
                people=sorted(people[row["event_id"]], key=lambda one: one.place),
            )
            for row in events
        ]

    def struck(self, key: EventKey) -> set[Player]:
        """Return the players struck from an event's results, without those whose ruling was undone."""
        return struck_players(self.rulings(key))

    def hands_held(self, guild: GuildId, *, since: int, until: int) -> int:
        """Return the hands of all players together in events that ended between ``since`` and ``until`` (ms)."""
        hands = self._number(
            "SELECT SUM(e.hands) AS hands FROM event t "
            "JOIN entrant e ON e.guild_id = t.guild_id AND e.event_id = t.event_id "
            "WHERE t.guild_id = :guild_id AND t.phase = 'ended' AND t.ended_at >= :since AND t.ended_at < :until",
            guild_id=guild,
            since=since,
            until=until,
        )
        return hands or 0

    def over(self, guild: GuildId) -> tuple[int, int, int]:
        """Return the number of ended events, the end of the last one (ms), and the sum of their versions."""
        row = self._sql.one(
            "SELECT COUNT(*) AS events, MAX(ended_at) AS last, SUM(version) AS changes FROM event "
            "WHERE guild_id = :guild_id AND phase = 'ended'",
            guild_id=guild,
        )
        assert row is not None
        return row["events"], row["last"] or 0, int(row["changes"] or 0)

    # Drafts

    def draft(self, guild: GuildId, organiser: Player) -> EventDraft | None:
        row = self._sql.one(
            f"SELECT {DRAFTS.names} FROM event_draft WHERE {_OF_ORGANISER}", guild_id=guild, organiser=organiser
        )
        return None if row is None else DRAFTS.read(row)

    def save_draft(self, draft: EventDraft) -> None:
        self._save(DRAFTS, draft)

    def forget_draft(self, guild: GuildId, organiser: Player) -> None:
        self._sql.run(f"DELETE FROM event_draft WHERE {_OF_ORGANISER}", guild_id=guild, organiser=organiser)

    # Polls about start times

    def start_poll(self, guild: GuildId, number: int) -> StartPoll | None:
        row = self._sql.one(f"{_START_POLL} WHERE {_OF_POLL}", guild_id=guild, poll_no=number)
        return None if row is None else START_POLLS.read(row)

    def start_polls(self) -> list[StartPoll]:
        """Return the polls of all servers."""
        return [START_POLLS.read(row) for row in self._sql.all(f"{_START_POLL} ORDER BY guild_id, poll_no")]

    def start_polls_of(self, guild: GuildId) -> list[StartPoll]:
        rows = self._sql.all(f"{_START_POLL} WHERE guild_id = :guild_id ORDER BY poll_no", guild_id=guild)
        return [START_POLLS.read(row) for row in rows]

    def save_start_poll(self, poll: StartPoll) -> None:
        self._save(START_POLLS, poll)

    def remove_start_poll(self, guild: GuildId, number: int) -> None:
        self._sql.run(f"DELETE FROM start_poll WHERE {_OF_POLL}", guild_id=guild, poll_no=number)
