"""The morning post: yesterday's daily hand, the server's streak, and a button for today's hand."""

from __future__ import annotations

from discord import ButtonStyle

from bot.chat.club.screens.daily_screen import about, dated_title
from bot.chat.club.screens.leaderboard import place_text
from bot.chat.kit.added_parts import AddedParts
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import NOWHERE, RESULT_COLOUR, first_fitting, moment
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, screen
from bot.model.daily import FREEZE_AFTER, begins_at, day_at
from bot.model.ids import GuildId
from bot.play.daily.morning import DailyRanking, Morning
from bot.text.words import Words


def morning_screen(
    morning: Morning,
    guild: GuildId,
    words: Words,
    faces: Faces,
    *,
    now: int,
    tag: str,
    added: AddedParts | None = None,
) -> Screen:
    """Draw the post, with what other features have ``added``. ``tag`` marks it so that it can be found again."""
    closes = words("daily.closes", until=moment(begins_at(day_at(now) + 1)))
    texts = [
        f"### {words('morning.title')}",
        *([_streak(morning, words)] if morning.streak > 1 else []),
        *([] if morning.ranked is None else [_ranking_text(morning.ranked, guild, words, faces)]),
        words.side_by_side([words("morning.today"), closes]),
    ]
    play = button(NOWHERE.but("daily", tag), words("daily.button.today"), style=ButtonStyle.success)
    buttons = [play, *_solution(morning, words), *(added.buttons if added else ())]
    drawings = added.drawings if added else iter([()])
    return first_fitting(
        screen(*apart([*texts, *more]), *button_rows(buttons), colour=RESULT_COLOUR) for more in drawings
    )


def _streak(morning: Morning, words: Words) -> str:
    told = words("morning.streak", count=morning.streak)
    if morning.missed:
        return f"{told}\n{words('morning.missed')}"
    freeze = words("daily.freeze") if morning.freeze else words("daily.no_freeze", count=FREEZE_AFTER)
    return words.facts([told, freeze])


def _ranking_text(ranked: DailyRanking, guild: GuildId, words: Words, faces: Faces) -> str:
    """Return the ranking. The boards are shown by the button *Yesterday's hand*."""
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
    head = words.facts([f"**{dated_title(ranked.of, words)}**", words("morning.people", count=ranked.people)])
    return "\n".join([head, *lines])


def _solution(morning: Morning, words: Words) -> list[Part]:
    if morning.ranked is None:
        return []
    return [button(about(morning.ranked.of.number, "solved"), words("daily.button.before_daily"))]
