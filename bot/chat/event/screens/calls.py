"""Messages about upcoming steps of an event: whether the step is still ahead, and the text once it has passed."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.event.screens.doubtful_start import is_doubtful
from bot.chat.event.screens.screen import stamp
from bot.chat.event.screens.standings import MAX_TABLES
from bot.chat.kit.fragments import QUIET_COLOUR, and_more, player_name
from bot.chat.kit.widgets import Screen, screen
from bot.model.clock import HOUR
from bot.model.events import Call, Event, EventPosting, Notice, Phase
from bot.model.ids import Player
from bot.play.event.office.views import EventView
from bot.text.words import Words, escape_name

MAX_NAMED = 20
"""Maximum number of players named who took a place on offer."""
_BEFORE = (Notice.CHECK_IN, Notice.SOON)


def upcoming_step_at(posting: EventPosting) -> int | None:
    """Return the time (ms) of the upcoming step in a notice; 0 for a start without a time. None if nothing is upcoming.

    Only a change of the start has a time. Other changes are still news if the start moves.
    """
    if posting.notice is Notice.CHANGED and all(name != "starts_at" for name, _, _ in posting.details["changes"]):
        return 0 if "starts_at" in posting.details else None
    at = posting.details.get("until" if posting.notice in (Notice.BREAK, Notice.OFFERED) else "starts_at")
    told = (*_BEFORE, Notice.MISSING, Notice.CALLED, Notice.CHANGED, Notice.BREAK, Notice.OFFERED)
    return int(at) if at is not None and posting.notice in told else None


def is_told(draw: EventPosting) -> bool:
    """True if the messages of the event and its tables already say everything in the draw.

    The pairings of a league's later rounds are announced when the round before ends.
    """
    if draw.notice is Notice.ROUND:
        return bool(draw.details.get("told")) and len(draw.details["tables"]) <= MAX_TABLES
    more = any(draw.details.get(what) for what in ("byes", "missed", "added", "seeds", "handicaps", "waited"))
    return not more and len(draw.details["tables"]) <= MAX_TABLES


def is_upcoming(view: EventView, call: Call) -> bool:
    """True while the subject of a call is still ahead."""
    event = view.event
    if call.notice is Notice.OFFERED:
        return call.at in _deadlines_on_offer(view)
    if call.notice is Notice.BREAK:
        return event.break_until == call.at
    if call.notice is Notice.MISSING:
        return is_doubtful(view, call.at)
    if call.notice is Notice.CHANGED and not call.at:
        return event.phase.before
    if call.notice is Notice.SOON and event.phase is Phase.RUNNING and event.structure.round_hours:
        # The next round is called like the start. As long as it's due at the call's time, it hasn't begun.
        return (event.round_began_at or 0) + event.structure.round_hours * HOUR == call.at
    return event.phase.before and (event.starts_at or 0) == call.at and not is_repeated(event, call)


def _deadlines_on_offer(view: EventView) -> set[int]:
    """Return the deadlines of the calls whose places are still on offer.

    An offer's deadline may have moved since its call. Then the call with the nearest deadline is its own.
    """
    told = [call.at for call in view.event.calls if call.notice is Notice.OFFERED]
    on_offer = [waiting.offered_until for waiting in view.waiting if waiting.offered_until is not None]
    return {min(told, key=lambda at: abs(at - until)) for until in on_offer}


def is_repeated(event: Event, call: Call) -> bool:
    """True if a later call says the same before the start.

    Later calls by an organiser don't count, because only some players receive them.
    """
    later = event.calls[event.calls.index(call) + 1 :]
    said = call.notice in (*_BEFORE, Notice.CALLED)
    return said and any(one.notice in _BEFORE and one.at == call.at for one in later)


def _ended_by(event: Event) -> str:
    """Return the ending of the key for an offer that ended with the event's start or cancellation."""
    if event.phase.before:
        return ""
    return "_cancelled" if event.phase is Phase.CANCELLED else "_started"


def _is_for_later_round(event: Event, call: Call) -> bool:
    """True for a call before a later round of a league."""
    return bool(event.structure.round_hours) and call.notice is Notice.SOON and call.at > (event.started_at or call.at)


def _offer_over(event: Event, taken: Sequence[Player], passed: Sequence[Player], words: Words) -> str:
    """Return the players who took the places on offer, and the end of the others. Old offers don't name players."""
    told = []
    if taken and event.phase is not Phase.CANCELLED:
        shown = [player_name(player, words) for player in taken[:MAX_NAMED]]
        players = words.list([*shown, *and_more(len(taken) - MAX_NAMED, words)])
        told.append(words("event_notice.over.taken", players=players, count=len(taken)))
    if passed or not told:
        told.append(words(f"event_notice.over.{'rest' if told else 'offered'}{_ended_by(event)}"))
    return words.side_by_side(told)


def over_screen(
    event: Event, call: Call, words: Words, *, taken: tuple[Sequence[Player], Sequence[Player]] = ((), ())
) -> Screen:
    """Draw a call whose subject has passed. For an offer, ``taken`` has those who took a place, and the others."""
    if call.notice is Notice.BREAK:
        told = words("event_notice.over.break")
    elif call.notice is Notice.OFFERED:
        told = _offer_over(event, *taken, words)
    elif call.notice is Notice.MISSING and event.phase.before and event.starts_at == call.at:
        told = words("event_notice.over.complete")
    elif event.phase.before:
        told = words("event_notice.over.moved", at=stamp(event.starts_at or call.at))
    elif event.phase is Phase.RUNNING and call.at != event.starts_at and _is_for_later_round(event, call):
        told = words("event_notice.over.round")
    else:
        cancelled = event.phase is Phase.CANCELLED
        told = words("event_notice.over.cancelled" if cancelled else "event_notice.over.started")
    title = words("event_notice.title", name=escape_name(event.name))
    return screen(f"-# {words.facts([title, told])}", colour=QUIET_COLOUR)
