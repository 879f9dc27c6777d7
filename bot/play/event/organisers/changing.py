"""Changes to an announced event: the allowed fields, the checks, and the players to notify.

A change gives each field's old value, as its author saw it, and the new value. So two organisers can change different
fields at the same time, but a change that would overwrite another one unseen is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from bot.model.clock import HOUR, MINUTE
from bot.model.events import EntrantState, Event, EventDraft, Notice, Official, Phase
from bot.model.ids import EventKey, Player
from bot.model.reasons import EventReason, OrganiserReason, PlanReason
from bot.play.event.floor import event_state as fields
from bot.play.event.floor.event_state import SOON_MS, call_at
from bot.play.event.floor.floor import tell
from bot.play.event.formats.series_runs import series_meant
from bot.play.event.office import date_changes, director, permissions, repeating, waiting_list
from bot.play.event.office.event_fields import NEVER, plain, with_values
from bot.play.event.office.permissions import NO_AUTHORITY, MemberPermissions
from bot.play.event.office.registration import Problem, problems
from bot.play.event.organisers import organiser
from bot.play.session.session import Session
from bot.play.terms import of_event, of_start
from bot.pure.event.structure import RANGES, Family, Format, Structure, StructureError
from bot.pure.ofc.refusals import Refused

Changes = Mapping[str, tuple[Any, Any]]
"""The value that the author saw and the new one, by field."""

_RUNNING: Final = (
    "name",
    "series",
    "description",
    "page",
    "most",
    "levels",
    "level_minutes",
    "break_minutes",
    "late_levels",
    "reentries",
    "added",
    "titles",
    "roles",
    "scoring",
    "counted",
    "pace",
    "seconds",
)
"""Fields that can be changed in a running event. A new clock applies to hands dealt from then on."""
_QUIET: Final = ("name", "series", "description", "page", "most", "scoring", "counted")
"""Fields that registered players needn't be notified about."""
_OF_SERIES: Final = ("scoring", "counted")
_PROMISES: Final = ("added", "roles")
_AGREED: Final = ("seeding", "handicap", "bounty", "bounty_grows")
"""Registering means agreeing to these, so they can't change after the first registration."""
PAGE_REMOVED: Final = "page_removed"
"""Kind of the log's line about a public page that was removed."""
LITTLE_LATER_MS = HOUR
"""Maximum delay of the start for which a player's check-in stays valid."""
A_LITTLE_MS = 15 * MINUTE
"""Delay of the start after one press."""


def may_change(name: str, event: Event) -> bool:
    """True if the field can be changed in the event's current phase."""
    if event.phase.over or name in NEVER:
        return False
    return event.phase.before or (name in _RUNNING and _matters_while_running(name, event))


def _matters_while_running(name: str, event: Event) -> bool:
    """False if the event doesn't have the field, or it has no effect after the start."""
    match name:
        case "most" | "late_levels" | "reentries":
            return event.format is Format.TOURNAMENT
        case "levels":
            return event.format.family is Family.FREEZEOUT
        case "level_minutes":
            return not event.structure.by_hands and event.structure.level_minutes > 0
        case "break_minutes":
            return event.structure.break_levels > 0
        case _:
            return True


def differences(form: Format, changes: Changes) -> list[tuple[str, Any, Any]]:
    """Return the changes to show: field, old value and new value.

    The minimum of a Sit & Go follows its maximum, so it has no separate line.
    """
    follows = form is Format.SIT_AND_GO and "most" in changes and changes.get("least") == changes["most"]
    return [(name, before, after) for name, (before, after) in changes.items() if not (follows and name == "least")]


def check_change(
    s: Session, key: EventKey, by: Official, changes: Changes, authority: MemberPermissions = NO_AUTHORITY
) -> list[Problem]:
    """Return all problems that prevent a change. Raises Refused if the caller isn't allowed to organise the event."""
    field = fields.read_field(s, key)
    organiser.check_organiser(s, field.event, by)
    return _problems(field, by, _with_series(field, changes), authority)


def change(
    s: Session,
    key: EventKey,
    by: Official,
    changes: Changes,
    *,
    cause: str,
    authority: MemberPermissions = NO_AUTHORITY,
    kept: Mapping[str, Any] | None = None,
    this_date: bool = False,
) -> Event:
    """Change an event and notify the registered players once.

    ``kept`` is the organiser's draft afterwards. If it's empty, the draft is deleted. If it's None, the draft is
    unchanged, because the change wasn't made on a page. With ``this_date``, the next date of a repeating event doesn't
    take the change over. Raises Refused or StructureError.
    """
    field = organiser.load_for_organiser(s, key, by, cause=cause)
    changes = _with_series(field, changes)
    for problem in _problems(field, by, changes, authority):
        raise problem
    event = field.event
    before, wanted = plain(event), _changed_fields(event, changes)
    told = [list(one) for one in differences(event.format, {name: (before[name], wanted[name]) for name in wanted})]
    # The author of a change to prizes vouches for them from now on.
    kind = date_changes.PROMISED if set(wanted).intersection(_PROMISES) else date_changes.CHANGED
    once = this_date and date_changes.for_one_date(event, wanted)
    field.note(kind, actor=by.player, cause=cause, changes=told, **({date_changes.THIS_DATE: True} if once else {}))
    more = wanted.get("added", before["added"]) - before["added"]
    asked = _asked_again(field) if "fee" in wanted else []
    changed = with_values(event, wanted)
    if event.repeat is not None and "starts_at" in wanted and not once:
        changed = replace(
            changed, repeat=repeating.build_repeat(event.repeat.every, event.repeat.zone, changed.starts_at)
        )
    if changed.starts_at is not None and "starts_at" in wanted:
        changed = replace(changed, reminded=call_at(changed) <= s.now)
    elif changed.starts_at is not None and "check_in_minutes" in wanted:
        changed = replace(changed, reminded=changed.reminded or call_at(changed) <= s.now)
    field.save(changed)
    waiting_list.cut_offers(field)
    _follow(field, wanted, by.player)
    if field.event.phase is Phase.RUNNING and more:
        director.add_chips(field, more, cause=f"event:{key.number}:added:{cause}")
    _check_in_anew(field, event)
    if any(name not in _QUIET for name in wanted) and (asked or _count_affected(field)):
        plays = permissions.takes_part(field, by.player)
        asking: dict[str, Any] = {"asked": asked, "terms": of_event(field.event)} if asked else {}
        # If the change opens check-in, this message mentions it, so that players aren't pinged twice.
        if director.open_check_in(field) and not asked:
            asking["check_in"] = True
        if field.event.phase.before:
            asking["starts_at"] = field.event.starts_at or 0
        tell(field, Notice.CHANGED, changes=told, by=by.player, plays=plays, manager=by.manager, **asking)
    field.show()
    s.events_to_direct.add(field.key)
    if kept:
        s.tx.events.save_draft(EventDraft(guild=key.guild, organiser=by.player, values=kept, at=s.now))
    elif kept is not None:
        s.tx.events.forget_draft(key.guild, by.player)
    return field.event


def postpone(s: Session, key: EventKey, by: Official, *, until: int, cause: str) -> Event:
    """Move the start of an event that hasn't started to ``until`` (ms). Raises Refused."""
    event = fields.event_of(s, key)
    if event.starts_at is None:
        organiser.check_organiser(s, event, by)
        raise Refused(PlanReason.NO_START_TIME)
    return change(s, key, by, {"starts_at": (event.starts_at, until)}, cause=cause, this_date=True)


def postpone_a_little(s: Session, key: EventKey, by: Official, *, terms: str, cause: str) -> Event:
    """Move the start that an organiser saw, whose digest is ``terms``, by ``A_LITTLE_MS``. Raises Refused.

    If the start has moved since, nothing changes, so two organisers who press at the same time postpone it once.
    """
    field = organiser.load_for_organiser(s, key, by, cause=cause)
    event = field.event
    if not event.phase.before:
        raise Refused(EventReason.EVENT_RUNS)
    if event.starts_at is None:
        raise Refused(PlanReason.NO_START_TIME)
    if terms != of_start(event):
        raise Refused(OrganiserReason.START_MOVED)
    later = {"starts_at": (event.starts_at, event.starts_at + A_LITTLE_MS)}
    return change(s, key, by, later, cause=cause, this_date=True)


def _with_series(field: fields.EventState, changes: Changes) -> Changes:
    """Return the changes with the typed series in its own spelling, if it exists."""
    if "series" not in changes:
        return changes
    before, typed = changes["series"]
    name = series_meant(field.tx, field.key.guild, typed, except_of=field.key.number)
    return {**changes, "series": (before, name)}


def remove_page(s: Session, key: EventKey, by: Official, *, cause: str) -> Event:
    """Remove an event's public page, also after the end. Its address never works again. Raises Refused."""
    s.check_not_repeated(cause)
    field = fields.read_field(s, key)
    organiser.check_organiser(s, field.event, by)
    if not field.event.page:
        raise Refused(OrganiserReason.NO_EVENT_PAGE)
    field.note(PAGE_REMOVED, actor=by.player, cause=cause)
    field.save(replace(field.event, page=""))
    field.show()
    return field.event


def _changed_fields(event: Event, changes: Changes) -> dict[str, Any]:
    """Return the fields whose value would change."""
    now = plain(event)
    return {name: after for name, (_, after) in changes.items() if name in now and now[name] != after}


def _problems(field: fields.EventState, by: Official, changes: Changes, authority: MemberPermissions) -> list[Problem]:
    event, now = field.event, plain(field.event)
    if event.phase.over:
        return [Refused(EventReason.EVENT_OVER)]
    wanted = _changed_fields(event, changes)
    if not wanted:
        return [Refused(PlanReason.NOTHING_CHANGED)]
    found: list[Problem] = []
    if not event.phase.before and organiser.plays_against(field, by):
        found.append(Refused(OrganiserReason.PLAYS_HERE))
    if any(now[name] != before for name, (before, _) in changes.items() if name in wanted):
        found.append(Refused(PlanReason.CHANGED_MEANWHILE))
    if late := [name for name in wanted if not may_change(name, event)]:
        found.append(Refused(PlanReason.TOO_LATE_TO_CHANGE, fields=",".join(late)))
    if found:
        return found
    changed = with_values(event, wanted)
    same_hour = "starts_at" not in wanted
    general = problems(changed, now=field.s.now, same_hour=same_hour)
    found += general if event.phase.before else _while_running(general, event.structure)
    found += _registration_problems(field, changed)
    if event.phase is Phase.RUNNING:
        found += _play_problems(event, changed.structure)
    if set(wanted).intersection(_PROMISES):
        try:
            permissions.check_prizes(changed.structure, authority)
        except Refused as refused:
            found.append(refused)
    return found


def _follow(field: fields.EventState, wanted: Mapping[str, Any], by: Player) -> None:
    """Apply scoring changes to later events of the series, because the newest event decides for the series."""
    event = field.event
    if not event.series or not set(wanted).intersection(_OF_SERIES):
        return
    for later in field.tx.events.in_phases(event.key.guild, [phase for phase in Phase if phase is not Phase.CANCELLED]):
        if later.series != event.series or later.key.number <= event.key.number:
            continue
        now = plain(later)
        told = [[name, now[name], wanted[name]] for name in _OF_SERIES if name in wanted and now[name] != wanted[name]]
        changed = with_values(later, {name: after for name, _, after in told})
        if later.phase.over:
            field.tx.events.save(changed)
        else:
            other = fields.read_field(field.s, later.key)
            other.save(changed)
            other.note("changed", actor=by, changes=told)


def _count_affected(field: fields.EventState) -> int:
    """Return the number of entrants who are registered or playing."""
    return sum(entrant.registered or entrant.playing for entrant in field.entrants.values())


def _registration_problems(field: fields.EventState, changed: Event) -> list[Problem]:
    """Return the problems caused by existing registrations. Players need time to agree to a new fee."""
    wanted = changed.structure
    here = _count_affected(field)
    found: list[Problem] = []
    if here and any(getattr(wanted, name) != getattr(field.event.structure, name) for name in _AGREED):
        found.append(Refused(PlanReason.AGREED_ALREADY, count=here))
    offered = sum(one.offered_until is not None for one in field.waiting.values())
    if wanted.most < min(here + offered, field.event.structure.most) and offered:
        found.append(Refused(PlanReason.CAP_TOO_LOW_OFFERED, have=here, count=offered))
    elif wanted.most < min(here, field.event.structure.most):
        found.append(Refused(PlanReason.CAP_TOO_LOW, have=here))
    starts = changed.starts_at
    if here and wanted.fee != field.event.structure.fee and starts is not None and starts - SOON_MS < field.s.now:
        found.append(Refused(PlanReason.FEE_TOO_LATE, count=SOON_MS // MINUTE))
    return found


def _while_running(found: Iterable[Problem], structure: Structure) -> list[Problem]:
    """Adapt problems for a running event, so that none refers to a field that can no longer be changed."""
    kept: list[Problem] = []
    for problem in found:
        match problem.problem if isinstance(problem, StructureError) else "":
            case "hands_or_minutes":
                kept.append(
                    StructureError("out_of_range", what="level_minutes", least=1, most=RANGES["level_minutes"][1])
                )
            case "least_above_most":
                kept.append(StructureError("out_of_range", what="most", least=structure.least, most=RANGES["most"][1]))
            case "stack_too_small":
                pass  # The first level was changed, which has already been reached.
            case _:
                kept.append(problem)
    return kept


def _play_problems(event: Event, wanted: Structure) -> list[Problem]:
    """Return the problems caused by levels already played and chips already added."""
    structure = event.structure
    reached = range(event.level + 1)
    found: list[Problem] = []
    # A structure without levels has its own problem, reported elsewhere.
    if wanted.levels and any(wanted.point_value(level) != structure.point_value(level) for level in reached):
        found.append(Refused(PlanReason.LEVEL_REACHED, level=event.level + 1))
    if wanted.added < structure.added:
        found.append(Refused(PlanReason.ADDED_STAYS, have=structure.added))
    return found


def _asked_again(field: fields.EventState) -> list[Player]:
    """Withdraw and refund all registered entrants, because they haven't agreed to the new fee.

    Return the players to ask again.
    """
    asked = [entrant for entrant in field.entrants.values() if entrant.registered]
    for entrant in asked:
        director.drop(field, entrant)
    players = [entrant.player for entrant in asked]
    waiting_list.keep_places(field, players)
    return players


def _check_in_anew(field: fields.EventState, before: Event) -> None:
    """If the start moves much later, close check-in again, because players who are present now may not be present then.

    Check-ins stay valid if the start moves only slightly later or check-in was removed.
    """
    event, opens = field.event, field.event.check_in_at
    if event.phase is not Phase.CHECK_IN:
        return
    later = (event.starts_at or 0) - (before.starts_at or 0)
    if opens is not None and (opens <= field.s.now or later <= LITTLE_LATER_MS):
        return
    field.save(replace(event, phase=Phase.REGISTERING))
    for entrant in list(field.entrants.values()):
        if entrant.state is EntrantState.CHECKED_IN:
            field.save_entrant(replace(entrant, state=EntrantState.REGISTERED))
