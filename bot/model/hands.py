"""What is kept of a hand: its record, its deal, its results, its sealed seed; and the hands that a player looks for.

Times are milliseconds, chips whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from bot.model.ids import GuildId, Player, TableKey
from bot.pure.ofc.deck import Dealt
from bot.pure.ofc.proof import Leaf
from bot.pure.ofc.variants import Variant


class HandState(Enum):
    """Where a numbered hand is."""

    PLAYING = "playing"
    SETTLED = "settled"
    VOID = "void"
    UNDEALT = "undealt"
    """Committed to, and never dealt: the table closed, or the database was restored from a copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDeal:
    """A deck that several tables are dealt: its name and entropy take the place of the hand's own."""

    name: str
    entropy: tuple[tuple[Player, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """How a hand was committed to with many others, and what its deck follows from besides (version 2)."""

    epoch: str
    leaf: Leaf
    """Without a path where the secret could not be opened when the hand was due: what is sealed is that secret then."""
    dealt: Dealt


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """The record of a hand, kept beside its facts; the deck is recomputed from it."""

    hand_no: int
    variant: Variant
    state: HandState
    commitment: bytes
    sealed_seed: bytes
    entropy: tuple[tuple[Player, str], ...]
    """Players in the order of seats with what they put into the shuffle."""
    point_value: int
    started_at: int
    ended_at: int | None = None
    reason: str | None = None
    shared: SharedDeal | None = None
    """Where several tables are dealt the same deck."""
    deal: Deal | None = None
    """None for a hand that was committed to by itself (version 1), as shared decks are."""
    told_in: int | None = None
    """The channel, or thread, of the message that tells its result; None where there is none."""
    told_by: int | None = None
    """That message."""
    kept_deck: bytes | None = None
    """The deck, hidden by the seed, where it follows no longer from the entropy: somebody's was deleted."""

    kept_entropy: bytes | None = None
    """The whole entropy, hidden by the seed, while its record stays whole after somebody's was deleted."""

    @property
    def stirred_by(self) -> tuple[tuple[Player, str], ...]:
        """The entropy of its shuffle."""
        return self.shared.entropy if self.shared else self.entropy

    def id_at(self, key: TableKey) -> str:
        """Its own id at the table with this key."""
        return hand_id(key, self.hand_no, epoch=self.deal.epoch if self.deal else "")

    def deal_name(self, key: TableKey) -> str:
        """The name under which it was committed to and shuffled."""
        return self.shared.name if self.shared else self.id_at(key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a hand for one player."""

    player: Player
    points: int
    chips: int
    fantasyland: int
    """Cards that they are dealt in Fantasyland next hand, 0 for none."""
    foul: bool
    ranked: bool
    """False where a computer sat at the table or no chips were played for."""
    game: str = ""
    """The key of the preset; empty in results of which no hand is left."""
    royalties: int = 0
    """The royalties of the board; 0 for a foul."""
    in_fantasyland: bool = False
    """True for a board that was set in Fantasyland."""
    seat: int = 0
    """Where they sat, from 0 on in the order of seats."""
    met: int = 0
    """The opponents that the board was compared with."""
    scoops: int = 0
    """How many of them it scooped."""
    royal: bool = False
    """True for a board that held a royal flush."""
    played: bool = True
    """False for a board of which its player placed no card, not even in a draft: it earns no badge."""
    wins_in_row: int = 0
    """Of hands for chips, how many they have won in a row at the table, this one included; 0 where it was not won."""
    lands_in_row: int = 0
    """The same of Fantasylands that they have played one after the other."""


def hand_id(key: TableKey, hand_no: int, *, epoch: str = "") -> str:
    """The name of a hand in the shuffle, unique for ever: ``guild/table/hand``, after a restore with its epoch."""
    return "/".join(filter(None, (f"{key.guild}/{key.table}/{hand_no}", epoch)))


def tree_id(key: TableKey, first: int, *, epoch: str) -> str:
    """The name under which the secret is sealed from which the decks of a table follow, from hand ``first`` on."""
    return f"{hand_id(key, first, epoch=epoch)}/tree"


class Vault(Protocol):
    """Seals seeds for storage. ``unseal`` raises SeedLostError when the key is gone or the bytes are damaged."""

    def new_seed(self) -> bytes: ...
    def seal(self, seed: bytes, *, hand_id: str) -> bytes: ...
    def marks(self, text: str) -> Sequence[bytes]:
        """Keyed hashes of a text, one by each key, that of the current one first."""
        ...

    def unseal(self, sealed: bytes, *, hand_id: str) -> bytes: ...


class Within(Enum):
    """How long ago a hand was played at most."""

    EVER = "ever"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    @property
    def days(self) -> int:
        """0 without a limit."""
        return {Within.EVER: 0, Within.DAY: 1, Within.WEEK: 7, Within.MONTH: 30}[self]


class Outcome(Enum):
    """The outcome of a hand for the player."""

    ANY = "any"
    WON = "won"
    LOST = "lost"
    FOUL = "foul"
    FANTASYLAND = "fantasyland"
    """It earned Fantasyland."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which hands somebody looks for."""

    game: str = ""
    """The key of a preset; empty for all games. A house's game counts to its preset."""
    opponent: Player | None = None
    within: Within = Within.EVER
    outcome: Outcome = Outcome.ANY


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """Which hands are written into files: those settled, dealt from ``since`` on and before ``until`` (ms)."""

    guild: GuildId | None
    """None for all servers."""
    player: Player | None
    """None for everybody's."""
    since: int
    until: int
