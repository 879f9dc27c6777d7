"""The decks of a duplicate event, which anyone can recompute from public data."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from bot.model.clock import Clock, Pace
from bot.model.events import Official
from bot.model.ids import GuildId, Player
from bot.play.event.office.registration import PlannedEvent
from bot.pure.event.draw import check_draw
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.deck import frame
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.proof import check_proof
from tests.play.world import CHANNEL, GUILD, World

BOSS = Official(player=Player("1"))
PEOPLE = [Player(str(number)) for number in range(2001, 2007)]


async def test_tables_of_a_duplicate_event_hand_out_one_record_that_follows_from_the_registrations(
    world: World,
) -> None:
    events = world.events
    plan = PlannedEvent(
        guild=GuildId(GUILD),
        channel=CHANNEL,
        organiser=BOSS.player,
        language="en",
        name="Same cards",
        variant=house_variant("classic", {"fantasyland": "off"}),
        structure=replace(PRESETS["duplicate"], threads=False),
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=world.now + 3_600_000,
    )
    key = (await events.create(plan, cause=world.cause())).key
    for player in PEOPLE:
        await events.register(key, player, cause=world.cause())
    await events.start(key, BOSS, cause=world.cause())
    await world.later(world.policy.seating_ms)
    tables = [line.table.key for line in (await events.look(key)).tables]
    for table in tables:
        await world.play_hand(table)

    records = [dict(await world.play.proof(table, 1)) for table in tables]
    assert records[0] == records[1]
    assert check_proof(records[0]).ok
    assert records[0]["hand_id"] == f"{GUILD}/event/{key.number}/board/1"

    drawn = await events.draw_proof(key)
    assert check_draw(drawn).ok
    causes = dict(drawn["entropy"])
    added = frame(*(text.encode() for player in drawn["order"] for text in (player, causes[player])))
    assert records[0]["players"] == [{"player": "event", "entropy": hashlib.sha256(added).hexdigest()}]
