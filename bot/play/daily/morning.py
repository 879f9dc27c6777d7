"""What a server reads in the morning: the daily hand that is over, and for how many days somebody has played there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from bot.model.bulletins import Bulletin
from bot.model.daily import Challenge, ChallengeId, Outcome, Streak, played_on
from bot.model.errors import HandLostError
from bot.model.ids import GuildId, Player
from bot.model.standings import Place, places
from bot.model.weekends import zone_known
from bot.play.audience import Audience, audience_of
from bot.play.daily import hands, views
from bot.play.daily.views import DayHand
from bot.play.session.session import Session

RANKED = 5
"""So many of a daily hand's players are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """The daily hand that is over, among those whom the server knows and who don't hide."""

    of: DayHand
    people: int
    """How many of them have finished it."""
    lines: Sequence[tuple[Place, Player, int]]
    """The first of them with their points."""
    best: Outcome
    """The board of the first one."""
    master: Outcome | None
    """A master's on the same cards; None where nobody could think."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Morning:
    """What is told on a morning."""

    ranked: Ranked | None
    """None where nobody here has finished it."""
    streak: int
    """Days on which somebody has played here, one after the other; 0 or 1 for no streak."""
    freeze: bool
    """True while a day may be missed."""
    missed: bool
    """True where nobody has played since the day before yesterday: the freeze keeps the streak."""

    @property
    def says_something(self) -> bool:
        """True where it is worth a post."""
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
    """What is told at an hour to everyone who sees these channels.

    ``number`` is that of the daily hand that is over, None where there is none to tell.
    """
    readers = audience_of(s, guild, open_channels)
    streak, today = server_streak(s, guild, readers, bulletin.zone, at), _date(at, bulletin.zone).toordinal()
    return Morning(
        ranked=None if number is None else _ranked(s, guild, readers, hands.known(s, number)),
        streak=0 if streak is None else streak.length_on(today),
        freeze=streak is None or streak.has_freeze,
        missed=streak is not None and streak.last < today - 1,
    )


def ranked_here(s: Session, guild: GuildId, number: ChallengeId, *, open_channels: Collection[int]) -> Ranked | None:
    """Return how a server has done in a hand whose day is over, as those who see these channels may read it."""
    challenge = hands.known(s, number)
    # Its seed is revealed once the day is over.
    if challenge.seed is None:
        return None
    return _ranked(s, guild, audience_of(s, guild, open_channels), challenge)


def _ranked(s: Session, guild: GuildId, readers: Audience, challenge: Challenge) -> Ranked | None:
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
    return Ranked(of=views.told(challenge), people=len(found), lines=lines[:RANKED], best=best, master=master)


def master_outcome(s: Session, challenge: Challenge) -> Outcome | None:
    """What a master has made of a hand whose day is over; None where nobody could think. Raises HandLostError."""
    if not challenge.master:
        return None
    return hands.outcome_of(hands.masters_hand(challenge, hands.deck_of(s, challenge))[0])


def server_streak(s: Session, guild: GuildId, readers: Audience, zone: str, before: int) -> Streak | None:
    """The days, as the zone counts them, on which somebody has ended a hand at a table that these readers may see.

    It follows from the results: nothing is kept of it, and a bot that was away has missed nothing. None where nobody
    has played yet.
    """
    days: list[int] = []
    channels = sorted(readers.channels)
    while (at := s.tx.bulletins.played_before(guild, before, channels=channels)) is not None:
        day = _date(at, zone)
        if days and days[-1] - day.toordinal() > 2:
            break  # two days missed: whatever was before is another streak
        days.append(day.toordinal())
        before = round(datetime.combine(day, time(), zone_known(zone)).timestamp() * 1000)
    streak: Streak | None = None
    for number in reversed(days):
        streak = played_on(streak, number)
    return streak


def _date(at: int, zone: str) -> date:
    return datetime.fromtimestamp(at / 1000, zone_known(zone)).date()
