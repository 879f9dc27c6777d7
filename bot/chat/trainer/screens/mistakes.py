"""My mistakes: the overview, a mistake as an exercise, and its correction."""

from __future__ import annotations

from dataclasses import dataclass, replace

from discord import ButtonStyle
from typing_extensions import override

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import FOUL_COLOUR, NOWHERE, QUIET_COLOUR, RESULT_COLOUR, TURN_COLOUR, first_fitting
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, screen, separator
from bot.chat.table.screens.boards import Size
from bot.chat.table.screens.placing import street_parts
from bot.chat.trainer.screens.answer import cost_block, placement_block, reason
from bot.chat.trainer.screens.position_panel import PositionPanel
from bot.chat.trainer.screens.puzzle import about, day_mark, opponent_lines, puzzle_in
from bot.model.ids import GuildId
from bot.model.mistakes import NO_MISTAKE, MistakeCounts
from bot.model.puzzles import PuzzleName
from bot.play.trainer.mistake_views import CorrectionView, MistakeView
from bot.pure.trainer.puzzle import same_board
from bot.text.games import full_name
from bot.text.words import Words

MISTAKE = "mi_"
"""Prefix of its controls' verbs. The rest is the same as on every panel."""


def about_mistake(name: PuzzleName, verb: str, argument: str = "") -> Press:
    """Return a press about a mistake, whose custom id holds the whole name."""
    return about(name, verb).but(MISTAKE + verb, argument)


mistake_in = puzzle_in
"""Return the name of the mistake in a press; of none if it isn't about one."""


# The overview


def overview_screen(counts: MistakeCounts, words: Words) -> Screen:
    """Draw how many mistakes there are, how many hands are still being reviewed, and what to do."""
    lines = [f"### {words('ways.button.mistakes')}", *_found(counts, words), *_waiting(counts, words)]
    if counts.due:
        lines.append(words("mistakes.due", count=counts.due))
    elif counts.next_at is not None:
        lines.append(words("mistakes.next_due", day=day_mark(counts.next_at)))
    train = button(about_mistake(NO_MISTAKE, "next"), words("mistakes.button.train"), style=ButtonStyle.success)
    buttons = [
        *([train] if counts.due else []),
        *([button(NOWHERE.but("mi_month"), words("mistakes.button.month"))] if counts.hands else []),
        button(NOWHERE.but("pz_next"), words("ways.button.puzzle")),
        button(NOWHERE.but("mi_open"), words("button.refresh")),
    ]
    return screen("\n".join(lines), *button_rows(buttons), colour=QUIET_COLOUR)


def _found(counts: MistakeCounts, words: Words) -> list[str]:
    if not counts.hands:
        return [words("mistakes.begun" if counts.waiting else "mistakes.no_hands")]
    hands = words("mistakes.hands", count=counts.hands)
    told = words("mistakes.found", count=counts.mistakes, hands=hands) if counts.mistakes else ""
    return [told or words("mistakes.none", hands=hands), f"-# {words('mistakes.what')}"]


def _waiting(counts: MistakeCounts, words: Words) -> list[str]:
    return [words("mistakes.waiting", count=counts.waiting)] if counts.waiting else []


# The exercise


@dataclass(frozen=True, kw_only=True)
class MistakePanel(PositionPanel):
    """A mistake's position with the draft of its answer."""

    view: MistakeView

    @property
    @override
    def shown_as(self) -> str:
        """Name of the panel's mistake."""
        return f"m{self.view.name}"

    @property
    @override
    def about(self) -> Press:
        """A press about the mistake."""
        return replace(about(self.view.name, ""), verb="mistake")

    @property
    @override
    def prefix(self) -> str:
        """Prefix of the controls' verbs."""
        return MISTAKE

    @override
    def title(self, words: Words) -> str:
        """Return a title such as ``Your mistake · Pineapple OFC``."""
        return words("mistakes.title", game=full_name(self.view.variant, words))


def mistake_screen(panel: MistakePanel, words: Words, faces: Faces) -> Screen:
    """Draw a mistake with its draft, and the opponents' boards as large as fits."""
    return first_fitting(_draw(panel, words, faces, others=size) for size in (Size.TIGHT, Size.BARE, Size.LETTERS))


def _draw(panel: MistakePanel, words: Words, faces: Faces, *, others: Size) -> Screen:
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
        *_ways(panel.view.name, words),
        colour=FOUL_COLOUR if panel.fouls else TURN_COLOUR,
    )


def _head(panel: MistakePanel, words: Words) -> str:
    view = panel.view
    facts = [
        words("panel.street", street=panel.hand.street, streets=len(view.variant.streets)),
        words("mistakes.played", day=day_mark(view.at)),
    ]
    lines = [f"**{panel.title(words)}**", f"-# {words.facts(facts)}", words("mistakes.ask")]
    if view.last_at is not None:
        key = "mistakes.solved_before" if view.solved else "mistakes.missed_before"
        lines.append(words(key, day=day_mark(view.last_at)))
    return "\n".join(lines)


def _ways(name: PuzzleName, words: Words, *, first: Part | None = None) -> list[Part]:
    buttons = [
        button(about_mistake(name, "later"), words("puzzle.button.later")),
        button(NOWHERE.but("mi_open"), words("ways.button.mistakes")),
    ]
    return button_rows([*([first] if first else []), *buttons])


# The correction


def correction_screen(view: CorrectionView, words: Words, faces: Faces, *, guild: GuildId) -> Screen:
    """Draw a mistake with its best placements, with boards as large as fits.

    In the hand's server (``guild``), there's a button for its review.
    """
    sizes = (Size.SMALL, Size.TIGHT, Size.LETTERS)
    return first_fitting(_corrected(view, words, faces, size=size, guild=guild) for size in sizes)


def _corrected(view: CorrectionView, words: Words, faces: Faces, *, size: Size, guild: GuildId) -> Screen:
    blocks = [
        _result(view, words),
        *(
            placement_block(view, placement, _name(view, at, words), words, faces, size=size)
            for at, placement in enumerate(view.placements)
        ),
        *_others(view, words, faces, size=size),
        "\n".join([*_due(view, words), f"-# {words('puzzle.answer.averages')}"]),
    ]
    return screen(*apart(blocks), *_correction_ways(view, words, guild=guild), colour=RESULT_COLOUR)


def _result(view: CorrectionView, words: Words) -> str:
    lost = words.decimal(view.lost, decimals=1)
    street = words("review.street", street=view.street) if view.street else words("review.whole")
    if not view.letters:
        title = words("mistakes.looked", street=street, points=lost)
    elif not view.solved:
        title = words("puzzle.answer.wrong", points=words.decimal(view.cost, decimals=1))
    else:
        title = words("mistakes.good_enough" if view.chosen else "puzzle.answer.right")
    facts = [
        full_name(view.variant, words),
        words("mistakes.played", day=day_mark(view.at)),
        "" if view.theme is None else words(f"puzzle.theme.{view.theme.value}"),
    ]
    lines = [f"### {title}", _why(view, words), f"-# {words.facts(facts)}"]
    if view.letters:
        lines.append(words("mistakes.cost_then", points=lost))
    return "\n".join(lines)


def _why(view: CorrectionView, words: Words) -> str:
    """Compare the best placement with the reader's, or with that of the hand if theirs was the best."""
    if view.letters and view.chosen:
        return reason(view, view.placements[view.chosen], words("puzzle.why.your_placement"), words)
    again = not view.letters or _is_then(view, view.letters)
    return reason(view, view.placed, words("puzzle.why.your_placement" if again else "mistakes.why_then"), words)


def _is_then(view: CorrectionView, letters: str) -> bool:
    """True if a placement leads to the board of the hand."""
    return same_board(view.position, letters, view.placed.letters)


def _name(view: CorrectionView, at: int, words: Words) -> str:
    """Return a placement's place, and whether the reader chose it now or in the hand."""
    told = [words("puzzle.answer.place", number=at + 1) if at else words("puzzle.answer.best")]
    if view.letters and at == view.chosen:
        told.append(words("puzzle.answer.yours"))
    if _is_then(view, view.placements[at].letters):
        told.append(words("mistakes.then"))
    return words.facts(told)


def _others(view: CorrectionView, words: Words, faces: Faces, *, size: Size) -> list[str]:
    """Return the reader's placements now and in the hand, if they aren't among the best ones."""
    found = []
    if view.letters and view.chosen is None and not _is_then(view, view.letters):
        found.append(cost_block(view, view.letters, view.cost, words, faces, size=size))
    if not any(_is_then(view, placement.letters) for placement in view.placements):
        told = [words("mistakes.then_title")]
        if view.letters and _is_then(view, view.letters):
            told.append(words("puzzle.answer.yours"))
        found.append(placement_block(view, view.placed, words.facts(told), words, faces, size=size))
    return found


def _due(view: CorrectionView, words: Words) -> list[str]:
    if not view.letters or view.due_at is None:
        return []
    return [words("mistakes.comes_back", day=day_mark(view.due_at))]


def _correction_ways(view: CorrectionView, words: Words, *, guild: GuildId) -> list[Part]:
    following = button(about_mistake(view.name, "next"), words("mistakes.button.next"), style=ButtonStyle.success)
    buttons = [following] if view.letters else []
    buttons.append(button(NOWHERE.but("mi_open"), words("ways.button.mistakes")))
    if guild == view.table.key.guild:
        review = Press(
            verb="review",
            table=view.table.key.table,
            tag=view.table.tag,
            hand=view.hand_no,
            street=view.number + 1,
        )
        buttons.append(button(review, words("mistakes.button.review")))
    return button_rows(buttons)
