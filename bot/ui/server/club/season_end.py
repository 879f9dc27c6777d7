"""The end of a season as everybody reads it: its champions, what they are called, and the best of it."""

from __future__ import annotations

from typing import Final

from bot.art.felt import drawable
from bot.art.leaderboard import Crowned, DrawnLine, draw_leaderboard
from bot.model.ids import GuildId, Player
from bot.model.standings import Place, places
from bot.play.bank.champions import SeasonEnd
from bot.text.words import Words
from bot.ui.display_names import DisplayNames
from bot.ui.fragments import RESULT_COLOUR, player_name
from bot.ui.server.club.seasons import champions_line, season_name, unescaped_name
from bot.ui.server.leaderboard import place_drawn, place_text
from bot.ui.widgets import Screen, gallery, screen

PICTURE: Final = "season.png"


def season_end_screen(
    end: SeasonEnd, guild: GuildId, names: DisplayNames, words: Words, *, picture: str = ""
) -> Screen:
    """The post. ``picture`` describes the lines on the attached picture, which takes the place of their text."""
    season = end.season
    crowned = names.list(guild, end.champions, words)
    head = f"### {words('season.over', season=season_name(season, words))}"
    head += f"\n{champions_line(season, crowned, words, count=len(end.champions))}"
    foot = words("season.look")
    if picture:
        return screen(head, gallery(PICTURE, description=picture), foot, colour=RESULT_COLOUR)
    lines = [
        words(
            "leaderboard.line",
            place=place_text(place, words),
            player=player_name(player, words),
            value=value,
            hands=hands,
        )
        for place, player, value, hands in _lines(end, words)
    ]
    return screen("\n".join([head, *lines]), foot, colour=RESULT_COLOUR)


def end_pictured(end: SeasonEnd, guild: GuildId, names: DisplayNames, words: Words) -> bool:
    """True where the picture can name everybody."""
    return all(drawable(names.plain(guild, line.player, words)) for line in end.top)


def end_picture(end: SeasonEnd, guild: GuildId, names: DisplayNames, words: Words) -> bytes:
    """The picture. Run it in an executor."""
    lines = [
        DrawnLine(
            rank=place.rank,
            place=place_drawn(place, words),
            name=names.plain(guild, player, words),
            value=value,
            hands=words("leaderboard.hands", hands=hands),
        )
        for place, player, value, hands in _lines(end, words)
    ]
    crowned = Crowned(
        names=words.list([names.plain(guild, player, words) for player in end.champions]),
        title=end.season.title or words("season.champion"),
    )
    return draw_leaderboard(heading=unescaped_name(end.season, words), lines=lines, crowned=crowned)


def end_in_words(end: SeasonEnd, guild: GuildId, names: DisplayNames, words: Words) -> str:
    """The same in words, without marks: what a screen reader says."""
    crowned = words.list([names.plain(guild, player, words) for player in end.champions])
    told = [
        words(
            "leaderboard.told",
            place=place_text(place, words),
            player=names.plain(guild, player, words),
            value=value,
            hands=hands,
        )
        for place, player, value, hands in _lines(end, words)
    ]
    title = end.season.title or words("season.champion")
    return words.side_by_side([words("season.pictured", title=title, players=crowned), *told])


def _lines(end: SeasonEnd, words: Words) -> list[tuple[Place, Player, str, str]]:
    """Place, player, chips won and hands."""
    placed = places([line.chips for line in end.top])
    return [
        (place, line.player, words.signed(line.chips), words.number(line.hands))
        for place, line in zip(placed, end.top, strict=True)
    ]
