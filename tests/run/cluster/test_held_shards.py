"""The time until shards move to another process, given Discord's limits for logins."""

from __future__ import annotations

import time
from threading import Event
from typing import Any, cast

import pytest

from bot.model.errors import StorageUnavailableError
from bot.run.cluster import processes
from bot.run.cluster.processes import HeartbeatThread, Leases, leave_seconds, missed_seconds


@pytest.mark.parametrize(
    ("shards", "at_once", "missed", "leaves"),
    [(1, 1, 9, 60), (2, 1, 14, 60), (33, 1, 169, 180), (36, 16, 19, 60), (500, 16, 164, 175)],
)
def test_leaving_takes_as_long_as_the_logins_of_all_that_is_held(
    shards: int, at_once: int, missed: int, leaves: int
) -> None:
    assert missed_seconds(shards, logins_at_once=at_once) == missed
    assert leave_seconds(shards, logins_at_once=at_once) == leaves


class _Hears:
    """A database that hears words of life; in trouble it refuses the first."""

    def __init__(self, *, refuses: int = 0) -> None:
        self.refuses = refuses
        self.heard: list[int] = []
        self.enough = Event()

    def live_on(self, now: int) -> None:
        """Hear it."""
        self.heard.append(now)
        if len(self.heard) > 3:
            self.enough.set()
        if len(self.heard) <= self.refuses:
            raise StorageUnavailableError("the database is away")


def _word(heard: _Hears, monkeypatch: pytest.MonkeyPatch, **seconds: float) -> HeartbeatThread:
    monkeypatch.setattr(processes, "WORD_SECONDS", 0.01)
    for name, value in seconds.items():
        monkeypatch.setattr(processes, name, value)
    return HeartbeatThread(cast(Leases, cast(Any, heard)), now_ms=lambda: 7)


def test_a_process_whose_event_loop_is_busy_says_that_it_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = _Hears()
    word = _word(heard, monkeypatch)
    word.begin()
    # No event loop runs here, like one that is completely busy.
    assert heard.enough.wait(processes.HUNG_SECONDS), "it was heard again and again"
    word.end()
    assert set(heard.heard) == {7}
    assert not word.troubled


def test_an_event_loop_that_hangs_is_given_up_until_it_turns_again(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = _Hears()
    word = _word(heard, monkeypatch, HUNG_SECONDS=0.0)
    word.begin()
    assert not heard.enough.wait(0.2)
    assert heard.heard == []
    monkeypatch.setattr(processes, "HUNG_SECONDS", 3600.0)
    word.turned()
    assert heard.enough.wait()
    word.end()


def test_a_word_that_could_not_be_said_is_said_again(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = _Hears(refuses=2)
    word = _word(heard, monkeypatch)
    before = time.monotonic()
    word.begin()
    assert heard.enough.wait()
    word.end()
    assert not word.troubled
    assert word.silent_seconds <= time.monotonic() - before
