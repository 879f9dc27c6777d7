"""Puzzles: ``/puzzle`` and the buttons of its private message."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.base.meter import InteractionOutcome
from bot.chat.client import Client
from bot.chat.kit.command_words import description_for
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.typed_press import DoOption, find_press, typed_presses
from bot.chat.kit.widgets import Interaction
from bot.chat.table.screens.placement_draft import redrawn
from bot.chat.table.screens.typed_placement import (
    TypedCardsError,
    read,
    slip_text,
    suggested,
    typed_in,
)
from bot.chat.trainer.screens.choices import ALL, choices_screen
from bot.chat.trainer.screens.day import counted_screen, day_screen, result_screen
from bot.chat.trainer.screens.puzzle import (
    VERB,
    PuzzlePanel,
    day_of,
    puzzle_in,
    puzzle_screen,
    puzzle_title,
)
from bot.model.puzzles import DayPuzzle, Solver
from bot.model.reasons import TrainerReason
from bot.model.refusals import Stale
from bot.play.trainer.views import AnswerView, DayAnswerView, DayResultView, NoPuzzleView, PuzzleView
from bot.pure.ofc.refusals import Refused
from bot.pure.trainer.themes import Theme
from cogs.trainer.mistakes import MistakePresses

_View = PuzzleView | AnswerView | DayAnswerView | DayResultView | NoPuzzleView
Handler = Callable[[Reply, Press, Sequence[str]], Awaitable[None]]
DRAWING = ("card", "row", "undo")
"""The controls that change only the draft."""


class Puzzles(commands.Cog):
    """The command and the buttons of puzzles, in servers and outside them."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        self.trainer = bot.services.trainer
        self.open = bot.services.open_puzzles
        self.mistakes = MistakePresses(bot.services)
        handlers: dict[str, Handler] = {
            **dict.fromkeys(DRAWING, self.draw),
            "confirm": self.confirm,
            "next": self.next,
            "later": self.later,
            "aim": self.aim,
            "choices": self.choices,
            "theme": self.theme,
            "games": self.games,
        }
        bot.services.gate.route(VERB + "day", self._present(self.day))
        bot.services.gate.route("puzzle", in_a_new_message(self.next), anywhere=True)
        for verb, handler in handlers.items():
            bot.services.gate.route(VERB + verb, self._present(handler), anywhere=True)

    @app_commands.command(name="puzzle", description=description_for("puzzle"))
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(
        cards=description_for("option_cards"),
        do=description_for("option_do"),
        mistakes=description_for("option_mistakes"),
    )
    async def command(
        self,
        interaction: Interaction,
        cards: app_commands.Range[str, 0, 200] = "",
        do: DoOption = "",
        mistakes: bool = False,
    ) -> None:
        """Show a puzzle or the player's mistakes, or answer by typing where the cards go."""

        async def show(reply: Reply) -> None:
            if mistakes:
                await (self.mistakes.typed(reply, cards) if cards else self.mistakes.overview(reply))
            elif cards:
                await self._typed(reply, cards, do)
            else:
                await self._show(reply, await self.trainer.give(reply.player))

        look = self.mistakes.look if mistakes else self._look
        await self.services.gate.run_or_press(interaction, show, "" if cards else do, look=look, anywhere=True)

    @command.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the puzzle's buttons, and the choices of themes and games."""
        look = self.mistakes.look if getattr(interaction.namespace, "mistakes", False) else self._look
        return await self.services.gate.buttons(interaction, look, current)

    @command.autocomplete("cards")
    async def suggest(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest placements that start with the typed text, naming their cards."""

        async def found(reply: Reply) -> list[app_commands.Choice[str]]:
            if getattr(interaction.namespace, "mistakes", False):
                return await self.mistakes.suggest(reply, current)
            view = await self.trainer.given(reply.player)
            if view is None:
                return []
            fitting = suggested(PuzzlePanel(view=view), current, reply.words, reply.member_settings)
            return [app_commands.Choice(name=name, value=typed) for name, typed in fitting]

        return await self.services.gate.suggest(interaction, found)

    async def _look(self, reply: Reply) -> None:
        """Show the puzzle of the day's button, the puzzle given, and the choice of puzzles. All of it can be typed."""
        if (today := await self._today(reply)) is not None:
            await reply.show(day_screen(today.number, today.puzzle, reply.words))
        if (view := await self.trainer.given(reply.player)) is not None:
            await self._show(reply, view)
        await reply.show(choices_screen(await self.trainer.choices(reply.player), reply.words))

    async def _today(self, reply: Reply) -> DayPuzzle | None:
        return await self.trainer.day_today(reply.guild) if reply.guild else None

    async def _typed(self, reply: Reply, cards: str, do: str) -> None:
        """Answer the puzzle that the player was given, or the puzzle of the day if ``do`` names its button."""
        today = await self._today(reply) if do else None
        view: _View
        if today is not None and find_press(
            do, typed_presses([day_screen(today.number, today.puzzle, reply.words)], reply.words)
        ):
            view = await self.trainer.look_at_day(reply.guild, reply.player, today.number)
        else:
            self.open.forget(reply.player)
            seen = await self.trainer.given(reply.player)
            view = seen or await self.trainer.give(reply.player)
            if isinstance(view, PuzzleView) and seen is None:
                reply.outcome = InteractionOutcome.REFUSED
                await self._show(reply, view, told=reply.words("puzzle.look_first"))
                return
        if not isinstance(view, PuzzleView):
            await self._show(reply, view)
            return
        panel = PuzzlePanel(view=view)
        try:
            letters = typed_in(read(cards).text, panel)
        except TypedCardsError as slip:
            reply.outcome = InteractionOutcome.REFUSED
            await reply.say(slip_text(slip, panel, reply.words, where=puzzle_title(view, reply.words)))
            return
        await self._answer(reply, view, letters)

    def _present(self, handler: Handler) -> Handler:
        """Wrap a handler so that a late or repeated press shows the puzzle's current state."""

        async def handled(reply: Reply, press: Press, values: Sequence[str]) -> None:
            if not press.table:
                self.open.forget(reply.player)
            try:
                await handler(reply, press, values)
            except Stale:
                reply.outcome = InteractionOutcome.STALE
                view = await self._look_at(reply, press)
                told = reply.words("puzzle.answered_before") if isinstance(view, AnswerView) else ""
                await self._show(reply, view, told=told)

        return handled

    async def _look_at(self, reply: Reply, press: Press) -> _View:
        """Return the puzzle in a press, or the server's puzzle of the day with that number."""
        if press.table:
            return await self.trainer.look_at_day(reply.guild, reply.player, press.table)
        return await self.trainer.look(reply.player, puzzle_in(press))

    async def _show(self, reply: Reply, view: _View, *, told: str = "") -> None:
        words, faces = reply.words, self.services.faces_for(reply)
        match view:
            case PuzzleView():
                await self._show_panel(reply, PuzzlePanel(view=view), told=told)
            case AnswerView() | NoPuzzleView():
                await self.open.show(reply, view, faces, told=told)
            case DayAnswerView():
                await reply.show(counted_screen(view, words, faces))
            case DayResultView():
                await reply.show(result_screen(view, words, faces))

    async def _show_panel(self, reply: Reply, panel: PuzzlePanel, *, told: str = "") -> None:
        """Show a puzzle. The page shows no puzzles of the day, so their messages follow nothing."""
        faces = self.services.faces_for(reply)
        if day_of(panel.view):
            await reply.show(puzzle_screen(panel, reply.words, faces))
        else:
            await self.open.show(reply, panel, faces, told=told)

    async def _panel(self, reply: Reply, press: Press) -> PuzzlePanel:
        """Return the pressed panel. Raises Refused if the puzzle was withdrawn, and Stale if it can't be answered."""
        view = await self._look_at(reply, press)
        if not isinstance(view, PuzzleView) or view.name != puzzle_in(press):
            raise Stale
        return PuzzlePanel(view=view, draft=press.draft, chosen=press.chosen)

    async def draw(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Change the draft. If the player's settings say so, placing the last card also confirms."""
        panel = redrawn(await self._panel(reply, press), press.verb.removeprefix(VERB), press.argument, values)
        if press.verb == VERB + "row" and reply.member_settings.confirm_at_once and panel.can_confirm:
            await self._answer(reply, panel.view, panel.placement_draft.letters)
        else:
            await self._show_panel(reply, panel)

    async def confirm(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Answer with the draft."""
        panel = await self._panel(reply, press)
        if not panel.placement_draft.complete:
            raise Stale
        await self._answer(reply, panel.view, panel.placement_draft.letters)

    async def _answer(self, reply: Reply, view: PuzzleView, letters: str) -> None:
        player, trainer = reply.player, self.trainer
        if day := day_of(view):
            counted = await trainer.answer_day(reply.guild, player, day, view.name, letters, cause=reply.cause)
            await self._show(reply, counted)
        else:
            await self._show(reply, await trainer.answer(player, view.name, letters, cause=reply.cause))

    async def day(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the puzzle of the day, or its result once it's over."""
        await self._show(reply, await self._look_at(reply, press))

    async def next(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the next puzzle."""
        await self._show(reply, await self.trainer.give(reply.player))

    async def later(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Let the puzzle come back tomorrow, and show another one."""
        await self._show(reply, await self.trainer.put_aside(reply.player, puzzle_in(press)))

    async def aim(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show a harder or easier puzzle, by the difficulty that the button carries."""
        try:
            harder = int(press.argument)
        except ValueError:
            raise Refused(TrainerReason.NO_PUZZLE) from None
        await self._show(reply, await self.trainer.aim(reply.player, harder=harder, instead_of=puzzle_in(press)))

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


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Puzzles(bot))
