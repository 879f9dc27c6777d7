"""The records of a server: the best board, the biggest hand, the longest streak, each with its hand."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from discord import SelectOption

from bot.model.careers import FeatKind
from bot.model.ids import TableId
from bot.model.standings import EVERY_GAME
from bot.ofc.presets import PRESETS
from bot.play.look.records import Record, Records
from bot.text.names import preset_name
from bot.text.words import Words, escape_name
from bot.ui.custom_ids import Press
from bot.ui.fragments import NOWHERE, QUIET_COLOUR, RESULT_COLOUR, player_name
from bot.ui.widgets import Part, Screen, apart, button, rows_of, screen, select

EVERY: Final = "every"
"""All games together, where a menu needs a value."""


def channels_of(found: Records) -> set[int]:
    """The channels in which the records were set."""
    channels = {line.channel for line in found.lines} | {line.event.channel for line in found.lines if line.event}
    return {channel for channel in channels if channel}


def records_screen(found: Records, words: Words, *, seen: Collection[int], shown_to_all: bool = False) -> Screen:
    """The records for somebody who sees these channels: hands and events of others are named and opened nowhere.

    What is ``shown_to_all`` has no controls but the hands: they lead everyone to an answer of their own.
    """
    game = preset_name(PRESETS[found.game], words) if found.game else words("leaderboard.every_game")
    head = f"### {words('records.title')}\n-# {words('records.what', game=game)}"
    if not found.lines:
        return screen(head, words("records.none"), *_games(found, words), colour=QUIET_COLOUR)
    lines = [_line(line, words, seen) for line in found.lines]
    told, hands = apart([head, "\n".join(lines)]), _hands(found, words, seen)
    if shown_to_all:
        return screen(*told, *hands, colour=RESULT_COLOUR)
    show = button(NOWHERE.but("rec_show", found.game or EVERY), words("records.show_all"))
    ways = rows_of([*_event(found, words, seen), show])
    return screen(*told, *hands, *_games(found, words), *ways, colour=RESULT_COLOUR)


def game_of(value: str) -> str:
    """The game that the menu names."""
    return EVERY_GAME if value == EVERY else value


def _line(line: Record, words: Words, seen: Collection[int]) -> str:
    """``**Best board:** 41 royalties · Alice · 3 May``."""
    feat = line.feat
    told = [words("records.line", kind=words(f"records.kind.{feat.kind.value}"), value=_value(line, words))]
    if feat.kind is not FeatKind.EVENT:
        told.append(player_name(feat.player, words))
    elif line.event is not None and line.event.channel in seen:
        told.append(escape_name(line.event.name))
        if line.winner is not None:
            told.append(words("records.won_by", player=player_name(line.winner, words)))
    return " · ".join([*told, f"<t:{feat.at // 1000}:d>"])


def _value(line: Record, words: Words) -> str:
    return words(f"records.value.{line.feat.kind.value}", count=line.feat.value)


def _hands(found: Records, words: Words, seen: Collection[int]) -> list[Part]:
    """The menu of the hands that may be looked at. One may hold several records."""
    options: dict[str, SelectOption] = {}
    for line in found.lines:
        feat = line.feat
        if line.channel in seen:
            label = f"{words(f'records.kind.{feat.kind.value}')} · {_value(line, words)}"
            about = words("records.hand", table=feat.table, hand=feat.hand_no)
            value = f"{feat.table}/{feat.hand_no}"
            options.setdefault(value, SelectOption(label=label[:100], value=value, description=about[:100]))
    if not options:
        return []
    return [select(NOWHERE.but("hist_open"), list(options.values()), placeholder=words("records.replay"))]


def _games(found: Records, words: Words) -> list[Part]:
    """The menu of games, where there are several."""
    if len(found.games) < 2:
        return []
    options = [SelectOption(label=words("leaderboard.every_game"), value=EVERY, default=not found.game)]
    options += [
        SelectOption(label=preset_name(PRESETS[key], words)[:100], value=key, default=key == found.game)
        for key in found.games[:24]
    ]
    return [select(NOWHERE.but("rec_game"), options, placeholder=words("leaderboard.choose_game"))]


def _event(found: Records, words: Words, seen: Collection[int]) -> list[Part]:
    """The way to the results of the largest event."""
    events = [line.event for line in found.lines if line.event is not None and line.event.channel in seen]
    return [
        button(Press(verb="ev_results", table=TableId(event.key.number), tag=event.tag), words("records.event"))
        for event in events
    ]
