"""Careers: what is kept of a player's hands for chips, what a hand adds to it, which badges are earned, and records.

All of it is counted from what is kept of hands, events, seasons and months, beside standings and ratings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

from bot.model.hands import Result
from bot.model.ids import Player
from bot.model.standings import Paid


class Shelf(Enum):
    """The parts of a player's shelf of badges, in the order in which they are shown."""

    PLAY = "play"
    SKILL = "skill"
    COMPANY = "company"
    EVENTS = "events"
    SEASONS = "seasons"
    MONTHS = "months"
    """Those that are given anew for each month, once it is over."""


class Counted(Enum):
    """The numbers that badges are earned by: each of one hand, or of all that a player has played in a server."""

    HANDS = "hands"
    GAMES = "games"
    """Different games."""
    DAYS = "days"
    """Daily hands in a row; a streak belongs to no server."""
    LANDS = "lands"
    """Fantasylands earned."""
    ROYAL = "royal"
    ROYALTIES = "royalties"
    """Of one board."""
    POINTS = "points"
    """Of one hand."""
    SCOOPED = "scooped"
    """Opponents of one hand, where all of them were scooped."""
    LANDS_IN_ROW = "lands_in_row"
    """Fantasylands earned one after the other, at one table."""
    WINS_IN_ROW = "wins_in_row"
    """Hands won one after the other, at one table."""
    SEATED = "seated"
    """Players of one hand."""
    OPPONENTS = "opponents"
    """Different people."""
    TOGETHER = "together"
    """Hands with the one whom they have met most."""
    HOSTED = "hosted"
    """Players of an event of theirs that was played to its end."""
    EVENTS = "events"
    """Events played to their end."""
    EVENTS_WON = "events_won"
    PODIUM = "podium"
    """Players of an event in which they were among the first three."""
    EVENT_BEATEN = "event_beaten"
    """Players of an event that they have won."""
    SEASONS = "seasons"
    """Seasons that are over, with ``SEASON_HANDS`` or more of theirs."""
    SEASONS_WON = "seasons_won"
    SEASON_PODIUM = "season_podium"
    """Players of a season in which they were among the first three."""
    MONTH_CHIPS = "month_chips"
    """Players of a month in which nobody has won more chips; the same for what follows."""
    MONTH_HANDS = "month_hands"
    MONTH_LANDS = "month_lands"


class Badge(Enum):
    """A badge that a player has earned, in the order in which it is shown. A name is for ever: rows have it."""

    HANDS_100 = "hands_100"
    HANDS_1000 = "hands_1000"
    FIVE_GAMES = "five_games"
    DAILY_WEEK = "daily_week"
    DAILY_MONTH = "daily_month"
    DAILY_HUNDRED = "daily_hundred"
    ROYAL_FLUSH = "royal_flush"
    GREAT_BOARD = "great_board"
    BIG_HAND = "big_hand"
    WHOLE_TABLE = "whole_table"
    FIRST_FANTASYLAND = "first_fantasyland"
    THREE_FANTASYLANDS = "three_fantasylands"
    """Earned Fantasyland, and stayed twice."""
    FIVE_FANTASYLANDS = "five_fantasylands"
    FIFTY_FANTASYLANDS = "fifty_fantasylands"
    FIVE_WINS = "five_wins"
    TEN_WINS = "ten_wins"
    FOUR_SEATED = "four_seated"
    TEN_OPPONENTS = "ten_opponents"
    HUNDRED_TOGETHER = "hundred_together"
    EVENT_HOSTED = "event_hosted"
    TEN_EVENTS = "ten_events"
    EVENT_PODIUM = "event_podium"
    EVENT_WON = "event_won"
    THREE_EVENTS_WON = "three_events_won"
    BIG_EVENT_WON = "big_event_won"
    THREE_SEASONS = "three_seasons"
    SEASON_PODIUM = "season_podium"
    SEASON_WON = "season_won"
    MONTH_CHIPS = "month_chips"
    MONTH_HANDS = "month_hands"
    MONTH_FANTASYLANDS = "month_fantasylands"


class Rule(NamedTuple):
    """How a badge is earned: by so much of a number, or more."""

    shelf: Shelf
    counted: Counted
    least: int


SEASON_HANDS = 10
"""From so many hands on somebody has played in a season."""
GREAT_ROYALTIES = 30
DAILY_DAYS = 7
_MONTH_PLAYERS = 4
"""A month of fewer players has no badges."""
RULES: Final[Mapping[Badge, Rule]] = {
    Badge.HANDS_100: Rule(Shelf.PLAY, Counted.HANDS, 100),
    Badge.HANDS_1000: Rule(Shelf.PLAY, Counted.HANDS, 1000),
    Badge.FIVE_GAMES: Rule(Shelf.PLAY, Counted.GAMES, 5),
    Badge.DAILY_WEEK: Rule(Shelf.PLAY, Counted.DAYS, DAILY_DAYS),
    Badge.DAILY_MONTH: Rule(Shelf.PLAY, Counted.DAYS, 30),
    Badge.DAILY_HUNDRED: Rule(Shelf.PLAY, Counted.DAYS, 100),
    Badge.ROYAL_FLUSH: Rule(Shelf.SKILL, Counted.ROYAL, 1),
    Badge.GREAT_BOARD: Rule(Shelf.SKILL, Counted.ROYALTIES, GREAT_ROYALTIES),
    Badge.BIG_HAND: Rule(Shelf.SKILL, Counted.POINTS, 50),
    Badge.WHOLE_TABLE: Rule(Shelf.SKILL, Counted.SCOOPED, 2),
    Badge.FIRST_FANTASYLAND: Rule(Shelf.SKILL, Counted.LANDS_IN_ROW, 1),
    Badge.THREE_FANTASYLANDS: Rule(Shelf.SKILL, Counted.LANDS_IN_ROW, 3),
    Badge.FIVE_FANTASYLANDS: Rule(Shelf.SKILL, Counted.LANDS_IN_ROW, 5),
    Badge.FIFTY_FANTASYLANDS: Rule(Shelf.SKILL, Counted.LANDS, 50),
    Badge.FIVE_WINS: Rule(Shelf.SKILL, Counted.WINS_IN_ROW, 5),
    Badge.TEN_WINS: Rule(Shelf.SKILL, Counted.WINS_IN_ROW, 10),
    Badge.FOUR_SEATED: Rule(Shelf.COMPANY, Counted.SEATED, 4),
    Badge.TEN_OPPONENTS: Rule(Shelf.COMPANY, Counted.OPPONENTS, 10),
    Badge.HUNDRED_TOGETHER: Rule(Shelf.COMPANY, Counted.TOGETHER, 100),
    Badge.EVENT_HOSTED: Rule(Shelf.COMPANY, Counted.HOSTED, 8),
    Badge.TEN_EVENTS: Rule(Shelf.EVENTS, Counted.EVENTS, 10),
    Badge.EVENT_PODIUM: Rule(Shelf.EVENTS, Counted.PODIUM, 8),
    Badge.EVENT_WON: Rule(Shelf.EVENTS, Counted.EVENTS_WON, 1),
    Badge.THREE_EVENTS_WON: Rule(Shelf.EVENTS, Counted.EVENTS_WON, 3),
    Badge.BIG_EVENT_WON: Rule(Shelf.EVENTS, Counted.EVENT_BEATEN, 16),
    Badge.THREE_SEASONS: Rule(Shelf.SEASONS, Counted.SEASONS, 3),
    Badge.SEASON_PODIUM: Rule(Shelf.SEASONS, Counted.SEASON_PODIUM, 8),
    Badge.SEASON_WON: Rule(Shelf.SEASONS, Counted.SEASONS_WON, 1),
    Badge.MONTH_CHIPS: Rule(Shelf.MONTHS, Counted.MONTH_CHIPS, _MONTH_PLAYERS),
    Badge.MONTH_HANDS: Rule(Shelf.MONTHS, Counted.MONTH_HANDS, _MONTH_PLAYERS),
    Badge.MONTH_FANTASYLANDS: Rule(Shelf.MONTHS, Counted.MONTH_LANDS, _MONTH_PLAYERS),
}
"""Every badge: none is earned by anything else, and all of it stands in the database."""
TOLD_WITH_A_HAND = frozenset(badge for badge, rule in RULES.items() if rule.shelf in (Shelf.SEASONS, Shelf.MONTHS))
"""Those that no hand earns and no notice tells of: the next hand of their player does."""

Numbers = Mapping[Counted, int]


def earned_by(numbers: Numbers) -> list[Badge]:
    """The badges that these numbers earn."""
    return [badge for badge, rule in RULES.items() if numbers.get(rule.counted, 0) >= rule.least]


def numbers_of(result: Result) -> dict[Counted, int]:
    """What a hand counts by itself: nothing for a board of which its player placed no card."""
    if not result.played:
        return {}
    return {
        Counted.ROYAL: int(result.royal),
        Counted.ROYALTIES: result.royalties,
        Counted.POINTS: result.points,
        Counted.SCOOPED: result.met if result.scoops == result.met else 0,
        Counted.LANDS_IN_ROW: result.lands_in_row + 1 if result.fantasyland else 0,
        Counted.WINS_IN_ROW: result.wins_in_row,
        Counted.SEATED: result.met + 1,
    }


def after(result: Result, before: Result | None) -> Result:
    """A result for chips with what it makes of the rows of hands that the one before it at the table had."""
    last = before or replace(result, wins_in_row=0, lands_in_row=0, in_fantasyland=False)
    stayed = last.in_fantasyland and last.fantasyland > 0
    return replace(
        result,
        wins_in_row=last.wins_in_row + 1 if result.points > 0 else 0,
        lands_in_row=(last.lands_in_row if stayed else 0) + 1 if result.in_fantasyland else 0,
    )


class Month(NamedTuple):
    """What somebody has done in a month."""

    player: Player
    hands: int
    chips: int
    lands: int


def numbers_of_month(lines: Sequence[Month]) -> dict[Player, Numbers]:
    """Those who had most of something in a month, with how many played in it; equals have it all of them."""
    of: dict[Player, dict[Counted, int]] = {}
    for counted, value in _OF_MONTH.items():
        most = max(map(value, lines), default=0)
        for line in lines:
            if value(line) == most > 0:
                of.setdefault(line.player, {})[counted] = len(lines)
    return dict(of)


_OF_MONTH: Final[Mapping[Counted, Callable[[Month], int]]] = {
    Counted.MONTH_CHIPS: lambda line: line.chips,
    Counted.MONTH_HANDS: lambda line: line.hands,
    Counted.MONTH_LANDS: lambda line: line.lands,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Earned:
    """A badge that somebody has earned."""

    badge: Badge
    at: int
    table: int = 0
    """The table of the hand that earned it, or else whose result tells of it; 0 where there is none."""
    hand_no: int = 0
    since: int = 0
    """When the month began that it is for (ms); 0 for one that is earned once for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """Sums of a player's hands for chips, beside those of the standings."""

    met: int = 0
    """The opponents that a board was compared with, each counted at each hand since scoops are counted."""
    scoops: int = 0
    """How many of them were scooped."""
    best_royalties: int = 0
    best_table: int = 0
    """Where the best board was made, the first of those with the most royalties; 0 while none had any."""
    best_hand: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Versus:
    """The sums of the hands for chips between two players, from the side of one of them."""

    other: Player
    hands: int
    ahead: int
    """Hands in which they made more points than the other."""
    behind: int
    chips: int
    """The chips that went from the other to them, negative where they have lost."""


def won_by(player: Player, paid: Paid) -> int:
    """The chips that a player has won, negative for a loss."""
    return sum(chips * ((payee == player) - (payer == player)) for (payer, payee), chips in paid.items())


def career_of(result: Result, *, table: int, hand_no: int) -> Career:
    """The sums that a hand adds to a player's career, with the board that may be their best."""
    good = result.royalties > 0
    return Career(
        met=result.met,
        scoops=result.scoops,
        best_royalties=max(0, result.royalties),
        best_table=table if good else 0,
        best_hand=hand_no if good else 0,
    )


def meetings_of(results: Sequence[Result], paid: Paid) -> Iterator[tuple[Player, Versus]]:
    """The sums that a hand adds for each two of its players, from either side."""
    for mine in results:
        for theirs in results:
            if theirs.player != mine.player:
                pair = (mine.player, theirs.player)
                yield (
                    mine.player,
                    Versus(
                        other=theirs.player,
                        hands=1,
                        ahead=int(mine.points > theirs.points),
                        behind=int(mine.points < theirs.points),
                        chips=paid.get(pair[::-1], 0) - paid.get(pair, 0),
                    ),
                )


# Feats: what a server's records are found in.


class FeatKind(Enum):
    """What a server has a record of, in the order in which it is shown."""

    ROYALTIES = "royalties"
    """On one board."""
    POINTS = "points"
    """In one hand."""
    SCOOP = "scoop"
    """Points of a hand in which everybody at the table was scooped."""
    CHIPS = "chips"
    """Won in one hand."""
    LANDS = "lands"
    """Fantasylands played one after the other, at one table."""
    WINS = "wins"
    """Hands won one after the other, at one table."""
    EVENT = "event"
    """Players of an event that was played to its end."""


LEAST_FEAT = 2
"""A row of one is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feat:
    """The best that somebody has done of a kind at a game, the first of equals."""

    kind: FeatKind
    game: str
    player: Player
    """Empty for an event."""
    value: int
    at: int
    table: int
    """Of an event its number."""
    hand_no: int


def feats_of(result: Result, *, at: int, table: int, hand_no: int) -> list[Feat]:
    """What a hand for chips may be the best of; nothing for a board of which its player placed no card."""
    if not result.ranked or not result.played:
        return []
    values = {
        FeatKind.ROYALTIES: result.royalties,
        FeatKind.POINTS: result.points,
        FeatKind.SCOOP: result.points if result.scoops == result.met > 0 else 0,
        FeatKind.CHIPS: result.chips,
        FeatKind.LANDS: result.lands_in_row if result.lands_in_row >= LEAST_FEAT else 0,
        FeatKind.WINS: result.wins_in_row if result.wins_in_row >= LEAST_FEAT else 0,
    }
    player, game = result.player, result.game
    return [
        Feat(kind=kind, game=game, player=player, value=value, at=at, table=table, hand_no=hand_no)
        for kind, value in values.items()
        if value > 0
    ]
