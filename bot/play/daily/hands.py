"""Dealing and playing daily hands. This module has access to all cards.

Rules:

1. The deck depends only on the seed, and is the same for everyone. The commitment is made a day ahead.
   :func:`prepare` makes the hands of today and tomorrow, and reveals those that are over.
2. An attempt is replayed from its log, like every hand. It can be started only once, and a placement is written before
   it's acknowledged.
3. A day ends at midnight UTC, when its seed is revealed. An attempt that isn't finished by then doesn't count.
4. After a restore, or if the key to a seed is lost, the day gets another hand with another name.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from bot.model.daily import (
    Attempt,
    Challenge,
    ChallengeId,
    DailyOutcome,
    Played,
    Series,
    date_of,
    day_at,
    game_of,
    lone_points,
    played_on,
)
from bot.model.errors import BadLogError, SeedLostError
from bot.model.ids import Player
from bot.model.privacy import UsedRightKind
from bot.model.reasons import DailyReason, PlayReason
from bot.model.refusals import Stale
from bot.play.session import memory
from bot.play.session.session import Session
from bot.play.session.workers import Placer
from bot.pure.ofc.cards import Card
from bot.pure.ofc.deck import commitment, deal_deck
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, audit, decide, evolve, start
from bot.pure.ofc.log import CardsPlaced, Fact, LogError, PlacedBy
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import view_for

MASTER = Player("computer-1")
"""The player in the first seat of a master's hand."""


# hands of each day


def prepare(s: Session) -> None:
    """Reveal the seeds of past days, and make the missing hands of today and tomorrow."""
    today = day_at(s.now)
    for challenge in s.tx.daily.unrevealed(today):
        _reveal(s, challenge)
    for series, day in _hands_to_commit(today):
        if _needs_hand(s, series, day):
            _make(s, series, day)


def needs_preparation(s: Session) -> bool:
    """True if :func:`prepare` has something to do."""
    today = day_at(s.now)
    return bool(s.tx.daily.unrevealed(today)) or any(
        _needs_hand(s, series, day) for series, day in _hands_to_commit(today)
    )


def _hands_to_commit(today: int) -> list[tuple[Series, int]]:
    """Return the series and days of today's hands and tomorrow's, which are committed to a day ahead."""
    days = [(series, day) for series in Series for day in (today, today + 1)]
    return [(series, day) for series, day in days if game_of(series, day) is not None]


def _needs_hand(s: Session, series: Series, day: int) -> bool:
    """True if the day has no playable hand: none exists, it's older than the last restore, or its seed is lost."""
    found = s.tx.daily.challenge_of(series, day)
    return found is None or not _playable(s, found)


def _playable(s: Session, challenge: Challenge) -> bool:
    if challenge.epoch != s.tx.timers.epoch():
        return False
    try:
        seed_of(s, challenge)
    except SeedLostError:
        return False
    return True


def _make(s: Session, series: Series, day: int) -> None:
    game, number = game_of(series, day), s.tx.daily.next_challenge()
    assert game is not None
    # The time makes the name unique even if a number is reused after a restore.
    name, seed = f"{series.value}/{date_of(day)}/{number}-{s.now:x}", s.vault.new_seed()
    challenge = Challenge(
        number=number,
        series=series,
        day=day,
        game=game,
        name=name,
        commitment=commitment(hand_id=name, seed=seed),
        sealed_seed=s.vault.seal(seed, hand_id=name),
        epoch=s.tx.timers.epoch(),
    )
    s.tx.daily.save_challenge(challenge)


def _reveal(s: Session, challenge: Challenge) -> None:
    """Store the seed unsealed, or mark the hand as lost if it can't be read."""
    try:
        revealed = replace(challenge, seed=seed_of(s, challenge))
    except SeedLostError:
        revealed = replace(challenge, lost=True)
    s.tx.daily.save_challenge(revealed)


def of_today(s: Session) -> list[Challenge]:
    """Return today's hands, the daily one first. They must have been prepared."""
    found = [s.tx.daily.challenge_of(series, day_at(s.now)) for series in Series]
    return [challenge for challenge in found if challenge is not None]


# one hand


def known(s: Session, number: ChallengeId) -> Challenge:
    """Return hand ``number``; raises Stale if it doesn't exist."""
    challenge = s.tx.daily.challenge(number)
    if challenge is None:
        raise Stale
    return challenge


def open_today(s: Session, number: ChallengeId) -> Challenge:
    """Return hand ``number`` if it can be played now; raises Refused if it can't, and Stale if it doesn't exist."""
    challenge = known(s, number)
    if closed := why_closed(s, challenge):
        raise Refused(closed)
    return challenge


def why_closed(s: Session, challenge: Challenge) -> PlayReason | None:
    """Return the reason why a hand can't be played now; None if it can."""
    if challenge.day != day_at(s.now):
        return DailyReason.DAY_OVER
    newest = s.tx.daily.challenge_of(challenge.series, challenge.day)
    return None if newest == challenge and _playable(s, challenge) else DailyReason.DAY_DEALT_ANEW


def seed_of(s: Session, challenge: Challenge) -> bytes:
    """Return a hand's seed; raises SeedLostError if it can't be read."""
    return challenge.seed or s.vault.unseal(challenge.sealed_seed, hand_id=challenge.name)


def fixed_by(s: Session, number: ChallengeId) -> bytes:
    """Compute the commitment from a hand's seed, to compare it with the stored one; raises SeedLostError."""
    challenge = known(s, number)
    return commitment(hand_id=challenge.name, seed=seed_of(s, challenge))


def with_deck(s: Session, number: ChallengeId) -> tuple[Challenge, tuple[Card, ...]]:
    """Return a hand and its deck; raises SeedLostError, or Stale if the hand doesn't exist."""
    challenge = known(s, number)
    return challenge, deck_of(s, challenge)


def deck_of(s: Session, challenge: Challenge) -> tuple[Card, ...]:
    """Return the deck that everyone is dealt from; raises SeedLostError."""
    return deal_deck(challenge.game, hand_id=challenge.name, seed=seed_of(s, challenge), entropy=())


# attempts


def begin(s: Session, number: ChallengeId, player: Player, *, cause: str) -> None:
    """Start the player's attempt; raises Refused, SeedLostError, or Stale if an unfinished attempt exists."""
    s.check_not_repeated(cause)
    challenge = open_today(s, number)
    attempt = s.tx.daily.attempt(number, player)
    if attempt is not None:
        raise Refused(DailyReason.DAY_PLAYED) if attempt.points is not None else Stale
    if memory.used(s, memory.ALL_SERVERS, player, UsedRightKind.TRY, number):
        raise Refused(DailyReason.DAY_PLAYED)
    hand, facts = deal_hand(challenge, deck_of(s, challenge), player)
    for seat, (rows,) in enumerate(challenge.master[1:], 1):
        hand, caused = _place(hand, seat, rows, by=PlacedBy.COMPUTER)
        facts += caused
    s.tx.daily.save_attempt(Attempt(challenge=number, player=player, begun_at=s.now))
    s.tx.daily.append_played(number, player, facts, cause=cause, at=s.now)


def place(
    s: Session, number: ChallengeId, player: Player, *, street: int, rows: str, cause: str, declare: bool = False
) -> None:
    """Place the cards of ``street``; raises Refused, HandLostError, or Stale if they were placed before.

    The last street ends the attempt. Its points are counted, and a daily hand extends the player's streak.
    """
    s.check_not_repeated(cause)
    challenge = open_today(s, number)
    attempt = s.tx.daily.attempt(number, player)
    if attempt is None:
        raise Stale
    hand = hand_of(s, challenge, player)
    if hand.status is not HandStatus.PLAYING or street != hand.street:
        raise Stale
    hand, facts = _place(hand, 0, rows, declare=declare)
    s.tx.daily.append_played(number, player, facts, cause=cause, at=s.now)
    if hand.status is HandStatus.ENDED:
        _finish(s, challenge, attempt, outcome_of(hand).points)


def _finish(s: Session, challenge: Challenge, attempt: Attempt, points: int) -> None:
    tx = s.tx
    tx.daily.save_attempt(replace(attempt, points=points, ended_at=s.now))
    tx.daily.count(challenge.number, points)
    if challenge.series is Series.DAILY:
        tx.daily.save_streak(attempt.player, played_on(tx.daily.streak(attempt.player), challenge.day))


def share(s: Session, number: ChallengeId, player: Player, *, channel: int) -> None:
    """Record that a result was posted in ``channel``.

    Raises Stale if the attempt isn't finished, and Refused if this was the last channel it was posted in.
    """
    attempt = s.tx.daily.attempt(number, player)
    if attempt is None or attempt.points is None:
        raise Stale
    if attempt.shared_in == channel:
        raise Refused(DailyReason.SHARED_HERE)
    s.tx.daily.save_attempt(replace(attempt, shared_in=channel))


def hand_of(s: Session, challenge: Challenge, player: Player) -> Hand:
    """Return the player's hand, replayed from its log; raises HandLostError."""
    try:
        facts = s.tx.daily.played(challenge.number, player)
        return audit(challenge.game, deck_of(s, challenge), facts)
    except LogError as error:
        raise BadLogError(f"the log of {challenge.name} is damaged: {error}") from error


def placements(s: Session, challenge: Challenge, player: Player) -> list[str]:
    """Return the player's placements per street, as letters."""
    facts = s.tx.daily.played(challenge.number, player)
    return [fact.rows for fact in facts if isinstance(fact, CardsPlaced) and fact.seat == 0]


def deal_hand(challenge: Challenge, deck: tuple[Card, ...], first: Player) -> tuple[Hand, list[Fact]]:
    """Return a new hand and its first facts.

    ``first`` gets the first seat. In games whose boards are set in one go, masters fill the other seats. The button is
    in the last seat, so the first seat's cards don't depend on its player.
    """
    beside = challenge.game.max_seats - 1 if challenge.game.at_once else 0
    players = [first, *(Player(f"computer-{number + 2}") for number in range(beside))]
    facts = start(challenge.game, deck, players=players, fantasyland=[0] * len(players), button=beside)
    return audit(challenge.game, deck, facts), facts


def _place(
    hand: Hand, seat: int, rows: str, *, by: PlacedBy = PlacedBy.PLAYER, declare: bool = False
) -> tuple[Hand, list[Fact]]:
    """Return the hand after a placement, and the facts of the placement; raises Refused."""
    facts = decide(hand, PlaceCards(seat=seat, rows=rows, by=by, declare=declare))
    return reduce(evolve, facts, hand), facts


def masters_hand(challenge: Challenge, deck: tuple[Card, ...]) -> tuple[Hand, list[tuple[Card, ...]]]:
    """Return the hand as played by masters, and the first seat's cards per street."""
    hand, _ = deal_hand(challenge, deck, MASTER)
    streets = []
    for street in range(len(challenge.game.streets)):
        streets.append(hand.seats[0].held)
        for seat, placed in enumerate(challenge.master):
            hand, _ = _place(hand, seat, placed[street], by=PlacedBy.COMPUTER)
    return hand, streets


async def worked_out(challenge: Challenge, deck: tuple[Card, ...], think: Placer, thought: list[str]) -> Played:
    """Compute the masters' placements for all seats. Each master sees only what a player in that seat would see.

    ``thought`` holds the placements computed so far, in playing order. New ones are appended, so that a retry continues
    from there.
    """
    before = iter(tuple(thought))
    hand, _ = deal_hand(challenge, deck, MASTER)
    placed: list[list[str]] = [[] for _ in hand.seats]
    while hand.waiting:
        seat = hand.waiting[0]
        rows = next(before, "")
        if not rows:
            rows = await think(view_for(hand, hand.seats[seat].player))
            thought.append(rows)
        placed[seat].append(rows)
        hand, _ = _place(hand, seat, rows, by=PlacedBy.COMPUTER)
    return tuple(map(tuple, placed))


def outcome_of(hand: Hand) -> DailyOutcome:
    """Return the outcome of the first seat's board in a finished hand."""
    score = hand.score
    board = score.boards[0]
    worth = lone_points(foul=board.foul, royalties=board.royalties, fantasyland=board.next_fantasyland)
    return DailyOutcome(
        rows=hand.seats[0].rows,
        foul=board.foul,
        royalties=board.royalties,
        fantasyland=board.next_fantasyland,
        points=score.points[0] if hand.variant.at_once else worth,
    )
