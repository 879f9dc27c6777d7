"""The daily and weekly hands: ``/daily`` and the buttons of its private message."""

from __future__ import annotations

import io
import json
from collections.abc import Awaitable, Callable, Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.base.meter import InteractionOutcome
from bot.chat.client import Client
from bot.chat.club.screens.daily_screen import (
    VERB,
    DailyPanel,
    compared_screen,
    copied_text,
    fingerprint_text,
    placing_screen,
    shared_screen,
    solved_screen,
    try_screen,
)
from bot.chat.kit.command_words import description_for
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import player_name
from bot.chat.kit.gate import PressKind
from bot.chat.kit.permissions_here import public_language, sees
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.typed_press import DoOption
from bot.chat.kit.widgets import Interaction, Screen
from bot.chat.table.screens.placement_draft import ANY_ARRANGEMENT, DRAWING, filled_in, redrawn
from bot.model.daily import ChallengeId
from bot.model.refusals import Stale
from bot.play.daily.views import AttemptView
from bot.pure.ofc.refusals import Refused
from bot.text.words import words_for

Handler = Callable[[Reply, Press], Awaitable[None]]


class Daily(commands.Cog):
    """Commands and buttons for the daily and weekly hands, in servers and outside them."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        self.daily = bot.services.daily
        gate = bot.services.gate
        gate.route("daily", in_a_new_message(self.open), anywhere=True)
        for verb in DRAWING:
            gate.route(VERB + verb, self.draw, anywhere=True)
        handlers: dict[str, Handler] = {
            "begin": self.begin,
            "show": self.show,
            "arrange": self.arrange,
            "confirm": self.confirm,
            "declare": self.declare,
            "print": self.fingerprint,
            "review": self.review,
            "solved": self.solved,
            "record": self.record,
        }
        for verb, handler in handlers.items():
            gate.route(VERB + verb, self._present(handler), anywhere=True)
        gate.route(VERB + "share", self._present(self.share), kind=PressKind.PUBLIC, anywhere=True)

    @app_commands.command(name="daily", description=description_for("daily"))
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(do=description_for("option_do"))
    async def command(self, interaction: Interaction, do: DoOption = "") -> None:
        """Show today's hand."""
        await self.services.gate.run_or_press(interaction, self._today, do, anywhere=True)

    @command.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the buttons of today's hand."""
        return await self.services.gate.buttons(interaction, self._today, current)

    async def _today(self, reply: Reply) -> None:
        await reply.show(await self._screen(await self.daily.today(reply.player), reply))

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show today's hand, from a button in any message."""
        await reply.show(await self._screen(await self.daily.today(reply.player), reply))

    def _present(self, handler: Handler) -> Callable[[Reply, Press, Sequence[str]], Awaitable[None]]:
        """Wrap a handler so that a late or repeated press shows the current state."""

        async def handled(reply: Reply, press: Press, values: Sequence[str]) -> None:
            try:
                await handler(reply, press)
            except Stale:
                reply.outcome = InteractionOutcome.STALE
                await self._show(reply, press)

        return handled

    async def _show(self, reply: Reply, press: Press) -> None:
        """Show the hand that ``press`` is about, or today's hand if the press is stale."""
        try:
            view = await self.daily.look(_hand(press), reply.player)
        except Stale:
            view = await self.daily.today(reply.player)
        await reply.show(await self._screen(view, reply))

    async def _screen(self, view: AttemptView, reply: Reply) -> Screen:
        if view.hand is not None:
            panel = DailyPanel(view=view)
            await self.services.hand_panels.note_shown(
                reply, panel if not view.hand.over else None, instead=panel.shown_as
            )
        return try_screen(view, reply.words, self.services.faces_for(reply))

    async def _panel(self, reply: Reply, press: Press) -> DailyPanel:
        """Return the panel that was pressed, in its current state. Raises Refused, or Stale for an earlier street."""
        view = await self.daily.look(_hand(press), reply.player)
        if view.closed is not None:
            raise Refused(view.closed)
        if view.hand is None or view.standing is not None or press.street != view.hand.street:
            raise Stale
        return DailyPanel(view=view, draft=press.draft, chosen=press.chosen)

    async def begin(self, reply: Reply, press: Press) -> None:
        """Start the player's only try."""
        await self.daily.begin(_hand(press), reply.player, cause=reply.cause)
        await self._show(reply, press)

    async def show(self, reply: Reply, press: Press) -> None:
        """Show another of today's hands."""
        await self._show(reply, press)

    async def draw(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Change the draft. If the player's settings say so, placing the last card also confirms the street."""
        try:
            panel = redrawn(await self._panel(reply, press), press.verb.removeprefix(VERB), press.argument, values)
            if press.verb == VERB + "row" and reply.member_settings.confirm_at_once and panel.can_confirm:
                await self._place(reply, press, panel.placement_draft.letters, declare=False)
            else:
                await self._draw(reply, panel)
        except Stale:
            reply.outcome = InteractionOutcome.STALE
            await self._show(reply, press)

    async def _draw(self, reply: Reply, panel: DailyPanel) -> None:
        await self.services.hand_panels.note_shown(reply, panel)
        await reply.show(placing_screen(panel, reply.words, self.services.faces_for(reply)))

    async def arrange(self, reply: Reply, press: Press) -> None:
        """Arrange the cards in the draft as well as possible. Only Confirm plays it."""
        panel = await self._panel(reply, press)
        if not panel.by_select:
            raise Stale
        letters = await self.services.play.arranged(reply.guild, panel.hand)
        await self._draw(reply, filled_in(panel, letters, press.argument))

    async def confirm(self, reply: Reply, press: Press) -> None:
        """Play the draft."""
        panel = await self._panel(reply, press)
        await self._place(reply, press, panel.placement_draft.letters, declare=False)

    async def declare(self, reply: Reply, press: Press) -> None:
        """Declare a natural, which doesn't need an arrangement."""
        panel = await self._panel(reply, press)
        letters = panel.placement_draft.letters if panel.placement_draft.complete else ANY_ARRANGEMENT
        await self._place(reply, press, letters, declare=True)

    async def _place(self, reply: Reply, press: Press, rows: str, *, declare: bool) -> None:
        number, street = _hand(press), press.street
        await self.daily.place(number, reply.player, street=street, rows=rows, cause=reply.cause, declare=declare)
        await self._show(reply, press)

    async def share(self, reply: Reply, press: Press) -> None:
        """Post the result in the channel, or return it as text to copy if the bot isn't in the server."""
        view = await self.daily.look(_hand(press), reply.player)
        if view.standing is None:
            raise Stale
        if not reply.is_in_server:
            await reply.say(copied_text(view, reply.words))
            return
        await self.daily.share(view.of.number, reply.player, channel=reply.interaction.channel_id or 0)
        server = await self.services.play.server(reply.guild)
        words = words_for(public_language(reply.interaction, server).code)
        await reply.publish(shared_screen(view, player_name(reply.player, words), words), words)

    async def fingerprint(self, reply: Reply, press: Press) -> None:
        """Show the hashes of today's and tomorrow's decks in a separate message that players can keep."""
        await reply.say(fingerprint_text(await self.daily.look(_hand(press), reply.player), reply.words))

    async def review(self, reply: Reply, press: Press) -> None:
        """Compare the player's placements with a master's, after they have finished."""
        view = await self.daily.look(_hand(press), reply.player)
        if view.standing is None:
            raise Stale
        await reply.show(compared_screen(view, reply.words, self.services.faces_for(reply)))

    async def solved(self, reply: Reply, press: Press) -> None:
        """Show a hand with its cards once its day is over."""
        solved = await self.daily.solved(_hand(press), reply.player)
        here = None
        if not reply.outside:
            channels = await self.services.bulletins.channels_played_in(reply.guild)
            seen = {channel for channel in channels if await sees(reply.interaction, channel)}
            here = await self.services.bulletins.ranked_here(reply.guild, solved.of.number, open_channels=seen)
        faces = self.services.faces_for(reply)
        await reply.show(solved_screen(solved, reply.words, faces, here=here, guild=reply.guild))

    async def record(self, reply: Reply, press: Press) -> None:
        """Send the file that lets anyone verify the deck."""
        record = json.dumps(await self.daily.proof(_hand(press)), ensure_ascii=False, indent=2).encode()
        file = discord.File(io.BytesIO(record), filename=f"chaipo-daily-{press.hand}.json")
        await reply.say(reply.words("daily.record"), file=file)


def _hand(press: Press) -> ChallengeId:
    return ChallengeId(press.hand)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Daily(bot))
