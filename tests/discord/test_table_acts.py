"""``/ofc table`` by typing only: suggestions, input, confirmations and refusals in both languages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.chat.club.screens.my_games import TABLES_PER_PAGE
from bot.chat.kit.fragments import table_link
from bot.model.tables import TableState
from bot.text.words import Words
from tests.discord.club import Club, Screen
from tests.discord.messages import walk
from tests.discord.test_hidden_channels import shut_out
from tests.in_turn import in_turn

READERS = ("bob", "hanako")
COMMAND = "ofc table"


def called(words: Words, key: str) -> str:
    """An act's name."""
    return words(f"table_acts.name.{key}")


async def offered(club: Club, name: str, typed: str = "", option: str = "do", **options: str) -> list[str]:
    """Return the suggestions for a member's input."""
    choices = await club.members[name].autocomplete(club.channel, COMMAND, option, typed, **options)
    return [str(choice["name"]) for choice in choices]


async def act(club: Club, name: str, key: str, **options: str) -> Screen:
    """Type an act by its name; returns the private answer."""
    return await club.slash(name, COMMAND, do=called(club.words(name), key), **options)


@in_turn("name", *READERS)
async def test_a_whole_visit_to_a_table_is_typed(club: Club, name: str) -> None:
    words = club.words(name)
    await club.slash("alice", "ofc play")
    likely = await offered(club, name)
    assert likely[0] == called(words, "list")
    assert called(words, "join") in likely
    assert len(likely) <= 12
    assert called(words, "shuffle") not in likely
    shown = await act(club, name, "join")
    assert words("lobby.buy_in", chips="1,000") in shown.text, "its terms are told before it takes chips"
    assert (await club.look(1, name)).mine is None
    await act(club, name, "join")
    assert (await club.look(1, name)).mine is not None
    await act(club, "alice", "start")
    assert (await club.look()).table.state is TableState.PLAYING
    await act(club, name, "sit_out")
    mine = (await club.look(1, name)).mine
    assert mine is not None
    assert mine.seat.sits_out
    await act(club, name, "back")
    mine = (await club.look(1, name)).mine
    assert mine is not None
    assert not mine.seat.sits_out
    left = await act(club, name, "leave")
    assert words("lobby.leaving", table=1) in left.text, "what happens to the chips, and when"
    mine = (await club.look(1, name)).mine
    assert mine is not None
    assert mine.seat.leaving


async def test_a_join_is_asked_again_under_other_terms(club: Club) -> None:
    words = club.words("bob")
    await club.opens("alice", levels="10,50 every 1")
    await act(club, "bob", "join")
    await club.press("hanako", club.table_screen(), club.table_screen().find("join"))
    await club.press("alice", club.table_screen(), club.table_screen().find("start"))
    await club.type_hand()
    await club.pass_time(13)
    if (await club.look()).table.terms.point_value == 50:
        await act(club, "bob", "join")
        assert (await club.look(1, "bob")).mine is None, "the stakes have risen since they were shown"
        assert words("table.stakes", value="50") in club.private("bob")[-1].text


@in_turn("name", *READERS)
async def test_chips_are_brought_again_once_it_was_shown_how_many(club: Club, name: str) -> None:
    await club.open_table(name, "alice")
    words = club.words(name)
    why = await act(club, name, "rebuy")
    assert words("table_acts.why.seated", act=called(words, "rebuy")) in why.text
    assert called(words, "rebuy") not in await offered(club, name)


@in_turn("name", *READERS)
async def test_two_tables_are_told_apart_by_their_numbers(club: Club, name: str) -> None:
    words = club.words(name)
    await club.slash(name, "ofc play")
    await club.slash(name, "ofc play", game="classic")
    leaves = await offered(club, name, called(words, "leave"))
    assert len(leaves) == 2
    unclear = await act(club, name, "leave")
    assert words("acts.several") in unclear.text
    await club.slash(name, COMMAND, do=leaves[1])
    assert [(await club.look(number, name)).mine is None for number in (1, 2)].count(True) == 1


@in_turn("name", *READERS)
async def test_the_first_entry_lists_one_s_own_tables_and_those_that_are_open(club: Club, name: str) -> None:
    words = club.words(name)
    await club.slash("alice", "ofc play")
    await club.slash(name, "ofc play", game="classic")
    listed = await act(club, name, "list")
    assert words("games.title") in listed.text
    assert words("variant.classic.name") in listed.text
    assert words("variant.pineapple.name") in listed.text, "the table of somebody else, where there is a seat"


@in_turn("name", *READERS)
async def test_the_host_hands_over_and_removes_by_typing(club: Club, name: str) -> None:
    words, manager = club.words(name), club.words("alice")
    await club.slash("alice", "ofc play")
    await club.press(name, club.table_screen(), club.table_screen().find("join"))
    guest, alice = (club.shown(one).strip("*") for one in (name, "alice"))
    assert guest in await offered(club, "alice", "", "player", do=called(manager, "make_host"))
    await act(club, "alice", "make_host", player=guest)
    assert (await club.look()).table.host == club.player(name)
    form = await club.command_form(name, COMMAND, do=called(words, "remove"), player=alice)
    assert (await club.look()).place_of(club.player("alice")) is not None, "asked once more, with the form"
    await club.send(name, form)
    assert (await club.look()).place_of(club.player("alice")) is None
    gone = await club.command_form(name, COMMAND, do=called(words, "invite"))
    assert (await club.look()).table.open
    assert gone.modal is not None


async def test_only_who_manages_the_server_closes_a_table_by_typing(club: Club) -> None:
    await club.slash("bob", "ofc play")
    assert called(club.words("hanako"), "close") not in await offered(
        club, "hanako", called(club.words("hanako"), "close")
    )
    why = await act(club, "hanako", "close")
    assert (await club.look()).table.open
    assert club.words("hanako")("gate.needs_manage_server") in why.text
    await act(club, "alice", "close")
    assert (await club.look()).table.open, "asked once more"
    await act(club, "alice", "close")
    assert not (await club.look()).table.open
    closed = club.public()[-1].text.splitlines()
    assert club.words()("closed.closed_by_admin") in closed
    assert [line for line in closed if line.strip() in ("-#", "###")] == [], "no line without words"


@in_turn("name", *READERS)
async def test_what_is_wrong_is_refused_in_words_and_keeps_what_was_typed(club: Club, name: str) -> None:
    words = club.words(name)
    await club.slash(name, "ofc play")
    wrong = await act(club, name, "move", value="9")
    assert words("refused.no_such_seat", seats=3) in wrong.text
    assert "9" in wrong.text
    nonsense = await club.slash(name, COMMAND, do="xyzzy")
    assert words("acts.none", typed="xyzzy") in nonsense.text
    assert len(nonsense.controls()) > 1, "and it leads on"


FOUND = {
    "list": ("open", "Open tables", "tables", "mine", "my games", "my-games", "My tables", "卓", "参加中の卓"),
    "seats": ("seats", "seat", "Details", "席", "詳細"),
    "close": ("close", "close-table", "閉じる"),
    "join": ("join", "参加"),
    "leave": ("Leave", "退席"),
    "cancel": ("cancel", "卓を解散"),
}


@in_turn("name", "alice", "hanako")
async def test_former_commands_and_the_labels_of_buttons_find_their_act_in_any_language(club: Club, name: str) -> None:
    """The first suggestion is the one that Enter takes."""
    role = club.guild.create_role("manager", permissions=discord.Permissions(manage_guild=True))
    club.backend.add_member_role(club.guild.id, club.members["hanako"].id, role.id)
    words = club.words(name)
    for host in (name, "bob"):
        await club.slash(host, "ofc play")
    for key, typed in FOUND.items():
        for letters in typed:
            first, *_ = await offered(club, name, letters)
            assert first.startswith(called(words, key)), letters
    for letters in FOUND["list"]:
        assert words("games.title") in (await club.slash(name, COMMAND, do=letters)).text, "without a suggestion, too"


@in_turn("name", *READERS)
async def test_the_first_entry_works_in_direct_messages_and_nothing_else_is_offered_there(
    club: Club, name: str
) -> None:
    words, user = club.words(name), club.members[name].user
    await club.open_table("alice", name)
    choices = await user.autocomplete(COMMAND, "do", "")
    assert [choice["name"] for choice in choices] == [called(words, "list")]
    answer = (await user.slash(COMMAND, do=called(words, "list"))).response
    assert answer is not None
    shown = Screen(club, answer.channel_id, answer.id)
    assert words("games.title") in shown.text
    assert [part["url"] for part in walk(shown.components) if "url" in part] == [table_link((await club.look()).table)]
    answer = (await user.slash(COMMAND, do=called(words, "leave"))).response
    assert answer is not None
    told = Screen(club, answer.channel_id, answer.id)
    assert words("gate.only_in_servers") in told.text
    assert told.labels() == [called(words, "list")]
    mine = (await club.look(1, name)).mine
    assert mine is not None
    assert not mine.seat.leaving


async def test_looking_for_acts_opens_no_wallet(club: Club) -> None:
    await club.open_table("alice", "bob")
    before = await club.facts()
    assert called(club.words("hanako"), "join") in await offered(club, "hanako")
    await act(club, "hanako", "leave")
    assert await club.facts() == before


@in_turn("name", *READERS)
async def test_open_tables_lead_to_their_details_where_they_are_joined(club: Club, name: str) -> None:
    words = club.words(name)
    await club.slash("alice", "ofc play", stakes=25)
    listed = await act(club, name, "list")
    assert words("games.others") in listed.text
    details = await club.click(name, listed, words("games.details", table=1))
    assert details is not None
    assert words("lobby.buy_in", chips=words.number(2_500)) in details.text
    await club.press(name, details, details.find("join"))
    assert (await club.look(1, name)).mine is not None


@in_turn("name", *READERS)
async def test_a_page_of_one_s_tables_is_typed_by_its_number(club: Club, name: str) -> None:
    words, hosts = club.words(name), ("alice", *(one for one in READERS if one != name))
    for number in range(1, TABLES_PER_PAGE + 2):
        await club.slash(hosts[number % 2], "ofc play", stakes=0, clock="correspondence")
        await club.play.join(club.key(number), club.player(name), cause=f"join {number}")
    second = await act(club, name, "list", value="2")
    assert f"{TABLES_PER_PAGE + 1}" in second.text
    assert words("games.table", table=1) not in second.text
    wrong = await act(club, name, "list", value="two")
    assert words("refused.no_page") in wrong.text


async def test_a_manager_closes_a_table_that_isn_t_listed(club: Club) -> None:
    """Its number is enough, also where the channel is hidden from them or there are more tables than are listed."""
    await club.open_table("bob", "hanako")
    role = club.guild.create_role("manager", permissions=discord.Permissions(manage_guild=True))
    club.newcomer("carol")
    carol = club.members["carol"]
    club.backend.add_member_role(club.guild.id, carol.id, role.id)
    lounge = club.guild.create_text_channel("lounge")
    shut_out(club, "carol")
    answer = (await carol.slash(lounge, COMMAND, do="close-table 1")).response
    assert answer is not None
    asked = Screen(club, answer.channel_id, answer.id)
    assert club.words("carol")("table_acts.closes", table=1) in asked.text
    assert (await club.look()).table.open
    answer = (await carol.slash(lounge, COMMAND, do="seats 1")).response
    assert answer is not None
    told = Screen(club, answer.channel_id, answer.id)
    assert club.words("carol")("table_acts.why.not_seated", act=called(club.words("carol"), "seats")) in told.text
    assert not told.has("join", "sit"), "she can close it, and no more"
    await carol.slash(lounge, COMMAND, do="close table 1")
    assert not (await club.look()).table.open


async def test_my_own_text_goes_into_the_next_shuffle(club: Club) -> None:
    await club.open_table("alice", "bob")
    words = club.words("bob")
    said = await act(club, "bob", "shuffle", value="luck")
    assert said.text == words("verify.seed_set", table=1, hand=2)


@pytest.mark.parametrize("name", READERS)
async def test_a_seat_or_a_wait_is_found_by_typing_once_its_terms_were_shown(club: Club, name: str) -> None:
    words, buy_in = club.words(name), club.words(name)("lobby.buy_in", chips="1,000")
    shown = await act(club, name, "queue", value="classic ２")
    assert buy_in in shown.text
    assert words("variant.classic.name") in shown.text
    assert words("table_acts.waits", count=2) in shown.text
    assert not await club.play.open_tables(club.key().guild), "nothing is opened unseen"
    await club.tap(name, shown, shown.find("tb_act_yes"))
    assert (await club.look()).table.terms.starts_with == 2
    other = club.words("alice")
    shown = await act(club, "alice", "quick")
    assert other("lobby.buy_in", chips="1,000") in shown.text
    assert (await club.look(1, "alice")).mine is None
    await act(club, "alice", "quick")
    assert (await club.look(1, "alice")).mine is not None


@in_turn("name", *READERS)
async def test_the_next_free_seat_is_asked_again_under_other_terms(club: Club, name: str) -> None:
    words = club.words(name)
    shown = await act(club, name, "quick")
    assert words("table_acts.opens") in shown.text
    await club.opens("alice", stakes=5)
    again = await club.tap(name, shown, shown.find("tb_act_yes"))
    assert words("table.stakes", value="5") in again.text, "a table that is cheaper was opened meanwhile"
    assert (await club.look(1, name)).mine is None
    typed = await act(club, name, "quick")
    assert words("table.stakes", value="5") in typed.text
    await club.tap(name, again, again.find("tb_act_yes"))
    assert (await club.look(1, name)).mine is not None
    assert len(await club.play.open_tables(club.key().guild)) == 1


@in_turn("name", *READERS)
async def test_terms_that_change_at_the_last_moment_are_asked_again(
    club: Club, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, matchmaking = club.words(name), club.bot.services.matchmaking
    shown = await act(club, name, "quick")
    quick = matchmaking.quick

    async def late(*args: Any, **named: Any) -> Any:
        monkeypatch.undo()
        like = named["like"] if "like" in named else args[0]
        cheaper = replace(like, host=club.player("alice"), terms=replace(like.terms, point_value=5))
        await club.play.open_table(cheaper, cause="meanwhile")
        return await quick(*args, **named)

    monkeypatch.setattr(matchmaking, "quick", late)
    again = await club.tap(name, shown, shown.find("tb_act_yes"))
    assert words("terms.changed") in again.text
    assert words("table.stakes", value="5") in again.text
    assert (await club.look(1, name)).mine is None
    await club.tap(name, again, again.find("tb_act_yes"))
    assert (await club.look(1, name)).mine is not None


@in_turn("name", *READERS)
async def test_a_wait_for_too_few_or_too_many_is_told_the_limits(club: Club, name: str) -> None:
    words = club.words(name)
    for typed in ("0", "1", "9", "１２", "-3", "classic 12"):
        refused = await act(club, name, "queue", value=typed)
        most = 4 if typed.startswith("classic") else 3
        assert words("refused.too_many_seats", least=2, most=most) in refused.text, typed
        assert typed in refused.text
    assert not await club.play.open_tables(club.key().guild)


@in_turn("name", *READERS)
async def test_a_seat_that_there_isn_t_is_told_which_there_are(club: Club, name: str) -> None:
    words = club.words(name)
    await club.slash(name, "ofc play")
    for typed in ("0", "-1", "4", "2.5", "９９９", "9" * 30, "one"):
        refused = await act(club, name, "move", value=typed)
        assert words("refused.no_such_seat", seats=3) in refused.text, typed
    await act(club, name, "move", value="３")
    mine = (await club.look(1, name)).mine
    assert mine is not None
    assert mine.seat.number == 2


@in_turn("name", *READERS)
async def test_everyday_words_find_what_they_mean_at_a_table(club: Club, name: str) -> None:
    words = club.words(name)
    await club.slash("alice", "ofc play")
    for typed in ("sit down", "take a seat", "すわる", "着席", "ちゃくせき"):
        assert called(words, "join") in await offered(club, name, typed), typed
    await act(club, name, "join")
    await act(club, name, "join")
    for typed in ("quit", "go home", "stand up", "ぬける", "帰る", "帰りたい"):
        assert called(words, "leave") in await offered(club, name, typed), typed
    everything = await club.slash(name, COMMAND, do=words("acts.everything.row"))
    assert "go home" not in everything.text
    assert "ちゃくせき" not in everything.text
