"""An independent model of who is registered, checked in, on the waiting list and offered a place before the start.

It knows the rules from the documents and shares no code with the tested code. Players and organisers press buttons at
random, also twice and too late. Members who have left the server press nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from typing_extensions import override

from bot.model.events import EntrantState, Notice, Phase
from bot.model.ids import Player
from bot.play.event.office import registration, stand_bys
from bot.play.event.organisers import organiser, waiting_acts
from bot.play.session import chips
from bot.play.session.session import Session
from tests.play.event.evening import Evening
from tests.play.event.event_world import BOSS, MINUTE, POLICY, somebody
from tests.play.event.waiting_model import Queue

ACTS = (
    *("register", "register", "register", "take", "take", "pass", "withdraw"),
    *("wait", "top", "out", "table", "remove"),
)


@dataclass(kw_only=True)
class Lobby(Queue):
    """The registered players and the list by the rules."""

    checked: set[Player] = field(default_factory=set)
    """The registered players who have checked in."""
    standing: set[Player] = field(default_factory=set)
    """The players on the list who have checked in."""
    departed: set[Player] = field(default_factory=set)
    """Members who are known to have left the server."""

    @property
    def free(self) -> int:
        """The places that aren't taken or on offer."""
        return self.places - len(self.inside) - len(self.kept)

    @override
    def settle(self, now: int) -> None:
        if now >= self.start:
            return  # the start ends the list
        self.kept = {
            player: until for player, until in self.kept.items() if until > now and player not in self.departed
        }
        self.line = [player for player in self.line if player not in self.departed]
        super().settle(now)
        self.standing.intersection_update((*self.kept, *self.line))

    def drop(self, gone: set[Player]) -> None:
        """Take players off the list who have left the server."""
        self.kept = {player: until for player, until in self.kept.items() if player not in gone}
        self.line = [player for player in self.line if player not in gone]
        self.standing -= gone

    def fill(self, *, pays: Callable[[Player], bool]) -> None:
        """At the start, give the free places to players on the list who have checked in and can pay, in order."""
        for player in [player for player in (*self.kept, *self.line) if player in self.standing and pays(player)]:
            if len(self.inside) < self.places:
                self.leave(player)
                self.inside.add(player)

    def enter(self, player: Player, *, checks: bool) -> None:
        """Let a player in, who is checked in if check-in is open."""
        self.kept.pop(player, None)
        self.standing.discard(player)
        self.inside.add(player)
        if checks:
            self.checked.add(player)

    @override
    def leave(self, player: Player) -> bool:
        self.checked.discard(player)
        self.standing.discard(player)
        return super().leave(player)


class BeforeStart(Evening):
    """An event whose players and organisers press buttons before the start."""

    queue: Lobby
    fee = 0
    seats = 2
    pressers = 15
    """Number of people who press buttons."""
    most_places = 9
    """No further table is opened for the list from so many places on."""

    def __init__(self, seed: int, *, kills: float = 0.02) -> None:
        super().__init__(seed, kills=kills)
        self.departed = set[Player]()
        """The members who have left the server, whether or not the bot knows it. They press nothing."""

    @property
    def checks(self) -> bool:
        """True while check-in is open."""
        return self.field().event.phase is Phase.CHECK_IN

    def list_step(self) -> None:
        """Let somebody press something, or let time pass, and compare the result with the model."""
        self.steps += 1
        self._list_act(self.chance.choice(ACTS))
        self.queue.settle(self.now)
        self.compare_list()

    def _list_act(self, what: str) -> None:
        chance, queue, player = self.chance, self.queue, somebody(self.chance.randrange(self.pressers))
        press: Callable[[Session], Any]
        if queue.kept and what in ("take", "pass") and chance.random() < 0.7:
            player = chance.choice(list(queue.kept))
        if player in self.departed:
            return
        if what == "register":
            self._list_register(player)
        elif what == "take":
            press = partial(registration.take_place, key=self.key, player=player, cause=self.cause())
            if self.allows("take", press, may=player in queue.kept and self._pays(player)):
                queue.enter(player, checks=self.checks)
        elif what == "pass":
            press = partial(registration.decline_place, key=self.key, player=player, cause=self.cause())
            if self.allows("pass", press, may=player in queue.kept):
                queue.leave(player)
        elif what == "withdraw":
            press = partial(registration.withdraw, key=self.key, player=player, cause=self.cause())
            self.allows("withdraw", press, may=queue.leave(player))
        elif what == "wait":
            self.let_pass(chance.choice((1, 5, 60, 400)) * MINUTE)
        elif what == "top":
            press = partial(waiting_acts.move_to_top, key=self.key, by=BOSS, player=player, cause=self.cause())
            if self.allows("top", press, may=player in queue.line[1:]):
                queue.move_to_top(player)
        elif what == "out":
            press = partial(waiting_acts.remove, key=self.key, by=BOSS, player=player, cause=self.cause())
            if self.allows("out", press, may=queue.waits(player)):
                queue.leave(player)
        elif what == "remove":
            press = partial(organiser.unregister, key=self.key, by=BOSS, player=player, cause=self.cause())
            if self.allows("remove", press, may=player in queue.inside):
                queue.leave(player)
        else:
            press = partial(waiting_acts.open_table, key=self.key, by=BOSS, cause=self.cause())
            if queue.places < self.most_places and self.allows("table", press, may=bool(queue.line)):
                queue.places += self.seats

    def _list_register(self, player: Player) -> None:
        queue, checks, press = self.queue, self.checks, self._registers(player)
        if player in queue.inside:
            if self.allows("register", press, may=checks and player not in queue.checked):
                queue.checked.add(player)
        elif player in queue.line:
            self.allows("register", press, may=False)
        elif player in queue.kept or queue.free > len(queue.line):
            if self.allows("register", press, may=self._pays(player)):
                queue.enter(player, checks=checks)
        else:
            self.allows("register", press, may=True)
            queue.join(player)

    def _pays(self, player: Player) -> bool:
        """True if a player has the fee. New ones have the chips that everyone starts with."""
        row = self.storage.look.one(
            "SELECT balance FROM account WHERE owner = :owner AND kind = 'wallet'", owner=player
        )
        return (POLICY.start_chips if row is None else row["balance"]) >= self.fee

    def allows(self, what: str, press: Callable[[Session], Any], *, may: bool) -> bool:
        """Do ``press``, which must work exactly if ``may`` is True."""
        self.must(self._try(press, what) == may, f"{what} must {'work' if may else 'be refused'}")
        return may

    def let_pass(self, ms: int) -> None:
        """Let time pass, but not up to the start. The clock acts on everything due."""
        self.let_pass_until(min(self.now + ms, self.queue.start - MINUTE))

    def let_pass_until(self, until: int) -> None:
        """Let time pass. The clock acts on everything due."""
        while (alarm := self.field().event.alarm_at) is not None and alarm <= until:
            self.now = max(self.now, alarm)
            self.queue.settle(self.now)
            self._try(lambda s: s.events_to_direct.add(self.key), "alarm")
        self.now = max(self.now, until)

    def compare_list(self) -> None:
        """Compare the registered players, the list and the pool with the model."""
        now, model = self.field(), self.queue
        queue = now.queue
        registered = {e.player for e in now.entrants.values() if e.registered}
        self.must(registered == model.inside, f"{registered} are registered, not {model.inside}")
        here = {e.player for e in now.entrants.values() if e.state is EntrantState.CHECKED_IN}
        self.must(here == model.checked, f"{here} are checked in, not {model.checked}")
        self.must([one.player for one in queue] == [*model.kept, *model.line] or self._alike(), "the order differs")
        stands = {*stand_bys.standing_by(now)}
        self.must(stands == model.standing, f"{stands} have checked in from the list, not {model.standing}")
        offered = {one.player: one.offered_until for one in queue if one.offered_until is not None}
        self.must(offered == model.kept, f"{offered} are offered a place, not {model.kept}")
        self.must(now.event.structure.most == model.places, "the maximum differs")
        pool = self.balance(chips.pool_of(self.key))
        self.must(pool == self.fee * len(model.inside), f"{pool} chips lie in the pool")
        self._check_twice()

    def _alike(self) -> bool:
        """True if the lists agree, apart from the order among players with an offer."""
        people = [one.player for one in self.field().queue]
        kept = len(self.queue.kept)
        return {*people[:kept]} == {*self.queue.kept} and people[kept:] == self.queue.line

    def check_list_over(self) -> None:
        """Check that each offer was one ping, that one post names the players left, and that no one waits."""
        posted = self.committed.outbox.event_postings(self.key, limit=10_000)
        calls = [player for post in posted if post.notice is Notice.OFFERED for player in post.details["players"]]
        self.must(calls == self.queue.pings, f"{calls} were called, not {self.queue.pings}")
        told = [post for post in posted if post.notice in (Notice.STARTED, Notice.CANCELLED)]
        waited = {player for post in told for player in post.details.get("waited", ())}
        left = {*self.queue.kept, *self.queue.line}
        self.must(waited == left, f"{waited} are told that they have no place, not {left}")
        self.must(not self.storage.look.all("SELECT player FROM waiting_player"), "the list goes on")
        self.counts["offers"] += len(calls)
        self.counts["expired"] += sum(len(fact.details["players"]) for fact in self.log("offer_expired"))
