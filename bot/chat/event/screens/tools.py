"""The organiser's tools for an event, a player and the seeds, and the texts of rulings.

A ruling names its player and the reason, and says whether its organiser plays. Seeds are set with menus of names, not
typed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import discord
from discord import ButtonStyle

from bot.chat.event.screens.desk.page import LABEL, DeskContext
from bot.chat.event.screens.screen import about, heading
from bot.chat.event.screens.standings import MAX_SEEDS, seed_text
from bot.chat.kit.custom_ids import short_id
from bot.chat.kit.fragments import MAX_OPTIONS, QUIET_COLOUR, and_more, date_mark, moment, names, player_name
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen, select, user_select
from bot.model.events import Event
from bot.model.ids import Player
from bot.play.event.office.views import EventView, StandingsLine
from bot.play.event.organisers.organiser import fillable
from bot.pure.event.seeding import SeededBy
from bot.pure.event.structure import Family, NoShow
from bot.text.event_structure import by_fee, by_refund
from bot.text.words import Words, escape_name

# Replies to the event commands, and confirmations


def cancel_text(event: Event, words: Words) -> str:
    """Return what happens to a cancelled event, its fees and its next date."""
    structure, before = event.structure, event.phase.before  # by then no bounty has been won
    asked = by_fee("event.ask.cancel_before", structure) if before else by_refund("event.ask.cancel", structure)
    said = [words(asked, name=escape_name(event.name))]
    if event.repeat is not None:
        said.append(words("event.ask.cancel_repeats", press=words("event_desk.button.repeat")))
    return words.side_by_side([*said, words("event.ask.for_good")])


def disqualify_text(view: EventView, player: Player, words: Words) -> str:
    """Return the effect of disqualifying a player, and until when it can be undone.

    Except in leagues and duplicate events, it can't be undone for a player who isn't in a hand.
    """
    event = view.event
    playing = any(table.playing and player in table.players for table in view.tables)
    at_once = not playing and event.format.family is not Family.ROUNDS  # otherwise the round or Fantasyland ends first
    asked = "event.ask.disqualify_before" if event.phase.before else "event.ask.disqualify"
    asked = "event.ask.disqualify_at_once" if at_once and not event.phase.before else asked
    return words(asked, name=escape_name(event.name), player=player_name(player, words))


def start_screen(view: EventView, words: Words) -> Screen:
    """Ask whether to start now, with the number of players, the scheduled start and the options for late players."""
    event, late = view.event, view.event.structure.late_levels
    lines = [words("event.ask.start", name=escape_name(event.name), count=len(view.lines), most=event.structure.most)]
    if event.starts_at is not None:
        lines.append(words("event.ask.start_hour", at=date_mark(event.starts_at), when=moment(event.starts_at)))
    if event.check_in_at is not None:
        lines.append(words("event.ask.start_check_in"))
    lines.append(words("event.ask.start_late", count=late) if late else words("event.ask.start_closed"))
    lines += _kept_lines(view, words)
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
    return screen("\n".join(lines), *button_rows(made), colour=QUIET_COLOUR)


def _kept_lines(view: EventView, words: Words) -> list[str]:
    """Return who loses a place that's kept for them if the event starts now, and who else is on the waiting list.

    Players who have checked in from the list get the free places.
    """
    told, free = [], max(0, view.event.structure.most - len(view.lines))
    seated = [waiting for waiting in view.waiting if waiting.player in view.stand_by][:free]
    left = [waiting for waiting in view.waiting if waiting not in seated]
    for until, kept in groupby(left, key=lambda waiting: waiting.offered_until):
        people: list[str] = [waiting.player for waiting in kept]
        if until is None:
            told.append(words("event.ask.start_waiting", count=len(people)))
        else:
            told.append(words("event.ask.start_kept", players=names(people, words), at=date_mark(until)))
    return told


def ruling_text(key: str, details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Return an organiser's ruling, with the player, the reason, and whether the organiser plays in the event too."""
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
    said += [f"- {gone}" for gone in _dropped_lines(details, words)]
    if "why" in details:
        said.append(words("event_notice.why", why=escape_name(details["why"])))
    if details["plays"]:
        said.append(plays_text(details, view, words))
    return "\n".join(said)


def _dropped_lines(details: Mapping[str, Any], words: Words) -> list[str]:
    """Return the prizes and settings that were dropped because no one vouches for them."""
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
    """Return a note that an organiser also plays, naming the role they acted in."""
    own = "plays_helper" if details["by"] in view.event.helpers else "plays_organiser"
    key = "plays" if details.get("manager", True) else own
    return words(f"event_notice.{key}", player=player_name(details["by"], words))


def refunded_text(view: EventView, words: Words) -> list[str]:
    """Return what happened to the fees of a cancelled event; empty if there were none."""
    structure = view.event.structure
    key = by_refund("event_notice.cancelled.refunded", structure, started=view.event.started_at is not None)
    return [words(key)] if structure.fee else []


def table_text(table: int, view: EventView, words: Words) -> str:
    """Return a table by its stored id, such as ``Table 3``, or its open thread, whose name has the number."""
    shown = view.number_of(table)
    name = words("event_notice.table_name", table=shown)
    channel = next((line.table.channel for line in view.tables if line.info.table == table), None)
    if channel in (None, view.event.channel):
        return name
    own = channel not in view.event.channels
    return f"<#{channel}>" if own else words("event_notice.table_in", table=shown, channel=f"<#{channel}>")


def call_text(details: Mapping[str, Any], view: EventView, words: Words) -> str:
    """Return the text of a call: who is calling, and what the players should do."""
    values = {"table": table_text(details["table"], view, words)} if "table" in details else {}
    blind = details["what"] == "check_in" and view.event.structure.no_show is NoShow.BLIND
    what = "check_in_blind" if blind else details["what"]
    return words(f"event_notice.call.{what}", by=player_name(details["by"], words), **values)


MAX_MENUS = 2
"""Maximum number of menus each for unseeded and seeded players. Other players are found by name."""


def seeds_screen(view: EventView, context: DeskContext, *, chosen: Player | None = None, bars: bool = False) -> Screen:
    """Draw the seeds so far, the menu for the next seed, and the controls for the ``chosen`` player.

    With ``bars``, a note says that organisers who set seeds can't enter the event.
    """
    event, words = view.event, context.words
    seeded = view.seeded_by_hand
    lines = [*heading(event, words), words("event_seeds.private")]
    lines += [words("event_desk.bars")] if bars else []
    listed = [seed_text(place, line.entrant.player, words) for place, line in enumerate(seeded[:MAX_SEEDS], start=1)]
    told = [words("event_seeds.title"), *(listed or [words("event_seeds.none")])]
    told += and_more(len(seeded) - MAX_SEEDS, words)
    place = next((at for at, line in enumerate(seeded, start=1) if line.entrant.player == chosen), 0)
    parts: list[str | Part] = ["\n".join(lines), "\n".join(told)]
    if chosen is not None and place:
        parts.append(words("event_seeds.chosen", player=player_name(chosen, words), place=place))
        parts += button_rows(_moves(view, chosen, place, len(seeded), words))
    else:
        parts += _menus(view, seeded, context)
        parts += button_rows(_buttons(view, seeded, words))
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


def _buttons(view: EventView, seeded: Sequence[StandingsLine], words: Words) -> list[Part]:
    press = about(view.event)
    clear = button(
        press.but("ev_seed_clear"), words("event_seeds.button.clear"), style=ButtonStyle.danger, disabled=not seeded
    )
    return [clear, button(press.but("ev_desk"), words("event_seeds.button.back"))]


def _menus(view: EventView, seeded: Sequence[StandingsLine], context: DeskContext) -> Iterator[Part]:
    """Yield the menus for the next seed and for moving a seed."""
    words, place = context.words, len(seeded) + 1
    unseeded = [line for line in view.lines if not line.entrant.seeded]
    named = sorted(unseeded, key=lambda line: menu_name(context, line.entrant.player).casefold())
    for number in range(MAX_MENUS):
        if some := named[number * MAX_OPTIONS : (number + 1) * MAX_OPTIONS]:
            press = replace(about(view.event).but("ev_seed_next"), hand=number)
            asked = words("event_seeds.next", place=place)
            yield select(press, _options(some, context), placeholder=asked, number=context.number(1 + number))
    if len(named) > MAX_MENUS * MAX_OPTIONS:
        press = about(view.event).but("ev_seed_next", "any")
        yield user_select(press, placeholder=words("event_seeds.next_any", place=place), number=context.number(8))
    for number in range(MAX_MENUS):
        if some := list(seeded[number * MAX_OPTIONS : (number + 1) * MAX_OPTIONS]):
            press = replace(about(view.event).but("ev_seed_pick"), hand=number)
            yield context.menu(press, _options(some, context), "event_seeds.pick", place=4 + number)


def _options(lines: Sequence[StandingsLine], context: DeskContext) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=menu_name(context, line.entrant.player)[:LABEL], value=line.entrant.player)
        for line in lines
    ]


def menu_name(context: DeskContext, player: Player) -> str:
    """Return a player's name in a menu."""
    return context.called(player) or context.words("event_desk.unknown", digits=str(player)[-4:])


def seeds_told(seeds: Sequence[Sequence[object]], by: str, words: Words) -> str:
    """Return an event's seeds for its notice and its log."""
    shown = []
    for place, (player, figure) in enumerate(seeds[:MAX_SEEDS], start=1):
        told = seed_text(place, str(player), words)
        if by == SeededBy.RATING.value and isinstance(figure, int):
            rating = words.signed_decimal(figure / 1000, decimals=2)
            told = words("event_seeds.rated", seed=told, rating=rating)
        shown.append(told)
    shown += and_more(len(seeds) - MAX_SEEDS, words)
    return words("event.between").join(shown)
