"""What somebody asks on a page, and its answer: a sentence, as a press is answered with a message."""

from __future__ import annotations

import time
from typing import Protocol

from bot.meter import Outcome
from bot.model.choices import Wishes
from bot.model.ids import GuildId, Player
from bot.text.words import Words, words_for, words_of_locale
from bot.ui.fragments import QUIET_COLOUR


class Answering(Protocol):
    """What the gate needs of whatever it answers: a press, a command, or what is asked on a page."""

    guild: GuildId
    player: Player
    words: Words
    outcome: Outcome
    made_at: int
    answered: bool

    def read_as(self, wishes: Wishes) -> None: ...
    async def say(self, text: str, *, colour: int = QUIET_COLOUR) -> int | None: ...
    async def done(self) -> None: ...


class Asked:
    """One thing that is asked on a page, by whom, and what is said of it."""

    def __init__(self, guild: GuildId, player: Player, *, locale: str, name: str, made_at: int) -> None:
        """``name`` is the page's own for it: a word of chance. ``made_at`` is in ms, by the bot's clock."""
        self.guild = guild
        self.player = player
        self.words = words_of_locale(locale)
        self.wishes = Wishes()
        self.outcome = Outcome.DONE
        self.made_at = made_at
        self.answered = False
        self.begun = time.perf_counter()
        self.said: list[str] = []
        self._locale = locale
        self._name = name

    @property
    def cause(self) -> str:
        """The name under which all that it changes is done once: nobody else's can be the same."""
        return f"page-{self.player}-{self._name}"

    def read_as(self, wishes: Wishes) -> None:
        """Answer as its reader has chosen to read."""
        self.wishes = wishes
        self.words = words_for(wishes.language) if wishes.language else words_of_locale(self._locale)

    async def say(self, text: str, *, colour: int = QUIET_COLOUR) -> int | None:
        """Say something; the page shows it in its own colours."""
        self.answered = True
        self.said.append(text)
        return None

    async def done(self) -> None:
        """Nothing needs to be said: the page shows what has changed."""
        self.answered = True
