"""The organiser's tools on screen: what can be done with an event, and with one of its players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discord import ButtonStyle, ui

from bot.model.events import Event, Every, Phase
from bot.model.ids import Player
from bot.play.event.organiser import LONGEST_ANNOUNCEMENT, LONGEST_REASON, fillable
from bot.play.event.views import EventView
from bot.text.words import Words
from bot.ui.custom_ids import Press
from bot.ui.event.answers import fill_button
from bot.ui.event.screen import about, heading
from bot.ui.fragments import QUIET_COLOUR, player_name
from bot.ui.widgets import FormField, Part, Screen, button, modal, rows_of, screen, user_select

LONGEST_NUMBER = 12


def tools_screen(view: EventView, words: Words, *, said: str = "") -> Screen:
    """What an organiser can do with the event as it stands; ``said`` is what was done just now."""
    event = view.event
    lines = [*heading(event, words), words("event_tools.private"), *([said] if said else [])]
    return screen(
        "\n".join(lines), *rows_of(_event_buttons(view, words)), _player_menu(event, words), colour=QUIET_COLOUR
    )


def _event_buttons(view: EventView, words: Words) -> list[Part]:
    event = view.event
    press = about(event)
    made = []
    if event.phase.before:
        made.append(button(press.but("ev_start"), words("event_tools.button.start"), style=ButtonStyle.primary))
        if fillable(event, len(view.lines)):
            made.append(fill_button(event, words))
    elif event.phase is Phase.RUNNING:
        verb = "resume" if event.paused else "pause"
        made.append(button(press.but(f"ev_{verb}"), words(f"event_tools.button.{verb}"), style=ButtonStyle.primary))
    if event.starts_at is not None:
        held = "once" if event.repeat else Every.WEEK.value
        made.append(button(press.but("ev_repeat", held), words(f"event_tools.button.repeat_{held}")))
    made.append(button(press.but("ev_announce"), words("event_tools.button.announce")))
    made.append(button(press.but("ev_ask_cancel"), words("event_tools.button.cancel"), style=ButtonStyle.danger))
    return made


def _player_menu(event: Event, words: Words) -> Part:
    return user_select(about(event).but("ev_player"), placeholder=words("event_tools.player"))


def player_screen(event: Event, player: Player, argument: str, words: Words) -> Screen:
    """What an organiser can do with one person; ``argument`` is their id as it fits into a button."""
    press = replace(about(event), argument=argument)
    verbs = ["ev_penalty", "ev_adjust", "ev_move"] if event.phase is Phase.RUNNING else []
    made = [_tool(press, verb, words) for verb in verbs]
    helper = "ev_unhelp" if player in event.helpers else "ev_help"
    made += [
        _tool(press, helper, words),
        _tool(press, "ev_ask_out", words, style=ButtonStyle.danger),
        button(about(event).but("ev_tools"), words("event_tools.button.back")),
    ]
    head = "\n".join([*heading(event, words), words("event_tools.about_player", player=player_name(player, words))])
    return screen(head, *rows_of(made), colour=QUIET_COLOUR)


def _tool(press: Press, verb: str, words: Words, *, style: ButtonStyle = ButtonStyle.secondary) -> Part:
    label = words(f"event_tools.button.{verb.removeprefix('ev_')}")
    return button(replace(press, verb=verb), label, style=style)


def announcement_form(press: Press, words: Words) -> ui.Modal:
    """The form for what everybody in the event is to read."""
    field = FormField(label=words("event_tools.field.text"), most=LONGEST_ANNOUNCEMENT, long=True)
    return modal(press, words("event_tools.button.announce"), [field])


def ruling_form(press: Press, words: Words) -> ui.Modal:
    """The form of a ruling over one player: its number, and the reason, which everybody reads."""
    what = press.verb.removeprefix("ev_")
    fields: Sequence[FormField] = (
        FormField(
            label=words(f"event_tools.field.{what}"),
            most=LONGEST_NUMBER,
            hint=words(f"event_tools.hint.{what}"),
        ),
        FormField(label=words("event.why.label"), most=LONGEST_REASON, hint=words("event.why.hint")),
    )
    return modal(press, words(f"event_tools.button.{what}"), fields)
