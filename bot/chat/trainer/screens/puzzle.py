"""A puzzle as its solver sees it before the answer: the boards, the cards to place, and the draft in its buttons."""

from __future__ import annotations

from dataclasses import dataclass, replace

from discord import ButtonStyle
from typing_extensions import override

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import FOUL_COLOUR, NOWHERE, QUIET_COLOUR, TURN_COLOUR, date_mark, first_fitting
from bot.chat.kit.widgets import Part, Screen, button, button_rows, link, screen, separator
from bot.chat.table.screens.boards import Size, seat_board
from bot.chat.table.screens.placing import street_parts
from bot.chat.trainer.screens.position_panel import PositionPanel
from bot.model.ids import TableId
from bot.model.puzzles import HARDEST, NO_PUZZLE, PuzzleAttempt, PuzzleName, Solver
from bot.play.trainer.views import AnswerView, DayPuzzleView, NoPuzzleView, PuzzleView
from bot.pure.ofc.view import HandView, SeatView
from bot.text.games import full_name
from bot.text.words import Words

VERB = "pz_"
"""Prefix of its controls' verbs. The rest is the same as on every panel."""
RATED_AT, PER_POINT = 1500, 200
"""A newcomer's rating as it's shown, and the effect of one unit of the rating model."""
_TAG = 6
"""Digits of a puzzle's name in a press's tag. The others are its number."""


def about(name: PuzzleName, verb: str, argument: str = "", *, day: int = 0) -> Press:
    """Return a press about a puzzle, whose custom id holds the whole name.

    ``day`` is its number among the server's puzzles of the day; 0 if the press isn't about one.
    """
    number = int(name[_TAG:] or "0", 16)
    return Press(verb=VERB + verb, table=TableId(day), tag=name[:_TAG], hand=number, argument=argument)


def puzzle_in(press: Press) -> PuzzleName:
    """Return the name of the puzzle in a press; of none if it isn't about one."""
    return PuzzleName(f"{press.tag}{press.hand:06x}" if press.tag else "")


@dataclass(frozen=True, kw_only=True)
class PuzzlePanel(PositionPanel):
    """A puzzle with the draft of its answer."""

    view: PuzzleView

    @property
    @override
    def shown_as(self) -> str:
        """Name of the panel's puzzle."""
        return f"p{self.view.name}"

    @property
    @override
    def about(self) -> Press:
        """A press about the puzzle."""
        return replace(about(self.view.name, "", day=day_of(self.view)), verb="puzzle")

    @property
    @override
    def prefix(self) -> str:
        """Prefix of the controls' verbs."""
        return VERB

    @override
    def title(self, words: Words) -> str:
        """Return a title such as ``Puzzle · Pineapple OFC``."""
        return puzzle_title(self.view, words)


def day_of(view: PuzzleView | AnswerView) -> int:
    """Return a puzzle's number among the server's puzzles of the day; 0 if it isn't one."""
    return view.day if isinstance(view, DayPuzzleView) else 0


def puzzle_title(view: PuzzleView | AnswerView, words: Words) -> str:
    """Return a title such as ``Puzzle · Pineapple OFC``."""
    return words("puzzle.day.title" if day_of(view) else "puzzle.title", game=full_name(view.variant, words))


def shown_rating(mean: float) -> int:
    """Return a rating of a solver or a puzzle as players read it.

    >>> shown_rating(0.25)
    1550
    """
    return RATED_AT + round(PER_POINT * mean)


def puzzle_screen(panel: PuzzlePanel, words: Words, faces: Faces, *, page: str = "") -> Screen:
    """Draw a puzzle with its draft, and the opponents' boards as large as fits.

    ``page`` is the address of the reader's page, if there is one.
    """
    sizes = (Size.TIGHT, Size.BARE, Size.LETTERS)
    return first_fitting(_draw(panel, words, faces, others=size, page=page) for size in sizes)


def _draw(panel: PuzzlePanel, words: Words, faces: Faces, *, others: Size, page: str) -> Screen:
    boards = [
        text
        for number, seat in enumerate(panel.hand.seats[1:], 1)
        for text in opponent_lines(number, seat, panel.hand, words, faces, size=others)
    ]
    beside: list[str | Part] = ["\n".join(boards), separator(line=True)] if boards else []
    return screen(
        _head(panel, words),
        *beside,
        *street_parts(panel, words, faces, mine=True),
        *([] if day_of(panel.view) else ways(panel.view.name, panel.view.of.solver, words, page=page)),
        colour=FOUL_COLOUR if panel.fouls else TURN_COLOUR,
    )


def _head(panel: PuzzlePanel, words: Words) -> str:
    view = panel.view
    facts = words.facts(puzzle_facts(view, words))
    lines = [f"**{panel.title(words)}**", f"-# {facts}", words("puzzle.ask"), *met_told(view.before, words)]
    if isinstance(view, DayPuzzleView):
        lines.append(words("puzzle.day.once", at=date_mark(view.ends_at)))
    return "\n".join(lines)


def puzzle_facts(view: PuzzleView | AnswerView, words: Words) -> list[str]:
    """Return the street and the difficulty."""
    street, streets = view.position.street(view.variant), len(view.variant.streets)
    return [
        words("panel.street", street=street, streets=streets),
        words("puzzle.difficulty", rating=shown_rating(view.difficulty.mean)),
    ]


def met_told(before: PuzzleAttempt | None, words: Words) -> list[str]:
    """Return when the reader met the puzzle before; empty if they haven't."""
    if before is None:
        return []
    return [words("puzzle.solved_before" if before.solved else "puzzle.missed_before", day=day_mark(before.at))]


def aimed_told(view: PuzzleView | NoPuzzleView, words: Words) -> str:
    """Return what *Harder* or *Easier* has changed; empty if the puzzle wasn't chosen by them."""
    if isinstance(view, NoPuzzleView) or view.instead_of is None:
        return ""
    way = "harder" if view.difficulty.mean > view.instead_of.mean else "easier"
    now, before = shown_rating(view.difficulty.mean), shown_rating(view.instead_of.mean)
    return words(f"puzzle.aimed.{way}", now=now, before=before)


def day_mark(milliseconds: int) -> str:
    """Return a date in the reader's own time zone."""
    return f"<t:{milliseconds // 1000}:D>"


def opponent_lines(number: int, seat: SeatView, hand: HandView, words: Words, faces: Faces, *, size: Size) -> list[str]:
    """Return an opponent and their board. Players who have no cards yet are mentioned too, because they count."""
    name = opponent_name(number, len(hand.seats), words)
    if seat.fantasyland:
        return [words("puzzle.in_fantasyland", player=name, count=seat.fantasyland)]
    if not any(seat.rows):
        return [words("puzzle.no_cards", player=name)]
    told = [f"**{name}**", seat_board(seat, hand.variant, words, faces, size=size)]
    discards = [card for card in seat.discards if card is not None]
    return [*told, words("puzzle.discards", cards=faces.row(discards))] if discards else told


def opponent_name(number: int, seats: int, words: Words) -> str:
    """Return what an opponent is called. The only one has no number."""
    return words("puzzle.opponent", number=number) if seats > 2 else words("puzzle.only_opponent")


def ways(name: PuzzleName, solver: Solver, words: Words, *, first: Part | None = None, page: str = "") -> list[Part]:
    """Return the buttons that lead to other puzzles. *Harder* and *Easier* carry the wanted difficulty.

    ``page`` is the address of the reader's page, if there is one.
    """
    harder, easier = solver.harder + 1, solver.harder - 1
    buttons = [
        button(about(name, "later"), words("puzzle.button.later")),
        button(about(name, "aim", str(harder)), words("puzzle.button.harder"), disabled=harder > HARDEST),
        button(about(name, "aim", str(easier)), words("puzzle.button.easier"), disabled=easier < -HARDEST),
        button(about(name, "choices"), words("puzzle.button.choose")),
        button(NOWHERE.but("mi_open"), words("ways.button.mistakes")),
    ]
    above = [*([first] if first else []), *([link(page, words("puzzle.button.page"))] if page else [])]
    return [*button_rows(above), *button_rows(buttons)]


def next_button(name: PuzzleName, words: Words) -> Part:
    """Return the button for the next puzzle."""
    return button(about(name, "next"), words("puzzle.button.next"), style=ButtonStyle.success)


def none_text(view: NoPuzzleView, words: Words) -> str:
    """Return why there is no puzzle: all are solved, or none fits."""
    return words("puzzle.none_left" if view.count else "puzzle.none_fit")


def no_puzzle_screen(view: NoPuzzleView, words: Words) -> Screen:
    """Tell a solver that no puzzle is left, and when one comes back."""
    lines = [none_text(view, words)]
    if view.due_at is not None:
        lines.append(words("puzzle.next_due", day=day_mark(view.due_at)))
    choose = button(about(NO_PUZZLE, "choices"), words("puzzle.button.choose"), style=ButtonStyle.primary)
    mistakes = button(NOWHERE.but("mi_open"), words("ways.button.mistakes"))
    return screen("\n".join(lines), *button_rows([choose, mistakes]), colour=QUIET_COLOUR)
