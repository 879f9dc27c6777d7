"""Puzzles on the page. A puzzle is drawn as the board of a hand. Only a reader who has answered gets its solution.

The page shows one puzzle, as ``/puzzle`` does. If its reader answers it or leaves it in Discord, the page follows.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeAlias

from bot.chat.kit.faces import Faces
from bot.chat.kit.gate import Gate
from bot.chat.kit.page_request import PageRequest
from bot.chat.kit.text_only import spoken
from bot.chat.table.screens.boards import hand_labels, low_asked, preview_lines, seat_rows, warning
from bot.chat.table.screens.placement_draft import PlacementPanel, parse_draft
from bot.chat.table.screens.placing import asked as asked_next
from bot.chat.table.screens.placing import rest_told
from bot.chat.trainer.screens.answer import due_told, people_told, percent_text, rating_told, share_text, why
from bot.chat.trainer.screens.puzzle import (
    PuzzlePanel,
    aimed_told,
    day_mark,
    met_told,
    none_text,
    opponent_name,
    puzzle_facts,
    puzzle_title,
)
from bot.model.choices import MemberSettings
from bot.model.ids import Player
from bot.model.puzzles import HARDEST, NO_PUZZLE, PuzzleName, Solver
from bot.model.reasons import TrainerReason
from bot.model.refusals import Stale
from bot.play.trainer.use_cases import Trainer
from bot.play.trainer.views import AnswerView, ChoicesView, NoPuzzleView, PuzzleView
from bot.pure.ofc.refusals import Reason, Refused
from bot.pure.ofc.view import SeatView
from bot.pure.trainer.puzzle import PuzzlePlacement
from bot.pure.trainer.themes import Theme
from bot.text.games import full_name
from bot.text.words import Words
from bot.web.drawing import NOBODY, codes, colours_of, draft_level, nothing, row_names_of
from bot.web.intents import unless_late
from bot.web.messages import (
    Cells,
    Confirm,
    Draft,
    Drafted,
    Found,
    Intent,
    Mine,
    Offered,
    PuzzleChoices,
    PuzzleOption,
    PuzzlePlacementShown,
    PuzzleShown,
    PuzzleSolved,
    Read,
    SeatShown,
    View,
)
from bot.web.reader_text import ReaderText
from bot.web.row_rules import row_rules
from bot.web.rules import rules_shown

VERBS = frozenset({"puzzle_next", "puzzle_later", "puzzle_harder", "puzzle_easier", "puzzle_theme", "puzzle_games"})
"""Intents about the choice of puzzles. ``confirm`` answers one."""
SeenPuzzle: TypeAlias = PuzzleView | AnswerView | NoPuzzleView
PuzzleWay: TypeAlias = Literal["puzzle_next", "puzzle_later", "puzzle_harder", "puzzle_easier", "puzzle_choose"]


@dataclass(slots=True)
class PuzzlePage:
    """The puzzle that a page shows."""

    name: PuzzleName = NO_PUZZLE
    """Empty before the first one, and while none is left."""
    none: NoPuzzleView | None = None
    """Set while none is left."""
    unasked: bool = False
    """True if the page was opened for something else, and its reader hasn't asked for a puzzle."""
    then: PuzzleName | None = None
    """The reader's puzzle when the page first showed an answer, which stays until they go on elsewhere; else None."""

    def turn_to(self, view: SeenPuzzle) -> None:
        """Show this puzzle."""
        self.unasked, self.then, self.none = False, None, view if isinstance(view, NoPuzzleView) else None
        self.name = NO_PUZZLE if isinstance(view, NoPuzzleView) else view.name


class PagePuzzles:
    """Draws the pages' puzzles, and carries out their readers' actions."""

    def __init__(self, trainer: Trainer, gate: Gate, faces: Faces) -> None:
        self._trainer = trainer
        self._gate = gate
        self._faces = faces

    async def view(self, page: PuzzlePage, player: Player, words: Words, member_settings: MemberSettings) -> View:
        """Return everything that the page shows."""
        faces = self._faces.for_reader(member_settings).in_letters()
        drawing = PuzzleDrawing(words=words, faces=faces, member_settings=member_settings)
        return drawing.unasked() if page.unasked else drawing.view(await self._seen(page, player))

    async def _seen(self, page: PuzzlePage, player: Player) -> SeenPuzzle:
        """Return the page's puzzle, or the reader's current one if they left this one without an answer."""
        if page.none is not None:
            return page.none
        if page.name:
            with suppress(Refused):  # withdrawn since
                seen = await self._trainer.look(player, page.name)
                now = seen.of.solver.shown
                if isinstance(seen, AnswerView) and page.then is None:
                    page.then = now
                if now == seen.name or (isinstance(seen, AnswerView) and now in ("", page.then)):
                    return seen
        given = await self._trainer.give(player)
        page.turn_to(given)
        return given

    async def save_draft(
        self, asked: PageRequest, draft: Draft, page: PuzzlePage, show: Callable[[Drafted], None]
    ) -> None:
        """Show a draft's preview. The draft stays on the page."""

        async def body() -> None:
            panel = await self._panel(asked, draft, page)
            faces = self._faces.for_reader(asked.member_settings).in_letters()
            drawing = PuzzleDrawing(words=asked.words, faces=faces, member_settings=asked.member_settings)
            show(drawing.drafted(panel))

        await self._gate.ask(asked, partial(unless_late, asked, body), verb="draft")

    async def do(self, asked: PageRequest, intent: Intent, page: PuzzlePage | None) -> PuzzleChoices | None:
        """Carry out ``intent``. Returns the choice of puzzles if it was changed.

        ``page`` is None if the page shows a table by now.
        """
        found: list[PuzzleChoices] = []

        async def body() -> None:
            if page is None:
                raise Stale
            if intent.verb in ("puzzle_theme", "puzzle_games"):
                found.append(await self._choose(asked, intent))
            else:
                await self._do(asked, intent, page)

        await self._gate.ask(asked, partial(unless_late, asked, body), verb=intent.verb)
        return found[0] if found else None

    async def _do(self, asked: PageRequest, intent: Intent, page: PuzzlePage) -> None:
        trainer, player = self._trainer, asked.player
        name, _, argument = intent.turn.partition(".")
        about = PuzzleName(name)
        match intent.verb:
            case "confirm":
                panel = await self._panel(asked, intent, page)
                if not panel.placement_draft.complete:
                    raise Refused(Reason.BAD_PLACEMENT)
                await trainer.answer(player, page.name, panel.placement_draft.letters, cause=asked.cause)
            case "puzzle_next":
                page.turn_to(await trainer.give(player))
            case "puzzle_later":
                page.turn_to(await trainer.put_aside(player, about))
                await asked.say(asked.words("puzzle.put_off"))
            case "puzzle_harder" | "puzzle_easier":
                try:
                    harder = int(argument)
                except ValueError:
                    raise Refused(TrainerReason.NO_PUZZLE) from None
                aimed = await trainer.aim(player, harder=harder, instead_of=about)
                page.turn_to(aimed)
                if told := aimed_told(aimed, asked.words):
                    await asked.say(told)
            case _:
                raise Stale

    async def _choose(self, asked: PageRequest, intent: Intent) -> PuzzleChoices:
        """Change the theme or the games."""
        offered = (await self._trainer.choices(asked.player)).of.games
        games = tuple(game.key for game in offered if game.key in intent.chosen)
        theme = {theme.value: theme for theme in Theme}.get(next(iter(intent.chosen), ""))

        def change(solver: Solver) -> Solver:
            return replace(solver, theme=theme) if intent.verb == "puzzle_theme" else replace(solver, games=games)

        return _choices(await self._trainer.choose(asked.player, change), asked.words)

    async def read(self, asked: PageRequest, read: Read, page: PuzzlePage, found: Callable[[Found], None]) -> None:
        """Send the choice of puzzles, or the rules of the puzzle's game. A puzzle has no other texts."""

        async def body() -> None:
            if read.what == "puzzles":
                choices = _choices(await self._trainer.choices(asked.player), asked.words)
                found(Found(id=read.id, what="puzzles", puzzles=choices))
            elif read.what == "rules" and page.name:
                variant = (await self._trainer.look(asked.player, page.name)).variant
                say = partial(spoken, words=asked.words, member_settings=asked.member_settings)
                found(Found(id=read.id, what="rules", chapters=rules_shown(variant, asked.words, say)))
            else:
                raise Stale

        await self._gate.ask(asked, partial(unless_late, asked, body), verb=read.what)

    async def _panel(self, asked: PageRequest, seen: Draft | Intent, page: PuzzlePage) -> PuzzlePanel:
        """Return the puzzle with the draft on it; raises Stale if the page showed another one, or it's answered."""
        view = await self._trainer.look(asked.player, page.name)
        if isinstance(view, AnswerView) or turn_of(view) != seen.turn:
            raise Stale
        panel = PuzzlePanel(view=view, draft=parse_draft(seen.letters))
        if len(seen.letters) not in (0, len(panel.cards)) or panel.placement_draft.draft != panel.draft:
            raise Refused(Reason.BAD_PLACEMENT)
        return panel


def turn_of(view: PuzzleView | AnswerView) -> str:
    """Return the name of a puzzle's state for its reader. It changes when they answer."""
    if isinstance(view, AnswerView):
        return f"{view.name}.answer{view.attempt.number}"
    return f"{view.name}.{view.before.number if view.before else 0}"


# the reader's choice


def _choices(view: ChoicesView, words: Words) -> PuzzleChoices:
    solver = view.of.solver
    all_themes = PuzzleOption(key="", label=words("puzzle.choices.all_themes"), chosen=solver.theme is None)
    all_games = PuzzleOption(key="", label=words("puzzle.choices.all_games"), chosen=not solver.games)
    themes = [
        PuzzleOption(key=theme.value, label=words(f"puzzle.theme.{theme.value}"), chosen=theme is solver.theme)
        for theme in Theme
    ]
    games = [
        PuzzleOption(key=game.key, label=full_name(game, words), chosen=game.key in solver.games)
        for game in view.of.games
    ]
    return PuzzleChoices(
        title=words("puzzle.choices.title"),
        told=words("puzzle.choices.fitting", count=view.count, unmet=view.unmet),
        later=words("puzzle.page.later", button=words("puzzle.button.later")),
        theme=words("puzzle.choices.theme"),
        themes=(all_themes, *themes),
        game=words("puzzle.choices.games"),
        games=(all_games, *games),
    )


# drawing


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleDrawing(ReaderText):
    """Draws puzzles for one reader."""

    faces: Faces
    """Card faces in letters, because the page shows text."""

    def view(self, seen: SeenPuzzle) -> View:
        """Return the view of a puzzle, of its solution, or of none."""
        empty = replace(nothing(self.words, self.member_settings), puzzle=PuzzleShown(solution=None, off=()))
        if isinstance(seen, NoPuzzleView):
            return self._none_left(seen, empty)
        panel = PuzzlePanel(view=_unanswered(seen))
        variant, answer = seen.variant, seen if isinstance(seen, AnswerView) else None
        return replace(
            empty,
            title=self.plain(puzzle_title(seen, self.words)),
            about=self.plain(" · ".join(self._facts(seen))),
            status=self._status(seen),
            colours=colours_of(self.member_settings),
            row_names=row_names_of(self.words, strict=variant.strict_rows),
            seats=tuple(self._seat(panel, number, seat) for number, seat in enumerate(panel.hand.seats)),
            mine=self._mine(panel, answer),
            offers=self._offers(seen),
            row_rules=row_rules(variant),
            puzzle=PuzzleShown(solution=None if answer is None else self._solution(answer), off=_off(seen.of.solver)),
        )

    def unasked(self) -> View:
        """Return the view without a puzzle, and with the way to one."""
        words, way = self.words, way_back(self.words)
        empty = replace(nothing(words, self.member_settings), puzzle=PuzzleShown(solution=None, off=()))
        status = self.plain(words("puzzle.page.unasked", button=way.label))
        return replace(empty, title=words("puzzle.page.title"), status=status, offers=(way,))

    def _none_left(self, seen: NoPuzzleView, empty: View) -> View:
        due = [] if seen.due_at is None else [self.words("puzzle.next_due", day=day_mark(seen.due_at))]
        choose = self._offer("puzzle_choose", self.words("puzzle.button.choose"), "")
        status = self.plain("\n".join([none_text(seen, self.words), *due]))
        return replace(empty, title=self.words("puzzle.page.title"), status=status, offers=(choose,))

    def _facts(self, seen: PuzzleView | AnswerView) -> list[str]:
        facts = puzzle_facts(seen, self.words)
        return [*facts, self.words(f"puzzle.theme.{seen.theme.value}")] if isinstance(seen, AnswerView) else facts

    def _status(self, seen: PuzzleView | AnswerView) -> str:
        words = self.words
        if isinstance(seen, PuzzleView):
            return self.plain("\n".join([words("puzzle.ask"), *met_told(seen.before, words)]))
        attempt = seen.attempt
        points = words.decimal(attempt.cost / 100, decimals=1)
        result = words("puzzle.answer.right") if attempt.solved else words("puzzle.answer.wrong", points=points)
        return self.plain(f"{result}\n{why(seen, words)}")

    def _seat(self, panel: PuzzlePanel, number: int, seat: SeatView) -> SeatShown:
        words, variant = self.words, panel.hand.variant
        name = words("puzzle.page.you") if not number else opponent_name(number, len(panel.hand.seats), words)
        rows = seat_rows(seat, variant)
        hands = hand_labels(rows, variant, words) if number else preview_lines(panel.board, words, game=variant)
        told = words("table.in_fantasyland", count=seat.fantasyland) if seat.fantasyland else ""
        return replace(
            NOBODY,
            name=name,
            you=not number,
            note=self.plain(told),
            placed=seat.placed,
            rows=(codes(rows[0]), codes(rows[1]), codes(rows[2])),
            hands=self.three(hands),
            held=codes(seat.held) if number and any(card is not None for card in seat.held) else (),
            discards=codes(seat.discards),
            fantasyland=seat.fantasyland,
        )

    def _mine(self, panel: PuzzlePanel, answer: AnswerView | None) -> Mine:
        drafted = self.drafted(panel) if answer is None else self._best(panel, answer)
        return Mine(
            turn=drafted.turn,
            cards=codes(panel.cards),
            to_place=panel.placement_draft.to_place,
            whole=False,
            told="",
            discards="",
            draft=drafted,
        )

    def drafted(self, panel: PuzzlePanel) -> Drafted:
        """Draw the reader's board with the panel's draft on it."""
        words, variant = self.words, panel.hand.variant
        told = warning(panel.preview, words, panel.outlook)
        label = words("board.confirm_foul" if panel.fouls else "button.confirm")
        return Drafted(
            turn=turn_of(panel.view),
            letters=panel.placement_draft.letters,
            hands=self.three(preview_lines(panel.preview, words, game=variant)),
            level=draft_level(panel, told),
            warning=self.plain("\n".join([*low_asked(panel.preview, variant, words, lost=panel.fouls), told])),
            asked=self.plain(self._asked(panel)),
            confirm=Confirm(verb="confirm", label=label, ready=panel.placement_draft.complete, danger=panel.fouls),
        )

    def _asked(self, panel: PlacementPanel) -> str:
        words = self.words
        if panel.placement_draft.complete:
            return asked_next(panel, words, self.faces, mine=True)
        return words.side_by_side([*filter(None, [words("page.place"), rest_told(panel, words)])])

    def _best(self, panel: PuzzlePanel, answer: AnswerView) -> Drafted:
        """Draw the best placement. Its cards can't be moved, and nothing is left to confirm."""
        best = replace(panel, draft=parse_draft(answer.placements[0].letters))
        return Drafted(
            turn=turn_of(answer),
            letters=best.placement_draft.letters,
            hands=self.three(preview_lines(best.preview, self.words, game=answer.variant)),
            level="",
            warning="",
            asked="",
            confirm=Confirm(verb="", label="", ready=False, danger=False),
        )

    def _solution(self, view: AnswerView) -> PuzzleSolved:
        words = self.words
        shown = [self._placement(view, at) for at in range(len(view.placements))]
        people = view.people > 1
        heads = ("points", "foul", "fantasyland", "royalties", *(["chosen_by"] if people else []))
        return PuzzleSolved(
            right=view.attempt.solved,
            title=words("puzzle.page.placements"),
            numbers=tuple(words(f"puzzle.page.{head}") for head in heads),
            placements=(*shown, *([] if view.chosen is not None else [self._own(view)])),
            told=tuple(
                self.marked(text)
                for text in (
                    people_told(view, words),
                    rating_told(view, words),
                    *due_told(view, words),
                    words("puzzle.answer.averages"),
                )
            ),
        )

    def _placement(self, view: AnswerView, at: int) -> PuzzlePlacementShown:
        words, placement = self.words, view.placements[at]
        return PuzzlePlacementShown(
            name=words("puzzle.answer.place", number=at + 1) if at else words("puzzle.answer.best"),
            own=words("puzzle.answer.yours") if at == view.chosen else "",
            letters=placement.letters,
            numbers=(*self._numbers(placement), *self._chosen_by(view, placement.letters)),
        )

    def _numbers(self, placement: PuzzlePlacement) -> Cells:
        words, facts = self.words, placement.facts
        return (
            words.signed_decimal(placement.value, decimals=1),
            percent_text(facts.foul, words),
            percent_text(facts.fantasyland, words),
            words.decimal(facts.royalties, decimals=1),
        )

    def _own(self, view: AnswerView) -> PuzzlePlacementShown:
        """Return the reader's placement, if it isn't one of the best. Of its numbers, only the points are known."""
        words, letters = self.words, view.attempt.letters
        value = words.signed_decimal(view.placements[0].value - view.attempt.cost / 100, decimals=1)
        unknown = words("puzzle.page.unknown")
        return PuzzlePlacementShown(
            name=words("puzzle.answer.your_placement"),
            own=words("puzzle.answer.your_placement"),
            letters=letters,
            numbers=(value, unknown, unknown, unknown, *self._chosen_by(view, letters)),
        )

    def _chosen_by(self, view: AnswerView, letters: str) -> Cells:
        if view.people == 1:
            return ()
        return (share_text(view.shares.get(letters, 0), view.people, self.words),)

    def _offers(self, seen: PuzzleView | AnswerView) -> tuple[Offered, ...]:
        words, name, now = self.words, seen.name, seen.of.solver.harder
        first = [self._offer("puzzle_next", words("puzzle.button.next"), name)] if isinstance(seen, AnswerView) else []
        return (
            *first,
            self._offer("puzzle_later", words("puzzle.button.later"), name),
            self._offer("puzzle_harder", words("puzzle.button.harder"), f"{name}.{now + 1}"),
            self._offer("puzzle_easier", words("puzzle.button.easier"), f"{name}.{now - 1}"),
            self._offer("puzzle_choose", words("puzzle.button.choose"), ""),
        )

    @staticmethod
    def _offer(verb: PuzzleWay, label: str, turn: str) -> Offered:
        return Offered(verb=verb, label=label, text="", sure="", turn=turn)


def way_back(words: Words) -> Offered:
    """Return the button that leads from a table back to the puzzles."""
    return Offered(verb="puzzle_next", label=words("ways.button.puzzle"), text="", sure="", turn="")


def _off(solver: Solver) -> Cells:
    """Return the ways to other puzzles that go no further."""
    ends = {"puzzle_harder": HARDEST, "puzzle_easier": -HARDEST}
    return tuple(verb for verb, end in ends.items() if solver.harder == end)


def _unanswered(seen: PuzzleView | AnswerView) -> PuzzleView:
    """Return the puzzle itself, whose board is drawn."""
    if isinstance(seen, PuzzleView):
        return seen
    return PuzzleView(
        name=seen.name,
        variant=seen.variant,
        position=seen.position,
        difficulty=seen.difficulty,
        before=None,
        of=seen.of,
    )
