"""Chips that players claim or send, and chips that managers move.

A player can claim a refill or the bonus, and send chips to another player. Each action by a manager has a reason, and a
line each in the ledger and the audit log.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

from bot.model.bank import (
    MAX_CHIPS,
    MAX_DAYS,
    MAX_HANDS,
    MAX_HOURS,
    MAX_TRANSFER_FEE,
    MIN_CHIPS,
    Action,
    AuditEntry,
    BankTerms,
    Claim,
    ClaimOffer,
    PlayerTransfer,
)
from bot.model.clock import DAY, HOUR
from bot.model.ids import GuildId, Player, is_computer
from bot.model.limits import MAX_REASON_LENGTH
from bot.model.privacy import REMEMBERED_DAYS, RetainedRecord
from bot.model.reasons import BankReason, OrganiserReason
from bot.model.refusals import Stale
from bot.play import terms as terms_of
from bot.play.session import chips
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused

MINT = ""
"""Owner of the server's mint in the ledger."""
DISCORD_EPOCH_MS = 1_420_070_400_000


def made_at(player: Player) -> int:
    """Return when a Discord account was created (ms), according to its id."""
    return (int(player) >> 22) + DISCORD_EPOCH_MS


def offered(s: Session, guild: GuildId, player: Player) -> list[ClaimOffer]:
    """Return the chips that each claim would bring now; empty for frozen players."""
    terms = s.tx.bank.terms(guild)
    if chips.why_frozen(s, guild, player) is not None:
        return []
    return [_offer(s, guild, player, terms, claim) for claim in Claim if terms.offers(claim)]


def claim(s: Session, guild: GuildId, player: Player, kind: Claim) -> int:
    """Pay a refill or bonus into the wallet, and return the chips. Raises Refused."""
    terms = s.tx.bank.terms(guild)
    if not terms.offers(kind):
        raise Refused(BankReason.NO_CLAIM)
    chips.require_unfrozen(s, guild, player)
    if guild in s.frozen:
        raise Refused(BankReason.BOOKS_WRONG)
    have = _total_chips(s, guild, player)
    _require_terms(s, guild, player, terms)
    offer = _offer(s, guild, player, terms, kind)
    if offer.again_at is not None:
        raise Refused(BankReason.CLAIMED_ALREADY, when=str(offer.again_at // 1000))
    if not offer.chips:
        raise Refused(BankReason.ABOVE_FLOOR, floor=terms.refill_to, have=have)
    cause = _cause(terms, kind, player, s.now)
    s.tx.ledger.issue(guild, mint=MINT, payee=player, chips=offer.chips, kind=kind.value, cause=cause, at=s.now)
    return offer.chips


def send(
    s: Session, guild: GuildId, payer: Player, payee: Player, amount: int, *, terms: str | None = None, cause: str
) -> PlayerTransfer:
    """Send chips to another player's wallet, minus the fee, under the ``terms`` that were shown.

    Raises Refused, or OtherTerms.
    """
    bank, tx = s.tx.bank.terms(guild), s.tx
    if not bank.sends:
        raise Refused(BankReason.NO_TRANSFERS)
    if tx.bank.was_had(guild, payee, kind="sent", cause=f"send:{cause}"):
        raise Stale
    terms_of.require_unchanged(terms, terms_of.of_transfer(bank))
    if payer == payee:
        raise Refused(BankReason.NOT_TO_ONESELF)
    chips.require_unfrozen(s, guild, payer)
    if chips.why_frozen(s, guild, payee) is not None:
        raise Refused(BankReason.PAYEE_FROZEN, player=payee)
    if guild in s.frozen:
        raise Refused(BankReason.BOOKS_WRONG)
    _require_terms(s, guild, payer, bank)
    left = bank.transfer_cap - _sent_today(s, guild, payer)
    have = chips.wallet(s, guild, payer)
    if not 0 < amount <= left:
        raise Refused(BankReason.TRANSFER_CAP, most=max(0, left))
    if amount > have:
        raise Refused(BankReason.NOT_SO_MANY_CHIPS, have=have)
    fee = bank.fee_of(amount)
    if fee >= amount:
        raise Refused(BankReason.FEE_TAKES_ALL, least=-(-100 // (100 - bank.transfer_fee)))
    chips.wallet(s, guild, payee)
    if fee:
        tx.ledger.take_back(guild, mint=MINT, payer=payer, chips=fee, kind="fee", cause=f"send:{cause}", at=s.now)
    tx.ledger.hand_over(
        guild, payer=payer, payee=payee, chips=amount - fee, kind="sent", cause=f"send:{cause}", at=s.now
    )
    return PlayerTransfer(chips=amount - fee, fee=fee)


def remember(s: Session, guild: GuildId, player: Player) -> None:
    """Retain a record of the deleted player's claims and transfers in a server for some time."""
    tx, before = s.tx, chips.remembered(s, guild, player)
    frozen = chips.why_frozen(s, guild, player) is not None
    if not (frozen or before is not None or tx.ledger.has_wallet(guild, player)):
        return
    kept = RetainedRecord(
        until=s.now + REMEMBERED_DAYS * DAY,
        frozen=frozen,
        sent=_sent_today(s, guild, player),
        sent_at=s.now // DAY * DAY,
        refill_at=_last_had(s, guild, player, Claim.REFILL),
        bonus_at=_last_had(s, guild, player, Claim.BONUS),
    )
    chips.remember(s, guild, player, kept)


def _sent_today(s: Session, guild: GuildId, player: Player) -> int:
    """Return the chips that the player has sent today, including before a deletion."""
    day, before = s.now // DAY * DAY, chips.remembered(s, guild, player)
    return s.tx.bank.sent_since(guild, player, day) + (before.sent_since(day) if before else 0)


def _last_had(s: Session, guild: GuildId, player: Player, kind: Claim) -> int:
    """Return when the player last claimed this, including before a deletion; 0 if never."""
    before = chips.remembered(s, guild, player) or RetainedRecord(until=0)
    earlier = before.refill_at if kind is Claim.REFILL else before.bonus_at
    return max(s.tx.bank.last_had(guild, player, kind=kind.value) or 0, earlier)


def _total_chips(s: Session, guild: GuildId, player: Player) -> int:
    """Return the chips in the wallet, stacks and fees. The first call pays the starting grant."""
    have = chips.wallet(s, guild, player)
    return have + _in_play(s, guild, player)


def _in_play(s: Session, guild: GuildId, player: Player) -> int:
    tx = s.tx
    return tx.bank.chips_at_tables(guild, player) + tx.bank.fees_paid(guild, player, out_too=False)


def _offer(s: Session, guild: GuildId, player: Player, terms: BankTerms, kind: Claim) -> ClaimOffer:
    period, last = terms.hours(kind) * HOUR, _last_had(s, guild, player, kind)
    # A claim in the future was made before the machine's clock was set back.
    if last and last // period >= s.now // period:
        return ClaimOffer(claim=kind, chips=0, again_at=(last // period + 1) * period)
    if kind is Claim.BONUS:
        return ClaimOffer(claim=kind, chips=terms.bonus)
    have = chips.wallet_seen(s, guild, player)
    return ClaimOffer(claim=kind, chips=max(0, terms.refill_to - have - _in_play(s, guild, player)))


def _cause(terms: BankTerms, kind: Claim, player: Player, now: int) -> str:
    """Return the cause of a claim. It names the period, because the ledger pays each cause only once."""
    hours = terms.hours(kind)
    return f"{kind.value}:{player}:{hours}:{now // (hours * HOUR)}"


def _require_terms(s: Session, guild: GuildId, player: Player, terms: BankTerms) -> None:
    # If the machine's clock is slow, a new account can appear to be from the future.
    if terms.account_days and s.now - made_at(player) < terms.account_days * DAY:
        raise Refused(BankReason.ACCOUNT_TOO_YOUNG, days=terms.account_days)
    played = s.tx.bank.hands_for_chips(guild, player, most=terms.hands) if terms.hands else 0
    if played < terms.hands:
        raise Refused(BankReason.TOO_FEW_HANDS, need=terms.hands, have=played)


def change_chips(
    s: Session, guild: GuildId, manager: Player, player: Player, action: Action, amount: int, reason: str, *, cause: str
) -> AuditEntry:
    """Give or take chips, or set the wallet; raises Refused, or Stale if it was done already."""
    require_new(s, guild, cause)
    if is_computer(player):
        raise Refused(BankReason.NO_WALLET)
    if guild in s.frozen:
        raise Refused(BankReason.BOOKS_WRONG)
    have = chips.wallet(s, guild, player)
    change = {Action.GIVE: amount, Action.TAKE: -amount, Action.SET: amount - have}[action]
    if not MIN_CHIPS[action] <= amount <= MAX_CHIPS:
        raise Refused(BankReason.BAD_CHIPS, least=MIN_CHIPS[action], most=MAX_CHIPS)
    if have + change < 0:
        raise Refused(BankReason.NOT_SO_MANY_TO_TAKE, have=have)
    _move(s, guild, player, change, kind="given" if change > 0 else "taken", cause=cause)
    return write_audit(s, guild, manager, player, action, chips=change, reason=reason, cause=cause)


def freeze(s: Session, guild: GuildId, manager: Player, player: Player, reason: str, *, cause: str) -> AuditEntry:
    """Freeze a player's chips. Running games continue. Raises Refused or Stale."""
    require_new(s, guild, cause)
    if is_computer(player):
        raise Refused(BankReason.NO_WALLET)
    entry = write_audit(s, guild, manager, player, Action.FREEZE, chips=0, reason=reason, cause=cause)
    s.tx.bank.freeze(guild, player, entry.reason, at=s.now)
    return entry


def unfreeze(s: Session, guild: GuildId, manager: Player, player: Player, reason: str, *, cause: str) -> AuditEntry:
    """Unfreeze a player's chips; raises Refused or Stale."""
    require_new(s, guild, cause)
    if chips.why_frozen(s, guild, player) is None:
        raise Refused(BankReason.NOT_FROZEN)
    entry = write_audit(s, guild, manager, player, Action.UNFREEZE, chips=0, reason=reason, cause=cause)
    s.tx.bank.unfreeze(guild, player)
    kept = chips.remembered(s, guild, player)
    if kept is not None and kept.frozen:
        chips.remember(s, guild, player, replace(kept, frozen=False))
    return entry


def change_terms(
    s: Session, guild: GuildId, manager: Player, change: Callable[[BankTerms], BankTerms], *, cause: str
) -> BankTerms:
    """Change the bank's terms, and record the changes in the audit log. Raises Refused or Stale."""
    require_new(s, guild, cause)
    before = s.tx.bank.terms(guild)
    after = change(before)
    _require_valid(after)
    if after != before:
        s.tx.bank.save_terms(guild, after)
        write_audit(s, guild, manager, None, Action.TERMS, chips=0, reason=_changes_text(before, after), cause=cause)
    return after


def _changes_text(before: BankTerms, after: BankTerms) -> str:
    """Return the changed fields and their new values without translation: ``bank: bonus 100, audit_channel <#5>``."""
    values = {one.name: getattr(after, one.name) for one in fields(after)}
    changed = {name: value for name, value in values.items() if value != getattr(before, name)}
    if channel := changed.get("audit_channel"):
        changed["audit_channel"] = f"<#{channel}>"
    return "bank: " + ", ".join(f"{name} {'-' if value is None else value}" for name, value in changed.items())


def require_new(s: Session, guild: GuildId, cause: str) -> None:
    """Raise Stale if the action was done already."""
    if s.tx.bank.audited(guild, cause):
        raise Stale


def _require_valid(terms: BankTerms) -> None:
    amounts = (terms.refill_to, terms.bonus, terms.transfer_cap)
    if any(not 0 <= amount <= MAX_CHIPS for amount in amounts):
        raise Refused(BankReason.BAD_CHIPS, least=0, most=MAX_CHIPS)
    hours = (terms.refill_hours, terms.bonus_hours)
    if (
        any(not 0 < each <= MAX_HOURS for each in hours)
        or not 0 <= terms.account_days <= MAX_DAYS
        or not 0 <= terms.hands <= MAX_HANDS
        or not 0 <= terms.transfer_fee <= MAX_TRANSFER_FEE
    ):
        raise Refused(BankReason.BAD_TERMS)


def _move(s: Session, guild: GuildId, player: Player, change: int, *, kind: str, cause: str) -> None:
    tx, cause = s.tx, f"admin:{cause}"
    if change > 0:
        tx.ledger.issue(guild, mint=MINT, payee=player, chips=change, kind=kind, cause=cause, at=s.now)
    elif change < 0:
        tx.ledger.take_back(guild, mint=MINT, payer=player, chips=-change, kind=kind, cause=cause, at=s.now)


def write_audit(
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
    """Write a line of the audit log; raises Refused if the reason is missing or too long."""
    said = " ".join(reason.split())
    if not said or len(said) > MAX_REASON_LENGTH:
        raise Refused(OrganiserReason.NO_REASON)
    entry = AuditEntry(manager=manager, player=player, action=action, chips=chips, reason=said, at=s.now)
    return s.tx.bank.audit(guild, entry, cause=cause)
