"""What careers need of a transaction, beside what play needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, cast

from bot.play.career.model import Badge, Career, Earned, Versus
from bot.play.model import GuildId, Player, TableKey
from bot.play.ports import Tx
from bot.play.session import Session


class Careers(Protocol):
    """Sums, meetings and badges; what hands add to the sums is added with their results."""

    def career(self, guild: GuildId, player: Player) -> Career: ...
    def versus(self, guild: GuildId, player: Player, other: Player) -> Versus | None: ...
    def most_met(self, guild: GuildId, player: Player, *, limit: int) -> list[Versus]:
        """Those they have played most hands with, without those who keep their profile to themselves."""
        ...

    def form(self, guild: GuildId, player: Player, *, limit: int) -> list[int]:
        """The points of the last hands for chips, oldest first."""
        ...

    def games_of(self, guild: GuildId, player: Player, games: Sequence[str]) -> list[tuple[str, int]]:
        """Those of these games that they have played for chips, with their hands; the most played first."""
        ...

    def stayed_before(self, key: TableKey, hand_no: int, player: Player) -> bool:
        """True where the player's hand before this one at the table was a Fantasyland, and earned another."""
        ...

    def award(self, guild: GuildId, player: Player, earned: Earned) -> None:
        """Note a badge; one that they have stays as it is."""
        ...

    def badges(self, guild: GuildId, player: Player) -> list[Earned]: ...
    def badges_of_hand(self, key: TableKey, hand_no: int, players: Sequence[Player]) -> list[tuple[Player, Badge]]:
        """What a hand has earned, for those who let others see it."""
        ...

    def streaks_to_note(self, guild: GuildId, players: Sequence[Player], *, days: int) -> list[Player]:
        """Those who have played so many daily hands in a row, and have no badge for it in this server."""
        ...


class CareerTx(Tx, Careers, Protocol):
    """One transaction, also of careers."""


def tx_of(s: Session) -> CareerTx:
    """The transaction, as careers see it."""
    return cast(CareerTx, s.tx)
