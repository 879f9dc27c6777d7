"""A scene to play an event in."""

from collections.abc import Iterator

import pytest

from tests.play.event.event_world import Scene
from tests.play.event.storage import close_what_is_open


@pytest.fixture(autouse=True)
def storages(database_kind: str) -> Iterator[None]:
    """Close each test's storage on a server before its databases are used again."""
    yield
    close_what_is_open()


@pytest.fixture
def scene(storages: None) -> Iterator[Scene]:
    """A scene whose seeds are the same in every run; at the end its books are in order."""
    scene = Scene()
    yield scene
    scene.check_books()
