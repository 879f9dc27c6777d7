"""Measure response times in a club with very many hands: leaderboards, hand histories and data exports.

Each query runs through the use case that commands call, on a real database, one at a time and after one warm-up. The
results are waiting time and processor time.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from typing_extensions import override

from benchmarks.club_history import GUILD, Club
from bot.chat.club.screens.leaderboard import PLACES
from bot.chat.club.screens.privacy import data_file
from bot.chat.table.screens.replay import HANDS
from bot.model.hands import HandAge, HandFilter, HandOutcome
from bot.model.ids import Player
from bot.model.standings import CALENDAR, EVERY_GAME, LeaderboardOrder, LeaderboardQuery, LeaderboardSpan
from bot.play.api.privacy import delete
from bot.play.session.session import Session
from bot.run.cli.sealed import opened_by
from bot.store.upkeep import inspect
from bot.store.vault import SeedVault
from bot.text.words import words_for
from tests.databases import ask, place_in

FAR_DOWN = 4_711
"""Rank of a player far from the top."""
TIMES = 9
Question = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """Duration of one query (ms)."""

    wait: float
    worst: float
    work: float

    @override
    def __str__(self) -> str:
        return f"{self.wait:8.1f} ms, at worst {self.worst:.1f} ms; {self.work:.1f} ms of CPU"


async def took(question: Question, times: int = TIMES) -> Took:
    """Run a query ``times`` times after a warm-up, and return its times."""
    await question()
    waits, works = [], []
    for _ in range(times):
        begun, worked = time.perf_counter(), time.process_time()
        await question()
        waits.append(1000 * (time.perf_counter() - begun))
        works.append(1000 * (time.process_time() - worked))
    return Took(wait=statistics.median(waits), worst=max(waits), work=statistics.median(works))


async def club(folder: Path, hands: int, say: Callable[[str], None]) -> None:
    """Grow the club in ``folder`` to ``hands`` hands, and time each query."""
    made = await Club.open(folder)
    try:
        await made.grow(hands, lambda told: say(f"club    growing: {told}"))
        await _tell(made, folder, say)
    finally:
        await made.close()
    await _check(folder, say)


async def _tell(made: Club, folder: Path, say: Callable[[str], None]) -> None:
    place = place_in(folder)
    ((settled, results, players),) = ask(
        place,
        "SELECT (SELECT COUNT(*) FROM hand WHERE state = 'settled'), (SELECT COUNT(*) FROM result), "
        "(SELECT COUNT(*) FROM standing WHERE span = 'all' AND game = '')",
    )
    say(f"club    {settled:,} hands, {results:,} results of {players:,} players, one server")
    everybody = [
        Player(player)
        for (player,) in ask(
            place,
            "SELECT player FROM standing WHERE span = 'all' AND game = '' ORDER BY chips DESC, hands DESC",
        )
    ]
    busiest = ask(place, "SELECT player, hands FROM standing WHERE span = 'all' AND game = '' ORDER BY hands DESC")
    far_down = everybody[min(FAR_DOWN, len(everybody)) - 1]
    await _leaderboards(made, far_down, say)
    asker, played = Player(busiest[0][0]), busiest[0][1]
    usual, own = (busiest[len(busiest) // 2][at] for at in (0, 1))
    for player, count in ((asker, played), (Player(usual), own)):
        found = await took(partial(made.core.play.profile, GUILD, player, asker))
        say(f"club    profile of one with {count:>6,} hands: {found}")
    await _histories(made, asker, f"{played:,} hands", [Player(player) for player, _ in busiest], say)
    for player, count in ((asker, played), (Player(usual), own)):
        say(f"club    export of one with {count:>7,} hands: {await took(_export(made, player), times=3)}")
        found = await took(_deletion(made, player), times=3)
        say(f"club    delete one with {count:>11,} hands, but for their logs: {found}")


async def _leaderboards(made: Club, far_down: Player, say: Callable[[str], None]) -> None:
    play = made.core.play
    worst: list[tuple[Took, str]] = []
    for order in (order for order in LeaderboardOrder if not order.of_events):
        for span in (*CALENDAR, LeaderboardSpan.SEASON):
            for game in (EVERY_GAME, "pineapple"):
                asked = LeaderboardQuery(order, span, game)
                found = await took(partial(play.leaderboard, GUILD, asked, far_down, page=0, lines=PLACES))
                worst.append((found, f"{order.value}, {span.value}, {game or 'every game'}"))
    worst.sort(key=lambda each: -each[0].wait)
    say(f"club    {len(worst)} leaderboards with one's own place, the slowest:")
    for found, name in worst[:4]:
        say(f"club      {name:<32}{found}")
    middle = worst[len(worst) // 2]
    say(f"club      {'the one in the middle':<32}{middle[0]}")
    board = await play.leaderboard(GUILD, LeaderboardQuery(), far_down, page=0, lines=PLACES)
    assert board.own_place is not None
    page = (board.own_place.rank - 1) // PLACES
    found = await took(lambda: play.leaderboard(GUILD, LeaderboardQuery(), far_down, page=page, lines=PLACES))
    say(f"club    the page of place {board.own_place.rank:,} of {board.ranked:,}: {found}")


async def _histories(
    made: Club, player: Player, who: str, people: Sequence[Player], say: Callable[[str], None]
) -> None:
    play = made.core.play
    for name, wanted, page in (
        ("newest", HandFilter(), 0),
        ("page 100", HandFilter(), 99),
        ("one game", HandFilter(game="classic"), 0),
        ("a game never played", HandFilter(game="chinese"), 0),
        ("against the next busiest", HandFilter(opponent=people[1]), 0),
        ("against somebody rarely seen", HandFilter(opponent=people[-1]), 0),
        ("Fantasyland", HandFilter(outcome=HandOutcome.FANTASYLAND), 0),
        ("lost this month", HandFilter(within=HandAge.MONTH, outcome=HandOutcome.LOST), 0),
    ):
        found = await took(partial(play.past_hands, GUILD, player, wanted, page=page, lines=HANDS))
        say(f"club    history of one with {who}, {name:<30}{found}")


def _export(made: Club, player: Player) -> Question:
    async def export() -> None:
        kept = await made.core.privacy.kept_about(player)
        await asyncio.to_thread(data_file, kept, player, words_for("en"), now_ms=made.now_ms)

    return export


class _UndoneError(Exception):
    """Rolls back a transaction."""


def _deletion(made: Club, player: Player) -> Question:
    def gone(s: Session) -> None:
        delete(s, player)
        raise _UndoneError

    async def ask_and_undo() -> None:
        with suppress(_UndoneError):
            await made.core.transactions.write(gone)

    return ask_and_undo


async def _check(folder: Path, say: Callable[[str], None]) -> None:
    begun, worked = time.perf_counter(), time.process_time()
    vault = SeedVault.open(folder / "chaipo.key")
    found = await asyncio.to_thread(inspect, place_in(folder), secrets=opened_by(vault))
    well = "in order" if not found.report.findings else f"{len(found.report.findings)} FINDINGS"
    took_seconds, work = time.perf_counter() - begun, time.process_time() - worked
    say(f"club    check: {well}, after {took_seconds:.0f} s, {work:.0f} s of CPU")
    for finding in found.report.findings[:5]:
        say(f"club      {finding.line}")
