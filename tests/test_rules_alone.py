"""Import the rules, the notation, the solver, the rating and the reckoning of events without the rest of the bot."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bot.base.installation import HOME

IMPORTS = """
import importlib, pkgutil, sys
before = set(sys.modules)
room = importlib.import_module(sys.argv[1])
for found in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
    importlib.import_module(found.name)
print("\\n".join(sorted(set(sys.modules) - before)))
"""
PURE = ("ofc", "notation", "solver", "rating", "event")
NUMERIC = {"solver": {"numpy"}}
"""Third-party modules of a room: computer players evaluate boards by the thousand."""


def _loaded(room: str) -> list[str]:
    """Return the modules that a fresh process loads for every module of ``room``."""
    command = [sys.executable, "-c", IMPORTS, f"bot.pure.{room}"]
    return subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("room", PURE)
def test_a_pure_room_is_imported_without_the_bot(room: str) -> None:
    """It loads its own modules, other pure rooms and the standard library."""
    loaded = _loaded(room)
    ours = [name.split(".") for name in loaded if name.startswith("bot.")]
    others = {name.split(".")[0] for name in loaded} - sys.stdlib_module_names - {"bot"}

    assert len([name for name in ours if name[:3] == ["bot", "pure", room]]) > 1, "it has modules of its own"
    assert {name[1] for name in ours} == {"pure"}
    assert {name[2] for name in ours if len(name) > 2} <= set(PURE)
    assert others <= NUMERIC.get(room, set())
