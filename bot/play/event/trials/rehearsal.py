"""Rehearsal of an event before registration, run in memory by the real director with random hands.

It returns the messages that the director would post, in order. Hands take as long as in a forecast, with results like
those of casual computers. It uses a separate, temporary database, so it never reads or writes the server's data. The
same request gives the same result, except for timestamps.
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
from bot.model.standings import LeaderboardOrder
from bot.model.tables import Timer
from bot.play.event.floor.event_state import EventState, read_field
from bot.play.event.office import registration, views
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.office.table_hooks import TableHooks
from bot.play.event.office.views import EventView
from bot.play.event.trials.simulator import PlaySpeed, Simulator, swing_of
from bot.play.hand import hand_log, settling
from bot.play.session.hand_cache import HandCache
from bot.play.session.policy import Policy
from bot.play.session.session import Session
from bot.pure.event.handicap import default_gaps
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
NO_CHANCE: Final = ("seeding", "bounty", "bounty_grows", "groups", "through", "handicap", "leaving", "ties")
"""Structure fields that don't affect the random hands of a rehearsal."""
MAX_PLAYERS: Final = 40
MAX_REHEARSED_BRACKET: Final = 24
"""Maximum players in a bracket. More would take too long."""
MAX_HANDS: Final = 6_000
"""Maximum hands over all tables. If an event isn't over by then, the report ends there."""
MAX_POSTS: Final = 1_000
MAX_SECONDS: Final = 120.0
"""Maximum time to wait for a rehearsal."""
REGISTERS_BEFORE_MS: Final = 30 * MINUTE
"""How long before check-in opens all players have registered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsalRequest:
    """A planned event, with the speed of play and the number of players."""

    plan: PlannedEvent
    tempo: PlaySpeed
    people: int
    now: int = 0
    """The start (ms) of an event that starts once it's full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsedPost:
    """A message of the event, and the event's state when it was posted."""

    after: int
    """Milliseconds since the start; negative before it."""
    posting: EventPosting
    view: EventView


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsedStage:
    """A level, or a round in formats without shared levels."""

    number: int
    """Number from 1."""
    begins: int
    """Milliseconds since the start."""
    people: int
    """Number of players still in when it began."""
    out: int
    """Number of players eliminated in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsedPlace:
    """A player's place and winnings."""

    place: int
    tied: bool
    """True if others share the place."""
    player: Player
    prize: int
    bounties: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """The result of a rehearsal."""

    question: RehearsalRequest
    posts: tuple[RehearsedPost, ...]
    stages: tuple[RehearsedStage, ...]
    breaks: tuple[tuple[int, int], ...]
    """Start and end of each break, in milliseconds since the start."""
    lasts: int
    """Milliseconds from the start to the end."""
    entries: int
    tables: int
    """Number of tables opened."""
    hands: int
    places: tuple[RehearsedPlace, ...]
    pool: int
    ended: bool
    """False if it wasn't over after ``MAX_HANDS``."""


def rehearsed(question: RehearsalRequest, _: Computers) -> Rehearsal:
    """Rehearse an event, as a job for :mod:`bot.play.session.workers`. Raises the same errors as announcing it."""
    with closing(InMemory()) as memory:
        return _RehearsalRun(question, memory).played()


def guest_number(player: str) -> int:
    """Return the number of a rehearsal's player, from 1; 0 for any other player."""
    number = int(player) - FIRST_PLAYER + 1 if player.isdecimal() else 0
    return number if 1 <= number <= MAX_PLAYERS else 0


def max_rehearsed(structure: Structure) -> int:
    """Return the maximum number of players for a rehearsal."""
    return min(structure.most, MAX_REHEARSED_BRACKET if structure.format.heads_up else MAX_PLAYERS)


class _GivenHands(HandQueries):
    """Hands whose logs have no placements."""

    @override
    def placed_by(self, key: TableKey, hand_no: int) -> set[Player]:
        """Return all players, because these hands have results without placements."""
        return {seat.player for seat in TableQueries(self._sql, self._known).seats(key)}


class _GivenTx(Tx):
    """Storage for hands whose logs have no placements."""

    hands = Part(_GivenHands)


@dataclass(frozen=True, slots=True)
class _GivenHand(Hand):
    """A finished hand with a given score and no placed cards."""

    given: HandScore = dataclasses.field(default_factory=lambda: HandScore((), (), ()))

    @property
    @override
    def score(self) -> HandScore:
        """The given score."""
        return self.given


class _Vault:
    """Seeds from the rehearsal's random generator. They aren't secret, so they aren't encrypted."""

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


class _RehearsalRun:
    """A running rehearsal."""

    def __init__(self, question: RehearsalRequest, memory: InMemory) -> None:
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
        self._desk = TableHooks()
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
        """The time each stage began and its number of players, by stage number."""
        self._outs: dict[int, int] = {}
        self._out: dict[Player, int] = {}
        """Number of eliminations counted per player."""
        self._asked: set[tuple[Player, int]] = set()
        """Players already asked to re-enter, each with the number of their elimination."""
        self._breaks: list[tuple[int, int]] = []
        self._tables: set[TableId] = set()
        self._hands = 0
        self._field: EventState
        """State after the latest transaction."""

    def played(self) -> Rehearsal:
        """Run the event from its announcement to its end."""
        self._announce()
        ends: dict[tuple[TableId, int], int] = {}
        while not self._event.phase.over and self._hands < MAX_HANDS and len(self._posts) < MAX_POSTS:
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
        return self._build_report()

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
        """Run a use case with the director, then record the event's new state."""

        def whole(sql: Sql) -> None:
            session = self._session(sql)
            job(session)
            self._desk.follow(session)

        self._memory.write(whole)
        self._record_changes()

    @property
    def _event(self) -> Event:
        return self._field.event

    def _record_changes(self) -> None:
        """Record new messages, eliminations, and the level or round."""
        session = self._session(self._memory.sql)
        field = self._field = read_field(session, self._key)
        if waiting := session.tx.outbox.event_postings(self._key, limit=MAX_POSTS):
            view = views.event_view(session, field)
            for posting in waiting:
                # Badges aren't earned in a rehearsal, because they depend on earlier play.
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
                # Their elimination may have started the next stage, so it counts towards the previous one.
                self._outs[went_out_in] = self._outs.get(went_out_in, 0) + gone - self._out.get(entrant.player, 0)
                self._out[entrant.player] = gone
        self._stages.setdefault(stage, (self._now, len(field.playing)))

    def _stage(self, field: EventState) -> int:
        """Return the level, or the earliest round still being played. It never decreases."""
        event, before = field.event, max(self._stages, default=1)
        if event.format.family is Family.FREEZEOUT:
            return max(before, event.level + 1)
        rounds = [spot.info.round for spot in field.spots.values()]
        return max(before, min(rounds, default=before))

    # events

    def _announce(self) -> None:
        plan = self._question.plan
        starts_at, structure = plan.starts_at, plan.structure
        if starts_at is not None:
            self._now = starts_at - structure.check_in_minutes * MINUTE - REGISTERS_BEFORE_MS - MINUTE
        every = MemberPermissions(manager=True, announces=True, roles=frozenset(structure.roles))
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
        """Save ratings that are as far apart as a forecast assumes, so that each player gets the matching handicap."""
        group = group_of(self._game.key)
        if group is None:
            return
        known: dict[str, Rating] = {
            player: Rating(mean=-below / 10, hands=LeaderboardOrder.RATING.min_hands, at=s.now)
            for player, below in zip(self._people, default_gaps(len(self._people)), strict=True)
        }
        s.tx.ratings.save_ratings(GUILD, group.key, known)

    def _deals(self) -> dict[TableId, int]:
        """Return when the pause ends at each table."""
        tx, idle = self._field.tx, [(number, spot) for number, spot in self._field.spots.items() if spot.idle]
        due = {number: tx.timers.of(spot.key).get(Timer.NEXT_HAND) for number, spot in idle}
        return {number: at for number, at in due.items() if at is not None}

    def _next_alarm(self, *, playing: bool) -> int | None:
        """Return the next time at which something is due; None if there is none.

        During hands, the director's routine checks are skipped.
        """
        event = self._event
        clocks = [event.level_ends_at, event.break_until] if playing else [event.alarm_at]
        due = [at for at in clocks if at is not None and (at > self._now or not playing)]
        return min([*self._deals().values(), *due], default=None)

    def _ring(self) -> None:
        """End the pauses that are over and run the director."""

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
        """Let some of the players who just busted re-enter, if they may."""
        gone = [e for e in self._field.entrants.values() if e.state is EntrantState.OUT]
        if not gone or not self._question.plan.structure.reentries or self._event.phase is not Phase.RUNNING:
            return
        view = views.event_view(self._session(self._memory.sql), self._field)
        for player in (entrant.player for entrant in gone):
            asked = (player, self._out.get(player, 0))
            if view.may_enter_again(player) and asked not in self._asked:
                self._asked.add(asked)
                if self._chance.enters_again():
                    self._write(partial(registration.register, key=self._key, player=player, cause=next(self._causes)))

    # results

    def _build_report(self) -> Rehearsal:
        view = views.look(self._session(self._memory.sql), self._key)
        event = view.event
        start = event.started_at if event.started_at is not None else self._now
        return Rehearsal(
            question=self._question,
            posts=tuple(
                RehearsedPost(after=at - start, posting=posting, view=seen) for at, posting, seen in self._posts
            ),
            stages=tuple(self._told_stages(start)),
            breaks=tuple((begun - start, until - start) for begun, until in self._breaks),
            lasts=(event.ended_at or self._now) - start,
            entries=view.entries,
            tables=len(self._tables),
            hands=self._hands,
            places=tuple(
                RehearsedPlace(
                    place=line.place,
                    tied=line.tied,
                    player=(one := line.entrant).player,
                    prize=one.prize,
                    bounties=one.bounties,
                )
                for line in view.fair
            ),
            pool=view.pool,
            ended=event.phase is Phase.ENDED,
        )

    def _told_stages(self, start: int) -> Iterator[RehearsedStage]:
        rests = dict(self._breaks)
        for number, (begun, people) in sorted(self._stages.items()):
            begun = rests.get(begun, begun)  # the clock reaches a level when the break before it begins
            yield RehearsedStage(number=number, begins=begun - start, people=people, out=self._outs.get(number, 0))


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
