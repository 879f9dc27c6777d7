"""A player's views of daily and weekly hands. No view contains undealt cards."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.daily import (
    Challenge,
    ChallengeId,
    DailyOutcome,
    DailyPlace,
    Grid,
    Series,
    begins_at,
    compare_boards,
    day_at,
    place_among,
    previous_day,
)
from bot.model.ids import Player
from bot.model.reasons import PlayReason
from bot.play.daily import hands
from bot.play.session.session import Session
from bot.pure.ofc.cards import Card
from bot.pure.ofc.hand import Hand, HandStatus
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, view_for


@dataclass(frozen=True, slots=True, kw_only=True)
class DayHand:
    """Public data of a daily or weekly hand before it's played."""

    number: ChallengeId
    series: Series
    day: int
    game: Variant
    commitment: bytes

    @property
    def ends_at(self) -> int:
        """When it can no longer be played (ms)."""
        return begins_at(self.day + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetComparison:
    """One street of a finished attempt, compared with a master's play of the same cards."""

    cards: tuple[Card, ...]
    mine: str
    master: str
    """Rows of the master's cards, as letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyStanding:
    """Result of an attempt, compared with a master's and ranked among all finished attempts."""

    mine: DailyOutcome
    master: DailyOutcome
    streets: tuple[StreetComparison, ...]
    grid: Grid
    place: DailyPlace | None
    """Rank among everyone who finished; None if no one else did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptView:
    """A daily or weekly hand with the viewer's attempt."""

    of: DayHand
    closed: PlayReason | None
    """Reason why it can't be played any more; None if it can."""
    people: int
    """Number of players who finished it."""
    streak: int
    """Length (days) of the streak that today's hand would extend or has extended."""
    freeze: bool
    """True if the streak survives a missed day."""
    hand: HandView | None
    """The hand as its player sees it; None before they start."""
    standing: DailyStanding | None
    """The result; None until both the player and a master have finished."""
    previous: ChallengeId | None
    """The previous hand of this series, which can be viewed with its cards; None if there is none."""
    beside: tuple[DayHand, ...]
    """Today's other hands. On Sundays, this is the weekly one."""
    tomorrow: bytes | None
    """The commitment to tomorrow's daily hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedHand:
    """A finished day's hand as played by a master."""

    of: DayHand
    streets: tuple[tuple[tuple[Card, ...], str], ...]
    """The cards of each street, and their placement."""
    master: DailyOutcome
    people: int
    best: int | None
    """The highest points of any player; None if no one finished."""
    mine: DailyOutcome | None


def look(s: Session, challenge: Challenge, player: Player) -> AttemptView:
    """Return a hand with the player's attempt; raises HandLostError."""
    tx, today = s.tx, day_at(s.now)
    attempt, streak, counts = (
        tx.daily.attempt(challenge.number, player),
        tx.daily.streak(player),
        tx.daily.counts(challenge.number),
    )
    hand = None if attempt is None else hands.hand_of(s, challenge, player)
    earlier = tx.daily.challenge_of(challenge.series, previous_day(challenge.series, challenge.day))
    tomorrow = tx.daily.challenge_of(Series.DAILY, today + 1)
    return AttemptView(
        of=public_hand(challenge),
        closed=hands.why_closed(s, challenge),
        people=sum(counts.values()),
        streak=0 if streak is None else streak.length_on(today),
        freeze=streak is None or streak.has_freeze,
        hand=None if hand is None else view_for(hand, player),
        standing=_standing(s, challenge, hand, counts) if hand is not None and challenge.master else None,
        previous=None if earlier is None else earlier.number,
        beside=tuple(public_hand(other) for other in hands.of_today(s) if other.number != challenge.number),
        tomorrow=None if tomorrow is None else tomorrow.commitment,
    )


def _standing(s: Session, challenge: Challenge, played: Hand, counts: dict[int, int]) -> DailyStanding | None:
    if played.status is not HandStatus.ENDED:
        return None
    mine = hands.outcome_of(played)
    hand, streets = hands.masters_hand(challenge, hands.deck_of(s, challenge))
    master, placed = hands.outcome_of(hand), hands.placements(s, challenge, Player(played.seats[0].player))
    compared = zip(streets, placed, challenge.master[0], strict=True)
    return DailyStanding(
        mine=mine,
        master=master,
        streets=tuple(StreetComparison(cards=cards, mine=own, master=its) for cards, own, its in compared),
        grid=compare_boards(mine, master),
        place=place_among(counts, mine.points),
    )


def solved(s: Session, challenge: Challenge, player: Player) -> SolvedHand:
    """Return a solved hand with its cards.

    Its seed must be revealed, and a master must have played it. Raises HandLostError.
    """
    assert challenge.seed is not None
    attempt, counts = s.tx.daily.attempt(challenge.number, player), s.tx.daily.counts(challenge.number)
    done = attempt is not None and attempt.points is not None
    hand, streets = hands.masters_hand(challenge, hands.deck_of(s, challenge))
    return SolvedHand(
        of=public_hand(challenge),
        streets=tuple(zip(streets, challenge.master[0], strict=True)),
        master=hands.outcome_of(hand),
        people=sum(counts.values()),
        best=max(counts, default=None),
        mine=hands.outcome_of(hands.hand_of(s, challenge, player)) if done else None,
    )


def public_hand(challenge: Challenge) -> DayHand:
    """Return the public data of a hand."""
    return DayHand(
        number=challenge.number,
        series=challenge.series,
        day=challenge.day,
        game=challenge.game,
        commitment=challenge.commitment,
    )
