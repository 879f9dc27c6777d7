"""Records are checked in the browser, on the page as it was saved: nothing is asked of anybody."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.installation import HOME
from bot.ofc.presets import PINEAPPLE, PRESETS
from bot.ofc.variants import Variant
from bot.text.words import words_for
from bot.web.server import NONCE, source
from tests.play.world import ANN, BOB, CLEO, DAN, World
from tests.web.browser import DESK, PHONE, Tab, browsing

EN, JA = words_for("en"), words_for("ja")
FAIRNESS = (HOME / "docs" / "fairness.md").read_text(encoding="utf-8")
SCRIPT = "".join((HOME / "page" / name).read_text(encoding="utf-8") for name in ("record.js", "verify.js"))


@asynccontextmanager
async def saved(folder: Path, size: dict[str, int], **settings: Any) -> AsyncIterator[Tab]:
    """The page as a file, in a browser without a network."""
    file = folder / "table.html"
    file.write_text(source().replace(NONCE, "saved"), encoding="utf-8")
    async with browsing() as driver:
        context = await driver.new_context(viewport=size, offline=True, **settings)
        shown = Tab(await context.new_page())
        await shown.page.goto(file.as_uri())
        await shown.at("#sheet[open] #record").wait_for()
        yield shown
        assert shown.complaints == []


async def outcome(page: Tab, record: str) -> str:
    """What the page says of a record."""
    await page.view.evaluate("() => document.querySelector('.verdict').replaceChildren()")
    await page.at("#record").fill(record)
    await page.at("#check").click()
    await page.at("#outcome").wait_for()
    return str(await page.at("#outcome").get_attribute("class"))


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
    """The same record with one thing changed."""
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


async def test_a_record_of_each_game_is_right_and_a_changed_one_is_not(world: World, tmp_path: Path) -> None:
    made = await records(world, PRESETS.values())
    assert {record["variant"] for record in made} == set(PRESETS)
    async with saved(tmp_path, DESK) as page:
        for record in made:
            assert await outcome(page, json.dumps(record)) == "right", record["variant"]
            assert await page.at(".deck .card").count() == len(record["deck_order"]) // 2
            swapped = next(tampered(record))
            assert await outcome(page, json.dumps(swapped)) == "wrong", record["variant"]
        for number, changed in enumerate(tampered(made[0])):
            assert await outcome(page, json.dumps(changed)) in ("wrong", "unreadable"), number


async def test_the_vectors_of_the_specification_are_worked_out_step_by_step(tmp_path: Path) -> None:
    vectors = [part.split("```")[0] for part in FAIRNESS.split("```json\n")[1:]]
    decks = [vector for vector in vectors if '"chaipo/deal/' in vector]
    assert len(decks) == 5
    async with saved(tmp_path, PHONE, locale="ja-JP") as page:
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
        assert JA("page.verify.compare") in await page.at(".verdict").text_content()
        await page.fits()


async def test_a_withheld_record_and_what_is_none_are_told_apart(world: World, tmp_path: Path) -> None:
    (record,) = await records(world, [PINEAPPLE])
    async with saved(tmp_path, PHONE) as page:
        withheld = {**record, "withheld": [0], "players": [{"player": "gone", "entropy": ""}, record["players"][1]]}
        assert await outcome(page, json.dumps(withheld)) == "withheld"
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


def test_the_words_of_a_saved_page_are_all_there() -> None:
    keys = set(re.findall(r"\btexts\.(\w+)", SCRIPT)) | {f"step_{key}" for key in re.findall(r'key: "(\w+)"', SCRIPT)}
    outcomes = {"right", "wrong", "withheld", "unreadable"}
    for words in (EN, JA):
        own = {key.removeprefix("page.verify.") for key in words.entries if key.startswith("page.verify.")}
        assert own == keys | outcomes
