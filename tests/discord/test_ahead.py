"""Confirming ahead of the turn: the press, its undo, and its secrecy."""

from __future__ import annotations

import logging

import pytest
from simcord import ResponseMessage

from tests.discord.club import Club, everything_in
from tests.discord.forge import deliver, forged_press


async def test_a_press_confirms_ahead_and_the_turn_places_it(club: Club) -> None:
    await club.open_table("alice", "bob")
    words = club.words("alice")
    panel = await club.place("alice", await club.open_panel("alice"), "FMMBB")
    assert words("board.confirm_ahead") in panel.labels()
    public = everything_public(club)
    panel = await club.tap("alice", panel, panel.find("ahead"))
    assert words("panel.ahead") in panel.text
    assert not panel.has("row")
    mine = (await club.look(1, "alice")).mine
    assert mine is not None
    assert mine.seat.ahead, "there is something to be seen"
    assert everything_public(club) == public, "and nobody sees it"
    await club.place_cards("bob", "BBBBM")
    hand = (await club.look(1, "alice")).hand
    assert hand is not None
    assert hand.mine is not None
    assert [len(row) for row in hand.mine.rows] == [1, 2, 2]
    assert hand.street == 2


async def test_nobody_else_is_sent_anything_of_it(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    """No message, edit, panel, suggestion, file or log line shows it, before or after the undo."""
    caplog.set_level(logging.DEBUG)
    await club.open_table("alice", "bob")
    other = await club.open_panel("bob")
    panel = await club.place("alice", await club.open_panel("alice"), "FMMBB")
    public, shown, sent = everything_public(club), other.text, len(club.watch.sent)
    version = (await club.look()).table.version
    panel = await club.tap("alice", panel, panel.find("ahead"))
    assert (await club.drafts())["alice"] == ("FMMBB", "1.1"), "there is something to be seen"
    assert club.words("alice")("panel.ahead") in panel.text
    panel = await club.tap("alice", panel, panel.find("take_back"))
    panel = await club.tap("alice", panel, panel.find("ahead"))
    assert {message.viewer for message in club.watch.sent[sent:]} == {club.members["alice"].id}
    assert (everything_public(club), other.text) == (public, shown)
    assert (await club.look()).table.version == version
    for name, finds in (("alice", True), ("bob", False), ("hanako", False)):
        answer = await club.slash(name, "ofc settings", topic=club.words(name)("privacy.button.export"))
        (attached,) = ResponseMessage(club.world.env, answer.message).attachments
        assert (b'"FMMBB"' in club.backend.cdn.get(attached.url)) is finds
    lines = [record for record in caplog.records if record.name.startswith("bot.")]
    assert [line for line in lines if line.getMessage() == "press ahead: done"], (
        "the log has seen it, for who traces it"
    )
    assert not [line for line in lines if "FMMBB" in line.getMessage()]
    assert not [line for line in lines if "ahead" in line.getMessage() and line.levelno > logging.DEBUG]


async def test_it_is_taken_back_and_shown_again_by_the_next_panel(club: Club) -> None:
    await club.open_table("alice", "hanako")
    words = club.words("alice")
    panel = await club.place("alice", await club.open_panel("alice"), "FMMBB")
    old = forged_press(club, "alice", panel, panel.find("undo")["custom_id"])
    panel = await club.tap("alice", panel, panel.find("ahead"))
    await deliver(old)
    mine = (await club.look(1, "alice")).mine
    assert mine is not None
    assert mine.seat.ahead, "an older press changes nothing"
    panel = await club.open_panel("alice")
    assert words("panel.ahead") in panel.text
    panel = await club.tap("alice", panel, panel.find("take_back"))
    assert panel.has("ahead")
    again = await club.open_panel("alice")
    assert again.has("ahead"), "the draft is there in a new panel too"
    await club.place_cards("hanako", "BBBBM")
    assert await club.on_turn() == "alice"


async def test_the_panel_says_what_the_clock_does_with_a_draft_and_it_does(club: Club) -> None:
    await club.open_table("alice", "bob")
    words = club.words("bob")
    panel = await club.open_panel("bob")
    assert words("panel.clock_completes") not in panel.text
    panel = await club.tap("bob", panel, panel.find("row", "F"))
    assert words("panel.clock_completes") in panel.text
    for row in "MMBB":
        panel = await club.tap("bob", panel, panel.find("row", row))
    assert words("panel.clock_confirms") in panel.text
    await club.pass_time(125)
    hand = (await club.look(1, "bob")).hand
    assert hand is not None
    assert hand.mine is not None
    assert [len(row) for row in hand.mine.rows] == [1, 2, 2]


async def test_a_panel_without_a_clock_says_nothing_of_time_running_out(club: Club) -> None:
    await club.open_table("alice", "bob", clock="none")
    words = club.words("bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BBBMM")
    assert panel.has("confirm")
    for said in ("clock_confirms", "clock_completes", "clock_drops"):
        assert words(f"panel.{said}") not in panel.text
    panel = await club.tap("bob", panel, panel.find("undo"))
    assert words("panel.clock_completes") not in panel.text


def everything_public(club: Club) -> list[str]:
    return [text for screen in club.public() for text in everything_in(screen)]
