"""The rule book: the page of one game, and the whole document.

It's generated from the properties of a declaration, not per game. Only the summary and the name depend on the key, and
a custom game may have its own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.variants import Variant
from bot.text.catalogue import TEXTS
from bot.text.games import preset_name, variant_name
from bot.text.house_rules import house_items
from bot.text.languages import LANGUAGES
from bot.text.rulebook.deal import player_items, street_items, streets_in_short
from bot.text.rulebook.differences import EVERYDAY, differences
from bot.text.rulebook.fantasyland import fantasyland_cards, fantasyland_items
from bot.text.rulebook.game_page import natural_items, point_items, row_items
from bot.text.rulebook.general_rules import general_rules, hands_of, special_rules
from bot.text.rulebook.overview import overview
from bot.text.rulebook.page import Grid, Item, Section, discord_pages, markdown, markdown_grid
from bot.text.rulebook.royalties import pays_royalties, royalty_items
from bot.text.words import Words, range_text, words_for

# A game's page, assembled from the properties of its declaration.


def sections(variant: Variant, words: Words) -> tuple[Section, ...]:
    """Return the sections of a game's page, from its house rules to Fantasyland."""
    return tuple(parts(variant, words).values())


def parts(variant: Variant, words: Words) -> dict[str, Section]:
    """Return the sections of a game's page by topic, leaving out empty ones."""
    about: dict[str, Sequence[Item]] = {
        "house": house_items(variant, words),
        "players": player_items(variant, words),
        "setting" if variant.at_once else "streets": street_items(variant, words),
        "rows": row_items(variant, words),
        "points": point_items(variant, words),
        "naturals": natural_items(variant, words),
        "royalties": royalty_items(variant, words),
        "fantasyland": fantasyland_items(variant, words),
    }
    return {
        part: Section(title=words(f"rules.heading.{part}"), items=tuple(items))
        for part, items in about.items()
        if items
    }


def rulebook(variant: Variant, words: Words, *, level: int = 1) -> str:
    """Return the page of one game in Markdown, with a heading of ``level`` (1-5)."""
    head = f"{'#' * level} {variant_name(variant, words)}\n\n{summary(variant, words)}"
    return f"{head}\n\n{markdown(sections(variant, words), level=level + 1)}\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPage:
    """A page of a game's rules in Discord."""

    title: str
    """The page's title, such as ``Royalties``, or ``Royalties 2`` if they don't fit into one message."""
    text: str
    """The page's text with its heading, at most PAGE_LIMIT characters, or OVERVIEW_LIMIT on the first page."""


_DETAILS = {
    "house": ("house",),
    "deal": ("players", "streets", "setting"),
    "points": ("rows", "points", "naturals"),
    "royalties": ("royalties",),
    "fantasyland": ("fantasyland",),
}
"""The pages after the first one, and the sections on each."""


def rules_pages(variant: Variant, words: Words, *, heard: bool = False) -> list[RulesPage]:
    """Return the rules of one game as pages for Discord: an overview on one screen, then the details.

    If ``heard``, the overview has sentences instead of tables.
    """
    first = overview(variant, words, summary=summary(variant, words), heard=heard)
    pages = [RulesPage(title=words("rules.page.overview"), text=first)]
    for title, told in chapters(variant, words):
        pages += _pages(title, told, words)
    return pages


def chapters(variant: Variant, words: Words) -> list[tuple[str, Sequence[Section]]]:
    """Return the chapters after the overview, each with its title and its sections."""
    about = parts(variant, words)
    found: list[tuple[str, Sequence[Section]]] = []
    for title, names in _DETAILS.items():
        told = [about[name] for name in names if name in about and _says(variant, name)]
        found += [(words(f"rules.page.{title}"), told)] if told else []
    return [*found, (words("rules.page.hands"), hands_of(variant, words))]


def _says(variant: Variant, part: str) -> bool:
    """False for a section that only says that the game lacks something, because the first page already says so."""
    if part == "fantasyland":
        return variant.fantasyland is not None
    return part != "royalties" or pays_royalties(variant)


def _pages(title: str, told: Sequence[Section], words: Words) -> list[RulesPage]:
    """Return the pages for sections that share a title."""
    return [
        RulesPage(title=title if number == 1 else words("rules.page.more", title=title, number=number), text=text)
        for number, text in enumerate(discord_pages(told, words), start=1)
    ]


def summary(variant: Variant, words: Words) -> str:
    """Return a sentence about the game."""
    if variant.house:
        return words("rules.house.summary", game=preset_name(variant, words))
    return words(f"variant.{variant.key}.summary")


def games_table(variants: Iterable[Variant], words: Words) -> str:
    """Return a Markdown table that compares the games."""
    columns = ("game", "players", "deck", "streets", "fantasyland")
    rows = tuple(
        (
            variant_name(variant, words),
            range_text(variant.min_seats, variant.max_seats, words),
            words.number(variant.deck_cards),
            streets_in_short(variant, words),
            fantasyland_cards(variant, words),
        )
        for variant in variants
    )
    return markdown_grid(Grid(head=tuple(words(f"rules.games.{column}") for column in columns), rows=rows))


def _game(variant: Variant, words: Words) -> str:
    """Return a game's part of the rule book: its differences from the standard game if it's similar, or its page."""
    unlike = differences(variant, words)
    if not unlike:
        return rulebook(variant, words, level=2)
    everyday = variant_name(EVERYDAY, words)
    alike = {item for section in sections(EVERYDAY, words) for item in section.items}
    told = [
        replace(section, items=unlike_items)
        for section in sections(variant, words)
        if (unlike_items := tuple(item for item in section.items if item not in alike))
    ]
    changes = Section(title=words("rules.like.heading", game=everyday), items=tuple(unlike))
    return "\n\n".join(
        (
            f"## {variant_name(variant, words)}",
            summary(variant, words),
            markdown((changes,), level=3),
            markdown(told, level=3),
            words("rules.like.rest", game=everyday),
        )
    )


def document(words: Words) -> str:
    """Return the whole rule book: the common rules, then every game."""
    at = "rules.document"
    games = Section(title=words("rules.games.heading"), items=(words("rules.games.how_to_read"),))
    chapters = (
        f"# {words(f'{at}.title')}",
        f"<!-- {words(f'{at}.written')} -->",
        _others(words),
        words(f"{at}.opening"),
        markdown(general_rules(words), level=2),
        markdown((games,), level=2),
        games_table(PRESETS.values(), words),
        *(_game(variant, words).rstrip() for variant in PRESETS.values()),
        markdown(special_rules(words), level=2),
    )
    return "\n\n".join(chapters) + "\n"


def _others(words: Words) -> str:
    """Return links to this document in the other languages."""
    others = {code: language for code, language in LANGUAGES.items() if language is not words.language}
    return " · ".join(
        f"[{words_for(code)('setup.own_language')}]({language.document('rules')})" for code, language in others.items()
    )


# The documents with the rule book: ``docs/rules.md`` in every language

DOCS = TEXTS.parents[1] / "docs"


def write_documents(folder: Path) -> list[Path]:
    """Write the rule book in every language and return the paths of the files."""
    written = []
    for code, language in LANGUAGES.items():
        path = folder / language.document("rules")
        path.write_text(document(words_for(code)), encoding="utf-8", newline="\n")
        written.append(path)
    return written


_COUNTED = re.compile(r"\d+(?= games|種類のゲーム)")


def count_games(folder: Path) -> list[Path]:
    """Update the number of games in the READMEs and return the paths of those that exist."""
    paths = [folder / language.document("README") for language in LANGUAGES.values()]
    counted = [path for path in paths if path.exists()]
    for path in counted:
        text = _COUNTED.sub(str(len(PRESETS)), path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8", newline="\n")
    return counted
