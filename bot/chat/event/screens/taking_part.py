"""Replies to members who register, check in or look for their place, and the terms that they confirm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discord import ButtonStyle

from bot.chat.event.screens.details import plan_lines
from bot.chat.event.screens.screen import (
    SURE,
    about,
    all_about_button,
    calendar_ways,
    check_in_button,
    heading,
    leave_button,
    register_button,
    stamp,
    when_lines,
    withdraw_button,
)
from bot.chat.event.screens.waiting import stand_by_button, take_button, waiting_buttons
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import TABLE_COLOUR, moment, player_name
from bot.chat.kit.widgets import BUTTONS_PER_ROW, Part, Screen, button, button_rows, screen
from bot.model.events import Entrant, EntrantState, Event, Phase, WaitingPlayer
from bot.model.tables import Table
from bot.play.event.office.leaving import ChipsOffer, GiveUpOffer, LeaveOffer, Offer, ends_with_round, returns_before
from bot.play.event.office.views import EventView
from bot.play.event.office.withdrawing import Withdrawal
from bot.pure.event.structure import Family
from bot.text.event_structure import place_name, prize_lines
from bot.text.words import Words, escape_name, words_for


def terms_screen(
    view: EventView,
    words: Words,
    *,
    said: str,
    checks_in: bool = False,
    takes: bool = False,
    stands_by: bool = False,
) -> Screen:
    """Draw the event's current terms to confirm, for a player who typed the command or whose button had other terms.

    With ``takes``, the press takes the place that's on offer. With ``stands_by``, it checks in from the waiting list.
    """
    event = view.event
    parts = [heading(event, words), when_lines(event, words, last=view.is_last_date)]
    if not checks_in:
        parts += [plan_lines(event, words), prize_lines(event.structure, words)]
    asks = check_in_button(event, words) if checks_in else register_button(view, words)
    asks = take_button(event, words) if takes else stand_by_button(event, words) if stands_by else asks
    return screen(
        said,
        *("\n".join(part) for part in parts),
        *button_rows([asks, all_about_button(event, words)]),
        colour=TABLE_COLOUR,
    )


def registered_text(view: EventView, entrant: Entrant, words: Words, *, wallet: int) -> str:
    """Return the next step after registering: when and where it is, the fee paid, and the chips left in the wallet."""
    event, fee = view.event, view.event.structure.fee
    told = [words.side_by_side([_next_step_text(view, entrant, words), *_start_lines(event, words)])]
    if fee:
        told.append(words("event.done.fee_paid", count=fee, chips=words.number(fee), left=words.number(wallet)))
    return "\n".join(told)


def place_text(view: EventView, entrant: Entrant, words: Words) -> str:
    """Return the place of a player who has already registered, and their next step."""
    number = next((n for n, line in enumerate(view.lines, start=1) if line.entrant.player == entrant.player), 1)
    place = words("event.done.place", number=number, most=view.event.structure.most)
    return words.side_by_side([_next_step_text(view, entrant, words), place, *_start_lines(view.event, words)])


def withdraw_lines(offer: Withdrawal, words: Words) -> list[str]:
    """Return the question if a player wants to withdraw before the start, and the costs."""
    event, fee = offer.event, offer.event.structure.fee
    asked = "ask_list" if offer.waits else "ask"
    costs = []
    if fee and not offer.waits:
        costs.append(words("event.withdraw.refund", count=fee, chips=words.number(fee)))
    if offer.kept:
        costs.append(words(f"event.withdraw.kept_{'next' if offer.next_in_line else 'free'}"))
    elif offer.next_in_line:
        costs.append(words(f"event.withdraw.{'end_of_list' if offer.waits else 'next'}"))
    if offer.barred:
        costs.append(words("event.withdraw.ruled"))
    elif not offer.final:
        costs.append(words("event.withdraw.again"))
    return [words(f"event.withdraw.{asked}", name=escape_name(event.name)), *(f"- {cost}" for cost in costs)]


def withdraw_screen(offer: Withdrawal, words: Words) -> Screen:
    """Draw that question with its buttons."""
    press = replace(about(offer.event).but("ev_withdraw"), street=SURE)
    yes = button(press, words("event.button.withdraw"), style=ButtonStyle.danger)
    stay = button(about(offer.event).but("ev_show"), words("event.button.stay"))
    ask, *costs = withdraw_lines(offer, words)
    return screen(ask, "\n".join(costs), *button_rows([yes, stay]), colour=TABLE_COLOUR)


def leave_screen(offer: Offer, words: Words) -> Screen:
    """Draw the question if a player wants to leave a running event, with what it costs."""
    event = offer.event
    ask, costs, label = _question(offer, words)
    return screen(
        ask,
        "\n".join(f"- {cost}" for cost in costs),
        *button_rows(
            [
                button(
                    about(event).but("ev_leave", terms=offer.terms),
                    words(f"event.button.{label}"),
                    style=ButtonStyle.danger,
                ),
                button(about(event).but("ev_show"), words("event.button.keep_playing")),
            ]
        ),
        colour=TABLE_COLOUR,
    )


def _question(offer: Offer, words: Words) -> tuple[str, list[str], str]:
    """Return the question, the costs, and the label for leaving."""
    if isinstance(offer, GiveUpOffer):
        return _giving_up(offer, words)
    if isinstance(offer, LeaveOffer):
        return _leaving(offer, words)
    return _giving_chips_up(offer, words) if offer.event.structure.gives_up else _leaving_seat(offer, words)


def _giving_chips_up(offer: ChipsOffer, words: Words) -> tuple[str, list[str], str]:
    """Return the question, the costs, and the label for giving up in a freezeout or shoot-out."""
    event = offer.event
    costs = [
        *([words("event.leave.hand")] if offer.in_hand else []),
        words("event.leave.all_chips", chips=words.number(offer.chips)),
        *_end_without(offer, words),
        _place_line("out", offer.out_place, offer.out_prize, words),
        *_current_place(offer, words),
        *([words("event.leave.bounty_pooled", chips=words.number(offer.head))] if offer.head else []),
        *([words("event.leave.fee")] if event.structure.fee else []),
        words("event.leave.enters_again" if offer.enters_again else "event.leave.for_good"),
    ]
    return words("event.leave.ask_give_up", name=escape_name(event.name)), costs, "give_up"


def _leaving_seat(offer: ChipsOffer, words: Words) -> tuple[str, list[str], str]:
    """Return the question, the costs, and the label for leaving a freezeout, where the seat stays."""
    costs = [
        words("event.leave.seat_stays"),
        *_current_place(offer, words),
        *([words("event.leave.bounty_stays", chips=words.number(offer.head))] if offer.head else []),
        *([words("event.leave.fee")] if offer.event.structure.fee else []),
        words("event.leave.back_any_time"),
    ]
    return words("event.leave.ask_seat", name=escape_name(offer.event.name)), costs, "leave"


def _current_place(offer: ChipsOffer, words: Words) -> list[str]:
    """Return the current place with its prize; empty before the first hand has ended."""
    return [_place_line("tied" if offer.tied else "now", offer.place, offer.prize, words)] if offer.place else []


def _place_line(when: str, place: int, prize: int, words: Words) -> str:
    """Return a place with its prize, if any: the current one, or the one after leaving."""
    named = place_name(place, words)
    if not prize:
        return words(f"event.leave.place_{when}", place=named)
    return words(f"event.leave.place_{when}_paid", place=named, count=prize, chips=words.number(prize))


def _giving_up(offer: GiveUpOffer, words: Words) -> tuple[str, list[str], str]:
    """Return the question, the costs, and the label for giving up in a bracket."""
    event = offer.event
    if offer.opponent is None:
        wins = words("event.leave.wins_open")
    else:
        wins = words("event.leave.wins", opponent=player_name(offer.opponent, words))
    costs = [
        *([words("event.leave.hand")] if offer.in_hand else []),
        wins,
        *([words("event.leave.both_lives")] if offer.lives else []),
        *_end_by_giving_up(offer, words),
        words("event.leave.placed"),
        *([words("event.leave.fee")] if event.structure.fee else []),
        words("event.leave.for_good"),
    ]
    return words("event.leave.ask_give_up", name=escape_name(event.name)), costs, "give_up"


def _end_by_giving_up(offer: GiveUpOffer, words: Words) -> list[str]:
    """Return who wins a bracket if the player gives up, and whether that ends it; empty if it goes on as before."""
    if offer.champion is not None:
        key = "event.leave.wins_and_ends" if offer.ends else "event.leave.wins_event"
        return [words(key, player=player_name(offer.champion, words))]
    if offer.ends:
        return [words("event.leave.ends_event")]
    return [words("event.leave.decides_event")] if offer.decides else []


def _end_without(offer: ChipsOffer, words: Words) -> list[str]:
    """Return who wins a freezeout or shoot-out if the player gives up; empty if it goes on."""
    if not offer.ends:
        return []
    if offer.last is None:
        return [words("event.leave.ends_with_computers")]
    key = "event.leave.wins_after_hand" if offer.in_hand else "event.leave.wins_and_ends"
    return [words(key, player=player_name(offer.last, words))]


def _leaving(offer: LeaveOffer, words: Words) -> tuple[str, list[str], str]:
    """Return the question, the costs, and the label for leaving a league or duplicate event."""
    event, structure = offer.event, offer.event.structure
    ask = words("event.leave.ask", name=escape_name(event.name), round=event.round, rounds=structure.rounds)
    costs = [
        *([words("event.leave.finish")] if offer.seated else []),
        *([words("event.leave.at_once")] if not offer.seated and not offer.ends else []),
        *_outlook(offer, words),
        _standing(offer, words),
        *([words("event.leave.fee")] if structure.fee else []),
        _way_back(offer.returns_before, words, in_round=offer.in_round, ends=offer.ends),
    ]
    return ask, costs, "leave_round" if offer.seated else "leave"


def _outlook(offer: LeaveOffer, words: Words) -> list[str]:
    """Return what the remaining rounds score, or that the event ends without them."""
    if not offer.ends:
        return [words("event.leave.missed", count=offer.missed)]
    return [words(f"event.leave.ends_{'alone' if offer.others == 1 else 'few'}", round=offer.event.round)]


def _standing(offer: LeaveOffer, words: Words) -> str:
    """Return that the points stay, with the current place if there is one."""
    if not offer.place:
        return words("event.leave.points_stay")
    return words(f"event.leave.place{'_shared' if offer.tied else ''}", place=place_name(offer.place, words))


def _way_back(returns_before: int, words: Words, *, in_round: bool, ends: bool) -> str:
    """Return until when a player who leaves a league or duplicate event can come back, or why they can't."""
    if ends:
        return words(f"event.leave.{'back_before_end' if in_round else 'for_good'}")
    if returns_before:
        return words("event.leave.back", round=returns_before)
    return words(f"event.leave.{'back_this_round' if in_round else 'no_way_back'}")


def left_text(view: EventView, you: str, words: Words) -> str:
    """Return what leaving did, and until when the player can come back."""
    line, event = view.line_of(you), view.event
    seated = line is not None and line.table is not None
    if event.structure.gives_up:
        waits = seated and not event.format.heads_up
        return words(f"event.leave.{'giving_up' if waits else 'given_up'}", name=escape_name(event.name))
    if event.format.family is Family.FREEZEOUT:
        return words("event.leave.left_seat", name=escape_name(event.name))
    said = words(f"event.leave.{'done_after' if seated else 'done'}", name=escape_name(event.name))
    ends = ends_with_round(event, sum(line.entrant.playing for line in view.lines))
    back = _way_back(returns_before(event), words, in_round=bool(view.tables), ends=ends)
    return words.side_by_side([said, back])


def returned_text(view: EventView, words: Words) -> str:
    """Return what coming back did."""
    event, name = view.event, escape_name(view.event.name)
    if event.format.family is Family.FREEZEOUT:
        return words("event.leave.back_in_seat", name=name)
    return words("event.leave.returned", name=name, round=event.round + 1)


def left_ways(view: EventView, you: str, words: Words) -> list[Part]:
    """Return the buttons to come back and for the details, for a player who has just left."""
    return [*leave_button(view, you, words), all_about_button(view.event, words)]


def ways_on(view: EventView, entrant: Entrant | None, words: Words) -> list[Part]:
    """Return a registered player's next buttons. Other members only get the details."""
    event, made = view.event, list[Part]()
    if entrant is not None and entrant.registered and event.phase.before:
        if entrant.state is EntrantState.REGISTERED and event.phase is Phase.CHECK_IN:
            made.append(check_in_button(event, words))
        made.append(withdraw_button(event, words))
        made += calendar_ways(event, words)
    return [*made, all_about_button(event, words)]


def ways_on_waiting(view: EventView, waiting: WaitingPlayer, words: Words) -> list[Part]:
    """Return the next buttons for a player on the waiting list."""
    event = view.event
    return [*waiting_buttons(view, waiting, words), *calendar_ways(event, words), all_about_button(event, words)]


def _start_lines(event: Event, words: Words) -> list[str]:
    """Return the start and the channel; empty after the start."""
    channel = f"<#{event.channel}>"
    if not event.phase.before:
        return []
    if event.starts_at is None:
        return [words("event.done.starts_full", channel=channel)]
    return [words("event.done.starts", at=stamp(event.starts_at), from_now=moment(event.starts_at), channel=channel)]


def _next_step_text(view: EventView, entrant: Entrant, words: Words) -> str:
    event = view.event
    name = escape_name(event.name)
    if entrant.playing or event.phase is Phase.RUNNING:
        return words("event.done.seated", name=name)
    if entrant.state is EntrantState.CHECKED_IN:
        return words("event.done.registered_checked_in", name=name)
    opens = event.check_in_at
    if event.phase is Phase.REGISTERING and opens is not None:
        press = words_for(event.language)("event.button.check_in")
        return words("event.done.registered_check_in", name=name, at=stamp(opens), from_now=moment(opens), press=press)
    return words("event.done.registered", name=name)


def also_at_text(tables: Sequence[Table], words: Words) -> str:
    """Return the effect on a participant's other tables, and their options; empty without other tables."""
    if not tables:
        return ""
    named = words.list([str(table.number) for table in tables])
    seats = words.list([f"**{part['label']}**" for part in also_at_buttons(tables, words)])
    return words("event.done.also_at", tables=named, seats=seats, count=len(tables))


def also_in_text(events: Sequence[Event], words: Words) -> str:
    """Return a warning about a participant's other events at the same time; empty without any."""
    if not events:
        return ""
    named = words.list([f"**{escape_name(event.name)}**" for event in events])
    return words("event.done.also_in", events=named, count=len(events))


def also_at_buttons(tables: Sequence[Table], words: Words) -> list[Part]:
    """Return buttons for a player's seats at these tables."""
    return [
        button(
            Press(verb="seats", table=table.key.table, tag=table.tag),
            words("event.button.seats_of", table=table.number),
        )
        for table in tables[:BUTTONS_PER_ROW]
    ]


def fill_button(event: Event, words: Words) -> Part:
    """Return the button that fills the free seats with computers."""
    return button(about(event).but("ev_fill"), words("event_desk.button.fill"))
