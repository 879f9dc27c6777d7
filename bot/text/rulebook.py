"""The rule book: a game's page, written from its declaration.

It reads properties and never asks which game it is: only the name and the summary belong to a key, and the name to a
house that gave one.
``python -m bot.text.rulebook`` writes the rules of every game into ``docs/`` and the table of games into the READMEs,
in every language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from bot.ofc.presets import PRESETS
from bot.ofc.variants import Variant
from bot.text.basics import basics
from bot.text.catalogue import LANGUAGES, TEXTS, Language
from bot.text.fantasyland import fantasyland_cards
from bot.text.names import preset_name, range_text, variant_name
from bot.text.pages import Section, Table, discord_pages, markdown, markdown_table
from bot.text.payments import has_low_middle, royalty_tables
from bot.text.sections import deck_parts, sections, streets_in_short, streets_table
from bot.text.words import Words, words_for

DOCS = TEXTS.parents[1] / "docs"
DOCUMENTS: Mapping[Language, str] = {"en": "rules.md", "ja": "rules.ja.md"}
READMES: Mapping[Language, str] = {"en": "README.md", "ja": "README.ja.md"}
GAMES_BEGIN, GAMES_END = "<!-- games -->", "<!-- /games -->"


def rulebook(variant: Variant, words: Words, *, level: int = 1) -> str:
    """The page of one game in Markdown, its heading of ``level`` (1-5)."""
    head = f"{'#' * level} {variant_name(variant, words)}\n\n{summary(variant, words)}"
    return f"{head}\n\n{markdown(sections(variant, words), level=level + 1)}\n"


def rules_pages(variant: Variant, words: Words) -> list[str]:
    """The page of one game as Discord messages, each of at most 1,800 characters and with a heading in front."""
    head = (f"# {variant_name(variant, words)}", summary(variant, words))
    return discord_pages(sections(variant, words), head=head)


def basics_pages(words: Words) -> list[str]:
    """What all games share (hands, foul and scoring by example) as Discord messages, cut like ``rules_pages``."""
    return discord_pages(basics(words))


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


def street_table(variant: Variant, words: Words) -> str:
    """What is dealt, laid and discarded on each street, as a Markdown table."""
    return markdown_table(streets_table(variant, words))


def royalty_table(variant: Variant, words: Words) -> str:
    """What the rows pay, as Markdown tables: middle and back, lows, the front. Empty without royalties."""
    return "\n\n".join(map(markdown_table, royalty_tables(variant, words)))


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
    return markdown_table(Table(head=tuple(words(f"rules.games.{column}") for column in columns), rows=rows))


def document(words: Words) -> str:
    """The whole rule book: what all games share, then every game."""
    at = "rules.document"
    games = Section(title=words("rules.games.heading"))
    parts = (
        f"# {words(f'{at}.title')}",
        f"<!-- {words(f'{at}.written')} -->",
        words(f"{at}.other"),
        words(f"{at}.opening"),
        markdown(basics(words), level=2),
        markdown((games,), level=2),
        games_table(PRESETS.values(), words),
        *(rulebook(variant, words, level=2).rstrip() for variant in PRESETS.values()),
    )
    return "\n\n".join(parts) + "\n"


def write_documents(folder: Path = DOCS) -> list[Path]:
    """Write the rule book of every language; returns what was written."""
    written = []
    for language in LANGUAGES:
        path = folder / DOCUMENTS[language]
        path.write_text(document(words_for(language)), encoding="utf-8", newline="\n")
        written.append(path)
    return written


def write_readmes(folder: Path = DOCS.parent) -> list[Path]:
    """Write the table of games between the marks of every README; returns what was written."""
    written = []
    for language, name in READMES.items():
        path = folder / name
        before, mark, rest = path.read_text(encoding="utf-8").partition(GAMES_BEGIN)
        _, end, after = rest.partition(GAMES_END)
        if not mark or not end:
            raise ValueError(f"{name}: the table of games stands between {GAMES_BEGIN} and {GAMES_END}")
        table = games_table(PRESETS.values(), words_for(language))
        path.write_text(f"{before}{mark}\n{table}\n{end}{after}", encoding="utf-8", newline="\n")
        written.append(path)
    return written


if __name__ == "__main__":
    for written_path in (*write_documents(), *write_readmes()):
        print(written_path.relative_to(DOCS.parent))
