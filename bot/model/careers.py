"""Careers: totals of a player's hands for chips, the badges they earn, and a server's records.

Everything is computed from stored hands, events, seasons and months. Standings and ratings are kept separately.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

from bot.model.hands import Result
from bot.model.ids import Player
from bot.model.standings import Paid


class BadgeCategory(Enum):
    """Sections of a player's badges, in display order."""

    PLAY = "play"
    SKILL = "skill"
    COMPANY = "company"
    EVENTS = "events"
    SEASONS = "seasons"
    MONTHS = "months"
    """Badges awarded for each month after it ends."""


class BadgeStat(Enum):
    """Numbers that badges depend on, either from one hand or from everything a player has played in a server."""

    HANDS = "hands"
    GAMES = "games"
    """Distinct games."""
    DAYS = "days"
    """Consecutive daily hands, independent of the server."""
    LANDS = "lands"
    """Fantasylands earned."""
    ROYAL = "royal"
    ROYALTIES = "royalties"
    """Royalties of one board."""
    POINTS = "points"
    """Points of one hand."""
    SCOOPED = "scooped"
    """Number of opponents in a hand that scooped them all."""
    LANDS_IN_ROW = "lands_in_row"
    """Consecutive Fantasylands earned at one table."""
    WINS_IN_ROW = "wins_in_row"
    """Consecutive wins at one table."""
    SEATED = "seated"
    """Players in one hand."""
    OPPONENTS = "opponents"
    """Distinct human opponents."""
    TOGETHER = "together"
    """Hands with the player's most frequent opponent."""
    HOSTED = "hosted"
    """Players in a finished event that the player organised."""
    EVENTS = "events"
    """Finished events that the player took part in."""
    EVENTS_WON = "events_won"
    PODIUM = "podium"
    """Players in an event in which the player finished in the top three."""
    EVENT_BEATEN = "event_beaten"
    """Players in an event that the player won."""
    SEASONS = "seasons"
    """Finished seasons in which the player played at least ``SEASON_HANDS`` hands."""
    SEASONS_WON = "seasons_won"
    SEASON_PODIUM = "season_podium"
    """Players in a season in which the player finished in the top three."""
    MONTH_CHIPS = "month_chips"
    """Players in a month in which the player won the most chips. The next two do this for hands and Fantasylands."""
    MONTH_HANDS = "month_hands"
    MONTH_LANDS = "month_lands"


class Badge(Enum):
    """Badges in display order. Values are stored, so they never change."""

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
    """Entered Fantasyland and stayed twice."""
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
    """A badge's rule: the minimum for a counted number."""

    shelf: BadgeCategory
    counted: BadgeStat
    least: int


PODIUM = 3
"""Number of places on a podium."""
SEASON_HANDS = 10
"""Minimum number of hands that makes someone a player of a season."""
GREAT_ROYALTIES = 30
DAILY_DAYS = 7
_MONTH_PLAYERS = 4
"""Minimum number of players for monthly badges."""
RULES: Final[Mapping[Badge, Rule]] = {
    Badge.HANDS_100: Rule(BadgeCategory.PLAY, BadgeStat.HANDS, 100),
    Badge.HANDS_1000: Rule(BadgeCategory.PLAY, BadgeStat.HANDS, 1000),
    Badge.FIVE_GAMES: Rule(BadgeCategory.PLAY, BadgeStat.GAMES, 5),
    Badge.DAILY_WEEK: Rule(BadgeCategory.PLAY, BadgeStat.DAYS, DAILY_DAYS),
    Badge.DAILY_MONTH: Rule(BadgeCategory.PLAY, BadgeStat.DAYS, 30),
    Badge.DAILY_HUNDRED: Rule(BadgeCategory.PLAY, BadgeStat.DAYS, 100),
    Badge.ROYAL_FLUSH: Rule(BadgeCategory.SKILL, BadgeStat.ROYAL, 1),
    Badge.GREAT_BOARD: Rule(BadgeCategory.SKILL, BadgeStat.ROYALTIES, GREAT_ROYALTIES),
    Badge.BIG_HAND: Rule(BadgeCategory.SKILL, BadgeStat.POINTS, 50),
    Badge.WHOLE_TABLE: Rule(BadgeCategory.SKILL, BadgeStat.SCOOPED, 2),
    Badge.FIRST_FANTASYLAND: Rule(BadgeCategory.SKILL, BadgeStat.LANDS_IN_ROW, 1),
    Badge.THREE_FANTASYLANDS: Rule(BadgeCategory.SKILL, BadgeStat.LANDS_IN_ROW, 3),
    Badge.FIVE_FANTASYLANDS: Rule(BadgeCategory.SKILL, BadgeStat.LANDS_IN_ROW, 5),
    Badge.FIFTY_FANTASYLANDS: Rule(BadgeCategory.SKILL, BadgeStat.LANDS, 50),
    Badge.FIVE_WINS: Rule(BadgeCategory.SKILL, BadgeStat.WINS_IN_ROW, 5),
    Badge.TEN_WINS: Rule(BadgeCategory.SKILL, BadgeStat.WINS_IN_ROW, 10),
    Badge.FOUR_SEATED: Rule(BadgeCategory.COMPANY, BadgeStat.SEATED, 4),
    Badge.TEN_OPPONENTS: Rule(BadgeCategory.COMPANY, BadgeStat.OPPONENTS, 10),
    Badge.HUNDRED_TOGETHER: Rule(BadgeCategory.COMPANY, BadgeStat.TOGETHER, 100),
    Badge.EVENT_HOSTED: Rule(BadgeCategory.COMPANY, BadgeStat.HOSTED, 8),
    Badge.TEN_EVENTS: Rule(BadgeCategory.EVENTS, BadgeStat.EVENTS, 10),
    Badge.EVENT_PODIUM: Rule(BadgeCategory.EVENTS, BadgeStat.PODIUM, 8),
    Badge.EVENT_WON: Rule(BadgeCategory.EVENTS, BadgeStat.EVENTS_WON, 1),
    Badge.THREE_EVENTS_WON: Rule(BadgeCategory.EVENTS, BadgeStat.EVENTS_WON, 3),
    Badge.BIG_EVENT_WON: Rule(BadgeCategory.EVENTS, BadgeStat.EVENT_BEATEN, 16),
    Badge.THREE_SEASONS: Rule(BadgeCategory.SEASONS, BadgeStat.SEASONS, 3),
    Badge.SEASON_PODIUM: Rule(BadgeCategory.SEASONS, BadgeStat.SEASON_PODIUM, 8),
    Badge.SEASON_WON: Rule(BadgeCategory.SEASONS, BadgeStat.SEASONS_WON, 1),
    Badge.MONTH_CHIPS: Rule(BadgeCategory.MONTHS, BadgeStat.MONTH_CHIPS, _MONTH_PLAYERS),
    Badge.MONTH_HANDS: Rule(BadgeCategory.MONTHS, BadgeStat.MONTH_HANDS, _MONTH_PLAYERS),
    Badge.MONTH_FANTASYLANDS: Rule(BadgeCategory.MONTHS, BadgeStat.MONTH_LANDS, _MONTH_PLAYERS),
}
"""The rule for each badge. All the numbers come from the database."""
TOLD_WITH_A_HAND = frozenset(
    badge for badge, rule in RULES.items() if rule.shelf in (BadgeCategory.SEASONS, BadgeCategory.MONTHS)
)
"""Badges without their own announcement. They're announced with the player's next hand."""

Numbers = Mapping[BadgeStat, int]


def earned_by(numbers: Numbers) -> list[Badge]:
    """Return the badges earned by ``numbers``."""
    return [badge for badge, rule in RULES.items() if numbers.get(rule.counted, 0) >= rule.least]


def numbers_of(result: Result) -> dict[BadgeStat, int]:
    """Return the numbers for a single hand; empty if the player placed no cards."""
    if not result.played:
        return {}
    return {
        BadgeStat.ROYAL: int(result.royal),
        BadgeStat.ROYALTIES: result.royalties,
        BadgeStat.POINTS: result.points,
        BadgeStat.SCOOPED: result.met if result.scoops == result.met else 0,
        BadgeStat.LANDS_IN_ROW: result.lands_in_row + 1 if result.fantasyland else 0,
        BadgeStat.WINS_IN_ROW: result.wins_in_row,
        BadgeStat.SEATED: result.met + 1,
    }


def after(result: Result, before: Result | None) -> Result:
    """Return a result with its streaks, continued from the player's previous result at the table."""
    last = before or replace(result, wins_in_row=0, lands_in_row=0, in_fantasyland=False)
    stayed = last.in_fantasyland and last.fantasyland > 0
    return replace(
        result,
        wins_in_row=last.wins_in_row + 1 if result.points > 0 else 0,
        lands_in_row=(last.lands_in_row if stayed else 0) + 1 if result.in_fantasyland else 0,
    )


class MonthTotals(NamedTuple):
    """A player's totals for a month."""

    player: Player
    hands: int
    chips: int
    lands: int


def numbers_of_month(lines: Sequence[MonthTotals]) -> dict[Player, Numbers]:
    """Return the leaders of a month, each with the number of players. Players who tie for the lead all count."""
    of: dict[Player, dict[BadgeStat, int]] = {}
    for counted, value in _OF_MONTH.items():
        most = max(map(value, lines), default=0)
        for line in lines:
            if value(line) == most > 0:
                of.setdefault(line.player, {})[counted] = len(lines)
    return dict(of)


_OF_MONTH: Final[Mapping[BadgeStat, Callable[[MonthTotals], int]]] = {
    BadgeStat.MONTH_CHIPS: lambda line: line.chips,
    BadgeStat.MONTH_HANDS: lambda line: line.hands,
    BadgeStat.MONTH_LANDS: lambda line: line.lands,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EarnedBadge:
    """A badge earned by a player."""

    badge: Badge
    at: int
    table: int = 0
    """Table of the hand that earned it or whose result announces it; 0 if there is none."""
    hand_no: int = 0
    since: int = 0
    """Start of the badge's month (ms); 0 for a badge that can be earned only once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """Totals of a player's hands for chips, in addition to those in the standings."""

    met: int = 0
    """Number of comparisons with opponents' boards since scoops have been counted."""
    scoops: int = 0
    """Number of opponents scooped."""
    best_royalties: int = 0
    best_table: int = 0
    """Table of the best board, which is the first one with the highest royalties; 0 if none had royalties."""
    best_hand: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Versus:
    """Totals of the hands for chips between two players, from one player's point of view."""

    other: Player
    hands: int
    ahead: int
    """Hands in which the player scored more points than the other."""
    behind: int
    chips: int
    """Net chips won from the other player; negative for a loss."""
    lessons: int = 0
    """Hands that changed the ratings of both."""


def won_by(player: Player, paid: Paid) -> int:
    """Return the chips won by ``player``; negative for a loss."""
    return sum(chips * ((payee == player) - (payer == player)) for (payer, payee), chips in paid.items())


def career_gain(result: Result, *, table: int, hand_no: int) -> Career:
    """Return what one hand adds to a player's career, with its board as a candidate for the best one."""
    good = result.royalties > 0
    return Career(
        met=result.met,
        scoops=result.scoops,
        best_royalties=max(0, result.royalties),
        best_table=table if good else 0,
        best_hand=hand_no if good else 0,
    )


def meetings_of(results: Sequence[Result], paid: Paid, *, rated: bool) -> Iterator[tuple[Player, Versus]]:
    """Yield what one hand adds, for each ordered pair of its players. ``rated`` is True if it changed their ratings."""
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
                        lessons=int(rated),
                    ),
                )


# Feats: candidates for a server's records


class RecordKind(Enum):
    """Kinds of server records, in display order."""

    ROYALTIES = "royalties"
    """Royalties on one board."""
    POINTS = "points"
    """Points in one hand."""
    SCOOP = "scoop"
    """Points in a hand that scooped everyone at the table."""
    CHIPS = "chips"
    """Chips won in one hand."""
    LANDS = "lands"
    """Consecutive hands in Fantasyland at one table."""
    WINS = "wins"
    """Consecutive wins at one table."""
    EVENT = "event"
    """Players in a finished event."""


MIN_STREAK = 2
"""Minimum length of a streak to be a record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEntry:
    """A record or a candidate for one. If values are equal, the first one is the record."""

    kind: RecordKind
    game: str
    player: Player
    """The record's holder; empty for an event."""
    value: int
    at: int
    table: int
    """Table number, or the event's number."""
    hand_no: int


def feats_of(result: Result, *, at: int, table: int, hand_no: int) -> list[RecordEntry]:
    """Return the feats of one hand for chips; none if the player placed no cards."""
    if not result.ranked or not result.played:
        return []
    values = {
        RecordKind.ROYALTIES: result.royalties,
        RecordKind.POINTS: result.points,
        RecordKind.SCOOP: result.points if result.scoops == result.met > 0 else 0,
        RecordKind.CHIPS: result.chips,
        RecordKind.LANDS: result.lands_in_row if result.lands_in_row >= MIN_STREAK else 0,
        RecordKind.WINS: result.wins_in_row if result.wins_in_row >= MIN_STREAK else 0,
    }
    player, game = result.player, result.game
    return [
        RecordEntry(kind=kind, game=game, player=player, value=value, at=at, table=table, hand_no=hand_no)
        for kind, value in values.items()
        if value > 0
    ]
