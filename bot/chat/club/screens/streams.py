"""Links for streams, as a player and a server's managers see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import QUIET_COLOUR, date_mark, moment, player_name
from bot.chat.kit.widgets import Screen, button, button_rows, screen, section
from bot.model.choices import StreamLink
from bot.model.ids import TableId
from bot.text.words import Words

MAX_LINKS = 10
"""Maximum number of links listed. Each takes three of a message's 40 components."""
LIST = Press(verb="su_streams", table=TableId(0))
"""The press that shows a server's links to its managers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamUse:
    """A link for streams, and when it was last in use (ms); None if it wasn't since the bot has started."""

    link: StreamLink
    used_at: int | None

    def facts(self, words: Words, *, now: int) -> str:
        """Return when the link was made, and when it was last in use."""
        if self.used_at is None:
            used = words("streams.unused")
        else:
            used = words("streams.in_use") if self.used_at >= now else words("streams.used", ago=moment(self.used_at))
        return words.facts([words("streams.made", at=date_mark(self.link.made_at)), used])


def streams_screen(links: Sequence[StreamUse], words: Words, *, now: int, back: Press) -> Screen:
    """Draw a server's links with their owners, newest first, each with a button to turn it off."""
    listed = [
        section(
            f"{player_name(one.link.player, words)}\n{one.facts(words, now=now)}",
            button(LIST.but("su_stream_off", one.link.name), words("streams.off")),
        )
        for one in links[:MAX_LINKS]
    ]
    further = len(links) - len(listed)
    return screen(
        f"### {words('streams.title')}\n{words('streams.about' if links else 'streams.none')}",
        *listed,
        *([words("streams.more", count=further)] if further else []),
        *button_rows([button(back, words("setup.back"))]),
        colour=QUIET_COLOUR,
    )
