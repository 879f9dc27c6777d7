"""Seeds in words, and the organiser's page on which they are set by hand: by menus of names, and never by typing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import discord
from discord import ButtonStyle

from bot.event.seeding import SeededBy
from bot.model.ids import Player
from bot.play.event.views import EventView, Line
from bot.text.words import Words
from bot.ui.custom_ids import short_id
from bot.ui.event.desk.page import LABEL, Pen
from bot.ui.event.screen import about, heading
from bot.ui.event.standings import MOST_SEEDS, seed_text
from bot.ui.fragments import MOST_OPTIONS, QUIET_COLOUR, and_more, player_name
from bot.ui.widgets import Part, Screen, button, rows_of, screen, select, user_select

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
