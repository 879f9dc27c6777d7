"""Promise 1: chips are never created or destroyed. All of a server's chips are what its players were given."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model.hands import HandState
from bot.model.ids import GuildId, Player, TableKey
from bot.model.refusals import Stale
from bot.model.tables import TableState
from bot.pure.ofc.presets import CHINESE
from bot.pure.ofc.refusals import Refused
from tests.play.world import ANN, BOB, CLEO, DAN, GUILD, OTHER_GUILD, FixedVault, World

PEOPLE = (ANN, BOB, CLEO, DAN)
BOARD = "FFFMMMMMBBBBB"


@dataclass
class Purse:
    """The model: who has how much, in plain dictionaries, kept from what the bot answers."""

    given: Counter[GuildId] = field(default_factory=Counter)
    wallets: dict[tuple[GuildId, Player], int] = field(default_factory=dict)
    stacks: dict[tuple[TableKey, Player], int] = field(default_factory=dict)

    def sit_down(self, key: TableKey, player: Player, chips: int, *, grant: int) -> None:
        """A newcomer is given their grant; then the buy-in goes to the table."""
        wallet = key.guild, player
        if wallet not in self.wallets:
            self.wallets[wallet] = grant
            self.given[key.guild] += grant
        self.wallets[wallet] -= chips
        self.stacks[key, player] = chips
        assert self.wallets[wallet] >= 0

    def stand_up(self, key: TableKey, player: Player) -> None:
        """The stack goes home."""
        self.wallets[key.guild, player] += self.stacks.pop((key, player))


class Evening:
    """Random play, step by step next to the model."""

    def __init__(self, world: World, chance: Random) -> None:
        self.world = world
        self.chance = chance
        self.purse = Purse()
        self.keys: list[TableKey] = []
        self.settled: set[tuple[TableKey, int]] = set()

    async def step(self) -> None:
        """Do a random action."""
        key = self.chance.choice(self.keys) if self.keys and self.chance.random() < 0.9 else None
        if key is not None and self.chance.random() < 0.03:
            await self.world.play.close(key, reason="closed_by_admin")
        with suppress(Refused, Stale):
            await self._act(key, self.chance.choice(PEOPLE))
        await self.follow()

    async def _act(self, key: TableKey | None, player: Player) -> None:
        if key is None:
            await self.open(player)
            return
        match self.chance.choice(["join", "join", "leave", "start", "place", "place", "wait"]):
            case "join":
                await self.world.join(key, player)
            case "leave":
                await self.world.leave(key, player)
            case "start":
                await self.world.start(key)
            case "place":
                await self.place_cards(key)
            case _:
                await self.world.later(self.chance.choice((12_000, 60_000, 120_000)))

    async def open(self, player: Player) -> None:
        """A table is opened."""
        point_value = self.chance.choice((5, 50))
        guild = self.chance.choice((GUILD, OTHER_GUILD))
        buy_in = point_value * self.chance.choice((20, 60))
        key = await self.world.table(player, guild=guild, variant=CHINESE, point_value=point_value, buy_in=buy_in)
        self.keys.append(key)

    async def place_cards(self, key: TableKey) -> None:
        """All who have to place do so, in any order of their cards."""
        view = await self.world.play.look(key)
        for player in view.waiting:
            board = "".join(self.chance.sample(BOARD, len(BOARD)))
            await self.world.play.place_cards(
                key, player, hand_no=view.table.hand_no, street=1, rows=board, cause=self.world.cause()
            )

    async def follow(self) -> None:
        """Bring the model up to the tables: hands that were settled, who came and who went."""
        for key in self.keys:
            view = await self.world.play.look(key)
            await self._settle(key, view.table.hand_no)
            seated = {place.seat.player for place in view.places}
            for player in [player for table, player in self.purse.stacks if table == key and player not in seated]:
                self.purse.stand_up(key, player)
            for player in seated:
                if (key, player) not in self.purse.stacks:
                    self.purse.sit_down(key, player, view.table.terms.buy_in, grant=self.world.policy.start_chips)
        self.keys = [key for key in self.keys if (await self.world.play.look(key)).table.state is not TableState.CLOSED]

    async def _settle(self, key: TableKey, last: int) -> None:
        for hand_no in range(1, last + 1):
            if (key, hand_no) in self.settled:
                continue
            if (await self.world.record(key, hand_no)).state is HandState.PLAYING:
                continue
            self.settled.add((key, hand_no))
            results = (await self.world.play.result(key, hand_no)).results
            assert sum(result.chips for result in results) == 0
            for result in results:
                self.purse.stacks[key, result.player] += result.chips
                assert self.purse.stacks[key, result.player] >= 0

    def check(self) -> None:
        """Check that stored balances match the model and the ledger, and that no chips came from nothing."""
        rows = self.world.ask("SELECT account_id, guild_id, kind, table_id, owner, balance FROM account")
        balances = {row[0]: row[5] for row in rows}
        told: Counter[int] = Counter()
        for payer, payee, amount in self.world.ask("SELECT payer, payee, amount FROM transfer ORDER BY transfer_id"):
            told[payer] -= amount
            told[payee] += amount
        assert balances == {account: told[account] for account in balances}
        wallets = {(row[1], row[4]): row[5] for row in rows if row[2] == "wallet"}
        stacks = {(row[1], row[3], row[4]): row[5] for row in rows if row[2] == "seat" and row[5]}
        assert wallets == self.purse.wallets
        assert stacks == {
            (k.guild, k.table, player): chips for (k, player), chips in self.purse.stacks.items() if chips
        }
        for guild in (GUILD, OTHER_GUILD):
            there = sum(row[5] for row in rows if row[1] == guild and row[2] != "mint")
            assert there == self.purse.given[guild]


async def _evening(folder: Path, seed: int) -> int:
    world = World(folder, fixed=FixedVault([b"k" * 32]))
    await world.open()
    evening = Evening(world, Random(seed))
    for _ in range(60):
        await evening.step()
        evening.check()
    world.check_books()
    await world.close()
    return len(evening.settled)


@settings(max_examples=20, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_promise_1_chips_are_never_created_or_destroyed(seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_evening(Path(folder), seed))


def test_promise_1_is_tried_with_hands_that_move_chips(tmp_path: Path) -> None:
    settled = 0
    for seed in range(4):
        (tmp_path / str(seed)).mkdir()
        settled += asyncio.run(_evening(tmp_path / str(seed), seed))
    assert settled > 4
