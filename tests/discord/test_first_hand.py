"""A newcomer's first hand."""

from tests.discord.club import Club


async def test_two_people_play_a_pineapple_hand_by_clicking(club: Club) -> None:
    answer = await club.slash("alice", "ofc play")
    assert answer is not None
    assert "Table 1 is open" in answer.text
    table = club.table_screen()
    await club.click("bob", table, "Join")
    await club.click("alice", club.table_screen(), "Start")
    hand = await club.play_hand()
    assert hand == 1
    print(club.said())
