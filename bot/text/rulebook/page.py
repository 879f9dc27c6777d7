"""Pages of the rule book, whose sections are formatted as Markdown with tables or as Discord messages without.

Discord doesn't show tables, so a grid becomes lines there. Its cells may contain Markdown, but no ``|``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.text.words import Words

NOTHING = "–"
"""Text of an empty cell."""
PAGE_LIMIT = 1800
"""Maximum number of characters on a Discord page. A message can have 2,000, and the bot may add a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table on a page, and the lines that replace it where tables aren't supported."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """Rows of cells, each as long as the head."""
    lines: tuple[str, ...] = ()
    """Lines that replace the table. If there are none, the cells of each row are used."""

    def said(self, words: Words) -> tuple[str, ...]:
        """Return the grid as lines."""
        return self.lines or tuple(f"**{first}** {words.facts(cells)}" for first, *cells in self.rows)


Item: TypeAlias = str | Grid
"""A list item, or a grid."""


def said(items: Iterable[Item], words: Words) -> list[str]:
    """Return list items and grids as lines."""
    return [line for item in items for line in ((item,) if isinstance(item, str) else item.said(words))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading, an optional opening sentence, and grids and list items (strings) in order."""

    title: str
    opening: str = ""
    items: tuple[Item, ...] = ()


def markdown_grid(grid: Grid) -> str:
    """Return the grid as a table in Markdown."""
    lines = (grid.head, ("---",) * len(grid.head), *grid.rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def markdown(sections: Iterable[Section], *, level: int) -> str:
    """Return the sections in GitHub's Markdown, with headings of ``level`` (1-6)."""
    return "\n\n".join(_markdown_section(section, level) for section in sections)


def _markdown_section(section: Section, level: int) -> str:
    text = "\n\n".join(filter(None, [f"{'#' * level} {section.title}", section.opening]))
    in_list = False
    for item in section.items:
        point = isinstance(item, str)
        text += "\n" if point and in_list else "\n\n"
        text += f"- {item}" if isinstance(item, str) else markdown_grid(item)
        in_list = point
    return text


def discord_pages(sections: Iterable[Section], words: Words, *, head: Sequence[str] = ()) -> list[str]:
    """Return messages of up to PAGE_LIMIT characters, the first one starting with ``head``.

    A section is split only if it's longer than a page. Each part then repeats the heading.
    """
    pages = ["\n".join(head)]
    for section in sections:
        heading, *lines = _discord_lines(section, words)
        whole = "\n".join((heading, *lines))
        if len(whole) <= PAGE_LIMIT:
            _append(pages, whole)
            continue
        _append(pages, f"{heading}\n{lines[0]}")
        for line in lines[1:]:
            if len(pages[-1]) + 1 + len(line) > PAGE_LIMIT:
                pages.append(heading)
            pages[-1] += f"\n{line}"
    return pages


def _append(pages: list[str], block: str) -> None:
    """Add ``block`` to the last page, or to a new one if it doesn't fit."""
    if pages[-1] and len(pages[-1]) + 1 + len(block) > PAGE_LIMIT:
        pages.append(block)
    else:
        pages[-1] = f"{pages[-1]}\n{block}".lstrip("\n")


def _discord_lines(section: Section, words: Words) -> list[str]:
    """Return the heading and the lines of a section."""
    lines = [f"- {line}" for line in said(section.items, words)]
    return [f"## {section.title}", *filter(None, [section.opening]), *lines]
