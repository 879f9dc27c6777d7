"""The bank in SQL: its terms, freezes and the audit log, and the sums that it asks of the ledger."""

from __future__ import annotations

from dataclasses import replace

from bot.model.bank import AuditEntry, BankTerms, Flow
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
    """The queries of a server's bank."""

    def terms(self, guild: GuildId) -> BankTerms:
        row = self._sql.one(f"SELECT {TERMS.names} FROM bank WHERE guild_id = :guild_id", guild_id=guild)
        return BankTerms() if row is None else TERMS.read(row)

    def save_terms(self, guild: GuildId, terms: BankTerms) -> None:
        self._save(TERMS, terms, guild_id=guild)

    def frozen_because(self, guild: GuildId, player: Player) -> str | None:
        """Why a manager keeps the player from moving chips; None for everybody else."""
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
        """Write the entry as the next line; returns it with its number."""
        last = self._number("SELECT MAX(number) AS last FROM audit WHERE guild_id = :guild_id", guild_id=guild)
        entry = replace(entry, number=(last or 0) + 1)
        self._add(AUDIT, [entry], guild_id=guild, cause=cause)
        return entry

    def audited(self, guild: GuildId, cause: str) -> bool:
        """True where this cause has its line."""
        row = self._sql.one(
            "SELECT 1 AS one FROM audit WHERE guild_id = :guild_id AND cause = :cause", guild_id=guild, cause=cause
        )
        return row is not None

    def audit_log(self, guild: GuildId, *, player: Player | None = None, limit: int, skip: int = 0) -> list[AuditEntry]:
        """Lines, newest first; of one player where one is given."""
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
        """True where the player was paid for this cause."""
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
        """The player's stacks of the server's chips, together."""
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
        """The fees of theirs that lie in events which are not over; ``out_too``: also where they are out by now."""
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
        """When the bank last paid this kind into their wallet (ms), by the clock of then; None for never."""
        return self._number(
            "SELECT MAX(t.at) AS last FROM account a JOIN transfer t ON t.payee = a.account_id "
            "WHERE a.guild_id = :guild_id AND a.kind = 'wallet' AND a.table_id = 0 AND a.owner = :player "
            "AND t.kind = :kind",
            guild_id=guild,
            player=player,
            kind=kind,
        )

    def hands_for_chips(self, guild: GuildId, player: Player, *, most: int) -> int:
        """How many hands for chips they have played, counted up to ``most``."""
        played = self._number(
            "SELECT COUNT(*) AS hands FROM (SELECT 1 AS one FROM result "
            "WHERE guild_id = :guild_id AND player = :player AND ranked = 1 LIMIT :most) AS played",
            guild_id=guild,
            player=player,
            most=most,
        )
        return int(played or 0)

    def sent_since(self, guild: GuildId, player: Player, at: int) -> int:
        """The chips that they have sent to others since then, fees included."""
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
        """Return the pairs with at least ``least`` chips gone one way since then, the greatest first.

        What came back is taken off. Play goes back and forth, so at tables most of a pair's chips, or most of their
        hands, must have gone that way: neither a hand in the other direction nor one great pot hides the rest.
        Whoever was deleted counts as one person, or the same one could be many.
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

    def _flows(self, which: str, one_way: str, values: dict[str, int]) -> list[Flow]:
        """Return the pairs of players with these transfers, the greatest flow first."""
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
            Flow(
                payer=Player(row["one"] if row["chips"] > 0 else row["other"]),
                payee=Player(row["other"] if row["chips"] > 0 else row["one"]),
                chips=abs(int(row["chips"])),
                times=int(row["forth"] if row["chips"] > 0 else row["back"]),
                of=int(row["forth"] + row["back"]),
            )
            for row in rows
        ]
