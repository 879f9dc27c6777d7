"""The organiser's tools. Each use is written to the event's log, with the organiser's name."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from bot.base.clean_text import one_line
from bot.model.choices import ServerSettings
from bot.model.clock import HOUR
from bot.model.events import Entrant, EntrantState, Event, Notice, Official, Phase, RepeatInterval, WaitingPlayer
from bot.model.ids import COMPUTERS, EventKey, Player, TableId
from bot.model.limits import (
    MAX_ADJUSTMENT,
    MAX_ANNOUNCEMENT_LENGTH,
    MAX_ANNOUNCEMENTS_PER_HOUR,
    MAX_CO_ORGANISERS,
    MAX_PENALTY_HANDS,
    MAX_REASON_LENGTH,
)
from bot.model.reasons import EventReason, OrganiserReason, PlanReason
from bot.play.event.floor import event_state as fields
from bot.play.event.floor import floor
from bot.play.event.formats import freezeout, series_runs
from bot.play.event.office import date_changes, director, opening, permissions, registration, repeating, roll_call
from bot.play.session.session import Session
from bot.play.table import lobby
from bot.pure.event.structure import Format
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.levels import Level

MAX_COMPUTERS = len(COMPUTERS[Level.CASUAL])


def may_announce(server: ServerSettings, *, manager: bool, roles: Collection[int]) -> bool:
    """True if a member may announce events in the server."""
    return manager or server.organiser_role in roles


def check_organiser(s: Session, event: Event, by: Official) -> None:
    """Raise Refused unless they may run the event."""
    if not permissions.organises(s, event, by):
        raise Refused(OrganiserReason.NOT_ORGANISER)


def organises(s: Session, key: EventKey, by: Official) -> bool:
    """True if they may run the event with that key."""
    return permissions.organises(s, fields.event_of(s, key), by)


def require_organiser(s: Session, key: EventKey, by: Official) -> None:
    """Raise Refused unless they may run the event with that key."""
    check_organiser(s, fields.event_of(s, key), by)


def plays_against(field: fields.EventState, by: Official) -> bool:
    """True if an organiser plays in the event or has played in it.

    An eliminated player still gains: their place improves when others are eliminated, and their fee is refunded if the
    event is called off. Server managers have more power anyway, so they may act, but the message says that they're
    playing.
    """
    return not by.manager and _takes_part(field, by)


def check_neutral(field: fields.EventState, by: Official) -> None:
    """Raise Refused if the organiser plays in the event."""
    if plays_against(field, by):
        raise Refused(OrganiserReason.PLAYS_HERE)


def _takes_part(field: fields.EventState, by: Official) -> bool:
    return permissions.takes_part(field, by.player)


def parse_reason(why: str) -> str:
    """Return the reason as one line of text. Raises Refused if it's empty."""
    if not (reason := one_line(why)[:MAX_REASON_LENGTH]):
        raise Refused(OrganiserReason.NO_REASON)
    return reason


def rule(field: fields.EventState, kind: str, by: Official, cause: str, **details: object) -> None:
    """Write a ruling to the log and announce it, with its author, the player and the reason."""
    field.note(kind, actor=by.player, cause=cause, **details)
    _tell_rule(field, kind, by, **details)


def _tell_rule(field: fields.EventState, what: str, by: Official, **details: object) -> None:
    plays = _takes_part(field, by)
    floor.tell(field, Notice.RULING, what=what, by=by.player, plays=plays, manager=by.manager, **details)


def _official(s: Session, key: EventKey, by: Official) -> fields.EventState:
    """Load an unfinished event for one of its organisers. Raises Refused."""
    field = fields.read_field(s, key)
    check_organiser(s, field.event, by)
    if field.event.phase.over:
        raise Refused(EventReason.EVENT_OVER)
    return field


def load_for_organiser(s: Session, key: EventKey, by: Official, cause: str) -> fields.EventState:
    """Load the event for a press by one of its organisers.

    Raises Refused, or Stale if the press was already handled.
    """
    s.check_not_repeated(cause)
    return _official(s, key, by)


def entrant_of(field: fields.EventState, player: Player) -> Entrant:
    entrant = field.entrants.get(player)
    if entrant is None or entrant.state is EntrantState.WITHDRAWN:
        raise Refused(OrganiserReason.NOT_IN_EVENT)
    return entrant


def spot_at(field: fields.EventState, table: TableId) -> fields.TableInPlay:
    """Return an open table of the event. Raises Refused if it's closed or not in the event."""
    spot = field.spots.get(table)
    if spot is None:
        raise Refused(OrganiserReason.TABLE_GONE)
    return spot


def check_running(field: fields.EventState) -> None:
    if field.event.phase is not Phase.RUNNING:
        raise Refused(EventReason.EVENT_NOT_RUNNING)


def done(field: fields.EventState) -> Event:
    field.show()
    field.s.events_to_direct.add(field.key)
    return field.event


def check_start(s: Session, key: EventKey, by: Official) -> Event:
    """Return the event if the official may start it now. Raises Refused."""
    field = _official(s, key, by)
    _check_start(field, by)
    return field.event


def _check_start(field: fields.EventState, by: Official) -> None:
    """Raise Refused if the event has started or has too few entrants to be played.

    If chips are added to the pool, an organiser who plays may not choose the start, because they could start it while
    no opponents are around.
    """
    if not field.event.phase.before or roll_call.waiting(field) is not None:
        raise Refused(EventReason.EVENT_RUNS)
    if field.event.structure.added:
        check_neutral(field, by)
    need, have = field.event.structure.playable, _people(field)
    if have < need:
        raise Refused(OrganiserReason.TOO_FEW_ENTRANTS, need=need, have=have)


def start_now(s: Session, key: EventKey, by: Official, *, cause: str) -> Event:
    """Start the event with the registered entrants. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    _check_start(field, by)
    return _start(field, by, cause=cause)


def _start(field: fields.EventState, by: Official, *, cause: str) -> Event:
    have = _people(field)
    field.note("started_early", actor=by.player, cause=cause)
    if have < field.event.structure.fewest:
        _tell_rule(field, "started_short", by, people=have)
    else:
        _tell_rule(field, "started_early", by)
    director.start(field, early=True)
    return done(field)


def _people(field: fields.EventState) -> int:
    return sum(entrant.registered for entrant in field.entrants.values())


def fillable(event: Event, people: int) -> int:
    """Return the number of computers that can fill the seats left by ``people``; 0 if they can't.

    Computers may only play if nothing is at stake, so that no one wins anything of value against them.
    """
    missing = _seats_left(event, people) or 0
    fits = event.phase.before and people + missing <= event.structure.most
    return missing if fits and missing <= MAX_COMPUTERS else 0


def _seats_left(event: Event, people: int) -> int | None:
    """Return the free seats of a Sit & Go, or of an event's last table; None if computers can't fill them."""
    structure = event.structure
    if not people or structure.at_stake or event.series:
        return None
    if structure.format is Format.SIT_AND_GO:
        return structure.most - people
    if structure.format in (Format.TOURNAMENT, Format.SHOOTOUT):
        return -people % structure.table_seats
    if structure.format is Format.DUPLICATE:
        # At larger tables, computers fill missing seats anyway.
        return max(structure.playable - people, people % 2 if structure.table_seats == 2 else 0)
    return None


def fill(s: Session, key: EventKey, by: Official, *, cause: str) -> Event:
    """Fill the free seats with computers and start. Raises Refused.

    If players have taken the seats in the meantime, the event starts without computers.
    """
    field = load_for_organiser(s, key, by, cause=cause)
    if not field.event.phase.before or roll_call.waiting(field) is not None:
        raise Refused(EventReason.EVENT_RUNS)
    people = _people(field)
    if _seats_left(field.event, people) == 0:
        _check_start(field, by)
        return _start(field, by, cause=cause)
    missing = fillable(field.event, people)
    if not missing:
        raise Refused(OrganiserReason.NOT_FILLABLE, most=MAX_COMPUTERS)
    lobby.check_computers(s, key.guild, field.event.organiser, more=missing)
    for computer in COMPUTERS[Level.CASUAL][:missing]:
        field.save_entrant(Entrant(player=computer, registered_at=s.now, cause=cause))
    field.note("filled", actor=by.player, cause=cause, computers=missing)
    # Nothing is at stake, so it doesn't matter if they play.
    floor.tell(field, Notice.RULING, what="filled", by=by.player, plays=False, computers=missing)
    if field.event.format is not Format.SIT_AND_GO:  # a Sit & Go starts automatically once it's full
        director.start(field, early=True)
    return done(field)


def check_cancel(s: Session, key: EventKey, by: Official) -> Event:
    """Return the event if the official may call it off now. Raises Refused."""
    field = _official(s, key, by)
    if not field.event.phase.before:
        check_neutral(field, by)
    return field.event


def cancel(s: Session, key: EventKey, by: Official, *, why: str, cause: str) -> Event:
    """Call the event off and refund all fees. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_cancel(s, key, by)
    reason = parse_reason(why)
    field.note("cancelled", actor=by.player, cause=cause, why=reason)
    plays = _takes_part(field, by)
    director.call_off(field, reason="organiser", by=by.player, plays=plays, manager=by.manager, why=reason)
    return field.event


def repeat(
    s: Session,
    key: EventKey,
    by: Official,
    *,
    every: RepeatInterval | None,
    zone: str,
    cause: str,
    authority: permissions.MemberPermissions = permissions.NO_AUTHORITY,
) -> Event:
    """Repeat the event, or stop repeating it if ``every`` is None. Raises Refused, for example if it has no start time.

    The organiser who sets the repetition vouches for the following events, so they must be allowed to announce them.
    """
    field = load_for_organiser(s, key, by, cause=cause)
    if field.event.starts_at is None:
        raise Refused(PlanReason.NO_START_TIME)
    if every is not None:
        permissions.check_repeats(field.event.structure, authority)
        if series_runs.dates_left(s.tx, key.guild, field.event.series) == 1:
            raise Refused(OrganiserReason.LAST_DATE)
    starts_at = date_changes.start_by_rule(s.tx, field.event) or field.event.starts_at
    rule = repeating.build_repeat(every, zone, starts_at)
    field.note("repeats" if every else "repeats_no_more", actor=by.player, cause=cause)
    _tell_rule(field, "repeats_no_more" if every is None else f"repeats_{every.value}", by)
    field.save(opening.named_repeating(replace(field.event, repeat=rule)))
    return done(field)


def pause(s: Session, key: EventKey, by: Official, *, cause: str) -> Event:
    """Pause the event. Running hands are finished. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_running(field)
    if field.event.paused:
        raise Refused(OrganiserReason.ALREADY_PAUSED)
    field.note("paused", actor=by.player, cause=cause)
    director.pause(field, by=by.player)
    return done(field)


def resume(s: Session, key: EventKey, by: Official, *, cause: str) -> Event:
    """Resume after a pause. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_running(field)
    if not field.event.paused:
        raise Refused(OrganiserReason.NOT_PAUSED)
    field.note("resumed", actor=by.player, cause=cause)
    director.go_on(field, by=by.player)
    return done(field)


def penalty(s: Session, key: EventKey, by: Official, player: Player, *, hands: int, why: str, cause: str) -> Entrant:
    """Auto-play the player's next ``hands`` hands, from the current one on; 0 lifts the penalty. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_running(field)
    check_neutral(field, by)
    entrant = entrant_of(field, player)
    if not entrant.playing and field.spot_of(player) is None:  # players who are leaving finish their round
        raise Refused(OrganiserReason.NOT_IN_EVENT)
    if not 0 <= hands <= MAX_PENALTY_HANDS:
        raise Refused(OrganiserReason.BAD_PENALTY, most=MAX_PENALTY_HANDS)
    rule(field, "penalty", by, cause, player=player, hands=hands, why=parse_reason(why))
    field.save_entrant(replace(entrant, penalty=hands))
    if hands or entrant.penalty:
        floor.follow_penalty(field, player)
    done(field)
    return field.entrants[player]


def lift_penalty(s: Session, key: EventKey, by: Official, *, number: int, why: str, cause: str) -> Entrant:
    """Lift the penalty with that ``number`` in the event's log, unless a newer one followed. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_neutral(field, by)
    facts = field.tx.events.facts(key, "penalty")
    found = next((fact for fact in facts if fact.number == number), None)
    if found is None:
        raise Refused(OrganiserReason.NOTHING_TO_TAKE_BACK)
    player = Player(str(found.details["player"]))
    newest = [fact for fact in facts if fact.details["player"] == found.details["player"]][-1]
    if newest.number != number or not entrant_of(field, player).penalty:
        raise Refused(OrganiserReason.NOTHING_TO_TAKE_BACK)
    return penalty(s, key, by, player, hands=0, why=why, cause=cause)


def check_disqualify(s: Session, key: EventKey, by: Official) -> Event:
    """Return the event if the official may disqualify players now. Raises Refused."""
    field = _official(s, key, by)
    check_neutral(field, by)
    return field.event


def disqualify(s: Session, key: EventKey, by: Official, player: Player, *, why: str, cause: str) -> Entrant:
    """Disqualify a player. Their chips leave play after the current hand. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_disqualify(s, key, by)
    entrant = entrant_of(field, player)
    if entrant.disqualified:
        raise Refused(EventReason.DISQUALIFIED)
    rule(field, "disqualified", by, cause, player=player, why=parse_reason(why))
    entrant = field.save_entrant(replace(entrant, disqualified=True))
    if field.event.phase.before:
        director.drop(field, entrant)
    else:
        floor.attend(field, player, away=True)
    done(field)
    return field.entrants[player]


def reinstate(s: Session, key: EventKey, by: Official, player: Player, *, cause: str) -> Entrant:
    """Undo a disqualification. Before the start, the player may register again. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_disqualify(s, key, by)
    entrant = field.entrants.get(player)
    if entrant is None or not entrant.disqualified:
        raise Refused(OrganiserReason.NOT_DISQUALIFIED)
    if not fields.reinstatable(field.event, entrant):
        raise Refused(OrganiserReason.DISQUALIFIED_FOR_GOOD)
    rule(field, "reinstated", by, cause, player=player)
    field.save_entrant(replace(entrant, disqualified=False))
    if entrant.playing:
        floor.follow_penalty(field, player)
    done(field)
    return field.entrants[player]


def unregister(s: Session, key: EventKey, by: Official, player: Player, *, cause: str) -> Entrant | WaitingPlayer:
    """Withdraw a player's registration before the start. They may register again. Raises Refused.

    Organisers who unregister themselves simply withdraw, as any player can. That isn't a ruling.
    """
    field = load_for_organiser(s, key, by, cause=cause)
    if player == by.player:
        return registration.withdraw(s, key, player, cause=cause)
    check_disqualify(s, key, by)
    entrant = entrant_of(field, player)
    if not field.event.phase.before:
        raise Refused(EventReason.EVENT_RUNS)
    rule(field, "unregistered", by, cause, player=player, fee=field.event.structure.fee)
    director.drop(field, entrant)
    done(field)
    return field.entrants[player]


def adjust(s: Session, key: EventKey, by: Official, player: Player, *, amount: int, why: str, cause: str) -> Entrant:
    """Give a player chips, or points in a league or duplicate event, or take some. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_running(field)
    check_neutral(field, by)
    entrant = entrant_of(field, player)
    if not amount or abs(amount) > MAX_ADJUSTMENT:
        raise Refused(OrganiserReason.BAD_AMOUNT, most=MAX_ADJUSTMENT)
    reason = parse_reason(why)
    if not fields.plays_for_chips(field.event):
        field.save_entrant(replace(entrant, score=entrant.score + amount))
    else:
        if not entrant.playing:
            raise Refused(OrganiserReason.NOT_IN_EVENT)
        director.adjust_stack(field, entrant, amount=amount, cause=cause)
    rule(field, "adjusted", by, cause, player=player, amount=amount, why=reason)
    done(field)
    return field.entrants[player]


def move(s: Session, key: EventKey, by: Official, player: Player, *, table: TableId, why: str, cause: str) -> Entrant:
    """Move a player to another table as soon as no hand or Fantasyland is in the way. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    check_running(field)
    check_neutral(field, by)
    reason = parse_reason(why)
    entrant = entrant_of(field, player)
    target, source = field.spots.get(table), field.spot_of(player)
    if not entrant.playing or source is None:
        raise Refused(OrganiserReason.NOT_IN_EVENT)
    if not director.may_move(field):
        raise Refused(OrganiserReason.NO_MOVES_HERE)
    if target is None or target is source:
        raise Refused(OrganiserReason.NO_SUCH_TABLE_THERE)
    if len(target.seats) >= field.event.structure.table_seats:
        raise Refused(OrganiserReason.NO_SEAT_THERE)
    field.note("to_be_moved", actor=by.player, cause=cause, player=player, table=table, why=reason)
    at_once = freezeout.moved_now(field, player, source, target)
    # If the move was immediate, this single message says who decided it and why, and calls the player to the new seat.
    _tell_rule(field, "moved" if at_once else "to_be_moved", by, player=player, table=table, why=reason)
    if not at_once:
        field.save_entrant(replace(entrant, move_to=table))
    done(field)
    return field.entrants[player]


def announce(s: Session, key: EventKey, by: Official, text: str, *, cause: str) -> Event:
    """Post a text in the event's channel and at its tables. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    text = text.strip()
    if not one_line(text) or len(text) > MAX_ANNOUNCEMENT_LENGTH:
        raise Refused(OrganiserReason.BAD_ANNOUNCEMENT, most=MAX_ANNOUNCEMENT_LENGTH)
    _check_announcements(field)
    field.note("said", actor=by.player, cause=cause, text=text)
    floor.tell(field, Notice.SAID, text=text, by=by.player)
    return done(field)


def _check_announcements(field: fields.EventState) -> None:
    """Raise Refused above the hourly limit, because each announcement is also posted at every table."""
    lately = [fact.at for fact in field.tx.events.facts(field.key, "said")][-MAX_ANNOUNCEMENTS_PER_HOUR:]
    wait_ms = lately[0] + HOUR - field.s.now if len(lately) == MAX_ANNOUNCEMENTS_PER_HOUR else 0
    if wait_ms > 0:
        raise Refused(OrganiserReason.TOO_MANY_ANNOUNCEMENTS, most=MAX_ANNOUNCEMENTS_PER_HOUR, wait=-(-wait_ms // 1000))


def co_organiser(s: Session, key: EventKey, by: Official, player: Player, *, remove: bool, cause: str) -> Event:
    """Add or remove a co-organiser. Raises Refused, also for stand-ins, who could make each other co-organisers.

    After the start, an organiser who plays may do neither, because a friend or second account could make rulings for
    them.
    """
    field = load_for_organiser(s, key, by, cause=cause)
    if not by.organises(field.event):
        raise Refused(OrganiserReason.STANDS_IN)
    if not field.event.phase.before:
        check_neutral(field, by)
    helpers = field.event.helpers
    if remove and player not in helpers:
        raise Refused(OrganiserReason.NO_HELPER)
    if not remove and (player in helpers or player == field.event.organiser):
        raise Refused(OrganiserReason.ALREADY_HELPER)
    if not remove and len(helpers) >= MAX_CO_ORGANISERS:
        raise Refused(OrganiserReason.TOO_MANY_HELPERS, most=MAX_CO_ORGANISERS)
    changed = tuple(h for h in helpers if h != player) if remove else (*helpers, player)
    rule(field, "helper_removed" if remove else "helper", by, cause, player=player)
    field.save(replace(field.event, helpers=changed))
    return done(field)
