"""Cards and people as messages show them: application-owned emojis and display names, or what stands in for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import discord

from bot.ofc.cards import Card, card_name
from bot.text.names import card_text
from bot.ui.display_names import DisplayNames

BACK = "back"
SLOT = "slot"


class Faces:
    """The card emojis of the application, by face name (``As``, ``back``, ``slot``); filled in when uploaded."""

    def __init__(self) -> None:
        self._emojis: Mapping[str, discord.PartialEmoji] = {}
        self.names = DisplayNames()

    def use(self, emojis: Mapping[str, discord.PartialEmoji]) -> None:
        """Show these emojis from now on."""
        self._emojis = dict(emojis)

    @property
    def ready(self) -> bool:
        """True when cards are shown as emojis."""
        return bool(self._emojis)

    def emoji(self, card: Card) -> discord.PartialEmoji | None:
        """The emoji of a card for a button, or None to write its name."""
        return self._emojis.get(card_name(card))

    def card(self, card: Card | None) -> str:
        """A card in text; None is a card that lies face down."""
        emoji = self._emojis.get(BACK if card is None else card_name(card))
        if emoji is not None:
            return str(emoji)
        return "`??`" if card is None else f"`{card_text(card)}`"

    def row(self, cards: Iterable[Card | None], *, size: int = 0) -> str:
        """A row in text, filled up with empty places to ``size``."""
        shown = [self.card(card) for card in cards]
        empty = str(self._emojis[SLOT]) if SLOT in self._emojis else "`··`"
        shown += [empty] * (size - len(shown))
        return ("" if self.ready else " ").join(shown)
