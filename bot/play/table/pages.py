"""Who may open a table's page: a token stands for one person in one server, for a while or until they take it back."""

from __future__ import annotations

from bot.model.choices import PageToken
from bot.model.clock import HOUR
from bot.model.ids import GuildId, Player
from bot.play.session.session import Session

VALID_MS = 12 * HOUR
"""An evening."""
MOST_OF_ONE = 12
"""Tokens of one person in a server: the oldest goes."""


def admit(s: Session, guild: GuildId, player: Player, digest: bytes, *, locale: str) -> None:
    """Let the token of this digest open pages from now on, as somebody's."""
    s.tx.forget_old_pages(guild, player, now=s.now, most=MOST_OF_ONE - 1)
    s.tx.keep_page(guild, player, digest, locale=locale, given_at=s.now, until=s.now + VALID_MS)


def admitted(s: Session, guild: GuildId, digest: bytes) -> PageToken | None:
    """Whose token this is; None for one that was never given, has run out or was taken back."""
    found = s.tx.page(guild, digest)
    return found if found is not None and found.until > s.now else None


def close(s: Session, guild: GuildId, player: Player) -> None:
    """Let none of somebody's tokens open a page in a server any more."""
    s.tx.close_pages(guild, player)
