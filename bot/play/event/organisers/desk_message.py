"""The message that holds the organisers' desk in a channel."""

from __future__ import annotations

from dataclasses import replace

from bot.model.events import Event, Official
from bot.model.ids import EventKey
from bot.play.event.floor import event_state as fields
from bot.play.event.organisers.organiser import load_for_organiser
from bot.play.session.session import Session


def keep(s: Session, key: EventKey, by: Official, *, channel: int, cause: str) -> Event:
    """Keep the desk in a message in the channel, and return the event as it was before. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    before = field.event
    if channel != before.desk_channel:
        field.save(replace(before, desk_channel=channel, desk_message=None))
    return before


def stop_keeping(s: Session, key: EventKey, by: Official, *, cause: str) -> Event:
    """Stop keeping the desk in a channel, and return the event as it was before. Raises Refused."""
    field = load_for_organiser(s, key, by, cause=cause)
    before = field.event
    if before.desk_channel is not None:
        field.save(replace(before, desk_channel=None, desk_message=None))
    return before


def note_kept(s: Session, key: EventKey, *, channel: int | None, before: int, message: int | None) -> bool:
    """Save the message that shows the desk, or None in ``channel`` if it can't be kept there.

    False, without saving, if the desk was moved from channel ``before`` in the meantime.
    """
    if fields.event_of(s, key).desk_channel != before:
        return False
    s.tx.events.note_desk(key, channel=channel, message=message)
    return True
