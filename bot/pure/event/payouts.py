"""Prizes of an event: default percentages by place, prizes in whole chips, and season points split like prizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from bot.pure.event.scoring import SHARED_OUT
from bot.pure.event.structure import Structure

T = TypeVar("T")
_DEFAULT_PAYOUTS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (1, (100,)),
    (4, (65, 35)),
    (7, (50, 30, 20)),
    (14, (40, 30, 20, 10)),
    (23, (40, 24, 16, 12, 8)),
    (30, (37, 22, 15, 11, 8, 7)),
    (38, (34, 21, 14, 11, 8, 7, 5)),
    (45, (32, 20, 13, 10, 8, 7, 6, 4)),
    (53, (30, 19, 13, 10, 8, 7, 5, 4, 4)),
    (63, (29, 18, 12, 9, 8, 7, 6, 4, 4, 3)),
    (73, (27, 17, 11, 9, 7, 6, 5, 4, 4, 4, 3, 3)),
    (85, (25, 15, 10, 8, 7, 6, 5, 4, 4, 4, 3, 3, 2, 2, 2)),
    (105, (23, 14, 10, 8, 6, 5, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 2)),
    (130, (22, 13, 9, 7, 6, 5, 4, *[3] * 6, *[2] * 8)),
    (150, (20, 13, 9, 7, 5, 4, 4, *[3] * 4, *[2] * 13)),
    (175, (20, 12, 8, 6, 5, 4, *[3] * 3, *[2] * 18)),
    (200, (20, 12, 8, 6, 4, *[2] * 25)),
)
"""Minimum number of entries, and the percentages that apply from there on."""


def default_payouts(entries: int) -> tuple[int, ...]:
    """Return the default percentages by place, which sum to 100.

    About a sixth of the field is paid, more in small fields, and at most 30 places. Raises ValueError if there are no
    entries.
    """
    if entries < 1:
        raise ValueError("no one entered")
    return next(percentages for least, percentages in reversed(_DEFAULT_PAYOUTS) if entries >= least)


def prizes(pool: int, percentages: Sequence[int], *, places: int | None = None) -> tuple[int, ...]:
    """Return whole chips by place, which sum to ``pool``. The remainder goes to the first places, one chip each.

    ``places`` is the number of players who finished. If it's lower than the number of paid places, the missing shares
    are split among the others in proportion. Raises ValueError if no place is paid.
    """
    shares = percentages[:places]
    whole = sum(shares)
    if whole <= 0:
        raise ValueError("no place is paid")
    chips = [pool * share // whole for share in shares]
    left = pool - sum(chips)
    return tuple(count + (place < left) for place, count in enumerate(chips))


def resettled(paid: Mapping[T, int], due: Mapping[T, int], wallets: Mapping[T, int]) -> dict[T, int]:
    """Return each player's prize after chips that aren't due any more were taken back.

    ``paid`` has their present prizes, and ``due`` those of their places, in the order of places. Both have the same
    sum.
    A player gives back what their wallet holds. Players who are due more share exactly those chips, the best place
    first, so the sum stays the same. Players who are missing in ``wallets`` have none.
    """
    back = {player: max(0, min(paid[player] - due[player], wallets.get(player, 0))) for player in due}
    left, now = sum(back.values()), dict[T, int]()
    for player in due:
        more = min(left, max(0, due[player] - paid[player]))
        left -= more
        now[player] = paid[player] - back[player] + more
    return now


def shared_out(structure: Structure, entries: int, places: int) -> tuple[int, ...]:
    """Return the season points by place in an event that splits them like prizes, for up to ``places`` places.

    A draft may have invalid payouts, which are replaced by the default ones.
    """
    percentages = structure.payouts if min(structure.payouts, default=0) > 0 else default_payouts(entries)
    return prizes(SHARED_OUT, percentages, places=min(len(percentages), places))
