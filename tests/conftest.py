"""What all tests share."""

import pytest
from hypothesis import settings

# A deadline is a timed assertion: on a busy machine it fails for nothing.
settings.register_profile("chaipo", deadline=None)
settings.load_profile("chaipo")

LIMITS = {"slow": 30 * 60, "deep": 4 * 60 * 60}
"""Seconds after which a test of that kind hangs for certain; the others have ``timeout`` of pyproject.toml."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give slow and deep tests their own limits of time, unless they name one."""
    for item in items:
        kinds = [kind for kind in LIMITS if item.get_closest_marker(kind)]
        if kinds and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(max(LIMITS[kind] for kind in kinds)))
