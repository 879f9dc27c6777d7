"""When a puzzle comes back, by the memory model of the package fsrs, in whole days and without its random spread."""

from __future__ import annotations

from datetime import UTC, datetime

from fsrs import Card, Rating, Scheduler, State

from bot.model.clock import DAY
from bot.model.puzzles import PuzzleName, Repetition

_SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def repeated(before: Repetition | None, puzzle: PuzzleName, *, solved: bool, now: int) -> Repetition:
    """Return when a puzzle comes back after an answer at time ``now`` (ms)."""
    card, at = Card(card_id=0, due=_moment(now)), _moment(now)
    if before is not None and before.last_at is not None:
        card.state, card.step = State.Review, None
        card.stability, card.difficulty = before.stability, before.difficulty
        card.last_review = _moment(before.last_at)
    card, _ = _SCHEDULER.review_card(card, Rating.Good if solved else Rating.Again, at)
    return Repetition(
        puzzle=puzzle,
        due_at=now + (card.due - at).days * DAY,
        last_at=now,
        stability=card.stability,
        difficulty=card.difficulty,
    )


def put_off(before: Repetition | None, puzzle: PuzzleName, *, now: int) -> Repetition:
    """Return a repetition for tomorrow. The memory model learns nothing, because the player gave no answer."""
    return Repetition(
        puzzle=puzzle,
        due_at=now + DAY,
        last_at=None if before is None else before.last_at,
        stability=None if before is None else before.stability,
        difficulty=None if before is None else before.difficulty,
    )


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
