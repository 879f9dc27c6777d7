"""The weekly recap: the post with its picture, and past recaps for a reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from bot.chat.art.felt import drawable
from bot.chat.art.podium import DrawnLine, DrawnList, draw_lists
from bot.chat.club.screens.leaderboard import place_drawn, place_text
from bot.chat.club.screens.ranking import Listing, rank_by
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.fragments import RESULT_COLOUR, date_mark, moment, step_label
from bot.chat.kit.picture_names import picture_names
from bot.chat.kit.widgets import Part, Screen, button, button_rows, gallery, screen, separator
from bot.model.bulletins import EventPlace, Highlight, Recap
from bot.model.careers import Badge
from bot.model.clock import HOUR
from bot.model.events import Event
from bot.model.ids import GuildId, Player, TableId
from bot.model.standings import RankingPlace, places
from bot.text.badges import badge_name
from bot.text.words import Words, escape_name

RECAP_PICTURE: Final = "recap.png"
SHOWN: Final = 5
"""Maximum number of players listed as having won the most."""
MAX_EVENTS: Final = 5
CHAMPIONS: Final = 15
"""Maximum number of champions named. The others are counted."""
TOGETHER: Final = 3
"""Maximum number of names per line."""
T = TypeVar("T")


def recap_post(
    recap: Recap,
    guild: GuildId,
    coming: Sequence[Event],
    words: Words,
    names: DisplayNames,
    *,
    tag: str,
    picture: str = "",
) -> Screen:
    """Draw the post with the coming week's events. ``tag`` marks it so that it can be found again.

    ``picture`` describes the attached picture, which replaces the lines of the players who won the most.
    """
    older = button(_here("recaps", 0, tag), words("recap.older"))
    parts = [*_parts(recap, guild, words, names, picture), *_upcoming_parts(coming, words)]
    return screen(*parts, *button_rows([*_replays(recap, words), older]), colour=RESULT_COLOUR)


def recap_screen(
    recap: Recap | None,
    last: int,
    guild: GuildId,
    words: Words,
    names: DisplayNames,
    *,
    picture: str = "",
    following: int = 0,
) -> Screen:
    """Draw a recap for one reader with buttons to older and newer ones, or say when the first one is due.

    ``following`` is the time of the next recap; 0 if recaps are turned off.
    """
    if recap is None:
        none = words("recap.first", at=date_mark(following)) if following else words("recap.none")
        return screen(f"### {words('recap.title')}", none, rank_by(Listing.RECAP, words), colour=RESULT_COLOUR)
    ways = _replays(recap, words)
    pages = []
    if last > 1:
        pages = [
            button(_here("recap_page", recap.number - 1), step_label("back", words), disabled=recap.number <= 1),
            button(_here("recap_page", recap.number + 1), step_label("next", words), disabled=recap.number >= last),
        ]
    parts = _parts(recap, guild, words, names, picture)
    menu = rank_by(Listing.RECAP, words)
    return screen(*parts, menu, *button_rows([*ways, *pages]), colour=RESULT_COLOUR)


def _here(verb: str, number: int, argument: str = "") -> Press:
    return Press(verb=verb, table=TableId(0), hand=number, argument=argument)


def _parts(recap: Recap, guild: GuildId, words: Words, names: DisplayNames, picture: str) -> list[str | Part]:
    # Midday falls on the right day in every reader's time zone.
    since, until = (recap.since + 12 * HOUR) // 1000, (recap.until - 12 * HOUR) // 1000
    head = f"### {words('recap.title')}\n-# {words('recap.week', since=since, until=until)}"
    facts = _facts(recap, guild, words, names)
    if not (recap.top or recap.podium or recap.event_points):
        return [head, facts] if facts else [head]
    if picture:
        return [head, gallery(RECAP_PICTURE, description=picture), facts]
    lists = [
        "\n".join([f"**{heading}**", *lines])
        for heading, lines in _lists(recap, words, "line", lambda player: names.of(guild, player, words))
    ]
    return [head, *lists, separator(line=False), facts]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranked:
    """One of the week's best players, ready to be shown."""

    place: RankingPlace
    player: Player
    value: str
    count: str
    """Their hands or events, such as ``hands: 812``."""


def _chips(recap: Recap, words: Words) -> list[_Ranked]:
    """Return the players who won the most chips."""
    placed = zip(places([line.chips for line in recap.top]), recap.top, strict=True)
    return [
        _Ranked(
            place=place,
            player=line.player,
            value=words.signed(line.chips),
            count=words("leaderboard.hands", hands=words.number(line.hands)),
        )
        for place, line in placed
    ][:SHOWN]


def _points(recap: Recap, words: Words) -> list[_Ranked]:
    """Return the players with the most points of events; none after a single event, whose places say the same."""
    if not recap.leads_with_events or recap.events <= 1:
        return []
    placed = zip(places([line.points for line in recap.event_points]), recap.event_points, strict=True)
    return [
        _Ranked(
            place=place,
            player=line.player,
            value=words.number(line.points),
            count=words("leaderboard.events", events=words.number(line.events)),
        )
        for place, line in placed
    ][:SHOWN]


def _facts(recap: Recap, guild: GuildId, words: Words, names: DisplayNames) -> str:
    """Return up to eight lines, leaving out those without content."""

    def name(player: Player) -> str:
        return names.of(guild, player, words)

    lines = [
        [*_hands_lines(recap, words)],
        [*_champions(recap, name, words)],
        _climbs(recap, name, words),
        _list_first(recap.boards, lambda one: words("recap.board", player=name(one.player), count=one.number)),
        _luck(recap, name, words),
        [*_finish(recap, name, words), *_pair(recap, name, words)],
        [*_daily_lines(recap, name, words), *_masters(recap, name, words)],
        _badges(recap, name, words),
    ]
    return "\n".join(words.side_by_side([*filter(None, line)]) for line in lines if any(line))


_Name = Callable[[Player], str]


def _list_first(things: Sequence[T], tell: Callable[[T], str]) -> list[str]:
    """Return the text for the first of ``things``; empty if there are none."""
    return [tell(one) for one in things[:1]]


def _hands_lines(recap: Recap, words: Words) -> list[str]:
    """Return the number of hands for chips, of events, and of hands in events.

    Event chips count only within their event.
    """
    lines = []
    if recap.hands:
        lines.append(words("recap.played", count=recap.hands, players=words.number(recap.players)))
    if recap.event_hands or recap.events:
        hands, players = words.number(recap.event_hands), words.number(recap.event_players)
        lines.append(words("recap.events", count=recap.events, hands=hands, players=players))
    return lines


def _champions(recap: Recap, name: _Name, words: Words) -> list[str]:
    """Return all event winners with the names of their events."""
    won: dict[Player, list[str]] = {}
    for one in recap.victories:
        won.setdefault(one.player, []).append(escape_name(one.event))
    if not won:
        return []
    told = [
        words("recap.champion", player=name(player), events=words.list(events))
        for player, events in list(won.items())[:CHAMPIONS]
    ]
    left = len(won) - len(told)
    more = [words("recap.champions_more", count=left)] if left else []
    return [words("recap.champions", champions=words.list([*told, *more]))]


def _climbs(recap: Recap, name: _Name, words: Words) -> list[str]:
    if not recap.climbs:
        return []
    told = [
        words("recap.climb", player=name(one.player), count=one.places, rank=words.number(one.rank))
        for one in recap.climbs[:TOGETHER]
    ]
    return [words("recap.climbs", players=words.list(told))]


def _luck(recap: Recap, name: _Name, words: Words) -> list[str]:
    def tell(which: str) -> Callable[[Highlight], str]:
        return lambda one: words(
            f"recap.{which}", player=name(one.player), points=words.signed_decimal(one.number / 10, decimals=1)
        )

    return [*_list_first(recap.lucky, tell("lucky")), *_list_first(recap.unlucky, tell("unlucky"))]


def _finish(recap: Recap, name: _Name, words: Words) -> list[str]:
    def tell(which: str) -> str:
        one = recap.finishes[0]
        first, second, hands = name(one.winner), name(one.second), words.number(one.hands)
        if not one.points:
            return words("recap.level", players=words.list([first, second]), table=one.table, count=one.hands)
        return words(f"recap.{which}", winner=first, second=second, count=one.points, table=one.table, hands=hands)

    return [tell("finish")] if recap.finishes else []


def _masters(recap: Recap, name: _Name, words: Words) -> list[str]:
    some = [name(player) for player in recap.masters[:TOGETHER]]
    return [words("recap.masters", players=words.list(some))] if some else []


def _daily_lines(recap: Recap, name: _Name, words: Words) -> list[str]:
    """Return the week's best daily hand, if it scored any points."""
    best = [one for one in recap.dailies if one.points > 0]
    return _list_first(best, lambda one: words("recap.daily", player=name(one.player), count=one.points))


def _badges(recap: Recap, name: _Name, words: Words) -> list[str]:
    """Return the badges earned, with a few players by name."""
    earned: dict[Player, list[str]] = {}
    known = {badge.value: badge for badge in Badge}
    for one in recap.badges:
        if one.badge in known:
            earned.setdefault(one.player, []).append(badge_name(known[one.badge], words))
    told = [
        words("recap.badges_of", player=name(player), badges=words.list(badges[:TOGETHER]))
        for player, badges in list(earned.items())[:TOGETHER]
    ]
    left = sum(map(len, earned.values())) - sum(len(badges[:TOGETHER]) for badges in list(earned.values())[:TOGETHER])
    more = [words("recap.badges_more", count=left)] if left else []
    return [words("recap.badges", badges=words.list([*told, *more]))] if told else []


def _pair(recap: Recap, name: _Name, words: Words) -> list[str]:
    return _list_first(
        recap.pairs,
        lambda one: words("recap.pair", players=words.list([name(one.first), name(one.second)]), count=one.hands),
    )


def _replays(recap: Recap, words: Words) -> list[Part]:
    """Return a button for each hand mentioned. A hand mentioned twice gets only one."""
    found = {"board": recap.boards, "lucky": recap.lucky, "unlucky": recap.unlucky}
    ways = {
        Press(verb="replay", table=one.table, tag=one.tag, hand=one.hand_no): which
        for which, highlights in reversed(found.items())
        for one in highlights[:1]
    }
    return [button(press, words(f"recap.replay.{ways[press]}")) for press in reversed(ways)]


def _upcoming_parts(events: Sequence[Event], words: Words) -> list[str | Part]:
    if not events:
        return []
    lines = [
        words(
            "recap.event",
            event=escape_name(event.name),
            at=f"<t:{(event.starts_at or 0) // 1000}:F>",
            when=moment(event.starts_at or 0),
            channel=event.channel,
        )
        for event in events[:MAX_EVENTS]
    ]
    return [separator(line=False), "\n".join([words("recap.coming"), *lines])]


# The players who won the most, and the leaders of the largest event, as text and as a picture.


def _lists(recap: Recap, words: Words, key: str, name: _Name) -> list[tuple[str, list[str]]]:
    """Return each list with its heading. ``key`` is ``line`` for the screen or ``told`` for screen readers."""
    chips, events = [], []
    if recap.top:
        chips.append((words("recap.drawn"), _ranks(_chips(recap, words), words, f"leaderboard.{key}", name)))
    if points := _points(recap, words):
        events.append((words("recap.event_points"), _ranks(points, words, f"leaderboard.{key}", name)))
    if recap.podium:
        heading = _event_heading(recap, words)
        events.append(
            (
                escape_name(heading) if key == "line" else heading,
                _podium(recap, words, "" if key == "line" else "_told", name),
            )
        )
    return [*events, *chips] if recap.leads_with_events else [*chips, *events]


def _event_heading(recap: Recap, words: Words) -> str:
    event = recap.podium[0]
    return words("recap.largest", event=event.event, count=event.people)


def _podium(recap: Recap, words: Words, how: str, name: _Name) -> list[str]:
    def tell(one: EventPlace) -> str:
        place, player = _event_place(one, words), name(one.player)
        if not one.won:
            return words(f"recap.podium{how}", place=place, player=player)
        return words(f"recap.podium_won{how}", place=place, player=player, chips=words.number(one.won))

    return [tell(one) for one in recap.podium[:SHOWN]]


def _event_place(one: EventPlace, words: Words) -> str:
    return place_text(RankingPlace(rank=one.place, shared=one.shared), words)


def people_drawn(recap: Recap) -> list[Player]:
    """Return all players that the picture names."""
    return [one.player for some in (recap.top, recap.event_points, recap.podium) for one in some[:SHOWN]]


def can_draw(recap: Recap, guild: GuildId, names: DisplayNames, words: Words) -> bool:
    """True if there is anything to draw, and the picture can name all players."""
    drawn = picture_names(names, guild, people_drawn(recap), words)
    named = not recap.podium or bool(drawable(recap.podium[0].event))
    return named and bool(drawn) and all(drawn.values())


def drawn_on(recap: Recap, guild: GuildId, names: DisplayNames, words: Words) -> tuple[DrawnList, ...]:
    """Return the picture's lists."""
    drawn = picture_names(names, guild, people_drawn(recap), words)
    chips, events = [], []
    if recap.top:
        chips.append(DrawnList(heading=words("recap.drawn"), lines=_drawn(_chips(recap, words), drawn, words)))
    if points := _points(recap, words):
        events.append(DrawnList(heading=words("recap.event_points"), lines=_drawn(points, drawn, words)))
    if recap.podium:
        first = [
            DrawnLine(
                rank=one.place,
                place=place_drawn(RankingPlace(rank=one.place, shared=one.shared), words),
                name=drawn[one.player],
                value=words.number(one.won) if one.won else "",
                hands="",
            )
            for one in recap.podium[:SHOWN]
        ]
        events.append(DrawnList(heading=drawable(_event_heading(recap, words)), lines=tuple(first)))
    return (*events, *chips) if recap.leads_with_events else (*chips, *events)


def _drawn(ranked: Sequence[_Ranked], names: Mapping[Player, str], words: Words) -> tuple[DrawnLine, ...]:
    return tuple(
        DrawnLine(
            rank=one.place.rank,
            place=place_drawn(one.place, words),
            name=names[one.player],
            value=one.value,
            hands=one.count,
        )
        for one in ranked
    )


def in_words(recap: Recap, guild: GuildId, names: DisplayNames, words: Words) -> str:
    """Return the lists as plain text for screen readers."""
    return "\n".join(
        words("recap.list_told", heading=heading, lines=words.side_by_side(lines))
        for heading, lines in _lists(recap, words, "told", lambda player: names.plain(guild, player, words))
    )


def _ranks(ranked: Sequence[_Ranked], words: Words, key: str, name: _Name) -> list[str]:
    """Return a line for each of the best players, for the screen or for screen readers."""
    return [
        words(key, place=place_text(one.place, words), player=name(one.player), value=one.value, hands=one.count)
        for one in ranked
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecapPicture:
    """Content of a recap's picture, before it's drawn."""

    lists: tuple[DrawnList, ...]
    told: str
    """Description of the picture."""

    def draw(self) -> bytes:
        """Draw the picture, which takes about 0.1 seconds."""
        return draw_lists(self.lists)


def build_drawing(recap: Recap, guild: GuildId, names: DisplayNames, words: Words) -> RecapPicture | None:
    """Return the picture's content; None if the lines are shown as text."""
    if not can_draw(recap, guild, names, words):
        return None
    return RecapPicture(lists=drawn_on(recap, guild, names, words), told=in_words(recap, guild, names, words))
