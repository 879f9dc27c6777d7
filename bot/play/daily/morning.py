"""Content of the morning post: yesterday's daily hand and the server's streak."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from bot.model.bulletins import Bulletin
from bot.model.daily import Challenge, ChallengeId, DailyOutcome, Streak, played_on
from bot.model.errors import HandLostError
from bot.model.ids import GuildId, Player
from bot.model.standings import RankingPlace, places
from bot.model.weekends import zone_known
from bot.play.audience import Audience, audience_of
from bot.play.daily import hands, views
from bot.play.daily.views import DayHand
from bot.play.session.session import Session

RANKED = 5
"""Number of players listed for a daily hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyRanking:
    """Ranking of a finished daily hand among the server's visible players."""

    of: DayHand
    people: int
    """Number of these players who finished it."""
    lines: Sequence[tuple[RankingPlace, Player, int]]
    """The best players with their ranks and points."""
    best: DailyOutcome
    """The outcome of the first player's board."""
    master: DailyOutcome | None
    """The outcome of a master with the same cards; None if it wasn't computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Morning:
    """The content of a morning post."""

    ranked: DailyRanking | None
    """None if no player here finished the daily hand."""
    streak: int
    """Length of the server's streak (consecutive days with a hand); 0 or 1 if there is none."""
    freeze: bool
    """True if the streak survives a missed day."""
    missed: bool
    """True if the last hand was before yesterday, so the freeze keeps the streak."""

    @property
    def says_something(self) -> bool:
        """True if there is something to post."""
        return self.ranked is not None or self.streak > 1


def morning(
    s: Session,
    guild: GuildId,
    bulletin: Bulletin,
    number: ChallengeId | None,
    *,
    at: int,
    open_channels: Collection[int],
) -> Morning:
    """Return the morning post for hour ``at``, for everyone who can see ``open_channels``.

    ``number`` is the finished daily hand; None if it isn't part of this post.
    """
    readers = audience_of(s, guild, open_channels)
    streak, today = server_streak(s, guild, readers, bulletin.zone, at), _date(at, bulletin.zone).toordinal()
    return Morning(
        ranked=None if number is None else _ranked(s, guild, readers, hands.known(s, number)),
        streak=0 if streak is None else streak.length_on(today),
        freeze=streak is None or streak.has_freeze,
        missed=streak is not None and streak.last < today - 1,
    )


def ranked_here(
    s: Session, guild: GuildId, number: ChallengeId, *, open_channels: Collection[int]
) -> DailyRanking | None:
    """Return a hand's ranking for readers of ``open_channels``; None if its day isn't over or the ranking is empty."""
    challenge = hands.known(s, number)
    # The seed is revealed only after the day.
    if challenge.seed is None:
        return None
    return _ranked(s, guild, audience_of(s, guild, open_channels), challenge)


def _ranked(s: Session, guild: GuildId, readers: Audience, challenge: Challenge) -> DailyRanking | None:
    found = [one for one in s.tx.bulletins.daily_points(guild, challenge.number) if readers.may_name(one[0])]
    if not found:
        return None
    try:
        best = hands.outcome_of(hands.hand_of(s, challenge, found[0][0]))
        master = master_outcome(s, challenge)
    except HandLostError:
        return None
    placed = places([points for _, points in found])
    lines = [(place, player, points) for place, (player, points) in zip(placed, found, strict=True)]
    return DailyRanking(
        of=views.public_hand(challenge), people=len(found), lines=lines[:RANKED], best=best, master=master
    )


def master_outcome(s: Session, challenge: Challenge) -> DailyOutcome | None:
    """Return a master's outcome of a finished day's hand; None if it wasn't computed. Raises HandLostError."""
    if not challenge.master:
        return None
    return hands.outcome_of(hands.masters_hand(challenge, hands.deck_of(s, challenge))[0])


def server_streak(s: Session, guild: GuildId, readers: Audience, zone: str, before: int) -> Streak | None:
    """Return the server's streak: local days with a finished hand at a table that ``readers`` may see.

    The streak is computed from results instead of being stored, so downtime doesn't break it. None before the first
    hand.
    """
    days: list[int] = []
    channels = sorted(readers.channels)
    while (at := s.tx.bulletins.played_before(guild, before, channels=channels)) is not None:
        day = _date(at, zone)
        if days and days[-1] - day.toordinal() > 2:
            break  # after two missed days, earlier ones belong to another streak
        days.append(day.toordinal())
        before = round(datetime.combine(day, time(), zone_known(zone)).timestamp() * 1000)
    streak: Streak | None = None
    for number in reversed(days):
        streak = played_on(streak, number)
    return streak


def _date(at: int, zone: str) -> date:
    return datetime.fromtimestamp(at / 1000, zone_known(zone)).date()
