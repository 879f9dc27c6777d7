"""A solver with few puzzles left."""

from __future__ import annotations

from dataclasses import replace

from bot.model.ids import Player
from bot.model.puzzles import PuzzleName
from bot.play.trainer.known_puzzles import known_puzzles
from tests.play.world import CLEO, World

GAME = "joker_ultimate"
"""The game with the fewest puzzles."""


def named(game: str) -> list[PuzzleName]:
    """Return the names of the puzzles of a game that come with the bot, in order."""
    return [name for name, puzzle in known_puzzles().items() if puzzle.game == game]


async def becomes_short(world: World, player: Player = CLEO, *, left: int, game: str = GAME) -> None:
    """Let a player want the puzzles of one game only, and answer all but so many."""
    await world.trainer.choose(player, lambda solver: replace(solver, games=(game,)))
    names = named(game)
    for name in names[: len(names) - left]:
        await world.trainer.answer(player, name, known_puzzles()[name].best, cause=world.cause())
