"""Any text that a client can send is read and written.

discord.py does its JSON with orjson, which is faster than Python's own but refuses half of a surrogate pair. A client
can send one, and discord.py would take the refusal for the end of the connection: such texts go through Python's own.
"""

from __future__ import annotations

import json
from typing import Any

from discord import utils

_fast_read, _fast_write = utils._from_json, utils._to_json  # noqa: SLF001


def take_every_text() -> None:
    """Have discord.py fall back to Python's own JSON."""
    utils._from_json, utils._to_json = _read, _write  # noqa: SLF001


def _read(text: Any) -> Any:
    try:
        return _fast_read(text)
    except ValueError:
        return json.loads(text)


def _write(obj: Any) -> str:
    try:
        return _fast_write(obj)
    except TypeError:
        return json.dumps(obj, separators=(",", ":"))
