"""The cost of withdrawing before the start, as its question shows it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.events import Event
from bot.model.ids import EventKey, Player
from bot.play.event.floor.event_state import read_field
from bot.play.event.office import registration
from bot.play.event.office.rulings_made import has_ruled
from bot.play.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """The cost of withdrawing, or of leaving the waiting list."""

    event: Event
    waits: bool
    """True if the player is only on the waiting list."""
    kept: bool
    """True if a place is kept for them there."""
    next_in_line: bool
    """True if their place goes to a player on the waiting list, or if others behind them move up."""
    barred: bool
    """True if they have made a ruling in the event, so they couldn't come back."""

    @property
    def final(self) -> bool:
        """True if registering again wouldn't undo it."""
        return self.next_in_line or self.barred


def withdrawal(s: Session, key: EventKey, player: Player) -> Withdrawal:
    """Return what withdrawing would cost now. Raises Refused if the player can't withdraw."""
    field = read_field(s, key)
    own = field.waiting.get(player)
    if own is None:
        registration.check_registered(field, player)
    others = [one for one in field.queue if one.offered_until is None and one.player != player]
    behind = [one for one in others if own is None or own.offered_until is not None or one.turn > own.turn]
    return Withdrawal(
        event=field.event,
        waits=own is not None,
        kept=own is not None and own.offered_until is not None,
        next_in_line=bool(behind),
        barred=has_ruled(s.tx.events.facts_of(key, player), field.event),
    )
