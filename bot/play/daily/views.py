"""The hands of a day as one person may see them. None of these holds a card that is still to come."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.daily import (
    Challenge,
    ChallengeId,
    Grid,
    Outcome,
    Place,
    Series,
    before,
    begins_at,
    day_of,
    grid_of,
    place_among,
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
    """The hand of a day as everybody sees it beforehand."""

    number: ChallengeId
    series: Series
    day: int
    game: Variant
    commitment: bytes

    @property
    def ends_at(self) -> int:
        """When nobody can play it any more (ms)."""
        return begins_at(self.day + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One street of a try that is over, beside a master's on the same cards."""

    cards: tuple[Card, ...]
    mine: str
    master: str
    """Where each card was placed, in letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a try went, beside a master's on the same cards and among all who have finished."""

    mine: Outcome
    master: Outcome
    streets: tuple[Compared, ...]
    grid: Grid
    place: Place | None
    """The place among all who have finished; None where nobody else has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TryView:
    """A hand of a day and somebody's try at it."""

    of: DayHand
    closed: PlayReason | None
    """Why it cannot be played any more; None while it can."""
    people: int
    """How many have finished it."""
    streak: int
    """Days of the streak that today's hand would lengthen, or has."""
    freeze: bool
    """True while a day may be missed."""
    hand: HandView | None
    """The hand as its player sees it; None before it was begun."""
    standing: Standing | None
    """How it went; None until the board is full and a master has played too."""
    previous: ChallengeId | None
    """The hand of this series before it, which can be looked at with its cards; None where there was none."""
    beside: tuple[DayHand, ...]
    """The other hands of today: on Sundays the weekly one."""
    tomorrow: bytes | None
    """The commitment to tomorrow's daily hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """A hand whose day is over, as a master has played it."""

    of: DayHand
    streets: tuple[tuple[tuple[Card, ...], str], ...]
    """The cards dealt, street by street, and where they were placed."""
    master: Outcome
    people: int
    best: int | None
    """The most points that somebody has made; None where nobody has finished."""
    mine: Outcome | None


def look(s: Session, challenge: Challenge, player: Player) -> TryView:
    """One hand and somebody's try at it; raises HandLostError."""
    tx, today = s.tx, day_of(s.now)
    attempt, streak, counts = (
        tx.daily.attempt(challenge.number, player),
        tx.daily.streak(player),
        tx.daily.counts(challenge.number),
    )
    hand = None if attempt is None else hands.hand_of(s, challenge, player)
    earlier = tx.daily.challenge_of(challenge.series, before(challenge.series, challenge.day))
    tomorrow = tx.daily.challenge_of(Series.DAILY, today + 1)
    return TryView(
        of=told(challenge),
        closed=hands.why_closed(s, challenge),
        people=sum(counts.values()),
        streak=0 if streak is None else streak.length_on(today),
        freeze=streak is None or streak.has_freeze,
        hand=None if hand is None else view_for(hand, player),
        standing=_standing(s, challenge, hand, counts) if hand is not None and challenge.master else None,
        previous=None if earlier is None else earlier.number,
        beside=tuple(told(other) for other in hands.of_today(s) if other.number != challenge.number),
        tomorrow=None if tomorrow is None else tomorrow.commitment,
    )


def _standing(s: Session, challenge: Challenge, played: Hand, counts: dict[int, int]) -> Standing | None:
    if played.status is not HandStatus.ENDED:
        return None
    mine = hands.outcome_of(played)
    hand, streets = hands.masters_hand(challenge, hands.deck_of(s, challenge))
    master, placed = hands.outcome_of(hand), hands.placements(s, challenge, Player(played.seats[0].player))
    compared = zip(streets, placed, challenge.master[0], strict=True)
    return Standing(
        mine=mine,
        master=master,
        streets=tuple(Compared(cards=cards, mine=own, master=its) for cards, own, its in compared),
        grid=grid_of(mine, master),
        place=place_among(counts, mine.points),
    )


def solved(s: Session, challenge: Challenge, player: Player) -> Solved:
    """A hand with its cards, whose seed lies open and which a master has played; raises HandLostError."""
    assert challenge.seed is not None
    attempt, counts = s.tx.daily.attempt(challenge.number, player), s.tx.daily.counts(challenge.number)
    done = attempt is not None and attempt.points is not None
    hand, streets = hands.masters_hand(challenge, hands.deck_of(s, challenge))
    return Solved(
        of=told(challenge),
        streets=tuple(zip(streets, challenge.master[0], strict=True)),
        master=hands.outcome_of(hand),
        people=sum(counts.values()),
        best=max(counts, default=None),
        mine=hands.outcome_of(hands.hand_of(s, challenge, player)) if done else None,
    )


def told(challenge: Challenge) -> DayHand:
    """A hand as everybody sees it beforehand."""
    return DayHand(
        number=challenge.number,
        series=challenge.series,
        day=challenge.day,
        game=challenge.game,
        commitment=challenge.commitment,
    )
