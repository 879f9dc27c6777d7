"""What privacy needs of a transaction, beside what play needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from bot.play.model import GuildId, Player, TableKey
from bot.play.ports import Tx
from bot.play.privacy.model import Rows, Tie
from bot.play.session import Session


class PrivacyRows(Protocol):
    """All rows that name somebody, and all of a server."""

    def kinds_told(self) -> Sequence[str]:
        """The kinds of rows that are told to whom they are about."""
        ...

    def told(self, player: Player, kind: str) -> Mapping[GuildId | None, Rows]:
        """All rows of a kind about them, by server; None for what belongs to none. Nothing that is hidden from them."""
        ...

    def write_alone(self) -> None:
        """Let nobody else write before the end of this transaction, which writes also for other processes' servers."""
        ...

    def write_for_all(self) -> None:
        """Write also for servers that other processes serve."""
        ...

    def ties(self, player: Player) -> Sequence[Tie]:
        """What they have to finish before they can be deleted."""
        ...

    def hands_to_keep(self, player: Player) -> Sequence[tuple[TableKey, int]]:
        """Their hands that are over and whose deck follows from what they put into it."""
        ...

    def servers_of(self, player: Player) -> Sequence[GuildId]:
        """The servers in which a row names them, in order."""
        ...

    def put_pseudonym(self, guild: GuildId, player: Player, pseudonym: Player) -> None:
        """Delete what is theirs alone in a server; in what stays the pseudonym takes their place.

        Hands are left out, and are told at once as if they were not (:class:`LeavingRows`).
        """
        ...

    def put_pseudonym_everywhere(self, player: Player, pseudonym: Player) -> None:
        """The same of what belongs to no server."""
        ...

    def known_servers(self) -> Mapping[GuildId, int | None]:
        """All servers of which something is kept, and since when the bot is no member; None while it is."""
        ...

    def delete_server(self, guild: GuildId) -> None:
        """Delete everything that is kept of a server."""
        ...


class LeavingRows(Protocol):
    """The hands of who was deleted: they name the pseudonym at once to whoever reads them, and are rewritten later."""

    def begin_to_rewrite(self, guild: GuildId, player: Player, pseudonym: Player) -> None:
        """All hands of a server that may name them are to be rewritten; to be asked before their pseudonym is put."""
        ...

    def rewrite_hands(self, player: Player, *, most: int) -> bool:
        """Rewrite some of them, all at one table; False where nothing is left to rewrite."""
        ...

    def leavers(self) -> Sequence[Player]:
        """Those whose hands are yet to be rewritten."""
        ...


class PrivacyTx(Tx, PrivacyRows, LeavingRows, Protocol):
    """A transaction that knows what is kept about people."""


def tx_of(s: Session) -> PrivacyTx:
    """The transaction of a session: every storage knows its rows."""
    return cast(PrivacyTx, s.tx)
