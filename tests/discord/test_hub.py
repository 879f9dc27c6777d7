"""Entry points: /help, the screens behind its buttons, and offers to newcomers elsewhere."""

from __future__ import annotations

import pytest

from tests.discord.club import Club, Screen
from tests.discord.forge import forge
from tests.discord.test_powers import silence
from tests.in_turn import in_turn


@in_turn("name", "bob", "hanako")
async def test_everything_opens_from_one_private_screen(club: Club, name: str) -> None:
    words, hub = club.words(name), await club.slash(name, "ofc help")
    assert len(hub.controls()) == 11
    assert hub.text.startswith(f"### {words('hub.title')}")
    titles = {
        "play": words("new_table.title"),
        "lesson": words("tutorial.rows.text"),
        "puzzle": words("puzzle.ask"),
        "games": words("games.title"),
        "ranks": words("leaderboard.title", by=words("leaderboard.by.chips")),
        "events": words("event.list.title"),
        "settings": words("settings.title"),
        "profile": words("profile.title", player="@").split("@")[0],
    }
    for verb, title in titles.items():
        shown = await club.tap(name, hub, hub.find(verb))
        assert title in shown.text, verb
        assert shown.id != hub.id, "the menu stays, the answer is one of its own"
        assert shown.message.is_ephemeral
    assert club.public() == []


@in_turn("name", "bob", "hanako")
async def test_what_the_menu_had_before_is_one_press_further(club: Club, name: str) -> None:
    words, hub = club.words(name), await club.slash(name, "ofc help")
    lesson = await club.tap(name, hub, hub.find("lesson"))
    assert words("variant.pineapple.name") in (await club.tap(name, lesson, lesson.find("rulebook"))).text
    further = {
        ("profile", "pf_part"): {"chips": words("chips.wallet", chips="10,000"), "hands": words("history.title")},
        ("ranks", "lb_by"): {"records": words("records.title")},
    }
    for (verb, menu), ways in further.items():
        first = await club.tap(name, hub, hub.find(verb))
        for way, title in ways.items():
            assert title in (await club.choose(name, first, first.find(menu), [way])).text, way


@in_turn("name", "bob", "hanako")
async def test_help_about_a_topic_by_any_part_of_its_name_in_either_language(club: Club, name: str) -> None:
    words = club.words(name)
    told = {
        "how to": words("how_to_play.title"),
        "遊び方": words("how_to_play.title"),
        "スクリーン": words("aloud.reader.title"),
        "my data": words("privacy.title"),
        "2-7": words("variant.two_seven.name"),
        words("variant.turbo.name"): words("variant.turbo.name"),
        words("hub.button.settings"): words("settings.title"),
    }
    for typed, title in told.items():
        assert title in (await club.slash(name, "ofc help", about=typed)).text, typed
    wrong = await club.slash(name, "ofc help", about="chess")
    assert "chess" in wrong.text
    assert words("hub.topic.by_ear") in wrong.text, "it's told what there is"
    offered = await club.members[name].autocomplete(club.channel, "ofc help", "about", "")
    assert next(choice["value"] for choice in offered) == words("ways.button.how_to_play")
    assert len(offered) == 25


@in_turn("name", "bob", "hanako")
async def test_practice_is_one_press_away_and_a_table_two(club: Club, name: str) -> None:
    hub = await club.slash(name, "ofc help")
    panel = await club.tap(name, hub, hub.find("practise"))
    assert panel.has("row", "F")
    form = await club.tap(name, hub, hub.find("play"))
    opened = await club.tap(name, form, form.find("new_open"))
    game = club.words(name)("variant.pineapple.name")
    assert opened.text.split("\n")[0] == club.words(name)("lobby.opened", table=2, game=game)
    assert [table.terms.practice for table in await club.play.open_tables(club.key().guild)] == [True, False]
    assert hub.has("practise"), "the menu stays"


@in_turn("name", "bob", "hanako")
async def test_where_one_may_not_write_no_table_is_opened_and_one_practises_in_private(club: Club, name: str) -> None:
    silence(club, name, "send_messages")
    hub = await club.slash(name, "ofc help")
    assert (await club.tap(name, hub, hub.find("play"))).text == club.words(name)("refused.may_not_write")
    assert await club.play.open_tables(club.key().guild) == []
    assert (await club.tap(name, hub, hub.find("practise"))).has("row", "F")
    assert [table.private for table in await club.play.open_tables(club.key().guild)] == [True]
    assert club.public() == []


@pytest.mark.parametrize("name", ["bob", "hanako"])
async def test_how_to_play_fits_one_screen_and_leads_to_practice_and_the_rules(club: Club, name: str) -> None:
    await club.slash("alice", "ofc play")
    details = await club.details(name)
    page = await club.tap(name, details, details.find("howto"))
    assert len(page.text) < 1000
    rules = await club.tap(name, page, page.find("rulebook"))
    assert club.words(name)("variant.pineapple.name") in rules.text
    assert page.has("practise")


@in_turn("name", "bob", "hanako")
async def test_the_rules_are_one_tap_away_from_the_guided_hand_which_stays(club: Club, name: str) -> None:
    hub = await club.slash(name, "ofc help")
    lesson = await club.tap(name, hub, hub.find("lesson"))
    rules = await club.tap(name, lesson, lesson.find("rulebook"))
    assert club.words(name)("variant.pineapple.name") in rules.text
    assert lesson.has("learn", "show")
    # One name wherever it is met; the game on one screen has another.
    words = club.words(name)
    guided, how = words("ways.button.guided_hand"), words("ways.button.how_to_play")
    assert hub.find("lesson")["label"] == guided
    assert f"**{guided}**" in hub.text
    assert lesson.text.startswith(f"### {guided}")
    assert words("how_to_play.title").startswith(how)


async def test_those_who_manage_the_server_set_it_up_from_the_menu_and_nobody_else(club: Club) -> None:
    hub = await club.slash("alice", "ofc help")
    assert len(hub.controls()) == 12
    page = await club.tap("alice", hub, hub.find("manage"))
    assert club.words("alice")("setup.title") in page.text
    assert page.id != hub.id
    assert all(len(row) <= 4 for row in rows_of_verbs(hub))
    others = await club.slash("bob", "ofc help")
    assert not others.has("manage")
    await forge(club, "bob", others, hub.find("manage")["custom_id"])
    assert club.private("bob")[-1].text == club.words("bob")("gate.needs_manage_server")


# The lobby


def rows_of_verbs(screen: Screen) -> list[list[str]]:
    """Return the verbs of the buttons in each row."""
    rows = [part for part in screen.components[0]["components"] if part["type"] == 1]
    return [[button["custom_id"].split(":")[1] for button in row["components"]] for row in rows]


async def test_the_lobby_says_what_is_played_and_keeps_cancelling_out_of_the_way(club: Club) -> None:
    await club.slash("alice", "ofc play")
    lobby = club.table_screen()
    assert rows_of_verbs(lobby) == [["join", "start", "invite", "seats"]]
    seats = await club.tap("alice", lobby, lobby.find("seats"))
    assert club.words("alice")("variant.pineapple.summary") in seats.text
    assert "4×3" not in seats.text
    assert seats.find("seat", "cancel")["style"] == 2, "grey"
    assert not (await club.tap("bob", lobby, lobby.find("seats"))).has("seat", "cancel")
    for name in ("bob", "hanako"):
        details = await club.details(name)
        help_page = await club.tap(name, details, details.find("howto"))
        assert club.words(name)("how_to_play.title") in help_page.text


async def test_computers_are_offered_where_they_may_play_and_the_others_are_told_where(club: Club) -> None:
    await club.slash("alice", "ofc play", stakes=0)
    details = await club.details("alice")
    for level in ("casual", "master"):
        assert club.table_screen().has("start") is (level == "master"), "the second seat is taken"
        details = await club.choose("alice", details, details.find("add_computer"), [level])
    shown = club.table_screen()
    assert club.words()("name.computer_4") in shown.text
    assert club.words()("name.computer_7") in shown.text
    assert not details.has("add_computer"), "every seat is taken"
    assert not shown.has("join")
    await club.slash("bob", "ofc play")
    assert not club.table_screen(2).has("add_computer")


async def test_a_games_own_rules_open_from_its_lobby(club: Club) -> None:
    await club.slash("alice", "ofc play", game="classic")
    details = await club.details("hanako")
    rules = await club.tap("hanako", details, details.find("rulebook"))
    assert club.words("hanako")("variant.classic.name") in rules.text
