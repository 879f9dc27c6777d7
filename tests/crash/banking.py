"""All chip movements outside hands, as a fixed script whose presses are repeated after a crash."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.model.bank import Action, BankTerms, Claim
from bot.model.ids import TableId, TableKey
from bot.model.reasons import BankReason
from bot.model.refusals import Stale
from bot.pure.ofc.refusals import Refused
from tests.crash.script import SameVault, last_heartbeat
from tests.play.world import ANN, BOB, CLEO, DAN, GUILD, START, World

KEY = TableKey(guild=GUILD, table=TableId(1))
MANAGER = ANN
MOVED = {"grant", "buy_in", "hand", "top_up", "bonus", "taken", "refill", "given", "fee", "sent", "season"}
"""The kinds of movements that the evening knows when it is over."""


def house(folder: Path, *, trace: Callable[[str], None] | None = None) -> World:
    """A bot that is started, or started again in the same moment."""
    now = max(START, last_heartbeat(folder / "chaipo.db"))
    return World(folder, fixed=SameVault([b"k" * 32]), now=now, trace=trace)


async def play(world: World) -> None:
    """A hand is over, and the next one is not dealt yet: some have more than they brought, and some have less."""
    key = await world.started(ANN, BOB, CLEO)
    assert key == KEY
    await world.play_hand(KEY)


async def _top_up(world: World, cause: str) -> None:
    stacks = {place.seat.player: place.stack for place in (await world.play.look(KEY)).places}
    await world.seating.top_up(KEY, min(stacks, key=lambda player: stacks[player]), cause=cause)


def _transfers(terms: BankTerms) -> BankTerms:
    return replace(terms, transfer_cap=5_000, transfer_fee=10)


def _chips(action: Action, amount: int) -> Callable[[World, str], Awaitable[Any]]:
    return lambda world, cause: world.bank.change_chips(GUILD, MANAGER, DAN, action, amount, "why not", cause=cause)


PRESSES: tuple[Callable[[World, str], Awaitable[Any]], ...] = (
    _top_up,
    lambda world, cause: world.seating.sit_out(KEY, CLEO, cause=cause),
    lambda world, cause: world.seating.hand_over(KEY, ANN, BOB, cause=cause),
    lambda world, cause: world.bank.claim(GUILD, DAN, Claim.BONUS),
    _chips(Action.TAKE, 9_000),
    lambda world, cause: world.bank.claim(GUILD, DAN, Claim.REFILL),
    _chips(Action.GIVE, 1),
    lambda world, cause: world.bank.change_terms(GUILD, MANAGER, _transfers, cause=cause),
    lambda world, cause: world.bank.send(GUILD, BOB, DAN, 101, cause=cause),
    lambda world, cause: world.bank.change_seasons(
        GUILD, MANAGER, lambda terms: replace(terms, reset_chips=True), cause=cause
    ),
    lambda world, cause: world.bank.start_season(GUILD, MANAGER, "Spring", cause=cause),
)


async def press(world: World, number: int) -> None:
    """One of the presses; raises Stale where it had its effect before."""
    try:
        await PRESSES[number](world, f"press {number}")
    except Refused as refused:
        # Claims differ by their day, and the answer is text.
        if refused.reason is not BankReason.CLAIMED_ALREADY:
            raise
        raise Stale from refused
