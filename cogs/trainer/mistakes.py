"""My mistakes: the buttons of its private messages. ``/puzzle`` opens it too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import TypeAlias

import discord
from typing_extensions import override

from bot.chat.art.mistake_month import draw_month
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import NOWHERE
from bot.chat.kit.gate import PressKind
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.services import Services
from bot.chat.trainer.screens.mistakes import (
    MISTAKE,
    MistakePanel,
    correction_screen,
    mistake_in,
    mistake_screen,
    overview_screen,
)
from bot.chat.trainer.screens.month import PICTURE, drawn_on, in_words, month_screen, month_summary
from bot.model.puzzles import PuzzleName
from bot.play.trainer.mistake_views import CorrectionView, MistakeView, NoMistakeView
from bot.pure.trainer.themes import Theme
from cogs.trainer.position_presses import PositionPresses

MistakeContent: TypeAlias = MistakeView | CorrectionView | NoMistakeView


class MistakePresses(PositionPresses[MistakePanel, MistakeContent]):
    """The buttons of *My mistakes*, in servers and outside them."""

    prefix = MISTAKE
    panel_of = MistakePanel
    look_first = "mistakes.look_first"
    put_off = "mistakes.put_off"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.mistakes = services.mistakes
        self.route({"theme": self.theme})
        services.gate.route("mistakes", in_a_new_message(self.open), anywhere=True)
        services.gate.route("mi_open", self.open, anywhere=True)
        services.gate.route("mi_look", in_a_new_message(self.correct), anywhere=True)
        services.gate.route("mi_quiet", in_a_new_message(self.hide), anywhere=True)
        services.gate.route("mi_month", self.month, kind=PressKind.DRAWN, anywhere=True)

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the overview."""
        await self.overview(reply)

    async def overview(self, reply: Reply) -> None:
        """Show the overview. From the first time on, the reader's hands are reviewed."""
        await reply.show(overview_screen(await self.mistakes.open(reply.player), reply.words))

    @override
    async def look(self, reply: Reply) -> None:
        """Show the mistake, if one was given, and the overview. Their buttons can be typed."""
        if (view := await self.mistakes.given(reply.player)) is not None:
            await self.show(reply, view)
        await reply.show(overview_screen(await self.mistakes.counts(reply.player), reply.words))

    @override
    async def given(self, reply: Reply) -> MistakeView | None:
        return await self.mistakes.given(reply.player)

    @override
    async def give(self, reply: Reply) -> MistakeView | NoMistakeView:
        return await self.mistakes.give(reply.player)

    @override
    async def put_aside(self, reply: Reply, name: PuzzleName) -> MistakeView | NoMistakeView:
        return await self.mistakes.put_aside(reply.player, name)

    @override
    async def look_at(self, reply: Reply, press: Press) -> MistakeContent:
        return await self.mistakes.look(reply.player, mistake_in(press))

    @override
    async def answered(self, reply: Reply, panel: MistakePanel, letters: str) -> MistakeContent:
        return await self.mistakes.answer(reply.player, panel.view.name, letters, cause=reply.cause)

    @override
    async def show(self, reply: Reply, content: MistakeContent | MistakePanel, *, told: str = "") -> None:
        words, faces = reply.words, self.services.faces_for(reply)
        match content:
            case MistakeView():
                drawn = mistake_screen(MistakePanel(view=content), words, faces)
            case MistakePanel():
                drawn = mistake_screen(content, words, faces)
            case CorrectionView():
                drawn = correction_screen(content, words, faces, guild=reply.guild)
            case NoMistakeView():
                drawn = overview_screen(content.counts, words)
        await reply.show(drawn.and_above(told) if told else drawn)

    # the buttons

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
        await self.show(reply, await self.mistakes.correction(reply.player, mistake_in(press)))

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
