"""Every chip by the kind of its movement: which kinds there are, from where to where, and what they come to.

With it every balance is explained: what all kinds have brought to the accounts of one sort, less what they took from
them, is what these accounts hold.
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
    "bounty": (("pool", "wallet"),),
    "added": (("mint", "pool"), ("pool", "mint")),
    "event_stack": (("event mint", "purse"), ("purse", "event mint")),
}
"""From which sorts of accounts chips of a kind go to which."""


def _sort(account: str) -> str:
    """The sort of an account: whose it is stands in its kind and its owner."""
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
"""Transfers of no kind, or of one that never goes that way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Movements:
    """All transfers of one kind and way."""

    kind: str
    source: str
    target: str
    transfers: int
    chips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """Where all chips of all servers came from and where they are."""

    movements: tuple[Movements, ...]
    held: dict[str, int]
    """The balances of each sort of account; together nothing, since mints owe what they have made."""


def explained(sql: Sql) -> Explained:
    """Every chip by its kind."""
    rows = sql.all(
        f"SELECT kind, source, target, COUNT(*) AS transfers, SUM(amount) AS chips FROM ({_MOVED}) AS moved "
        "GROUP BY kind, source, target"
    )
    order = list(WAYS)
    # A sum of PostgreSQL is no integer by itself.
    moved = sorted(
        (Movements(**{**dict(row), "chips": int(row["chips"])}) for row in rows),
        key=lambda each: (order.index(each.kind), each.source),
    )
    held = sql.all(f"SELECT {_sort('a')} AS sort, SUM(a.balance) AS chips FROM account a GROUP BY sort ORDER BY sort")
    return Explained(movements=tuple(moved), held={row["sort"]: int(row["chips"]) for row in held})
