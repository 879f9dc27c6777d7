"""Whole hands by pressing: Pineapple and the Fantasyland after it, three people, classic."""

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat.table.screens.lobby import root_link
from bot.chat.table.screens.result import totals
from bot.model.hands import HandState
from bot.pure.ofc.cards import card_name
from tests.discord.club import Club, complaints, fantasyland_letters, open_club, plain_letters
from tests.discord.forge import check_deal, deliver, forge, forged_press
from tests.discord.messages import cards_in

SEED = hashlib.sha256(b"fantasyland 2").digest()
"""With the texts below the first deck out of this secret gives Alice two aces for her front."""
ALICES_TEXT = "alice's own text"
SCRIPT = {"alice": ["FBMFM", "MDM", "BDB", "MFD", "DBB"], "bob": ["MMMMB", "FFD", "FMD", "BDB", "BBD"]}


async def deal_to_alice(club: Club) -> None:
    """Alice and Bob are dealt the chosen deck, which is the first out of a club's ``SEED``."""
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    for name, text in (("bob", "bob's own text"), ("alice", ALICES_TEXT)):
        added = await club.act(name, "shuffle", value=text)
        assert added.text == club.words(name)("verify.seed_set", table=1, hand=1)
    await club.press("alice", club.table_screen(), club.table_screen().find("start"))


@pytest.fixture
async def lucky_club(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Club]:
    """Yield a club in which Alice and Bob have just been dealt the chosen deck."""
    async with open_club(tmp_path, seeds=[SEED]) as club:
        await deal_to_alice(club)
        yield club
    assert not complaints(caplog.get_records("call"), club.forgiven)


async def test_aces_on_the_front_lead_into_fantasyland_and_back(lucky_club: Club) -> None:
    club = lucky_club
    await club.play_hand(script=SCRIPT)
    won = club.words()("result.note.fantasyland", count=14)
    assert won in club.said()
    await club.pass_time(13)
    assert club.words()("table.in_fantasyland", count=14) in club.table_screen().text
    panel = await club.open_panel("alice")
    assert club.words()("panel.in_fantasyland", cards=14, discard=1) in panel.text
    assert [len(c["options"]) for c in panel.controls() if c["type"] == 3] == [14, 14, 14]

    set_first = await club.play_turn("alice")
    assert club.words()("panel.set_already") in set_first.text
    assert club.words()("table.has_set") in club.table_screen().text
    assert await club.play_hand() == 2
    assert club.words()("result.heading", hand=2, table=1) in club.said()
    await club.pass_time(13)
    assert (await club.look()).table.hand_no == 3


async def test_fantasyland_that_the_last_hand_has_earned_is_not_promised(lucky_club: Club) -> None:
    club, words = lucky_club, lucky_club.words()
    await club.type_hand(script=SCRIPT)
    faces = club.bot.services.faces
    told = []
    for closes in (False, True):
        if closes:
            await club.play.close(club.key(), reason="closed_by_admin")
        told.append(str(totals(await club.play.result(club.key(), 1), words, faces)))
    assert [words("result.note.fantasyland", count=14) in text for text in told] == [True, False]
    earned = words("result.note.fantasyland_earned", count=14)
    assert [earned in text for text in told] == [False, True]


async def test_a_fantasyland_board_is_changed_after_confirm_until_the_others_have_finished(lucky_club: Club) -> None:
    club = lucky_club
    await club.type_hand(script=SCRIPT)
    await club.pass_time(13)
    letters = fantasyland_letters(await club.look(1, "alice"))
    panel = await club.set_fantasyland("alice", letters)
    before = (await club.look(1, "alice")).hand
    panel = await club.tap("alice", panel, panel.find("sort"))
    assert club.words()("button.sort_rank") in panel.labels()
    panel = await club.tap("alice", panel, panel.find("clear"))
    assert not panel.has("confirm")
    # These are the same cards, but the front and three of the middle are swapped.
    swapped = _swapped(letters)
    panel = await club.arrange("alice", panel, swapped)
    panel = await club.tap("alice", panel, panel.find("confirm"))
    after = (await club.look(1, "alice")).hand
    assert before is not None
    assert after is not None
    assert before.mine is not None
    assert after.mine is not None
    assert before.mine.rows != after.mine.rows

    confirm = panel.find("confirm")["custom_id"]
    await club.type_hand()
    facts = await club.facts()
    late = await forge(club, "alice", club.private("alice")[-1], confirm)
    assert club.words()("table.next_hand", when="@").split("@")[0] in late.said
    assert await club.facts() == facts


def _swapped(letters: str) -> str:
    fronts = [n for n, letter in enumerate(letters) if letter == "F"]
    middles = [n for n, letter in enumerate(letters) if letter == "M"][:3]
    swap = dict.fromkeys(fronts, "M") | dict.fromkeys(middles, "F")
    return "".join(swap.get(n, letter) for n, letter in enumerate(letters))


async def test_a_fantasyland_board_can_be_typed(lucky_club: Club) -> None:
    club = lucky_club
    await club.type_hand(script=SCRIPT)
    await club.pass_time(13)
    seen = await club.look(1, "alice")
    assert await club.members["alice"].autocomplete(club.channel, "place", "cards", "") == []
    panel = await club.slash("alice", "place", cards=await club.typed("alice", fantasyland_letters(seen)))
    assert club.words()("panel.set_already") in panel.text


async def test_in_fantasyland_letters_are_refused_and_the_cards_are_told_as_they_stand(lucky_club: Club) -> None:
    club = lucky_club
    await club.type_hand(script=SCRIPT)
    await club.pass_time(13)
    words = club.words("alice")
    answer = await club.slash("alice", "place", cards="FBBFBBFMMMMMBD")
    assert words("typed.slip.name_them", count=14) in answer.text
    assert words("typed.how_names") in answer.text
    seen = await club.look(1, "alice")
    assert seen.hand is not None
    assert seen.hand.mine is not None
    held = sorted((card for card in seen.hand.mine.held if card is not None), key=lambda card: -card)
    by_rank = [card_name(card)[0].replace("T", "10") for card in held]
    told = answer.text[answer.text.index(words("typed.cards", count=14, cards="@").split("@")[0]) :].splitlines()[0]
    assert [card[:-2] for card in told.partition(": ")[2].split()] == by_rank


async def test_what_cannot_be_read_is_refused_where_a_board_is_set_already(lucky_club: Club) -> None:
    club = lucky_club
    await club.type_hand(script=SCRIPT)
    await club.pass_time(13)
    await club.set_fantasyland("alice", fantasyland_letters(await club.look(1, "alice")))
    told = (await club.slash("alice", "place", cards="BMZ")).text
    assert club.words()("typed.slip.unknown", what="BMZ") in told
    assert club.words()("typed.how_names") in told


async def test_discards_and_a_set_board_are_never_shown_to_others(lucky_club: Club) -> None:
    club = lucky_club
    await club.play_hand(script=SCRIPT)
    discarded = await _discards(club, 1)
    assert all(discarded.values())
    for name in ("alice", "bob"):
        others = [None, *(member.id for other, member in club.members.items() if other != name)]
        for viewer in others:
            assert not discarded[name] & club.watch.shown[(club.key(), 1), viewer]
    await club.pass_time(13)
    await club.play_turn("alice")
    board = await _board(club, "alice")
    assert not board & club.watch.shown[(club.key(), 2), None]
    await club.play_turn("bob")
    assert not board & club.watch.shown[(club.key(), 2), None]
    await club.play_hand()
    assert board <= club.watch.shown[(club.key(), 2), None]


async def _discards(club: Club, hand_no: int) -> dict[str, set[str]]:
    found = {}
    for name in ("alice", "bob"):
        view = await club.look(1, name)
        assert view.table.hand_no == hand_no
        assert view.hand is not None
        assert view.hand.mine is not None
        found[name] = {card_name(card) for card in view.hand.mine.discards if card is not None}
    return found


async def _board(club: Club, name: str) -> set[str]:
    view = await club.look(1, name)
    assert view.hand is not None
    assert view.hand.mine is not None
    return {card_name(card) for row in view.hand.mine.rows for card in row if card is not None}


async def test_three_people_play_a_pineapple_hand_and_meet_pair_by_pair(club: Club) -> None:
    await club.open_table("alice", "bob", "hanako")
    assert not club.table_screen().has("join")
    await club.play_hand()
    result = await club.play.result(club.key(), 1)
    assert result.record.state is HandState.SETTLED
    assert sum(r.points for r in result.results) == 0
    assert sum(r.chips for r in result.results) == 0
    assert club.said().count(club.shown("hanako")) == 2, "beside their board, and in the result"


async def test_a_classic_hand_is_played_one_card_at_a_time_and_proven_at_once(club: Club) -> None:
    await club.open_table("alice", "bob", game="classic")
    await club.play_turn(await club.on_turn())
    await club.play_turn(await club.on_turn())
    panel = await club.open_panel(await club.on_turn())
    assert sum(c["custom_id"].startswith("c1:card") for c in panel.controls()) == 1
    await club.play_hand()
    result = await club.play.result(club.key(), 1)
    assert result.seed is not None
    (shown,) = [one for one in club.public() if one.has("hand_details")]
    details = await club.tap("hanako", shown, shown.find("hand_details"))
    assert club.words("hanako")("result.deck.open", commitment=root_link(result.table)) in details.text
    assert details.has("verify")
    answer = await check_deal(club, "hanako")
    assert answer.text == club.words("hanako")("verify.right", table=1, hand=1)


async def test_a_newcomer_sits_down_in_the_middle_of_a_hand_and_plays_the_next(club: Club) -> None:
    await club.open_table("alice", "bob")
    joined = await club.press("hanako", club.table_screen(), club.table_screen().find("join"))
    assert joined is not None
    assert joined.text.endswith(club.words("hanako")("lobby.joined_next_hand", table=1))
    waiting = await club.open_panel("hanako")
    assert waiting.text.endswith(club.words("hanako")("lobby.joined_next_hand", table=1))
    await club.type_hand()
    await club.pass_time(13)
    view = await club.look(1, "hanako")
    assert view.hand is not None
    assert view.hand.mine is not None
    assert plain_letters(view) == "BBBBB"


async def test_who_does_not_set_his_fantasyland_is_called_and_gets_a_legal_board(lucky_club: Club) -> None:
    club = lucky_club
    await club.type_hand(script=SCRIPT)
    await club.pass_time(13)
    for _ in range(5):
        assert (await club.look()).waiting == (club.player("bob"),)
        await club.type_turn("bob")
    assert (await club.look()).waiting == (club.player("alice"),)
    await club.pass_time(21)
    assert [call.message.ping_user_ids for call in club.calls()] == [[club.members["alice"].id]]
    await club.pass_time(98)  # She has the time of two turns.
    assert (await club.look()).waiting == (club.player("alice"),)
    await club.pass_time(2)
    result = await club.play.result(club.key(), 2)
    assert [r.foul for r in result.results if r.player == club.player("alice")] == [False]


async def test_a_street_and_a_fantasyland_board_confirmed_at_the_same_moment_both_count(lucky_club: Club) -> None:
    club = lucky_club
    await club.type_hand(script=SCRIPT)
    await club.pass_time(13)
    letters = fantasyland_letters(await club.look(1, "alice"))
    alice = await club.arrange("alice", await club.open_panel("alice"), letters)
    bob = await club.place("bob", await club.open_panel("bob"), "BBBBB")
    await deliver(
        forged_press(club, "alice", alice, alice.find("confirm")["custom_id"]),
        forged_press(club, "bob", bob, bob.find("confirm")["custom_id"]),
    )
    view = await club.look(1, "alice")
    assert view.hand is not None
    assert all(seat.placed or seat.player == club.player("bob") for seat in view.hand.seats)
    assert view.hand.street == 2
    assert club.words()("table.has_set") in club.table_screen().text


async def test_four_people_and_a_long_result_fit_into_their_messages(club: Club) -> None:
    club.newcomer("ken", locale="ja")
    await club.open_table("alice", "bob", "hanako", "ken", game="classic", stakes=1)
    assert not club.table_screen().has("join")
    await club.type_hand()
    (shown,) = [screen for screen in club.public() if screen.has("hand_details")]
    details = await club.tap("ken", shown, shown.find("hand_details"))
    assert details.text.count(club.shown("ken")) == 4, "three pairs, and their board"


async def test_without_emojis_cards_are_written(club: Club) -> None:
    club.forgiven.append("the card faces could not be uploaded")
    club.backend.application_emojis.clear()
    club.world.env.inject_error("POST", "/applications/*/emojis", status=403, times=None)
    await club.restart()
    await club.open_table("alice", "hanako")
    panel = await club.open_panel("hanako")
    assert cards_in(panel.labels())
    assert "<:" not in panel.text
    await club.type_hand()
    assert "<:" not in club.said()
    assert len(cards_in(club.said())) == 26
