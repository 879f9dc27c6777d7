"""Promise 2: a hand is settled exactly once, however often and by whichever caller it's tried."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from pathlib import Path

import pytest

from bot.model.hands import HandState
from bot.model.refusals import Stale
from bot.model.tables import Table
from bot.pure.ofc.presets import CHINESE
from bot.run.wiring import build_core
from bot.store import StoreBusyError
from bot.store.opening import open_database
from bot.store.storage import SqlStorage
from tests.crash.fork_server import NEVER, fork_server
from tests.crash.going_on import start_again, take_again
from tests.crash.outliving import worth_a_kill
from tests.crash.script import KEY
from tests.databases import REFUSED
from tests.play.world import ANN, BOB, FixedVault, World

LAST_PLACEMENT = 13
"""The step of the game of tests/crash that ends its first hand."""


def check_settled_once(world: World, *, players: int) -> None:
    """One result for each player, one payment at most for each pair, one message."""
    assert world.ask("SELECT COUNT(*) FROM result") == [(players,)]
    assert not world.ask("SELECT 1 FROM transfer WHERE kind = 'hand' GROUP BY payer, payee HAVING COUNT(*) > 1")
    assert world.ask("SELECT COUNT(*) FROM outbox WHERE kind = 'result'") == [(1,)]
    assert world.ask("SELECT COUNT(*) FROM table_log WHERE kind = 'hand_ended'") == [(1,)]
    world.check_books()


@pytest.mark.on_both
async def test_promise_2_however_many_presses_end_the_hand_in_one_moment(tmp_path: Path) -> None:
    """Two bots' worth of use cases over one database, each with the same press and with others, and the clock."""
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    key = await world.started(ANN, BOB, variant=CHINESE)
    await world.place_cards(key, ANN)
    letters = await world.letters(key, BOB)
    other = build_core(SqlStorage(world.database), world.vault, policy=world.policy, now_ms=lambda: world.now)
    await other.timekeeper.resume()
    world.now += 10 * 60_000
    tries = [
        play.place_cards(key, BOB, hand_no=1, street=1, rows=letters, cause=f"press {number}")
        for number in (1, 1, 2, 3)
        for play in (world.play, other.play)
    ]
    answers = await asyncio.gather(*tries, world.clock.tick(), other.timekeeper.tick(), return_exceptions=True)
    assert len([answer for answer in answers if isinstance(answer, Table)]) <= 1
    assert all(isinstance(answer, Table | Stale | None) for answer in answers)
    assert (await world.record(key, 1)).state is HandState.SETTLED
    check_settled_once(world, players=2)
    await world.close()


@pytest.mark.on_both
async def test_promise_2_what_settles_a_hand_cannot_be_written_again(tmp_path: Path) -> None:
    """Even past the use cases: the tables themselves refuse it."""
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    key = await world.table(ANN, BOB)
    await world.rig(key, lambda hand: any(hand.score.points))
    await world.start(key)
    await world.play_hand(key)
    storage = SqlStorage(world.database)
    results = (await world.play.result(key, 1)).results
    (payment,) = world.ask(
        "SELECT p.owner, q.owner, amount FROM transfer JOIN account p ON p.account_id = payer"
        " JOIN account q ON q.account_id = payee WHERE transfer.kind = 'hand'"
    )
    before = world.dump()
    with pytest.raises(REFUSED):
        await storage.write(lambda tx: tx.results.add(key, 1, results, at=world.now))
    with pytest.raises(REFUSED, match=r"transfer\.guild_id, transfer\.cause|transfer_once"):
        await storage.write(
            lambda tx: tx.ledger.pay(key, payer=payment[0], payee=payment[1], chips=payment[2], hand_no=1, at=world.now)
        )
    with pytest.raises(StoreBusyError):
        await open_database(world.place)
    assert world.dump() == before
    check_settled_once(world, players=2)
    await world.close()


@pytest.mark.of_sqlite
@pytest.mark.skipif(os.name != "posix", reason="the process kills itself by a signal")
@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.deep)])
async def test_promise_2_after_a_kill_anywhere_in_the_settlement(tmp_path: Path, every: int) -> None:
    with fork_server() as ready:
        before = tmp_path / "before"
        before.mkdir()
        ready.play(before, first=0, last=LAST_PLACEMENT - 1, kill_at=NEVER)
        whole = ready.play(_copy(before, tmp_path), first=LAST_PLACEMENT, last=LAST_PLACEMENT, kill_at=NEVER)
        for kill_at in worth_a_kill(whole.points, every=every):
            child = ready.play(_copy(before, tmp_path), first=LAST_PLACEMENT, last=LAST_PLACEMENT, kill_at=kill_at)
            assert child.signal == signal.SIGKILL
            world = await start_again(tmp_path / "game", acknowledged=range(LAST_PLACEMENT))
            for _ in range(2):
                await take_again(world, LAST_PLACEMENT)
            assert (await world.record(KEY, 1)).state is HandState.SETTLED
            check_settled_once(world, players=2)
            await world.close()


def _copy(before: Path, folder: Path) -> Path:
    shutil.rmtree(folder / "game", ignore_errors=True)
    return Path(shutil.copytree(before, folder / "game"))
