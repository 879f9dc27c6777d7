"""Queries for the bank: its terms, freezes, the audit log, and sums over the ledger."""

from __future__ import annotations

from dataclasses import replace

from bot.model.bank import AuditEntry, BankTerms, ChipFlow
from bot.model.ids import DELETED, GuildId, Player
from bot.store.columns import Columns, columns_of
from bot.store.queries import Queries

TERMS = Columns(
    BankTerms,
    "bank",
    columns_of(BankTerms),
    key=("guild_id",),
    beside=("guild_id",),
)
AUDIT = Columns(
    AuditEntry,
    "audit",
    columns_of(AuditEntry),
    beside=("guild_id", "cause"),
    words=("reason",),
)

_FORTH, _BACK = "COUNT(CASE WHEN chips > 0 THEN 1 END)", "COUNT(CASE WHEN chips < 0 THEN 1 END)"
_PERSON = f"CASE WHEN {{0}}.owner LIKE 'gone-%' THEN '{DELETED}' ELSE {{0}}.owner END"


class BankQueries(Queries):
    """Queries for a server's bank."""

    def terms(self, guild: GuildId) -> BankTerms:
        row = self._sql.one(f"SELECT {TERMS.names} FROM bank WHERE guild_id = :guild_id", guild_id=guild)
        return BankTerms() if row is None else TERMS.read(row)

    def save_terms(self, guild: GuildId, terms: BankTerms) -> None:
        self._save(TERMS, terms, guild_id=guild)

    def frozen_because(self, guild: GuildId, player: Player) -> str | None:
        """Return the reason if a manager has frozen the player's chips; None if they aren't frozen."""
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
        self._note_words("freeze", guild, reason)

    def unfreeze(self, guild: GuildId, player: Player) -> None:
        self._sql.run(
            'DELETE FROM "freeze" WHERE guild_id = :guild_id AND player = :player', guild_id=guild, player=player
        )

    def audit(self, guild: GuildId, entry: AuditEntry, *, cause: str) -> AuditEntry:
        """Append the entry to the audit log, and return it with its number."""
        last = self._number("SELECT MAX(number) AS last FROM audit WHERE guild_id = :guild_id", guild_id=guild)
        entry = replace(entry, number=(last or 0) + 1)
        self._add(AUDIT, [entry], guild_id=guild, cause=cause)
        return entry

    def audited(self, guild: GuildId, cause: str) -> bool:
        """True if the audit log has an entry with this cause."""
        row = self._sql.one(
            "SELECT 1 AS one FROM audit WHERE guild_id = :guild_id AND cause = :cause", guild_id=guild, cause=cause
        )
        return row is not None

    def audit_log(self, guild: GuildId, *, player: Player | None = None, limit: int, skip: int = 0) -> list[AuditEntry]:
        """Return entries of the audit log, newest first. ``player`` limits them to one player."""
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
        """True if the player was paid for this cause."""
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
        """Return the sum of the player's stacks in the server's chips."""
        held = self._number(
            "SELECT SUM(a.balance) AS chips FROM seat s "
            "JOIN game_table g ON g.guild_id = s.guild_id AND g.table_id = s.table_id "
            "JOIN account a ON a.guild_id = s.guild_id AND a.kind = 'seat' AND a.table_id = s.table_id "
            "AND a.owner = s.player "
            "WHERE s.guild_id = :guild_id AND s.player = :player AND g.event_id IS NULL",
            guild_id=guild,
            player=player,
        )
        return int(held or 0)

    def fees_paid(self, guild: GuildId, player: Player, *, out_too: bool) -> int:
        """Return the player's fees in unfinished events. ``out_too`` includes events that they're out of."""
        gone = "('withdrawn')" if out_too else "('withdrawn', 'out')"
        paid = self._number(
            "SELECT SUM(chips) AS chips FROM ("
            "SELECT CASE WHEN t.payer = w.account_id THEN t.amount ELSE -t.amount END AS chips FROM entrant e "
            "JOIN event n ON n.guild_id = e.guild_id AND n.event_id = e.event_id "
            "JOIN account w ON w.guild_id = e.guild_id AND w.kind = 'wallet' AND w.table_id = 0 AND w.owner = e.player "
            "JOIN account p ON p.guild_id = e.guild_id AND p.kind = 'wallet' AND p.table_id = 0 "
            "AND p.owner = 'pool:' || n.event_id "
            "JOIN transfer t ON (t.payer = w.account_id AND t.payee = p.account_id) "
            "OR (t.payer = p.account_id AND t.payee = w.account_id) "
            "WHERE e.guild_id = :guild_id AND e.player = :player "
            f"AND n.phase NOT IN ('ended', 'cancelled') AND e.state NOT IN {gone} AND t.kind <> 'bounty') AS paid",
            guild_id=guild,
            player=player,
        )
        return int(paid or 0)

    def last_had(self, guild: GuildId, player: Player, *, kind: str) -> int | None:
        """Return when the bank last made a payment of ``kind`` to the player (ms); None if it never did."""
        return self._number(
            "SELECT MAX(t.at) AS last FROM account a JOIN transfer t ON t.payee = a.account_id "
            "WHERE a.guild_id = :guild_id AND a.kind = 'wallet' AND a.table_id = 0 AND a.owner = :player "
            "AND t.kind = :kind",
            guild_id=guild,
            player=player,
            kind=kind,
        )

    def hands_for_chips(self, guild: GuildId, player: Player, *, most: int) -> int:
        """Return the number of hands for chips that the player has played, counting only up to ``most``."""
        played = self._number(
            "SELECT COUNT(*) AS hands FROM (SELECT 1 AS one FROM result "
            "WHERE guild_id = :guild_id AND player = :player AND ranked = 1 LIMIT :most) AS played",
            guild_id=guild,
            player=player,
            most=most,
        )
        return int(played or 0)

    def sent_since(self, guild: GuildId, player: Player, at: int) -> int:
        """Return the chips that the player has sent to others since ``at`` (ms), including fees."""
        sent = self._number(
            "SELECT SUM(t.amount) AS chips FROM account a JOIN transfer t ON t.payer = a.account_id "
            "WHERE a.guild_id = :guild_id AND a.kind = 'wallet' AND a.owner = :player "
            "AND t.kind IN ('sent', 'fee') AND t.at >= :at",
            guild_id=guild,
            player=player,
            at=at,
        )
        return int(sent or 0)

    def flows(self, guild: GuildId, *, since: int, least: int, limit: int) -> list[ChipFlow]:
        """Return the pairs with a net flow of at least ``least`` chips since ``since``, largest first.

        At tables, chips go back and forth, so most of a pair's chips or three quarters of their hands must have gone
        one way. So neither a hand in the other direction nor one large pot hides a flow. All deleted players count as
        one person, because otherwise one person could appear as many.
        """
        at_tables = self._flows(
            "JOIN game_table g ON g.guild_id = t.guild_id AND g.table_id = t.table_id "
            "WHERE t.hand_no IS NOT NULL AND p.kind = 'seat' AND q.kind = 'seat' AND g.event_id IS NULL",
            "AND (2 * ABS(SUM(chips)) >= SUM(ABS(chips)) "
            f"OR 4 * (CASE WHEN SUM(chips) > 0 THEN {_FORTH} ELSE {_BACK} END) >= 3 * COUNT(*)) ",
            {"guild_id": guild, "since": since, "least": least, "limit": limit},
        )
        sent = self._flows(
            "WHERE t.kind = 'sent'", "", {"guild_id": guild, "since": since, "least": least, "limit": limit}
        )
        found = [*at_tables, *(replace(flow, sent=True, times=flow.of, of=0) for flow in sent)]
        return sorted(found, key=lambda flow: -flow.chips)[:limit]

    def _flows(self, which: str, one_way: str, values: dict[str, int]) -> list[ChipFlow]:
        """Return the pairs of players in these transfers, with the largest flow first."""
        rows = self._sql.all(
            f"SELECT one, other, SUM(chips) AS chips, {_FORTH} AS forth, {_BACK} AS back FROM ("
            "SELECT CASE WHEN payer < payee THEN payer ELSE payee END AS one, "
            "CASE WHEN payer < payee THEN payee ELSE payer END AS other, "
            "CASE WHEN payer < payee THEN amount ELSE -amount END AS chips FROM ("
            f"SELECT {_PERSON.format('p')} AS payer, {_PERSON.format('q')} AS payee, t.amount "
            "FROM transfer t JOIN account p ON p.account_id = t.payer JOIN account q ON q.account_id = t.payee "
            f"{which} AND t.guild_id = :guild_id AND t.at >= :since) AS paid WHERE payer <> payee) AS pairs "
            f"GROUP BY one, other HAVING ABS(SUM(chips)) >= :least {one_way}"
            "ORDER BY ABS(SUM(chips)) DESC LIMIT :limit",
            **values,
        )
        return [
            ChipFlow(
                payer=Player(row["one"] if row["chips"] > 0 else row["other"]),
                payee=Player(row["other"] if row["chips"] > 0 else row["one"]),
                chips=abs(int(row["chips"])),
                times=int(row["forth"] if row["chips"] > 0 else row["back"]),
                of=int(row["forth"] + row["back"]),
            )
            for row in rows
        ]
