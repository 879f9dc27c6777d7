"""Checks of prose warn by default and fail in ``.ci/run``."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.base.installation import HOME

CHECK = """
import pytest


@pytest.mark.prose
def test_wording() -> None:
    assert "beside" == "next to"


def test_code() -> None:
    assert CODE
"""


def run(folder: Path, *, code: bool, **environment: str) -> tuple[int, str]:
    """Run a wrong check of prose, and a test of code that is right or wrong; returns the exit code and the output."""
    (folder / "conftest.py").write_text("from tests.conftest import pytest_runtest_makereport  # noqa: F401\n")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -ra\nmarkers = prose\n")
    (folder / "test_it.py").write_text(CHECK.replace("CODE", str(code)))
    inherited = {name: value for name, value in os.environ.items() if name != "PROSE"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder],
        env={**inherited, "PYTHONPATH": str(HOME), **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_a_wrong_check_of_prose_warns(tmp_path: Path) -> None:
    code, output = run(tmp_path, code=True)
    assert code == 0
    assert "XFAIL test_it.py::test_wording - a warning here, a failure in .ci/run: AssertionError" in output
    assert "1 passed, 1 xfailed" in output


@pytest.mark.parametrize("code", [True, False])
def test_it_fails_in_ci(tmp_path: Path, *, code: bool) -> None:
    result, output = run(tmp_path, code=code, PROSE="fail")
    assert result == 1
    assert "FAILED test_it.py::test_wording" in output


def test_a_wrong_test_of_code_always_fails(tmp_path: Path) -> None:
    code, output = run(tmp_path, code=False)
    assert code == 1
    assert "FAILED test_it.py::test_code" in output


def test_ci_asks_for_the_failures() -> None:
    assert "\nexport PROSE=fail\n" in (HOME / ".ci/run").read_text(encoding="utf-8")
