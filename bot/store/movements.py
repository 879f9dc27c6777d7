"""Transfers by kind: the existing kinds, the types of accounts they connect, and their totals.

They explain every balance: for each type of account, transfers in minus transfers out equal the balances.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.sql import Sql

WAYS: dict[str, tuple[tuple[str, str], ...]] = {
    "grant": (("mint", "wallet"),),
    "refill": (("mint", "wallet"),),
    "bonus": (("mint", "wallet"),),
    "given": (("mint", "wallet"),),
    "taken": (("wallet", "mint"),),
    "fee": (("wallet", "mint"),),
    "sent": (("wallet", "wallet"),),
    "season": (("mint", "wallet"), ("wallet", "mint")),
    "buy_in": (("wallet", "stack"), ("purse", "stack")),
    "rebuy": (("wallet", "stack"),),
    "top_up": (("wallet", "stack"),),
    "cash_out": (("stack", "wallet"), ("stack", "purse")),
    "hand": (("stack", "stack"),),
    "event_hand": (("stack", "stack"),),
    "entry_fee": (("wallet", "pool"),),
    "refund": (("pool", "wallet"),),
    "prize": (("pool", "wallet"),),
    "prize_back": (("wallet", "pool"),),
    "bounty": (("pool", "wallet"),),
    "added": (("mint", "pool"), ("pool", "mint")),
    "event_stack": (("event mint", "purse"), ("purse", "event mint")),
}
"""Allowed pairs of source and target account types for each kind."""


def _sort(account: str) -> str:
    """Return an expression for an account's type, derived from its kind and owner."""
    return (
        f"CASE WHEN {account}.kind = 'seat' THEN 'stack' "
        f"WHEN {account}.kind = 'mint' THEN CASE WHEN {account}.owner = '' THEN 'mint' ELSE 'event mint' END "
        f"WHEN {account}.owner LIKE 'pool:%' THEN 'pool' WHEN {account}.owner LIKE 'event:%' THEN 'purse' "
        "ELSE 'wallet' END"
    )


_KNOWN = " OR ".join(
    f"(kind = '{kind}' AND source = '{source}' AND target = '{target}')"
    for kind, ways in WAYS.items()
    for source, target in ways
)
_MOVED = (
    f"SELECT t.guild_id, t.kind, {_sort('p')} AS source, {_sort('q')} AS target, t.amount "
    "FROM transfer t JOIN account p ON p.account_id = t.payer JOIN account q ON q.account_id = t.payee"
)
UNKNOWN_WAYS = f"""
SELECT guild_id AS guild, NULL AS table_no, NULL AS hand_no, kind, source, target, COUNT(*) AS transfers
FROM ({_MOVED}) AS moved WHERE NOT ({_KNOWN}) GROUP BY guild_id, kind, source, target
"""
"""Transfers of an unknown kind, or between account types that the kind doesn't allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferTotal:
    """Total of the transfers of one kind between two account types."""

    kind: str
    source: str
    target: str
    transfers: int
    chips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipOrigins:
    """Origin and present location of all chips in all servers."""

    movements: tuple[TransferTotal, ...]
    held: dict[str, int]
    """Sum of balances per account type. They add up to zero, because mints are negative."""


def explained(sql: Sql) -> ChipOrigins:
    """Return the totals of all transfers by kind."""
    rows = sql.all(
        f"SELECT kind, source, target, COUNT(*) AS transfers, SUM(amount) AS chips FROM ({_MOVED}) AS moved "
        "GROUP BY kind, source, target"
    )
    order = list(WAYS)
    # In PostgreSQL, a sum of integers is a decimal.
    moved = sorted(
        (TransferTotal(**{**dict(row), "chips": int(row["chips"])}) for row in rows),
        key=lambda each: (order.index(each.kind), each.source),
    )
    held = sql.all(f"SELECT {_sort('a')} AS sort, SUM(a.balance) AS chips FROM account a GROUP BY sort ORDER BY sort")
    return ChipOrigins(movements=tuple(moved), held={row["sort"]: int(row["chips"]) for row in held})
