"""The ledger: transfers tell every balance, and the database refuses what must not be."""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.model.bank import Movement
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.store.opening import Place, open_database
from bot.store.storage import Database, SqlStorage
from bot.store.transaction import Tx
from tests.databases import REFUSED, TWICE, ask, do, place_in

pytestmark = pytest.mark.on_both

GUILD, OTHER_GUILD = GuildId(7), GuildId(8)
KEY = TableKey(guild=GUILD, table=TableId(1))
SECOND = TableKey(guild=GUILD, table=TableId(2))
FOREIGN = TableKey(guild=OTHER_GUILD, table=TableId(1))
ANN, BOB, CLEO = Player("1"), Player("2"), Player("3")


class Ledger:
    """A storage whose chips are looked at."""

    def __init__(self, place: Place, database: Database[Any]) -> None:
        self.place = place
        self.database = database
        self.storage = SqlStorage(database)

    async def do(self, *jobs: Callable[[Tx], None]) -> None:
        """Do things in one transaction."""

        def job(tx: Tx) -> None:
            for one in jobs:
                one(tx)

        await self.storage.write(job)

    async def wallet(self, player: Player, guild: GuildId = GUILD) -> int:
        """Chips outside tables."""
        return await self.storage.read(lambda tx: tx.ledger.wallet(guild, player))

    async def stack(self, player: Player, key: TableKey = KEY) -> int:
        """Chips at a table."""
        return await self.storage.read(lambda tx: tx.ledger.stack(key, player))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Query the database."""
        return ask(self.place, sql)

    def rebuilt(self) -> dict[int, int]:
        """Return the balances computed from the transfers only."""
        told: Counter[int] = Counter({number: 0 for (number,) in self.rows("SELECT account_id FROM account")})
        for payer, payee, amount in self.rows("SELECT payer, payee, amount FROM transfer"):
            told[payer] -= amount
            told[payee] += amount
        return dict(told)

    def balances(self) -> dict[int, int]:
        """Balances as they are kept."""
        return dict(self.rows("SELECT account_id, balance FROM account"))


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncIterator[Ledger]:
    """An empty ledger."""
    place = place_in(tmp_path)
    database = await open_database(place)
    yield Ledger(place, database)
    await database.close()


def grant(player: Player, chips: int, *, guild: GuildId = GUILD, cause: str = "g") -> Callable[[Tx], None]:
    """The mint pays."""
    return lambda tx: tx.ledger.grant(guild, player, chips, cause=f"{cause}:{player}", at=1)


def buy_in(player: Player, chips: int, *, key: TableKey = KEY, cause: str = "b") -> Callable[[Tx], None]:
    """From the wallet to the stack."""
    return lambda tx: tx.ledger.buy_in(key, player, chips, cause=cause, at=2)


def cash_out(player: Player, chips: int, *, key: TableKey = KEY, cause: str = "c") -> Callable[[Tx], None]:
    """From the stack to the wallet."""
    return lambda tx: tx.ledger.cash_out(key, player, chips, cause=cause, at=3)


def pay(payer: Player, payee: Player, chips: int, *, hand_no: int = 1, key: TableKey = KEY) -> Callable[[Tx], None]:
    """From stack to stack."""
    return lambda tx: tx.ledger.pay(key, payer=payer, payee=payee, chips=chips, hand_no=hand_no, at=4)


@pytest.fixture
async def seated(ledger: Ledger) -> Ledger:
    """Ann and Bob with 1000 chips each, 400 of them at the table."""
    await ledger.do(grant(ANN, 1000), grant(BOB, 1000), buy_in(ANN, 400), buy_in(BOB, 400))
    return ledger


async def test_chips_go_from_the_mint_to_wallets_to_stacks_and_back(seated: Ledger) -> None:
    await seated.do(pay(ANN, BOB, 150))
    assert (await seated.stack(ANN), await seated.stack(BOB)) == (250, 550)
    await seated.do(cash_out(BOB, 550))
    assert (await seated.wallet(ANN), await seated.wallet(BOB)) == (600, 1150)
    assert seated.balances() == seated.rebuilt()
    assert sum(seated.balances().values()) == 0
    assert seated.rows("SELECT balance FROM account WHERE kind = 'mint'") == [(-2000,)]


async def test_a_wallet_exists_once_it_was_granted_even_without_chips(ledger: Ledger) -> None:
    assert not await ledger.storage.read(lambda tx: tx.ledger.has_wallet(GUILD, ANN))
    await ledger.do(grant(ANN, 0))
    assert await ledger.storage.read(lambda tx: tx.ledger.has_wallet(GUILD, ANN))
    assert not await ledger.storage.read(lambda tx: tx.ledger.has_wallet(OTHER_GUILD, ANN))
    assert ledger.rows("SELECT * FROM transfer") == []


async def test_whoever_is_unknown_has_nothing(ledger: Ledger) -> None:
    assert (await ledger.wallet(ANN), await ledger.stack(ANN)) == (0, 0)
    assert ledger.rows("SELECT * FROM account") == []


async def test_each_guild_and_each_table_has_its_own_chips(ledger: Ledger) -> None:
    await ledger.do(grant(ANN, 1000), grant(ANN, 50, guild=OTHER_GUILD), buy_in(ANN, 300), buy_in(ANN, 200, key=SECOND))
    assert (await ledger.wallet(ANN), await ledger.wallet(ANN, OTHER_GUILD)) == (500, 50)
    assert [await ledger.stack(ANN, key) for key in (KEY, SECOND, FOREIGN)] == [300, 200, 0]


@pytest.mark.parametrize(
    ("job", "why"),
    [
        (buy_in(ANN, 601, cause="x"), "account_never_negative"),
        (cash_out(ANN, 401), "account_never_negative"),
        (pay(ANN, BOB, 401), "account_never_negative"),
        (pay(CLEO, BOB, 1), "account_never_negative"),
        (pay(ANN, BOB, 0), "transfer_positive"),
        (pay(ANN, BOB, -5), "transfer_positive"),
        (pay(ANN, ANN, 5), "transfer_not_to_oneself"),
        (buy_in(ANN, 100), TWICE),
        (grant(ANN, 1000), TWICE),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_the_database_refuses_what_must_not_be(seated: Ledger, job: Callable[[Tx], None], why: str) -> None:
    before = seated.balances(), seated.rows("SELECT * FROM transfer")
    with pytest.raises(REFUSED, match=why):
        await seated.do(job)
    assert (seated.balances(), seated.rows("SELECT * FROM transfer")) == before


async def test_a_pair_settles_a_hand_once(seated: Ledger) -> None:
    await seated.do(pay(ANN, BOB, 10))
    with pytest.raises(REFUSED, match=TWICE):
        await seated.do(pay(ANN, BOB, 10))
    await seated.do(pay(ANN, BOB, 10, hand_no=2))
    assert await seated.stack(ANN) == 380


async def test_what_followed_a_hand_at_once_was_not_there_before_it(seated: Ledger) -> None:
    """The clock plays a hand of people who are away to its end at the instant of its deal, which is 3 here."""
    before = {ANN: 400, BOB: 400}
    assert await stacks_before(seated, 1) == before
    await seated.do(pay(ANN, BOB, 400), cash_out(BOB, 800))
    assert await stacks_before(seated, 1) == before
    await seated.do(lambda tx: tx.ledger.buy_in(KEY, ANN, 300, cause="again", at=3), pay(ANN, BOB, 100, hand_no=2))
    assert await stacks_before(seated, 1) == before
    assert await stacks_before(seated, 2) == {ANN: 300, BOB: 800}


async def test_who_leaves_at_once_after_a_hand_without_points_was_dealt_in(seated: Ledger) -> None:
    await seated.do(cash_out(BOB, 400))
    assert await stacks_before(seated, 1) == {ANN: 400, BOB: 400}


async def stacks_before(ledger: Ledger, hand_no: int) -> dict[Player, int]:
    """The stacks when a hand was dealt at 3."""
    return await ledger.storage.read(lambda tx: tx.ledger.stacks_before(KEY, hand_no, at=3))


async def test_a_settlement_that_fails_halfway_has_paid_nobody(seated: Ledger) -> None:
    with pytest.raises(REFUSED):
        await seated.do(pay(ANN, BOB, 10), pay(BOB, ANN, 10_000))
    assert (await seated.stack(ANN), await seated.stack(BOB)) == (400, 400)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM transfer",
        "DELETE FROM transfer WHERE kind = 'buy_in'",
        "UPDATE transfer SET amount = 1",
        "UPDATE transfer SET at = at",
    ],
)
async def test_transfers_are_final(seated: Ledger, sql: str) -> None:
    with pytest.raises(REFUSED, match="transfers are final"):
        do(seated.place, sql)
    assert seated.balances() == seated.rebuilt()


@pytest.mark.parametrize("sql", ["DELETE FROM table_log", "UPDATE table_log SET payload = '{}'"])
async def test_events_are_final(ledger: Ledger, sql: str) -> None:
    await ledger.do(lambda tx: tx.hands.note(KEY, "opened", hand_no=0, actor=ANN, cause="o", at=1))
    with pytest.raises(REFUSED, match="events are final"):
        do(ledger.place, sql)


async def test_the_history_tells_what_came_and_went_newest_first(seated: Ledger) -> None:
    await seated.do(pay(ANN, BOB, 10), pay(BOB, ANN, 25, hand_no=2), cash_out(ANN, 415))
    history = await seated.storage.read(lambda tx: tx.ledger.history(GUILD, ANN, limit=9, skip=0))
    assert history == [
        Movement(chips=415, kind="cash_out", at=3, table=KEY.table),
        Movement(chips=-400, kind="buy_in", at=2, table=KEY.table),
        Movement(chips=1000, kind="grant", at=1, table=None),
    ]
    assert await seated.storage.read(lambda tx: tx.ledger.history(GUILD, ANN, limit=2, skip=1)) == history[1:3]
    assert await seated.storage.read(lambda tx: tx.ledger.history(GUILD, CLEO, limit=9, skip=0)) == []
    assert await seated.storage.read(lambda tx: tx.ledger.history(OTHER_GUILD, ANN, limit=9, skip=0)) == []


async def test_the_movements_of_a_player_are_the_change_of_his_chips(seated: Ledger) -> None:
    await seated.do(pay(ANN, BOB, 70), cash_out(ANN, 330), cash_out(BOB, 470))
    for player, chips in ((ANN, 930), (BOB, 1070)):
        moves = await seated.storage.read(lambda tx, player=player: tx.ledger.history(GUILD, player, limit=99, skip=0))  # type: ignore[misc]
        assert sum(move.chips for move in moves if move.kind != "hand") == chips
        assert await seated.wallet(player) == chips


async def test_large_numbers_of_chips_stay_exact(ledger: Ledger) -> None:
    much = 2**53 + 1
    await ledger.do(grant(ANN, much), grant(BOB, 1), buy_in(ANN, much), buy_in(BOB, 1), pay(ANN, BOB, much - 1))
    assert (await ledger.stack(ANN), await ledger.stack(BOB)) == (1, much)
    assert ledger.balances() == ledger.rebuilt()


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_whatever_is_paid_the_ledger_agrees_with_a_simple_count(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    chance = Random(seed)
    place = place_in(tmp_path_factory.mktemp("ledger"))
    database = await open_database(place)
    ledger = Ledger(place, database)
    chips: Counter[tuple[str, Player]] = Counter()
    for number in range(40):
        player, other = chance.sample([ANN, BOB, CLEO], 2)
        amount = chance.randint(-1, 60)
        moves = {
            "grant": (("mint", Player("")), ("wallet", player), grant(player, amount, cause=f"{number}")),
            "buy_in": (("wallet", player), ("stack", player), buy_in(player, amount, cause=f"{number}")),
            "cash_out": (("stack", player), ("wallet", player), cash_out(player, amount, cause=f"{number}")),
            "pay": (("stack", player), ("stack", other), pay(player, other, amount, hand_no=number)),
        }
        payer, payee, job = moves[chance.choice(list(moves))]
        allowed = amount > 0 and (payer[0] == "mint" or chips[payer] >= amount)
        if allowed:
            chips[payer] -= amount
            chips[payee] += amount
            await ledger.do(job)
        elif not (payer[0] == "mint" and amount == 0):
            with pytest.raises(REFUSED):
                await ledger.do(job)
    for player in (ANN, BOB, CLEO):
        assert await ledger.wallet(player) == chips["wallet", player]
        assert await ledger.stack(player) == chips["stack", player]
    assert ledger.balances() == ledger.rebuilt()
    assert sum(chips.values()) == 0
    await database.close()


@pytest.mark.of_sqlite
@pytest.mark.parametrize("name", ["transfer", "table_log"])
async def test_a_row_that_is_final_cannot_be_replaced_either(ledger: Ledger, name: str) -> None:
    def note(tx: Tx) -> None:
        tx.hands.note(KEY, "opened", hand_no=0, actor=ANN, cause="press", at=1)

    await ledger.do(grant(ANN, 100), note)
    before, balances = ledger.rows(f"SELECT * FROM {name}"), ledger.balances()
    with pytest.raises(REFUSED, match="are final"):
        await ledger.database.write(lambda sql: sql.execute(f"REPLACE INTO {name} SELECT * FROM {name}"))
    assert ledger.rows(f"SELECT * FROM {name}") == before
    assert ledger.balances() == balances
