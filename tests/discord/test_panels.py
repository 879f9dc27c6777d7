"""Open panels: updated automatically, with the street's draft, and one per table."""

from tests.discord.club import Club, Screen, plain_letters
from tests.in_turn import in_turn


def draft_of(panel: Screen) -> str:
    """The half-made placement that the panel carries."""
    return str(panel.controls()[0]["custom_id"].split(":")[5])


async def test_an_open_panel_can_be_confirmed_when_the_turn_comes_and_keeps_its_draft(club: Club) -> None:
    words = club.words()
    await club.open_table("alice", "bob")
    panel = await club.place("alice", await club.open_panel("alice"), "BBBMM")
    assert words("panel.ready_waiting") in panel.text
    assert not panel.has("confirm")
    draft = draft_of(panel)
    await club.slash("bob", "place", cards="BBBBB")
    assert words("panel.ready") in panel.text
    assert draft_of(panel) == draft
    placed = await club.tap("alice", panel, panel.find("confirm"))
    assert placed == panel
    assert (await club.look()).waiting == (club.player("bob"),)


@in_turn("name", "bob", "hanako")
async def test_who_joins_sees_the_cards_in_the_answer_once_they_are_dealt(club: Club, name: str) -> None:
    await club.slash("alice", "ofc play")
    joined = await club.tap(name, club.table_screen(), club.table_screen().find("join"))
    assert not joined.has("card")
    await club.click("alice", club.table_screen(), "Start")
    await club.settle()
    (joined,) = club.private(name)  # The panel has moved below the table without another press or message.
    assert joined.id > club.table_screen().id
    assert [c["custom_id"].split(":")[1] for c in joined.controls()].count("card") == 5
    await club.place(name, joined, plain_letters(await club.look(1, name)))
    await club.tap(name, joined, joined.find("confirm"))
    assert (await club.look()).waiting == (club.player("alice"),)


async def test_an_open_panel_shows_the_next_street_when_it_is_dealt(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.place_cards("bob", "BBBBB")
    assert not panel.has("card")
    await club.slash("alice", "place", cards="BBBBB")
    assert [c["custom_id"].split(":")[1] for c in panel.controls()].count("card") == 3
    assert draft_of(panel) == ""


async def test_a_draft_of_the_street_before_is_dropped(club: Club) -> None:
    await club.open_table("alice", "bob", clock="30s")
    panel = await club.place("bob", await club.open_panel("bob"), "BB")
    await club.pass_time(31)
    await club.slash("alice", "place", cards="BBBBB")
    assert draft_of(panel) == ""
    assert [c["custom_id"].split(":")[1] for c in panel.controls()].count("card") == 3


async def test_an_open_panel_is_there_for_the_next_hand(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.open_panel("alice")
    while (await club.look()).waiting:
        await club.type_turn(await club.on_turn())
    panel = club.private("alice")[-1]
    assert club.words()("table.next_hand", when="@").split("@")[0] in panel.text
    await club.pass_time(13)
    panel = club.private("alice")[-1]
    assert club.words()("table.hand", hand=2) in panel.text
    assert [c["custom_id"].split(":")[1] for c in panel.controls()].count("card") == 5


def panels_of(club: Club, name: str) -> list[Screen]:
    """Return a member's private messages that show a hand."""
    return [screen for screen in club.private(name) if screen.has("card") or screen.has("panel")]


async def test_a_panel_moves_below_the_table_with_every_hand_and_there_is_one(club: Club) -> None:
    await club.open_table("alice", "bob")
    first = await club.open_panel("alice")
    for hand in (2, 3):
        await club.type_hand()
        await club.pass_time(15)
        (panel,) = panels_of(club, "alice")
        assert club.words()("table.hand", hand=hand) in panel.text
        assert panel.id > club.table_screen().id, "it stands below the table"
    assert first.gone
    await club.tap("alice", panel, panel.find("row", "B"))
    assert panels_of(club, "alice") == [panel]
    assert draft_of(panel) == "0B"


async def test_a_panel_that_has_moved_follows_the_game_and_is_confirmed(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.open_panel("alice")
    await club.type_hand()
    await club.pass_time(15)
    (panel,) = panels_of(club, "alice")
    while await club.on_turn() != "alice":
        await club.type_turn("bob")
    panel = await club.place_in("alice", panel, await club.look(1, "alice"))
    assert not panel.has("confirm")
    assert panels_of(club, "alice") == [panel]


async def test_a_panel_in_another_channel_stays_where_it_is(club: Club) -> None:
    await club.open_table("alice", "bob")
    there = club.thread("aside")
    panel = await there.slash("bob", "hand", table=1)
    while (await club.look()).waiting:
        if await club.on_turn() == "bob":
            await there.place_in("bob", panel, await club.look(1, "bob"))
        else:
            await club.type_turn("alice")
    await club.pass_time(15)
    assert not panel.gone
    assert club.words()("table.hand", hand=2) in panel.text


async def test_a_panel_that_was_left_alone_for_a_quarter_of_an_hour_does_not_move(club: Club) -> None:
    await club.open_table("alice", "bob", clock="relaxed 30m")
    panel = await club.open_panel("alice")
    await club.pass_hours(15 * 60)
    await club.type_hand()
    await club.pass_time(15)
    assert not panel.gone
    assert club.words()("table.hand", hand=1) in panel.text


async def test_a_new_panel_of_the_same_table_takes_the_place_of_the_old_one(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.open_table("bob", "alice")
    first = await club.open_panel("bob", 1)
    other = await club.open_panel("bob", 2)
    second = await club.open_panel("bob", 1)
    assert first.gone
    assert not other.gone
    third = await club.slash("bob", "hand", table=1)
    assert second.gone
    assert not third.gone


async def test_a_panel_left_alone_for_a_quarter_of_an_hour_is_brought_up_to_date_by_its_next_press(club: Club) -> None:
    """Discord lets the bot edit a private message only that long after its last press."""
    await club.open_table("alice", "bob", "hanako", clock="5m")
    panel = await club.open_panel("alice")
    for name in ("bob", "hanako"):
        await club.pass_time(290)
        await club.type_turn(name)
    assert panel.find("row")["custom_id"].split(":")[4] == "1"
    await club.pass_time(301)  # Alice's time runs out.
    assert panel.find("row")["custom_id"].split(":")[4] == "1"
    await club.tap("alice", panel, panel.find("row"))
    assert panel.find("row")["custom_id"].split(":")[4] == "2"
    assert draft_of(panel) == ""


async def test_each_player_has_a_panel_in_his_own_language(club: Club) -> None:
    await club.open_table("alice", "hanako")
    await club.open_panel("hanako")
    await club.open_panel("alice")
    await club.slash("hanako", "place", cards="BBBBB")
    await club.slash("alice", "place", cards="BBBBB")
    for name in ("alice", "hanako"):
        panel = club.private(name)[-1]
        assert club.words(name)("table.hand", hand=1) in panel.text
        label = "button.confirm" if name == await club.on_turn() else "board.confirm_ahead"
        assert club.words(name)(label) in panel.labels()


@in_turn("name", "bob", "hanako")
async def test_a_tap_on_a_panel_of_old_does_not_replace_the_newer_draft_of_another(club: Club, name: str) -> None:
    words = club.words(name)
    await club.open_table("alice", name, clock="correspondence 1d")
    if await club.on_turn() == "alice":
        await club.play_turn("alice")
    old = await club.place(name, await club.open_panel(name), "B")
    row = old.find("row", "M")
    await club.pass_time(16 * 60)  # it can't be edited any more
    newer = await club.slash(name, "hand")
    assert newer.id != old.id
    newer = await club.place(name, newer, "BBFF")
    kept, wanted = (await club.drafts())[name], draft_of(newer)
    assert kept[0].startswith("BB")
    shown = await club.tap(name, old, row)
    assert words("panel.moved_elsewhere") in shown.text
    assert draft_of(shown) == wanted
    assert (await club.drafts())[name] == kept
    # From then on it is the one that is used.
    moved = await club.tap(name, shown, shown.find("row", "M"))
    assert draft_of(moved) != wanted
