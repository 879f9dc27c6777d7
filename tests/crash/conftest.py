"""Fixtures of the crash tests."""

from collections.abc import Iterator

import pytest

from tests.crash.fork_server import ForkServer, fork_server


@pytest.fixture(scope="module")
def ready() -> Iterator[ForkServer]:
    """Yield the process from which the bots to be killed are forked."""
    with fork_server() as server:
        yield server
