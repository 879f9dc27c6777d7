"""The gate: the one place through which every press and command passes.

It picks the reader's language, makes sure Discord gets its answer within three seconds, and turns whatever happens
into an answer: a refusal into its sentence, a press that comes too late into the present state, a failure into an
incident code that is also in the log. discord.py itself only logs what a listener raises.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import discord
from discord import ui
from discord.utils import DISCORD_EPOCH, MISSING

from bot.logs import about
from bot.meter import SILENT, Meter, Outcome
from bot.model import deeds
from bot.model.choices import Wishes
from bot.model.deeds import Deeds
from bot.model.errors import NoThoughtError, StorageDoubtError, StorageTroubleError
from bot.model.ids import UNTAGGED, GuildId, Player, TableKey
from bot.model.refusals import BRAKES, Stale
from bot.ofc.refusals import Refused
from bot.text.durations import refusal
from bot.text.words import Words, words_for, words_of_locale
from bot.ui.aloud import aloud
from bot.ui.brakes import Brakes, PressKind, Rates
from bot.ui.custom_ids import Press
from bot.ui.display_names import DisplayNames
from bot.ui.fragments import FOUL_COLOUR, QUIET_COLOUR
from bot.ui.promises import LATE_SECONDS, UNDELIVERED, PressAges, Promise
from bot.ui.widgets import Interaction, Part, Screen, attached, button, rows_of, screen, walk

log = logging.getLogger(__name__)

UNKNOWN_MESSAGE = 10008
ANSWERED_BEFORE = 40060
"""Discord's code for a second answer to one interaction."""
TOLD_WITHIN_MS = 15 * 60_000
"""For so long an answer that did not arrive is worth a word in the next one."""
NO_PINGS = discord.AllowedMentions.none()


class Reply:
    """One interaction and its answer. What it shows is seen by the presser alone, unless it is published."""

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self.words = words_of_locale(str(interaction.locale))
        self.wishes = Wishes()
        self.player = Player(str(interaction.user.id))
        self.guild = GuildId(interaction.guild_id or 0)
        self.answered = False
        self.outcome = Outcome.DONE
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

    def _heard(self, view: Screen) -> Screen:
        """What this reader is shown of it: words alone for one who has chosen them."""
        return aloud(view, self.words, self.wishes)

    def read_as(self, wishes: Wishes) -> None:
        """Answer as the presser has chosen to read."""
        self.wishes = wishes
        self.words = words_wished(wishes, str(self.interaction.locale))

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
    def on_panel(self) -> bool:
        """True when the press came from the presser's own private message, which its answer replaces."""
        message = self.interaction.message
        if self._keeps or message is None or not message.flags.ephemeral:
            return False
        made_for = message.interaction_metadata
        return made_for is None or made_for.user.id == self.interaction.user.id

    @property
    def pressed_texts(self) -> list[str]:
        """The texts of the message that was pressed, as Discord has them."""
        parts = getattr(self.interaction.message, "parts", ())
        return [part["content"] for part in walk(parts) if "content" in part]

    @property
    def replaces(self) -> int | None:
        """The private message that the answer replaces; None where it is one of its own."""
        return self.interaction.message.id if self.on_panel and self.interaction.message else None

    def keep_pressed(self) -> None:
        """The message that was pressed stays as it is, whatever is shown: the answer is one of its own."""
        self._keeps = True

    async def show(self, view: Screen, *, file: discord.File | None = None) -> int | None:
        """Show a private message: in place of the one that was pressed, or as a new one. Returns its id.

        ``file`` is what the message shows by its name; without one, what was attached before stays.
        """
        self.answered, view = True, self._heard(view)
        attachments = MISSING if file is None else [file]
        async with self._first():
            response = self.interaction.response
            if response.is_done():
                edited = await self.interaction.edit_original_response(
                    view=view, attachments=attachments, allowed_mentions=NO_PINGS
                )
                return edited.id
            if self.on_panel:
                try:
                    await response.edit_message(view=view, attachments=attachments, allowed_mentions=NO_PINGS)
                except discord.NotFound as error:
                    # The panel was dismissed at that moment: the answer is a new one.
                    if error.code != UNKNOWN_MESSAGE:
                        raise
                else:
                    return self.interaction.message.id if self.interaction.message else None
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
        files, view = [] if file is None else [file], self._heard(view)
        async with self._first():
            waited_for = not self.answered and not self.on_panel
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

    async def publish(self, view: Screen) -> None:
        """Post a message that everybody in the channel sees; a panel that was pressed stays as it is."""
        self.answered = True
        async with self._first():
            if self.interaction.response.is_done():
                await self.interaction.followup.send(view=view, allowed_mentions=NO_PINGS)
            else:
                await self.interaction.response.send_message(view=view, allowed_mentions=NO_PINGS)

    async def ask(self, form: ui.Modal, *, again: Press) -> None:
        """Show a form; what is written comes back as a press of its own.

        Discord takes a form only as the first answer: once an answer was promised, a button is shown that asks
        ``again``.
        """
        async with self._first():
            if not self.interaction.response.is_done():
                self.answered = True
                await self.interaction.response.send_modal(form)
                return
        opening = button(again, self.words("gate.open_form"), style=discord.ButtonStyle.primary)
        await self.show_apart(screen(self.words("gate.late_form"), *rows_of([opening]), colour=QUIET_COLOUR))

    async def done(self) -> None:
        """Answer without showing anything."""
        self.answered = True
        async with self._first():
            if not self.interaction.response.is_done():
                await self.interaction.response.defer()
            elif not self.on_panel:
                await self.interaction.delete_original_response()

    async def promise(self) -> None:
        """Tell Discord that the answer comes: it will be private, wherever the press was made."""
        async with self._first():
            if self.interaction.response.is_done():
                return
            if self.on_panel:
                await self.interaction.response.defer()
            else:
                await self.interaction.response.defer(ephemeral=True, thinking=True)


def words_wished(wishes: Wishes, locale: str) -> Words:
    """The words for somebody who has chosen this and whose Discord is in this locale."""
    return words_for(wishes.language) if wishes.language else words_of_locale(locale)


WishesOf = Callable[[GuildId, Player], Awaitable[Wishes]]
PressHandler = Callable[[Reply, Press, Sequence[str]], Awaitable[None]]


def in_a_new_message(handler: PressHandler) -> PressHandler:
    """The handler, with an answer of its own also where a private message was pressed."""

    async def answered(reply: Reply, press: Press, values: Sequence[str]) -> None:
        reply.keep_pressed()
        await handler(reply, press, values)

    return answered


class Gate:
    """Routes presses by their verb, and guards presses and commands alike."""

    def __init__(
        self,
        meter: Meter = SILENT,
        *,
        rates: Rates,
        wishes: WishesOf | None = None,
        names: DisplayNames | None = None,
    ) -> None:
        """``names`` learns what those are called who press, and ``wishes`` tells what they have chosen."""
        self._ages = PressAges()
        self._unheard: dict[tuple[GuildId, Player], int] = {}
        """When somebody's press was made that was done, while its answer did not arrive."""
        self._meter = meter
        self._names = names or DisplayNames()
        self._wishes = wishes
        self._brakes = Brakes(rates)
        self._verbs: dict[str, PressHandler] = {}
        self._kinds: dict[str, PressKind] = {}
        """What presses with a verb lead to."""
        self._anywhere: set[str] = set()
        """The verbs that need no server."""
        self._present: PressHandler | None = None
        self.unsure: Callable[[int], bool] = lambda press: False
        """True of a press of which nobody can know whether another process does it: it is told so, and nothing more."""
        self.under_way: Counter[GuildId] = Counter()
        """How many presses and commands are being answered, by server."""

    def route(
        self, verb: str, handler: PressHandler, *, kind: PressKind = PressKind.PRIVATE, anywhere: bool = False
    ) -> None:
        """Send presses with this verb to ``handler``, which works ``anywhere`` or in servers alone."""
        self._verbs[verb] = handler
        if anywhere:
            self._anywhere.add(verb)
        self._kinds[verb] = kind

    def forget(self, verb: str) -> None:
        """Stop routing a verb (its cog was unloaded)."""
        self._verbs.pop(verb, None)

    def present_with(self, handler: PressHandler) -> None:
        """Answer presses that come too late with ``handler``, which shows the present state."""
        self._present = handler

    async def press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Answer a press."""
        handler = self._verbs.get(press.verb)

        async def body(reply: Reply) -> None:
            if handler is None:
                reply.outcome = Outcome.STALE
                await reply.say(reply.words("gate.old_button"))
                return
            try:
                await handler(reply, press, values)
            except Stale:
                if self._present is None:
                    raise
                reply.outcome = Outcome.STALE
                await self._present(reply, press, values)

        await self.run(
            interaction,
            body,
            press=press,
            kind=self._kinds.get(press.verb, PressKind.PRIVATE),
            anywhere=press.verb in self._anywhere,
        )

    async def run(
        self,
        interaction: Interaction,
        body: Callable[[Reply], Awaitable[None]],
        *,
        press: Press | None = None,
        kind: PressKind = PressKind.PRIVATE,
        anywhere: bool = False,
    ) -> None:
        """Run the answer to an interaction; whatever it raises becomes an answer too. A command has no press.

        What works ``anywhere`` is answered in direct messages too.
        """
        reply = Reply(interaction)
        user = interaction.user
        self._names.saw(reply.guild, reply.player, user.display_name, username=user.name)
        with about(guild=reply.guild, table=press.table if press else 0, hand=press.hand if press else 0):
            self.under_way[reply.guild] += 1
            try:
                await self._answer(reply, body, kind, anywhere=anywhere)
            finally:
                self.under_way[reply.guild] -= 1
                if not self.under_way[reply.guild]:
                    del self.under_way[reply.guild]
            self._count(reply, press)

    async def _answer(
        self, reply: Reply, body: Callable[[Reply], Awaitable[None]], kind: PressKind, *, anywhere: bool
    ) -> None:
        age = self._ages.seconds(reply.made_at)
        if age > LATE_SECONDS:
            # Who does so often, such as a process that wakes up, is banned by Discord.
            reply.outcome = Outcome.LATE
            log.info("nothing was done for a press that is %.1f s old", age)
            return
        promise = Promise(reply.promise, age_seconds=age)
        try:
            await promise.begin()
        except UNDELIVERED as error:
            reply.outcome = Outcome.LATE
            log.info("nothing was done for a press that Discord no longer waited for: %r", error)
            return
        try:
            if self.unsure(reply.interaction.id):
                reply.outcome = Outcome.STORAGE_TROUBLE
                await reply.say(reply.words("gate.storage_doubt"), colour=FOUL_COLOUR)
                return
            await self._ask_wishes(reply)
            if not reply.guild and not anywhere:
                reply.outcome = Outcome.REFUSED
                await reply.say(reply.words("gate.only_in_servers"))
            elif not await self._held(reply, kind):
                with deeds.noting() as done:
                    await self._guarded(reply, body, done)
                await self._tell_unheard(reply)
        except UNDELIVERED as error:
            # The message is gone, the token expired, or Discord was not heard in time. What was done stands.
            answered = isinstance(error, discord.HTTPException) and error.code == ANSWERED_BEFORE
            if reply.outcome is Outcome.DONE:
                reply.outcome = Outcome.UNDELIVERED
                if reply.acts and not answered:
                    self._unheard[reply.guild, reply.player] = reply.made_at
            if answered:
                log.info("Discord has delivered a press twice: %r", error)
            else:
                log.warning("an answer could not be delivered: %r", error)
        finally:
            promise.cancel()

    async def _tell_unheard(self, reply: Reply) -> None:
        """Say that the press before was done, where Discord called it failed. Beside a form nothing can be said."""
        if not self._unheard or reply.interaction.response.type is discord.InteractionResponseType.modal:
            return
        made_at = self._unheard.pop((reply.guild, reply.player), 0)
        if reply.made_at - made_at < TOLD_WITHIN_MS:
            await reply.say(reply.words("gate.came_through"))

    async def words_of(self, interaction: Interaction) -> Words:
        """The words in which choices are offered to somebody who types."""
        return (await self.typing(interaction)).words

    async def typing(self, interaction: Interaction) -> Reply:
        """Somebody who types, with what they have chosen; they are answered with nothing but choices."""
        reply = Reply(interaction)
        await self._ask_wishes(reply)
        return reply

    async def _ask_wishes(self, reply: Reply) -> None:
        """Learn how somebody wants to be answered; while that can't be read, as Discord tells."""
        if self._wishes is None or not reply.guild:
            return
        try:
            reply.read_as(await self._wishes(reply.guild, reply.player))
        except StorageTroubleError as trouble:
            log.debug("an answer follows nobody's wishes: %s", trouble)

    async def _held(self, reply: Reply, kind: PressKind) -> bool:
        """True for somebody who is too fast; they are told when to go on."""
        wait = self._brakes.wait_seconds(reply.player, kind, at=reply.made_at)
        if wait:
            reply.outcome = Outcome.REFUSED
            self._meter.held(f"{kind.value}_rate")
            await reply.say(reply.words("gate.too_fast", count=wait))
        return bool(wait)

    def _count(self, reply: Reply, press: Press | None) -> None:
        """Count it under a name that the bot knows: a custom id can hold anything."""
        command = reply.interaction.command
        known = command.qualified_name if command else press.verb if press and press.verb in self._verbs else "unknown"
        kind = "press" if press else "command"
        handled = time.perf_counter() - reply.begun
        log.debug("%s %s: %s", kind, known, reply.outcome.value)
        self._meter.answered(
            kind,
            known,
            reply.outcome,
            age_seconds=reply.age_seconds,
            acknowledged_seconds=reply.acknowledged_seconds,
            handled_seconds=handled,
        )

    async def _guarded(self, reply: Reply, body: Callable[[Reply], Awaitable[None]], done: Deeds) -> None:
        try:
            await body(reply)
            if not reply.answered:
                await reply.done()
        except Refused as refused:
            reply.outcome = Outcome.REFUSED
            if refused.reason in BRAKES:
                self._meter.held(refused.reason.value)
            await reply.say(refusal(refused, reply.words))
        except Stale:
            reply.outcome = Outcome.STALE
            await reply.say(reply.words("gate.too_late"))
        except StorageTroubleError as trouble:
            reply.outcome = Outcome.STORAGE_TROUBLE
            log.error("storage trouble: %s", trouble)
            await reply.say(reply.words(f"gate.{_said_of(trouble, done)}"), colour=FOUL_COLOUR)
        except NoThoughtError:
            reply.outcome = Outcome.REFUSED
            await reply.say(reply.words("gate.no_thought"))
        except UNDELIVERED:
            raise
        except Exception:
            reply.outcome = Outcome.FAILED
            code = secrets.token_hex(3)
            log.exception("incident %s", code, extra={"incident": code})
            await reply.say(reply.words("gate.incident", code=code), colour=FOUL_COLOUR)


def _said_of(trouble: StorageTroubleError, done: Deeds) -> str:
    """What the storage's trouble means to who pressed: what is on the disk is done, though it can't be shown."""
    if isinstance(trouble, StorageDoubtError) or (done.written and done.missed):
        return "storage_doubt"
    return "saved_unseen" if done.written else "storage_trouble"
