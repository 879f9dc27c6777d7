"""The actions of managers on chips: each has a reason, a line in the ledger and one in the audit log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.model.bank import (
    LONGEST_REASON,
    MOST_CHIPS,
    MOST_DAYS,
    MOST_HANDS,
    MOST_HOURS,
    Action,
    AuditEntry,
    BankTerms,
)
from bot.model.ids import GuildId, Player, is_computer
from bot.model.refusals import PlayReason, Stale
from bot.ofc.refusals import Refused
from bot.play.bank.claims import MINT
from bot.play.session import chips
from bot.play.session.session import Session


def change_chips(
    s: Session, guild: GuildId, manager: Player, player: Player, action: Action, amount: int, reason: str, *, cause: str
) -> AuditEntry:
    """Give chips, take them, or set the wallet to a number; raises Refused, or Stale for what was done already."""
    demand_new(s, guild, cause)
    if is_computer(player):
        raise Refused(PlayReason.NO_WALLET)
    if guild in s.frozen:
        raise Refused(PlayReason.BOOKS_WRONG)
    have = chips.wallet(s, guild, player)
    change = {Action.GIVE: amount, Action.TAKE: -amount, Action.SET: amount - have}[action]
    if not 0 <= amount <= MOST_CHIPS or (amount == 0 and action is not Action.SET):
        raise Refused(PlayReason.BAD_CHIPS, most=MOST_CHIPS)
    if have + change < 0:
        raise Refused(PlayReason.NOT_SO_MANY_TO_TAKE, have=have)
    _move(s, guild, player, change, kind="given" if change > 0 else "taken", cause=cause)
    return written(s, guild, manager, player, action, chips=change, reason=reason, cause=cause)


def freeze(s: Session, guild: GuildId, manager: Player, player: Player, reason: str, *, cause: str) -> AuditEntry:
    """Keep a player from moving chips; what they play goes on. Raises Refused or Stale."""
    demand_new(s, guild, cause)
    if is_computer(player):
        raise Refused(PlayReason.NO_WALLET)
    entry = written(s, guild, manager, player, Action.FREEZE, chips=0, reason=reason, cause=cause)
    s.tx.freeze(guild, player, entry.reason, at=s.now)
    return entry


def unfreeze(s: Session, guild: GuildId, manager: Player, player: Player, reason: str, *, cause: str) -> AuditEntry:
    """Let them move chips again; raises Refused or Stale."""
    demand_new(s, guild, cause)
    if chips.why_frozen(s, guild, player) is None:
        raise Refused(PlayReason.NOT_FROZEN)
    entry = written(s, guild, manager, player, Action.UNFREEZE, chips=0, reason=reason, cause=cause)
    s.tx.unfreeze(guild, player)
    kept = chips.remembered(s, guild, player)
    if kept is not None and kept.frozen:
        chips.remember(s, guild, player, replace(kept, frozen=False))
    return entry


def change_terms(
    s: Session, guild: GuildId, manager: Player, change: Callable[[BankTerms], BankTerms], *, said: str, cause: str
) -> BankTerms:
    """Change what the bank gives; ``said`` tells the audit log what was written. Raises Refused or Stale."""
    demand_new(s, guild, cause)
    before = s.tx.terms(guild)
    after = change(before)
    _demand_sense(after)
    if after != before:
        s.tx.save_terms(guild, after)
        written(s, guild, manager, None, Action.TERMS, chips=0, reason=said[:LONGEST_REASON], cause=cause)
    return after


def demand_new(s: Session, guild: GuildId, cause: str) -> None:
    """Raise Stale for what was done already."""
    if s.tx.audited(guild, cause):
        raise Stale


def _demand_sense(terms: BankTerms) -> None:
    amounts = (terms.refill_to, terms.bonus, terms.transfer_cap)
    if any(not 0 <= amount <= MOST_CHIPS for amount in amounts):
        raise Refused(PlayReason.BAD_CHIPS, most=MOST_CHIPS)
    hours = (terms.refill_hours, terms.bonus_hours)
    if (
        any(not 0 < each <= MOST_HOURS for each in hours)
        or not 0 <= terms.account_days <= MOST_DAYS
        or not 0 <= terms.hands <= MOST_HANDS
        or not 0 <= terms.transfer_fee < 100
    ):
        raise Refused(PlayReason.BAD_TERMS)


def _move(s: Session, guild: GuildId, player: Player, change: int, *, kind: str, cause: str) -> None:
    tx, cause = s.tx, f"admin:{cause}"
    if change > 0:
        tx.issue(guild, mint=MINT, payee=player, chips=change, kind=kind, cause=cause, at=s.now)
    elif change < 0:
        tx.take_back(guild, mint=MINT, payer=player, chips=-change, kind=kind, cause=cause, at=s.now)


def written(
    s: Session,
    guild: GuildId,
    manager: Player,
    player: Player | None,
    action: Action,
    *,
    chips: int,
    reason: str,
    cause: str,
) -> AuditEntry:
    """Write a line of the audit log; raises Refused for one without a reason."""
    said = " ".join(reason.split())
    if not said or len(said) > LONGEST_REASON:
        raise Refused(PlayReason.NO_REASON)
    entry = AuditEntry(manager=manager, player=player, action=action, chips=chips, reason=said, at=s.now)
    return s.tx.audit(guild, entry, cause=cause)
