"""What all commands print by, and how they refuse."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from typing import Protocol, TextIO

RIGHT, WRONG, UNUSABLE = 0, 1, 2


class InputError(ValueError):
    """Arguments that cannot be used; the text is the sentence that says why."""


class Commands(Protocol):
    """What ``ArgumentParser.add_subparsers`` returns."""

    def add_parser(self, name: str, *, help: str, description: str) -> argparse.ArgumentParser:
        """A new command."""
        ...


def as_json(record: object) -> str:
    """The record as text."""
    return json.dumps(record, ensure_ascii=False, indent=2)


def say(text: str) -> None:
    """Print; that the reader has stopped reading is no error."""
    use_utf8(sys.stdout)
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # What is left in the buffer goes nowhere, or the interpreter would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse(text: str) -> int:
    """Print why nothing was done; returns the exit code."""
    use_utf8(sys.stderr)
    print(text, file=sys.stderr)
    return UNUSABLE


def printable(text: str) -> str:
    """The text with a ? for each sign that would move the cursor or change the colours of a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def use_utf8(stream: TextIO) -> None:
    """Let a stream print whatever there is to print."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
