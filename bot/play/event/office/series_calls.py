"""The players who are pinged when a series opens its next date: those of the last one.

They're pinged once per date, with the post that opens it, unless they have opted out. Flights of an event are one date.
"""

from __future__ import annotations

from bot.model.events import Event
from bot.model.ids import Player, is_computer, is_pseudonym
from bot.play.event.office import flights
from bot.play.session.session import Session


def players_to_call(s: Session, event: Event, *, by: Player | None) -> list[Player]:
    """Return the players of the series' last date in the order of their places, except ``by``, who publishes this one.

    There are none while an earlier date of the series is still ahead or running, because that one's players aren't
    known yet.
    """
    last = s.tx.events.last_date(event.key.guild, event.series) if event.series else None
    if last is None:
        return []
    silent = s.tx.choices.without_series_calls(event.key.guild) | s.tx.members.departed(event.key.guild)
    placed = [
        one
        for flight in flights.all_of(s.tx, last)
        for one in s.tx.entrants.of(flight)
        if one.place and not one.disqualified
    ]
    players = [one.player for one in sorted(placed, key=lambda one: (one.place, one.number))]
    return [
        player
        for player in dict.fromkeys(players)
        if not (player in silent or player == by or is_computer(player) or is_pseudonym(player))
    ]
