"""Each level beats the one below it."""

from random import Random
from statistics import fmean

import pytest

from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import full_deck
from bot.pure.ofc.presets import CHINESE, PINEAPPLE, TURBO_PINEAPPLE
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView
from bot.pure.solver.duel import Chooser, play_hand, rotations
from bot.pure.solver.levels import Computers, Level

COMPUTERS = Computers(load_arrays, evaluators=1)


def player(level: Level) -> Chooser:
    def choose(view: HandView) -> str:
        return COMPUTERS.choose(view, level)

    return choose


def edge(variant: Variant, stronger: Level, weaker: Level, *, decks: int) -> float:
    """Return the stronger player's points per hand, with nine points per entry into Fantasyland."""
    players = [(0, player(stronger)), (1, player(weaker))]
    won = []
    for number in range(decks):
        deck = list(full_deck())
        Random(number).shuffle(deck)
        for order in rotations(2):
            for showing in play_hand(variant, tuple(deck), [players[seat] for seat in order]):
                worth = showing.points + 9 * (showing.fantasyland_cards > 0)
                won.append(worth if showing.player == 0 else -9 * (showing.fantasyland_cards > 0))
    return 2 * fmean(won)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "stronger", "weaker", "decks"),
    [
        pytest.param(PINEAPPLE, Level.MASTER, Level.CASUAL, 40, marks=pytest.mark.deep),
        pytest.param(PINEAPPLE, Level.CLUB, Level.CASUAL, 60, marks=pytest.mark.deep),
        pytest.param(TURBO_PINEAPPLE, Level.CLUB, Level.CASUAL, 60, marks=pytest.mark.deep),
        (CHINESE, Level.CLUB, Level.CASUAL, 30),
        pytest.param(CHINESE, Level.MASTER, Level.CLUB, 150, marks=pytest.mark.deep),
    ],
)
def test_a_level_beats_the_one_below(variant: Variant, stronger: Level, weaker: Level, decks: int) -> None:
    assert edge(variant, stronger, weaker, decks=decks) > 0
