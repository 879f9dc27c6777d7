"""Stored values of a hand: its record, deal, results and sealed seed, and filters for finding hands.

Times are in milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from bot.model.ids import GuildId, Player, TableKey
from bot.pure.ofc.deck import DealInputs
from bot.pure.ofc.proof import Leaf
from bot.pure.ofc.variants import Variant


class HandState(Enum):
    """State of a numbered hand."""

    PLAYING = "playing"
    SETTLED = "settled"
    VOID = "void"
    UNDEALT = "undealt"
    """Committed to but never dealt, because the table closed or the database was restored from a copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDeal:
    """A deck shared by several tables. Its name and entropy replace the hand's own."""

    name: str
    entropy: tuple[tuple[Player, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRecord:
    """A hand's data for version 2: its place in a shared commitment, and further inputs to its deck."""

    epoch: str
    leaf: Leaf
    """Leaf in the hash tree. Without a path, the secret couldn't be opened in time, and that secret is sealed."""
    dealt: DealInputs


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """Record of a hand, stored next to its facts. The deck is recomputed from it."""

    hand_no: int
    variant: Variant
    state: HandState
    commitment: bytes
    sealed_seed: bytes
    entropy: tuple[tuple[Player, str], ...]
    """Players in seat order, with their entropy for the shuffle."""
    point_value: int
    started_at: int
    ended_at: int | None = None
    reason: str | None = None
    shared: SharedDeal | None = None
    """The shared deck; None if the hand has its own."""
    deal: DealRecord | None = None
    """The deal; None for a hand with its own commitment (version 1). Shared decks have one too."""
    told_in: int | None = None
    """Channel or thread of the message with the hand's result; None if there is none."""
    told_by: int | None = None
    """Id of that message."""
    kept_deck: bytes | None = None
    """The deck, encrypted with the seed, if a deletion removed entropy needed to recompute it."""

    kept_entropy: bytes | None = None
    """The full entropy, encrypted with the seed, as long as the record must stay complete after a deletion."""

    @property
    def stirred_by(self) -> tuple[tuple[Player, str], ...]:
        """Entropy used in the shuffle."""
        return self.shared.entropy if self.shared else self.entropy

    def id_at(self, key: TableKey) -> str:
        """Return the hand's own id at the table with this key."""
        return hand_id(key, self.hand_no, epoch=self.deal.epoch if self.deal else "")

    def deal_name(self, key: TableKey) -> str:
        """Return the name used in the hand's commitment and shuffle."""
        return self.shared.name if self.shared else self.id_at(key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A player's result in one hand."""

    player: Player
    points: int
    chips: int
    fantasyland: int
    """Fantasyland cards in the next hand; 0 for none."""
    foul: bool
    ranked: bool
    """False if a computer sat at the table or the hand wasn't played for chips."""
    game: str = ""
    """Key of the preset; empty if the hand is no longer stored."""
    royalties: int = 0
    """Royalties of the board; 0 for a foul."""
    in_fantasyland: bool = False
    """True if the board was set in Fantasyland."""
    seat: int = 0
    """Seat from 0."""
    met: int = 0
    """Number of opponents whose boards were compared with this one."""
    scoops: int = 0
    """Number of opponents scooped."""
    royal: bool = False
    """True if the board has a royal flush."""
    played: bool = True
    """False if the player placed no cards, not even in a draft. Such a board earns no badges."""
    wins_in_row: int = 0
    """Consecutive wins in hands for chips at the table, including this one; 0 if this hand wasn't won."""
    lands_in_row: int = 0
    """Consecutive hands in Fantasyland at the table, including this one."""


def hand_id(key: TableKey, hand_no: int, *, epoch: str = "") -> str:
    """Return a hand's permanently unique name for the shuffle: ``guild/table/hand``, plus an epoch after a restore."""
    return "/".join(filter(None, (f"{key.guild}/{key.table}/{hand_no}", epoch)))


def tree_id(key: TableKey, first: int, *, epoch: str) -> str:
    """Return the name under which the secret for a table's decks is sealed, starting with hand ``first``."""
    return f"{hand_id(key, first, epoch=epoch)}/tree"


class Vault(Protocol):
    """Encrypts seeds for storage. ``unseal`` raises SeedLostError if the key is missing or the bytes are damaged."""

    def new_seed(self) -> bytes: ...
    def seal(self, seed: bytes, *, hand_id: str) -> bytes: ...
    def marks(self, text: str) -> Sequence[bytes]:
        """Return a keyed hash of ``text`` for each key, starting with the current key."""
        ...

    def unseal(self, sealed: bytes, *, hand_id: str) -> bytes: ...


class HandAge(Enum):
    """Maximum age of a hand."""

    EVER = "ever"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    @property
    def days(self) -> int:
        """The age in days; 0 for no limit."""
        return {HandAge.EVER: 0, HandAge.DAY: 1, HandAge.WEEK: 7, HandAge.MONTH: 30}[self]


class HandOutcome(Enum):
    """A player's outcome in a hand."""

    ANY = "any"
    WON = "won"
    LOST = "lost"
    FOUL = "foul"
    FANTASYLAND = "fantasyland"
    """The hand earned Fantasyland."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandFilter:
    """Filter for finding hands."""

    game: str = ""
    """Key of a preset; empty for all games. Custom games count as their preset."""
    opponent: Player | None = None
    within: HandAge = HandAge.EVER
    outcome: HandOutcome = HandOutcome.ANY


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFilter:
    """Filter for exporting settled hands, dealt from ``since`` until just before ``until`` (ms)."""

    guild: GuildId | None
    """The server; None for all servers."""
    player: Player | None
    """The player; None for all players."""
    since: int
    until: int
