"""My mistakes: the buttons of its private messages. ``/puzzle`` opens it too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO

import discord
from discord import app_commands

from bot.base.meter import InteractionOutcome
from bot.chat.art.mistake_month import draw_month
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import NOWHERE
from bot.chat.kit.gate import PressKind
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.services import Services
from bot.chat.table.screens.placement_draft import redrawn
from bot.chat.table.screens.typed_placement import (
    TypedCardsError,
    read,
    slip_text,
    suggested,
    typed_in,
)
from bot.chat.trainer.screens.mistakes import (
    MISTAKE,
    MistakePanel,
    correction_screen,
    mistake_in,
    mistake_screen,
    mistake_title,
    overview_screen,
)
from bot.chat.trainer.screens.month import PICTURE, drawn_on, in_words, month_screen, month_summary
from bot.model.puzzles import PuzzleName
from bot.model.refusals import Stale
from bot.play.trainer.mistake_views import CorrectionView, MistakeView, NoMistakeView
from bot.pure.trainer.themes import Theme

Handler = Callable[[Reply, Press, Sequence[str]], Awaitable[None]]
DRAWING = ("card", "row", "undo")
"""The controls that change only the draft."""


class MistakePresses:
    """The buttons of *My mistakes*, in servers and outside them."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.mistakes = services.mistakes
        handlers: dict[str, Handler] = {
            **dict.fromkeys(DRAWING, self.draw),
            "confirm": self.confirm,
            "next": self.next,
            "later": self.later,
            "theme": self.theme,
        }
        services.gate.route("mistakes", in_a_new_message(self.open), anywhere=True)
        services.gate.route("mi_open", self.open, anywhere=True)
        services.gate.route("mi_look", in_a_new_message(self.correct), anywhere=True)
        services.gate.route("mi_quiet", in_a_new_message(self.hide), anywhere=True)
        services.gate.route("mi_month", self.month, kind=PressKind.DRAWN, anywhere=True)
        for verb, handler in handlers.items():
            services.gate.route(MISTAKE + verb, self._present(handler), anywhere=True)

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the overview."""
        await self.overview(reply)

    async def overview(self, reply: Reply) -> None:
        """Show the overview. From the first time on, the reader's hands are reviewed."""
        await reply.show(overview_screen(await self.mistakes.open(reply.player), reply.words))

    async def look(self, reply: Reply) -> None:
        """Show the mistake, if one was given, and the overview. Their buttons can be typed."""
        if (view := await self.mistakes.given(reply.player)) is not None:
            await self._show(reply, view)
        await reply.show(overview_screen(await self.mistakes.counts(reply.player), reply.words))

    async def typed(self, reply: Reply, cards: str) -> None:
        """Answer the mistake that the player was given. If they weren't given one, show one without answering it."""
        view = await self.mistakes.given(reply.player)
        if view is None:
            chosen = await self.mistakes.give(reply.player)
            told = ""
            if isinstance(chosen, MistakeView):
                reply.outcome = InteractionOutcome.REFUSED
                told = reply.words("mistakes.look_first")
            await self._show(reply, chosen, told=told)
            return
        panel = MistakePanel(view=view)
        try:
            letters = typed_in(read(cards).text, panel)
        except TypedCardsError as slip:
            reply.outcome = InteractionOutcome.REFUSED
            await reply.say(slip_text(slip, panel, reply.words, where=mistake_title(view, reply.words)))
            return
        await self._answer(reply, view.name, letters)

    async def suggest(self, reply: Reply, current: str) -> list[app_commands.Choice[str]]:
        """Suggest placements that start with the typed text, naming their cards."""
        view = await self.mistakes.given(reply.player)
        if view is None:
            return []
        fitting = suggested(MistakePanel(view=view), current, reply.words, reply.member_settings)
        return [app_commands.Choice(name=name, value=typed) for name, typed in fitting]

    def _present(self, handler: Handler) -> Handler:
        """Wrap a handler so that a late or repeated press shows the mistake's current state."""

        async def handled(reply: Reply, press: Press, values: Sequence[str]) -> None:
            try:
                await handler(reply, press, values)
            except Stale:
                reply.outcome = InteractionOutcome.STALE
                await self._show(reply, await self.mistakes.look(reply.player, mistake_in(press)))

        return handled

    async def _show(
        self, reply: Reply, view: MistakeView | CorrectionView | NoMistakeView, *, told: str = ""
    ) -> None:
        words, faces = reply.words, self.services.faces_for(reply)
        if isinstance(view, MistakeView):
            drawn = mistake_screen(MistakePanel(view=view), words, faces)
            await reply.show(drawn.and_above(told) if told else drawn)
        elif isinstance(view, CorrectionView):
            await reply.show(correction_screen(view, words, faces, guild=reply.guild))
        else:
            await reply.show(overview_screen(view.counts, words))

    async def _panel(self, reply: Reply, press: Press) -> MistakePanel:
        """Return the pressed panel. Raises Refused if the mistake is gone, and Stale if it was answered."""
        view = await self.mistakes.look(reply.player, mistake_in(press))
        if isinstance(view, CorrectionView):
            raise Stale
        return MistakePanel(view=view, draft=press.draft, chosen=press.chosen)

    async def draw(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Change the draft. If the player's settings say so, placing the last card also confirms."""
        panel = redrawn(await self._panel(reply, press), press.verb.removeprefix(MISTAKE), press.argument, values)
        if press.verb == MISTAKE + "row" and reply.member_settings.confirm_at_once and panel.can_confirm:
            await self._answer(reply, panel.view.name, panel.placement_draft.letters)
        else:
            await reply.show(mistake_screen(panel, reply.words, self.services.faces_for(reply)))

    async def confirm(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Answer with the draft."""
        panel = await self._panel(reply, press)
        if not panel.placement_draft.complete:
            raise Stale
        await self._answer(reply, panel.view.name, panel.placement_draft.letters)

    async def _answer(self, reply: Reply, name: PuzzleName, letters: str) -> None:
        await self._show(reply, await self.mistakes.answer(reply.player, name, letters, cause=reply.cause))

    async def next(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the next mistake."""
        await self._show(reply, await self.mistakes.give(reply.player))

    async def later(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Let the mistake come back tomorrow, and show another one."""
        await self._show(reply, await self.mistakes.put_aside(reply.player, mistake_in(press)))

    async def month(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the points lost this month, as a picture unless the player uses *Text only*."""
        found = month_summary(await self.mistakes.month(reply.player), reply.words)
        drawn, told = b"", ""
        pictured = reply.interaction.app_permissions.attach_files and not reply.member_settings.text_only
        if found is not None and pictured:
            on_it = drawn_on(found, reply.words)
            drawn = await self.services.pictures.draw(on_it, partial(draw_month, on_it))
            told = in_words(found, reply.words)
        file = discord.File(BytesIO(drawn), filename=PICTURE) if drawn else None
        await reply.show(month_screen(found, reply.words, picture=told), file=file)

    async def theme(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Limit puzzles to a theme, and show one."""
        wanted = {theme.value: theme for theme in Theme}.get(press.argument)
        await self.services.trainer.choose(reply.player, lambda solver: replace(solver, theme=wanted))
        await self.services.gate.handle(reply, NOWHERE.but("pz_next"), ())

    async def correct(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the correction of the mistake in a line after a hand."""
        await self._show(reply, await self.mistakes.correction(reply.player, mistake_in(press)))

    async def hide(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show no more lines after a hand, and remove them from open panels."""
        play, panels = self.services.play, self.services.publisher.panels
        reply.read_as(
            await play.change_member_settings(
                reply.guild, reply.player, lambda before: replace(before, mistake_line=False)
            )
        )
        await panels.read_as(reply.guild, reply.player, self.services.reader(reply))
        await reply.say(reply.words("mistakes.line.hidden"))
