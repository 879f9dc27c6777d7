"""What the tests of the rules are measured by."""

from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure no coverage while a machine looks for examples; what plays many hands is marked so itself.

    It would take three times as long, and a line that only chance reaches is not held to be tested: an example has to.
    """
    for item in items:
        if item.path.parent == Path(__file__).parent and getattr(
            getattr(item, "obj", None), "is_hypothesis_test", False
        ):
            item.add_marker(pytest.mark.no_cover)
