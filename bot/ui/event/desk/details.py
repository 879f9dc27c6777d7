"""One person and one table on the organiser's desk with what can be done there, and the form that asks for a reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import discord
from discord import ButtonStyle

from bot.event.structure import Family
from bot.model.events import EntrantState, EventFact, Phase
from bot.model.ids import Player
from bot.play.event.office.views import Line
from bot.play.event.organisers.evening import DeskTable, DeskView, misses
from bot.text.words import Words
from bot.ui.custom_ids import Press, short_id
from bot.ui.event.desk.page import (
    LABEL,
    Pen,
    option_of,
    person_line,
    state_of,
    table_text,
    wallet_of,
)
from bot.ui.event.screen import about, heading
from bot.ui.event.tools import disqualify_text
from bot.ui.fragments import MOST_OPTIONS, QUIET_COLOUR, player_name
from bot.ui.widgets import Part, Screen, button, rows_of, screen, text

PENALTIES = (1, 2, 3, 5, 10)

# One person


def person_screen(desk: DeskView, player: Player, pen: Pen) -> Screen:
    """All that is known of somebody, and what can be done for them as the event stands."""
    event, words, line = desk.event, pen.words, desk.view.line_of(player)
    if line is not None:
        told = [person_line(desk, line, words)]
        if line.entrant.entries > 1:
            told.append(words("event_desk.entries", count=line.entrant.entries))
    else:
        out = player in desk.view.reinstatable
        stands = words("event_desk.state.disqualified" if out else "event_desk.state.not_in")
        told = [words.facts([player_name(player, words), stands, *wallet_of(desk, player, words)])]
    parts: list[str | Part] = ["\n".join(heading(event, words)), "\n".join(told)]
    press = replace(about(event), argument=short_id(int(player)))
    parts += rows_of([*_person_buttons(desk, player, line, press, words), _back(desk, words)])
    if line is not None and event.phase is Phase.RUNNING and line.entrant.playing and not line.entrant.disqualified:
        parts += [*_move_menu(desk, line, press, pen), _penalty_menu(line, press, pen)]
    return screen(*parts, colour=QUIET_COLOUR)


def _back(desk: DeskView, words: Words) -> Part:
    return button(about(desk.event).but("ev_desk"), words("event_desk.button.back"))


def _person_buttons(desk: DeskView, player: Player, line: Line | None, press: Press, words: Words) -> list[Part]:
    event, entrant = desk.event, None if line is None else line.entrant
    verbs = []
    if entrant is not None and entrant.state is not EntrantState.OUT:
        verbs.append("call")
    enters_again = desk.view.may_enter_again(player)
    if desk.view.registration_open and (entrant is None or enters_again) and player not in desk.view.reinstatable:
        verbs.append("register")
    if entrant is not None and line is not None:
        if event.phase is Phase.CHECK_IN and entrant.state is EntrantState.REGISTERED:
            verbs.append("check_in")
        if event.phase.before:
            verbs.append("unregister")
        if event.phase is Phase.RUNNING and entrant.playing and not entrant.penalty and not entrant.disqualified:
            verbs.append("back_in_play" if misses(event, line) else "sit_out")
        if entrant.move_to is not None:
            verbs.append("stay")
    verbs.append("unhelp" if player in event.helpers else "help")
    if player in desk.view.reinstatable:
        verbs.append("reinstate")
    made = [_act(press, verb, words) for verb in verbs if not (verb == "help" and player == event.organiser)]
    if entrant is not None and not entrant.disqualified and entrant.state is not EntrantState.OUT:
        made.append(_act(press, "out", words, style=ButtonStyle.danger))
    return made


VERBS = {
    "call": "ev_d_call",
    "register": "ev_d_register",
    "check_in": "ev_d_check_in",
    "unregister": "ev_d_unlist",
    "sit_out": "ev_d_away",
    "back_in_play": "ev_d_back",
    "stay": "ev_d_stay",
    "help": "ev_d_help",
    "unhelp": "ev_d_unhelp",
    "reinstate": "ev_d_back_in",
    "out": "ev_d_out",
}


def _act(press: Press, name: str, words: Words, *, style: ButtonStyle = ButtonStyle.secondary) -> Part:
    return button(replace(press, verb=VERBS[name]), words(f"event_desk.button.{name}"), style=style)


def _move_menu(desk: DeskView, line: Line, press: Press, pen: Pen) -> Iterator[Part]:
    """The tables with a free seat, and how even the tables would be; nothing where nobody is moved by hand."""
    event, words, seats = desk.event, pen.words, desk.event.structure.table_seats
    if event.format.family is not Family.FREEZEOUT or line.table is None:
        return
    sizes = {table.number: len(table.line.players) for table in desk.tables}
    options = []
    for number in sorted(number for number, size in sizes.items() if size < seats and number != line.table):
        after = {**sizes, number: sizes[number] + 1, line.table: sizes[line.table] - 1}
        even = max(after.values()) - min(after.values()) <= 1
        label = words("event_desk.seat", table=number, taken=sizes[number], seats=seats)
        told = words(
            "event_desk.even" if even else "event_desk.uneven", least=min(after.values()), most=max(after.values())
        )
        options.append(discord.SelectOption(label=label, value=str(number), description=told[:LABEL]))
    if not options:
        if len(sizes) > 1:
            yield text(words("event_desk.no_seat"))
    else:
        menu = replace(press, verb="ev_d_to")
        yield pen.menu(menu, options[:MOST_OPTIONS], "event_desk.move_to", place=2)


def act_text(desk: DeskView, verb: str, player: Player, words: Words, *, hands: int) -> str:
    """What an act means that asks for its reason, as far as its title does not say it."""
    if verb == "ev_d_out":
        return disqualify_text(desk.view, player, words)
    return words("event_desk.penalty_counts") if verb == "ev_d_penalty" and hands else ""


def too_late_text(desk: DeskView, fact: EventFact, words: Words) -> str:
    """Why an act of a desk drawn earlier can't be taken back any more, and until when it could be."""
    player = Player(str(fact.details.get("player", "")))
    line, name = desk.view.line_of(player), player_name(player, words)
    if fact.kind == "disqualified" and line is not None and line.entrant.disqualified:
        return words("event_desk.too_late.disqualified", player=name)
    if fact.kind in ("registered_for", "unregistered") and not desk.event.phase.before:
        return words("event_desk.too_late.started")
    if fact.kind in ("penalty", "sat_out", "to_be_moved"):
        return words(f"event_desk.too_late.{fact.kind}", player=name)
    return words("event_desk.too_late.already")


def _penalty_menu(line: Line, press: Press, pen: Pen) -> Part:
    words = pen.words
    options = [
        discord.SelectOption(label=words("event_desk.penalty_hands", count=hands), value=str(hands))
        for hands in PENALTIES
    ]
    if line.entrant.penalty:
        options.append(discord.SelectOption(label=words("event_desk.penalty_off"), value="0"))
    return pen.menu(replace(press, verb="ev_d_penal"), options, "event_desk.penalty", place=3)


# One table


def table_screen(desk: DeskView, table: DeskTable, pen: Pen) -> Screen:
    """A table with its players, and what can be done there."""
    words, event = pen.words, desk.event
    lines = [table_text(desk, table, words)]
    seated = [(player, desk.view.line_of(player)) for player in table.line.players]
    for player, line in seated:
        marks = [] if line is None else state_of(desk, line, words)[1:]
        stack = [words.number(table.stacks[player])] if table.stacks.get(player) else []
        lines.append(words.facts([f"- {player_name(player, words)}", *stack, *marks]))
    press = replace(about(event), argument=str(table.number), hand=table.line.table.hand_no)
    made = [button(replace(press, verb="ev_d_call_at"), words("event_desk.button.call_table"))]
    if event.treats_tables_apart:
        verb = "release" if table.line.info.held else "hold"
        made.append(button(replace(press, verb=f"ev_d_{verb}"), words(f"event_desk.button.{verb}")))
        if table.line.playing:
            label = words("event_desk.button.end_hand")
            made.append(button(replace(press, verb="ev_d_void"), label, style=ButtonStyle.danger))
    parts: list[str | Part] = ["\n".join(heading(event, words)), "\n".join(lines)]
    parts += rows_of([*made, _back(desk, words)])
    options = [option_of(desk, line, pen) for player, line in seated if line is not None and player.isdecimal()]
    if options:
        parts.append(pen.menu(about(event).but("ev_d_person"), options, "event_desk.choose_person", place=1))
    return screen(*parts, colour=QUIET_COLOUR)
