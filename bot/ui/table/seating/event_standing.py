"""What somebody reads of an event at a table where they have no seat: their place, where they play, where to watch."""

from __future__ import annotations

from discord import ButtonStyle

from bot.model.ids import TableId
from bot.model.tables import Role, Standing
from bot.play.look.views import TableView
from bot.text.event_structure import place_name
from bot.text.words import Words, escape_name
from bot.ui.custom_ids import Press
from bot.ui.widgets import Part, button, rows_of


def standing_text(view: TableView, standing: Standing, words: Words) -> str:
    """How they stand, and what they can do next."""
    lines = [_stands(view, standing, words)]
    if standing.enter_again:
        press = words("event.button.enter_again")
        lines.append(words("event_table.standing.enter_again", level=standing.enter_again, press=press))
    if standing.table and standing.part is not Role.SEATED:
        link = _link(view, standing)
        lines.append(words("event_table.standing.watch", table=standing.table, link=link))
    return "\n".join(lines)


def _stands(view: TableView, standing: Standing, words: Words) -> str:
    assert view.event is not None
    if standing.part is Role.SEATED:
        return words("event_table.standing.seated", table=standing.table, link=_link(view, standing))
    if standing.part in (Role.NONE, Role.WAITS):
        return words(f"event_table.standing.{standing.part.value}")
    name = escape_name(view.event.name)
    if standing.part is not Role.OUT or not standing.place:
        return words(f"event_table.standing.{standing.part.value}", event=name)
    if standing.place == 1:
        return words("event_table.standing.won", event=name)
    key = "finished" if standing.over else "out_at"
    return words(f"event_table.standing.{key}", event=name, place=place_name(standing.place, words))


def _link(view: TableView, standing: Standing) -> str:
    address = f"https://discord.com/channels/{view.table.key.guild}/{standing.channel}"
    return address if standing.message is None else f"{address}/{standing.message}"


def standing_rows(view: TableView, standing: Standing, words: Words) -> list[Part]:
    """The way to the standings, and back into the event where one may enter again."""
    assert view.event is not None
    press = Press(verb="ev_standings", table=TableId(view.event.number), tag=standing.tag)
    buttons = [button(press, words("event.button.results" if standing.over else "event.button.standings"))]
    if standing.enter_again:
        enter = press.but("ev_register")
        buttons.insert(0, button(enter, words("event.button.enter_again"), style=ButtonStyle.success))
    return rows_of(buttons)
