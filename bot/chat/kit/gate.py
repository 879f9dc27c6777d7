"""The gate, through which every press and command passes.

It applies the player's language, ensures that Discord gets a response within three seconds, and turns every outcome
into a response. A refusal becomes a sentence, an outdated press shows the current state, and a failure becomes an
incident code that is also logged. discord.py itself only logs exceptions raised in a listener.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from math import ceil
from typing import Protocol

import discord
from discord import app_commands

from bot.base.logs import about, note
from bot.base.meter import SILENT, InteractionOutcome, Meter
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.deferral import ANSWER_WITHIN_SECONDS, LATE_SECONDS, UNDELIVERED, PressAges, deferring
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.fragments import FOUL_COLOUR, QUIET_COLOUR
from bot.chat.kit.incidents import incident
from bot.chat.kit.page_request import PageRequest
from bot.chat.kit.reply import CollectingReply, PressHandler, Reply
from bot.chat.kit.shown_menus import ShownMenus
from bot.chat.kit.typed_press import TypedPress, find_press, matching_labels, typed_presses
from bot.chat.kit.widgets import Interaction
from bot.model.choices import MemberSettings
from bot.model.errors import ComputationFailedError, StorageDoubtError, StorageUnavailableError
from bot.model.ids import GuildId, Player
from bot.model.reasons import RATE_LIMIT_REASONS
from bot.model.refusals import OtherTerms, Stale
from bot.model.write_tracker import WriteTracker, tracking_writes
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal
from bot.text.words import Words

log = logging.getLogger(__name__)

ANSWERED_BEFORE = 40060
"""Discord's error code for a second response to an interaction."""
TOLD_WITHIN_MS = 15 * 60_000
"""Time within which a player's next response mentions one that wasn't delivered."""

# Rate limits per player. They're too high for a player at several tables to reach, but low enough to stop a script.

MINUTE_MS = 60_000
FORGET_EVERY = 1_000
"""Number of interactions between clean-ups of expired entries."""


class PressKind(Enum):
    """The kind of a press or command, by its effect. Each kind has its own rate limit."""

    PRIVATE = "private"
    """Placing cards, and anything else that only the player sees."""
    PUBLIC = "public"
    """Changes that others can see: tables, seats, events."""
    DRAWN = "drawn"
    """Private pictures. Drawing a leaderboard page blocks other players for a tenth of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """Maximum interactions in a burst after a pause, and per minute in the long run."""

    burst: int
    a_minute: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Rates per player, across all servers."""

    private: Rate = Rate(burst=150, a_minute=300)
    public: Rate = Rate(burst=15, a_minute=20)
    drawn: Rate = Rate(burst=15, a_minute=20)


@dataclass(slots=True)
class RateLimiter:
    """Rate limiter for all players. Times are in milliseconds of Discord's clock."""

    rates: Rates
    _free_at: dict[tuple[Player, PressKind], float] = field(default_factory=dict)
    """When the player's full burst is available again."""
    _taken: int = 0

    def wait_seconds(self, player: Player, kind: PressKind, *, at: int) -> int:
        """Return the seconds to wait until the next interaction is allowed; 0 if this one is."""
        rate: Rate = getattr(self.rates, kind.value)
        gap = MINUTE_MS / rate.a_minute
        free_at = max(self._free_at.get((player, kind), at), at)
        early = free_at - gap * (rate.burst - 1) - at
        if early > 0:
            return ceil(early / 1000)
        self._free_at[player, kind] = free_at + gap
        self._taken += 1
        if self._taken % FORGET_EVERY == 0:
            self._free_at = {who: free_at for who, free_at in self._free_at.items() if free_at > at}
        return 0


# The gate itself.

Look = Callable[[Reply], Awaitable[None]]
"""Shows a screen without changing anything."""
MAX_NAMED = 10
"""Maximum number of buttons listed for a player who typed an unknown label."""
WishesOf = Callable[[GuildId, Player], Awaitable[MemberSettings]]


class Answerable(Protocol):
    """A press, a command or a request from a page, as seen by the gate."""

    guild: GuildId
    player: Player
    words: Words
    outcome: InteractionOutcome
    made_at: int
    answered: bool

    def read_as(self, member_settings: MemberSettings) -> None: ...
    async def say(self, text: str, *, colour: int = QUIET_COLOUR) -> int | None: ...
    async def refuse(self, text: str) -> None: ...
    async def done(self) -> None: ...


class Gate:
    """Routes presses by verb, and applies the same checks to presses and commands."""

    def __init__(
        self,
        meter: Meter = SILENT,
        *,
        rates: Rates,
        member_settings: WishesOf | None = None,
        names: DisplayNames | None = None,
        came: Callable[[GuildId, Player], Awaitable[None]] | None = None,
    ) -> None:
        """Create the gate. ``names`` caches players' names, and ``member_settings`` loads their settings.

        ``came`` is called for each player who uses the bot in a server, because this shows that they are a member.
        """
        self._ages = PressAges()
        self._unheard: dict[tuple[GuildId, Player], int] = {}
        """Time of each player's last press that succeeded but whose response wasn't delivered (ms)."""
        self._meter = meter
        self._names = names or DisplayNames()
        self._menus = ShownMenus()
        self._member_settings = member_settings
        self._came = came
        self._limiter = RateLimiter(rates)
        self._verbs: dict[str, PressHandler] = {}
        self._kinds: dict[str, PressKind] = {}
        """The kind of each verb's presses."""
        self._anywhere: set[str] = set()
        """Verbs that work outside servers."""
        self._asks: dict[str, PressHandler] = {}
        """The handler that shows the current terms and asks again, by verb."""
        self._present: PressHandler | None = None
        self.unsure: Callable[[int], bool] = lambda press: False
        """True for a press that another process may have handled. It isn't run, and the response says so."""
        self.in_progress: Counter[GuildId] = Counter()
        """Number of presses and commands in progress, by server."""

    def route(
        self,
        verb: str,
        handler: PressHandler,
        *,
        kind: PressKind = PressKind.PRIVATE,
        anywhere: bool = False,
        asks: PressHandler | None = None,
    ) -> None:
        """Send presses with this verb to ``handler``, which works ``anywhere`` or, by default, only in servers.

        If the terms have changed since a press, ``asks`` handles it by showing the current terms and a new button.
        """
        self._verbs[verb] = handler
        self._asks.pop(verb, None)
        if asks is not None:
            self._asks[verb] = asks
        if anywhere:
            self._anywhere.add(verb)
        self._kinds[verb] = kind

    @property
    def verbs(self) -> dict[str, bool]:
        """The routed verbs, each with True if it asks again when the terms have changed."""
        return {verb: verb in self._asks for verb in self._verbs}

    def forget(self, verb: str) -> None:
        """Stop routing a verb, because its cog was unloaded."""
        self._verbs.pop(verb, None)

    def present_with(self, handler: PressHandler) -> None:
        """Handle outdated presses with ``handler``, which shows the current state."""
        self._present = handler

    async def press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Answer a press."""
        await self.run(
            interaction,
            lambda reply: self.handle(reply, press, values),
            press=press,
            kind=self._kinds.get(press.verb, PressKind.PRIVATE),
            anywhere=press.verb in self._anywhere,
        )

    async def handle(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Run the handler of a press. An outdated press shows the current state instead."""
        handler = self._verbs.get(press.verb)
        if handler is None:
            reply.outcome = InteractionOutcome.STALE
            await reply.say(reply.words("gate.old_button"))
            return
        reply.terms = press.terms
        try:
            await handler(reply, press, values)
        except OtherTerms:
            if press.verb not in self._asks:
                raise
            reply.outcome = InteractionOutcome.STALE
            await self._asks[press.verb](reply, press, values)
        except Stale:
            if self._present is None:
                raise
            reply.outcome = InteractionOutcome.STALE
            await self._present(reply, press, values)

    async def run_or_press(
        self,
        interaction: Interaction,
        show: Look,
        do: str,
        *,
        look: Look | None = None,
        anywhere: bool = False,
        kind: PressKind = PressKind.PRIVATE,
    ) -> None:
        """Show a command's screen, or press the button typed in ``do``, which must be one that ``look`` shows."""

        async def body(reply: Reply) -> None:
            if not do:
                await show(reply)
                return
            presses = await self._presses(reply, look or show)
            one = find_press(do, presses)
            if one is None:
                reply.outcome = InteractionOutcome.REFUSED
                named = reply.words.list([f"**{other.label}**" for other in presses[:MAX_NAMED]])
                words = reply.words
                await reply.say(words("gate.no_such_button", buttons=named) if presses else words("gate.no_button"))
                return
            await self.handle(reply, one.press, one.values)

        await self.run(interaction, body, kind=PressKind.PUBLIC if do else kind, anywhere=anywhere)

    async def buttons(self, interaction: Interaction, look: Look, typed: str) -> list[app_commands.Choice[str]]:
        """Return the buttons that a command suggests for ``typed``."""
        try:
            presses = await self._presses(await self.typing(interaction), look)
        except (Refused, Stale):
            return []
        return [app_commands.Choice(name=label, value=label) for label in matching_labels(typed, presses)]

    async def _presses(self, reply: Reply, look: Look) -> list[TypedPress]:
        seen = CollectingReply(reply, self._names)
        await look(seen)
        known = [one for one in typed_presses(seen.screens, reply.words) if one.press.verb in self._verbs]
        return known if reply.guild else [one for one in known if one.press.verb in self._anywhere]

    async def run(
        self,
        interaction: Interaction,
        body: Callable[[Reply], Awaitable[None]],
        *,
        press: Press | None = None,
        kind: PressKind = PressKind.PRIVATE,
        anywhere: bool = False,
    ) -> None:
        """Run ``body`` for an interaction and turn its exceptions into responses. ``press`` is None for a command.

        With ``anywhere``, it also works in direct messages.
        """
        reply = Reply(interaction, self._names, self._menus)
        user = interaction.user
        self._names.saw(reply.guild, reply.player, user.display_name, username=user.name)
        note(guild=reply.guild, table=press.table if press else 0, hand=press.hand if press else 0)
        self.in_progress[reply.guild] += 1
        try:
            await self._answer(reply, body, kind, anywhere=anywhere)
        finally:
            self.in_progress -= Counter((reply.guild,))
        # Only known names are counted, because a custom id can contain anything.
        command = interaction.command
        known = command.qualified_name if command else press.verb if press and press.verb in self._verbs else "unknown"
        what = "press" if press else "command"
        handled = time.perf_counter() - reply.begun
        log.debug("%s %s: %s", what, known, reply.outcome.value)
        self._meter.answered(
            what,
            known,
            reply.outcome,
            age_seconds=reply.age_seconds,
            acknowledged_seconds=reply.acknowledged_seconds,
            handled_seconds=handled,
        )

    async def _answer(
        self, reply: Reply, body: Callable[[Reply], Awaitable[None]], kind: PressKind, *, anywhere: bool
    ) -> None:
        age = self._ages.seconds(reply.made_at)
        if age > LATE_SECONDS:
            # Discord bans bots that often respond too late, as a process would after the machine wakes from sleep.
            reply.outcome = InteractionOutcome.LATE
            log.info("ignored a press that is %.1f s old", age)
            return
        try:
            if age >= ANSWER_WITHIN_SECONDS:
                await reply.defer()
        except UNDELIVERED as error:
            reply.outcome = InteractionOutcome.LATE
            log.info("ignored a press that Discord was no longer waiting for: %r", error)
            return
        try:
            if self.unsure(reply.interaction.id):
                reply.outcome = InteractionOutcome.STORAGE_TROUBLE
                await reply.say(reply.words("gate.storage_doubt"), colour=FOUL_COLOUR)
                return
            async with deferring(reply.defer, age_seconds=age):
                await self._load_member_settings(reply)
                await self._note_member(reply)
                if reply.outside and not anywhere:
                    await reply.refuse(reply.words("gate.only_in_servers"))
                elif await self._let_through(reply, partial(body, reply), kind) and self._unheard:
                    await self._tell_unheard(reply)
        except UNDELIVERED as error:
            # The message was deleted, the token expired, or Discord's reply was lost. The changes are kept.
            answered = isinstance(error, discord.HTTPException) and error.code == ANSWERED_BEFORE
            if reply.outcome is InteractionOutcome.DONE:
                reply.outcome = InteractionOutcome.UNDELIVERED
                if reply.acts and not answered:
                    self._unheard[reply.guild, reply.player] = reply.made_at
            if answered:
                log.info(
                    "a press was already answered. Discord delivered it twice, or another bot is running "
                    "with this token: %r",
                    error,
                )
            else:
                log.warning("an answer could not be delivered: %r", error)

    async def _tell_unheard(self, reply: Reply) -> None:
        """Report that the previous press succeeded although Discord showed an error, unless the response was a form."""
        if reply.interaction.response.type is discord.InteractionResponseType.modal:
            return
        made_at = self._unheard.pop((reply.guild, reply.player), 0)
        if reply.made_at - made_at < TOLD_WITHIN_MS:
            await reply.say(reply.words("gate.came_through"))

    async def words_of(self, interaction: Interaction) -> Words:
        """Return the words for suggestions shown while a player is typing."""
        return (await self.typing(interaction)).words

    async def typing(self, interaction: Interaction) -> Reply:
        """Return a reply, with the settings of a player who is typing. It can only return suggestions."""
        reply = Reply(interaction, self._names)
        await self._load_member_settings(reply)
        return reply

    async def suggest(
        self, interaction: Interaction, found: Callable[[Reply], Awaitable[list[app_commands.Choice[str]]]]
    ) -> list[app_commands.Choice[str]]:
        """Return suggestions for an option; empty if the player is too fast. They count as private presses."""
        reply = Reply(interaction, self._names)
        if self._limiter.wait_seconds(reply.player, PressKind.PRIVATE, at=reply.made_at):
            self._meter.held(f"{PressKind.PRIVATE.value}_rate")
            return []
        await self._load_member_settings(reply)
        try:
            return await found(reply)
        except (Refused, Stale, StorageUnavailableError) as error:
            log.debug("no suggestions could be made: %r", error)
            return []

    async def ask(
        self,
        asked: PageRequest,
        body: Callable[[], Awaitable[None]],
        *,
        verb: str,
        table: int = 0,
        hand: int = 0,
        kind: PressKind = PressKind.PRIVATE,
    ) -> None:
        """Run a request from a page with the rate limits, refusals and metrics of a press. Verbs are a fixed set."""
        with about(guild=asked.guild, table=table, hand=hand):
            self.in_progress[asked.guild] += 1
            try:
                await self._load_member_settings(asked)
                await self._let_through(asked, body, kind)
            finally:
                self.in_progress -= Counter((asked.guild,))
            self._meter.answered(
                "page",
                verb,
                asked.outcome,
                age_seconds=0.0,
                acknowledged_seconds=None,
                handled_seconds=time.perf_counter() - asked.begun,
            )

    async def _load_member_settings(self, reply: Answerable) -> None:
        """Load the player's settings. If that fails, Discord's locale applies."""
        if self._member_settings is None or not reply.guild:
            return
        try:
            reply.read_as(await self._member_settings(reply.guild, reply.player))
        except StorageUnavailableError as trouble:
            log.debug("the member's settings could not be read: %s", trouble)

    async def _note_member(self, reply: Reply) -> None:
        """Note that the player is a member of the server, in case they had left it."""
        if self._came is None or not reply.guild:
            return
        try:
            await self._came(reply.guild, reply.player)
        except StorageUnavailableError as trouble:
            log.debug("a member's return could not be recorded: %s", trouble)

    async def _let_through(self, reply: Answerable, body: Callable[[], Awaitable[None]], kind: PressKind) -> bool:
        """Run ``body`` and report its exceptions. False if the player is over the rate limit, which is reported too."""
        if wait := self._limiter.wait_seconds(reply.player, kind, at=reply.made_at):
            reply.outcome = InteractionOutcome.REFUSED
            self._meter.held(f"{kind.value}_rate")
            await reply.say(reply.words("gate.too_fast", count=wait))
            return False
        with tracking_writes() as done:
            try:
                await self._run_answering(reply, body, done)
            except UNDELIVERED:
                raise
            except Exception:
                # This also covers refusals and storage errors whose sentence can't be built.
                reply.outcome = InteractionOutcome.FAILED
                await reply.say(incident(reply.words), colour=FOUL_COLOUR)
        return True

    def refused(self, reply: Answerable, refused: Refused) -> str:
        """Note that a press was refused, and return why."""
        reply.outcome = InteractionOutcome.REFUSED
        if refused.reason in RATE_LIMIT_REASONS:
            self._meter.held(refused.reason.value)
        return refusal(refused, reply.words)

    async def _run_answering(self, reply: Answerable, body: Callable[[], Awaitable[None]], done: WriteTracker) -> None:
        """Run ``body`` and report its exceptions in a sentence. ``done`` tracks the writes so far."""
        try:
            await body()
            if not reply.answered:
                await reply.done()
        except Refused as refused:
            await reply.say(self.refused(reply, refused))
        except Stale:
            reply.outcome = InteractionOutcome.STALE
            await reply.say(reply.words("gate.too_late"))
        except StorageUnavailableError as trouble:
            reply.outcome = InteractionOutcome.STORAGE_TROUBLE
            log.error("storage trouble: %s", trouble)
            await reply.say(reply.words(f"gate.{_error_key(trouble, done)}"), colour=FOUL_COLOUR)
        except ComputationFailedError:
            await reply.refuse(reply.words("gate.no_thought"))


def _error_key(trouble: StorageUnavailableError, done: WriteTracker) -> str:
    """Return the sentence's key for a storage error. Completed writes count as done, even if no result is shown."""
    if isinstance(trouble, StorageDoubtError) or (done.written and done.missed):
        return "storage_doubt"
    return "saved_unseen" if done.written else "storage_trouble"
