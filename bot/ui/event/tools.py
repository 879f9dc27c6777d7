"""The organiser's tools on screen: what can be done with an event, and with one of its players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord import ButtonStyle, ui

from bot.event.seeding import SeededBy
from bot.event.structure import Family, Format
from bot.model.choices import Server
from bot.model.events import Event, Every, Phase
from bot.model.ids import Player, is_computer
from bot.play.event.organiser import LONGEST_ANNOUNCEMENT, LONGEST_REASON, fillable
from bot.play.event.views import EventView
from bot.text.event_structure import by_fee, by_refund
from bot.text.words import Words, escape_name
from bot.text.zones import zone_name
from bot.ui.custom_ids import Press
from bot.ui.event.screen import about, fill_button, heading
from bot.ui.faces import DisplayNames
from bot.ui.fragments import MOST_OPTIONS, QUIET_COLOUR, day_of, moment, player_name
from bot.ui.widgets import (
    FormField,
    Part,
    Screen,
    button,
    modal,
    number_in,
    rows_of,
    screen,
    select,
    user_select,
)

# What the commands of an event answer in a sentence or two, and what they ask before they act.


def settings_text(server: Server, words: Words, *, usual_zone: str) -> str:
    """The role that may organise in a server, and its zone; ``usual_zone`` is that of a server without its own."""
    if server.organiser_role is None:
        people = words("event.done.only_managers")
    else:
        people = words("event.done.anybody_with", role=f"<@&{server.organiser_role}>")
    usual = words("event.done.usual_zone", zone=zone_name(usual_zone, words))
    zone = zone_name(server.zone, words) if server.zone else usual
    return words("event.done.settings", role=people, zone=zone)


def cancel_text(event: Event, words: Words) -> str:
    """What becomes of an event that is called off, of its fees, and of its next date."""
    structure, before = event.structure, event.phase.before  # by then no bounty is won
    asked = by_fee("event.ask.cancel_before", structure) if before else by_refund("event.ask.cancel", structure)
    said = [words(asked, name=escape_name(event.name))]
    if event.repeat is not None:
        said.append(words("event.ask.cancel_repeats", press=words("event_tools.button.repeat_once")))
    return words.side_by_side([*said, words("event.ask.for_good")])


def disqualify_text(view: EventView, player: Player, words: Words) -> str:
    """What it does to disqualify somebody, and until when it can be taken back: not at all while they play no hand."""
    event = view.event
    playing = any(table.playing and player in table.players for table in view.tables)
    at_once = not playing and event.format.family is not Family.ROUNDS  # which ends Fantasyland and rounds first
    asked = "event.ask.disqualify_before" if event.phase.before else "event.ask.disqualify"
    asked = "event.ask.disqualify_at_once" if at_once and not event.phase.before else asked
    return words(asked, name=escape_name(event.name), player=player_name(player, words))


def start_screen(view: EventView, words: Words) -> Screen:
    """The question whether to start now: with how many, how early, and what those who come later can still do."""
    event, late = view.event, view.event.structure.late_levels
    lines = [words("event.ask.start", name=escape_name(event.name), count=len(view.lines), most=event.structure.most)]
    if event.starts_at is not None:
        lines.append(words("event.ask.start_hour", at=day_of(event.starts_at), when=moment(event.starts_at)))
    if event.check_in_at is not None:
        lines.append(words("event.ask.start_check_in"))
    lines.append(words("event.ask.start_late", count=late) if late else words("event.ask.start_closed"))
    here, wanted, computers = len(view.lines), event.structure.fewest, fillable(event, len(view.lines))
    if few := here < wanted:
        lines.insert(1, words("event.ask.start_few", count=wanted))
    if computers:
        lines.append(words("event.ask.start_filled", count=computers))
    label = words("event.button.yes_start_few", count=here) if few else words("event.button.yes_start")
    made = [button(about(event).but("ev_begin"), label, style=ButtonStyle.primary)]
    if computers:
        made.append(button(about(event).but("ev_fill"), words("event.button.yes_fill", count=computers)))
    made.append(button(about(event).but("ev_keep"), words("event.button.no")))
    return screen("\n".join(lines), *rows_of(made), colour=QUIET_COLOUR)


def reason_form(press: Press, title: str, words: Words, *, said: str = "") -> ui.Modal:
    """The form that asks for the reason of an act, which everybody reads; sending it does what its title says.

    ``said`` is what that means, where it can't be undone at any time.
    """
    field = FormField(label=words("event.why.label"), most=LONGEST_REASON, hint=words("event.why.hint"))
    return modal(press, title, [field], said=said)


LONGEST_NUMBER = 12
OTHERS = "others"
"""What the menu of the server's people says beside the players': a message may carry each press only once."""
POSTPONED = {"15": "minutes_15", "30": "minutes_30", "60": "hour", "1440": "day"}
"""By how many minutes an event is put off, and the sentence's key."""


def tools_screen(view: EventView, words: Words, *, names: DisplayNames, mark: int, said: str = "") -> Screen:
    """What an organiser can do with the event as it stands; ``said`` is what was done just now.

    ``mark`` tells the menus of this drawing from those of the one before.
    """
    event = view.event
    lines = [*heading(event, words), words("event_tools.private"), *([said] if said else [])]
    menus = [*_postpone_menu(event, words, mark), *_player_menus(view, names, words, mark)]
    return screen("\n".join(lines), *rows_of(_event_buttons(view, words)), *menus, colour=QUIET_COLOUR)


def _event_buttons(view: EventView, words: Words) -> list[Part]:
    event = view.event
    press = about(event)
    made = []
    if event.phase.before:
        made.append(button(press.but("ev_start"), words("event_tools.button.start"), style=ButtonStyle.primary))
        # Elsewhere it would start before its time: that is asked first.
        if event.format is Format.SIT_AND_GO and fillable(event, len(view.lines)):
            made.append(fill_button(event, words))
        if event.structure.seeded_by(event.series) is SeededBy.HAND:
            made.append(button(press.but("ev_seeds"), words("event_tools.button.seeds")))
    elif event.phase is Phase.RUNNING:
        verb = "resume" if event.paused else "pause"
        made.append(button(press.but(f"ev_{verb}"), words(f"event_tools.button.{verb}"), style=ButtonStyle.primary))
    if event.starts_at is not None:
        held = "once" if event.repeat else Every.WEEK.value
        made.append(button(press.but("ev_repeat", held), words(f"event_tools.button.repeat_{held}")))
    made.append(button(press.but("ev_desk"), words("event_tools.button.desk")))
    made.append(button(press.but("ev_change"), words("event_tools.button.change")))
    made.append(button(press.but("ev_announce"), words("event_tools.button.announce")))
    made.append(button(press.but("ev_ask_cancel"), words("event_tools.button.cancel"), style=ButtonStyle.danger))
    return made


def _postpone_menu(event: Event, words: Words, mark: int) -> list[Part]:
    """The menu that puts an event off, while it has an hour to come."""
    if not event.phase.before or event.starts_at is None:
        return []
    options = [
        discord.SelectOption(label=words(f"event_tools.postpone.{key}"), value=minutes)
        for minutes, key in POSTPONED.items()
    ]
    press, placeholder = about(event).but("ev_postpone"), words("event_tools.postpone.title")
    return [select(press, options, placeholder=placeholder, number=number_in(mark, 1))]


def people_of(view: EventView) -> list[Player]:
    """The people whom an organiser's tools are about: those who take part, and those who can be let back in."""
    listed = [line.entrant.player for line in view.lines]
    return [player for player in [*listed, *sorted(view.reinstatable - set(listed))] if not is_computer(player)]


def _player_menus(view: EventView, names: DisplayNames, words: Words, mark: int) -> list[Part]:
    """The menu of the players, where it can name them all; and that of the server's people, for a co-organiser too."""
    press = about(view.event).but("ev_player")
    known = {player: names.plain(view.event.key.guild, player, words) for player in people_of(view)}
    if not 0 < len(known) <= MOST_OPTIONS or not all(known.values()):
        return [user_select(press, placeholder=words("event_tools.player"), number=number_in(mark, 2))]
    options = [discord.SelectOption(label=name[:100], value=player) for player, name in known.items()]
    others = replace(press, argument=OTHERS)
    return [
        select(press, options, placeholder=words("event_tools.player"), number=number_in(mark, 2)),
        user_select(others, placeholder=words("event_tools.others"), number=number_in(mark, 3)),
    ]


def player_screen(view: EventView, player: Player, argument: str, words: Words) -> Screen:
    """What an organiser can do with one person; ``argument`` is their id as it fits into a button."""
    event, press = view.event, replace(about(view.event), argument=argument)
    runs = event.phase is Phase.RUNNING
    line = view.line_of(player)
    plays, points = line is not None and line.entrant.playing, event.format.family is Family.ROUNDS
    verbs = ["ev_penalty"] if runs and plays else []
    verbs += ["ev_adjust"] if runs and (plays or (points and line is not None)) else []
    # Elsewhere the draw decides who meets whom.
    verbs += ["ev_move"] if runs and plays and event.format.family is Family.FREEZEOUT else []
    verbs += ["ev_unregister"] if event.phase.before and line is not None else []
    verbs.append("ev_unhelp" if player in event.helpers else "ev_help")
    made = [_tool(press, verb, words) for verb in verbs]
    if player in view.reinstatable:
        made.append(_tool(press, "ev_back_in", words))
    elif line is not None and not line.entrant.disqualified:
        made.append(_tool(press, "ev_ask_out", words, style=ButtonStyle.danger))
    made.append(button(about(event).but("ev_tools"), words("event_tools.button.back")))
    head = "\n".join([*heading(event, words), words("event_tools.about_player", player=player_name(player, words))])
    return screen(head, *rows_of(made), colour=QUIET_COLOUR)


def _tool(press: Press, verb: str, words: Words, *, style: ButtonStyle = ButtonStyle.secondary) -> Part:
    label = words(f"event_tools.button.{verb.removeprefix('ev_')}")
    return button(replace(press, verb=verb), label, style=style)


def announcement_form(press: Press, words: Words) -> ui.Modal:
    """The form for what everybody in the event is to read."""
    label, hint = words("event_tools.field.text"), words("event_tools.hint.text")
    field = FormField(label=label, most=LONGEST_ANNOUNCEMENT, long=True, hint=hint)
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
