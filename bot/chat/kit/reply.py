"""An interaction and its response: private messages, forms, public posts, or a deferral."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import discord
from discord import ui
from discord.utils import DISCORD_EPOCH, MISSING
from typing_extensions import override

from bot.base.meter import InteractionOutcome
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.fragments import QUIET_COLOUR, is_refused_form
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.shown_menus import ShownMenus
from bot.chat.kit.text_only import aloud, words_wished
from bot.chat.kit.widgets import Interaction, Part, Screen, button, button_rows, file_part, screen, walk
from bot.model.choices import MemberSettings
from bot.model.ids import UNTAGGED, GuildId, Player, TableKey
from bot.play.terms import UNSEEN
from bot.text.words import Words, words_of_locale

UNKNOWN_MESSAGE = 10008
NO_PINGS = discord.AllowedMentions.none()
_NO_WISHES = MemberSettings()


class Reply:
    """An interaction and its response. Only the player sees the response, unless it's published."""

    def __init__(self, interaction: Interaction, names: DisplayNames, menus: ShownMenus | None = None) -> None:
        self.interaction = interaction
        self._names = names
        self._menus = menus
        self.words = self._words_here = words_of_locale(str(interaction.locale))
        self.member_settings = _NO_WISHES
        self.player = Player(str(interaction.user.id))
        guild = interaction.guild_id or 0
        self.outside = not guild
        """True in direct messages, and in servers that the bot isn't a member of."""
        if guild and not interaction.is_guild_integration():
            # A message from an app installed by another user doesn't count as this server's.
            self.outside = interaction.is_user_integration() or interaction.client.get_guild(guild) is None
        self.guild = GuildId(0 if self.outside else guild)
        """The server; 0 if ``outside``."""
        self.answered = False
        self.outcome = InteractionOutcome.DONE
        self.terms = UNSEEN
        """The terms shown with the pressed button. A command has none."""
        self.acts = False
        """True once the interaction may have changed something."""
        self.made_at = (interaction.id >> 22) + DISCORD_EPOCH
        """Creation time in ms of Discord's clock, from the interaction's id."""
        self.age_seconds = max(0.0, discord.utils.utcnow().timestamp() - self.made_at / 1000)
        self.begun = time.perf_counter()
        self.acknowledged_seconds: float | None = None
        self._lock = asyncio.Lock()
        self._keeps = False

    @property
    def cause(self) -> str:
        """Key that ensures that the interaction's changes happen only once."""
        self.acts = True
        return str(self.interaction.id)

    def read_as(self, member_settings: MemberSettings) -> None:
        """Apply the player's settings to the response."""
        self.member_settings = member_settings
        self.words = words_wished(member_settings, self._words_here)

    @asynccontextmanager
    async def _first(self) -> AsyncIterator[None]:
        """Hold the lock for the first response. Discord accepts only one, so two of them must not overlap."""
        async with self._lock:
            yield
            if self.acknowledged_seconds is None and self.interaction.response.is_done():
                self.acknowledged_seconds = time.perf_counter() - self.begun

    def key(self, press: Press) -> TableKey:
        """Return the key of the table in a press, always within the current server."""
        return TableKey(guild=self.guild, table=press.table, tag=press.tag or UNTAGGED)

    @property
    def is_in_server(self) -> bool:
        """True in a server with the bot as a member; False in direct messages or for an app installed by the user."""
        return bool(self.guild) and self.interaction.is_guild_integration()

    @property
    def replaces(self) -> int | None:
        """Id of the pressed private message, which the response replaces; None if the response is a new message."""
        message = self.interaction.message
        if self._keeps or message is None or not message.flags.ephemeral:
            return None
        made_for = message.interaction_metadata
        return message.id if made_for is None or made_for.user.id == self.interaction.user.id else None

    @property
    def pressed_texts(self) -> list[str]:
        """The texts of the pressed message."""
        parts = getattr(self.interaction.message, "parts", ())
        return [part["content"] for part in walk(parts) if "content" in part]

    def reply_separately(self) -> None:
        """Leave the pressed message unchanged, so that the response is a new message."""
        self._keeps = True

    async def show(self, view: Screen, *, file: discord.File | None = None) -> int | None:
        """Show a private message, either in place of the pressed one or as a new one. Returns its id.

        ``file`` is an attachment that the message refers to by name. Without a file, earlier attachments are kept.
        """
        self.answered, view = True, self._adapt_screen(view)
        message = await self._show(view, file=file)
        if self._menus is not None and message is not None:
            self._menus.note(message, self.interaction, view)
        return message

    async def _show(self, view: Screen, *, file: discord.File | None) -> int | None:
        attachments = MISSING if file is None else [file]
        async with self._first():
            response = self.interaction.response
            if response.is_done():
                edited = await self.interaction.edit_original_response(
                    view=view, attachments=attachments, allowed_mentions=NO_PINGS
                )
                return edited.id
            if (replaced := self.replaces) is not None:
                try:
                    await response.edit_message(view=view, attachments=attachments, allowed_mentions=NO_PINGS)
                except discord.NotFound as error:
                    # The panel was dismissed at that moment, so the response becomes a new message.
                    if error.code != UNKNOWN_MESSAGE:
                        raise
                else:
                    return replaced
            sent = await response.send_message(
                view=view, ephemeral=True, files=MISSING if file is None else [file], allowed_mentions=NO_PINGS
            )
            return sent.message_id

    async def say(
        self, text: str, *, colour: int = QUIET_COLOUR, file: discord.File | None = None, then: Sequence[Part] = ()
    ) -> int | None:
        """Show a text in a new private message. A pressed panel stays unchanged.

        ``then`` holds the buttons that the text names, because those on a public message may be in another language.
        Returns the same id as :meth:`show_separately`.
        """
        # A message with components shows a file only if one of them refers to it.
        shown: list[Part] = [] if file is None else [file_part(file.filename)]
        return await self.show_separately(screen(text, *shown, *button_rows(then), colour=colour), file=file)

    async def refuse(self, text: str) -> None:
        """Say why nothing was done, in a new private message."""
        self.outcome = InteractionOutcome.REFUSED
        await self.say(text)

    async def show_separately(self, view: Screen, *, file: discord.File | None = None) -> int | None:
        """Show a new private message. A pressed panel stays unchanged.

        Returns its id if it's the interaction's first response, which can be edited as such; otherwise None.
        """
        files, view = [] if file is None else [file], self._adapt_screen(view)
        async with self._first():
            waited_for = not self.answered and self.replaces is None
            self.answered = True
            if not self.interaction.response.is_done():
                sent = await self.interaction.response.send_message(
                    view=view, ephemeral=True, files=files, allowed_mentions=NO_PINGS
                )
                return sent.message_id
            if waited_for:
                edited = await self.interaction.edit_original_response(
                    view=view, attachments=files, allowed_mentions=NO_PINGS
                )
                return edited.id
            await self.interaction.followup.send(view=view, ephemeral=True, files=files, allowed_mentions=NO_PINGS)
            return None

    async def show_refused(self, view: Screen) -> None:
        """Show a refused form. It replaces the refusal from which the form was opened, or appears as a new message.

        This way, no message remains from which older values could be submitted by mistake.
        """
        if is_refused_form(self.pressed_texts, self.words):
            await self.show(view)
        else:
            await self.show_separately(view)

    def _adapt_screen(self, view: Screen) -> Screen:
        """Return the screen adapted to the player's settings."""
        return with_user_names(aloud(view, self.words, self.member_settings), self._names, self.guild, self.words)

    async def publish(self, view: Screen, words: Words) -> None:
        """Post a public message in the channel. A pressed panel stays unchanged."""
        self.answered, view = True, with_user_names(view, self._names, self.guild, words)
        async with self._first():
            if self.interaction.response.is_done():
                await self.interaction.followup.send(view=view, allowed_mentions=NO_PINGS)
            else:
                await self.interaction.response.send_message(view=view, allowed_mentions=NO_PINGS)

    async def ask(self, form: ui.Modal, *, again: Press, kept: str = "") -> None:
        """Show a form. Submitting it is a separate press.

        Discord accepts a form only as the first response. If the response was deferred, a button with ``again`` is
        shown instead, below the values ``kept`` so far.
        """
        async with self._first():
            opens = not self.interaction.response.is_done()
            if opens:
                self.answered = True
                await self.interaction.response.send_modal(form)
        if opens:
            if self._menus is not None:
                await self._menus.draw_again(self.interaction, getattr(self.interaction.message, "parts", ()))
            return
        opening = button(again, self.words("gate.open_form"), style=discord.ButtonStyle.primary)
        texts = [one for one in (self.words("gate.late_form"), kept) if one]
        await self.show_separately(screen(*texts, *button_rows([opening]), colour=QUIET_COLOUR))

    async def launch(self) -> bool:
        """Open the Activity. False if the response was deferred, because Discord accepts it only as the first one.

        Raises Discord's errors, after which another response is still possible.
        """
        async with self._first():
            if self.interaction.response.is_done():
                return False
            await self.interaction.response.launch_activity()
            self.answered = True
            return True

    async def done(self) -> None:
        """Respond without showing anything."""
        self.answered = True
        async with self._first():
            if not self.interaction.response.is_done():
                await self.interaction.response.defer()
            elif self.replaces is None:
                await self.interaction.delete_original_response()

    async def defer(self) -> None:
        """Defer the response, which will be private even if the press was on a public message."""
        async with self._first():
            if self.interaction.response.is_done():
                return
            if self.replaces is None:
                await self.interaction.response.defer(ephemeral=True, thinking=True)
            else:
                await self.interaction.response.defer()


class CollectingReply(Reply):
    """A reply that collects the screens of a command without showing them."""

    def __init__(self, reply: Reply, names: DisplayNames) -> None:
        super().__init__(reply.interaction, names)
        self.read_as(reply.member_settings)
        self.screens: list[Screen] = []

    @override
    async def show(self, view: Screen, *, file: discord.File | None = None) -> int | None:
        """Collect a screen."""
        self.answered = True
        self.screens.append(aloud(view, self.words, self.member_settings))
        return None

    @override
    async def show_separately(self, view: Screen, *, file: discord.File | None = None) -> int | None:
        """Collect a screen."""
        return await self.show(view)


PressHandler = Callable[[Reply, Press, Sequence[str]], Awaitable[None]]


def in_a_new_message(handler: PressHandler) -> PressHandler:
    """Wrap ``handler`` so that it responds in a new message even if a private message was pressed."""

    async def answered(reply: Reply, press: Press, values: Sequence[str]) -> None:
        reply.reply_separately()
        await handler(reply, press, values)

    return answered
