"""Files that seem to belong to other users, because only root could give them away."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def nobody(folder: Path) -> Iterator[None]:
    """Be a user who may not write everywhere, and who owns this folder."""
    if os.geteuid():
        yield
        return
    user = 65534
    os.chown(folder, user, user)
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def of_user(user: int, *, below: Path, folder: int, monkeypatch: pytest.MonkeyPatch, files: int = 0) -> Iterator[None]:
    """Run as ``user``. Files below the folder belong to ``files``, and the folder itself to another user."""
    found = Path.stat

    def stat_of(path: Path, **more: bool) -> os.stat_result:
        real = found(path, **more)
        owner = folder if path == below else files if below in path.parents else real.st_uid
        return os.stat_result([owner if n == stat.ST_UID else real[n] for n in range(10)], vars_of(real))

    with monkeypatch.context() as patched:
        patched.setattr(os, "geteuid", lambda: user)
        patched.setattr(Path, "stat", stat_of)
        yield


def vars_of(real: os.stat_result) -> dict[str, float]:
    """Return the fields of a status that have no place in its tuple."""
    names = [name for name in dir(real) if name.startswith("st_") and name not in FIRST]
    return {name: getattr(real, name) for name in names}


FIRST = ("st_mode", "st_ino", "st_dev", "st_nlink", "st_uid", "st_gid", "st_size")
