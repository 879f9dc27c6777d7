"""A player's mistakes: judging their hands, and giving them the mistakes again. This module knows the corrections.

Rules:

1. Only hands of players who have opened *My mistakes* are judged. A query finds the others, so nothing
   is lost in a restart.
2. A hand is judged when its player may see its review, and by what they saw then.
3. A mistake is given as an exercise until it's answered or put off. Each answer decides when it comes back.
4. An answer is right if it isn't a mistake itself.
5. A mistake is stored without cards. They're read from the hand, so it can be shown only as long as its review can.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from bot.model.ids import GuildId, Player, TableKey
from bot.model.mistakes import NO_MISTAKE, JudgedDecision, Learner, Mistake, MistakeCounts
from bot.model.puzzles import PuzzleName, Repetition
from bot.model.reasons import HandReason, TrainerReason
from bot.model.refusals import Stale
from bot.play.queries.replays import PastHand, past_hand
from bot.play.session.session import Session
from bot.play.trainer.known_puzzles import DIGITS
from bot.play.trainer.mistake_views import CorrectionView, MistakeLine, MistakeView, MonthView
from bot.play.trainer.repetition import put_off, repeated
from bot.pure.ofc.placement import check_placement
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.visible_cards import cards_to_place
from bot.pure.trainer.correction import Judgement
from bot.pure.trainer.position import position_in
from bot.pure.trainer.puzzle import same_board

T = TypeVar("T")
_PAGE = 20
"""Number of rows read at a time by a query for the next hand or candidate."""
TRIED = 5
"""Number of mistakes that are read for the next one, in case the hands of some can't be shown."""
MONTHS = 4
"""Number of months shown: the newest, and those that it's compared with."""
FOR_EVER = (HandReason.HAND_LOST, HandReason.HAND_WAS_VOID, HandReason.NOT_IN_HAND)
"""Reasons why a hand can never be reviewed."""


def mistake_name(player: Player, key: TableKey, hand_no: int, number: int) -> PuzzleName:
    """Return the name of a mistake: of a player, at decision ``number`` of a hand."""
    text = f"{player} {key.guild} {key.table} {hand_no} {number}"
    return PuzzleName(hashlib.sha256(text.encode()).hexdigest()[:DIGITS])


# judging


@dataclass(frozen=True, slots=True, kw_only=True)
class UnjudgedHand:
    """A hand to be judged. ``past`` is None if it can never be reviewed, so nothing in it counts."""

    player: Player
    key: TableKey
    hand_no: int
    at: int
    """Time of the hand's end (ms)."""
    past: PastHand | None


def start_learning(s: Session, player: Player) -> None:
    """Let a player's hands be judged from now on."""
    if s.tx.mistakes.learner(player) is None:
        s.tx.mistakes.save_learner(player, Learner(since=s.now))


def next_unjudged(
    s: Session, player: Player, *, serves: Callable[[GuildId], bool], but: set[tuple[TableKey, int]]
) -> UnjudgedHand | None:
    """Return the player's newest hand that isn't judged and may be reviewed now; None if there is none.

    ``but`` names hands to leave out, and ``serves`` is True for this process's servers.
    """
    for key, hand_no, at in paged(partial(s.tx.mistakes.unjudged, player)):
        if not serves(key.guild) or (key, hand_no) in but:
            continue
        try:
            past = past_hand(s, key, hand_no, player)
        except Refused as refused:
            if refused.reason not in FOR_EVER:
                continue
            past = None
        return UnjudgedHand(player=player, key=key, hand_no=hand_no, at=at, past=past)
    return None


def paged(read: Callable[..., Sequence[T]]) -> Iterator[T]:
    """Yield the rows of a query one by one, and read them a page at a time.

    ``read`` takes the ``limit`` of a page and the number of rows to ``skip``. Nothing may change in between.
    """
    skip = 0
    while page := read(limit=_PAGE, skip=skip):
        yield from page
        skip += len(page)


def save_judged(s: Session, hand: UnjudgedHand, judged: Sequence[Judgement | None]) -> MistakeLine | None:
    """Save a judged hand, and return the line about its largest mistake; None if there is none.

    Nothing is saved if the player was deleted or the hand judged in the meantime.
    """
    player, key, hand_no = hand.player, hand.key, hand.hand_no
    if s.tx.mistakes.learner(player) is None or s.tx.mistakes.is_judged(player, key, hand_no):
        return None
    counted = [(number, one) for number, one in enumerate(judged) if one is not None]
    decisions = [
        JudgedDecision(
            number=number,
            street=one.street,
            lost=0 if one.correction is None else max(1, round(100 * one.lost)),
            theme=None if one.correction is None else one.correction.theme,
        )
        for number, one in counted
    ]
    mistakes = [
        Mistake(
            name=mistake_name(player, key, hand_no, number),
            guild=key.guild,
            table=key.table,
            hand_no=hand_no,
            number=number,
            at=hand.at,
            correction=one.correction,
            whole=not one.street,
            due_at=s.now,
            candidate=one.correction.is_clear,
        )
        for number, one in counted
        if one.correction is not None
    ]
    s.tx.mistakes.add_judged(player, key, hand_no, decisions, mistakes, at=hand.at)
    wrong = [(number, one) for number, one in counted if one.correction is not None]
    if not wrong or hand.past is None:
        return None
    number, worst = max(wrong, key=lambda pair: pair[1].lost)
    return _line(hand, number, worst)


def _line(hand: UnjudgedHand, number: int, worst: Judgement) -> MistakeLine:
    assert hand.past is not None
    assert worst.correction is not None
    held = cards_to_place(hand.past.moments[number].view)
    best, placed = worst.correction.placements[0].letters, worst.correction.placed.letters
    moved = [(card, to) for card, to, before in zip(held, best, placed, strict=True) if to != before]
    better = [(letter, tuple(card for card, to in moved if to == letter)) for letter in "FMBD"]
    return MistakeLine(
        name=mistake_name(hand.player, hand.key, hand.hand_no, number),
        street=worst.street,
        lost=worst.lost,
        better=tuple((letter, cards) for letter, cards in better if cards) if worst.street else (),
    )


# giving


def given(s: Session, player: Player) -> MistakeView | None:
    """Return the mistake that the player was given and hasn't answered; None if a new one has to be chosen."""
    learner = s.tx.mistakes.learner(player)
    mistake = None if learner is None else s.tx.mistakes.mistake(player, learner.shown)
    if mistake is None:
        return None
    try:
        return _view(s, player, mistake)
    except Refused:
        return None


def next_due(s: Session, player: Player, *, but: str = "") -> MistakeView | None:
    """Return the mistake to give next; None if none is due. Those whose hands can't be shown now are left out."""
    for mistake in s.tx.mistakes.due(player, now=s.now, but=but, limit=TRIED):
        try:
            return _view(s, player, mistake)
        except Refused:
            continue
    return None


def note_given(s: Session, player: Player, name: PuzzleName) -> None:
    """Note the mistake that a player was given."""
    learner = s.tx.mistakes.learner(player)
    if learner is not None and learner.shown != name:
        s.tx.mistakes.save_learner(player, replace(learner, shown=name))


def put_aside(s: Session, player: Player, name: PuzzleName) -> None:
    """Let a mistake come back tomorrow."""
    mistake, learner = _known(s, player, name), s.tx.mistakes.learner(player)
    later = put_off(_repetition(mistake), name, now=s.now)
    s.tx.mistakes.save_answer(player, replace(mistake, due_at=later.due_at))
    if learner is not None and learner.shown == name:
        s.tx.mistakes.save_learner(player, replace(learner, shown=NO_MISTAKE))


def counts(s: Session, player: Player) -> MistakeCounts:
    """Return how much there is, and how much is still to do."""
    return s.tx.mistakes.counts(player, now=s.now)


def month(s: Session, player: Player) -> MonthView:
    """Return the points that a player lost in this month and the ones before."""
    starts = _month_starts(s.now)
    losses = s.tx.mistakes.losses(player, starts, until=s.now + 1)
    return MonthView(starts=starts, losses=losses, counts=counts(s, player))


def _month_starts(now: int) -> list[int]:
    today = datetime.fromtimestamp(now / 1000, UTC)
    months = [divmod(today.year * 12 + today.month - 1 - back, 12) for back in range(MONTHS)]
    return [round(datetime(year, number + 1, 1, tzinfo=UTC).timestamp() * 1000) for year, number in months]


# looking


def look(s: Session, player: Player, name: PuzzleName) -> MistakeView | CorrectionView:
    """Return a mistake as an exercise, or with its correction if it was answered; raises Refused."""
    mistake, learner = _known(s, player, name), s.tx.mistakes.learner(player)
    answered = mistake.tries and (learner is None or learner.shown != name)
    return _correction(s, player, mistake, answered=True) if answered else _view(s, player, mistake)


def correction(s: Session, player: Player, name: PuzzleName) -> CorrectionView:
    """Return a mistake with its correction; raises Refused."""
    return _correction(s, player, _known(s, player, name), answered=False)


def _known(s: Session, player: Player, name: PuzzleName) -> Mistake:
    """Return the player's mistake; raises Refused if there is none."""
    mistake = s.tx.mistakes.mistake(player, name)
    if mistake is None:
        raise Refused(TrainerReason.NO_MISTAKE)
    return mistake


def _view(s: Session, player: Player, mistake: Mistake) -> MistakeView:
    then = past_hand(s, mistake.key, mistake.hand_no, player).moments[mistake.number].view
    return MistakeView(
        name=mistake.name,
        variant=then.variant,
        position=position_in(then),
        at=mistake.at,
        last_at=mistake.last_at,
        solved=mistake.solved,
    )


def _correction(s: Session, player: Player, mistake: Mistake, *, answered: bool) -> CorrectionView:
    past = past_hand(s, mistake.key, mistake.hand_no, player)
    moment, found = past.moments[mistake.number], mistake.correction
    position, letters = position_in(moment.view), mistake.letters if answered else ""
    shown = [placement.letters for placement in found.placements]
    equal = (at for at, one in enumerate(shown) if letters and same_board(position, one, letters))
    return CorrectionView(
        name=mistake.name,
        variant=moment.view.variant,
        position=position,
        theme=found.theme,
        placements=found.placements,
        chosen=next(equal, None),
        placed=found.placed,
        lost=found.placements[0].value - found.placed.value,
        street=moment.street,
        at=mistake.at,
        table=past.table,
        hand_no=mistake.hand_no,
        number=mistake.number,
        letters=letters,
        cost=mistake.cost / 100,
        solved=mistake.solved,
        due_at=None if mistake.whole else mistake.due_at,
    )


# answering


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeAnswer:
    """A legal answer, before it counts."""

    letters: str
    cost: float
    solved: bool


def judge_answer(s: Session, player: Player, name: PuzzleName, letters: str) -> MistakeAnswer:
    """Judge a placement; raises Refused if it isn't possible."""
    mistake = _known(s, player, name)
    if mistake.whole:
        raise Refused(TrainerReason.NO_MISTAKE)
    view = _view(s, player, mistake)
    position, found = view.position, mistake.correction
    to_place = view.variant.streets[position.street(view.variant) - 1].to_place
    check_placement(position.rows, position.held, letters, to_place=to_place)
    twin = next((one for one in found.costs if same_board(position, one, letters)), letters)
    # A search leaves out placements that are certain to foul if others aren't.
    cost = found.costs.get(twin, max(found.costs.values()))
    return MistakeAnswer(letters=letters, cost=cost, solved=twin in found.right)


def answer(s: Session, player: Player, name: PuzzleName, judged: MistakeAnswer, *, cause: str) -> None:
    """Note an answer. Raises Stale if the mistake was answered already, and Refused if it's gone."""
    s.check_not_repeated(cause)
    mistake, learner = _known(s, player, name), s.tx.mistakes.learner(player)
    if learner is None or (mistake.tries and learner.shown != name):
        raise Stale
    coming = repeated(_repetition(mistake), name, solved=judged.solved, now=s.now)
    s.tx.mistakes.save_answer(
        player,
        replace(
            mistake,
            due_at=coming.due_at,
            last_at=coming.last_at,
            stability=coming.stability,
            difficulty=coming.difficulty,
            tries=mistake.tries + 1,
            letters=judged.letters,
            cost=round(100 * judged.cost),
            solved=judged.solved,
            cause=cause,
        ),
    )
    if learner.shown == name:
        s.tx.mistakes.save_learner(player, replace(learner, shown=NO_MISTAKE))


def _repetition(mistake: Mistake) -> Repetition | None:
    if mistake.last_at is None:
        return None
    return Repetition(
        puzzle=mistake.name,
        due_at=mistake.due_at,
        last_at=mistake.last_at,
        stability=mistake.stability,
        difficulty=mistake.difficulty,
    )
