"""Chips: neither created nor lost, in the ledger after every step, and paid once."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.model.ids import Player, TableKey
from bot.model.reasons import BankReason
from bot.play.session.policy import Policy
from bot.pure.ofc.presets import CLASSIC
from bot.pure.ofc.settlement import Payment, Stakes, settle
from tests.databases import REFUSED
from tests.play.world import ANN, BOB, CLEO, DAN, GUILD, OTHER_GUILD, FixedVault, World, best, entering


async def chips(world: World, player: Player) -> int:
    return await world.play.wallet(GUILD, player)


async def test_the_books_are_in_order_after_every_step_of_a_long_game(world: World) -> None:
    tables = [
        await world.table(ANN, BOB, CLEO, buy_in=400),
        await world.table(DAN, ANN, variant=CLASSIC, buy_in=300),
        await world.table(BOB, CLEO, point_value=0, buy_in=0),
        await world.table(ANN, BOB, guild=OTHER_GUILD),
    ]
    for key in tables:
        await world.start(key)
    for step in range(160):
        key = tables[step % 4]
        view = await world.play.look(key)
        if view.waiting:
            await world.place_cards(key, view.waiting[0])
        elif view.table.open and view.next_hand_at:
            await world.next_hand(key)
        elif view.table.open:
            await world.join(key, CLEO if view.place_of(CLEO) is None else BOB)
            await world.start(key)
        world.check_books()
        assert sum(world.balances("wallet").values()) + sum(world.balances("seat").values()) == 40_000
    assert len(world.ask("SELECT 1 FROM hand WHERE state = 'settled'")) > 5
    assert len(world.ask("SELECT 1 FROM transfer WHERE kind = 'hand'")) > 2


async def test_a_newcomer_is_granted_his_chips_once_in_each_server(world: World) -> None:
    for _ in range(3):
        assert await chips(world, ANN) == 10_000
    key = await world.table(ANN)
    await world.leave(key, ANN)
    await world.table(ANN, guild=OTHER_GUILD)
    rows = world.ask("SELECT guild_id, amount, cause FROM transfer WHERE kind = 'grant'")
    assert rows == [(GUILD, 10_000, f"grant:{ANN}"), (OTHER_GUILD, 10_000, f"grant:{ANN}")]
    assert world.balances("mint") == {"": -10_000}


async def test_a_house_that_grants_nothing_is_no_trouble(world: World) -> None:
    poor = World(world.folder / "poor", policy=Policy(start_chips=0), fixed=FixedVault([b"p" * 32]))
    await poor.open()
    assert await poor.play.wallet(GUILD, ANN) == 0
    assert await poor.play.wallet(GUILD, ANN) == 0
    await poor.started(ANN, BOB, point_value=0)
    poor.check_books()
    await poor.close()


async def test_a_hand_pays_what_the_rules_say_with_one_transfer_a_pair(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO, point_value=10, buy_in=500)
    plans = await world.rig(key, lambda hand: len(set(hand.score.points)) == 3, strategies={ANN: best, CLEO: best})
    await world.start(key)
    await world.play_hand(key, plans)
    hand = await world.replayed(key, 1)
    owed = settle(hand.score, stacks=[500] * 3, button=hand.button, stakes=Stakes(point_value=10))
    rows = world.ask(
        "SELECT p.owner, q.owner, t.amount, t.cause FROM transfer t JOIN account p ON p.account_id = t.payer"
        " JOIN account q ON q.account_id = t.payee WHERE t.kind = 'hand' ORDER BY t.transfer_id"
    )
    names = (ANN, BOB, CLEO)
    assert rows == [(names[p.payer], names[p.payee], p.chips, "hand:1:1") for p in owed]
    assert all(isinstance(payment, Payment) and payment.chips > 0 for payment in owed)


async def test_who_leaves_takes_what_is_in_front_of_him(world: World) -> None:
    key = await world.table(ANN, BOB)
    plans = await world.rig(key, lambda hand: not entering(hand) and hand.score.points[0] > 0, strategies={ANN: best})
    await world.start(key)
    await world.play_hand(key, plans)
    won = (await world.play.result(key, 1)).results[0].chips
    assert won > 0
    await world.leave(key, ANN)
    await world.next_hand(key)
    assert await chips(world, ANN) == 10_000 + won
    await world.leave(key, BOB)
    assert await chips(world, BOB) == 10_000 - won


async def test_joining_and_leaving_again_and_again_moves_chips_each_time(world: World) -> None:
    key = await world.table(ANN)
    for _ in range(3):
        await world.join(key, BOB)
        assert await chips(world, BOB) == 9_000
        await world.leave(key, BOB)
        assert await chips(world, BOB) == 10_000
    kinds = world.ask(
        "SELECT t.kind FROM transfer t JOIN account a ON a.account_id IN (t.payer, t.payee)"
        " WHERE a.owner = ? AND a.kind = 'wallet' ORDER BY transfer_id",
        BOB,
    )
    assert [kind for (kind,) in kinds] == ["grant"] + ["buy_in", "cash_out"] * 3


async def test_the_history_of_a_wallet_tells_what_it_gave_and_got_and_adds_up(world: World) -> None:
    key = await world.table(ANN, BOB)
    plans = await world.rig(key, lambda hand: hand.score.points[0] > 0 and not entering(hand), strategies={ANN: best})
    await world.start(key)
    await world.play_hand(key, plans)
    won = (await world.play.result(key, 1)).results[0].chips
    await world.leave(key, ANN)
    await world.next_hand(key)
    moves = await world.play.history(GUILD, ANN, limit=10)
    assert [(m.kind, m.chips, m.table) for m in moves] == [
        ("cash_out", 1000 + won, 1),
        ("buy_in", -1000, 1),
        ("grant", 10_000, None),
    ]
    assert sum(m.chips for m in moves) == await chips(world, ANN)
    assert await world.play.history(GUILD, ANN, limit=2) == moves[:2]
    assert await world.play.history(GUILD, ANN, limit=2, skip=1) == moves[1:]
    assert await world.play.history(OTHER_GUILD, ANN, limit=10) == []


async def test_what_is_at_a_table_cannot_be_spent_elsewhere(world: World) -> None:
    await world.started(ANN, BOB, buy_in=6_000)
    assert await chips(world, ANN) == 4_000
    await world.table(ANN, buy_in=4_000)
    assert await chips(world, ANN) == 0


# refusals by the database itself


@contextmanager
def refused_by_the_database(world: World, why: str) -> Iterator[None]:
    before = world.dump()
    with pytest.raises(REFUSED, match=f"(?i){why}"):
        yield
    assert world.dump() == before


@pytest.mark.parametrize("table", ["transfer", "table_log"])
async def test_log_and_ledger_are_final(world: World, table: str) -> None:
    key = await world.started(ANN, BOB)
    await world.play_street(key)
    for sql in (f"DELETE FROM {table}", f"UPDATE {table} SET at = 0"):
        with refused_by_the_database(world, "are final"):
            world.do(sql)


async def settled(world: World) -> TableKey:
    key = await world.table(ANN, BOB)
    plans = await world.rig(key, lambda hand: hand.score.points[0] > 0, strategies={ANN: best})
    await world.start(key)
    await world.play_hand(key, plans)
    assert len(world.ask("SELECT 1 FROM transfer WHERE kind = 'hand'")) == 1
    return key


async def test_a_hand_cannot_be_paid_a_second_time(world: World) -> None:
    await settled(world)
    columns = "guild_id, payer, payee, amount, kind, table_id, hand_no, cause, at"
    with refused_by_the_database(world, "UNIQUE"):
        world.do(f"INSERT INTO transfer ({columns}) SELECT {columns} FROM transfer WHERE kind = 'hand'")
    with refused_by_the_database(world, "UNIQUE"):
        world.do("INSERT INTO result SELECT * FROM result")


async def test_no_account_but_the_mint_goes_below_nothing(world: World) -> None:
    await settled(world)
    columns = "guild_id, payer, payee, amount, kind, cause, at"
    with refused_by_the_database(world, "account_never_negative"):
        world.do(
            f"INSERT INTO transfer ({columns}) SELECT guild_id, payer, payee, 100001, 'gift', 'x', 0"
            " FROM transfer WHERE kind = 'buy_in' LIMIT 1"
        )


async def test_a_settled_hand_stays_settled_whatever_happens_then(world: World) -> None:
    key = await settled(world)
    before = world.ask("SELECT * FROM transfer WHERE kind = 'hand'"), world.ask("SELECT * FROM result")
    await world.play.close(key, reason="closed_by_admin")
    await world.restart(after_ms=10**7)
    await world.later(10**7)
    assert (world.ask("SELECT * FROM transfer WHERE kind = 'hand'"), world.ask("SELECT * FROM result")) == before


async def test_where_the_books_do_not_balance_nobody_brings_chips(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    key = await world.table(ANN)
    assert await world.clock.audit_books() == frozenset()
    world.do("UPDATE account SET balance = balance + 5 WHERE kind = 'wallet' AND owner = ?", ANN)
    assert await world.clock.audit_books() == {GUILD}
    assert "do not balance" in caplog.text
    with world.refuses(BankReason.BOOKS_WRONG):
        await world.join(key, BOB)
    await world.table(BOB, point_value=0)
    await world.table(BOB, guild=OTHER_GUILD)
    world.do("UPDATE account SET balance = balance - 5 WHERE kind = 'wallet' AND owner = ?", ANN)
    assert await world.clock.audit_books() == frozenset()
    await world.join(key, BOB)


async def test_of_several_processes_one_looks_at_the_books_and_the_others_read_what_it_found(world: World) -> None:
    await world.table(ANN)
    world.do("UPDATE account SET balance = balance + 5 WHERE kind = 'wallet' AND owner = ?", ANN)
    assert await world.clock.audit_books(leads=False) == frozenset()
    assert await world.clock.audit_books() == {GUILD}
    world.do("UPDATE account SET balance = balance - 5 WHERE kind = 'wallet' AND owner = ?", ANN)
    assert await world.clock.audit_books(leads=False) == {GUILD}
    assert await world.clock.audit_books() == frozenset()
    assert await world.clock.audit_books(leads=False) == frozenset()
