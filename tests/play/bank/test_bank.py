"""The bank: no one is out permanently, nothing is paid twice, and each manager's action is logged."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from bot.chat.club.screens.bank import audit_screen
from bot.model.bank import MAX_CHIPS, Action, BankTerms, ChipFlow, Claim, ClaimOffer, PlayerTransfer
from bot.model.clock import DAY, HOUR
from bot.model.ids import DELETED, Player
from bot.model.reasons import BankReason, OrganiserReason, PlayReason
from bot.model.refusals import Stale
from bot.play.api.server import MIN_FLOW
from bot.play.bank.chips import made_at
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.policy import Policy
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.refusals import Refused
from bot.store.ledger import LedgerQueries
from bot.text.words import words_for
from tests.play.test_restore import findings
from tests.play.world import ANN, BOB, CHANNEL, CLEO, DAN, GUILD, OTHER_GUILD, PER_TURN, World

POOR = Policy(start_chips=1_000)


async def refused(doing: Awaitable[Any]) -> tuple[PlayReason, dict[str, int | str]]:
    """Return the reason of a refusal and its details."""
    with pytest.raises(Refused) as refusal:
        await doing
    assert isinstance(refusal.value.reason, PlayReason)
    return refusal.value.reason, dict(refusal.value.details)


async def agree(world: World, **terms: Any) -> BankTerms:
    """The server's bank gives this from now on."""
    change = world.bank.change_terms(GUILD, ANN, lambda _: replace(BankTerms(), **terms), cause=world.cause())
    return await change


async def wallet(world: World, player: Player) -> int:
    """Return a player's chips outside tables."""
    return await world.play.wallet(GUILD, player)


@pytest.fixture
async def world(tmp_path: Path) -> Any:
    """A bot that gives newcomers little."""
    world = World(tmp_path, policy=POOR)
    await world.open()
    yield world
    assert findings(world) == []
    await world.close()


# players


async def test_who_is_below_the_floor_is_brought_up_to_it_once_a_day(world: World) -> None:
    assert await world.bank.offered(GUILD, BOB) == [
        ClaimOffer(claim=Claim.REFILL, chips=1_000),
        ClaimOffer(claim=Claim.BONUS, chips=500),
    ]
    assert await world.bank.claim(GUILD, BOB, Claim.REFILL) == 1_000
    assert await wallet(world, BOB) == 2_000
    tomorrow = (world.now // DAY + 1) * DAY
    again = await refused(world.bank.claim(GUILD, BOB, Claim.REFILL))
    assert again == (BankReason.CLAIMED_ALREADY, {"when": str(tomorrow // 1000)})
    assert (await world.bank.offered(GUILD, BOB))[0] == ClaimOffer(claim=Claim.REFILL, chips=0, again_at=tomorrow)
    world.now = tomorrow
    above = await refused(world.bank.claim(GUILD, BOB, Claim.REFILL))
    assert above == (BankReason.ABOVE_FLOOR, {"floor": 2_000, "have": 2_000})


async def test_chips_at_tables_count_towards_the_floor(world: World) -> None:
    await agree(world, refill_to=1_000)
    await world.table(ANN, BOB, point_value=10)
    assert await wallet(world, BOB) == 0
    above = await refused(world.bank.claim(GUILD, BOB, Claim.REFILL))
    assert above == (BankReason.ABOVE_FLOOR, {"floor": 1_000, "have": 1_000})


async def test_the_bonus_is_had_once_in_its_period(world: World) -> None:
    await agree(world, bonus=300, bonus_hours=8)
    assert await world.bank.claim(GUILD, CLEO, Claim.BONUS) == 300
    reason, _ = await refused(world.bank.claim(GUILD, CLEO, Claim.BONUS))
    assert reason is BankReason.CLAIMED_ALREADY
    world.now += 8 * HOUR
    assert await world.bank.claim(GUILD, CLEO, Claim.BONUS) == 300
    assert await wallet(world, CLEO) == 1_600


async def test_a_bank_gives_only_what_it_offers(world: World) -> None:
    await agree(world, refill_to=0, bonus=0)
    assert await world.bank.offered(GUILD, BOB) == []
    for claim in Claim:
        assert await refused(world.bank.claim(GUILD, BOB, claim)) == (BankReason.NO_CLAIM, {})
    assert await world.bank.claim(OTHER_GUILD, BOB, Claim.BONUS) == 500


async def test_an_account_is_old_enough_for_a_bank_that_asks_for_no_age_though_the_clock_is_slow(world: World) -> None:
    new = Player(str((world.now + DAY - 1_420_070_400_000) << 22))
    assert made_at(new) > world.now
    assert await world.bank.claim(GUILD, new, Claim.BONUS) == 500


async def test_a_new_account_and_one_who_has_not_played_wait(world: World) -> None:
    await agree(world, account_days=10)
    young = Player(str((world.now - 9 * DAY - 1_420_070_400_000) << 22))
    assert world.now - made_at(young) == 9 * DAY
    assert await refused(world.bank.claim(GUILD, young, Claim.BONUS)) == (BankReason.ACCOUNT_TOO_YOUNG, {"days": 10})
    world.now += DAY
    assert await world.bank.claim(GUILD, young, Claim.BONUS) == 500
    await agree(world, hands=1)
    waits = await refused(world.bank.claim(GUILD, BOB, Claim.BONUS))
    assert waits == (BankReason.TOO_FEW_HANDS, {"need": 1, "have": 0})
    await world.play_hand(await world.started(ANN, BOB, point_value=1))
    assert await world.bank.claim(GUILD, BOB, Claim.BONUS) == 500


async def test_chips_are_sent_only_where_the_server_allows_it(world: World) -> None:
    assert await refused(world.bank.send(GUILD, ANN, BOB, 10, cause="1")) == (BankReason.NO_TRANSFERS, {})
    await agree(world, transfer_cap=600, transfer_fee=5)
    assert await refused(world.bank.send(GUILD, ANN, ANN, 10, cause="1")) == (BankReason.NOT_TO_ONESELF, {})
    assert await world.bank.send(GUILD, ANN, BOB, 501, cause="2") == PlayerTransfer(chips=475, fee=26)
    assert (await wallet(world, ANN), await wallet(world, BOB)) == (499, 1_475)
    assert await refused(world.bank.send(GUILD, ANN, BOB, 100, cause="3")) == (BankReason.TRANSFER_CAP, {"most": 99})
    world.now += DAY
    short = await refused(world.bank.send(GUILD, ANN, BOB, 500, cause="4"))
    assert short == (BankReason.NOT_SO_MANY_CHIPS, {"have": 499})


async def test_a_press_that_is_delivered_twice_sends_once(world: World) -> None:
    await agree(world, transfer_cap=600, transfer_fee=10)
    await world.bank.send(GUILD, ANN, BOB, 50, cause="2")
    with pytest.raises(Stale):
        await world.bank.send(GUILD, ANN, BOB, 50, cause="2")
    assert await wallet(world, ANN) == 950


@pytest.mark.parametrize("fee", [1, 10, 50, 99])
async def test_what_is_sent_arrives_at_least_in_part(world: World, fee: int) -> None:
    await agree(world, transfer_cap=600, transfer_fee=fee)
    reason, details = await refused(world.bank.send(GUILD, ANN, BOB, 1, cause="1"))
    least = int(details["least"])
    assert (reason, await wallet(world, ANN)) == (BankReason.FEE_TAKES_ALL, 1_000)
    with pytest.raises(Refused):
        await world.bank.send(GUILD, ANN, BOB, least - 1, cause="2")
    assert await world.bank.send(GUILD, ANN, BOB, least, cause="3") == PlayerTransfer(chips=1, fee=least - 1)


async def test_sending_asks_for_age_and_hands_like_the_bonus(world: World) -> None:
    await agree(world, transfer_cap=600, account_days=365, hands=1)
    young = Player(str((world.now - DAY - 1_420_070_400_000) << 22))
    too_young = (BankReason.ACCOUNT_TOO_YOUNG, {"days": 365})
    assert await refused(world.bank.send(GUILD, young, BOB, 10, cause="1")) == too_young
    assert await refused(world.bank.send(GUILD, ANN, BOB, 10, cause="2")) == (
        BankReason.TOO_FEW_HANDS,
        {"need": 1, "have": 0},
    )
    await world.play_hand(await world.started(ANN, BOB, point_value=1))
    assert await world.bank.send(GUILD, ANN, young, 10, cause="3") == PlayerTransfer(chips=10, fee=0)


async def test_a_clock_that_is_set_back_pays_nothing_twice(world: World) -> None:
    await agree(world, refill_to=2_000, bonus=300)
    start = world.now
    assert await world.bank.claim(GUILD, BOB, Claim.BONUS) == 300
    assert await world.bank.claim(GUILD, BOB, Claim.REFILL) == 700
    for days in (1, 2, 30):
        world.now = start - days * DAY
        for claim in Claim:
            assert (await refused(world.bank.claim(GUILD, BOB, claim)))[0] is BankReason.CLAIMED_ALREADY
    world.now = start
    await agree(world, bonus=300, bonus_hours=48)
    assert (await refused(world.bank.claim(GUILD, BOB, Claim.BONUS)))[0] is BankReason.CLAIMED_ALREADY
    world.now = start + 3 * DAY
    assert await world.bank.claim(GUILD, BOB, Claim.BONUS) == 300
    assert await wallet(world, BOB) == 2_300


async def test_a_fee_that_can_come_back_counts_like_a_stack(world: World) -> None:
    await agree(world, refill_to=1_000, bonus=0)
    plan = PlannedEvent(
        guild=GUILD,
        channel=CHANNEL,
        organiser=ANN,
        authority=MemberPermissions(manager=True),
        language="en",
        name="Friday",
        variant=PINEAPPLE,
        structure=replace(PRESETS["chaipo"], fee=1_000),
        clock=PER_TURN,
        starts_at=world.now + DAY,
    )
    event = await world.events.create(plan, cause=world.cause())
    await world.events.register(event.key, BOB, cause=world.cause())
    assert await wallet(world, BOB) == 0
    above = (BankReason.ABOVE_FLOOR, {"floor": 1_000, "have": 1_000})
    assert await refused(world.bank.claim(GUILD, BOB, Claim.REFILL)) == above
    await world.bank.change_seasons(GUILD, ANN, lambda terms: replace(terms, reset_chips=True), cause=world.cause())
    await world.bank.start_season(GUILD, ANN, "", cause=world.cause())
    assert await wallet(world, BOB) == 0
    await world.events.withdraw(event.key, BOB, cause=world.cause())
    assert await wallet(world, BOB) == 1_000
    await world.bank.start_season(GUILD, ANN, "", cause=world.cause())
    assert await wallet(world, BOB) == 1_000


# managers


async def test_a_manager_gives_takes_and_sets_with_a_line_for_each(world: World) -> None:
    bank = world.bank
    await bank.change_chips(GUILD, ANN, BOB, Action.GIVE, 500, "Won the quiz", cause="1")
    await bank.change_chips(GUILD, ANN, BOB, Action.TAKE, 1_400, "Too  much\nof it", cause="2")
    entry = await bank.change_chips(GUILD, ANN, BOB, Action.SET, 1_000, "A new start", cause="3")
    assert (entry.chips, entry.number, await wallet(world, BOB)) == (900, 3, 1_000)
    log = await bank.audit_log(GUILD, limit=10)
    assert [(line.number, line.action, line.chips, line.reason) for line in log] == [
        (3, Action.SET, 900, "A new start"),
        (2, Action.TAKE, -1_400, "Too much of it"),
        (1, Action.GIVE, 500, "Won the quiz"),
    ]
    kinds = [(movement.kind, movement.chips) for movement in await world.play.history(GUILD, BOB, limit=10)]
    assert kinds == [("given", 900), ("taken", -1_400), ("given", 500), ("grant", 1_000)]


async def test_what_a_manager_cannot_do_changes_nothing(world: World) -> None:
    bank = world.bank
    assert await wallet(world, BOB) == 1_000
    for action, amount, expected in (
        (Action.TAKE, 1_001, (BankReason.NOT_SO_MANY_TO_TAKE, {"have": 1_000})),
        (Action.GIVE, 0, (BankReason.BAD_CHIPS, {"least": 1, "most": MAX_CHIPS})),
        (Action.SET, MAX_CHIPS + 1, (BankReason.BAD_CHIPS, {"least": 0, "most": MAX_CHIPS})),
    ):
        assert await refused(bank.change_chips(GUILD, ANN, BOB, action, amount, "Why", cause="9")) == expected
    no_reason = await refused(bank.change_chips(GUILD, ANN, BOB, Action.GIVE, 1, " \n", cause="9"))
    assert no_reason[0] is OrganiserReason.NO_REASON
    computer = await refused(bank.change_chips(GUILD, ANN, Player("computer-1"), Action.GIVE, 1, "Why", cause="9"))
    assert computer == (BankReason.NO_WALLET, {})
    assert await bank.audit_log(GUILD, limit=10) == []
    assert await wallet(world, BOB) == 1_000


async def test_a_deed_that_is_delivered_twice_is_done_once(world: World) -> None:
    await world.bank.change_chips(GUILD, ANN, BOB, Action.GIVE, 500, "Once", cause="1")
    with pytest.raises(Stale):
        await world.bank.change_chips(GUILD, ANN, BOB, Action.GIVE, 500, "Once", cause="1")
    assert await wallet(world, BOB) == 1_500


async def test_who_is_frozen_moves_no_chips_and_plays_on(world: World) -> None:
    table = await world.started(ANN, BOB, point_value=1)
    await agree(world, transfer_cap=100)
    await world.bank.freeze(GUILD, ANN, BOB, "Two accounts", cause="1")
    frozen = (BankReason.FROZEN, {"why": "Two accounts"})
    assert await refused(world.bank.claim(GUILD, BOB, Claim.BONUS)) == frozen
    assert await refused(world.bank.send(GUILD, BOB, ANN, 1, cause="2")) == frozen
    assert await refused(world.bank.send(GUILD, ANN, BOB, 1, cause="3")) == (BankReason.PAYEE_FROZEN, {"player": BOB})
    assert await world.bank.offered(GUILD, BOB) == []
    why = await world.bank.why_frozen(GUILD, BOB)
    assert why is not None
    assert (why.reason, why.details) == frozen
    assert await refused(world.table(BOB, CLEO, point_value=1)) == frozen
    await world.play_hand(table)
    await world.table(BOB, DAN, point_value=0)
    await world.bank.unfreeze(GUILD, ANN, BOB, "It was a mistake", cause="4")
    assert await refused(world.bank.unfreeze(GUILD, ANN, BOB, "Again", cause="5")) == (BankReason.NOT_FROZEN, {})
    assert await world.bank.claim(GUILD, BOB, Claim.BONUS) == 500
    about = await world.bank.audit_log(GUILD, player=BOB, limit=10)
    assert [entry.action for entry in about] == [Action.UNFREEZE, Action.FREEZE]


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        ({"refill_to": MAX_CHIPS + 1}, BankReason.BAD_CHIPS),
        ({"bonus_hours": 0}, BankReason.BAD_TERMS),
        ({"account_days": 3_651}, BankReason.BAD_TERMS),
        ({"transfer_fee": 101}, BankReason.BAD_TERMS),
    ],
)
async def test_terms_without_sense_are_refused(world: World, terms: dict[str, int], reason: PlayReason) -> None:
    assert (await refused(agree(world, **terms)))[0] is reason
    assert await world.bank.terms(GUILD) == BankTerms()
    assert await world.bank.audit_log(GUILD, limit=1) == []


@pytest.mark.of_sqlite
async def test_the_managers_log_cannot_be_changed(world: World) -> None:
    await world.bank.freeze(GUILD, ANN, BOB, "Two accounts", cause="1")
    for statement in ("UPDATE audit SET reason = 'Other'", "DELETE FROM audit"):
        with sqlite3.connect(world.path) as connection, pytest.raises(sqlite3.IntegrityError, match="is final"):
            connection.execute(statement)
        connection.close()


async def test_chips_that_go_mostly_one_way_are_shown_to_managers(world: World) -> None:
    people = (ANN, BOB, CLEO, DAN)
    for number, player in enumerate(people):
        await world.bank.change_chips(GUILD, ANN, player, Action.GIVE, 100_000, "For a test", cause=str(number))
    wanted, mixed = set(), 0
    for one, other in combinations(people, 2):
        paid = [await _paid(world, one, other) for _ in range(3)]
        net, moved = sum(paid), sum(map(abs, paid))
        one_way = [chips for chips in paid if chips * net > 0]
        mixed += moved > abs(net)
        if abs(net) >= MIN_FLOW and (2 * abs(net) >= moved or 4 * len(one_way) >= 3 * sum(map(bool, paid))):
            payer, payee = (one, other) if net < 0 else (other, one)
            wanted.add(ChipFlow(payer=payer, payee=payee, chips=abs(net), times=len(one_way), of=sum(map(bool, paid))))
    flows = await world.bank.flows(GUILD)
    assert mixed, "the test would see nothing"
    assert set(flows) == wanted
    assert [flow.chips for flow in flows] == sorted((flow.chips for flow in flows), reverse=True)


async def lose(world: World, payer: Player, payee: Player, *lost: int) -> None:
    """Transfer chips between two players as if by hands; a negative number goes the other way."""
    for amount in lost:
        table = await world.table(payer, payee, point_value=1, buy_in=2_000)
        one, other = (payer, payee) if amount > 0 else (payee, payer)
        pay = partial(LedgerQueries.pay, key=table, payer=one, payee=other, chips=abs(amount), hand_no=1, at=world.now)
        await world.sessions.write(lambda s, pay=pay: pay(s.tx.ledger))  # type: ignore[misc]
        await world.play.close(table, reason="closed_by_admin")


@pytest.mark.on_both
@pytest.mark.parametrize(
    ("lost", "hands"),
    [
        ((500,) * 11, (11, 11)),
        ((500,) * 11 + (-1,), (11, 12)),
        ((500,) * 11 + (-100,) * 9, (11, 20)),
        ((-2_000, *(500,) * 6), (6, 7)),
        ((-2_000, *(500,) * 5, 400), None),
        ((900,), None),
        ((1_000, -900) * 6, None),
    ],
    ids=["one way", "a hand back", "many small hands back", "a great pot back", "too little", "one hand", "to and fro"],
)
async def test_no_hand_in_the_other_direction_hides_a_flow(
    tmp_path: Path, lost: tuple[int, ...], hands: tuple[int, int] | None
) -> None:
    world = World(tmp_path, policy=Policy(start_chips=100_000))
    await world.open()
    await lose(world, BOB, CLEO, *lost)
    flows = await world.bank.flows(GUILD)
    expected = hands and ChipFlow(payer=BOB, payee=CLEO, chips=sum(lost), times=hands[0], of=hands[1])
    assert flows == ([expected] if expected else [])
    await world.close()


@pytest.mark.on_both
async def test_accomplices_who_delete_their_data_count_as_one(tmp_path: Path) -> None:
    world = World(tmp_path, policy=Policy(start_chips=100_000))
    await world.open()
    for player in (ANN, DAN, BOB):
        await lose(world, player, CLEO, 400)
        assert await world.bank.flows(GUILD) == []
    for player in (ANN, DAN, BOB):
        await world.privacy.delete(player)
    flow = ChipFlow(payer=DELETED, payee=CLEO, chips=1_200, times=3, of=3)
    assert await world.bank.flows(GUILD) == [flow]
    words = words_for("en")
    told = " ".join(
        part["content"] for part in audit_screen([], [flow], words, page=0, player=None).walk() if "content" in part
    )
    assert "players who deleted their data → <@1003>: **1,200** (hands that way: 3 of 3)" in told
    await world.close()


async def test_chips_that_are_sent_one_way_are_shown_to_managers(world: World) -> None:
    await agree(world, transfer_cap=100_000, transfer_fee=10)
    await world.bank.change_chips(GUILD, ANN, BOB, Action.GIVE, 9_000, "For a test", cause=world.cause())
    for payer, payee, amount in ((BOB, CLEO, 2_000), (BOB, CLEO, 1_000), (CLEO, BOB, 100), (DAN, ANN, 900)):
        await world.bank.send(GUILD, payer, payee, amount, cause=world.cause())
    # Returned chips are subtracted, so that returning a single chip doesn't hide the rest.
    assert await world.bank.flows(GUILD) == [ChipFlow(payer=BOB, payee=CLEO, chips=2_700 - 90, times=3, sent=True)]
    world.now += 31 * DAY
    assert await world.bank.flows(GUILD) == []


async def _paid(world: World, one: Player, other: Player) -> int:
    """Play a hand between two players; returns the first one's result."""
    table = await world.started(one, other, point_value=500)
    await world.play_hand(table)
    await world.play.close(table, reason="closed_by_admin")
    query = "SELECT chips FROM result WHERE player = ? AND guild_id = ? AND table_id = ?"
    ((chips,),) = world.ask(query, one, GUILD, table.table)
    return int(chips)
