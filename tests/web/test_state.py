"""The state of the table's page, in Node and without a browser: ``tests/web/state``."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

TESTS = sorted((Path(__file__).parent / "state").glob("*.test.mjs"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name.partition(".")[0])
def test_each_message_makes_the_next_state(path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed: it runs the tests of the page's state. They need no packages")
    done = subprocess.run([node, "--test", path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
