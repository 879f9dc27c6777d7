"""Records as files: what ``verify`` and ``review`` read."""

from __future__ import annotations

import json
from pathlib import Path

from bot.cli.printing import InputError, printable

STDIN = "-"
RECORD_BYTES = 1_000_000
"""The largest record that is read; that of a hand has about two thousand, the largest draw forty thousand."""


def name_of(file: str) -> str:
    """What a file is called in a sentence."""
    return "standard input" if file == STDIN else printable(file)


def read_record(file: str) -> object:
    """The JSON that a file holds; raises InputError."""
    try:
        return json.loads(_read(file))
    except OSError as error:
        raise InputError(f"{name_of(file)} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError):
        text = f"{name_of(file)} is not a record: it must be a JSON object of at most one megabyte"
        raise InputError(text) from None


def _read(file: str) -> bytes:
    """What ``file`` holds; raises OSError, and ValueError for more than a record."""
    with open(0, "rb", closefd=False) if file == STDIN else Path(file).open("rb") as source:
        content = source.read(RECORD_BYTES + 1)
    if len(content) > RECORD_BYTES:
        raise ValueError("too long")
    return content
