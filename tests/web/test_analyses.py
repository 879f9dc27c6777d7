"""Analyses on the page: checked while they're assembled, and answered or refused as in Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from pytest_asyncio import fixture

from bot.chat.kit.custom_ids import OWN
from bot.model.ids import GuildId
from bot.model.tables import HouseGame
from bot.play.trainer.analyses import MAX_PER_MINUTE
from bot.pure.ofc.cards import EMPTY, Card
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PINEAPPLE, PRESETS
from bot.pure.trainer.position import Opponent, Position, parse_position
from bot.text.words import words_for
from bot.web.pages import Pages
from tests.play.trainer.test_analyses import LAST, LATE, OTHER, SECOND
from tests.play.trainer.test_running_hands import on_street, position_of
from tests.play.world import ANN, BOB, World
from tests.web.open_pages import Json, Kept, kept

EN = words_for("en")
OUTSIDE = GuildId(0)


@fixture(loop_scope="session")
async def page(pages: Pages) -> AsyncIterator[Kept]:
    async with kept(pages, ANN) as opened:
        yield opened


async def check(page: Kept, position: str, game: str = "pineapple") -> Json:
    (told,) = await page.say(type="assemble", game=game, position=position)
    assert told["type"] == "assembled"
    assert (told["game"], told["position"]) == (game, position)
    return told


async def analyse(page: Kept, position: str, verb: str = "analyse", game: str = "pineapple") -> Json:
    return await page.ask(verb, game=game, position=position)


# assembling


async def test_a_page_reads_the_games_and_its_labels(page: Kept) -> None:
    assert page.view["analyses"]
    found, answer = await page.say(type="read", id="games-123", what="analysis", table=0)
    assert answer["outcome"] == "done"
    choices = found["analysis"]
    games = {one["game"]: one for one in choices["games"]}
    assert games.keys() == PRESETS.keys()
    assert choices["game"] == "pineapple"
    for key, variant in PRESETS.items():
        told = games[key]
        assert (told["decks"], told["jokers"]) == (variant.decks, variant.jokers)
        assert told["opponents"] == variant.max_seats - 1
        assert told["fantasyland"] == list(variant.fantasyland.numbers if variant.fantasyland else ())
    assert choices["labels"]["used"] == "{card}, {place}"


async def test_it_begins_with_the_game_of_the_table_or_puzzle_that_the_page_shows(world: World, pages: Pages) -> None:
    async def begins_with(shown: Kept) -> str:
        found, _ = await shown.say(type="read", id="games-123", what="analysis", table=0)
        return str(found["analysis"]["game"])

    await world.table(ANN, BOB, variant=PRESETS["ultimate"])
    async with kept(pages, ANN) as at_table:
        assert at_table.view["table"]
        assert await begins_with(at_table) == "ultimate"
    await world.trainer.choose(ANN, lambda solver: replace(solver, games=("classic",)))
    async with kept(pages, ANN, puzzle=True) as solving:
        assert solving.view["puzzle"]
        assert await begins_with(solving) == "classic"


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("// +", EN("analysis.page.more", count=5)),
        ("// +AsKsQd7d", EN("analysis.page.more", count=1)),
        ("// +AsKsQd7d2c3c", EN("analysis.page.fewer", count=5)),
        ("Kd// +", EN("analysis.page.board", count=1, sizes="0, 5, 7, 9 or 11")),
        ("Kd/7c7d/AsKs +QhQs2c vs Ah//", EN("analysis.page.opponent_board", count=1, street=2, sizes="5 or 7")),
        ("Kd/7c7d/AsKs +QhQsKd", EN("analysis.slip.twice", card="Kd", count=1).replace("`", "")),
    ],
)
async def test_what_a_position_lacks_is_told_in_a_sentence(page: Kept, position: str, said: str) -> None:
    told = await check(page, position)
    assert (told["ready"], told["said"]) == (False, said)
    assert told["read"] is not None


async def test_a_complete_position_is_ready_and_read_as_people_write_it(page: Kept) -> None:
    typed = "K♦/7♣7d/AsKs +QhQs2c VS Ah/9c9d/JsTs"
    told = await check(page, typed)
    assert (told["ready"], told["said"], told["text"]) == (True, EN("analysis.page.ready"), SECOND)
    assert told["read"] == {
        "own": {"rows": [["Kd"], ["7c", "7d"], ["As", "Ks"]], "discards": [], "fantasyland": 0},
        "held": ["Qh", "Qs", "2c"],
        "opponents": [{"rows": [["Ah"], ["9c", "9d"], ["Js", "Ts"]], "discards": [], "fantasyland": 0}],
    }
    lone = await check(page, "// +AsKsQd7d2c vs")
    assert lone["said"].startswith(EN("analysis.slip.no_opponent"))
    wrong = await check(page, "AsKs")
    assert (wrong["ready"], wrong["text"], wrong["read"]) == (False, "", None)
    assert "AsKs isn't a board" in wrong["said"]


async def test_sentences_are_in_the_readers_language(pages: Pages) -> None:
    async with kept(pages, ANN, locale="ja") as page:
        assert (await check(page, "// +"))["said"] == words_for("ja")("analysis.page.more", count=5)
        assert "5枚か7枚" in (await check(page, "Kd/7c7d/AsKs +QhQs2c vs Ah//"))["said"]
        assert "0枚、5枚、7枚、9枚か11枚" in (await check(page, "Kd// +"))["said"]


async def test_a_server_s_own_game_is_chosen_by_its_name(world: World, pages: Pages, page: Kept) -> None:
    guild = page.page.reader.guild
    ours = HouseGame(name="Ours", variant=house_variant("pineapple", {"fantasyland": "off"}, name="Ours"))
    await world.play.save_game(guild, ours, by=ANN)
    found, _ = await page.say(type="read", id="games-123", what="analysis", table=0)
    (own,) = [one for one in found["analysis"]["games"] if one["game"].startswith(OWN)]
    assert own["fantasyland"] == []
    told = await check(page, "@14 +As", own["game"])
    assert told["said"] == EN("analysis.slip.no_fantasyland", game=own["label"])


async def test_a_game_that_is_gone_is_refused(page: Kept) -> None:
    (told,) = await page.say(type="assemble", game="own-gone", position="// +")
    assert (told["type"], told["id"], told["said"]) == ("answer", "assemble", EN("analysis.page.game_gone"))
    assert (await analyse(page, LAST, game="own-gone"))["said"] == EN("analysis.page.game_gone")


# answers


async def test_the_best_placements_are_those_of_the_command(world: World, page: Kept) -> None:
    answer = await analyse(page, LAST)
    assert (answer["outcome"], answer["said"]) == ("done", "")
    found = answer["analysis"]
    assert (found["game"], found["position"]) == ("pineapple", LAST)
    seen = await world.trainer.analyse(ANN, page.page.reader.guild, PINEAPPLE, parse_position(LAST, PINEAPPLE))
    assert [one["letters"] for one in found["placements"]] == [one.letters for one in seen.placements]
    for told, placement in zip(found["placements"], seen.placements, strict=True):
        facts = placement.facts
        value, _, *numbers = told["numbers"]
        assert value == EN.signed_decimal(placement.value, decimals=1)
        assert numbers == [
            EN.percent(round(100 * facts.foul)),
            EN.percent(round(100 * facts.fantasyland)),
            EN.decimal(facts.royalties, decimals=1),
        ]
        assert len(told["numbers"]) == len(found["numbers"])
        assert any(told["hands"]), "full rows have their hands"
    assert not found["deeper"], "no street is further ahead"


async def test_a_second_press_searches_deeper(page: Kept) -> None:
    first = (await analyse(page, LATE))["analysis"]
    deeper = (await analyse(page, LATE, "analyse_deeper"))["analysis"]
    assert first["deeper"]
    assert not deeper["deeper"]
    assert deeper["told"][1] == EN("analysis.page.deeper")
    refused = await analyse(page, LAST, "analyse_deeper")
    assert (refused["analysis"], refused["said"]) == (None, EN("refused.nothing_deeper"))


async def test_an_intent_that_is_repeated_is_answered_once(world: World, page: Kept) -> None:
    intent = page.intent("analyse") | {"game": "pineapple", "position": LAST}
    (*_, one), (*_, other) = [await page.say(**intent) for _ in range(2)]
    assert one == other


async def test_a_page_with_a_puzzle_and_one_outside_servers_analyse_too(pages: Pages) -> None:
    async with kept(pages, ANN, puzzle=True) as puzzles, kept(pages, BOB, guild=OUTSIDE) as outside:
        for page in (puzzles, outside):
            before = page.view
            assert before["analyses"]
            assert (await analyse(page, LAST))["analysis"]["placements"]
            assert page.view == before


# refusals


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("// +As", EN("analysis.page.more", count=4)),
        ("AAsKsKd/2c3d4h5h6s/7s8s9cTc +JdJhKc", EN("analysis.slip.card", card="AA").replace("`", "")),
        ("KdKh/7c7d2c2h3s/6s5hQc4h +3d4dTs vs Ah8d/9c9d2s3h/JdTdTh4c8h", EN("refused.board_fouls")),
    ],
)
async def test_a_position_that_cannot_be_analysed_is_refused(page: Kept, position: str, said: str) -> None:
    answer = await analyse(page, position)
    assert (answer["outcome"], answer["analysis"], answer["said"]) == ("refused", None, said)


async def test_a_running_hand_is_refused(world: World, pages: Pages) -> None:
    key, player = await on_street(world, 3)
    mine = await position_of(world, key, player)
    async with kept(pages, player) as own, kept(pages, ANN, guild=OUTSIDE) as stranger:
        for asked in (mine, Position(rows=mine.rows, held=mine.held)):
            answer = await analyse(own, str(asked))
            assert (answer["said"], answer["analysis"]) == (EN("refused.in_your_hand"), None)
            # Nothing is told of it while it's assembled either.
            assert (await check(own, str(asked)))["said"] == EN("analysis.page.ready")
        assert stranger.view["analyses"]


async def test_the_limit_is_the_command_s(world: World, page: Kept) -> None:
    position = parse_position(LAST, PINEAPPLE)
    left = [card for card in map(Card, range(52)) if card not in _cards(position)]
    for number in range(MAX_PER_MINUTE):
        asked = Position(rows=position.rows, held=(*position.held[:2], left[number]), opponents=position.opponents)
        await world.trainer.analyse(ANN, page.page.reader.guild, PINEAPPLE, asked)
    assert (await analyse(page, LAST))["said"] == EN("refused.too_many_analyses", count=60)
    assert (await analyse(page, OTHER))["analysis"] is None


def _cards(position: Position) -> set[Card]:
    boards = [position.rows, *(one.rows for one in position.opponents)]
    return {*position.held, *(card for rows in boards for row in rows for card in row)}


# others


async def test_streams_and_guests_have_none(world: World, pages: Pages) -> None:
    key = await world.table(ANN, BOB)
    async with kept(pages, ANN, overlay=True) as stream, kept(pages, ANN, link="hand.any") as guest:
        for page in (stream, guest):
            assert not page.view["analyses"]
            assert await page.say(type="assemble", game="pineapple", position="// +") == []
        assert await stream.say(type="read", id="games-123", what="analysis", table=0) == []
        assert await stream.say(**stream.intent("analyse") | {"game": "pineapple", "position": LAST}) == []
        told = await guest.say(type="read", id="games-123", what="analysis", table=0)
        assert [one["type"] for one in told] == ["answer"]
        answer = (await guest.say(**guest.intent("analyse") | {"game": "pineapple", "position": LAST}))[-1]
        assert (answer["outcome"], answer["analysis"]) == ("refused", None)
    assert key.table


async def test_an_empty_board_s_values_do_not_depend_on_the_table_shown(world: World, pages: Pages) -> None:
    """What a page answers depends on the position alone, whatever hand it shows."""
    key = await world.table(ANN, BOB)
    asked = Position(rows=EMPTY, held=parse_position("// +AsKsQd7d2c", PINEAPPLE).held, opponents=(Opponent(),))
    async with kept(pages, ANN, table=key.table) as seated, kept(pages, ANN) as other:
        told: list[Any] = [await check(page, str(asked)) for page in (seated, other)]
        assert told[0] == told[1]
