"""Hints: a master's placement, for players without anything at stake."""

from __future__ import annotations

from typing import Any

import pytest

from bot.model.ids import Player, TableKey
from bot.model.reasons import HandReason
from bot.model.refusals import Stale
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import THIRTEEN
from bot.pure.solver.evaluator import base_game
from tests.play.world import ANN, BOB, EVE, World


async def practised(world: World, **offer: Any) -> TableKey:
    key = await world.started(ANN, point_value=0, computers=1, **offer)
    while await world.turn(key) != ANN:
        await world.later(world.policy.computer_ms)
    return key


async def test_a_hint_tells_two_placements_that_can_be_placed(world: World) -> None:
    key = await practised(world)
    view = await world.play.look(key, ANN)
    hint = await world.play.hint(key, ANN, hand_no=1, street=1)
    assert len({*hint.letters}) == len(hint.judged) == 2
    assert hint.hand == view.hand
    better, second = hint.judged
    assert better.value >= second.value
    assert all(0 <= share <= 1 for one in hint.judged for share in (one.foul, one.fantasyland))
    await world.place_cards(key, ANN, hint.letters[1])


async def test_asking_changes_nothing_and_another_street_has_to_be_asked_for(world: World) -> None:
    key = await practised(world)
    with world.changes_nothing():
        assert await world.play.hint(key, ANN, hand_no=1, street=1) == await world.play.hint(
            key, ANN, hand_no=1, street=1
        )
    await world.place_cards(key, ANN)
    while await world.turn(key) != ANN:
        await world.later(world.policy.computer_ms)
    with pytest.raises(Stale):
        await world.play.hint(key, ANN, hand_no=1, street=1)


async def test_a_game_for_which_nothing_was_fitted_has_one_placement_without_odds(world: World) -> None:
    unfitted = house_variant("turbo", {"jokers": "1"})
    assert base_game(unfitted) is None
    key = await practised(world, variant=unfitted)
    hint = await world.play.hint(key, ANN, hand_no=1, street=1)
    assert (len(hint.letters), hint.judged) == (1, ())


async def test_nobody_is_given_a_hint_where_something_is_at_stake(world: World) -> None:
    key = await world.started(ANN, BOB)
    player = await world.turn(key)
    with world.refuses(HandReason.HINTS_ARE_FOR_PRACTICE):
        await world.play.hint(key, player, hand_no=1, street=1)


@pytest.mark.parametrize(
    ("player", "hand_no", "street"), [(EVE, 1, 1), (BOB, 1, 1), (ANN, 2, 1), (ANN, 1, 2), (ANN, 0, 0)]
)
async def test_hints_are_for_the_one_on_turn_alone(world: World, player: Player, hand_no: int, street: int) -> None:
    key = await world.table(ANN, BOB, point_value=0)
    await world.start(key)
    while await world.turn(key) != ANN:
        await world.place_cards(key, await world.turn(key))
    with pytest.raises(Stale):
        await world.play.hint(key, player, hand_no=hand_no, street=street)


async def test_whole_boards_are_arranged_and_get_no_hint(world: World) -> None:
    key = await world.started(ANN, point_value=0, computers=3, variant=THIRTEEN)
    with pytest.raises(Stale):
        await world.play.hint(key, ANN, hand_no=1, street=1)
