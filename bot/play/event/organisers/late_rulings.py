"""Rulings on a finished event: strike a player, correct the points of a match, or move the event to another series.

Members who manage the server can rule at any time, and organisers who didn't play within a day of the end. A ruling can
be undone for an hour, by those who may rule. If a manager made it, only managers may undo it. Members can't
rule on their own result. The records of hands and of the draw stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.model.bank import Action, AuditEntry
from bot.model.clock import DAY, HOUR
from bot.model.event_rulings import CORRECTED, NEW_SERIES, RULINGS, STRUCK, UNDONE, in_force
from bot.model.events import Entrant, EntrantState, Event, EventFact, Notice, Official, Phase
from bot.model.ids import EventKey, Player, is_computer, is_pseudonym
from bot.model.limits import MAX_ADJUSTMENT, MAX_SERIES_NAME_LENGTH
from bot.model.reasons import BankReason, OrganiserReason, PlanReason
from bot.play import terms as terms_of
from bot.play.event.floor import floor, sheets
from bot.play.event.floor.event_state import EventState, read_field
from bot.play.event.formats import series_runs
from bot.play.event.formats.series_runs import series_meant
from bot.play.event.office import permissions, resettling
from bot.play.event.office.resettling import Resettled
from bot.play.event.office.role_claims import RoleClaims, changes_between, notice_details, role_claims
from bot.play.event.organisers.organiser import parse_reason
from bot.play.session.session import Session
from bot.pure.event.scoring import Scoring
from bot.pure.event.structure import Family, Format
from bot.pure.ofc.refusals import Refused

RULE_MS = DAY
"""Time limit for organisers' rulings, from the end of the event."""
UNDO_MS = HOUR
"""Time limit for undoing a ruling."""
NOTHING = "–"
"""Stands for no series in the managers' log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """State outside the event that a ruling may change, from before the ruling."""

    champions: Mapping[str, list[Player]]
    """Champions of the series that the event belongs to before or after the ruling."""
    claims: RoleClaims


def rules_until(event: Event, by: Official) -> int | None:
    """Return when the right to rule on a finished event ends (ms); None if it doesn't."""
    return None if by.manager else (event.ended_at or 0) + RULE_MS


def may_rule(event: Event, by: Official, *, plays: bool, now: int) -> bool:
    """True if they may rule on the event now. ``plays`` is True if they played in it."""
    until = rules_until(event, by)
    in_time = until is None or (now < until and not plays)
    return event.phase is Phase.ENDED and by.organises(event) and in_time


def check_ruler(s: Session, key: EventKey, by: Official, player: Player | None = None) -> EventState:
    """Return the finished event if they may rule on it, and on the result of ``player``. Raises Refused."""
    field = read_field(s, key)
    event = field.event
    if not by.organises(event):  # stand-ins run events, but don't rule on finished ones
        raise Refused(OrganiserReason.NOT_ORGANISER)
    if event.phase is Phase.CANCELLED:
        raise Refused(OrganiserReason.CALLED_OFF)
    if event.phase is not Phase.ENDED:
        raise Refused(OrganiserReason.NOT_ENDED)
    if not by.manager and permissions.takes_part(field, by.player):
        raise Refused(OrganiserReason.PLAYED_HERE)
    if (until := rules_until(event, by)) is not None and s.now >= until:
        raise Refused(OrganiserReason.TOO_LATE_TO_RULE)
    if player == by.player:
        raise Refused(OrganiserReason.OWN_RESULT)
    return field


def terms(event: Event, facts: Sequence[EventFact]) -> str:
    """Return the terms of a ruling: the rulings so far, given the event's log.

    Of two rulings made at once, the second is refused.
    """
    last = max((fact.number for fact in facts if fact.kind in (*RULINGS, UNDONE)), default=0)
    return terms_of.of_rulings(event, last)


def strike(
    s: Session, key: EventKey, by: Official, player: Player, *, why: str, shown: str | None = None, cause: str
) -> Resettled:
    """Disqualify a player of a finished event. The places below move up. Raises Refused or OtherTerms.

    ``shown`` are the :func:`terms` that were shown.
    """
    field, force = _begin(s, key, by, shown=shown, cause=cause)
    reason, entrant = parse_reason(why), _entrant(field, by, player)
    if entrant.disqualified:
        raise Refused(OrganiserReason.THEY_HAVE_NO_PLACE)
    people = [one for one in field.entrants.values() if one.state is not EntrantState.WITHDRAWN]
    if sum(not one.disqualified for one in people) == 1:
        raise Refused(OrganiserReason.LAST_ONE_LEFT)
    before = _standing(field, field.event.series)
    made = _resettle(field, [*force, STRUCK], [replace(entrant, disqualified=True)])
    _note(field, STRUCK, by, made, before, cause=cause, player=player, why=reason)
    return made


def correct(
    s: Session,
    key: EventKey,
    by: Official,
    player: Player,
    *,
    amount: int,
    round_no: int = 0,
    why: str,
    shown: str | None = None,
    cause: str,
) -> Resettled:
    """Give a player points in a finished league or duplicate event, or take some. Raises Refused or OtherTerms.

    If ``round_no`` is given and the player had a single opponent in that round of a league, the opponent gets the
    opposite.
    """
    field, force = _begin(s, key, by, shown=shown, cause=cause)
    if field.event.format.family is not Family.ROUNDS:
        raise Refused(OrganiserReason.NO_POINTS_HERE)
    if not amount or abs(amount) > MAX_ADJUSTMENT:
        raise Refused(OrganiserReason.BAD_AMOUNT, most=MAX_ADJUSTMENT)
    reason = parse_reason(why)
    _entrant(field, by, player)
    against = _opponent(field, player, round_no) if round_no else None
    if against == by.player:
        raise Refused(OrganiserReason.OWN_MATCH)
    before = _standing(field, field.event.series)
    made = _resettle(field, [*force, CORRECTED], _with_points(field, player, against, amount))
    told = {"player": player, "amount": amount, "round": round_no, **({"against": against} if against else {})}
    _note(field, CORRECTED, by, made, before, cause=cause, why=reason, **told)
    return made


def to_series(
    s: Session, key: EventKey, by: Official, series: str, *, why: str, shown: str | None = None, cause: str
) -> Event:
    """Move a finished event to another series, or to none if ``series`` is empty. Raises Refused or OtherTerms."""
    field, _ = _begin(s, key, by, shown=shown, cause=cause)
    event, name = field.event, series_meant(s.tx, key.guild, series, except_of=key.number)
    reason = parse_reason(why)
    if len(name) > MAX_SERIES_NAME_LENGTH:
        raise Refused(OrganiserReason.SERIES_TOO_LONG, most=MAX_SERIES_NAME_LENGTH)
    if name == event.series:
        raise Refused(PlanReason.NOTHING_CHANGED)
    if name and (event.structure.handicap or any(is_computer(player) for player in field.entrants)):
        raise Refused(OrganiserReason.FRIENDLY_EVENT)
    structure = event.structure
    if rule := s.tx.events.series_rule(key.guild, name):
        # The newest event decides how a series counts, so this one mustn't change that.
        structure = replace(structure, scoring=rule.scoring, counted=rule.counted)
    changes: list[list[Any]] = [
        ["series", event.series, name],
        ["scoring", event.structure.scoring.value, structure.scoring.value],
        ["counted", event.structure.counted, structure.counted],
    ]
    before = _standing(field, event.series, name)
    field.save(replace(event, series=name, structure=structure))
    changed = [change for change in changes if change[1] != change[2]]
    _note(field, NEW_SERIES, by, None, before, cause=cause, changes=changed, why=reason)
    return field.event


def undo(s: Session, key: EventKey, by: Official, *, number: int, cause: str) -> Resettled | None:
    """Undo the ruling with that ``number`` in the event's log. Raises Refused.

    Chips go back as far as the wallets go. The result is None if the ruling was only about the series.
    """
    field, _ = _begin(s, key, by, shown=None, cause=cause)
    facts = s.tx.events.rulings(key)
    ruling = next((fact for fact in facts if fact.number == number and fact.kind in RULINGS), None)
    if ruling is None:
        raise Refused(OrganiserReason.NOTHING_TO_TAKE_BACK)
    if ruling not in in_force(facts):
        raise Refused(OrganiserReason.RULING_UNDONE)
    if s.now >= ruling.at + UNDO_MS:
        raise Refused(OrganiserReason.TOO_LATE_TO_UNDO)
    if ruling.details["manager"] and not by.manager:
        raise Refused(OrganiserReason.RULED_BY_MANAGER)
    if by.player in _subjects(ruling):
        raise Refused(OrganiserReason.OWN_RESULT)
    about: dict[str, object] = {"ruling": number, "what": ruling.kind}
    if ruling.kind == NEW_SERIES:
        changes = [[name, after, before] for name, before, after in ruling.details["changes"]]
        standing = _standing(field, field.event.series, _series_before(ruling))
        _undo_series(field, changes)
        _note(field, UNDONE, by, None, standing, cause=cause, why=ruling.details["why"], changes=changes, **about)
        return None
    kinds = [fact.kind for fact in in_force(facts) if fact.number != number]
    standing = _standing(field, field.event.series)
    made = _resettle(field, kinds, _before(field, ruling))
    about |= {name: ruling.details[name] for name in ("player", "amount", "against", "round") if name in ruling.details}
    _note(field, UNDONE, by, made, standing, cause=cause, why=ruling.details["why"], **about)
    return made


def undoable(field: EventState, by: Official, facts: Sequence[EventFact]) -> list[EventFact]:
    """Return the rulings that they can undo now, newest first, given the event's log."""
    plays = permissions.takes_part(field, by.player)
    if not may_rule(field.event, by, plays=plays, now=field.s.now):
        return []
    return [
        fact
        for fact in reversed(in_force(facts))
        if field.s.now < fact.at + UNDO_MS
        and (by.manager or not fact.details["manager"])
        and by.player not in _subjects(fact)
        and (fact.kind != NEW_SERIES or _series_after(fact) == field.event.series)
    ]


def _begin(s: Session, key: EventKey, by: Official, *, shown: str | None, cause: str) -> tuple[EventState, list[str]]:
    """Return the event for a press by its ruler, and the kinds of the rulings in force.

    Raises Refused, OtherTerms, or Stale if the press was already handled.
    """
    s.check_not_repeated(cause)
    field = check_ruler(s, key, by)
    facts = s.tx.events.rulings(key)
    terms_of.require_unchanged(shown, terms(field.event, facts))
    return field, [fact.kind for fact in in_force(facts)]


def _entrant(field: EventState, by: Official, player: Player) -> Entrant:
    """Return a player with a result. Raises Refused."""
    if player == by.player:
        raise Refused(OrganiserReason.OWN_RESULT)
    entrant = field.entrants.get(player)
    if entrant is None or entrant.state is EntrantState.WITHDRAWN or is_computer(player) or is_pseudonym(player):
        raise Refused(OrganiserReason.NOT_IN_RESULTS)
    return entrant


def _opponent(field: EventState, player: Player, round_no: int) -> Player | None:
    """Return the player's only opponent in a round; None if there were more, or other tables are compared.

    Raises Refused if they didn't play in that round.
    """
    tables = sheets.sat_together(field.tx, field.event).get(round_no, [])
    table = next((players for players in tables if player in players), None)
    if table is None:
        raise Refused(OrganiserReason.NO_MATCH_THEN, rounds=field.event.round)
    others = [other for other in table if other != player]
    alone = field.event.format is Format.LEAGUE and len(others) == 1
    return others[0] if alone else None


def _with_points(field: EventState, player: Player, against: Player | None, amount: int) -> list[Entrant]:
    """Return the player with ``amount`` more points, and their opponent in the match, if any, with that many fewer."""
    given = [(player, amount), *([] if against is None else [(against, -amount)])]
    people = [(field.entrants[one], points) for one, points in given]
    return [replace(entrant, score=entrant.score + points) for entrant, points in people]


def _resettle(field: EventState, kinds: Collection[str], changed: Sequence[Entrant]) -> Resettled:
    """Compute places and prizes again. Raises Refused if no chips may be moved in the server."""
    if field.key.guild in field.s.frozen and any(entrant.end_prize for entrant in field.entrants.values()):
        raise Refused(BankReason.BOOKS_WRONG)
    return resettling.resettle(field, kinds, changed)


def _subjects(ruling: EventFact) -> set[object]:
    return {ruling.details.get("player"), ruling.details.get("against")}


def _series_after(ruling: EventFact) -> str:
    return next(str(after) for name, _, after in ruling.details["changes"] if name == "series")


def _series_before(ruling: EventFact) -> str:
    return next((str(before) for name, before, _ in ruling.details["changes"] if name == "series"), "")


def _champions(field: EventState, *series: str) -> dict[str, list[Player]]:
    """Return the champions of each of these series in the event's run; none if it isn't over."""
    event = field.event
    return {
        name: series_runs.champions_at(field.tx, event.key.guild, name, event.ended_at or 0) for name in series if name
    }


def _standing(field: EventState, *series: str) -> _Standing:
    return _Standing(champions=_champions(field, *series), claims=role_claims(field.s, field.key.guild))


def _crowned(field: EventState, former: Mapping[str, list[Player]]) -> list[list[object]]:
    """Return each series with other champions than the ``former`` ones, and its champions now, except hidden ones."""
    hidden = field.tx.choices.hidden_players(field.key.guild)
    now = _champions(field, *former)
    seen = {name: [one for one in now[name] if one not in hidden] for name in former if now[name] != former[name]}
    return [[name, players] for name, players in seen.items() if players]


def _before(field: EventState, ruling: EventFact) -> list[Entrant]:
    """Return the entrants that a ruling has changed, as they were without it."""
    player = Player(str(ruling.details["player"]))
    if ruling.kind == STRUCK:
        return [replace(field.entrants[player], disqualified=False)]
    against = ruling.details.get("against")
    opponent = None if against is None else Player(str(against))
    return _with_points(field, player, opponent, -int(ruling.details["amount"]))


def _undo_series(field: EventState, changes: Sequence[Sequence[Any]]) -> None:
    event = field.event
    now = {str(name): value for name, value, _ in changes}
    former = {str(name): value for name, _, value in changes}
    if now["series"] != event.series:  # it was moved again since
        raise Refused(OrganiserReason.NOTHING_TO_TAKE_BACK)
    structure = replace(
        event.structure,
        scoring=Scoring(former.get("scoring", event.structure.scoring.value)),
        counted=int(former.get("counted", event.structure.counted)),
    )
    field.save(replace(event, series=str(former["series"]), structure=structure))


def _moved(details: Mapping[str, Any]) -> list[str]:
    """Return the series before and after a ruling in a form for every language; empty if it didn't change."""
    series = [(before, after) for name, before, after in details.get("changes", ()) if name == "series"]
    return [f"{before or NOTHING} → {after or NOTHING}" for before, after in series]


def _note(
    field: EventState,
    kind: str,
    by: Official,
    made: Resettled | None,
    before: _Standing,
    *,
    cause: str,
    why: str,
    **details: object,
) -> None:
    """Write a ruling to the event's log and the managers' log, and queue its post."""
    said = {} if kind == UNDONE else {"why": why}  # undoing has no typed reason
    changes = made.logged() if made is not None else {}
    field.note(kind, actor=by.player, cause=cause, manager=by.manager, **said, **details, **changes)
    player = details.get("player")
    subject = None if player is None else Player(str(player))
    entry = AuditEntry(
        manager=by.player,
        player=subject,
        action=Action.RULING,
        chips=made.chips.get(subject, 0) if made is not None and subject is not None else 0,
        reason=": ".join([field.event.name, *_moved(details), f"↩ {why}" if kind == UNDONE else why]),
        at=field.s.now,
    )
    field.tx.bank.audit(field.key.guild, entry, cause=cause)
    told = {name: value for name, value in details.items() if name not in ("what", "ruling")}
    told |= made.told() if made is not None else {}
    if crowned := _crowned(field, before.champions):
        told["champions"] = crowned
    roles = changes_between(before.claims, role_claims(field.s, field.key.guild))
    told |= notice_details(field.s, field.event, roles)
    what = f"{details['what']}_undone" if kind == UNDONE else kind
    plays = permissions.takes_part(field, by.player)
    floor.tell(
        field, Notice.RULING, what=what, by=by.player, plays=plays, manager=by.manager, late=True, **told, **said
    )
    field.show()
