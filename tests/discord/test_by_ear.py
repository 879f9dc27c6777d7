"""Text-only play: readers get texts and labels in order, and each of them makes sense without the others."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bot.chat.club.screens.profile_tabs import ProfilePart
from bot.chat.club.screens.ranking import Listing
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.chat.kit.text_only import aloud, spoken, spoken_card
from bot.chat.table.screens.panel import Panel, panel_screen
from bot.chat.table.screens.placement_draft import filled_in
from bot.chat.table.screens.rules import rules_screen
from bot.model.choices import DeckColours, MemberSettings
from bot.model.tables import TableState
from bot.pure.ofc.presets import PRESETS
from bot.text.rulebook.book import rules_pages
from bot.text.words import Words, words_for
from tests.discord.club import Club, Screen, everything_in, plain_letters
from tests.discord.forge import forge
from tests.discord.forms import enter_in_setup, settings_page
from tests.discord.messages import walk
from tests.discord.test_sure_fouls import panel as panel_with

READERS = ("bob", "hanako")
GAMES = ("pineapple", "two_seven", "chinese")
SPOKEN_SIGNS = frozenset("+＋=＝−×÷√～")
"""Signs that every screen reader has a short name for."""
MORE = ("bob", "hanako", "carol")
"""Other players, in games for more than two."""
TURN_WORDS = 60
RESULT_WORDS = 60


def unnamed(text: str) -> list[str]:
    """Return signs in a text that are only meaningful visually. Discord renders times and mentions."""
    plain = re.sub(r"<[@#t/][^>]*>", "", text)
    return [one for one in plain if one not in SPOKEN_SIGNS and (_is_sign(one) or one in "\ufe0e\ufe0f·")]


def _is_sign(one: str) -> bool:
    return unicodedata.category(one) in ("So", "Sm")


def buttons(screen: Screen) -> list[dict[str, Any]]:
    """The buttons of a screen, in order."""
    return [control for control in screen.controls() if control["type"] == 2]


def faults(screen: Screen) -> list[str]:
    """Return what a listener would miss on this screen."""
    found = [f"unnamed {unnamed(text)} in {text!r}" for text in everything_in(screen) if unnamed(text)]
    labels = [label for label in screen.labels() if label]
    found += [f"no label: {control['custom_id']}" for control in buttons(screen) if not control.get("label")]
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
    """Turn on text-only messages in these members' settings."""
    for name in names:
        settings = await settings_page(club, name, "wish_text")
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
    words, member_settings = words_for(code), MemberSettings(text_only=True, deck=DeckColours.WORDS)
    ace, ten = (
        words("aloud.card", rank=words(f"aloud.rank.{rank}"), suit=words(f"aloud.suit.{suit}"))
        for rank, suit in (("a", "spades"), ("10", "hearts"))
    )
    pause = words("aloud.pause")
    assert spoken("A♠\ufe0e 10♥\ufe0e 🃏", words, member_settings) == pause.join([ace, ten, words("aloud.joker")])
    assert words.aloud.facts(["**Fantasyland**", "", "14"]) == f"**Fantasyland**{pause}14"
    assert words.aloud.signed(0) == "0"
    assert spoken("A♠\ufe0e · x", words, MemberSettings()) == "A♠\ufe0e · x", "others read what they read"
    assert spoken("A♠\ufe0e", words, replace(member_settings, deck=DeckColours.FOUR)) == "A♠", (
        "short ones, where these are chosen"
    )


@pytest.mark.parametrize("code", ["en", "ja"])
def test_short_cards_are_not_described_by_a_long_one(code: str) -> None:
    words, member_settings = words_for(code).aloud, MemberSettings(text_only=True, deck=DeckColours.WORDS)
    spades = words("aloud.suit.spades")
    long, short = (
        spoken(words(f"settings.cards.why.{kind}"), words, member_settings) for kind in ("words", "text_only")
    )
    assert spades in long.casefold()
    assert spades not in short.casefold()


@pytest.mark.parametrize("code", ["en", "ja"])
def test_where_cards_were_placed_is_heard_with_them(code: str) -> None:
    words, member_settings = words_for(code).aloud, MemberSettings(text_only=True, deck=DeckColours.WORDS)
    told = spoken(words.list([f"K♦{words('place.f')}", f"J♦{words('place.m')}"]), words, member_settings)
    for part in told.split(words("aloud.pause")):
        assert any(words(f"row.{row}") in part for row in ("front", "middle")), told


@pytest.mark.parametrize("code", ["en", "ja"])
def test_the_rules_of_every_game_are_sentences(code: str) -> None:
    words, member_settings = words_for(code).aloud, MemberSettings(text_only=True, deck=DeckColours.WORDS)
    for game in PRESETS.values():
        seen = rules_pages(game, words)
        for page, shown in enumerate(seen):
            told = aloud(rules_screen(game, words, page=page, heard=True), words, member_settings)
            (text,) = (str(part["content"]) for part in told.walk() if "content" in part)
            assert not unnamed(text), (game.key, unnamed(text))
            assert "```" not in text
            assert text_length(told) <= MAX_TEXT_LENGTH, (game.key, page, len(text))
            # Nothing is left out for being said in more words.
            assert text.count("## ") == shown.text.count("## "), (game.key, page)


BY_EAR = MemberSettings(text_only=True, deck=DeckColours.WORDS)


def fantasyland(held: str, *, draft: str = "", game: str = "pineapple") -> Panel:
    """Return a panel with Fantasyland cards, next to an opponent's complete board."""
    shown = panel_with("//", held, street=5, others="KhKd2c/7c3d3h/AsAhQs", game=game)
    mine, *others = shown.hand.seats
    hand = replace(shown.hand, seats=(replace(mine, fantasyland=len(held) // 2), *others))
    places = tuple(replace(place, seat=replace(place.seat, away=False)) for place in shown.view.places)
    shown = replace(shown, view=replace(shown.view, hand=hand, places=places))
    return filled_in(shown, draft, "") if draft else shown


FOURTEEN = "9h8h7h6h2hAcKc9cTd9dJs4s3s2s"


@pytest.mark.parametrize("code", ["en", "ja"])
@pytest.mark.parametrize("draft", ["", "BBBBBFFFMMMMM" + "D"])
def test_fantasyland_is_short_to_hear_and_the_rest_is_behind_read_all(code: str, draft: str) -> None:
    words = words_for(code).aloud
    shown = fantasyland(FOURTEEN, draft=draft)
    short, whole = (
        aloud(panel_screen(one, words, Faces().for_reader(BY_EAR)), words, BY_EAR)
        for one in (shown, replace(shown, whole=True))
    )
    told, rest = (" ".join(part["content"] for part in one.walk() if "content" in part) for one in (short, whole))
    assert words("aloud.fantasyland_of", count=14) in told
    assert not unnamed(told)
    labels = [part.get("label") for part in short.walk()]
    assert words("aloud.read_all") in labels
    assert words("aloud.read_all") not in [part.get("label") for part in whole.walk()]
    assert len(told) < len(rest)
    if code == "en":
        count = len(re.findall(r"[\w'+−-]+", re.sub(r"<t:\d+:\w>", "in ten minutes", told)))
        assert count <= TURN_WORDS, (count, told)
    if not draft:
        nines = [words(f"aloud.suit.{suit}") for suit in ("hearts", "diamonds", "clubs")]
        (heard,) = [one for one in re.split(re.escape(words("aloud.stop")), told) if words("aloud.rank.9") in one]
        assert all(suit in heard for suit in nines), "equal ranks are told together"
    else:
        chosen = [option["label"] for part in short.walk() for option in part.get("options") or [] if option["default"]]
        assert len(chosen) == 13
        assert all(words("aloud.chosen", card="") in label for label in chosen), "a menu says what is chosen already"


@pytest.mark.parametrize("name", READERS)
async def test_it_is_offered_in_the_help_in_the_welcome_and_first_in_the_settings(club: Club, name: str) -> None:
    words = club.words(name)
    help_ = await club.slash(name, "ofc help")
    offer = await club.tap(name, help_, help_.find("by_ear"))
    settings = await club.tap(name, offer, offer.find("wish_text"))
    member_settings = await club.play.member_settings(club.key().guild, club.player(name))
    assert (member_settings.text_only, member_settings.deck) == (True, DeckColours.WORDS)
    await clean(settings)
    first = settings.controls()[0]
    assert first["custom_id"].split(":")[1] == "wish_text"
    assert first["label"] == words("settings.text.turn_off"), "the button says of what"
    back = await club.tap(name, settings, first)
    member_settings = await club.play.member_settings(club.key().guild, club.player(name))
    assert (member_settings.text_only, member_settings.deck) == (False, DeckColours.FOUR)
    assert words("settings.text.turn_on") in back.labels()


async def test_a_turn_begins_with_the_cards_and_leaves_the_rest_to_read_all(club: Club) -> None:
    await club.open_table("alice", "bob", clock="relaxed")
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
        # Boards that may foul or have fouled need more words. The decks decide that, and they depend on the bot's
        # buttons.
        await club.type_hand()
        await club.pass_time(13)
    assert "foul" not in panel.text.casefold(), "six boards that foul are no usual turns"
    texts = [str(part["content"]) for part in walk(panel.components) if "content" in part]
    assert texts[1].startswith("**Alice**: "), "what has changed comes before the cards"
    assert texts[2].startswith("Your cards: "), texts
    assert all(" of " in text for text in texts[1:3])
    assert told(panel) <= TURN_WORDS, (told(panel), texts)
    rows = [words.aloud(f"place.{letter}") for letter in "fmb"]
    assert sum(map(texts[1].count, rows)) in (1, 2)
    short = told(panel)
    whole = await clean(await club.tap("bob", panel, panel.find("read_all")))
    assert told(whole) > short
    assert "alice" in heard(whole).lower()
    assert words("aloud.read_all") not in whole.labels()
    waits = await clean(await club.slash("bob", "place", cards=plain_letters(await club.look(1, "bob"))))
    if await club.on_turn() != "bob":
        assert words("aloud.read_all") in waits.labels()
        whole = await clean(await club.tap("bob", waits, waits.button(words("aloud.read_all"))))
        assert words("aloud.read_all") not in whole.labels()
        assert told(whole) > 0


async def test_a_foul_and_the_end_of_a_hand_are_told_in_few_words_and_whole_behind_read_all(club: Club) -> None:
    await club.open_table("alice", "bob", clock="relaxed")
    await by_ear(club, "bob")
    words, fouled, waited = club.words("bob"), 0, 0
    costs = words("board.foul_costs")
    for _ in range(4):
        while (await club.look()).table.state is TableState.PLAYING:
            name = await club.on_turn()
            if name != "bob":
                await club.play_turn(name)
                continue
            panel = await clean(await club.open_panel("bob"))
            if "Foul!" in panel.text:
                fouled += 1
                assert costs not in panel.text
                assert told(panel) <= TURN_WORDS + 15, told(panel)
                whole = await clean(await club.tap("bob", panel, panel.find("read_all")))
                assert costs in whole.text, "what it costs"
            after = await clean(await club.type_turn("bob"))
            assert told(after) <= TURN_WORDS + 15, (told(after), heard(after))
            if words("panel.waiting", players="**Alice**") in after.text:
                waited += 1
                assert "**Alice**: " not in after.text, "what others placed is told when it is one's turn again"
        over = await clean(await club.open_panel("bob"))
        assert told(over) <= TURN_WORDS, (told(over), heard(over))
        short = over.text.count(" of ")
        whole = await clean(await club.tap("bob", over, over.find("read_all")))
        assert whole.text.count(" of ") > short, "with every card in words"
        await club.pass_time(13)
    assert fouled, "a board was lost"
    assert waited


@pytest.mark.parametrize("name", READERS)
async def test_suggestions_are_few_and_short_and_each_is_another(club: Club, name: str) -> None:
    await club.open_table(name, "alice", clock="relaxed")
    await by_ear(club, name)
    words = club.words(name)
    letters = plain_letters(await club.look(1, name))
    held = (await club.look(1, name)).hand.mine.held  # type: ignore[union-attr]
    for typed in ("", letters[:1], letters[:3], letters):
        offered = await club.members[name].autocomplete(club.channel, "place", "cards", typed)
        names = [str(choice["name"]) for choice in offered]
        assert 1 <= len(names) <= (1 if typed == letters else 4), names
        assert len(set(names)) == len(names), names
        for told in names:
            assert len(told) < 100, told
            assert not unnamed(told)
            ranks = [spoken_card(card, words).split(" of ")[0].split("の")[-1] for card in held if card is not None]
            assert all(rank in told for rank in ranks), (ranks, told)
        assert all(str(choice["value"]).startswith(typed) for choice in offered)


@pytest.mark.parametrize("name", READERS)
async def test_every_screen_makes_sense_to_the_ear(club: Club, name: str) -> None:
    await club.open_table("alice", name, clock="relaxed")
    await by_ear(club, name)
    await club.type_hand()
    table = (await club.look()).table
    for command, options in (*SCREENS.items(), *LOOKED_UP):
        await clean(await club.slash(name, command, **options))
    result = await clean(await club.slash(name, "ofc result", table=1))
    whole = await club.tap(name, result, result.find("read_result"))
    await clean(whole)
    if name == "bob":
        assert told(result) <= RESULT_WORDS, (told(result), heard(result))
        assert told(whole) > told(result)
    replay = await clean(await club.tap(name, result, result.find("replay")))
    for _ in range(2):
        replay = await clean(await club.tap(name, replay, replay.find("rp_next")))
    assert table.state is TableState.BETWEEN


@pytest.mark.parametrize("name", READERS)
async def test_the_page_of_hours_makes_sense_to_the_ear(club: Club, name: str) -> None:
    await by_ear(club, name)
    settings = await settings_page(club, name, "hours")
    page = await clean(await club.tap(name, settings, settings.find("hours")))
    for verb, hour in (("quiet_from", "22"), ("digest_at", "9")):
        page = await clean(await club.choose(name, page, page.find(verb), [hour]))
    await clean(await club.choose(name, page, page.find("quiet_until"), ["22"]))
    words = club.words(name)
    assert words("hours.quiet.same") in heard(page)
    assert words("hours.digest.on", time=words("hours.clock", hour=9)).replace("**", "") in heard(page).replace(
        "**", ""
    )


LOOKED_UP: tuple[tuple[str, dict[str, str]], ...] = (
    *(("ofc profile", {"show": part.value}) for part in ProfilePart),
    *(("ofc leaderboard", {"by": listing.value}) for listing in Listing),
)
SCREENS: dict[str, dict[str, str]] = {
    "ofc settings": {},
    "ofc help": {},
    "ofc table": {"do": "mine"},
    "ofc leaderboard": {},
    "daily": {},
    "hand": {},
}


async def play_by_ear(club: Club, name: str, *, typing: bool) -> int:
    """Play a hand using only texts, by typing or from button to button."""
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
        if typing:
            answer = await club.type_turn(name)
        elif whole:
            answer = await tab_a_board(club, name, asked, words)
        else:
            answer = await tab_through(club, name, asked, plain_letters(seen), words)
        await clean(answer)
        screens += 2
    raise AssertionError("the hand does not end")


async def tab_a_board(club: Club, name: str, panel: Screen, words: Words) -> Screen:
    """Set a whole board: choose one card from a menu by name, and arrange the rest automatically."""
    front = panel.controls()[[control.get("placeholder") for control in panel.controls()].index(front_menu(words))]
    option = front["options"][0]
    panel = await clean(await club.choose(name, panel, front, [option["value"]]))
    assert any(
        chosen["label"] == words("aloud.chosen", card=option["label"])
        for control in panel.controls()
        for chosen in control.get("options") or []
    )
    panel = await clean(await club.tap(name, panel, panel.button(words("board.arrange"))))
    return await club.tap(name, panel, panel.button(words("button.confirm")))


def front_menu(words: Words) -> str:
    row = words("row.front")
    return words("panel.choose", row=row[:1].upper() + row[1:], size=3)


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


EARS = [
    pytest.param(game, name, typing, marks=() if (number + READERS.index(name) + typing) % 2 else pytest.mark.deep)
    for number, game in enumerate(GAMES)
    for name in READERS
    for typing in (True, False)
]
"""Each game in each language, by typing in one and from button to button in the other; all of them in deep tests."""


@pytest.mark.parametrize(("game", "name", "typing"), EARS)
async def test_a_hand_is_played_by_ear(club: Club, game: str, name: str, typing: bool) -> None:
    others = [other for other in MORE if other != name][: PRESETS[game].min_seats - 2]
    if "carol" in others:
        club.newcomer("carol")
    await club.open_table("alice", name, *others, game=game, clock="relaxed")
    await by_ear(club, name)
    assert await play_by_ear(club, name, typing=typing) > 1
    await clean(await club.slash(name, "ofc result", table=1))


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_what_everybody_reads_is_in_words_where_a_manager_chose_it(club: Club, language: str) -> None:
    words = words_for(language)
    await enter_in_setup(club, "alice", "language", [language])
    page = await enter_in_setup(club, "alice", "cards", "1")
    assert words_for("en")("setup.cards.on") in page.text
    await club.open_table("alice", "bob", clock="relaxed")
    seen = [club.table_screen()]
    while (await club.look()).waiting:
        await club.type_turn(await club.on_turn())
        seen.append(club.table_screen())
    seen += club.public()
    assert len(seen) > 10
    for screen in seen:
        await clean(screen)
    spade = words("aloud.suit.spades")
    assert sum(spade in screen.text for screen in seen) > 3
    (result,) = [screen for screen in club.public() if words.aloud("result.heading", hand=1, table=1) in screen.text]
    assert told(result) <= RESULT_WORDS
    whole = await club.tap("alice", result, result.find("read_result"))
    assert club.words("alice")("result.heading", hand=1, table=1) in whole.text
    back = await enter_in_setup(club, "alice", "cards", "0")
    assert words_for("en")("setup.cards.off") in back.text


async def test_nobody_but_managers_chooses_words_for_all(club: Club) -> None:
    page = await club.slash("alice", "setup")
    await forge(club, "bob", page, "c1:su_words:0:1:0:::")
    assert not (await club.play.server(club.key().guild)).in_words


@pytest.mark.deep
@pytest.mark.parametrize("typing", [True, False], ids=["typing", "tabbing"])
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("game", PRESETS)
async def test_a_whole_evening_is_played_by_ear(club: Club, game: str, name: str, typing: bool) -> None:
    """From the first question to the end of a table, in a server with text-only public messages."""
    words = club.words(name)
    await club.play.choose_for_server(club.key().guild, lambda server: replace(server, in_words=True))
    asked = await club.slash(name, "ofc help")
    offer = await club.tap(name, asked, asked.button(words("aloud.reader.button")))
    await clean(await club.tap(name, offer, offer.find("wish_text")))
    await clean(await club.slash(name, "ofc help", about=game))
    others = ["alice", *(other for other in MORE if other != name)][: PRESETS[game].min_seats - 1]
    if "carol" in others:
        club.newcomer("carol")
    await club.open_table(name, *others, game=game, clock="relaxed")
    for hand in (1, 2):
        await play_by_ear(club, name, typing=typing)
        result = await clean(await club.slash(name, "ofc result", table=1, hand=hand))
        if name == "bob":
            assert told(result) <= RESULT_WORDS + 20 * (len(others) - 1), (told(result), heard(result))
        await clean(await club.tap(name, result, result.button(words("aloud.read_all"))))
        replay = await clean(await club.tap(name, result, result.button(words("replay.button"))))
        while any(
            control["label"] == words("aloud.next") and not control.get("disabled") for control in buttons(replay)
        ):
            replay = await clean(await club.tap(name, replay, replay.button(words("aloud.next"))))
        while hand == 1 and not (await club.look()).waiting:
            await club.pass_time(5)
    for command, options in (*SCREENS.items(), *LOOKED_UP):
        await clean(await club.slash(name, command, **options))
    seats = await club.slash(name, "ofc table", do="seats 1")
    await clean(await club.tap(name, seats, seats.button(words("button.leave"))))
    await club.pass_time(60)
    heard_by_all = club.public()
    assert len(heard_by_all) > 1
    for screen in heard_by_all:
        await clean(screen)
