"""Logs as text or JSON lines, with the subject in separate fields and without secrets.

The bot's own packages never log cards or drafts, but errors from elsewhere may contain secrets. Discord's errors can
quote a custom id, which may contain a draft. Errors from aiohttp can quote a path with an interaction's token or a
member's id, and those from PostgreSQL can quote a row's values. All of these are removed from the output.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TextIO, TypeVar

from typing_extensions import override

T = TypeVar("T")

OWN = ("bot", "cogs", "chaipo")
"""The bot's own loggers."""
FIELDS = ("guild", "table", "hand", "incident")
TEXT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"

_about: ContextVar[Mapping[str, int]] = ContextVar("about", default=MappingProxyType({}))
SECRETS = (
    (re.compile(r"\b([csm]1:[a-z_]{1,16}:\d+(?:\.[0-9a-f]{6})?(?:~[0-9a-f]{12})?):[\w:-]*"), r"\1:…"),
    (re.compile(r"((?:interactions|webhooks)/\d+/)[\w.%-]+"), r"\1…"),
    # a draft without its custom id
    (re.compile(r":(?:[0-9a-z][FMBD]){1,17}:"), ":…:"),
    # a user's id in Discord's paths and in PostgreSQL's details about a row
    (re.compile(r"((?:members|users|recipients)/)\d+"), r"\1…"),
    (re.compile(r"(DETAIL:).*?(?=$|\\n| (?:guild|table|hand|incident)=)", re.MULTILINE), r"\1 …"),
    # A bot's token consists of its id in base64, a time and a signature.
    (re.compile(r"\b[A-Za-z0-9_-]{18,30}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"), "…"),
)


@contextmanager
def held(variable: ContextVar[T], value: T) -> Iterator[T]:
    """Set ``variable`` to ``value`` for the duration of the block. The variable needs a default."""
    before = variable.get()
    variable.set(value)
    try:
        yield value
    finally:
        # Resetting a token could fail while an unfinished task is cleaned up, because that runs in another context.
        variable.set(before)


def note(*, guild: int = 0, table: int = 0, hand: int = 0) -> None:
    """Set the log fields of the current task. 0 leaves a field out."""
    fields = (("guild", guild), ("table", table), ("hand", hand))
    _about.set({name: value for name, value in fields if value})


@contextmanager
def about(*, guild: int = 0, table: int = 0, hand: int = 0) -> Iterator[None]:
    """Set the log fields for the duration of the block. 0 leaves a field out."""
    before = _about.get()
    note(guild=guild, table=table, hand=hand)
    try:
        yield
    finally:
        _about.set(before)


class Fields(logging.Filter):
    """Adds the log fields to each record. It must be on a handler, because child loggers bypass a parent's filters."""

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        """Set the fields, and accept the record."""
        known = _about.get()
        for name in FIELDS:
            if not hasattr(record, name):
                setattr(record, name, known.get(name))
        return True


def fields_of(record: logging.LogRecord) -> dict[str, str]:
    """Return a record's fields. Ids are text, because many JSON readers would round such large numbers."""
    return {name: str(value) for name in FIELDS if (value := getattr(record, name, None)) is not None}


def scrub(text: str) -> str:
    """Return the text without drafts, tokens and ids."""
    for pattern, instead in SECRETS:
        text = pattern.sub(instead, text)
    return text


class TextFormatter(logging.Formatter):
    """One line per entry, with its fields at the end, followed by any traceback."""

    def __init__(self) -> None:
        super().__init__(TEXT)

    @override
    def formatMessage(self, record: logging.LogRecord) -> str:  # name required by logging
        """Return the entry's line."""
        line = super().formatMessage(record).replace("\r", "").replace("\n", "\\n")
        return " ".join([line, *(f"{name}={value}" for name, value in fields_of(record).items())])

    @override
    def format(self, record: logging.LogRecord) -> str:
        """Return the entry without secrets."""
        return scrub(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object per line."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        """Return the entry as JSON, without secrets."""
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": scrub(record.getMessage()),
            **fields_of(record),
        }
        if record.exc_info:
            entry["exception"] = scrub(self.formatException(record.exc_info))
        if record.stack_info:
            entry["stack"] = scrub(self.formatStack(record.stack_info))
        return json.dumps(entry, ensure_ascii=False)


FORMATTERS: Mapping[str, type[logging.Formatter]] = {"text": TextFormatter, "json": JsonFormatter}


def handler(stream: TextIO, *, form: str) -> logging.Handler:
    """Return a handler that writes entries to ``stream`` as ``text`` or ``json``."""
    made = logging.StreamHandler(stream)
    made.addFilter(Fields())
    made.setFormatter(FORMATTERS[form]())
    return made


def set_up(*, level: str, form: str) -> None:
    """Log to standard error."""
    # Below INFO, discord.py logs all its traffic with Discord, including private hands and interaction tokens.
    others = max(logging.INFO, logging.getLevelNamesMapping()[level])
    logging.basicConfig(level=others, handlers=[handler(sys.stderr, form=form)])
    for name in OWN:
        logging.getLogger(name).setLevel(level)
