"""Seasons: each ends when the next begins, keeps its sums, and may reset chips."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.model.bank import Claim, SeasonTerms
from bot.model.clock import DAY
from bot.model.ids import Player
from bot.model.limits import MAX_SEASON_NAME_LENGTH
from bot.model.reasons import BankReason
from bot.model.refusals import Stale
from bot.model.standings import LeaderboardOrder, LeaderboardQuery, LeaderboardSpan, Season, Standing
from bot.play.bank.seasons import SeasonEnd, SeasonRanking
from bot.play.session.policy import Policy
from bot.pure.ofc.refusals import Refused
from bot.store.invariants import QUESTIONS
from tests.play.world import ANN, BOB, CLEO, DAN, GUILD, World

RESET = SeasonTerms(reset_chips=True)
PROMISED = SeasonTerms(role=7, title=" King ", channel=8)
START_CHIPS = Policy().start_chips


def wrong(world: World) -> list[str]:
    """The questions about books, numbers and sums that have an answer, whichever database it is."""
    return [one.text for one in QUESTIONS if one.kind in ("books", "numbers", "standings") and world.ask(one.sql)]


async def a_hand(world: World) -> None:
    """Let Ann and Bob play one hand at a new table."""
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    await world.play.close(key, reason="closed_by_admin")


async def lines(world: World, season: int = 0) -> list[tuple[Player, int]]:
    """Return the number of hands per player in a season; 0 is the current one."""
    board = await world.play.leaderboard(
        GUILD, LeaderboardQuery(LeaderboardOrder.CHIPS, LeaderboardSpan.SEASON, "", season), ANN, page=0, lines=9
    )
    return sorted((line.player, line.hands) for line in board.lines if isinstance(line, Standing))


@pytest.mark.on_both
async def test_a_season_counts_its_own_hands_and_stays_when_it_is_over(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    await a_hand(world)
    assert await lines(world) == []
    await world.bank.start_season(GUILD, ANN, " First \0 one\u202e ", cause=world.cause())
    await a_hand(world)
    await a_hand(world)
    assert await lines(world) == [(ANN, 2), (BOB, 2)]
    began = world.now
    await world.later(DAY)
    page = await world.bank.start_season(GUILD, ANN, "", cause=world.cause())
    assert page.running == Season(number=2, name="", began_at=world.now)
    await a_hand(world)
    assert await lines(world) == await lines(world, 2) == [(ANN, 1), (BOB, 1)]
    assert await lines(world, 1) == [(ANN, 2), (BOB, 2)]
    page = await world.bank.end_season(GUILD, ANN, cause=world.cause())
    assert page.running is None
    await a_hand(world)
    assert await lines(world) == []
    board = await world.play.leaderboard(GUILD, LeaderboardQuery(), ANN, page=0, lines=9)
    assert [(season.number, season.name, season.ended_at) for season in board.seasons] == [
        (2, "", world.now),
        (1, "First one", world.now),
    ]
    assert board.seasons[1].began_at <= began
    assert wrong(world) == []
    await world.close()


async def test_everybody_begins_a_season_with_the_same_chips_those_at_tables_included(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    await world.started(ANN, BOB)
    await world.bank.change_seasons(GUILD, ANN, lambda _: RESET, cause=world.cause())
    await world.bank.claim(GUILD, CLEO, Claim.BONUS)
    await world.play.wallet(GUILD, DAN)
    await world.bank.start_season(GUILD, ANN, "", cause=world.cause())
    held = {int(owner): chips for owner, chips in world.balances("wallet").items()}
    for owner, chips in world.balances("seat").items():
        held[int(owner)] += chips
    assert held == dict.fromkeys(map(int, (ANN, BOB, CLEO, DAN)), START_CHIPS)
    kinds = [movement.kind for movement in await world.play.history(GUILD, CLEO, limit=9)]
    assert kinds[0] == "season"
    assert wrong(world) == []
    await world.close()


async def test_monthly_seasons_begin_by_themselves(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    await world.bank.change_seasons(GUILD, ANN, lambda _: SeasonTerms(monthly=True), cause=world.cause())
    page = await world.bank.start_season(GUILD, ANN, "", cause=world.cause())
    assert page.running is not None
    assert page.running.until == LeaderboardSpan.MONTH.bounds(world.now)[1]
    await a_hand(world)
    await world.later(page.running.until - world.now)
    page = await world.bank.seasons(GUILD)
    assert page.running is not None
    assert (page.running.number, page.running.began_at) == (2, world.now)
    assert page.running.until == LeaderboardSpan.MONTH.bounds(world.now)[1]
    await world.bank.change_seasons(GUILD, ANN, lambda _: SeasonTerms(), cause=world.cause())
    await world.later(62 * DAY)
    page = await world.bank.seasons(GUILD)
    assert page.running is not None
    assert (page.running.number, page.running.until) == (2, None)
    assert wrong(world) == []
    await world.close()


async def test_what_cannot_be_is_refused_and_a_press_has_one_effect(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    with pytest.raises(Refused) as refused:
        await world.bank.end_season(GUILD, ANN, cause=world.cause())
    assert refused.value.reason is BankReason.NO_SEASON
    with pytest.raises(Refused) as refused:
        await world.bank.start_season(GUILD, ANN, "x" * (MAX_SEASON_NAME_LENGTH + 1), cause=world.cause())
    assert refused.value.reason is BankReason.SEASON_NAME_TOO_LONG
    long = SeasonTerms(title="x" * (MAX_SEASON_NAME_LENGTH + 1))
    with pytest.raises(Refused) as refused:
        await world.bank.change_seasons(GUILD, ANN, lambda _: long, cause=world.cause())
    assert refused.value.reason is BankReason.SEASON_NAME_TOO_LONG
    await world.bank.start_season(GUILD, ANN, "One", cause="press")
    with pytest.raises(Stale):
        await world.bank.start_season(GUILD, ANN, "One", cause="press")
    log = await world.bank.audit_log(GUILD, limit=9)
    assert [entry.reason for entry in log] == ["season 1 One"]
    await world.close()


async def a_won_hand(world: World, winner: Player) -> None:
    """Ann and Bob play a hand that one of them wins."""
    key = await world.table(ANN, BOB)
    plans = await world.rig(key, lambda hand: hand.score.points[0 if winner == ANN else 1] > 0)
    await world.start(key)
    await world.play_hand(key, plans)
    await world.play.close(key, reason="closed_by_admin")


async def a_season(world: World, *winners: Player) -> SeasonEnd | None:
    """Play a season with one hand per winner; returns its announcement."""
    page = await world.bank.start_season(GUILD, ANN, "", cause=world.cause())
    assert page.running is not None
    for winner in winners:
        await a_won_hand(world, winner)
    await world.bank.end_season(GUILD, ANN, cause=world.cause())
    return await world.bank.season_end(GUILD, page.running.number)


@pytest.mark.on_both
async def test_the_champions_of_a_season_get_what_was_promised_when_it_ended(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    await world.bank.change_seasons(GUILD, ANN, lambda _: PROMISED, cause=world.cause())
    end = await a_season(world, ANN)
    assert end is not None
    assert (end.champions, end.former) == ([ANN], [])
    assert (end.season.role, end.season.title, end.season.channel) == (7, "King", 8)
    await world.bank.change_seasons(GUILD, ANN, lambda terms: replace(terms, title="Queen"), cause=world.cause())
    assert await world.bank.untold_seasons() == [(GUILD, 1)]
    await world.bank.season_told(GUILD, 1, role_missed=True, post_missed=False)
    assert await world.bank.untold_seasons() == []
    assert await world.bank.season_end(GUILD, 1) is None
    last = (await world.bank.seasons(GUILD)).last
    assert last is not None
    assert (last.title, last.role_missed, last.post_missed) == ("King", True, False)
    board = await world.play.leaderboard(
        GUILD, LeaderboardQuery(span=LeaderboardSpan.SEASON, season=1), BOB, page=0, lines=9
    )
    assert board.champions == [ANN]
    await world.play.change_member_settings(
        GUILD, ANN, lambda member_settings: replace(member_settings, profile_visible=False)
    )
    shown = await world.play.page_for_all(
        GUILD, LeaderboardQuery(span=LeaderboardSpan.SEASON, season=1), page=0, lines=9
    )
    assert shown.champions == []
    assert [(place.rank, line.player) for place, line in zip(shown.places, shown.lines, strict=True)] == [(2, BOB)]
    following = await a_season(world, BOB)
    assert following is not None
    assert (following.champions, following.former_role, following.former) == ([BOB], 7, [ANN])
    again = await a_season(world, BOB)
    assert again is not None
    assert (again.champions, again.former) == ([BOB], [])
    await world.close()


async def test_a_season_that_nobody_has_won_and_one_that_promises_nothing_are_not_told(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    assert await a_season(world, ANN) is None
    await world.bank.change_seasons(GUILD, ANN, lambda _: PROMISED, cause=world.cause())
    assert await a_season(world) is None
    assert await world.bank.untold_seasons() == []
    await world.close()


def test_those_who_have_won_as_many_chips_share_the_first_place() -> None:
    ann, bob, cleo = (Standing(player=who, hands=1, points=0, chips=5) for who in (ANN, BOB, CLEO))
    assert SeasonRanking(top=[ann, bob, replace(cleo, chips=4)]).champions == [ANN, BOB]
    assert SeasonRanking(top=[replace(ann, chips=0), replace(bob, chips=0)]).champions == []


async def test_of_two_managers_who_start_a_season_at_once_one_does(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    seen = (await world.bank.seasons(GUILD)).newest
    await world.bank.start_season(GUILD, ANN, "Autumn", newest=seen, cause=world.cause())
    with world.refuses(BankReason.OTHER_SEASON, number=1):
        await world.bank.start_season(GUILD, BOB, "Herbst", newest=seen, cause=world.cause())
    # Nor does who looks at an older page end the one that has just begun.
    second = await world.bank.start_season(GUILD, BOB, "", newest=1, cause=world.cause())
    assert second.newest == 2
    with world.refuses(BankReason.OTHER_SEASON, number=2):
        await world.bank.end_season(GUILD, ANN, newest=1, cause=world.cause())
    ended = await world.bank.end_season(GUILD, ANN, newest=2, cause=world.cause())
    assert (ended.running, ended.newest) == (None, 2)
    await world.close()
