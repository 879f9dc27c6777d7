"""Random actions at any time. After each step, nothing is lost, hidden cards are hidden and no table is stuck."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from typing_extensions import override

from bot.model.bank import Action, BankTerms, Claim
from bot.model.ids import GuildId, Player, TableKey, is_computer
from bot.model.refusals import Stale
from bot.model.tables import Limits, TableState, Timer
from bot.play.queries.views import TableView, TableViews, look
from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, Card
from bot.pure.ofc.hand import Hand, HandStatus
from bot.pure.ofc.hand import HandSeat as HandSeat
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.log import Fact, StreetDealt
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.scoring import HandScore
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import SeatView, view_for
from bot.pure.solver.levels import Level
from bot.store.storage import SqlStorage
from tests.play.world import ANN, BOB, CLEO, DAN, EVE, GUILD, OTHER_GUILD, FixedVault, World, best, entering, next_seats
from tests.pure.ofc.games import any_placement, replay

T = TypeVar("T")
Press = Callable[[], Awaitable[Any]]
PEOPLE = (ANN, BOB, CLEO, DAN)
MAX_TABLES = 3

CHANGES = (Action.GIVE, Action.TAKE, Action.SET)

people = st.sampled_from(PEOPLE)
GAMES = {
    **PRESETS,
    "surrender": house_variant("chinese", {"surrender": "2"}),
    "together": house_variant("pineapple", {"order": "all_together", "discards": "open"}),
    "first_together": house_variant("joker_pineapple", {"order": "first_together"}),
}
variants = st.sampled_from(list(GAMES))
places = st.integers(0, MAX_TABLES - 1)
seeds = st.integers(0, 2**16)


def cards_in(value: object, secret: bytes) -> Iterator[Card]:
    """Every card that can be reached from a view; fails where something else hides that might tell of cards."""
    match value:
        case SeatView():
            on_board = [card for row in value.rows for card in row]
            assert all(card in on_board for row in value.latest for card in row), "what was placed last lies in its row"
            for cards in (*value.rows, value.held, value.discards):
                yield from (card for card in cards if card is not None)
        case Hand() | HandSeat():
            raise AssertionError("the hidden hand itself can be reached")
        case Variant() | HandScore() | Limits() | str():
            return
        case bytes():
            assert secret not in value
        case tuple() | list() | set() | frozenset():
            assert not any(isinstance(part, int) for part in value), "numbers that might be cards"
            for part in value:
                yield from cards_in(part, secret)
        case _ if is_dataclass(value):
            for part in fields(value):
                yield from cards_in(getattr(value, part.name), secret)


def may_know(hand: Hand, before: Hand, player: Player | None) -> Counter[Card]:
    """The cards that a player may know; ``before`` is the hand as it was when its last street was dealt."""
    known: Counter[Card] = Counter()
    hidden = hand.variant.together(hand.street) and bool(hand.placing) and hand.status is not HandStatus.ENDED
    for seat, earlier in zip(hand.seats, before.seats, strict=True):
        own = seat.player == player
        if own:
            known.update(seat.held)
        if not own and hand.status is not HandStatus.ENDED:
            if seat.fantasyland:
                continue
            if hidden:
                seat = earlier
        known.update(card for row in seat.rows for card in row)
        if own or hand.variant.open_discards:
            known.update(seat.discards)
    return known


def last_deal(events: list[Fact]) -> int:
    """Return the log position at which the last street was dealt."""
    return 1 + max((place for place, event in enumerate(events) if isinstance(event, StreetDealt)), default=0)


def _with_transfers(terms: BankTerms) -> BankTerms:
    return replace(terms, transfer_cap=5_000, transfer_fee=10)


class HouseMachine(RuleBasedStateMachine):
    """Four people at up to three tables in two servers, their presses, their clocks, and restarts."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.world = World(Path(self.folder.name), fixed=FixedVault([b"m" * 32]))
        self.run(self.world.open())
        self.tables: list[TableKey] = []
        self.changed_tables: set[TableKey] = set()
        self.pressed: list[Press] = []
        self.promised: dict[tuple[TableKey, int], bytes] = {}
        self.plans: dict[tuple[TableKey, int], dict[Player, list[str]]] = {}
        self.world.core.bus.table_changed.subscribe(self.changed_tables.add)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something on the bot's loop."""
        return self.runner.get_loop().run_until_complete(work)

    @override
    def teardown(self) -> None:
        """End the bot and remove its files."""
        self.run(self.world.close())
        self.runner.close()
        self.folder.cleanup()

    async def press(self, act: Press) -> bool:
        """Press; returns True if it had an effect. A refusal must change nothing."""
        before = self.world.dump()
        try:
            await act()
        except (Refused, Stale):
            assert self.world.dump() == before
            return False
        return True

    async def first_press(self, act: Press) -> bool:
        """A press that may come again."""
        done = await self.press(act)
        if done:
            self.pressed.append(act)
        return done

    def key(self, place: int) -> TableKey | None:
        """One of the tables."""
        return self.tables[place % len(self.tables)] if self.tables else None

    # rules

    @initialize(player=people, variant=variants)
    def first_table(self, player: Player, variant: str) -> None:
        """Two sit down and begin, so that there is something to do."""
        self.open_table(player, variant, 10, 0, GUILD)
        self.run(self.world.join(self.tables[0], PEOPLE[PEOPLE.index(player) - 1]))
        self.run(self.world.bank.change_terms(GUILD, ANN, _with_transfers, cause="transfers"))
        self.run(self._good_cards(self.tables[0], 0, Random(0)))

    @precondition(lambda self: len(self.tables) < MAX_TABLES)
    @rule(
        player=people,
        variant=variants,
        point_value=st.sampled_from([0, 10, 50]),
        computers=st.sampled_from([0, 0, 0, 1, 2]),
        guild=st.sampled_from([GUILD, OTHER_GUILD]),
    )
    def open_table(self, player: Player, variant: str, point_value: int, computers: int, guild: GuildId) -> None:
        """Let a player open a table."""

        async def act() -> None:
            key = await self.world.table(
                player,
                variant=GAMES[variant],
                point_value=point_value,
                buy_in=30 * point_value,
                computers=computers,
                guild=guild,
            )
            self.tables.append(key)

        if self.run(self.press(act)) and computers:
            self.run(self.press(lambda: self.world.start(self.tables[-1])))

    @rule(place=places, player=people)
    def join(self, place: int, player: Player) -> None:
        """Let a player sit down."""
        self._table_press(place, lambda key, cause: self.world.play.join(key, player, cause=cause))

    @rule(place=places, player=people)
    def leave(self, place: int, player: Player) -> None:
        """Let a player ask to leave."""
        self._table_press(place, lambda key, cause: self.world.play.leave(key, player, cause=cause))

    @rule(place=places, player=people)
    def stay(self, place: int, player: Player) -> None:
        """Let a player ask to stay."""
        self._table_press(place, lambda key, cause: self.world.play.stay(key, player, cause=cause))

    @rule(place=places, player=people)
    def start(self, place: int, player: Player) -> None:
        """Let a player try to start."""
        self._table_press(place, lambda key, cause: self.world.play.start(key, player, cause=cause))

    @rule(place=places, player=people)
    def cancel(self, place: int, player: Player) -> None:
        """Let a player try to cancel."""
        self._table_press(place, lambda key, cause: self.world.play.cancel(key, player, cause=cause))

    @rule(place=places, player=people)
    def computer(self, place: int, player: Player) -> None:
        """Let a player try to add a computer."""
        self._table_press(
            place, lambda key, cause: self.world.play.join_computer(key, player, level=Level.CLUB, cause=cause)
        )

    @rule(place=places, player=people, deed=st.sampled_from(["rebuy", "top_up", "sit_out"]))
    def own_seat(self, place: int, player: Player, deed: str) -> None:
        """Let a player buy chips or sit out."""
        self._table_press(place, lambda key, cause: getattr(self.world.seating, deed)(key, player, cause=cause))

    @rule(place=places, player=people, number=st.integers(-1, 4))
    def change_seat(self, place: int, player: Player, number: int) -> None:
        """Let a player try to change seats."""
        self._table_press(place, lambda key, cause: self.world.seating.change_seat(key, player, number, cause=cause))

    @rule(place=places, player=people, other=people)
    def hand_over(self, place: int, player: Player, other: Player) -> None:
        """Let a player try to make another one host."""
        self._table_press(place, lambda key, cause: self.world.seating.hand_over(key, player, other, cause=cause))

    @rule(place=places, player=people, other=people, certain=st.integers(0, 2))
    def remove(self, place: int, player: Player, other: Player, certain: int) -> None:
        """Occasionally let a player try to remove another one."""
        if certain == 0:
            self._table_press(
                place,
                lambda key, cause: self.world.seating.remove(key, player, other, manager=False, cause=cause),
            )

    @rule(player=people, other=people, deed=st.sampled_from([*Claim, *CHANGES, None]), chips=seeds)
    def bank(self, player: Player, other: Player, deed: Claim | Action | None, chips: int) -> None:
        """Move chips outside tables: a claim, a manager's action or a transfer."""
        world, cause = self.world, self.world.cause()  # After a restart the same press comes to another bank.
        if isinstance(deed, Claim):
            self.run(self.press(lambda: world.bank.claim(GUILD, player, deed)))
        elif deed is None:
            self.run(self.first_press(lambda: world.bank.send(GUILD, player, other, chips, cause=cause)))
        else:
            change = (GUILD, player, other, deed, chips, "a reason")
            self.run(self.first_press(lambda: world.bank.change_chips(*change, cause=cause)))

    @rule(place=places, player=people)
    def surrender(self, place: int, player: Player) -> None:
        """Let a player try to surrender."""
        key = self.key(place)
        hand_no = self.run(self.world.play.look(key)).table.hand_no if key else 0
        self._table_press(
            place, lambda key, cause: self.world.play.surrender(key, player, hand_no=hand_no, cause=cause)
        )

    @rule(place=places, player=people, text=st.text(max_size=70))
    def text(self, place: int, player: Player, text: str) -> None:
        """Let a player add a text to the shuffle."""
        self._table_press(place, lambda key, cause: self.world.play.set_entropy(key, player, text, cause=cause))

    def _table_press(self, place: int, act: Callable[[TableKey, str], Awaitable[Any]]) -> None:
        key = self.key(place)
        if key is not None:
            cause = self.world.cause()
            self.run(self.first_press(lambda: act(key, cause)))

    @rule(place=places, seed=seeds)
    def place_cards(self, place: int, seed: int) -> None:
        """Place something for a player to act."""
        self.run(self._place_cards(place, Random(seed)))

    @rule(place=places, seed=seeds)
    def place_a_few(self, place: int, seed: int) -> None:
        """Several place in turn."""
        chance = Random(seed)
        for _ in range(chance.randint(4, 20)):
            self.run(self._place_cards(place, chance))

    async def _place_cards(self, place: int, chance: Random) -> None:
        key = self.key(place)
        view = await self.world.play.look(key) if key else None
        if key is None or view is None or not view.waiting:
            return
        player = view.waiting[0]
        if not is_computer(player) and view.hand is not None:
            rows = await self._letters(key, player, chance)
            if not await self.first_press(self._places(key, player, view.table.hand_no, view.hand.street, rows)):
                # The plan was for other cards, because players came or went before the deal.
                del self.plans[key, view.table.hand_no]

    async def _letters(self, key: TableKey, player: Player, chance: Random) -> str:
        view = await self.world.play.look(key, player)
        assert view.hand is not None
        mine = view.hand.mine
        assert mine is not None
        plan = self.plans.get((key, view.table.hand_no), {}).get(player)
        if plan and len(plan) == len(view.hand.variant.streets) and not mine.fantasyland:
            return plan[view.hand.street - 1]
        if chance.random() < 0.5:
            return await self.world.letters(key, player)
        held = [card for card in mine.held if card is not None]
        rows = tuple(tuple(card for card in row if card is not None) for row in mine.rows)
        if mine.fantasyland:
            return any_placement(EMPTY, held, to_place=BOARD_CARDS, chance=chance)
        return any_placement((rows[0], rows[1], rows[2]), held, to_place=view.hand.to_place, chance=chance)

    @rule(
        place=places,
        player=st.sampled_from([*PEOPLE, EVE]),
        hand_no=st.integers(0, 4),
        street=st.integers(0, 9),
        rows=st.text("FMBD", max_size=14) | st.text(max_size=3),
    )
    def place_anything(self, place: int, player: Player, hand_no: int, street: int, rows: str) -> None:
        """Let a player press a forged button."""
        key = self.key(place)
        if key is not None:
            placed = self.run(self.press(self._places(key, player, hand_no, street, rows)))
            assert not (placed and player == EVE)

    def _places(self, key: TableKey, player: Player, hand_no: int, street: int, rows: str) -> Press:
        cause = self.world.cause()
        return lambda: self.world.play.place_cards(key, player, hand_no=hand_no, street=street, rows=rows, cause=cause)

    @precondition(lambda self: self.pressed)
    @rule(number=seeds)
    def press_again(self, number: int) -> None:
        """Discord delivers a press a second time."""
        act = self.pressed[number % len(self.pressed)]
        assert not self.run(self.press(act))

    @rule(place=places, seed=seeds)
    def all_at_once(self, place: int, seed: int) -> None:
        """Let all players press at the same time, and one of them twice."""
        key = self.key(place)
        if key is not None:
            self.run(self._at_once(key, Random(seed)))

    async def _at_once(self, key: TableKey, chance: Random) -> None:
        play, cause = self.world.play, self.world.cause
        view = await play.look(key)
        street = view.hand.street if view.hand else 0
        presses: list[Awaitable[Any]] = [self.world.clock.tick()]
        for player in PEOPLE:
            rows = await self._letters(key, player, chance) if player in view.waiting else "BBBBB"
            again = self._places(key, player, view.table.hand_no, street, rows)
            presses += [again(), again(), self._places(key, player, view.table.hand_no, street, rows)()]
            for act in (play.join, play.leave, play.stay, play.start):
                if chance.random() < 0.2:
                    presses.append(act(key, player, cause=cause()))
        chance.shuffle(presses)
        for answer in await asyncio.gather(*presses, return_exceptions=True):
            if isinstance(answer, BaseException) and not isinstance(answer, Refused | Stale):
                raise answer

    @rule(ms=st.sampled_from([0, 900, 5_000, 12_000, 60_000, 60_000, 120_000, 1_800_000]))
    def time_passes(self, ms: int) -> None:
        """The clock goes on."""
        self.run(self.world.later(ms))

    @rule(ms=st.sampled_from([0, 1_000, 86_400_000, -5_000, -86_400_000]))
    def restart(self, ms: int) -> None:
        """The bot ends and starts again, on a machine whose clock may have moved."""
        before = self.world.dump(clocks=False)
        self.run(self.world.restart(after_ms=ms))
        assert self.world.dump(clocks=False) == before
        self.world.core.bus.table_changed.subscribe(self.changed_tables.add)
        self.changed_tables.update(self.tables)

    @rule(place=places, seed=seeds)
    def play_on(self, place: int, seed: int) -> None:
        """The hand is played to its end, and the next one is dealt."""
        self.run(self._play_on(place, Random(seed)))

    async def _play_on(self, place: int, chance: Random) -> None:
        key = self.key(place)
        patience = 3  # Computers think for long.
        while key is not None and patience and (waiting := (await self.world.play.look(key)).waiting):
            if is_computer(waiting[0]):
                await self.world.later(self.world.policy.computer_ms)
                patience -= 1
            else:
                await self._place_cards(place, chance)
        await self.world.later(self.world.policy.next_hand_ms)

    @rule(place=places, seed=seeds)
    def good_cards_come(self, place: int, seed: int) -> None:
        """Rig the next hand so that a player enters Fantasyland, and play it."""
        key = self.key(place)
        if key is not None:
            self.run(self._good_cards(key, place, Random(seed)))

    async def _good_cards(self, key: TableKey, place: int, chance: Random) -> None:
        view = await self.world.play.look(key)
        seats = next_seats(view)
        variant = view.table.terms.variant
        if view.table.state not in (TableState.LOBBY, TableState.BETWEEN) or len(seats) < variant.min_seats:
            return
        if any(seat.computer for seat in seats) or variant.fantasyland is None:
            return
        plans = await self.world.rig(key, lambda hand: bool(entering(hand)), strategies=dict.fromkeys(PEOPLE, best))
        self.plans[key, view.table.hand_no + 1] = plans
        if view.table.state is TableState.LOBBY:
            await self.world.start(key)
        await self._play_on(place, chance)

    @rule(place=places, reason=st.sampled_from(["closed_by_admin", "channel_gone"]), certain=st.integers(0, 9))
    def close(self, place: int, reason: str, certain: int) -> None:
        """Now and then a table is closed from outside."""
        key = self.key(place)
        if key is not None and certain == 0:
            self.run(self.world.play.close(key, reason=reason))

    # invariants after each step

    @invariant()
    def chips_are_conserved(self) -> None:
        """Sums and ledger agree."""
        self.world.check_books()

    @invariant()
    def tables_are_sound(self) -> None:
        """Check each table that has changed."""
        for key in self.changed_tables:
            self.run(self._check(key))
        self.changed_tables.clear()

    @invariant()
    def what_is_remembered_is_what_is_committed(self) -> None:
        for key in self.tables:
            for player in (*PEOPLE, EVE, None):
                self.run(self._check_memory(key, player))

    async def _check_memory(self, key: TableKey, player: Player | None) -> None:
        play = self.world.play
        assert await play.look(key, player) == await self.world.sessions.read(
            lambda s: TableViews().view_of(look(s, key), player, now=self.world.now)
        )

    async def _check(self, key: TableKey) -> None:
        view = await self.world.play.look(key)
        if not view.table.open and key in self.tables:
            self.tables.remove(key)
        await self._check_promises(key, view)
        self._check_clocks(key, view)
        if view.hand is not None:
            await self._check_hand(key, view)

    async def _check_promises(self, key: TableKey, view: TableView) -> None:
        """Check that hand numbers have no gaps, and that each hand has its earlier commitment and a seed of its own."""
        table = view.table
        rows = self.world.ask(
            "SELECT hand_no, commitment FROM hand WHERE guild_id = ? AND table_id = ? ORDER BY 1", key.guild, key.table
        )
        assert [row[0] for row in rows] == list(range(1, table.hand_no + (1 if table.open else 2)))
        for hand_no, committed in rows:
            assert self.promised.setdefault((key, hand_no), committed) == committed
        assert self.promised.setdefault((key, table.hand_no + 1), table.commitment) == table.commitment
        seeds = {self.world.seed_of(key, await self.world.record(key, hand_no)) for hand_no, _ in rows}
        assert len(seeds) == len(rows)

    def _check_clocks(self, key: TableKey, view: TableView) -> None:
        """Every table has the clock that moves it on, and none that does not belong there."""
        kinds = {Timer(kind) for kind in self.world.timers(key)}
        match view.table.state:
            case TableState.LOBBY:
                assert kinds == {Timer.LOBBY}
            case TableState.BETWEEN:
                assert kinds == {Timer.NEXT_HAND}
            case TableState.CLOSED:
                assert not kinds
                assert not view.places
            case TableState.PLAYING:
                assert view.waiting
                assert kinds <= {Timer.TURN, Timer.REMIND, Timer.COMPUTER}
                if any(is_computer(player) for player in view.waiting):
                    assert Timer.COMPUTER in kinds
                if any(not is_computer(player) for player in view.waiting):
                    assert Timer.TURN in kinds

    async def _check_hand(self, key: TableKey, view: TableView) -> None:
        """Check that views match the log and show only permitted cards."""
        hand_no = view.table.hand_no
        hand = await self.world.replayed(key, hand_no)
        events = await SqlStorage(self.world.database).read(lambda tx: tx.hands.facts(key, hand_no))
        before = replay(hand.variant, hand.deck, events[: last_deal(events)])
        record = await self.world.record(key, hand_no)
        secret = self.world.seed_of(key, record)
        for player in (*PEOPLE, EVE, None):
            seen = await self.world.play.look(key, player)
            assert seen.hand == view_for(hand, player)
            assert Counter(cards_in(seen, secret)) <= may_know(hand, before, player)
        if hand.status is HandStatus.ENDED:
            assert sum(hand.score.points) == 0
            assert all(sum(map(len, seat.rows)) == BOARD_CARDS for seat in hand.seats if not seat.surrendered)


def test_whatever_people_do_nothing_is_lost_shown_or_stuck() -> None:
    run_state_machine_as_test(HouseMachine, settings=settings(max_examples=6, stateful_step_count=60))


@pytest.mark.deep
def test_whatever_people_do_for_long_nothing_is_lost_shown_or_stuck() -> None:
    run_state_machine_as_test(HouseMachine, settings=settings(settings.get_profile("deep"), stateful_step_count=80))
