"""The waiting list of an event on its screens."""

from __future__ import annotations

from discord import ButtonStyle

from bot.chat.event.screens.screen import about, stamp
from bot.chat.kit.fragments import and_more, moment, player_name
from bot.chat.kit.widgets import Part, button
from bot.model.events import Event, WaitingPlayer
from bot.play import terms as terms_of
from bot.play.event.office.views import EventView
from bot.text.words import Words, escape_name


def take_button(event: Event, words: Words) -> Part:
    """Return the button that takes the place on offer under the event's current terms."""
    press = about(event).but("ev_take", terms=terms_of.of_event(event))
    return button(press, take_label(event, words), style=ButtonStyle.success)


def take_label(event: Event, words: Words) -> str:
    """Return the label of that button, with the fee."""
    fee = event.structure.fee
    return words("event.waiting.take", count=fee, chips=words.number(fee)) if fee else words("event.waiting.take_free")


def pass_button(event: Event, words: Words) -> Part:
    """Return the button that gives up the place on offer."""
    return button(about(event).but("ev_pass"), words("event.waiting.pass"))


def place_in_list(view: EventView, player: str, words: Words) -> str:
    """Return a player's place on the waiting list, such as ``3rd``."""
    place = view.place_in_list(player)
    return words.number(place) + words.language_of("event.waiting.at").ordinal(place)


def waiting_text(view: EventView, waiting: WaitingPlayer, words: Words) -> str:
    """Return the reader's place on the waiting list, or until when a place is kept for them."""
    if waiting.offered_until is None:
        return words("event.waiting.at", place=place_in_list(view, waiting.player, words))
    until = waiting.offered_until
    return words("event.waiting.kept", until=stamp(until), from_now=moment(until), press=take_label(view.event, words))


def joined_text(view: EventView, waiting: WaitingPlayer, words: Words) -> str:
    """Return the answer to a player who joined the waiting list, and what happens next."""
    event = view.event
    said = words(
        "event.waiting.joined",
        place=place_in_list(view, waiting.player, words),
        name=escape_name(event.name),
        channel=f"<#{event.channel}>",
    )
    return words.side_by_side([said, *([words("event.waiting.unpaid")] if event.structure.fee else [])])


def waiting_lines(view: EventView, words: Words, *, most: int) -> list[str]:
    """Return the waiting list in order, at most ``most`` of its players by name; empty without a list."""
    if not view.waiting:
        return []
    shown = [_numbered(number, one, words) for number, one in enumerate(view.waiting[:most], start=1)]
    listed = words("event.between").join([*shown, *and_more(len(view.waiting) - most, words)])
    return [words("event.waiting.list", waiting=len(view.waiting)), listed]


def _numbered(number: int, waiting: WaitingPlayer, words: Words) -> str:
    told = words("event.waiting.numbered", number=number, player=player_name(waiting.player, words))
    if waiting.offered_until is None:
        return told
    return words("event.waiting.numbered_kept", told=told, at=f"<t:{waiting.offered_until // 1000}:f>")
