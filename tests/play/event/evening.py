"""Whole events from one seed, with the real use cases, director, ledger and SQL. Only the hands' results are random.

Players register, come late, stay away and re-enter. An organiser uses every tool at random, hands are void, threads
disappear, and any transaction may fail before it's written. After each step, the invariants are checked. Everything
follows from the seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations
from random import Random
from typing import Any, TypeVar

from typing_extensions import override

from bot.model.events import Entrant, EntrantState, Event, EventFact, Phase
from bot.model.ids import Player, TableId
from bot.model.refusals import Stale
from bot.model.tables import WaitReason
from bot.play.event.floor.event_state import EventState, TableInPlay, plays_for_chips
from bot.play.event.office import director, leaving, registration, table_hooks, views
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.organisers import organiser
from bot.play.hand import settling
from bot.play.session import chips
from bot.play.session.hand_cache import HandCache
from bot.play.session.session import Session
from bot.pure.event.pairings import Pairings
from bot.pure.event.payouts import default_payouts
from bot.pure.event.structure import PRESETS, Family, Format, Leaving, NoShow, Structure
from bot.pure.event.ties import Ties
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant
from bot.store.invariants import QUESTIONS, ask
from tests.play.event.event_world import (
    ANY,
    BOSS,
    CHANNEL,
    GUILD,
    MINUTE,
    PER_TURN,
    POLICY,
    START,
    STRANGER,
    EventWorld,
    GivenHand,
    after_restore,
    given_hand,
    next_hand,
    settle,
    shown,
    somebody,
)
from tests.play.event.mortal import KilledError

T = TypeVar("T")
MAX_STEPS = 40_000


class BrokenPromiseError(AssertionError):
    """Something that must hold does not."""


class Evening(EventWorld):
    """One event from creation to its end. ``tale`` tells the last of it."""

    def __init__(self, seed: int, *, kills: float = 0.02) -> None:
        super().__init__(seed)
        self.seed = seed
        self.kills = kills
        self.steps = 0
        self.counts: Counter[str] = Counter()
        self.tale: list[str] = []
        self._extra = 0
        self.adjusted = Counter[tuple[Player, int]]()
        """Chips given to players at a table, less those taken."""
        """Chips of the event that organisers made, less those they took."""
        self._hands: Counter[str] = Counter()
        self._moods = Random(f"leaving {seed}")
        """A separate source for leaving and returning, so that other draws of an evening stay the same."""

    # transactions

    @override
    def write(self, job: Callable[[Session], T]) -> T:
        """Run a use case; it may die before it is written, and is done again by who asked for it."""
        while True:
            try:
                return super().write(job)
            except KilledError:
                self.cache = HandCache()
                self.counts["kills"] += 1

    @override
    def before_commit(self) -> None:
        """The process may die."""
        if self.chance.random() < self.kills:
            raise KilledError

    def must(self, holds: object, otherwise: str) -> None:
        """Raise BrokenPromiseError unless ``holds`` is true."""
        if not holds:
            tale = "\n  ".join(self.tale[-25:])
            raise BrokenPromiseError(f"seed {self.seed}, step {self.steps}: {otherwise}\n  {tale}")

    def tell(self, text: str) -> None:
        """Note what happens."""
        self.tale.append(f"{self.steps}: {text}")
        del self.tale[:-60]

    # the whole of it

    def run(self) -> Event:
        """Play the event to its end; raises BrokenPromiseError."""
        plan = self._plan()
        self.tell(f"{plan.structure}")
        event = self.write(lambda s: registration.create(s, plan, cause=self.cause()))
        self.key = event.key
        self._people(plan)
        field = self.field()
        while not field.event.phase.over:
            self.steps += 1
            self.must(self.steps < MAX_STEPS, "it does not come to an end")
            field = self._step(field)
        self._check_end()
        return self.field().event

    def _plan(self) -> PlannedEvent:
        chance, form = self.chance, self._choose_format()
        preset = next(structure for structure in PRESETS.values() if structure.format is form)
        variant: Variant = chance.choice((PINEAPPLE, CLASSIC))
        seats = 2 if form.heads_up else chance.randint(2, variant.max_seats)
        most = seats * chance.randint(1, 2) if form is Format.SIT_AND_GO else chance.randint(max(4, seats + 1), 30)
        structure = replace(
            preset,
            table_seats=seats,
            most=max(2, most),
            least=4 if form is Format.GROUPS else 2,
            fee=chance.choice((0, 0, 100, 1000)),
            added=chance.choice((0, 0, 777)),
            payouts=chance.choice(((), (), (100,), (60, 40), (50, 30, 20))),
            check_in_minutes=0 if form is Format.SIT_AND_GO else chance.choice((0, 15)),
            no_show=chance.choice(list(NoShow)),
            ties=Random(f"ties {self.seed}").choice(list(Ties)),
        )
        if form.family is Family.FREEZEOUT and structure.fee:
            apart = Random(self.seed)  # This keeps the evenings of other seeds as they were.
            bounty = apart.choice((0, 33, structure.fee))
            structure = replace(structure, bounty=bounty, bounty_grows=apart.random() < 0.5)
        if form.family is Family.FREEZEOUT:
            structure = replace(structure, leaving=Random(f"seats {self.seed}").choice(list(Leaving)))
        if form.family is not Family.ROUNDS:
            structure = self._chips_structure(structure)
        elif form is Format.DUPLICATE:
            variant = house_variant(variant.key, {"fantasyland": "off"})
            hands_per_round = seats * chance.randint(1, 2)
            structure = replace(structure, rounds=chance.randint(1, 3), round_hands=hands_per_round)
            structure = replace(structure, least=structure.fewest)
        else:
            structure = replace(
                structure,
                rounds=chance.randint(1, 4),
                round_hands=chance.randint(1, 4),
                round_hours=chance.choice((0, 0, 24)),
                pairings=chance.choice(list(Pairings)),
            )
            if structure.pairings is Pairings.ALL:
                structure = replace(structure, most=min(structure.most, 9), round_hands=min(structure.round_hands, 2))
        return PlannedEvent(
            guild=GUILD,
            channel=CHANNEL,
            organiser=BOSS.player,
            authority=ANY,
            language="en",
            name=f"Evening {self.seed}",
            variant=variant,
            structure=structure,
            clock=PER_TURN,
            starts_at=None if form is Format.SIT_AND_GO else START + 60 * MINUTE,
            series=chance.choice(("", "Spring")),
        )

    def _choose_format(self) -> Format:
        form: Format = self.chance.choice([one for one in Format if one is not Format.GROUPS])
        if form is Format.SINGLE and Random(f"groups {self.seed}").random() < 0.5:
            return Format.GROUPS  # This keeps the evenings of other seeds as they were.
        return form

    def _chips_structure(self, structure: Structure) -> Structure:
        chance = self.chance
        by_hands = structure.format is not Format.TOURNAMENT or chance.random() < 0.6
        structure = replace(
            structure,
            stack=chance.choice((1000, 2500, 10_000)),
            levels=chance.choice(((50,), (50, 100, 200), (25, 50, 100, 200, 400))),
            level_hands=chance.randint(1, 4) if by_hands else 0,
            level_minutes=0 if by_hands else chance.randint(2, 15),
        )
        if structure.format is Format.TOURNAMENT:
            late = chance.choice((0, 1, 3))
            structure = replace(
                structure,
                late_levels=late,
                reentries=chance.randint(0, 2) if late else 0,
                break_levels=chance.choice((0, 1, 2)),
            )
        return structure

    def _people(self, plan: PlannedEvent) -> None:
        wanted = plan.structure.most if plan.structure.format is Format.SIT_AND_GO else None
        count = wanted or self.chance.randint(1, plan.structure.most)
        for number in range(count):
            self._try(self._registers(somebody(number)), "register")

    def _registers(self, player: Player) -> Callable[[Session], Any]:
        return partial(registration.register, key=self.key, player=player, cause=self.cause())

    def _try(self, job: Callable[[Session], Any], what: str) -> bool:
        """Run ``job``, which may be refused. A refusal must change nothing."""
        dump = None if self.chance.random() > 0.02 else self.dump()
        try:
            self.write(job)
        except (Refused, Stale) as refused:
            self.counts["refused"] += 1
            if dump is not None:
                self.must(self.dump() == dump, f"{what} was refused and changed something")
            self.tell(f"{what}: {getattr(refused, 'reason', 'stale')}")
            return False
        self.counts[what] += 1
        self.tell(what)
        return True

    # steps

    def _step(self, before: EventState) -> EventState:
        kind = self.chance.random()
        if before.event.phase is Phase.RUNNING:
            self._leave_or_return(before)
        if kind < 0.74:
            self._play(before)
        elif kind < 0.88:
            self._wait(before)
        elif kind < 0.96:
            self._press(before)
        else:
            self._organise(before)
        self._draw_tables()
        after = self.field()
        self._check(before, after)
        return after

    def _draw_tables(self) -> None:
        """Mark most changed tables and events as shown. Some follow later, and some never."""
        for key in self.unshown():
            if self.chance.random() < 0.8:
                self._try(partial(shown, key=key), "shown")

    def _play(self, field: EventState) -> None:
        playing = [spot for spot in field.spots.values() if not spot.idle]
        if not playing:
            self._wait(field)
            return
        spot = self.chance.choice(playing)
        self.now += self.chance.randint(1, 40) * 1000
        if self.chance.random() < 0.01:
            self._try(lambda s: settling.void(s, s.table(spot.key), reason="bad_log"), "void")
            return
        drawn = self._draw(spot, field)
        self._try(lambda s: settle(s, spot.key, drawn), "hand")
        self._hands.update(seat.player for seat in drawn.seats)

    def _draw(self, spot: TableInPlay, field: EventState) -> GivenHand:
        """Return a random result, in which most pairs win or lose some points and a few players reach Fantasyland."""
        chance = self.chance
        seated = [seat for seat in spot.seats if seat.dealt_in]
        luck = [chance.gauss(0, 8) for _ in seated]
        everybody_fouls = chance.random() < 0.1
        pairs = {
            (a, b): 0 if everybody_fouls else round(luck[a] - luck[b])
            for a in range(len(seated))
            for b in range(a + 1, len(seated))
        }
        rule = field.event.variant.fantasyland
        cards = max(rule.numbers) if rule else 0
        reached = [cards if rule and not everybody_fouls and chance.random() < 0.15 else 0 for _ in seated]
        return given_hand(spot, pairs, fantasyland=reached, fouls=everybody_fouls)

    def _wait(self, field: EventState) -> None:
        """Let time pass until something is due, and let the clock act as the bot's own does."""
        due = min((at for at, _ in self.due_hands()), default=None)
        alarm = field.event.alarm_at
        self.must(due is not None or alarm is not None, "nothing is due and nobody plays")
        earliest = min(at for at in (due, alarm) if at is not None)
        self.now = max(self.now, earliest) + self.chance.choice((0, 0, 1, 500, 30_000))
        for at, table in self.due_hands():
            if at <= self.now:
                self._try(partial(next_hand, table=table, due_at=at), "pause over")
        if alarm is not None and alarm <= self.now:
            self._try(lambda s: s.events_to_direct.add(self.key), "alarm")

    def _press(self, field: EventState) -> None:
        chance = self.chance
        player = somebody(chance.randint(0, 35))
        cause = self.cause()
        what = chance.choice(("register", "withdraw", "check_in", "again", "away", "view"))
        if what == "register":
            self._try(self._registers(player), what)
        elif what == "again":
            out = [e.player for e in field.entrants.values() if e.state is EntrantState.OUT]
            if out:
                self._try(self._registers(chance.choice(out)), what)
        elif what == "withdraw":
            self._try(lambda s: registration.withdraw(s, self.key, player, cause=cause), what)
        elif what == "check_in":
            for entrant in list(field.entrants.values()):
                if chance.random() < 0.8:
                    self._try(
                        partial(registration.check_in, key=self.key, player=entrant.player, cause=self.cause()), what
                    )
        elif what == "away":
            self._away(field)
        else:
            view = views.look(self.session(), self.key)
            self.must(len({line.entrant.player for line in view.lines}) == len(view.lines), "somebody is listed twice")

    def _leave_or_return(self, field: EventState) -> None:
        """Sometimes let a player leave, give up or come back."""
        chance, cause, key = self._moods, str(10**9 + self.steps), self.key
        player = chance.choice(list(field.entrants))
        kind, rounds = chance.random(), field.event.format.family is Family.ROUNDS
        if kind < (0.02 if field.event.structure.gives_up else 0.04):
            self._leave(field, player, cause)
        elif 0.04 <= kind < 0.08:
            out = [e.player for e in field.entrants.values() if e.state is EntrantState.OUT]
            away = [seat.player for spot in field.spots.values() for seat in spot.people if seat.away]
            back = chance.choice((out if rounds else away) or [player])
            self._try(lambda s: leaving.come_back(s, key, back, cause=cause), "return")

    def _leave(self, field: EventState, player: Player, cause: str) -> None:
        """Let a player leave. The event ends by it if the question says so, and otherwise it goes on."""
        try:
            asked = leaving.offer(self.session(), self.key, player)
        except Refused:
            asked = None
        left = self._try(lambda s: leaving.leave(s, self.key, player, cause=cause), "leave")
        if not left or asked is None or isinstance(asked, leaving.LeaveOffer) or asked.in_hand or field.event.paused:
            return
        now = self.field()
        if isinstance(asked, leaving.GiveUpOffer):
            self.must(now.event.phase.over == asked.ends, f"{player} gives up, and the end isn't as it was said")
            if asked.ends and asked.champion is not None:
                self.must(now.entrants[asked.champion].place == 1, f"{asked.champion} was said to win")
        elif not asked.ends:
            self.must(not now.event.phase.over, f"{player} gave up, and the event is over")

    def _away(self, field: EventState) -> None:
        spots = list(field.spots.values())
        if spots:
            spot = self.chance.choice(spots)
            if spot.people:
                seat = self.chance.choice(spot.people)
                self._try(
                    lambda s: s.tx.tables.save_seat(s.table(spot.key).key, replace(seat, away=not seat.away)), "away"
                )

    def _organise(self, field: EventState) -> None:
        chance = self.chance
        player = somebody(chance.randint(0, 30))
        by = chance.choice((BOSS, BOSS, BOSS, STRANGER))
        cause, key = self.cause(), self.key
        what = chance.choice(
            ("pause", "penalty", "disqualify", "adjust", "move", "announce", "helper", "thread", "cancel", "restore")
        )
        if what == "pause":
            if self._try(lambda s: organiser.pause(s, key, by, cause=cause), what):
                self.now += chance.randint(0, 10) * MINUTE
                self._try(lambda s: organiser.resume(s, key, BOSS, cause=self.cause()), "resume")
        elif what == "penalty":
            self._try(
                lambda s: organiser.penalty(s, key, by, player, hands=chance.randint(0, 3), why="late", cause=cause),
                what,
            )
        elif what == "disqualify" and chance.random() < 0.5:
            self._try(lambda s: organiser.disqualify(s, key, by, player, why="cheated", cause=cause), what)
        elif what == "adjust":
            amount = chance.choice((500, -500, 10**9, 0, -(10**6)))
            if self._try(lambda s: organiser.adjust(s, key, by, player, amount=amount, why="error", cause=cause), what):
                self._extra += amount
                if (spot := field.spot_of(player)) is not None:
                    self.adjusted[player, spot.table.key.table] += amount
        elif what == "move" and field.spots:
            table = TableId(chance.choice(list(field.spots)))
            self._try(lambda s: organiser.move(s, key, by, player, table=table, why="balance", cause=cause), what)
        elif what == "announce":
            self._try(lambda s: organiser.announce(s, key, by, chance.choice(("Hello", "")), cause=cause), what)
        elif what == "helper":
            remove = chance.random() < 0.5
            self._try(lambda s: organiser.co_organiser(s, key, by, player, remove=remove, cause=cause), what)
        elif what == "thread" and field.spots:
            spot = chance.choice(list(field.spots.values()))
            self._try(lambda s: table_hooks.set_thread(s, spot.key, channel=chance.randint(1000, 9999)), what)
            self._try(lambda s: table_hooks.without_place(s, s.table(spot.key), reason="channel_gone"), "thread gone")
        elif what == "restore":
            self.now += 1000  # no two restores happen in the same millisecond
            self._try(after_restore, what)
        elif what == "cancel" and chance.random() < 0.03:
            self._try(lambda s: organiser.cancel(s, key, by, why="no power", cause=cause), what)

    # looking

    def _check(self, before: EventState, after: EventState) -> None:
        self._check_chips(after)
        if after.event.phase is not Phase.RUNNING or self.seating():
            return
        self._check_seats(after)
        self._check_moves(before, after)
        self._check_waiting(after)
        if after.event.structure.by_hands and after.event.format.family is Family.FREEZEOUT:
            self._check_pace(after)
        if self.steps % 20 == 0 and (after.event.alarm_at or self.now + 1) > self.now:
            self._check_twice()

    def _check_chips(self, field: EventState) -> None:
        total = self.all_chips()
        self.must(total == 0, f"all accounts come to {total}")
        if not field.event.phase.over:
            structure = field.event.structure
            here = [e for e in field.entrants.values() if e.state is not EntrantState.WITHDRAWN]
            owed = sum((structure.fee - structure.bounty) * e.entries + e.head for e in here)
            owed += 0 if field.event.phase.before else structure.added
            lies = self.balance(chips.pool_of(self.key))
            self.must(lies == owed, f"{lies} chips lie in the pool, and must be {owed}")
        if field.event.phase is Phase.RUNNING and field.event.format.family is Family.FREEZEOUT:
            mint = self.balance(chips.mint_of(self.key), "mint")
            entries = sum(e.entries for e in field.entrants.values() if e.number)
            disqualified = sum(
                e.out_stack for e in field.entrants.values() if e.disqualified and e.out_stack and not e.playing
            )
            due = entries * field.event.structure.stack + self._extra - self._given_up(field)
            fewer = disqualified or self.seating()
            self.must(-mint <= due and (fewer or -mint == due), f"{-mint} chips are in play, and must be {due}")
            held = sum(field.chips(player) for player in field.entrants)
            self.must(held == -mint, f"the players hold {held} of {-mint} chips")

    def _given_up(self, field: EventState) -> int:
        """Return the chips that left play with players who gave up."""
        outs = field.tx.events.facts(self.key, "out") if self.counts["leave"] or self.counts["members left"] else []
        return sum(sum(fact.details.get("gave_up", ())) for fact in outs)

    def _check_seats(self, field: EventState) -> None:
        people = [seat.player for spot in field.spots.values() for seat in spot.people]
        self.must(len(people) == len(set(people)), "somebody sits at two tables")
        numbers = [spot.table.number for spot in field.spots.values()]
        self.must(len(numbers) == len(set(numbers)), "two open tables have the same number")
        if field.event.format.family is Family.ROUNDS:
            self.must(
                max(numbers, default=0) <= self._most_tables(field), "the tables of a round aren't numbered 1 to n"
            )
        for spot in field.spots.values():
            self.must(len(spot.seats) <= field.event.structure.table_seats, "a table is overfull")
            for seat in spot.people:
                entrant = field.entrants[seat.player]
                self.must(entrant.number, "somebody sits who was not drawn")
                if plays_for_chips(field.event) and spot.idle and spot.info.accounted >= spot.table.hand_no:
                    self.must(spot.stacks.get(seat.player), f"{seat.player} sits without chips")

    def _most_tables(self, field: EventState) -> int:
        """The number of tables that the current round was opened with."""
        infos = field.tx.entrants.event_tables(field.key, over=True)
        return sum(info.round == field.event.round for info in infos)

    def _check_moves(self, before: EventState, after: EventState) -> None:
        """Check that only eliminated players leave a table during a hand or a Fantasyland."""
        for number, spot in before.spots.items():
            now = after.spots.get(number)
            left = {seat.player for seat in spot.people} - ({seat.player for seat in now.people} if now else set())
            came = ({seat.player for seat in now.people} if now else set()) - {seat.player for seat in spot.people}
            same_hand = now is not None and now.table.hand_no == spot.table.hand_no and not now.idle
            for player in left:
                self.must(not same_hand, f"{player} left table {number} in the middle of a hand")
                entrant = after.entrants[player]
                if spot.idle and spot.pending and now is not None and now.table.hand_no == spot.table.hand_no:
                    self.must(not entrant.playing or entrant.disqualified, f"{player} was moved before Fantasyland")
            waits = now is not None and now.pending and now.table.hand_no == spot.table.hand_no
            if came and spot.idle and spot.pending and waits:
                self.must(False, f"{came} came to table {number} where Fantasyland is pending")

    def _check_waiting(self, field: EventState) -> None:
        """Check that at least one table plays or one alarm is due, so that no event waits forever."""
        if field.event.paused:
            return
        alive = any(not spot.idle or spot.pausing for spot in field.spots.values())
        rests = field.event.break_until is not None
        between_rounds = not field.spots and field.event.format.family is Family.ROUNDS
        kinds = [(spot.info.waits, len(spot.seats)) for spot in field.spots.values()]
        self.must(alive or rests or between_rounds, f"nobody plays and nothing is due: {kinds}")
        seated = field.seated
        if field.event.format.family is Family.FREEZEOUT and not any(spot.pending for spot in field.spots.values()):
            hall = [e.player for e in field.playing if e.player not in seated]
            self.must(not hall, f"{hall} have no seat")

    def _check_pace(self, field: EventState) -> None:
        """Check that all players have played equally many hands, within one."""
        played = [
            s.info.played for s in field.spots.values() if len(s.seats) > 1 and s.info.waits is not WaitReason.PLAYERS
        ]
        if played:
            self.must(max(played) - min(played) <= 1, f"tables have been dealt {sorted(played)} hands")

    def _check_twice(self) -> None:
        """The director has nothing to do a second time."""
        changes = self.storage.would_write(lambda sql: director.direct(self.session(sql), self.key))
        self.must(not changes, f"the director did {changes} things although nothing had happened")

    def _check_end(self) -> None:
        field = self.field()
        event = field.event
        for question in QUESTIONS:
            found = ask(self.storage.look, question)
            self.must(not found, f"{question.kind}: {found}")
        self.counts[f"{event.format.value} {event.phase.value}"] += 1
        self.must(not field.spots, "tables are open after the end")
        for purse in (chips.pool_of(self.key), *(chips.purse_of(self.key, player) for player in field.entrants)):
            self.must(self.balance(purse, "wallet") == 0, f"{purse} is not empty")
        self.must(self.balance(chips.mint_of(self.key), "mint") == 0, "chips of the event are left")
        self._check_wallets(field)
        if event.phase is Phase.ENDED:
            people = [e for e in field.entrants.values() if e.state is not EntrantState.WITHDRAWN]
            places = sorted(e.place for e in people)
            # Players share places in brackets, and in other events if the event says so.
            shares = event.format.heads_up or event.structure.ties is Ties.SHARE
            due = [places.index(place) + 1 for place in places]
            self.must(places == (due if shares else [*range(1, len(people) + 1)]), f"places are {places}")
            fair = [e for e in sorted(people, key=lambda e: (e.place, e.number)) if not e.disqualified]
            prizes = [e.prize for e in fair]
            self.must(prizes == sorted(prizes, reverse=True), f"prizes are {prizes}")
            self._check_shares(field, fair)
            if event.format.family is Family.FREEZEOUT:
                self._check_equals(field, fair)
        if event.phase is Phase.ENDED and event.format is Format.LEAGUE and not self.counts["disqualify"]:
            total = sum(e.score for e in field.entrants.values()) - self._extra
            computers = self.storage.look.all("SELECT points FROM result WHERE player LIKE 'comp%'")
            total += sum(row["points"] for row in computers)
            self.must(total == 0, f"the points of the league come to {total}")

    def _check_shares(self, field: EventState, fair: list[Entrant]) -> None:
        """Check the prizes: each place's part of the pool, added up and split equally by those who share it.

        One odd chip each goes to those who come first in the draw, and the standings say so.
        """
        pool = sum(e.prize for e in fair)
        entries = sum(e.entries for e in field.entrants.values() if e.state is not EntrantState.WITHDRAWN)
        percent = (field.event.structure.payouts or default_payouts(entries))[: len(fair)]
        parts = [pool * part // sum(percent) for part in percent]
        parts = [part + (place < pool - sum(parts)) for place, part in enumerate(parts)]
        odd = {line.entrant.player for line in views.event_view(field.s, field).lines if line.odd_chip}
        for place in {e.place for e in fair}:
            sharing = [e for e in fair if e.place == place]
            self.counts["shared"] += len(sharing) > 1
            together = sum(parts[place - 1 : place - 1 + len(sharing)])
            won = [together // len(sharing)] * len(sharing)
            more = together - sum(won)
            self.must(
                [e.prize for e in sharing] == [one + (at < more) for at, one in enumerate(won)],
                f"place {place} won {[e.prize for e in sharing]} of {together}",
            )
            self.must(odd.intersection(e.player for e in sharing) == {e.player for e in sharing[:more]}, "odd chips")
            self.counts["odd chips"] += more

    def _check_equals(self, field: EventState, fair: list[Entrant]) -> None:
        """Check that of players who went out in the same hand, those with equal stacks share a place, and no others."""
        places = {e.player: e.place for e in fair}
        last = {
            player: fact
            for fact in field.tx.events.log(self.key)
            for player in fact.details.get("players", ())
            if fact.kind == "out"
        }
        for fact in {fact.number: fact for fact in last.values()}.values():
            gone = [player for player in fact.details["players"] if last[player] is fact and player in places]
            lost = self._stacks_lost(fact)
            for one, other in combinations(gone, 2):
                equal = lost[one] == lost[other] and field.event.structure.ties is Ties.SHARE
                self.must((places[one] == places[other]) is equal, f"{one} and {other} went out together")
                self.counts["out as equals"] += equal

    def _stacks_lost(self, fact: EventFact) -> dict[str, int]:
        """Return the stacks of the players who busted in a hand or gave up together."""
        if stacks := fact.details.get("gave_up"):
            return dict(zip(fact.details["players"], stacks, strict=True))
        rows = self.storage.look.all(
            "SELECT player, chips FROM result WHERE table_id = :table_id AND hand_no = :hand_no",
            table_id=fact.details["table"],
            hand_no=fact.details["hand"],
        )
        return {row["player"]: -row["chips"] for row in rows}

    def _check_wallets(self, field: EventState) -> None:
        """Wallets hold their grants, less the fees, plus prizes and what the house added."""
        rows = self.storage.look.all(
            "SELECT owner, balance FROM account WHERE kind = 'wallet' AND owner NOT LIKE '%:%'"
        )
        held = {row["owner"]: row["balance"] for row in rows}
        grants = len(held) * POLICY.start_chips
        paid = field.event.structure.added if field.event.phase is Phase.ENDED else 0
        pool_was_lost = field.event.phase is Phase.ENDED and not any(
            e.prize or e.bounties for e in field.entrants.values()
        )
        if not pool_was_lost:
            self.must(sum(held.values()) == grants + paid, f"wallets hold {sum(held.values())}, not {grants + paid}")
