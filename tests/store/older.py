"""Schemas that are older than others: migrations that follow the bot's own are made up by the tests that need them."""

from __future__ import annotations

import shutil
from pathlib import Path

from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.migrate import FOR_POSTGRES, numbered


def followed(folder: Path, script: str) -> Path:
    """The bot's migrations and one more, in a new folder: a database of today is an older one to them."""
    shutil.copytree(MIGRATIONS, folder)
    (folder / f"{len(numbered(folder)) + 1:04}_made_up.sql").write_text(script, encoding="utf-8")
    return folder


def without_last(folder: Path) -> Path:
    """Return a new folder with the bot's migrations except the newest."""
    shutil.copytree(MIGRATIONS, folder)
    newest = numbered(folder)[-1]
    for file in (newest, newest.with_suffix(FOR_POSTGRES)):
        file.unlink(missing_ok=True)
    return folder
