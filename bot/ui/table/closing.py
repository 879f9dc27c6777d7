"""The last word about a table: what everybody has won or lost there, and a button to play again."""

from __future__ import annotations

from dataclasses import replace

from discord import ButtonStyle

from bot.model.ids import GuildId
from bot.model.standings import Total
from bot.play.look.views import ClosingView
from bot.play.table.again import NewTable
from bot.text.words import Words
from bot.ui.custom_ids import Press
from bot.ui.faces import Faces
from bot.ui.fragments import QUIET_COLOUR
from bot.ui.table.result import total_line
from bot.ui.table.title import table_title
from bot.ui.widgets import Part, Screen, button, rows_of, screen

SELF_EVIDENT = "empty"
"""The reason that needs no sentence: everybody has left."""


def closing_screen(view: ClosingView, words: Words, faces: Faces) -> Screen:
    """The message at the end of a table."""
    table = view.table
    parts = [f"### {words('closing.title')}\n-# {table_title(table, words)}"]
    if table.closed_reason != SELF_EVIDENT:
        parts.append(words(f"closed.{table.closed_reason}"))
    parts.append("\n".join(_sums(view, words, faces)))
    if not table.terms.practice:
        parts.append(words("closed.seeds", table=table.key.table))
    return screen(*parts, *rows_of(_buttons(view, words)), colour=QUIET_COLOUR)


SURE = 1
"""Stands in the press of somebody who was asked, where a button says of which hand it speaks."""


def asked_again(new: NewTable, press: Press, guild: GuildId, words: Words, faces: Faces) -> Screen:
    """Asks before a table is opened that calls others."""
    players = faces.names.list(guild, new.others, words)
    told = words("closing.asks", players=players)
    if new.buy_in:
        told = words("closing.asks_chips", players=players, chips=words.number(new.buy_in))
    sure = button(replace(press, hand=SURE), words("closing.open"), style=ButtonStyle.primary)
    return screen(told, *rows_of([sure]), colour=QUIET_COLOUR)


def _sums(view: ClosingView, words: Words, faces: Faces) -> list[str]:
    """Everybody's sum, the winner first, and what became of a hand that was still running."""
    played = max((total.hands for total in view.totals), default=0)
    lines = [words("closing.hands", count=played) if played else words("closing.no_hands")]
    lines += [_sum(view, total, words, faces) for total in view.totals]
    if view.unfinished:
        lines.append(f"-# {words('closing.unfinished', hand=view.table.hand_no)}")
    return lines


def _sum(view: ClosingView, total: Total, words: Words, faces: Faces) -> str:
    name = faces.names.of(view.table.key.guild, total.player, words)
    return total_line(name, points=total.points, chips=None if view.table.terms.practice else total.chips, words=words)


def _buttons(view: ClosingView, words: Words) -> list[Part]:
    """Those of an event's table are seated by the event."""
    table = view.table
    if table.event_no is not None:
        return []
    press = Press(verb="again", table=table.key.table, tag=table.tag)
    return [button(press, words("closing.again"), style=ButtonStyle.primary)]
