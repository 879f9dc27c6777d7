"""Sentences that were written for messages, as a page shows them: no markdown, no mention, no sign that only adorns."""

from __future__ import annotations

import re
from collections.abc import Callable

ADORNS = re.compile("[❄⚠⛔🌈🔥🧊🔒⭐⏸☕✋🏁💤🏖🏆✅⏳⏰💡🏅🔸🪄👑💸🚪❌🔘◀👋🟩🟨🟥▫]")
"""Signs that screen readers name at length, or skip, beside words that say the same. Other signs, as in names, stay."""
_MENTION = re.compile(r"<@!?(\d+)>")
_HEADS = re.compile(r"^(?:-# |- |#{1,3} )", re.MULTILINE)
_LINK = re.compile(r"(?<!\\)\[([^\]]*)\]\(https?://[^)]*\)")
_MARKS = re.compile(r"\\([\\*_~|`<\[\]:>#-])|\*\*|`")
"""What was escaped, and the marks that weren't."""


def plain(text: str, name_of: Callable[[str], str]) -> str:
    """The sentence without marks; ``name_of`` says what somebody is called who is mentioned."""
    text = _MENTION.sub(lambda found: name_of(found[1]), text)
    text = _LINK.sub(r"\1", text)
    text = _MARKS.sub(lambda found: found[1] or "", _HEADS.sub("", text)).replace("@\u200b", "@")
    text = ADORNS.sub("", text).replace("\ufe0f", "")
    lines = (re.sub("[ \u00a0]{2,}", " ", line).strip(" \u00a0·") for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
