"""Puzzles and puzzles of the day: the buttons and menus of their private messages, and typed answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from typing_extensions import override

from bot.base.meter import InteractionOutcome
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import date_mark
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.typed_press import find_press, typed_presses
from bot.chat.services import Services
from bot.chat.trainer.screens.choices import ALL, choices_screen
from bot.chat.trainer.screens.day import counted_screen, day_screen, result_screen
from bot.chat.trainer.screens.puzzle import VERB, PuzzlePanel, aimed_told, day_of, puzzle_in, puzzle_screen
from bot.model.puzzles import NO_PUZZLE, DayPuzzle, PuzzleName, Solver
from bot.model.reasons import TrainerReason
from bot.play.trainer.views import AnswerView, DayAnswerView, DayResultView, NoPuzzleView, PuzzleView
from bot.pure.ofc.refusals import Refused
from bot.pure.trainer.themes import Theme
from bot.text.words import Words
from cogs.trainer.position_presses import Handler, PositionPresses

PuzzleContent: TypeAlias = PuzzleView | AnswerView | DayAnswerView | DayResultView | NoPuzzleView


class PuzzlePresses(PositionPresses[PuzzlePanel, PuzzleContent]):
    """The controls of puzzles, in servers and outside them."""

    prefix = VERB
    panel_of = PuzzlePanel
    look_first = "puzzle.look_first"
    put_off = "puzzle.put_off"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.trainer = services.trainer
        self.open = services.open_puzzles
        self.route(
            {
                "aim": self.aim,
                "choices": self.choices,
                "theme": self.theme,
                "games": self.games,
            }
        )
        services.gate.route(VERB + "day", self.present(self.day), anywhere=True)
        services.gate.route("puzzle", in_a_new_message(self.next), anywhere=True)

    @override
    async def given(self, reply: Reply) -> PuzzleView | None:
        return await self.trainer.given(reply.player)

    @override
    async def give(self, reply: Reply) -> PuzzleView | NoPuzzleView:
        return await self.trainer.give(reply.player)

    @override
    async def put_aside(self, reply: Reply, name: PuzzleName) -> PuzzleView | NoPuzzleView:
        return await self.trainer.put_aside(reply.player, name)

    @override
    async def look_at(self, reply: Reply, press: Press) -> PuzzleContent:
        """Return the puzzle in a press, or the server's puzzle of the day with that number."""
        if press.table:
            return await self.trainer.look_at_day(reply.guild, reply.player, press.table)
        return await self.trainer.look(reply.player, puzzle_in(press))

    @override
    async def answered(self, reply: Reply, panel: PuzzlePanel, letters: str) -> PuzzleContent:
        player, name = reply.player, panel.view.name
        if day := day_of(panel.view):
            return await self.trainer.answer_day(reply.guild, player, day, name, letters, cause=reply.cause)
        return await self.trainer.answer(player, name, letters, cause=reply.cause)

    @override
    async def show(self, reply: Reply, content: PuzzleContent | PuzzlePanel, *, told: str = "") -> None:
        """Show a puzzle or its solution. The page shows no puzzles of the day, so their messages follow nothing."""
        words, faces = reply.words, self.services.faces_for(reply)
        if isinstance(content, PuzzleView):
            content = PuzzlePanel(view=content)
        match content:
            case PuzzlePanel() if day_of(content.view):
                await reply.show(puzzle_screen(content, words, faces))
            case PuzzlePanel() | AnswerView() | NoPuzzleView():
                await self.open.show(reply, content, faces, told=told)
            case DayAnswerView():
                await reply.show(counted_screen(content, words, faces))
            case DayResultView():
                await reply.show(result_screen(content, words, faces))

    @override
    def present(self, handler: Handler) -> Handler:
        """Wrap a handler so that a pressed message follows nothing until it's answered."""
        shown = super().present(handler)

        async def handled(reply: Reply, press: Press, values: Sequence[str]) -> None:
            if not press.table:
                self.open.forget(reply.player)
            await shown(reply, press, values)

        return handled

    # the command

    async def overview(self, reply: Reply) -> None:
        """Show the player's puzzle."""
        await self.show(reply, await self.give(reply))

    @override
    async def look(self, reply: Reply) -> None:
        """Show the puzzle of the day's button, the puzzle given, and the choice of puzzles. All of it can be typed."""
        if (today := await self._today(reply)) is not None:
            await reply.show(day_screen(today.number, today.puzzle, reply.words))
        if (view := await self.given(reply)) is not None:
            await self.show(reply, view)
        await reply.show(choices_screen(await self.trainer.choices(reply.player), reply.words))

    @override
    async def pressable(self, reply: Reply) -> None:
        """Show the same, and the button for the puzzle of the day even if there is none, so that typing it says so."""
        await self.look(reply)
        await reply.show(day_screen(0, NO_PUZZLE, reply.words))

    @override
    async def meant(self, reply: Reply, do: str) -> PuzzleView | None:
        if not _names_day(do, reply.words):
            return await self.given(reply)
        today = await self._today(reply)
        view = None if today is None else await self.trainer.look_at_day(reply.guild, reply.player, today.number)
        return view if isinstance(view, PuzzleView) else None

    async def typed_for(self, reply: Reply, cards: str, do: str) -> None:
        """Answer the puzzle that the player was given, or the puzzle of the day if ``do`` names its button."""
        if not _names_day(do, reply.words):
            self.open.forget(reply.player)
            await self.typed(reply, cards)
            return
        today = await self._today(reply)
        if today is None:
            await self._say_no_day(reply)
            return
        view = await self.trainer.look_at_day(reply.guild, reply.player, today.number)
        if isinstance(view, PuzzleView):
            await self.answer_typed(reply, view, cards)
        else:
            await self.show(reply, view)

    async def _today(self, reply: Reply) -> DayPuzzle | None:
        return await self.trainer.day_today(reply.guild) if reply.guild else None

    async def _say_no_day(self, reply: Reply) -> None:
        """Say that there's no puzzle of the day now, and when the next one comes."""
        reply.outcome = InteractionOutcome.REFUSED
        if not reply.guild:
            await reply.say(reply.words("puzzle.day.in_servers"))
        elif next_at := await self.trainer.next_day_at(reply.guild):
            await reply.say(reply.words("puzzle.day.none_yet", at=date_mark(next_at)))
        else:
            await reply.say(reply.words("puzzle.day.none_here"))

    # the buttons

    async def day(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the puzzle of the day, or its result once it's over."""
        if press.table:
            await self.show(reply, await self.look_at(reply, press))
        else:
            await self._say_no_day(reply)

    async def aim(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show a harder or easier puzzle, by the difficulty that the button carries."""
        try:
            harder = int(press.argument)
        except ValueError:
            raise Refused(TrainerReason.NO_PUZZLE) from None
        view = await self.trainer.aim(reply.player, harder=harder, instead_of=puzzle_in(press))
        await self.show(reply, view, told=aimed_told(view, reply.words))

    async def choices(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the choice of themes and games."""
        await reply.show(choices_screen(await self.trainer.choices(reply.player), reply.words))

    async def theme(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Choose a theme, or all of them."""
        wanted = {theme.value: theme for theme in Theme}.get(next(iter(values), ALL))
        view = await self.trainer.choose(reply.player, lambda solver: replace(solver, theme=wanted))
        await reply.show(choices_screen(view, reply.words))

    async def games(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Choose games. *All games* counts if it's new in the menu, and if nothing else is chosen."""

        def change(solver: Solver) -> Solver:
            return replace(solver, games=picked if not solver.games or ALL not in values else ())

        offered = (await self.trainer.choices(reply.player)).of.games
        picked = tuple(game.key for game in offered if game.key in values)
        view = await self.trainer.choose(reply.player, change)
        await reply.show(choices_screen(view, reply.words))


def _names_day(do: str, words: Words) -> bool:
    """True if ``do`` names the button for the puzzle of the day."""
    return bool(do) and find_press(do, typed_presses([day_screen(0, NO_PUZZLE, words)], words)) is not None
