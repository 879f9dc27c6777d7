"""Some whole events from seeds; ``python -m tests.play.event`` plays thousands."""

import pytest

from tests.databases import DATABASES, POSTGRES, SQLITE
from tests.play.event.evening import Evening


@pytest.mark.parametrize("first", range(1, 41, 5))
def test_events_of_every_format_come_to_a_fair_end_whatever_happens(first: int) -> None:
    for seed in range(first, first + 5):
        Evening(seed).run()


def test_a_seed_gives_the_same_event_again() -> None:
    once, again = Evening(3), Evening(3)
    once.run()
    again.run()
    assert (once.steps, once.counts, once.tale) == (again.steps, again.counts, again.tale)


def test_a_seed_gives_the_same_event_on_both_databases() -> None:
    told = []
    for kind in (SQLITE, POSTGRES):
        with DATABASES.playing_on(kind):
            evening = Evening(5)
            evening.run()
            told.append((evening.steps, evening.counts, evening.tale))
    assert told[0] == told[1]
