"""Plain text for the page from sentences written for Discord, without Markdown, mentions and decorative emoji.

Longer texts become typed lines, so that the page can lay them out as Discord does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from bot.web.messages import Line, Lines

ADORNS = re.compile("[❄⚠⛔🌈🔥🧊🔒⭐⏸☕✋🏁💤🏖🏆✅⏳⏰💡🏅🔸🪄👑💸🚪❌🔘◀👋🟩🟨🟥▫]")
"""Decorative emoji next to words that say the same. Screen readers read them at length or skip them. Others are
kept."""
_MENTION = re.compile(r"<@!?(\d+)>")
_HEADS = re.compile(r"^(?:-# |- |#{1,3} )", re.MULTILINE)
_LINK = re.compile(r"(?<!\\)\[([^\]]*)\]\(https?://[^)]*\)")
_MARKS = re.compile(r"\\([\\*_~|`<\[\]:>#-])|\*\*|`")
"""Escaped characters, and unescaped Markdown."""


BOLD, NORMAL = "\x02", "\x03"
_BOLD = re.compile(r"(?<!\\)\*\*(.+?)(?<!\\)\*\*")
_KINDS: tuple[tuple[str, Literal["heading", "item", "small"]], ...] = (
    ("# ", "heading"),
    ("## ", "heading"),
    ("### ", "heading"),
    ("- ", "item"),
    ("-# ", "small"),
)
_VERDICTS: dict[str, Literal["right", "wrong", "other"]] = {"✅": "right", "🔸": "wrong", "⏰": "other", "🪄": "other"}


def plain(text: str, name_of: Callable[[str], str]) -> str:
    """Return ``text`` without marks. ``name_of`` returns the name of a mentioned player."""
    text = _MENTION.sub(lambda found: name_of(found[1]), text)
    text = _LINK.sub(r"\1", text)
    text = _MARKS.sub(lambda found: found[1] or "", _HEADS.sub("", text)).replace("@\u200b", "@")
    text = ADORNS.sub("", text).replace("\ufe0f", "")
    lines = (re.sub("[ \u00a0]{2,}", " ", line).strip(" \u00a0·") for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def marked(text: str, name_of: Callable[[str], str]) -> str:
    """Like :func:`plain`, but with marks around bold text, which the page emphasises."""
    return plain(_BOLD.sub(rf"{BOLD}\1{NORMAL}", text), name_of)


def lines(text: str, name_of: Callable[[str], str]) -> Lines:
    """Split a longer text into typed lines."""
    return tuple(found for line in text.split("\n") if (found := _line(line, name_of)).text)


def _line(line: str, name_of: Callable[[str], str]) -> Line:
    begin = next(((start, kind) for start, kind in _KINDS if line.startswith(start)), None)
    if begin is not None:
        return Line(kind=begin[1], text=marked(line.removeprefix(begin[0]), name_of))
    verdict = _VERDICTS.get(line[:1])
    return Line(kind="item" if verdict else "text", text=marked(line, name_of), mark=verdict or "")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Line:
    """Return a table of Markdown cells."""
    cells = tuple(tuple(marked(cell, str) for cell in row) for row in (head, *rows))
    return Line(kind="table", head=cells[0], rows=cells[1:])
