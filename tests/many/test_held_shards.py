"""How long it takes until shards are another process's, by what Discord takes of logins."""

import pytest

from bot.many.processes import leave_seconds, missed_seconds


@pytest.mark.parametrize(
    ("shards", "at_once", "missed", "leaves"),
    [(1, 1, 9, 60), (2, 1, 14, 60), (33, 1, 169, 180), (36, 16, 19, 60), (500, 16, 164, 175)],
)
def test_leaving_takes_as_long_as_the_logins_of_all_that_is_held(
    shards: int, at_once: int, missed: int, leaves: int
) -> None:
    assert missed_seconds(shards, logins_at_once=at_once) == missed
    assert leave_seconds(shards, logins_at_once=at_once) == leaves
