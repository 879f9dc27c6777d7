"""The documents in which the rule book stands: ``docs/rules.md`` and the READMEs, in every language."""

from __future__ import annotations

from pathlib import Path

from bot.ofc.presets import PRESETS
from bot.text.catalogue import TEXTS
from bot.text.languages import LANGUAGES
from bot.text.rulebook.book import document, games_table
from bot.text.words import words_for

DOCS = TEXTS.parents[1] / "docs"
GAMES_BEGIN, GAMES_END = "<!-- games -->", "<!-- /games -->"


def write_documents(folder: Path) -> list[Path]:
    """Write the rule book of every language; returns what was written."""
    written = []
    for code, language in LANGUAGES.items():
        path = folder / language.document("rules")
        path.write_text(document(words_for(code)), encoding="utf-8", newline="\n")
        written.append(path)
    return written


def write_readmes(folder: Path) -> list[Path]:
    """Write the table of games between the marks of every README that there is; returns what was written."""
    readmes = {folder / language.document("README"): code for code, language in LANGUAGES.items()}
    written = [path for path in readmes if path.exists()]
    for path in written:
        before, mark, rest = path.read_text(encoding="utf-8").partition(GAMES_BEGIN)
        _, end, after = rest.partition(GAMES_END)
        if not mark or not end:
            raise ValueError(f"{path.name}: the table of games stands between {GAMES_BEGIN} and {GAMES_END}")
        table = games_table(PRESETS.values(), words_for(readmes[path]))
        path.write_text(f"{before}{mark}\n{table}\n{end}{after}", encoding="utf-8", newline="\n")
    return written
