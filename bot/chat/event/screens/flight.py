"""Another flight for the waiting list of a full event: its name, and what opening it means."""

from __future__ import annotations

from dataclasses import replace

from bot.chat.event.screens.screen import stamp
from bot.chat.kit.fragments import and_more, moment, player_name
from bot.model.limits import MAX_EVENT_NAME_LENGTH
from bot.play.event.office.flights import FlightOffer
from bot.play.event.office.waiting_list import offer_until
from bot.play.event.organisers.organiser_desk import DeskView
from bot.text.event_structure import prize_lines
from bot.text.words import Words, escape_name

MAX_NAMED = 20
"""Maximum number of players named before the flight is opened."""


def flight_name(words: Words, of: str, number: int) -> str:
    """Return the name of a flight of the event called ``of``, which is shortened if there's no room for all of it."""
    room = MAX_EVENT_NAME_LENGTH - len(words("event_desk.flight.name", name="", number=number))
    return words("event_desk.flight.name", name=of[:room].rstrip(), number=number)


def flight_text(desk: DeskView, offer: FlightOffer, words: Words, *, event_words: Words, starts_at: int) -> str:
    """Return the terms of opening a flight: its name, start, fee and prizes, who is called until when, and its page.

    ``event_words`` are in the event's language. The start is ``starts_at`` (ms), or the event's if it's 0.
    """
    event = desk.event
    start = starts_at or event.starts_at or 0
    until = offer_until(replace(event, starts_at=start), now=desk.at)
    called, rest = offer.players[: event.structure.most], len(offer.players) - event.structure.most
    named = [player_name(player, words) for player in called[:MAX_NAMED]]
    listed = words("event.between").join([*named, *and_more(len(called) - MAX_NAMED, words)])
    opens = words("event_desk.flight.opens", name=escape_name(flight_name(event_words, offer.of, offer.number)))
    series = [words("event_desk.flight.series", series=escape_name(event.series))] if event.series else []
    page = [words("event_desk.flight.page")] if event.page else []
    calls = [words("event_desk.flight.until", at=stamp(until))]
    if rest > 0:
        calls.append(words("event_desk.flight.rest", count=rest))
    return "\n".join(
        [
            words.side_by_side([opens, *series]),
            words("event.when", at=stamp(start), from_now=moment(start)),
            *prize_lines(event.structure, words),
            words("event_desk.flight.calls", count=len(called), players=listed),
            words.side_by_side([*calls, words("event_desk.flight.keeps"), *page]),
        ]
    )
