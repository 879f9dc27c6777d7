"""Played by ear: a reader gets nothing but texts and labels, in order, and each of them makes sense alone."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import replace

import pytest

from bot.model.choices import DeckColours, Wishes
from bot.model.tables import TableState
from bot.ofc.presets import PRESETS
from bot.text.words import Words, words_for
from bot.ui.aloud import spoken
from tests.discord.club import Club, Screen, everything_in, plain_letters
from tests.discord.messages import walk

READERS = ("bob", "hanako")
GAMES = ("pineapple", "two_seven", "chinese")
EVERY_GAME = tuple(key for key in PRESETS if key not in GAMES)
SPOKEN_SIGNS = frozenset("+=＝−×÷√～")
"""Signs that every screen reader has a short name for."""
TURN_WORDS = 60
RESULT_WORDS = 80


def unnamed(text: str) -> list[str]:
    """The signs in a text that stand for something to the eye alone; times and mentions are drawn by Discord."""
    plain = re.sub(r"<[@#t/][^>]*>", "", text)
    return [one for one in plain if one not in SPOKEN_SIGNS and (_is_sign(one) or one in "\ufe0e\ufe0f·")]


def _is_sign(one: str) -> bool:
    return unicodedata.category(one) in ("So", "Sm")


def faults(screen: Screen) -> list[str]:
    """What somebody who hears this screen would miss."""
    found = [f"unnamed {unnamed(text)} in {text!r}" for text in everything_in(screen) if unnamed(text)]
    labels = [label for label in screen.labels() if label]
    buttons = [control for control in screen.controls() if control["type"] == 2]
    found += [f"no label: {control['custom_id']}" for control in buttons if not control.get("label")]
    found += [f"two buttons are called {label!r}" for label, count in Counter(labels).items() if count > 1]
    found += [f"a picture in {text!r}" for text in everything_in(screen) if re.search(r"<a?:\w+:\d+>", text)]
    found += [f"a picture: {part}" for part in walk(screen.components) if part["type"] == 12]
    named = [str(part.get(name) or "") for part in walk(screen.components) for name in ("label", "placeholder")]
    named += [option["label"] for part in walk(screen.components) for option in part.get("options") or []]
    found += [f"markdown in {label!r}" for label in named if "**" in label or "`" in label]
    return found


def heard(screen: Screen) -> str:
    """All of a screen in order."""
    return " ".join(re.sub(r"<t:\d+:\w>", "in ten minutes", text) for text in everything_in(screen))


def told(screen: Screen) -> int:
    """The words of the texts of an English screen, without its buttons."""
    texts = [str(part["content"]) for part in walk(screen.components) if "content" in part]
    return len(re.findall(r"[\w'+−-]+", " ".join(re.sub(r"<t:\d+:\w>", "in ten minutes", text) for text in texts)))


async def by_ear(club: Club, *names: str) -> None:
    """These people turn it on where it stands in the settings."""
    for name in names:
        settings = await club.slash(name, "settings")
        await club.tap(name, settings, settings.find("wish_text"))


async def clean(screen: Screen) -> Screen:
    assert heard(screen), "something is heard"
    assert not faults(screen), faults(screen)
    return screen


def test_the_check_hears_what_eyes_alone_would_see() -> None:
    assert unnamed("⛔ foul") == ["⛔"]
    assert unnamed("front · A♠") == ["·", "♠"]
    assert not unnamed("front: ace of spades, −12")


@pytest.mark.parametrize("code", ["en", "ja"])
def test_cards_and_signs_are_said_in_words(code: str) -> None:
    words, wishes = words_for(code), Wishes(text_only=True, deck=DeckColours.WORDS)
    ace, ten = (
        words("aloud.card", rank=words(f"aloud.rank.{rank}"), suit=words(f"aloud.suit.{suit}"))
        for rank, suit in (("a", "spades"), ("10", "hearts"))
    )
    pause = words("aloud.pause")
    assert spoken("A♠\ufe0e 10♥\ufe0e 🃏", words, wishes) == pause.join([ace, ten, words("aloud.joker")])
    assert spoken("🌈 **Fantasyland** · 14", words, wishes) == f"**Fantasyland**{pause}14"
    assert spoken("💤", words, wishes) == words("aloud.sitting_out")
    squares = spoken("🟩🟩🟨🟥⛔", words, wishes)
    assert squares == pause.join(
        [
            words("aloud.same_row", count=2),
            *(words(f"aloud.{mark}", count=1) for mark in ("other_row", "thrown")),
            words("aloud.foul"),
        ]
    )
    assert spoken("A♠\ufe0e · x", words, Wishes()) == "A♠\ufe0e · x", "others read what they read"
    assert spoken("A♠\ufe0e", words, replace(wishes, deck=DeckColours.FOUR)) == "A♠", (
        "short ones, where these are chosen"
    )


@pytest.mark.parametrize("name", READERS)
async def test_it_is_offered_in_the_help_in_the_welcome_and_first_in_the_settings(club: Club, name: str) -> None:
    words = club.words(name)
    help_ = await club.slash(name, "help")
    offer = await club.tap(name, help_, help_.find("by_ear"))
    settings = await club.tap(name, offer, offer.find("wish_text"))
    wishes = await club.play.wishes(club.key().guild, club.player(name))
    assert (wishes.text_only, wishes.deck) == (True, DeckColours.WORDS)
    await clean(settings)
    first = settings.controls()[0]
    assert first["custom_id"].split(":")[1] == "wish_text"
    assert words("settings.off") in first["label"]
    assert first["label"] != words("settings.off"), "the button says of what"
    back = await club.tap(name, settings, first)
    wishes = await club.play.wishes(club.key().guild, club.player(name))
    assert (wishes.text_only, wishes.deck) == (False, DeckColours.FOUR)
    assert words("settings.on") in back.labels()


async def test_a_turn_begins_with_the_cards_and_leaves_the_rest_to_read_all(club: Club) -> None:
    await club.open_table("alice", "bob", pace="relaxed")
    await by_ear(club, "bob")
    words = club.words("bob")
    for _ in range(6):
        while (await club.look()).hand.street < 3:  # type: ignore[union-attr]
            await club.play_turn(await club.on_turn())
        while await club.on_turn() != "bob":
            await club.play_turn(await club.on_turn())
        panel = await clean(await club.open_panel("bob"))
        if "foul" not in panel.text.casefold():
            break
        # A board that may foul, or has, says so in more words: the decks decide, and what a bot offers moves them.
        await club.type_hand()
        await club.pass_time(13)
    assert "foul" not in panel.text.casefold(), "six boards that foul are no usual turns"
    texts = [str(part["content"]) for part in walk(panel.components) if "content" in part]
    assert texts[1].startswith("Your cards: "), texts
    assert " of " in texts[1]
    assert told(panel) <= TURN_WORDS, (told(panel), texts)
    short = told(panel)
    whole = await clean(await club.tap("bob", panel, panel.find("read_all")))
    assert told(whole) > short
    assert "alice" in heard(whole).lower()
    assert words("aloud.read_all") not in whole.labels()


@pytest.mark.parametrize("name", READERS)
async def test_every_screen_makes_sense_to_the_ear(club: Club, name: str) -> None:
    await club.open_table("alice", name, pace="relaxed")
    await by_ear(club, name)
    await club.type_hand()
    table = (await club.look()).table
    for command, options in SCREENS.items():
        await clean(await club.slash(name, command, **options))
    result = await clean(await club.slash(name, "result", table=1))
    whole = await club.tap(name, result, result.find("read_result"))
    await clean(whole)
    if name == "bob":
        assert told(result) <= RESULT_WORDS, (told(result), heard(result))
        assert told(whole) > told(result)
    replay = await clean(await club.tap(name, result, result.find("replay")))
    for _ in range(2):
        replay = await clean(await club.tap(name, replay, replay.find("rp_next")))
    assert table.state is TableState.BETWEEN


SCREENS: dict[str, dict[str, str]] = {
    "settings": {},
    "help": {},
    "my-games": {},
    "vacation": {},
    "ofc tables": {},
    "ofc seats": {},
    "profile": {},
    "leaderboard": {},
    "history": {},
    "rules": {},
    "daily": {},
    "hand": {},
}


async def play_by_ear(club: Club, name: str, *, typing: bool) -> int:
    """A hand of somebody who has only what they hear: by typing alone, or by going from button to button."""
    words, screens = club.words(name), 0
    for _ in range(60):
        view = await club.look()
        if not view.waiting:
            return screens
        turn = await club.on_turn()
        seen = await club.look(1, turn)
        if turn != name:
            await club.type_turn(turn)
            continue
        hand = seen.hand
        assert hand is not None
        assert hand.mine is not None
        whole = bool(hand.mine.fantasyland) or hand.variant.at_once
        asked = await clean(await club.slash(name, "hand", table=1))
        if typing or whole:
            answer = await club.type_turn(name)
        else:
            answer = await tab_through(club, name, asked, plain_letters(seen), words)
        await clean(answer)
        screens += 2
    raise AssertionError("the hand does not end")


async def tab_through(club: Club, name: str, panel: Screen, letters: str, words: Words) -> Screen:
    """Place a street by the labels of its buttons; nothing else of them is known."""
    for number, letter in enumerate(letters):
        if letter == "D":
            continue
        cards = [control for control in panel.controls() if ":card:" in control["custom_id"]]
        label = str(cards[number]["label"])
        if label != words("aloud.chosen", card=label.removesuffix(words("aloud.chosen", card=""))):
            panel = await clean(await club.tap(name, panel, panel.button(label)))
        row = words(f"row.{ {'F': 'front', 'M': 'middle', 'B': 'back'}[letter] }")
        panel = await clean(await club.tap(name, panel, panel.button(row[:1].upper() + row[1:])))
    confirm = next(
        label
        for label in (words("button.confirm"), words("board.confirm_foul"))
        if any(one.startswith(label) for one in panel.labels())
    )
    return await club.tap(name, panel, panel.button(confirm))


@pytest.mark.parametrize("typing", [True, False], ids=["typing", "tabbing"])
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("game", GAMES)
async def test_a_hand_is_played_by_ear(club: Club, game: str, name: str, typing: bool) -> None:
    await club.open_table("alice", name, variant=game, pace="relaxed")
    await by_ear(club, name)
    assert await play_by_ear(club, name, typing=typing) > 1
    await clean(await club.slash(name, "result", table=1))


@pytest.mark.deep
@pytest.mark.parametrize("typing", [True, False], ids=["typing", "tabbing"])
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("game", EVERY_GAME)
async def test_every_other_game_is_played_by_ear(club: Club, game: str, name: str, typing: bool) -> None:
    await test_a_hand_is_played_by_ear(club, game, name, typing)
