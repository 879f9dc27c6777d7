"""No step of the bot keeps the event loop from turning while a hand is played."""

import pytest

from tests.discord.club import Club
from tests.stalls import watch_stalls


@pytest.mark.deep
async def test_a_hand_is_played_without_a_stall(club: Club) -> None:
    # It measures processor time, so a busy machine does not fail it; yet it is measured, so not for every run.
    with watch_stalls() as stalls:
        await club.open_table("alice", "bob")
        await club.play_hand()
    assert stalls.callbacks > 500
