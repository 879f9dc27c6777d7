"""Announcing an event, registering, withdrawing and checking in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from bot.base.clean_text import few_lines, one_line
from bot.model.clock import LIMITS, Clock
from bot.model.events import Entrant, EntrantState, Event, Phase, Repeat, WaitingPlayer
from bot.model.ids import EventKey, GuildId, Player, is_pseudonym
from bot.model.limits import (
    MAX_EVENT_DESCRIPTION_LENGTH,
    MAX_EVENT_LEAD_MS,
    MAX_EVENT_NAME_LENGTH,
    MAX_OPEN_EVENTS,
    MAX_OPEN_EVENTS_PER_ORGANISER,
    MAX_SERIES_NAME_LENGTH,
    MIN_EVENT_LEAD_MS,
)
from bot.model.privacy import UsedRightKind
from bot.model.reasons import EventReason, PlanReason, TableReason
from bot.model.refusals import OtherTerms
from bot.play import terms as terms_of
from bot.play.event.floor import absences
from bot.play.event.floor import event_state as fields
from bot.play.event.formats.series_runs import series_meant
from bot.play.event.office import director, flights, opening, stand_bys, waiting_list
from bot.play.event.office.entry_fees import pay_fee, require_fee
from bot.play.event.office.event_fields import page_address
from bot.play.event.office.permissions import NO_AUTHORITY, MemberPermissions, check_prizes
from bot.play.event.office.rulings_made import has_ruled
from bot.play.event.office.views import registration_open
from bot.play.session import memory
from bot.play.session.session import Session
from bot.play.table.lobby import time_limits
from bot.pure.event.structure import Format, Structure, StructureError, structure_problems
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEvent:
    """An event before it's announced."""

    guild: GuildId
    channel: int
    organiser: Player
    authority: MemberPermissions = NO_AUTHORITY
    """The organiser's current authority."""
    language: str
    name: str
    variant: Variant
    structure: Structure
    clock: Clock
    starts_at: int | None
    """Milliseconds; None for a Sit & Go."""
    series: str = ""
    description: str = ""
    page: bool = False
    """True if the event has a public web page."""
    repeat: Repeat | None = None
    """Repetition; None for a single event."""


def create(s: Session, plan: PlannedEvent, *, cause: str) -> Event:
    """Announce an event, open its registration and delete the organiser's draft. Raises Refused.

    Raises ``bot.pure.event.structure.StructureError`` if the structure can't be played.
    """
    s.check_not_repeated(cause)
    _check_plan(s, plan)
    event = Event(
        key=opening.next_key(s, plan.guild),
        name=one_line(plan.name),
        organiser=plan.organiser,
        channel=plan.channel,
        language=plan.language,
        variant=plan.variant,
        structure=plan.structure,
        clock=plan.clock,
        series=series_meant(s.tx, plan.guild, plan.series),
        description=few_lines(plan.description),
        page=page_address() if plan.page else "",
        starts_at=plan.starts_at,
        created_at=s.now,
        commitment=b"",
        sealed_seed=b"",
        repeat=plan.repeat,
    )
    event = opening.announced(s, event, by=plan.organiser, cause=cause)
    s.tx.events.forget_draft(plan.guild, plan.organiser)
    return event


Problem = StructureError | Refused
"""A reason why a plan can't be announced."""


def problems(plan: PlannedEvent | Event, *, now: int, same_hour: bool = False) -> list[Problem]:
    """Return all problems with a plan, or with planned changes to an event, at time ``now`` (ms).

    ``same_hour`` skips the start time, because it was announced before. The order is that of the form: name, start
    time, structure, turn time.
    """
    found: list[Problem] = []
    if not one_line(plan.name) or len(plan.name) > MAX_EVENT_NAME_LENGTH:
        found.append(Refused(PlanReason.BAD_EVENT_NAME, most=MAX_EVENT_NAME_LENGTH))
    if len(plan.series) > MAX_SERIES_NAME_LENGTH:
        found.append(Refused(PlanReason.BAD_EVENT_NAME, most=MAX_SERIES_NAME_LENGTH))
    if len(plan.description) > MAX_EVENT_DESCRIPTION_LENGTH:
        found.append(Refused(PlanReason.BAD_DESCRIPTION, most=MAX_EVENT_DESCRIPTION_LENGTH))
    if plan.structure.format is not Format.SIT_AND_GO and not same_hour:
        if plan.starts_at is not None and plan.starts_at < now:
            found.append(Refused(PlanReason.START_PASSED))
        elif plan.starts_at is None or plan.starts_at < now + MIN_EVENT_LEAD_MS:
            found.append(Refused(PlanReason.START_TOO_EARLY))
        elif plan.starts_at > now + MAX_EVENT_LEAD_MS:
            found.append(Refused(PlanReason.START_TOO_LATE))
    found += structure_problems(plan.structure, plan.variant)
    if plan.structure.handicap and plan.series:
        found.append(StructureError("handicap_series"))
    shortest, longest = LIMITS[plan.clock.pace]
    if not shortest <= plan.clock.seconds <= longest:
        found.append(Refused(TableReason.BAD_TIME, **time_limits(plan.clock.pace)))
    return found


def _check_plan(s: Session, plan: PlannedEvent) -> None:
    for problem in problems(plan, now=s.now):
        raise problem
    check_prizes(plan.structure, plan.authority)
    check_limits(s, plan.guild, plan.organiser, by=plan.organiser)


def check_limits(s: Session, guild: GuildId, organiser: Player, *, by: Player) -> None:
    """Raise Refused if ``by`` can't announce another event of this organiser, because too many are open."""
    open_events = s.tx.events.in_phases(guild, [phase for phase in Phase if not phase.over])
    if sum(event.organiser == organiser for event in open_events) >= MAX_OPEN_EVENTS_PER_ORGANISER:
        if by != organiser:
            raise Refused(PlanReason.TOO_MANY_THEIR_EVENTS, most=MAX_OPEN_EVENTS_PER_ORGANISER)
        raise Refused(PlanReason.TOO_MANY_OWN_EVENTS, most=MAX_OPEN_EVENTS_PER_ORGANISER)
    if len(open_events) >= MAX_OPEN_EVENTS:
        raise Refused(PlanReason.TOO_MANY_EVENTS, most=MAX_OPEN_EVENTS)


def register(
    s: Session, key: EventKey, player: Player, *, terms: str | None = None, cause: str
) -> Entrant | WaitingPlayer:
    """Register a player, possibly late or again after elimination. During check-in, a registered player is checked in.

    If the event is full, the player joins its waiting list, which costs nothing. ``terms`` are the terms that the
    player was shown. Raises Refused or OtherTerms.
    """
    s.check_not_repeated(cause)
    field = fields.read_field(s, key)
    waiting_list.offer_places(field)
    before = field.entrants.get(player)
    if before is not None and before.state is EntrantState.REGISTERED and field.event.phase is Phase.CHECK_IN:
        # A registered player who presses Register during check-in is present, so they are checked in.
        _require_start(field, terms)
        return _come(field, before, cause=cause)
    again = before is not None and before.state is EntrantState.OUT
    _check_may_register(field, player, before)
    if not again and has_ruled(s.tx.events.facts_of(key, player), field.event):
        raise Refused(EventReason.HAS_RULED)
    if waiting_list.open_offer(field, player) is None and waiting_list.is_full_for(field, player):
        return waiting_list.join(field, player, cause=cause)
    return _enter(field, player, before, terms=terms, cause=cause)


def take_place(s: Session, key: EventKey, player: Player, *, terms: str | None = None, cause: str) -> Entrant:
    """Register a player for the place that's on offer to them. Raises Refused or OtherTerms."""
    s.check_not_repeated(cause)
    field = fields.read_field(s, key)
    waiting_list.check_offer(field, player)
    before = field.entrants.get(player)
    _check_may_register(field, player, before)
    if has_ruled(s.tx.events.facts_of(key, player), field.event):
        raise Refused(EventReason.HAS_RULED)
    return _enter(field, player, before, terms=terms, cause=cause)


def decline_place(s: Session, key: EventKey, player: Player, *, cause: str) -> Event:
    """Give up the place that's on offer to a player, and leave the waiting list. Raises Refused."""
    s.check_not_repeated(cause)
    field = fields.read_field(s, key)
    waiting_list.decline(field, player, cause=cause)
    return field.event


def _enter(
    field: fields.EventState, player: Player, before: Entrant | None, *, terms: str | None, cause: str
) -> Entrant:
    """Take the fee and register a player. Raises Refused or OtherTerms."""
    s, key, again = field.s, field.key, before is not None and before.state is EntrantState.OUT
    require_fee(field, player)
    _require_terms(field, terms)
    pay_fee(field, player, cause=cause)
    waiting_list.take(field, player)
    flights.leave_other_lists(field, player)
    # Even if the system clock is wrong, latecomers must come after the drawn players.
    at = s.now if field.event.started_at is None else max(s.now, field.event.started_at + 1)
    if before is not None and again:
        entrant = replace(
            before,
            entries=before.entries + 1,
            state=EntrantState.PLAYING,
            out_moment=0,
            out_stack=0,
            out_order=0,
            move_to=None,
            adds=cause,
            # A player who gave up still has the bounty that no one won.
            head=before.head + field.event.structure.bounty,
        )
    else:
        score = 0 if before is None else before.score
        head = field.event.structure.bounty
        entrant = Entrant(player=player, registered_at=at, cause=cause, adds=cause, score=score, head=head)
    field.save_entrant(entrant)
    field.note("entered_again" if again else "registered", actor=player, cause=cause)
    if field.event.phase is Phase.CHECK_IN:
        # A player who registers now is present.
        entrant = field.save_entrant(replace(entrant, state=EntrantState.CHECKED_IN))
    if field.event.phase is Phase.RUNNING:
        entrant = director.seat_latecomer(field, entrant)
    field.show()
    if field.full or field.event.phase is Phase.RUNNING or field.event.reminded:
        # In other cases, there's nothing to do before the event's alarm.
        s.events_to_direct.add(key)
    return field.entrants[player]


def _check_may_register(field: fields.EventState, player: Player, before: Entrant | None) -> None:
    event, structure = field.event, field.event.structure
    if event.phase.over:
        raise Refused(EventReason.EVENT_OVER)
    gone = any(is_pseudonym(one.player) and one.disqualified for one in field.entrants.values())
    if gone and memory.used(field.s, event.key.guild, player, UsedRightKind.DISQUALIFICATION, event.key.number):
        raise Refused(EventReason.DISQUALIFIED)
    if before is not None and before.disqualified:
        raise Refused(EventReason.DISQUALIFIED)
    if before is not None and before.state not in (EntrantState.OUT, EntrantState.WITHDRAWN):
        if before.playing:
            raise Refused(EventReason.ALREADY_PLAYING)
        raise Refused(EventReason.ALREADY_REGISTERED, withdraw=event.language)
    if not registration_open(event):
        raise Refused(EventReason.REGISTRATION_CLOSED)
    if before is not None and before.state is EntrantState.OUT and before.entries > structure.reentries:
        raise Refused(EventReason.NO_MORE_ENTRIES, most=structure.reentries + 1)
    flights.check_entry(field, player)


def _require_terms(field: fields.EventState, shown: str | None) -> None:
    """Raise OtherTerms unless the event's terms are those in ``shown``.

    A typed command shows no terms, so it can't cost a fee.
    """
    event = field.event
    settled = not event.structure.fee if shown == terms_of.UNSEEN else shown == terms_of.OLDER and _as_published(field)
    terms_of.require_unchanged(shown, terms_of.of_event(event), settled=settled)


def _as_published(field: fields.EventState, names: Collection[str] = ()) -> bool:
    """True if the event's terms are unchanged since it was announced; with ``names``, only those fields are checked."""
    told = field.tx.events.facts(field.key, "changed", "promised")
    changed = {str(name) for line in told for name, *_ in line.details.get("changes", ())}
    return changed.isdisjoint(names) if names else changed <= terms_of.EVENT_FIELDS_WITHOUT_TERMS


def _require_start(field: fields.EventState, shown: str | None) -> None:
    """Raise OtherTerms unless the start is the one in ``shown``. A typed command accepts any start."""
    settled = shown == terms_of.UNSEEN or _as_published(field, ("starts_at",))
    terms_of.require_unchanged(shown, terms_of.of_start(field.event), settled=settled)


def withdraw(s: Session, key: EventKey, player: Player, *, cause: str) -> Entrant | WaitingPlayer:
    """Withdraw a registration before the start and refund the fee, or leave the waiting list. Raises Refused."""
    s.check_not_repeated(cause)
    field = fields.read_field(s, key)
    if player in field.waiting:
        return waiting_list.leave(field, player, cause=cause)
    entrant = check_registered(field, player)
    field.note("withdrew", actor=player, cause=cause)
    entrant = director.drop(field, entrant)
    field.show()
    if field.waiting or field.event.reminded:
        s.events_to_direct.add(key)
    return entrant


def check_registered(field: fields.EventState, player: Player) -> Entrant:
    """Return a player who is registered before the start. Raises Refused."""
    entrant = _registered(field, player)
    if field.event.phase.before:
        return entrant
    if entrant.playing:
        raise Refused(EventReason.EVENT_RUNS)
    if absences.has_left(field.event, entrant):
        raise absences.refusal_to_leave_again(field, player)
    raise Refused(EventReason.NOT_REGISTERED, register=field.event.language)


def check_in(
    s: Session, key: EventKey, player: Player, *, terms: str | None = None, cause: str
) -> Entrant | WaitingPlayer:
    """Check a player in for the start named by ``terms``. Raises Refused or OtherTerms.

    A player on the waiting list gets a place that's free at the start. If that costs a fee, ``terms`` are those of the
    entry. A player with a place on offer is shown that instead.
    """
    s.check_not_repeated(cause)
    field = fields.read_field(s, key)
    if field.event.phase.before and (waiting := field.waiting.get(player)) is not None:
        stand_bys.check(field, player)
        if waiting_list.open_offer(field, player) is not None:
            raise OtherTerms
        if field.event.structure.fee:
            terms_of.require_unchanged(terms, terms_of.of_event(field.event))
        else:
            _require_start(field, terms)
        stand_bys.stand_by(field, player, cause=cause)
        return waiting
    entrant = _registered(field, player)
    if field.event.phase is not Phase.CHECK_IN:
        raise Refused(EventReason.NO_CHECK_IN)
    if entrant.state is EntrantState.CHECKED_IN:
        raise Refused(EventReason.ALREADY_CHECKED_IN)
    _require_start(field, terms)
    return _come(field, entrant, cause=cause)


def _come(field: fields.EventState, entrant: Entrant, *, cause: str) -> Entrant:
    field.note("checked_in", actor=entrant.player, cause=cause)
    entrant = field.save_entrant(replace(entrant, state=EntrantState.CHECKED_IN, adds=cause))
    field.show()
    if field.event.reminded:
        field.s.events_to_direct.add(field.key)
    return entrant


def _registered(field: fields.EventState, player: Player) -> Entrant:
    if field.event.phase.over:
        raise Refused(EventReason.EVENT_OVER)
    entrant = field.entrants.get(player)
    if entrant is None or entrant.state is EntrantState.WITHDRAWN:
        raise Refused(EventReason.NOT_REGISTERED, register=field.event.language)
    return entrant
