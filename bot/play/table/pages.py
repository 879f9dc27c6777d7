"""Access to pages. A token identifies a player in one server until it expires or the player revokes it.

A stream link identifies its owner until they revoke it, and shows only what everyone in the server can see.
"""

from __future__ import annotations

import hmac
import re

from bot.model.choices import PageToken, StreamLink
from bot.model.ids import GuildId, Player
from bot.model.limits import MAX_PAGE_LOGINS, PAGE_LOGIN_MS
from bot.play.session.session import Session

OF_A_STREAM = "stream."
"""Prefix of stream links."""
MARK_LETTERS = 32
"""Length of the keyed hash in hexadecimal (128 bits)."""
_STREAM = re.compile(rf"stream\.([1-9]\d{{0,18}})\.([0-9a-f]{{16}})\.([0-9a-f]{{{MARK_LETTERS}}})")


def admit(s: Session, guild: GuildId, player: Player, digest: bytes, *, locale: str) -> None:
    """Accept the token with this ``digest`` for the player's pages."""
    s.tx.choices.forget_old_pages(guild, player, now=s.now, most=MAX_PAGE_LOGINS - 1)
    s.tx.choices.keep_page(guild, player, digest, locale=locale, given_at=s.now, until=s.now + PAGE_LOGIN_MS)


def admitted(s: Session, guild: GuildId, digest: bytes) -> PageToken | None:
    """Return the data of a token; None if it's unknown, expired or revoked."""
    found = s.tx.choices.page(guild, digest)
    return found if found is not None and found.until > s.now else None


def close(s: Session, guild: GuildId, player: Player) -> None:
    """Revoke all of a player's tokens and their stream link in a server."""
    s.tx.choices.close_pages(guild, player)
    s.tx.choices.remove_stream_link(guild, player)


# streams


def give_stream_link(s: Session, guild: GuildId, player: Player, *, name: str, locale: str) -> str:
    """Return a player's stream link; create one named ``name`` if they have none."""
    found = s.tx.choices.stream_link(guild, player)
    if found is None:
        found = StreamLink(player=player, name=name, locale=locale, made_at=s.now)
        s.tx.choices.save_stream_link(guild, found)
    return _written(s, guild, found)


def renew_stream_link(s: Session, guild: GuildId, player: Player, *, name: str, locale: str) -> str:
    """Replace a player's stream link. The old one stops working."""
    s.tx.choices.remove_stream_link(guild, player)
    return give_stream_link(s, guild, player, name=name, locale=locale)


def end_stream_link(s: Session, guild: GuildId, player: Player) -> None:
    """Revoke a player's stream link."""
    s.tx.choices.remove_stream_link(guild, player)


def end_stream_link_named(s: Session, guild: GuildId, name: str) -> Player | None:
    """Revoke the stream link with this name, and return its owner; None if it's unknown or already revoked."""
    found = s.tx.choices.stream_link_named(guild, name)
    if found is None:
        return None
    s.tx.choices.remove_stream_link(guild, found.player)
    return found.player


def stream_link_of(s: Session, guild: GuildId, player: Player) -> StreamLink | None:
    """Return a player's stream link; None if they have none."""
    return s.tx.choices.stream_link(guild, player)


def stream_links(s: Session, guild: GuildId) -> list[StreamLink]:
    """Return a server's stream links, newest first."""
    return s.tx.choices.stream_links(guild)


def stream_of(s: Session, link: str) -> tuple[GuildId, StreamLink] | None:
    """Return the server and owner of a stream link; None if it's unknown or revoked."""
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
