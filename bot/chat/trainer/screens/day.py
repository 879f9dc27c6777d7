"""The puzzle of the day: the receipt of an answer, the result, and what the morning post shows of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from discord import ButtonStyle

from bot.chat.kit.added_parts import AddedParts
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import QUIET_COLOUR, RESULT_COLOUR, date_mark, first_fitting
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, screen
from bot.chat.table.screens.boards import Size, placement_text
from bot.chat.trainer.screens.answer import behind, best_block, board_after, cost_block, why
from bot.chat.trainer.screens.puzzle import about, day_mark, next_button, shown_rating
from bot.model.ids import GuildId
from bot.model.puzzles import PuzzleName
from bot.play.trainer.views import AskedView, DayAnswerView, DayChoice, DayResultView, MorningPuzzle
from bot.text.games import full_name
from bot.text.words import Words

SIZES = (Size.SMALL, Size.TIGHT, Size.LETTERS)
NAMED = 12
"""Maximum number of members named per placement."""
OTHERS = 6
"""Maximum number of placements listed below the best ones."""


def day_button(number: int, name: PuzzleName, words: Words, *, is_over: bool = False) -> Part:
    """Return the button that privately shows a puzzle of the day, or its result."""
    label = words("puzzle.button.last_day" if is_over else "puzzle.button.day")
    style = ButtonStyle.secondary if is_over else ButtonStyle.primary
    return button(about(name, "day", day=number), label, style=style)


def day_screen(number: int, name: PuzzleName, words: Words) -> Screen:
    """Return a page with only the button for the puzzle of the day."""
    return screen(*button_rows([day_button(number, name, words)]), colour=QUIET_COLOUR)


def counted_screen(view: DayAnswerView, words: Words, faces: Faces) -> Screen:
    """Tell a member that their answer counts, without saying if it's right."""
    title = words("puzzle.day.title", game=full_name(view.variant, words))
    lines = [f"### {title}", words("puzzle.day.counted"), words("puzzle.day.wait", at=date_mark(view.ends_at))]
    mine = [
        f"**{words('puzzle.answer.your_placement')}**",
        placement_text(view.position.held, view.letters, words, faces),
        board_after(view, view.letters, words, faces, size=Size.SMALL),
    ]
    ways = button_rows([next_button(view.name, words)])
    return screen(*apart(["\n".join(lines), "\n".join(mine)]), *ways, colour=QUIET_COLOUR)


# the result


def result_screen(view: DayResultView, words: Words, faces: Faces) -> Screen:
    """Draw the result for one reader, without names."""
    return first_fitting(_draw(view, words, faces, size=size) for size in SIZES)


def _draw(view: DayResultView, words: Words, faces: Faces, *, size: Size) -> Screen:
    mine = None if view.mine is None else view.choices[view.mine]
    head = [words("puzzle.day.over")]
    if mine is not None:
        wrong = words("puzzle.answer.wrong", points=words.decimal(mine.cost, decimals=1))
        head.append(f"### {words('puzzle.answer.right') if view.chosen == 0 else wrong}")
    blocks = ["\n".join([*head, why(view, words), *_facts(view, words)])]
    for at, choice in enumerate(view.choices[: len(view.placements)]):
        blocks.append(best_block(view, at, _count(choice, words), words, faces, size=size))
    if mine is not None and view.chosen is None:
        blocks.append(cost_block(view, mine.letters, mine.cost, words, faces, size=size, chosen_by=_count(mine, words)))
    blocks.append(f"-# {words('puzzle.answer.averages')}")
    return screen(*apart(blocks), *button_rows([next_button(view.name, words)]), colour=RESULT_COLOUR)


def _facts(view: DayResultView, words: Words) -> list[str]:
    """Return the game and the theme, and how many members were right."""
    theme = words(f"puzzle.theme.{view.theme.value}")
    right = words("puzzle.day.solved", solved=view.solved, count=view.people)
    told = right if view.people else words("puzzle.day.no_answers")
    return [f"-# {words.facts([full_name(view.variant, words), theme])}", f"-# {told}"]


def _count(choice: DayChoice, words: Words) -> list[str]:
    return [words("puzzle.day.members", count=choice.people)] if choice.people else []


# in the morning post


def morning_parts(morning: MorningPuzzle, guild: GuildId, words: Words, faces: Faces) -> AddedParts:
    """Draw the last puzzle's result and the new puzzle, with boards and names for as long as they fit."""
    asked = [] if morning.asked is None else [_asked_text(morning.asked, words, faces)]
    streak = [words("puzzle.day.streak", count=morning.streak)] if morning.streak > 1 else []
    buttons = []
    if morning.asked is not None:
        buttons.append(day_button(morning.asked.day, morning.asked.name, words))
    result = morning.result
    if isinstance(result, DayResultView):
        buttons.append(day_button(result.day, result.name, words, is_over=True))

    def drawings() -> Iterator[Sequence[str]]:
        if not isinstance(result, DayResultView):
            cancelled = [] if result is None else [words("puzzle.day.cancelled", day=day_mark(result.asked_at))]
            yield [*cancelled, *streak, *asked]
            return
        for size, named in (*((size, NAMED) for size in SIZES), (Size.LETTERS, 4), (Size.LETTERS, 0)):
            yield [*_result_texts(result, guild, words, faces, size=size, named=named), *streak, *asked]

    return AddedParts(drawings=drawings(), buttons=buttons)


def _result_texts(
    view: DayResultView, guild: GuildId, words: Words, faces: Faces, *, size: Size, named: int
) -> list[str]:
    title = words("puzzle.day.solution", day=day_mark(view.asked_at))
    texts = ["\n".join([f"**{title}**", why(view, words), *_facts(view, words)])]
    best, others = view.choices[: len(view.placements)], view.choices[len(view.placements) :]
    for at, choice in enumerate(best):
        block = best_block(view, at, [], words, faces, size=size)
        texts.append("\n".join([block, *_members(choice, guild, words, faces, named=named)]))
    if others:
        lines = [
            words.facts(
                [
                    placement_text(view.position.held, choice.letters, words, faces),
                    behind(choice.cost, words),
                    *_members(choice, guild, words, faces, named=named),
                ]
            )
            for choice in others[:OTHERS]
        ]
        rest = sum(choice.people for choice in others[OTHERS:])
        more = [words("puzzle.day.more_answers", count=rest)] if rest else []
        texts.append("\n".join([f"**{words('puzzle.day.others')}**", *lines, *more]))
    return texts


def _members(choice: DayChoice, guild: GuildId, words: Words, faces: Faces, *, named: int) -> list[str]:
    """Return the members with this choice. Those who aren't named are only counted."""
    if not choice.people:
        return []
    names = [faces.names.of(guild, player, words) for player in choice.named[:named]]
    if not names:
        return _count(choice, words)
    unnamed = choice.people - len(names)
    more = [words("puzzle.day.more", count=unnamed)] if unnamed else []
    return [words("puzzle.day.named", count=choice.people, players=words.list([*names, *more]))]


def _asked_text(view: AskedView, words: Words, faces: Faces) -> str:
    street = words("panel.street", street=view.position.street(view.variant), streets=len(view.variant.streets))
    title = words("puzzle.day.title", game=full_name(view.variant, words))
    facts = words.facts([street, words("puzzle.difficulty", rating=shown_rating(view.difficulty.mean))])
    return "\n".join(
        [
            f"**{title}**",
            f"-# {facts}",
            words("puzzle.day.asked", cards=faces.row(view.position.held), count=len(view.position.held)),
            words("puzzle.day.until", at=date_mark(view.ends_at)),
        ]
    )
