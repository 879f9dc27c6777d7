"""Standings of a server: who is ahead, by what, in which span of time, at which game.

Sums are kept in the transaction that settles a hand, so that asking takes the same time however much was played.
Spans begin at midnight UTC, weeks on Mondays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import NamedTuple, assert_never

from bot.model.clock import DAY
from bot.model.hands import Result
from bot.model.ids import Player
from bot.pure.rating.model import Rating

_MONDAY = 3 * DAY
"""1970 began on a Thursday: so much before it, a week began."""
FOR_EVER = 2**63 - 1
EVERY_GAME = ""


class Span(Enum):
    """The time of which the hands count."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    ALL = "all"
    SEASON = "season"
    """A span of the server's own, which has a number."""

    def bounds(self, at: int) -> tuple[int, int]:
        """The span around a moment: from the first millisecond to the one after the last."""
        match self:
            case Span.DAY:
                since = at - at % DAY
                return since, since + DAY
            case Span.WEEK:
                since = at - (at + _MONDAY) % (7 * DAY)
                return since, since + 7 * DAY
            case Span.MONTH:
                first = datetime.fromtimestamp(at // 1000, UTC).replace(day=1, hour=0, minute=0, second=0)
                after = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
                return int(first.timestamp()) * 1000, int(after.timestamp()) * 1000
            case Span.ALL:
                return 0, FOR_EVER
            case Span.SEASON:
                raise ValueError("seasons are not those of the calendar")
            case _:
                assert_never(self)


Paid = Mapping[tuple[Player, Player], int]
"""The chips that a hand has moved, by payer and payee."""
NOTHING_PAID: Paid = {}
CALENDAR = (Span.DAY, Span.WEEK, Span.MONTH, Span.ALL)
"""The spans that every server has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """A season of a server. Times are milliseconds."""

    number: int
    """From 1 on."""
    name: str
    """As a manager wrote it; empty for one without."""
    began_at: int
    until: int | None = None
    """When it ends by itself; None where a manager ends it."""
    ended_at: int | None = None
    """None while it runs."""
    title: str = ""
    """The title of its champions, once it is over; empty for no other than that."""
    role: int | None = None
    """The role that its champions get, once it is over."""
    role_by: Player | None = None
    """Who had chosen that role, and vouches for it."""
    channel: int | None = None
    """Where its end is told, once it is over."""
    sending_at: int | None = None
    """When its end was about to be posted; None before that."""
    told: bool = True
    """False while its role has still to be given, or its end to be posted."""
    role_missed: bool = False
    """True where the role could not be given, or not be taken from those before."""
    post_missed: bool = False
    """True where its end could not be posted."""

    @property
    def bounds(self) -> tuple[int, int]:
        """Its first millisecond, and the one after its last."""
        return self.began_at, FOR_EVER if self.ended_at is None else self.ended_at


class Order(Enum):
    """By what players are ranked."""

    CHIPS = "chips"
    POINTS = "points"
    """Points a hand."""
    FANTASYLAND = "fantasyland"
    """How often they went to Fantasyland, or stayed."""
    STAYS = "stays"
    ROYALTIES = "royalties"
    """Royalties a hand."""
    BEST = "best"
    """The most points in one hand."""
    FOULS = "fouls"
    """The smallest share of fouled hands."""
    RATING = "rating"
    """The skill of a player in points per hand, adjusted for the strength of their opponents; of all time."""
    EVENT_POINTS = "event_points"
    """Points for places in events, by the size of the field."""
    EVENT_WINS = "event_wins"
    FINAL_TABLES = "final_tables"
    TITLES = "titles"
    """The titles that events give by place."""
    AVERAGE_PLACE = "average_place"
    EVENT_CHIPS = "event_chips"
    """The prizes of events, without what entries cost."""

    @property
    def of_events(self) -> bool:
        """True where events are counted, and not hands for chips."""
        return self in _OF_EVENTS

    @property
    def least_events(self) -> int:
        """From how many events on somebody is ranked."""
        return 5 if self is Order.AVERAGE_PLACE else 1

    @property
    def least_hands(self) -> int:
        """From how many hands on somebody is ranked: one lucky hand is no record."""
        return {Order.POINTS: 5, Order.ROYALTIES: 5, Order.FOULS: 20, Order.RATING: 25}.get(self, 1)


_OF_EVENTS = (
    Order.EVENT_POINTS,
    Order.EVENT_WINS,
    Order.FINAL_TABLES,
    Order.TITLES,
    Order.AVERAGE_PLACE,
    Order.EVENT_CHIPS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """A hand that was settled, as it is told from the others of its table."""

    hand_no: int
    at: int
    """When it was settled, in milliseconds."""
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """The total of all hands of a table for one player."""

    player: Player
    hands: int
    points: int
    chips: int
    fouls: int
    fantasylands: int
    """Hands that earned one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The sums of a player's hands for chips in a span."""

    player: Player
    hands: int
    points: int
    chips: int
    visits: int = 0
    """Hands after which they played Fantasyland."""
    stays: int = 0
    """Those of them that were Fantasyland already."""
    royalties: int = 0
    fouls: int = 0
    best: int = 0
    """The most points in one hand."""

    def value(self, order: Order) -> float:
        """The number by which they are ranked; less is better for fouls alone."""
        match order:
            case Order.CHIPS:
                return self.chips
            case Order.POINTS:
                return self.points / self.hands
            case Order.FANTASYLAND:
                return self.visits
            case Order.STAYS:
                return self.stays
            case Order.ROYALTIES:
                return self.royalties / self.hands
            case Order.BEST:
                return self.best
            case Order.FOULS:
                return self.fouls / self.hands
            case _:
                raise ValueError(f"sums of hands have no {order.value}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """A player's line where ratings rank."""

    player: Player
    rating: Rating

    @property
    def hands(self) -> int:
        """How many hands have taught the rating."""
        return self.rating.hands


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStanding:
    """A player's events that have ended, counted together."""

    player: Player
    points: int
    """Those of the events that count; nothing for one from which they were disqualified."""
    events: int
    wins: int = 0
    finals: int = 0
    """Final tables of events that had more than one."""
    titles: int = 0
    chips: int = 0
    """Prizes, without what entries cost."""
    places: int
    """Their places, added up."""

    @property
    def average_place(self) -> float:
        """Of all their events."""
        return self.places / self.events

    @property
    def key(self) -> tuple[int, int, int]:
        """What ranks them in a series, the smallest first: points, then wins, then fewer events."""
        return -self.points, -self.wins, self.events

    def value(self, order: Order) -> float:
        """The number by which they are ranked; less is better for places alone."""
        match order:
            case Order.EVENT_POINTS:
                return self.points
            case Order.EVENT_WINS:
                return self.wins
            case Order.FINAL_TABLES:
                return self.finals
            case Order.TITLES:
                return self.titles
            case Order.AVERAGE_PLACE:
                return self.average_place
            case Order.EVENT_CHIPS:
                return self.chips
            case _:
                raise ValueError(f"events have no {order.value}")


Ranked = Standing | Rated | EventStanding
"""A line of a leaderboard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where somebody stands: equal values share a place, and the one after them is as far down as they are many."""

    rank: int
    """From 1 on."""
    shared: bool = False


def places(values: Sequence[object], *, skip: int = 0, first: Place | None = None) -> list[Place]:
    """The places of lines that stand below ``skip`` others, the best first.

    ``first`` is that of the first of them; None where nobody above it has as much.
    """
    placed: list[Place] = []
    for at, value in enumerate(values):
        as_before, as_after = values[max(0, at - 1) : at] == [value], values[at + 1 : at + 2] == [value]
        rank = placed[-1].rank if as_before else skip + at + 1
        placed.append(Place(rank=rank, shared=as_before or as_after) if placed or first is None else first)
    return placed


class Asked(NamedTuple):
    """Which leaderboard is meant."""

    order: Order = Order.CHIPS
    span: Span = Span.ALL
    game: str = EVERY_GAME
    """A preset's key; empty for all games together. A house's game counts to its preset."""
    season: int = 0
    """Of the span ``SEASON`` the number; 0 for the one that runs."""

    def since(self, at: int) -> int:
        """The number that tells a span at a moment from others of its kind: its first millisecond, or its season."""
        return self.season if self.span is Span.SEASON else self.span.bounds(at)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """One page of a leaderboard."""

    asked: Asked
    page: int
    """From 0 on."""
    lines: Sequence[Ranked]
    """Best first; one more than a page where there are more."""
    places: Sequence[Place]
    """Those of the lines."""
    ranked: int
    """How many players are ranked."""
    own: Ranked | None
    """The asker's own line; None for somebody who is not ranked."""
    own_place: Place | None
    """Theirs; None where they are not ranked."""
    games: Sequence[str]
    """The games that were played in the server, as keys of presets."""
    group: str = ""
    """The group of games in which the ratings are."""
    seasons: Sequence[Season] = ()
    """The server's last seasons, the newest first."""
    champions: Sequence[Player] = ()
    """Who has won the season that is meant, once it is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPage:
    """The choices for a server's page, a message that shows its leaderboard, tables and next event as they stand."""

    channel: int
    order: Order = Order.CHIPS
    span: Span = Span.ALL
    game: str = EVERY_GAME
    """A preset's key; empty for all games together."""
    in_words: bool = False
    """True where the leaderboard is written out, and no picture."""
    at_bottom: bool = False
    """True where it is posted again below what people have written past it for a day."""
    message: int | None = None
    """None while it is still to be posted."""
    shown: str = ""
    """A digest of what the message shows."""
    shown_at: int = 0
    """When that was shown (ms)."""

    @property
    def asked(self) -> Asked:
        """The leaderboard on it."""
        return Asked(self.order, self.span, self.game)


def sums_of(result: Result, *, at: int, season: int) -> list[tuple[Span, int, int, str, Standing]]:
    """The rows that a result adds to, and what it adds: span with its bounds, game, and the line."""
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
        spans.append((Span.SEASON, season, FOR_EVER))
    return [(*span, game, line) for span in spans for game in sorted({EVERY_GAME, result.game})]
