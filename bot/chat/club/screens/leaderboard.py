"""A server's leaderboard by order, time span and game, and the final standings of a season."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from discord import SelectOption

from bot.chat.art.podium import Champions, DrawnLine, draw_leaderboard
from bot.chat.club.screens.seasons import champions_line, season_name, unescaped_name
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.fragments import RESULT_COLOUR, player_name, rating_text, step_label
from bot.chat.kit.picture_names import picture_names
from bot.chat.kit.widgets import Part, Screen, button, button_rows, gallery, screen, select
from bot.model.ids import GuildId, Player, TableId
from bot.model.standings import (
    CALENDAR,
    EVERY_GAME,
    EventStanding,
    Leaderboard,
    LeaderboardOrder,
    LeaderboardQuery,
    LeaderboardSpan,
    Ranked,
    RankingPlace,
    RatingLine,
    Season,
)
from bot.play.bank.seasons import SeasonEnd
from bot.pure.ofc.presets import PRESETS
from bot.pure.rating.model import group_of
from bot.text.games import preset_name
from bot.text.words import Words

PLACES: Final = 10
"""Lines per page."""
PICTURE: Final = "leaderboard.png"
_ORDERS = tuple(LeaderboardOrder)
_SEASON = "season-"
"""Prefix of a season's number in a menu of time spans."""
BY_PLAY: Final = "by_play"
"""Option of a club page for the order that depends on where most hands are played."""
EVERY: Final = "every"
"""Value that means all games, because a menu needs one."""


def build_press(asked: LeaderboardQuery, *, page: int, verb: str) -> Press:
    """Return a press that carries a leaderboard's options."""
    # A season is identified by its number, which other spans don't have.
    span = CALENDAR.index(asked.span) if asked.span in CALENDAR else 0
    which = _ORDERS.index(asked.order) * len(CALENDAR) + span
    return Press(verb=verb, table=TableId(asked.season), hand=page, street=which, argument=asked.game)


def parse_query(press: Press) -> LeaderboardQuery:
    """Return the leaderboard that ``press`` is about."""
    order, span = divmod(press.street, len(CALENDAR))
    if order >= len(_ORDERS) or press.argument not in (*PRESETS, EVERY_GAME):
        return LeaderboardQuery()
    if press.table:
        return LeaderboardQuery(_ORDERS[order], LeaderboardSpan.SEASON, press.argument, press.table)
    return LeaderboardQuery(_ORDERS[order], CALENDAR[span], press.argument)


def span_value(season: Season) -> str:
    """Return the value of a season in a menu of time spans."""
    return f"{_SEASON}{season.number}"


def with_span(value: str, asked: LeaderboardQuery) -> LeaderboardQuery:
    """Return ``asked`` with the span or season that was chosen in the menu."""
    number = value.removeprefix(_SEASON)
    if value != number and number.isascii() and number.isdigit() and len(number) < 9:
        return asked._replace(span=LeaderboardSpan.SEASON, season=int(number))
    span = next((span for span in LeaderboardSpan if span.value == value), asked.span)
    return asked._replace(span=span, season=asked.season if span is LeaderboardSpan.SEASON else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardLine:
    """A line of the leaderboard, ready to be shown."""

    place: RankingPlace
    player: str
    value: str
    hands: str


def place_text(place: RankingPlace, words: Words) -> str:
    """Return a place, such as ``2``, or ``2=`` if it's shared. Members who have left get a dash."""
    if not place.rank:
        return words("leaderboard.unranked")
    return words("leaderboard.place_shared" if place.shared else "leaderboard.place", place=place.rank)


def place_drawn(place: RankingPlace, words: Words) -> str:
    """Return a place in the short form for pictures."""
    if not place.rank:
        return words("leaderboard.unranked")
    return words("leaderboard.drawn_shared", place=place.rank) if place.shared else str(place.rank)


def page_lines(board: Leaderboard, words: Words) -> list[LeaderboardLine]:
    """Return the page's lines. If the reader's own line is on another page, it's added at the end."""
    placed = list(zip(board.places, board.lines[:PLACES], strict=False))
    own, own_place = board.own, board.own_place
    if own is not None and own_place is not None and all(line.player != own.player for _, line in placed):
        placed.append((own_place, own))
    return [
        LeaderboardLine(
            place=place,
            player=line.player,
            value=_value(line, board.asked.order, words),
            hands=_count_text(line, words),
        )
        for place, line in placed
    ]


def _count_text(line: Ranked, words: Words) -> str:
    """Return a line's count, such as ``hands: 812`` or ``events: 12``."""
    if isinstance(line, EventStanding):
        return words("leaderboard.events", events=words.number(line.events))
    return words("leaderboard.hands", hands=words.number(line.hands))


def board_title(board: Leaderboard, words: Words) -> str:
    """Return a title such as ``Leaderboard: rating``."""
    return words("leaderboard.title", by=words(f"leaderboard.by.{board.asked.order.value}"))


def leaderboard_screen(board: Leaderboard, words: Words, rank_by: Part, *, picture: str = "") -> Screen:
    """Draw a page for the reader with its menus, ``rank_by`` first, or explain why it's empty.

    ``picture`` describes the attached picture, which replaces the lines.
    """
    return screen(*board_parts(board, words, picture), rank_by, *_controls(board, words), colour=RESULT_COLOUR)


def leaderboard_for_all(board: Leaderboard, words: Words, *, picture: str = "") -> Screen:
    """Draw a page for everyone, without controls."""
    return screen(*board_parts(board, words, picture), colour=RESULT_COLOUR)


def without_own(board: Leaderboard) -> Leaderboard:
    """Return the board without the reader's own place, for everyone to see."""
    return replace(board, own=None, own_place=None)


def board_parts(board: Leaderboard, words: Words, picture: str) -> list[str | Part]:
    """Return the heading and the lines. The picture replaces the lines if ``picture`` describes one."""
    asked = board.asked
    head = f"### {board_title(board, words)}\n-# {_scope_text(board, words)}"
    if board.group:
        head += f"\n-# {words('leaderboard.rating_means', count=board.asked.order.min_hands)}"
    season = _season(board)
    if asked.order.of_events:
        means = [words("leaderboard.of_events"), words(f"leaderboard.means.{asked.order.value}")]
        head += f"\n-# {words.side_by_side(means)}"
    if season is not None and board.champions:
        players = words.list([player_name(player, words) for player in board.champions])
        count = len(board.champions)
        event = words("season.event_champions", count=count, players=players)
        head += f"\n{event if asked.order.of_events else champions_line(season, players, words, count=count)}"
    if not board.lines and board.own is None:
        key, least = "leaderboard.empty", asked.order.min_hands
        if asked.order.of_events:
            key, least = "leaderboard.empty_events", asked.order.min_events
        return [f"{head}\n{words(key, count=least)}"]
    if picture:
        return [head, gallery(PICTURE, description=picture)]
    lines = [_line_text(line, words) for line in page_lines(board, words)]
    following = next((line.player for line in board.lines[PLACES:]), None)
    if len(lines) > len(board.lines[:PLACES]) and (board.own is None or following != board.own.player):
        lines.insert(-1, "…")
    return ["\n".join([head, *lines])]


def _line_text(line: LeaderboardLine, words: Words) -> str:
    """Return a line's text. Members who have left are shown small and grey."""
    text = words(
        "leaderboard.line",
        place=place_text(line.place, words),
        player=player_name(line.player, words),
        value=line.value,
        hands=line.hands,
    )
    return text if line.place.rank else f"-# {words.facts([text, words('leaderboard.left')])}"


def _scope_text(board: Leaderboard, words: Words) -> str:
    """Return the board's time span and game. Ratings always cover all time."""
    asked = board.asked
    if board.group:
        return words.facts([words("leaderboard.span.all"), words(f"leaderboard.group.{board.group}")])
    if asked.order.of_events:
        return _span(board, words)
    game = preset_name(PRESETS[asked.game], words) if asked.game in PRESETS else words("leaderboard.every_game")
    return words.facts([_span(board, words), game])


def _span(board: Leaderboard, words: Words) -> str:
    """Return a span such as ``This week``, or a season with its dates."""
    if board.asked.span is not LeaderboardSpan.SEASON:
        return words(f"leaderboard.span.{board.asked.span.value}")
    season = _season(board)
    return words("leaderboard.span.season") if season is None else season_span(season, words)


def season_span(season: Season, words: Words) -> str:
    """Return a season's name with its dates."""
    name, since = season_name(season, words), season.began_at // 1000
    if season.ended_at is None:
        return words("leaderboard.season_running", season=name, since=since)
    return words("leaderboard.season_over", season=name, since=since, until=season.ended_at // 1000)


def _season(board: Leaderboard) -> Season | None:
    """Return the chosen season."""
    return next((one for one in board.seasons if one.number == board.asked.season), None)


def _value(line: Ranked, order: LeaderboardOrder, words: Words) -> str:
    if isinstance(line, RatingLine):
        return rating_text(line.rating, words)
    value = line.value(order)
    match order:
        case LeaderboardOrder.POINTS:
            return words.signed_decimal(value, decimals=2)
        case LeaderboardOrder.ROYALTIES:
            return words.decimal(value, decimals=2)
        case LeaderboardOrder.AVERAGE_PLACE:
            return words.decimal(value, decimals=1)
        case LeaderboardOrder.FOULS:
            return words.percent(round(100 * value))
        case LeaderboardOrder.CHIPS | LeaderboardOrder.BEST:
            return words.signed(int(value))
        case _:
            return words.number(int(value))


def orders_to_choose(chosen: LeaderboardOrder | None, words: Words) -> list[SelectOption]:
    """Return the options of the menu of orders for a club page, each starting with a capital letter.

    The first one, ``chosen`` as None, follows where most hands are played.
    """
    by_play = SelectOption(
        label=words("club.by_play"), value=BY_PLAY, description=words("club.by_play_means"), default=chosen is None
    )
    orders = [
        SelectOption(label=order_name(order, words), value=order.value, default=order is chosen)
        for order in LeaderboardOrder
    ]
    return [by_play, *orders]


def chosen_order(value: str, before: LeaderboardOrder | None) -> LeaderboardOrder | None:
    """Return the order of a chosen option; ``before`` if there's no such option."""
    return None if value == BY_PLAY else next((order for order in LeaderboardOrder if order.value == value), before)


def order_name(order: LeaderboardOrder, words: Words) -> str:
    """Return an order's name, starting with a capital letter."""
    name = words(f"leaderboard.by.{order.value}")
    return name[:1].upper() + name[1:]


def _controls(board: Leaderboard, words: Words) -> list[Part]:
    asked, page, parts = board.asked, board.page, list[Part]()
    if not board.group:
        press = build_press(asked, page=0, verb="lb_span")
        parts.append(select(press, _spans(board, words), placeholder=words("leaderboard.choose_span")))
    if not asked.order.of_events and (len(board.games) > 1 or (asked.game and not board.group)):
        press = build_press(asked, page=0, verb="lb_game")
        parts.append(select(press, _games(board, words), placeholder=words("leaderboard.choose_game")))
    buttons = []
    if page or len(board.lines) > PLACES:
        buttons.append(
            button(
                build_press(asked, page=max(0, page - 1), verb="lb_page"), step_label("back", words), disabled=not page
            )
        )
        further = build_press(asked, page=page + 1, verb="lb_page")
        buttons.append(button(further, step_label("next", words), disabled=len(board.lines) <= PLACES))
    if board.lines:
        buttons.append(button(build_press(asked, page=page, verb="lb_show"), words("leaderboard.show_all")))
    return [*parts, *button_rows(buttons)]


def _spans(board: Leaderboard, words: Words) -> list[SelectOption]:
    asked = board.asked
    spans = [
        SelectOption(label=words(f"leaderboard.span.{span.value}"), value=span.value, default=span is asked.span)
        for span in CALENDAR
    ]
    seasons = [
        SelectOption(
            label=unescaped_name(season, words),
            value=span_value(season),
            default=season.number == asked.season,
        )
        for season in board.seasons
    ]
    return [*spans, *seasons]


def _games(board: Leaderboard, words: Words) -> list[SelectOption]:
    played = [key for key in board.games if key in PRESETS]
    if board.group:
        groups = [(key, group) for key in played if (group := group_of(key))]
        return [
            SelectOption(label=words(f"leaderboard.group.{group.key}"), value=key, default=group.key == board.group)
            for key, group in groups
        ]
    every = SelectOption(label=words("leaderboard.every_game"), value=EVERY, default=not board.asked.game)
    return [
        every,
        *(
            SelectOption(label=preset_name(PRESETS[key], words)[:100], value=key, default=key == board.asked.game)
            for key in played
        ),
    ]


# The leaderboard as a picture, with a description for screen readers.


def can_draw(board: Leaderboard, guild: GuildId, names: DisplayNames, words: Words) -> bool:
    """True if the picture can name all players. Text can use mentions for names that aren't cached."""
    drawn = picture_names(names, guild, [line.player for line in page_lines(board, words)], words)
    return bool(drawn) and all(drawn.values())


def drawn_on(
    board: Leaderboard, guild: GuildId, viewer: Player, names: DisplayNames, words: Words
) -> tuple[str, tuple[DrawnLine, ...]]:
    """Return the picture's heading and lines."""
    listed = page_lines(board, words)
    drawn = picture_names(names, guild, [line.player for line in listed], words)
    lines = [
        DrawnLine(
            rank=line.place.rank,
            place=place_drawn(line.place, words),
            name=drawn[line.player],
            value=line.value,
            hands=line.hands,
            own=line.player == viewer,
        )
        for line in listed
    ]
    return board_title(board, words), tuple(lines)


def in_words(board: Leaderboard, guild: GuildId, names: DisplayNames, words: Words) -> str:
    """Return the lines as plain text for screen readers."""
    return words.side_by_side(
        [
            words(
                "leaderboard.told",
                place=place_text(line.place, words),
                player=names.plain(guild, line.player, words),
                value=line.value,
                hands=line.hands,
            )
            for line in page_lines(board, words)
        ]
    )


# The post about the end of a season: the champions, their title, and the top players.

SEASON_PICTURE: Final = "season.png"


def season_end_screen(
    end: SeasonEnd, guild: GuildId, names: DisplayNames, words: Words, *, picture: str = "", tag: str
) -> Screen:
    """Draw the post.

    ``picture`` describes the attached picture, which replaces the lines. ``tag`` marks the button so that the post can
    be found again.
    """
    season = end.season
    board = replace(
        build_press(
            LeaderboardQuery(end.ranking.order, LeaderboardSpan.SEASON, season=season.number), page=0, verb="ranks"
        ),
        tag=tag,
    )
    ways = button_rows([button(board, words("club.my_place"))])
    head = f"### {words('season.over', season=season_name(season, words))}"
    if end.crowned:
        crowned = names.list(guild, end.crowned, words)
        head += f"\n{champions_line(season, crowned, words, count=len(end.crowned))}"
    foot = words("season.look")
    if picture:
        return screen(head, gallery(SEASON_PICTURE, description=picture), foot, *ways, colour=RESULT_COLOUR)
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
    return screen("\n".join([head, *lines]), foot, *ways, colour=RESULT_COLOUR)


def end_pictured(end: SeasonEnd, guild: GuildId, names: DisplayNames, words: Words) -> bool:
    """True if the picture can name all players."""
    return all(picture_names(names, guild, [line.player for _, line in end.listed], words).values())


def end_picture(end: SeasonEnd, guild: GuildId, names: DisplayNames, words: Words) -> bytes:
    """Draw the picture. Run it in an executor."""
    drawn = picture_names(names, guild, [*end.crowned, *(line.player for _, line in end.listed)], words)
    lines = [
        DrawnLine(
            rank=place.rank,
            place=place_drawn(place, words),
            name=drawn[player],
            value=value,
            hands=hands,
        )
        for place, player, value, hands in _lines(end, words)
    ]
    crowned = Champions(
        names=words.list([drawn[player] for player in end.crowned]),
        title=end.season.title or words("season.champion"),
    )
    heading = unescaped_name(end.season, words)
    return draw_leaderboard(heading=heading, lines=lines, crowned=crowned if end.crowned else None)


def end_in_words(end: SeasonEnd, guild: GuildId, names: DisplayNames, words: Words) -> str:
    """Return the lines as plain text for screen readers."""
    crowned = words.list([names.plain(guild, player, words) for player in end.crowned])
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
    first = [words("season.pictured", title=title, players=crowned)] if end.crowned else []
    return words.side_by_side([*first, *told])


def _lines(end: SeasonEnd, words: Words) -> list[tuple[RankingPlace, Player, str, str]]:
    """Return each line's place and player, their chips won or event points, and their hands or events."""
    order = end.ranking.order
    return [(place, line.player, _value(line, order, words), _count_text(line, words)) for place, line in end.listed]
