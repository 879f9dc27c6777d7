"""Provably fair in play: committed to before the presses, revealed in time, and never guessed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.model.hands import HandState, hand_id, tree_id
from bot.model.ids import Player, TableKey
from bot.model.reasons import HandReason
from bot.model.refusals import Stale
from bot.model.tables import PostKind, TableState, Timer
from bot.play.session import decks
from bot.pure.ofc.cards import cards_text, full_deck
from bot.pure.ofc.deck_tree import HANDS, compute_root
from bot.pure.ofc.hand import HandStatus
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from bot.pure.ofc.proof import check_proof
from bot.pure.solver.levels import Level
from bot.store.vault import SeedDecryptionError
from tests.play.world import ANN, BOB, CLEO, CLUB, GUILD, World

DEAL_NAME = f"{GUILD}/1/"


async def shown(world: World, key: TableKey) -> bytes:
    """Return the public commitment to the next hand's seed."""
    return (await world.play.look(key)).table.commitment


async def fixed_by(world: World, key: TableKey, hand_no: int) -> bytes:
    """Return the commitment that follows from the seed of a dealt hand."""
    record = await world.record(key, hand_no)
    return decks.committed_with(world.vault, key, record)


async def entropy(world: World, key: TableKey, hand_no: int) -> dict[Player, str]:
    return dict((await world.record(key, hand_no)).entropy)


def checked(proof: Any) -> dict[str, Any]:
    """A proof as a stranger reads it, who finds it right."""
    record: dict[str, Any] = json.loads(json.dumps(proof))
    verdict = check_proof(record)
    assert verdict.ok, verdict.text
    return record


# commitments


async def test_a_hand_is_committed_to_before_anybody_can_press_for_it(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB, variant=CLASSIC)
    promised = await shown(world, key)
    await world.play.start(key, ANN, cause="s")
    seeds = set()
    for number in (1, 2, 3):
        await world.play_hand(key)
        result = await world.play.result(key, number)
        assert result.seed is not None
        assert await fixed_by(world, key, number) == result.record.commitment == promised == await shown(world, key)
        seeds.add(result.seed)
        await world.next_hand(key)
    assert len(seeds) == 3


async def test_a_new_root_is_there_before_anybody_can_press_for_the_first_hand_that_it_fixes(world: World) -> None:
    key = await world.table(ANN, BOB, variant=CLASSIC)
    first = await shown(world, key)
    # As if all hands but one had been played.
    world.do("UPDATE game_table SET hand_no = ?", HANDS - 2)
    await world.start(key)
    assert await shown(world, key) == first
    await world.play_hand(key)
    await world.next_hand(key)
    table = (await world.play.look(key)).table
    assert (table.hand_no, table.tree_from, table.root_message) == (HANDS, HANDS + 1, None)
    assert table.commitment != first
    await world.play_hand(key)
    await world.next_hand(key)
    await world.play_hand(key)
    for number, root in ((HANDS - 1, first), (HANDS, first), (HANDS + 1, table.commitment)):
        assert await fixed_by(world, key, number) == root
        assert checked(await world.play.proof(key, number))["root"] == root.hex()


async def test_a_commitment_is_on_the_disk_before_it_is_shown(real_world: World) -> None:
    world = real_world
    heard: list[bytes] = []
    world.core.bus.table_changed.subscribe(
        lambda _: heard.append(bytes(world.ask("SELECT commitment FROM game_table")[0][0]))
    )
    key = await world.table(ANN, BOB)
    assert heard[0] == await shown(world, key)
    await world.play.start(key, ANN, cause="s")
    assert heard[-1] == heard[0] == await shown(world, key)


async def test_a_commitment_survives_a_restart(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB)
    before = await shown(world, key)
    await world.restart()
    assert await shown(world, key) == before
    await world.play.start(key, ANN, cause="s")
    assert (await world.record(key, 1)).commitment == before


async def test_the_lobby_between_hands_keeps_the_commitment(world: World) -> None:
    key = await world.started(ANN, BOB)
    promised = await shown(world, key)
    await world.leave(key, BOB)
    await world.play_hand(key)
    await world.next_hand(key)
    await world.join(key, CLEO)
    assert await shown(world, key) == promised
    await world.next_hand(key)
    assert (await world.record(key, 2)).commitment == promised


async def test_the_seed_of_a_hand_opens_as_no_other(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB)
    record = await world.next_record(key)
    assert record.deal is not None
    seed, leaf = world.seed_of(key, record), record.deal.leaf
    assert compute_root(hand_id(key, 1), seed, leaf.place, leaf.path) == await shown(world, key)
    assert compute_root(hand_id(key, 2), seed, leaf.place, leaf.path) != await shown(world, key)
    with pytest.raises(SeedDecryptionError):
        world.vault.unseal(record.sealed_seed, hand_id=hand_id(key, 2))


async def test_neither_seeds_nor_decks_nor_cards_are_stored(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB)
    table = (await world.play.look(key)).table
    secret = world.vault.unseal(table.sealed_seed, hand_id=tree_id(key, table.tree_from, epoch=table.epoch))
    await world.start(key)
    await world.play_hand(key)
    seed, hand = world.seed_of(key, await world.record(key, 1)), await world.replayed(key, 1)
    deck = cards_text(hand.deck)
    stored = b"".join(path.read_bytes() for path in world.folder.iterdir() if path.name.startswith("chaipo.db"))
    for hidden in (secret, seed):
        assert hidden not in stored
        assert hidden.hex().encode() not in stored
    for place in range(0, len(deck) - 10, 2):
        assert deck[place : place + 10].encode() not in stored


# entropy


async def test_the_entropy_of_the_first_hand_is_who_joined_and_who_started(world: World) -> None:
    key = await world.table(ANN)
    await world.play.join(key, BOB, cause="join-bob")
    await world.play.start(key, ANN, cause="start-ann")
    assert await entropy(world, key, 1) == {ANN: "start-ann", BOB: "join-bob"}


async def test_the_entropy_of_a_hand_is_the_last_accepted_press_since_its_commitment(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    for street in range(1, 6):
        for player in (BOB, CLEO, ANN):
            if (street, player) != (5, CLEO):
                await world.place_cards(key, player, cause=f"{street}-{player}")
            else:
                await world.time_out(key)
    with world.stale():
        await world.play.place_cards(key, ANN, hand_no=1, street=5, rows="BBD", cause="too-late")
    await world.next_hand(key)
    assert await entropy(world, key, 2) == {ANN: f"5-{ANN}", BOB: f"5-{BOB}", CLEO: f"4-{CLEO}"}


async def test_who_did_not_press_adds_nothing(world: World) -> None:
    key = await world.started(ANN, BOB)
    while (await world.play.look(key)).waiting:
        if await world.turn(key) == ANN:
            await world.place_cards(key, ANN, cause=world.cause() + "-ann")
        else:
            await world.time_out(key)
    await world.stay(key, BOB)
    await world.next_hand(key)
    given = await entropy(world, key, 2)
    assert given[BOB] == ""
    assert given[ANN].endswith("-ann")


async def test_a_text_of_ones_own_goes_into_the_next_shuffle_whatever_one_presses_afterwards(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.play.set_entropy(key, BOB, "幸運 🍀", cause=world.cause())
    await world.play_hand(key)
    await world.next_hand(key)
    given = await entropy(world, key, 2)
    assert given[BOB] == "幸運 🍀"
    assert given[ANN] not in ("", "幸運 🍀")
    await world.play_hand(key)
    await world.next_hand(key)
    assert "幸運 🍀" not in (await entropy(world, key, 3)).values()


async def test_any_text_goes_into_the_shuffle_and_its_proof(world: World) -> None:
    key = await world.table(ANN, BOB, variant=CLASSIC)
    for text in ("\0", "\ud83c", "'); DROP TABLE seat; --", "\U0001f340" * 64, "a\u0301", "\x85\u2028"):
        await world.play.set_entropy(key, BOB, text, cause=world.cause())
        state = (await world.play.look(key)).table.state
        await (world.start(key) if state is TableState.LOBBY else world.next_hand(key))
        await world.play_hand(key)
        hand_no = (await world.play.look(key)).table.hand_no
        assert (await entropy(world, key, hand_no))[BOB] == text.replace("\ud83c", "?").replace("\0", "?")
        checked(await world.play.proof(key, hand_no))


async def test_the_last_text_of_ones_own_counts(world: World) -> None:
    key = await world.table(ANN, BOB)
    for text in ("first", "second"):
        await world.play.set_entropy(key, ANN, text, cause=world.cause())
    await world.play.start(key, ANN, cause="s")
    assert (await entropy(world, key, 1))[ANN] == "second"


async def test_a_text_of_ones_own_changes_the_deck(world: World) -> None:
    decks = []
    for text in ("one", "two"):
        other = World(world.folder / text, fixed=world.fixed)
        await other.open()
        other.vault.new_seed = lambda: b"s" * 32  # type: ignore[method-assign]  # the same secret for both
        key = await other.table(ANN, BOB)
        await other.play.set_entropy(key, BOB, text, cause=other.cause())
        await other.play.start(key, ANN, cause="s")
        decks.append((await other.replayed(key, 1)).deck)
        await other.close()
    assert decks[0] != decks[1]
    assert sorted(decks[0]) == sorted(decks[1]) == sorted(full_deck())


async def test_what_a_waiting_newcomer_gave_before_a_commitment_does_not_count(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, ANN)
    await world.join(key, CLEO)
    plans = await world.rig(key)
    await world.next_hand(key)
    await world.play_hand(key, plans)
    await world.next_hand(key)
    assert (await entropy(world, key, 3))[CLEO] == ""


async def test_computers_add_nothing(world: World) -> None:
    key = await world.table(ANN, point_value=0, computers=1)
    await world.play.join_computer(key, ANN, level=Level.CLUB, cause="press of the host")
    await world.play.start(key, ANN, cause="s")
    assert await entropy(world, key, 1) == {ANN: "s", CLUB[0]: "", CLUB[1]: ""}


# proofs


async def test_the_seed_of_a_classic_hand_is_revealed_after_the_hand(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB, variant=CLASSIC)
    await world.start(key)
    with world.refuses(HandReason.NOT_REVEALED_YET, hand=1):
        await world.play.proof(key, 1)
    await world.play_hand(key)
    record = checked(await world.play.proof(key, 1))
    assert record["hand_id"] == f"{DEAL_NAME}1"
    assert record["deck_order"] == cards_text((await world.replayed(key, 1)).deck)
    assert {row["player"]: row["entropy"] for row in record["players"]} == await entropy(world, key, 1)
    seed = (await world.play.result(key, 1)).seed
    assert seed is not None
    assert record["seed"] == seed.hex()
    assert record["dealt"] == {"button": 0, "fantasyland": [0, 0]}


async def test_the_seed_of_a_pineapple_hand_is_revealed_when_the_table_closes(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB, variant=PINEAPPLE)
    await world.start(key)
    await world.play_hand(key)
    await world.next_hand(key)
    with world.refuses(HandReason.NOT_REVEALED_BEFORE_CLOSING, hand=1, table=1):
        await world.play.proof(key, 1)
    assert (await world.play.result(key, 1)).seed is None
    await world.play.close(key, reason="closed_by_admin")
    for number in (1, 2, 3):
        checked(await world.play.proof(key, number))
        assert (await world.play.result(key, number)).seed is not None


async def test_a_voided_hand_is_revealed_with_its_reason(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB, variant=CLASSIC)
    await world.start(key)
    await world.play_street(key)
    await world.play.close(key, reason="channel_gone")
    result = await world.play.result(key, 1)
    assert (result.record.state, result.record.reason, result.results) == (HandState.VOID, "channel_gone", ())
    assert result.hand is not None
    assert result.hand.status is HandStatus.VOIDED
    assert result.hand.score is None
    checked(await world.play.proof(key, 1))


async def test_a_hand_that_was_never_dealt_is_revealed_too(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB)
    promised = await shown(world, key)
    await world.play.cancel(key, ANN, cause="c")
    result = await world.play.result(key, 1)
    assert (result.record.state, result.hand) == (HandState.UNDEALT, None)
    record = checked(await world.play.proof(key, 1))
    assert (record["root"], record["players"]) == (promised.hex(), [])
    with world.refuses(HandReason.NO_SUCH_HAND, last=0):
        await world.play.proof(key, 2)


async def test_the_hands_of_a_table_have_no_gaps_and_each_has_its_reveal(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB, CLEO)
    await world.start(key)
    await world.play_hand(key)
    await world.next_hand(key)
    await world.leave(key, CLEO)
    await world.play_hand(key)
    await world.next_hand(key)
    await world.play_street(key)
    await world.play.close(key, reason="closed_by_admin")
    rows = world.ask("SELECT hand_no, state FROM hand ORDER BY hand_no")
    assert rows == [(1, "settled"), (2, "settled"), (3, "void"), (4, "undealt")]
    proofs = [checked(await world.play.proof(key, number)) for number, _ in rows]
    assert len({proof["root"] for proof in proofs}) == 1
    assert [proof["leaf"] for proof in proofs] == [0, 1, 2, 3]
    assert len({proof["seed"] for proof in proofs}) == 4


async def test_hand_numbers_that_do_not_exist_are_refused(world: World) -> None:
    key = await world.started(ANN, BOB)
    for number in (-1, 0, 2, 10**9):
        with world.refuses(HandReason.NO_SUCH_HAND, last=1):
            await world.play.proof(key, number)


# a key that is lost


def forget_the_key(path: Path) -> None:
    """The key file is deleted; a start makes a new one."""
    path.unlink()


def replace_the_key(path: Path) -> None:
    """Replace the key."""
    path.write_text("ab" * 32)
    path.chmod(0o600)


Loss = Callable[[Path], None]
every_loss = pytest.mark.parametrize("lose", [forget_the_key, replace_the_key])


async def lost(world: World, lose: Loss) -> None:
    """The bot ends, the key is lost, the bot starts."""
    await world.close()
    lose(world.key_file)
    await world.open()


async def check_void_and_go_on(world: World, key: TableKey, hand_no: int) -> None:
    """Check that the hand is void and pays no one, that its seed isn't invented, and that the next hand is played."""
    result = await world.play.result(key, hand_no)
    assert (result.record.state, result.record.reason) == (HandState.VOID, "seed_lost")
    assert (result.hand, result.seed, result.results) == (None, None, ())
    assert (await world.play.postings())[-1].kind is PostKind.VOID
    assert (await world.play.look(key)).table.state is TableState.BETWEEN
    assert {place.stack for place in (await world.play.look(key)).places} <= {1000, 0}
    # The one after it was committed to under the lost key as well.
    view = await world.next_hand(key)
    assert (await world.record(key, hand_no + 1)).reason == "seed_lost"
    assert view.table.state is TableState.BETWEEN
    view = await world.next_hand(key)
    assert (view.table.state, view.table.hand_no) == (TableState.PLAYING, hand_no + 2)
    world.check_books()


@every_loss
async def test_a_press_without_the_key_voids_the_hand_and_the_table_goes_on(real_world: World, lose: Loss) -> None:
    world = real_world
    key = await world.table(ANN, BOB)
    await world.start(key)
    await lost(world, lose)
    assert (await world.play.look(key, BOB)).hand is None
    with pytest.raises(Stale):
        await world.play.place_cards(key, BOB, hand_no=1, street=1, rows="BBBBB", cause="p")
    await check_void_and_go_on(world, key, 1)
    await world.play_hand(key)


@every_loss
async def test_the_clock_without_the_key_voids_the_hand(real_world: World, lose: Loss) -> None:
    world = real_world
    key = await world.table(ANN, BOB)
    await world.start(key)
    await lost(world, lose)
    await world.later(60_000)
    await check_void_and_go_on(world, key, 1)


@every_loss
async def test_a_computers_turn_without_the_key_voids_the_hand(real_world: World, lose: Loss) -> None:
    world = real_world
    key = await world.table(ANN, point_value=0, computers=1)
    await world.start(key)
    await lost(world, lose)
    await world.later(world.policy.computer_ms)
    await check_void_and_go_on(world, key, 1)


@every_loss
async def test_a_press_in_a_computers_turn_without_the_key_voids_the_hand(real_world: World, lose: Loss) -> None:
    world = real_world
    key = await world.table(ANN, point_value=0, computers=1)
    await world.start(key)
    await lost(world, lose)
    with pytest.raises(Stale):
        await world.play.place_cards(key, ANN, hand_no=1, street=1, rows="BBBBB", cause="p")
    assert set(world.timers(key)) == {Timer.NEXT_HAND.value}
    await check_void_and_go_on(world, key, 1)


@every_loss
async def test_coming_back_without_the_key_voids_the_hand(real_world: World, lose: Loss) -> None:
    world = real_world
    key = await world.table(ANN, BOB)
    await world.start(key)
    for _ in range(2):
        await world.time_out(key)
        await world.place_cards(key, ANN)
    await lost(world, lose)
    await world.stay(key, BOB)
    await check_void_and_go_on(world, key, 1)


@every_loss
async def test_a_deal_without_the_key_voids_the_hand_before_it_begins(real_world: World, lose: Loss) -> None:
    world = real_world
    key = await world.table(ANN, BOB)
    await lost(world, lose)
    table = await world.play.start(key, ANN, cause="s")
    assert (table.state, table.hand_no) == (TableState.BETWEEN, 1)
    assert (await world.record(key, 1)).reason == "seed_lost"
    view = await world.next_hand(key)
    assert (view.table.state, view.table.hand_no) == (TableState.PLAYING, 2)


@every_loss
async def test_closing_without_the_key_gives_the_chips_back(real_world: World, lose: Loss) -> None:
    world = real_world
    key = await world.table(ANN, BOB)
    await world.start(key)
    await lost(world, lose)
    await world.play.close(key, reason="closed_by_admin")
    assert world.balances("wallet") == {ANN: 10_000, BOB: 10_000}
    for number in (1, 2):
        with world.refuses(HandReason.SEED_LOST, hand=number):
            await world.play.proof(key, number)


async def test_a_settled_hand_keeps_its_result_when_its_seed_is_lost(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB, variant=CLASSIC)
    await world.start(key)
    await world.play_hand(key)
    before = await world.play.result(key, 1)
    await lost(world, forget_the_key)
    result = await world.play.result(key, 1)
    assert (result.results, result.record) == (before.results, before.record)
    assert (result.hand, result.seed) == (None, None)


async def test_when_the_key_comes_back_a_voided_hand_stays_void_and_is_revealed(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB, variant=CLASSIC)
    await world.start(key)
    await world.play_street(key)
    good = world.key_file.read_text()
    await lost(world, replace_the_key)
    await world.later(60_000)
    await world.next_hand(key)
    await world.close()
    world.key_file.write_text(good + world.key_file.read_text())
    await world.open()
    for number in (1, 2):
        result = await world.play.result(key, number)
        assert result.hand is not None
        assert result.hand.status is HandStatus.VOIDED
        checked(await world.play.proof(key, number))
    assert not (await world.play.look(key)).waiting
    await world.next_hand(key)
    await world.play_hand(key)
    checked(await world.play.proof(key, 3))


async def test_an_older_key_in_the_file_goes_on_opening_its_hands(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB)
    await world.start(key)
    await world.close()
    world.key_file.write_text("cd" * 32 + "\n" + world.key_file.read_text())
    await world.open()
    await world.play_hand(key)
    await world.next_hand(key)
    await world.play_hand(key)
    assert (await world.record(key, 2)).state is HandState.SETTLED
    assert world.ask("SELECT COUNT(*) FROM hand WHERE state = 'void'") == [(0,)]


async def test_a_damaged_seal_voids_its_hand(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB)
    await world.start(key)
    sealed = bytearray((await world.record(key, 1)).sealed_seed)
    sealed[40] ^= 1
    world.do("UPDATE hand SET sealed_seed = ?", bytes(sealed))
    await world.later(60_000)
    assert (await world.record(key, 1)).reason == "seed_lost"
    view = await world.next_hand(key)
    assert (view.table.state, view.table.hand_no) == (TableState.PLAYING, 2)


async def test_fantasyland_outlives_a_hand_that_was_lost(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, ANN)
    await world.next_hand(key)
    world.do("UPDATE hand SET sealed_seed = ? WHERE hand_no = 2", b"\0")
    await world.later(60_000)
    assert (await world.record(key, 2)).reason == "seed_lost"
    view = await world.next_hand(key)
    assert view.hand is not None
    assert [(seat.player, seat.fantasyland) for seat in view.hand.seats] == [(ANN, 14), (BOB, 0)]
    assert view.hand.button == 0
