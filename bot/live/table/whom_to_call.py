"""Which players are called to a table, and when: in a message of its own, because an edit notifies nobody.

Players are called once they stay silent, at once, or never, as each of them has chosen. A player who has just pressed
something sees the turn in their own panel, which costs no request of the budget, and is never called at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from bot.model.choices import SILENT_SECONDS, Calls
from bot.model.ids import Player, is_computer
from bot.model.tables import Seat
from bot.play.look.views import TableView

SILENT_MS = 1000 * SILENT_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The players who were called on a street, and reminded. Kept with the table: a restart calls nobody again."""

    hand: int
    street: int
    players: frozenset[str] = frozenset()
    reminded: frozenset[str] = frozenset()
    leftovers: frozenset[int] = frozenset()
    """Messages of the table that are over, and perhaps not deleted yet."""

    def __str__(self) -> str:
        parts = [self.players, self.reminded, frozenset(map(str, self.leftovers))]
        return ":".join([str(self.hand), str(self.street), *(",".join(sorted(some)) for some in parts)])

    @classmethod
    def read(cls, text: str) -> Told:
        """The players written down, also by a bot that wrote no leftovers; nobody for an empty text."""
        hand, street, *some = (text or "0:0::").split(":")
        players, reminded, *rest = (frozenset(part.split(",")) - {""} for part in some)
        leftovers = frozenset(int(message) for part in rest for message in part)
        return cls(hand=int(hand), street=int(street), players=players, reminded=reminded, leftovers=leftovers)

    def now(self, view: TableView) -> Told:
        """The same as far as it is about the present street: on another one nobody was told anything.

        But Fantasyland on its own clock is one turn, whatever street the others place.
        """
        hand, street = view.table.hand_no, view.hand.street if view.hand else 0
        if (self.hand, self.street) == (hand, street):
            return self
        seats = view.hand.seats if view.hand and self.hand == hand else ()
        still = frozenset(seat.player for seat in seats if seat.fantasyland)
        return Told(
            hand=hand,
            street=street,
            players=self.players & still,
            reminded=self.reminded & still,
            leftovers=self.leftovers,
        )

    def waited_for(self, view: TableView) -> bool:
        """True while the table waits for somebody who was called: until then a call is not over."""
        return not self.now(view).players.isdisjoint(view.waiting)

    def and_told(self, players: frozenset[str], *, reminded: frozenset[str]) -> Told:
        """The same after these were called, some of them to remind them."""
        return replace(self, players=self.players | players, reminded=self.reminded | reminded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Whom a table's call must name now."""

    players: frozenset[str] = frozenset()
    """All who are to be named."""
    reminded: frozenset[str] = frozenset()
    """Those of them whose time is nearly over."""
    look_again_at: int | None = None
    """When somebody may have to be called who is in no need of it now."""


def _waited_for(view: TableView) -> list[Seat]:
    """The seats of those who may be called; none at a quiet table, and where somebody plays computers alone."""
    if view.table.terms.quiet or sum(not place.seat.computer for place in view.places) < 2:
        return []
    here = {place.seat.player: place.seat for place in view.places if not place.seat.away}
    return [here[player] for player in view.waiting if player in here and not is_computer(player)]


def callable_players(view: TableView, told: Told) -> list[Player]:
    """Those on turn who were not called yet: what they have chosen decides whether they are."""
    return [seat.player for seat in _waited_for(view) if seat.player not in told.players]


def wanted(
    view: TableView,
    told: Told,
    *,
    pressed_at: Callable[[Player], int | None],
    chosen: Mapping[Player, Calls],
    now: int,
) -> Wanted:
    """The players to be called now; ``pressed_at`` is when a player last used a panel that shows them the turn."""
    waited_for = _waited_for(view)
    reminded = frozenset(seat.player for seat in waited_for if seat.reminded) - told.reminded
    untold = [seat for seat in waited_for if seat.player not in told.players | reminded]
    due = {
        seat.player: _due(view, pressed_at(seat.player), seat.deadline, at_once=chosen[seat.player] is Calls.AT_ONCE)
        for seat in untold
        if chosen[seat.player] is not Calls.NEVER
    }
    return Wanted(
        players=reminded | {player for player, at in due.items() if at <= now},
        reminded=reminded,
        look_again_at=min((at for at in due.values() if at > now), default=None),
    )


def _due(view: TableView, pressed_at: int | None, deadline: int | None, *, at_once: bool) -> int:
    """When somebody is to be called: once they stayed silent or, if they wish that and pressed nothing, at once."""
    began = view.table.turn_since or 0
    if pressed_at is None or pressed_at < began - SILENT_MS:
        if at_once:
            return began
        pressed_at = began
    # A player with little time is called before half of it is over.
    patience = SILENT_MS if deadline is None else min(SILENT_MS, max(0, deadline - began) // 2)
    return max(began, pressed_at) + patience
