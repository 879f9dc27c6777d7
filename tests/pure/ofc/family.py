"""All games with their properties, as given in the rule book: ``GAMES``.

The rows are written by hand and independent of ``bot/pure/ofc/presets.py``, so that accidental changes of a declaration
are found. They are in the order that players see.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

BY_ONES = ((5, 5), *[(1, 1)] * 8)
BY_THREES = ((5, 5), *[(3, 2)] * 4)
BY_FOURS = ((5, 5), (4, 4), (4, 4))
BY_SIXES = ((5, 5), (6, 4), (6, 4))
AT_ONCE = ((13, 13),)
AS_BEFORE = None
"""A stay keeps the number of cards."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game as its page tells it."""

    key: str
    """Permanent: logs and custom ids hold it."""
    seats: tuple[int, int]
    """The fewest and the most players."""
    streets: tuple[tuple[int, int], ...]
    """Cards dealt and placed on each street."""
    deck: int
    """The cards in the deck, jokers included."""
    enters: tuple[int, ...] = ()
    """Cards in Fantasyland for QQ, KK, AA and three of a kind on the front, 0 where one does not enter; none of them
    in a game without Fantasyland. Jacks enter nowhere."""
    stay: int | None = AS_BEFORE
    """Cards for a stay."""
    full_house: bool = False
    """A full house in the middle is a stay; three of a kind on the front and four of a kind on the back always are."""
    low_middle: bool = False
    """The middle is a deuce-to-seven low."""
    strict: bool = False
    """Equal rows foul."""
    scoop: int = 3
    """Points for all three rows, beyond those of the rows."""
    edition: int = 1
    """The edition of the rules that introduced its current form."""


GAMES = (
    Game("pineapple", seats=(2, 3), streets=BY_THREES, deck=52, enters=(14, 14, 14, 14), stay=14),
    Game("classic", seats=(2, 4), streets=BY_ONES, deck=52, enters=(13, 13, 13, 13), stay=13, full_house=True),
    Game("progressive", seats=(2, 3), streets=BY_THREES, deck=52, enters=(14, 15, 16, 17), stay=14),
    Game("progressive_16", seats=(2, 3), streets=BY_THREES, deck=52, enters=(14, 15, 16, 16), stay=14),
    Game("ultimate", seats=(2, 3), streets=BY_THREES, deck=52, enters=(14, 15, 16, 17), stay=AS_BEFORE),
    Game("turbo", seats=(2, 4), streets=BY_FOURS, deck=52, enters=(13, 13, 13, 13), stay=13, full_house=True),
    Game("turbo_pineapple", seats=(2, 3), streets=BY_SIXES, deck=52, enters=(14, 14, 14, 14), stay=14),
    Game("two_seven", seats=(2, 3), streets=BY_THREES, deck=52, enters=(0, 14, 14, 14), stay=14, low_middle=True),
    Game("joker_pineapple", seats=(2, 3), streets=BY_THREES, deck=54, enters=(14, 14, 14, 14), stay=14),
    Game("joker_ultimate", seats=(2, 3), streets=BY_THREES, deck=54, enters=(14, 15, 16, 17), stay=AS_BEFORE),
    Game("double_classic", seats=(2, 8), streets=BY_ONES, deck=104, enters=(13, 13, 13, 13), stay=13, full_house=True),
    Game("double_pineapple", seats=(2, 6), streets=BY_THREES, deck=104, enters=(14, 14, 14, 14), stay=14),
    Game("chinese", seats=(2, 4), streets=AT_ONCE, deck=52),
    Game("thirteen", seats=(4, 4), streets=AT_ONCE, deck=52, strict=True, scoop=0),
    Game("open_thirteen", seats=(4, 4), streets=BY_ONES, deck=52, strict=True, scoop=0, edition=2),
)
"""Every game that is offered, the everyday game first."""


def row_missing(key: str) -> str:
    """Return instructions for a game without a row."""
    return (
        f"{key} has no row in GAMES of tests/pure/ofc/family.py: where players shall see it, write from its rule page, "
        f'not from its declaration, Game("{key}", seats=(fewest, most), streets=((dealt, placed), ...), '
        "deck=cards, enters=(for QQ, KK, AA, three of a kind), stay=cards)"
    )


def check_listed(keys: Iterable[str]) -> None:
    """Demand that these games are those of ``GAMES``, in its order."""
    offered, listed = list(keys), [game.key for game in GAMES]
    for key in offered:
        assert key in listed, row_missing(key)
    assert offered == listed, "keys are permanent: the order of GAMES changes with that of PRESETS, none is taken out"
