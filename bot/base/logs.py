"""The log: what it is about as fields of its own, as text or as JSON lines, and nothing secret in it.

Our own rooms write no card and no draft into the log. What others put into their errors is another matter: Discord's
errors can quote a custom id, which may hold a draft, and aiohttp's a path with an interaction's token or a member's id;
PostgreSQL tells the values of a row. Those are struck out of whatever is written.
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
"""The loggers of the bot itself."""
FIELDS = ("guild", "table", "hand", "incident")
TEXT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"

_about: ContextVar[Mapping[str, int]] = ContextVar("about", default=MappingProxyType({}))
SECRETS = (
    (re.compile(r"\b([csm]1:[a-z_]{1,16}:\d+(?:\.[0-9a-f]{6})?(?:~[0-9a-f]{12})?):[\w:-]*"), r"\1:…"),
    (re.compile(r"((?:interactions|webhooks)/\d+/)[\w.%-]+"), r"\1…"),
    # A draft without its custom id around it.
    (re.compile(r":(?:[0-9a-z][FMBD]){1,17}:"), ":…:"),
    # Who somebody is, in a path of Discord's and in what PostgreSQL tells of a row.
    (re.compile(r"((?:members|users|recipients)/)\d+"), r"\1…"),
    (re.compile(r"(DETAIL:).*?(?=$|\\n| (?:guild|table|hand|incident)=)", re.MULTILINE), r"\1 …"),
    # What a bot's token looks like: its id in base64, a time, a signature.
    (re.compile(r"\b[A-Za-z0-9_-]{18,30}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"), "…"),
)


@contextmanager
def held(variable: ContextVar[T], value: T) -> Iterator[T]:
    """Inside, the variable has this value; afterwards what it had before. The variable needs a default."""
    before = variable.get()
    variable.set(value)
    try:
        yield value
    finally:
        # A token could not be given back by whoever clears away a task that never ended: that is another context.
        variable.set(before)


def note(*, guild: int = 0, table: int = 0, hand: int = 0) -> None:
    """From now on, whatever this task logs is about that; 0 is nothing."""
    fields = (("guild", guild), ("table", table), ("hand", hand))
    _about.set({name: value for name, value in fields if value})


@contextmanager
def about(*, guild: int = 0, table: int = 0, hand: int = 0) -> Iterator[None]:
    """Whatever is logged inside is about that; 0 is nothing."""
    before = _about.get()
    note(guild=guild, table=table, hand=hand)
    try:
        yield
    finally:
        _about.set(before)


class Fields(logging.Filter):
    """Gives each record the fields that it was logged under. It belongs on a handler: loggers do not inherit it."""

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        """Let everything pass."""
        known = _about.get()
        for name in FIELDS:
            if not hasattr(record, name):
                setattr(record, name, known.get(name))
        return True


def fields_of(record: logging.LogRecord) -> dict[str, str]:
    """The fields that a record has. Ids are text: a number of that size is rounded by many who read JSON."""
    return {name: str(value) for name in FIELDS if (value := getattr(record, name, None)) is not None}


def scrub(text: str) -> str:
    """The text without drafts and tokens."""
    for pattern, instead in SECRETS:
        text = pattern.sub(instead, text)
    return text


class TextFormatter(logging.Formatter):
    """One line an entry, its fields at the end; a traceback below it."""

    def __init__(self) -> None:
        super().__init__(TEXT)

    @override
    def formatMessage(self, record: logging.LogRecord) -> str:  # logging calls it so
        """The line."""
        line = super().formatMessage(record).replace("\r", "").replace("\n", "\\n")
        return " ".join([line, *(f"{name}={value}" for name, value in fields_of(record).items())])

    @override
    def format(self, record: logging.LogRecord) -> str:
        """The entry."""
        return scrub(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        """The entry."""
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
    """Writes entries of that form (``text`` or ``json``) to a stream."""
    made = logging.StreamHandler(stream)
    made.addFilter(Fields())
    made.setFormatter(FORMATTERS[form]())
    return made


def set_up(*, level: str, form: str) -> None:
    """Log to standard error."""
    # Below INFO discord.py logs whatever passes between it and Discord: private hands, and the tokens of interactions.
    others = max(logging.INFO, logging.getLevelNamesMapping()[level])
    logging.basicConfig(level=others, handlers=[handler(sys.stderr, form=form)])
    for name in OWN:
        logging.getLogger(name).setLevel(level)
