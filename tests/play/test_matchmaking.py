"""Finding others: guests, the next free seat, queues, news of tables, and players who will not be seated together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.model.choices import Template
from bot.model.clock import MINUTE, Clock, Pace
from bot.model.ids import Player, TableKey
from bot.model.limits import MAX_REFUSED_PLAYERS, MAX_TEMPLATE_NAME_LENGTH, MAX_TEMPLATES
from bot.model.reasons import SeatReason, ServerReason, TableReason
from bot.model.refusals import OtherTerms
from bot.model.tables import Limits, Table, TableState, Terms
from bot.play import terms as terms_of
from bot.play.matchmaking import PAUSE_MS, as_queue
from bot.play.table.lobby import TableOffer
from bot.play.table.rematch import TermChanges, change_terms
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from bot.pure.ofc.settlement import WinCap
from tests.play.world import ANN, BOB, CHANNEL, CLEO, DAN, EVE, GUILD, OTHER_GUILD, World

ELSEWHERE = CHANNEL + 1


def offer(
    player: Player,
    *,
    channel: int = CHANNEL,
    invited: Sequence[Player] = (),
    private: bool = False,
    **chosen: Any,
) -> TableOffer:
    """A usual table in the channel."""
    clock = Clock(pace=Pace.PER_TURN, seconds=60)
    usual = Terms(variant=PINEAPPLE, point_value=10, buy_in=1000, max_seats=3, clock=clock)
    return TableOffer(
        guild=GUILD,
        channel=channel,
        host=player,
        language="en",
        terms=replace(usual, **chosen),
        invited=tuple(invited),
        private=private,
    )


async def quick(
    world: World, player: Player, *, seen: Sequence[int] = (CHANNEL,), any_game: bool = True, **changes: Any
) -> Table:
    like = offer(player, **changes)
    return await world.matchmaking.quick(like, seen=seen, any_game=any_game, cause=world.cause())


async def queue(world: World, player: Player, *, players: int | None = None, **changes: Any) -> Table:
    return await world.matchmaking.queue(as_queue(offer(player, **changes), players=players), cause=world.cause())


async def players(world: World, key: TableKey) -> list[Player]:
    return [place.seat.player for place in (await world.play.look(key)).places]


# the next free seat


async def test_the_first_opens_a_table_and_the_next_ones_sit_down_at_it(world: World) -> None:
    first, second, third = [await quick(world, one) for one in (ANN, BOB, CLEO)]
    assert first.key == second.key == third.key
    assert await players(world, first.key) == [ANN, BOB, CLEO]
    assert (await quick(world, DAN)).key != first.key, "it is full"


async def test_somebody_who_waits_already_is_shown_where(world: World) -> None:
    first = await quick(world, ANN)
    assert (await quick(world, ANN)).key == first.key
    assert len(await world.play.open_tables(GUILD)) == 1


async def test_the_same_press_opens_one_table(world: World) -> None:
    await world.matchmaking.quick(offer(ANN), seen=[CHANNEL], any_game=True, cause="one press")
    with world.stale():
        await world.matchmaking.quick(offer(BOB), seen=[CHANNEL], any_game=True, cause="one press")


async def test_no_seat_is_taken_under_other_terms_than_were_shown(world: World) -> None:
    like = offer(ANN)
    shown = terms_of.of_seat(like.terms)
    cheaper = await world.play.open_table(offer(BOB, point_value=5, buy_in=500), cause=world.cause())
    with pytest.raises(OtherTerms):
        await world.matchmaking.quick(like, seen=[CHANNEL], any_game=True, terms=shown, cause=world.cause())
    with pytest.raises(OtherTerms):
        await world.matchmaking.queue(
            as_queue(like, players=2), terms=terms_of.of_seat(cheaper.terms), cause=world.cause()
        )
    assert await players(world, cheaper.key) == [BOB]
    assert len(await world.play.open_tables(GUILD)) == 1
    now = terms_of.of_seat(cheaper.terms)
    await world.matchmaking.quick(like, seen=[CHANNEL], any_game=True, terms=now, cause=world.cause())
    assert await players(world, cheaper.key) == [BOB, ANN]


@pytest.mark.parametrize(
    "table",
    [
        {"point_value": 50, "buy_in": 5000},
        {"point_value": 0, "buy_in": 0},
        {"clock": Clock(pace=Pace.CORRESPONDENCE, seconds=86_400)},
        {"channel": ELSEWHERE},
        {"private": True, "point_value": 0, "buy_in": 0},
    ],
)
async def test_nobody_is_seated_where_they_would_not_have_sat_down(world: World, table: dict[str, Any]) -> None:
    other = await world.play.open_table(offer(BOB, **table), cause=world.cause())
    assert (await quick(world, ANN)).key != other.key


async def test_a_game_that_was_named_is_the_only_one_and_any_other_suits_where_none_was(world: World) -> None:
    other = await world.play.open_table(offer(BOB, variant=CLASSIC), cause=world.cause())
    assert (await quick(world, ANN, any_game=False)).key != other.key
    assert (await quick(world, CLEO)).key == other.key


async def test_the_fullest_lobby_of_this_channel_comes_first_and_then_a_game_that_runs(world: World) -> None:
    running = await world.started(DAN, EVE)
    far = await world.play.open_table(offer(BOB, channel=ELSEWHERE), cause=world.cause())
    here = await world.play.open_table(offer(CLEO), cause=world.cause())
    seen = (CHANNEL, ELSEWHERE)
    assert (await quick(world, ANN, seen=seen)).key == here.key
    await world.play.cancel(here.key, CLEO, cause=world.cause())
    assert (await quick(world, Player("77"), seen=seen)).key == far.key
    await world.play.cancel(far.key, BOB, cause=world.cause())
    assert (await quick(world, Player("78"), seen=seen)).key == running


async def test_who_was_removed_from_a_table_gets_another_one(world: World) -> None:
    key = (await quick(world, ANN)).key
    table = (await world.play.look(key)).table
    await world.sessions.write(lambda s: s.save(replace(table, removed=(BOB,))))
    assert (await quick(world, BOB)).key != key


# queues


async def test_a_queue_deals_as_soon_as_enough_wait(world: World) -> None:
    first = await queue(world, ANN)
    assert (first.terms.starts_with, first.state) == (3, TableState.LOBBY)
    assert (await queue(world, BOB)).state is TableState.LOBBY
    last = await queue(world, CLEO)
    assert (last.key, last.state, last.hand_no) == (first.key, TableState.PLAYING, 1)
    world.check_books()
    assert (await queue(world, DAN)).key != first.key, "the next queue"


async def test_each_leaves_a_queue_by_themselves_after_their_time(world: World) -> None:
    key = (await queue(world, ANN)).key
    await world.later(10 * MINUTE)
    await queue(world, BOB)
    await world.later(world.policy.lobby_ms - 10 * MINUTE)
    assert await players(world, key) == [BOB]
    view = await world.play.look(key)
    assert view.table.host == BOB
    assert view.lobby_until == world.now + 10 * MINUTE
    await world.later(10 * MINUTE)
    assert (await world.play.look(key)).table.closed_reason == "waited_too_long"
    world.check_books()


async def test_time_in_which_nothing_ran_counts_for_nobody_in_a_queue(world: World) -> None:
    key = (await queue(world, ANN)).key
    await world.restart(after_ms=world.policy.lobby_ms)
    await queue(world, BOB)
    await world.later(MINUTE)
    assert await players(world, key) == [ANN, BOB]


async def test_other_numbers_games_and_stakes_are_other_queues(world: World) -> None:
    keys = [
        (await queue(world, ANN)).key,
        (await queue(world, BOB, players=2)).key,
        (await queue(world, CLEO, variant=CLASSIC, max_seats=4)).key,
        (await queue(world, DAN, point_value=20, buy_in=2000)).key,
    ]
    assert len(set(keys)) == 4
    with world.refuses(TableReason.TOO_MANY_SEATS, least=2, most=3):
        await queue(world, EVE, players=8)


async def test_a_queue_whose_players_have_gone_waits_again(world: World) -> None:
    key = (await queue(world, ANN, players=2)).key
    await queue(world, BOB, players=2)
    await world.leave(key, BOB)
    await world.play_hand(key)
    view = await world.next_hand(key)
    assert (view.table.state, view.lobby_until) == (TableState.LOBBY, world.now + world.policy.lobby_ms)
    again = await queue(world, CLEO, players=2)
    assert (again.key, again.state) == (key, TableState.PLAYING)


# blocked players


async def test_neither_of_the_two_sits_down_where_the_other_is_and_only_one_is_told_why(world: World) -> None:
    await world.matchmaking.refuse(GUILD, ANN, BOB)
    key = (await world.play.open_table(offer(ANN), cause=world.cause())).key
    with world.refuses(SeatReason.NO_SEAT_FOR_YOU):
        await world.join(key, BOB)
    other = (await world.play.open_table(offer(BOB), cause=world.cause())).key
    with world.refuses(SeatReason.OWN_SEAT_REFUSAL):
        await world.join(other, ANN)
    assert (await quick(world, CLEO)).key == key
    assert (await quick(world, DAN)).key == key
    elsewhere = await world.play.open_table(offer(ANN), cause=world.cause())
    assert (await quick(world, BOB, any_game=False, variant=PINEAPPLE)).key == other
    assert await players(world, elsewhere.key) == [ANN]


async def test_queues_and_another_game_seat_them_apart(world: World) -> None:
    await world.matchmaking.refuse(GUILD, ANN, BOB)
    assert (await queue(world, ANN)).key != (await queue(world, BOB)).key
    played = await world.started(CLEO, DAN)
    await world.play_hand(played)
    await world.play.close(played, reason="closed_by_admin")
    first = await world.play.play_again(played, offer(ANN), cause=world.cause())
    assert (await world.play.play_again(played, offer(CLEO), cause=world.cause())).key == first.key
    assert (await world.play.play_again(played, offer(BOB), cause=world.cause())).key != first.key


async def test_it_holds_in_one_server_and_until_it_is_taken_back(world: World) -> None:
    assert await world.matchmaking.refuse(GUILD, ANN, BOB) == [BOB]
    assert await world.matchmaking.refuse(GUILD, ANN, BOB) == [BOB]
    elsewhere = await world.table(ANN, BOB, guild=OTHER_GUILD)
    assert await players(world, elsewhere) == [ANN, BOB]
    assert await world.matchmaking.allow(GUILD, ANN, [BOB]) == []
    assert await players(world, await world.table(ANN, BOB)) == [ANN, BOB]


async def test_a_list_has_an_end_and_nobody_stands_on_their_own(world: World) -> None:
    with world.refuses(SeatReason.NOT_ONESELF):
        await world.matchmaking.refuse(GUILD, ANN, ANN)
    for number in range(MAX_REFUSED_PLAYERS):
        await world.matchmaking.refuse(GUILD, ANN, Player(str(5000 + number)))
    with world.refuses(SeatReason.TOO_MANY_SEAT_REFUSALS, most=MAX_REFUSED_PLAYERS):
        await world.matchmaking.refuse(GUILD, ANN, BOB)
    await world.matchmaking.refuse(GUILD, ANN, Player("5000"))


async def test_an_invitation_names_everybody_and_calls_those_who_may_sit_there(world: World) -> None:
    await world.matchmaking.refuse(GUILD, BOB, ANN)
    await world.matchmaking.refuse(GUILD, CLEO, DAN)
    table = await world.play.open_table(offer(ANN, invited=(BOB, CLEO)), cause=world.cause())
    assert await world.matchmaking.callable_guests(table, table.invited) == {CLEO}
    quiet = replace(table, terms=replace(table.terms, quiet=True))
    assert await world.matchmaking.callable_guests(quiet, table.invited) == set()
    with world.refuses(SeatReason.OWN_GUEST_REFUSAL, player=ANN):
        await world.matchmaking.require_invitable(GUILD, BOB, ANN)
    await world.matchmaking.require_invitable(GUILD, ANN, BOB)
    with world.refuses(SeatReason.NOT_ONESELF):
        await world.matchmaking.require_invitable(GUILD, ANN, ANN)


async def test_another_game_calls_those_who_played(world: World) -> None:
    played = (await world.play.open_table(offer(ANN, quiet=True), cause=world.cause())).key
    for player in (BOB, CLEO):
        await world.join(played, player)
    await world.start(played)
    await world.play_hand(played)
    await world.play.close(played, reason="closed_by_admin")
    again = await world.play.play_again(played, offer(BOB), cause=world.cause())
    assert set(again.invited) == {ANN, CLEO}
    assert again.terms.quiet, "as quiet as it was"


# templates of a server


async def save(world: World, name: str, key: TableKey, *, replacing: bool = False) -> Template:
    return await world.matchmaking.save_template(key, name, by=ANN, replacing=replacing)


async def test_a_template_is_a_name_of_a_table_that_outlives_it(world: World) -> None:
    key = await world.table(ANN, variant=CLASSIC, seats=2)
    await save(world, "  Friday\u202e  Night ", key)
    await world.play.close(key, reason="closed_by_admin")
    await world.restart()
    table = await world.matchmaking.template(GUILD, "friday ｎｉｇｈｔ")
    assert (table.key, table.open) == (key, False)
    assert [template.name for template, _ in await world.matchmaking.templates(GUILD)] == ["Friday Night"]
    assert await world.matchmaking.templates(OTHER_GUILD) == []
    for foreign in (world.matchmaking.template, world.matchmaking.remove_template):
        with world.refuses(ServerReason.NO_TEMPLATE):
            await foreign(OTHER_GUILD, "Friday Night")
    assert (await world.matchmaking.remove_template(GUILD, "FRIDAY NIGHT")).name == "Friday Night"
    for lost in (world.matchmaking.template, world.matchmaking.remove_template):
        with world.refuses(ServerReason.NO_TEMPLATE):
            await lost(GUILD, "Friday Night")


async def test_a_name_that_is_taken_is_replaced_only_when_that_is_said(world: World) -> None:
    first, second = await world.table(ANN), await world.table(ANN)
    await save(world, "Straße", first)
    with world.refuses(ServerReason.TEMPLATE_NAME_TAKEN):
        await save(world, "STRASSE", second)
    assert (await world.matchmaking.template(GUILD, "straße")).key == first
    await save(world, "STRASSE", second, replacing=True)
    assert [(known.name, table.key) for known, table in await world.matchmaking.templates(GUILD)] == [
        ("STRASSE", second)
    ]


@pytest.mark.parametrize("name", ["", "\u2066\u3164", "x" * (MAX_TEMPLATE_NAME_LENGTH + 1)])
async def test_a_template_needs_a_name_of_some_length_that_can_be_seen(world: World, name: str) -> None:
    key = await world.table(ANN)
    with world.refuses(ServerReason.BAD_TEMPLATE_NAME, most=MAX_TEMPLATE_NAME_LENGTH):
        await save(world, name, key)


async def test_only_a_table_with_chips_is_a_template_and_a_server_has_so_many(world: World) -> None:
    practice, cash = await world.table(ANN, point_value=0), await world.table(ANN)
    with world.refuses(TableReason.NO_CASH_TABLE):
        await save(world, "practice", practice)
    with world.refuses(TableReason.NO_TABLE):
        await save(world, "nowhere", TableKey(guild=OTHER_GUILD, table=cash.table))
    for number in range(MAX_TEMPLATES):
        await save(world, f"{number}" * MAX_TEMPLATE_NAME_LENGTH if number < 10 else f"{number}", cash)
    with world.refuses(ServerReason.TOO_MANY_TEMPLATES, most=MAX_TEMPLATES):
        await save(world, "more", cash)
    await save(world, "24", cash, replacing=True)


RISING = Limits(levels=(5, 10), level_hands=3, top_up=False)


@pytest.mark.parametrize(
    ("chosen", "different"),
    [
        (TermChanges(), {}),
        (TermChanges(point_value=50), {"point_value": 50, "buy_in": 5000, "limits": Limits(top_up=False)}),
        (TermChanges(point_value=0), {"point_value": 0, "buy_in": 0, "limits": Limits(top_up=False)}),
        (TermChanges(buy_in=700), {"buy_in": 700}),
        (
            TermChanges(levels=(20, 40)),
            {"point_value": 20, "buy_in": 2000, "limits": replace(RISING, levels=(20, 40))},
        ),
        (
            TermChanges(level_hands=1, limits={"top_up": True, "bust_is_final": True, "win_cap": WinCap.NONE}),
            {"limits": Limits(levels=(5, 10), level_hands=1, bust_is_final=True, win_cap=WinCap.NONE)},
        ),
        (TermChanges(seats=3, others={"quiet": False, "clock": None}), {"max_seats": 3, "quiet": False}),
        (TermChanges(variant=CLASSIC), {"variant": CLASSIC, "max_seats": CLASSIC.max_seats}),
    ],
)
def test_what_is_chosen_beside_a_template_counts_instead(chosen: TermChanges, different: dict[str, object]) -> None:
    like = offer(ANN, point_value=5, buy_in=900, max_seats=2, limits=RISING, quiet=True).terms
    assert change_terms(like, chosen) == replace(like, **different)  # type: ignore[arg-type]


def test_a_usual_table_with_levels_has_four_hands_a_level() -> None:
    made = change_terms(offer(ANN).terms, TermChanges(levels=(20, 40)))
    assert (made.point_value, made.limits) == (20, Limits(levels=(20, 40), level_hands=4))


# the role that hears of new tables


async def test_a_role_is_told_of_one_table_in_some_minutes_and_asked_twice_of_the_same(world: World) -> None:
    keys = [await world.table(player) for player in (ANN, BOB)]
    assert await world.matchmaking.told_role(keys[0]) is None
    await world.play.choose_for_server(GUILD, lambda before: replace(before, told_role=77))
    assert [await world.matchmaking.told_role(key) for key in (keys[0], keys[1], keys[0])] == [77, None, 77]
    await world.later(PAUSE_MS)
    assert [await world.matchmaking.told_role(key) for key in (keys[1], keys[0])] == [77, None]
