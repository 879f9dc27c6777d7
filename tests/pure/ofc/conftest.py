"""Coverage measurement for the tests of the rules."""

import sys
from collections.abc import Generator
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


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Trace no line of a test marked ``no_cover``.

    A worker of pytest-xdist measures twice, and pytest-cov stops only one of the measurements, so that the test would
    still be traced at full cost.
    """
    if item.get_closest_marker("no_cover") is None:
        return (yield)
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)
