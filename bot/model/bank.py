"""Values of a bank: what it gives and on which terms, and what managers did. Times are milliseconds, chips whole."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.model.ids import Player, TableId
from bot.model.standings import Season

MOST_HOURS = 24 * 366
MOST_FEE = 99
"""The highest fee of a transfer, in percent."""
MOST_CHIPS = 1_000_000_000
MOST_DAYS, MOST_HANDS = 3_650, 10_000


class Claim(Enum):
    """The kinds of chips that a player may claim from the bank."""

    REFILL = "refill"
    """Up to the floor, for those who are below it."""
    BONUS = "bonus"
    """The same for everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BankTerms:
    """The terms of a server's bank: what it gives, and to which players."""

    refill_to: int = 2_000
    """The floor in chips, wallet and stacks together; 0 for no refills."""
    refill_hours: int = 24
    """How long a period is in which one refill is had; periods are counted from 1970 (UTC), so 24 is a day."""
    bonus: int = 500
    """Chips; 0 for no bonus."""
    bonus_hours: int = 24
    account_days: int = 0
    """How old an account of Discord must be for either, and to send chips."""
    hands: int = 0
    """How many hands for chips a player must have played here for either, and to send chips."""
    transfer_cap: int = 0
    """The most that a player may send to others in a day (UTC), fee included; 0 for no transfers."""
    transfer_fee: int = 0
    """Percent of what is sent that the bank keeps, rounded up."""
    audit_channel: int | None = None
    """Where what managers do is told."""

    def offers(self, claim: Claim) -> bool:
        """True for a claim that this bank knows."""
        return bool(self.refill_to if claim is Claim.REFILL else self.bonus)

    @property
    def sends(self) -> bool:
        """True where players may send each other chips: something of them has to arrive."""
        return self.transfer_cap > 0 and self.transfer_fee < 100

    def fee_of(self, chips: int) -> int:
        """The fee that the bank keeps of chips that are sent."""
        return -(-chips * self.transfer_fee // 100)

    def hours(self, claim: Claim) -> int:
        """How long a period of this claim is."""
        return self.refill_hours if claim is Claim.REFILL else self.bonus_hours


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """The chips that a claim would bring a player now."""

    claim: Claim
    chips: int
    """0 where it brings nothing now."""
    again_at: int | None = None
    """When the next period begins, for one that was had in this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """Chips that went from one player to another."""

    chips: int
    """The chips that arrived."""
    fee: int
    """The chips that the bank kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonTerms:
    """How a server's seasons begin."""

    monthly: bool = False
    """With each month (UTC), by themselves."""
    reset_chips: bool = False
    """Everybody begins with the starting amount."""
    role: int | None = None
    """The role that the champions of a season get, and have until the next one ends; None for none."""
    role_by: Player | None = None
    """Who has chosen that role: it is given while they could still choose it."""
    title: str = ""
    """The title of the champions; empty for no other than that."""
    channel: int | None = None
    """Where the end of a season is told; None for nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonsPage:
    """The page of a server's seasons, for managers."""

    terms: SeasonTerms
    running: Season | None
    start_chips: int
    """The chips that everyone begins with where chips are reset."""
    last: Season | None
    """The one that ended last."""

    @property
    def newest(self) -> int:
        """The number of the season that runs, or ran last; 0 where there was none."""
        return max((season.number for season in (self.running, self.last) if season is not None), default=0)


class Action(Enum):
    """An action of a manager."""

    GIVE = "give"
    TAKE = "take"
    SET = "set"
    FREEZE = "freeze"
    UNFREEZE = "unfreeze"
    TERMS = "terms"
    ADD = "add"
    """New chips in the prize pool of an event that starts; fewer than 0 where it is called off, and they go again."""
    ADD_PLAYING = "add_playing"
    """The same by somebody who takes part in the event."""
    WON = "won"
    """Who has won how much of a prize pool to which a manager had added chips; the entry names that manager."""


LEAST = {Action.GIVE: 1, Action.TAKE: 1, Action.SET: 0}
"""The fewest chips of each change of a wallet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One line of the audit log."""

    manager: Player
    player: Player | None
    """Whom it is about; None for the terms and a prize pool."""
    action: Action
    chips: int
    """By how much the wallet, or the prize pool, grew or shrank."""
    reason: str
    at: int
    number: int = 0
    """Its place in the log of the server, from 1 on; 0 until it is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Chips that went from one player to another, less what came back."""

    payer: Player
    payee: Player
    chips: int
    times: int
    """In how many hands the payer lost chips to the payee, or how often either sent something."""
    of: int = 0
    """In how many hands either paid the other; 0 for what was sent."""
    sent: bool = False
    """They were sent from wallet to wallet; else they went at tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """One line of a wallet's history: chips in (positive) or out."""

    chips: int
    kind: str
    at: int
    table: TableId | None
    event: str = ""
    """The name of the event whose prize pool paid or was paid; empty for none."""
