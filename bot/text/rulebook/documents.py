"""The documents in which the rule book stands: ``docs/rules.md``, in every language."""

from __future__ import annotations

from pathlib import Path

from bot.text.catalogue import TEXTS
from bot.text.languages import LANGUAGES
from bot.text.rulebook.book import document
from bot.text.words import words_for

DOCS = TEXTS.parents[1] / "docs"


def write_documents(folder: Path) -> list[Path]:
    """Write the rule book of every language; returns what was written."""
    written = []
    for code, language in LANGUAGES.items():
        path = folder / language.document("rules")
        path.write_text(document(words_for(code)), encoding="utf-8", newline="\n")
        written.append(path)
    return written
