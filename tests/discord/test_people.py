"""People with names that can't be seen, that run right to left or that others have too, at tables and in events."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest

from bot.chat.table.screens.panel import Panel, nothing_to_place
from bot.text.catalogue import TEXTS
from bot.text.words import words_for
from tests.discord.club import Club, Screen
from tests.discord.test_event_desk import announced, guests_of, open_desk

INVISIBLE, HEBREW = "\u3164", "שרה"
ISOLATED = re.compile("\u2068[^\u2068\u2069]*\u2069")


def call(club: Club, name: str, display_name: str) -> None:
    """Change a member's display name in the server."""
    club.backend.edit_member(club.guild.id, club.members[name].id, {"nick": display_name})


def result_of(club: Club, hand: int = 1) -> Screen:
    """The message with a hand's result."""
    (found,) = [one for one in club.public() if club.words()("result.heading", hand=hand, table=1) in one.text]
    return found


def right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)


async def test_names_are_seen_and_isolated_in_all_that_a_table_shows(club: Club) -> None:
    call(club, "alice", HEBREW)
    call(club, "bob", INVISIBLE)
    await club.open_table("alice", "bob")
    texts = [club.table_screen().text]
    await club.type_hand()
    texts += [result_of(club).text, json.dumps(result_of(club).components, ensure_ascii=False)]
    for text in texts:
        assert HEBREW in text
        assert not right_to_left(ISOLATED.sub("", text))
        assert INVISIBLE not in text
        assert "****" not in text
    assert f"**\u2068{HEBREW}\u2069** **" in texts[1]
    assert "**bob** " in texts[1]
    assert "alice" in texts[2], "her name has no letters that the picture can draw"


async def test_namesakes_at_a_table_are_told_apart_in_the_result_and_its_description(club: Club) -> None:
    for name in ("alice", "bob"):
        call(club, name, "Ayabe")
    await club.open_table("alice", "bob", "hanako")
    await club.type_hand()
    shown = result_of(club)
    lines = [line for line in shown.text.split("\n") if "Ayabe" in line]
    assert any(line.startswith("**Ayabe** (alice) ") for line in lines)
    assert any(line.startswith("**Ayabe** (bob) ") for line in lines)
    assert not [line for line in lines if re.search(r"Ayabe\*\*(?! \((?:alice|bob)\))", line)]
    told = json.dumps(shown.components, ensure_ascii=False)
    assert "alice (Ayabe)" in told
    assert "bob (Ayabe)" in told


async def test_namesakes_are_told_apart_on_an_organisers_desk(club: Club) -> None:
    key = await announced(club, "bob")
    people = await guests_of(club, key, 3)
    for one in people:
        call(club, one, "Ayabe")
        await club.slash(one, "event", do="show")
    desk = await open_desk(club, "bob")
    *options, finds = desk.find("ev_d_person")["options"]
    assert finds["label"] == club.words("bob")("event_desk.anyone")
    assert [option["label"] for option in options] == ["Ayabe"] * 3
    assert sorted(option["description"].split(" · ")[0] for option in options) == sorted(people)
    chosen = await club.choose("bob", desk, desk.find("ev_d_person"), [str(club.members[people[1]].id)])
    assert f"<@{club.members[people[1]].id}> ({people[1]})" in chosen.text
    mentions = re.findall(r"<@\d+> \((guest\d)\)", (await club.slash("bob", "event", do="show")).text)
    assert sorted(mentions) == sorted(people)


async def test_a_member_who_has_left_keeps_their_own_name(club: Club) -> None:
    key = await announced(club, "bob")
    (guest,) = await guests_of(club, key, 1)
    club.guild.remove_member(club.members[guest])
    await club.restart()
    desk = await open_desk(club, "bob")
    option, _ = desk.find("ev_d_person")["options"]
    assert option["label"] == guest


PUBLIC = {
    "button.join",
    "button.start",
    "button.my_hand",
    "closing.again",
    "event.button.register",
    "event.button.withdraw",
    "event.button.check_in",
}
"""Labels that occur only on public messages."""
OWN_BUTTON = {
    "panel.not_seated",
    "event.check_in_open",
    "event.check_in_open_blind",
    "event.waiting.may_stand_by",
    "event.waiting.may_stand_by_paid",
}
"""Private sentences whose message has that button itself."""
READ_BY_ALL = ("club.", "welcome.", "root.", "closing.", "table.", "event_notice.")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_private_sentence_has_the_label_of_a_public_button_in_its_readers_language(language: str) -> None:
    words = words_for(language)
    labels = [f"**{words(key)}**" for key in PUBLIC]
    found = {
        key
        for key, entry in words.entries.items()
        for sentence in (entry.other, *entry.forms.values())
        if any(label in sentence for label in labels)
    }
    assert (TEXTS / language).is_dir()
    assert found & OWN_BUTTON, "such sentences are found"
    assert [key for key in sorted(found) if not key.startswith(READ_BY_ALL) and key not in OWN_BUTTON] == []


async def test_private_sentences_name_public_buttons_as_everybody_sees_them(club: Club) -> None:
    await club.slash("alice", "ofc play")
    start = words_for("en")("button.start")
    assert start in club.table_screen().labels()
    words, faces = words_for("ja"), club.bot.services.faces
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    answer = await club.tap("hanako", club.table_screen(), club.table_screen().find("join"))
    assert words("lobby.joined_ready", table=1, start=start) in answer.text
    assert f"**{start}**" in answer.text
    host = nothing_to_place(Panel(view=await club.look(1, "alice")), words, faces)
    assert host == words("lobby.may_start", table=1, start=start)
