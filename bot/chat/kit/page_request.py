"""A request from a table's page. The reply consists of sentences, just as an interaction's consists of messages."""

from __future__ import annotations

import time

from bot.base.meter import InteractionOutcome
from bot.chat.kit.fragments import QUIET_COLOUR
from bot.chat.kit.text_only import words_wished
from bot.model.choices import MemberSettings
from bot.model.ids import GuildId, Player
from bot.text.words import words_of_locale


class PageRequest:
    """A request from a page, and the sentences of the reply."""

    def __init__(self, guild: GuildId, player: Player, *, locale: str, name: str, made_at: int) -> None:
        """Start a request. ``name`` is the page's random id for it. ``made_at`` is in ms of the bot's clock."""
        self.guild = guild
        self.player = player
        self.words = words_of_locale(locale)
        self.member_settings = MemberSettings()
        self.outcome = InteractionOutcome.DONE
        self.made_at = made_at
        self.answered = False
        self.begun = time.perf_counter()
        self.said: list[str] = []
        self._locale = locale
        self._name = name

    @property
    def cause(self) -> str:
        """Key that ensures that the request's changes happen only once. No other player's request can have it."""
        return f"page-{self.guild}-{self.player}-{self._name}"

    def read_as(self, member_settings: MemberSettings) -> None:
        """Apply the player's settings to the reply."""
        self.member_settings = member_settings
        self.words = words_wished(member_settings, words_of_locale(self._locale))

    async def say(self, text: str, *, colour: int = QUIET_COLOUR) -> int | None:
        """Add a sentence to the reply. The page ignores ``colour``."""
        self.answered = True
        self.said.append(text)
        return None

    async def refuse(self, text: str) -> None:
        """Reply why nothing was done."""
        self.outcome = InteractionOutcome.REFUSED
        await self.say(text)

    async def done(self) -> None:
        """Reply without a sentence. The page shows the changes."""
        self.answered = True
