"""Double-entry ledger between wallets, stacks and mints.

A wallet belongs to a player, or is a purse that an event keeps under its own name. The mint without an owner is the
server's. An event with its own chips also has its own mint.
"""

from __future__ import annotations

from bot.model.bank import Movement
from bot.model.ids import GuildId, Player, TableKey
from bot.store.queries import OF_TABLE, Queries, table_key
from bot.store.sql import Value

_ACCOUNT = "guild_id = :guild_id AND kind = :kind AND table_id = :table_id AND owner = :owner"


def _hand_cause(key: TableKey, hand_no: int) -> str:
    return f"hand:{key.table}:{hand_no}"


class LedgerQueries(Queries):
    """Queries for chips."""

    def _account(self, guild: GuildId, kind: str, *, table: int = 0, owner: str = "") -> int:
        values = dict[str, Value](guild_id=guild, kind=kind, table_id=table, owner=owner)
        self._sql.run(
            "INSERT INTO account (guild_id, kind, table_id, owner) VALUES (:guild_id, :kind, :table_id, :owner) "
            "ON CONFLICT (guild_id, kind, table_id, owner) DO NOTHING",
            **values,
        )
        number = self._number(f"SELECT account_id FROM account WHERE {_ACCOUNT}", **values)
        assert number is not None
        return number

    def _balance(self, guild: GuildId, kind: str, *, table: int = 0, owner: str = "") -> int | None:
        return self._number(
            f"SELECT balance FROM account WHERE {_ACCOUNT}",
            guild_id=guild,
            kind=kind,
            table_id=table,
            owner=owner,
        )

    def _transfer(
        self,
        guild: GuildId,
        *,
        payer: int,
        payee: int,
        chips: int,
        kind: str,
        cause: str,
        at: int,
        table: int | None = None,
        hand_no: int | None = None,
    ) -> None:
        self._sql.run(
            "INSERT INTO transfer (guild_id, payer, payee, amount, kind, table_id, hand_no, cause, at) "
            "VALUES (:guild_id, :payer, :payee, :amount, :kind, :table_id, :hand_no, :cause, :at)",
            guild_id=guild,
            payer=payer,
            payee=payee,
            amount=chips,
            kind=kind,
            table_id=table,
            hand_no=hand_no,
            cause=cause,
            at=at,
        )

    def _seat_account(self, key: TableKey, player: Player) -> int:
        return self._account(key.guild, "seat", table=key.table, owner=player)

    def has_wallet(self, guild: GuildId, player: Player) -> bool:
        return self._balance(guild, "wallet", owner=player) is not None

    def wallet(self, guild: GuildId, player: Player) -> int:
        return self._balance(guild, "wallet", owner=player) or 0

    def stack(self, key: TableKey, player: Player) -> int:
        return self._balance(key.guild, "seat", table=key.table, owner=player) or 0

    def stacks(self, key: TableKey) -> dict[Player, int]:
        rows = self._sql.all(f"SELECT owner, balance FROM account WHERE kind = 'seat' AND {OF_TABLE}", **table_key(key))
        return {Player(row["owner"]): row["balance"] for row in rows}

    def stacks_before(self, key: TableKey, hand_no: int, *, at: int) -> dict[Player, int]:
        """Return the stacks at the table when hand ``hand_no`` was dealt, at time ``at`` (ms).

        A hand played out by the clock takes no time, so later transfers can have the same timestamp as its deal.
        """
        rows = self._sql.all(
            "WITH moved AS (SELECT a.owner, t.transfer_id, t.kind, t.hand_no, t.at, "
            "t.amount * CASE WHEN t.payee = a.account_id THEN 1 ELSE -1 END AS chips "
            "FROM account a JOIN transfer t ON t.payer = a.account_id OR t.payee = a.account_id "
            "WHERE a.kind = 'seat' AND a.guild_id = :guild_id AND a.table_id = :table_id) "
            "SELECT owner, SUM(chips) AS chips FROM moved WHERE hand_no < :hand_no "
            "OR (hand_no IS NULL AND (at < :at OR (at = :at AND kind <> 'cash_out')) AND NOT EXISTS ("
            "SELECT 1 FROM moved paid WHERE paid.hand_no >= :hand_no AND paid.transfer_id < moved.transfer_id)) "
            "GROUP BY owner",
            **table_key(key),
            hand_no=hand_no,
            at=at,
        )
        return {Player(row["owner"]): int(row["chips"]) for row in rows}

    def grant(self, guild: GuildId, player: Player, chips: int, *, cause: str, at: int) -> None:
        payee = self._account(guild, "wallet", owner=player)
        if chips:
            payer = self._account(guild, "mint")
            self._transfer(guild, payer=payer, payee=payee, chips=chips, kind="grant", cause=cause, at=at)

    def buy_in(
        self,
        key: TableKey,
        player: Player,
        chips: int,
        *,
        cause: str,
        at: int,
        purse: str | None = None,
        kind: str = "buy_in",
    ) -> None:
        """Move chips to the player's stack from their wallet, or from the wallet of ``purse``."""
        self._transfer(
            key.guild,
            payer=self._account(key.guild, "wallet", owner=player if purse is None else purse),
            payee=self._seat_account(key, player),
            chips=chips,
            kind=kind,
            cause=cause,
            at=at,
            table=key.table,
        )

    def cash_out(
        self, key: TableKey, player: Player, chips: int, *, cause: str, at: int, purse: str | None = None
    ) -> None:
        self._transfer(
            key.guild,
            payer=self._seat_account(key, player),
            payee=self._account(key.guild, "wallet", owner=player if purse is None else purse),
            chips=chips,
            kind="cash_out",
            cause=cause,
            at=at,
            table=key.table,
        )

    def pay(
        self, key: TableKey, *, payer: Player, payee: Player, chips: int, hand_no: int, at: int, kind: str = "hand"
    ) -> None:
        self._transfer(
            key.guild,
            payer=self._seat_account(key, payer),
            payee=self._seat_account(key, payee),
            chips=chips,
            kind=kind,
            cause=_hand_cause(key, hand_no),
            at=at,
            table=key.table,
            hand_no=hand_no,
        )

    def paid(self, key: TableKey, hand_no: int) -> dict[tuple[Player, Player], int]:
        """Return the chips that a hand moved between stacks, in the order of payment."""
        rows = self._sql.all(
            "SELECT a.owner AS payer, b.owner AS payee, t.amount FROM transfer t "
            "JOIN account a ON a.account_id = t.payer JOIN account b ON b.account_id = t.payee "
            "WHERE t.guild_id = :guild_id AND t.cause = :cause AND t.hand_no = :hand_no ORDER BY t.transfer_id",
            guild_id=key.guild,
            cause=_hand_cause(key, hand_no),
            hand_no=hand_no,
        )
        return {(Player(row["payer"]), Player(row["payee"])): row["amount"] for row in rows}

    def purse(self, guild: GuildId, owner: str) -> int:
        """Return the chips in a wallet: a player's, an event's prize pool, or that of an entrant between tables."""
        return self._balance(guild, "wallet", owner=owner) or 0

    def hand_over(self, guild: GuildId, *, payer: str, payee: str, chips: int, kind: str, cause: str, at: int) -> None:
        """Move chips between two purses."""
        source = self._account(guild, "wallet", owner=payer)
        target = self._account(guild, "wallet", owner=payee)
        self._transfer(guild, payer=source, payee=target, chips=chips, kind=kind, cause=cause, at=at)

    def issue(self, guild: GuildId, *, mint: str, payee: str, chips: int, kind: str, cause: str, at: int) -> None:
        """Create chips. ``mint`` is the mint's owner: empty for the server's mint, or an event for its own chips."""
        source = self._account(guild, "mint", owner=mint)
        target = self._account(guild, "wallet", owner=payee)
        self._transfer(guild, payer=source, payee=target, chips=chips, kind=kind, cause=cause, at=at)

    def take_back(self, guild: GuildId, *, mint: str, payer: str, chips: int, kind: str, cause: str, at: int) -> None:
        """Destroy chips, as the reverse of :meth:`issue`."""
        source = self._account(guild, "wallet", owner=payer)
        target = self._account(guild, "mint", owner=mint)
        self._transfer(guild, payer=source, payee=target, chips=chips, kind=kind, cause=cause, at=at)

    def history(self, guild: GuildId, player: Player, *, limit: int, skip: int = 0) -> list[Movement]:
        rows = self._sql.all(
            "SELECT t.transfer_id, t.amount * CASE WHEN t.payee = a.account_id THEN 1 ELSE -1 END AS chips, "
            "t.kind, t.at, t.table_id, e.name AS event FROM account a "
            "JOIN transfer t ON t.payer = a.account_id OR t.payee = a.account_id "
            "JOIN account o ON o.account_id = CASE WHEN t.payee = a.account_id THEN t.payer ELSE t.payee END "
            "LEFT JOIN event e ON e.guild_id = a.guild_id AND e.event_id = "
            "CASE WHEN o.owner LIKE 'pool:%' THEN CAST(SUBSTR(o.owner, 6) AS INTEGER) END "
            "WHERE a.guild_id = :guild_id AND a.owner = :player AND a.kind = 'wallet' "
            "ORDER BY t.transfer_id DESC LIMIT :limit OFFSET :skip",
            guild_id=guild,
            player=player,
            limit=limit,
            skip=skip,
        )
        return [
            Movement(chips=r["chips"], kind=r["kind"], at=r["at"], table=r["table_id"], event=r["event"] or "")
            for r in rows
        ]
