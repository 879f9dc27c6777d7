"""Where this copy of the bot has its files: a checkout beside its code, an installed one in the folder of its user."""

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

_PACKAGE: Final = Path(__file__).resolve().parents[1]
INSTALLED: Final = not (_PACKAGE.parent / "data" / "text").is_dir()
"""False in a checkout, also where it was installed as an editable one."""
SHIPPED: Final = _PACKAGE / "_data" if INSTALLED else _PACKAGE.parent / "data"
"""What comes with the code and is only read: sentences, fonts, what was fitted for the computers. A wheel holds it."""
HOME: Final = user_data_path("chaipo", appauthor=False) if INSTALLED else _PACKAGE.parent
"""Where ``.env`` is looked for, and where relative paths begin, wherever the bot was started from."""
STORED: Final = HOME if INSTALLED else HOME / "data" / "var"
"""Where the database and its key are kept when no setting says otherwise."""


def usual_places(home: Path, name: str) -> tuple[Path, ...]:
    """Return where a file of the bot may lie below ``home``: by default, or as ``.env.example`` names it."""
    return home / name, home / "data" / "var" / name


def command_of(argv: Sequence[str]) -> str:
    """Return how an operator calls the command line in a checkout, by what Python itself was started with.

    ``python`` is not on the path of everyone who has a virtual environment.
    """
    if argv[1:3] != ["-m", "bot"]:
        return "python -m bot"
    python = f'"{argv[0]}"' if " " in argv[0] else argv[0]
    return f"{python} -m bot"


COMMAND: Final = "chaipo" if INSTALLED else command_of(sys.orig_argv)
"""How the command line is called."""
POSTGRES_NEEDS: Final = "chaipo[postgres]" if INSTALLED else 'psycopg (python -m pip install "psycopg[binary]")'
"""What is installed to keep everything in PostgreSQL."""
PLAYGROUND_NEEDS: Final = "chaipo[playground]" if INSTALLED else "requirements-playground.txt"
"""What is installed to have the playground."""

COMMIT_FILE: Final = _PACKAGE / "_commit"
"""Written when a container image is built: it has no repository to ask."""
_COMMIT_DIGITS = 10


@cache
def version_text(version: str) -> str:
    """Return ``version`` with the commit that runs, where that's known: ``1.0.0 (0123456789)``."""
    commit = commit_of(COMMIT_FILE, _PACKAGE.parent / ".git")
    return f"{version} ({commit})" if commit else version


def commit_of(file: Path, repository: Path) -> str:
    """Return the first digits of the commit from the image's file or the checkout's repository; empty if unknown."""
    try:
        if file.is_file():
            return file.read_text(encoding="ascii").strip()[:_COMMIT_DIGITS]
        if repository.is_file():  # a worktree: the file says where its part of the repository is
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
