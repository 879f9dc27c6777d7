"""Bulletins: the posts that a server has chosen to read by themselves, each at its hour, and what a week's recap tells.

An hour is one that the clocks of the server's zone show, whatever these do in spring and autumn: an hour that is
skipped is the one that follows, and of one that comes twice the first is meant. When a bulletin is due is never stored.
It follows from the choices and the time, so a bot that was away, or a zone that was changed, leaves nothing behind.
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


class Kind(Enum):
    """Which post it is."""

    MORNING = "morning"
    """Every day: the daily hand of the day before, the server's streak, today's hand."""
    RECAP = "recap"
    """Every week: what was played in it."""

    @property
    def patience_ms(self) -> int:
        """For how long after its hour it is still posted, where the bot was away or kept from it."""
        return 3 * HOUR if self is Kind.MORNING else DAY

    @property
    def days(self) -> int:
        """So many days lie between two at least."""
        return 1 if self is Kind.MORNING else WEEK_DAYS


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulletin:
    """What a server has chosen for one of the two, and how far it was seen to. Times are milliseconds."""

    kind: Kind
    channel: int | None = None
    """None where it is turned off."""
    hour: int = DEFAULT_POST_HOUR
    weekday: int = 0
    """Of a recap, from Monday (0) on."""
    zone: str = ""
    """The server's time zone when it was chosen last."""
    in_words: bool = False
    """True where a recap is told in text alone."""
    chosen_at: int = 0
    """When its hour was chosen: hours before that are over."""
    told: int = 0
    """The hour of the last one that was seen to; 0 before the first."""
    sending: int = 0
    """The hour of one that may stand in the channel, until that is noted; 0 for none."""

    def due(self, now: int) -> int | None:
        """The hour whose post is to be made now; None where there is none, or it is too late for it.

        >>> morning = Bulletin(kind=Kind.MORNING, channel=1, hour=8, zone="UTC")
        >>> morning.due(8 * HOUR + 1) == 8 * HOUR, morning.due(7 * HOUR), morning.due(12 * HOUR)
        (True, None, None)
        """
        if self.channel is None:
            return None
        day = self._day(now)
        at = next((at for ago in range(2) if (at := self._shown(day - timedelta(days=ago))) <= now), 0)
        if now - at > self.kind.patience_ms or at <= self.chosen_at or not self._is_day(at):
            return None
        return at if not self.told or (self._day(at) - self._day(self.told)).days >= self.kind.days else None

    def next_after(self, now: int) -> int:
        """When the next one is due, for who has chosen; 0 where it is off."""
        if self.channel is None:
            return 0
        days = (self._day(now) + timedelta(days=ahead) for ahead in range(3 * WEEK_DAYS))
        told = self._day(self.told) if self.told else None
        return next(
            at
            for day in days
            if (at := self._shown(day)) > now
            and self._is_day(at)
            and (told is None or (day - told).days >= self.kind.days)
        )

    def week_before(self, at: int) -> tuple[int, int]:
        """The seven days before the day of a recap, as the zone counts them."""
        today = self._day(at)
        since, until = (
            datetime.combine(day, time(), zone_known(self.zone)) for day in (today - timedelta(days=WEEK_DAYS), today)
        )
        return round(since.timestamp() * 1000), round(until.timestamp() * 1000)

    def _is_day(self, at: int) -> bool:
        return self.kind is Kind.MORNING or self._day(at).weekday() == self.weekday

    def _day(self, at: int) -> date:
        return datetime.fromtimestamp(at / 1000, zone_known(self.zone)).date()

    def _shown(self, day: date) -> int:
        """When the clocks show its hour first on a day."""
        return round(datetime.combine(day, time(self.hour), zone_known(self.zone)).timestamp() * 1000)


# What a recap tells. All of it is kept, so that it can be read again; who hides later is left out then.


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What somebody's hands for chips came to in the week."""

    player: Player
    chips: int
    hands: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """Somebody who went up the leaderboard of all time, by chips."""

    player: Player
    places: int
    rank: int
    """Where they stood at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """A hand of somebody's with a number: royalties, or tenths of points of luck."""

    player: Player
    number: int
    table: TableId
    tag: str
    hand_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """Two players at the head of a table that has closed."""

    winner: Player
    second: Player
    points: int
    """What was between them."""
    hands: int
    table: TableId


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two who have played with each other."""

    first: Player
    second: Player
    hands: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Victory:
    """An event that has ended, and who has won it."""

    event: str
    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlace:
    """A place in the largest event of the week."""

    event: str
    people: int
    """Players of the event."""
    place: int
    player: Player
    won: int
    """Chips, with bounties."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Honour:
    """A badge that somebody has earned in the week."""

    player: Player
    badge: str
    """Its name, as it is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyBest:
    """What somebody has made of a daily hand of the week."""

    player: Player
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recap:
    """A week of a server. Its lists are longer than what is shown, so that something is left where somebody hides."""

    number: int = 0
    """From 1 on."""
    since: int
    until: int
    channel: int = 0
    """Where it was posted: what is told of single tables is for those who may see that."""
    hands: int
    """Those for chips at tables that are no event's."""
    players: int
    """How many people have played them."""
    event_hands: int = 0
    event_players: int = 0
    events: int = 0
    """How many events have ended."""
    top: Sequence[Line] = ()
    climbs: Sequence[Climb] = ()
    boards: Sequence[Deed] = ()
    lucky: Sequence[Deed] = ()
    unlucky: Sequence[Deed] = ()
    finishes: Sequence[Finish] = ()
    masters: Sequence[Player] = ()
    """Those who had more points than a master in a daily hand."""
    pairs: Sequence[Pair] = ()
    victories: Sequence[Victory] = ()
    podium: Sequence[EventPlace] = ()
    """The first of the largest event that has ended, in order."""
    badges: Sequence[Honour] = ()
    dailies: Sequence[DailyBest] = ()
    """The most points in one daily hand that has ended in the week, each player once, the best first."""

    @property
    def people(self) -> frozenset[Player]:
        """All whom it names."""
        named = [*(one.player for one in self.top), *(one.player for one in self.climbs)]
        named += [*(one.player for one in self.victories), *(one.player for one in self.podium)]
        named += [*(one.player for one in self.badges), *(one.player for one in self.dailies)]
        named += [one.player for one in (*self.boards, *self.lucky, *self.unlucky)]
        named += [player for one in self.finishes for player in (one.winner, one.second)]
        named += [player for one in self.pairs for player in (one.first, one.second)]
        return frozenset([*named, *self.masters])

    def of_nobodys_table(self) -> Recap:
        """Return what follows from no table and no event, for readers who may not see the channel of the post."""
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
        """The same without a word about these."""
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
            badges=[one for one in self.badges if one.player not in hidden],
            dailies=[one for one in self.dailies if one.player not in hidden],
        )
