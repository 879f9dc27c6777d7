"""What a bank gives and under which terms, and what managers have done. Times are milliseconds, chips are whole."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.play.model import Player
from bot.play.standings import Season

MOST_HOURS = 24 * 366
MOST_CHIPS = 1_000_000_000
MOST_DAYS, MOST_HANDS = 3_650, 10_000
LONGEST_REASON = 200


class Claim(Enum):
    """What a player may ask of the bank."""

    REFILL = "refill"
    """Up to the floor, for those who are below it."""
    BONUS = "bonus"
    """The same for everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a server's bank gives, and to whom."""

    refill_to: int = 2_000
    """The floor in chips, wallet and stacks together; 0 for no refills."""
    refill_hours: int = 24
    """How long a period is in which one refill is had; periods are counted from 1970 (UTC), so 24 is a day."""
    bonus: int = 500
    """Chips; 0 for no bonus."""
    bonus_hours: int = 24
    account_days: int = 0
    """How old an account of Discord must be for either."""
    hands: int = 0
    """How many hands for chips a player must have played here for either."""
    transfer_cap: int = 0
    """The most that a player may send to others in a day (UTC), fee included; 0 for no transfers."""
    transfer_fee: int = 0
    """Percent of what is sent that the bank keeps, rounded up."""
    audit_channel: int | None = None
    """Where what managers do is told."""

    def offers(self, claim: Claim) -> bool:
        """True for a claim that this bank knows."""
        return bool(self.refill_to if claim is Claim.REFILL else self.bonus)

    def hours(self, claim: Claim) -> int:
        """How long a period of this claim is."""
        return self.refill_hours if claim is Claim.REFILL else self.bonus_hours


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """What a claim would bring a player now."""

    claim: Claim
    chips: int
    """0 where it brings nothing now."""
    again_at: int | None = None
    """When the next period begins, for one that was had in this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """Chips that went from one player to another."""

    chips: int
    """What arrived."""
    fee: int
    """What the bank kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonTerms:
    """How a server's seasons begin."""

    monthly: bool = False
    """With each month (UTC), by themselves."""
    reset_chips: bool = False
    """Everybody begins with the starting amount."""
    role: int | None = None
    """The role that the champions of a season get, and have until the next one ends; None for none."""
    title: str = ""
    """What the champions are called; empty for nothing more than that."""
    channel: int | None = None
    """Where the end of a season is told; None for nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonsPage:
    """What managers see of a server's seasons."""

    terms: SeasonTerms
    running: Season | None
    start_chips: int
    """What everybody begins with where chips are reset."""
    last: Season | None
    """The one that ended last."""


class Action(Enum):
    """What a manager does."""

    GIVE = "give"
    TAKE = "take"
    SET = "set"
    FREEZE = "freeze"
    UNFREEZE = "unfreeze"
    TERMS = "terms"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One line of the audit log."""

    manager: Player
    player: Player | None
    """Whom it is about; None for the terms."""
    action: Action
    chips: int
    """By how much the wallet grew, or shrank."""
    reason: str
    at: int
    number: int = 0
    """Its place in the log of the server, from 1 on; 0 until it is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Chips that went from one player to another at tables, less what came back."""

    payer: Player
    payee: Player
    chips: int
    hands: int
    """In how many hands either paid the other."""
