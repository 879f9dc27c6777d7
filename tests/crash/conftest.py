"""What the crash tests share."""

from collections.abc import Iterator

import pytest

from tests.crash.fork_server import ForkServer, fork_server


@pytest.fixture(scope="module")
def ready() -> Iterator[ForkServer]:
    """A process from which each bot that is killed is forked."""
    with fork_server() as server:
        yield server
