"""All kinds of records after all kinds of trouble. An independent verifier accepts each, and rejects any change.

A table, a tournament, a duplicate event and the daily hand are played. Then a copy is restored with or without its
mark, a player is deleted, or tables leave their threads, and play continues to the end. The verifier was written from
the Japanese page only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.model.clock import DAY
from bot.model.daily import ChallengeId
from bot.model.events import Official
from bot.model.ids import EventKey, Player, TableKey
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.session import Session
from bot.pure.event.draw import DrawProof, find_mismatch
from bot.pure.event.structure import PRESETS, Format, Structure
from bot.pure.ofc.presets import CHINESE
from bot.pure.ofc.proof import check_proof, read_proof
from bot.pure.ofc.settlement import WinCap
from bot.run.cli.sealed import opened_by
from bot.store.sqlite.backup import back_up
from bot.store.sqlite.database import MIGRATIONS
from bot.store.vault import SeedVault
from tests.play.daily.test_daily_hands import today
from tests.play.test_plain_copy import copied, copy_to, list_of, put_back
from tests.play.test_restore import findings
from tests.play.world import ANN, BOB, CHANNEL, CLEO, GUILD, PER_TURN, World
from tests.pure.ofc import japanese_verifier
from tests.pure.ofc.test_japanese_page import changed

BOSS = Official(player=Player("1"))
PEOPLE = [Player(str(number)) for number in range(2001, 2007)]
KNOCKOUT = Structure(
    format=Format.TOURNAMENT,
    win_cap=WinCap.NONE,
    table_seats=3,
    least=4,
    most=6,
    stack=1000,
    levels=(50, 400),
    level_hands=2,
)
DUPLICATE = replace(PRESETS["duplicate"], table_seats=3, rounds=1, round_hands=6, threads=False)
Record = Mapping[str, Any]


@dataclass
class Night:
    """The games of a night, and their records."""

    world: World
    table: TableKey
    events: list[EventKey]
    day: ChallengeId
    hands: list[Record] = field(default_factory=list)
    draws: list[Record] = field(default_factory=list)
    of_events: list[tuple[Record, Record]] = field(default_factory=list)
    """Hands of events, each with the record of its event."""

    async def hand(self, key: TableKey) -> None:
        """Place for all players at a table, whatever their cards."""
        view = await self.world.play.look(key)
        for player in view.waiting:
            await self.world.play.place_cards(
                key, player, hand_no=view.table.hand_no, street=1, rows="FFFMMMMMBBBBB", cause=self.world.cause()
            )

    async def on(self, hands: int) -> None:
        """Play ``hands`` hands at the table and at all running tables of the events."""
        for _ in range(hands):
            tables = [line.table.key for key in self.events for line in (await self.world.events.look(key)).tables]
            for key in (self.table, *tables):
                await self.hand(key)
            await self.world.later(self.world.policy.next_hand_ms)

    async def over(self) -> None:
        """All comes to its end, and all records are fetched."""
        world = self.world
        while await world.events.events(GUILD):
            await self.on(1)
        await world.play.close(self.table, reason="closed_by_admin")
        world.now += DAY
        self.hands = [dict(record) for record in await self.of_table(self.table)]
        self.hands.append(await world.daily.proof(self.day))
        for key in self.events:
            draw = await world.events.draw_proof(key)
            self.draws.append(draw)
            for (number,) in world.ask("SELECT table_id FROM game_table WHERE event_id = ? ORDER BY 1", key.number):
                found = await self.of_table(TableKey(guild=GUILD, table=number))
                self.of_events += [(record, draw) for record in found]

    async def of_table(self, key: TableKey) -> list[Record]:
        """The records of all hands that a table was dealt."""
        rows = self.world.ask(
            "SELECT hand_no FROM hand WHERE table_id = ? AND state IN ('settled', 'void') ORDER BY 1", key.table
        )
        return [await self.world.play.proof(key, hand_no) for (hand_no,) in rows]

    def check(self) -> int:
        """Judge all; returns how many changed ones were found wrong.

        Six people have 720 orders, so another entropy draws the same one once in 720 times: one such change may pass.
        """
        wrong, chance = 0, 0
        for record in (*self.hands, *self.draws, *(record for record, _ in self.of_events)):
            assert japanese_verifier.problem(dict(record)) is None
            changes = changed(dict(record))
            passed = [change for change in changes if japanese_verifier.problem(change) is None]
            assert all("entropy" in change and change["order"] == record["order"] for change in passed)
            wrong += len(changes) - len(passed)
            chance += len(passed)
        assert chance <= 1
        for record, draw in self.of_events:
            self._check_of_event(record, draw)
        return wrong

    def _check_of_event(self, record: Record, draw: Record) -> None:
        """A hand follows from its event, and from no other."""
        by_page = japanese_verifier.of_deck if "/board/" in record["hand_id"] else japanese_verifier.of_table
        assert by_page(dict(record), dict(draw)) is None
        assert find_mismatch(read_proof(record), DrawProof.from_json(draw)) == ""
        for other in self.draws:
            if other is not draw:
                assert find_mismatch(read_proof(record), DrawProof.from_json(other))
        bad = {**draw, "decks": {**draw["decks"], "seed": "5" * 64}, "former_decks": []}
        assert find_mismatch(read_proof(record), DrawProof.from_json(bad)) or "former_decks" in draw
        assert by_page(dict(record), bad) or "former_decks" in draw


async def event(world: World, structure: Structure) -> EventKey:
    """An event of six that has begun, with its first hands dealt."""
    plan = PlannedEvent(
        guild=GUILD,
        channel=CHANNEL,
        organiser=BOSS.player,
        language="en",
        name="Friday",
        variant=CHINESE,
        structure=structure,
        clock=PER_TURN,
        starts_at=world.now + 3_600_000,
    )
    key = (await world.events.create(plan, cause=world.cause())).key
    for player in PEOPLE:
        await world.events.register(key, player, cause=world.cause())
    await world.events.start(key, BOSS, cause=world.cause())
    return key


@pytest.fixture
async def night(world: World) -> Night:
    """A night that has begun, with seeds that are drawn by chance, as the bot's are."""
    world.fixed = SeedVault.open(world.key_file)
    await world.restart()
    day = (await today(world)).of.number
    table = await world.table(ANN, BOB, CLEO, variant=CHINESE)
    await world.start(table)
    events = [await event(world, KNOCKOUT), await event(world, DUPLICATE)]
    await world.later(world.policy.seating_ms)
    found = Night(world=world, table=table, events=events, day=day)
    await found.on(1)
    return found


def check_count(night: Night) -> None:
    """Check that enough records were verified."""
    kinds = {record["algorithm"] for record in (*night.hands, *night.draws, *(record for record, _ in night.of_events))}
    assert kinds == {"chaipo/deal/v1", "chaipo/deal/v2", "chaipo/draw/v1"}
    assert len(night.hands) >= 3
    assert len(night.draws) == 2
    boards = ["/board/" in record["hand_id"] for record, _ in night.of_events]
    assert boards.count(True) >= 6
    assert boards.count(False) >= 3


async def test_as_long_as_nothing_happens(night: Night) -> None:
    await night.over()
    check_count(night)
    assert night.check() > 100


@pytest.mark.of_sqlite
@pytest.mark.parametrize("marked", [True, False])
async def test_after_a_copy_was_put_back(night: Night, tmp_path: Path, marked: bool) -> None:
    world, folder = night.world, tmp_path / "copies"
    if marked:
        folder.mkdir()
        back_up(world.path, folder / world.path.name, MIGRATIONS, secrets=opened_by(world.vault))
    else:
        await copied(world, folder)
    await night.on(1)
    copy_to(tmp_path / "later", list_of(folder))
    await put_back(world, folder)
    world.now += 1000
    await world.open()
    assert world.ask("SELECT COUNT(*) FROM epoch") == [(1,)]
    forgotten, night.day = night.day, (await today(world)).of.number
    await night.over()
    before, after = await world.daily.proof(forgotten), await world.daily.proof(night.day)
    assert before["deck_order"] != after["deck_order"]
    assert japanese_verifier.problem(dict(before)) is None
    check_count(night)
    assert night.check() > 100
    epochs = {record["hand_id"].count("/") for record, _ in night.of_events if "/board/" not in record["hand_id"]}
    assert epochs == {2, 3}, "hands of before and after"
    assert [len(draw["former_decks"]) for draw in night.draws] == [1, 1]
    assert findings(world) == []


async def test_after_somebody_was_deleted(night: Night) -> None:
    world = night.world
    await night.over()
    before = night.check()
    for player in (ANN, PEOPLE[0]):
        await world.privacy.delete(player)
    await world.privacy.go_on()
    kept = Night(world=world, table=night.table, events=night.events, day=night.day)
    await kept.over()
    assert (kept.hands, kept.draws, kept.of_events) == (night.hands, night.draws, night.of_events)
    assert kept.check() == before
    world.now += 31 * DAY
    await world.privacy.go_on()
    hands = await kept.of_table(kept.table)
    assert {japanese_verifier.problem(dict(record)) for record in hands} == {"withheld"}
    assert all(check_proof({**record, "seed": "0" * 64}).text.startswith("the seed is not") for record in hands)


def in_thread(s: Session, key: TableKey, home: int | None) -> None:
    """The table is played in a thread,; ``home`` is the channel of one that is no event's."""
    s.save(replace(s.table(key), channel=999, home=home))


async def test_where_tables_leave_their_threads(night: Night) -> None:
    world = night.world
    spot = (await world.events.look(night.events[0])).tables[0].table.key
    for key, door in ((night.table, world.play), (spot, world.events)):
        await world.sessions.write(partial(in_thread, key=key, home=None if door is world.events else CHANNEL))
        await world.play.root_told(key, commitment=(await world.play.look(key)).table.commitment, message=555)
        assert (await world.play.look(key)).table.root_message == 555
        assert await door.leave_thread(key)
        assert (await world.play.look(key)).table.root_message is None, "it is told again where play goes on"
    await night.over()
    check_count(night)
    assert night.check() > 100
