"""Sentences that were written for messages, as a page shows them: no markdown, no mention, no sign that only adorns.

Longer texts become lines that say what they are, so that the page lays them out as Discord does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from bot.web.messages import Line, Lines

ADORNS = re.compile("[❄⚠⛔🌈🔥🧊🔒⭐⏸☕✋🏁💤🏖🏆✅⏳⏰💡🏅🔸🪄👑💸🚪❌🔘◀👋🟩🟨🟥▫]")
"""Signs that screen readers name at length, or skip, beside words that say the same. Other signs, as in names, stay."""
_MENTION = re.compile(r"<@!?(\d+)>")
_HEADS = re.compile(r"^(?:-# |- |#{1,3} )", re.MULTILINE)
_LINK = re.compile(r"(?<!\\)\[([^\]]*)\]\(https?://[^)]*\)")
_MARKS = re.compile(r"\\([\\*_~|`<\[\]:>#-])|\*\*|`")
"""What was escaped, and the marks that weren't."""


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
    """The sentence without marks; ``name_of`` says what somebody is called who is mentioned."""
    text = _MENTION.sub(lambda found: name_of(found[1]), text)
    text = _LINK.sub(r"\1", text)
    text = _MARKS.sub(lambda found: found[1] or "", _HEADS.sub("", text)).replace("@\u200b", "@")
    text = ADORNS.sub("", text).replace("\ufe0f", "")
    lines = (re.sub("[ \u00a0]{2,}", " ", line).strip(" \u00a0·") for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def marked(text: str, name_of: Callable[[str], str]) -> str:
    """The same, with marks around what was bold: the page emphasizes it."""
    return plain(_BOLD.sub(rf"{BOLD}\1{NORMAL}", text), name_of)


def lines(text: str, name_of: Callable[[str], str]) -> Lines:
    """A longer text in lines of their kind."""
    return tuple(found for line in text.split("\n") if (found := _line(line, name_of)).text)


def _line(line: str, name_of: Callable[[str], str]) -> Line:
    begin = next(((start, kind) for start, kind in _KINDS if line.startswith(start)), None)
    if begin is not None:
        return Line(kind=begin[1], text=marked(line.removeprefix(begin[0]), name_of))
    verdict = _VERDICTS.get(line[:1])
    return Line(kind="item" if verdict else "text", text=marked(line, name_of), mark=verdict or "")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Line:
    """A table of Markdown cells."""
    cells = tuple(tuple(marked(cell, str) for cell in row) for row in (head, *rows))
    return Line(kind="table", head=cells[0], rows=cells[1:])
