"""Groups of games: those in which the same skill counts, in points of about the same size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

BOARDS = "/boards"
"""Behind a group's key: the luck of decks that several tables were dealt."""
COMPARED = 0.75
"""How much luck varies there, as a share of what it does elsewhere: a first guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Games in which a player has one rating."""

    key: str
    games: tuple[str, ...]
    """Keys of presets, the one that is played most first."""
    luck: float
    """A first guess at the variance of luck in a form, in points: what computer players showed."""
    carried: float
    """By how much more luck varies over many hands: Fantasyland follows from a hand that went well."""


GROUPS: Mapping[str, Group] = MappingProxyType(
    {
        group.key: group
        for group in (
            Group(key="pineapple", games=("pineapple", "turbo_pineapple", "double_pineapple"), luck=43, carried=1.4),
            Group(key="classic", games=("classic", "turbo", "double_classic"), luck=22, carried=1.15),
            Group(key="progressive", games=("progressive", "progressive_16", "ultimate"), luck=45, carried=1.4),
            Group(key="joker", games=("joker_pineapple", "joker_ultimate"), luck=122, carried=1.5),
            Group(key="two_seven", games=("two_seven",), luck=65, carried=1.7),
            Group(key="chinese", games=("chinese", "thirteen", "open_thirteen"), luck=43, carried=1),
        )
    }
)
_BY_GAME = {game: group for group in GROUPS.values() for game in group.games}


def group_of(game: str) -> Group | None:
    """The group of a preset; None for one that is not offered any more."""
    return _BY_GAME.get(game)
