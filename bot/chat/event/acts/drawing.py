"""Buttons and forms of actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord import ButtonStyle, ui

from bot.chat.event.acts.act import Act, ActContext, ActUse, EventActField, Subject
from bot.chat.event.acts.organisers import ACTS
from bot.chat.event.screens.desk.page import Controls
from bot.chat.event.screens.screen import SURE, about
from bot.chat.kit.custom_ids import Press, short_id
from bot.chat.kit.fragments import FOUL_COLOUR
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormPick, PickKind, modal
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen
from bot.model.events import Event
from bot.text.words import Words


def controls(case: ActContext, subject: Subject, words: Words, acts: Sequence[Act] = ACTS) -> Controls:
    """Return the controls for the actions offered on ``subject``."""
    offered = [act for act in acts if act.about is subject and act.offered(case)]
    more = [act for act in offered if act.in_more]
    if subject is Subject.EVENT:
        more += [act for act in acts if act.on_desk and act.offered(case)]
    # Actions that end something come last.
    more.sort(key=lambda act: act.style is ButtonStyle.danger)
    buttons = [act for act in offered if not act.menu and act not in more]
    if subject is Subject.PLAYER and len(more) == 1:
        buttons, more = [*buttons, *more], []
    return Controls(
        buttons=tuple(_button(act, case, words) for act in buttons),
        menus=frozenset(act.name for act in offered if act.menu),
        more=tuple(discord.SelectOption(label=_label(act, case, words), value=act.name) for act in more),
    )


def act_press(act: Act, case: ActContext) -> Press:
    """Return the press of an action's button."""
    terms = "" if act.terms is None else act.terms(case)
    press = about(case.event).but(act.verb, act.argument, terms=terms)
    if act.shows is not None:
        return replace(press, hand=act.shows(case))
    if act.about is Subject.PLAYER and case.player:
        return press.but(act.verb, short_id(int(case.player)), terms=terms)
    if case.seat is None:
        return press
    return Press(
        verb=act.verb,
        table=press.table,
        tag=press.tag,
        argument=str(case.table),
        hand=case.seat.line.table.hand_no,
    )


def _button(act: Act, case: ActContext, words: Words) -> Part:
    return button(act_press(act, case), _label(act, case, words), style=act.style)


def _label(act: Act, case: ActContext, words: Words) -> str:
    key = f"event_desk.button.{act.name}"
    return words(key) if act.count is None else words(key, count=act.count(case))


def names_player(act: Act, press: Press) -> bool:
    """True if the form of a press asks for the player, because the press doesn't name one."""
    return act.about is Subject.PLAYER and not press.argument and act.verb == press.verb


def form(
    act: Act, press: Press, case: ActContext, use: ActUse, words: Words, *, fields: Sequence[AnyField], called: str
) -> ui.Modal:
    """Return the form for the values that ``press`` doesn't carry; ``called`` is the player's plain name."""
    title, known = f"event_desk.form.{act.name}", not any(ask.of == "number" for ask in act.asked(press.verb))
    if known and words.has(title):
        values: dict[str, str | int] = {"player": called, "table": use.table_number, "count": use.number}
        headed = words(title, **{name: value for name, value in values.items() if words.takes(title, name)})
    else:
        headed = words(f"event_desk.button.{act.name}")
    return modal(press, headed, fields, said=meaning(act, case, use, words))


def meaning(act: Act, case: ActContext, use: ActUse, words: Words) -> str:
    """Return the explanation of an action, followed by its warnings for the organiser."""
    means = "" if act.means is None else act.means(case, use, words)
    return "\n".join(filter(None, [means, *act.warnings(use.by, case, words)]))


def sure_screen(act: Act, press: Press, warnings: Sequence[str], words: Words) -> Screen:
    """Return the confirmation page of an action without a form."""
    yes = button(replace(press, verb=act.verb, street=SURE), words(f"event_desk.button.{act.name}"))
    return _question(warnings, yes, press, words)


def undo_screen(press: Press, number: int, warnings: Sequence[str], words: Words) -> Screen:
    """Return the confirmation page for undoing a log entry."""
    undo = replace(press.but("ev_d_undo"), hand=number, street=SURE)
    return _question(warnings, button(undo, words("event_desk.take_back")), press, words)


def _question(warnings: Sequence[str], yes: Part, press: Press, words: Words) -> Screen:
    back = button(replace(press, hand=0, street=0).but("ev_desk"), words("event_desk.button.back"))
    return screen("\n".join([*warnings, words("event_desk.sure")]), *button_rows([yes, back]), colour=FOUL_COLOUR)


def form_fields(act: Act, press: Press, event: Event, words: Words, written: Sequence[str] = ()) -> list[AnyField]:
    """Return the fields of the form that ``press`` opens, filled with ``written``."""
    asked = act.asked(press.verb)
    values = [*([""] * len(asked)), *written][len(written) :]
    fields = [_field(ask, event, words, value) for ask, value in zip(asked, values, strict=True)]
    if not names_player(act, press):
        return fields
    return [FormPick(label=words("event_desk.field.player"), kind=PickKind.USER), *fields]


def _field(ask: EventActField, event: Event, words: Words, written: str) -> AnyField:
    label, hint = "event.why.label", "event.why.hint"
    if ask.field:
        label, hint = f"event_desk.field.{ask.field}", f"event_desk.hint.{ask.field}"
    if not ask.choices:
        return FormField(
            label=words(label),
            value=written,
            most=ask.max_length,
            long=ask.long,
            optional=ask.optional,
            required=not ask.optional,
            hint=words(hint),
        )
    chosen = written or ("" if ask.chosen is None else ask.chosen(event))
    options = [
        discord.SelectOption(label=words(key), value=value, default=value == chosen) for value, key in ask.choices
    ]
    return FormChoice(label=words(label), options=options, hint=words(hint))
