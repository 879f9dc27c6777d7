"""Players to measure the levels by, as others have written them: nobody plays against these at a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from bot.ofc.cards import Card
from bot.ofc.ranks import Strength
from bot.ofc.rows import BOARD_CARDS, ROWS, Row
from bot.ofc.variants import Variant
from bot.ofc.view import HandView
from bot.solver.arrange import best_arrangement
from bot.solver.boards import Children, board_of, children, patterns
from bot.solver.duel import Chooser
from bot.solver.place import completions
from bot.solver.rowtables import Ints, codes_of, part_strengths, row_values
from bot.solver.sight import cards_to_place, known
from bot.solver.usual import PLACED, share_beaten

FUTURES = 20
"""How many futures each placement meets that is judged by completing boards."""


def greedy(view: HandView) -> str:
    """What would win most rows if the hand ended now, of the placements that leave the rows in order as they stand."""
    held = cards_to_place(view)
    if view.to_place == BOARD_CARDS:
        return best_arrangement(view.variant, held)
    found = _placed(view, held)
    codes = codes_of(found.boards.kinds, found.boards.suits)
    made = [_made(view.variant, row, codes[:, row.place]) for row in ROWS]
    won = np.zeros(len(codes))
    for row in ROWS:
        won += [share_beaten(PLACED[row], Strength(int(one))) for one in made[row.place]]
    ordered = (made[0] <= made[1]) & (made[1] <= made[2])
    best = np.lexsort((won, ordered))[-1]
    return patterns(len(held), view.to_place).letters(int(found.pattern[best]))


def _placed(view: HandView, held: tuple[Card, ...]) -> Children:
    """Every board that the placements make."""
    assert view.mine
    front, middle, back = map(known, view.mine.rows)
    return children(board_of((front, middle, back)), np.array([held], dtype=np.int32), to_place=view.to_place)


def _made(variant: Variant, row: Row, codes: Ints) -> Ints:
    """What rows are, full or by the cards that they hold."""
    made: Ints = np.maximum(row_values(variant, row).strongest[codes], part_strengths(row)[codes // 2])
    return made


def completion(view: HandView) -> str:
    """Completes the board of every placement in the best legal way with cards that may come, and knows no opponent."""
    held = cards_to_place(view)
    if view.to_place == BOARD_CARDS:
        return best_arrangement(view.variant, held)
    found = _placed(view, held)
    ways = [patterns(len(held), view.to_place).letters(int(pattern)) for pattern in found.pattern]
    alone = replace(view, variant=replace(view.variant, row_point=0, row_values={}))
    outcomes = np.array(completions(alone, ways, futures=FUTURES))
    return ways[int(outcomes.mean(axis=1).argmax())]


YARDSTICKS: Mapping[str, Chooser] = {"completion": completion, "greedy": greedy}
"""Players by the name that a duel calls them by."""
