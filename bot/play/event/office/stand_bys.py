"""Players on the waiting list who have checked in. They get the places that are free at the start, in order.

Places are free at the start if registered players have left the server or missed check-in, or if no one took a place
on offer. Only players who say that they're here can be seated then, so events without a check-in have no such players.
The fee is paid at the start, under the terms that the player agreed to. The event's log says who has checked in, since
check-in opened and since they joined the list.
"""

from __future__ import annotations

from dataclasses import replace

from bot.model.events import Entrant, EntrantState, Event, Phase
from bot.model.ids import Player
from bot.model.reasons import EventReason
from bot.play import terms as terms_of
from bot.play.event.floor.event_state import EventState
from bot.play.event.office.entry_fees import can_pay, pay_fee, require_fee
from bot.play.event.office.rulings_made import has_ruled
from bot.pure.ofc.refusals import Refused

STANDS_BY = "stands_by"
"""Kind of the log line for a player on the waiting list who checks in."""


def terms(event: Event) -> str:
    """Return the terms of a place at the start. They stay the same if the start is postponed a little."""
    return terms_of.of_event(replace(event, starts_at=None))


def standing_by(field: EventState) -> dict[Player, str]:
    """Return the players on the waiting list who have checked in, in order, each with the cause of their press."""
    event, tx = field.event, field.tx
    if event.phase is not Phase.CHECK_IN or not field.waiting:
        return {}
    opened = tx.events.last_fact(field.key, ("check_in",))
    joined = {fact.actor: fact.number for fact in tx.events.facts(field.key, "joined_list")}
    pressed = {
        fact.actor: str(fact.details["press"])
        for fact in tx.events.facts(field.key, STANDS_BY)
        if fact.number > max(opened.number if opened else 0, joined.get(fact.actor, 0))
        and fact.details["terms"] == terms(event)
    }
    return {one.player: pressed[one.player] for one in field.queue if one.player in pressed}


def check(field: EventState, player: Player) -> None:
    """Raise Refused if a player on the waiting list can't check in."""
    if field.event.phase is not Phase.CHECK_IN:
        raise Refused(EventReason.NO_CHECK_IN)
    if player in standing_by(field):
        raise Refused(EventReason.ALREADY_CHECKED_IN)
    if has_ruled(field.tx.events.facts_of(field.key, player), field.event):
        raise Refused(EventReason.HAS_RULED)
    require_fee(field, player)


def stand_by(field: EventState, player: Player, *, cause: str) -> None:
    """Check in a player on the waiting list."""
    field.note(STANDS_BY, actor=player, cause=cause, press=cause, terms=terms(field.event))
    field.show()
    if field.event.reminded:
        field.s.events_to_direct.add(field.key)


def seat(field: EventState) -> list[Player]:
    """Give the free places to the players who stand by, and return them. Those who can't pay the fee are skipped."""
    taken = sum(entrant.registered for entrant in field.entrants.values())
    free, seated = field.event.structure.most - taken, list[Player]()
    for player, press in standing_by(field).items():
        if len(seated) >= free:
            break
        ruled = has_ruled(field.tx.events.facts_of(field.key, player), field.event)
        if ruled or not can_pay(field, player):
            continue
        pay_fee(field, player, cause=press)
        before = field.entrants.get(player)
        entrant = field.save_entrant(
            Entrant(
                player=player,
                registered_at=field.s.now,
                cause=press,
                adds=press,
                score=0 if before is None else before.score,
                head=field.event.structure.bounty,
            )
        )
        field.save_entrant(replace(entrant, state=EntrantState.CHECKED_IN))
        field.remove_waiting(player)
        seated.append(player)
    if seated:
        field.note("from_list", players=seated)
    return seated
