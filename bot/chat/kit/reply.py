"""One interaction and its answer: what is shown to the presser alone, said, asked, posted for all, or promised."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import discord
from discord import ui
from discord.utils import DISCORD_EPOCH, MISSING
from typing_extensions import override

from bot.base.meter import Outcome
from bot.chat.kit.aloud import aloud, words_wished
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.fragments import QUIET_COLOUR, is_refused_form
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.shown_menus import ShownMenus
from bot.chat.kit.widgets import Interaction, Part, Screen, attached, button, rows_of, screen, walk
from bot.model.choices import Wishes
from bot.model.ids import UNTAGGED, GuildId, Player, TableKey
from bot.play.terms import UNSEEN
from bot.text.words import Words, words_of_locale

UNKNOWN_MESSAGE = 10008
NO_PINGS = discord.AllowedMentions.none()
_NO_WISHES = Wishes()


class Reply:
    """One interaction and its answer. What it shows is seen by the presser alone, unless it is published."""

    def __init__(self, interaction: Interaction, names: DisplayNames, menus: ShownMenus | None = None) -> None:
        self.interaction = interaction
        self._names = names
        self._menus = menus
        self.words = self._words_here = words_of_locale(str(interaction.locale))
        self.wishes = _NO_WISHES
        self.player = Player(str(interaction.user.id))
        guild = interaction.guild_id or 0
        self.outside = not guild
        """True where no server is concerned: in direct messages, and in servers that the bot is no member of."""
        if guild and not interaction.is_guild_integration():
            # Whoever presses on a message that somebody else's app has made is no owner of it.
            self.outside = interaction.is_user_integration() or interaction.client.get_guild(guild) is None
        self.guild = GuildId(0 if self.outside else guild)
        """The server that is concerned; 0 outside of all."""
        self.answered = False
        self.outcome = Outcome.DONE
        self.terms = UNSEEN
        """The terms that the press was shown with; a command shows none."""
        self.acts = False
        """True once it may change something."""
        self.made_at = (interaction.id >> 22) + DISCORD_EPOCH
        """When it was pressed or sent, in milliseconds of Discord's clock: its id tells."""
        self.age_seconds = max(0.0, discord.utils.utcnow().timestamp() - self.made_at / 1000)
        self.begun = time.perf_counter()
        self.acknowledged_seconds: float | None = None
        self._lock = asyncio.Lock()
        self._keeps = False

    @property
    def cause(self) -> str:
        """The name under which all that it changes is done once."""
        self.acts = True
        return str(self.interaction.id)

    def read_as(self, wishes: Wishes) -> None:
        """Answer as the presser has chosen to read."""
        self.wishes = wishes
        self.words = words_wished(wishes, self._words_here)

    @asynccontextmanager
    async def _first(self) -> AsyncIterator[None]:
        """Discord takes one first answer: the promise and the answer itself must not set out at the same time."""
        async with self._lock:
            yield
            if self.acknowledged_seconds is None and self.interaction.response.is_done():
                self.acknowledged_seconds = time.perf_counter() - self.begun

    def key(self, press: Press) -> TableKey:
        """The table that a press speaks of: always one of the guild in which it was pressed."""
        return TableKey(guild=self.guild, table=press.table, tag=press.tag or UNTAGGED)

    @property
    def in_a_server(self) -> bool:
        """True in a server that the bot is a member of; else in direct messages, or by an app of the person's own."""
        return bool(self.guild) and self.interaction.is_guild_integration()

    @property
    def replaces(self) -> int | None:
        """The presser's own private message that was pressed, which the answer replaces; None where it is a new one."""
        message = self.interaction.message
        if self._keeps or message is None or not message.flags.ephemeral:
            return None
        made_for = message.interaction_metadata
        return message.id if made_for is None or made_for.user.id == self.interaction.user.id else None

    @property
    def pressed_texts(self) -> list[str]:
        """The texts of the message that was pressed, as Discord has them."""
        parts = getattr(self.interaction.message, "parts", ())
        return [part["content"] for part in walk(parts) if "content" in part]

    def keep_pressed(self) -> None:
        """The message that was pressed stays as it is, whatever is shown: the answer is one of its own."""
        self._keeps = True

    async def show(self, view: Screen, *, file: discord.File | None = None) -> int | None:
        """Show a private message: in place of the one that was pressed, or as a new one. Returns its id.

        ``file`` is what the message shows by its name; without one, what was attached before stays.
        """
        self.answered, view = True, self._worded(view)
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
                    # The panel was dismissed at that moment: the answer is a new one.
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
        """Say something in a private message of its own; a panel that was pressed stays as it is.

        ``then`` are the buttons that the text names: those of a public message may be in another language. Returns what
        :meth:`show_apart` does.
        """
        # A message made of components shows a file only where a component names it.
        shown: list[Part] = [] if file is None else [attached(file.filename)]
        return await self.show_apart(screen(text, *shown, *rows_of(then), colour=colour), file=file)

    async def show_apart(self, view: Screen, *, file: discord.File | None = None) -> int | None:
        """Show a private message of its own; a panel that was pressed stays as it is.

        Returns its id where it is the interaction's first answer, which can be edited as that.
        """
        files, view = [] if file is None else [file], self._worded(view)
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
        """Show a form that was refused: in place of the refusal that it was opened from, or in a message of its own.

        So no message stays from which older values could be sent by mistake.
        """
        if is_refused_form(self.pressed_texts, self.words):
            await self.show(view)
        else:
            await self.show_apart(view)

    def _worded(self, view: Screen) -> Screen:
        """The screen as the presser has chosen to read it."""
        return with_user_names(aloud(view, self.words, self.wishes), self._names, self.guild, self.words)

    async def publish(self, view: Screen, words: Words) -> None:
        """Post a message that everybody in the channel sees; a panel that was pressed stays as it is."""
        self.answered, view = True, with_user_names(view, self._names, self.guild, words)
        async with self._first():
            if self.interaction.response.is_done():
                await self.interaction.followup.send(view=view, allowed_mentions=NO_PINGS)
            else:
                await self.interaction.response.send_message(view=view, allowed_mentions=NO_PINGS)

    async def ask(self, form: ui.Modal, *, again: Press, kept: str = "") -> None:
        """Show a form; what is written comes back as a press of its own.

        Discord takes a form only as the first answer: once an answer was promised, a button is shown that asks
        ``again``, below what was typed so far and is ``kept`` for it.
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
        await self.show_apart(screen(*texts, *rows_of([opening]), colour=QUIET_COLOUR))

    async def launch(self) -> bool:
        """Open the application's Activity; False once an answer was promised, since Discord takes it only as the first.

        Raises what Discord refuses: then something else can still be answered.
        """
        async with self._first():
            if self.interaction.response.is_done():
                return False
            await self.interaction.response.launch_activity()
            self.answered = True
            return True

    async def done(self) -> None:
        """Answer without showing anything."""
        self.answered = True
        async with self._first():
            if not self.interaction.response.is_done():
                await self.interaction.response.defer()
            elif self.replaces is None:
                await self.interaction.delete_original_response()

    async def promise(self) -> None:
        """Tell Discord that the answer comes: it will be private, wherever the press was made."""
        async with self._first():
            if self.interaction.response.is_done():
                return
            if self.replaces is None:
                await self.interaction.response.defer(ephemeral=True, thinking=True)
            else:
                await self.interaction.response.defer()


class Glance(Reply):
    """A reply that shows nothing: it collects the screens that a command would show."""

    def __init__(self, reply: Reply, names: DisplayNames) -> None:
        super().__init__(reply.interaction, names)
        self.read_as(reply.wishes)
        self.screens: list[Screen] = []

    @override
    async def show(self, view: Screen, *, file: discord.File | None = None) -> int | None:
        """Collect a screen."""
        self.answered = True
        self.screens.append(aloud(view, self.words, self.wishes))
        return None

    @override
    async def show_apart(self, view: Screen, *, file: discord.File | None = None) -> int | None:
        """Collect a screen."""
        return await self.show(view)


PressHandler = Callable[[Reply, Press, Sequence[str]], Awaitable[None]]


def in_a_new_message(handler: PressHandler) -> PressHandler:
    """The handler, with an answer of its own also where a private message was pressed."""

    async def answered(reply: Reply, press: Press, values: Sequence[str]) -> None:
        reply.keep_pressed()
        await handler(reply, press, values)

    return answered
