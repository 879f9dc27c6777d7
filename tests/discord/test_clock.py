"""The clock: time runs out, people go away and come back, a lobby that waits too long."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.model.hands import HandState
from bot.play.session.policy import Policy
from tests.discord.club import Club, Screen, complaints, open_club
from tests.in_turn import in_turn


def shown_cards(screen: Screen) -> int:
    """Return the number of face-up cards."""
    return screen.text.count("<:") - screen.text.count("<:empty_") - screen.text.count("<:card_face_down")


async def test_when_time_runs_out_the_cards_are_placed_and_shown(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob", clock="30s")
    assert shown_cards(club.table_screen()) == 0
    await club.pass_time(29)
    assert (await club.look()).waiting == (club.player("bob"),)
    await club.pass_time(2)
    assert (await club.look()).waiting == (club.player("alice"),)
    assert shown_cards(club.table_screen()) == 5
    assert [c.message.ping_user_ids for c in club.calls()] == [[club.members["alice"].id]]


async def test_without_a_single_cog_the_clock_goes_on_and_with_them_again_so_does_the_game(club: Club) -> None:
    await club.open_table("alice", "bob", clock="30s")
    with club.world.env.time_context():
        for cog in list(club.bot.cogs):
            await club.bot.remove_cog(cog)
    assert not club.bot.cogs
    await club.pass_time(31)
    assert (await club.look()).waiting == (club.player("alice"),)
    assert shown_cards(club.table_screen()) == 5

    with club.world.env.time_context():
        club.bot.tree.clear_commands(guild=None)
        await club.bot.load_cogs()
    await club.play_turn("alice")
    await club.type_turn("bob")
    assert (await club.look()).waiting == (club.player("alice"),)


async def test_a_cog_that_is_loaded_anew_plays_on(club: Club) -> None:
    await club.open_table("alice", "bob", clock="30s")
    with club.world.env.time_context():
        for cog in list(club.bot.cogs):
            await club.bot.remove_cog(cog)
        club.bot.tree.clear_commands(guild=None)
        await club.bot.load_cogs()
    await club.play_turn("bob")
    await club.pass_time(31)
    assert (await club.look()).waiting == (club.player("bob"),)


async def test_two_timeouts_in_a_row_mark_somebody_away_until_he_is_back(club: Club) -> None:
    words = club.words()
    await club.open_table("alice", "bob", clock="30s")
    await club.pass_time(31)
    assert words("table.away") not in club.table_screen().text
    await club.play_turn("alice")
    await club.pass_time(31)
    assert words("table.away") in club.table_screen().text
    # After that, no one waits for Bob. His streets are placed immediately.
    await club.play_turn("alice")
    await club.pass_time(1)
    assert (await club.look()).waiting == (club.player("alice"),)

    details = await club.details("bob")
    back = await club.click("bob", details, words("button.stay"))
    assert back is not None
    told = words("away.placed", count=3, streets=words.list(["1", "2", "3"]))
    assert f"{words('away.back', table=1)}\n{words('away.told', told=told)}" in back.text
    assert words("table.away") not in club.table_screen().text
    await club.play_turn("alice")
    await club.pass_time(5)
    assert (await club.look()).waiting == (club.player("bob"),)


async def test_one_timeout_is_forgotten_when_a_street_is_placed(club: Club) -> None:
    await club.open_table("alice", "bob", clock="30s")
    for _ in range(2):
        await club.pass_time(31)
        await club.play_turn("alice")
        await club.play_turn("bob")
        await club.play_turn("alice")
    assert club.words()("table.away") not in club.table_screen().text


async def bob_is_away(club: Club) -> None:
    """Play a hand in which Bob times out on streets 1 and 2."""
    await club.open_table("alice", "bob", clock="30s")
    await club.pass_time(31)
    await club.play_turn("alice")
    await club.pass_time(31)
    assert (await club.look(1, "bob")).mine.seat.away  # type: ignore[union-attr]


@in_turn("reads", "alice", "hanako")
async def test_whoever_looks_is_told_what_the_clock_did_and_sits_out_until_they_say_that_they_are_back(
    club: Club, reads: str
) -> None:
    # Hanako takes Bob's seat because she reads Japanese.
    name = "hanako" if reads == "hanako" else "bob"
    words = club.words(name)
    await club.open_table("alice", name, clock="30s")
    await club.pass_time(31)
    first = words("away.placed", count=1, streets="1")
    assert words("away.ran_out", told=first) in (await club.slash(name, "hand")).text, "they never went away"
    await club.play_turn("alice")
    await club.pass_time(31)
    both = words("away.placed", count=2, streets=words.list(["1", "2"]))
    games = await club.slash(name, "ofc table", do="mine")
    assert words("away.title") in games.text
    assert words("away.at_table", table=1, told=both) in games.text
    panel = await club.slash(name, "hand")
    assert words("away.told", told=both) in panel.text
    assert words("away.sitting_out") in panel.text
    assert (await club.look(1, name)).mine.seat.away, "a look changes nothing"  # type: ignore[union-attr]

    back = await club.press(name, panel, panel.find("come_back"))
    assert back is not None
    assert words("away.back", table=1) in back.text
    assert words("away.told", told=both) in back.text
    assert words("away.sitting_out") not in back.text
    assert not (await club.look(1, name)).mine.seat.away  # type: ignore[union-attr]
    assert words("away.told", told=both) not in (await club.slash(name, "hand")).text, "it is told once"
    assert words("away.title") not in (await club.slash(name, "ofc table", do="mine")).text


async def test_cards_that_are_placed_are_enough_to_be_back_and_it_is_said(club: Club) -> None:
    await club.open_table("alice", "bob", clock="30s")
    words = club.words("alice")
    for _ in range(2):
        await club.play_turn("bob")
        await club.pass_time(31)
    assert (await club.look(1, "alice")).mine.seat.away  # type: ignore[union-attr]
    panel = await club.open_panel("alice")
    for _ in range(2):
        panel = await club.tap("alice", panel, panel.find("row"))
    assert words("away.sitting_out") in panel.text
    assert (await club.look(1, "alice")).mine.seat.away, "a draft is no placement"  # type: ignore[union-attr]
    panel = await club.tap("alice", panel, panel.find("ahead"))
    assert words("away.back", table=1) in panel.text
    assert words("away.sitting_out") not in panel.text
    assert not (await club.look(1, "alice")).mine.seat.away  # type: ignore[union-attr]


async def test_hands_that_ended_meanwhile_are_told_with_what_they_brought(club: Club) -> None:
    await bob_is_away(club)
    for _ in range(12):
        if (await club.look()).table.state.value == "between":
            break
        if (await club.look()).waiting == (club.player("alice"),):
            await club.type_turn("alice")
        await club.pass_time(31)
    (result,) = [one for one in (await club.play.result(club.key(), 1)).results if one.player == club.player("bob")]
    words = club.words("bob")
    ended = words("away.ended", count=1, points=words.signed(result.points))
    assert ended in (await club.slash("bob", "ofc table", do="mine")).text
    await club.pass_time(13)
    panel = await club.slash("bob", "hand")
    assert ended in panel.text
    back = await club.press("bob", panel, panel.find("come_back"))
    assert back is not None
    assert words("away.back_next", table=1) in back.text


async def test_who_is_away_sits_out_after_the_hand_and_the_table_waits_for_others(club: Club) -> None:
    await club.open_table("alice", "bob", clock="30s")
    for _ in range(12):
        if (await club.look()).table.state.value == "between":
            break
        if (await club.look()).waiting == (club.player("alice"),):
            await club.type_turn("alice")
        await club.pass_time(31)
    await club.pass_time(13)
    view = await club.look()
    assert view.table.state.value == "lobby"
    assert [place.seat.sits_out for place in view.places] == [False, True]
    assert club.table_screen().has("join")
    assert club.table_screen().text.count(club.words()("table.away")) == 1
    panel = await club.slash("bob", "hand")
    await club.press("bob", panel, panel.find("come_back"))
    assert (await club.look()).table.state.value == "between"
    await club.pass_time(13)
    assert len((await club.look(1, "bob")).hand.seats) == 2  # type: ignore[union-attr]
    assert club.words()("table.hand", hand=2) in club.private("bob")[-1].text


async def test_a_table_that_everybody_forgets_ends_by_itself(club: Club) -> None:
    await club.open_table("alice", "bob", clock="30s")
    await club.pass_time(31 * 8)
    assert all(place.seat.sits_out for place in (await club.look()).places)
    await club.pass_hours(31 * 60)
    assert not (await club.look()).table.open
    assert club.words()("closing.title", table=1) in club.said()
    result = await club.play.result(club.key(), 1)
    assert result.record.state is HandState.SETTLED
    wallets = [await club.play.wallet(club.key().guild, club.player(name)) for name in ("alice", "bob")]
    assert sum(wallets) == 20_000


@pytest.fixture
async def hasty_club(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Club]:
    """A club whose tables wait a minute for players."""
    async with open_club(tmp_path, policy=Policy(lobby_ms=60_000)) as opened:
        yield opened
    assert not complaints(caplog.get_records("call"), opened.forgiven)


async def test_a_lobby_that_waits_too_long_closes_and_gives_the_chips_back(hasty_club: Club) -> None:
    club = hasty_club
    words = club.words()
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    assert await club.play.wallet(club.key().guild, club.player("bob")) == 9_000
    lobby = club.table_screen()
    await club.pass_time(59)
    assert (await club.look()).table.open
    await club.pass_time(2)
    assert not (await club.look()).table.open
    assert lobby.controls() == []
    assert words("closed.not_started") in lobby.text
    assert words("closed.not_started") in club.public()[-1].text
    for name in ("alice", "bob"):
        assert await club.play.wallet(club.key().guild, club.player(name)) == 10_000


async def test_leaving_in_a_hand_is_leaving_after_it_and_can_be_taken_back(club: Club) -> None:
    words = club.words()
    await club.open_table("alice", "bob", "hanako")
    for name in ("bob", "hanako"):
        leaving = await club.leave(name)
        assert leaving is not None
        assert club.words(name)("seats.leaves") in leaving.text
    assert club.table_screen().text.count(words("table.leaving")) == 2
    await club.click("hanako", club.private("hanako")[-1], club.words("hanako")("button.do_not_leave"))
    assert club.table_screen().text.count(words("table.leaving")) == 1
    await club.type_hand()
    await club.pass_time(13)
    view = await club.look()
    assert {place.seat.player for place in view.places} == {club.player("alice"), club.player("hanako")}
    assert view.table.hand_no == 2
