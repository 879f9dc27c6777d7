"""``python -m bot.text.rulebook`` writes the rule book into ``docs/`` and the table of games into the READMEs."""

from __future__ import annotations

from bot.text.rulebook.documents import DOCS, write_documents, write_readmes

if __name__ == "__main__":
    for written in (*write_documents(DOCS), *write_readmes(DOCS.parent)):
        print(written.relative_to(DOCS.parent))
