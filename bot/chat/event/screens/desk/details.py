"""One player or one table on the organiser's desk, with the controls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import discord

from bot.chat.event.screens.desk.page import (
    LABEL,
    OTHER,
    Controls,
    DeskContext,
    person_line,
    player_option,
    state_of,
    table_text,
    waiting_state,
    wallet_of,
)
from bot.chat.event.screens.screen import about, heading
from bot.chat.kit.custom_ids import Press, short_id
from bot.chat.kit.fragments import MAX_OPTIONS, QUIET_COLOUR, player_name
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen, text
from bot.model.event_rulings import RULINGS, UNDONE
from bot.model.events import EventFact
from bot.model.ids import Player
from bot.play.event.office.views import StandingsLine
from bot.play.event.organisers.late_rulings import UNDO_MS
from bot.play.event.organisers.organiser_desk import DeskTable, DeskView
from bot.text.words import Words

PENALTIES = (1, 2, 3, 5, 10)

AT_TABLE = "-"
"""Prefix of the table number in the argument of the table's menu."""

# One player


def person_screen(desk: DeskView, player: Player, context: DeskContext, controls: Controls) -> Screen:
    """Draw everything about a player, with the controls that the event's state allows."""
    event, words, line = desk.event, context.words, desk.view.line_of(player)
    if line is not None:
        told = [person_line(desk, line, words)]
        if line.entrant.entries > 1:
            told.append(words("event_desk.entries", count=line.entrant.entries))
    else:
        out = player in desk.view.reinstatable
        stands = words("event_desk.state.disqualified" if out else "event_desk.state.not_in")
        if waiting := desk.view.waiting_of(player):
            stands = waiting_state(desk, waiting, words)
        told = [words.facts([player_name(player, words), stands, *wallet_of(desk, player, words)])]
    if event.phase.over and line is not None and player == desk.reader:
        told.append(words("refused.own_result"))
    parts: list[str | Part] = ["\n".join(heading(event, words)), "\n".join(told)]
    press = replace(about(event), argument=short_id(int(player)))
    parts += button_rows([*controls.buttons, _back_button(desk, words)])
    if line is not None and "move" in controls.menus:
        parts += _move_menu(desk, line, press, context)
    if line is not None and "penalty" in controls.menus:
        parts.append(_penalty_menu(line, press, context))
    if controls.more:
        parts.append(context.menu(replace(press, verb="ev_d_more"), controls.more, "event_desk.more", place=4))
    return screen(*parts, colour=QUIET_COLOUR)


def _back_button(desk: DeskView, words: Words) -> Part:
    return button(about(desk.event).but("ev_desk"), words("event_desk.button.back"))


def _move_menu(desk: DeskView, line: StandingsLine, press: Press, context: DeskContext) -> Iterator[Part]:
    """Yield the menu of tables with a free seat. Each option says how even the tables would be."""
    words, seats = context.words, desk.event.structure.table_seats
    if line.table is None:
        return
    sizes = {table.id: len(table.line.players) for table in desk.tables}
    options = []
    free = [table for table in desk.tables if sizes[table.id] < seats and table.id != line.table]
    for table in sorted(free, key=lambda table: table.number):
        after = {**sizes, table.id: sizes[table.id] + 1, line.table: sizes[line.table] - 1}
        even = max(after.values()) - min(after.values()) <= 1
        label = words("event_desk.seat", table=table.number, taken=sizes[table.id], seats=seats)
        told = words(
            "event_desk.even" if even else "event_desk.uneven", least=min(after.values()), most=max(after.values())
        )
        options.append(discord.SelectOption(label=label, value=str(table.id), description=told[:LABEL]))
    if not options:
        if len(sizes) > 1:
            yield text(words("event_desk.no_seat"))
    else:
        menu = replace(press, verb="ev_d_to")
        if len(options) > MAX_OPTIONS:
            other = discord.SelectOption(label=words("event_desk.other_table"), value=OTHER)
            options = [*options[: MAX_OPTIONS - 1], other]
        yield context.menu(menu, options, "event_desk.move_to", place=2)


def too_late_text(desk: DeskView, fact: EventFact, words: Words) -> str:
    """Return why an action on an older desk can no longer be undone, and until when it could have been."""
    player = Player(str(fact.details.get("player", "")))
    line, name = desk.view.line_of(player), player_name(player, words)
    if fact.kind == "disqualified" and line is not None and line.entrant.disqualified:
        return words("event_desk.too_late.disqualified", player=name)
    if fact.kind in ("registered_for", "unregistered") and not desk.event.phase.before:
        return words("event_desk.too_late.started")
    if fact.kind in ("penalty", "sat_out", "to_be_moved"):
        return words(f"event_desk.too_late.{fact.kind}", player=name)
    if fact.kind in RULINGS:
        undone = any(one.kind == UNDONE and one.details["ruling"] == fact.number for one in desk.acts)
        if undone:
            return words("refused.ruling_undone")
        if desk.at >= fact.at + UNDO_MS:
            return words("refused.too_late_to_undo")
    return words("event_desk.too_late.already")


def _penalty_menu(line: StandingsLine, press: Press, context: DeskContext) -> Part:
    words = context.words
    options = [
        discord.SelectOption(label=words("event_desk.penalty_hands", count=hands), value=str(hands))
        for hands in PENALTIES
    ]
    if line.entrant.penalty:
        options.append(discord.SelectOption(label=words("event_desk.penalty_off"), value="0"))
    options.append(discord.SelectOption(label=words("event_desk.other_number"), value=OTHER))
    return context.menu(replace(press, verb="ev_d_penal"), options, "event_desk.penalty", place=3)


# One table


def table_screen(desk: DeskView, table: DeskTable, context: DeskContext, controls: Controls) -> Screen:
    """Draw a table with its players and the controls."""
    words, event = context.words, desk.event
    lines = [table_text(desk, table, words)]
    seated = [(player, desk.view.line_of(player)) for player in table.line.players]
    for player, line in seated:
        marks = [] if line is None else state_of(desk, line, words)[1:]
        stack = [words.number(table.stacks[player])] if table.stacks.get(player) else []
        lines.append(words.facts([f"- {player_name(player, words)}", *stack, *marks]))
    parts: list[str | Part] = ["\n".join(heading(event, words)), "\n".join(lines)]
    parts += button_rows([*controls.buttons, _back_button(desk, words)])
    options = [player_option(desk, line, context) for player, line in seated if line is not None and player.isdecimal()]
    if options or controls.more:
        press = replace(about(event).but("ev_d_more", f"{AT_TABLE}{table.id}"), hand=table.line.table.hand_no)
        placeholder = "event_desk.choose_seated" if controls.more else "event_desk.choose_person"
        parts.append(context.menu(press, [*options, *controls.more], placeholder, place=1))
    return screen(*parts, colour=QUIET_COLOUR)
