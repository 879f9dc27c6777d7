"""Paths of the bot's files: next to the code in a checkout, in the user's data folder if the bot is installed."""

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

_PACKAGE: Final = Path(__file__).resolve().parents[1]
INSTALLED: Final = not (_PACKAGE.parent / "data" / "text").is_dir()
"""False in a checkout and for editable installs."""
SHIPPED: Final = _PACKAGE / "_data" if INSTALLED else _PACKAGE.parent / "data"
"""Read-only files that come with the code: texts, fonts and fitted values. A wheel includes them."""
HOME: Final = user_data_path("chaipo", appauthor=False) if INSTALLED else _PACKAGE.parent
"""Folder of ``.env`` and base for relative paths, independent of the working directory."""
STORED: Final = HOME if INSTALLED else HOME / "data" / "var"
"""Default folder of the database and its key."""


def default_places(home: Path, name: str) -> tuple[Path, ...]:
    """Return the possible places for a file under ``home``: the default, and the one in ``.env.example``."""
    return home / name, home / "data" / "var" / name


def command_of(argv: Sequence[str]) -> str:
    """Return the command line for a checkout, with the Python that this process was started with.

    In a virtual environment, ``python`` isn't always on the path.
    """
    if argv[1:3] != ["-m", "bot"]:
        return "python -m bot"
    python = f'"{argv[0]}"' if " " in argv[0] else argv[0]
    return f"{python} -m bot"


COMMAND: Final = "chaipo" if INSTALLED else command_of(sys.orig_argv)
"""The command line as an operator types it."""
POSTGRES_NEEDS: Final = "chaipo[postgres]" if INSTALLED else 'psycopg (python -m pip install "psycopg[binary]")'
"""Requirement for storing data in PostgreSQL."""
PLAYGROUND_NEEDS: Final = "chaipo[playground]" if INSTALLED else "requirements-playground.txt"
"""Requirement for the playground."""

COMMIT_FILE: Final = _PACKAGE / "_commit"
"""File written when a container image is built, because the image has no repository."""
_COMMIT_DIGITS = 10


@cache
def version_text(version: str) -> str:
    """Return ``version`` with the running commit, if it's known: ``1.0.0 (0123456789)``."""
    commit = commit_of(COMMIT_FILE, _PACKAGE.parent / ".git")
    return f"{version} ({commit})" if commit else version


def commit_of(file: Path, repository: Path) -> str:
    """Return the first digits of the commit from the image's file or the checkout's repository; empty if unknown."""
    try:
        if file.is_file():
            return file.read_text(encoding="ascii").strip()[:_COMMIT_DIGITS]
        if repository.is_file():  # in a worktree, this file has the path of its repository data
            repository = Path(repository.read_text(encoding="utf-8").removeprefix("gitdir:").strip())
        head = (repository / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref: "):
            return head[:_COMMIT_DIGITS]
        return _commit_at(head.removeprefix("ref: "), repository)[:_COMMIT_DIGITS]
    except (OSError, ValueError):
        return ""


def _commit_at(ref: str, repository: Path) -> str:
    shared = repository / "commondir"
    common = (repository / shared.read_text(encoding="utf-8").strip()) if shared.is_file() else repository
    for folder in (repository, common):
        if (folder / ref).is_file():
            return (folder / ref).read_text(encoding="utf-8").strip()
    packed = (common / "packed-refs").read_text(encoding="utf-8")
    return next((line.split()[0] for line in packed.splitlines() if line.endswith(f" {ref}")), "")
