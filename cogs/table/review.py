"""Reviews and retries of finished hands. Only players who were in a hand can see them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands
from typing_extensions import override

from bot.chat.client import Client
from bot.chat.kit.command_words import choice_name
from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, Press, decode
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.widgets import Interaction, walk
from bot.chat.table.screens.placement_draft import DRAWING, filled_in, redrawn
from bot.chat.table.screens.review import (
    PREFIX,
    RetryPanel,
    meanings_screen,
    parse_retry,
    progress_screen,
    retried_screen,
    retry_panel,
    retry_screen,
    review_screen,
)
from bot.model.ids import TableKey
from bot.model.reasons import HandReason
from bot.model.refusals import Stale
from bot.play.queries.reviews import Retry, Review
from bot.pure.ofc.refusals import Refused

PROGRESS_SECONDS = 1.0
"""Interval at which a review's progress is updated."""


class HandReviews(commands.Cog):
    """Handlers for reviews and retries."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        gate = bot.services.gate
        gate.route("review", in_a_new_message(self.page), anywhere=True)
        gate.route("reviewed", self.page, anywhere=True)
        gate.route("review_how", self.meanings, anywhere=True)
        gate.route("retry", self.retry, anywhere=True)
        gate.route("retry_hand", in_a_new_message(self.retry_hand), anywhere=True)
        for verb, handler in {
            **dict.fromkeys(DRAWING, self.draw),
            "arrange": self.arrange,
            "confirm": self.confirm,
        }.items():
            gate.route(PREFIX + verb, handler, anywhere=True)
        self.menu = app_commands.ContextMenu(name=choice_name("command.review_hand"), callback=self.review_message)
        self.menu.guild_only = True

    @override
    async def cog_load(self) -> None:
        """Add the entry to the messages' context menu."""
        self.bot.tree.add_command(self.menu)

    @override
    async def cog_unload(self) -> None:
        """Remove the entry from the messages' context menu."""
        self.bot.tree.remove_command(self.menu.name, type=self.menu.type)

    async def review_message(self, interaction: Interaction, message: discord.Message) -> None:
        """Review the hand shown in a message."""

        async def body(reply: Reply) -> None:
            press = _find_press(interaction)
            await self._show(reply, reply.key(press), press.hand, page=0)

        await self.services.gate.run(interaction, body)

    async def page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the overview, or the page about a decision."""
        await self._show(reply, reply.key(press), press.hand, page=press.street)

    async def meanings(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Explain the numbers of a review."""
        review = await self._review(reply, reply.key(press), press.hand)
        await reply.show(meanings_screen(review, reply.words, self.services.faces_for(reply)))

    async def _show(self, reply: Reply, key: TableKey, hand: int, *, page: int) -> None:
        review = await self._review(reply, key, hand)
        await reply.show(review_screen(review, page, reply.words, self.services.faces_for(reply)))

    async def _review(self, reply: Reply, key: TableKey, hand: int) -> Review:
        past = await self.services.play.past(key, hand, reply.player)
        now = asyncio.get_running_loop().time
        shown = now()

        async def told(done: int) -> None:
            nonlocal shown
            if now() - shown > PROGRESS_SECONDS:
                await reply.show(progress_screen(past, done, reply.words))
                shown = now()

        return await self.services.play.review(past, told)

    async def retry(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Start a retry from one of the decisions."""
        past = await self.services.play.past(reply.key(press), press.hand, reply.player)
        retry = Retry(past=past, start=press.street - 1)
        retry.check()
        await self._go_on(reply, retry)

    async def retry_hand(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Start a retry from the first cards, with the button below a hand's result."""
        past = await self.services.play.past(reply.key(press), press.hand, reply.player)
        if not past.whole:
            raise Refused(HandReason.NO_WHOLE_BOARD, hand=press.hand)
        await self._go_on(reply, Retry(past=past, start=0))

    async def draw(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Handle a press that only changes the draft of a retry."""
        panel, said = await self._panel(reply, press)
        drawn = redrawn(panel, press.verb.removeprefix(PREFIX), said, values)
        if press.verb == f"{PREFIX}row" and reply.member_settings.confirm_at_once and drawn.can_confirm:
            await self._go_on(reply, drawn.retry.then(drawn.placement_draft.letters))
        else:
            await self._show_panel(reply, drawn)

    async def arrange(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Draft the best board that the cards allow."""
        panel, said = await self._panel(reply, press)
        if not panel.by_select:
            raise Stale
        letters = await self.services.play.arranged(reply.guild, panel.hand)
        await self._show_panel(reply, filled_in(panel, letters, said))

    async def confirm(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Continue with the next decision, or finish the retry."""
        panel, _ = await self._panel(reply, press)
        if not panel.placement_draft.complete:
            raise Stale
        await self._go_on(reply, panel.retry.then(panel.placement_draft.letters))

    async def _panel(self, reply: Reply, press: Press) -> tuple[RetryPanel, str]:
        """Return the pressed panel and its own part of the press's argument; raises Stale if the retry is over."""
        past = await self.services.play.past(reply.key(press), press.hand, reply.player)
        said, retry = parse_retry(past, press.argument)
        if retry.over:
            raise Stale
        return retry_panel(retry, draft=press.draft, chosen=press.chosen), said

    async def _go_on(self, reply: Reply, retry: Retry) -> None:
        if retry.over:
            await self.services.hand_panels.note_shown(reply, None)
            await reply.show(retried_screen(retry, reply.words, self.services.faces_for(reply)))
        else:
            await self._show_panel(reply, retry_panel(retry))

    async def _show_panel(self, reply: Reply, panel: RetryPanel) -> None:
        await self.services.hand_panels.note_shown(reply, panel)
        await reply.show(retry_screen(panel, reply.words, self.services.faces_for(reply)))


def _find_press(interaction: Interaction) -> Press:
    """Return the press of a button on the chosen message that concerns a hand; raises Refused if there is none.

    The message is read from the interaction's data, because the bot's own messages are parsed only in part.
    """
    data: Any = interaction.data
    messages = data.get("resolved", {}).get("messages", {})
    for part in walk(messages.get(str(data.get("target_id")), {}).get("components", ())):
        match = BUTTON_TEMPLATE.fullmatch(str(part.get("custom_id", "")))
        if match and (press := decode(match)).hand:
            return press
    raise Refused(HandReason.NO_HAND_THERE)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(HandReviews(bot))
