"""A leaderboard as a picture, with the same in words for those who hear it."""

from __future__ import annotations

from bot.art.felt import drawable
from bot.art.leaderboard import DrawnLine
from bot.model.ids import GuildId, Player
from bot.model.standings import Leaderboard
from bot.text.words import Words
from bot.ui.display_names import DisplayNames
from bot.ui.server.leaderboard import lines_of, place_drawn, place_text, title_of


def pictured(board: Leaderboard, guild: GuildId, names: DisplayNames, words: Words) -> bool:
    """True where the picture can name everybody: in the text mentions stand in for those who are not known."""
    lines = lines_of(board, words)
    return bool(lines) and all(drawable(names.plain(guild, line.player, words)) for line in lines)


def drawn_on(
    board: Leaderboard, guild: GuildId, viewer: Player, names: DisplayNames, words: Words
) -> tuple[str, tuple[DrawnLine, ...]]:
    """The heading and the lines of the picture."""
    lines = [
        DrawnLine(
            rank=line.place.rank,
            place=place_drawn(line.place, words),
            name=names.plain(guild, line.player, words),
            value=line.value,
            hands=words("leaderboard.hands", hands=line.hands),
            own=line.player == viewer,
        )
        for line in lines_of(board, words)
    ]
    return title_of(board, words), tuple(lines)


def in_words(board: Leaderboard, guild: GuildId, names: DisplayNames, words: Words) -> str:
    """The same in words, without marks: what a screen reader says."""
    return words.side_by_side(
        [
            words(
                "leaderboard.told",
                place=place_text(line.place, words),
                player=names.plain(guild, line.player, words),
                value=line.value,
                hands=line.hands,
            )
            for line in lines_of(board, words)
        ]
    )
