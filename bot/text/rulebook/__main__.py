"""``python -m bot.text.rulebook`` writes the rule book into ``docs/``, and the number of games into the READMEs."""

from __future__ import annotations

from bot.text.rulebook.book import DOCS, count_games, write_documents

if __name__ == "__main__":
    for written in [*write_documents(DOCS), *count_games(DOCS.parent)]:
        print(written.relative_to(DOCS.parent))
