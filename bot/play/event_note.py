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


@dataclass(frozen=True, slots=True, kw_only=True)
class EventNote:
    """What is told at a table of the event whose table it is."""

    number: int
    name: str
    format: Format
    channel: int
    """Where the event is shown."""
    level: int
    """The level in play, from 1; 0 where points decide."""
    round: int
    """From 1; 0 where there are none."""
    rounds: int
    """How many there are; 0 where that is not known."""
    deck_commitment: bytes
    """Fixes all decks of a duplicate event; empty elsewhere."""
    waits: Waits
    break_until: int | None
    conceals: bool
    """True while only those who play here may see the cards: others have the same deck before them."""
    housed: bool
    """True once the table has the thread that it is to have, or needs none."""
