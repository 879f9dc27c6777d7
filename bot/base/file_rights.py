"""Owners of files, and the command for giving a file to the bot's user."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

if sys.platform == "win32":

    def _user() -> int:
        return 0

    def _name(user: int) -> str:
        return str(user)
else:
    import pwd

    def _user() -> int:
        return os.geteuid()

    def _name(user: int) -> str:
        try:
            return pwd.getpwuid(user).pw_name
        except KeyError:
            return str(user)


def may_write(path: Path) -> bool:
    """True if this user may read and write a file or folder. Also False on a read-only disk."""
    return _may(path, os.R_OK | os.W_OK)


def owned_by_another(path: Path, *more: Path) -> str | None:
    """Return the rest of a sentence about a file that this user may not use; None if the owner isn't the reason.

    Its command also changes the owner of ``more`` and of the bot's other files in the folder of ``path``.
    """
    found = path if _owner(path) is not None else path.parent
    owner, folder, me = _owner(found), _owner(found.parent), _user()
    if owner in (None, me) or (found != path and may_write(found)):
        return None
    it = "it" if found == path else f"its folder {found}"
    if folder not in (None, 0, me):
        # Changing its owner would lock out the other user's bot.
        return (
            f"{it} is in a folder that belongs to {_name(folder or 0)}. Run this as the bot's user, for example with "
            f"`sudo -u {_sudo_name(folder or 0)}` in front. If the bot runs as {_name(me)}, name a file in .env that "
            f"{_name(me)} owns"
        )
    files = dict.fromkeys(file for file in (found, *_family(path), *more) if _owner(file) not in (None, me))
    command = f"run `{_chown(_name(me), files)}`"
    if owner == 0:
        return f"{it} belongs to root, but the bot runs as {_name(me)}: {command}"
    # The owner is probably the bot's user, and the caller an administrator who forgot `sudo -u`.
    return (
        f"{it} belongs to {_name(owner or 0)}. Run this as the bot's user, for example with `sudo -u "
        f"{_sudo_name(owner or 0)}` in front. If the bot runs as {_name(me)}, {command}"
    )


def closed_folder(path: Path) -> str | None:
    """Return a sentence about a folder above ``path`` that this user may not enter; None if there is none."""
    for folder in reversed(path.resolve().parents):
        if folder.is_dir() and not _may(folder, os.X_OK):
            remedy = owned_by_another(folder) or "give the bot's user permission to enter it"
            return f"{folder} cannot be entered: {remedy}"
    return None


def left_to_root(paths: Iterable[Path]) -> str | None:
    """Return a sentence about root's files in another user's folder; None unless the caller is root."""
    if os.name != "posix" or _user() != 0:
        return None
    found = [(path, _holder(path)) for path in paths if _owner(path) == 0]
    lost = [(path, folder) for path, folder in found if folder is not None]
    if not lost:
        return None
    folder = lost[0][1]
    name = _name(_owner(folder) or 0)
    between = [parent for parent in lost[0][0].parents if folder in parent.parents]
    files = [*reversed(between), *(path for path, holder in lost if holder == folder)]
    return (
        f"{files[-1]} belongs to root, and the folder {folder} belongs to {name}. If the bot runs as {name}, "
        f"run `{_chown(name, files)}` before it starts"
    )


def _may(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _sudo_name(user: int) -> str:
    # `sudo` requires `#` before a user's number.
    name = _name(user)
    return shlex.quote(f"#{name}" if name.isdecimal() else name)


def _family(path: Path) -> list[Path]:
    """Return the bot's files in the folder of ``path`` whose names start like that of ``path``."""
    stem = path.name.partition(".")[0]
    if not stem or path.is_dir():
        return []
    try:
        return sorted(file for file in path.parent.iterdir() if file.name.startswith(f"{stem}."))
    except OSError:
        return []


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except OSError:
        return None


def _holder(path: Path) -> Path | None:
    """Return the nearest folder above ``path`` that isn't root's."""
    return next((folder for folder in path.parents if _owner(folder)), None)


def _chown(user: str, paths: Iterable[Path]) -> str:
    return shlex.join(["sudo", "chown", user, *map(str, paths)])
