"""Groups before a bracket: who plays in which, how they end, and where those who go on stand in the bracket.

Everybody of a group meets everybody else of it once, heads-up. Most matches won is best; among those with the same
count, whoever has won most of the matches between just them; what is still equal then goes by the seeds, which are the
draw where nothing else makes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction

from bot.pure.event.limits import MAX_GROUP_SIZE, MIN_GROUPED_PLAYERS
from bot.pure.event.seeding import bracket_order

Result = tuple[int, int]
"""The seeds that won and lost a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One player of a group's table."""

    seed: int
    won: int = 0
    lost: int = 0
    by_draw: bool = False
    """True where nothing but the seed ranks them beside somebody else."""


def group_count(players: int, groups: int, through: int) -> tuple[int, int]:
    """How many groups so many players make, and how many of each go on: at most as many as were asked for.

    Each group has somebody who stays behind and eight at most; there are two at least. With 4 or 5 one of each goes on.
    """
    through = min(through, max(1, players // 2 - 1))
    return max(-(-players // MAX_GROUP_SIZE), min(groups, players // (through + 1))), through


def most_rounds(players: int, groups: int, through: int) -> int:
    """The rounds of the largest group and of the bracket together."""
    count, through = group_count(max(players, MIN_GROUPED_PLAYERS), groups, through)
    largest = -(-players // count)
    return largest - 1 + largest % 2 + (count * through - 1).bit_length()


def group_table(members: Sequence[int], results: Sequence[Result]) -> tuple[Row, ...]:
    """The table of a group, the best first."""
    own = set(members)
    results = [(winner, loser) for winner, loser in results if winner in own and loser in own]
    won, lost = Counter(winner for winner, _ in results), Counter(loser for _, loser in results)
    return tuple(
        Row(seed=seed, won=won[seed], lost=lost[seed], by_draw=len(alike) > 1)
        for alike in _ranked(sorted(members), results)
        for seed in alike
    )


def _ranked(tied: Sequence[int], results: Sequence[Result]) -> list[list[int]]:
    """By matches won among just them, again and again while that parts any; those who stay together are equal."""
    among = set(tied)
    won = Counter(winner for winner, loser in results if winner in among and loser in among)
    parts = [[seed for seed in tied if won[seed] == count] for count in sorted(set(map(won.__getitem__, tied)))[::-1]]
    if len(parts) == 1:
        return parts
    return [alike for part in parts for alike in _ranked(part, results)]


def qualified(tables: Sequence[Sequence[Row]], through: int, gone: AbstractSet[int]) -> tuple[int, ...]:
    """Who goes on, in the order of the bracket's seeds: of each group its best without those who are ``gone``.

    Winners of groups come first, by the share of their matches that they have won. The others have the places where
    they meet the winner of their own group as late as can be, the best of them first.
    """
    fair = [[row for row in table if row.seed not in gone][:through] for table in tables]
    if not any(fair):  # nobody is left who may win: the event ends all the same
        fair = [list(table[:through]) for table in tables]
    winners = sorted((kept[0] for kept in fair if kept), key=_merit)
    others = sorted(((row, kept[0]) for kept in fair for row in kept[1:]), key=lambda pair: _merit(pair[0]))
    order = bracket_order(len(winners) + len(others))
    free, placed = list(range(len(winners) + 1, len(winners) + len(others) + 1)), dict[int, int]()
    for row, first in others:
        home = order.index(winners.index(first) + 1)
        place = max(free, key=lambda place: ((order.index(place) ^ home).bit_length(), -place))
        free.remove(place)
        placed[place] = row.seed
    return (*(row.seed for row in winners), *(placed[place] for place in sorted(placed)))


def _merit(row: Row) -> tuple[Fraction, int]:
    played = row.won + row.lost
    return -Fraction(row.won, played) if played else Fraction(0), row.seed
