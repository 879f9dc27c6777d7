"""Promise 5: one click is one action, however often and in whichever order it is delivered, after a restart too."""
# ruff: noqa: ASYNC240  # Nobody else runs on a test's loop.

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.model.clock import Clock, Pace
from bot.model.ids import Player, TableId, TableKey
from bot.model.refusals import Stale
from bot.model.tables import Terms
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.house_rules import house_variant
from tests.crash.going_on import stored
from tests.play.world import ANN, BOB, CHANNEL, CLEO, GUILD, FixedVault, World

KEY = TableKey(guild=GUILD, table=TableId(1))
GAME = house_variant("chinese", {"surrender": "2"})
Click = Callable[[World], Awaitable[Any]]


def clicks() -> list[Click | None]:
    """Return the presses of an evening: every kind, each with its own interaction; None is a pause."""
    offer = TableOffer(
        guild=GUILD,
        channel=CHANNEL,
        host=ANN,
        language="en",
        terms=Terms(
            variant=GAME, point_value=10, buy_in=1000, max_seats=4, clock=Clock(pace=Pace.PER_TURN, seconds=60)
        ),
    )

    def place_cards(player: Player, hand_no: int) -> Callable[[World, str], Awaitable[Any]]:
        return lambda w, cause: w.play.place_cards(
            KEY, player, hand_no=hand_no, street=1, rows="FFFMMMMMBBBBB", cause=cause
        )

    presses: list[Callable[[World, str], Awaitable[Any]] | None] = [
        lambda w, cause: w.play.open_table(offer, cause=cause),
        lambda w, cause: w.play.join(KEY, BOB, cause=cause),
        lambda w, cause: w.play.leave(KEY, BOB, cause=cause),
        lambda w, cause: w.play.join(KEY, BOB, cause=cause),
        lambda w, cause: w.play.set_entropy(KEY, BOB, "luck", cause=cause),
        lambda w, cause: w.play.start(KEY, ANN, cause=cause),
        place_cards(ANN, 1),
        lambda w, cause: w.play.join(KEY, CLEO, cause=cause),
        lambda w, cause: w.play.leave(KEY, ANN, cause=cause),
        lambda w, cause: w.play.stay(KEY, ANN, cause=cause),
        lambda w, cause: w.play.surrender(KEY, BOB, hand_no=1, cause=cause),
        None,
        place_cards(CLEO, 2),
        place_cards(BOB, 2),
        lambda w, cause: w.play.leave(KEY, CLEO, cause=cause),
        place_cards(ANN, 2),
        None,
    ]
    return [press and _click(press, f"click {number}") for number, press in enumerate(presses)]


def _click(press: Callable[[World, str], Awaitable[Any]], cause: str) -> Click:
    return lambda world: press(world, cause)


async def evening(folder: Path, chance: Random | None) -> Any:
    """The evening's end; with ``chance`` each click comes up to three times, now and later, and the bot restarts."""
    folder.mkdir()
    world = World(folder, fixed=FixedVault([b"k" * 32]))
    await world.open()
    past: list[Click] = []
    for click in clicks():
        if click is None:
            await world.later(world.policy.next_hand_ms)
            continue
        again = [chance.choice(past) for _ in range(chance.randrange(3)) if past] if chance else []
        copies = chance.randrange(1, 4) if chance else 1
        answers = await asyncio.gather(*(each(world) for each in [click] * copies), return_exceptions=True)
        late = [answer for answer in answers if isinstance(answer, Stale)]
        assert not [answer for answer in answers if isinstance(answer, BaseException) and answer not in late]
        assert len(late) == copies - 1
        for answer in await asyncio.gather(*(each(world) for each in again), return_exceptions=True):
            assert isinstance(answer, Stale), answer
        past.append(click)
        if chance and chance.random() < 0.3:
            await world.restart()
    if chance:
        chance.shuffle(past)
        for answer in await asyncio.gather(*(each(world) for each in past), return_exceptions=True):
            assert isinstance(answer, Stale)
    end = stored(world)
    world.check_books()
    await world.close()
    return end


@pytest.mark.on_both
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(2, 6))])
async def test_promise_5_one_click_is_one_action(tmp_path: Path, seed: int) -> None:
    once = await evening(tmp_path / "once", None)
    assert len(once["result"]) == 5
    assert await evening(tmp_path / "often", Random(seed)) == once
