"""A game as a fixed script."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typing_extensions import override

from bot.model.clock import Clock, Pace
from bot.model.ids import Player, TableId, TableKey
from bot.model.tables import Limits, Terms
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.deck import SEED_BYTES
from bot.pure.ofc.presets import PINEAPPLE
from bot.store.vault import SeedVault
from tests.play.world import ANN, BOB, CHANNEL, CLEO, GUILD, START, World

KEY = TableKey(guild=GUILD, table=TableId(1))
PLAIN = ("BBBBB", "MMD", "MMD", "MFD", "FFD")
"""Everyone's placements, street by street."""
AFTER_THE_CLOCK = ("MMD", "MMD", "FMD")
"""Ann's placements after the clock has placed two cards in her front."""
SEED = 3595
"""With this one Bob comes to Fantasyland in the first hand, and Ann loses all that she has."""


class SameVault(SeedVault):
    """A vault with one seed for all hands: after a crash the same cards come again."""

    @override
    def new_seed(self) -> bytes:
        """The seed."""
        return SEED.to_bytes(SEED_BYTES, "big")


Act = Callable[[World, str], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Step:
    """A step at a time in milliseconds since the start. The clock acts, then a player may press."""

    at: int
    act: Act | None


def _open(world: World, cause: str) -> Awaitable[Any]:
    offer = TableOffer(
        guild=GUILD,
        channel=CHANNEL,
        host=ANN,
        language="en",
        terms=Terms(
            variant=PINEAPPLE,
            point_value=10,
            buy_in=250,
            max_seats=3,
            clock=Clock(pace=Pace.PER_TURN, seconds=60),
            limits=Limits(levels=(20,), level_hands=1),
        ),
    )
    return world.play.open_table(offer, cause=cause)


def _place_cards(player: Player, hand_no: int, street: int, rows: str) -> Act:
    return lambda world, cause: world.play.place_cards(
        KEY, player, hand_no=hand_no, street=street, rows=rows, cause=cause
    )


def _ahead(player: Player, hand_no: int, street: int, rows: str) -> Act:
    return lambda world, cause: world.play.confirm_ahead(
        KEY, player, hand_no=hand_no, street=street, rows=rows, cause=cause
    )


def _steps() -> list[Step]:
    first = [_place_cards(player, 1, street, rows) for street, rows in enumerate(PLAIN, 1) for player in (BOB, ANN)]
    first[2:4] = [_ahead(ANN, 1, 2, PLAIN[1]), first[2]]  # Bob's placement begins her turn, which places hers
    acts: list[Act] = [
        _open,
        lambda world, cause: world.play.join(KEY, BOB, cause=cause),
        lambda world, cause: world.play.set_entropy(KEY, BOB, "a text", cause=cause),
        lambda world, cause: world.play.start(KEY, ANN, cause=cause),
        *first,
        lambda world, cause: world.seating.rebuy(KEY, ANN, cause=cause),
    ]
    second: list[Act] = [
        _place_cards(BOB, 2, 0, "FFFMMMMMBBBBBD"),
        _place_cards(ANN, 2, 1, PLAIN[0]),
        lambda world, cause: world.play.join(KEY, CLEO, cause=cause),
        lambda world, cause: world.play.leave(KEY, ANN, cause=cause),
    ]
    third: list[Act] = [
        _place_cards(CLEO, 3, 1, PLAIN[0]),
        lambda world, cause: world.seating.change_seat(KEY, BOB, 0, cause=cause),
        lambda world, cause: world.seating.sit_out(KEY, CLEO, cause=cause),
        lambda world, cause: world.seating.remove(KEY, BOB, CLEO, manager=False, cause=cause),
    ]
    rest: list[Act] = [_place_cards(ANN, 2, street, rows) for street, rows in enumerate(AFTER_THE_CLOCK, 3)]
    return [
        *(Step(1_000 * number, act) for number, act in enumerate(acts)),
        Step(60_000, None),  # the second hand is dealt, with Bob in Fantasyland
        *(Step(61_000 + 1_000 * number, act) for number, act in enumerate(second)),
        Step(110_000, None),  # Ann is reminded
        Step(145_000, None),  # her second street has run out
        *(Step(146_000 + 1_000 * number, act) for number, act in enumerate(rest)),
        Step(200_000, None),  # Ann has left, the third hand is dealt to Bob and Cleo
        *(Step(201_000 + 1_000 * number, act) for number, act in enumerate(third)),
    ]


STEPS = _steps()


def cause_of(number: int) -> str:
    """The interaction of a step."""
    return f"press {number}"


async def take(world: World, number: int) -> None:
    """Let a step happen."""
    step = STEPS[number]
    world.now = START + step.at
    await world.clock.tick()
    if step.act is not None:
        await step.act(world, cause_of(number))


def bot(folder: Path, *, first: int, trace: Callable[[str], None] | None = None) -> World:
    """A bot that is started again as soon as it was killed, in or before the step ``first``."""
    world = World(folder, fixed=SameVault([b"k" * 32]), now=START + STEPS[max(0, first - 1)].at, trace=trace)
    world.now = max(world.now, last_heartbeat(world.path))
    return world


def last_heartbeat(path: Path) -> int:
    """When the bot was last alive, in milliseconds; 0 for never."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT MAX(alive_at) FROM heartbeat").fetchone()[0] or 0)
    except sqlite3.OperationalError:
        return 0  # killed before there was a table
