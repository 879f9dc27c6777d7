"""Tables before and after hands: open, join, leave, start, cancel, close; and every refusal changes nothing."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.model.clock import Clock, Pace
from bot.model.hands import HandState
from bot.model.ids import COMPUTERS, Player, TableId, TableKey, is_computer, level_of
from bot.model.limits import MAX_SHUFFLE_TEXT_LENGTH, MIN_BUY_IN_POINTS
from bot.model.reasons import HandReason, TableReason
from bot.model.refusals import Stale
from bot.model.tables import PostKind, Table, TableState, Terms, Timer
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from bot.pure.solver.levels import Level
from tests.play.world import ANN, BOB, CHANNEL, CLEO, CLUB, DAN, EVE, GUILD, OTHER_GUILD, World

NOWHERE = TableKey(guild=GUILD, table=TableId(99))


async def players(world: World, key: TableKey) -> list[Player]:
    return [place.seat.player for place in (await world.play.look(key)).places]


async def posts(world: World) -> list[PostKind]:
    return [posting.kind for posting in await world.play.postings()]


async def again(world: World, key: TableKey, player: Player) -> Table:
    clock = Clock(pace=Pace.NONE, seconds=0)
    like = TableOffer(
        guild=GUILD,
        channel=CHANNEL,
        host=player,
        language="en",
        terms=Terms(variant=CLASSIC, point_value=1, buy_in=100, max_seats=2, clock=clock),
    )
    return await world.play.play_again(key, like, cause=world.cause())


def grants(world: World, *who: Player) -> None:
    """Check that new players' wallets have the starting chips."""
    assert world.balances("wallet") == dict.fromkeys(who, world.policy.start_chips)


# opening


async def test_who_opens_a_table_sits_at_it_and_waits_for_others(world: World) -> None:
    key = await world.table(
        ANN, variant=CLASSIC, point_value=5, buy_in=500, clock=Clock(pace=Pace.PER_TURN, seconds=30)
    )
    view = await world.play.look(key)
    assert (view.table.host, view.table.state, view.table.hand_no) == (ANN, TableState.LOBBY, 0)
    assert (view.table.terms.variant, view.table.terms.point_value, view.table.channel) == (CLASSIC, 5, CHANNEL)
    assert [(place.seat.number, place.seat.player, place.stack) for place in view.places] == [(0, ANN, 500)]
    assert view.lobby_until == world.now + world.policy.lobby_ms
    assert view.hand is None
    assert await world.play.wallet(GUILD, ANN) == world.policy.start_chips - 500


async def test_tables_are_numbered_in_each_server(world: World) -> None:
    keys = [await world.table(ANN), await world.table(BOB), await world.table(ANN, guild=OTHER_GUILD)]
    assert [(key.guild, key.table) for key in keys] == [(GUILD, 1), (GUILD, 2), (OTHER_GUILD, 1)]


async def test_each_server_has_its_own_chips(world: World) -> None:
    await world.table(ANN, guild=OTHER_GUILD)
    assert await world.play.wallet(OTHER_GUILD, ANN) == world.policy.start_chips - 1000
    assert await world.play.wallet(GUILD, ANN) == world.policy.start_chips


@pytest.mark.parametrize("seats", [-1, 0, 1, 4, 8])
async def test_a_game_says_how_many_seats_it_has(world: World, seats: int) -> None:
    with world.refuses(TableReason.TOO_MANY_SEATS, least=2, most=3):
        await world.table(ANN, seats=seats or 9)


async def test_a_buy_in_that_is_too_small_is_refused(world: World) -> None:
    with world.refuses(TableReason.BUY_IN_TOO_SMALL, least=10 * MIN_BUY_IN_POINTS):
        await world.table(ANN, point_value=10, buy_in=10 * MIN_BUY_IN_POINTS - 1)
    await world.table(ANN, point_value=10, buy_in=10 * MIN_BUY_IN_POINTS)


async def test_who_has_too_few_chips_cannot_open_a_table(world: World) -> None:
    with world.refuses(TableReason.NOT_ENOUGH_CHIPS, need=10_001, have=10_000):
        await world.table(ANN, buy_in=10_001)


async def test_computers_play_only_at_practice_tables(world: World) -> None:
    with world.refuses(TableReason.COMPUTER_NEEDS_PRACTICE):
        await world.table(ANN, computers=1)
    key = await world.table(ANN, point_value=0, computers=2)
    assert await players(world, key) == [ANN, *CLUB[:2]]


async def test_computers_leave_their_host_a_seat(world: World) -> None:
    with world.refuses(TableReason.TOO_MANY_SEATS, least=2, most=3):
        await world.table(ANN, point_value=0, computers=3)


async def test_nobody_sits_at_more_than_five_tables(world: World) -> None:
    keys = [await world.table(ANN) for _ in range(4)]
    keys.append(await world.table(BOB, ANN))
    with world.refuses(TableReason.TOO_MANY_TABLES, most=5, slow=25):
        await world.table(ANN)
    other = await world.table(CLEO)
    with world.refuses(TableReason.TOO_MANY_TABLES, most=5, slow=25):
        await world.join(other, ANN)
    await world.leave(keys[0], ANN)
    await world.join(other, ANN)
    await world.table(ANN, guild=OTHER_GUILD)


# joining


async def test_who_joins_takes_the_first_free_seat_with_the_buy_in(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    await world.leave(key, BOB)
    table = await world.join(key, DAN)
    view = await world.play.look(key)
    assert [(place.seat.player, place.stack) for place in view.places] == [(ANN, 1000), (DAN, 1000), (CLEO, 1000)]
    assert table.version == view.table.version
    assert await world.play.wallet(GUILD, BOB) == world.policy.start_chips


async def test_a_full_table_says_so(world: World) -> None:
    key = await world.table(ANN, BOB, seats=2)
    with world.refuses(TableReason.TABLE_FULL, seats=2):
        await world.join(key, CLEO)


async def test_nobody_sits_at_a_table_twice(world: World) -> None:
    key = await world.table(ANN, BOB)
    with world.refuses(TableReason.ALREADY_SEATED):
        await world.join(key, BOB)


async def test_who_has_too_few_chips_cannot_join(world: World) -> None:
    await world.table(ANN, buy_in=9_500)
    key = await world.table(BOB)
    with world.refuses(TableReason.NOT_ENOUGH_CHIPS, need=1000, have=500):
        await world.join(key, ANN)


async def test_a_table_that_is_not_there_refuses_everything(world: World) -> None:
    await world.table(ANN)
    for act in deeds(world, NOWHERE, ANN):
        with world.refuses(TableReason.NO_TABLE):
            await act()
    with world.refuses(TableReason.NO_TABLE):
        await world.play.look(NOWHERE)
    with world.refuses(TableReason.NO_TABLE):
        await world.play.close(NOWHERE, reason="closed_by_admin")


async def test_a_closed_table_refuses_everything(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.play.close(key, reason="closed_by_admin")
    for act in deeds(world, key, ANN):
        with world.refuses(TableReason.TABLE_CLOSED):
            await act()


async def test_a_stranger_has_no_say_at_a_table(world: World) -> None:
    key = await world.table(ANN, BOB)
    for act, reason in zip(
        deeds(world, key, EVE)[1:],
        [
            *[TableReason.NOT_AT_THIS_TABLE] * 2,
            TableReason.ONLY_HOST_STARTS,
            *[TableReason.NOT_HOST] * 2,
            TableReason.NOT_AT_THIS_TABLE,
        ],
        strict=True,
    ):
        told: dict[str, int | str] = {"player": ANN}
        if reason is TableReason.NOT_AT_THIS_TABLE:
            told = {"table": int(key.table)}
        with world.refuses(reason, **told):
            await act()


def deeds(world: World, key: TableKey, player: Player) -> list[Callable[[], Awaitable[object]]]:
    """Everything that can be asked of a table in its lobby."""
    play = world.play
    return [
        lambda: play.join(key, player, cause="x"),
        lambda: play.leave(key, player, cause="x"),
        lambda: play.stay(key, player, cause="x"),
        lambda: play.start(key, player, cause="x"),
        lambda: play.cancel(key, player, cause="x"),
        lambda: play.join_computer(key, player, level=Level.CLUB, cause="x"),
        lambda: play.set_entropy(key, player, "text", cause="x"),
    ]


async def test_the_host_seats_computers_until_none_is_free(world: World) -> None:
    key = await world.table(ANN, BOB, point_value=0, variant=CLASSIC)
    with world.refuses(TableReason.NOT_HOST, player=ANN):
        await world.play.join_computer(key, BOB, level=Level.CLUB, cause=world.cause())
    for _ in range(2):
        await world.play.join_computer(key, ANN, level=Level.CLUB, cause=world.cause())
    assert await players(world, key) == [ANN, BOB, *CLUB[:2]]
    with world.refuses(TableReason.TABLE_FULL, seats=4):
        await world.play.join_computer(key, ANN, level=Level.CLUB, cause=world.cause())
    await world.leave(key, BOB)
    await world.play.join_computer(key, ANN, level=Level.CLUB, cause=world.cause())
    await world.leave(key, ANN)
    with world.refuses(TableReason.TABLE_CLOSED):
        await world.play.join_computer(key, ANN, level=Level.CLUB, cause=world.cause())


async def test_a_computer_may_not_sit_where_chips_are_played_for(world: World) -> None:
    key = await world.table(ANN)
    with world.refuses(TableReason.COMPUTER_NEEDS_PRACTICE):
        await world.play.join_computer(key, ANN, level=Level.CLUB, cause=world.cause())


# leaving


async def test_when_the_host_leaves_the_next_person_is_host(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    await world.leave(key, ANN)
    assert (await world.play.look(key)).table.host == BOB
    await world.leave(key, CLEO)
    assert (await world.play.look(key)).table.host == BOB
    with world.refuses(TableReason.NOT_HOST, player=BOB):
        await world.play.cancel(key, ANN, cause=world.cause())
    await world.play.cancel(key, BOB, cause=world.cause())


async def test_a_computer_is_never_host(world: World) -> None:
    key = await world.table(ANN, point_value=0, computers=1)
    await world.join(key, BOB)
    await world.leave(key, ANN)
    assert (await world.play.look(key)).table.host == BOB


async def test_when_everybody_has_left_the_table_closes(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.leave(key, ANN)
    await world.leave(key, BOB)
    table = (await world.play.look(key)).table
    assert (table.state, table.closed_reason) == (TableState.CLOSED, "empty")
    assert await posts(world) == []
    assert not world.timers(key)
    grants(world, ANN, BOB)


async def test_a_table_where_cards_were_dealt_ends_with_one_message_and_its_own_goes(world: World) -> None:
    key = await world.started(ANN, point_value=0, computers=2)
    await world.play.drawn(key, version=1, hand_no=1, message=777, call=None)
    await world.leave(key, ANN)
    table = (await world.play.look(key)).table
    assert (table.open, table.message, table.retired) == (False, None, 777)
    assert await posts(world) == [PostKind.CLOSED]


async def test_the_end_of_a_table_sums_up_its_hands(world: World) -> None:
    key = await world.started(ANN, BOB)
    results = []
    for hand_no in (1, 2):
        await world.play_hand(key)
        results.append({one.player: one for one in (await world.play.result(key, hand_no)).results})
        await world.next_hand(key)
    await world.play.close(key, reason="closed_by_admin")
    closing = await world.play.closing(key)
    assert closing.unfinished
    assert [total.points for total in closing.totals] == sorted((t.points for t in closing.totals), reverse=True)
    for total in closing.totals:
        mine = [result[total.player] for result in results]
        assert (total.hands, total.points) == (2, sum(one.points for one in mine))
        assert total.chips == sum(one.chips for one in mine)


async def test_playing_again_opens_the_same_game_once_and_seats_all_who_press(world: World) -> None:
    key = await world.started(ANN, BOB, point_value=25)
    await world.play.close(key, reason="closed_by_admin")
    first = await again(world, key, BOB)
    assert (first.key != key, first.state, first.host, first.terms.point_value) == (True, TableState.LOBBY, BOB, 25)
    second = await again(world, key, ANN)
    assert second.key == first.key
    assert {place.seat.player for place in (await world.play.look(first.key)).places} == {ANN, BOB}


async def test_playing_again_with_computers_deals_at_once(world: World) -> None:
    key = await world.started(ANN, point_value=0, computers=2)
    await world.leave(key, ANN)
    table = await again(world, key, ANN)
    assert table.state is TableState.PLAYING
    assert len((await world.play.look(table.key)).places) == 3


async def test_nobody_plays_again_while_the_table_is_open(world: World) -> None:
    key = await world.started(ANN, BOB)
    with pytest.raises(Stale), world.changes_nothing():
        await again(world, key, ANN)


async def test_a_table_of_computers_alone_closes(world: World) -> None:
    key = await world.table(ANN, point_value=0, computers=2)
    await world.leave(key, ANN)
    assert not (await world.play.look(key)).table.open


# starting


async def test_only_the_host_starts(world: World) -> None:
    key = await world.table(ANN, BOB)
    with world.refuses(TableReason.ONLY_HOST_STARTS, player=ANN):
        await world.play.start(key, BOB, cause=world.cause())


async def test_a_hand_needs_two_players(world: World) -> None:
    key = await world.table(ANN)
    with world.refuses(TableReason.TOO_FEW_PLAYERS, need=2, have=1):
        await world.play.start(key, ANN, cause=world.cause())


async def test_a_table_starts_once(world: World) -> None:
    key = await world.started(ANN, BOB)
    for player in (ANN, BOB):
        with world.refuses(TableReason.ALREADY_STARTED):
            await world.play.start(key, player, cause=world.cause())
    view = await world.play.look(key)
    assert (view.table.state, view.table.hand_no, view.lobby_until) == (TableState.PLAYING, 1, None)


# closing


async def test_the_host_cancels_before_the_start_and_everybody_has_his_chips_again(world: World) -> None:
    key = await world.table(ANN, BOB)
    with world.refuses(TableReason.NOT_HOST, player=ANN):
        await world.play.cancel(key, BOB, cause=world.cause())
    await world.play.cancel(key, ANN, cause=world.cause())
    view = await world.play.look(key)
    assert (view.table.state, view.table.closed_reason, view.places) == (TableState.CLOSED, "cancelled", ())
    grants(world, ANN, BOB)


async def test_a_running_game_cannot_be_cancelled(world: World) -> None:
    key = await world.started(ANN, BOB)
    with world.refuses(TableReason.ALREADY_STARTED):
        await world.play.cancel(key, ANN, cause=world.cause())
    await world.play_hand(key)
    with world.refuses(TableReason.ALREADY_STARTED):
        await world.play.cancel(key, ANN, cause=world.cause())


async def test_a_table_that_waits_too_long_closes_and_gives_the_chips_back(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.later(world.policy.lobby_ms - 1)
    assert (await world.play.look(key)).table.open
    await world.later(1)
    table = (await world.play.look(key)).table
    assert (table.state, table.closed_reason) == (TableState.CLOSED, "not_started")
    assert await posts(world) == []
    grants(world, ANN, BOB)


async def test_a_table_that_nobody_joined_closes_for_want_of_players(world: World) -> None:
    key = await world.table(ANN)
    await world.later(world.policy.lobby_ms)
    assert (await world.play.look(key)).table.closed_reason == "waited_too_long"


async def test_a_table_whose_other_player_has_left_closes_for_want_of_players(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    await world.leave(key, BOB)
    await world.next_hand(key)
    await world.later(world.policy.lobby_ms)
    assert (await world.play.look(key)).table.closed_reason == "waited_too_long"


async def test_a_table_closed_in_the_middle_of_a_hand_voids_it_and_gives_the_chips_back(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.play_street(key)
    await world.play.close(key, reason="channel_gone")
    assert (await world.record(key, 1)).state is HandState.VOID
    assert (await world.record(key, 1)).reason == "channel_gone"
    assert (await world.record(key, 2)).state is HandState.UNDEALT
    assert await posts(world) == [PostKind.CLOSED]
    assert (await world.play.closing(key)).unfinished
    assert not world.timers(key)
    grants(world, ANN, BOB)


async def test_closing_twice_changes_nothing(world: World) -> None:
    key = await world.started(ANN, BOB)
    closed = await world.play.close(key, reason="channel_gone")
    with world.changes_nothing():
        assert await world.play.close(key, reason="guild_gone") == closed


async def test_all_tables_of_a_channel_or_a_server_close_together(world: World) -> None:
    first, second = await world.table(ANN), await world.started(BOB, CLEO)
    elsewhere = await world.table(ANN, guild=OTHER_GUILD)
    assert await world.play.close_all(GUILD, channel=CHANNEL + 1, reason="channel_gone") == []
    assert await world.play.close_all(GUILD, channel=CHANNEL, reason="channel_gone") == [first, second]
    assert await world.play.open_tables(GUILD) == []
    assert [table.key for table in await world.play.open_tables(OTHER_GUILD)] == [elsewhere]
    assert await world.play.close_all(OTHER_GUILD, reason="guild_gone") == [elsewhere]


async def test_a_player_finds_the_tables_at_which_he_sits(world: World) -> None:
    first, second = await world.table(ANN, BOB), await world.table(CLEO, ANN)
    assert [table.key for table in await world.play.tables_of(GUILD, ANN)] == [first, second]
    assert [table.key for table in await world.play.tables_of(GUILD, BOB)] == [first]
    assert await world.play.tables_of(OTHER_GUILD, ANN) == []
    assert [table.key for table in await world.play.open_tables(GUILD, channel=CHANNEL)] == [first, second]
    foreign = await world.table(DAN, guild=OTHER_GUILD)
    await world.play.cancel(second, CLEO, cause=world.cause())
    assert set(await world.play.all_open()) == {first, foreign}


# texts and listeners


async def test_a_text_for_the_shuffle_has_a_limit(world: World) -> None:
    key = await world.table(ANN)
    with world.refuses(HandReason.ENTROPY_TOO_LONG, most=MAX_SHUFFLE_TEXT_LENGTH):
        await world.play.set_entropy(key, ANN, "x" * (MAX_SHUFFLE_TEXT_LENGTH + 1), cause=world.cause())
    await world.play.set_entropy(key, ANN, "x" * MAX_SHUFFLE_TEXT_LENGTH, cause=world.cause())


async def test_listeners_hear_of_every_change_after_it_is_stored_and_of_no_refusal(world: World) -> None:
    heard: list[tuple[TableKey, list[tuple[object, ...]]]] = []
    world.core.bus.table_changed.subscribe(lambda key: heard.append((key, world.ask("SELECT version FROM game_table"))))
    key = await world.table(ANN)
    assert heard == [(key, [(1,)])]
    await world.join(key, BOB)
    assert heard[1:] == [(key, [(2,)])]
    with world.refuses(TableReason.ALREADY_SEATED):
        await world.join(key, BOB)
    assert len(heard) == 2
    await world.play.drawn(key, version=2, hand_no=0, message=5, call=None)
    assert len(heard) == 2


async def test_a_table_whose_message_is_behind_is_found_until_it_is_drawn(world: World) -> None:
    key = await world.table(ANN)
    assert await world.play.undrawn() == [key]
    await world.play.drawn(key, version=1, hand_no=0, message=11, call=12)
    assert await world.play.undrawn() == []
    table = (await world.play.look(key)).table
    assert (table.message, table.call, table.drawn_version) == (11, 12, 1)
    await world.join(key, BOB)
    assert await world.play.undrawn() == [key]


async def test_each_hand_has_a_message_of_its_own_and_retires_the_one_before(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.play.drawn(key, version=2, hand_no=0, message=11, call=None)
    table = await world.start(key)
    assert (table.message, table.retired) == (None, 11)
    await world.play.drawn(key, version=table.version, hand_no=1, message=12, call=None)
    table = (await world.play.look(key)).table
    assert (table.message, table.retired) == (12, None)


async def test_a_drawing_that_ends_after_the_next_deal_takes_neither_message_away(world: World) -> None:
    """The drawing was started for the previous hand. Its message is retired, and the new hand still gets its own."""
    key = await world.table(ANN, BOB)
    await world.play.drawn(key, version=2, hand_no=0, message=11, call=None)
    table = await world.start(key)
    await world.play.drawn(key, version=2, hand_no=0, message=11, call=13)
    assert (await world.play.look(key)).table == replace(table, call=13)
    # The message was gone, and the drawing posted another one in its place.
    await world.play.drawn(key, version=2, hand_no=0, message=12, call=None)
    assert (await world.play.look(key)).table == replace(table, retired=12)
    # The drawing could show nothing: the message of the hand before is still to be cleaned up.
    await world.play.drawn(key, version=2, hand_no=0, message=None, call=None)
    assert (await world.play.look(key)).table == replace(table, retired=12)
    await world.play.drawn(key, version=table.version, hand_no=1, message=14, call=None)
    table = (await world.play.look(key)).table
    assert (table.message, table.retired) == (14, None)


async def test_a_first_message_that_is_posted_while_the_host_deals_is_cleaned_up(world: World) -> None:
    key = await world.table(ANN, BOB)
    table = await world.start(key)
    assert (table.message, table.retired) == (None, None)
    await world.play.drawn(key, version=2, hand_no=0, message=11, call=None)
    table = (await world.play.look(key)).table
    assert (table.message, table.retired) == (None, 11)
    assert await world.play.undrawn() == [key]


async def test_messages_to_be_posted_wait_in_order_until_they_are(world: World) -> None:
    first, second = await world.started(ANN, BOB), await world.started(CLEO, DAN)
    await world.play_hand(first)
    await world.play.close(second, reason="closed_by_admin")
    waiting = await world.play.postings()
    assert [(p.key, p.kind, p.hand_no) for p in waiting] == [(first, PostKind.RESULT, 1), (second, PostKind.CLOSED, 1)]
    await world.play.posted(waiting[0].number)
    assert await world.play.postings() == waiting[1:]


async def test_a_lobby_shows_its_deadline_and_a_closed_table_none(world: World) -> None:
    key = await world.table(ANN)
    assert set(world.timers(key)) == {Timer.LOBBY.value}
    await world.play.cancel(key, ANN, cause=world.cause())
    view = await world.play.look(key)
    assert (view.lobby_until, view.turn_until, view.next_hand_at) == (None, None, None)


def test_an_offer_brings_no_computers_unless_it_says_so() -> None:
    offer = TableOffer(
        guild=GUILD,
        channel=CHANNEL,
        host=ANN,
        language="en",
        terms=Terms(
            variant=PINEAPPLE, point_value=1, buy_in=100, max_seats=3, clock=Clock(pace=Pace.PER_TURN, seconds=60)
        ),
    )
    assert offer.computers == ()


@pytest.mark.parametrize("level", Level)
async def test_computers_of_each_level_sit_down_and_play(world: World, level: Level) -> None:
    key = await world.table(ANN, point_value=0)
    await world.play.join_computer(key, ANN, level=level, cause=world.cause())
    await world.start(key)
    await world.play_hand_of(key, ANN)
    await world.later(world.policy.computer_ms)
    seated = await players(world, key)
    assert seated == [ANN, COMPUTERS[level][0]]
    assert world.ask("SELECT actor FROM table_log WHERE kind = 'cards_laid' AND actor LIKE 'computer-%'") == [
        (seated[1],)
    ]


async def test_computers_of_several_levels_sit_at_one_table(world: World) -> None:
    key = await world.table(ANN, point_value=0)
    for level in (Level.MASTER, Level.CASUAL):
        await world.play.join_computer(key, ANN, level=level, cause=world.cause())
    assert [level_of(player) for player in (await players(world, key))[1:]] == [Level.MASTER, Level.CASUAL]


def test_computers_of_older_logs_play_as_they_did() -> None:
    assert [level_of(f"computer-{number}") for number in (1, 2, 3)] == [Level.CLUB] * 3
    everybody = [player for computers in COMPUTERS.values() for player in computers]
    assert len({*everybody}) == 9
    assert all(is_computer(player) for player in everybody)
