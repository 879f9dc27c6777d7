"""What players ask of the bank: a refill, the bonus, and to send chips to somebody."""

from __future__ import annotations

from bot.ofc.refusals import Refused
from bot.play import chips
from bot.play.bank.model import Claim, Offered, Sent, Terms
from bot.play.bank.ports import tx_of
from bot.play.clock import DAY, HOUR
from bot.play.model import GuildId, Player
from bot.play.refusals import PlayReason, Stale
from bot.play.session import Session

MINT = ""
"""The owner of the server's own mint."""
BANK = Player(MINT)
DISCORD_EPOCH_MS = 1_420_070_400_000


def made_at(player: Player) -> int:
    """When an account of Discord was made (ms): its id tells."""
    return (int(player) >> 22) + DISCORD_EPOCH_MS


def offered(s: Session, guild: GuildId, player: Player) -> list[Offered]:
    """What each claim that the server's bank knows would bring now."""
    terms = tx_of(s).terms(guild)
    return [_offer(s, guild, player, terms, claim) for claim in Claim if terms.offers(claim)]


def claim(s: Session, guild: GuildId, player: Player, kind: Claim) -> int:
    """Pay a refill or the bonus into the wallet; returns the chips. Raises Refused."""
    terms = tx_of(s).terms(guild)
    if not terms.offers(kind):
        raise Refused(PlayReason.NO_CLAIM)
    chips.demand_free(s.tx, guild, player)
    if guild in s.frozen:
        raise Refused(PlayReason.BOOKS_WRONG)
    have = _everything(s, guild, player)
    _demand_terms(s, guild, player, terms)
    offer = _offer(s, guild, player, terms, kind)
    if offer.again_at is not None:
        raise Refused(PlayReason.CLAIMED_ALREADY, when=str(offer.again_at // 1000))
    if not offer.chips:
        raise Refused(PlayReason.ABOVE_FLOOR, floor=terms.refill_to, have=have)
    cause = _cause(terms, kind, player, s.now)
    tx_of(s).issue(guild, mint=MINT, payee=player, chips=offer.chips, kind=kind.value, cause=cause, at=s.now)
    return offer.chips


def send(s: Session, guild: GuildId, payer: Player, payee: Player, amount: int, *, cause: str) -> Sent:
    """Move chips from one wallet to another, less the fee; raises Refused."""
    terms, tx = tx_of(s).terms(guild), tx_of(s)
    if not terms.transfer_cap:
        raise Refused(PlayReason.NO_TRANSFERS)
    # Of a few chips the fee takes all, and nothing arrives.
    if any(tx.was_had(guild, to, kind=kind, cause=f"send:{cause}") for to, kind in ((payee, "sent"), (BANK, "fee"))):
        raise Stale
    if payer == payee:
        raise Refused(PlayReason.NOT_TO_ONESELF)
    for player in (payer, payee):
        chips.demand_free(s.tx, guild, player)
    if guild in s.frozen:
        raise Refused(PlayReason.BOOKS_WRONG)
    left = terms.transfer_cap - tx.sent_since(guild, payer, s.now // DAY * DAY)
    have = chips.wallet(tx, guild, payer, grant=s.policy.start_chips, now=s.now)
    if not 0 < amount <= left:
        raise Refused(PlayReason.TRANSFER_CAP, most=max(0, left))
    if amount > have:
        raise Refused(PlayReason.NOT_SO_MANY_CHIPS, have=have)
    chips.wallet(tx, guild, payee, grant=s.policy.start_chips, now=s.now)
    fee = -(-amount * terms.transfer_fee // 100)
    if fee:
        tx.take_back(guild, mint=MINT, payer=payer, chips=fee, kind="fee", cause=f"send:{cause}", at=s.now)
    if amount > fee:
        tx.hand_over(guild, payer=payer, payee=payee, chips=amount - fee, kind="sent", cause=f"send:{cause}", at=s.now)
    return Sent(chips=amount - fee, fee=fee)


def _everything(s: Session, guild: GuildId, player: Player) -> int:
    """Wallet and stacks; the first use of the bot brings the starting grant."""
    have = chips.wallet(s.tx, guild, player, grant=s.policy.start_chips, now=s.now)
    return have + tx_of(s).chips_at_tables(guild, player)


def _offer(s: Session, guild: GuildId, player: Player, terms: Terms, kind: Claim) -> Offered:
    tx, hours = tx_of(s), terms.hours(kind)
    if tx.was_had(guild, player, kind=kind.value, cause=_cause(terms, kind, player, s.now)):
        period = hours * HOUR
        return Offered(claim=kind, chips=0, again_at=(s.now // period + 1) * period)
    if kind is Claim.BONUS:
        return Offered(claim=kind, chips=terms.bonus)
    have = s.tx.wallet(guild, player) if s.tx.has_wallet(guild, player) else s.policy.start_chips
    return Offered(claim=kind, chips=max(0, terms.refill_to - have - tx.chips_at_tables(guild, player)))


def _cause(terms: Terms, kind: Claim, player: Player, now: int) -> str:
    """Names the period: the ledger pays a cause once."""
    hours = terms.hours(kind)
    return f"{kind.value}:{player}:{hours}:{now // (hours * HOUR)}"


def _demand_terms(s: Session, guild: GuildId, player: Player, terms: Terms) -> None:
    # By the machine's clock an account that was just made may come from the future.
    if terms.account_days and s.now - made_at(player) < terms.account_days * DAY:
        raise Refused(PlayReason.ACCOUNT_TOO_YOUNG, days=terms.account_days)
    played = tx_of(s).hands_for_chips(guild, player, most=terms.hands) if terms.hands else 0
    if played < terms.hands:
        raise Refused(PlayReason.TOO_FEW_HANDS, need=terms.hands, have=played)
