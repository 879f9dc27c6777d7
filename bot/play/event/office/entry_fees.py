"""Entry fees, paid into the event's pool."""

from __future__ import annotations

from bot.model.ids import Player
from bot.model.reasons import BankReason, EventReason
from bot.play.event.floor.event_state import EventState
from bot.play.session import chips
from bot.pure.ofc.refusals import Refused


def require_fee(field: EventState, player: Player) -> None:
    """Raise Refused if the player can't pay the fee."""
    s, fee = field.s, field.event.structure.fee
    guild = field.key.guild
    have = chips.wallet(s, guild, player)
    if not fee:
        return
    if guild in s.frozen:
        raise Refused(BankReason.BOOKS_WRONG)
    chips.require_unfrozen(s, guild, player)
    if have < fee:
        raise Refused(EventReason.FEE_TOO_HIGH, need=fee, have=have)


def can_pay(field: EventState, player: Player) -> bool:
    """True if the player can pay the fee."""
    try:
        require_fee(field, player)
    except Refused:
        return False
    return True


def pay_fee(field: EventState, player: Player, *, cause: str) -> None:
    """Take the fee, if there is one."""
    s, fee, guild = field.s, field.event.structure.fee, field.key.guild
    if fee:
        pool = chips.pool_of(field.key)
        s.tx.ledger.hand_over(
            guild, payer=player, payee=pool, chips=fee, kind="entry_fee", cause=f"fee:{cause}", at=s.now
        )
