"""Data that a deletion doesn't reset: the daily try, removals, disqualifications, vacation and a pair's hands."""

from __future__ import annotations

import pytest

from bot.model.bank import Action
from bot.model.clock import DAY
from bot.model.daily import day_at
from bot.model.events import Official
from bot.model.ids import GuildId, Player
from bot.model.limits import VACATION_PER_YEAR_MS
from bot.model.privacy import REMEMBERED_DAYS
from bot.model.reasons import DailyReason, EventReason, SeatReason, VacationReason
from bot.play.session.session import Session
from bot.store.rating_checks import replayed
from bot.store.vault import add_key
from tests.play.test_privacy import ANN, findings, friday, places_of
from tests.play.world import BOB, CLEO, GUILD, World, quickly

pytestmark = pytest.mark.on_both


async def deleted(world: World, player: Player = ANN) -> None:
    """Delete a player's data, and check that no trace is left."""
    await world.privacy.delete(player)
    assert places_of(world, player) == set()


async def kept(world: World, guild: GuildId | None = GUILD) -> list[dict[str, object]]:
    """Return the retained records in Ann's export."""
    told = await world.privacy.kept_about(ANN)
    rows = told.everywhere if guild is None else told.servers[guild]
    return [dict(row) for row in rows["remembered"]]


async def test_a_daily_hand_is_tried_once_also_after_a_deletion(world: World) -> None:
    day = (await world.daily.today(ANN)).of.number
    await world.daily.begin(day, ANN, cause=world.cause())
    for street in range(1, 6):
        hand = (await world.daily.look(day, ANN)).hand
        assert hand is not None
        await world.daily.place(day, ANN, street=street, rows=await quickly(hand), cause=world.cause())
    await world.daily.done()
    for _ in range(2):
        await deleted(world)
        with world.refuses(DailyReason.DAY_PLAYED):
            await world.daily.begin(day, ANN, cause=world.cause())
    assert world.ask("SELECT people FROM challenge_count") == [(1,)]
    assert [row["kind"] for row in await kept(world, None)] == ["try"]
    await world.daily.begin(day, BOB, cause=world.cause())
    # The next day is a new one, and nothing is remembered of the first.
    world.now = (day_at(world.now) + 1) * DAY + 1
    await world.privacy.look_at_servers(is_there=lambda _: True)
    assert world.ask("SELECT COUNT(*) FROM memory") == [(0,)]
    tomorrow = (await world.daily.today(ANN)).of.number
    await world.daily.begin(tomorrow, ANN, cause=world.cause())


async def test_who_was_removed_from_a_table_stays_out_also_after_a_deletion(world: World) -> None:
    table = await world.table(BOB, ANN, CLEO)
    await world.seating.remove(table, BOB, ANN, manager=False, cause=world.cause())
    for _ in range(2):
        await deleted(world)
        with world.refuses(SeatReason.REMOVED):
            await world.play.join(table, ANN, cause=world.cause())
    assert "removal" in [row.get("kind") for row in await kept(world)]
    other = await world.table(BOB, point_value=0)
    await world.play.join(other, ANN, cause=world.cause())


async def test_who_was_disqualified_before_the_start_stays_out_also_after_a_deletion(world: World) -> None:
    event = await friday(world, GUILD, organiser=BOB)
    await world.events.register(event.key, ANN, cause=world.cause())
    by = Official(player=BOB, manager=True)
    await world.events.disqualify(event.key, by, ANN, why="two accounts", cause=world.cause())
    for _ in range(2):
        await deleted(world)
        with world.refuses(EventReason.DISQUALIFIED):
            await world.events.register(event.key, ANN, cause=world.cause())


async def test_a_years_vacation_does_not_begin_anew_with_a_deletion(world: World) -> None:
    await world.play.take_vacation(GUILD, ANN, begins=world.now, ends=world.now + 20 * DAY)
    world.now += 5 * DAY
    await deleted(world)
    assert await world.play.vacation_left(GUILD, ANN) == VACATION_PER_YEAR_MS - 5 * DAY
    with world.refuses(VacationReason.VACATION_TOO_LONG, left=25, most=30):
        await world.play.take_vacation(GUILD, ANN, begins=world.now, ends=world.now + 26 * DAY)
    await world.play.take_vacation(GUILD, ANN, begins=world.now, ends=world.now + 3 * DAY)
    world.now += 2 * DAY
    await deleted(world)
    assert await world.play.vacation_left(GUILD, ANN) == VACATION_PER_YEAR_MS - 7 * DAY
    # Another month later too: it's remembered as long as the year lasts.
    world.now += (REMEMBERED_DAYS + 1) * DAY
    await world.privacy.look_at_servers(is_there=lambda _: True)
    assert await world.play.vacation_left(GUILD, ANN) == VACATION_PER_YEAR_MS - 7 * DAY


async def hand_of(world: World, *players: Player) -> int:
    """A hand for chips; returns the number of its lesson."""
    table = await world.started(*players, point_value=1, buy_in=100)
    await world.play_hand(table)
    await world.play.close(table, reason="closed_by_admin")
    ((lesson,),) = world.ask(
        "SELECT DISTINCT lesson FROM result WHERE guild_id = ? AND table_id = ?", GUILD, table.table
    )
    return int(lesson)


async def test_who_is_back_from_a_deletion_is_no_new_opponent_in_ratings(world: World) -> None:
    assert await hand_of(world, BOB, ANN) == 1
    before = await world.sessions.read(lambda s: s.tx.ratings.all_ratings(GUILD))
    for _ in range(2):
        await deleted(world)
        await world.bank.change_chips(GUILD, BOB, ANN, Action.GIVE, 1_000, "A new start", cause=world.cause())
        assert await hand_of(world, BOB, ANN) == 0, "it teaches nothing"
    ratings = await world.sessions.read(lambda s: s.tx.ratings.all_ratings(GUILD))
    assert sorted(ratings.values(), key=str) == sorted(before.values(), key=str)
    assert await hand_of(world, BOB, CLEO) == 2, "others are rated as ever"

    await follow_from_results(world)
    world.now += (REMEMBERED_DAYS + 1) * DAY
    assert await hand_of(world, BOB, ANN) == 3
    await follow_from_results(world)


async def follow_from_results(world: World) -> None:
    """Recompute the ratings from the results, and compare them with those that were stored hand by hand."""

    def again(s: Session) -> None:
        made = replayed(s.tx, GUILD)
        assert made.ratings
        assert (made.ratings, made.luck) == (s.tx.ratings.all_ratings(GUILD), s.tx.ratings.all_luck(GUILD))

    await world.sessions.read(again)
    assert await findings(world) == []


async def test_a_hand_beside_someone_back_from_a_deletion_does_not_make_two_others_old_opponents(world: World) -> None:
    assert await hand_of(world, BOB, CLEO, ANN) == 1
    await deleted(world)
    await world.bank.change_chips(GUILD, BOB, ANN, Action.GIVE, 1_000, "A new start", cause=world.cause())
    assert await hand_of(world, BOB, CLEO, ANN) == 0
    met = await world.sessions.read(lambda s: s.tx.careers.versus(GUILD, BOB, CLEO))
    assert met is not None
    assert (met.hands, met.lessons) == (2, 1)
    assert await hand_of(world, BOB, CLEO) == 2
    await follow_from_results(world)


async def test_no_memory_leads_to_a_pseudonym_or_an_id(world: World) -> None:
    table = await world.table(BOB, ANN, CLEO)
    await world.seating.remove(table, BOB, ANN, manager=False, cause=world.cause())
    await deleted(world)
    ((person,),) = world.ask("SELECT DISTINCT person FROM memory")
    found = [name for name, rows in world.dump().items() if any(person in row for row in rows)]
    assert sorted(found) == ["memory", "remembered"]


async def test_memories_outlive_a_change_of_the_key(world: World) -> None:
    table = await world.table(BOB, ANN, CLEO)
    await world.seating.remove(table, BOB, ANN, manager=False, cause=world.cause())
    await deleted(world)
    add_key(world.key_file)
    await world.restart()
    with world.refuses(SeatReason.REMOVED):
        await world.play.join(table, ANN, cause=world.cause())


@pytest.mark.parametrize("gone", [1, 2])
async def test_what_is_remembered_of_others_keeps_nobody_out(world: World, gone: int) -> None:
    table = await world.table(BOB, ANN, CLEO)
    await world.seating.remove(table, BOB, ANN, manager=False, cause=world.cause())
    for _ in range(gone):
        await deleted(world)
    dan = Player("412345678901234567")
    await world.play.join(table, dan, cause=world.cause())
