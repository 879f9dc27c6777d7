"""Polls for an event's start time."""

from __future__ import annotations

from dataclasses import replace

from bot.model.clock import HOUR
from bot.model.ids import GuildId
from bot.model.limits import MAX_EVENT_LEAD_MS, MAX_START_POLLS
from bot.model.reasons import PlanReason
from bot.model.start_polls import StartPoll
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused

MIN_TIMES, MAX_TIMES = 2, 10
"""Discord allows ten answers per poll."""
DEFAULT_HOURS, MAX_HOURS = 24, 168


def ask(
    s: Session,
    guild: GuildId,
    *,
    channel: int,
    language: str,
    zone: str,
    times: list[int],
    hours: int | None,
    cause: str,
) -> StartPoll:
    """Save a poll for ``times``, to be posted afterwards. Raises Refused.

    By default it's open for a day, or until shortly before the earliest time.
    """
    s.check_not_repeated(cause)
    kept = tuple(sorted(set(times)))
    if not MIN_TIMES <= len(kept) <= MAX_TIMES:
        raise Refused(PlanReason.POLL_TIMES, least=MIN_TIMES, most=MAX_TIMES)
    if hours is None:
        hours = max(1, min(DEFAULT_HOURS, (kept[0] - s.now) // HOUR))
    if kept[0] < s.now + hours * HOUR:
        raise Refused(PlanReason.POLL_TOO_LONG, count=hours)
    if kept[-1] > s.now + MAX_EVENT_LEAD_MS:
        raise Refused(PlanReason.START_TOO_LATE)
    open_polls = s.tx.events.start_polls_of(guild)
    if len(open_polls) >= MAX_START_POLLS:
        raise Refused(PlanReason.TOO_MANY_POLLS, most=MAX_START_POLLS)
    number = max((poll.number for poll in open_polls), default=0) + 1
    poll = StartPoll(
        guild=guild,
        number=number,
        channel=channel,
        language=language,
        zone=zone,
        times=kept,
        hours=hours,
        asked_at=s.now,
    )
    s.tx.events.save_start_poll(poll)
    return poll


def posted(s: Session, poll: StartPoll, *, message: int, closes_at: int) -> None:
    """Save the poll's message and closing time."""
    if s.tx.events.start_poll(poll.guild, poll.number) == poll:
        s.tx.events.save_start_poll(replace(poll, message=message, closes_at=closes_at))


def forget(s: Session, poll: StartPoll) -> None:
    """Delete a poll that was evaluated or whose message is gone."""
    if s.tx.events.start_poll(poll.guild, poll.number) == poll:
        s.tx.events.remove_start_poll(poll.guild, poll.number)
