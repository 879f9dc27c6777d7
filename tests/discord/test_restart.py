"""The bot stops mid-hand and restarts. Nothing is lost, and no one is punished."""

from pathlib import Path

import pytest

from bot.model.ids import GuildId
from bot.store import StoreUnavailableError
from bot.store.sqlite.copy_mark import COPY_ID
from bot.text.fingerprint import fingerprint
from tests.discord.club import Club, Screen, everything_in, open_club, plain_letters
from tests.discord.forms import settings_page
from tests.discord.messages import walk


async def test_a_half_made_placement_survives_a_restart(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BBB")
    await club.restart()
    assert club.bots[0].is_closed()
    assert len(club.bots) == 2
    for _ in range(2):
        panel = await club.tap("bob", panel, panel.find("row", "M"))
    panel = await club.tap("bob", panel, panel.find("confirm"))
    view = await club.look(1, "bob")
    assert view.hand is not None
    assert view.hand.mine is not None
    assert [len(row) for row in view.hand.mine.rows] == [0, 2, 3]
    await club.type_hand()
    assert club.words()("result.heading", hand=1, table=1) in club.said()


async def test_a_whole_hand_is_played_with_a_restart_after_every_street(club: Club) -> None:
    await club.open_table("alice", "bob")
    table = club.table_screen()
    for _ in range(10):
        await club.play_turn(await club.on_turn())
        await club.restart()
    assert (await club.look()).table.state.value == "between"
    assert club.said().count(club.words()("result.heading", hand=1, table=1)) == 1
    assert not table.gone
    await club.pass_time(13)
    assert (await club.look()).table.hand_no == 2


async def test_the_table_is_drawn_on_into_the_same_message(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob")
    table = club.table_screen()
    await club.restart()
    await club.play_turn("bob")
    assert club.table_screen() == table
    assert len(club.calls()) == 1


async def test_a_table_whose_message_was_deleted_while_the_bot_was_away_is_back_after_the_start(club: Club) -> None:
    await club.open_table("alice", "bob")
    table = club.table_screen()
    club.backend.delete_message(table.channel_id, table.id)
    await club.restart()
    assert club.table_screen() != table
    assert club.words()("table.to_act_until", players="|", until="|").split("|")[1] in club.table_screen().text
    assert len([screen for screen in club.public() if screen.has("seats")]) == 1
    await club.type_hand()


async def test_the_clock_stands_still_while_the_bot_is_away(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.pass_time(50)
    await club.restart(down_seconds=3600)
    view = await club.look()
    assert view.waiting == (club.player("bob"),)
    assert view.turn_until is not None
    assert 5_000 < view.turn_until - club.world.now_ms() <= 20_000
    await club.pass_time(25)
    view = await club.look()
    assert view.waiting == (club.player("alice"),)


async def test_the_pause_between_hands_and_a_lobby_wait_too(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.slash("hanako", "ofc play")
    await club.type_hand()
    await club.restart(down_seconds=7200)
    assert (await club.look(1)).table.state.value == "between"
    await club.pass_time(23)
    assert (await club.look(1)).table.hand_no == 2
    assert (await club.look(2)).table.state.value == "lobby"


async def test_an_open_panel_from_before_goes_on_after_a_press(club: Club) -> None:
    """The bot does not know it any more, so it is not refreshed; its next press brings it up to date."""
    await club.open_table("alice", "bob")
    panel = await club.open_panel("alice")
    await club.restart()
    await club.slash("bob", "place", cards="BBBBB")
    panel = await club.place("alice", panel, "BBBBB")
    panel = await club.tap("alice", panel, panel.find("confirm"))
    assert (await club.look()).waiting == (club.player("bob"),)


async def test_a_result_that_could_not_be_posted_is_posted_after_the_start(club: Club) -> None:
    await club.open_table("alice", "bob")
    for _ in range(9):
        await club.play_turn(await club.on_turn())
    club.forgiven.append("could not be drawn")
    for method in ("POST", "PATCH"):
        club.world.env.inject_error(method, "/channels/*", status=500, times=None)
    last = await club.on_turn()
    await club.type(last, plain_letters(await club.look(1, last)))
    title = club.words()("result.heading", hand=1, table=1)
    assert title not in club.said()
    club.backend.faults.clear()
    await club.restart()
    assert club.said().count(title) == 1
    await club.pass_time(40)
    assert club.said().count(title) == 1


async def test_what_could_not_be_drawn_is_tried_again_without_a_restart(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob")
    club.forgiven.append("could not be drawn")
    club.world.env.inject_error("PATCH", "/channels/*", status=500, times=None)
    await club.slash("bob", "place", cards="BBBBB")
    table = (await club.look()).table
    assert table.drawn_version < table.version
    club.backend.faults.clear()
    await club.pass_time(31)
    table = (await club.look()).table
    assert table.drawn_version == table.version
    assert [club.members["alice"].id] == club.calls()[0].message.ping_user_ids


async def test_commands_and_card_faces_are_brought_once_for_all_starts(tmp_path: Path) -> None:
    async with open_club(tmp_path, first_start=True) as club:
        assert club.requests("PUT", "/commands") == 1
        assert club.requests("POST", "/emojis") == 82
        await club.restart()
        assert club.requests("PUT", "/commands") == 1
        assert club.requests("POST", "/emojis") == 82


async def _locked(club: Club) -> str:
    """The message that the table's message links to, which has the fingerprint of its decks whole."""
    table = (await club.look()).table
    (root,) = [one for one in club.public() if str(one.id) == str(table.root_message)]
    assert fingerprint(table.commitment) in root.text
    assert f"/{root.id})" in club.table_screen().text
    return root.text


async def test_after_a_restore_the_table_says_so_and_deals_on(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.open_panel("bob")
    words = club.words()
    before = await _locked(club)
    # like after `restore`
    await club.databases[-1].write(lambda sql: sql.execute(f"PRAGMA application_id = {COPY_ID}"))
    await club.restart()
    await club.pass_time(1)
    assert words("result.heading", hand=1, table=1) in club.said()
    assert words("closed.restored") in club.said()
    view = await club.look()
    assert (view.table.state.value, view.table.hand_no, view.hand) == ("between", 2, None)
    assert await _locked(club) != before
    late = await club.tap("bob", panel, panel.find("row", "B"))
    assert late.text == club.words("bob")("gate.too_late")
    await club.pass_time(13)
    assert (await club.look()).table.hand_no == 3
    await club.type_hand()
    assert words("result.heading", hand=3, table=1) in club.said()


async def test_the_database_stays_open_until_whoever_opened_it_closes_it(club: Club) -> None:
    with club.world.env.time_context():
        await club.bot.close()
    assert await club.count("table.joined") == 0
    await club.stop()
    with pytest.raises(StoreUnavailableError, match="is closed"):
        await club.count("table.joined")


async def test_a_picture_after_a_restart_names_people_who_have_not_pressed_anything_since(club: Club) -> None:
    await club.open_table("alice", "bob", "hanako")
    before = club.requests("GET", "/members/")
    await club.restart()
    while (await club.look()).waiting:
        if await club.on_turn() == "alice":
            await club.slash("alice", "place", cards=plain_letters(await club.look(1, "alice")))
        else:
            await club.pass_time(61)
    (result,) = [one for one in club.public() if club.words()("result.heading", hand=1, table=1) in one.text]
    (described,) = [text for text in everything_in(result) if text.startswith("Boards of hand 1.")]
    assert "Player " not in described
    assert club.requests("GET", "/members/") - before == 3, "each of them once"
    names = club.bot.services.faces.names
    players = [club.player(name) for name in ("alice", "bob", "hanako")]
    called = [names.plain(GuildId(club.guild.id), player, club.words()) for player in players]
    assert all(name and name in described for name in called)
    assert names.to_ask(GuildId(club.guild.id), [*players, "computer-1"]) == []


def without_a_mention(screen: Screen) -> list[str]:
    """Return the parts of a screen in which Discord renders no mentions: buttons, menus and picture descriptions."""
    told = []
    for part in walk(screen.components):
        told += [str(part.get(name) or "") for name in ("label", "placeholder")]
        told += [str(text) for option in part.get("options") or [] for text in option.values() if isinstance(text, str)]
        told += [str(picture.get("description") or "") for picture in part.get("items") or []]
    return [text for text in told if text]


async def test_names_are_known_after_a_restart_wherever_a_mention_is_not_drawn(club: Club) -> None:
    """Alice opens screens before anyone else has pressed a button, with pictures and text-only."""
    await club.open_table("alice", "bob", "hanako")
    await club.type_hand()
    names = ("bob", "hanako")
    settings, playing = await settings_page(club, "alice"), await settings_page(club, "alice", "apart_list")
    for by_ear in (False, True):
        if by_ear:
            await club.tap("alice", settings, settings.find("wish_text"))
            await club.bot.services.matchmaking.refuse(club.key().guild, club.player("alice"), club.player("bob"))
        await club.restart()
        seats = await club.slash("alice", "ofc table", do="seats")
        history = await club.slash("alice", "ofc profile", show="hands")
        result = await club.slash("alice", "ofc result", table=1)
        replay = await club.tap("alice", result, result.find("replay"))
        apart = await club.tap("alice", playing, playing.find("apart_list"))
        screens = [seats, history, result, replay, apart, await club.slash("alice", "ofc leaderboard")]
        told = [text for screen in screens for text in without_a_mention(screen)]
        assert len(told) > 20
        assert not [text for text in told if "<@" in text or "Player " in text]
        assert any(all(name in text.casefold() for name in names) for text in without_a_mention(history)), names
        if by_ear:
            manage = [option["label"] for option in seats.find("seat_of")["options"]]
            assert [any(name in label.casefold() for label in manage) for name in names] == [True, True], manage
            assert any("bob" in label.casefold() for label in apart.labels()), apart.labels()


async def test_a_name_that_discord_could_not_tell_is_asked_for_again(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.type_hand()
    before = club.requests("GET", "/members/")
    fault = {"method": "GET", "path": "/guilds/*/members/*", "status": 500, "code": 0, "message": "", "times": 99}
    club.backend.faults.append(fault)
    await club.restart()
    await club.pass_time(60)
    asked = club.requests("GET", "/members/")
    assert asked > before
    club.backend.faults.clear()
    history = await club.slash("alice", "ofc profile", show="hands")
    assert club.requests("GET", "/members/") == asked + 1
    assert any("bob" in text.casefold() for text in without_a_mention(history))
