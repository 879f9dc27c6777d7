"""Access tokens for pages. A token is a random word that identifies one player in one server, for a limited time.

Tokens are kept only in memory, so they end with the process. Even there, only their digests are kept, so a memory dump
contains no usable token.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.model.ids import GuildId, Player
from bot.model.puzzles import NO_PUZZLE, PuzzleName

VALID_MS = 12 * 60 * 60_000
"""Validity of a token: an evening."""
MAX_TOKENS = 20_000
"""Maximum number of known tokens. The oldest is dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """The reader of a page."""

    guild: GuildId
    player: Player
    locale: str
    """Discord's name for the reader's language. Their own setting takes precedence."""
    until: int = 0
    """When the page closes automatically (ms); 0 if it doesn't."""
    digest: bytes = b""
    """Digest of the reader's token, if it's stored in the database."""
    stream: str = ""
    """The stream link that opened the page. Such a page shows the public view and never acts."""
    puzzle: PuzzleName = NO_PUZZLE
    """The answered puzzle that a page of puzzles begins with; empty for the reader's current one."""


class Tokens:
    """The tokens of this process."""

    def __init__(self, *, now_ms: Callable[[], int]) -> None:
        self._now = now_ms
        self._known: OrderedDict[bytes, tuple[PageReader, int]] = OrderedDict()

    def give(self, reader: PageReader) -> str:
        """Return a new token for a reader who is identified by other means."""
        token = secrets.token_urlsafe(32)
        until = self._now() + VALID_MS
        self._known[_digest(token)] = replace(reader, until=until), until
        while len(self._known) > MAX_TOKENS:
            self._known.popitem(last=False)
        return token

    def reader(self, token: str) -> PageReader | None:
        """Return the token's reader; None if it's unknown, expired or revoked."""
        # An attacker can't choose the digest, so the time of this lookup reveals nothing about a token.
        found = self._known.get(digest := _digest(token))
        if found is None:
            return None
        reader, until = found
        if until <= self._now():
            del self._known[digest]
            return None
        return reader

    def revoke(self, player: Player) -> None:
        """Revoke all tokens of a player."""
        for digest in [digest for digest, (reader, _) in self._known.items() if reader.player == player]:
            del self._known[digest]


_MADE_BY_PAGE = re.compile(r"([0-9]{1,19})\.[0-9A-Za-z_-]{43,80}")


def parse_guild(token: str) -> GuildId | None:
    """Return the server's id at the start of a page's own token; None if it has another format."""
    found = _MADE_BY_PAGE.fullmatch(token)
    return GuildId(int(found[1])) if found is not None and int(found[1]) < 2**63 else None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
