"""Decisions judged without a search, for tests of what comes after it."""

from __future__ import annotations

import re

from bot.pure.solver.comparison import ExpectedResults
from bot.pure.solver.levels import Computers
from bot.pure.solver.review import DecisionPoint
from bot.pure.trainer.correction import Correction, Judgement
from bot.pure.trainer.puzzle import PuzzlePlacement
from bot.pure.trainer.themes import Theme

FACTS = ExpectedResults(foul=0.1, fantasyland=0.2, royalties=3.0)
BETTER = ExpectedResults(foul=0.1, fantasyland=0.2, royalties=4.5)
LOST = 1.5


def quickly_judged(computers: Computers, moment: DecisionPoint) -> Judgement:
    """Judge a decision: street 3 was a mistake, because the first card placed belongs in front."""
    if moment.street != 3:
        return Judgement(street=moment.street, lost=0.0, correction=None)
    better = re.sub("[MB]", "F", moment.letters, count=1)
    best, placed = (
        PuzzlePlacement(letters=letters, value=value, facts=facts)
        for letters, value, facts in ((better, LOST, BETTER), (moment.letters, 0.0, FACTS))
    )
    correction = Correction(
        placements=(best, placed),
        placed=placed,
        costs={better: 0.0, moment.letters: LOST},
        right=(better,),
        theme=Theme.DRAW,
    )
    return Judgement(street=moment.street, lost=LOST, correction=correction)
