"""Who vouches for what an event gives, asked again whenever it is announced.

An event that repeats is announced where Discord is not asked who may do what. So whoever has set it repeating is asked
about by its first posting, before anything of it is shown: what they could no longer give is dropped, and that is told.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bot.model.bank import Action, AuditEntry
from bot.model.events import EntrantState, Event, Notice
from bot.model.ids import EventKey, Player
from bot.model.reasons import PlanReason
from bot.play.event.floor import floor
from bot.play.event.floor.field import Field, read_field
from bot.play.session.session import Session
from bot.pure.event.structure import Structure
from bot.pure.ofc.refusals import Refused

VOUCHED = ("created", "repeats", "promised")
"""The log's names for acts of somebody who vouches."""
LOOKED_THROUGH = 20
"""Postings of an event among which the question would be: it is the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """The powers of a person in the server, as Discord knows them."""

    manager: bool = False
    """True for those who manage the server."""
    announces: bool = False
    """True for those who may announce events; those who manage the server may."""
    roles: frozenset[int] = frozenset()
    """Of the roles that are promised, those that both this person and the bot may give to others."""
    closed: frozenset[int] = frozenset()
    """Of the event's channels, those in which this person may not write: it is not held there for them."""


NO_AUTHORITY = Authority()


def check_promises(structure: Structure, authority: Authority) -> None:
    """Raise Refused: added chips are made from nothing, a role may open doors; not each organiser may give them."""
    if structure.added and not authority.manager:
        raise Refused(PlanReason.NO_ADDED_POWER)
    if not authority.roles.issuperset(role for role in structure.roles if role):
        raise Refused(PlanReason.NO_ROLE_POWER)


def check_repeats(structure: Structure, authority: Authority) -> None:
    """Raise Refused for somebody who could not announce the events that would follow."""
    if not (authority.announces or authority.manager):
        raise Refused(PlanReason.NO_REPEAT_POWER)
    check_promises(structure, authority)


def voucher(s: Session, event: Event) -> Player:
    """Who vouches for what an event gives: whoever has set it repeating or changed it last, or has announced it."""
    fact = s.tx.events.last_fact(event.key, VOUCHED)
    return event.organiser if fact is None or fact.actor is None else fact.actor


def takes_part(field: Field, player: Player) -> bool:
    """True for somebody who is in an event, or was put out of it."""
    entrant = field.entrants.get(player)
    return entrant is not None and entrant.state is not EntrantState.WITHDRAWN


def ask(s: Session, event: Event) -> None:
    """Let the one who vouches for an event be asked about before anything else of it is posted."""
    s.tx.outbox.post_event(event.key, Notice.VOUCH, {}, at=s.now)


def vouch(s: Session, key: EventKey, authority: Authority) -> None:
    """Drop what the one who vouches for an event that was announced by itself could not give now."""
    field = read_field(s, key)
    if field.event.phase.before:
        _drop(field, authority)


def start_vouched(field: Field) -> None:
    """Drop everything of an event that starts before its voucher was asked about: nobody vouches for it."""
    waiting = field.s.tx.outbox.event_postings(field.key, limit=LOOKED_THROUGH)
    if any(posting.notice is Notice.VOUCH for posting in waiting):
        _drop(field, NO_AUTHORITY)


def _drop(field: Field, authority: Authority) -> None:
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


def audit_added(field: Field, chips: int, *, cause: str) -> None:
    """Write among what managers did that chips came into the pool from nothing, or went back."""
    by = voucher(field.s, field.event)
    action = Action.ADD_PLAYING if takes_part(field, by) else Action.ADD
    _audit(field, by, action, chips, cause=cause)


def audit_won(field: Field, player: Player, prize: int) -> None:
    """And who has won how much of a pool with such chips in it."""
    by = voucher(field.s, field.event)
    _audit(field, by, Action.WON, prize, player=player, cause=f"event:{field.key.number}:won:{player}")


def _audit(field: Field, by: Player, action: Action, chips: int, *, cause: str, player: Player | None = None) -> None:
    name, at = field.event.name, field.s.now
    entry = AuditEntry(manager=by, player=player, action=action, chips=chips, reason=name, at=at)
    field.tx.bank.audit(field.key.guild, entry, cause=cause)
