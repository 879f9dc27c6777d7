"""People's rights to their stored data: export and deletion."""

import asyncio
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.model.bank import Action, Claim
from bot.model.clock import DAY
from bot.model.events import Event, Official
from bot.model.ids import GuildId, Player, TableKey, is_pseudonym
from bot.model.privacy import REMEMBERED_DAYS, BlockerKind, StoredData
from bot.model.reasons import BankReason, HandReason, PrivacyReason
from bot.model.standings import LeaderboardQuery
from bot.model.tables import Terms
from bot.play.api.privacy import delete
from bot.play.event.office.registration import PlannedEvent
from bot.play.session import decks
from bot.play.session.policy import Policy
from bot.play.session.session import Session
from bot.play.table.lobby import TableOffer
from bot.pure.event.draw import check_draw
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.deck import Entropy
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.proof import Problem, check_proof
from bot.pure.ofc.refusals import Refused
from bot.run.cli import sealed
from bot.store import inspection
from bot.store.invariants import QUESTIONS
from bot.store.sql import Sql
from bot.store.transaction import Tx
from bot.store.vault import add_key
from tests.play.world import BOB, CHANNEL, CLEO, DAN, GUILD, OTHER_GUILD, PER_TURN, World, quickly
from tests.pure.ofc import japanese_verifier

ANN = Player("312345678901234567")
"""Ids as long as Discord's, because shorter ones occur in numbers by chance."""
NOTHING = StoredData(servers={}, everywhere={})


def but_remembered(kept: StoredData) -> StoredData:
    """Return the stored data without the retained records of a deletion."""
    servers = {
        guild: {kind: found for kind, found in rows.items() if kind != "remembered"}
        for guild, rows in kept.servers.items()
    }
    everywhere = {kind: found for kind, found in kept.everywhere.items() if kind != "remembered"}
    return replace(kept, servers={guild: rows for guild, rows in servers.items() if rows}, everywhere=everywhere)


async def findings(world: World) -> list[str]:
    """Return errors in the database, as ``python -m bot check`` finds them."""

    def job(s: Session) -> list[str]:
        sql = sql_of(s)
        asked = [found for question in QUESTIONS for found in inspection.answers(sql, question)]
        found = [*asked, *inspection.ratings(sql), *sealed.secrets(sql, world.vault)]
        return [finding.line for finding in found]

    return await world.sessions.read(job)


def sql_of(s: Session) -> Sql:
    """Return the connection of a session's transaction."""
    assert isinstance(s.tx, Tx)
    return s.tx.sql


def change_all(s: Session, *, table: str, column: str) -> None:
    """Write over what may not be written over."""
    sql_of(s).run(f"UPDATE {table} SET {column} = 'x'")


async def lived(world: World) -> TableKey:
    """Ann has left her mark everywhere, and sits nowhere any more; returns the table that she played at."""
    table = await world.started(ANN, BOB, CLEO)
    await world.play.set_entropy(table, ANN, "it's me, Ann", cause=world.cause())
    await world.play_hand(table)
    await world.next_hand(table)
    await world.play_hand(table)
    await world.play.close(table, reason="closed_by_admin")
    elsewhere = await world.started(DAN, ANN, guild=OTHER_GUILD)
    await world.play_hand(elsewhere)
    await world.play.close(elsewhere, reason="closed_by_admin")
    await world.bank.claim(GUILD, ANN, Claim.BONUS)
    await world.bank.freeze(GUILD, BOB, ANN, "Ann was rude", cause=world.cause())
    await world.bank.change_chips(GUILD, ANN, BOB, Action.GIVE, 5, "for Bob", cause=world.cause())
    await world.play.change_member_settings(GUILD, ANN, lambda member_settings: member_settings)
    await world.matchmaking.refuse(GUILD, ANN, DAN)
    await world.matchmaking.refuse(GUILD, CLEO, ANN)
    await world.events.save_draft(GUILD, ANN, {"name": "Saturday"})
    await announced(world)
    day = (await world.daily.today(ANN)).of.number
    await world.daily.begin(day, ANN, cause=world.cause())
    for street in range(1, 6):
        hand = (await world.daily.look(day, ANN)).hand
        assert hand is not None
        await world.daily.place(day, ANN, street=street, rows=await quickly(hand), cause=world.cause())
    await world.daily.done()
    return table


async def friday(world: World, guild: GuildId, *, organiser: Player) -> Event:
    """An event that is a day away."""
    plan = PlannedEvent(
        guild=guild,
        channel=CHANNEL,
        organiser=organiser,
        language="en",
        name="Friday",
        variant=PINEAPPLE,
        structure=PRESETS["chaipo"],
        clock=PER_TURN,
        starts_at=world.now + DAY,
    )
    return await world.events.create(plan, cause=world.cause())


async def announced(world: World) -> None:
    """An event that Ann has organised, spoken about and called off."""
    event = await friday(world, GUILD, organiser=ANN)
    by = Official(player=ANN, manager=True)
    await world.events.announce(event.key, by, "Ann says hello", cause=world.cause())
    await world.events.register(event.key, ANN, cause=world.cause())
    await world.events.cancel(event.key, by, why="Ann is ill", cause=world.cause())


def places_of(world: World, text: str) -> set[str]:
    """Return the tables in which a text occurs anywhere in a row, including inside other texts and long numbers."""
    return {
        name
        for name, rows in world.dump().items()
        if any(str(cell) == text if isinstance(cell, int) else text in str(cell) for row in rows for cell in row)
    }


def sums(world: World) -> list[Any]:
    """Return the sums that a deletion mustn't change, without names."""
    questions = (
        "SELECT kind, table_id, balance FROM account ORDER BY account_id",
        "SELECT payer, payee, amount, kind, table_id, hand_no, at FROM transfer ORDER BY transfer_id",
        "SELECT guild_id, table_id, seq, hand_no, kind, at FROM table_log ORDER BY guild_id, table_id, seq",
        "SELECT guild_id, table_id, hand_no, points, chips FROM result ORDER BY 1, 2, 3, 4, 5",
        "SELECT guild_id, span, since, game, hands, points, chips FROM standing ORDER BY 1, 2, 3, 4, 5, 6, 7",
        "SELECT challenge_id, points, people FROM challenge_count",
        "SELECT number, action, chips, at FROM audit ORDER BY number",
    )
    return [world.ask(question) for question in questions]


async def test_who_was_deleted_stands_nowhere_in_the_database_and_all_sums_are_as_before(world: World) -> None:
    await lived(world)
    assert places_of(world, ANN) >= {
        "account",
        "transfer",
        "table_log",
        "hand",
        "result",
        "standing",
        "audit",
        "freeze",
    }
    before, others = sums(world), await world.play.leaderboard(GUILD, LeaderboardQuery(), BOB, page=0, lines=10)
    assert await findings(world) == []
    await world.privacy.delete(ANN)
    assert places_of(world, ANN) == set()
    assert places_of(world, "Ann") == set()
    assert sums(world) == before
    assert await findings(world) == []
    after = await world.play.leaderboard(GUILD, LeaderboardQuery(), BOB, page=0, lines=10)
    assert [line for line in after.lines if not is_pseudonym(line.player)] == [
        line for line in others.lines if line.player != ANN
    ]


async def test_what_is_final_is_final_again_once_somebody_was_deleted(world: World) -> None:
    await lived(world)
    await world.privacy.delete(ANN)
    for table, column in (("table_log", "actor"), ("transfer", "cause"), ("audit", "reason"), ("event_log", "kind")):
        change = partial(change_all, table=table, column=column)
        with pytest.raises(Exception, match="final"):
            await world.sessions.write(change)


async def test_what_is_kept_is_told_and_nothing_of_it_afterwards(world: World) -> None:
    await lived(world)
    kept = await world.privacy.kept_about(ANN)
    assert {*kept.servers} == {GUILD, OTHER_GUILD}
    assert {"chips", "movements", "hands", "actions", "results", "standings", "frozen"} <= {*kept.servers[GUILD]}
    assert [row["entropy"] for row in kept.servers[GUILD]["hands"]][1] == "it's me, Ann"
    assert {*kept.everywhere} == {"daily_tries", "daily_actions", "daily_streak"}
    assert [row["other"] for row in kept.servers[GUILD]["refusals"]] == [DAN]
    told = str(kept)
    assert CLEO not in re.findall(r"\d+", told), "who refuses her is theirs"
    assert BOB not in re.findall(r"\d+", told)
    assert "for Bob" in told
    await world.privacy.delete(ANN)
    assert but_remembered(await world.privacy.kept_about(ANN)) == NOTHING


async def test_a_pseudonym_differs_from_server_to_server(world: World) -> None:
    await lived(world)
    await world.privacy.delete(ANN)
    names = world.ask("SELECT DISTINCT guild_id, owner FROM account WHERE owner LIKE 'gone-%' AND kind = 'wallet'")
    assert sorted(guild for guild, _ in names) == [GUILD, OTHER_GUILD]
    assert len({name for _, name in names}) == 2


async def test_hands_of_who_was_deleted_are_replayed_and_told_as_before(world: World) -> None:
    table = await lived(world)
    before = [await world.play.result(table, hand, BOB) for hand in (1, 2)]
    await world.privacy.delete(ANN)
    await world.restart()
    for hand, was in enumerate(before, 1):
        now = await world.play.result(table, hand, BOB)
        assert now.hand is not None
        assert was.hand is not None
        assert now.hand.score == was.hand.score
        assert [seat.rows for seat in now.hand.seats] == [seat.rows for seat in was.hand.seats]


async def test_a_record_says_what_was_deleted_from_it_and_its_seed_is_still_the_committed_one(world: World) -> None:
    table = await lived(world)
    earlier = await world.play.proof(table, 1, BOB)
    await world.privacy.delete(ANN)
    world.now += 31 * DAY
    await world.privacy.go_on()
    record = dict(await world.play.proof(table, 1, BOB))
    assert record["withheld"] == [0]
    assert record["players"][0]["entropy"] == ""
    assert record["deck_order"] == earlier["deck_order"]
    assert record["seed"] == earlier["seed"]
    assert check_proof(record).problem is Problem.WITHHELD
    assert check_proof(record | {"seed": "0" * 64}).problem is Problem.COMMITMENT
    assert check_proof(earlier).ok


async def test_a_record_stays_whole_until_its_table_has_been_closed_for_thirty_days(world: World) -> None:
    table = await world.started(BOB, ANN, CLEO)
    await world.play_hand(table)
    await world.next_hand(table)
    await world.play_hand(table)
    await world.play.leave(table, ANN, cause=world.cause())
    await world.next_hand(table)
    await world.play_hand(table)
    assert await world.privacy.blockers(ANN) == []
    with pytest.raises(Refused) as refused:
        await world.play.proof(table, 1, BOB)
    assert refused.value.reason is HandReason.NOT_REVEALED_BEFORE_CLOSING
    await world.privacy.delete(ANN)
    assert places_of(world, ANN) == set()
    # Her friend may play on for months, while no one could save the record.
    world.now += 90 * DAY
    await world.privacy.go_on()
    await world.play.close(table, reason="closed_by_admin")
    for days in (0, 29):
        world.now += days * DAY
        await world.privacy.go_on()
        for hand in (1, 2):
            record = await world.play.proof(table, hand, BOB)
            assert check_proof(record).ok
            assert japanese_verifier.problem(dict(record)) is None
            assert ANN in {player["player"] for player in record["players"]}
    # Deleting another player in between removes nothing either.
    await world.privacy.delete(CLEO)
    assert check_proof(await world.play.proof(table, 1, BOB)).ok
    world.now += 2 * DAY
    await world.privacy.go_on()
    assert len((await world.play.proof(table, 1, BOB))["withheld"]) == 2
    assert world.ask("SELECT COUNT(*) FROM hand WHERE kept_entropy IS NOT NULL") == [(0,)]
    assert await findings(world) == []


async def test_the_record_of_a_draw_stays_whole_for_thirty_days(world: World) -> None:
    event = await friday(world, GUILD, organiser=BOB)
    for player in (ANN, CLEO):
        await world.events.register(event.key, player, cause=world.cause())
    await world.events.cancel(event.key, Official(player=BOB), why="rain", cause=world.cause())
    before = await world.events.draw_proof(event.key)
    assert {player for player, _ in before["entropy"]} == {ANN, CLEO}
    for player in (ANN, CLEO):
        await world.privacy.delete(player)
        assert places_of(world, player) == set()
    world.now += 29 * DAY
    await world.privacy.go_on()
    assert await world.events.draw_proof(event.key) == before
    assert check_draw(before).ok
    assert japanese_verifier.problem(dict(before)) is None
    world.now += 2 * DAY
    await world.privacy.go_on()
    with pytest.raises(Refused) as refused:
        await world.events.draw_proof(event.key)
    assert refused.value.reason is PrivacyReason.DRAW_WITHHELD


async def test_a_kept_deck_is_shown_by_the_seed_alone(world: World) -> None:
    table = await lived(world)
    await world.privacy.delete(ANN)
    record = await world.record(table, 1)
    seed = decks.seed(world.vault, table, record)
    assert record.kept_deck is not None
    cards = decks.deck(table, record, seed)
    assert len({*cards}) == 52
    with pytest.raises((ValueError, KeyError)):
        decks.deck(table, record, b"x" * 32)
    assert Entropy(ANN, "it's me, Ann") not in [Entropy(*pair) for pair in record.entropy]


async def test_at_an_events_table_the_event_is_what_is_to_be_finished(world: World) -> None:
    event = await friday(world, GUILD, organiser=BOB)
    for player in (ANN, CLEO):
        await world.events.register(event.key, player, cause=world.cause())
    await world.events.start(event.key, Official(player=BOB), cause=world.cause())
    await world.settle()
    assert await world.play.tables_of(GUILD, ANN), "she has a seat"
    for player in (ANN, BOB):
        assert [tie.kind for tie in await world.privacy.blockers(player)] == [BlockerKind.EVENT]


async def test_nobody_is_deleted_while_something_of_theirs_is_open(world: World) -> None:
    table = await world.started(ANN, BOB)
    day = (await world.daily.today(ANN)).of.number
    await world.daily.begin(day, ANN, cause=world.cause())
    await world.daily.done()
    event = await friday(world, OTHER_GUILD, organiser=BOB)
    await world.events.register(event.key, ANN, cause=world.cause())
    before = world.dump()
    blockers = await world.privacy.blockers(ANN)
    assert [(tie.kind, tie.guild, tie.number) for tie in blockers] == [
        (BlockerKind.TABLE, GUILD, table.table),
        (BlockerKind.EVENT, OTHER_GUILD, event.key.number),
        (BlockerKind.DAILY, None, day),
    ]
    with pytest.raises(Refused) as refused:
        await world.privacy.delete(ANN)
    assert refused.value.reason is PrivacyReason.STILL_PLAYING
    assert world.dump() == before
    await world.play.close(table, reason="closed_by_admin")
    await world.events.withdraw(event.key, ANN, cause=world.cause())
    world.now += 2 * DAY
    await world.clock.tick()
    await world.daily.today(BOB)
    assert await world.privacy.blockers(ANN) == []
    await world.privacy.delete(ANN)
    assert places_of(world, ANN) == set()


async def test_who_comes_back_starts_anew(world: World) -> None:
    await lived(world)
    await world.privacy.delete(ANN)
    await world.bank.unfreeze(GUILD, BOB, ANN, "A new start", cause=world.cause())
    await world.bank.change_chips(GUILD, BOB, ANN, Action.GIVE, 5_000, "A new start", cause=world.cause())
    table = await world.started(ANN, BOB)
    await world.play_hand(table)
    assert await findings(world) == []
    assert (await world.play.wallet(GUILD, ANN)) + 0 >= 0
    kept = but_remembered(await world.privacy.kept_about(ANN))
    assert {*kept.servers} == {GUILD}
    assert "frozen" not in kept.servers[GUILD]
    await world.play.close(table, reason="closed_by_admin")
    await world.privacy.delete(ANN)
    assert places_of(world, ANN) == set()
    assert await findings(world) == []


async def cut_short(world: World, player: Player) -> None:
    """A deletion that ends with its first transaction, as a kill would have it."""
    await world.sessions.write(partial(delete, player=player))


async def told_of(world: World, table: TableKey) -> list[object]:
    """Return the others' view of Ann's first hands, with their end and points but without names."""
    told = [await world.play.result(table, hand, BOB) for hand in (1, 2)]
    return [(one.hand.score, [seat.rows for seat in one.hand.seats]) for one in told if one.hand is not None]


async def test_who_was_deleted_is_gone_to_all_readers_before_their_hands_are_rewritten(world: World) -> None:
    table = await lived(world)
    before, chips = await told_of(world, table), sums(world)
    await cut_short(world, ANN)
    assert places_of(world, ANN) == {"table_log", "hand", "leaving"}
    assert await findings(world) == []
    assert sums(world) == chips
    assert but_remembered(await world.privacy.kept_about(ANN)) == NOTHING
    assert await told_of(world, table) == before
    for hand_no in (1, 2):
        record, told = await world.record(table, hand_no), await world.play.result(table, hand_no, BOB)
        assert told.hand is not None
        assert ANN not in {player for player, _ in record.entropy} | {seat.player for seat in told.hand.seats}
        assert {result.player for result in told.results} == {seat.player for seat in told.hand.seats}
        # The public record remains complete for some time.
        assert ANN in str(await world.play.proof(table, hand_no, BOB))
        assert ANN not in str(await world.play.history_file(table, hand_no, BOB))


async def test_hands_are_rewritten_some_at_a_time_and_the_house_is_in_order_in_between(world: World) -> None:
    table = await lived(world)
    before = await told_of(world, table)
    await cut_short(world, ANN)
    steps = 0
    while await world.sessions.write(lambda s: s.tx.leaving.rewrite_hands(ANN, most=1)):
        steps += 1
        assert await findings(world) == []
        assert but_remembered(await world.privacy.kept_about(ANN)) == NOTHING
        assert await told_of(world, table) == before
    assert steps > 4, "two hands, what was before the first, the other table"
    assert places_of(world, ANN) == set()


async def test_requests_at_the_same_time_share_one_deletion(real_world: World) -> None:
    world, deleted = real_world, list[Player]()
    world.core.bus.player_deleted.subscribe(deleted.append)
    await lived(world)
    await asyncio.gather(*(world.privacy.delete(ANN) for _ in range(20)))
    assert deleted == [ANN]
    assert but_remembered(await world.privacy.kept_about(ANN)) == NOTHING


async def test_a_deletion_that_was_interrupted_goes_on(world: World) -> None:
    await lived(world)
    await cut_short(world, ANN)
    await cut_short(world, CLEO)
    await world.restart()
    await world.privacy.go_on()
    assert places_of(world, ANN) | places_of(world, CLEO) == set()
    assert await findings(world) == []


async def test_who_comes_back_while_their_hands_are_rewritten_keeps_what_is_new(world: World) -> None:
    table = await world.started(BOB, ANN, CLEO)
    await world.play_hand(table)
    await world.leave(table, ANN)
    await world.next_hand(table)
    await cut_short(world, ANN)
    await world.bank.change_chips(GUILD, BOB, ANN, Action.GIVE, 5_000, "A new start", cause=world.cause())
    await world.join(table, ANN)
    await world.play_hand(table)
    await world.next_hand(table)
    await world.play_hand(table)
    kept = await world.privacy.kept_about(ANN)
    assert [row["hand_no"] for row in kept.servers[GUILD]["hands"]] == [3]
    assert await findings(world) == []
    await world.privacy.go_on()
    assert await findings(world) == []
    assert [row["hand_no"] for row in (await world.privacy.kept_about(ANN)).servers[GUILD]["hands"]] == [3]
    told = await world.play.result(table, 3, BOB)
    assert ANN in {result.player for result in told.results}
    await world.play.close(table, reason="closed_by_admin")
    await world.privacy.delete(ANN)
    assert places_of(world, ANN) == set()


async def left(world: World, *gone: GuildId) -> list[GuildId]:
    """Look at the servers while the bot is no member of some; returns those that were deleted."""
    return await world.privacy.look_at_servers(is_there=lambda guild: guild not in gone)


async def test_what_is_kept_of_a_server_that_the_bot_left_stays_where_the_operator_says_nothing(world: World) -> None:
    await lived(world)
    before = world.ask("SELECT * FROM account")
    assert await left(world, GUILD) == []
    world.now += 4_000 * DAY
    assert await left(world, GUILD) == []
    assert world.ask("SELECT * FROM account") == before


async def test_a_server_that_the_bot_left_is_deleted_after_some_days_and_no_other(world: World) -> None:
    world.policy = Policy(left_server_days=30)
    await world.restart()
    await lived(world)

    others = [row for row in world.ask("SELECT * FROM account") if row[1] != GUILD]
    assert await left(world, GUILD) == []
    world.now += 29 * DAY
    assert await left(world, GUILD) == []
    assert await left(world) == []
    assert await left(world, GUILD) == []
    world.now += 30 * DAY
    assert await left(world, GUILD) == [GUILD]
    assert GUILD not in {
        row[0] for row in world.ask("SELECT guild_id FROM table_log UNION SELECT guild_id FROM account")
    }
    assert [*world.ask("SELECT * FROM account")] == others
    assert await findings(world) == []
    table = await world.started(ANN, BOB)
    await world.play_hand(table)
    assert await findings(world) == []


async def test_a_deletion_makes_no_chips_and_ends_no_freeze(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    await world.bank.change_terms(GUILD, BOB, lambda terms: replace(terms, transfer_cap=1_000), cause=world.cause())
    assert await world.bank.claim(GUILD, ANN, Claim.BONUS) == 500
    await world.bank.send(GUILD, ANN, BOB, 1_000, cause=world.cause())
    for _ in range(3):
        await world.privacy.delete(ANN)
        assert await world.play.wallet(GUILD, ANN) == 0
        with world.refuses(BankReason.CLAIMED_ALREADY, when=str((world.now // DAY + 1) * DAY // 1000)):
            await world.bank.claim(GUILD, ANN, Claim.BONUS)
    assert await world.bank.claim(GUILD, ANN, Claim.REFILL) == 2_000
    await world.privacy.delete(ANN)
    assert [offer.chips for offer in await world.bank.offered(GUILD, ANN)] == [0, 0]
    await world.bank.change_chips(GUILD, BOB, ANN, Action.GIVE, 5_000, "For a test", cause=world.cause())
    with world.refuses(BankReason.TRANSFER_CAP, most=0):
        await world.bank.send(GUILD, ANN, BOB, 1, cause=world.cause())
    # In another server they had nothing and start like anyone else.
    assert await world.play.wallet(OTHER_GUILD, ANN) == Policy().start_chips
    await world.bank.freeze(GUILD, BOB, ANN, "Two accounts", cause=world.cause())
    frozen_at = world.now
    await world.privacy.delete(ANN)
    until = (frozen_at + REMEMBERED_DAYS * DAY) // 1000
    for doing in (
        world.bank.claim(GUILD, ANN, Claim.REFILL),
        world.bank.send(GUILD, ANN, BOB, 1, cause="1"),
        world.table(ANN, CLEO),
    ):
        with world.refuses(BankReason.STILL_FROZEN, when=str(until)):
            await doing
    (kept,) = (await world.privacy.kept_about(ANN)).servers[GUILD]["remembered"]
    assert kept["frozen"] is True
    assert ANN not in str(world.dump()), "a hash tells nobody who it was"
    assert await findings(world) == []
    await world.close()


async def test_a_manager_unfreezes_who_was_deleted_and_after_a_month_they_are_forgotten(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    assert await world.play.wallet(GUILD, ANN) == Policy().start_chips
    await world.bank.freeze(GUILD, BOB, ANN, "Two accounts", cause=world.cause())
    await world.privacy.delete(ANN)
    await world.bank.unfreeze(GUILD, BOB, ANN, "A mistake", cause=world.cause())
    assert await world.bank.why_frozen(GUILD, ANN) is None
    with world.refuses(BankReason.NOT_FROZEN):
        await world.bank.unfreeze(GUILD, BOB, ANN, "Twice", cause=world.cause())
    await world.privacy.delete(ANN)
    assert world.ask("SELECT COUNT(*) FROM remembered") == [(1,)]
    world.now += REMEMBERED_DAYS * DAY
    await world.privacy.look_at_servers(is_there=lambda _: True)
    assert world.ask("SELECT COUNT(*) FROM remembered") == [(0,)]
    assert await world.play.wallet(GUILD, ANN) == Policy().start_chips
    await world.close()


async def test_with_a_new_key_who_was_deleted_is_still_known(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    await world.play.wallet(GUILD, ANN)
    await world.privacy.delete(ANN)
    before = world.vault.marks("x")
    add_key(world.key_file)
    await world.restart()
    assert world.vault.marks("x")[1:] == before
    assert await world.play.wallet(GUILD, ANN) == 0
    await world.privacy.delete(ANN)
    assert world.ask("SELECT COUNT(*) FROM remembered") == [(1,)]
    await world.close()


async def test_ids_of_presses_go_with_a_deletion_and_causes_still_pay_once(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    sending, giving, freezing, entering = (f"88776655443322110{number}" for number in range(4))
    await world.bank.change_terms(
        GUILD, BOB, lambda terms: replace(terms, transfer_cap=1_000, transfer_fee=10), cause="terms"
    )
    await world.bank.send(GUILD, ANN, BOB, 100, cause=sending)
    await world.bank.change_chips(GUILD, ANN, BOB, Action.GIVE, 5, "for Bob", cause=giving)
    await world.bank.freeze(GUILD, ANN, CLEO, "for a test", cause=freezing)
    event = await friday(world, GUILD, organiser=BOB)
    await world.events.register(event.key, ANN, cause=entering)
    await world.events.withdraw(event.key, ANN, cause=world.cause())
    for press in (sending, giving, freezing):
        assert places_of(world, press), "the test would see nothing"
    await world.privacy.delete(ANN)
    for press in (sending, giving, freezing, entering):
        assert places_of(world, press) == set()
    assert world.ask("SELECT COUNT(*), COUNT(DISTINCT cause) FROM audit")[0] == (3, 3)
    assert await findings(world) == []
    await world.close()


async def test_who_helped_and_never_entered_is_told_and_deleted(world: World) -> None:
    event = await friday(world, GUILD, organiser=BOB)
    by = Official(player=BOB, manager=True)
    for remove in (False, True):
        await world.events.co_organiser(event.key, by, ANN, remove=remove, cause=world.cause())
    await world.events.announce(event.key, by, f"<@{ANN}> brings the cake", cause=world.cause())
    world.do("DELETE FROM event_outbox")
    assert places_of(world, ANN) == {"event_log", "event_named"}
    assert await findings(world) == []
    world.do(f"DELETE FROM event_named WHERE player = '{ANN}'")
    (lost,) = await findings(world)
    assert f"names {ANN!r}, but a deletion would not find it" in lost
    world.do(f"INSERT INTO event_named (player, guild_id, event_id) VALUES ('{ANN}', {GUILD}, 1)")
    rulings = (await world.privacy.kept_about(ANN)).servers[GUILD]["rulings"]
    assert [row["kind"] for row in rulings] == ["helper", "helper_removed", "said"]
    await world.privacy.delete(ANN)
    assert places_of(world, ANN) == set()
    assert await findings(world) == []


async def test_a_check_finds_a_line_of_an_event_that_a_deletion_would_not(world: World) -> None:
    event = await friday(world, GUILD, organiser=BOB)
    await world.events.register(event.key, ANN, cause=world.cause())
    by = Official(player=BOB, manager=True)
    await world.events.co_organiser(event.key, by, ANN, remove=False, cause=world.cause())
    assert await findings(world) == []
    world.do("DELETE FROM event_named")
    assert await findings(world) == [
        f"server {GUILD}: the log of event {event.key.number} names {ANN!r}, but a deletion would not find it"
    ]


async def test_an_export_tells_from_which_tables_one_was_removed_and_to_which_invited(world: World) -> None:
    table = await world.table(BOB, ANN, CLEO)
    await world.seating.remove(table, BOB, ANN, manager=False, cause=world.cause())
    like = await world.play.look(table)
    offer = TableOffer(
        guild=GUILD,
        channel=CHANNEL,
        host=BOB,
        language="en",
        terms=Terms(variant=PINEAPPLE, max_seats=2, buy_in=1000, point_value=10, clock=PER_TURN),
        invited=(ANN,),
        private=True,
    )
    inviting = await world.play.open_table(offer, cause=world.cause())
    kept = (await world.privacy.kept_about(ANN)).servers[GUILD]
    assert [row["table_id"] for row in kept["removed_from"]] == [like.table.key.table]
    assert [row["table_id"] for row in kept["invited_to"]] == [inviting.key.table]
    others = (await world.privacy.kept_about(CLEO)).servers[GUILD]
    assert not {"removed_from", "invited_to"} & {*others}
    for closed in (table, inviting.key):
        await world.play.close(closed, reason="closed_by_admin")
    await world.privacy.delete(ANN)
    assert places_of(world, ANN) == set()
    assert but_remembered(await world.privacy.kept_about(ANN)) == NOTHING


async def test_an_export_tells_what_organisers_ruled(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    event = await friday(world, GUILD, organiser=BOB)
    for player in (ANN, CLEO, DAN):
        await world.events.register(event.key, player, cause=world.cause())
    by = Official(player=BOB, manager=True)
    await world.events.start(event.key, by, cause=world.cause())
    await world.events.penalty(event.key, by, ANN, hands=3, why="was rude", cause=world.cause())
    kept = (await world.privacy.kept_about(ANN)).servers[GUILD]
    (ruling,) = (row for row in kept["rulings"] if row["kind"] == "penalty")
    assert ruling["details"]["why"] == "was rude"
    assert BOB not in str(ruling)
    assert "was rude" not in str(await world.privacy.kept_about(CLEO))
    await world.close()


async def test_an_export_has_the_lines_that_the_bot_wrote_in_events_logs_and_nobody_else(world: World) -> None:
    event = await friday(world, GUILD, organiser=BOB)
    for player in (ANN, CLEO, DAN):
        await world.events.register(event.key, player, cause=world.cause())
    by = Official(player=BOB, manager=True)
    await world.events.announce(event.key, by, f"<@{ANN}> and <@{CLEO}> bring cake", cause=world.cause())
    await world.events.start(event.key, by, cause=world.cause())
    kept = (await world.privacy.kept_about(ANN)).servers[GUILD]
    lines = {row["kind"]: row["details"] for row in kept["event_lines"]}
    assert {"seats_drawn", "started"} <= {*lines}
    assert ANN in str(lines["seats_drawn"])
    (said,) = (row["details"] for row in kept["rulings"] if row["kind"] == "said")
    assert said["text"] == f"<@{ANN}> and […] bring cake"
    assert not {BOB, CLEO, DAN} & set(re.findall(r"\d+", str((lines, said))))
    (entered,) = kept["events_entered"]
    assert "adds" in entered


@pytest.mark.of_sqlite
async def test_what_was_deleted_stands_in_no_byte_of_the_files(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    text = "nobody should read this any more"
    table = await world.started(ANN, BOB)
    await world.play.set_entropy(table, ANN, text, cause=world.cause())
    await world.play_hand(table)
    await world.play.close(table, reason="closed_by_admin")
    files = [world.path, world.path.with_name(world.path.name + "-wal")]
    assert any(text.encode() in file.read_bytes() for file in files), "the test would see nothing"
    await world.privacy.delete(ANN)
    for file in files:
        assert text.encode() not in file.read_bytes()
        assert ANN.encode() not in file.read_bytes()
    await world.close()
