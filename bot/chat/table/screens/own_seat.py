"""Actions of readers about their seat. Discord's buttons and the page's are made from the same list."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.model.tables import Table
from bot.play import terms as terms_of
from bot.play.queries.views import SeatStack, TableView
from bot.play.session.chips import rebuy_of, top_up_of
from bot.play.table.lobby import Departure
from bot.text.words import Words


class OwnSeatAct(Enum):
    """Actions of readers about their seat."""

    JOIN = "join"
    BACK = "back"
    """Come back, or stay instead of leaving."""
    REBUY = "rebuy"
    TOP_UP = "top_up"
    SIT_OUT = "sit_out"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOffer:
    """An action that a reader can take now."""

    act: OwnSeatAct
    label: str
    terms: str = ""
    """The terms that its button shows, if it takes chips or a seat."""
    chips: int = 0
    """Chips that it takes now."""


def seat_offers(view: TableView, words: Words, *, wallet: int) -> list[SeatOffer]:
    """Return what the reader can do, most likely first. ``wallet`` matters only to those seated for chips."""
    place, table = view.mine, view.table
    if not table.open or table.private or view.you in table.removed:
        return []
    if place is None:
        return [] if not has_room(view) else [join_offer(table, words)]
    seat = place.seat
    back = [SeatOffer(act=OwnSeatAct.BACK, label=words("button.stay"))]
    if table.event_no is not None:
        return back if seat.away else [SeatOffer(act=OwnSeatAct.SIT_OUT, label=words("event_table.button.sit_out"))]
    leave = [] if seat.leaving else [SeatOffer(act=OwnSeatAct.LEAVE, label=words("button.leave"))]
    if view.broke:
        return [_rebuy(table, words, wallet), *leave]
    if not (seat.sits_out or seat.away):
        back = [SeatOffer(act=OwnSeatAct.BACK, label=words("button.do_not_leave"))] if seat.leaving else []
    sit_out = [SeatOffer(act=OwnSeatAct.SIT_OUT, label=words("seats.button.sit_out"))]
    return [
        *back,
        *_top_up(table, place, words, wallet),
        *(sit_out if table.cash and not seat.sits_out else []),
        *leave,
    ]


def has_room(view: TableView) -> bool:
    """True if players can take a seat: one is free, and no event assigns them."""
    return view.table.event_no is None and len(view.places) < view.table.terms.max_seats


def needs_wallet(view: TableView) -> bool:
    """True if the reader's wallet decides what they can do."""
    place = view.mine
    return place is not None and view.table.cash and place.stack < view.table.terms.buy_in


def join_offer(table: Table, words: Words) -> SeatOffer:
    """Return the offer of a seat under the table's terms."""
    chips, terms = table.terms.buy_in, terms_of.of_seat(table.terms)
    return SeatOffer(act=OwnSeatAct.JOIN, label=words("button.join"), terms=terms, chips=chips)


def _rebuy(table: Table, words: Words, wallet: int) -> SeatOffer:
    """Return a rebuy with its price. If the player can't afford it, a press explains how to get chips."""
    brings = rebuy_of(table, wallet)
    label = words("seats.button.rebuy_of", chips=words.number(brings)) if brings else words("seats.button.rebuy")
    return SeatOffer(act=OwnSeatAct.REBUY, label=label, terms=terms_of.of_chips(table, brings), chips=brings)


def _top_up(table: Table, place: SeatStack, words: Words, wallet: int) -> list[SeatOffer]:
    if not table.cash or not table.terms.limits.top_up or place.seat.tops_up:
        return []
    more = top_up_of(table, stack=place.stack, wallet=wallet)
    if not more:
        return []
    later = terms_of.in_hand(table, place.seat)
    key, chips = ("seats.button.top_up_to", table.terms.buy_in) if later else ("seats.button.top_up", more)
    label, terms = words(key, chips=words.number(chips)), terms_of.of_top_up(table, place.seat, more)
    return [SeatOffer(act=OwnSeatAct.TOP_UP, label=label, terms=terms, chips=more)]


def left_text(departure: Departure, words: Words) -> str:
    """Return the answer to *Leave*, or to *Sit out* at an event's table."""
    table, chips = departure.table, departure.chips
    if table.event_no is not None:
        key = "event_table.sits_out_points" if table.terms.practice else "event_table.sits_out"
        return words(key, table=table.number)
    if chips is None:
        return words("lobby.leaving_practice" if table.terms.practice else "lobby.leaving", table=table.number)
    if table.terms.practice:
        return words("lobby.left_practice", table=table.number)
    if not chips:
        return words("lobby.left_broke", table=table.number)
    return words("lobby.left", count=chips, chips=words.number(chips), table=table.number)
