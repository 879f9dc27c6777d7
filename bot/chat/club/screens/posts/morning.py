"""The morning post: the daily hand that is over, the server's streak, and the way to today's hand."""

from __future__ import annotations

from discord import ButtonStyle

from bot.chat.club.screens.daily_screen import about, dated_title, headed_board, master_board
from bot.chat.club.screens.leaderboard import place_text
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import NOWHERE, RESULT_COLOUR, moment
from bot.chat.kit.widgets import Part, Screen, apart, button, rows_of, screen
from bot.model.daily import FREEZE_AFTER, begins_at, day_of
from bot.model.ids import GuildId
from bot.play.daily.morning import Morning, Ranked
from bot.text.words import Words


def morning_screen(morning: Morning, guild: GuildId, words: Words, faces: Faces, *, now: int, tag: str) -> Screen:
    """The post. ``tag`` marks it, so that it is found again."""
    closes = words("daily.closes", until=moment(begins_at(day_of(now) + 1)))
    texts = [
        f"### {words('morning.title')}",
        *([_streak(morning, words)] if morning.streak > 1 else []),
        *([] if morning.ranked is None else _ranked(morning.ranked, guild, words, faces)),
        f"{words('morning.today')}\n{closes}",
    ]
    play = button(NOWHERE.but("daily", tag), words("daily.button.play"), style=ButtonStyle.success)
    return screen(*apart(texts), *rows_of([play, *_solution(morning, words)]), colour=RESULT_COLOUR)


def _streak(morning: Morning, words: Words) -> str:
    told = words("morning.streak", count=morning.streak)
    if morning.missed:
        return f"{told}\n{words('morning.missed')}"
    return f"{told}\n{words('daily.freeze') if morning.freeze else words('daily.no_freeze', count=FREEZE_AFTER)}"


def _ranked(ranked: Ranked, guild: GuildId, words: Words, faces: Faces) -> list[str]:
    """The places, the board of the first one, and a master's."""
    names = faces.names
    lines = [
        words(
            "morning.line",
            place=place_text(place, words),
            player=names.of(guild, player, words),
            points=words.signed(points),
            count=abs(points),
        )
        for place, player, points in ranked.lines
    ]
    head = f"**{dated_title(ranked.of, words)}**\n{words('daily.people', count=ranked.people)}"
    told = ["\n".join([head, *lines])]
    if not ranked.best.foul:
        _, first, _ = ranked.lines[0]
        # The line is bold already.
        best = words("morning.best", player=names.of(guild, first, words).replace("**", ""))
        told.append(headed_board(best, ranked.best, ranked.of.game, words, faces))
    if ranked.master is not None:
        told.append(master_board(ranked.master, ranked.of.game, words, faces))
    return told


def _solution(morning: Morning, words: Words) -> list[Part]:
    if morning.ranked is None:
        return []
    return [button(about(morning.ranked.of.number, "solved"), words("daily.button.before_daily"))]
