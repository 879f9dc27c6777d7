"""What privacy needs of a transaction, beside what play needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from bot.play.model import GuildId, Player, TableKey
from bot.play.ports import Tx
from bot.play.privacy.model import Kept, Tie
from bot.play.session import Session


class PrivacyRows(Protocol):
    """All rows that name somebody, and all of a server."""

    def kept_about(self, player: Player) -> Kept:
        """All that is kept about them; nothing of what is hidden from them."""
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
        """Delete what is theirs alone in a server; in what stays the pseudonym takes their place."""
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


class PrivacyTx(Tx, PrivacyRows, Protocol):
    """A transaction that knows what is kept about people."""


def tx_of(s: Session) -> PrivacyTx:
    """The transaction of a session: every storage knows its rows."""
    return cast(PrivacyTx, s.tx)
