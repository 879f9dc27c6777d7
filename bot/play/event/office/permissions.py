"""The right to run an event, and checks of the authority behind its prizes and channels for each announcement.

A repeating event is announced without asking Discord about permissions. So before anything is shown, its first posting
checks the player who set the repetition. Prizes and channels outside their current authority are dropped, and the
change is announced.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bot.model.bank import Action, AuditEntry
from bot.model.choices import ServerSettings
from bot.model.events import Entrant, EntrantState, Event, Notice, Official, WaitingPlayer
from bot.model.ids import EventKey, Player
from bot.model.reasons import PlanReason
from bot.play.event.floor import floor
from bot.play.event.floor.event_state import EventState, read_field
from bot.play.event.office.date_changes import THIS_DATE
from bot.play.session.session import Session
from bot.pure.event.structure import Structure
from bot.pure.ofc.refusals import Refused

VOUCHED = ("created", "repeats", "promised")
"""Log entries whose author vouches for the event."""
LOOKED_THROUGH = 20
"""Number of postings searched for the check, which comes first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberPermissions:
    """A member's permissions in the server, as read from Discord."""

    manager: bool = False
    """True if they can manage the server."""
    announces: bool = False
    """True if they may announce events. Server managers always may."""
    roles: frozenset[int] = frozenset()
    """The prize roles that both this member and the bot may give."""
    closed: frozenset[int] = frozenset()
    """The event's channels in which this member can't write. The event isn't held there on their authority."""


NO_AUTHORITY = MemberPermissions()


def check_prizes(structure: Structure, authority: MemberPermissions) -> None:
    """Raise Refused if the organiser may not add chips to the pool or give the prize roles."""
    if structure.added and not authority.manager:
        raise Refused(PlanReason.NO_ADDED_POWER)
    if not authority.roles.issuperset(role for role in structure.roles if role):
        raise Refused(PlanReason.NO_ROLE_POWER)


def check_repeats(structure: Structure, authority: MemberPermissions) -> None:
    """Raise Refused if the organiser couldn't announce the following events themselves."""
    if not (authority.announces or authority.manager):
        raise Refused(PlanReason.NO_REPEAT_POWER)
    check_prizes(structure, authority)


def voucher(s: Session, event: Event, *, lasting: bool = False) -> Player:
    """Return the player who vouches for the event: the last to set its prizes or repetition, or its organiser.

    With ``lasting``, changes for this date only don't count, because the next date doesn't take them over.
    """
    last = s.tx.events.last_fact(event.key, VOUCHED)
    if lasting and last is not None and last.details.get(THIS_DATE):
        kept = [fact for fact in s.tx.events.facts(event.key, *VOUCHED) if not fact.details.get(THIS_DATE)]
        last = kept[-1] if kept else None
    return event.organiser if last is None or last.actor is None else last.actor


def takes_part(field: EventState, player: Player) -> bool:
    """True if the player is or was in the event and hasn't withdrawn."""
    entrant = field.entrants.get(player)
    return entrant is not None and entrant.state is not EntrantState.WITHDRAWN


def stands_in(
    server: ServerSettings, event: Event, by: Official, entrant: Entrant | None, waits: WaitingPlayer | None
) -> bool:
    """True if a member may run an event that they don't organise, because the server lets its organisers' role do so.

    ``entrant`` and ``waits`` are the member in the event and on its waiting list. Players don't run their own event.
    """
    if by.organises(event) or not server.stand_ins or server.organiser_role not in by.roles:
        return False
    plays = entrant is not None and (entrant.disqualified or entrant.state is not EntrantState.WITHDRAWN)
    return not (plays or waits)


def stands_in_now(s: Session, event: Event, by: Official) -> bool:
    """Like :func:`stands_in`, with the server and the member as they're stored now."""
    if by.organises(event) or not by.roles:
        return False
    waits = s.tx.waiting.get(event.key, by.player) if event.phase.before else None
    entrant = s.tx.entrants.get(event.key, by.player)
    return stands_in(s.tx.choices.server(event.key.guild), event, by, entrant, waits)


def organises(s: Session, event: Event, by: Official) -> bool:
    """True if a member may use the event's tools, as its organiser, as a server manager or as a stand-in."""
    return by.organises(event) or stands_in_now(s, event, by)


def ask(s: Session, event: Event) -> None:
    """Queue a check on the voucher's authority, ahead of the event's other postings."""
    s.tx.outbox.post_event(event.key, Notice.VOUCH, {}, at=s.now)


def vouch(s: Session, key: EventKey, authority: MemberPermissions) -> None:
    """Before the start, drop everything that exceeds the voucher's current ``authority``."""
    field = read_field(s, key)
    if field.event.phase.before:
        _drop(field, authority)


def start_vouched(field: EventState) -> None:
    """Drop everything that needs authority, if the event starts before its voucher was checked."""
    waiting = field.s.tx.outbox.event_postings(field.key, limit=LOOKED_THROUGH)
    if any(posting.notice is Notice.VOUCH for posting in waiting):
        _drop(field, NO_AUTHORITY)


def _drop(field: EventState, authority: MemberPermissions) -> None:
    event, structure = field.event, field.event.structure
    announces = (authority.announces or authority.manager) and event.channel not in authority.closed
    kept = replace(
        structure,
        added=structure.added if authority.manager else 0,
        roles=tuple(role if role in authority.roles else 0 for role in structure.roles),
        titles=structure.titles if announces else (),
        channels=tuple(one for one in structure.channels if announces and one not in authority.closed),
    )
    repeat = event.repeat if announces else None
    if (kept, repeat) == (structure, event.repeat):
        return
    by = voucher(field.s, event)
    gone: dict[str, Any] = {
        "chips": structure.added - kept.added,
        "roles": [role for role in structure.roles if role and role not in kept.roles],
        "titles": [title for title in structure.titles if title and title not in kept.titles],
        "channels": [channel for channel in structure.channels if channel not in kept.channels],
        "repeats": repeat is not event.repeat,
    }
    field.save(replace(event, structure=kept, repeat=repeat))
    field.note("promises_dropped", player=by, **gone)
    floor.tell(field, Notice.RULING, what="promises_dropped", by=by, plays=False, **gone)
    field.show()


def audit_added(field: EventState, chips: int, *, cause: str) -> None:
    """Record in the managers' audit log that chips were added to the pool or taken back."""
    by = voucher(field.s, field.event)
    action = Action.ADD_PLAYING if takes_part(field, by) else Action.ADD
    _audit(field, by, action, chips, cause=cause)


def audit_won(field: EventState, player: Player, prize: int, *, ruling: int = 0) -> None:
    """Record in the audit log how much a player won from a pool with added chips.

    ``ruling`` is the number of the ruling that changed their prize by ``prize`` chips; 0 at the end of the event.
    """
    by, cause = voucher(field.s, field.event), f"event:{field.key.number}:won:{player}"
    _audit(field, by, Action.WON, prize, player=player, cause=f"{cause}:{ruling}" if ruling else cause)


def _audit(
    field: EventState, by: Player, action: Action, chips: int, *, cause: str, player: Player | None = None
) -> None:
    name, at = field.event.name, field.s.now
    entry = AuditEntry(manager=by, player=player, action=action, chips=chips, reason=name, at=at)
    field.tx.bank.audit(field.key.guild, entry, cause=cause)
