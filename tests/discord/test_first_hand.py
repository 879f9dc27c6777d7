"""A newcomer's first hand."""

from tests.discord.club import Club


async def test_two_people_play_a_pineapple_hand_by_clicking(club: Club) -> None:
    answer = await club.slash("alice", "ofc play")
    await club.click("bob", club.table_screen(), "Join")
    await club.click("alice", club.table_screen(), "Start")
    hand = await club.play_hand()
    assert hand == 1
    print(club.said())
