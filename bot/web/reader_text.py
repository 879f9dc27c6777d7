"""Text for one reader of a page, from sentences written for Discord."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.chat.kit.text_only import spoken
from bot.model.choices import MemberSettings
from bot.text.words import Words
from bot.web.messages import Lines, Three
from bot.web.plain import lines, marked, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderText:
    """Turns sentences into a reader's text."""

    words: Words
    member_settings: MemberSettings

    def name(self, player: str) -> str:
        """Return the name of a mentioned player; without a table their id."""
        return player

    def plain(self, text: str) -> str:
        """Return a sentence written for Discord as plain text for this reader."""
        return plain(self._spoken(text), self.name)

    def marked(self, text: str) -> str:
        """Like :meth:`plain`, but with marks around bold text."""
        return marked(self._spoken(text), self.name)

    def lines(self, text: str) -> Lines:
        """Split a longer text into typed lines."""
        return lines(self._spoken(text), self.name)

    def three(self, texts: Sequence[str]) -> Three:
        """Return the texts of the three rows as plain text."""
        front, middle, back = map(self.plain, texts)
        return front, middle, back

    def _spoken(self, text: str) -> str:
        return spoken(text, self.words, self.member_settings)
