"""``python -m bot.text.rulebook`` writes the rule book into ``docs/``."""

from __future__ import annotations

from bot.text.rulebook.book import DOCS, write_documents

if __name__ == "__main__":
    for written in write_documents(DOCS):
        print(written.relative_to(DOCS.parent))
