"""Users that files belong to, and the command that hands a file over to the bot's user."""

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
    """True if this user may read and write a file or folder; False also on a disk that is read-only."""
    return os.access(path, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def owned_by_another(path: Path) -> str | None:
    """Return the rest of a sentence about a file that this user may not use; None if the owner isn't the reason."""
    owner, folder = _owner(path), _owner(path.parent)
    if owner is None or owner == _user():
        return None
    me = _name(_user())
    if folder not in (None, 0, _user()):
        # Handed over, it would be lost to its own bot.
        other = _name(folder or 0)
        return (
            f"it is in a folder of {other}, and the bot runs as {me}: name a file of {me}'s own in .env, or run the "
            f"bot as {other}"
        )
    return f"it belongs to {_name(owner)}, and the bot runs as {me}: run `{_chown(me, [path])}`"


def left_to_root(paths: Iterable[Path]) -> str | None:
    """Return a sentence about files that root holds in another user's folder; None unless root asks."""
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
        f"{files[-1]} belongs to root, and the folder {folder} belongs to {name}: if the bot runs as {name}, run "
        f"`{_chown(name, files)}` before it starts"
    )


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
