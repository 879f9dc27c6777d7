"""Pairings of a league that some players have left, based on its schedule.

Players are indices from 0. The result is deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.pure.event.rounds import Round
from bot.pure.event.seating import table_sizes
from bot.pure.event.swiss import swiss


def pair_present(
    planned: Sequence[Sequence[int]], seats: int, *, met: Sequence[Sequence[int]], short: Sequence[int]
) -> Round:
    """Return the tables of a round of which ``planned`` is the schedule without the players who are gone.

    With two seats, planned pairs are kept and the players left over are paired among themselves. Larger tables are kept
    if they have the right sizes. Otherwise the whole round is paired again, like one of a Swiss league whose standings
    are the order of the draw. ``met`` and ``short`` are those of :func:`bot.pure.event.swiss.swiss`. No player has a
    bye while another had fewer.
    """
    tables = tuple(tuple(table) for table in planned if len(table) > 1)
    together = {player for table in tables for player in table}
    rest = [player for player in range(len(short)) if player not in together]
    if seats == 2:
        if len(rest) % 2 == 0 or min(short[player] for player in rest) == min(short):
            return tables + _among(rest, met, short)
    elif not rest and sorted(map(len, tables)) == sorted(table_sizes(len(short), seats)):
        return tables
    return swiss(seats, met=met, short=short)


def _among(players: Sequence[int], met: Sequence[Sequence[int]], short: Sequence[int]) -> Round:
    """Return pairs of ``players``, who keep their numbers."""
    if len(players) < 2:
        return ()
    met = [[met[one][other] for other in players] for one in players]
    pairs = swiss(2, met=met, short=[short[player] for player in players])
    return tuple(tuple(players[at] for at in pair) for pair in pairs)
