"""A scene to play an event in."""

from collections.abc import Iterator

import pytest

from tests.play.event.event_world import Scene


@pytest.fixture
def scene() -> Iterator[Scene]:
    """A scene whose seeds are the same in every run; at the end its books are in order."""
    scene = Scene()
    yield scene
    scene.check_books()
    scene.sql.close()
