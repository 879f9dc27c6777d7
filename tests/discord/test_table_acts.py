"""``/ofc table`` by typing alone: what it suggests, understands, asks for and refuses, in both languages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.model.tables import TableState
from bot.text.words import Words
from tests.discord.club import Club, Screen
from tests.in_turn import in_turn

READERS = ("bob", "hanako")
COMMAND = "ofc table"


def called(words: Words, key: str) -> str:
    """An act's name."""
    return words(f"table_acts.name.{key}")


async def offered(club: Club, name: str, typed: str = "", option: str = "do", **options: str) -> list[str]:
    """What is suggested to somebody who types."""
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
        assert words("table.stakes", count=50) in club.private("bob")[-1].text


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
    assert club.words("hanako")("table_acts.why.not_seated", act=called(club.words("hanako"), "close")) in why.text
    await act(club, "alice", "close")
    assert (await club.look()).table.open, "asked once more"
    await act(club, "alice", "close")
    assert not (await club.look()).table.open


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
    assert words("table.stakes", count=5) in again.text, "a table that is cheaper was opened meanwhile"
    assert (await club.look(1, name)).mine is None
    typed = await act(club, name, "quick")
    assert words("table.stakes", count=5) in typed.text
    await club.tap(name, again, again.find("tb_act_yes"))
    assert (await club.look(1, name)).mine is not None
    assert len(await club.play.open_tables(club.key().guild)) == 1


@in_turn("name", *READERS)
async def test_terms_that_change_at_the_last_moment_are_asked_again(
    club: Club, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, together = club.words(name), club.bot.services.together
    shown = await act(club, name, "quick")
    quick = together.quick

    async def late(*args: Any, **named: Any) -> Any:
        monkeypatch.undo()
        like = named["like"] if "like" in named else args[0]
        cheaper = replace(like, host=club.player("alice"), terms=replace(like.terms, point_value=5))
        await club.play.open_table(cheaper, cause="meanwhile")
        return await quick(*args, **named)

    monkeypatch.setattr(together, "quick", late)
    again = await club.tap(name, shown, shown.find("tb_act_yes"))
    assert words("terms.changed") in again.text
    assert words("table.stakes", count=5) in again.text
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
