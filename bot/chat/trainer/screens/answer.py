"""A puzzle's solution: the result, the best placements as small boards, the reason, and the rating."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import RESULT_COLOUR, first_fitting
from bot.chat.kit.widgets import Screen, apart, screen
from bot.chat.table.screens.boards import Size, board_text, hand_labels, placement_text, sorted_row
from bot.chat.trainer.screens.puzzle import day_mark, next_button, shown_rating, ways
from bot.play.trainer.views import AnswerView, Compared, DayAnswerView, Solution
from bot.pure.ofc.cards import BOARD_CARDS, ROWS
from bot.pure.ofc.placement import place
from bot.pure.solver.comparison import ExpectedResults
from bot.pure.trainer.outs import dead_outs
from bot.pure.trainer.puzzle import PuzzlePlacement
from bot.pure.trainer.themes import Theme
from bot.text.cards import row_text
from bot.text.games import full_name
from bot.text.words import Words

CHANCE, POINTS = 0.01, 0.1
"""Minimum differences that a reason names. Smaller ones would round to zero."""


def answer_screen(view: AnswerView, words: Words, faces: Faces, *, page: str = "") -> Screen:
    """Draw the solution, with boards as large as fits.

    ``page`` is the address of the reader's page, if there is one.
    """
    sizes = (Size.SMALL, Size.TIGHT, Size.LETTERS)
    return first_fitting(_draw(view, words, faces, size=size, page=page) for size in sizes)


def _draw(view: AnswerView, words: Words, faces: Faces, *, size: Size, page: str) -> Screen:
    blocks = [
        _head(view, words),
        *(
            best_block(view, at, _chosen_by(placement.letters, view, words), words, faces, size=size)
            for at, placement in enumerate(view.placements)
        ),
        *([] if view.chosen is not None else [_own_block(view, words, faces, size=size)]),
        "\n".join([rating_told(view, words), *due_told(view, words), f"-# {words('puzzle.answer.averages')}"]),
    ]
    buttons = ways(view.name, view.of.solver, words, first=next_button(view.name, words), page=page)
    return screen(*apart(blocks), *buttons, colour=RESULT_COLOUR)


def _head(view: AnswerView, words: Words) -> str:
    attempt = view.attempt
    if attempt.solved:
        result = words("puzzle.answer.right")
    else:
        result = words("puzzle.answer.wrong", points=words.decimal(attempt.cost / 100, decimals=1))
    theme = words(f"puzzle.theme.{view.theme.value}")
    lines = [f"### {result}", why(view, words), f"-# {words.facts([full_name(view.variant, words), theme])}"]
    return "\n".join([*lines, f"-# {people_told(view, words)}"])


def people_told(view: AnswerView, words: Words) -> str:
    """Return how many people have tried the puzzle, and how many of them were right."""
    if view.people == 1:
        return words("puzzle.answer.first")
    found = view.shares.get(view.placements[0].letters, 0)
    return words("puzzle.answer.people", share=share_text(found, view.people, words), count=view.people)


def share_text(part: int, whole: int, words: Words) -> str:
    """Return a part of a whole as a percentage."""
    return words.percent(round(100 * part / whole))


# placements


def best_block(view: Compared, at: int, chosen_by: Sequence[str], words: Words, faces: Faces, *, size: Size) -> str:
    """Return one of the best placements: its place, its cards, its numbers, and the board that it leads to."""
    head = words("puzzle.answer.place", number=at + 1) if at else words("puzzle.answer.best")
    named = words.facts([head, words("puzzle.answer.yours") if at == view.chosen else ""])
    return placement_block(view, view.placements[at], named, words, faces, size=size, chosen_by=chosen_by)


def placement_block(
    view: Compared,
    placement: PuzzlePlacement,
    title: str,
    words: Words,
    faces: Faces,
    *,
    size: Size,
    chosen_by: Sequence[str] = (),
) -> str:
    """Return a placement: a title, its cards, its numbers, and the board that it leads to."""
    return "\n".join(
        [
            f"**{title}**",
            placement_text(view.position.held, placement.letters, words, faces),
            words.facts([*_numbers(placement, view, words), *chosen_by]),
            board_after(view, placement.letters, words, faces, size=size),
        ]
    )


def _own_block(view: AnswerView, words: Words, faces: Faces, *, size: Size) -> str:
    """Return the reader's placement, if it isn't among the best ones. Only its cost is known."""
    letters = view.attempt.letters
    chosen_by = _chosen_by(letters, view, words)
    return cost_block(view, letters, view.attempt.cost / 100, words, faces, size=size, chosen_by=chosen_by)


def cost_block(
    view: Compared,
    letters: str,
    cost: float,
    words: Words,
    faces: Faces,
    *,
    size: Size,
    chosen_by: Sequence[str] = (),
) -> str:
    """Return the reader's placement, its cost in points, and the board that it leads to."""
    return "\n".join(
        [
            f"**{words('puzzle.answer.your_placement')}**",
            placement_text(view.position.held, letters, words, faces),
            words.facts([behind(cost, words), *chosen_by]),
            board_after(view, letters, words, faces, size=size),
        ]
    )


def behind(cost: float, words: Words) -> str:
    """Return how far a placement is behind the best one, in points."""
    return words("puzzle.answer.behind", points=words.decimal(cost, decimals=1))


def _numbers(placement: PuzzlePlacement, view: Compared, words: Words) -> list[str]:
    facts, at_once = placement.facts, len(view.position.held) >= BOARD_CARDS
    points = words("puzzle.answer.points", points=words.signed_decimal(placement.value, decimals=1))
    return [
        # For a whole board, only the difference is known.
        *([] if at_once else [points]),
        words("puzzle.answer.foul", share=percent_text(facts.foul, words)),
        words("puzzle.answer.fantasyland", share=percent_text(facts.fantasyland, words)),
        words("puzzle.answer.royalties", points=words.decimal(facts.royalties, decimals=1)),
    ]


def _chosen_by(letters: str, view: AnswerView, words: Words) -> list[str]:
    if view.people == 1 or letters not in view.shares:
        return []
    return [words("puzzle.answer.chosen_by", share=share_text(view.shares[letters], view.people, words))]


def board_after(view: Compared | DayAnswerView, letters: str, words: Words, faces: Faces, *, size: Size) -> str:
    """Return the board that a placement leads to."""
    placed, _ = place(view.position.rows, view.position.held, letters)
    front, middle, back = (
        sorted_row(cards) if len(cards) == row.size else cards for row, cards in zip(ROWS, placed, strict=True)
    )
    rows = front, middle, back
    return board_text(rows, hand_labels(rows, view.variant, words), words, faces, size=size)


def percent_text(share: float, words: Words) -> str:
    """Return a share from 0 to 1 as a percentage."""
    return words.percent(round(100 * share))


# the reason


def why(view: Solution, words: Words) -> str:
    """Return the reason in one sentence: by the puzzle's theme if the numbers show it, else by the lead in points.

    The best placement is compared with the reader's, or with the next best one if theirs was right or is further back.
    """
    if view.fouls:
        return words("puzzle.why.fouls")
    own = view.chosen or 0
    name = words("puzzle.why.your_placement" if own else "puzzle.why.next_best")
    return reason(view, view.placements[own or 1], name, words)


def reason(view: Compared, other: PuzzlePlacement, name: str, words: Words) -> str:
    """Return why the best placement is better than another one, which is called ``name``."""
    best = view.placements[0]
    lead = words.decimal(best.value - other.value, decimals=1)
    if (pair := _compared(view.theme, best.facts, other.facts)) is not None:
        mine, theirs = pair
        shares = view.theme is not Theme.DRAW
        told = [percent_text(one, words) if shares else words.decimal(one, decimals=1) for one in (mine, theirs)]
        assert view.theme is not None
        return words(f"puzzle.why.{view.theme.value}", best=told[0], other=told[1], name=name)
    if view.theme is Theme.LIVE_OUTS:
        dead = dead_outs(view.position, view.variant, other.letters, other=best.letters)
        if dead:
            return words("puzzle.why.dead_outs", cards=row_text(dead), points=lead, name=name)
        return words("puzzle.why.live_outs", points=lead, name=name)
    if view.theme is Theme.LAST_CARD:
        points = (words.signed_decimal(one.value, decimals=1) for one in (best, other))
        return words("puzzle.why.last_card", best=next(points), other=next(points), name=name)
    _, kept = place(view.position.rows, view.position.held, best.letters)
    _, left = place(view.position.rows, view.position.held, other.letters)
    if view.theme is Theme.DISCARD and sorted(kept) != sorted(left):
        return words("puzzle.why.discard", card=row_text(kept), points=lead, name=name)
    key = "front_pair" if view.theme is Theme.FRONT_PAIR else "lead"
    return words(f"puzzle.why.{key}", points=lead, name=name)


def _compared(theme: Theme | None, best: ExpectedResults, other: ExpectedResults) -> tuple[float, float] | None:
    """Return the two numbers that explain a theme; None if it has none or they don't explain it."""
    match theme:
        case Theme.FANTASYLAND if best.fantasyland - other.fantasyland >= CHANCE:
            return best.fantasyland, other.fantasyland
        case Theme.FOUL_RISK if other.foul - best.foul >= CHANCE:
            return best.foul, other.foul
        case Theme.DRAW if best.royalties - other.royalties >= POINTS:
            return best.royalties, other.royalties
        case _:
            return None


# the rating


def rating_told(view: AnswerView, words: Words) -> str:
    """Return the reader's rating, and its change if this was their first try.

    If they've answered others since, the change isn't that of the rating, so a sentence tells both apart.
    """
    rating, since = shown_rating(view.of.solver.rating.mean), "" if view.is_latest else "_since"
    if not view.attempt.rated:
        return words(f"puzzle.answer.rating_stays{since}", rating=rating)
    before = shown_rating(view.of.solver.rating.mean - view.attempt.moved)
    return words(f"puzzle.answer.rating{since}", rating=rating, moved=words.signed(rating - before))


def due_told(view: AnswerView, words: Words) -> list[str]:
    """Return when the puzzle comes back; empty if it doesn't."""
    return [] if view.due_at is None else [words("puzzle.answer.comes_back", day=day_mark(view.due_at))]
