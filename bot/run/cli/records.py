"""Input and output of the commands: records that prove a deck, hand histories, and text tables."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TextIO

from bot.pure.notation.files import HistoryError, read_history
from bot.pure.notation.history import UNKNOWN
from bot.pure.ofc.cards import Card
from bot.pure.ofc.hand import Hand
from bot.pure.ofc.log import Fact
from bot.pure.ofc.variants import Variant

# output and refusals

RIGHT, WRONG, UNUSABLE = 0, 1, 2


class InputError(ValueError):
    """The arguments are invalid. The text is a sentence with the reason."""


class Commands(Protocol):
    """The result type of ``ArgumentParser.add_subparsers``."""

    def add_parser(
        self, name: str, *, help: str, description: str, epilog: str, formatter_class: type[argparse.HelpFormatter]
    ) -> argparse.ArgumentParser:
        """Add a command."""
        ...


def as_json(record: object) -> str:
    """Return ``record`` as JSON text."""
    return json.dumps(record, ensure_ascii=False, indent=2)


def print_line(text: str) -> None:
    """Print ``text``. A closed pipe isn't an error."""
    use_utf8(sys.stdout)
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # Discard the rest of the buffer, because otherwise the interpreter would report an error on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse(text: str) -> int:
    """Print why nothing was done, and return the exit code."""
    use_utf8(sys.stderr)
    print(text, file=sys.stderr)
    return UNUSABLE


def printable(text: str) -> str:
    """Replace control characters with a ?, because they would move the cursor or change colours in a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def use_utf8(stream: TextIO) -> None:
    """Allow ``stream`` to print any character."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


STDIN = "-"
RECORD_BYTES = 1_000_000
"""Maximum size of a record. A hand's record takes about 2,000 bytes, and that of the largest draw 40,000."""


def name_of(file: str) -> str:
    """Return a file's name for use in a sentence."""
    return "standard input" if file == STDIN else printable(file)


class _DoubledKeyError(ValueError):
    """A key occurs twice in an object. Programs differ in which one they use."""


def _with_each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _DoubledKeyError(next(key for key in keys if keys.count(key) > 1))
    return found


def _no_number(sign: str) -> object:
    raise ValueError(sign)  # NaN and Infinity aren't JSON


def read_record(file: str) -> object:
    """Read the JSON in ``file``; raises InputError."""
    try:
        return json.loads(_read(file), object_pairs_hook=_with_each_key_once, parse_constant=_no_number)
    except _DoubledKeyError as error:
        text = f"{name_of(file)} has the key {str(error)!r} twice in one object, so it is not clear which one counts"
        raise InputError(text) from None
    except OSError as error:
        raise InputError(f"{name_of(file)} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError):
        text = f"{name_of(file)} is not a record: it must be a JSON object of at most one megabyte"
        raise InputError(text) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedHand:
    """A finished hand."""

    hand_id: str
    variant: Variant
    deck: tuple[Card, ...]
    facts: tuple[Fact, ...]
    hand: Hand
    """The state of the hand after its facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedFile:
    """A hand read from a file."""

    played: FinishedHand
    started: str = ""
    """When the hand started (UTC); empty if the file doesn't say."""
    whole: bool = True
    """True if the file has every card that was dealt."""
    wrong: tuple[str, ...] = ()
    """Keys of the results that differ from the replayed hand."""

    def knows(self, seat: int) -> bool:
        """True if the file has all cards dealt to ``seat``."""
        mine = self.played.hand.seats[seat]
        return UNKNOWN not in (*mine.held, *mine.discards)


def read_played(file: str) -> PlayedFile:
    """Return the hand of a hand history; raises InputError."""
    try:
        text = _text(_read(file))
        if _is_record(text):
            raise InputError(
                f"{name_of(file)} is the record of a deck, which does not show what was placed. Name a hand history"
            )
        return _history(text)
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{name_of(file)} cannot be read: {error.strerror}") from error
    except HistoryError as error:
        raise InputError(f"{name_of(file)} contains no hand: {printable(str(error))}") from error
    except ValueError:
        raise InputError(f"{name_of(file)} is not a hand history of at most one megabyte") from None


def _text(content: bytes) -> str:
    """Decode a file as JSON allows: UTF-8, UTF-16 or UTF-32, with or without a byte order mark; raises ValueError."""
    return content.decode(json.detect_encoding(content))


def _is_record(text: str) -> bool:
    """True if ``text`` is the record of a deck."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, Mapping) and "algorithm" in found


def _history(text: str) -> PlayedFile:
    read = read_history(text)
    history = read.history
    played = FinishedHand(
        hand_id=history.hand_id,
        variant=history.variant,
        deck=history.deck,
        facts=history.facts,
        hand=history.hand,
    )
    return PlayedFile(played=played, started=history.started, whole=history.whole, wrong=read.wrong)


def _read(file: str) -> bytes:
    """Return the contents of ``file``; raises OSError, or ValueError if it's larger than any record."""
    with open(0, "rb", closefd=False) if file == STDIN else Path(file).open("rb") as source:
        content = source.read(RECORD_BYTES + 1)
    if len(content) > RECORD_BYTES:
        raise ValueError("too long")
    return content
