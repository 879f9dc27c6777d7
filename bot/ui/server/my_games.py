"""A player's tables at a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from discord import ButtonStyle

from bot.model.ids import TableId, TableKey
from bot.model.tables import TableState
from bot.play.look.views import Missed, TableView
from bot.text.words import Words, escape_name
from bot.ui.custom_ids import Press
from bot.ui.fragments import QUIET_COLOUR, moment, names
from bot.ui.table.lobby import table_title, waits_text
from bot.ui.table.seats_screen import missed_text
from bot.ui.widgets import Part, Screen, button, rows_of, screen, section

TABLES_A_PAGE = 8
"""A table takes three components of the forty that a message may have."""


MOST_MISSED = 5
"""Tables of which it is told, on top, what happened there without the reader."""


def my_games_screen(
    views: Sequence[TableView], words: Words, *, page: int, missed: Mapping[TableKey, Missed] | None = None
) -> Screen:
    """Each table with whose turn it is and until when, those that wait for the reader first; above them all what
    happened without the reader.
    """
    ordered = sorted(views, key=_urgency)
    last_page = max(0, -(-len(ordered) // TABLES_A_PAGE) - 1)
    page = min(page, last_page)
    shown = ordered[page * TABLES_A_PAGE : (page + 1) * TABLES_A_PAGE]
    parts: list[str | Part] = [f"### {words('games.title')}"]
    if missed and not page:
        parts.append(_missed([view.table.key for view in ordered], missed, words))
    parts += [_line(view, words) for view in shown]
    if not shown:
        parts.append(words("games.none"))
    left = len(ordered) - (page + 1) * TABLES_A_PAGE
    if left > 0:
        parts.append(words("games.more", count=left))
    press = Press(verb="my_games", table=TableId(0))
    buttons = [button(replace(press, hand=page), words("button.refresh"))]
    if last_page:
        # A page may be turned to the page shown: the street keeps the two ids apart.
        buttons.append(
            button(replace(press, hand=max(0, page - 1), street=1), words("button.newer"), disabled=page == 0)
        )
        buttons.append(
            button(replace(press, hand=page + 1, street=2), words("button.older"), disabled=page == last_page)
        )
    return screen(*parts, *rows_of(buttons), colour=QUIET_COLOUR)


def _missed(tables: Sequence[TableKey], missed: Mapping[TableKey, Missed], words: Words) -> str:
    lines = [missed_text(missed[key], words, table=key.table) for key in tables if key in missed]
    left = len(lines) - MOST_MISSED
    more = [words("away.more", count=left)] if left > 0 else []
    return "\n".join([words("away.title"), *lines[:MOST_MISSED], *more])


def _urgency(view: TableView) -> tuple[bool, int, int]:
    """Those that wait for the reader come first, the shortest time before the others."""
    mine = view.you in view.waiting
    until = view.turn_until or view.next_hand_at or view.lobby_until or 1 << 62
    return not mine, until, view.table.key.table


def _line(view: TableView, words: Words) -> Part:
    table = view.table
    text = words(
        "games.line", title=table_title(table, words), channel=f"<#{table.channel}>", state=_state(view, words)
    )
    if view.event is not None:
        text += "\n" + words("event_table.event", name=escape_name(view.event.name), number=view.event.number)
    mine = view.you in view.waiting
    press = Press(verb="panel", table=table.key.table, tag=table.tag)
    style = ButtonStyle.primary if mine else ButtonStyle.secondary
    has_hand = table.state is TableState.PLAYING and view.hand is not None and view.hand.mine is not None
    return section(text, button(press, words("button.my_hand" if has_hand else "games.open"), style=style))


def _state(view: TableView, words: Words) -> str:
    if view.waiting:
        players = names([player for player in view.waiting if player != view.you], words)
        until = view.until(view.you) if view.you in view.waiting and view.you else view.turn_until
        key = "games.your_turn" if view.you in view.waiting else "games.others_turn"
        values = {} if view.you in view.waiting else {"players": players}
        if until is None:
            return words(f"{key}_untimed", **values)
        return words(key, until=moment(until), **values)
    if view.stalled:
        return words("games.stalled")
    if view.event is not None and (waits := waits_text(view.event, words)):
        return waits
    if view.next_hand_at is not None:
        return words("games.between", when=moment(view.next_hand_at))
    if view.table.state is TableState.LOBBY and view.event is None:
        return words("games.lobby", count=len(view.places))
    return words("games.your_deal" if view.table.private else "table.pause")
