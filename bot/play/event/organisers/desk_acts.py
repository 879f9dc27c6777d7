"""Actions that are only available on the desk, for one player or one table."""

from __future__ import annotations

from dataclasses import replace

from bot.model.events import Entrant, EntrantState, Event, Official
from bot.model.ids import EventKey, Player, TableId, is_computer
from bot.model.reasons import EventReason, OrganiserReason
from bot.model.refusals import Stale
from bot.model.tables import PostKind
from bot.play.event.floor import event_state as fields
from bot.play.event.floor import floor
from bot.play.event.floor.event_state import EventState, TableInPlay
from bot.play.event.office import flights, registration, waiting_list
from bot.play.event.office.rulings_made import has_ruled
from bot.play.event.organisers.organiser import (
    check_neutral,
    check_running,
    done,
    entrant_of,
    load_for_organiser,
    parse_reason,
    rule,
    spot_at,
)
from bot.play.hand import settling
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused


def register_for(s: Session, key: EventKey, by: Official, player: Player, *, cause: str) -> Entrant:
    """Register a player, possibly late or as a re-entry.

    Raises Refused, for example if there's a fee, which only the player can agree to.
    """
    field = load_for_organiser(s, key, by, cause=cause)
    before = field.entrants.get(player)
    if fee := field.event.structure.fee:
        raise Refused(OrganiserReason.FEE_IS_THEIRS, fee=fee, register=field.event.language)
    if before is not None and before.disqualified:
        raise Refused(OrganiserReason.THEY_ARE_DISQUALIFIED)
    if before is not None and (before.registered or before.playing):
        raise Refused(OrganiserReason.THEY_ARE_IN)
    again = before is not None and before.state is EntrantState.OUT
    if before is not None and again and before.entries > field.event.structure.reentries:
        raise Refused(OrganiserReason.THEY_ARE_OUT)
    if not again and has_ruled(s.tx.events.facts_of(key, player), field.event):
        raise Refused(OrganiserReason.THEY_HAVE_RULED)
    flights.check_entry(field, player, by=by.player)
    if player in field.waiting and waiting_list.open_offer(field, player) is None:
        raise Refused(OrganiserReason.THEY_WAIT)
    if waiting_list.is_full_for(field, player) and waiting_list.open_offer(field, player) is None:
        raise Refused(EventReason.EVENT_FULL, most=field.event.structure.most)
    entrant = registration.register(s, key, player, cause=cause)
    assert isinstance(entrant, Entrant)
    # The registration loaded and saved its own copy of the event.
    rule(fields.read_field(s, key), "registered_for", by, f"{cause}:for", player=player)
    return entrant


def check_in_for(s: Session, key: EventKey, by: Official, player: Player, *, cause: str) -> Entrant:
    """Check a player in. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    entrant = entrant_of(field, player)
    if entrant.state is EntrantState.CHECKED_IN:
        raise Refused(OrganiserReason.THEY_CHECKED_IN)
    checked_in = registration.check_in(s, key, player, cause=cause)
    assert isinstance(checked_in, Entrant)
    fields.read_field(s, key).note("checked_in_for", actor=by.player, player=player)
    return checked_in


def attend(s: Session, key: EventKey, by: Official, player: Player, *, away: bool, cause: str) -> Entrant:
    """Make a player sit out, so that their cards are auto-placed, or bring them back. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_running(field)
    check_neutral(field, by)
    entrant = entrant_of(field, player)
    if not entrant.playing or is_computer(player):
        raise Refused(OrganiserReason.NOT_IN_EVENT)
    if entrant.disqualified:
        raise Refused(OrganiserReason.THEY_ARE_DISQUALIFIED)
    if entrant.penalty:
        raise Refused(OrganiserReason.THEY_SERVE_PENALTY)
    spot = field.spot_of(player)
    was = entrant.absent if spot is None else next(seat.away for seat in spot.seats if seat.player == player)
    if was == away:
        raise Refused(OrganiserReason.THEY_SIT_OUT if away else OrganiserReason.THEY_PLAY)
    rule(field, "sat_out" if away else "brought_back", by, cause, player=player)
    floor.attend(field, player, away=away)
    done(field)
    return field.entrants[player]


def stay(s: Session, key: EventKey, by: Official, player: Player, *, cause: str) -> Entrant:
    """Cancel a move that hasn't happened yet. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_running(field)
    check_neutral(field, by)
    entrant = entrant_of(field, player)
    if entrant.move_to is None:
        raise Refused(OrganiserReason.NOT_MOVING)
    rule(field, "stays", by, cause, player=player)
    field.save_entrant(replace(entrant, move_to=None))
    done(field)
    return field.entrants[player]


def hold(s: Session, key: EventKey, by: Official, *, table: TableId, held: bool, cause: str) -> Event:
    """Pause or resume dealing at one table. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_running(field)
    check_neutral(field, by)
    spot = _require_independent(field, table)
    if spot.info.held == held:
        raise Refused(OrganiserReason.TABLE_PAUSED if held else OrganiserReason.TABLE_NOT_PAUSED)
    field.note("held" if held else "released", actor=by.player, cause=cause, table=table)
    field.save_info(spot, replace(spot.info, held=held))
    return done(field)


def end_hand(s: Session, key: EventKey, by: Official, *, table: TableId, hand_no: int, why: str, cause: str) -> Event:
    """Void the hand in progress at a table. No points are paid, and the next hand is dealt. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_running(field)
    check_neutral(field, by)
    spot = _require_independent(field, table)
    reason = parse_reason(why)
    if spot.idle:
        raise Refused(OrganiserReason.NO_HAND_RUNS)
    if spot.table.hand_no != hand_no:
        raise Stale
    rule(field, "hand_ended", by, cause, table=table, why=reason)
    # In the event's own channel, the ruling already says so.
    there = spot.table.channel == field.event.channel
    settling.void(s, spot.table, reason="hand_ended", post=None if there else PostKind.VOID)
    field.refresh(spot)
    return done(field)


def _require_independent(field: EventState, table: TableId) -> TableInPlay:
    """Return a table that can be paused or voided independently of the others. Raises Refused."""
    if not field.event.treats_tables_apart:
        raise Refused(OrganiserReason.ONE_DECK_FOR_ALL)
    return spot_at(field, table)
