"""Events of every format with everything at once, next to the independent models.

Before the start, a waiting list, a doubtful start and members who leave the server. During play, players who leave,
give up and return. After the end, rulings on the results and on the series. The process is killed at random statements,
also after a commit whose answer is lost. All of it follows from the seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any, TypeVar

from typing_extensions import override

from bot.model.events import EntrantState, Event, Notice, Official, Phase
from bot.model.ids import Player
from bot.model.refusals import Stale
from bot.play import terms as terms_of
from bot.play.event.floor.event_state import EventState, TableInPlay
from bot.play.event.formats import brackets, counting
from bot.play.event.office import director, registration, roll_call
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.organisers import calls, changing, late_rulings, organiser, series_acts
from bot.play.session.hand_cache import HandCache
from bot.play.session.session import Session
from bot.pure.event.pairings import Pairings
from bot.pure.event.scoring import Scoring
from bot.pure.event.structure import Family, Format, NoShow
from bot.pure.event.ties import Ties
from bot.pure.ofc.refusals import Refused
from bot.store.sql import Sql
from tests.play.event import series_model
from tests.play.event.bracket_model import Bracket, differences
from tests.play.event.evening import Evening
from tests.play.event.event_world import ALL, BOSS, GUILD, MINUTE, POLICY, GivenHand, given_hand, somebody
from tests.play.event.group_model import Groups
from tests.play.event.mortal import mortal
from tests.play.event.rulings_model import HOUR, MANAGER, Aftermath
from tests.play.event.series_model import Date
from tests.play.event.start_model import BeforeStart, Lobby
from tests.play.event.told_model import ToldEvening

T = TypeVar("T")
NOBODY = Player("")
SERIES = "Spring"
OTHER_SERIES = ("Spring", "Autumn", "")
DOUBT = 2 * MINUTE
LITTLE = 15 * MINUTE
HELD_AGAIN = 2
"""An event that is called off is held again so many times at most."""
PRESSES = frozenset(
    {
        *("register", "again", "take", "pass", "withdraw", "top", "out", "table", "remove", "check_in", "stand by"),
        *("leave", "return", "postpone", "start anyway", "strike", "correct", "undo", "to series"),
    }
)
"""What people press, and may press again if the answer was lost."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of event."""

    name: str
    form: Format
    third: bool = False
    pairings: Pairings | None = None
    dates: int = 0
    """The planned number of dates of a series; 0 for a single event."""


KINDS = (
    Kind(name="tournament", form=Format.TOURNAMENT),
    Kind(name="sit & go", form=Format.SIT_AND_GO),
    Kind(name="shoot-out", form=Format.SHOOTOUT),
    Kind(name="single", form=Format.SINGLE),
    Kind(name="third place", form=Format.SINGLE, third=True),
    Kind(name="double", form=Format.DOUBLE),
    Kind(name="groups", form=Format.GROUPS),
    Kind(name="league", form=Format.LEAGUE, pairings=Pairings.DRAW),
    Kind(name="Swiss", form=Format.LEAGUE, pairings=Pairings.SWISS),
    Kind(name="round robin", form=Format.LEAGUE, pairings=Pairings.ALL),
    Kind(name="duplicate", form=Format.DUPLICATE),
    Kind(name="series", form=Format.TOURNAMENT, dates=3),
)


@dataclass(frozen=True, kw_only=True)
class Moved:
    """A ruling in force that moved an event to another series."""

    number: int
    before: str
    after: str
    at: int
    manager: bool


class Everything(Aftermath, ToldEvening, BeforeStart):
    """One kind of event from a seed: from the first registration to the last ruling, or all dates of a series."""

    def __init__(self, seed: int, *, kills: float = 0.02) -> None:
        super().__init__(seed, kills=kills)
        self.kind = KINDS[seed % len(KINDS)]
        self.dates: list[Date] = []
        self._whims = Random(f"everything {seed}")
        """A separate source for whatever earlier models didn't do."""
        self._level = self._whims.random() < 0.5
        """True if hands are won by so little that players are often equal."""
        self._scoring = self._whims.choice(list(Scoring))
        self._counted = self._whims.choice((0, 0, 1, 2))
        self._standers = Random(f"standing by {seed}")
        """A separate source for check-ins from the waiting list."""
        self._series = SERIES if self.kind.dates else self._whims.choice((SERIES, ""))
        self._writes = False
        self._begin(self.kind)

    def _begin(self, kind: Kind) -> None:
        """Forget the event before, and choose the size of the next one."""
        self.form, self.pairings = kind.form, kind.pairings
        sizes = {Format.GROUPS: (4, 8), Format.DUPLICATE: (4, 8), Format.LEAGUE: (3, 8)}
        self.people = self._whims.randint(*sizes.get(kind.form, (3, 12)))
        if kind.pairings is Pairings.ALL:
            self.people = min(self.people, 6)
        self.third = kind.third
        self._seen = self._opened = self._extra = 0
        self._settled.clear()
        self._read.clear()
        self._log.clear()
        self._here.clear()
        self._byes.clear()
        self._bracket: Bracket | None = None
        self._groups: Groups | None = None
        self._seeds: dict[Player, int] = {}
        self._pairs: dict[int, list[Player]] = {}
        self._asked: set[int] = set()
        self._moves: list[Moved] = []
        self._before: dict[Player, int] = {}

    # transactions

    @override
    def session(self, sql: Sql | None = None) -> Session:
        if sql is not None and self._writes and self._whims.random() < self.kills:
            sql = mortal(sql, dies_at=int(2 ** self._whims.uniform(0, 8)))
        session = super().session(sql)
        session.asks_members = True
        return session

    @override
    def write(self, job: Callable[[Session], T]) -> T:
        self._writes = True
        try:
            result = super().write(job)
        finally:
            self._writes = False
        if self._whims.random() < self.kills:
            self.cache = HandCache()  # it dies after the commit
            self.counts["kills"] += 1
        return result

    @override
    def _try(self, job: Callable[[Session], Any], what: str) -> bool:
        done = super()._try(job, what)
        if done and what in PRESSES and self._whims.random() < 0.03:
            self._press_again(job, what)
        return done

    def _press_again(self, job: Callable[[Session], Any], what: str) -> None:
        """Press again, because the answer was lost. Nothing may be done twice."""
        before = self.dump()
        try:
            self.write(job)
        except Stale:
            self.counts["pressed again"] += 1
        else:
            self.must(False, f"{what} was done twice")
        self.must(self.dump() == before, f"{what} changed something the second time")

    # the whole of it

    def play(self) -> None:
        """Play one event, or the dates of a series, with all that follows."""
        if not self.kind.dates:
            self._hold(self.kind)
            return
        small = [kind for kind in KINDS if kind.form not in (Format.GROUPS, Format.DUPLICATE) and not kind.dates]
        held = 0
        while self._left() and held < self.kind.dates + 2:
            held += 1
            self._hold(self._whims.choice(small))
        self.counts["series over"] += not self._left()

    def _left(self) -> int:
        return self.kind.dates - sum(date.series == SERIES for date in self.dates)

    def _hold(self, kind: Kind) -> None:
        """Hold an event, again if it's called off, and rule on it after its end."""
        self.kills, late = 0.02, self._late_kills
        for again in range(HELD_AGAIN + 1):
            self._begin(kind)
            left = self._left() if self.kind.dates else None
            event = self.run()
            self.counts["ended" if event.phase is Phase.ENDED else "called off"] += 1
            if event.phase is Phase.ENDED:
                break
            self.counts["held again"] += again < HELD_AGAIN
        else:
            return
        self.truth = self._end(self.field())
        self.dates.append(self._date(event))
        self._check_series_end(left)
        self._compare_series()
        self.kills, self._posts = late, self._rulings_posted()
        self.rule(self._whims.randint(6, 14))
        if self._whims.random() < 0.3:
            self._undo_all()

    def _date(self, event: Event) -> Date:
        return Date(
            number=event.key.number,
            series=event.series,
            shares=event.structure.ties is Ties.SHARE,
            percent=self.truth.percent,
            places=self._all_places(),
            placeless=self._all_if(self.truth.placeless),
            struck=self._all_if(self.truth.struck),
        )

    def _all_places(self) -> dict[Player, int]:
        last = len(self.truth.end)
        return {player: self.truth.places.get(player, last) for player in self.truth.end}

    def _all_if(self, test: Callable[[Player], bool]) -> set[Player]:
        return {player for player in self.truth.end if test(player)}

    # the plan

    @override
    def _choose_format(self) -> Format:
        return self.form

    @override
    def _plan(self) -> PlannedEvent:
        whims = self._whims
        plan = self._fitted(Evening._plan(self))  # noqa: SLF001
        structure = replace(
            plan.structure,
            third_place=self.third,
            scoring=self._scoring,
            counted=self._counted,
            least=max(plan.structure.least, whims.choice((2, 2, 3)), 4 if self.form is Format.GROUPS else 2),
            ties=whims.choice(list(Ties)),
        )
        if self.form is Format.LEAGUE:
            seats = 2 if whims.random() < 0.8 else structure.table_seats
            structure = replace(
                structure, table_seats=seats, rounds=whims.randint(3, 5), round_hands=whims.randint(1, 2), round_hours=0
            )
        if self.form is Format.SIT_AND_GO:
            structure = replace(structure, least=2)
        lead = whims.choice((20, 6 * 60, 3 * 24 * 60)) * MINUTE
        starts_at = None if self.form is Format.SIT_AND_GO else self.now + lead
        self._before = self._wallets()
        return replace(plan, structure=structure, starts_at=starts_at, series=self._series)

    def _wallets(self) -> dict[Player, int]:
        """The chips of everyone who may take part."""
        people = [somebody(number) for number in range(40)]
        return {player: self._wallet(player) for player in people}

    def _wallet(self, player: Player) -> int:
        row = self.storage.look.one(
            "SELECT balance FROM account WHERE owner = :owner AND kind = 'wallet'", owner=player
        )
        return POLICY.start_chips if row is None else int(row["balance"])

    @override
    def _draw(self, spot: TableInPlay, field: EventState) -> GivenHand:
        if not self._level:
            return super()._draw(spot, field)
        seated = [seat for seat in spot.seats if seat.dealt_in]
        luck = [self.chance.choice((0, 0, 1)) for _ in seated]
        if self.form.family is not Family.ROUNDS and any(luck):
            luck = [ALL * (at == luck.index(1)) for at in range(len(seated))]
        pairs = {(a, b): luck[a] - luck[b] for b in range(len(seated)) for a in range(b)}
        return given_hand(spot, pairs, fantasyland=[0] * len(seated))

    # members of the server

    @override
    def _registers(self, player: Player) -> Callable[[Session], Any]:
        self._returns_to_server(player)
        return super()._registers(player)

    def _leaves_server(self, player: Player) -> None:
        """Let a member leave. The bot may hear of it now, or at its next roll call."""
        self.departed.add(player)
        if self._whims.random() < 0.5:
            self._hears_of({player})

    def _hears_of(self, players: set[Player]) -> None:
        self.write(lambda s: s.tx.members.note_departed(GUILD, sorted(players), at=s.now))
        if self.field().event.phase.before and self.form is not Format.SIT_AND_GO:
            self.queue.departed |= players
            self._look()
            self.queue.settle(self.now)

    def _returns_to_server(self, player: Player) -> None:
        if player in self.departed:
            self.departed.discard(player)
            self.write(lambda s: s.tx.members.note_returned(GUILD, player))
            if self.form is not Format.SIT_AND_GO:
                self.queue.departed.discard(player)
            self.counts["members back"] += 1

    # before the start

    @override
    def _people(self, plan: PlannedEvent) -> None:
        structure = plan.structure
        self.fee, self.seats, self.pressers = structure.fee, structure.table_seats, structure.most + 5
        if self.kind.dates and self._left():
            self.write(lambda s: series_acts.plan_end(s, self.key, BOSS, dates=self._left(), cause=self.cause()))
        if plan.starts_at is None:
            self._fill_up(plan)
            return
        self.most_places = structure.most + 1
        self.queue = Lobby(places=structure.most, start=plan.starts_at, departed=set(self.departed))
        for player in self._whims.sample(range(self.pressers), self.people):
            if self._whims.random() < 0.9:
                self._list_register(somebody(player))
                self.compare_list()
        for _ in range(self._whims.randint(3, 20)):
            self._before_step()
        self._up_to_start(plan)

    def _fill_up(self, plan: PlannedEvent) -> None:
        """Fill a Sit & Go. A member who has left the server makes room for another."""
        inside: set[Player] = set()
        for _ in range(100):
            self.steps += 1
            player = somebody(self._whims.randrange(self.pressers))
            if self._whims.random() < 0.15:
                press = partial(registration.withdraw, key=self.key, player=player, cause=self.cause())
                if self.allows("withdraw", press, may=player in inside):
                    inside.discard(player)
            elif self.allows("register", self._registers(player), may=player not in inside and self._pays(player)):
                inside.add(player)
            if self._whims.random() < 0.05 and inside:
                self._leaves_server(self._whims.choice(sorted(inside)))
            if len(inside) == plan.structure.most:
                inside -= self._answer_start(inside)
                if len(inside) == plan.structure.most:
                    self._check_start(inside, set(), runs=True)
                    return
        self._try(lambda s: organiser.cancel(s, self.key, BOSS, why="It never filled", cause=self.cause()), "cancel")

    def _before_step(self) -> None:
        """Let someone press something, or leave the server."""
        model = self.queue
        known = sorted({*model.inside, *model.kept, *model.line} - self.departed)
        if self._whims.random() < 0.05 and known:
            self._leaves_server(self._whims.choice(known))
        self.list_step()

    @override
    def compare_list(self) -> None:
        super().compare_list()
        self._check_doubt()

    def _check_doubt(self) -> None:
        """The organiser is asked once per start, if players are missing or too few, and is told the truth."""
        model, event = self.queue, self.field().event
        missing = model.inside - model.checked if event.phase is Phase.CHECK_IN else set()
        stay = len(model.inside) - (len(missing) if event.structure.no_show is NoShow.DROP else 0)
        stay = max(stay, min(stay + len(model.standing), model.places))
        least = max(event.structure.least, self._playable())
        doubtful = bool(model.inside) and (stay < least or bool(missing))
        told = self.notices(Notice.MISSING)
        if doubtful and model.start - DOUBT <= self.now < model.start and model.start not in self._asked:
            self._asked.add(model.start)
            self.counts["doubts"] += 1
            self.must(told, "the organiser isn't asked about the start")
            last = told[-1]
            here = len(model.inside) - len(missing)
            self.must(
                (last["here"], last["registered"], last["need"], {*last["players"]}, last["called_off"])
                == (here, len(model.inside), least, missing, stay < least),
                f"the organiser is told {last}",
            )
        self.must(
            [one["starts_at"] for one in told] == sorted(self._asked), f"the organiser was asked {len(told)} times"
        )

    def _playable(self) -> int:
        """The fewest with whom the format can be played."""
        if self.form is Format.GROUPS:
            return 4
        seats = self.field().event.structure.table_seats
        return (4 if seats == 2 else seats + 1) if self.form is Format.DUPLICATE else 2

    def _up_to_start(self, plan: PlannedEvent) -> None:
        """Let time pass up to the start, with a check-in. The organiser answers a doubtful start."""
        model, structure, early = self.queue, plan.structure, False
        minutes = structure.check_in_minutes
        self._lengthen_list(minutes)
        for postponed in range(3):
            if minutes:
                self._pass_until(model.start - minutes * MINUTE)
                self._check_in_some(0.6)
            self._pass_until(model.start - DOUBT)
            what = self._whims.choice(("postpone", "start", "call", "nothing", "nothing")) if self._doubted else ""
            if what == "postpone" and postponed < 2:
                seen = terms_of.of_start(self.field().event)
                postpone = partial(changing.postpone_a_little, key=self.key, by=BOSS, terms=seen, cause=self.cause())
                self.allows("postpone", postpone, may=True)
                model.start += LITTLE
                self.compare_list()
                continue
            if what == "start":
                start = partial(organiser.start_now, key=self.key, by=BOSS, cause=self.cause())
                early = self.allows("start anyway", start, may=len(model.inside) >= self._playable())
            elif what == "call":
                self._try(lambda s: calls.call_missing(s, self.key, BOSS, cause=self.cause()), "call")
                self._check_in_some(0.7)
            break
        if not early:
            for _ in range(self._whims.randint(0, 3)):
                self._before_step()
            self._check_in_some(0.7)
            self._pass_until(model.start)
        self._start(early=early)

    def _lengthen_list(self, minutes: int) -> None:
        """Let some more players register before a check-in, so that some of them wait during it."""
        if minutes and self._standers.random() < 0.5:
            for _ in range(6):
                self._list_register(somebody(self._standers.randrange(self.pressers)))
            self.compare_list()

    @property
    def _doubted(self) -> bool:
        return self.queue.start in self._asked

    def _pass_until(self, until: int) -> None:
        if self.now < until:
            self.let_pass_until(until)
            self.queue.settle(self.now)
            if until < self.queue.start:
                self.compare_list()

    def _check_in_some(self, most: float) -> None:
        if not self.checks:
            return
        for player in sorted(self.queue.inside - self.queue.checked - self.departed):
            if self._whims.random() < most:
                press = partial(registration.check_in, key=self.key, player=player, cause=self.cause())
                self.allows("check_in", press, may=True)
                self.queue.checked.add(player)
        self._stand_by_some()
        self.compare_list()

    def _stand_by_some(self) -> None:
        """Let players on the waiting list check in, also twice."""
        event = self.field().event
        terms = terms_of.of_event(event) if self.fee else terms_of.of_start(event)
        for player in sorted({*self.queue.line} - self.departed):
            if self._standers.random() < 0.5:
                press = partial(registration.check_in, key=self.key, player=player, terms=terms, cause=self.cause())
                may = player not in self.queue.standing and self._pays(player)
                if self.allows("stand by", press, may=may):
                    self.queue.standing.add(player)

    def _start(self, *, early: bool) -> None:
        """Answer the roll call, and check who plays."""
        model, structure = self.queue, self.field().event.structure
        checks = self.checks
        gone = self._answer_start(model.inside | model.standing)
        model.drop(gone)
        model.inside -= gone
        missed = model.inside - model.checked if checks and not early else set()
        if structure.no_show is NoShow.DROP:
            model.inside -= missed
        before = set(model.inside)
        model.fill(pays=self._could_pay)
        inside = model.inside
        self.counts["from list"] += len(inside - before)
        need = self._playable() if early else max(structure.least, self._playable())
        self.check_list_over()
        self._check_start(inside, missed if structure.no_show is NoShow.BLIND else set(), runs=len(inside) >= need)

    def _could_pay(self, player: Player) -> bool:
        """True if a player had the fee before the event."""
        return self._before[player] >= self.fee

    def _answer_start(self, asked: set[Player]) -> set[Player]:
        """Answer the roll call before the start, or let it lapse. Returns who has left the server."""
        found = roll_call.look(self.session(), self.key)
        self.must(found is not None, "no roll call before the start")
        assert found is not None
        called, people = found
        self.must({*people} == asked, f"the roll call asks for {people}")
        if self._whims.random() < 0.15:
            self.now = max(self.now, called.at + MINUTE)
            self._try(lambda s: s.events_to_direct.add(self.key), "alarm")
            return set()
        gone = asked & self.departed
        if gone:
            self.write(lambda s: s.tx.members.note_departed(GUILD, sorted(gone), at=s.now))
        self.write(lambda s: director.roll_called(s, self.key, called, departed=gone))
        self.counts["members left"] += len(gone)
        return gone

    def _check_start(self, inside: set[Player], absent: set[Player], *, runs: bool) -> None:
        """Check who plays. Everyone else has their fee back."""
        now = self.field()
        self.must(
            now.event.phase is (Phase.RUNNING if runs else Phase.CANCELLED),
            f"with {len(inside)} it is {now.event.phase}",
        )
        if not runs:
            return
        self.must({e.player for e in now.playing} == inside, f"others than {inside} play")
        marked = {e.player for e in now.playing if e.absent}
        seated = {seat.player for spot in now.spots.values() for seat in spot.people if seat.away}
        self.must(marked | seated >= absent, f"{marked} are absent, not {absent}")
        self._check(now, now)
        for player, had in self._before.items():
            fee = self.fee if player in inside else 0
            self.must(self._wallet(player) == had - fee, f"{player} has {self._wallet(player)}, not {had - fee}")

    # during play

    @override
    def _step(self, before: EventState) -> EventState:
        self._answer_roll_call()
        now = self.field()
        if now.event.phase is Phase.RUNNING and self._whims.random() < 0.02:
            self._departs(now)
            now = self.field()
        return now if now.event.phase.over else super()._step(now)

    @override
    def _play(self, field: EventState) -> None:
        now = self.field()
        if now.event.phase.over:
            return  # the last who left ended it
        out = [e.player for e in now.entrants.values() if e.state is EntrantState.OUT]
        if out and now.event.structure.reentries and self._whims.random() < 0.1:
            self._try(self._registers(self._whims.choice(out)), "again")
            now = self.field()
        super()._play(now)

    @override
    def _away(self, field: EventState) -> None:
        super()._away(field)
        self._look()

    def _look(self) -> None:
        """Let the director look at the event, as it does at the end of each hand."""
        self.write(lambda s: s.events_to_direct.add(self.key))
        self._learn(self.field())

    def _departs(self, now: EventState) -> None:
        """Let a player leave the server. Their hands are placed automatically from now on."""
        player = self._whims.choice(list(now.entrants))
        spot = now.spot_of(player)
        self._leaves_server(player)
        if spot is not None:
            seat = next(seat for seat in spot.people if seat.player == player)
            self.write(lambda s: s.tx.tables.save_seat(spot.key, replace(seat, away=True)))
            self._look()

    def _answer_roll_call(self) -> None:
        """Answer a roll call during play, or let it lapse. Who has left the server leaves the event."""
        found = roll_call.look(self.session(), self.key)
        if found is None or self._whims.random() < 0.2:
            return
        called, asked = found
        before, gone, heard = self.field(), self.departed & {*asked}, len(self.log("left_server"))
        self.write(lambda s: s.tx.members.note_departed(GUILD, sorted(gone), at=s.now))
        self.write(lambda s: director.roll_called(s, self.key, called, departed=gone))
        self.counts["members left"] += len(self.log("left_server")) - heard
        after = self.field()
        self._check(before, after)
        if self.form.family is Family.ROUNDS and not before.event.paused:
            for player in gone:
                self.must(not after.entrants[player].playing, f"{player} has left the server and plays on")

    @override
    def _leave_or_return(self, field: EventState) -> None:
        super()._leave_or_return(field)
        self._learn(self.field())

    @override
    def _check(self, before: EventState, after: EventState) -> None:
        self._learn(after)
        super()._check(before, after)

    @override
    def _compare(self, now: EventState) -> None:
        if not self.form.heads_up:
            super()._compare(now)
        elif self._bracket is not None:
            for difference in differences(self._bracket, self._seeds, now):
                self.must(False, f"{difference}; {self._bracket}")
            self.compared += 1
        elif self._groups is not None:
            for difference in self._groups.differences(now):
                self.must(False, difference)
            self.compared += 1

    @override
    def _compare_reports(self, now: EventState) -> None:
        if not self.form.heads_up:
            super()._compare_reports(now)

    # brackets

    def _learn(self, now: EventState) -> None:
        """Let the model know the matches that are over, from the results of their hands."""
        if not self.form.heads_up or not now.event.started_at or now.event.phase is Phase.CANCELLED:
            return
        if not self._seeds:
            self._seeds = {e.player: e.number for e in now.entrants.values() if e.number}
            if self.form is not Format.GROUPS:
                double = self.form is Format.DOUBLE
                self._bracket = Bracket(players=len(self._seeds), double=double, third=self.third)
            else:
                through = 1 if len(self._seeds) < 6 else now.event.structure.through
                self._groups = Groups(seeds=self._seeds, through=through)
        self._read_log()
        out = {Player(str(fact.details["player"])) for fact in self._log if fact.kind == "disqualified"}
        gave_up = {Player(str(fact.details["player"])) for fact in self._log if fact.kind == "gave_up"}
        model = self._bracket
        if model is not None:
            model.disqualified = {self._seeds[player] for player in out}
            model.gave_up = {self._seeds[player] for player in gave_up}
        if self._groups is not None:
            self._groups.gone = out | gave_up
        for number in sorted(self._pairs.keys() - now.spots.keys()):
            pair = self._pairs.pop(number)
            winner = self._winner(now, number, pair, out | gave_up)
            self._won(now, pair, winner)
        for number, spot in now.spots.items():
            self._pairs.setdefault(int(number), [seat.player for seat in spot.seats])
        if model is not None:
            model.walk_overs({frozenset(self._seeds[player] for player in pair) for pair in self._pairs.values()})

    def _winner(self, now: EventState, table: int, pair: list[Player], gone: set[Player]) -> Player:
        """Return the winner of a match: whoever has all the chips, or isn't gone."""
        stacks = Counter(dict.fromkeys(pair, now.event.structure.stack))
        rows = self.storage.look.all("SELECT player, chips FROM result WHERE table_id = :table", table=table)
        for row in rows:
            stacks[Player(row["player"])] += row["chips"]
        for player in pair:
            stacks[player] += self.adjusted[player, table]
        left = [player for player in pair if player not in gone]
        broke = [player for player in pair if stacks[player] == 0]
        if len(left) == 1:
            self.counts["won by the one who stays"] += left[0] in broke
            return left[0]
        self.must(len(broke) == 1 or not left, f"table {table} closed with {dict(stacks)}")
        return next(player for player in pair[::-1] if player not in broke)

    def _won(self, now: EventState, pair: list[Player], winner: Player) -> None:
        model, seeds = self._bracket, frozenset(self._seeds[player] for player in pair)
        self.counts["matches"] += 1
        if model is not None:
            self.must(seeds in model.ready(), f"{pair} played a match that the bracket doesn't have")
            model.won[model.ready()[seeds]] = self._seeds[winner]
            return
        shown = brackets.bracket_view(now)
        lines = [line for line in shown.lines if {*line.players} == {*pair} and line.winner]
        if self._groups is not None and any(line.stage[0].value == "group" for line in lines):
            self._groups.played.setdefault(frozenset(pair), winner)  # they may meet again in the bracket
        told = [line.winner for line in lines]
        self.must(winner in told, f"{pair}: {told} are told as winners, not {winner}")

    # the end

    @override
    def _check_wallets(self, field: EventState) -> None:
        """Wallets hold what they held before, less the fees, plus bounties and prizes."""
        event, total = field.event, 0
        for player, had in self._before.items():
            entrant, due = field.entrants.get(player), had
            if entrant is not None and entrant.state is not EntrantState.WITHDRAWN and event.phase is Phase.ENDED:
                due += entrant.prize + entrant.bounties - event.structure.fee * entrant.entries
            total += self._wallet(player) - had
            if event.phase is Phase.ENDED or not event.structure.bounty:
                self.must(self._wallet(player) == due, f"{player} has {self._wallet(player)} chips, not {due}")
        added = event.structure.added if event.phase is Phase.ENDED else 0
        self.must(total == added, f"wallets have {total} more chips, not {added}")

    def _check_series_end(self, left: int | None) -> None:
        """After the last planned date, and no other, the series has its champions."""
        if not self.dates[-1].series:
            return
        (ended,) = self.notices(Notice.ENDED)
        told = ended.get("series", {})
        rows = self._rows(SERIES)
        last = left == 1
        self.must(("champions" in told) is last, f"{left} dates were left, and the report has {sorted(told)}")
        for row in told["rows"]:
            own = rows[Player(row["player"])]
            self.must(row["points"] == own.points, f"the series' report has {row['points']} points, not {own.points}")
            place = 1 + sum(other.rank < own.rank for other in rows.values())
            self.must(row["place"] == place, f"{row['player']} is told place {row['place']} of the series")
        if last:
            best = series_model.champions(rows)
            self.must({*told["champions"]} == best, f"{told['champions']} are the champions, not {best}")
            self.counts["champions"] += len(best)

    # the series and rulings on it

    def _rows(self, series: str) -> dict[Player, series_model.Row]:
        dates = [date for date in self.dates if date.series == series]
        return series_model.table(dates, self._scoring.value, self._counted)

    def _compare_series(self) -> None:
        """Compare the tables of both series with the model."""
        for series in ("Spring", "Autumn"):
            rows = self._rows(series)
            try:
                told = counting.series_table(self.session(), GUILD, series, NOBODY)
            except Refused:
                self.must(not rows, f"{series} has no table")
                continue
            lines = {line.player: (line.points, line.wins, line.events) for line in told.lines}
            due = {player: (row.points, row.wins, row.dates) for player, row in rows.items()}
            self.must(lines == due, f"{series} has {lines}, not {due}")
            for place, line in zip(told.places, told.lines, strict=True):
                own = rows[line.player].rank
                rank = 1 + sum(row.rank < own for row in rows.values())
                self.must(place.rank == rank, f"{line.player} is in place {place.rank} of {series}, not {rank}")

    @override
    def _one_step(self) -> None:
        what = self._whims.random()
        by: Official = self._whims.choice((MANAGER, BOSS))
        if what < 0.2:
            self._to_series(by, self._whims.choice(OTHER_SERIES))
        elif what < 0.3 and self._moves:
            self._undo_move(by, self._whims.choice(self._moves))
        else:
            super()._one_step()

    def _to_series(self, by: Official, series: str) -> None:
        date = self.dates[-1]
        before = date.series
        job = partial(late_rulings.to_series, key=self.key, by=by, series=series, why="wrong one", cause=self.cause())
        if self._does("to series", job, may=self._may_rule(by) and series != before):
            self._moves.append(
                Moved(number=self._newest(), before=before, after=series, at=self.now, manager=by.manager)
            )
            date.series = series

    def _undo_move(self, by: Official, move: Moved) -> None:
        date = self.dates[-1]
        may = self._may_rule(by) and self.now < move.at + HOUR and (by.manager or not move.manager)
        job = partial(late_rulings.undo, key=self.key, by=by, number=move.number, cause=self.cause())
        if self._does("undo", job, may=may and date.series == move.after):
            self._moves.remove(move)
            date.series = move.before

    @override
    def _compare_results(self) -> None:
        super()._compare_results()
        date = self.dates[-1]
        date.places, date.placeless = self._all_places(), self._all_if(self.truth.placeless)
        date.struck = self._all_if(self.truth.struck)
        self._compare_series()
