"""A house to play in: the real service over a real SQLite file, the real vault, and a clock that a test moves."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from typing_extensions import override

from bot.base.solver_data import load_arrays
from bot.model.clock import Clock, Pace
from bot.model.hands import HandRecord, HandState, hand_id
from bot.model.ids import COMPUTERS as ALL_COMPUTERS
from bot.model.ids import GuildId, Player, TableKey, is_computer
from bot.model.refusals import Stale
from bot.model.tables import DEFAULT_LIMITS, Limits, Seat, Table, TableState, Terms
from bot.play.api.daily import DailyHands
from bot.play.api.events import Events
from bot.play.api.play import Play
from bot.play.api.privacy import PersonalData
from bot.play.api.server import Bank, Bulletins, Matchmaking, Seating
from bot.play.api.timekeeper import Timekeeper
from bot.play.api.transactions import Transactions
from bot.play.queries.views import TableView
from bot.play.session import decks
from bot.play.session.policy import Policy
from bot.play.session.workers import Placer
from bot.play.table.lobby import TableOffer
from bot.play.trainer.mistake_use_cases import Mistakes
from bot.play.trainer.use_cases import Trainer
from bot.pure.ofc.cards import DISCARD, EMPTY, Card, RowCards
from bot.pure.ofc.deck import DealInputs, Entropy, deal_deck
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, decide, evolve
from bot.pure.ofc.hand import start as start_hand
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.possible_futures import choose_placement
from bot.run.wiring import Core, build_core
from bot.store import StoreUnavailableError
from bot.store.beat_mark import BeatMark
from bot.store.opening import Place
from bot.store.postgres.database import WRITERS, PostgresDatabase
from bot.store.sqlite.database import BUSY_SECONDS, MIGRATIONS, SqliteDatabase
from bot.store.sqlite.driver import Connect
from bot.store.storage import Database, SqlStorage
from bot.store.vault import SeedVault
from tests.databases import Dump, Eyes, do, eyes_on, hurried, place_in
from tests.pure.ofc.games import replay
from tests.states import watch_states

GUILD, OTHER_GUILD = GuildId(700), GuildId(701)
CHANNEL = 70
ANN, BOB, CLEO, DAN, EVE = (Player(str(number)) for number in (1001, 1002, 1003, 1004, 1005))
"""Seat 0 is Ann's wherever she opens the table; Eve is a stranger unless she is asked in."""
START = 1_800_000_000_000
"""The clock's start, in milliseconds."""

MOVED_BY_OUTAGES = {"due_at", "deadline", "remind_at", "stood_still", "drawn_version"}
COMPUTERS = Computers(load_arrays, evaluators=1)
BOARDS = 12
"""Boards that :func:`quickly` completes per decision."""
CLUB = ALL_COMPUTERS[Level.CLUB]
"""The computer players of a table, where a test asks for no others."""
PER_TURN = Clock(pace=Pace.PER_TURN, seconds=60)

Plans = Mapping[Player, Sequence[str]]
"""Each player's placements, street by street. Other players are placed for as at a timeout."""
Strategy = Callable[[Variant, int, Sequence[Sequence[Card]]], list[str]]
"""Plans a hand for a player who knows all cards to come. The number is that of their Fantasyland cards, or 0."""


class FixedVault(SeedVault):
    """The vault with seeds that are the same in every run."""

    _drawn = 0

    @override
    def new_seed(self) -> bytes:
        """The next of a fixed row of seeds."""
        self._drawn += 1
        return hashlib.sha256(f"seed {self._drawn}".encode()).digest()


@lru_cache(maxsize=2048)
def _chosen(view: HandView) -> str:
    """Most tests play the same hands, from the same seeds."""
    return choose_placement(view, boards=BOARDS)


async def quickly(view: HandView) -> str:
    """Place well in little time, for tests that can't wait for a master."""
    return _chosen(view)


def plain(variant: Variant, fantasyland: int, streets: Sequence[Sequence[Card]]) -> list[str]:
    """Place as the clock places: back, middle, front, or the best board where all is set at once."""
    if fantasyland or variant.at_once:
        return best(variant, fantasyland, streets)
    letters, rows = [], EMPTY
    for rule, cards in zip(variant.streets, streets, strict=True):
        letters.append(automatic_placement(rows, cards, to_place=rule.to_place))
        rows = _grown(rows, cards, letters[-1])
    return letters


def best(variant: Variant, fantasyland: int, streets: Sequence[Sequence[Card]]) -> list[str]:
    """Place the board that earns most, with the last card of each street discarded."""
    if fantasyland:
        return [best_arrangement(variant, streets[0])]
    kept = [card for rule, cards in zip(variant.streets, streets, strict=True) for card in cards[: rule.to_place]]
    letters = iter(best_arrangement(variant, kept))
    return ["".join(next(letters) for _ in range(rule.to_place)) + DISCARD * rule.discard for rule in variant.streets]


def _grown(rows: RowCards, cards: Sequence[Card], letters: str) -> RowCards:
    front, middle, back = (
        row + tuple(card for card, letter in zip(cards, letters, strict=True) if letter == name)
        for name, row in zip("FMB", rows, strict=True)
    )
    return front, middle, back


def entering(hand: Hand) -> set[str]:
    """The players that an ended hand brings into Fantasyland, or keeps there."""
    boards = zip(hand.seats, hand.score.boards, strict=True)
    return {seat.player for seat, board in boards if board.next_fantasyland}


@dataclass
class World:
    """A bot's database, vault and service in a folder."""

    folder: Path
    policy: Policy = field(default_factory=Policy)
    fixed: SeedVault | None = None
    """A vault that is used instead of the key file's."""
    busy_seconds: float = BUSY_SECONDS
    trace: Callable[[str], None] | None = None
    """Called with the position of each database write."""
    patience_seconds: float = 0.0
    """Time for which a batched write waits for others, in seconds."""
    connect: Connect = hurried
    """Opens the database's connections."""
    migrations: Path = MIGRATIONS
    think: Placer = quickly
    """Plays the hands of a day like a master."""
    on_fatal: Callable[[StoreUnavailableError], None] | None = None
    """Called when the disk fails."""
    published: bool = False
    """True where a test shows the tables, and clocks wait for it."""
    now: int = START
    causes: Iterator[str] = field(default_factory=lambda: (str(number) for number in count(10**6)))
    database: Database[Any] = field(init=False)
    vault: SeedVault = field(init=False)
    core: Core = field(init=False)
    eyes: Eyes = field(init=False)
    """A reader independent of the bot's."""

    @property
    def path(self) -> Path:
        """The database's file. Tests that use it can't run on PostgreSQL."""
        assert isinstance(self.place, Path), "a test that is about the file of SQLite is to be marked of_sqlite"
        return self.place

    @property
    def place(self) -> Place:
        """The database."""
        return place_in(self.folder)

    @property
    def key_file(self) -> Path:
        """The vault's key."""
        return self.folder / "chaipo.key"

    @property
    def play(self) -> Play:
        """The use cases of tables."""
        return self.core.play

    @property
    def events(self) -> Events:
        """Those of events."""
        return self.core.events

    @property
    def seating(self) -> Seating:
        """Those of the seats of tables."""
        return self.core.seating

    @property
    def bank(self) -> Bank:
        """Those of the bank."""
        return self.core.bank

    @property
    def trainer(self) -> Trainer:
        """The use cases of puzzles."""
        return self.core.trainer

    @property
    def mistakes(self) -> Mistakes:
        """The use cases of *My mistakes*."""
        return self.core.mistakes

    @property
    def daily(self) -> DailyHands:
        """Those of the hands of a day."""
        return self.core.daily

    @property
    def bulletins(self) -> Bulletins:
        """The scheduled posts of servers."""
        return self.core.bulletins

    @property
    def privacy(self) -> PersonalData:
        """Those of people who ask what is kept about them."""
        return self.core.privacy

    @property
    def matchmaking(self) -> Matchmaking:
        """Those of players who look for others."""
        return self.core.matchmaking

    @property
    def clock(self) -> Timekeeper:
        """The timekeeper, which acts when no one does."""
        return self.core.timekeeper

    @property
    def sessions(self) -> Transactions:
        """The way behind the scenes: a function of a session is run as a use case is."""
        return self.core.transactions

    async def open(self) -> None:
        """Start the bot."""
        self.database = await self._opened()
        self.eyes = eyes_on(self.place)
        self.vault = self.fixed or FixedVault.open(self.key_file)
        self.core = build_core(
            SqlStorage(self.database),
            self.vault,
            policy=self.policy,
            now_ms=lambda: self.now,
            published=self.published,
            think=lambda view: self.think(view),
            mark=BeatMark(self.key_file),
        )
        await self.clock.resume()

    async def _opened(self) -> Database[Any]:
        if not isinstance(self.place, Path):
            return await PostgresDatabase.open(self.place, migrations=self.migrations, on_fatal=self.on_fatal)
        file = await SqliteDatabase.open(
            self.place,
            migrations=self.migrations,
            busy_seconds=self.busy_seconds,
            trace=self.trace,
            connect=self.connect,
            on_fatal=self.on_fatal,
            patience_seconds=self.patience_seconds,
        )
        # Only SQLite lets a connection see each step that it writes.
        self.seen_states = await file.write(watch_states)
        return file

    async def settle(self) -> None:
        """Wait until all that was asked of the database before has been done, also for those who no longer wait."""
        barrier = Barrier(1 if isinstance(self.place, Path) else WRITERS)
        await asyncio.gather(*(self.database.write(lambda _: barrier.wait(60)) for _ in range(barrier.parties)))

    async def close(self) -> None:
        """Stop the bot."""
        self.eyes.close()
        await self.daily.close()
        await self.mistakes.stop()
        await self.clock.stop()
        await self.database.close()

    async def restart(self, *, after_ms: int = 0) -> None:
        """Stop the bot and start it again some time later."""
        await self.close()
        self.now += after_ms
        await self.open()

    def cause(self) -> str:
        """The id of a new interaction."""
        return next(self.causes)

    # tables

    async def table(
        self,
        *players: Player,
        guild: GuildId = GUILD,
        channel: int = CHANNEL,
        variant: Variant = PINEAPPLE,
        point_value: int = 10,
        buy_in: int | None = None,
        seats: int | None = None,
        clock: Clock = PER_TURN,
        computers: int = 0,
        limits: Limits = DEFAULT_LIMITS,
    ) -> TableKey:
        """Open a table for the first of ``players`` and seat the others."""
        offer = TableOffer(
            guild=guild,
            channel=channel,
            host=players[0],
            language="en",
            terms=Terms(
                variant=variant,
                point_value=point_value,
                buy_in=100 * point_value if buy_in is None else buy_in,
                max_seats=seats or variant.max_seats,
                clock=clock,
                limits=limits,
            ),
            computers=CLUB[:computers],
        )
        key = (await self.play.open_table(offer, cause=self.cause())).key
        for player in players[1:]:
            await self.join(key, player)
        return key

    async def started(self, *players: Player, **offer: Any) -> TableKey:
        """Open a table and deal a first hand in which plain placements don't reach Fantasyland."""
        key = await self.table(*players, **offer)
        if not offer.get("computers"):
            await self.rig(key)
        await self.start(key)
        return key

    async def join(self, key: TableKey, player: Player) -> Table:
        """Take a seat."""
        return await self.play.join(key, player, cause=self.cause())

    async def leave(self, key: TableKey, player: Player) -> Table:
        """Wish to leave."""
        return (await self.play.leave(key, player, cause=self.cause())).table

    async def stay(self, key: TableKey, player: Player) -> Table:
        """Be back."""
        return await self.play.stay(key, player, cause=self.cause())

    async def start(self, key: TableKey) -> Table:
        """The host deals."""
        table = (await self.play.look(key)).table
        return await self.play.start(key, table.host, cause=_start_cause(table))

    # playing

    async def letters(self, key: TableKey, player: Player) -> str:
        """Return the placement that the clock would choose now."""
        view = (await self.play.look(key, player)).hand
        assert view is not None
        assert view.mine is not None
        held = _faces(view.mine.held)
        if view.mine.fantasyland or view.variant.at_once:
            return best_arrangement(view.variant, held)
        front, middle, back = map(_faces, view.mine.rows)
        return automatic_placement((front, middle, back), held, to_place=view.to_place)

    async def place_cards(
        self, key: TableKey, player: Player, rows: str | None = None, *, cause: str | None = None
    ) -> Table:
        """Place for the present street, what the clock would place unless ``rows`` says otherwise."""
        view = await self.play.look(key, player)
        assert view.hand is not None
        letters = rows or await self.letters(key, player)
        return await self.play.place_cards(
            key,
            player,
            hand_no=view.table.hand_no,
            street=view.hand.street,
            rows=letters,
            cause=cause or self.cause(),
        )

    async def turn(self, key: TableKey) -> Player:
        """The player that the hand waits for first."""
        return (await self.play.look(key)).waiting[0]

    async def play_hand(self, key: TableKey, plans: Plans | None = None) -> None:
        """Play the running hand to its end."""
        left = {player: list(letters) for player, letters in (plans or {}).items()}
        while (view := await self.play.look(key)).waiting:
            player = view.waiting[0]
            await self.place_cards(key, player, left[player].pop(0) if player in left else None)

    async def play_hand_of(self, key: TableKey, player: Player) -> None:
        """One player places as long as it is their turn."""
        while (await self.play.look(key)).waiting == (player,):
            await self.place_cards(key, player)

    async def play_street(self, key: TableKey) -> None:
        """Place the current street for all players to act."""
        view = await self.play.look(key)
        street = view.hand and view.hand.street
        while view.hand and view.hand.street == street and view.waiting:
            await self.place_cards(key, view.waiting[0])
            view = await self.play.look(key)

    async def later(self, ms: int) -> None:
        """Let time pass, then let the clock act, and the computers think."""
        self.now += ms
        await self.clock.tick()
        await self.clock.thinking.done()

    async def next_hand(self, key: TableKey) -> TableView:
        """Wait for the pause to end."""
        await self.later(self.policy.next_hand_ms)
        return await self.play.look(key)

    async def time_out(self, key: TableKey) -> TableView:
        """Wait for the present turn to end."""
        until = (await self.play.look(key)).turn_until
        assert until is not None
        await self.later(max(0, until - self.now))
        return await self.play.look(key)

    # choosing the cards

    async def rig(
        self,
        key: TableKey,
        want: Callable[[Hand], bool] = lambda hand: not entering(hand),
        *,
        strategies: Mapping[Player, Strategy] | None = None,
    ) -> dict[Player, list[str]]:
        """Rig the next hand so that, played by ``strategies`` (plain ones by default), ``want`` is true at its end.

        A player who knew the seed could choose a text for the shuffle that gives good cards. Returns each player's
        placements.
        """
        view = await self.play.look(key)
        table = view.table
        seats = next_seats(view)
        rigger = next(seat.player for seat in seats if seat.player != table.host and not is_computer(seat.player))
        record = await self.next_record(key, seats)
        seed, dealt = self.seed_of(key, record), record.deal.dealt if record.deal else None
        given = {seat.player: seat.entropy for seat in seats}
        if table.state is TableState.LOBBY and not given.get(table.host, "wish").startswith("wish"):
            given[table.host] = _start_cause(table)
        for number in count():
            given[rigger] = f"wish {number}"
            entropy = [Entropy(seat.player, given[seat.player]) for seat in seats]
            deck = deal_deck(
                table.terms.variant, hand_id=record.deal_name(key), seed=seed, entropy=entropy, dealt=dealt
            )
            opening = _opening(table, seats, deck)
            plans = _plans(opening, strategies or {})
            if want(_played(opening, plans)):
                await self.play.set_entropy(key, rigger, given[rigger], cause=self.cause())
                return plans
        raise AssertionError

    async def into_fantasyland(self, key: TableKey, *players: Player) -> None:
        """Deal and play a hand that brings just these players into Fantasyland."""
        wanted = set(players)
        strategies: dict[Player, Strategy] = dict.fromkeys(players, best)
        plans = await self.rig(key, lambda hand: entering(hand) == wanted, strategies=strategies)
        view = await self.play.look(key)
        if view.table.state is TableState.LOBBY:
            await self.start(key)
        else:
            await self.next_hand(key)
        await self.play_hand(key, plans)

    # looking behind the scenes

    def ask(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Query the database."""
        return self.eyes(sql, values)

    def do(self, sql: str, *values: Any) -> None:
        """Do something to the database behind the bot's back."""
        do(self.place, sql, values)

    def dump(self, *, clocks: bool = True, but: Collection[str] = ()) -> Dump:
        """Everything that is stored, but for heartbeat, owner, these columns, and perhaps what an outage moves."""
        found = self.eyes.everything(but={*but, *(() if clocks else MOVED_BY_OUTAGES)})
        return {name: rows for name, rows in found.items() if name not in ("heartbeat", "owner")}

    def timers(self, key: TableKey) -> dict[str, int]:
        """The deadlines of a table."""
        rows = self.ask("SELECT kind, due_at FROM timer WHERE guild_id = ? AND table_id = ?", key.guild, key.table)
        return dict(rows)

    async def record(self, key: TableKey, hand_no: int) -> HandRecord:
        """Return the stored record of a hand."""
        record = await SqlStorage(self.database).read(lambda tx: tx.hands.get(key, hand_no))
        assert record is not None
        return record

    async def replayed(self, key: TableKey, hand_no: int) -> Hand:
        """A hand as its log tells it."""
        record = await self.record(key, hand_no)
        events = await SqlStorage(self.database).read(lambda tx: tx.hands.facts(key, hand_no))
        return replay(record.variant, decks.deck(key, record, self.seed_of(key, record)), events)

    def seed_of(self, key: TableKey, record: HandRecord) -> bytes:
        """The secret of a hand."""
        return self.vault.unseal(record.sealed_seed, hand_id=record.id_at(key))

    async def next_record(self, key: TableKey, seats: Sequence[Seat] = ()) -> HandRecord:
        """The hand that is dealt next to these seats, as far as it is fixed already."""
        table = (await self.play.look(key)).table
        record = HandRecord(
            hand_no=table.hand_no + 1,
            variant=table.terms.variant,
            state=HandState.UNDEALT,
            commitment=b"",
            sealed_seed=b"",
            entropy=(),
            point_value=0,
            started_at=0,
        )
        dealt = DealInputs(button=_button(table, seats), fantasyland=tuple(seat.fantasyland for seat in seats))
        return decks.with_seed(self.vault, table, record, dealt)

    @contextmanager
    def refuses(self, reason: object, **details: int | str) -> Iterator[None]:
        """Check that the block is refused for this reason and changes nothing."""
        with self.changes_nothing(), pytest.raises(Refused) as caught:
            yield
        assert (caught.value.reason, caught.value.details) == (reason, details)

    @contextmanager
    def stale(self) -> Iterator[None]:
        """Check that the block comes too late and changes nothing."""
        with self.changes_nothing(), pytest.raises(Stale):
            yield

    @contextmanager
    def changes_nothing(self) -> Iterator[None]:
        """Check that the block changes nothing."""
        before = self.dump()
        yield
        assert self.dump() == before

    def balances(self, kind: str, guild: GuildId = GUILD) -> dict[str, int]:
        """The chips of a server's accounts of one kind, added up by owner."""
        rows = self.ask(
            "SELECT owner, SUM(balance) FROM account WHERE kind = ? AND guild_id = ? GROUP BY 1", kind, guild
        )
        return dict(rows)

    def check_books(self) -> None:
        """Chips are neither made nor lost, and the ledger tells every balance."""
        assert not self.ask("SELECT guild_id, SUM(balance) FROM account GROUP BY 1 HAVING SUM(balance) <> 0")
        told = (
            "SELECT a.account_id, a.balance,"
            " (SELECT COALESCE(SUM(amount), 0) FROM transfer WHERE payee = a.account_id)"
            " - (SELECT COALESCE(SUM(amount), 0) FROM transfer WHERE payer = a.account_id) AS told FROM account a"
        )
        assert not self.ask(f"SELECT * FROM ({told}) AS sums WHERE balance <> told")
        assert not self.ask("SELECT * FROM account WHERE kind <> 'mint' AND balance < 0")
        # Each server has a mint. Events have their own mints for their chips.
        mints = self.ask("SELECT guild_id, -balance FROM account WHERE kind = 'mint' AND owner = '' ORDER BY 1")
        assert mints == self.ask(
            "SELECT guild_id, SUM(CASE WHEN kind IN ('taken', 'fee') THEN -amount ELSE amount END) FROM transfer "
            "WHERE kind IN ('grant', 'refill', 'bonus', 'given', 'taken', 'fee') GROUP BY 1 ORDER BY 1"
        )
        low, high = (f"CASE WHEN payer {sign} payee THEN payer ELSE payee END" for sign in "<>")
        twice = f"SELECT guild_id, table_id, hand_no, {low}, {high}, COUNT(*)"
        assert not self.ask(f"{twice} FROM transfer WHERE kind = 'hand' GROUP BY 1, 2, 3, 4, 5 HAVING COUNT(*) > 1")
        stray = (
            "SELECT a.* FROM account a WHERE a.kind = 'seat' AND a.balance > 0 AND NOT EXISTS"
            " (SELECT 1 FROM seat s WHERE s.guild_id = a.guild_id AND s.table_id = a.table_id AND s.player = a.owner)"
        )
        assert not self.ask(stray)
        practice = "SELECT 1 FROM transfer t JOIN game_table g USING (guild_id, table_id) WHERE g.point_value = 0"
        assert not self.ask(practice)


def _start_cause(table: Table) -> str:
    """Return the id of the host's press that starts a hand. It's known beforehand so that a shuffle can be rigged."""
    return f"start {hand_id(table.key, table.hand_no + 1)}"


def _faces(cards: Sequence[Card | None]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card is not None)


def next_seats(view: TableView) -> list[Seat]:
    """The seats that will be dealt in next."""
    table = view.table
    seats = [p.seat for p in view.places if table.terms.practice or p.stack or not p.seat.dealt_in]
    dealt_in = [seat for seat in seats if seat.dealt_in]
    if len(dealt_in) >= table.terms.variant.min_seats and any(seat.fantasyland for seat in dealt_in):
        return dealt_in
    staying = [seat for seat in seats if not (seat.leaving or seat.away or seat.sits_out)]
    return sorted(staying, key=lambda seat: seat.number if seat.moves_to is None else seat.moves_to)


def _button(table: Table, seats: Sequence[Seat]) -> int:
    numbers = [seat.number for seat in seats]
    return next((place for place, number in enumerate(numbers) if number >= table.button), 0)


def _opening(table: Table, seats: Sequence[Seat], deck: tuple[Card, ...]) -> Hand:
    events = start_hand(
        table.terms.variant,
        deck,
        players=[seat.player for seat in seats],
        fantasyland=[seat.fantasyland for seat in seats],
        button=_button(table, seats),
    )
    return replay(table.terms.variant, deck, events)


def _plans(hand: Hand, strategies: Mapping[Player, Strategy]) -> dict[Player, list[str]]:
    """Return all players' placements. Future cards don't depend on placements, so the strategies may know them."""
    streets: dict[int, list[Sequence[Card]]] = {number: [] for number in range(len(hand.seats))}
    while hand.waiting:
        number = hand.waiting[0]
        streets[number].append(hand.seats[number].held)
        hand = _then(hand, number, _any_letters(hand, number))
    return {
        Player(seat.player): strategies.get(Player(seat.player), plain)(hand.variant, seat.fantasyland, streets[number])
        for number, seat in enumerate(hand.seats)
    }


def _any_letters(hand: Hand, number: int) -> str:
    seat = hand.seats[number]
    if seat.fantasyland:
        return automatic_placement(EMPTY, seat.held, to_place=13)
    return automatic_placement(seat.rows, seat.held, to_place=hand.rule.to_place)


def _played(hand: Hand, plans: Plans) -> Hand:
    left = {player: iter(letters) for player, letters in plans.items()}
    while hand.waiting:
        number = hand.waiting[0]
        hand = _then(hand, number, next(left[Player(hand.seats[number].player)]))
    assert hand.status is HandStatus.ENDED
    return hand


def _then(hand: Hand, number: int, letters: str) -> Hand:
    for event in decide(hand, PlaceCards(seat=number, rows=letters)):
        hand = evolve(hand, event)
    return hand
