"""Restores of an unmarked copy of the database. No deck that may be known is dealt."""

import logging
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.model.ids import TableKey
from bot.play.api.timekeeper import BEAT_MS
from bot.pure.ofc.presets import CLASSIC
from bot.pure.ofc.proof import check_proof
from bot.run.cli.sealed import opened_by
from bot.store.beat_mark import BeatMark
from bot.store.sqlite.backup import back_up
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.moving import move_out
from bot.store.upkeep import behind, clear_owner
from bot.store.vault import SeedVault
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.databases import do
from tests.play.daily.test_daily_hands import today
from tests.play.test_event_tables import WEEKLY, announced
from tests.play.test_restore import findings
from tests.play.world import ANN, BOB, World

SIDES = ("", "-wal", "-shm")

Caplog = pytest.LogCaptureFixture


@pytest.fixture
async def chance(world: World) -> World:
    """A house whose seeds are drawn by chance, as the bot's are."""
    world.fixed = SeedVault.open(world.key_file)
    await world.restart()
    return world


def epochs(world: World) -> int:
    """Return how often new decks were made for all tables."""
    return int(world.ask("SELECT COUNT(*) FROM epoch")[0][0])


def mark_of(world: World) -> Path:
    """Return the file next to the key that records the database's progress."""
    return world.folder / "chaipo.key.mark"


def files_of(world: World) -> list[Path]:
    """The database's files that are there."""
    sides = [world.path.with_name(world.path.name + side) for side in SIDES]
    return [side for side in sides if side.exists()]


def list_of(folder: Path) -> list[Path]:
    """The files of a folder."""
    return list(folder.iterdir())


def copy_to(folder: Path, files: Sequence[Path]) -> None:
    """Copy files as they are into a folder."""
    folder.mkdir(exist_ok=True)
    for file in files:
        shutil.copy(file, folder)


async def copied(world: World, folder: Path) -> None:
    """Stop the bot, copy the database's files as they are, and start it again."""
    await world.close()
    copy_to(folder, files_of(world))
    await world.open()


async def put_back(world: World, folder: Path) -> None:
    """Stop the bot and replace its files with copies, without starting it."""
    await world.close()
    for file in files_of(world):
        file.unlink()
    copy_to(world.folder, list_of(folder))


async def dealt(world: World, key: TableKey) -> Mapping[str, Any]:
    """Deal and play the next hand, close the table, and return the public record of that hand."""
    hand_no = (await world.next_hand(key)).table.hand_no
    await world.play_hand(key)
    await world.play.close(key, reason="closed_by_admin")
    proof = await world.play.proof(key, hand_no)
    assert check_proof(proof).ok
    return proof


@pytest.mark.of_sqlite
async def test_nothing_is_dealt_from_a_seed_of_the_time_that_is_forgotten(
    chance: World, tmp_path: Path, caplog: Caplog
) -> None:
    world = chance
    key = await world.started(ANN, BOB, variant=CLASSIC)
    await world.play_hand(key)
    event = await announced(world, WEEKLY)
    day = (await today(world)).of
    await copied(world, tmp_path / "copies")
    committed = (await world.events.look(event)).event.commitment
    forgotten = await dealt(world, key)
    await put_back(world, tmp_path / "copies")
    assert "is older than the bot's last run" in str(behind(world.path, world.key_file))
    with caplog.at_level(logging.WARNING):
        await world.open()
    assert "the database is older than the bot's last run: new decks for 1 open table" in caplog.text
    assert behind(world.path, world.key_file) is None
    assert epochs(world) == 1
    again = await dealt(world, key)
    assert forgotten["hand_id"] == f"{key.guild}/{key.table}/2"
    assert again["hand_id"] == f"{key.guild}/{key.table}/3/{(await world.play.look(key)).table.epoch}"
    for name in ("seed", "root", "deck_order"):
        assert again[name] != forgotten[name]
    # Discarded hands were never dealt again with the known seed.
    assert world.ask("SELECT state, reason FROM hand WHERE hand_no = 2") == [("undealt", "restored")]
    assert (await world.events.look(event)).event.commitment != committed
    later = (await today(world)).of
    assert (later.number, later.commitment) != (day.number, day.commitment)
    assert findings(world) == []


@pytest.mark.of_sqlite
async def test_after_disown_nothing_is_dealt_that_was_seen_in_the_new_place(
    chance: World, tmp_path: Path, caplog: Caplog
) -> None:
    world = chance
    key = await world.started(ANN, BOB, variant=CLASSIC)
    await world.place_cards(key, await world.turn(key))
    await world.close()
    with (tmp_path / "moved").open("wb") as stream:
        move_out(world.path, world.key_file, stream, MIGRATIONS)
    clear_owner(world.path)
    with caplog.at_level(logging.WARNING):
        await world.open()
    assert "was restored from a copy, or kept with `disown`: new decks for 1 open table" in caplog.text
    assert epochs(world) == 1
    assert world.ask("SELECT state, reason FROM hand WHERE hand_no = 1") == [("void", "restored")]
    again = await dealt(world, key)
    assert again["hand_id"].endswith((await world.play.look(key)).table.epoch)
    assert findings(world) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_start_after_disown_is_not_called_a_restore(language: str) -> None:
    """The same sentences appear after a restore and after `disown`, so they must be true of both."""
    words = words_for(language)
    text = " ".join(
        [
            words("closed.restored"),
            words("root.restored", when="<t:1:f>", first=3),
            words("event_notice.committed_again"),
        ]
    )
    assert not re.search(r"backup|restored|バックアップ|復元", text)


@pytest.mark.of_sqlite
async def test_without_the_file_beside_the_key_a_known_seed_is_dealt_again(chance: World, tmp_path: Path) -> None:
    """This shows the purpose of the file, and the risk that the operators' page describes."""
    world = chance
    key = await world.started(ANN, BOB, variant=CLASSIC)
    await world.play_hand(key)
    await copied(world, tmp_path / "copies")
    forgotten = await dealt(world, key)
    await put_back(world, tmp_path / "copies")
    mark_of(world).unlink()
    await world.open()
    again = await dealt(world, key)
    assert (again["hand_id"], again["seed"]) == (forgotten["hand_id"], forgotten["seed"])


@pytest.mark.of_sqlite
async def test_each_copy_put_back_is_noticed_once_and_so_is_the_newer_one_after_it(
    chance: World, tmp_path: Path
) -> None:
    world = chance
    await world.started(ANN, BOB, variant=CLASSIC)
    await copied(world, tmp_path / "old")
    await copied(world, tmp_path / "newer")
    for count, folder in enumerate(("old", "old", "newer"), 1):
        world.now += 1000
        await put_back(world, tmp_path / folder)
        await world.open()
        assert epochs(world) == 1, f"copy {count}"
        await world.restart(after_ms=1000)
        assert epochs(world) == 1, f"copy {count}"


async def test_a_restart_a_moved_clock_and_a_long_night_make_no_new_decks(world: World) -> None:
    await world.started(ANN, BOB)
    known: list[int] = []
    for move in (0, 1000, 86_400_000, -3_600_000):
        await world.restart(after_ms=move)
        world.now += BEAT_MS
        await world.clock.tick()
        known += BeatMark(world.key_file).all().values()
    assert known == sorted(set(known)), "it is kept at each beat"
    assert known[-1] == world.ask("SELECT beats FROM heartbeat")[0][0]
    assert epochs(world) == 0


@pytest.mark.of_sqlite
async def test_a_marked_copy_makes_them_once_and_not_twice(world: World, tmp_path: Path) -> None:
    await world.started(ANN, BOB)
    (tmp_path / "copies").mkdir()
    back_up(world.path, tmp_path / "copies" / world.path.name, MIGRATIONS, secrets=opened_by(world.vault))
    await world.restart(after_ms=1000)
    await put_back(world, tmp_path / "copies")
    assert behind(world.path, world.key_file) is None, "it says so itself"
    await world.open()
    await world.restart(after_ms=1000)
    assert epochs(world) == 1


@pytest.mark.of_sqlite
@pytest.mark.parametrize("mark", [True, False])
async def test_a_database_that_moves_to_another_machine_goes_on(real_world: World, tmp_path: Path, mark: bool) -> None:
    world = real_world
    await world.started(ANN, BOB)
    await world.close()
    copy_to(tmp_path / "machine", [world.path, world.key_file, *([mark_of(world)] if mark else [])])
    moved = World(tmp_path / "machine", now=world.now + 1000)
    await moved.open()
    await moved.restart(after_ms=1000)
    assert epochs(moved) == 0
    await moved.close()
    await world.open()


async def test_another_database_under_the_same_key_is_none_of_its_copies(real_world: World, tmp_path: Path) -> None:
    world = real_world
    await world.restart()
    other = World(tmp_path / "other", now=world.now)
    copy_to(other.folder, [world.key_file, mark_of(world)])
    await other.open()
    assert epochs(other) == 0
    assert len(BeatMark(other.key_file).all()) == 2
    await other.close()


async def test_a_database_that_loses_commits_while_the_bot_runs_is_put_right_at_the_next_start(
    world: World, caplog: Caplog
) -> None:
    """A server that fails over to an incomplete standby does this."""
    await world.started(ANN, BOB)
    world.now += BEAT_MS
    await world.clock.tick()
    # Go back by one heartbeat.
    do(world.place, "UPDATE heartbeat SET beats = beats - 1")
    for _ in range(3):
        world.now += BEAT_MS
        await world.clock.tick()
    assert caplog.text.count("the database has lost committed data: stop all processes of the bot") == 1
    assert epochs(world) == 0
    await world.restart()
    assert epochs(world) == 1


def test_the_file_says_the_most_and_what_is_not_its_own_is_nothing(tmp_path: Path, caplog: Caplog) -> None:
    key_file, one, two = tmp_path / "chaipo.key", "0" * 16, "f" * 16
    mark = BeatMark(key_file)
    for database, beats in ((one, 5), (two, 7), (one, 3)):
        mark.note(database, beats)
    assert BeatMark(key_file).all() == {one: 5, two: 7}
    assert [file.name for file in tmp_path.iterdir()] == ["chaipo.key.mark"]
    (tmp_path / "chaipo.key.mark").write_bytes(f"{one} 5 6\n\xff\n{two}\n{two} 8\n{one} -1".encode("latin-1"))
    assert mark.all() == {two: 8}
    assert BeatMark(None).known(one) == 0
    assert caplog.text == ""


def test_a_file_that_cannot_be_written_is_told_once_and_stops_nobody(tmp_path: Path, caplog: Caplog) -> None:
    (tmp_path / "chaipo.key.mark").mkdir()
    mark = BeatMark(tmp_path / "chaipo.key")
    for beats in (1, 2):
        mark.note("0" * 16, beats)
    assert mark.known("0" * 16) == 0
    assert caplog.text.count("a copy of the database restored with cp would not be noticed") == 1
