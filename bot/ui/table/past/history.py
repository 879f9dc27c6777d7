"""A player's own hands, newest first, filtered as they wish: each opens its replay."""

from __future__ import annotations

from typing import Final

from discord import SelectOption

from bot.model.hands import Outcome, Wanted, Within
from bot.model.ids import Player, TableId
from bot.ofc.presets import PRESETS
from bot.play.look.replays import PastLine, PastPage
from bot.text.names import full_name, preset_name
from bot.text.words import Words
from bot.ui.custom_ids import Press, game_tag, long_id, short_id
from bot.ui.display_names import DisplayNames
from bot.ui.fragments import QUIET_COLOUR, RESULT_COLOUR, names
from bot.ui.table.past.replay import message_link
from bot.ui.widgets import Part, Screen, button, rows_of, screen, select

HANDS: Final = 8
"""Lines a page: with long names and links, a message is just long enough."""
LAST_PAGE: Final = 99_999
_WITHIN, _OUTCOMES = tuple(Within), tuple(Outcome)
_NO_GAME: Final = 0


def pressed(wanted: Wanted, *, page: int, verb: str) -> Press:
    """A press that carries which hands are looked for: game, opponent, time and outcome."""
    return Press(
        verb=verb,
        table=TableId(_number_of(wanted.game)),
        hand=page,
        street=_OUTCOMES.index(wanted.outcome) * len(_WITHIN) + _WITHIN.index(wanted.within),
        argument=short_id(int(wanted.opponent)) if wanted.opponent else "",
    )


def wanted_of(press: Press) -> Wanted:
    """Which hands a press looks for."""
    outcome, within = divmod(press.street, len(_WITHIN))
    opponent = long_id(press.argument)
    return Wanted(
        game=next((key for key in PRESETS if _number_of(key) == press.table), ""),
        opponent=Player(str(opponent)) if opponent else None,
        within=_WITHIN[within],
        outcome=_OUTCOMES[outcome] if outcome < len(_OUTCOMES) else Outcome.ANY,
    )


def _number_of(game: str) -> int:
    """A game in the digits that a press has for a table."""
    return int(game_tag(game)[:7], 16) if game else _NO_GAME


def history_screen(found: PastPage, words: Words, people: DisplayNames) -> Screen:
    """A page of hands, or why there is none."""
    heading = f"### {words('history.title')}\n-# {_filters(found.wanted, words)}"
    if not found.lines:
        empty = words("history.no_more" if found.page else "history.empty")
        return screen(heading, empty, *rows_of(_turning(found, words)), colour=QUIET_COLOUR)
    lines = "\n".join(_line(line, words) for line in found.lines)
    return screen(
        heading, lines, _opening(found, words, people), *rows_of(_turning(found, words)), colour=RESULT_COLOUR
    )


def _filters(wanted: Wanted, words: Words) -> str:
    game = preset_name(PRESETS[wanted.game], words) if wanted.game in PRESETS else words("history.every_game")
    told = [game, words(f"history.within.{wanted.within.value}"), words(f"history.outcome.{wanted.outcome.value}")]
    if wanted.opponent:
        told.append(words("history.against", players=names([wanted.opponent], words)))
    return " · ".join(told)


def _line(line: PastLine, words: Words) -> str:
    """``+13 · Pineapple OFC · vs Bob · yesterday · result``."""
    mine, record = line.mine, line.record
    told = [
        words("history.fouled" if mine.foul else "history.points", points=words.signed(mine.points)),
        full_name(record.variant, words),
        words("history.against", players=names(list(line.others), words)),
        f"<t:{(record.ended_at or record.started_at) // 1000}:R>",
    ]
    if link := message_link(line.table.key, record.told_in, record.told_by):
        told.append(f"[{words('history.message')}]({link})")
    return " · ".join(told)


def _opening(found: PastPage, words: Words, people: DisplayNames) -> Part:
    """The menu of the hands on this page."""
    options = [_option(line, words, people) for line in found.lines]
    return select(pressed(found.wanted, page=found.page, verb="hist_open"), options, placeholder=words("history.open"))


def _option(line: PastLine, words: Words, people: DisplayNames) -> SelectOption:
    key, hand = line.table.key, line.record.hand_no
    others = words.list([people.plain(key.guild, player, words) for player in line.others])
    label = words("history.hand", points=words.signed(line.mine.points), table=key.table, hand=hand)
    about = f"{full_name(line.record.variant, words)} · {words('history.against', players=others)}"
    return SelectOption(label=label[:100], value=f"{key.table}/{hand}", description=about[:100])


def _turning(found: PastPage, words: Words) -> list[Part]:
    """Newer and older, where there is something to turn to."""
    if not found.page and not found.more:
        return []
    newer = pressed(found.wanted, page=max(0, found.page - 1), verb="hist_page")
    older = pressed(found.wanted, page=found.page + 1, verb="hist_page")
    return [
        button(newer, words("button.newer"), disabled=not found.page),
        button(older, words("button.older"), disabled=not found.more),
    ]
