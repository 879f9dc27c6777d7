"""The organiser's desk after the end of an event, for rulings on its results."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.chat.event.screens.desk.page import LABEL, UNDO, Controls, DeskContext, person_menu, what_undone
from bot.chat.event.screens.lists import act_line
from bot.chat.event.screens.screen import about, all_about_button, cancelled_lines, heading, stamp
from bot.chat.event.screens.standings import disqualified_lines, line_text, podium, podium_lines
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import MAX_OPTIONS, MAX_TEXT_LENGTH, QUIET_COLOUR, and_more, text_length
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, screen
from bot.model.event_rulings import RULINGS, UNDONE
from bot.model.events import EventFact, Phase
from bot.play.event.organisers.organiser_desk import DeskView

MAX_PLACES = 10
MAX_RULINGS = 6
MAX_UNDO_BUTTONS = 2
"""Maximum number of rulings with a button to undo them. If there are more, only the newest has one."""
MAX_LABEL_LENGTH = 80


def late_screen(desk: DeskView, context: DeskContext, controls: Controls, *, said: str = "") -> Screen:
    """Draw the results, the rulings so far, and all controls. Lists are shortened to fit into one message.

    ``said`` confirms the last action.
    """
    for share in (1.0, 0.6, 0.3, 0.1):
        shown = _draw(desk, context, controls, said, share=share)
        if text_length(shown) <= MAX_TEXT_LENGTH:
            return shown
    return shown


def _draw(desk: DeskView, context: DeskContext, controls: Controls, said: str, *, share: float) -> Screen:
    view, words, until = desk.view, context.words, desk.rules_until
    may = words("event_desk.late.always") if until is None else words("event_desk.late.until", at=stamp(until))
    may = "\n".join([may, words("event_desk.late.how")]) if desk.rules else ""
    head = [*heading(desk.event, words), words("event_desk.private"), *([said] if said else [])]
    most = max(3, round(MAX_PLACES * share))
    places = [line_text(view, line, words) for line in view.fair[len(podium(view)) : most]]
    more = and_more(len(view.fair) - max(most, len(podium(view))), words)
    results = [*podium_lines(view, words), *places, *more, *disqualified_lines(view, words, most=most)]
    if desk.event.phase is Phase.CANCELLED:
        results = cancelled_lines(view, words)
    blocks = ["\n".join(head), *([may] if may else []), "\n".join(results)]
    rulings = [fact for fact in desk.acts if fact.kind in (*RULINGS, UNDONE)]
    if rulings:
        numbers = view.table_numbers
        told = [
            act_line(fact, words, now=desk.at, numbers=numbers)[:300]
            for fact in rulings[: max(2, round(MAX_RULINGS * share))]
        ]
        blocks.append("\n".join([words("event_desk.late.rulings"), *told]))
    buttons = len(desk.undoable) if len(desk.undoable) <= MAX_UNDO_BUTTONS else 1
    undo = [_undo_button(desk, fact, context) for fact in desk.undoable[:buttons]]
    earlier = desk.undoable[buttons:]
    refresh = button(about(desk.event).but("ev_desk"), words("event_desk.button.refresh"))
    made = [*undo, *controls.buttons, refresh, all_about_button(desk.event, words)]
    menus = [_undo_menu(desk, earlier, context)] if earlier else []
    menus += [person_menu(desk, context)] if desk.rules else []
    return screen(*apart(blocks), *button_rows(made), *menus, colour=QUIET_COLOUR)


def _undo_button(desk: DeskView, fact: EventFact, context: DeskContext) -> Part:
    place = about(desk.event)
    press = Press(verb="ev_d_undo", table=place.table, tag=place.tag, hand=fact.number)
    return button(press, _undo_label(desk, fact, context)[:MAX_LABEL_LENGTH])


def _undo_menu(desk: DeskView, rulings: Sequence[EventFact], context: DeskContext) -> Part:
    """Return the menu of rulings without a button to undo them."""
    options = [
        discord.SelectOption(label=_undo_label(desk, fact, context)[:LABEL], value=f"{UNDO}{fact.number}")
        for fact in rulings[:MAX_OPTIONS]
    ]
    return context.menu(about(desk.event).but("ev_d_more"), options, "event_desk.late.undo_earlier", place=3)


def _undo_label(desk: DeskView, fact: EventFact, context: DeskContext) -> str:
    return context.words("event_desk.take_back_of", what=what_undone(desk, fact, context))
