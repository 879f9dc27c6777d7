"""The examples in docstrings outside the rules are true. Those of the rules are tried in ``tests/pure/ofc``."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = [
    path
    for path in sorted((ROOT / "bot").rglob("[a-z]*.py"))
    if "pure" not in path.parts and ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_examples_are_true(path: Path) -> None:
    module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    tried = doctest.testmod(module)
    assert tried.attempted
    assert tried.failed == 0
