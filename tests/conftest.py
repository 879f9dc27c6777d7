"""What all tests share."""

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
# The same examples in every run: who changes nothing breaks nothing. `make deep` looks for new ones.
settings.register_profile("chaipo", settings.get_profile("deep"), derandomize=True, max_examples=40)
settings.load_profile("chaipo")

LIMITS = {"slow": 2 * 60 * 60, "deep": 8 * 60 * 60}
"""Seconds after which a test of that kind hangs for certain, however busy the machine is;
the others have ``timeout`` of pyproject.toml."""


PROSE_FAILS = os.environ.get("PROSE") == "fail"
"""True in ``.ci/run``. Elsewhere a failed check of prose is only reported, so that no one waits for a translation."""
LONGEST_WARNING = 1000
"""Characters of a failed check of prose in the summary."""

ON_BOTH = ("store", "play", "promises")
"""The rooms whose tests say nothing of the database, so that they can run on any."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--database=postgres`` runs those tests on PostgreSQL alone, ``--database=sqlite`` on SQLite alone."""
    parser.addoption("--database", choices=(SQLITE, POSTGRES), help="run what can run on any database on this one")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on SQLite, on PostgreSQL, or on both: those marked ``on_both``."""
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
    """Which database the test plays on."""
    DATABASES.kind = getattr(request, "param", SQLITE)
    yield DATABASES.kind
    DATABASES.forget()
    DATABASES.kind = SQLITE


@pytest.fixture(autouse=True)
def _answers_go_where_they_did() -> Iterator[None]:
    """Take back SimCord's door for answers where its own way of taking it back did not come about.

    pytest-asyncio leaves what a fixture has set in place when the end of that fixture raises; each later test of the
    process would answer a server that is gone.
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
    """Collect no garbage while thousands of tests are loaded, which all stay; and wait for no disk.

    Nothing of a test outlives the run. What is said of a loss of power is tried on a disk of its own (tests/crash).
    """
    config.pluginmanager.register(FailuresAtOnce(config))
    gc.disable()
    pytest.MonkeyPatch().setattr(os, "fsync", lambda _: None)


def pytest_collection_finish() -> None:
    """Tell the garbage collector that what is loaded by now stays: otherwise it looks through it again and again."""
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
        report.wasxfail = f"a warning here, a failure in .ci/run: {call.excinfo.exconly()[:LONGEST_WARNING]}"
    return report
