"""A read-only check on a PostgreSQL database: its schema, ledger, numbering and sealed data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bot.store.former_names import todays_names
from bot.store.inspection import SEALED, Finding, Report, Secrets, answers, ratings
from bot.store.invariants import QUESTIONS
from bot.store.postgres.driver import PostgresSql
from bot.store.postgres.migrate import make_schema
from bot.store.postgres.rows import Connection
from bot.store.sqlite.migrate import numbered, require_known_schema

# Objects in a schema, by kind and name, with their definitions
_OBJECTS = """
WITH here AS (SELECT oid, relname, relkind, relpersistence FROM pg_class WHERE relnamespace = %(schema)s::regnamespace)
SELECT CASE WHEN relkind = 'r' THEN 'table' ELSE 'view' END AS kind, relname::text AS name, relname::text AS "table",
    (SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
        pg_get_expr(adbin, adrelid)), ', ' ORDER BY attname)
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = here.oid AND attnum > 0 AND NOT attisdropped) AS made
FROM here WHERE relkind NOT IN ('i', 'S', 't', 'c')
UNION ALL SELECT 'constraint', conname::text, relname::text, pg_get_constraintdef(c.oid)
FROM pg_constraint c JOIN here ON here.oid = conrelid WHERE contype <> 'n'
UNION ALL SELECT 'index', i.relname::text, here.relname::text, pg_get_indexdef(indexrelid)
FROM pg_index JOIN here ON here.oid = indrelid JOIN pg_class i ON i.oid = indexrelid
UNION ALL SELECT 'trigger', tgname::text, relname::text, concat_ws(' ', tgenabled, pg_get_triggerdef(t.oid), prosrc)
FROM pg_trigger t JOIN here ON here.oid = tgrelid JOIN pg_proc p ON p.oid = tgfoid WHERE NOT tgisinternal
UNION ALL SELECT 'rule', rulename::text, relname::text, pg_get_ruledef(r.oid)
FROM pg_rewrite r JOIN here ON here.oid = ev_class WHERE relkind = 'r'
"""
_FRESH = "chaipo_fresh"
"""Temporary schema for comparison. The transaction's rollback removes it."""
Objects = dict[tuple[str, str], tuple[str, str]]


def check(connection: Connection, migrations: Path, *, secrets: Secrets | None) -> Report:
    """Check a database in one snapshot. Sealed data is skipped if ``secrets`` is None.

    Only tables with the expected schema are queried. Raises StoreError if the database has another version, and
    psycopg.Error.
    """
    sql, newest = PostgresSql(connection), len(numbered(migrations))
    version = require_known_schema(sql, numbered(migrations), place="it")
    missing, strange = _schema(connection, numbered(migrations)[:version])
    if strange:
        why = "NOT CHECKED: everything else, because unknown parts may do anything when they are read."
        return Report(version=version, findings=(*missing, *strange), not_checked=(why,))
    asked = [question for question in QUESTIONS if question.since <= version]
    with todays_names(sql):
        findings = [*missing, *(found for question in asked for found in answers(sql, question))]
    skipped = ""
    if version < newest:
        # Reading sealed data requires the current schema.
        skipped = f"the database has schema {version}, and the next start upgrades it to {newest}"
    elif secrets is None:
        skipped = "the key file is missing"
    else:
        findings += secrets(sql)
    if version == newest:
        findings += ratings(sql)
    not_checked = (f"NOT CHECKED: {SEALED}, because {skipped}.",) if skipped else ()
    return Report(version=version, findings=tuple(findings), not_checked=not_checked)


def _schema(connection: Connection, migrations: list[Path]) -> tuple[list[Finding], list[Finding]]:
    """Return the findings for missing parts of the schema, and for unexpected ones."""
    row = connection.execute("SELECT current_schema()::text AS name").fetchone()
    assert row is not None
    present = _objects(connection, row["name"])
    connection.execute("SAVEPOINT fresh")
    connection.execute(f"CREATE SCHEMA {_FRESH}".encode())
    connection.execute(f"SET LOCAL search_path = {_FRESH}".encode())
    make_schema(connection, migrations)
    wanted = _objects(connection, _FRESH)
    connection.execute("ROLLBACK TO SAVEPOINT fresh")
    missing = [f"the {kind} {name} is missing" for kind, name in sorted(wanted.keys() - present.keys())]
    strange = [f"the {kind} {name} is not one of the bot's" for kind, name in sorted(present.keys() - wanted.keys())]
    changed = [key for key in sorted(wanted.keys() & present.keys()) if wanted[key] != present[key]]
    strange += [f"the {kind} {name} is not as the bot created it" for kind, name in changed]
    return _found(missing), _found(strange)


def _objects(connection: Connection, schema: str) -> Objects:
    name = re.escape(schema)
    return {
        (row["kind"], row["name"]): (row["table"], re.sub(rf'"?\b{name}\b"?\.', "", row["made"] or ""))
        for row in connection.execute(_OBJECTS, {"schema": schema})
    }


def _found(texts: Sequence[str]) -> list[Finding]:
    return [Finding(kind="schema", text=text) for text in texts]
