"""Verification of records in the browser, on a saved copy of the page, without any network requests."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import replace
from typing import Any

import pytest

from bot.base.installation import HOME
from bot.pure.event.draw import DrawProblem, Seeds, check_draw, find_mismatch, prove
from bot.pure.event.seeding import SeededBy, seed_order
from bot.pure.ofc.cards import card_name
from bot.pure.ofc.deck import Entropy
from bot.pure.ofc.presets import PINEAPPLE, PRESETS
from bot.pure.ofc.proof import Problem, check_proof
from bot.pure.ofc.variants import Variant
from bot.run.cli.verify import is_draw
from bot.text.fingerprint import fingerprint
from bot.text.words import words_for
from tests.page import BUILT
from tests.play.world import ANN, BOB, CLEO, DAN, World
from tests.pure.event.test_masters import DECK, EVENT, HAND, IN_ORDER, LATER, LATER_DECK, NEW, OLD, at_table, board
from tests.web.browser import DESK, PHONE, Tab, browsing

pytestmark = pytest.mark.browser

EN, JA = words_for("en"), words_for("ja")
FAIRNESS = (HOME / "docs" / "fairness-spec.md").read_text(encoding="utf-8")
VECTORS = [part.split("```")[0] for part in FAIRNESS.split("```json\n")[1:]]
HOUSE = next(vector for vector in VECTORS if '"house"' in vector)
SCRIPT = "".join(
    (HOME / "page" / "verify" / name).read_text(encoding="utf-8") for name in ("record.js", "verify.js", "draws.js")
)


@asynccontextmanager
async def saved(size: dict[str, int], **settings: Any) -> AsyncIterator[Tab]:
    """The page as a file, in a browser without a network."""
    (file,) = BUILT.glob("saved-*.html")
    async with browsing() as driver:
        context = await driver.new_context(viewport=size, offline=True, **settings)
        shown = Tab(await context.new_page())
        await shown.page.goto(file.as_uri())
        await shown.at("#sheet[open] #record").wait_for()
        yield shown
        assert shown.complaints == []


OUTCOME = """async (record) => {
  const area = document.querySelector('#record');
  area.value = record;
  area.dispatchEvent(new Event('input', { bubbles: true }));
  document.querySelector('#check').click();
  while (!document.querySelector('#outcome')) await new Promise((done) => setTimeout(done));
  return document.querySelector('#outcome').className;
}"""


async def outcome(page: Tab, record: str) -> str:
    """Return the page's verdict on a record."""
    return str(await page.view.evaluate(OUTCOME, record))


async def records(world: World, games: Iterable[Variant]) -> list[Any]:
    """The record of a hand of each of these games."""
    made = []
    for game in games:
        key = await world.table(*(ANN, BOB, CLEO, DAN)[: max(2, game.min_seats)], variant=game)
        await world.play.set_entropy(key, ANN, "おはよう", cause=world.cause())
        await world.start(key)
        await world.play_hand(key)
        await world.play.close(key, reason="empty")
        made.append(await world.play.proof(key, 1, ANN))
    return made


def tampered(record: Any) -> Iterator[Any]:
    """Yield copies of the record, each with one change."""
    deck = record["deck_order"]
    yield {**record, "deck_order": deck[2:4] + deck[:2] + deck[4:]}
    yield {**record, "seed": "0" * 64}
    yield {**record, "root": "0" * 64}
    yield {**record, "leaf": record["leaf"] ^ 1}
    yield {**record, "hand_id": record["hand_id"].replace("/1", "/2", 1)}
    yield {**record, "variant": record["variant"] + "_"}
    yield {**record, "players": record["players"][::-1]}
    yield {**record, "dealt": {**record["dealt"], "button": record["dealt"]["button"] + 1}}
    yield {**record, "path": record["path"][::-1]}
    yield {**record, "edition": record.get("edition", 1) + 1}
    yield {**record, "house": {"jokers": "2"}}


async def test_a_record_of_each_game_is_right_and_a_changed_one_is_not(world: World) -> None:
    made = await records(world, PRESETS.values())
    assert {record["variant"] for record in made} == set(PRESETS)
    async with saved(DESK) as page:
        for record in made:
            assert await outcome(page, json.dumps(record)) == "right", record["variant"]
            assert await page.at(".deck .card").count() == len(record["deck_order"]) // 2
            swapped = next(tampered(record))
            assert await outcome(page, json.dumps(swapped)) == "wrong", record["variant"]
        for number, changed in enumerate(tampered(made[0])):
            assert await outcome(page, json.dumps(changed)) in ("wrong", "unreadable"), number


async def test_the_vectors_of_the_specification_are_worked_out_step_by_step() -> None:
    decks = [vector for vector in VECTORS if '"chaipo/deal/' in vector]
    assert len(decks) == 5
    async with saved(PHONE, locale="ja-JP") as page:
        for vector in decks:
            assert await outcome(page, vector) == "right"
        assert await outcome(page, decks[0]) == "right"
        told = await page.at(".verdict li").all_text_contents()
        assert len(told) == 6
        shown = " ".join(told)
        for name in ("leaf", "message"):
            (line,) = [line for line in FAIRNESS.split("\n") if line.startswith(f"| {name} |")][:1]
            assert line.split("`")[1] in shown, name
        assert json.loads(decks[0])["root"] in shown
        assert JA("page.verify.compare") in await page.at(".verdict").first.text_content()
        assert await page.at("#sheet").evaluate("sheet => sheet.scrollWidth - sheet.clientWidth") <= 0


async def test_a_withheld_record_and_what_is_none_are_told_apart(world: World) -> None:
    (record,) = await records(world, [PINEAPPLE])
    async with saved(PHONE) as page:
        withheld = {**record, "withheld": [0], "players": [{"player": "gone", "entropy": ""}, record["players"][1]]}
        await page.at("#record").fill(json.dumps(withheld))
        await page.at("#check").click()
        await page.at("#outcome.withheld").wait_for()
        for none in (
            "",
            "{",
            "[]",
            "null",
            "{}",
            json.dumps({**record, "seed": "x"}),
            json.dumps({**record, "path": []}),
        ):
            assert await outcome(page, none) == "unreadable", none
        assert await page.at("#outcome").text_content() == EN("page.verify.unreadable")
        await page.at("#record-file").set_input_files(
            {"name": "record.json", "mimeType": "application/json", "buffer": json.dumps(record).encode()}
        )
        await page.at("#outcome.right").wait_for()


async def test_who_is_dealt_what_is_shown_and_the_fingerprint_as_it_was_posted(world: World) -> None:
    key = await world.table(ANN, BOB, variant=PINEAPPLE)
    await world.start(key)
    await world.play_hand(key)
    result = await world.play.result(key, 1)
    await world.play.close(key, reason="empty")
    record = await world.play.proof(key, 1, ANN)
    assert result.hand is not None
    async with saved(PHONE) as page:
        assert await outcome(page, json.dumps(record)) == "right"
        assert await page.at(".verdict .posted").all_text_contents() == [fingerprint(bytes.fromhex(record["root"]))]
        lines = page.at(".deal")
        assert await lines.count() == 2
        for number in range(2):
            line = lines.nth(number)
            name = str(await line.locator("b").text_content())
            seat = next(seat for seat in result.hand.seats if seat.player in name)
            at = result.hand.seats.index(seat) + 1
            assert name == EN("page.verify.unnamed", seat=at, player=seat.player), "a saved page knows no names"
            codes = "all => all.map(one => one.getAttribute('aria-label'))"
            dealt = await line.locator(".card").evaluate_all(codes)
            assert len(dealt) == 5 + 4 * 3
            assert {card_name(card) for row in seat.rows for card in row if card is not None} <= set(dealt)
        # House rules aren't known here.
        assert await outcome(page, HOUSE) == "right"
        assert await page.at(".deal").count() == 0


ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1.5,
    2**53,
    "",
    "x",
    "\ud800",
    "constructor",
    [],
    {},
    ["x"],
    [[]],
    {"player": 1},
)


def misshapen(record: Any) -> Iterator[Any]:
    """Yield copies of the record, each with one part missing, nested in a list or of another type."""
    # The first item of a list is enough, because all are read alike.
    parts = record.items() if isinstance(record, dict) else list(enumerate(record))[:1]
    for key, part in parts:
        if isinstance(record, dict):
            yield {name: other for name, other in record.items() if name != key}
        others = [*ODD, [part], *(misshapen(part) if isinstance(part, dict | list) else ())]
        for other in others:
            changed = copy(record)
            changed[key] = other
            yield changed


def judged_by_the_program(record: Any) -> str:
    """The outcome that the page shows for what ``python -m bot verify`` finds."""
    if is_draw(record):
        draw = check_draw(record)
        unread = draw.problem in (DrawProblem.BAD_FORMAT, DrawProblem.UNKNOWN_ALGORITHM)
        return "right" if draw.ok else "unreadable" if unread else "wrong"
    hand = check_proof(record)
    # The page doesn't know all games, and without a deck it can't check the game.
    if hand.problem is Problem.WITHHELD or (hand.problem is Problem.GAME and record.get("withheld")):
        return "withheld"
    unread = hand.problem in (Problem.BAD_FORMAT, Problem.UNKNOWN_ALGORITHM)
    return "right" if hand.ok else "unreadable" if unread else "wrong"


async def test_records_of_every_wrong_shape_are_judged_as_the_program_judges_them(world: World) -> None:
    (second,) = await records(world, [PINEAPPLE])
    first = json.loads(next(one for one in VECTORS if '"chaipo/deal/v1"' in one))
    judged: Counter[str] = Counter()
    async with saved(DESK) as page:
        for right in (second, {**second, "withheld": [0]}, json.loads(HOUSE), first, EVENT.to_json()):
            for record in misshapen(right):
                expected = judged_by_the_program(record)
                assert await outcome(page, json.dumps(record)) == expected, record
                judged[expected] += 1
    assert min(judged[one] for one in ("right", "wrong", "withheld", "unreadable")) >= 10, judged


async def test_a_record_that_breaks_the_check_leaves_no_verdict_of_the_one_before() -> None:
    right = json.loads(next(one for one in VECTORS if '"chaipo/deal/v1"' in one))
    crowd = [{"player": str(number), "entropy": ""} for number in range(1, 40_001)]
    breaking = {
        json.dumps({**right, "seed": [right["seed"]]}): "unreadable",
        json.dumps({**right, "players": crowd}): "unreadable" if "dealt" in right else "wrong",
        json.dumps({**right, "players": crowd, "dealt": {"button": 0, "fantasyland": [0] * len(crowd)}}): "wrong",
        json.dumps(right)[:-1] + f', "seed": "{right["seed"]}"}}': "unreadable",
        json.dumps(right)[:-1] + f', "\\u0073eed": "{right["seed"]}"}}': "unreadable",
        "[" * 50_000 + "]" * 50_000: "unreadable",
    }
    async with saved(PHONE) as page:
        for record, expected in breaking.items():
            await page.at("#record").fill(json.dumps(right))
            await page.at("#check").click()
            await page.at("#outcome.right").wait_for()
            # Typing over a record clears the verdict.
            await page.at("#record").fill("{")
            assert await page.at(".verdict").text_content() == ""
            await page.view.evaluate("record => { document.querySelector('#record').value = record; }", record)
            await page.at("#check").click()
            await page.at(f"#outcome.{expected}").wait_for()
            assert await page.at("#outcome").count() == 1
        # Equal keys in different objects aren't duplicates.
        assert await outcome(page, '{"a": {"b": [{"c": ",{}"}, {"c": 1}]}, "b": 1, "c": ["a", "a"]}') == "unreadable"
        assert await outcome(page, json.dumps({**right, "more": [{"seed": "{"}, {"seed": '"'}]})) == "right"


def altered(record: Any) -> Iterator[Any]:
    """Yield copies of the draw, each with one change."""
    yield {**record, "commitment": "0" * 64}
    yield {**record, "seed": "0" * 64}
    yield {**record, "event": record["event"] + "/1"}
    yield {**record, "label": "round 2"}
    yield {**record, "label": "somehow"}
    yield {**record, "order": record["order"][::-1]}
    yield {**record, "order": record["order"][:-1]}
    yield {**record, "order": [*record["order"][:-1], record["order"][0]]}
    yield {**record, "order": []}
    yield {**record, "entropy": []}
    yield {**record, "entropy": record["entropy"][::-1]}
    yield {**record, "entropy": [["111"]]}
    yield {**record, "entropy": None}
    yield {**record, "algorithm": "chaipo/draw/v2"}
    yield {**record, "order": [1, 2]}
    yield {**record, "seed": record["seed"].upper()}
    yield {**record, "decks": None}
    yield {**record, "decks": {"commitment": "0" * 64, "seed": "0" * 64}}
    yield {**record, "former_decks": [{"event": "9/event/3", "commitment": "0" * 64, "seed": "0" * 64}]}
    yield {**record, "seeding": {"by": "luck", "seeds": []}}
    yield {**record, "seeding": {"by": "hand", "seeds": [[name, 1] for name in record["order"][::-1]]}}
    yield {**record, "seeding": {"by": "hand", "seeds": [["nobody", None]]}}
    yield {**record, "seeding": {"by": "hand", "seeds": [[record["order"][0], 0.5]]}}


def seeded(by: SeededBy, figures: dict[str, int]) -> dict[str, Any]:
    """A right record of an event whose seeds were made by figures."""
    drawn = prove(PEOPLE, event="9/event/3", label="start", seed=bytes(32), entropy=REGISTERED).order
    seeds = Seeds(by=by, seeds=tuple((player, figures.get(player)) for player in seed_order(drawn, figures, by)))
    made = prove(PEOPLE, event="9/event/3", label="start", seed=bytes(32), entropy=REGISTERED, seeds=seeds)
    return made.to_json()


PEOPLE = ("999999999999999999", "1000000000000000001", "22", "卓", "computer-1", "𠮷", "～")
"""Ids of several lengths; the last two are ordered otherwise by their UTF-16 than by their code points."""
REGISTERED = [Entropy(player, f"129{number}") for number, player in enumerate(PEOPLE)]
FIGURES = {"22": 1500, "卓": 1500, "computer-1": -3, "𠮷": 0}


async def test_draws_are_judged_as_the_bot_judges_them() -> None:
    vector = next(json.loads(one) for one in VECTORS if '"chaipo/draw/' in one)
    later = prove(PEOPLE[:5], event="9/event/3", label="round 2", seed=bytes(32), entropy=[]).to_json()
    moment = prove(PEOPLE[:2], event="9/event/3/19a3", label="moment 0", seed=bytes(32), entropy=[]).to_json()
    right = [vector, EVENT.to_json(), later, moment, *(seeded(by, FIGURES) for by in SeededBy)]
    wrong = [*altered(vector), *altered(EVENT.to_json()), *altered(later), *altered(right[-1])]
    judged: Counter[str] = Counter()
    async with saved(DESK) as page:
        for record in [*right, *wrong]:
            verdict = check_draw(record)
            unread = verdict.problem in (DrawProblem.BAD_FORMAT, DrawProblem.UNKNOWN_ALGORITHM)
            expected = "right" if verdict.ok else "unreadable" if unread else "wrong"
            assert await outcome(page, json.dumps(record)) == expected, (record, verdict.text)
            judged[expected] += 1
            marked = await page.at(".verdict li.wrong").count()
            assert bool(marked) == (expected == "wrong")
        assert judged["right"] >= len(right)
        assert min(judged["wrong"], judged["unreadable"]) > 20
        # The steps of the specification are those that it prints.
        assert await outcome(page, json.dumps(vector)) == "right"
        told = " ".join(await page.at(".verdict li").all_text_contents())
        section = FAIRNESS.split("### Test vector of a draw")[1]
        for name in ("message", "stream, bytes 0 to 31"):
            (line,) = [line for line in section.split("\n") if line.startswith(f"| {name} |")][:1]
            assert line.split("`")[1] in told, name
        assert " · ".join(vector["order"]) in told
        assert await page.at(".posted").text_content() == fingerprint(bytes.fromhex(vector["commitment"]))


async def test_whether_a_deck_follows_from_its_event_is_judged_as_the_bot_does() -> None:
    hands = [
        *(HAND, LATER, DECK, LATER_DECK),
        at_table(NEW, "9/12/7", place=6),
        at_table(OLD, "9/12/301/19a4", place=44),
        at_table(OLD, "8/12/7", place=6),
        board(OLD, "9/event/4", 1, IN_ORDER),
        board(OLD, "9/event/3", 1, IN_ORDER[::-1]),
        board(OLD, "9/event/3", 1, IN_ORDER[:1]),
    ]
    running = replace(EVENT, decks=None, former_decks=())
    async with saved(PHONE, locale="ja-JP") as page:

        async def follows(event: str) -> str:
            await page.at("#event-record").fill("")
            await page.at("#event-record").fill(event)
            await page.at("#event-record-check").click()
            return str(await page.at("#event-outcome").text_content())

        found = set()
        for hand in hands:
            assert await outcome(page, json.dumps(hand.to_json())) == "right"
            await page.at("#of-event summary").click()
            expected = "strange" if find_mismatch(hand, EVENT) else "follows"
            assert await follows(json.dumps(EVENT.to_json())) == JA(f"page.verify.{expected}"), hand.hand_id
            assert bool(await page.at("#of-event li.wrong").count()) == (expected == "strange")
            found.add(expected)
        assert found == {"strange", "follows"}
        assert await follows(json.dumps(running.to_json())) == JA("page.verify.not_over")
        for none in ("", json.dumps(HAND.to_json()), json.dumps({**EVENT.to_json(), "seed": "1" * 64})):
            assert await follows(none) == JA("page.verify.no_event")
        await page.at("#event-record-file").set_input_files(
            {"name": "e.json", "mimeType": "application/json", "buffer": json.dumps(EVENT.to_json()).encode()}
        )
        await page.at("#event-outcome", has_text=JA("page.verify.strange")).wait_for()


def test_the_words_of_a_saved_page_are_all_there() -> None:
    steps = re.findall(r'(?:key: |tell\()"(\w+)"', SCRIPT)
    keys = set(re.findall(r"\btexts\.(\w+)", SCRIPT)) | {f"step_{key}" for key in steps}
    outcomes = {"right", "wrong", "withheld", "unreadable", "draw_right", "draw_wrong"}
    outcomes |= {"follows", "strange", "not_over", "no_event"}
    for words in (EN, JA):
        own = {key.removeprefix("page.verify.") for key in words.entries if key.startswith("page.verify.")}
        assert own == keys | outcomes
