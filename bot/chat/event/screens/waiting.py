"""The waiting list of an event on its screens."""

from __future__ import annotations

from discord import ButtonStyle

from bot.chat.event.screens.screen import about, stamp, withdraw_button
from bot.chat.kit.fragments import and_more, moment, player_name
from bot.chat.kit.widgets import Part, button
from bot.model.events import Event, Phase, WaitingPlayer
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


def stand_by_button(event: Event, words: Words) -> Part:
    """Return the button that checks in from the waiting list, under the entry's terms if it may cost a fee."""
    terms = terms_of.of_event(event) if event.structure.fee else terms_of.of_start(event)
    return button(about(event).but("ev_checkin", terms=terms), words("event.button.check_in"))


def stand_by_text(view: EventView, player: str, words: Words) -> str:
    """Return that the reader can check in from the waiting list, or that they have; empty while check-in is closed."""
    event, fee = view.event, view.event.structure.fee
    if event.phase is not Phase.CHECK_IN:
        return ""
    key = "event.waiting.stands_by" if player in view.stand_by else "event.waiting.may_stand_by"
    return words(f"{key}_paid", count=fee, chips=words.number(fee)) if fee else words(key)


def pass_button(event: Event, words: Words) -> Part:
    """Return the button that gives up the place on offer."""
    return button(about(event).but("ev_pass"), words("event.waiting.pass"))


def place_in_list(view: EventView, player: str, words: Words) -> str:
    """Return a player's place on the waiting list, such as ``3rd``."""
    place = view.place_in_list(player)
    return words.number(place) + words.language_of("event.waiting.at").ordinal(place)


def waiting_buttons(view: EventView, waiting: WaitingPlayer, words: Words) -> list[Part]:
    """Return the buttons for a kept place, or for checking in and leaving the list."""
    event = view.event
    if waiting.offered_until is not None:
        return [take_button(event, words), pass_button(event, words)]
    may_stand_by = event.phase is Phase.CHECK_IN and waiting.player not in view.stand_by
    return [*([stand_by_button(event, words)] if may_stand_by else []), withdraw_button(event, words)]


def waiting_text(view: EventView, waiting: WaitingPlayer, words: Words) -> str:
    """Return the reader's place, and whether they may check in. Show it with :func:`waiting_buttons`."""
    parts = [waiting_place(view, waiting, words)]
    if waiting.offered_until is None:
        parts.append(stand_by_text(view, waiting.player, words))
    return words.side_by_side([part for part in parts if part])


def waiting_place(view: EventView, waiting: WaitingPlayer, words: Words) -> str:
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
    unpaid = words("event.waiting.unpaid") if event.structure.fee else ""
    return words.side_by_side([said, *filter(None, [unpaid, stand_by_text(view, waiting.player, words)])])


def waiting_lines(view: EventView, words: Words, *, most: int) -> list[str]:
    """Return the waiting list in order, at most ``most`` of its players by name; empty without a list."""
    if not view.waiting:
        return []
    shown = [_numbered(number, one, view, words) for number, one in enumerate(view.waiting[:most], start=1)]
    listed = words("event.between").join([*shown, *and_more(len(view.waiting) - most, words)])
    return [words("event.waiting.list", waiting=len(view.waiting)), listed]


def _numbered(number: int, waiting: WaitingPlayer, view: EventView, words: Words) -> str:
    here = "✅ " if waiting.player in view.stand_by else ""
    told = words("event.waiting.numbered", number=number, player=here + player_name(waiting.player, words))
    if waiting.offered_until is None:
        return told
    return words("event.waiting.numbered_kept", told=told, at=f"<t:{waiting.offered_until // 1000}:f>")
