"""Fixtures and options of all tests."""

import gc
import os
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path

import pytest
from discord.webhook.async_ import async_context
from hypothesis import settings

from tests.databases import DATABASES, POSTGRES, SQLITE

# A deadline is a timed assertion: on a busy machine it fails for nothing.
settings.register_profile("deep", deadline=None)
# Every run uses the same examples, so that unchanged code can't fail. `make deep` searches for new ones.
settings.register_profile("chaipo", settings.get_profile("deep"), derandomize=True, max_examples=40)
settings.load_profile("chaipo")

LIMITS = {"slow": 2 * 60 * 60, "deep": 8 * 60 * 60}
"""Timeouts in seconds that only hanging tests reach, however busy the machine is. Others use ``timeout`` in
pyproject.toml."""


PROSE_FAILS = os.environ.get("PROSE") == "fail"
"""True in ``.ci/run``. Elsewhere a failed check of prose is only reported, so that no one waits for a translation."""
MAX_WARNING_LENGTH = 1000
"""Characters of a failed check of prose in the summary."""

ON_BOTH = ("store", "play", "promises")
"""The rooms whose tests say nothing of the database, so that they can run on any."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--database``, which runs those tests on one kind of database only: ``postgres`` or ``sqlite``."""
    parser.addoption("--database", choices=(SQLITE, POSTGRES), help="run what can run on any database on this one")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on SQLite, on PostgreSQL, or, if it's marked ``on_both``, on both."""
    if not _says_nothing_of_databases(str(metafunc.module.__file__)):
        return
    marked = metafunc.definition.get_closest_marker
    wanted: str | None = metafunc.config.getoption("--database")
    kinds = [SQLITE]
    if not marked("of_sqlite") and (wanted or marked("on_both")):
        kinds.append(POSTGRES)
    if wanted or len(kinds) > 1:
        metafunc.parametrize("database_kind", [kind for kind in kinds if wanted in (None, kind)], indirect=True)


@cache
def _says_nothing_of_databases(file: str) -> bool:
    """True for a file whose tests can run on any."""
    rooms = Path(file).relative_to(Path(__file__).parent).parts
    return rooms[0] in ON_BOTH and "sqlite" not in rooms


@pytest.fixture(autouse=True)
def database_kind(request: pytest.FixtureRequest) -> Iterator[str]:
    """Yield the kind of the test's database."""
    DATABASES.kind = getattr(request, "param", SQLITE)
    yield DATABASES.kind
    DATABASES.forget()
    DATABASES.kind = SQLITE


@pytest.fixture(autouse=True)
def _answers_go_where_they_did() -> Iterator[None]:
    """Undo SimCord's hook for responses if SimCord didn't.

    pytest-asyncio keeps a fixture's context changes if the end of the fixture raises. Each later test of the process
    would then respond through a server that no longer exists.
    """
    before = async_context.get()
    yield
    async_context.set(before)


class FailuresAtOnce:
    """Names each test when it fails: with ``-q`` the names come at the end of the run, which may be an hour away."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a line for a failure."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal is not None:
            terminal.write(f"\nFAILED {report.nodeid}\n", red=True)


def pytest_configure(config: pytest.Config) -> None:
    """Disable garbage collection while thousands of permanent tests are loaded, and disable syncs to disk.

    Nothing of a test outlives the run. Power failures are tested on a simulated disk (tests/crash).
    """
    config.pluginmanager.register(FailuresAtOnce(config))
    gc.disable()
    pytest.MonkeyPatch().setattr(os, "fsync", lambda _: None)


def pytest_collection_finish() -> None:
    """Exempt loaded objects from garbage collection, which would scan them repeatedly."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give slow and deep tests their own limits of time, unless they name one."""
    for item in items:
        kinds = [kind for kind in LIMITS if item.get_closest_marker(kind)]
        if kinds and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(max(LIMITS[kind] for kind in kinds)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report a failed check of prose as an expected failure, unless ``PROSE=fail``."""
    report = yield
    if not PROSE_FAILS and report.when == "call" and report.failed and item.get_closest_marker("prose"):
        assert call.excinfo is not None
        report.outcome = "skipped"
        report.wasxfail = f"a warning here, a failure in .ci/run: {call.excinfo.exconly()[:MAX_WARNING_LENGTH]}"
    return report
