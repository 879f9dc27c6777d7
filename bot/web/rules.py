"""The rules of a game for the page: an overview, then chapters with real tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from bot.pure.ofc.variants import Variant
from bot.text.rulebook.book import chapters, summary
from bot.text.rulebook.overview import overview
from bot.text.rulebook.page import Section
from bot.text.words import Words
from bot.web.messages import Chapter, Line, Lines
from bot.web.plain import lines, marked, table

Say: TypeAlias = Callable[[str], str]
"""Function that adapts a text to its reader's settings."""


def rules_shown(variant: Variant, words: Words, say: Say) -> tuple[Chapter, ...]:
    """Return the chapters of a game's rules."""
    first = overview(variant, words, summary=summary(variant, words), heard=True)
    shown = [Chapter(title=words("rules.page.overview"), lines=lines(say(first), str))]
    shown += [Chapter(title=title, lines=_lines(title, told, say)) for title, told in chapters(variant, words)]
    return tuple(shown)


def _lines(title: str, told: Sequence[Section], say: Say) -> Lines:
    """Return a chapter's sections as lines. A section with the chapter's own title gets no heading."""
    return tuple(line for section in told for line in _section(section, say, headed=section.title != title))


def _section(section: Section, say: Say, *, headed: bool) -> list[Line]:
    found = [Line(kind="heading", text=marked(section.title, str))] if headed else []
    found += lines(say(section.opening), str)
    for item in section.items:
        if isinstance(item, str):
            found.append(Line(kind="item", text=marked(say(item), str)))
        else:
            found.append(table(item.head, [[*map(say, row)] for row in item.rows]))
    return found
