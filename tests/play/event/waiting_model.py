"""An independent model of waiting lists and flights, held against the real ones after each step of a random day.

It knows the rules from the documents and shares no code with the tested code. Players and organisers press buttons at
random, also twice and too late, and any transaction may die before it's written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bot.model.events import Notice, Phase
from bot.model.ids import EventKey, Player
from bot.play.event.office import flights, registration
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.organisers import flight_acts, organiser, waiting_acts
from bot.play.session import chips
from bot.play.session.session import Session
from bot.pure.ofc.presets import CLASSIC
from bot.store.invariants import QUESTIONS, ask
from tests.play.event.evening import Evening
from tests.play.event.event_world import ANY, BOSS, CHANNEL, GUILD, MINUTE, PER_TURN, START, somebody, structure

PEOPLE = 14
"""Number of people who press buttons."""
MAX_FLIGHTS = 3
TEN_MINUTES, TWELVE_HOURS = 10 * MINUTE, 720 * MINUTE


@dataclass(kw_only=True)
class Queue:
    """The list by the rules."""

    places: int
    start: int
    inside: set[Player] = field(default_factory=set)
    kept: dict[Player, int] = field(default_factory=dict)
    """Deadlines of the places on offer, by player in order."""
    line: list[Player] = field(default_factory=list)
    """The other players on the list, in order."""
    pings: list[Player] = field(default_factory=list)
    """The players called so far, once per call."""
    order: dict[Player, int] = field(default_factory=dict)
    """Numbers by which the line is sorted."""
    left: dict[tuple[Player, EventKey], int] = field(default_factory=dict)
    """The former number of each player who left the list for that flight."""
    over: bool = False
    lowest: int = 0
    highest: int = 0

    def join(self, player: Player) -> None:
        """Put a player at the end of the line."""
        self.highest += 1
        self.stand(player, self.highest)

    def move_to_top(self, player: Player) -> None:
        """Put a player ahead of everyone who is, or may come back, in the line."""
        self.lowest -= 1
        self.line.remove(player)
        self.stand(player, self.lowest)

    def stand(self, player: Player, number: int) -> None:
        """Put a player in the line by a number."""
        self.order[player] = number
        self.line = sorted([*self.line, player], key=lambda one: self.order[one])

    def settle(self, now: int) -> None:
        """End the offers that are due, and offer the free places."""
        self.kept = {player: until for player, until in self.kept.items() if until > now}
        while self.line and len(self.inside) + len(self.kept) < self.places:
            player = self.line.pop(0)
            left = self.start - now
            self.kept[player] = now + min(left, sorted((TEN_MINUTES, left // 4, TWELVE_HOURS))[1])
            self.pings.append(player)

    def waits(self, player: Player) -> bool:
        """True if the player is on the list, with or without an offer."""
        return player in self.kept or player in self.line

    def leave(self, player: Player) -> bool:
        """Remove a player from the event or the list. False if they were in neither."""
        if player in self.inside:
            self.inside.remove(player)
        elif player in self.kept:
            del self.kept[player]
        elif player in self.line:
            self.line.remove(player)
        else:
            return False
        return True


class WaitingDay(Evening):
    """The days before the start of one event."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, kills=0.05)
        chance = self.chance
        self.fee = chance.choice((0, 100))
        self.seats = chance.choice((2, 3))
        days = chance.choice((1, 30, 24 * 60, 3 * 24 * 60))
        self.first = Queue(places=self.seats * chance.randint(1, 2), start=START + days * MINUTE + 30 * MINUTE)
        self.need = min(chance.choice((2, 4)), self.first.places)
        """Minimum number of players of an event."""
        self.days: dict[EventKey, Queue] = {}
        """The lists by event. The first event is followed by its flights."""
        self.outdated = ""
        """The terms of the last flight."""

    @property
    def truth(self) -> Queue:
        """The list of the event that the current step is about."""
        return self.days[self.key]

    def day(self) -> None:
        """Take random steps, compare each with the model, and start the event."""
        plan = PlannedEvent(
            guild=GUILD,
            channel=CHANNEL,
            organiser=BOSS.player,
            authority=ANY,
            language="en",
            name="Queue",
            variant=CLASSIC,
            structure=structure(table_seats=self.seats, most=self.first.places, least=self.need, fee=self.fee),
            clock=PER_TURN,
            starts_at=self.first.start,
        )
        self.key = self.write(lambda s: registration.create(s, plan, cause=self.cause())).key
        self.days[self.key] = self.first
        for _ in range(100):
            self.steps += 1
            self.key = self.chance.choice(list(self.days))
            self._one_step()
            self._settle()
            for key in self.days:
                self.key = key
                self._compare()
        for key in sorted(self.days, key=lambda one: self.days[one].start):
            self.key = key
            self._start()
        self._check_books()

    def _settle(self) -> None:
        """Let every list follow from what has happened. The start ends a list."""
        for queue in self.days.values():
            if self.now < queue.start and not queue.over:
                queue.settle(self.now)

    def _enter(self, player: Player) -> None:
        """Give a player a place. They leave the lists of all other flights."""
        for key, queue in self.days.items():
            if key != self.key and queue.waits(player):
                queue.left[player, self.key] = queue.order[player]
                queue.leave(player)
            queue.kept.pop(player, None)
        self.truth.inside.add(player)

    def _returned(self, flight: EventKey) -> set[Player]:
        """Let players of a flight that was called off return to the lists that they left for it, and return them."""
        gone, back = self.days[flight], set[Player]()
        others = [queue for key, queue in self.days.items() if key != flight and not queue.over]
        taken = set[Player]().union(*(queue.inside for key, queue in self.days.items() if key != flight))
        for queue in others:
            for player in sorted(gone.inside - taken):
                number = queue.left.get((player, flight))
                if number is not None and not queue.waits(player):
                    queue.stand(player, number)
                    back.add(player)
        return back

    def _one_step(self) -> None:
        chance, truth, player = self.chance, self.truth, somebody(self.chance.randint(0, PEOPLE))
        what = chance.choice(
            (
                "register",
                "register",
                "register",
                "take",
                "take",
                "pass",
                "withdraw",
                "wait",
                "top",
                "out",
                "table",
                "remove",
                "flight",
                "call off",
            )
        )
        press: Callable[[Session], Any]
        if truth.kept and what in ("take", "pass") and chance.random() < 0.7:
            player = chance.choice(list(truth.kept))
        if what == "register":
            elsewhere = any(player in queue.inside for queue in self.days.values())
            may = not elsewhere and player not in truth.line
            if may and (player in truth.kept or len(truth.inside) + len(truth.kept) + len(truth.line) < truth.places):
                self._does(what, self._registers(player), may=may)
                self._enter(player)
            else:
                self._does(what, self._registers(player), may=may)
                if may:
                    truth.join(player)
        elif what == "take":
            press = partial(registration.take_place, key=self.key, player=player, cause=self.cause())
            if self._does(what, press, may=player in truth.kept):
                self._enter(player)
        elif what == "pass":
            press = partial(registration.decline_place, key=self.key, player=player, cause=self.cause())
            if self._does(what, press, may=player in truth.kept):
                del truth.kept[player]
        elif what == "withdraw":
            press = partial(registration.withdraw, key=self.key, player=player, cause=self.cause())
            self._does(what, press, may=truth.leave(player))
        elif what == "wait":
            self._let_pass(chance.choice((1, 5, 60, 400)) * MINUTE)
        elif what == "top":
            press = partial(waiting_acts.move_to_top, key=self.key, by=BOSS, player=player, cause=self.cause())
            if self._does(what, press, may=player in truth.line[1:]):
                truth.move_to_top(player)
        elif what == "out":
            press = partial(waiting_acts.remove, key=self.key, by=BOSS, player=player, cause=self.cause())
            if self._does(what, press, may=truth.waits(player)):
                truth.leave(player)
        elif what == "remove":
            press = partial(organiser.unregister, key=self.key, by=BOSS, player=player, cause=self.cause())
            if self._does(what, press, may=player in truth.inside):
                truth.leave(player)
        elif what == "flight":
            self._open_flight()
        elif what == "call off":
            self._call_off_flight()
        else:
            press = partial(waiting_acts.open_table, key=self.key, by=BOSS, cause=self.cause())
            if truth.places < 9 and self._does(what, press, may=bool(truth.line)):
                truth.places += self.seats

    def _open_flight(self) -> None:
        """Open another flight for those on the list who have no place on offer in any flight."""
        kept = {player for queue in self.days.values() for player in queue.kept}
        called = [player for player in self.truth.line if player not in kept]
        shown = flights.offer(self.field()).terms
        if self.outdated and self.chance.random() < 0.3:
            shown = self.outdated
        later = self.chance.choice((0, 0, 45 * MINUTE))
        press = partial(
            flight_acts.open_flight,
            key=self.key,
            by=BOSS,
            authority=ANY,
            named="{} {}".format,
            starts_at=self.truth.start + later,
            shown=shown,
            cause=self.cause(),
        )
        may = len(called) >= self.need and shown != self.outdated
        if len(self.days) >= MAX_FLIGHTS or not self._does("flight", press, may=may):
            return
        self.outdated = shown
        newest = max(event.key.number for event in self.committed.events.in_phases(GUILD, list(Phase)))
        queue = Queue(places=self.truth.places, start=self.truth.start + later)
        for player in called:
            queue.join(player)
        self.days[EventKey(guild=GUILD, number=newest)] = queue

    def _call_off_flight(self) -> None:
        """Call a flight off, but never the first event."""
        flight, queue = self.key, self.truth
        if queue is self.first or self.chance.random() < 0.5:
            return
        press = partial(organiser.cancel, key=flight, by=BOSS, why="rain", cause=self.cause())
        self._does("call off", press, may=True)
        back = self._returned(flight)
        (told,) = self._posted(Notice.CANCELLED)
        self.must({*told.get("back", ())} == back, f"{told.get('back')} are back on a list, not {back}")
        self.must({*told.get("waited", ())} == {*queue.kept, *queue.line}, "others are told that the list is over")
        self.counts["back"] += len(back)
        del self.days[flight]
        self.key = next(iter(self.days))

    def _posted(self, notice: Notice) -> list[Mapping[str, Any]]:
        """Return the details of all posts of a kind about the event."""
        posted = self.committed.outbox.event_postings(self.key, limit=10_000)
        return [post.details for post in posted if post.notice is notice]

    def _does(self, what: str, press: Callable[[Session], Any], *, may: bool) -> bool:
        """Do ``press``, which must work exactly if ``may`` is True."""
        self.must(self._try(press, what) == may, f"{what} must {'work' if may else 'be refused'}")
        return may

    def _let_pass(self, ms: int) -> None:
        """Let time pass, but not up to the first start. The clock acts on everything due."""
        self._go_to(min(self.now + ms, min(queue.start for queue in self.days.values()) - MINUTE))

    def _go_to(self, until: int) -> None:
        """Let the clock act on everything due before the events' starts."""
        while True:
            events = [self.committed.events.get(key) for key in self.days]
            due = [(one.alarm_at, one.key) for one in events if one is not None and one.phase.before and one.alarm_at]
            alarm, key = min(due, default=(until + 1, None), key=lambda one: one[0])
            if key is None or alarm > until:
                break
            self.now = max(self.now, alarm)
            self._settle()
            self._try(lambda s, key=key: s.events_to_direct.add(key), "alarm")  # type: ignore[misc]
        self.now = until

    def _compare(self) -> None:
        now, truth = self.field(), self.truth
        queue = now.queue
        self.must({e.player for e in now.entrants.values() if e.registered} == truth.inside, "others are registered")
        self.must([one.player for one in queue] == [*truth.kept, *truth.line] or self._alike(), "the order differs")
        offered = {one.player: one.offered_until for one in queue if one.offered_until is not None}
        self.must(offered == truth.kept, f"{offered} are offered a place, not {truth.kept}")
        self.must(now.event.structure.most == truth.places, "the maximum differs")
        pool = self.balance(chips.pool_of(self.key))
        self.must(pool == self.fee * len(truth.inside), f"{pool} chips lie in the pool")
        self._check_twice()

    def _alike(self) -> bool:
        """True if the lists agree, apart from the order among players with an offer."""
        people = [one.player for one in self.field().queue]
        kept = len(self.truth.kept)
        return {*people[:kept]} == {*self.truth.kept} and people[kept:] == self.truth.line

    def _start(self) -> None:
        """Start the event. Each offer was one ping, and one post names the players left."""
        truth = self.truth
        self._go_to(truth.start)
        while self.field().event.phase.before:
            self._try(lambda s: s.events_to_direct.add(self.key), "alarm")
        after = self.field()
        posted = self.committed.outbox.event_postings(self.key, limit=10_000)
        calls = [player for post in posted if post.notice is Notice.OFFERED for player in post.details["players"]]
        self.must(calls == truth.pings, f"{calls} were called, not {truth.pings}")
        told = next((post.details for post in posted if post.notice in (Notice.STARTED, Notice.CANCELLED)), {})
        waited = {*told.get("waited", ())}
        self.must(waited == {*truth.kept, *truth.line}, f"{waited} are told that they have no place")
        self.must(not self.committed.waiting.of(self.key), "the list goes on")
        truth.over = True
        if after.event.phase is Phase.CANCELLED:
            back = self._returned(self.key)
            self.must({*told.get("back", ())} == back, f"{told.get('back')} are back on a list, not {back}")
            truth.inside.clear()
            self._settle()
        self.counts["started" if after.event.phase is Phase.RUNNING else "called off"] += 1
        self.counts["offers"] += len(calls)

    def _check_books(self) -> None:
        for question in QUESTIONS:
            found = ask(self.storage.look, question)
            self.must(not found, f"{question.kind}: {found}")
