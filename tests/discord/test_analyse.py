"""Analyses on Discord: entered in a form, typed or read from a file, and answered in private."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.chat.trainer.screens.analysis import analysis_screen
from bot.chat.trainer.screens.position_form import joined, plain, slip_text, split
from bot.model.choices import DeckColours
from bot.model.ids import GuildId
from bot.play.trainer.views import AnalysisView
from bot.pure.notation.files import as_json, as_toml
from bot.pure.ofc.cards import cards_text, parse_cards
from bot.pure.ofc.presets import DOUBLE_PINEAPPLE, PINEAPPLE, PRESETS
from bot.pure.solver.comparison import ExpectedResults
from bot.pure.trainer.analysis import AnalysedPlacement
from bot.pure.trainer.position import PositionError, Slip, parse_position
from bot.text.words import Words
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forge, forged_press
from tests.discord.test_by_ear import faults
from tests.discord.test_outside import PLACES, Outside
from tests.pure.trainer.test_packed import played

PEOPLE = pytest.mark.parametrize("name", ["alice", "hanako"])
LAST = "KdQh/7c7d2c2h9s/AsKsQsJs +3d4dTs vs Ah8d/9c9d2s3s/JdTdTh4c8h"
LATE = "KdQh/7c7d2c/AsKsQsJs +3d4dTs vs Ah8d/9c9d2s/JdTdTh4c"
SECOND = "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs"


async def form(club: Club, name: str, screen: Screen, **fields: str) -> Screen:
    """Open the form, fill in its fields and submit it."""
    words = club.words(name)
    shown = await club.ask(name, screen, screen.find("an_enter"))
    return await club.send(name, shown, {words(f"analysis.field.{field}"): text for field, text in fields.items()})


def is_answer(screen: Screen, words: Words) -> bool:
    return words("analysis.title") in screen.text


# entering a position


@PEOPLE
async def test_a_position_is_entered_in_a_form_and_answered_in_its_place(club: Club, name: str) -> None:
    words, panel = club.words(name), await club.slash(name, "analyse")
    assert words("analysis.entry.title") in panel.text
    found = await form(
        club, name, panel, board="Kd / 7c 7d / As Ks", held="Q♥ Q♠ 2♣", opponents="Ah/9c9d/JsTs", discards=""
    )
    assert found.id == panel.id
    view = await club.bot.services.trainer.analyse(
        club.player(name), GuildId(club.guild.id), PINEAPPLE, parse_position(SECOND, PINEAPPLE)
    )
    assert SECOND in found.text
    for at, placement in enumerate(view.placements):
        assert words("puzzle.answer.place", number=at + 1) in found.text or not at
        assert words("puzzle.answer.points", points=words.signed_decimal(placement.value, decimals=1)) in found.text
        assert words("puzzle.answer.foul", share=words.percent(round(100 * placement.facts.foul))) in found.text
        assert words("puzzle.answer.royalties", points=words.decimal(placement.facts.royalties, decimals=1))
    assert len(club.private(name)) == 1
    assert club.public() == []


@PEOPLE
async def test_the_game_is_chosen_in_a_menu(club: Club, name: str) -> None:
    words, panel = club.words(name), await club.slash(name, "analyse")
    panel = await club.choose(name, panel, panel.find("an_game"), ["chinese"])
    found = await form(club, name, panel, held="AsKsQsJsTs9s8s7s6s5s4s3s2s", opponents="//")
    assert is_answer(found, words)
    assert words("variant.chinese.name") in found.text
    assert not found.has("an_deeper"), "a whole board has nothing further ahead"


@PEOPLE
async def test_a_position_is_typed(club: Club, name: str) -> None:
    words = club.words(name)
    found = await club.slash(name, "analyse", position=f"  {LAST.replace(' vs ', ' VS ')} ")
    assert is_answer(found, words)
    assert LAST in found.text
    game = words("variant.chinese.name")
    other = await club.slash(name, "analyse", position="// +AsKsQsJsTs9s8s7s6s5s4s3s2s vs //", game=game)
    assert is_answer(other, words)
    assert game in other.text


@PEOPLE
async def test_what_is_wrong_is_named_and_nothing_typed_is_lost(club: Club, name: str) -> None:
    words, panel = club.words(name), await club.slash(name, "analyse")
    entered = {"board": "Kd/7c7d/AsKs", "held": "QhQs", "opponents": "Ah/9c9d/JsTs", "discards": ""}
    refused = await form(club, name, panel, **entered)
    assert words("analysis.slip.held", count=3, given=2) in refused.text
    shown = await club.ask(name, refused, refused.find("an_enter"))
    assert shown.modal is not None
    kept = {label["label"]: label["component"].get("value") or "" for label in shown.modal["components"]}
    assert kept == {words(f"analysis.field.{field}"): text for field, text in entered.items()}
    found = await club.send(name, shown, {words("analysis.field.held"): "QhQs2c"})
    assert is_answer(found, words)
    assert SECOND in found.text


@PEOPLE
async def test_a_typed_position_that_is_wrong_goes_on_in_the_form(club: Club, name: str) -> None:
    words = club.words(name)
    refused = await club.slash(name, "analyse", position="Kd/7c7d/AsKs +QhQsKd vs Ah/9c9d/JsTs @14")
    assert words("analysis.slip.twice", card="Kd", count=1) in refused.text
    shown = await club.ask(name, refused, refused.find("an_enter"))
    found = await club.send(name, shown, {words("analysis.field.held"): "QhQs2c"})
    assert "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs @14" in found.text


@PEOPLE
async def test_a_position_is_changed_from_its_answer(club: Club, name: str) -> None:
    found = await club.slash(name, "analyse", position=LAST)
    again = await form(club, name, found, held="3d 4d 5c")
    assert again.id == found.id
    assert LAST.replace("+3d4dTs", "+3d4d5c") in again.text


BAD = {
    Slip.NO_BOARD: "vs //",
    Slip.NO_OPPONENT: "// +AsKsQd7d2c vs",
    Slip.MISPLACED: "// AsKsQd7d2c",
    Slip.FANTASYLAND: "@x +AsKsQd7d2c",
    Slip.ROWS: "AsKs +Qh",
    Slip.CARD: "// +AsKsQd7d1c",
    Slip.NOT_IN_DECK: "// +AsKsQd7dX1",
    Slip.TWICE: "// +AsKsQd7dAs",
    Slip.PLAYERS: "// +AsKsQd7d2c vs // // //",
    Slip.OTHER_FANTASYLAND: "// +AsKsQd7d2c vs @15",
    Slip.ROW_FULL: "Kd3d4d5d/7c/ +QhQs2c",
    Slip.BOARD: "Kd/7c7d/As +QhQs2c",
    Slip.HELD: "// +AsKs",
    Slip.DISCARDS: "// +AsKsQd7d2c -3c",
    Slip.OPPONENT_BOARD: "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/Js",
    Slip.OPPONENT_DISCARDS: "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs2d3d-4d5d",
    Slip.HIDDEN_DISCARDS: "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs2d3d-4d",
    Slip.ORDER: "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs2d3d Ac/9h9s/JhTh",
}


@PEOPLE
async def test_every_slip_has_a_sentence_of_its_own(club: Club, name: str) -> None:
    said = set()
    for slip, text in {**BAD, Slip.NO_FANTASYLAND: "// +AsKsQsJsTs9s8s7s6s5s4s3s2s vs @14"}.items():
        game = PRESETS["chinese"] if slip is Slip.NO_FANTASYLAND else PINEAPPLE
        with pytest.raises(PositionError) as error:
            parse_position(text, game)
        assert error.value.slip is slip, text
        sentence = slip_text(error.value, game, club.words(name))
        refused = await club.slash(name, "analyse", position=text, game=game.key)
        assert sentence in refused.text
        said.add(sentence)
    assert len(said) == len(Slip)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs", SECOND),
        ("K♦/7♣7♦/A♠K♠  +Q♥Q♠2♣ vs. A♥/9♣9♦/J♠10♠", SECOND),
        ("Ｋｄ／７ｃ７ｄ／ＡｓＫｓ　＋ＱｈＱｓ２ｃ　対　Ａｈ／９ｃ９ｄ／ＪｓＴｓ", SECOND),
        ("kd/7c7d/asks +qhqs2c VS ah/9c9d/jsts", SECOND),
        ("`Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs`", SECOND),
    ],
)
def test_a_position_may_be_written_as_people_write(typed: str, meant: str) -> None:
    assert str(parse_position(plain(typed), PINEAPPLE)) == meant
    assert split(meant) == ("Kd/7c7d/AsKs", "QhQs2c", "", "Ah/9c9d/JsTs")


@pytest.mark.parametrize(
    "values",
    [
        ("Kd/7c7d/AsKs", "QhQs2c", "Ah/9c9d/JsTs", ""),
        ("Kd / 7c 7d / As Ks", "+Qh Qs 2c", "Ah / 9c 9d / Js Ts", ""),
        ("Kd/7c7d/AsKs", "Qh Qs 2c", "vs Ah/9c9d/JsTs", "-"),
    ],
)
def test_the_fields_of_the_form_make_a_position(values: Sequence[str]) -> None:
    assert joined(values) == SECOND
    assert joined(("", "AsKsQd7d2c", "", "")) == "// +AsKsQd7d2c"
    assert joined(("@14", "x", "// @14\n\nKd/7c/As", "3h")) == "@14 +x -3h vs // @14 Kd/7c/As"


# the answer


@PEOPLE
async def test_a_second_press_searches_deeper(club: Club, name: str) -> None:
    words, found = club.words(name), await club.slash(name, "analyse", position=SECOND)
    deeper = await club.tap(name, found, found.find("an_deeper"))
    assert deeper.id == found.id
    assert words("analysis.deeper") in deeper.text
    assert words("puzzle.answer.place", number=3) in deeper.text
    assert words("puzzle.answer.place", number=4) not in deeper.text
    assert not deeper.has("an_deeper")
    assert SECOND in deeper.text


@PEOPLE
async def test_nothing_is_deeper_than_the_last_street(club: Club, name: str) -> None:
    words, found = club.words(name), await club.slash(name, "analyse", position=LAST)
    assert is_answer(found, words)
    assert not found.has("an_deeper")
    old = found.find("an_enter")["custom_id"].replace("an_enter", "an_deeper")
    assert (await forge(club, name, found, old)).said == words("refused.nothing_deeper")
    suggested = await club.members[name].autocomplete(club.channel, "analyse", "do", "", position=LAST)
    assert [choice["value"] for choice in suggested] == [words("analysis.button.change")]


@PEOPLE
async def test_old_buttons_work_after_a_restart(club: Club, name: str) -> None:
    words, found = club.words(name), await club.slash(name, "analyse", position=LATE)
    pressed = [control["custom_id"] for control in found.controls()]
    await club.restart(down_seconds=60)
    shown = await club.ask(name, found, found.find("an_enter"))
    assert shown.modal is not None
    deeper = await club.tap(name, found, found.find("an_deeper"))
    assert words("analysis.deeper") in deeper.text
    assert LATE in deeper.text
    again = await forge(club, name, deeper, next(one for one in pressed if ":an_deeper:" in one))
    assert words("analysis.deeper") in again.said


@PEOPLE
async def test_buttons_are_pressed_by_typing(club: Club, name: str) -> None:
    words = club.words(name)
    label = words("analysis.button.deeper")
    assert label in [
        choice["value"]
        for choice in await club.members[name].autocomplete(club.channel, "analyse", "do", "", position=LATE)
    ]
    assert words("analysis.button.enter") in [
        choice["value"] for choice in await club.members[name].autocomplete(club.channel, "analyse", "do", "")
    ]
    deeper = await club.slash(name, "analyse", position=LATE, do=label)
    assert words("analysis.deeper") in deeper.text
    shown = await club.command_form(name, "analyse", position=LATE, do=words("analysis.button.change"))
    assert shown.modal is not None
    kept = [label["component"].get("value") or "" for label in shown.modal["components"]]
    assert kept == ["KdQh/7c7d2c/AsKsQsJs", "3d4dTs", "Ah8d/9c9d2s/JdTdTh4c", ""]
    shown = await club.command_form(name, "analyse", do=words("analysis.button.enter"))
    found = await club.send(name, shown, {words("analysis.field.held"): "AsKsQd7d2c"})
    assert is_answer(found, words)


@PEOPLE
async def test_it_is_read_aloud(club: Club, name: str) -> None:
    await club.play.change_member_settings(
        GuildId(club.guild.id), club.player(name), lambda now: replace(now, text_only=True, deck=DeckColours.WORDS)
    )
    words = club.words(name).aloud
    panel = await club.slash(name, "analyse")
    found = await club.slash(name, "analyse", position=LATE)
    refused = await club.slash(name, "analyse", position="// +As")
    assert faults(panel) == faults(found) == faults(refused) == []
    assert words("analysis.slip.held", count=5, given=1) in refused.text
    assert words("puzzle.answer.best") in found.text
    deeper = await club.tap(name, found, found.find("an_deeper"))
    assert LATE in deeper.text
    assert faults(deeper) == []


@PLACES
async def test_it_works_outside_servers(club: Club, context: int) -> None:
    alice, words = Outside(club, context), club.words("alice")
    found = await alice.slash("analyse", given=[{"name": "position", "type": 3, "value": LATE}])
    assert is_answer(found, words)
    deeper = await alice.tap(found, "an_deeper")
    assert words("analysis.deeper") in deeper.text
    panel = await alice.slash("analyse")
    assert words("analysis.entry.title") in panel.text


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_the_longest_answer_fits(club: Club, language: str) -> None:
    words = club.words("alice" if language == "en" else "hanako")
    held = "".join(f"{rank}{suit}" for suit in "hd" for rank in "23456789TJQKA")[:28]
    position = parse_position(f"@14 +{held} vs " + "@14 " * 5, DOUBLE_PINEAPPLE)
    facts = ExpectedResults(foul=0.99, fantasyland=0.99, royalties=33.3)
    best = AnalysedPlacement(letters="FFFMMMMMBBBBBD", value=-33.3, error=3.3, facts=facts)
    view = AnalysisView(variant=DOUBLE_PINEAPPLE, position=position, placements=[best] * 5, deeper=True)
    drawn = analysis_screen(view, words, club.bot.services.faces)
    assert text_length(drawn) <= MAX_TEXT_LENGTH
    assert len(list(drawn.walk())) <= 40


# a hand's file


def decision(screen: Screen, number: int, street: int, words: Words) -> tuple[Any, list[str]]:
    """Return a player's menu and the value of its option for a street."""
    menu = next(c for c in screen.controls() if c["custom_id"].split(":")[:4][1::2] == ["an_from", str(number)])
    label = words("panel.street", street=street, streets=5)
    return menu, [next(option["value"] for option in menu["options"] if option["label"] == label)]


@PEOPLE
@pytest.mark.parametrize("write", [as_toml, as_json])
async def test_a_decision_of_a_hand_is_chosen_from_its_file(club: Club, name: str, write: Any) -> None:
    words, history = club.words(name), played(PINEAPPLE, 2, to=(0, 1))
    menus = await club.slash(name, "analyse", hand=("hand.phh", write(history).encode()))
    assert words("analysis.file.title") in menus.text
    menu, value = decision(menus, 1, 5, words)
    found = await club.choose(name, menus, menu, value)
    assert is_answer(found, words)
    assert found.id != menus.id, "another decision can be chosen"
    placed = history.hand.seats[history.hand.clockwise[0]]
    block = re.search(r"/\S+ \+(\S+)", found.text)
    assert block is not None
    assert {*parse_cards(block[1])} <= {*placed.discards, *(card for row in placed.rows for card in row)}
    await club.restart()
    menu, value = decision(menus, 2, 4, words)
    assert is_answer(await club.choose(name, menus, menu, value), words)


@PEOPLE
async def test_a_file_offers_only_what_it_shows(club: Club, name: str) -> None:
    words = club.words(name)
    menus = await club.slash(name, "analyse", hand=("hand.phh", as_toml(played(PINEAPPLE, 3, to=(1,))).encode()))
    offered = [(c["custom_id"].split(":")[3], len(c["options"])) for c in menus.controls()]
    assert sorted(offered) == [("1", 1), ("2", 5), ("3", 1)]
    assert words("analysis.file.player", number=2) in [c["placeholder"] for c in menus.controls()]


@PEOPLE
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no_hand_file"),
        (b"\xff\xfe", "no_hand_file"),
        (b"variant = 'NT'", "no_hand_file"),
        (b"{}", "no_hand_file"),
        (b"#" * (64 * 1024 + 1), "hand_file_too_large"),
    ],
)
async def test_other_files_are_refused(club: Club, name: str, content: bytes, reason: str) -> None:
    details = {"most": 64} if reason == "hand_file_too_large" else {}
    refused = await club.slash(name, "analyse", hand=("file", content))
    assert refused.text == club.words(name)(f"refused.{reason}", **details)


async def test_house_rules_that_no_game_here_has_are_refused(club: Club) -> None:
    file = as_toml(played(PINEAPPLE, 2, to=(0, 1))).replace(
        '_game = "pineapple"\n', '_game = "pineapple"\n_edition = 2\n_house = {"fantasyland" = "off"}\n'
    )
    refused = await club.slash("alice", "analyse", hand=("hand.phh", file.encode()))
    assert refused.text == club.words("alice")("refused.other_house_rules")


# refusals


@PEOPLE
async def test_a_running_hand_is_refused_with_a_sentence(club: Club, name: str) -> None:
    words = club.words(name)
    await club.open_table(name, "bob")
    view = await club.look(1, name)
    assert view.hand is not None
    assert view.hand.mine is not None
    held = cards_text(card for card in view.hand.mine.held if card is not None)
    refused = await club.slash(name, "analyse", position=f"// +{held}")
    assert words("refused.in_your_hand") in refused.text
    assert refused.has("an_enter")


@PEOPLE
async def test_a_board_that_is_bound_to_foul_goes_on_in_the_form(club: Club, name: str) -> None:
    words, panel = club.words(name), await club.slash(name, "analyse")
    entered = {
        "board": "KdKhKc/7c7d2c2h/AsQsJs3h",
        "held": "4d6hTs",
        "opponents": "Ah8d/9c9d2s3s/JdTd5h4c8h",
        "discards": "",
    }
    for refused in (
        await form(club, name, panel, **entered),
        await club.slash(name, "analyse", position=joined([*entered.values()])),
    ):
        assert words("refused.board_fouls") in refused.text
        shown = await club.ask(name, refused, refused.find("an_enter"))
        assert shown.modal is not None
        kept = [label["component"].get("value") or "" for label in shown.modal["components"]]
        assert kept == [*entered.values()]
    found = await club.send(name, shown, {words("analysis.field.board"): "KdQh/7c7d2c2h9s/AsKsQsJs"})
    assert is_answer(found, words)


def _name(card: Any) -> str:
    from bot.pure.ofc.cards import card_name

    return card_name(card)


async def test_forged_presses_are_answered_and_change_nothing(club: Club) -> None:
    found, words = await club.slash("alice", "analyse", position=LAST), club.words("alice")
    before = await club.facts()
    gone = words("refused.game_gone")
    for custom_id, values in (
        ("c1:an_deeper:0:0:0:::nothing", None),
        ("c1:an_deeper:0:0:0:::chinese", None),
        ("s1:an_from:0:1:0:::pineapple", ["//+zzzzz"]),
        ("s1:an_from:0:1:0:::pineapple", [LAST]),
        ("s1:an_from:0:1:0:::pineapple", []),
        ("s1:an_game:0:0:0:::pineapple", ["nothing"]),
    ):
        pressed = forged_press(club, "alice", found, custom_id, values=values)
        await deliver(pressed)
        assert pressed.acknowledged
        assert pressed.said in (gone, words("refused.no_position")), custom_id
    panel = await club.slash("alice", "analyse")
    assert (await forge(club, "alice", panel, "c1:an_deeper:0:0:0:::pineapple")).said == words("refused.no_position")
    assert await club.facts() == before
