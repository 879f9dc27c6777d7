"""Display of people's names: visible, isolated from the surrounding text, and distinct from namesakes."""

from __future__ import annotations

import re
import unicodedata

import pytest

from bot.chat.art.felt import drawable
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.chat.kit.mentions import with_user_names, without_user_names
from bot.chat.kit.picture_names import picture_names
from bot.chat.kit.text_only import WORDS_ALONE, spoken
from bot.chat.kit.widgets import BLOCK, screen
from bot.model.ids import GuildId
from bot.text.words import words_for
from bot.web.plain import plain
from tests.text.names_to_try import INVISIBLE, MARKED, RIGHT_TO_LEFT, SHOWN

EN = words_for("en")
GUILD = GuildId(1)
ANN, BOB, CLEO = "101", "102", "103"
ISOLATED = re.compile("\u2068[^\u2068\u2069]*\u2069")
HIDDEN = "\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\ufffc\U00013441\U00013442\U0001d159"


def seen(text: str) -> str:
    """Return the visible part of a text, without invisible characters and marks without a letter."""
    return "".join(one for one in text if unicodedata.category(one)[0] in "LNPS" and one not in HIDDEN)


def shown_as(name: str) -> tuple[str, str, str]:
    """The name in a message, in a menu and on a picture."""
    names = DisplayNames()
    names.saw(GUILD, ANN, name, username="ann_a")
    return names.of(GUILD, ANN, EN), names.plain(GUILD, ANN, EN), picture_names(names, GUILD, [ANN], EN)[ANN]


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def test_the_names_to_try_are_many_and_different() -> None:
    assert len(set(INVISIBLE)) > 50
    assert len(set(SHOWN)) > 150
    assert [name for name in INVISIBLE if seen(name)] == []


@pytest.mark.parametrize("name", INVISIBLE, ids=ascii)
def test_a_name_that_shows_nothing_is_the_user_name(name: str) -> None:
    assert shown_as(name) == ("**ann\\_a**", "ann_a", "ann_a")


@pytest.mark.parametrize("name", SHOWN, ids=ascii)
def test_a_name_is_seen_everywhere_and_moves_nothing_around_it(name: str) -> None:
    message, menu, picture = shown_as(name)
    assert seen(re.sub(r"^(\u2068?)\*\*|\*\*(?= \(|$)", "", message))
    for text in (message, menu, picture):
        assert seen(text)
        assert len(text.splitlines()) == 1
        outside = ISOLATED.sub("", text)
        assert not {unicodedata.bidirectional(one) for one in outside} & {"R", "AL", "AN"}
        assert not {unicodedata.bidirectional(one) for one in text} & {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI"}
        marks = [len(run) for run in re.findall(r"[^\W\d_]*", "".join("x" if is_mark(one) else " " for one in text))]
        assert max(marks, default=0) <= 3
    assert message.replace("\u2068", "").startswith("**")
    assert "@everyone" not in message
    assert "<@" not in re.sub(r"\\.", "", message)
    assert len(menu) <= 100


def is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me")


@pytest.mark.parametrize("name", SHOWN, ids=ascii)
def test_a_name_is_still_seen_on_the_page_and_in_words_alone(name: str) -> None:
    message, menu, _ = shown_as(name)
    page = plain(f"{message}: +9", str)
    heard = spoken(f"{message}: +9", EN, WORDS_ALONE)
    assert page.endswith(": +9")
    assert seen(page.removesuffix(": +9"))
    assert seen(re.sub(r"(?<!\\)\*", "", heard.removesuffix(": +9")))
    assert "****" not in heard
    if re.fullmatch(r"[\w\\*`#>_-]+", name):
        assert page == f"{menu}: +9"


@pytest.mark.parametrize("name", RIGHT_TO_LEFT, ids=ascii)
def test_right_to_left_names_are_isolated_also_as_mentions_and_those_of_events(name: str) -> None:
    names = DisplayNames()
    names.saw(GUILD, ANN, name, username="ann")
    if not {unicodedata.bidirectional(one) for one in name} & {"R", "AL", "AN"}:
        assert names.mention(GUILD, ANN, EN) == f"<@{ANN}>", "only its controls were right to left"
        return
    assert names.mention(GUILD, ANN, EN).startswith(f"\u2068<@{ANN}>\u2069")
    assert names.of(GUILD, ANN, EN).startswith("**\u2068")
    assert names.plain(GUILD, ANN, EN).startswith("\u2068")


def test_a_stack_of_marks_is_cut() -> None:
    for name in MARKED:
        message, _, _ = shown_as(name)
        assert not re.search("[\u0300-\u036f\u0483-\u0489]{4}", message)
    assert unescaped(shown_as("Z" + "\u0301" * 30)[0]) == "**Z\u0301\u0301\u0301**"
    assert shown_as("Việt")[1] == "Việt"


ALIKE = [
    ("Ayabe", "Ayabe"),
    ("Ayabe", "ayabe "),
    ("Ayabe", "Ａｙａｂｅ"),
    ("Ayabe", "A\u200byabe"),
    ("Ayabe", "𝓐𝔂𝓪𝓫𝓮"),
    ("Ayabe", "Аyаbе"),
    ("Alice", "AIice"),
    ("綾部", "綾部\ufe00"),
    ("ann_a", "\u3164"),
    ("שרה", "\u202bשרה\u202c"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE, ids=ascii)
def test_people_whose_names_read_the_same_have_their_user_names_with_them(one: str, other: str) -> None:
    names = DisplayNames()
    names.saw(GUILD, BOB, one, username="bob_b")
    alone = names.plain(GUILD, BOB, EN)
    names.saw(GUILD, ANN, other, username="ann_a")
    names.saw(GUILD, CLEO, "Cleo", username="cleo")
    names.saw(GuildId(2), "104", one, username="elsewhere")
    assert "bob_b" not in alone
    bob, ann = names.plain(GUILD, BOB, EN), names.plain(GUILD, ANN, EN)
    assert bob == f"{alone} (bob_b)"
    assert "ann_a" in ann
    assert names.of(GUILD, BOB, EN).endswith("** (bob\\_b)")
    assert names.mention(GUILD, BOB, EN).endswith(" (bob\\_b)")
    assert names.option(GUILD, BOB, EN) == (alone, "bob_b")
    drawn = picture_names(names, GUILD, [BOB, ANN, CLEO], EN)
    assert len({one.casefold() for one in drawn.values()}) == 3
    assert names.plain(GUILD, CLEO, EN) == "Cleo"
    names.saw(GUILD, ANN, "Somebody else", username="ann_a")
    assert names.plain(GUILD, BOB, EN) == alone, "they were told apart only while they had to be"


def test_a_user_name_in_a_display_name_deceives_nobody() -> None:
    names = DisplayNames()
    for player, name, username in ((ANN, "Ann", "ann"), (BOB, "Ann (ann)", "bob"), (CLEO, "ann", "cleo")):
        names.saw(GUILD, player, name, username=username)
    shown = [names.plain(GUILD, player, EN) for player in (ANN, BOB, CLEO)]
    assert shown == ["Ann (ann)", "Ann (ann) (bob)", "ann (cleo)"]


def test_nobody_passes_for_a_computer_player() -> None:
    names = DisplayNames()
    names.saw(GUILD, ANN, EN("name.computer_1"), username="ann")
    assert names.plain(GUILD, ANN, EN) == f"{EN('name.computer_1')} (ann)"
    assert names.plain(GUILD, "computer-1", EN) == EN("name.computer_1")


def test_names_that_look_the_same_once_they_are_drawn_begin_with_the_user_name() -> None:
    names = DisplayNames()
    for player, name, username in ((ANN, "Bob🔥", "ann"), (BOB, "Bob", "bob_b"), (CLEO, "שרה", "cleo")):
        names.saw(GUILD, player, name, username=username)
    drawn = picture_names(names, GUILD, [ANN, BOB, CLEO], EN)
    assert drawn == {ANN: "ann (Bob)", BOB: "bob_b (Bob)", CLEO: "cleo"}
    for player, name, username in ((ANN, "W" * 31 + "A", "ann"), (BOB, "W" * 31 + "B", "bob_b")):
        names.saw(GUILD, player, name, username=username)
    drawn = picture_names(names, GUILD, [ANN, BOB], EN)
    assert [drawable(drawn[player])[:5] for player in (ANN, BOB)] == ["ann (", "bob_b"]


def test_mentions_of_namesakes_have_their_user_names_where_there_is_room() -> None:
    names = DisplayNames()
    for player, name, username in ((ANN, "Ayabe", "ann"), (BOB, "ayabe", "bob"), (CLEO, "\u3164", "cleo")):
        names.saw(GUILD, player, name, username=username)
    text = f"1. <@{ANN}> 2. <@{BOB}> 3. <@{CLEO}> 4. <@999>"
    told = screen(text, f"{BLOCK}\n<@{ANN}>\n{BLOCK}", colour=0)
    once = with_user_names(told, names, GUILD, EN)
    content = [part["content"] for part in once.walk() if "content" in part]
    assert content[0] == f"1. <@{ANN}> (ann) 2. <@{BOB}> (bob) 3. <@{CLEO}> (cleo) 4. <@999>"
    assert content[1] == f"{BLOCK}\n<@{ANN}>\n{BLOCK}", "what was typed stays as it was typed"
    assert with_user_names(once, names, GUILD, EN).parts == once.parts
    assert without_user_names(content[0]) == text
    full = screen(text + "x" * (MAX_TEXT_LENGTH - len(text) - 1), colour=0)
    assert text_length(full) == MAX_TEXT_LENGTH
    assert with_user_names(full, names, GUILD, EN) is full
