"""Promise 4: a hand survives the crash and goes on; one that cannot is void and its seed is shown."""
# ruff: noqa: ASYNC240  # Nobody else runs on a test's loop.

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest

from bot.model.hands import HandState
from bot.model.ids import Player, TableKey
from bot.model.reasons import HandReason
from bot.model.refusals import Stale
from bot.model.tables import PostKind, TableState
from bot.pure.ofc.cards import BOARD_CARDS, EMPTY
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import CHINESE, CLASSIC, PINEAPPLE, PRESETS
from bot.pure.ofc.variants import Variant
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.crash.going_on import stored
from tests.databases import drop_trigger
from tests.play.world import ANN, BOB, CLEO, FixedVault, World
from tests.pure.ofc.games import any_placement

# A hand goes on

PLAYED: list[Variant] = [
    PINEAPPLE,
    CHINESE,
    PRESETS["progressive"],
    PRESETS["joker_pineapple"],
    house_variant("pineapple", {"order": "all_together", "discards": "open"}),
]


async def hashes(folder: Path, variant: Variant, seed: int, *, crash: bool) -> list[str]:
    """Return digests of the stored data and views after each action of two random hands. With ``crash``, the bot
    restarts in between."""
    folder.mkdir()
    world = World(folder, fixed=FixedVault([b"k" * 32]))
    await world.open()
    chance, told = Random(seed), []
    key = await world.table(ANN, BOB, CLEO, variant=variant)
    await world.start(key)
    for _ in range(60):
        if crash:
            await world.restart()
        view = await world.play.look(key)
        told.append(hashlib.sha256(repr((stored(world), view.hand, view.places)).encode()).hexdigest())
        if view.table.state is TableState.BETWEEN and view.table.hand_no == 2:
            break
        if view.waiting:
            await _place_anything(world, key, view.waiting[0], chance)
        else:
            await world.later(world.policy.next_hand_ms)
    await world.close()
    return told


async def _place_anything(world: World, key: TableKey, player: Player, chance: Random) -> None:
    view = await world.play.look(key, player)
    assert view.hand is not None
    assert view.hand.mine is not None
    held = [card for card in view.hand.mine.held if card is not None]
    front, middle, back = (tuple(card for card in row if card is not None) for row in view.hand.mine.rows)
    if view.hand.mine.fantasyland:
        rows = any_placement(EMPTY, held, to_place=BOARD_CARDS, chance=chance)
    else:
        rows = any_placement((front, middle, back), held, to_place=view.hand.to_place, chance=chance)
    await world.place_cards(key, player, rows)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("variant", PLAYED, ids=lambda variant: variant.house_name or variant.key)
async def test_promise_4_a_hand_with_a_restart_at_every_action_is_the_same_hand(
    tmp_path: Path, variant: Variant, seed: int
) -> None:
    whole = await hashes(tmp_path / "whole", variant, seed, crash=False)
    assert len(whole) > 5
    assert await hashes(tmp_path / "crashed", variant, seed, crash=True) == whole


# A hand that cannot go on

Press = Callable[[World, TableKey], Awaitable[None]]


async def press(world: World, key: TableKey) -> None:
    """Place cards."""
    with pytest.raises(Stale):
        await world.play.place_cards(key, ANN, hand_no=1, street=1, rows="BBBBB", cause="late")


async def wait(world: World, key: TableKey) -> None:
    """Do nothing."""
    await world.later(60_000)


async def look(world: World, key: TableKey) -> None:
    """View the table."""
    assert (await world.play.look(key, ANN)).table.state is TableState.BETWEEN


async def come_back(world: World, key: TableKey) -> None:
    """Return after an absence."""
    world.do("UPDATE seat SET away = 1 WHERE player = ?", ANN)
    await world.stay(key, ANN)


async def damage(world: World, sql: str, *values: object) -> None:
    """Change a log, which its triggers would not let happen; the bot is stopped meanwhile."""
    await world.close()
    for name in ("table_log_is_final_update", "table_log_is_final_delete"):
        drop_trigger(world.place, name, of="table_log")
    world.do(sql, *values)
    await world.open()


DAMAGES = {
    "no JSON": "UPDATE table_log SET payload = '{' WHERE kind = 'cards_laid' AND hand_no = 1",
    "no fields": "UPDATE table_log SET payload = '[]' WHERE kind = 'cards_laid' AND hand_no = 1",
    "another format": "UPDATE table_log SET payload = replace(payload, '\"v\":1', '\"v\":2') WHERE hand_no = 1",
    "an unknown kind": "UPDATE table_log SET kind = 'cards_eaten' WHERE kind = 'cards_laid' AND hand_no = 1",
    "a row that overflows": "UPDATE table_log SET payload = replace(payload, 'BBBBB', 'FFFFF') WHERE hand_no = 1",
    "a letter too few": "UPDATE table_log SET payload = replace(payload, 'BBBBB', 'BBBB') WHERE hand_no = 1",
    "another seat": "UPDATE table_log SET payload = replace(payload, '\"seat\":1', '\"seat\":9') WHERE hand_no = 1",
    "another player": f"UPDATE table_log SET payload = replace(payload, '{BOB}', '{CLEO}') WHERE kind = 'hand_started'",
    "an event lost": "DELETE FROM table_log WHERE kind = 'street_dealt' AND hand_no = 1",
    "all lost": "DELETE FROM table_log WHERE hand_no = 1 AND kind NOT LIKE 'table.%'",
}


EITHER = ("a letter too few", "an event lost", "all lost")
"""A log that can't be read, one that can't be followed, and none: after these, whatever comes first may find it."""


@pytest.mark.parametrize(
    ("what", "act"),
    [
        pytest.param(what, act, marks=[pytest.mark.deep] * (act is not press and what not in EITHER))
        for what in DAMAGES
        for act in (press, wait, look, come_back)
    ],
)
async def test_promise_4_a_hand_whose_log_is_damaged_is_void_and_the_table_goes_on(
    tmp_path: Path, what: str, act: Press, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    key = await world.table(ANN, BOB, variant=CLASSIC)
    await world.start(key)
    await world.place_cards(key, BOB, "BBBBB")
    await damage(world, DAMAGES[what])
    await act(world, key)
    record = await world.record(key, 1)
    assert (record.state, record.reason) == (HandState.VOID, "bad_log")
    result = await world.play.result(key, 1)
    # If nothing of a log is left, it gives a hand without seats.
    assert (result.hand is None or not result.hand.seats, result.results) == (True, ())
    # Its cards are no secret any more: the seed is shown and proves the deck.
    assert result.seed is not None
    assert (await world.play.proof(key, 1))["seed"] == result.seed.hex()
    assert (await world.play.postings())[-1].kind is PostKind.VOID
    assert {place.stack for place in (await world.play.look(key)).places} == {1000}
    assert "is void" in caplog.text
    assert "clock failed" not in caplog.text
    view = await world.next_hand(key)
    assert (view.table.state, view.table.hand_no) == (TableState.PLAYING, 2)
    await world.play_hand(key)
    assert (await world.record(key, 2)).state is HandState.SETTLED
    world.check_books()
    await world.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_promise_4_people_are_told_why(language: str) -> None:
    words = words_for(language)
    assert words("closed.bad_log") != words("closed.seed_lost")


async def test_promise_4_a_computers_hand_whose_log_is_damaged_is_void_too(tmp_path: Path) -> None:
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    key = await world.table(ANN, point_value=0, computers=1)
    await world.start(key)
    await damage(world, "UPDATE table_log SET payload = '{}' WHERE kind = 'hand_started'")
    await world.later(world.policy.computer_ms)
    assert (await world.record(key, 1)).reason == "bad_log"
    await world.close()


async def test_promise_4_a_settled_hand_whose_log_is_damaged_keeps_its_result(tmp_path: Path) -> None:
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    key = await world.started(ANN, BOB, variant=CLASSIC)
    await world.play_hand(key)
    before = await world.play.result(key, 1)
    await damage(world, DAMAGES["all lost"])
    result = await world.play.result(key, 1)
    assert (result.results, result.record, result.hand) == (before.results, before.record, None)
    assert (await world.next_hand(key)).table.state is TableState.PLAYING
    await world.close()


@pytest.mark.parametrize("seed", range(12))
async def test_promise_4_whatever_happens_to_a_log_no_table_is_stuck(
    tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Either the log still tells a hand, which is played on, or the hand is void: the next one is dealt in any case."""
    chance = Random(seed)
    caplog.set_level(logging.ERROR)
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    key = await world.started(ANN, BOB)
    for _ in range(chance.randrange(9)):
        await world.place_cards(key, (await world.play.look(key)).waiting[0])
    rows = world.ask("SELECT seq, kind, payload FROM table_log WHERE kind NOT LIKE 'table.%'")
    seq, kind, payload = chance.choice(rows)
    await damage(
        world, "UPDATE table_log SET kind = ?, payload = ? WHERE seq = ?", *_changed(kind, payload, chance), seq
    )
    for _ in range(30):
        view = await world.play.look(key)
        if view.table.hand_no == 2:
            break
        await world.later(max(filter(None, [(view.turn_until or 0) - world.now, view.next_hand_at and 12_000, 0])))
    assert (await world.play.look(key)).table.hand_no == 2
    assert "clock failed" not in caplog.text
    world.check_books()
    await world.close()


def _changed(kind: str, payload: str, chance: Random) -> tuple[str, str]:
    """Return a damaged copy of a fact."""
    fields = json.loads(payload)
    name = chance.choice(list(fields))
    match chance.randrange(4):
        case 0:
            del fields[name]
        case 1:
            fields[name] = chance.choice([None, -1, 0, 1, 7, "BBBBB", "", [], [0, 0], {}, True, 0.5])
        case 2:
            return chance.choice(["hand_ended", "street_dealt", "hand_voided", "x"]), payload
        case _:
            return kind, payload[: chance.randrange(len(payload))]
    return kind, json.dumps(fields)


async def test_promise_4_a_hand_whose_seed_is_lost_is_void_and_says_that_it_is_gone(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    key = await world.table(ANN, BOB, variant=CLASSIC)
    await world.start(key)
    await world.close()
    world.key_file.unlink()
    await world.open()
    await press(world, key)
    assert (await world.record(key, 1)).reason == "seed_lost"
    with world.refuses(HandReason.SEED_LOST, hand=1):
        await world.play.proof(key, 1)
    world.check_books()
    await world.close()
