"""The organiser's tools on screen: for an event, for one of its players, and for its seeds; and rulings in words.

A ruling says of which player it is, why, and whether its organiser plays. Seeds are set by menus of names, never by
typing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.event.seeding import SeededBy
from bot.event.structure import Family, Format, NoShow
from bot.model.choices import Server
from bot.model.events import Event, Every, Phase
from bot.model.ids import Player, is_computer
from bot.play.event.office.views import EventView, Line
from bot.play.event.organisers.organiser import LONGEST_ANNOUNCEMENT, LONGEST_REASON, fillable
from bot.text.event_structure import by_fee, by_refund
from bot.text.words import Words, escape_name
from bot.text.zones import zone_name
from bot.ui.custom_ids import Press, short_id
from bot.ui.event.desk.page import LABEL, Pen
from bot.ui.event.screen import about, fill_button, heading
from bot.ui.event.standings import MOST_SEEDS, seed_text
from bot.ui.faces import DisplayNames
from bot.ui.fragments import MOST_OPTIONS, QUIET_COLOUR, and_more, day_of, moment, player_name
from bot.ui.modals import FormField, modal
from bot.ui.widgets import Part, Screen, button, number_in, rows_of, screen, select, user_select

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


def tools_screen(
    view: EventView, words: Words, *, names: DisplayNames, mark: int, said: str = "", starting: bool = False
) -> Screen:
    """What an organiser can do with the event as it stands; ``said`` is what was done just now.

    ``mark`` tells the menus of this drawing from those of the one before. ``starting`` if the organiser has just
    started the event: until the roll call is answered, its phase is still the one before the start.
    """
    event = view.event
    ahead = event.phase.before and not starting
    lines = [*heading(event, words), words("event_tools.private"), *([said] if said else [])]
    menus = [*(_postpone_menu(event, words, mark) if ahead else []), *_player_menus(view, names, words, mark)]
    return screen("\n".join(lines), *rows_of(_event_buttons(view, words, ahead=ahead)), *menus, colour=QUIET_COLOUR)


def _event_buttons(view: EventView, words: Words, *, ahead: bool) -> list[Part]:
    event = view.event
    press = about(event)
    made = []
    if ahead:
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
    """The menu that postpones an event; empty if it has no start time."""
    if event.starts_at is None:
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
    known = {player: names.option(view.event.key.guild, player, words) for player in people_of(view)}
    if not 0 < len(known) <= MOST_OPTIONS or not all(name for name, _ in known.values()):
        return [user_select(press, placeholder=words("event_tools.player"), number=number_in(mark, 2))]
    options = [
        discord.SelectOption(label=name[:100], value=player, description=username or None)
        for player, (name, username) in known.items()
    ]
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
    moves = event.format.family is Family.FREEZEOUT and len(view.tables) > 1
    verbs += ["ev_move"] if runs and plays and moves else []
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


def ruling_text(key: str, details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """What an organiser has done to which player, why, and whether they play in the event themselves."""
    values: dict[str, Any] = {"by": player_name(details["by"], words)}
    if "player" in details:
        values["player"] = player_name(details["player"], words)
    if "amount" in details:
        values["amount"] = words.signed(details["amount"])
    if "table" in details:
        values["table"] = table_text(details["table"], view, words)
    if "computers" in details or "people" in details:
        values["count"] = details["computers" if "computers" in details else "people"]
    if "hands" in details:
        key, values = (key, {**values, "count": details["hands"]}) if details["hands"] else (f"{key}_off", values)
    if details.get("fee") == 0:
        key = f"{key}_free"
    refunded = refunded_text(view, words) if key.startswith("event_notice.cancelled.") else []
    said = [words.side_by_side([words(key, **values), *refunded])]
    said += [f"- {gone}" for gone in _dropped(details, words)]
    if "why" in details:
        said.append(words("event_notice.why", why=escape_name(details["why"])))
    if details["plays"]:
        said.append(plays_text(details, view, words))
    return "\n".join(said)


def _dropped(details: Mapping[str, Any], words: Words) -> list[str]:
    """What an event does not give any more, because nobody vouches for it."""
    said = []
    if chips := details.get("chips"):
        said.append(words("event_notice.dropped.chips", chips=words.number(chips)))
    if roles := details.get("roles"):
        said.append(words("event_notice.dropped.roles", roles=words.list([f"<@&{role}>" for role in roles])))
    if titles := details.get("titles"):
        said.append(words("event_notice.dropped.titles", titles=words.list([escape_name(title) for title in titles])))
    if channels := details.get("channels"):
        said.append(words("event_notice.dropped.channels", channels=words.list([f"<#{one}>" for one in channels])))
    if details.get("repeats"):
        said.append(words("event_notice.dropped.repeats"))
    return said


def plays_text(details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Who has acted plays too, and by which right they act."""
    own = "plays_helper" if details["by"] in view.event.helpers else "plays_organiser"
    key = "plays" if details.get("manager", True) else own
    return words(f"event_notice.{key}", player=player_name(details["by"], words))


def refunded_text(view: EventView, words: Words) -> list[str]:
    """What became of the fees of an event that was called off; nothing where it cost none."""
    structure = view.event.structure
    key = by_refund("event_notice.cancelled.refunded", structure, started=view.event.started_at is not None)
    return [words(key)] if structure.fee else []


def table_text(number: int, view: EventView, words: Words) -> str:
    """``Table 3``, or its thread, which bears its number, where it is still open."""
    name = words("event_notice.table_name", table=number)
    channel = next((line.table.channel for line in view.tables if line.info.table == number), None)
    if channel in (None, view.event.channel):
        return name
    own = channel not in view.event.channels
    return f"<#{channel}>" if own else words("event_notice.table_in", table=number, channel=f"<#{channel}>")


def call_text(details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Who calls, and what those called are to do."""
    values = {"table": table_text(details["table"], view, words)} if "table" in details else {}
    blind = details["what"] == "check_in" and view.event.structure.no_show is NoShow.BLIND
    what = "check_in_blind" if blind else details["what"]
    return words(f"event_notice.call.{what}", by=player_name(details["by"], words), **values)


MOST_MENUS = 2
"""Menus of those who are in no order yet, and of those who are; others are found by name."""


def seeds_screen(view: EventView, pen: Pen, *, chosen: Player | None = None) -> Screen:
    """The order so far, the menu of who comes next, and what can be done with one who is in it."""
    event, words = view.event, pen.words
    seeded = view.seeded_by_hand
    lines = [*heading(event, words), words("event_seeds.private")]
    listed = [seed_text(place, line.entrant.player, words) for place, line in enumerate(seeded[:MOST_SEEDS], start=1)]
    told = [words("event_seeds.title"), *(listed or [words("event_seeds.none")])]
    told += and_more(len(seeded) - MOST_SEEDS, words)
    place = next((at for at, line in enumerate(seeded, start=1) if line.entrant.player == chosen), 0)
    parts: list[str | Part] = ["\n".join(lines), "\n".join(told)]
    if chosen is not None and place:
        parts.append(words("event_seeds.chosen", player=player_name(chosen, words), place=place))
        parts += rows_of(_moves(view, chosen, place, len(seeded), words))
    else:
        parts += _menus(view, seeded, pen)
        parts += rows_of(_buttons(view, seeded, words))
    return screen(*parts, colour=QUIET_COLOUR)


def _moves(view: EventView, chosen: Player, place: int, last: int, words: Words) -> list[Part]:
    press = replace(about(view.event), argument=short_id(int(chosen)))
    made = [
        button(replace(press, verb="ev_seed_up", hand=place), words("event_seeds.button.up"), disabled=place == 1),
        button(
            replace(press, verb="ev_seed_down", hand=place), words("event_seeds.button.down"), disabled=place == last
        ),
        button(replace(press, verb="ev_seed_out"), words("event_seeds.button.out")),
    ]
    return [*made, button(about(view.event).but("ev_seeds"), words("event_seeds.button.back"))]


def _buttons(view: EventView, seeded: Sequence[Line], words: Words) -> list[Part]:
    press = about(view.event)
    clear = button(
        press.but("ev_seed_clear"), words("event_seeds.button.clear"), style=ButtonStyle.danger, disabled=not seeded
    )
    return [clear, button(press.but("ev_tools"), words("event_seeds.button.back"))]


def _menus(view: EventView, seeded: Sequence[Line], pen: Pen) -> Iterator[Part]:
    """Who comes next, by name; and who of those in the order is to move."""
    words, place = pen.words, len(seeded) + 1
    unseeded = [line for line in view.lines if not line.entrant.seeded]
    named = sorted(unseeded, key=lambda line: called(pen, line.entrant.player).casefold())
    for number in range(MOST_MENUS):
        if some := named[number * MOST_OPTIONS : (number + 1) * MOST_OPTIONS]:
            press = replace(about(view.event).but("ev_seed_next"), hand=number)
            asked = words("event_seeds.next", place=place)
            yield select(press, _options(some, pen), placeholder=asked, number=pen.number(1 + number))
    if len(named) > MOST_MENUS * MOST_OPTIONS:
        press = about(view.event).but("ev_seed_next", "any")
        yield user_select(press, placeholder=words("event_seeds.next_any", place=place), number=pen.number(8))
    for number in range(MOST_MENUS):
        if some := list(seeded[number * MOST_OPTIONS : (number + 1) * MOST_OPTIONS]):
            press = replace(about(view.event).but("ev_seed_pick"), hand=number)
            yield pen.menu(press, _options(some, pen), "event_seeds.pick", place=4 + number)


def _options(lines: Sequence[Line], pen: Pen) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=called(pen, line.entrant.player)[:LABEL], value=line.entrant.player)
        for line in lines
    ]


def called(pen: Pen, player: Player) -> str:
    """What somebody is called in a menu."""
    return pen.called(player) or pen.words("event_desk.unknown", digits=str(player)[-4:])


def seeds_told(seeds: Sequence[Sequence[object]], by: str, words: Words) -> str:
    """The seeds with which an event began, as its notice and its log tell them."""
    shown = []
    for place, (player, figure) in enumerate(seeds[:MOST_SEEDS], start=1):
        told = seed_text(place, str(player), words)
        if by == SeededBy.RATING.value and isinstance(figure, int):
            rating = words.signed_decimal(figure / 1000, decimals=2)
            told = words("event_seeds.rated", seed=told, rating=rating)
        shown.append(told)
    shown += and_more(len(seeds) - MOST_SEEDS, words)
    return words("event.between").join(shown)
