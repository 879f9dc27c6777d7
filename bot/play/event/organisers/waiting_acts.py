"""Organisers' actions on the waiting list: reorder it, remove players, and open another table for it."""

from __future__ import annotations

from dataclasses import replace

from bot.model.events import Event, Official, WaitingPlayer
from bot.model.ids import EventKey, Player
from bot.model.reasons import EventReason, OrganiserReason
from bot.play.event.floor.event_state import EventState
from bot.play.event.office import roll_call, waiting_list
from bot.play.event.organisers import changing
from bot.play.event.organisers.organiser import check_neutral, done, load_for_organiser, rule
from bot.play.session.session import Session
from bot.pure.event.structure import structure_problems
from bot.pure.ofc.refusals import Refused


def move_to_top(s: Session, key: EventKey, by: Official, player: Player, *, cause: str) -> WaitingPlayer:
    """Put a player first among those who have no offer yet. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_neutral(field, by)
    waiting = _place_of(field, by, player)
    others = [one for one in field.queue if one.offered_until is None and one.player != player]
    if waiting.offered_until is not None or not others or waiting.turn < others[0].turn:
        raise Refused(OrganiserReason.THEY_ARE_FIRST)
    field.note("moved_up", actor=by.player, cause=cause, player=player)
    waiting = field.save_waiting(replace(waiting, turn=min(waiting_list.turns(field)) - 1))
    done(field)
    return waiting


def remove(s: Session, key: EventKey, by: Official, player: Player, *, cause: str) -> WaitingPlayer:
    """Remove a player from the waiting list. They may join again, at its end. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_neutral(field, by)
    waiting = _place_of(field, by, player)
    rule(field, "unlisted", by, cause, player=player)
    field.remove_waiting(player)
    done(field)
    return waiting


def open_table(s: Session, key: EventKey, by: Official, *, shown: int = 0, cause: str) -> Event:
    """Raise the maximum by the seats of a table, or as far as the format allows, for those who wait. Raises Refused.

    The next date of a repeating event starts with the former maximum.

    ``shown`` is the maximum that the organiser saw; 0 if they saw none. If another organiser has raised it since, the
    action is refused, so that two presses at once open one table. Raises
    ``bot.pure.event.structure.StructureError`` if the maximum can't be raised.
    """
    field = _before_start(load_for_organiser(s, key, by, cause=cause))
    if shown and shown != field.event.structure.most:
        raise Refused(OrganiserReason.MAX_CHANGED, most=field.event.structure.most)
    if all(one.offered_until is not None for one in field.queue):
        raise Refused(OrganiserReason.NOBODY_WAITS)
    structure, variant = field.event.structure, field.event.variant
    steps = [replace(structure, most=structure.most + seats) for seats in range(structure.table_seats, 0, -1)]
    wanted = next((one for one in steps if not structure_problems(one, variant)), steps[-1])
    return changing.change(s, key, by, {"most": (structure.most, wanted.most)}, cause=cause, this_date=True)


def _before_start(field: EventState) -> EventState:
    if not field.event.phase.before or roll_call.waiting(field) is not None:
        raise Refused(EventReason.EVENT_RUNS)
    return field


def _place_of(field: EventState, by: Official, player: Player) -> WaitingPlayer:
    """Return a player's place on the list, for an organiser who isn't on it. Raises Refused."""
    if not by.manager and by.player in field.waiting:
        raise Refused(OrganiserReason.WAITS_HERE)
    waiting = _before_start(field).waiting.get(player)
    if waiting is None:
        raise Refused(OrganiserReason.NOT_WAITING)
    return waiting
