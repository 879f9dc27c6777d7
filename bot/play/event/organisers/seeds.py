"""Manual seeding: an organiser orders the registered players before the start.

Players who aren't in the order come after those who are, as drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.model.events import Entrant, Event, Official
from bot.model.ids import EventKey, Player
from bot.model.reasons import EventReason, PlanReason
from bot.play.event.floor.event_state import EventState
from bot.play.event.formats import seeding
from bot.play.event.organisers.organiser import check_neutral, done, entrant_of, load_for_organiser
from bot.play.session.session import Session
from bot.pure.event.seeding import SeededBy
from bot.pure.ofc.refusals import Refused


def seed(s: Session, key: EventKey, by: Official, player: Player, *, place: int, cause: str) -> Event:
    """Put a player at ``place`` in the order (from 1), or remove them if it's 0. The others move up. Raises Refused."""
    field = _opened(s, key, by, cause=cause)
    entrant = entrant_of(field, player)
    order = [one for one in seeding.by_hand(field) if one.player != player]
    if place:
        place = min(max(place, 1), len(order) + 1)
        order.insert(place - 1, entrant)
    field.note("seed" if place else "unseeded", actor=by.player, cause=cause, player=player, place=place)
    _save(field, order)
    return done(field)


def unseed_all(s: Session, key: EventKey, by: Official, *, cause: str) -> Event:
    """Clear the order. Raises Refused."""
    field = _opened(s, key, by, cause=cause)
    field.note("unseeded_all", actor=by.player, cause=cause)
    _save(field, [])
    return done(field)


def _opened(s: Session, key: EventKey, by: Official, *, cause: str) -> EventState:
    field = load_for_organiser(s, key, by, cause=cause)
    if not field.event.phase.before:
        raise Refused(EventReason.EVENT_RUNS)
    if field.event.structure.seeded_by(field.event.series) is not SeededBy.HAND:
        raise Refused(PlanReason.NOT_SEEDED_BY_HAND)
    check_neutral(field, by)
    return field


def _save(field: EventState, order: Sequence[Entrant]) -> None:
    places = {entrant.player: place for place, entrant in enumerate(order, start=1)}
    for entrant in list(field.entrants.values()):
        field.save_entrant(replace(entrant, seeded=places.get(entrant.player, 0)))
