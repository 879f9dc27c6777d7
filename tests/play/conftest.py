"""A world to play in."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.play.world import FixedVault, World


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A world with the same seeds in every run; at the end its books are in order."""
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    try:
        yield world
        world.check_books()
    finally:
        await world.close()


@pytest.fixture
async def real_world(tmp_path: Path) -> AsyncIterator[World]:
    """Yield a world with a key file and random seeds."""
    world = World(tmp_path)
    await world.open()
    try:
        yield world
        world.check_books()
    finally:
        await world.close()
