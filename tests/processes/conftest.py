"""A server for processes."""

from collections.abc import Iterator

import pytest

from tests.databases import Server


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that waits for its disk."""
    made = Server(())
    yield made
    made.stop()
