"""What a table tells of the event whose table it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.event.structure import Format


class Waits(Enum):
    """Why a table of an event does not deal."""

    NOTHING = ""
    SHOWING = "showing"
    """Its message is not posted yet."""
    PLAYERS = "players"
    """Too few sit there: others come, or it is broken."""
    OTHERS = "others"
    """Other tables are behind."""
    HAND_FOR_HAND = "hand_for_hand"
    BREAK = "break"
    PAUSE = "pause"


class Role(Enum):
    """What somebody without a seat at a table has to do with its event."""

    NONE = "none"
    """They are not in it."""
    SEATED = "seated"
    """They play at another table."""
    WAITS = "waits"
    """They are in the running and have no seat: a bye, or a round that has not begun."""
    OUT = "out"
    DISQUALIFIED = "disqualified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How somebody who has no seat at a table stands in its event."""

    part: Role
    tag: str
    """Of the event, for its buttons."""
    over: bool
    """True once the event has ended."""
    place: int = 0
    """Where they stand, from 1; 0 while that is open."""
    table: int = 0
    """Where they play, or what they may watch; 0 for none."""
    channel: int = 0
    """Of that table."""
    message: int | None = None
    """That shows that table."""
    enter_again: int = 0
    """Until the end of which level they may enter again; 0 where they may not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventNote:
    """What is told at a table of the event whose table it is."""

    number: int
    name: str
    format: Format
    channel: int
    """Where the event is shown."""
    home: int
    """The channel to which the table belongs: its thread is below it."""
    level: int
    """The level in play, from 1; 0 where points decide."""
    round: int
    """From 1; 0 where there are none."""
    rounds: int
    """How many there are; 0 where that is not known."""
    deck_commitment: bytes
    """Fixes the decks of all its tables; empty in events that are older than that."""
    waits: Waits
    break_until: int | None
    conceals: bool
    """True while only those who play here may see the cards: others have the same deck before them."""
    housed: bool
    """True once the table has the thread that it is to have, or needs none."""
