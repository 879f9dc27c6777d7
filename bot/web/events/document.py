"""The content of an event's public page, as a value. The page and the CSV file are made from it, and the JSON is it.

Its JSON schema is generated from these types. Source: docs/event-page.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter

VERSION: Literal[1] = 1
"""Version of the document. It changes if an older reader would misread something. New fields don't change it."""
Time: TypeAlias = str
"""A time in UTC, such as ``2026-12-04T12:00:00Z``."""
State: TypeAlias = Literal[
    "registered", "checked_in", "playing", "waiting", "bye", "left", "gave_up", "out", "disqualified", "done"
]
"""A player's state. ``waiting`` players are in without a table, and ``done`` players played until the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A player."""

    number: int
    """Number of the player on this page, in the order of registration."""
    name: str | None
    """Display name; null for players who keep their profile to themselves, deleted their data or left the server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A line of the standings."""

    place: int | None
    """Place, from 1; null before the first result and for disqualified players."""
    tied: bool
    """True if other players share the place."""
    player: Person
    state: State
    left_after: int | None
    """The last round of a player who has left a league or duplicate event, or leaves it after that round."""
    chips: int | None
    """Stack; null if points decide, and for players without one."""
    points: int | None
    """Points in a league or duplicate event."""
    per_comparison: float | None
    """Points per comparison in a duplicate event, which decide there."""
    hands: int
    prize: int
    """Prize in chips."""
    bounties: int
    """Bounties won, in chips."""
    odd_chip: bool
    """True if the draw or the seed gave the player an odd chip of a prize that was split."""
    by_draw: bool
    """True if only the draw or the seed decided the final place."""
    table: int | None
    """Number of the player's table."""
    title: str | None
    """Title of the place, after the end."""
    struck: bool
    """True for a ``disqualified`` player who was struck from the results after the end."""
    adjusted: int
    """The part of ``points`` that belongs to no round: the handicap, and points that rulings gave or took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableShown:
    """A table in play."""

    number: int
    players: tuple[Person, ...]
    match: int | None
    """Number of its match in the bracket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A table of a round."""

    table: int
    players: tuple[Person, ...]
    points: tuple[int | None, ...]
    """Points of each player at the table, as corrected by rulings; empty if the round isn't played for points."""
    winner: Person | None
    corrected: bool
    """True if a ruling changed the points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round of a league, duplicate event or shoot-out."""

    number: int
    final: bool
    pairings: tuple[Pairing, ...]
    byes: tuple[Person, ...]
    """Players without an opponent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A ruling of an organiser that changed something here. Rulings that were undone are left out."""

    kind: Literal["points", "chips", "struck", "series"]
    """Points or chips given or taken, a player struck from the results, or the event moved to another series or to
    none."""
    at: Time
    player: Person | None
    amount: int
    """Points or chips that the player got; negative if they were taken."""
    round: int | None
    """The round whose points were corrected."""
    against: Person | None
    """The opponent in that round, who got the opposite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLine:
    """A player's line in a group."""

    player: Person
    won: int
    lost: int
    through: bool
    """True once the player is certain to qualify."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group before the bracket, best player first."""

    name: str
    lines: tuple[GroupLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match of the bracket."""

    number: int
    side: Literal["winners", "losers", "final", "third"]
    stage: str
    """The round's name."""
    players: tuple[Person | None, Person | None]
    """Both sides; null for one that's open or stays empty."""
    sides: tuple[str, str]
    """Both sides in words, such as ``winner of #3``."""
    bye: bool
    winner: Person | None
    hands: int
    """Hands played; 0 before the end and for a walkover."""
    table: int | None
    """Number of the table where it's being played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesLine:
    """A line of the series' table."""

    place: int
    tied: bool
    player: Person
    """Players who aren't in this event have numbers after those who are."""
    points: int
    events: int
    wins: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NextDate:
    """The next date of the series."""

    title: str
    starts_at: Time | None
    register: str | None
    """Address of its post in Discord; null if not everyone in the server can see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The series of the event, from its first date to its last."""

    name: str
    rule: str
    """Rule by which its points are counted, in words."""
    lines: tuple[SeriesLine, ...]
    dates_left: int | None
    """Dates that haven't ended, with this event until it's over. Each flight is a date. Null without a planned end."""
    over: bool
    """True after the last date."""
    champions: tuple[Person, ...]
    """Players who won the series, once it's over."""
    following: NextDate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDocument:
    """An event."""

    version: Literal[1]
    language: str
    title: str
    format: str
    """Kind of the event, such as ``tournament``, ``single`` or ``league``."""
    kind: str
    """Name of that kind."""
    game: str
    state: Literal["registering", "check_in", "running", "ended", "cancelled"]
    paused: bool
    starts_at: Time | None
    started_at: Time | None
    ended_at: Time | None
    most: int
    """Maximum number of players."""
    full: bool
    """True if players who register now join the waiting list."""
    players: int
    """Players who are registered, or were when the event began."""
    playing: int
    """Players still in the event, with those who leave after this round."""
    waiting: int
    """Players on the waiting list, with those who are offered a place."""
    round: int | None
    rounds: int | None
    """Current round and number of rounds of a league or duplicate event. Before the start of a round robin, the number
    is null."""
    level: int | None
    point_value: int | None
    """Current level, and its chips per point."""
    pool: int
    """Chips in the prize pool."""
    prizes: tuple[int, ...]
    """Prizes by place, for the entries so far."""
    fee: int
    """Entry fee in chips, including any bounty."""
    payouts: tuple[int, ...]
    """Percent of the prize pool by place; empty without prizes, and if it depends on the number of entries."""
    rules: tuple[str, ...]
    """Sentences about play, the entry fee, the split of the pool and ties."""
    begun: bool
    """False while the standings are a list of players without places."""
    standings: tuple[Standing, ...]
    tables: tuple[TableShown, ...]
    pairings: tuple[Round, ...]
    groups: tuple[Group, ...]
    bracket: tuple[Match, ...]
    rulings: tuple[Ruling, ...]
    """Rulings that changed points, stacks, the results or the series, oldest first."""
    series: Series | None
    register: str | None
    """Address of the event's post in Discord while players can register; null if not everyone can see it."""


DOCUMENT: TypeAdapter[EventDocument] = TypeAdapter(EventDocument)


def schema() -> dict[str, Any]:
    """Return the document's JSON schema."""
    made = DOCUMENT.json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **made,
        "title": f"The public page of an event, version {VERSION}",
    }


def as_json(document: EventDocument) -> bytes:
    """Return the document as JSON."""
    return DOCUMENT.dump_json(document, indent=2)
