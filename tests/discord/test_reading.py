"""Texts at a table: opponents' boards while placing, named fouls, results as scores, and short hashes."""

import re

import pytest

from tests.discord.club import Club, fantasyland_letters

WHOLE_HASH = re.compile(r"\b[0-9a-f]{64}\b")
CODE = re.compile(r"\b[a-z2-7]{26}\b")
TEXT_DISPLAY = 10
RED = 4
"""The style of a button that warns."""
NAMES = ["alice", "hanako"]


@pytest.mark.parametrize("name", NAMES)
async def test_the_others_boards_stand_in_the_panel_in_which_one_places(club: Club, name: str) -> None:
    await club.open_table("alice", "bob", "hanako")
    for _ in range(3):
        await club.type_turn(await club.on_turn())
    while await club.on_turn() != name:
        await club.type_turn(await club.on_turn())
    panel = await club.open_panel(name)
    others = [other for other in ("alice", "bob", "hanako") if other != name]
    assert [other for other in others if club.shown(other) in panel.text] == others
    marks = [club.words(name)(f"board.mark.{row}") for row in ("front", "middle", "back")]
    hand = (await club.look(1, name)).hand
    assert hand is not None
    beside = [seat for seat in hand.seats if seat.player != club.player(name)]
    filled = [sum(bool(seat.rows[place]) for seat in beside) for place in range(3)]
    assert [panel.text.count(f"`{mark}`") for mark in marks] == filled, "a row without a card isn't drawn"
    assert panel.has("card"), "where one places"


@pytest.mark.parametrize("name", NAMES)
async def test_a_board_that_fouls_is_confirmed_by_a_red_button_that_says_so(club: Club, name: str) -> None:
    words = club.words(name)
    panel = await club.slash(name, "ofc practice", game="thirteen")
    letters = fantasyland_letters(await club.look(1, name)).translate(str.maketrans("MB", "BM"))
    panel = await club.arrange(name, panel, letters)
    assert panel.button(words("board.confirm_foul"))["style"] == RED
    assert words("row.middle") in panel.text
    assert words("row.back") in panel.text
    assert words("button.confirm") not in panel.labels()


@pytest.mark.parametrize(("name", "variant"), [("hanako", "thirteen"), ("hanako", "pineapple"), ("alice", "thirteen")])
async def test_rows_of_thirteen_have_their_own_names_beside_the_usual_ones(club: Club, name: str, variant: str) -> None:
    panel = await club.slash(name, "ofc practice", game=variant)
    labels = [line.removeprefix("-# ").split(" · ")[0] for line in panel.text.splitlines() if line.startswith("-# ")]
    own = name == "hanako" and variant == "thirteen"
    for label in ["上段（頭）", "中段（体）", "下段（尻尾）"] if own else []:
        assert labels.count(label) == 1
    usual = [club.words(name)(f"row.{row}").capitalize() for row in ("front", "middle", "back")]
    assert [label in labels for label in usual] == [not own] * 3


async def test_a_result_has_the_totals_on_top_and_the_points_of_each_row_in_its_details(club: Club) -> None:
    await club.open_table("alice", "bob", "hanako")
    await club.type_hand()
    (result,) = [one for one in club.public() if club.words()("result.heading", hand=1, table=1) in one.text]
    lines = result.text.split("\n")
    totals = [number for number, line in enumerate(lines) if line.startswith("**")]
    details = await club.tap("alice", result, result.find("hand_details"))
    pairs = [line for line in details.text.split("\n") if " from **" in line or " break even" in line]
    assert totals == [1, 2, 3], "below the title"
    assert len(pairs) == 3
    number = r"(0|[+−]\d+)"
    rows = f": front {number}, middle {number}, back {number}(, .*)?$"
    marked = re.compile(f"{rows}|{club.words()('result.both_fouled')}")
    assert [line for line in pairs if not marked.search(line)] == []


async def test_a_hand_shows_the_whole_code_once_and_links_to_it(club: Club) -> None:
    await club.open_table("alice", "bob", "hanako")
    await club.type_hand()
    await club.pass_time(13)
    long = [screen for screen in club.public() if CODE.search(screen.text)]
    told = {body for sent in club.watch.sent for body in CODE.findall(str(sent.body))}
    assert (len(long), len(told)) == (1, 1), "the root of the table's decks, in its first message"
    (root,) = long
    assert club.table_screen().id != root.id
    assert club.table_screen().text.count(f"/{root.id})") == 1
    assert not [screen for screen in club.public() if WHOLE_HASH.search(screen.text)]


@pytest.mark.parametrize("name", NAMES)
async def test_a_result_leads_to_its_check_in_two_presses_once_the_table_has_closed(club: Club, name: str) -> None:
    await club.open_table(name, "bob")
    words = club.words(name)
    await club.type_hand()
    (result,) = [one for one in club.public() if words("result.heading", hand=1, table=1) in one.text]
    before = result.components
    assert not (await club.tap("bob", result, result.find("hand_details"))).has("verify")
    await club.closes("alice", 1)
    details = await club.tap("bob", result, result.find("hand_details"))
    proof = await club.tap("bob", details, details.find("verify"))
    assert club.words("bob")("verify.right", table=1, hand=1) in proof.text
    assert result.components == before


async def test_leaving_practice_in_the_channel_speaks_of_no_chips_and_leaves_one_message(club: Club) -> None:
    await club.practise_here("alice")
    before = len(club.public())
    answer = await club.leave("alice")
    await club.settle()
    assert answer is not None
    assert "wallet" not in answer.text
    assert len(club.public()) == before == 1
    (closing,) = club.public()
    assert closing.has("again")
    assert "wallet" not in closing.text
