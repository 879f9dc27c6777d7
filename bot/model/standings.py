"""Standings of a server: leaderboards by ranking, time span and game, seasons and the club page.

Totals are updated in the transaction that settles a hand, so a query takes constant time. Spans start at midnight UTC,
and weeks start on Monday.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from typing import NamedTuple, assert_never

from bot.model.clock import DAY
from bot.model.hands import Result
from bot.model.ids import Player
from bot.pure.rating.model import Rating

_MONDAY = 3 * DAY
"""Time from the start of a week to the start of 1970, which was on a Thursday."""
FOR_EVER = 2**63 - 1
EVERY_GAME = ""


class LeaderboardSpan(Enum):
    """Time span of the hands that count."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    ALL = "all"
    SEASON = "season"
    """A season of the server, identified by its number."""

    def bounds(self, at: int) -> tuple[int, int]:
        """Return the start (inclusive) and end (exclusive) of the calendar span that contains ``at`` (ms)."""
        match self:
            case LeaderboardSpan.DAY:
                since = at - at % DAY
                return since, since + DAY
            case LeaderboardSpan.WEEK:
                since = at - (at + _MONDAY) % (7 * DAY)
                return since, since + 7 * DAY
            case LeaderboardSpan.MONTH:
                first = datetime.fromtimestamp(at // 1000, UTC).replace(day=1, hour=0, minute=0, second=0)
                after = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
                return int(first.timestamp()) * 1000, int(after.timestamp()) * 1000
            case LeaderboardSpan.ALL:
                return 0, FOR_EVER
            case LeaderboardSpan.SEASON:
                raise ValueError("seasons do not follow the calendar")
            case _:
                assert_never(self)


Paid = Mapping[tuple[Player, Player], int]
"""Chips paid in a hand, by payer and payee."""
NOTHING_PAID: Paid = {}
CALENDAR = (LeaderboardSpan.DAY, LeaderboardSpan.WEEK, LeaderboardSpan.MONTH, LeaderboardSpan.ALL)
"""Spans that every server has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """A season of the server. Times are in milliseconds."""

    number: int
    """Number, starting at 1."""
    name: str
    """Name given by a manager; empty for none."""
    began_at: int
    until: int | None = None
    """When it ends automatically; None if a manager ends it."""
    ended_at: int | None = None
    """When the season ended; None if it's still running."""
    title: str = ""
    """Title for the champions; empty for the default."""
    role: int | None = None
    """Role for the champions."""
    role_by: Player | None = None
    """The manager who chose the role and vouches for it."""
    channel: int | None = None
    """Channel for announcing the season's end."""
    sending_at: int | None = None
    """When posting the announcement started; None before that."""
    told: bool = True
    """False while the role or the announcement is pending."""
    role_missed: bool = False
    """True if the role couldn't be given to the champions, or taken from the previous ones."""
    post_missed: bool = False
    """True if the announcement couldn't be posted."""

    @property
    def bounds(self) -> tuple[int, int]:
        """Start (inclusive) and end (exclusive), in ms."""
        return self.began_at, FOR_EVER if self.ended_at is None else self.ended_at


class LeaderboardOrder(Enum):
    """Ranking of a leaderboard."""

    CHIPS = "chips"
    POINTS = "points"
    """Points per hand."""
    FANTASYLAND = "fantasyland"
    """Number of Fantasylands, including stays."""
    STAYS = "stays"
    ROYALTIES = "royalties"
    """Royalties per hand."""
    BEST = "best"
    """Most points in one hand."""
    FOULS = "fouls"
    """Share of fouled hands, lowest first."""
    RATING = "rating"
    """Skill in points per hand, adjusted for the strength of opponents, over all time."""
    EVENT_POINTS = "event_points"
    """Season points of events."""
    EVENT_WINS = "event_wins"
    FINAL_TABLES = "final_tables"
    TITLES = "titles"
    """Titles won in events."""
    AVERAGE_PLACE = "average_place"
    EVENT_CHIPS = "event_chips"
    """Prizes won in events, before entry fees."""

    @property
    def of_events(self) -> bool:
        """True if the ranking counts events instead of hands for chips."""
        return self in _OF_EVENTS

    @property
    def min_events(self) -> int:
        """Minimum number of events needed to be ranked."""
        return 5 if self is LeaderboardOrder.AVERAGE_PLACE else 1

    @property
    def min_hands(self) -> int:
        """Minimum number of hands needed to be ranked, so that one lucky hand doesn't lead."""
        return {
            LeaderboardOrder.POINTS: 5,
            LeaderboardOrder.ROYALTIES: 5,
            LeaderboardOrder.FOULS: 20,
            LeaderboardOrder.RATING: 25,
        }.get(self, 1)


_OF_EVENTS = (
    LeaderboardOrder.EVENT_POINTS,
    LeaderboardOrder.EVENT_WINS,
    LeaderboardOrder.FINAL_TABLES,
    LeaderboardOrder.TITLES,
    LeaderboardOrder.AVERAGE_PLACE,
    LeaderboardOrder.EVENT_CHIPS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """A settled hand in a list of a table's hands."""

    hand_no: int
    at: int
    """When it was settled (ms)."""
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTotal:
    """A player's totals over all hands of a table."""

    player: Player
    hands: int
    points: int
    chips: int
    fouls: int
    fantasylands: int
    """Hands that earned Fantasyland."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A player's totals of hands for chips within a span."""

    player: Player
    hands: int
    points: int
    chips: int
    visits: int = 0
    """Hands that earned Fantasyland."""
    stays: int = 0
    """Those of them that were already in Fantasyland."""
    royalties: int = 0
    fouls: int = 0
    best: int = 0
    """Most points in one hand."""

    def value(self, order: LeaderboardOrder) -> float:
        """Return the number that ranks the player. Higher is better, except for fouls."""
        match order:
            case LeaderboardOrder.CHIPS:
                return self.chips
            case LeaderboardOrder.POINTS:
                return self.points / self.hands
            case LeaderboardOrder.FANTASYLAND:
                return self.visits
            case LeaderboardOrder.STAYS:
                return self.stays
            case LeaderboardOrder.ROYALTIES:
                return self.royalties / self.hands
            case LeaderboardOrder.BEST:
                return self.best
            case LeaderboardOrder.FOULS:
                return self.fouls / self.hands
            case _:
                raise ValueError(f"sums of hands have no {order.value}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingLine:
    """A player's line in a ranking by rating."""

    player: Player
    rating: Rating

    @property
    def hands(self) -> int:
        """Number of rated hands."""
        return self.rating.hands


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStanding:
    """A player's totals over finished events."""

    player: Player
    points: int
    """Season points of the events that count. An event that disqualified the player adds 0."""
    events: int
    wins: int = 0
    finals: int = 0
    """Final tables in events with more than one table."""
    titles: int = 0
    chips: int = 0
    """Prizes won, before entry fees."""
    places: int
    """Sum of the player's places."""

    @property
    def average_place(self) -> float:
        """The player's average place over all their events."""
        return self.places / self.events

    @property
    def key(self) -> tuple[int, int, int]:
        """Sort key within a series, lowest first: points, wins, then fewer events."""
        return -self.points, -self.wins, self.events

    def value(self, order: LeaderboardOrder) -> float:
        """Return the number that ranks the player. Higher is better, except for the average place."""
        match order:
            case LeaderboardOrder.EVENT_POINTS:
                return self.points
            case LeaderboardOrder.EVENT_WINS:
                return self.wins
            case LeaderboardOrder.FINAL_TABLES:
                return self.finals
            case LeaderboardOrder.TITLES:
                return self.titles
            case LeaderboardOrder.AVERAGE_PLACE:
                return self.average_place
            case LeaderboardOrder.EVENT_CHIPS:
                return self.chips
            case _:
                raise ValueError(f"events have no {order.value}")


Ranked = Standing | RatingLine | EventStanding
"""A line of a leaderboard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPlace:
    """Place in a ranking. Players with equal values share a place, and the places after it are skipped accordingly."""

    rank: int
    """Rank, from 1."""
    shared: bool = False


def places(values: Sequence[object], *, skip: int = 0, first: RankingPlace | None = None) -> list[RankingPlace]:
    """Return the places of ``values``, best first, which follow ``skip`` others.

    ``first`` is the place of the first value if it's equal to the value above it, else None.
    """
    placed: list[RankingPlace] = []
    for at, value in enumerate(values):
        as_before, as_after = values[max(0, at - 1) : at] == [value], values[at + 1 : at + 2] == [value]
        rank = placed[-1].rank if as_before else skip + at + 1
        placed.append(RankingPlace(rank=rank, shared=as_before or as_after) if placed or first is None else first)
    return placed


class LeaderboardQuery(NamedTuple):
    """Selection of a leaderboard."""

    order: LeaderboardOrder = LeaderboardOrder.CHIPS
    span: LeaderboardSpan = LeaderboardSpan.ALL
    game: str = EVERY_GAME
    """Key of a preset; empty for all games together. Custom games count as their preset."""
    season: int = 0
    """Number of the season for ``LeaderboardSpan.SEASON``; 0 for the current one."""

    def since(self, at: int) -> int:
        """Return the number that identifies the span at ``at``: its start (ms), or the season's number."""
        return self.season if self.span is LeaderboardSpan.SEASON else self.span.bounds(at)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """One page of a leaderboard."""

    asked: LeaderboardQuery
    page: int
    """Page number, from 0."""
    lines: Sequence[Ranked]
    """The lines, best first, with one more than fits on the page if there are more."""
    places: Sequence[RankingPlace]
    """Places of the lines."""
    ranked: int
    """Number of ranked players."""
    own: Ranked | None
    """The viewer's own line; None if they aren't ranked."""
    own_place: RankingPlace | None
    """The viewer's own place; None if they aren't ranked."""
    games: Sequence[str]
    """Games played in the server, as preset keys."""
    group: str = ""
    """Group of games to which the ratings apply."""
    seasons: Sequence[Season] = ()
    """The server's most recent seasons, newest first."""
    champions: Sequence[Player] = ()
    """Winners of the selected season if it's over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPage:
    """Settings of a server's club page: a message with its current leaderboard, tables and next event."""

    channel: int
    order: LeaderboardOrder = LeaderboardOrder.CHIPS
    follows_play: bool = True
    """True for event points or chips won, depending on where most hands are played. Then ``order`` isn't used."""
    span: LeaderboardSpan = LeaderboardSpan.ALL
    game: str = EVERY_GAME
    """Key of a preset; empty for all games together."""
    in_words: bool = False
    """True to show the leaderboard as text instead of a picture."""
    at_bottom: bool = False
    """True to repost the page after a day if newer messages have appeared below it."""
    message: int | None = None
    """Message id; None until the page is posted."""
    shown: str = ""
    """Digest of the message's content."""
    shown_at: int = 0
    """When that content was shown (ms)."""

    @property
    def asked(self) -> LeaderboardQuery:
        """The leaderboard that the page shows, unless it follows play."""
        return LeaderboardQuery(LeaderboardOrder.CHIPS if self.follows_play else self.order, self.span, self.game)

    @property
    def chosen(self) -> LeaderboardOrder | None:
        """The chosen order; None if the page follows play."""
        return None if self.follows_play else self.order

    def ordered_by(self, order: LeaderboardOrder | None) -> ClubPage:
        """Return the page with a chosen order, or following play if it's None."""
        return replace(self, order=order or self.order, follows_play=order is None)


def standing_rows(result: Result, *, at: int, season: int) -> list[tuple[LeaderboardSpan, int, int, str, Standing]]:
    """Return the rows that a result is added to, each with the span, its bounds, the game and the numbers to add."""
    if not result.ranked:
        return []
    line = Standing(
        player=result.player,
        hands=1,
        points=result.points,
        chips=result.chips,
        visits=int(result.fantasyland > 0),
        stays=int(result.fantasyland > 0 and result.in_fantasyland),
        royalties=result.royalties,
        fouls=int(result.foul),
        best=result.points,
    )
    spans = [(span, *span.bounds(at)) for span in CALENDAR]
    if season:
        spans.append((LeaderboardSpan.SEASON, season, FOR_EVER))
    return [(*span, game, line) for span in spans for game in sorted({EVERY_GAME, result.game})]
