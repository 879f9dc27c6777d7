"""Players' chips. Each server has its own, and each movement is a transfer, so chips never appear or disappear.

The mint pays a newcomer's grant into their wallet. A buy-in, rebuy or top-up moves chips from the wallet to the seat's
stack, where they are in escrow. Settlement moves them between stacks, and leaving moves the stack back to the wallet.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.ids import EventKey, GuildId, Player, is_computer
from bot.model.limits import MIN_BUY_IN_POINTS
from bot.model.privacy import RetainedRecord
from bot.model.reasons import BankReason, TableReason
from bot.model.tables import Table
from bot.play.session import memory
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused
from bot.store.transaction import Tx


def pool_of(key: EventKey) -> str:
    """Return the ledger's account of an event's prize pool."""
    return f"pool:{key.number}"


def mint_of(key: EventKey) -> str:
    """Return the account of an event's mint, which issues its chips and takes them back at the end."""
    return f"event:{key.number}"


def purse_of(key: EventKey, player: str) -> str:
    """Return the account of an entrant's chips while they aren't at a table."""
    return f"event:{key.number}:{player}"


def wallet(s: Session, guild: GuildId, player: Player) -> int:
    """Return the player's chips outside of tables. The first call in a server pays them the starting grant."""
    if not s.tx.ledger.has_wallet(guild, player):
        s.tx.ledger.grant(guild, player, start_of(s, guild, player), cause=f"grant:{player}", at=s.now)
    return s.tx.ledger.wallet(guild, player)


def wallet_seen(s: Session, guild: GuildId, player: Player) -> int:
    """Return the player's chips outside of tables, without paying the starting grant."""
    return s.tx.ledger.wallet(guild, player) if s.tx.ledger.has_wallet(guild, player) else start_of(s, guild, player)


def start_of(s: Session, guild: GuildId, player: Player) -> int:
    """Return a player's starting grant. It's 0 for some time after a deletion, so that deletions don't create chips."""
    return s.policy.start_chips if remembered(s, guild, player) is None else 0


def remembered(s: Session, guild: GuildId, player: Player) -> RetainedRecord | None:
    """Return a server's retained record of a deleted player; None if there is none or it has expired."""
    kept = s.tx.remembered.remembered(guild, memory.marks(s, guild, player))
    return kept if kept is not None and kept.until > s.now else None


def is_back(s: Session, guild: GuildId, players: Sequence[Player]) -> bool:
    """True if any of the players is back from a recent deletion."""
    marks = [mark for player in players if not is_computer(player) for mark in memory.marks(s, guild, player)]
    return s.tx.remembered.remembers_any(guild, marks, now=s.now)


def remember(s: Session, guild: GuildId, player: Player, kept: RetainedRecord) -> None:
    """Store the record that a server retains of a deleted player, replacing any earlier one."""
    s.tx.remembered.remember(guild, memory.marks(s, guild, player), kept)


def why_frozen(s: Session, guild: GuildId, player: Player) -> Refused | None:
    """Return the refusal if a player's chips are frozen, even from before a deletion; None if they aren't."""
    why = s.tx.bank.frozen_because(guild, player)
    if why is not None:
        return Refused(BankReason.FROZEN, why=why)
    kept = remembered(s, guild, player)
    return Refused(BankReason.STILL_FROZEN, when=str(kept.until // 1000)) if kept is not None and kept.frozen else None


def require_unfrozen(s: Session, guild: GuildId, player: Player) -> None:
    """Raise Refused if the player's chips are frozen."""
    frozen = why_frozen(s, guild, player)
    if frozen is not None:
        raise frozen


def buy_in(s: Session, table: Table, player: Player, *, cause: str) -> None:
    """Move the table's buy-in from wallet to stack; raises Refused. Practice tables and computers have no buy-in."""
    if table.terms.practice or is_computer(player):
        return
    require_buy_in(s, table.key.guild, player, need=table.terms.buy_in)
    wallet(s, table.key.guild, player)
    s.tx.ledger.buy_in(table.key, player, table.terms.buy_in, cause=cause, at=s.now)


def require_buy_in(s: Session, guild: GuildId, player: Player, *, need: int) -> None:
    """Raise Refused if the player can't bring ``need`` chips to a table; changes nothing."""
    require_unfrozen(s, guild, player)
    have = wallet_seen(s, guild, player)
    if have < need:
        raise Refused(TableReason.NOT_ENOUGH_CHIPS, need=need, have=have)


def min_rebuy(table: Table) -> int:
    """Return the minimum rebuy of a player who is bust."""
    return min(table.terms.buy_in, MIN_BUY_IN_POINTS * table.terms.point_value)


def rebuy_of(table: Table, wallet: int) -> int:
    """Return the chips of a rebuy: the buy-in, or the whole wallet; 0 if that's not enough."""
    brings = min(table.terms.buy_in, wallet)
    return brings if brings >= min_rebuy(table) else 0


def top_up_of(table: Table, *, stack: int, wallet: int) -> int:
    """Return the chips of a top-up to the buy-in, limited by the wallet."""
    return max(0, min(table.terms.buy_in - stack, wallet))


def cash_out(tx: Tx, table: Table, player: Player, *, cause: str, now: int) -> int:
    """Move the stack to the wallet, or to the entrant's purse at an event's table; return the chips."""
    stack = tx.ledger.stack(table.key, player)
    if stack:
        purse = None if table.event is None else purse_of(table.event, player)
        tx.ledger.cash_out(table.key, player, stack, cause=cause, at=now, purse=purse)
    return stack
