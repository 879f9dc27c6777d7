"""The start screens: everything the bot offers, the tables to join, and a short introduction to the game."""

from __future__ import annotations

from collections.abc import Sequence

from discord import ButtonStyle

from bot.chat.kit.fragments import (
    NOWHERE,
    TABLE_COLOUR,
    daily_hand,
    for_the_ear,
    guided_hand,
    how_to_play,
    lesson,
    open_table,
    practise,
    puzzle,
    rules_button,
    watch_ways,
)
from bot.chat.kit.widgets import Screen, apart, button, button_rows, screen
from bot.chat.table.screens.lobby import pace_text, table_title
from bot.play.queries.views import TableView
from bot.pure.ofc.presets import PINEAPPLE
from bot.text.words import Words

# A server's open tables.


def tables_text(views: Sequence[TableView], words: Words) -> str:
    """Return a line for each table, or a line saying that there are none.

    Each line gives the channel, game, pace and seats, and whether the reader sits there.
    """
    return "\n".join(_table_line(view, words) for view in views) or words("lobby.no_tables")


def _table_line(view: TableView, words: Words) -> str:
    table = view.table
    seats = words("lobby.seats_taken", taken=len(view.places), seats=table.terms.max_seats)
    told = [f"<#{table.channel}> {table_title(table, words)}", pace_text(table.terms.clock, words), seats]
    if view.week is not None:
        told.insert(2, words("games.weekends_off"))
    return words.facts([*told, words("lobby.you_sit_here")] if view.mine is not None else told)


MINE = ("games", "profile", "ranks", "events")
"""The profile leads to chips and past hands, the leaderboard to records, and the settings to the member's data."""


def hub_screen(words: Words, *, manages: bool) -> Screen:
    """Draw the menu of everything the bot offers, with an extra button for managers. Each button opens a new answer."""
    first = [
        button(NOWHERE.but("play"), words("hub.button.play"), style=ButtonStyle.success),
        practise(words),
        daily_hand(words),
        lesson(words),
    ]
    mine = [button(NOWHERE.but(verb), words(f"hub.button.{verb}")) for verb in MINE]
    last = [puzzle(words), button(NOWHERE.but("settings"), words("hub.button.settings")), for_the_ear(words)]
    if manages:
        last.append(button(NOWHERE.but("manage"), words("hub.button.manage")))
    return screen(
        f"### {words('hub.title')}\n{words('hub.text')}",
        *[row for some in (first, mine, last) for row in button_rows(some)],
        colour=TABLE_COLOUR,
    )


def hub_alone_screen(words: Words) -> Screen:
    """Draw the menu for direct messages and other places outside servers, without anything that needs a server."""
    games = button(NOWHERE.but("games"), words("hub.button.games"))
    hands = button(NOWHERE.but("history"), words("hub.button.history"))
    own = button(NOWHERE.but("own"), words("hub.button.own"))
    buttons = [practise(words), daily_hand(words), puzzle(words), how_to_play(words), games, hands, own]
    return screen(f"### {words('hub.title')}\n{words('hub.alone')}", *button_rows(buttons), colour=TABLE_COLOUR)


def play_screen(tables: Sequence[TableView], words: Words, *, watched: Sequence[tuple[int, str]] = ()) -> Screen:
    """Draw the open tables, with a button to open a new one. ``watched`` has the addresses for watching."""
    return screen(
        f"### {words('hub.play.title')}\n{tables_text(tables, words)}",
        words("hub.play.own"),
        *button_rows([open_table(words), practise(words), how_to_play(words)]),
        *button_rows(watch_ways(watched, words)),
        colour=TABLE_COLOUR,
    )


def how_to_play_screen(words: Words, *, served: bool) -> Screen:
    """Draw the standard game on one screen for beginners. ``served`` is True if the bot is in the server."""
    learning = [guided_hand(words, style=ButtonStyle.success), practise(words), rules_button(PINEAPPLE, words)]
    return screen(
        f"### {words('how_to_play.title')}",
        *apart([words(f"how_to_play.{part}") for part in ("deal", "rows", "points", "fantasyland")]),
        *button_rows(learning if served else [*learning, daily_hand(words)]),
        colour=TABLE_COLOUR,
    )


# The welcome, which a server reads after the bot has joined it.


def welcome_screen(words: Words) -> Screen:
    """Draw the introduction, with a button for each way to start. The last button is for managers."""
    set_up = button(NOWHERE.but("set_up"), words("welcome.set_up"))
    texts = [f"## {words('welcome.title')}", words("welcome.game"), words("welcome.start")]
    buttons = [practise(words), open_table(words), how_to_play(words), for_the_ear(words), set_up]
    return screen(*apart(texts), *button_rows(buttons), colour=TABLE_COLOUR)
