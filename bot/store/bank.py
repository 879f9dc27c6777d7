"""The bank in SQL: its terms, freezes and the audit log, and the sums that it asks of the ledger."""

from __future__ import annotations

from dataclasses import replace

from bot.play.bank.model import Action, AuditEntry, Flow, Terms
from bot.play.model import GuildId, Player
from bot.store.columns import Columns, choice, plain
from bot.store.queries import Queries

TERMS = Columns(
    Terms,
    "bank",
    [
        plain("refill_to"),
        plain("refill_hours"),
        plain("bonus"),
        plain("bonus_hours"),
        plain("account_days"),
        plain("hands"),
        plain("transfer_cap"),
        plain("transfer_fee"),
        plain("audit_channel"),
    ],
    key=("guild_id",),
    beside=("guild_id",),
)
AUDIT = Columns(
    AuditEntry,
    "audit",
    [
        plain("number"),
        plain("manager"),
        plain("player"),
        choice("action", Action),
        plain("chips"),
        plain("reason"),
        plain("at"),
    ],
    beside=("guild_id", "cause"),
)


class BankQueries(Queries):
    """What :class:`bot.play.bank.ports.Bank` promises."""

    def terms(self, guild: GuildId) -> Terms:
        row = self._sql.one(f"SELECT {TERMS.names} FROM bank WHERE guild_id = :guild_id", guild_id=guild)
        return Terms() if row is None else TERMS.read(row)

    def save_terms(self, guild: GuildId, terms: Terms) -> None:
        self._save(TERMS, terms, guild_id=guild)

    def frozen_because(self, guild: GuildId, player: Player) -> str | None:
        row = self._sql.one(
            'SELECT reason FROM "freeze" WHERE guild_id = :guild_id AND player = :player', guild_id=guild, player=player
        )
        return None if row is None else str(row["reason"])

    def freeze(self, guild: GuildId, player: Player, reason: str, *, at: int) -> None:
        self._sql.run(
            'INSERT INTO "freeze" (guild_id, player, reason, at) VALUES (:guild_id, :player, :reason, :at) '
            "ON CONFLICT (guild_id, player) DO UPDATE SET reason = :reason, at = :at",
            guild_id=guild,
            player=player,
            reason=reason,
            at=at,
        )

    def unfreeze(self, guild: GuildId, player: Player) -> None:
        self._sql.run(
            'DELETE FROM "freeze" WHERE guild_id = :guild_id AND player = :player', guild_id=guild, player=player
        )

    def audit(self, guild: GuildId, entry: AuditEntry, *, cause: str) -> AuditEntry:
        last = self._number("SELECT MAX(number) AS last FROM audit WHERE guild_id = :guild_id", guild_id=guild)
        entry = replace(entry, number=(last or 0) + 1)
        self._add(AUDIT, [entry], guild_id=guild, cause=cause)
        return entry

    def audited(self, guild: GuildId, cause: str) -> bool:
        row = self._sql.one(
            "SELECT 1 AS one FROM audit WHERE guild_id = :guild_id AND cause = :cause", guild_id=guild, cause=cause
        )
        return row is not None

    def audit_log(self, guild: GuildId, *, player: Player | None, limit: int, skip: int) -> list[AuditEntry]:
        whose = "" if player is None else "AND player = :player "
        rows = self._sql.all(
            f"SELECT {AUDIT.names} FROM audit WHERE guild_id = :guild_id {whose}"
            "ORDER BY number DESC LIMIT :limit OFFSET :skip",
            guild_id=guild,
            limit=limit,
            skip=skip,
            **({} if player is None else {"player": player}),
        )
        return list(map(AUDIT.read, rows))

    def was_had(self, guild: GuildId, player: Player, *, kind: str, cause: str) -> bool:
        row = self._sql.one(
            "SELECT 1 AS one FROM transfer t JOIN account a ON a.account_id = t.payee "
            "WHERE t.guild_id = :guild_id AND t.cause = :cause AND t.kind = :kind AND a.owner = :player",
            guild_id=guild,
            cause=cause,
            kind=kind,
            player=player,
        )
        return row is not None

    def chips_at_tables(self, guild: GuildId, player: Player) -> int:
        held = self._number(
            "SELECT SUM(a.balance) AS chips FROM seat s "
            "JOIN game_table g ON g.guild_id = s.guild_id AND g.table_id = s.table_id "
            "JOIN account a ON a.guild_id = s.guild_id AND a.kind = 'seat' AND a.table_id = s.table_id "
            "AND a.owner = s.player "
            "WHERE s.guild_id = :guild_id AND s.player = :player AND g.tournament_id IS NULL",
            guild_id=guild,
            player=player,
        )
        return int(held or 0)

    def hands_for_chips(self, guild: GuildId, player: Player, *, most: int) -> int:
        played = self._number(
            "SELECT COUNT(*) AS hands FROM (SELECT 1 AS one FROM result "
            "WHERE guild_id = :guild_id AND player = :player AND ranked = 1 LIMIT :most) AS played",
            guild_id=guild,
            player=player,
            most=most,
        )
        return int(played or 0)

    def sent_since(self, guild: GuildId, player: Player, at: int) -> int:
        sent = self._number(
            "SELECT SUM(t.amount) AS chips FROM account a JOIN transfer t ON t.payer = a.account_id "
            "WHERE a.guild_id = :guild_id AND a.kind = 'wallet' AND a.owner = :player "
            "AND t.kind IN ('sent', 'fee') AND t.at >= :at",
            guild_id=guild,
            player=player,
            at=at,
        )
        return int(sent or 0)

    def flows(self, guild: GuildId, *, since: int, least: int, limit: int) -> list[Flow]:
        rows = self._sql.all(
            "SELECT one, other, SUM(chips) AS chips, COUNT(*) AS hands FROM ("
            "SELECT CASE WHEN p.owner < q.owner THEN p.owner ELSE q.owner END AS one, "
            "CASE WHEN p.owner < q.owner THEN q.owner ELSE p.owner END AS other, "
            "CASE WHEN p.owner < q.owner THEN t.amount ELSE -t.amount END AS chips "
            "FROM transfer t JOIN account p ON p.account_id = t.payer JOIN account q ON q.account_id = t.payee "
            "JOIN game_table g ON g.guild_id = t.guild_id AND g.table_id = t.table_id "
            "WHERE t.guild_id = :guild_id AND t.at >= :since AND t.hand_no IS NOT NULL "
            "AND p.kind = 'seat' AND q.kind = 'seat' AND g.tournament_id IS NULL) AS pairs "
            "GROUP BY one, other HAVING ABS(SUM(chips)) >= :least AND ABS(SUM(chips)) = SUM(ABS(chips)) "
            "ORDER BY ABS(SUM(chips)) DESC LIMIT :limit",
            guild_id=guild,
            since=since,
            least=least,
            limit=limit,
        )
        return [
            Flow(
                payer=Player(row["one"] if row["chips"] > 0 else row["other"]),
                payee=Player(row["other"] if row["chips"] > 0 else row["one"]),
                chips=abs(int(row["chips"])),
                hands=row["hands"],
            )
            for row in rows
        ]
