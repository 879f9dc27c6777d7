"""Calls to players who are missing or wanted by an organiser."""

from __future__ import annotations

from bot.model.clock import HOUR, MINUTE, SECOND
from bot.model.events import EntrantState, EventFact, Notice, Official, Phase
from bot.model.ids import EventKey, Player, TableId, is_computer
from bot.model.limits import MAX_EVENT_CALLS_PER_HOUR
from bot.model.reasons import OrganiserReason
from bot.play.event.floor import floor
from bot.play.event.floor.event_state import EventState
from bot.play.event.office import views
from bot.play.event.organisers import organiser_desk
from bot.play.event.organisers.organiser import done, entrant_of, load_for_organiser, spot_at
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused

AGAIN_MS = MINUTE
"""Minimum time between calls of the same missing players, because two organisers may press at the same time."""


def call_person(s: Session, key: EventKey, by: Official, player: Player, *, cause: str) -> list[Player]:
    """Call a player to their table, to check-in, or to the event's channel. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    entrant = entrant_of(field, player)
    if is_computer(player):
        raise Refused(OrganiserReason.NOT_IN_EVENT)
    spot = field.spot_of(player)
    missed = field.event.phase is Phase.CHECK_IN and entrant.state is EntrantState.REGISTERED
    what = "table" if spot is not None else "check_in" if missed else "here"
    return _call(field, by, [player], what=what, table=None if spot is None else spot.key.table, cause=cause)


def call_table(s: Session, key: EventKey, by: Official, *, table: TableId, cause: str) -> list[Player]:
    """Call all players of a table to that table. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    spot = spot_at(field, table)
    return _call(field, by, [seat.player for seat in spot.people], what="table", table=table, cause=cause)


def call_missing(s: Session, key: EventKey, by: Official, *, cause: str) -> list[Player]:
    """Call all missing players, except those an organiser made sit out. Raises Refused if none are missing."""
    field = load_for_organiser(s, key, by, cause=cause)
    out = organiser_desk.sat_out(s, key, s.tx.events.log(key))
    lines = [line for line in views.event_view(s, field).lines if not is_computer(line.entrant.player)]
    called = (line.entrant.player for line in lines if organiser_desk.misses(field.event, line))
    players = [player for player in called if player not in out]
    newest = _calls(field)[-1:]
    if players and any(s.now - fact.at < AGAIN_MS and {*players} <= {*fact.details["players"]} for fact in newest):
        raise Refused(OrganiserReason.CALLED_JUST_NOW)
    what = "check_in" if field.event.phase is Phase.CHECK_IN else "seat"
    return _call(field, by, players, what=what, table=None, cause=cause)


def _calls(field: EventState) -> list[EventFact]:
    return field.tx.events.facts(field.key, "called")


def _call(
    field: EventState, by: Official, players: list[Player], *, what: str, table: TableId | None, cause: str
) -> list[Player]:
    if not players:
        raise Refused(OrganiserReason.NOBODY_MISSES)
    lately = [fact.at for fact in _calls(field)[-MAX_EVENT_CALLS_PER_HOUR:]]
    wait_ms = lately[0] + HOUR - field.s.now if len(lately) == MAX_EVENT_CALLS_PER_HOUR else 0
    if wait_ms > 0:
        raise Refused(OrganiserReason.TOO_MANY_EVENT_CALLS, most=MAX_EVENT_CALLS_PER_HOUR, wait=-(-wait_ms // SECOND))
    field.note("called", actor=by.player, cause=cause, players=players)
    where: dict[str, object] = {} if table is None else {"table": table}
    if what == "check_in":
        where["starts_at"] = field.event.starts_at
    floor.tell(field, Notice.CALLED, what=what, by=by.player, players=players, **where)
    done(field)
    return players
