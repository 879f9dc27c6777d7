"""Practice in private: one table for its player, of which nothing is posted and others know nothing."""

import pytest

from bot.model.clock import Clock, Pace
from bot.model.hands import HandState
from bot.model.ids import TableKey
from bot.model.reasons import TableReason
from bot.model.tables import BEHIND_MS, FEW_WAITING, Backlog, TableState, Terms
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.proof import check_proof
from bot.pure.solver.levels import Level
from bot.run.cli.sealed import opened_by
from bot.store.sqlite.backup import back_up
from bot.store.sqlite.database import MIGRATIONS
from tests.play.test_restore import findings, put_back
from tests.play.world import ANN, BOB, CHANNEL, CLUB, GUILD, World


def offer() -> TableOffer:
    """A practice table of Ann's against one computer."""
    return TableOffer(
        guild=GUILD,
        channel=CHANNEL,
        host=ANN,
        language="en",
        terms=Terms(variant=PINEAPPLE, point_value=0, buy_in=0, max_seats=3, clock=Clock(pace=Pace.NONE, seconds=0)),
        computers=CLUB[:1],
    )


async def practised(world: World) -> TableKey:
    """Ann practises."""
    return (await world.play.practise(offer(), cause=world.cause())).key


async def test_it_is_dealt_in_the_transaction_that_opens_it(world: World) -> None:
    key = await practised(world)
    table = (await world.play.look(key, ANN)).table
    assert (table.private, table.state, table.hand_no) == (True, TableState.PLAYING, 1)


async def test_one_press_opens_one_table(world: World) -> None:
    cause = world.cause()
    await world.play.practise(offer(), cause=cause)
    with world.stale(), world.changes_nothing():
        await world.play.practise(offer(), cause=cause)


async def test_hands_are_dealt_when_its_player_asks_and_nothing_is_posted(world: World) -> None:
    key = await practised(world)
    for hand_no in (1, 2):
        await world.play_hand(key)
        await world.later(60_000)
        table = (await world.play.look(key, ANN)).table
        assert (table.state, table.hand_no) == (TableState.BETWEEN, hand_no)
        await world.play.next_hand(key, ANN, hand_no=hand_no, cause=world.cause())
    assert await world.play.postings() == []
    assert await world.play.undrawn() == []
    backlog = await world.play.backlog()
    assert (backlog.undrawn, backlog.unposted, backlog.since) == (0, 0, None)


def test_discord_is_behind_once_a_message_is_late_or_many_wait() -> None:
    few = Backlog(undrawn=2, unposted=3, since=1_000)
    assert (few.behind(1_000), few.behind(1_000 + BEHIND_MS)) == (0, 5)
    many = Backlog(undrawn=FEW_WAITING, unposted=1, since=1_000)
    assert many.behind(1_000) == FEW_WAITING + 1


async def test_the_next_hand_is_dealt_once_and_only_after_this_one(world: World) -> None:
    key = await practised(world)
    with world.stale(), world.changes_nothing():
        await world.play.next_hand(key, ANN, hand_no=1, cause=world.cause())
    await world.play_hand(key)
    await world.play.next_hand(key, ANN, hand_no=1, cause=world.cause())
    with world.stale(), world.changes_nothing():
        await world.play.next_hand(key, ANN, hand_no=1, cause=world.cause())


async def test_for_everybody_else_it_is_not_there(world: World) -> None:
    key = await practised(world)
    play = world.play
    for ask in (
        lambda: play.look(key, BOB),
        lambda: play.join(key, BOB, cause=world.cause()),
        lambda: play.join_computer(key, BOB, level=Level.CLUB, cause=world.cause()),
        lambda: play.leave(key, BOB, cause=world.cause()),
        lambda: play.stay(key, BOB, cause=world.cause()),
        lambda: play.start(key, BOB, cause=world.cause()),
        lambda: play.cancel(key, BOB, cause=world.cause()),
        lambda: play.stop(key, BOB, cause=world.cause()),
        lambda: play.next_hand(key, BOB, hand_no=1, cause=world.cause()),
        lambda: play.place_cards(key, BOB, hand_no=1, street=1, rows="BBBBB", cause=world.cause()),
        lambda: play.surrender(key, BOB, hand_no=1, cause=world.cause()),
        lambda: play.set_entropy(key, BOB, "mine", cause=world.cause()),
        lambda: play.result(key, 1, BOB),
        lambda: play.proof(key, 1, BOB),
    ):
        with world.refuses(TableReason.NO_TABLE), world.changes_nothing():
            await ask()


async def test_nobody_joins_what_its_own_player_invites_to_either(world: World) -> None:
    key = await practised(world)
    with world.refuses(TableReason.ALREADY_SEATED), world.changes_nothing():
        await world.play.join(key, ANN, cause=world.cause())


async def test_whoever_practises_anew_has_one_such_table(world: World) -> None:
    first, second = await practised(world), await practised(world)
    assert not (await world.play.look(first, ANN)).table.open
    assert [table.key for table in await world.play.tables_of(GUILD, ANN)] == [second]


async def test_other_tables_are_neither_stopped_nor_dealt_by_its_buttons(world: World) -> None:
    key = await world.started(ANN, BOB)
    with world.stale(), world.changes_nothing():
        await world.play.stop(key, ANN, cause=world.cause())
    await world.play_hand(key)
    with world.stale(), world.changes_nothing():
        await world.play.next_hand(key, ANN, hand_no=1, cause=world.cause())


async def test_it_closes_by_itself_once_nobody_has_acted_for_long(world: World) -> None:
    key = await practised(world)
    await world.later(world.policy.practice_ms - 60_000)
    await world.play_street(key)
    await world.later(120_000)
    assert (await world.play.look(key, ANN)).table.open, "its player has acted"
    await world.later(world.policy.practice_ms)
    table = (await world.play.look(key, ANN)).table
    assert (table.open, table.closed_reason) == (False, "practice_left")
    assert await world.play.postings() == []


async def test_its_hands_can_be_checked_by_its_player_once_it_is_closed(world: World) -> None:
    key = await practised(world)
    await world.play_hand(key)
    await world.play.stop(key, ANN, cause=world.cause())
    assert check_proof(await world.play.proof(key, 1, ANN)).ok


@pytest.mark.of_sqlite
async def test_it_goes_on_after_a_restart_and_after_a_restore(world: World) -> None:
    key = await practised(world)
    copy = world.path.with_name("copy.db")
    back_up(world.path, copy, MIGRATIONS, secrets=opened_by(world.vault))
    await world.restart()
    assert (await world.play.look(key, ANN)).table.state is TableState.PLAYING
    await put_back(world, copy)
    table = (await world.play.look(key, ANN)).table
    assert table.state is TableState.BETWEEN
    result = await world.play.result(key, table.hand_no, ANN)
    assert (result.record.state, result.record.reason) == (HandState.UNDEALT, "restored")
    await world.play.next_hand(key, ANN, hand_no=table.hand_no, cause=world.cause())
    await world.play_hand(key)
    assert await world.play.postings() == []
    assert findings(world) == []
