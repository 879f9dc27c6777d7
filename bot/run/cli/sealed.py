"""Checks on the data that only the key can decrypt: hands in play, next decks, draws and daily hands.

Each item is decrypted and replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from bot.model.daily import ChallengeId
from bot.model.hands import Vault
from bot.model.ids import EventKey, GuildId, Player, TableKey
from bot.play.daily import hands
from bot.play.event.floor import draws
from bot.play.event.office.table_hooks import TableHooks
from bot.play.hand import hand_log
from bot.play.session import decks
from bot.play.session.policy import Policy
from bot.play.session.session import Session
from bot.pure.event.draw import commitment
from bot.pure.ofc.hand import HandStatus
from bot.pure.ofc.variants import VariantError
from bot.store.inspection import Finding, Secrets
from bot.store.queries import table_key_of
from bot.store.sql import Sql
from bot.store.transaction import Tx


def opened_by(vault: Vault | None) -> Secrets | None:
    """Return the check of sealed data for ``vault``; None without a vault, so that sealed data is skipped."""
    return None if vault is None else partial(secrets, vault=vault)


def secrets(sql: Sql, vault: Vault) -> Iterator[Finding]:
    """Yield the problems with data that only the key can decrypt."""
    session = Session(tx=Tx(sql), desk=TableHooks(), policy=Policy(), vault=vault, now=0)
    for row in sql.all("SELECT guild_id, table_id, hand_no FROM hand WHERE state = 'playing'"):
        key, hand_no = table_key_of(row), row["hand_no"]
        if problem := _replay_problem(session, key, hand_no):
            yield Finding(kind="hand", text=problem, guild=key.guild, table=key.table, hand=hand_no)
    for key in session.tx.tables.all_open():
        yield from _table_findings(session, vault, key)
    for row in sql.all("SELECT DISTINCT guild_id FROM house_game"):
        guild = GuildId(row["guild_id"])
        try:
            session.tx.choices.house_games(guild)
        except Exception as error:  # any stored value can be wrong, so report it and continue
            yield Finding(kind="game", text=f"its own games cannot be read: {_reason(error)}", guild=guild)
    for event in session.tx.events.running():
        for problem in _event_problems(session, event):
            yield Finding(kind="event", text=f"event {event.number}: {problem}", guild=event.guild)
    for problem in _daily_problems(sql, session):
        yield Finding(kind="daily", text=problem)


def _table_findings(session: Session, vault: Vault, key: TableKey) -> Iterator[Finding]:
    """Yield the problems with an open table and its next deck."""
    try:
        table = session.table(key)
    except Exception as error:  # any stored value can be wrong, so report it and continue
        text = f"the table cannot be read: {_reason(error)}"
        yield Finding(kind="hand", text=text, guild=key.guild, table=key.table)
        return
    if problem := _seed_problem(partial(decks.fixed_by, vault, table), committed=table.commitment):
        text = f"the next deck: {problem}"
        yield Finding(kind="hand", text=text, guild=key.guild, table=key.table, hand=table.hand_no + 1)


def _event_problems(session: Session, key: EventKey) -> Iterator[str]:
    """Yield the problems with the seeds of an unfinished event."""
    try:
        event = session.tx.events.get(key)
        assert event is not None
        if event.seed is not None and commitment(event=draws.event_id(event), seed=event.seed) != event.commitment:
            yield "the seed of its draw is not the committed one"
        for secret in draws.secrets_of(event):
            seed = session.vault.unseal(secret.sealed, hand_id=secret.name)
            if commitment(event=secret.name, seed=seed) != secret.commitment:
                yield f"the seed of {secret.name} is not the committed one"
    except Exception as error:  # any stored value can be wrong, so report it and continue
        yield _reason(error)


def _daily_problems(sql: Sql, session: Session) -> Iterator[str]:
    """Yield the problems with the seeds of daily hands and with unfinished attempts at them."""
    for row in sql.all("SELECT challenge_id, commitment FROM challenge WHERE lost = 0"):
        number = ChallengeId(row["challenge_id"])
        if problem := _seed_problem(partial(hands.fixed_by, session, number), committed=row["commitment"]):
            yield f"hand {number} of the day: {problem}"
    rows = sql.all(
        "SELECT challenge_id, player FROM attempt JOIN challenge USING (challenge_id) WHERE seed IS NULL AND lost = 0"
    )
    for row in rows:
        number, player = ChallengeId(row["challenge_id"]), Player(row["player"])
        try:
            hands.hand_of(session, hands.known(session, number), player)
        except Exception as error:  # any stored value can be wrong, so report it and continue
            yield f"hand {number} of the day: the try of {player} cannot be replayed: {_reason(error)}"


def _replay_problem(session: Session, key: TableKey, hand_no: int) -> str | None:
    try:
        hand, record = hand_log.hand_of(session, key, hand_no), session.tx.hands.get(key, hand_no)
        assert record is not None
    except Exception as error:  # any stored value can be wrong, so report it and continue
        return f"it cannot be replayed: {_reason(error)}"
    if hand.status is not HandStatus.PLAYING:
        return "it is still in play, but its log has ended it"
    return _seed_problem(partial(decks.committed_with, session.vault, key, record), committed=record.commitment)


def _seed_problem(fixed: Callable[[], bytes], *, committed: bytes) -> str | None:
    try:
        return None if fixed() == committed else "the seed is not the committed one"
    except Exception as error:  # any stored value can be wrong, so report it and continue
        return _reason(error)


def _reason(error: Exception) -> str:
    if isinstance(error, VariantError) and "value" in error.details:
        return f"its game {error.details['value']!r} is not known"
    return str(error) or type(error).__name__
