"""What a player's own panel says where their seat is not dealt in: how they come back, and what a rebuy brings."""

from __future__ import annotations

from discord import ButtonStyle

from bot.play.look.views import TableView
from bot.text.words import Words
from bot.ui.custom_ids import Press
from bot.ui.widgets import Part, button, rows_of


def own_seat_text(view: TableView, words: Words) -> str:
    """A sentence for who has lost everything, sits out or was removed; empty for everybody else."""
    if view.you in view.table.removed and view.mine is None:
        return words("seats.removed")
    if view.broke:
        return words("seats.broke")
    if view.mine is None or not _is_out(view):
        return ""
    stays = view.mine.seat.dealt_in and not view.mine.seat.away
    return words("seats.out_next" if stays else "seats.sits_out")


def _is_out(view: TableView) -> bool:
    """True for a player who misses the next hand unless they come back."""
    assert view.mine is not None
    return view.mine.seat.sits_out or (view.mine.seat.away and view.event is None)


def own_seat_buttons(view: TableView, words: Words) -> list[Part]:
    """The way back into the game, and to the seats."""
    if view.mine is None or not view.table.open:
        return []
    press = Press(verb="seats", table=view.table.key.table, tag=view.table.tag)
    seats = button(press, words("button.seats"))
    if view.broke:
        rebuy = button(press.but("rebuy"), words("seats.button.rebuy"), style=ButtonStyle.success)
        return rows_of([rebuy, seats])
    if _is_out(view):
        back = button(press.but("come_back"), words("button.stay"), style=ButtonStyle.success)
        return rows_of([back, seats])
    return []
