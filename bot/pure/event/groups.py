"""Group stage before a bracket: group sizes, group tables, and the qualifiers' places in the bracket.

Each group is a heads-up round robin. Players are ranked by matches won. Ties are broken by the matches between the tied
players, then by seed, which comes from the draw unless the event is seeded.
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
"""The winning and the losing seed of a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLine:
    """One player's line in a group table."""

    seed: int
    won: int = 0
    lost: int = 0
    by_draw: bool = False
    """True if only the seed separates them from another player."""


def group_count(players: int, groups: int, through: int) -> tuple[int, int]:
    """Return the number of groups for ``players`` players and the qualifiers per group, within the given limits.

    There are at least two groups of at most eight players, and at least one player in each group doesn't qualify. With
    four or five players, one per group qualifies.
    """
    through = min(through, max(1, players // 2 - 1))
    return max(-(-players // MAX_GROUP_SIZE), min(groups, players // (through + 1))), through


def max_rounds(players: int, groups: int, through: int) -> int:
    """Return the number of rounds of the largest group plus the bracket."""
    count, through = group_count(max(players, MIN_GROUPED_PLAYERS), groups, through)
    largest = -(-players // count)
    return largest - 1 + largest % 2 + (count * through - 1).bit_length()


def group_table(members: Sequence[int], results: Sequence[Result]) -> tuple[GroupLine, ...]:
    """Return the table of a group, best first."""
    own = set(members)
    results = [(winner, loser) for winner, loser in results if winner in own and loser in own]
    won, lost = Counter(winner for winner, _ in results), Counter(loser for _, loser in results)
    return tuple(
        GroupLine(seed=seed, won=won[seed], lost=lost[seed], by_draw=len(alike) > 1)
        for alike in _split_ties(sorted(members), results)
        for seed in alike
    )


def _split_ties(tied: Sequence[int], results: Sequence[Result]) -> list[list[int]]:
    """Split tied players by matches won among themselves, repeatedly. Players in the same list remain tied."""
    among = set(tied)
    won = Counter(winner for winner, loser in results if winner in among and loser in among)
    parts = [[seed for seed in tied if won[seed] == count] for count in sorted(set(map(won.__getitem__, tied)))[::-1]]
    if len(parts) == 1:
        return parts
    return [alike for part in parts for alike in _split_ties(part, results)]


def qualified(tables: Sequence[Sequence[GroupLine]], through: int, gone: AbstractSet[int]) -> tuple[int, ...]:
    """Return the qualifiers in seeding order: the best of each group except those who are ``gone``.

    Group winners come first, by their share of matches won. The others, best first, get the places where they meet the
    winner of their own group as late as possible.
    """
    fair = [[row for row in table if row.seed not in gone][:through] for table in tables]
    if not any(fair):  # no one left could qualify, but the event still needs a winner
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


def _merit(row: GroupLine) -> tuple[Fraction, int]:
    played = row.won + row.lost
    return -Fraction(row.won, played) if played else Fraction(0), row.seed
