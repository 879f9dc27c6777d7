"""The end of a table: one message with everybody's sum, and a button to play again."""

from tests.discord.club import Club


async def test_leaving_practice_ends_with_one_message_and_another_game_is_one_press_away(club: Club) -> None:
    words = club.words()
    await club.slash("alice", "ofc practice", public=True)
    await club.settle()
    before = club.requests("POST", "/messages")
    await club.press("alice", club.table_screen(), club.table_screen().find("leave"))
    await club.settle()
    assert club.requests("POST", "/messages") - before == 1
    (last,) = club.public()
    assert words("closing.title") in last.text
    assert words("closing.unfinished", hand=1) in last.text
    panel = await club.press("alice", last, last.find("again"))
    assert panel is not None
    assert words("table.hand", hand=1) in panel.text
