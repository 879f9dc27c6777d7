"""Values of a server's bank: its terms, claims, transfers, seasons and audit log. Times are in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.model.ids import Player, TableId
from bot.model.standings import Season

MAX_HOURS = 24 * 366
MAX_TRANSFER_FEE = 99
"""Maximum transfer fee, in percent."""
MAX_CHIPS = 1_000_000_000
MAX_DAYS, MAX_HANDS = 3_650, 10_000


class Claim(Enum):
    """Kinds of chips that players can claim from the bank."""

    REFILL = "refill"
    """Brings the player's chips up to the floor."""
    BONUS = "bonus"
    """A fixed amount for everyone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BankTerms:
    """Terms of a server's bank."""

    refill_to: int = 2_000
    """Floor for wallet and stacks together, in chips; 0 for no refills."""
    refill_hours: int = 24
    """Hours per period. A player can take one refill per period. Periods count from 1970 (UTC), so 24 means days."""
    bonus: int = 500
    """Bonus in chips; 0 for none."""
    bonus_hours: int = 24
    account_days: int = 0
    """Minimum age (days) of a Discord account that claims or sends chips."""
    hands: int = 0
    """Minimum number of hands for chips that a player must have played here to claim or send chips."""
    transfer_cap: int = 0
    """Maximum number of chips a player can send per day (UTC), including the fee; 0 for no transfers."""
    transfer_fee: int = 0
    """Percentage of a transfer that the bank keeps, rounded up."""
    audit_channel: int | None = None
    """Channel for reports of the managers' actions; None for none."""

    def offers(self, claim: Claim) -> bool:
        """True if the bank offers ``claim``."""
        return bool(self.refill_to if claim is Claim.REFILL else self.bonus)

    @property
    def sends(self) -> bool:
        """True if players can send each other chips. A fee of 100 % would leave nothing."""
        return self.transfer_cap > 0 and self.transfer_fee < 100

    def fee_of(self, chips: int) -> int:
        """Return the fee for sending ``chips``."""
        return -(-chips * self.transfer_fee // 100)

    def hours(self, claim: Claim) -> int:
        """Return the length of ``claim``'s period in hours."""
        return self.refill_hours if claim is Claim.REFILL else self.bonus_hours


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimOffer:
    """The result of a claim if a player made it now."""

    claim: Claim
    chips: int
    """Chips that would be paid; 0 if there are none now."""
    again_at: int | None = None
    """When the next period starts; None if the claim hasn't been made in this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTransfer:
    """A transfer between two players."""

    chips: int
    """Chips received."""
    fee: int
    """Chips kept by the bank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonTerms:
    """A server's settings for seasons."""

    monthly: bool = False
    """True to start a new season automatically each month (UTC)."""
    reset_chips: bool = False
    """True to reset everyone to the starting chips."""
    role: int | None = None
    """Role for a season's champions until the next season ends; None for none."""
    role_by: Player | None = None
    """The manager who chose the role. It's given only while they are still allowed to choose it."""
    title: str = ""
    """The champions' title; empty for the default."""
    channel: int | None = None
    """Channel for the announcement of a season's end; None for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonsPage:
    """The managers' page about seasons."""

    terms: SeasonTerms
    running: Season | None
    start_chips: int
    """Each player's chips after a reset."""
    last: Season | None
    """The most recently ended season."""

    @property
    def newest(self) -> int:
        """The number of the current or last season; 0 if there was none."""
        return max((season.number for season in (self.running, self.last) if season is not None), default=0)


class Action(Enum):
    """A manager's action in the audit log."""

    GIVE = "give"
    TAKE = "take"
    SET = "set"
    FREEZE = "freeze"
    UNFREEZE = "unfreeze"
    TERMS = "terms"
    ADD = "add"
    """New chips for an event's prize pool at its start; negative if the event is cancelled and they are removed."""
    ADD_PLAYING = "add_playing"
    """Like ``ADD``, by a manager who plays in the event."""
    WON = "won"
    """A player's prize from a pool with added chips. The entry names the manager who added them."""
    RULING = "ruling"
    """A ruling on a finished event, with the player's chips taken back or repaid. Its author may be an organiser."""


MIN_CHIPS = {Action.GIVE: 1, Action.TAKE: 1, Action.SET: 0}
"""Minimum number of chips for each change of a wallet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One line of the audit log."""

    manager: Player
    player: Player | None
    """The player affected; None for the bank's terms and prize pools."""
    action: Action
    chips: int
    """Change in the wallet or prize pool."""
    reason: str
    at: int
    number: int = 0
    """Number in the server's log, starting at 1; 0 until it's written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipFlow:
    """Net chips from one player to another."""

    payer: Player
    payee: Player
    chips: int
    times: int
    """Number of hands in which the payer lost chips to the payee, or of transfers in either direction."""
    of: int = 0
    """Number of hands in which either paid the other; 0 for transfers."""
    sent: bool = False
    """True for transfers between wallets, False for chips won at tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """One line of a wallet's history; ``chips`` is negative for chips paid out."""

    chips: int
    kind: str
    at: int
    table: TableId | None
    event: str = ""
    """Name of the event whose prize pool paid or received the chips; empty for none."""
