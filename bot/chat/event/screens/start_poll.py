"""The poll on an event's start, with its question, answers and result."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import discord
from discord import ButtonStyle

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import RESULT_COLOUR
from bot.chat.kit.widgets import Screen, button, button_rows, screen
from bot.model.ids import TableId
from bot.model.start_polls import StartPoll
from bot.text.words import Words
from bot.text.zones import zone_name

MAX_ANSWER_LENGTH = 55
"""Discord's limit for an answer."""
HUNDRED = 100
"""A time has too many digits for one number of a press, so its last two digits go into another number."""
PREPARE = "ev_poll_open"
"""The verb of the button that opens the form with a time filled in."""


def _time_text(at: int) -> str:
    """Return a date and time, shown in each reader's own time zone."""
    return f"<t:{at // 1000}:F>"


def question(poll: StartPoll, words: Words) -> str:
    """Return the question, with the time zone of the answers."""
    return words("start_poll.question", zone=zone_name(poll.zone, words))


def answers(poll: StartPoll, words: Words) -> list[str]:
    """Return the times in the poll's zone as plain text, because answers can't contain Discord's localised times."""
    return [_answer(datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(poll.zone)), words) for at in poll.times]


def _answer(at: datetime, words: Words) -> str:
    weekday = words(f"start_poll.weekday.{at.weekday()}")
    month = words(f"start_poll.month.{at.month}")
    told = words("start_poll.answer", weekday=weekday, month=month, day=at.day, clock=f"{at:%H:%M}")
    return told[:MAX_ANSWER_LENGTH]


def poll_text(poll: StartPoll, words: Words) -> str:
    """Return the text above the poll, with the times in each reader's own zone."""
    lines = [
        words("start_poll.own_zone", number=number, at=_time_text(at)) for number, at in enumerate(poll.times, start=1)
    ]
    return "\n".join([words("start_poll.how"), *lines])


def build_poll(poll: StartPoll, words: Words) -> discord.Poll:
    """Return the poll for Discord. Members may choose more than one time."""
    made = discord.Poll(question(poll, words), timedelta(hours=poll.hours), multiple=True)
    for answer in answers(poll, words):
        made.add_answer(text=answer)
    return made


def result_screen(poll: StartPoll, votes: Mapping[int, int], words: Words, *, tag: str) -> Screen:
    """Draw the time with the most votes (the earliest if tied) and a button that opens the form with that time.

    Without a vote, the button does nothing. ``votes`` are the votes per time. ``tag`` marks the message, so that it can
    be found again.
    """
    most = max((votes.get(at, 0) for at in poll.times), default=0)
    best = [at for at in poll.times if votes.get(at, 0) == most]
    lines = [words("start_poll.title")]
    if most:
        winner = best[0]
        lines.append(words("start_poll.winner", at=_time_text(winner), count=most))
        if len(best) > 1:
            lines.append(words("start_poll.tie", times=words.list([_time_text(at) for at in best])))
        lines.append(words("start_poll.prepare"))
        time = winner // 1000
    else:
        lines.append(words("start_poll.no_votes"))
        time = 0
    press = Press(verb=PREPARE, table=TableId(0), hand=time // HUNDRED, street=time % HUNDRED, argument=tag)
    # Without a vote, the button offers nothing, but its tag still marks the message.
    label = words("start_poll.button" if most else "start_poll.nothing")
    style = ButtonStyle.primary if most else ButtonStyle.secondary
    made = [button(press, label, style=style, disabled=not most)]
    return screen("\n".join(lines), *button_rows(made), colour=RESULT_COLOUR)


def parse_time(press: Press) -> int:
    """Return the time (ms) in a result's button; 0 for none."""
    return (press.hand * HUNDRED + press.street) * 1000
