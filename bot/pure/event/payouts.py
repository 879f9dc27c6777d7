"""The prizes of a tournament: percentages by place, whole chips, and points that are shared out like them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.pure.event.scoring import SHARED_OUT
from bot.pure.event.structure import Structure

_USUAL: tuple[tuple[int, tuple[int, ...]], ...] = (
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
"""From how many entries on, and what is paid then."""


def usual_payouts(entries: int) -> tuple[int, ...]:
    """Percentages by place, the winner's first; they sum to 100.

    About a sixth of the field is paid, more of a small one, and never more than 30 places. Raises ValueError without
    an entry.
    """
    if entries < 1:
        raise ValueError("no one entered")
    return next(percentages for least, percentages in reversed(_USUAL) if entries >= least)


def prizes(pool: int, percentages: Sequence[int], *, places: int | None = None) -> tuple[int, ...]:
    """Whole chips by place; they sum to ``pool``. What does not divide goes to the first places, a chip each.

    ``places`` is how many finished, where that may be fewer than are paid: the shares of the missing places go to
    those that are there, in proportion. Raises ValueError where nobody is there to be paid.
    """
    shares = percentages[:places]
    whole = sum(shares)
    if whole <= 0:
        raise ValueError("no place is paid")
    chips = [pool * share // whole for share in shares]
    left = pool - sum(chips)
    return tuple(count + (place < left) for place, count in enumerate(chips))


def shared_out(structure: Structure, entries: int, places: int) -> tuple[int, ...]:
    """The points by place of an event that shares them out like its prizes, for so many entries and paid places.

    Payouts of which one is none, as a draft may have them, count as the usual ones.
    """
    percentages = structure.payouts if min(structure.payouts, default=0) > 0 else usual_payouts(entries)
    return prizes(SHARED_OUT, percentages, places=min(len(percentages), places))
