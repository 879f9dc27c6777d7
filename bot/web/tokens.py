"""Who may open a page: a token is a word of chance that stands for one person in one server, for a while.

They are in memory only, and so end with the process. Only their digests are kept: nothing that could be opened is
found in a dump.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.model.ids import GuildId, Player

VALID_MS = 12 * 60 * 60_000
"""An evening."""
MOST = 20_000
"""Tokens that are known; the oldest goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Whose eyes a page has."""

    guild: GuildId
    player: Player
    locale: str
    """As Discord names their language; what they have chosen comes before it."""
    until: int = 0
    """When it closes by itself (ms); 0 for what is known otherwise."""
    digest: bytes = b""
    """The digest of its token, where that is kept in the database."""
    stream: str = ""
    """The link for streams that opened the page. It shows what everyone in the server can see, and never acts."""


class Tokens:
    """The tokens of this process."""

    def __init__(self, *, now_ms: Callable[[], int]) -> None:
        self._now = now_ms
        self._known: OrderedDict[bytes, tuple[Reader, int]] = OrderedDict()

    def give(self, reader: Reader) -> str:
        """A new token for somebody who is known by other means."""
        token = secrets.token_urlsafe(32)
        until = self._now() + VALID_MS
        self._known[_digest(token)] = replace(reader, until=until), until
        while len(self._known) > MOST:
            self._known.popitem(last=False)
        return token

    def reader(self, token: str) -> Reader | None:
        """Whose it is; None for one that was never given, has run out or was revoked."""
        # Found by a digest that whoever guesses cannot choose: how long that takes says nothing of a token.
        found = self._known.get(digest := _digest(token))
        if found is None:
            return None
        reader, until = found
        if until <= self._now():
            del self._known[digest]
            return None
        return reader

    def revoke(self, player: Player) -> None:
        """None of somebody's tokens opens a page any more."""
        for digest in [digest for digest, (reader, _) in self._known.items() if reader.player == player]:
            del self._known[digest]


_MADE_BY_PAGE = re.compile(r"([0-9]{1,19})\.[0-9A-Za-z_-]{43,80}")


def guild_of(token: str) -> GuildId | None:
    """The server whose id stands in front of a token that a page has made; None for what is none."""
    found = _MADE_BY_PAGE.fullmatch(token)
    return GuildId(int(found[1])) if found is not None and int(found[1]) < 2**63 else None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
