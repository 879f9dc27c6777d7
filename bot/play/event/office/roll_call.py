"""The roll call, which finds entrants who have left the server.

Before the start they are removed and refunded. Players who have checked in from the waiting list are asked about too.
Before each later round of a league or duplicate event, departed entrants leave the event like players who press
*Leave*. In other events, the bot asks about players who have stopped acting, and they leave or give up in the same way.

Only Discord knows the current members. So the start posts :attr:`Notice.ROLL_CALL`, which shows nothing. The code that
delivers the event's messages then asks Discord about the entrants and reports back. If no answer comes in time, the
event goes on with all of them.
"""

from __future__ import annotations

from bot.model.clock import HOUR, MINUTE
from bot.model.events import EventPosting, Notice
from bot.model.ids import EventKey, Player, is_computer
from bot.play.event.floor import absences
from bot.play.event.floor.event_state import EventState, plays_for_chips, read_field
from bot.play.event.office import stand_bys
from bot.play.session.session import Session

ANSWER_MS = MINUTE
"""Time limit for the answer to a roll call."""
AGAIN_MS = HOUR
"""Minimum time between two roll calls about the same absent player."""
ABSENT_CHECKED = "absent_checked"
"""Log entry for a roll call about absent ``players``."""
POSTINGS = 100
"""Number of postings searched for the roll call."""


def ask(field: EventState, *, early: bool) -> None:
    """Ask which entrants have left the server. ``early`` is True if an organiser starts the event."""
    field.tx.outbox.post_event(field.key, Notice.ROLL_CALL, {"early": early}, at=field.s.now)
    field.s.roll_calls.add(field.key)


def absent_players(field: EventState) -> list[Player]:
    """Return the players of a running event who are away and weren't asked about recently; empty in leagues."""
    if not field.s.asks_members or not plays_for_chips(field.event):
        return []
    people = [e for e in field.playing if not e.disqualified and not e.penalty and not is_computer(e.player)]
    away = [entrant.player for entrant in people if absences.is_away(field, entrant.player)]
    if not away:
        return []
    lately = [fact for fact in field.tx.events.facts(field.key, ABSENT_CHECKED) if fact.at > field.s.now - AGAIN_MS]
    known = {player for fact in lately for player in fact.details["players"]}
    known |= absences.leavers(field)
    return [player for player in away if player not in known]


def waiting(field: EventState) -> EventPosting | None:
    """Return the roll call that hasn't been answered; None if there is none."""
    return _waiting(field.s, field.key)


def _waiting(s: Session, key: EventKey) -> EventPosting | None:
    if not s.asks_members:
        return None
    postings = s.tx.outbox.event_postings(key, limit=POSTINGS)
    return next((posting for posting in postings if posting.notice is Notice.ROLL_CALL), None)


def ends_at(called: EventPosting) -> int:
    """Return when the event no longer waits for the answer (ms)."""
    return called.at + ANSWER_MS


def look(s: Session, key: EventKey) -> tuple[EventPosting, list[Player]] | None:
    """Return the roll call that an event is waiting for and the entrants to check; None if there is none."""
    called = _waiting(s, key)
    if called is None:
        return None
    field = read_field(s, key)
    asked = [e.player for e in field.entrants.values() if e.registered or e.playing]
    return called, [player for player in (*asked, *stand_bys.standing_by(field)) if not is_computer(player)]
