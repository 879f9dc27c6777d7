"""The facts of a hand's log. No fact contains a card; placements are written in letters.

A placement such as ``FMD`` has one letter for each card that the seat was dealt, in the order dealt: F, M, B for the
row, D for a discard. Together with the deck (recomputed from the seed), the facts give the complete hand. Without the
deck they reveal nothing, so the log can be stored and printed. A fact's JSON has a format number and can always be
replayed.

Source: docs/fairness-spec.md, "Who is dealt which card".
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from bot.pure.ofc.naturals import natural_named

FORMAT = 1


class PlacedBy(Enum):
    """Author of a placement."""

    PLAYER = "player"
    COMPUTER = "computer"
    CLOCK = "clock"
    FALLBACK = "fallback"
    """A computer player of a lower level, which stepped in because the seat's own didn't finish its search in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandStarted:
    """The hand starts. Players and their numbers of Fantasyland cards (0 outside) are in seat order."""

    players: tuple[str, ...]
    fantasyland: tuple[int, ...]
    button: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FantasylandDealt:
    """The seats in Fantasyland receive all their cards, clockwise from the left of the button."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetDealt:
    """Every seat outside Fantasyland receives its cards of ``street`` (from 1), clockwise from the button's left.

    If the street is dealt in turn, only the first seat receives its cards now. Each of the others receives them after
    the previous seat has placed.
    """

    street: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsPlaced:
    """``seat`` placed its cards of ``street`` and declared ``natural`` (its name), if any."""

    seat: int
    street: int
    rows: str
    by: PlacedBy
    natural: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FantasylandSet:
    """``seat`` set its Fantasyland cards. A later fact of this seat replaces an earlier one."""

    seat: int
    rows: str
    by: PlacedBy


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatForfeited:
    """``seat`` gave up the hand and is scored as a foul.

    The bot's games don't allow this, but an imported hand history may contain it.
    """

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSurrendered:
    """``seat`` surrendered its thirteen cards for the fixed price."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEnded:
    """Every board is complete and turned up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandVoided:
    """The hand is cancelled without any payments. ``reason`` is a key of ``data/text``."""

    reason: str


Fact = (
    HandStarted
    | FantasylandDealt
    | StreetDealt
    | CardsPlaced
    | FantasylandSet
    | SeatForfeited
    | SeatSurrendered
    | HandEnded
    | HandVoided
)

_KINDS: dict[str, type[Fact]] = {
    "hand_started": HandStarted,
    "fantasyland_dealt": FantasylandDealt,
    "street_dealt": StreetDealt,
    "cards_laid": CardsPlaced,
    "fantasyland_set": FantasylandSet,
    "seat_forfeited": SeatForfeited,
    "seat_surrendered": SeatSurrendered,
    "hand_ended": HandEnded,
    "hand_voided": HandVoided,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


class LogError(ValueError):
    """The stored facts can't be read by this version, or don't form a valid hand."""


def kind_of(fact: Fact) -> str:
    """Return the stored name of a fact's kind."""
    return _NAMES[type(fact)]


def to_json(fact: Fact) -> dict[str, Any]:
    """Return the payload of a fact, ready for JSON, with its format number. Fields that are None are left out.

    >>> to_json(FantasylandSet(seat=0, rows="FFFMMMMMBBBBBD", by=PlacedBy.CLOCK))
    {'v': 1, 'seat': 0, 'rows': 'FFFMMMMMBBBBBD', 'by': 'clock'}
    """
    told: dict[str, Any] = {"v": FORMAT}
    for one in fields(fact):
        value = getattr(fact, one.name)
        if isinstance(value, PlacedBy):
            told[one.name] = value.value
        elif value is not None:
            told[one.name] = list(value) if isinstance(value, tuple) else value
    return told


def from_json(kind: str, payload: dict[str, Any]) -> Fact:
    """Return the fact stored as ``kind`` and ``payload``; raises LogError if this version can't read it.

    >>> from_json("street_dealt", {"v": 1, "street": 2})
    StreetDealt(street=2)
    """
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in payload.items() if key != "v"}
    if payload.get("v") != FORMAT or kind not in _KINDS:
        raise LogError(f"fact {kind!r} of format {payload.get('v')!r} is not known to this version")
    make: Any = _KINDS[kind]
    try:
        if "by" in values:
            values["by"] = PlacedBy(values["by"])
        if "natural" in values:
            natural_named(str(values["natural"]))
        fact: Fact = make(**values)
    except (TypeError, ValueError) as error:
        raise LogError(f"fact {kind!r} has fields that this version does not know: {error}") from error
    return fact
