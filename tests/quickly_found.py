"""Puzzles found without a search, for tests of what comes after it."""

from __future__ import annotations

from bot.model.ids import GuildId
from bot.play.trainer.finding import Finding
from bot.pure.ofc.view import HandView
from bot.pure.rating.model import Rating
from bot.pure.trainer.position import position_in
from bot.pure.trainer.puzzle import Puzzle, PuzzlePlacement
from bot.pure.trainer.themes import Theme
from tests.quickly_judged import BETTER, FACTS, LOST


async def quickly_found(finding: Finding, view: HandView, guild: GuildId) -> Puzzle:
    """Make a puzzle of a position with three cards to place: the first belongs in front."""
    best, second = (
        PuzzlePlacement(letters=letters, value=value, facts=facts)
        for letters, value, facts in (("FMD", LOST, BETTER), ("MFD", 0.0, FACTS))
    )
    return Puzzle(
        variant=view.variant,
        position=position_in(view),
        placements=(best, second),
        costs={"FMD": 0.0, "MFD": LOST},
        gap=LOST,
        error=0.25,
        theme=Theme.DRAW,
        difficulty=Rating(mean=-0.4, deviation=0.6),
    )
