"""An event played through before anyone has registered: in memory, by the event's own director, with hands of chance.

What would be posted is what the director has let be posted, in its order. Hands last as long as a forecast supposes and
bring what casual computers make of them. Nothing of the server's is read or written: the rehearsal has a database of
its own, which it throws away. The same question has the same answer, moments aside.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from random import Random
from typing import Final

from typing_extensions import override

from bot.model.clock import MINUTE
from bot.model.events import EntrantState, Event, EventPosting, Notice, Phase
from bot.model.ids import EventKey, GuildId, Player, TableId, TableKey
from bot.model.standings import Order
from bot.model.tables import Timer
from bot.play.event.floor.field import Field, read_field
from bot.play.event.office import registration, views
from bot.play.event.office.desk import Desk
from bot.play.event.office.registration import Plan
from bot.play.event.office.views import EventView
from bot.play.event.office.vouching import Authority
from bot.play.event.trials.simulator import Simulator, Tempo, swing_of
from bot.play.hand import hand_log, settling
from bot.play.session.hand_cache import HandCache
from bot.play.session.policy import Policy
from bot.play.session.session import Session
from bot.pure.event.handicap import usual_below
from bot.pure.event.structure import Family, Structure
from bot.pure.ofc.hand import Hand
from bot.pure.ofc.scoring import BoardScore, HandScore, PairScore
from bot.pure.ofc.variants import Variant
from bot.pure.rating.model import Rating, group_of
from bot.pure.solver.levels import Computers
from bot.store.hands import HandQueries
from bot.store.sql import Sql
from bot.store.sqlite.in_memory import InMemory
from bot.store.tables import TableQueries
from bot.store.transaction import Part, Tx

GUILD: Final = GuildId(1)
FIRST_PLAYER: Final = 1_000
NO_CHANCE: Final = ("seeding", "bounty", "bounty_grows", "groups", "through", "handicap")
"""What another choice of changes nothing in the hands of a rehearsal."""
MOST_PEOPLE: Final = 40
MOST_IN_BRACKET: Final = 24
"""More would be waited for too long."""
MOST_HANDS: Final = 6_000
"""Of all tables together: an event that is not over by then is told so far."""
MOST_POSTS: Final = 1_000
LONGEST_SECONDS: Final = 120.0
"""For as long as somebody may wait."""
REGISTERS_BEFORE_MS: Final = 30 * MINUTE
"""The last of them register so long before check-in opens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An event as it is planned, how fast people play, and how many of them come."""

    plan: Plan
    tempo: Tempo
    people: int
    now: int = 0
    """Milliseconds: when it would start, where it starts as soon as it is full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message of the event, and how the event stood when it was posted."""

    after: int
    """Milliseconds since the start; before it they are negative."""
    posting: EventPosting
    view: EventView


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A level, or a round where there are no levels that all tables share."""

    number: int
    """From 1."""
    begins: int
    """Milliseconds since the start."""
    people: int
    """Those who could still win when it began."""
    out: int
    """Those who went out in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Who came where, and what they have won."""

    place: int
    player: Player
    prize: int
    bounties: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """An event that was played through."""

    question: Question
    posts: tuple[Post, ...]
    stages: tuple[Stage, ...]
    breaks: tuple[tuple[int, int], ...]
    """When each began and ended, in milliseconds since the start."""
    lasts: int
    """From the start to the end, in milliseconds."""
    entries: int
    tables: int
    """So many were opened."""
    hands: int
    places: tuple[Place, ...]
    pool: int
    ended: bool
    """False where it was not over after ``MOST_HANDS``."""


def rehearsed(question: Question, _: Computers) -> Rehearsal:
    """Play it through. It is a job for a thinker (:mod:`bot.play.session.thinkers`); raises what announcing raises."""
    with closing(InMemory()) as memory:
        return _Evening(question, memory).played()


def guest_number(player: str) -> int:
    """The number of somebody who takes part in a rehearsal, from 1; 0 for everybody else."""
    number = int(player) - FIRST_PLAYER + 1 if player.isdecimal() else 0
    return number if 1 <= number <= MOST_PEOPLE else 0


def most_rehearsed(structure: Structure) -> int:
    """With how many an event can be rehearsed at most."""
    return min(structure.most, MOST_IN_BRACKET if structure.format.heads_up else MOST_PEOPLE)


class _GivenHands(HandQueries):
    """Hands whose logs have no placements."""

    @override
    def placed_by(self, key: TableKey, hand_no: int) -> set[Player]:
        """Everybody: hands are given, and not placed."""
        return {seat.player for seat in TableQueries(self._sql, self._known).seats(key)}


class _GivenTx(Tx):
    """Storage of hands whose logs have no placements."""

    hands = Part(_GivenHands)


@dataclass(frozen=True, slots=True)
class _GivenHand(Hand):
    """A hand that has ended with a score which nobody has placed cards for."""

    given: HandScore = dataclasses.field(default_factory=lambda: HandScore((), (), ()))

    @property
    @override
    def score(self) -> HandScore:
        """What was given."""
        return self.given


class _Vault:
    """Seeds of a chance that the question alone decides, sealed with nothing: they are no secrets."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def new_seed(self) -> bytes:
        return self._random.randbytes(32)

    def seal(self, seed: bytes, *, hand_id: str) -> bytes:
        return seed

    def marks(self, text: str) -> Sequence[bytes]:
        return [hashlib.sha256(text.encode()).digest()]

    def unseal(self, sealed: bytes, *, hand_id: str) -> bytes:
        return sealed


class _Evening:
    """A rehearsal while it runs."""

    def __init__(self, question: Question, memory: InMemory) -> None:
        structure = question.plan.structure
        self._question = question
        self._memory = memory
        self._game: Variant = question.plan.variant
        plan = {name: value for name, value in structure.to_json().items() if name not in NO_CHANCE}
        told = [plan, self._game.key, question.plan.clock.seconds, question.people]
        self._random = Random(json.dumps(told, sort_keys=True))
        self._chance = Simulator(self._game, question.tempo, swing_of(self._game), self._random)
        self._vault = _Vault(self._random)
        self._cache = HandCache()
        self._desk = Desk()
        self._policy = Policy(
            start_chips=max(1, structure.fee * (structure.reentries + 1)),
            next_hand_ms=round(question.tempo.between),
            seating_ms=round(question.tempo.seating),
        )
        self._causes = (str(10**6 + number) for number in count())
        self._people = [Player(str(FIRST_PLAYER + number)) for number in range(question.people)]
        self._now = question.now
        self._key = EventKey(guild=GUILD, number=1)
        self._posts: list[tuple[int, EventPosting, EventView]] = []
        self._stages: dict[int, tuple[int, int]] = {}
        """By number, when it began and with how many."""
        self._outs: dict[int, int] = {}
        self._out: dict[Player, int] = {}
        """How often each was seen going out."""
        self._asked: set[tuple[Player, int]] = set()
        """Who was asked, after which time they went out, whether they enter again."""
        self._breaks: list[tuple[int, int]] = []
        self._tables: set[TableId] = set()
        self._hands = 0
        self._field: Field
        """As it is after the last transaction."""

    def played(self) -> Rehearsal:
        """From the announcement to the end."""
        self._announce()
        ends: dict[tuple[TableId, int], int] = {}
        while not self._event.phase.over and self._hands < MOST_HANDS and len(self._posts) < MOST_POSTS:
            spots = self._field.spots
            running = {(number, spot.table.hand_no) for number, spot in spots.items() if not spot.idle}
            for key in sorted(running - ends.keys()):
                ends[key] = self._now + self._hand_lasts(key[0])
            due = min(((ends[key], key) for key in running), default=None)
            alarm = self._next_alarm(playing=due is not None)
            if due is None or (alarm is not None and alarm < due[0]):
                assert alarm is not None
                self._now = max(self._now, alarm)
                self._ring()
            else:
                self._now = max(self._now, due[0])
                self._end_hand(due[1][0])
            self._enter_again()
        return self._told()

    # transactions

    def _session(self, sql: Sql) -> Session:
        return Session(
            tx=_GivenTx(sql),
            desk=self._desk,
            policy=self._policy,
            vault=self._vault,
            now=self._now,
            cache=self._cache,
        )

    def _write(self, job: Callable[[Session], object]) -> None:
        """Run a use case with all that follows from it, and note what has become of the event."""

        def whole(sql: Sql) -> None:
            session = self._session(sql)
            job(session)
            self._desk.follow(session)

        self._memory.write(whole)
        self._look()

    @property
    def _event(self) -> Event:
        return self._field.event

    def _look(self) -> None:
        """Note what was posted, who went out, and which level or round it is."""
        session = self._session(self._memory.sql)
        field = self._field = read_field(session, self._key)
        if waiting := session.tx.outbox.event_postings(self._key, limit=MOST_POSTS):
            view = views.view_of(session, field)
            for posting in waiting:
                # Nobody earns a badge by it; which of them it would be depends on what they have done before.
                told = replace(posting, details={k: v for k, v in posting.details.items() if k != "badges"})
                self._posts.append((self._now, told, view))
                if posting.notice is Notice.BREAK:
                    self._breaks.append((self._now, posting.details["until"]))
                session.tx.outbox.event_posted(posting.number)
        if field.event.started_at is None:
            return
        self._tables.update(field.spots)
        stage, went_out_in = self._stage(field), max(self._stages, default=1)
        for entrant in field.entrants.values():
            gone = entrant.entries if entrant.state is EntrantState.OUT else entrant.entries - 1
            if gone > self._out.get(entrant.player, 0):
                # What ended with them may have begun the next.
                self._outs[went_out_in] = self._outs.get(went_out_in, 0) + gone - self._out.get(entrant.player, 0)
                self._out[entrant.player] = gone
        self._stages.setdefault(stage, (self._now, len(field.playing)))

    def _stage(self, field: Field) -> int:
        """The level, or the earliest round that is still played; it never goes back."""
        event, before = field.event, max(self._stages, default=1)
        if event.format.family is Family.FREEZEOUT:
            return max(before, event.level + 1)
        rounds = [spot.info.round for spot in field.spots.values()]
        return max(before, min(rounds, default=before))

    # what happens

    def _announce(self) -> None:
        plan = self._question.plan
        starts_at, structure = plan.starts_at, plan.structure
        if starts_at is not None:
            self._now = starts_at - structure.check_in_minutes * MINUTE - REGISTERS_BEFORE_MS - MINUTE
        every = Authority(manager=True, announces=True, roles=frozenset(structure.roles))
        plan = replace(plan, guild=GUILD, repeat=None, authority=every)
        self._write(lambda s: registration.create(s, plan, cause=next(self._causes)))
        if structure.handicap:
            self._write(self._rate)
        for player in self._people:
            self._now += 1
            self._write(partial(registration.register, key=self._key, player=player, cause=next(self._causes)))
        while self._event.phase.before and (alarm := self._event.alarm_at) is not None:
            self._now = max(self._now, alarm)
            self._ring()
            if self._event.phase is Phase.CHECK_IN:
                for player in self._people:
                    if self._field.entrants[player].state is EntrantState.REGISTERED:
                        self._write(
                            partial(registration.check_in, key=self._key, player=player, cause=next(self._causes))
                        )

    def _rate(self, s: Session) -> None:
        """Let the people be as far apart as a forecast takes them to be: each starts with what comes of it."""
        group = group_of(self._game.key)
        if group is None:
            return
        known: dict[str, Rating] = {
            player: Rating(mean=-below / 10, hands=Order.RATING.least_hands, at=s.now)
            for player, below in zip(self._people, usual_below(len(self._people)), strict=True)
        }
        s.tx.ratings.save_ratings(GUILD, group.key, known)

    def _deals(self) -> dict[TableId, int]:
        """When the pause at each table is over."""
        tx, idle = self._field.tx, [(number, spot) for number, spot in self._field.spots.items() if spot.idle]
        due = {number: tx.timers.of(spot.key).get(Timer.NEXT_HAND) for number, spot in idle}
        return {number: at for number, at in due.items() if at is not None}

    def _next_alarm(self, *, playing: bool) -> int | None:
        """When something is due by the clock; while hands are played the director need not look just now and then."""
        event = self._event
        clocks = [event.level_ends_at, event.break_until] if playing else [event.alarm_at]
        due = [at for at in clocks if at is not None and (at > self._now or not playing)]
        return min([*self._deals().values(), *due], default=None)

    def _ring(self) -> None:
        """The pauses that are over end, and the director looks."""

        over = [self._field.spots[number].key for number, at in self._deals().items() if at <= self._now]

        def job(s: Session) -> None:
            for key in over:
                s.tx.timers.set_timer(key, Timer.NEXT_HAND, None)
            s.events_to_direct.add(self._key)

        self._write(job)

    def _hand_lasts(self, table: TableId) -> int:
        players = sum(seat.dealt_in for seat in self._field.spots[table].seats)
        return round(self._chance.hand_lasts(players))

    def _end_hand(self, table: TableId) -> None:
        self._hands += 1
        key = self._field.spots[table].key

        def job(s: Session) -> None:
            at = s.table(key)
            dealt = hand_log.hand_of(s, key, at.hand_no)
            luck = self._chance.luck(len(dealt.seats))
            entered = [not seat.fantasyland and self._chance.enters_fantasyland() for seat in dealt.seats]
            given = _score(luck, entered, self._game)
            hand = _GivenHand(
                variant=dealt.variant, deck=dealt.deck, seats=dealt.seats, button=dealt.button, given=given
            )
            settling.settle_hand(s, at, hand)
            if at.event is not None:
                s.events_to_direct.add(at.event)

        self._write(job)

    def _enter_again(self) -> None:
        """Some of those who have just gone out, and may, enter again at once."""
        gone = [e for e in self._field.entrants.values() if e.state is EntrantState.OUT]
        if not gone or not self._question.plan.structure.reentries or self._event.phase is not Phase.RUNNING:
            return
        view = views.view_of(self._session(self._memory.sql), self._field)
        for player in (entrant.player for entrant in gone):
            asked = (player, self._out.get(player, 0))
            if view.may_enter_again(player) and asked not in self._asked:
                self._asked.add(asked)
                if self._chance.enters_again():
                    self._write(partial(registration.register, key=self._key, player=player, cause=next(self._causes)))

    # what is told

    def _told(self) -> Rehearsal:
        view = views.look(self._session(self._memory.sql), self._key)
        event = view.event
        start = event.started_at if event.started_at is not None else self._now
        return Rehearsal(
            question=self._question,
            posts=tuple(Post(after=at - start, posting=posting, view=seen) for at, posting, seen in self._posts),
            stages=tuple(self._told_stages(start)),
            breaks=tuple((begun - start, until - start) for begun, until in self._breaks),
            lasts=(event.ended_at or self._now) - start,
            entries=view.entries,
            tables=len(self._tables),
            hands=self._hands,
            places=tuple(
                Place(place=line.place, player=(one := line.entrant).player, prize=one.prize, bounties=one.bounties)
                for line in view.fair
            ),
            pool=view.pool,
            ended=event.phase is Phase.ENDED,
        )

    def _told_stages(self, start: int) -> Iterator[Stage]:
        rests = dict(self._breaks)
        for number, (begun, people) in sorted(self._stages.items()):
            begun = rests.get(begun, begun)  # the clock goes on to a level as the break before it begins
            yield Stage(number=number, begins=begun - start, people=people, out=self._outs.get(number, 0))


def _score(luck: Sequence[float], entered: Sequence[bool], game: Variant) -> HandScore:
    """Return the score of a hand from each player's luck and the players who enter Fantasyland."""
    cards = min(game.fantasyland.numbers) if game.fantasyland else 0
    boards = tuple(BoardScore(False, None, 0, cards if enters else 0) for enters in entered)
    totals, pairs = [0] * len(luck), list[PairScore]()
    for second in range(len(luck)):
        for first in range(second):
            points = round(luck[first] - luck[second])
            pairs.append(PairScore(first, second, (0, 0, 0), (points, 0, 0), 0, 0, 0, 0, points))
            totals[first] += points
            totals[second] -= points
    return HandScore(boards=boards, pairs=tuple(sorted(pairs)), points=tuple(totals))
