"""What ratings need of a transaction, beside what play needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, cast

from bot.play.model import GuildId, Player, TableKey
from bot.play.ports import Tx
from bot.play.rating.model import Book, Taken
from bot.play.session import Session
from bot.play.standings import Place, Rated
from bot.rating.model import Luck, Rating


class Ratings(Protocol):
    """What was learned in a server's groups of games, and from what."""

    def rating_book(self, guild: GuildId) -> Book | None: ...
    def save_rating_book(self, guild: GuildId, book: Book) -> None: ...
    def rated_guilds(self) -> list[GuildId]:
        """The servers that have ratings, or will have them after a start."""
        ...

    def ratings(self, guild: GuildId, group: str, players: Sequence[Player]) -> dict[str, Rating]:
        """What is known of these; newcomers are left out."""
        ...

    def ratings_of(self, guild: GuildId, player: Player, groups: Sequence[str]) -> dict[str, Rating]:
        """What is known of a player, by those of these groups in which something is."""
        ...

    def save_ratings(self, guild: GuildId, group: str, ratings: Mapping[str, Rating]) -> None: ...
    def luck(self, guild: GuildId, key: str) -> Luck: ...
    def save_luck(self, guild: GuildId, key: str, luck: Luck) -> None: ...
    def all_ratings(self, guild: GuildId) -> dict[tuple[str, str], Rating]:
        """All of a server's, by group and player."""
        ...

    def all_luck(self, guild: GuildId) -> dict[str, Luck]: ...
    def forget_ratings(self, guild: GuildId) -> None: ...
    def note_lesson(self, key: TableKey, hand_no: int, lesson: int) -> None:
        """Let a hand's results be a part of this lesson."""
        ...

    def lessons(self, guild: GuildId) -> Iterator[Taken]:
        """The results that taught something, by lesson, table and seat."""
        ...

    def best_rated(self, guild: GuildId, group: str, *, least: int, limit: int, skip: int) -> list[Rated]:
        """Those with at least so many hands, best first."""
        ...

    def rated(self, guild: GuildId, group: str, *, least: int) -> int:
        """How many have played so many hands."""
        ...

    def rated_place(self, guild: GuildId, group: str, player: Player, *, least: int) -> tuple[Rated, Place] | None:
        """A player's line and place; None for somebody who is not ranked."""
        ...

    def rated_groups(self, guild: GuildId) -> list[str]:
        """The groups in which somebody is rated, the one with the most hands first."""
        ...


class RatingTx(Tx, Ratings, Protocol):
    """One transaction, also of ratings."""


def tx_of(s: Session) -> RatingTx:
    """The transaction, as ratings see it."""
    return cast(RatingTx, s.tx)
