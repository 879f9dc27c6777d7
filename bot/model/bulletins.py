"""Bulletins: a server's scheduled posts (morning post and weekly recap), and the content of a recap.

Hours are local time in the server's zone. When clocks change, a skipped hour means the following one, and a repeated
hour means its first occurrence. Due times aren't stored. They are computed from the settings and the current time, so
downtime or a new time zone leaves no stale state.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import Enum

from bot.model.clock import DAY, HOUR
from bot.model.ids import Player, TableId
from bot.model.limits import DEFAULT_POST_HOUR
from bot.model.weekends import zone_known

WEEK_DAYS = 7


class BulletinKind(Enum):
    """Kind of bulletin."""

    MORNING = "morning"
    """Daily: yesterday's daily hand, the server's streak, and today's hand."""
    RECAP = "recap"
    """Weekly: what was played."""

    @property
    def patience_ms(self) -> int:
        """Maximum delay after the scheduled hour. A bulletin that couldn't be posted by then is skipped."""
        return 3 * HOUR if self is BulletinKind.MORNING else DAY

    @property
    def days(self) -> int:
        """Minimum number of days between two bulletins."""
        return 1 if self is BulletinKind.MORNING else WEEK_DAYS


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulletin:
    """A server's settings for a bulletin, and its progress. Times are in milliseconds."""

    kind: BulletinKind
    channel: int | None = None
    """Channel; None if the bulletin is turned off."""
    hour: int = DEFAULT_POST_HOUR
    weekday: int = 0
    """Weekday of a recap; 0 is Monday."""
    zone: str = ""
    """The server's time zone when the settings were last saved."""
    in_words: bool = False
    """True if a recap is text only."""
    puzzle: bool = False
    """True if a morning post has a puzzle of the day."""
    chosen_at: int = 0
    """When the settings were last saved. Hours before that aren't due."""
    told: int = 0
    """Scheduled hour of the last bulletin handled; 0 before the first."""
    sending: int = 0
    """Scheduled hour of a bulletin that is being posted and may already have arrived; 0 for none."""

    def due(self, now: int) -> int | None:
        """Return the scheduled hour of the bulletin to post now; None if there is none or it's too late.

        >>> morning = Bulletin(kind=BulletinKind.MORNING, channel=1, hour=8, zone="UTC")
        >>> morning.due(8 * HOUR + 1) == 8 * HOUR, morning.due(7 * HOUR), morning.due(12 * HOUR)
        (True, None, None)
        """
        if self.channel is None:
            return None
        day = self._day(now)
        at = next((at for ago in range(2) if (at := self._time_of_hour(day - timedelta(days=ago))) <= now), 0)
        if now - at > self.kind.patience_ms or at <= self.chosen_at or not self._is_day(at):
            return None
        return at if not self.told or (self._day(at) - self._day(self.told)).days >= self.kind.days else None

    def next_after(self, now: int) -> int:
        """Return when the next bulletin is due, for display; 0 if it's turned off."""
        if self.channel is None:
            return 0
        days = (self._day(now) + timedelta(days=ahead) for ahead in range(3 * WEEK_DAYS))
        told = self._day(self.told) if self.told else None
        return next(
            at
            for day in days
            if (at := self._time_of_hour(day)) > now
            and self._is_day(at)
            and (told is None or (day - told).days >= self.kind.days)
        )

    def week_before(self, at: int) -> tuple[int, int]:
        """Return the start and end of the seven local days before a recap's day."""
        today = self._day(at)
        since, until = (
            datetime.combine(day, time(), zone_known(self.zone)) for day in (today - timedelta(days=WEEK_DAYS), today)
        )
        return round(since.timestamp() * 1000), round(until.timestamp() * 1000)

    def _is_day(self, at: int) -> bool:
        return self.kind is BulletinKind.MORNING or self._day(at).weekday() == self.weekday

    def _day(self, at: int) -> date:
        return datetime.fromtimestamp(at / 1000, zone_known(self.zone)).date()

    def _time_of_hour(self, day: date) -> int:
        """Return when the local clock first shows the bulletin's hour on a day."""
        return round(datetime.combine(day, time(self.hour), zone_known(self.zone)).timestamp() * 1000)


# The content of a recap. It's stored for later readers, who won't see players that have since become hidden.


@dataclass(frozen=True, slots=True, kw_only=True)
class RecapLine:
    """A player's hands for chips during the week."""

    player: Player
    chips: int
    hands: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekPoints:
    """A player's season points in the week's events."""

    player: Player
    points: int
    events: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """A player who rose in the all-time leaderboard by chips."""

    player: Player
    places: int
    rank: int
    """Rank at the end of the week."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """A player's hand with a notable number: royalties, or luck in tenths of a point."""

    player: Player
    number: int
    table: TableId
    tag: str
    hand_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseFinish:
    """The first two players of a closed table."""

    winner: Player
    second: Player
    points: int
    """Difference between their points."""
    hands: int
    table: TableId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPair:
    """Two players, and the hands they played together."""

    first: Player
    second: Player
    hands: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Victory:
    """A finished event and its winner."""

    event: str
    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlace:
    """A place in the largest event of the week."""

    event: str
    people: int
    """Number of players in the event."""
    place: int
    shared: bool = False
    """True if other players have the same place."""
    player: Player
    won: int
    """Chips won, including bounties."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekBadge:
    """A badge earned during the week."""

    player: Player
    badge: str
    """Stored name of the badge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyBest:
    """A player's score in one of the week's daily hands."""

    player: Player
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recap:
    """A server's week. The lists have spare entries to replace players who become hidden."""

    number: int = 0
    """Number, starting at 1."""
    since: int
    until: int
    channel: int = 0
    """Channel of the post. Only people who can see it read about individual tables."""
    hands: int
    """Number of hands for chips at cash tables."""
    players: int
    """Number of players in these hands."""
    event_hands: int = 0
    event_players: int = 0
    events: int = 0
    """Number of events that ended."""
    top: Sequence[RecapLine] = ()
    climbs: Sequence[Climb] = ()
    boards: Sequence[Highlight] = ()
    lucky: Sequence[Highlight] = ()
    unlucky: Sequence[Highlight] = ()
    finishes: Sequence[CloseFinish] = ()
    masters: Sequence[Player] = ()
    """Players who beat the master in a daily hand."""
    pairs: Sequence[PlayerPair] = ()
    victories: Sequence[Victory] = ()
    podium: Sequence[EventPlace] = ()
    """Top places in the week's largest event, in order."""
    event_points: Sequence[WeekPoints] = ()
    """The players with the most season points in the week's events, in order."""
    badges: Sequence[WeekBadge] = ()
    dailies: Sequence[DailyBest] = ()
    """Best scores in the week's daily hands, best first, with each player at most once."""

    @property
    def leads_with_events(self) -> bool:
        """True if more of the week's hands were played in events than for chips at tables."""
        return self.event_hands > self.hands

    @property
    def people(self) -> frozenset[Player]:
        """All players named in it."""
        named = [*(one.player for one in self.top), *(one.player for one in self.climbs)]
        named += [*(one.player for one in self.victories), *(one.player for one in self.podium)]
        named += [one.player for one in self.event_points]
        named += [*(one.player for one in self.badges), *(one.player for one in self.dailies)]
        named += [one.player for one in (*self.boards, *self.lucky, *self.unlucky)]
        named += [player for one in self.finishes for player in (one.winner, one.second)]
        named += [player for one in self.pairs for player in (one.first, one.second)]
        return frozenset([*named, *self.masters])

    def of_nobodys_table(self) -> Recap:
        """Return only the parts without tables or events, for readers who can't see the channel of the post."""
        return Recap(
            number=self.number,
            since=self.since,
            until=self.until,
            channel=self.channel,
            hands=self.hands,
            players=self.players,
            event_hands=self.event_hands,
            event_players=self.event_players,
            events=self.events,
            climbs=self.climbs,
            masters=self.masters,
            dailies=self.dailies,
        )

    def without(self, hidden: Collection[Player]) -> Recap:
        """Return the recap without any mention of ``hidden`` players."""
        return replace(
            self,
            top=[one for one in self.top if one.player not in hidden],
            climbs=[one for one in self.climbs if one.player not in hidden],
            boards=[one for one in self.boards if one.player not in hidden],
            lucky=[one for one in self.lucky if one.player not in hidden],
            unlucky=[one for one in self.unlucky if one.player not in hidden],
            finishes=[one for one in self.finishes if not {one.winner, one.second} & {*hidden}],
            masters=[one for one in self.masters if one not in hidden],
            pairs=[one for one in self.pairs if not {one.first, one.second} & {*hidden}],
            victories=[one for one in self.victories if one.player not in hidden],
            podium=[one for one in self.podium if one.player not in hidden],
            event_points=[one for one in self.event_points if one.player not in hidden],
            badges=[one for one in self.badges if one.player not in hidden],
            dailies=[one for one in self.dailies if one.player not in hidden],
        )
