"""Hand history files: the same keys as TOML, in the shape of PHH, or as JSON.

Source: docs/notation.md, "The file".
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from bot.notation.fields import Fields, HistoryError, HistoryFile, fields_of, history_from
from bot.notation.history import HandHistory

TOML, JSON = ".phh", ".json"
"""How the names of files end."""
_DEEP_KEY = re.compile(r"""(?<![\w\\-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){16}""")
"""A key with many dots, which no hand has: what TOML does for each grows with the square of its length."""


def as_toml(history: HandHistory) -> str:
    """The file in the shape of PHH."""
    return "".join(f"{key} = {_toml(key, value)}\n" for key, value in fields_of(history).items())


def as_json(history: HandHistory) -> str:
    """The same keys as one JSON object, a key a line."""
    lines = [f"  {_quoted(key)}: {_json(key, value)}" for key, value in fields_of(history).items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _toml(key: str, value: Any) -> str:
    if key == "time":
        return str(value)
    if key == "actions":
        return _lines(value, end=",\n", close="]")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(name)} = {_quoted(rule)}" for name, rule in value.items()) + "}"
    return _quoted(value)


def _json(key: str, value: Any) -> str:
    return _lines(value, end=",\n", close="  ]", indent="    ") if key == "actions" else _quoted(value)


def _lines(lines: Iterable[str], *, end: str, close: str, indent: str = "  ") -> str:
    """A list with a line for each of its texts."""
    return "[\n" + end.join(f"{indent}{_quoted(line)}" for line in lines) + "\n" + close


def _quoted(value: Any) -> str:
    """A text, a number or a list of them, as TOML and JSON both write it."""
    # JSON leaves DEL as it is, which TOML refuses.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def read_history(text: str) -> HistoryFile:
    """The hand of a file in either form; raises HistoryError.

    >>> read_history("variant = 'NT'")
    Traceback (most recent call last):
    bot.notation.fields.HistoryError: its _format is not chaipo/hand/v1, the one known here
    """
    return history_from(_parsed(text))


def _parsed(text: str) -> Fields:
    try:
        if text.lstrip().startswith("{"):
            found: Fields = json.loads(text)
            json.dumps(found, ensure_ascii=False).encode()  # half of a surrogate pair can be read, and not be written
            return found
        if _DEEP_KEY.search(text):
            raise ValueError("a key with many dots")
        fields: Fields = tomllib.loads(text)
    except (ValueError, RecursionError):
        raise HistoryError("it must be TOML, or a JSON object") from None
    return fields | ({"time": fields["time"].isoformat()} if hasattr(fields.get("time"), "isoformat") else {})
