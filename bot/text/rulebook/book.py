"""The rule book: the page of one game, and the whole document.

It reads the properties of a declaration and never asks which game it is: only the name and the summary belong to a
key, and the name to a house that gave one.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.ofc.presets import PRESETS
from bot.ofc.variants import Variant
from bot.text.names import preset_name, range_text, variant_name
from bot.text.rulebook.deal import deck_parts, streets_in_short
from bot.text.rulebook.fantasyland import fantasyland_cards
from bot.text.rulebook.game import sections
from bot.text.rulebook.general_rules import general_rules
from bot.text.rulebook.page import Grid, Section, discord_pages, markdown, markdown_grid
from bot.text.rulebook.royalties import has_low_middle
from bot.text.words import Words


def rulebook(variant: Variant, words: Words, *, level: int = 1) -> str:
    """The page of one game in Markdown, its heading of ``level`` (1-5)."""
    head = f"{'#' * level} {variant_name(variant, words)}\n\n{summary(variant, words)}"
    return f"{head}\n\n{markdown(sections(variant, words), level=level + 1)}\n"


def rules_pages(variant: Variant, words: Words) -> list[str]:
    """The page of one game as Discord messages, each of at most 1,800 characters and with a heading in front."""
    head = (f"# {variant_name(variant, words)}", summary(variant, words))
    return discord_pages(sections(variant, words), head=head)


def summary(variant: Variant, words: Words) -> str:
    """What kind of game it is, in a sentence."""
    if variant.house:
        return words("rules.house.summary", game=preset_name(variant, words))
    return words(f"variant.{variant.key}.summary")


def short_line(variant: Variant, words: Words) -> str:
    """The game in one line: ``5 + 4×3, 2–3 seats, Fantasyland 14``."""
    seats = range_text(variant.min_seats, variant.max_seats, words)
    parts = [streets_in_short(variant, words), words("rules.short.seats", seats=seats)]
    if variant.decks > 1 or variant.jokers:
        parts.append(deck_parts(variant, words))
    if has_low_middle(variant):
        parts.append(words("rules.short.low"))
    if variant.naturals:
        parts.append(words("rules.short.naturals"))
    if variant.fantasyland:
        parts.append(words("rules.short.fantasyland", cards=fantasyland_cards(variant, words)))
    else:
        parts.append(words("rules.short.no_fantasyland"))
    if variant.house:
        parts.append(words("rules.short.house"))
    return words("rules.short.and").join(parts)


def games_table(variants: Iterable[Variant], words: Words) -> str:
    """The games side by side, as a Markdown table."""
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


def document(words: Words) -> str:
    """The whole rule book: what all games share, then every game."""
    at = "rules.document"
    games = Section(title=words("rules.games.heading"))
    parts = (
        f"# {words(f'{at}.title')}",
        f"<!-- {words(f'{at}.written')} -->",
        words(f"{at}.other"),
        words(f"{at}.opening"),
        markdown(general_rules(words), level=2),
        markdown((games,), level=2),
        games_table(PRESETS.values(), words),
        *(rulebook(variant, words, level=2).rstrip() for variant in PRESETS.values()),
    )
    return "\n\n".join(parts) + "\n"
