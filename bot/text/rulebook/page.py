"""A page of the rule book: sections, printed two ways: as Markdown with tables, and as Discord messages without.

Discord draws no tables: a grid is said in lines there. Its cells may hold Markdown, but no ``|``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.text.words import Words

NOTHING = "–"
"""In a cell where there is nothing to say."""
PAGE_LIMIT = 1800
"""Characters of a Discord page: a message holds 2,000, and the bot may add a line of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table on a page, and what is said in its place where no tables are drawn."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """Each as long as the head."""
    lines: tuple[str, ...] = ()
    """Empty: the rows themselves, cell by cell."""

    def said(self, words: Words) -> tuple[str, ...]:
        """The grid in lines."""
        return self.lines or tuple(f"**{first}** {words.facts(cells)}" for first, *cells in self.rows)


Item: TypeAlias = str | Grid
"""A point of a list, or a grid."""


def said(items: Iterable[Item], words: Words) -> list[str]:
    """Points and grids in lines."""
    return [line for item in items for line in ((item,) if isinstance(item, str) else item.said(words))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what stands under it: an opening sentence or none, then grids and points (strings) in order."""

    title: str
    opening: str = ""
    items: tuple[Item, ...] = ()


def markdown_grid(grid: Grid) -> str:
    """The grid as a table in Markdown."""
    lines = (grid.head, ("---",) * len(grid.head), *grid.rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def markdown(sections: Iterable[Section], *, level: int) -> str:
    """The sections with headings of ``level`` (1-6), as GitHub shows them."""
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
    """Messages of at most PAGE_LIMIT characters, ``head`` on the first.

    A section is cut only when it is longer than a page; its heading then stands above each part.
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
    """``block`` on the last page, or on a new one where it does not fit."""
    if pages[-1] and len(pages[-1]) + 1 + len(block) > PAGE_LIMIT:
        pages.append(block)
    else:
        pages[-1] = f"{pages[-1]}\n{block}".lstrip("\n")


def _discord_lines(section: Section, words: Words) -> list[str]:
    """The heading, and what stands under it line by line."""
    lines = [f"- {line}" for line in said(section.items, words)]
    return [f"## {section.title}", *filter(None, [section.opening]), *lines]
