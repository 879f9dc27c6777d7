"""Sentences for a player who is out of an event, about their prize, the rest of the event, and the next date."""

from __future__ import annotations

from bot.chat.event.screens.standings import now_lines
from bot.chat.kit.fragments import date_mark, moment
from bot.model.events import Event, Phase
from bot.model.ids import Player
from bot.play.event.office.views import EventView, StandingsLine
from bot.text.words import Words


def out_lines(view: EventView, player: Player, following: Event | None, words: Words) -> list[str]:
    """Return the sentences. ``following`` is the next date of the event's series, if it's published.

    The player's place and their time to re-enter are in the table's status.
    """
    line = view.line_of(player)
    lines = [] if line is None else _prize(view, line, words)
    if view.event.phase is Phase.RUNNING:
        lines += now_lines(view, words)
    if following is not None and following.starts_at is not None:
        at = following.starts_at
        lines.append(words("event_series.next", at=date_mark(at), when=moment(at)))
    return [part for one in lines for part in one.split("\n") if part]


def _prize(view: EventView, line: StandingsLine, words: Words) -> list[str]:
    """Return the prize that the player has won, or the one that their place pays; empty if that isn't certain."""
    if prize := line.entrant.prize:
        return [words("page.out.won", count=prize, chips=words.number(prize))]
    certain = line.eliminated and not (line.tied or view.registration_open or line.entrant.disqualified)
    if not certain or view.event.phase is not Phase.RUNNING or not 1 <= line.place <= len(view.prizes):
        return []
    pays = view.prizes[line.place - 1]
    return [words("page.out.pays", count=pays, chips=words.number(pays))]


def discord_address(event: Event) -> str:
    """Return the address of the event's message in Discord or, until it's posted, of its channel."""
    where = f"https://discord.com/channels/{event.key.guild}/{event.channel}"
    return f"{where}/{event.message}" if event.message else where
