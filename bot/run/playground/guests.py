"""Guests of the playground. They register for an event, check in, play, sit out, arrive late and leave, like people.

They go through the same use cases as interactions, without additional rights. Each sees only the cards that a player in
their seat sees, and places them like a casual computer player. Their next actions follow from stored data, so they
continue after a restart.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Final

from bot.model.clock import SECOND
from bot.model.errors import ComputationFailedError
from bot.model.events import EntrantState, Event, Phase
from bot.model.ids import EventKey, GuildId, Player, TableKey
from bot.model.refusals import Stale
from bot.model.tables import TableState
from bot.play.api.events import Events
from bot.play.api.play import Play
from bot.play.event.office.views import EventView
from bot.play.event.office.waiting_list import has_list
from bot.play.queries.reviews import placement
from bot.play.queries.views import TableView
from bot.play.session.workers import Workers
from bot.pure.event.structure import Format
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.levels import Level
from bot.run.playground.simulated_server import SimulatedMember

MIN_GUESTS, MAX_GUESTS = 9, 40
"""Limits on the number of guests."""
ACTS_AT_ONCE: Final = 4
"""Maximum number of actions in a row, so that users' presses come in between."""
REGISTERS_MS = (1 * SECOND, 25 * SECOND)
LATE_MS = (2 * SECOND, 120 * SECOND)
"""Range of delays after the start for late guests."""
CHECKS_IN_MS = (1 * SECOND, 60 * SECOND)
TURN_MS = (2 * SECOND, 9 * SECOND)
"""Range of durations for a guest's turn."""
RESTS_MS = (20 * SECOND, 80 * SECOND)
"""Range of durations for sitting out."""
ANSWERS_OFFER_MS = (3 * SECOND, 45 * SECOND)
"""Range of times for answering the offer of a place."""
PASSES = 0.1
"""Share of guests on a waiting list who don't want the place on offer."""
COMES_LATE, WITHDRAWS, MISSES_CHECK_IN = 0.12, 0.08, 0.08
"""Shares of guests who arrive late, withdraw, or miss check-in."""
GONE_MS = (60 * SECOND, 240 * SECOND)
"""Range of durations for leaving an event."""
SITS_OUT, LEAVES = 0.006, 0.0015
"""Probability per turn of sitting out for a while, or of leaving the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestResult:
    """Result of a request for guests: the event and its number of guests, or no event if none accepts players."""

    name: str = ""
    guests: int = 0


class Guests:
    """The guests of a playground. ``step`` carries out their due actions."""

    def __init__(
        self,
        play: Play,
        events: Events,
        workers: Workers,
        people: Sequence[Player],
        *,
        guild: GuildId,
        now_ms: Callable[[], int],
        seed: int = 0,
    ) -> None:
        self._play = play
        self._events = events
        self._workers = workers
        self._people = tuple(people)
        self._guild = guild
        self._now = now_ms
        self._random = Random(seed)
        self._causes = (f"guest-{now_ms()}-{number}" for number in count())
        self._coming: dict[EventKey, dict[Player, int]] = {}
        """Registration time per event and guest. For late guests, it's set at the start."""
        self._late: dict[EventKey, set[Player]] = {}
        self._due: dict[tuple[object, ...], int] = {}
        """Time of each pending action, until it's carried out."""
        self._resting: dict[tuple[TableKey, Player], int] = {}
        """Time until which a guest sits out."""
        self._gone: dict[tuple[EventKey, Player], int] = {}
        """Time until which a guest has left an event. Guests who gave up don't get back in."""
        self.around = False
        """True if guests are expected, or an event is being played."""

    async def fill(self, many: int) -> GuestResult:
        """Have guests register for the newest open event until it has ``many`` guests.

        Those who find it full join its waiting list, if it has one.
        """
        many = max(MIN_GUESTS, min(many, MAX_GUESTS))
        for event in await self._events.events(self._guild):
            view = await self._events.look(event.key)
            if not view.registration_open:
                continue
            room = event.structure.most - sum(line.entrant.registered or line.entrant.playing for line in view.lines)
            if has_list(event):
                room = MAX_GUESTS
            inside = {line.entrant.player for line in view.lines} | {one.player for one in view.waiting}
            free = [player for player in self._people if player not in inside]
            coming = free[: max(0, min(many - len(inside & set(self._people)), room))]
            self._expect(event, coming)
            return GuestResult(name=event.name, guests=len(inside & set(self._people)) + len(coming))
        return GuestResult()

    def _expect(self, event: Event, coming: Iterable[Player]) -> None:
        takes_late = event.structure.late_levels > 0 and event.phase.before
        times, late = self._coming.setdefault(event.key, {}), self._late.setdefault(event.key, set())
        for player in coming:
            if takes_late and self._random.random() < COMES_LATE:
                late.add(player)
            else:
                times[player] = self._now() + self._random.randint(*REGISTERS_MS)

    async def step(self) -> int:
        """Carry out some due actions, and return their number."""
        acted = 0
        events = await self._events.events(self._guild)
        for event in events:
            if event.key in self._coming or event.phase is not Phase.REGISTERING:
                acted += await self._at_event(event, most=ACTS_AT_ONCE - acted)
            elif acted < ACTS_AT_ONCE:
                # Guests who wait for a full event may be offered a place in another flight.
                acted += await self._answer_offers(await self._events.look(event.key), most=ACTS_AT_ONCE - acted)
        acted += await self._come_back(most=ACTS_AT_ONCE - acted)
        tables = [table for table in await self._play.open_tables(self._guild) if table.event is not None]
        for table in tables:
            if table.event is not None and table.state is TableState.PLAYING and acted < ACTS_AT_ONCE:
                acted += await self._at_table(table.key, table.event, most=ACTS_AT_ONCE - acted)
        self.around = bool(tables) or any(event.key in self._coming for event in events)
        return acted

    async def _come_back(self, *, most: int) -> int:
        """Have guests who have left an event come back, if they still can."""
        acted = 0
        due = [one for one, until in self._gone.items() if until <= self._now()]
        for event, player in due[: max(0, most)]:
            del self._gone[event, player]
            acted += await self._try_action(self._events.come_back, event, player)
        return acted

    # before and around an event

    async def _at_event(self, event: Event, *, most: int) -> int:
        if event.phase is Phase.RUNNING:
            for player in self._late.pop(event.key, set()):
                self._coming.setdefault(event.key, {})[player] = self._now() + self._random.randint(*LATE_MS)
        acted = 0
        times = self._coming.get(event.key, {})
        for player in [player for player, at in times.items() if at <= self._now()][: max(0, most)]:
            del times[player]
            acted += await self._try_action(self._events.register, event.key, player)
        if event.phase.before and acted < most:
            acted += await self._act_before_start(await self._events.look(event.key), most=most - acted)
        return acted

    async def _act_before_start(self, view: EventView, *, most: int) -> int:
        """Have some guests withdraw or answer an offer. Once check-in opens, have the others check in or miss it."""
        event, acted = view.event, await self._answer_offers(view, most=most)
        for line in view.lines:
            player = line.entrant.player
            if player not in self._people or acted >= most:
                continue
            # A seeded generator returns the same value for this guest on every call, so it needn't be stored.
            fate = Random(f"{event.key.number} {line.entrant.registered_at} {player}").random()
            if fate < WITHDRAWS and event.format is not Format.SIT_AND_GO:
                if self._is_due(("withdraw", event.key, player), REGISTERS_MS):
                    acted += await self._try_action(self._events.withdraw, event.key, player)
            elif (
                event.phase is Phase.CHECK_IN
                and line.entrant.state is EntrantState.REGISTERED
                and fate < 1 - MISSES_CHECK_IN
                and self._is_due(("check in", event.key, player), CHECKS_IN_MS)
            ):
                acted += await self._try_action(self._events.check_in, event.key, player)
        return acted

    async def _answer_offers(self, view: EventView, *, most: int) -> int:
        """Have guests on the waiting list take the place on offer to them, or pass on it."""
        key, acted = view.event.key, 0
        for one in view.waiting:
            offered = one.offered_until is not None and one.player in self._people
            if offered and acted < most and self._is_due(("offer", key, one.player), ANSWERS_OFFER_MS):
                passes = self._random.random() < PASSES
                act = self._events.decline_place if passes else self._events.take_place
                acted += await self._try_action(act, key, one.player)
        return acted

    # at the tables

    async def _at_table(self, key: TableKey, event: EventKey, *, most: int) -> int:
        acted = 0
        seen = await self._play.look(key)
        for place in seen.places:
            player = place.seat.player
            if player not in self._people or acted >= most or (event, player) in self._gone:
                continue
            if place.seat.away:
                acted += await self._return_guest(key, event, player)
            elif player in seen.waiting:
                acted += await self._turn(await self._play.look(key, player), event, player)
        return acted

    async def _return_guest(self, key: TableKey, event: EventKey, player: Player) -> int:
        """Have a guest who is sitting out return after a while, unless they have left."""
        until = self._resting.setdefault((key, player), self._now() + self._random.randint(*RESTS_MS))
        if until > self._now():
            return 0
        del self._resting[key, player]
        return await self._try_action(self._play.stay, key, player)

    async def _turn(self, view: TableView, event: EventKey, player: Player) -> int:
        """Play a guest's turn after some time, or occasionally have them sit out instead."""
        hand, key = view.hand, view.table.key
        if hand is None or hand.over or not hand.mine or not hand.mine.held:
            return 0
        turn = ("turn", key, player, view.table.hand_no, hand.street)
        if not self._is_due(turn, TURN_MS):
            return 0
        if (chance := self._random.random()) < SITS_OUT + LEAVES:
            if chance < LEAVES and await self._try_action(self._events.leave, event, player):
                self._gone[event, player] = self._now() + self._random.randint(*GONE_MS)
                return 1
            return await self._try_action(self._play.leave, key, player)
        try:
            job = placement(hand, Level.CASUAL)
            rows = await self._workers.think(job, guild=self._guild, quickly=job)
            await self._play.place_cards(
                key, player, hand_no=view.table.hand_no, street=hand.street, rows=rows, cause=next(self._causes)
            )
        except (Refused, Stale, ComputationFailedError):
            return 0
        return 1

    def _is_due(self, what: tuple[object, ...], within: tuple[int, int]) -> bool:
        """True, once, after a random time within ``within`` since the first call for this action."""
        at = self._due.setdefault(what, self._now() + self._random.randint(*within))
        if at > self._now():
            return False
        del self._due[what]
        return True

    async def _try_action(self, act: Callable[..., Awaitable[object]], key: object, player: Player) -> int:
        """Carry out an action that may no longer be allowed; return 1 if it succeeded, otherwise 0."""
        try:
            await act(key, player, cause=next(self._causes))
        except (Refused, Stale):
            return 0
        return 1


_NAMES: Final = (
    "Amber",
    "Basil",
    "Cleo",
    "Dario",
    "Edda",
    "Felix",
    "Greta",
    "Hugo",
    "Iris",
    "Jonas",
    "Kira",
    "Leon",
    "Mona",
    "Nils",
    "Olga",
    "Pablo",
    "Quinn",
    "Rosa",
    "Sven",
    "Tilda",
    "ユウキ",
    "サクラ",
    "ハルト",
    "ミナト",
    "アオイ",
    "ソウタ",
    "ヒナタ",
    "リクト",
    "カエデ",
    "ツバサ",
    "コハル",
    "ダイチ",
    "ナナミ",
    "ケント",
    "マイ",
    "タクミ",
    "シオリ",
    "レン",
    "チヒロ",
    "アキラ",
)
GUESTS: Final = tuple(
    SimulatedMember(id=1_096_000_000_000_000_101 + number, name=f"guest{number + 1}", shown=shown, locale="en-US")
    for number, shown in enumerate(_NAMES)
)
"""The page offers no view for guests, because they play automatically."""
