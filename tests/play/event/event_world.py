"""A world for events, with the real use cases, director, ledger and SQL, and a clock that the test moves.

Hands' results are given instead of played. A step is one transaction that reads everything from storage again, as after
a restart.
"""

# The event hooks replace the bot's own clock and settlement.

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, TypeVar, cast

import pytest
from typing_extensions import override

from bot.model.clock import Clock, Pace
from bot.model.events import Entrant, Event, EventFact, Notice, Official, Phase
from bot.model.ids import EventKey, GuildId, Player, TableId, TableKey
from bot.model.tables import Timer
from bot.play.api.timekeeper import _act, _after_restore
from bot.play.event.floor.event_state import EventState, TableInPlay, read_field
from bot.play.event.formats import brackets
from bot.play.event.formats.brackets import BracketView
from bot.play.event.office import registration, views
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.office.table_hooks import TableHooks
from bot.play.event.office.views import EventView
from bot.play.event.organisers import organiser
from bot.play.hand import settling
from bot.play.session import chips
from bot.play.session.hand_cache import HandCache
from bot.play.session.policy import Policy
from bot.play.session.session import Session
from bot.pure.event.structure import Format, Structure
from bot.pure.ofc.hand import Hand
from bot.pure.ofc.presets import CLASSIC
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.scoring import BoardScore, HandScore, PairScore
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant
from bot.store.hands import HandQueries
from bot.store.invariants import QUESTIONS, ask
from bot.store.sql import Sql
from bot.store.tables import TableQueries
from bot.store.transaction import Part, Tx
from tests.play.event.storage import InMemory, Storage, new_storage
from tests.states import Move

T = TypeVar("T")
GUILD = GuildId(9)
CHANNEL = 90
START = 1_800_000_000_000
"""The clock's start, in milliseconds."""
MINUTE = 60_000
HOUR = 60 * MINUTE
POLICY = Policy(start_chips=5_000)
DESK = TableHooks()
BOSS = Official(player=Player("1"))
ANY = MemberPermissions(manager=True, announces=True, roles=frozenset(range(10)))
"""May promise whatever these tests promise."""
STRANGER = Official(player=Player("2"))
PER_TURN = Clock(pace=Pace.PER_TURN, seconds=60)
ALL = 10**6
"""More points than any player can pay."""


class OpenVault:
    """Vault with unencrypted seeds from the test's own random generator."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def new_seed(self) -> bytes:
        """The next of them."""
        return self._chance.randbytes(32)

    def seal(self, seed: bytes, *, hand_id: str) -> bytes:
        """The seed with the name that it was sealed for."""
        return hashlib.sha256(hand_id.encode()).digest() + seed

    def marks(self, text: str) -> list[bytes]:
        """A hash of the text."""
        return [hashlib.sha256(text.encode()).digest()]

    def unseal(self, sealed: bytes, *, hand_id: str) -> bytes:
        """The seed, if it was sealed for that name."""
        assert sealed[:32] == hashlib.sha256(hand_id.encode()).digest()
        return sealed[32:]


@dataclass(frozen=True, slots=True)
class GivenSeat:
    """A seat of a hand that was not placed."""

    player: str
    fantasyland: int = 0


@dataclass(frozen=True, slots=True)
class GivenHand:
    """The part of a hand that settlement needs."""

    seats: tuple[GivenSeat, ...]
    button: int
    score: HandScore


def given_hand(
    spot: TableInPlay, pairs: Mapping[tuple[int, int], int], *, fantasyland: Sequence[int], fouls: bool = False
) -> GivenHand:
    """Return a hand with given results.

    ``pairs`` maps pairs of places to the points won by the first, and ``fantasyland`` has each player's next cards.
    """
    seated = [seat for seat in spot.seats if seat.dealt_in]
    totals = [0] * len(seated)
    for (first, second), points in pairs.items():
        totals[first] += points
        totals[second] -= points
    scores = tuple(PairScore(a, b, (0, 0, 0), (n, 0, 0), 0, 0, 0, 0, n) for (a, b), n in pairs.items())
    boards = tuple(BoardScore(fouls, None, 0, cards) for cards in fantasyland)
    numbers = [seat.number for seat in seated]
    score = HandScore(boards=boards, pairs=scores, points=tuple(totals))
    button = numbers.index(spot.table.button) if spot.table.button in numbers else 0
    return GivenHand(tuple(GivenSeat(seat.player) for seat in seated), button, score)


class GivenHands(HandQueries):
    """Hands whose logs have no placements."""

    @override
    def placed_by(self, key: TableKey, hand_no: int) -> set[Player]:
        """Those who are not away: hands are given, and not placed."""
        return {seat.player for seat in TableQueries(self._sql, self._known).seats(key) if not seat.away}


class GivenTx(Tx):
    """Storage in which the logs of hands have no placements."""

    hands = Part(GivenHands)


class EventWorld:
    """A server's storage with one event, and the bot's clock."""

    def __init__(self, seed: int = 0) -> None:
        self.chance = Random(seed)
        self.now = START
        self.storage: Storage = new_storage()
        self.vault = OpenVault(self.chance)
        self.cache = HandCache()
        self.key = EventKey(guild=GUILD, number=1)
        self._causes = 0

    # transactions

    def write(self, job: Callable[[Session], T]) -> T:
        """Run a use case as the bot does, with all that follows from it for events."""

        def whole(sql: Sql) -> T:
            session = self.session(sql)
            result = job(session)
            DESK.follow(session)
            self.before_commit()
            return result

        return self.storage.write(whole)

    @property
    def committed(self) -> Tx:
        """Return a transaction on the committed data."""
        return Tx(self.storage.look)

    @property
    def seen_states(self) -> dict[str, set[Move]]:
        """Return the state changes of tables, events and entrants so far. Only SQLite lets a connection see each of
        them."""
        assert isinstance(self.storage, InMemory)
        return self.storage.seen_states

    def unshown(self) -> list[TableKey]:
        """The tables that no message shows as they are, in the order of their numbers."""
        return sorted(self.committed.tables.undrawn(), key=lambda key: key.table)

    def before_commit(self) -> None:
        """Hook before a transaction is committed."""

    def session(self, sql: Sql | None = None) -> Session:
        """Return a transaction without caches from earlier ones, or a read-only one without ``sql``."""
        return Session(
            tx=GivenTx(sql or self.storage.look),
            desk=DESK,
            policy=POLICY,
            vault=self.vault,
            now=self.now,
            cache=self.cache,
            published=True,
        )

    def field(self) -> EventState:
        """Return the event's current state."""
        return read_field(self.session(), self.key)

    def seating(self) -> bool:
        """True while the first tables are opened, some at a time."""
        fact = self.session().tx.events.last_fact(self.key, ("seats_drawn", "started"))
        return fact is not None and fact.kind == "seats_drawn"

    def cause(self) -> str:
        """The id of a new press."""
        self._causes += 1
        return str(10**6 + self._causes)

    def notices(self, kind: Notice) -> list[Mapping[str, Any]]:
        """The details of all messages of a kind, in order."""
        posted = self.committed.outbox.event_postings(self.key, limit=10_000)
        return [post.details for post in posted if post.notice is kind]

    def log(self, kind: str) -> list[EventFact]:
        """The facts of a kind in the event's log."""
        return [fact for fact in self.committed.events.log(self.key) if fact.kind == kind]

    def dump(self) -> str:
        """All that is stored."""
        return self.storage.dump()

    def balance(self, owner: str, kind: str = "wallet") -> int:
        """The chips of an account; a mint's are negative while its chips are about."""
        row = self.storage.look.one(
            "SELECT balance FROM account WHERE owner = :owner AND kind = :kind", owner=owner, kind=kind
        )
        return 0 if row is None else int(row["balance"])

    def due_hands(self) -> list[tuple[int, TableId]]:
        """When the pauses between hands are over, and where."""
        rows = self.storage.look.all(
            "SELECT due_at, table_id FROM timer WHERE kind = 'next_hand' ORDER BY due_at, table_id"
        )
        return [(row["due_at"], TableId(row["table_id"])) for row in rows]

    def hand_states(self) -> list[str]:
        """Return the states of all hands, in order."""
        return [row["state"] for row in self.storage.look.all("SELECT state FROM hand ORDER BY hand_no")]

    def all_chips(self) -> int:
        """Return the sum of all accounts."""
        row = self.storage.look.one("SELECT COALESCE(SUM(balance), 0) AS total FROM account")
        assert row is not None
        return int(row["total"])


def next_hand(s: Session, table: TableId, due_at: int) -> None:
    """Start the next hand, like the bot's clock after the pause."""
    _act(s, TableKey(guild=GUILD, table=table), Timer.NEXT_HAND, due_at, {})


def shown(s: Session, key: TableKey) -> None:
    """Record that a table's message was posted."""
    table = s.table(key)
    s.tx.tables.note_drawn(
        key, version=table.version, hand_no=table.hand_no, message=int(key.table), call=None, called=""
    )
    if table.event is not None:
        s.desk.shown(s, table)


def after_restore(s: Session) -> None:
    """Do the bot's work at its first start after a restore."""
    _after_restore(s, None)


def settle(s: Session, key: TableKey, hand: GivenHand) -> None:
    """End the running hand with this result."""
    settling.settle_hand(s, s.table(key), cast(Hand, hand))


def somebody(number: int) -> Player:
    """Return a player by number."""
    return Player(str(5000 + number))


A, B, C, D, E, F, G, H = (somebody(number) for number in range(8))


def structure(form: Format = Format.TOURNAMENT, **changes: Any) -> Structure:
    """Return an event with small numbers, where one hand may decide and wins are unlimited."""
    usual: dict[str, Any] = {"table_seats": 3, "most": 30, "stack": 1000, "levels": (10, 20, 40), "level_hands": 4}
    if form.heads_up:
        usual["table_seats"] = 2
    if form is Format.LEAGUE:
        usual |= {"rounds": 2, "round_hands": 2}
    if form is Format.DUPLICATE:
        usual |= {"rounds": 1, "round_hands": 3, "least": 4}
    if form is Format.GROUPS:
        usual |= {"groups": 2, "through": 1, "least": 4}
    return Structure(format=form, win_cap=WinCap.NONE, **(usual | changes))


SMALL_GROUPS = structure(Format.GROUPS, most=8, through=2, levels=(50, 1000), level_hands=1)
"""Groups and their bracket, whose matches are over after a hand or two."""


class Scene(EventWorld):
    """An event played step by step. The test gives each hand's result, and changes are shown immediately."""

    @override
    def write(self, job: Callable[[Session], T]) -> T:
        """Run a use case; then every table is shown as it is."""
        result = super().write(job)
        while unshown := self.unshown():
            for key in unshown:
                super().write(partial(shown, key=key))
        return result

    # the event

    def announce(
        self,
        plan: Structure,
        *,
        variant: Variant = CLASSIC,
        name: str = "Thursday",
        series: str = "",
        minutes: int = 60,
        organiser: Player = BOSS.player,
        authority: MemberPermissions = ANY,
    ) -> EventKey:
        """Announce an event; from now on it is the scene's."""
        event = self.write(
            lambda s: registration.create(
                s,
                PlannedEvent(
                    guild=GUILD,
                    channel=CHANNEL,
                    organiser=organiser,
                    authority=authority,
                    language="en",
                    name=name,
                    variant=variant,
                    structure=plan,
                    clock=PER_TURN,
                    starts_at=None if plan.format is Format.SIT_AND_GO else self.now + minutes * MINUTE,
                    series=series,
                ),
                cause=self.cause(),
            )
        )
        self.key = event.key
        return event.key

    def register(self, *players: Player) -> None:
        """Register them, one press each, a second apart."""
        for one in players:
            self.now += 1000
            self.write(partial(registration.register, key=self.key, player=one, cause=self.cause()))

    def withdraw(self, one: Player) -> None:
        """Take a registration back."""
        self.write(lambda s: registration.withdraw(s, self.key, one, cause=self.cause()))

    def take_place(self, one: Player) -> None:
        """Take the place that's on offer."""
        self.write(lambda s: registration.take_place(s, self.key, one, cause=self.cause()))

    def decline_place(self, one: Player) -> None:
        """Give up the place that's on offer."""
        self.write(lambda s: registration.decline_place(s, self.key, one, cause=self.cause()))

    def check_in(self, *players: Player) -> None:
        """Let them check in."""
        for one in players:
            self.write(partial(registration.check_in, key=self.key, player=one, cause=self.cause()))

    def start(self) -> None:
        """The organiser starts now."""
        self.write(lambda s: organiser.start_now(s, self.key, BOSS, cause=self.cause()))

    def begin(self, plan: Structure, *players: Player, **others: Any) -> None:
        """Announce an event, register these, start, and let the first hands be dealt."""
        self.announce(plan, **others)
        self.register(*players)
        self.start()
        self.go_on()

    def organise(self, tool: Callable[..., Any], *args: Any, by: Official = BOSS, **details: Any) -> None:
        """Use one of the organiser's tools."""
        self.write(lambda s: tool(s, self.key, by, *args, cause=self.cause(), **details))

    # time

    def wait(self, ms: int) -> None:
        """Let time pass; the bot's clock acts on whatever is due, in order."""
        until = self.now + ms
        while (due := self._due()) is not None and due <= until:
            self.now = max(self.now, due)
            for at, table in self.due_hands():
                if at <= self.now:
                    self.write(partial(next_hand, table=table, due_at=at))
            if (alarm := self.event.alarm_at) is not None and alarm <= self.now:
                self.write(lambda s: s.events_to_direct.add(self.key))
        self.now = until

    def _due(self) -> int | None:
        times = [at for at, _ in self.due_hands()]
        alarm = self.event.alarm_at
        return min([*times, *([] if alarm is None else [alarm])], default=None)

    def go_on(self) -> None:
        """Let the pauses between hands end."""
        self.wait(POLICY.seating_ms)

    # hands

    def hand(
        self, table: int, wins: Mapping[tuple[Player, Player], int] | None = None, *, fantasyland: Sequence[Player] = ()
    ) -> None:
        """End the hand at a table: the points that each player wins from each other, and who reaches Fantasyland."""
        spot = self.spot(table)
        dealt = [seat.player for seat in spot.seats if seat.dealt_in]
        assert not spot.idle, "no hand runs there"
        pairs = {(a, b): 0 for b in range(len(dealt)) for a in range(b)}
        for (winner, loser), points in (wins or {}).items():
            first, second = dealt.index(winner), dealt.index(loser)
            pairs[min(first, second), max(first, second)] = points if first < second else -points
        rule = self.event.variant.fantasyland
        cards = [max(rule.numbers) if rule and one in fantasyland else 0 for one in dealt]
        hand = given_hand(spot, pairs, fantasyland=cards)
        self.now += 1000
        self.write(lambda s: settle(s, spot.key, hand))

    def hands(self, count: int = 1) -> None:
        """Settle ``count`` hands without a winner at every running table."""
        for _ in range(count):
            for table in self.playing():
                self.hand(table)
            self.go_on()

    def knock_out(self, winner: Player, *losers: Player) -> None:
        """End the hand at their table: the winner takes all of the losers' chips."""
        self.hand(self.table_of(winner), {(winner, loser): ALL for loser in losers})

    def void(self, table: int) -> None:
        """The hand at a table is void."""
        self.write(lambda s: settling.void(s, s.table(self.spot(table).key), reason="bad_log"))

    def restore(self) -> None:
        """Go on as the bot does with a database that was put back from a copy."""
        self.write(after_restore)

    # looking

    @property
    def event(self) -> Event:
        """The event as it is stored."""
        event = self.committed.events.get(self.key)
        assert event is not None
        return event

    def entrant(self, one: Player) -> Entrant:
        """One of its people."""
        return self.field().entrants[one]

    def spot(self, table: int) -> TableInPlay:
        """One of its open tables."""
        return self.field().spots[TableId(table)]

    def tables(self) -> dict[int, list[Player]]:
        """Its open tables with their players in the order of seats."""
        return {int(number): [seat.player for seat in spot.seats] for number, spot in self.field().spots.items()}

    def sizes(self) -> list[int]:
        """Return the number of players per table, the largest first."""
        return sorted(map(len, self.tables().values()), reverse=True)

    def playing(self) -> list[int]:
        """Return the tables that are playing a hand."""
        return [int(number) for number, spot in self.field().spots.items() if not spot.idle]

    def table_of(self, one: Player) -> int:
        """Return the table of a player."""
        return next(table for table, players in self.tables().items() if one in players)

    def chips(self, one: Player) -> int:
        """His chips of the event."""
        return self.field().chips(one)

    def wallet(self, one: Player) -> int:
        """His chips of the server."""
        return self.balance(one)

    def pool(self) -> int:
        """Return the chips in the prize pool."""
        return self.balance(chips.pool_of(self.key))

    def view(self) -> EventView:
        """Return the public view of the event."""
        return views.look(self.session(), self.key)

    def bracket(self) -> BracketView:
        """Return the public view of the bracket; raises Refused."""
        return brackets.look(self.session(), self.key)

    def places(self) -> list[Player]:
        """Return all players by final place."""
        people = [e for e in self.field().entrants.values() if e.place]
        return [e.player for e in sorted(people, key=lambda e: (e.place, e.number))]

    def waiting(self) -> list[Player]:
        """The waiting list in order."""
        return [one.player for one in self.field().queue]

    def offers(self) -> dict[Player, int]:
        """The players with a place on offer, and how many minutes they have left."""
        queue = self.field().queue
        return {one.player: (one.offered_until - self.now) // MINUTE for one in queue if one.offered_until is not None}

    # invariants

    def refused(self, reason: object, job: Callable[[], Any]) -> None:
        """It is refused for that reason, and nothing has changed."""
        before = self.dump()
        with pytest.raises(Refused) as refusal:
            job()
        assert refusal.value.reason is reason
        assert self.dump() == before

    def check_books(self) -> None:
        """The books, numbers and states are in order; of an event that is over nothing is left."""
        for question in QUESTIONS:
            assert not ask(self.storage.look, question), question.kind
        assert self.all_chips() == 0
        if self.event.phase.over:
            assert self.balance(chips.mint_of(self.key), "mint") == 0
            assert not self.tables()

    def ends(self, phase: Phase = Phase.ENDED) -> None:
        """It is over in that way, with its books in order."""
        assert self.event.phase is phase
        self.check_books()
