"""The server's leaderboard: by what, of which time and at which game, with the asker's own place."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from discord import SelectOption

from bot.ofc.presets import PRESETS
from bot.play.model import TableId
from bot.play.standings import EVERY_GAME, Asked, Leaderboard, Order, Span, Standing
from bot.text.names import preset_name
from bot.text.words import Words
from bot.ui.custom_ids import Press
from bot.ui.fragments import RESULT_COLOUR, player_name
from bot.ui.widgets import Part, Screen, button, rows_of, screen, select

PLACES: Final = 10
"""Lines a page."""
_ORDERS, _SPANS = tuple(Order), tuple(Span)
EVERY: Final = "every"
"""All games together, where a menu needs a value."""


def pressed(asked: Asked, *, page: int, verb: str) -> Press:
    """A press that carries which leaderboard is meant."""
    which = _ORDERS.index(asked.order) * len(_SPANS) + _SPANS.index(asked.span)
    return Press(verb=verb, table=TableId(0), hand=page, street=which, argument=asked.game)


def asked_of(press: Press) -> Asked:
    """Which leaderboard a press means."""
    order, span = divmod(press.street, len(_SPANS))
    known = order < len(_ORDERS) and press.argument in (*PRESETS, EVERY_GAME)
    return Asked(_ORDERS[order], _SPANS[span], press.argument) if known else Asked()


def leaderboard_screen(board: Leaderboard, words: Words) -> Screen:
    """A page for the asker, with menus; or why there is nobody yet."""
    return screen(_text(board, words), *_controls(board, words), colour=RESULT_COLOUR)


def leaderboard_for_all(board: Leaderboard, words: Words) -> Screen:
    """The same for everybody: without the asker's own place, and with nothing to press."""
    return screen(_text(replace(board, own=None, own_place=0), words), colour=RESULT_COLOUR)


def _text(board: Leaderboard, words: Words) -> str:
    asked = board.asked
    title = f"### {words('leaderboard.title', by=words(f'leaderboard.by.{asked.order.value}'))}"
    game = preset_name(PRESETS[asked.game], words) if asked.game in PRESETS else words("leaderboard.every_game")
    below = f"-# {words(f'leaderboard.span.{asked.span.value}')} · {game}"
    if not board.lines:
        return f"{title}\n{below}\n{words('leaderboard.empty', count=asked.order.least_hands)}"
    first = board.page * PLACES + 1
    shown = board.lines[:PLACES]
    lines = [_line(place, line, asked.order, words) for place, line in enumerate(shown, first)]
    if board.own is not None and not first <= board.own_place < first + len(shown):
        lines += ["…", _line(board.own_place, board.own, asked.order, words)]
    return "\n".join([title, below, *lines])


def _line(place: int, standing: Standing, order: Order, words: Words) -> str:
    value, name = standing.value(order), player_name(standing.player, words)
    match order:
        case Order.POINTS:
            shown = words.signed_decimal(value, decimals=2)
        case Order.ROYALTIES:
            shown = words.decimal(value, decimals=2)
        case Order.FOULS:
            shown = words.percent(round(100 * value))
        case Order.CHIPS | Order.BEST:
            shown = words.signed(int(value))
        case Order.FANTASYLAND | Order.STAYS:
            shown = words.number(int(value))
    return words("leaderboard.line", place=place, player=name, value=shown, hands=words.number(standing.hands))


def _controls(board: Leaderboard, words: Words) -> list[Part]:
    asked, page = board.asked, board.page
    orders = [
        SelectOption(label=words(f"leaderboard.by.{order.value}"), value=order.value, default=order is asked.order)
        for order in Order
    ]
    spans = [
        SelectOption(label=words(f"leaderboard.span.{span.value}"), value=span.value, default=span is asked.span)
        for span in Span
    ]
    parts = [
        select(pressed(asked, page=0, verb="lb_by"), orders, placeholder=words("leaderboard.choose_by")),
        select(pressed(asked, page=0, verb="lb_span"), spans, placeholder=words("leaderboard.choose_span")),
    ]
    if len(board.games) > 1 or asked.game:
        press = pressed(asked, page=0, verb="lb_game")
        parts.append(select(press, _games(board, words), placeholder=words("leaderboard.choose_game")))
    buttons = []
    if page or len(board.lines) > PLACES:
        buttons.append(button(pressed(asked, page=max(0, page - 1), verb="lb_page"), "◀", disabled=not page))
        further = pressed(asked, page=page + 1, verb="lb_page")
        buttons.append(button(further, "▶", disabled=len(board.lines) <= PLACES))
    if board.lines:
        buttons.append(button(pressed(asked, page=page, verb="lb_show"), words("leaderboard.show_all")))
    return [*parts, *rows_of(buttons)]


def _games(board: Leaderboard, words: Words) -> list[SelectOption]:
    every = SelectOption(label=words("leaderboard.every_game"), value=EVERY, default=not board.asked.game)
    played = [key for key in board.games if key in PRESETS]
    return [
        every,
        *(
            SelectOption(label=preset_name(PRESETS[key], words)[:100], value=key, default=key == board.asked.game)
            for key in played
        ),
    ]
