"""Reasons for refusing an action. Each has a sentence in ``data/text`` under ``refused``."""

from __future__ import annotations

from enum import Enum


class Reason(Enum):
    """Reasons based on the rules of the game."""

    HAND_OVER = "hand_over"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_SEATED = "not_seated"
    ALREADY_PLACED = "already_placed"
    WRONG_COUNT = "wrong_count"
    """The placement has the wrong number of cards for the street (``to_place``, ``discard``)."""
    ROW_FULL = "row_full"
    """More cards in ``row`` than fit (``size``)."""
    BAD_PLACEMENT = "bad_placement"
    GAVE_UP = "gave_up"
    NO_NATURAL = "no_natural"
    NO_SURRENDER = "no_surrender"
    ALREADY_SET = "already_set"


class Refused(Exception):  # noqa: N818 - an answer to the player, no error
    """The rules don't allow an action. Nothing has changed. ``details`` fill in the sentence."""

    def __init__(self, reason: Enum, **details: int | str) -> None:
        super().__init__(f"{reason.value} {details}" if details else str(reason.value))
        self.reason = reason
        self.details = details
