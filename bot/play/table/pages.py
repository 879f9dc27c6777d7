"""Who may open a table's page: a token stands for one person in one server, for a while or until they take it back.

A link for streams stands for its owner until they take it back, and shows what everyone in the server can see.
"""

from __future__ import annotations

import hmac
import re

from bot.model.choices import PageToken, StreamLink
from bot.model.ids import GuildId, Player
from bot.model.limits import MAX_PAGE_LOGINS, PAGE_LOGIN_MS
from bot.play.session.session import Session

OF_A_STREAM = "stream."
"""Prefix of the link of a stream, and of no other."""
MARK_LETTERS = 32
"""Of the keyed hash in hexadecimal: 128 bits."""
_STREAM = re.compile(rf"stream\.([1-9]\d{{0,18}})\.([0-9a-f]{{16}})\.([0-9a-f]{{{MARK_LETTERS}}})")


def admit(s: Session, guild: GuildId, player: Player, digest: bytes, *, locale: str) -> None:
    """Let the token of this digest open pages from now on, as somebody's."""
    s.tx.choices.forget_old_pages(guild, player, now=s.now, most=MAX_PAGE_LOGINS - 1)
    s.tx.choices.keep_page(guild, player, digest, locale=locale, given_at=s.now, until=s.now + PAGE_LOGIN_MS)


def admitted(s: Session, guild: GuildId, digest: bytes) -> PageToken | None:
    """Whose token this is; None for one that was never given, has run out or was taken back."""
    found = s.tx.choices.page(guild, digest)
    return found if found is not None and found.until > s.now else None


def close(s: Session, guild: GuildId, player: Player) -> None:
    """Let none of somebody's tokens open a page in a server any more, and end their link for streams."""
    s.tx.choices.close_pages(guild, player)
    s.tx.choices.remove_stream_link(guild, player)


# streams


def give_stream_link(s: Session, guild: GuildId, player: Player, *, name: str, locale: str) -> str:
    """Return a player's link for streams; make one of this name if they have none."""
    found = s.tx.choices.stream_link(guild, player)
    if found is None:
        found = StreamLink(player=player, name=name, locale=locale)
        s.tx.choices.save_stream_link(guild, found, made_at=s.now)
    return _written(s, guild, found)


def renew_stream_link(s: Session, guild: GuildId, player: Player, *, name: str, locale: str) -> str:
    """Replace a player's link for streams: the old one opens nothing any more."""
    s.tx.choices.remove_stream_link(guild, player)
    return give_stream_link(s, guild, player, name=name, locale=locale)


def end_stream_link(s: Session, guild: GuildId, player: Player) -> None:
    """End a player's link for streams."""
    s.tx.choices.remove_stream_link(guild, player)


def stream_link_of(s: Session, guild: GuildId, player: Player) -> str:
    """Return a player's link for streams; empty if they have none."""
    found = s.tx.choices.stream_link(guild, player)
    return "" if found is None else _written(s, guild, found)


def stream_of(s: Session, link: str) -> tuple[GuildId, StreamLink] | None:
    """Return the server and the owner of a link for streams; None for a link that was never given or has ended."""
    found = _STREAM.fullmatch(link)
    if found is None or int(found[1]) >= 2**63:
        return None
    guild = GuildId(int(found[1]))
    marks = [mark.hex()[:MARK_LETTERS] for mark in s.vault.marks(_named(guild, found[2]))]
    if not any(hmac.compare_digest(found[3], mark) for mark in marks):
        return None
    kept = s.tx.choices.stream_link_named(guild, found[2])
    return None if kept is None else (guild, kept)


def _written(s: Session, guild: GuildId, link: StreamLink) -> str:
    named = _named(guild, link.name)
    return f"{named}.{s.vault.marks(named)[0].hex()[:MARK_LETTERS]}"


def _named(guild: GuildId, name: str) -> str:
    return f"{OF_A_STREAM}{guild}.{name}"
