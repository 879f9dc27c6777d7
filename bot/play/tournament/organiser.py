"""The organiser's tools. Each is written into the event's log with who used it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ofc.refusals import Refused
from bot.play.clock import HOUR
from bot.play.model import Player, TableId, TournamentKey
from bot.play.refusals import PlayReason, Stale
from bot.play.session import Session
from bot.play.tournament import director
from bot.play.tournament import field as fields
from bot.play.tournament.model import Entrant, EntrantState, Notice, Phase, Tournament
from bot.written import one_line

MOST_HELPERS = 10
MOST_PENALTY = 20
MOST_ADJUSTED = 10_000_000
LONGEST_WORD = 1500
MOST_SAID = 6
"""Announcements of an event in an hour."""
LONGEST_REASON = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Official:
    """Who uses a tool."""

    player: Player
    manager: bool = False
    """True for those who manage the server: they may organise every event."""


def check_organiser(event: Tournament, by: Official) -> None:
    """Raise Refused for everybody who may not use the event's tools."""
    if not by.manager and by.player not in (event.organiser, *event.helpers):
        raise Refused(PlayReason.NOT_ORGANISER)


def _open(s: Session, key: TournamentKey, by: Official, *, cause: str) -> fields.Field:
    """The event, which is not over, for somebody who may organise it. Raises Refused, or Stale."""
    if s.tx.seen(cause):
        raise Stale
    field = fields.read_field(s, key)
    check_organiser(field.event, by)
    if field.event.phase.over:
        raise Refused(PlayReason.EVENT_OVER)
    return field


def _entrant(field: fields.Field, player: Player) -> Entrant:
    entrant = field.entrants.get(player)
    if entrant is None or entrant.state is EntrantState.WITHDRAWN:
        raise Refused(PlayReason.NOT_IN_EVENT)
    return entrant


def _running(field: fields.Field) -> None:
    if field.event.phase is not Phase.RUNNING:
        raise Refused(PlayReason.EVENT_NOT_RUNNING)


def _done(field: fields.Field) -> Tournament:
    field.show()
    director.look(field.s, field.key)
    return field.event


def start_now(s: Session, key: TournamentKey, by: Official, *, cause: str) -> Tournament:
    """Start with those who are registered; raises Refused when they are too few or it runs already."""
    field = _open(s, key, by, cause=cause)
    if not field.event.phase.before:
        raise Refused(PlayReason.EVENT_RUNS)
    have = sum(entrant.registered for entrant in field.entrants.values())
    if have < field.event.structure.least:
        raise Refused(PlayReason.TOO_FEW_ENTRANTS, need=field.event.structure.least, have=have)
    field.note("started_early", actor=by.player, cause=cause)
    director.begin(field, everybody=True)
    return _done(field)


def cancel(s: Session, key: TournamentKey, by: Official, *, cause: str) -> Tournament:
    """Call it off; raises Refused."""
    field = _open(s, key, by, cause=cause)
    field.note("cancelled", actor=by.player, cause=cause)
    director.call_off(field, reason="organiser")
    return field.event


def pause(s: Session, key: TournamentKey, by: Official, *, cause: str) -> Tournament:
    """Deal no further hands; raises Refused."""
    field = _open(s, key, by, cause=cause)
    _running(field)
    if field.event.paused:
        raise Refused(PlayReason.ALREADY_PAUSED)
    field.note("paused", actor=by.player, cause=cause)
    director.pause(field)
    return _done(field)


def resume(s: Session, key: TournamentKey, by: Official, *, cause: str) -> Tournament:
    """Go on; raises Refused."""
    field = _open(s, key, by, cause=cause)
    _running(field)
    if not field.event.paused:
        raise Refused(PlayReason.NOT_PAUSED)
    field.note("resumed", actor=by.player, cause=cause)
    director.go_on(field)
    return _done(field)


def penalty(s: Session, key: TournamentKey, by: Official, player: Player, *, hands: int, cause: str) -> Entrant:
    """The clock lays for a player for so many hands; raises Refused."""
    field = _open(s, key, by, cause=cause)
    _running(field)
    entrant = _entrant(field, player)
    if not entrant.playing:
        raise Refused(PlayReason.NOT_IN_EVENT)
    if not 0 <= hands <= MOST_PENALTY:
        raise Refused(PlayReason.BAD_PENALTY, most=MOST_PENALTY)
    field.note("penalty", actor=by.player, cause=cause, player=player, hands=hands)
    field.save_entrant(entrant, penalty=hands)
    if hands or entrant.penalty:
        director.attend(field, player, away=hands > 0)
    _done(field)
    return field.entrants[player]


def disqualify(s: Session, key: TournamentKey, by: Official, player: Player, *, cause: str) -> Entrant:
    """Put a player out; raises Refused."""
    field = _open(s, key, by, cause=cause)
    entrant = _entrant(field, player)
    if entrant.disqualified:
        raise Refused(PlayReason.DISQUALIFIED)
    field.note("disqualified", actor=by.player, cause=cause, player=player)
    entrant = field.save_entrant(entrant, disqualified=True)
    if field.event.phase.before:
        director.drop(field, entrant)
    else:
        director.attend(field, player, away=True)
    _done(field)
    return field.entrants[player]


def adjust(
    s: Session, key: TournamentKey, by: Official, player: Player, *, amount: int, why: str, cause: str
) -> Entrant:
    """Give or take chips or points; raises Refused."""
    field = _open(s, key, by, cause=cause)
    _running(field)
    entrant = _entrant(field, player)
    if not amount or abs(amount) > MOST_ADJUSTED:
        raise Refused(PlayReason.BAD_AMOUNT, most=MOST_ADJUSTED)
    if not (reason := one_line(why)[:LONGEST_REASON]):
        raise Refused(PlayReason.NO_REASON)
    if not fields.plays_for_chips(field.event):
        field.save_entrant(entrant, score=entrant.score + amount)
    else:
        if not entrant.playing:
            raise Refused(PlayReason.NOT_IN_EVENT)
        director.adjust_stack(field, entrant, amount=amount, cause=cause)
    field.note("adjusted", actor=by.player, cause=cause, player=player, amount=amount, why=reason)
    _done(field)
    return field.entrants[player]


def move(s: Session, key: TournamentKey, by: Official, player: Player, *, table: TableId, cause: str) -> Entrant:
    """Seat a player at another table when no hand and no Fantasyland is in the way; raises Refused."""
    field = _open(s, key, by, cause=cause)
    _running(field)
    entrant = _entrant(field, player)
    target, source = field.spots.get(table), field.spot_of(player)
    if not entrant.playing or source is None:
        raise Refused(PlayReason.NOT_IN_EVENT)
    if not director.may_move(field):
        raise Refused(PlayReason.NO_MOVES_HERE)
    if target is None or target is source:
        raise Refused(PlayReason.NO_SUCH_TABLE_THERE)
    if len(target.seats) >= field.event.structure.table_seats:
        raise Refused(PlayReason.NO_SEAT_THERE)
    field.note("to_be_moved", actor=by.player, cause=cause, player=player, table=table)
    field.save_entrant(entrant, move_to=table)
    _done(field)
    return field.entrants[player]


def announce(s: Session, key: TournamentKey, by: Official, text: str, *, cause: str) -> Tournament:
    """Say something in the event's channel and at its tables; raises Refused."""
    field = _open(s, key, by, cause=cause)
    text = text.strip()
    if not one_line(text) or len(text) > LONGEST_WORD:
        raise Refused(PlayReason.BAD_ANNOUNCEMENT, most=LONGEST_WORD)
    _check_announcements(field)
    field.note("said", actor=by.player, cause=cause, text=text)
    director.tell(field, Notice.SAID, text=text, by=by.player)
    return _done(field)


def _check_announcements(field: fields.Field) -> None:
    """Each of them is posted at every table too."""
    lately = [fact.at for fact in field.s.tx.tournament_log(field.key) if fact.kind == "said"][-MOST_SAID:]
    wait_ms = lately[0] + HOUR - field.s.now if len(lately) == MOST_SAID else 0
    if wait_ms > 0:
        raise Refused(PlayReason.TOO_MANY_ANNOUNCEMENTS, most=MOST_SAID, wait=-(-wait_ms // 1000))


def co_organiser(
    s: Session, key: TournamentKey, by: Official, player: Player, *, remove: bool, cause: str
) -> Tournament:
    """Share the tools, or take them away; raises Refused."""
    field = _open(s, key, by, cause=cause)
    helpers = field.event.helpers
    if remove and player not in helpers:
        raise Refused(PlayReason.NO_HELPER)
    if not remove and (player in helpers or player == field.event.organiser):
        raise Refused(PlayReason.ALREADY_HELPER)
    if not remove and len(helpers) >= MOST_HELPERS:
        raise Refused(PlayReason.TOO_MANY_HELPERS, most=MOST_HELPERS)
    changed = tuple(h for h in helpers if h != player) if remove else (*helpers, player)
    field.note("helper_removed" if remove else "helper", actor=by.player, cause=cause, player=player)
    field.save(helpers=changed)
    return _done(field)
