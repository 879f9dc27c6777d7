"""After a restore: possibly known decks aren't played, no one loses chips, and play continues."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.model.hands import HandState, hand_id
from bot.model.ids import UNTAGGED, TableKey
from bot.model.refusals import Stale
from bot.model.tables import PostKind, TableState
from bot.play.session import decks
from bot.pure.ofc.presets import CLASSIC
from bot.pure.ofc.proof import check_proof
from bot.run.cli.sealed import opened_by
from bot.store.sqlite.backup import back_up
from bot.store.sqlite.database import MIGRATIONS
from bot.store.upkeep import inspect
from tests.play.world import ANN, BOB, CLEO, DAN, EVE, OTHER_GUILD, World


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return the path of the copy."""
    return tmp_path / "copy.db"


async def put_back(world: World, copy: Path, *, after_ms: int = 0) -> None:
    """Stop the bot, put the copy in the place of its database by hand, and start it again."""
    await world.close()
    for side in ("-wal", "-shm"):
        world.path.with_name(world.path.name + side).unlink(missing_ok=True)
    shutil.copy(copy, world.path)
    world.now += after_ms
    await world.open()


def findings(world: World) -> list[str]:
    """Return errors in the database."""
    return [finding.line for finding in inspect(world.place, secrets=opened_by(world.vault)).report.findings]


async def states(world: World, key: TableKey) -> list[tuple[Any, ...]]:
    """All hands of a table with their states and reasons."""
    return world.ask(
        "SELECT hand_no, state, reason FROM hand WHERE guild_id = ? AND table_id = ? ORDER BY hand_no",
        key.guild,
        key.table,
    )


@pytest.mark.of_sqlite
async def test_a_running_hand_is_void_and_the_next_deck_is_another(world: World, copy: Path) -> None:
    key = await world.started(ANN, BOB, variant=CLASSIC)
    await world.place_cards(key, await world.turn(key))
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    committed = (await world.play.look(key)).table.commitment
    stacks = {place.seat.player: place.stack for place in (await world.play.look(key)).places}
    # The copy doesn't know that this hand ended and the next was dealt from the committed deck.
    await world.play_hand(key)
    await world.next_hand(key)
    assert (await world.record(key, 2)).commitment == committed
    await put_back(world, copy)
    assert await states(world, key) == [(1, "void", "restored"), (2, "undealt", "restored")]
    view = await world.play.look(key)
    assert (view.table.state, view.table.hand_no, view.hand) == (TableState.BETWEEN, 2, None)
    assert view.table.commitment != committed
    record = await world.next_record(key)
    assert record.deal is not None
    assert (record.deal.epoch, record.deal.leaf.place) == (view.table.epoch, 0)
    assert decks.committed_with(world.vault, key, record) == view.table.commitment
    assert record.id_at(key) == f"{hand_id(key, 3)}/{view.table.epoch}"
    assert {place.seat.player: place.stack for place in view.places} == stacks
    assert [(posting.kind, posting.hand_no) for posting in await world.play.postings()] == [(PostKind.VOID, 1)]
    assert key in await world.play.undrawn()
    assert findings(world) == []


@pytest.mark.of_sqlite
async def test_play_goes_on_after_the_usual_pause(world: World, copy: Path) -> None:
    key = await world.started(ANN, BOB, CLEO, variant=CLASSIC)
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    await put_back(world, copy, after_ms=86_400_000)
    await world.next_hand(key)
    assert (await world.play.look(key)).table.hand_no == 3
    await world.play_hand(key)
    assert (await world.record(key, 3)).state is HandState.SETTLED
    assert (await world.play.proof(key, 3))["root"] == (await world.record(key, 3)).commitment.hex()
    world.check_books()
    assert findings(world) == []
    await world.play.close(key, reason="closed_by_admin")
    assert [state for _, state, _ in await states(world, key)] == ["void", "undealt", "settled", "undealt"]
    assert findings(world) == []


@pytest.mark.of_sqlite
async def test_the_seed_that_is_not_dealt_is_revealed_with_its_reason(world: World, copy: Path) -> None:
    key = await world.table(ANN, BOB, variant=CLASSIC)
    committed = (await world.play.look(key)).table.commitment
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    await put_back(world, copy)
    result = await world.play.result(key, 1)
    assert (result.record.state, result.record.reason, result.hand) == (HandState.UNDEALT, "restored", None)
    assert (await world.play.proof(key, 1))["root"] == committed.hex()
    assert check_proof(await world.play.proof(key, 1)).ok


@pytest.mark.of_sqlite
async def test_tables_that_wait_or_pause_get_a_new_deck_too_and_are_told(world: World, copy: Path) -> None:
    waiting = await world.table(DAN, EVE, guild=OTHER_GUILD)
    pausing = await world.started(ANN, BOB)
    await world.play_hand(pausing)
    for posting in await world.play.postings():
        await world.play.posted(posting.number)
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    before = {key: (await world.play.look(key)).table.commitment for key in (waiting, pausing)}
    await put_back(world, copy)
    assert await states(world, waiting) == [(1, "undealt", "restored")]
    assert await states(world, pausing) == [(1, "settled", None), (2, "undealt", "restored")]
    for key, commitment in before.items():
        assert (await world.play.look(key)).table.commitment != commitment
    posted = {(posting.key, posting.kind, posting.hand_no) for posting in await world.play.postings()}
    assert posted == {(waiting, PostKind.VOID, 1), (pausing, PostKind.VOID, 2)}
    assert (await world.play.look(waiting)).table.state is TableState.LOBBY
    await world.start(waiting)
    await world.play_hand(waiting)
    await world.next_hand(pausing)
    await world.play_hand(pausing)
    world.check_books()
    assert findings(world) == []


@pytest.mark.of_sqlite
async def test_fantasyland_is_kept(world: World, copy: Path) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, BOB)
    await world.next_hand(key)
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    await put_back(world, copy)
    view = await world.next_hand(key)
    assert view.hand is not None
    assert {seat.player: seat.fantasyland for seat in view.hand.seats} == {ANN: 0, BOB: 14}


@pytest.mark.of_sqlite
async def test_what_was_put_into_the_shuffle_before_is_forgotten(world: World, copy: Path) -> None:
    key = await world.table(ANN, BOB)
    await world.play.set_entropy(key, BOB, "a text", cause=world.cause())
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    await put_back(world, copy)
    assert [place.seat.entropy for place in (await world.play.look(key)).places] == ["", ""]


@pytest.mark.of_sqlite
async def test_a_press_for_the_forgotten_hand_comes_too_late(world: World, copy: Path) -> None:
    key = await world.started(ANN, BOB)
    player = await world.turn(key)
    rows = await world.letters(key, player)
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    await put_back(world, copy)
    with pytest.raises(Stale):
        await world.play.place_cards(key, player, hand_no=1, street=1, rows=rows, cause=world.cause())


@pytest.mark.of_sqlite
async def test_a_practice_table_goes_on_too(world: World, copy: Path) -> None:
    key = await world.started(ANN, computers=2, point_value=0)
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    await put_back(world, copy)
    view = await world.next_hand(key)
    assert (view.table.hand_no, view.table.state) == (3, TableState.PLAYING)


@pytest.mark.of_sqlite
async def test_all_that_happens_once(world: World, copy: Path) -> None:
    key = await world.started(ANN, BOB)
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    await put_back(world, copy)
    await world.next_hand(key)
    before = world.dump()
    await world.restart()
    assert world.dump()["hand"] == before["hand"]
    assert (await world.play.look(key)).table.state is TableState.PLAYING


@pytest.mark.of_sqlite
async def test_a_new_key_does_not_hinder_it(real_world: World, copy: Path) -> None:
    world = real_world
    key = await world.started(ANN, BOB)
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    world.key_file.unlink()
    await put_back(world, copy)
    await world.next_hand(key)
    await world.play_hand(key)
    assert (await world.record(key, 3)).state is HandState.SETTLED
    assert findings(world) == []


@pytest.mark.of_sqlite
async def test_a_button_without_a_tag_means_no_table_of_a_restored_database(world: World, copy: Path) -> None:
    """Messages of versions before there were tags may be older than the copy that was put back."""
    key = await world.table(ANN, BOB)
    untagged = TableKey(guild=key.guild, table=key.table, tag=UNTAGGED)
    assert (await world.play.look(untagged)).table.key == key
    tagged = TableKey(guild=key.guild, table=key.table, tag=(await world.play.look(key)).table.tag)
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    await put_back(world, copy)
    for old in (untagged, tagged):
        with pytest.raises(Stale):
            await world.play.join(old, CLEO, cause=world.cause())
        with pytest.raises(Stale):
            await world.play.look(old)
    assert (await world.play.look(key)).table.tag != tagged.tag
