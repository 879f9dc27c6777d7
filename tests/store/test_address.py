"""Addresses of PostgreSQL: no sentence, and no refusal, has a password or a part of one in it."""

from __future__ import annotations

import pytest

from bot.base.settings import SettingsError, load_settings
from bot.store import StoreError
from bot.store.address import without_password
from bot.store.postgres.server import ConnectionFactory

PARTS = ("s3", "cret", "zzet")
AWKWARD = (
    "postgresql://user:s3/cret@127.0.0.1:1/db",
    "postgresql://user:s3?cret@127.0.0.1:1/db",
    "postgresql://user:s3#cret@127.0.0.1:1/db",
    "postgresql://user:s3@cret/zzet@127.0.0.1:1/db",
    "postgresql://user:s3cr%zzet@127.0.0.1:1/db",
    "postgresql://user:s3cret%@127.0.0.1:1/db",
    "postgresql://user:s3 cret@127.0.0.1:1/db",
    "postgresql://[user:s3cret@127.0.0.1:1/db",
)


def shows_secret(text: str) -> bool:
    """True if a text contains a part of one of the passwords."""
    return any(part in text for part in PARTS)


@pytest.mark.parametrize("address", AWKWARD)
def test_an_address_whose_password_cannot_be_read_is_refused_without_it(address: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        load_settings({"CHAIPO_DATABASE": address}, None)
    assert "CHAIPO_DATABASE" in str(refusal.value)
    assert "%2F" in str(refusal.value), "it says how such a password is written"
    assert not shows_secret(str(refusal.value))


@pytest.mark.parametrize("address", AWKWARD)
def test_what_a_command_is_given_is_named_without_it(address: str) -> None:
    assert not shows_secret(without_password(address))
    assert without_password(address).startswith("postgresql://")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me:s3cret@h:5432/db", "postgresql://me@h:5432/db"),
        ("postgres://me@h/db", "postgres://me@h/db"),
        ("postgresql://h/db?user=me&password=s3cret", "postgresql://h/db"),
        ("postgresql://me:s3%2Fcret@h/db?sslmode=verify-full", "postgresql://me@h/db"),
    ],
)
def test_who_and_where_is_still_named(address: str, shown: str) -> None:
    assert without_password(address) == shown
    assert load_settings({"CHAIPO_DATABASE": address}, None).place == address


def test_what_psycopg_cannot_read_is_told_without_its_own_sentence() -> None:
    with pytest.raises(StoreError) as refusal:
        ConnectionFactory("postgresql://user:s3cr%zzet@127.0.0.1:1/db")
    assert not shows_secret(str(refusal.value))
    assert refusal.value.__cause__ is None
    assert refusal.value.__suppress_context__
