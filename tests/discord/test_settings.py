"""Players' settings for private messages: immediate, also in open panels, and without effect on others."""

import re
from dataclasses import replace

import pytest

from bot.chat.application_assets import emoji_name
from bot.model.choices import BoardSize, DeckColours, MemberSettings
from tests.discord.club import Club, Screen, plain_letters
from tests.discord.forge import forge
from tests.discord.forms import settings_page
from tests.discord.test_family import deal_known, on_the_clock, seed_for

PEOPLE = ("bob", "hanako")
PICTURE = re.compile(r"\w+_(?:spades|hearts|diamonds|clubs)\b|empty_place")
"""In the name of every card that is a picture."""


async def member_settings(club: Club, name: str) -> MemberSettings:
    """Return a member's stored settings."""
    return await club.play.member_settings(club.key().guild, club.player(name))


async def confirm_at_once(club: Club, name: str) -> None:
    """Choose it behind the scenes."""
    await club.play.change_member_settings(
        club.key().guild, club.player(name), lambda before: replace(before, confirm_at_once=True)
    )


async def choose(club: Club, name: str, verb: str, value: str) -> Screen:
    """Choose in a menu of the settings."""
    settings = await settings_page(club, name, verb)
    return await club.choose(name, settings, settings.find(verb), [value])


async def press(club: Club, name: str, verb: str) -> Screen:
    """Press a switch of the settings."""
    settings = await settings_page(club, name, verb)
    return await club.tap(name, settings, settings.find(verb))


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_line_for_each_topic_says_what_holds_and_its_page_has_the_choices(club: Club, name: str) -> None:
    words = club.words(name)
    settings = await settings_page(club, name)
    for key in ("size.is_large", "confirm.is_off", "reminders.is_on", "profile.is_on"):
        assert words(f"settings.{key}") in settings.text
    assert settings.controls()[0]["custom_id"].startswith("c1:wish_text:"), "text only comes first"
    for verb in ("wish_language", "calls", "wish_cards", "wish_size", "wish_confirm", "reminders", "wish_profile"):
        page = await settings_page(club, name, verb)
        assert page.has(verb), verb
        assert words("settings.title") in (await club.tap(name, page, page.find("settings_back"))).text
    assert await member_settings(club, name) == MemberSettings()


PARTS = {
    "reading": "settings.reading.title",
    "pings and": "settings.pings.title",
    "休暇": "vacation.title",
    "vacation": "vacation.title",
    "自分のデータ": "settings.data.title",
}
"""The typed command, and the key of the page's title."""


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_topic_is_typed_in_any_language_and_by_a_part_of_its_name(club: Club, name: str) -> None:
    words = club.words(name)
    for typed, title in PARTS.items():
        shown = await club.slash(name, "ofc settings", topic=typed)
        assert words(title) in shown.text, typed
    unknown = await club.slash(name, "ofc settings", topic="klingon")
    assert words("settings.reading.title") in unknown.text
    offered = await club.members[name].autocomplete(club.channel, "ofc settings", "topic", "")
    assert [choice["value"] for choice in offered] == [
        words("settings.text.turn_on"),
        *(words(f"settings.{topic}.title") for topic in ("reading", "pings", "playing", "data")),
    ]


@pytest.mark.parametrize("name", PEOPLE)
async def test_what_is_said_of_pings_fits_what_was_chosen(club: Club, name: str) -> None:
    words = club.words(name)
    told = {
        "at_once": words("settings.calls.why.at_once", seconds=40, silence=20),
        "after_silence": words("settings.calls.why.after_silence", seconds=40),
        "never": words("settings.calls.why.never"),
    }
    for chosen in ("at_once", "after_silence", "never"):
        settings = await choose(club, name, "calls", chosen)
        assert [key for key, said in told.items() if said in settings.text] == [chosen]
    assert told["never"] not in (await press(club, name, "reminders")).text, "no ping is left"


# the language


async def test_a_language_that_was_chosen_overrides_that_of_discord_in_every_private_answer(club: Club) -> None:
    ja, en = club.words("hanako"), club.words("bob")
    answer = await choose(club, "bob", "wish_language", "ja")
    assert ja("settings.reading.title") in answer.text, "the screen itself follows at once"
    assert ja("games.none") in (await club.slash("bob", "ofc table", do="mine")).text
    assert ja("refused.not_at_table") in (await club.slash("bob", "hand")).text
    offered = await club.members["bob"].autocomplete(club.channel, "ofc help", "about", "パイナップル")
    assert offered
    back = await choose(club, "bob", "wish_language", "told")
    assert en("settings.reading.title") in back.text
    assert (await member_settings(club, "bob")).language is None


async def test_a_language_changes_nothing_that_others_read(club: Club) -> None:
    await choose(club, "bob", "wish_language", "ja")
    await club.open_table("bob", "alice")
    assert club.words()("table.hand", hand=1) in club.table_screen().text
    assert club.words("alice")("games.title") in (await club.slash("alice", "ofc table", do="mine")).text


async def test_a_choice_holds_after_a_restart_and_in_no_other_server(club: Club) -> None:
    other = club.elsewhere("Another club")
    await choose(club, "bob", "wish_language", "ja")
    await club.restart()
    assert club.words("hanako")("games.none") in (await club.slash("bob", "ofc table", do="mine")).text
    assert club.words("bob")("games.none") in (await other.slash("bob", "ofc table", do="mine")).text


# cards


async def test_two_colours_are_seen_at_once_in_an_open_panel_and_by_nobody_else(club: Club) -> None:
    await club.open_table("alice", "bob")
    mine, theirs = await club.open_panel("bob"), await club.open_panel("alice")
    answer = await choose(club, "bob", "wish_cards", "two_colours")
    assert await member_settings(club, "bob") == MemberSettings(deck=DeckColours.TWO, shown="t1")
    for face in ("As", "Kh", "Qd2", "Jc2"):
        assert f":{emoji_name(face)}:" in answer.text
    for screen, two in ((mine, True), (theirs, False), (club.table_screen(), False)):
        emojis = re.findall(r"[a-z]+_(red_|black_|)(?:diamonds|clubs)\b", str(screen.components))
        assert all(bool(mark) is two for mark in emojis)


async def test_text_only_shows_no_picture_in_a_panel(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.open_panel("bob")
    assert PICTURE.search(str(panel.components))
    await choose(club, "bob", "wish_cards", "text_only")
    assert not PICTURE.search(str(panel.components))
    assert "`" not in panel.text, "a screen reader says every sign"
    panel = await club.place("bob", panel, "BBMMF")
    assert not PICTURE.search(str(panel.components))
    await club.tap("bob", panel, panel.find("confirm"))
    assert PICTURE.search(str(club.table_screen().components)), "the public table follows nobody's choice"


async def test_text_only_reads_the_rules_without_a_picture(club: Club) -> None:
    with_picture = await club.slash("bob", "ofc help", about="rules")
    await choose(club, "bob", "wish_cards", "text_only")
    assert with_picture.message.attachments
    assert not (await club.slash("bob", "ofc help", about="rules")).message.attachments


async def test_text_only_keeps_the_deck_for_later(club: Club) -> None:
    await choose(club, "bob", "wish_cards", "two_colours")
    await choose(club, "bob", "wish_cards", "text_only")
    assert await member_settings(club, "bob") == MemberSettings(deck=DeckColours.TWO, text_only=True)
    await choose(club, "bob", "wish_cards", "four_colours")
    assert await member_settings(club, "bob") == MemberSettings()


async def test_a_compact_board_has_no_headings_and_fewer_lines(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.open_panel("bob")
    large = panel.text
    assert re.search("^# ", large, re.MULTILINE)
    answer = await press(club, "bob", "wish_size")
    assert club.words("bob")("settings.size.compact") in answer.text
    assert not re.search("^# ", panel.text, re.MULTILINE)
    assert panel.text.count("\n") < large.count("\n")
    await press(club, "bob", "wish_size")
    assert panel.text == large


async def test_a_draft_stays_when_the_look_changes(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BB")
    await choose(club, "bob", "wish_cards", "two_colours")
    assert panel.has("undo")


# confirm at once


async def test_the_last_card_confirms_for_those_who_wish_it(club: Club) -> None:
    words = club.words("bob")
    answer = await press(club, "bob", "wish_confirm")
    assert words("settings.confirm.on") in answer.text
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BBMM")
    assert (await club.look()).waiting == (club.player("bob"),)
    panel = await club.tap("bob", panel, panel.find("row", "F"))
    assert (await club.look()).waiting == (club.player("alice"),)
    assert not panel.has("confirm")
    await club.play_turn("alice")
    before = len(club.backend.interactions)
    await club.place("bob", await club.open_panel("bob"), "BMD")
    assert (await club.look()).waiting == (club.player("alice"),)
    assert len(club.backend.interactions) - before == 3, "My hand and two taps"


async def test_others_still_press_confirm(club: Club) -> None:
    await confirm_at_once(club, "alice")
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BBMMF")
    assert panel.has("confirm")
    assert (await club.look()).waiting == (club.player("bob"),)


async def test_a_sure_foul_still_asks(club: Club) -> None:
    club.seeds.append(seed_for(lambda seed: all(board.foul for board in on_the_clock(club, seed).boards)))
    await deal_known(club, ("alice", "bob"))
    await confirm_at_once(club, "bob")
    panel = await fouling(club)
    assert club.words("bob")("board.confirm_foul") in panel.labels()
    placed = await club.count("cards_laid")
    assert (await club.look()).waiting == (club.player("bob"),)
    await club.tap("bob", panel, panel.find("confirm"))
    assert await club.count("cards_laid") == placed + 1


async def fouling(club: Club) -> Screen:
    """Return Bob's panel after his last card has made a certain foul. Earlier streets confirm automatically."""
    while True:
        if (name := await club.on_turn()) != "bob":
            await club.type_turn(name)
            continue
        panel = await club.place("bob", await club.open_panel("bob"), plain_letters(await club.look(1, "bob")))
        if panel.has("confirm"):
            return panel


async def test_a_card_placed_ahead_of_the_turn_waits_for_confirm(club: Club) -> None:
    await confirm_at_once(club, "alice")
    await club.open_table("alice", "bob", game="classic")
    view = await club.look(1, "alice")
    assert view.waiting == (club.player("bob"),)
    panel = await club.place("alice", await club.open_panel("alice"), "BBMMF")
    assert (await club.look()).waiting == (club.player("bob"),)
    await club.type_turn("bob")
    assert (await club.look()).waiting == (club.player("alice"),)
    assert panel.has("confirm")


# refusals


@pytest.mark.parametrize("verb", ["wish_language", "wish_cards"])
@pytest.mark.parametrize("values", [[], ["klingon"], ["'; DROP TABLE member"]])
async def test_a_forged_choice_changes_nothing(club: Club, verb: str, values: list[str]) -> None:
    settings = await settings_page(club, "bob", verb)
    await forge(club, "bob", settings, settings.find(verb)["custom_id"], values=values)
    assert await member_settings(club, "bob") == MemberSettings()


async def test_a_forged_size_is_one_that_there_is(club: Club) -> None:
    settings = await settings_page(club, "bob", "wish_language")
    await forge(club, "bob", settings, "c1:wish_size:0:0:0:::huge")
    assert (await member_settings(club, "bob")).size is BoardSize.LARGE


async def test_what_cannot_be_written_is_refused_and_nothing_changes(club: Club) -> None:
    settings = await settings_page(club, "bob", "wish_language")
    club.troubles.append(13)
    await club.choose("bob", settings, settings.find("wish_language"), ["ja"])
    said = "\n".join(screen.text for screen in club.private("bob"))
    assert club.words("bob")("gate.storage_trouble") in said
    club.troubles.clear()
    club.forgiven.append("storage trouble")
    assert club.words("bob")("games.none") in (await club.slash("bob", "ofc table", do="mine")).text
