"""Chips: every server has its own; each movement is one transfer, so nothing appears or disappears.

The mint pays a newcomer's grant into their wallet; a buy-in, a rebuy or a top-up moves chips from the wallet to the
seat's stack, where they are safe in escrow; settlement moves them between stacks; leaving moves the stack back to the
wallet.
"""

from __future__ import annotations

from bot.ofc.refusals import Refused
from bot.play.model import EventKey, GuildId, Player, Table, is_computer
from bot.play.ports import Chips
from bot.play.refusals import PlayReason

SMALLEST_BUY_IN_POINTS = 20
"""A seat brings at least this many points."""


def pool_of(key: EventKey) -> str:
    """The purse of an event's prizes."""
    return f"pool:{key.number}"


def mint_of(key: EventKey) -> str:
    """The mint that makes an event's own chips, and takes them back at its end."""
    return f"event:{key.number}"


def purse_of(key: EventKey, player: str) -> str:
    """Where an entrant's chips are while they sit at no table."""
    return f"event:{key.number}:{player}"


def wallet(tx: Chips, guild: GuildId, player: Player, *, grant: int, now: int) -> int:
    """The player's chips outside tables; their first use of the bot in a server brings the starting grant."""
    if not tx.has_wallet(guild, player):
        tx.grant(guild, player, grant, cause=f"grant:{player}", at=now)
    return tx.wallet(guild, player)


def demand_free(tx: Chips, guild: GuildId, player: Player) -> None:
    """Raise Refused for a player whom a manager keeps from moving chips."""
    why = tx.frozen_because(guild, player)
    if why is not None:
        raise Refused(PlayReason.FROZEN, why=why)


def buy_in(tx: Chips, table: Table, player: Player, *, grant: int, cause: str, now: int) -> None:
    """Move the table's buy-in from wallet to stack; raises Refused. Practice tables and computers bring nothing."""
    if table.practice or is_computer(player):
        return
    demand_free(tx, table.key.guild, player)
    have = wallet(tx, table.key.guild, player, grant=grant, now=now)
    if have < table.buy_in:
        raise Refused(PlayReason.NOT_ENOUGH_CHIPS, need=table.buy_in, have=have)
    tx.buy_in(table.key, player, table.buy_in, cause=cause, at=now)


def least_rebuy(table: Table) -> int:
    """What a player who has lost everything must bring at least."""
    return min(table.buy_in, SMALLEST_BUY_IN_POINTS * table.point_value)


def rebuy_of(table: Table, wallet: int) -> int:
    """What a rebuy brings: the buy-in, or all that is in the wallet; 0 where that is not enough."""
    brings = min(table.buy_in, wallet)
    return brings if brings >= least_rebuy(table) else 0


def top_up_of(table: Table, *, stack: int, wallet: int) -> int:
    """What fills a stack up to the buy-in, as far as the wallet has it."""
    return max(0, min(table.buy_in - stack, wallet))


def cash_out(tx: Chips, table: Table, player: Player, *, cause: str, now: int) -> int:
    """Move the whole stack back to the wallet, at an event's table to the entrant's purse; returns the chips."""
    stack = tx.stack(table.key, player)
    if stack:
        purse = None if table.event is None else purse_of(table.event, player)
        tx.cash_out(table.key, player, stack, cause=cause, at=now, purse=purse)
    return stack
