"""A newcomer's way: from /ofc play to the hand after the first, in both languages."""

import re

from bot.model.hands import HandState
from bot.text.fingerprint import fingerprint
from tests.discord.club import Club, Screen, everything_in, plain_letters
from tests.in_turn import in_turn

JAPANESE = re.compile(r"[぀-ヿ一-鿿]")


def in_japanese(text: str) -> bool:
    """True for a text with Japanese letters in it, those of Hanako's name left out."""
    return bool(JAPANESE.search(text.replace("花子", "")))


async def test_a_newcomer_is_led_from_the_open_table_to_the_next_hand(club: Club) -> None:
    words = club.words()
    opened = await club.slash("alice", "ofc play")
    assert opened.text.split("\n") == [
        words("lobby.opened", table=1, game=words("variant.pineapple.name")),
        words("lobby.brought", chips="1,000"),
    ]
    first = club.public()[0].text.split("\n")
    fixed = fingerprint((await club.look()).table.commitment)
    assert first[-1] == words("root.fixed", root=fixed)
    assert first[-1].startswith("-# "), "the long code stands last, in small letters"
    assert club.shown("alice") in club.table_screen().text
    assert words("lobby.free_seats", count=2) in club.table_screen().text

    joined = await club.click("bob", club.table_screen(), words("button.join"))
    assert joined is not None
    assert joined.text.endswith(words("lobby.joined_ready", table=1, start=club.words()("button.start")))
    assert club.shown("bob") in club.table_screen().text

    started = await club.click("alice", club.table_screen(), words("button.start"))
    assert started is not None
    assert words("table.hand", hand=1) in started.text
    assert words("table.to_act_until", players=club.shown("bob"), until="|").split("|")[0] in club.table_screen().text

    for name in ("bob", "alice"):
        panel = await club.click(name, club.table_screen(), words("button.my_hand"))
        assert panel is not None
        assert words("panel.your_turn") in panel.text
        panel = await club.place(name, panel, plain_letters(await club.look(1, name)))
        assert words("panel.ready") in panel.text
        placed = await club.click(name, panel, words("button.confirm"))
        assert placed is not None
    assert (await club.look()).hand is not None
    await club.play_hand()
    assert words("result.heading", hand=1, table=1) in club.said()

    await club.pass_time(11)
    assert (await club.look()).table.hand_no == 1
    await club.pass_time(2)
    assert (await club.look()).table.hand_no == 2
    assert words("table.hand", hand=2) in club.table_screen().text


async def test_the_table_moves_below_the_talk_with_each_hand(club: Club) -> None:
    await club.open_table("alice", "bob")
    first = club.table_screen()
    await club.type_hand()
    await club.pass_time(13)
    assert first.gone
    newest = [screen for screen in club.public() if screen not in club.calls()]
    assert newest[-1] == club.table_screen()


def assert_private_answer_is_japanese(screen: Screen | None) -> None:
    assert screen is not None
    assert in_japanese(screen.text), screen.text


async def test_hanako_reads_japanese_while_the_table_speaks_english(club: Club) -> None:
    words = club.words("hanako")
    await club.slash("alice", "ofc play")
    assert_private_answer_is_japanese(await club.press("hanako", club.table_screen(), club.table_screen().find("join")))
    await club.click("alice", club.table_screen(), "Start")
    panel = await club.open_panel("hanako")
    assert_private_answer_is_japanese(panel)
    assert words("button.confirm") in panel.labels()
    panel = await club.play_turn("hanako")
    assert_private_answer_is_japanese(panel)
    assert not in_japanese(club.said())
    assert not any(in_japanese(text) for text in everything_in(await club.open_panel("alice")))


@in_turn("name", "bob", "hanako")
async def test_who_has_no_seat_is_offered_one_by_a_button_in_their_own_language(club: Club, name: str) -> None:
    await club.slash("alice", "ofc play", game="progressive")
    await club.click("hanako" if name == "bob" else "bob", club.table_screen(), "Join")
    await club.click("alice", club.table_screen(), "Start")
    panel = await club.open_panel(name)
    words = club.words(name)
    assert words("panel.not_seated") in panel.text
    joined = await club.click(name, panel, words("button.join"))
    assert joined is not None
    assert joined.text.endswith(words("lobby.joined_next_hand", table=1))


async def test_a_japanese_server_has_japanese_tables_and_alice_english_panels(japanese_club: Club) -> None:
    club = japanese_club
    await club.call_at_once()
    await club.open_table("alice", "hanako")
    words = club.words()
    assert words.language.code == "ja"
    assert words("button.my_hand") in club.table_screen().labels()
    assert not any(in_japanese(text) for text in everything_in(await club.open_panel("alice")))
    assert in_japanese(club.calls()[0].text)
    await club.play_hand()
    assert words("result.heading", hand=1, table=1) in club.said()
    assert "foul" not in club.said()


async def test_practice_is_dealt_at_once_and_the_computer_answers(club: Club) -> None:
    panel = await club.practise_here("hanako")
    words = club.words("hanako")
    assert words("table.hand", hand=1) in panel.text
    for _ in range(40):
        if (await club.look()).table.state.value == "between":
            break
        if (await club.look()).waiting == (club.player("hanako"),):
            await club.play_turn("hanako")
        else:
            await club.pass_time(1)
    result = await club.play.result(club.key(), 1)
    assert result.record.state is HandState.SETTLED
    assert {r.chips for r in result.results} == {0}
    assert not any(r.ranked for r in result.results)
    assert words("name.computer_4") in club.table_screen().text
    assert words("chips.wallet", chips="10,000") in (await club.slash("hanako", "ofc profile", show="chips")).text
    await club.pass_time(13)
    assert (await club.look()).table.hand_no == 2


async def test_a_server_without_a_language_has_tables_in_the_language_of_the_host(club: Club) -> None:
    """Discord reports American English for every server that has chosen none."""
    await club.slash("hanako", "ofc play")
    assert in_japanese(club.table_screen().text)


async def test_practice_is_in_the_language_of_who_practises(club: Club) -> None:
    await club.practise_here("hanako")
    await club.practise_here("alice")
    assert in_japanese(club.table_screen(1).text)
    assert not in_japanese(club.table_screen(2).text)
