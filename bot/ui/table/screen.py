"""The public table: who sits where with what, who acts until when, and every board as everybody may see it."""

from __future__ import annotations

from collections.abc import Sequence

from discord import ButtonStyle

from bot.ofc.view import HandView, SeatView
from bot.play.clock import Clock, Pace
from bot.play.model import USUAL_LIMITS, Limits, TableState, is_computer
from bot.play.views import Place, TableView
from bot.text.durations import duration
from bot.text.house_rules import house_items
from bot.text.rulebook.book import short_line
from bot.text.words import Words
from bot.ui.faces import Faces
from bot.ui.fragments import (
    MOST_TEXT,
    QUIET_COLOUR,
    TABLE_COLOUR,
    TURN_COLOUR,
    board_lines,
    drawn_line,
    event_facts,
    moment,
    names,
    player_name,
    root_link,
    seat_rows,
    short_hash,
    table_title,
    text_length,
    waits_text,
)
from bot.ui.presses import Press
from bot.ui.widgets import Part, Screen, button, rows_of, screen

MOST_NAMED = 3
"""More players than this are counted where there is no room to name them."""


def table_screen(view: TableView, words: Words, faces: Faces) -> Screen:
    """The table's message."""
    state = view.table.state
    if state is TableState.CLOSED:
        return screen(_heading(view, words), words(f"closed.{view.table.closed_reason}"), colour=QUIET_COLOUR)
    if state is TableState.LOBBY and view.table.event_no is not None:
        return screen(
            _heading(view, words),
            _event_lobby_text(view, words),
            *rows_of(_event_buttons(view, words)),
            _fairness(view, words),
            colour=TABLE_COLOUR,
        )
    if state is TableState.LOBBY:
        return screen(
            _heading(view, words),
            _lobby_text(view, words),
            *rows_of(_lobby_buttons(view, words)),
            _fairness(view, words),
            colour=TABLE_COLOUR,
        )
    full = _game_screen(view, words, faces, empty_places=True)
    if text_length(full) <= MOST_TEXT:
        return full
    # Eight boards of emojis are just short enough without their empty places.
    return _game_screen(view, words, faces, empty_places=False)


def _game_screen(view: TableView, words: Words, faces: Faces, *, empty_places: bool) -> Screen:
    seats = view.hand.seats if view.hand else ()
    return screen(
        _heading(view, words),
        *[_seat_text(view, seat, words, faces, empty_places=empty_places) for seat in seats],
        *_others(view, words),
        _status(view, words, short=not empty_places),
        *rows_of(_play_buttons(view, words)),
        *([_fairness(view, words)] if empty_places else []),
        colour=TURN_COLOUR if view.waiting else TABLE_COLOUR,
    )


def _heading(view: TableView, words: Words) -> str:
    hand_no = view.table.hand_no
    parts = event_facts(view.event, words) if view.event else []
    if hand_no and view.hand:
        parts.append(words("table.hand", hand=hand_no))
    title = f"### {table_title(view.table, words)}"
    return f"{title}\n-# {' · '.join(parts)}" if parts else title


def _event_lobby_text(view: TableView, words: Words) -> str:
    """The table of an event before its first deal, or while it has too few players."""
    lines = [short_line(view.table.variant, words), _pace(view.table.clock, words), ""]
    lines += [_event_seat(view, place, words) for place in view.places]
    waits = waits_text(view.event, words) if view.event else ""
    if not waits and view.next_hand_at is not None:
        waits = words("event_table.first_hand", when=moment(view.next_hand_at))
    lines += ["", waits or words("event_table.waits.players")]
    return "\n".join(lines)


def _event_seat(view: TableView, place: Place, words: Words) -> str:
    parts = [f"`{place.seat.number + 1}`", player_name(place.seat.player, words), _chips(view, place, words)]
    if place.seat.away:
        parts.append(words("event_table.sitting_out"))
    return " ".join(part for part in parts if part)


def _lobby_text(view: TableView, words: Words) -> str:
    table = view.table
    lines = [short_line(table.variant, words), _pace(table.clock, words)]
    if not table.practice:
        lines.append(words("lobby.buy_in", chips=words.number(table.buy_in)))
    if not table.practice:
        lines += _limits(table.limits, words)
    if table.limits.levels:
        levels = " → ".join(words.number(value) for value in table.limits.levels)
        lines.append(words("lobby.levels", levels=levels, count=table.limits.level_hands))
    lines += house_items(table.variant, words)
    lines.append("")
    lines += [_lobby_seat(view, place, words) for place in view.places]
    free = table.max_seats - len(view.places)
    if free:
        lines.append(words("lobby.free_seats", count=free))
    if view.lobby_until is not None:
        lines.append(words("lobby.closes", when=moment(view.lobby_until)))
    return "\n".join(lines)


def _pace(clock: Clock, words: Words) -> str:
    key = f"lobby.pace.{clock.pace.value}"
    if clock.pace is Pace.NONE:
        return words(key)
    if clock.pace is Pace.LIVE:
        bank = duration(clock.bank_ms // 1000, words)
        return words(key, time=duration(clock.seconds, words), bank=bank)
    return words(key, time=duration(clock.seconds, words))


def _limits(limits: Limits, words: Words) -> list[str]:
    """What a seat can win and lose where that is not the usual."""
    lines = []
    if limits.win_cap is not USUAL_LIMITS.win_cap:
        lines.append(words("lobby.most_won", cap=words(f"lobby.win_cap.{limits.win_cap.value}")))
    if limits.bust_is_final:
        lines.append(words("lobby.bust_is_final"))
    return lines


def _lobby_seat(view: TableView, place: Place, words: Words) -> str:
    name = player_name(place.seat.player, words)
    host = words("lobby.host") if place.seat.player == view.table.host else ""
    return " ".join(part for part in (f"`{place.seat.number + 1}`", name, _chips(view, place, words), host) if part)


def _chips(view: TableView, place: Place | None, words: Words) -> str:
    if view.table.practice or place is None:
        return ""
    return words("table.stack", chips=words.number(place.stack))


def _seat_text(view: TableView, seat: SeatView, words: Words, faces: Faces, *, empty_places: bool) -> str:
    """A name line and three rows of cards, and the discards where they lie open."""
    assert view.hand is not None
    rows = seat_rows(seat, view.hand.variant)
    lines = [_name_line(view, seat, words), *board_lines(rows, faces, empty_places=empty_places)]
    lines += drawn_line(seat, words, faces)
    if view.hand.variant.open_discards and seat.discards:
        lines.append(words("table.open_discards", cards=faces.row(seat.discards)))
    return "\n".join(lines)


def _name_line(view: TableView, seat: SeatView, words: Words) -> str:
    assert view.hand is not None
    place = view.place_of(seat.player)
    parts = [f"**{player_name(seat.player, words)}**", _chips(view, place, words)]
    if view.hand.seats[view.hand.button].player == seat.player:
        parts.append(words("table.button"))
    if seat.fantasyland:
        parts.append(words("table.in_fantasyland", count=seat.fantasyland))
    if place and place.seat.away:
        parts.append(words("table.away" if view.event is None else "event_table.sitting_out"))
    if place and place.seat.leaving:
        parts.append(words("table.leaving"))
    mark = _mark(view.hand, seat)
    if mark:
        parts.append(words(f"table.{mark}"))
    return " ".join(part for part in parts if part)


def _mark(hand: HandView, seat: SeatView) -> str:
    """What the seat has done or has to do, as a sentence of ``table``; empty where the cards say it."""
    if hand.over or seat.forfeited:
        return ""
    if seat.waiting:
        return "acts"
    if seat.fantasyland:
        return "has_set" if seat.laid else "may_set"
    # The cards of a street laid together are not seen before everybody has laid it.
    if not seat.laid or not hand.variant.together(hand.street) or not _street_is_open(hand):
        return ""
    return "has_set" if hand.variant.at_once else "has_laid"


def _street_is_open(hand: HandView) -> bool:
    return any(seat.waiting and not seat.fantasyland for seat in hand.seats)


def _others(view: TableView, words: Words) -> list[str]:
    """The seats that wait for the next hand."""
    playing = {seat.player for seat in view.hand.seats} if view.hand else set()
    waiting = [place.seat.player for place in view.places if place.seat.player not in playing]
    return [words("table.newcomers", players=names(list(waiting), words))] if waiting else []


def _status(view: TableView, words: Words, *, short: bool) -> str:
    """What the table waits for; ``short`` counts many players, who are marked beside their boards."""
    if view.event is not None and view.event.conceals and not short:
        return f"{_turn(view, words, short=short)}\n{words('event_table.concealed')}"
    if view.hand is not None and view.hand.conceals and not short:
        return f"{_turn(view, words, short=short)}\n{words('table.concealed')}"
    return _turn(view, words, short=short)


def _turn(view: TableView, words: Words, *, short: bool) -> str:
    if not view.waiting:
        if view.event is not None and (waits := waits_text(view.event, words)):
            return waits
        next_at = view.next_hand_at
        return words("table.pause") if next_at is None else words("table.next_hand", when=moment(next_at))
    players = names(list(view.waiting), words)
    if short and len(view.waiting) > MOST_NAMED:
        players = words("table.players", count=len(view.waiting))
    if view.turn_until is None:
        return words("table.turn", players=players)
    line = words("table.turn_until", players=players, until=moment(view.turn_until))
    lost = view.table.stood_still // 1000
    return f"{line}\n{words('table.stood_still', time=duration(lost, words))}" if lost else line


def _fairness(view: TableView, words: Words) -> str:
    if view.event is not None and view.event.deck_commitment:
        return words("event_table.decks", commitment=short_hash(view.event.deck_commitment))
    return words("table.commitment", commitment=root_link(view.table))


def _lobby_buttons(view: TableView, words: Words) -> list[Part]:
    table = view.table
    press = Press(verb="join", table=table.key.table, tag=table.tag)
    full = len(view.places) >= table.max_seats
    buttons = [
        button(press, words("button.join"), style=ButtonStyle.success, disabled=full),
        button(press.but("leave"), words("button.leave")),
        button(
            press.but("start"),
            words("button.start"),
            style=ButtonStyle.primary,
            disabled=len(view.places) < table.variant.min_seats,
        ),
        button(press.but("cancel"), words("button.cancel"), style=ButtonStyle.danger),
    ]
    if table.practice:
        buttons.append(button(press.but("computer"), words("button.computer"), disabled=full))
    return buttons


def _play_buttons(view: TableView, words: Words) -> list[Part]:
    table = view.table
    press = Press(verb="hand", table=table.key.table, tag=table.tag)
    my_hand = button(press, words("button.my_hand"), style=ButtonStyle.primary)
    if table.event_no is not None:
        sit_out = button(press.but("leave"), words("event_table.button.sit_out"))
        return [my_hand, sit_out, *_event_buttons(view, words)]
    buttons = [my_hand, button(press.but("leave"), words("button.leave"))]
    if len(view.places) < table.max_seats:
        buttons.append(button(press.but("join"), words("button.join")))
    if any(place.seat.away or place.seat.leaving for place in view.places if not is_computer(place.seat.player)):
        buttons.append(button(press.but("stay"), words("button.stay")))
    return buttons


def _event_buttons(view: TableView, words: Words) -> list[Part]:
    """Coming back is all that can be pressed at an event's table that does not play; seats are the event's."""
    if not any(place.seat.away and not place.seat.computer for place in view.places):
        return []
    return [button(Press(verb="stay", table=view.table.key.table, tag=view.table.tag), words("button.stay"))]


def call_screen(view: TableView, players: Sequence[str], words: Words, *, reminder: bool) -> Screen:
    """The message that calls players on turn, or reminds them; mentions in it do notify."""
    until = min((time for player in players if (time := view.until(player)) is not None), default=None)
    values: dict[str, str | int] = {"players": names(list(players), words), "table": view.table.key.table}
    if until is None:
        text = words("call.turn", **values)
    else:
        text = words("call.reminder" if reminder else "call.turn_until", until=moment(until), **values)
    press = Press(verb="hand", table=view.table.key.table, tag=view.table.tag)
    my_hand = button(press, words("button.my_hand"), style=ButtonStyle.primary)
    return screen(text, *rows_of([my_hand]), colour=TURN_COLOUR)
