"""Markers of English that reads as translated, and their rates. docs/contribute/english.md explains them.

A marker is no error by itself: native writers use these words too, but seldom. So only the rates count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_WORD = re.compile(r"[A-Za-z][\w'’-]*")
_STOP = re.compile(r"(?<=[.!?])[\"')]*\s+(?=[A-Z\"'(])")

OPENINGS = {
    # "What is drawn" instead of "The drawing".
    "question word": r"(?:what|who(?:ever|m|se)?|which(?:ever)?|why|whatever)\b(?!['’]s new)|how (?!to\b)|where [^,]*$"
    r"|(?:for|from|to|with|by|in|of|on|at|under|since) (?:what|whom|which|whose|where|how|when)\b",
    # "So that it's drawn once" instead of a sentence with a subject.
    "fragment": r"so that\b|of (?!course\b)|the same(?: as)?\b|the other way\b|so (?!far\b|long\b|the\b|we\b)"
    r"|as (?!if\b|long\b|soon\b|a\b|per\b|with\b|well\b)",
}
"""Patterns for the beginning of a docstring, a comment or a changelog entry."""

ANYWHERE = {
    "what is": r"(?:\b(?:of|from|with|for|in|by|to|and|or|is|but|than|on|as|at|after)|[,:;(]) ?"
    r"what (?:is|was|are|were|has|had|a|it|they|can|must|may|no)\b",
    "somebody": r"\b(?:some|no|every|any)body\b",
    "whom": r"\b(?:whom|whomever|whoever|whosoever)\b",
    "stands": r"\b(?:stands?|stood)\b(?!-| (?:for|out|up|down|in for|alone|by)\b)"
    r"|\blies\b|\b(?:lie|lay) (?:in|on|at|below|before|beside|there|with|outside|open|dark)\b",
    "beside": r"\bbeside\b(?! the point)",
    "alone": r"(?<!let )(?<!leave )(?<!left )(?<!play )(?<!plays )(?<!is )(?<!are )"
    r"\balone\b(?! (?:at|in|on|with|against)\b)",
    "is told": r"\b(?:is|are|was|were|be|been|being) (?:\w+ly |also |always |only |not )?told\b(?! to\b)"
    r"|\b(?:tells|told) of\b",
    "colon for because": r"(?<=\w)\)?: (?=(?:it|they|so|who|what|this|these|that|there|else|nobody|no one|its|their"
    r"|none|nothing|then|each|neither|both)\b \w+ \w+)",
    "of its own": r"\bof (?:its|their|one's|your|my|our) own\b(?! \w+s\b)|\bby (?:itself|themselves|oneself)\b",
    "one as a person": r"(?<!no )(?<!each )(?<!this )(?<!that )(?<!the )(?<!only )(?<!first )(?<!-)"
    r"\bone (?:can|must|may|would|sees|reads|wants|knows|plays)\b|\bone's own\b|\boneself\b",
    "archaic": r"\b(?:anew|afresh|lest|for ever|thereof|therein|wherein|whence|thence|hitherto)\b"
    r"|\bbec[ao]mes? of\b|\bc[ao]mes? by\b",
    "in which": r"(?<!one )(?<!each )(?<!some )(?<!all )(?<!most )(?<!any )"
    r"\b(?:in|for|by|from|to|with|at|on|after|under|through|against) (?:which|whose|whom)\b"
    r"(?! (?:of|one|order|case|row|seat|table)\b)",
    "else": r"\b(?:all|what) else\b|, else (?:it|the|a|they|nothing)\b",
}
"""Patterns for each sentence."""

LONG = "long sentence"
LONG_SENTENCE = 28
"""Words from which on a sentence is long."""
_OPENINGS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in OPENINGS.items()}
_ANYWHERE = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in ANYWHERE.items()}
_FREE_OPENING = frozenset({"documents", "players"})
"""Kinds of texts that may begin with a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Number of words of one kind of text, and number of hits per marker."""

    words: int
    hits: Mapping[str, int]

    def rate(self, marker: str) -> float:
        """Return the hits per 1,000 words."""
        return 1000 * self.hits.get(marker, 0) / self.words


def tally(kind: str, texts: Iterable[str]) -> Tally:
    """Count the words and the markers of plain texts."""
    words, hits = 0, Counter[str]()
    for text in texts:
        words += len(_WORD.findall(text))
        hits.update(markers_in(kind, text))
    return Tally(words=words, hits=hits)


def markers_in(kind: str, text: str) -> Counter[str]:
    """Return the markers of one plain text."""
    found = Counter[str]()
    sentences = _STOP.split(text)
    if kind not in _FREE_OPENING and not sentences[0].endswith("?") and len(_WORD.findall(sentences[0])) > 2:
        found.update(name for name, pattern in _OPENINGS.items() if pattern.match(sentences[0]))
    for sentence in sentences:
        for name, pattern in _ANYWHERE.items():
            found[name] += len(pattern.findall(sentence))
        found[LONG] += len(_WORD.findall(sentence)) > LONG_SENTENCE
    return +found


def worse(now: Tally, before: Tally) -> dict[str, tuple[float, float]]:
    """Return the markers that became more frequent, with both rates.

    A marker must have more hits and a higher rate: deleting good text isn't a mistake, and neither is adding more.
    """
    return {
        marker: (round(before.rate(marker), 2), round(now.rate(marker), 2))
        for marker, count in now.hits.items()
        if count > before.hits.get(marker, 0) and now.rate(marker) > before.rate(marker)
    }
