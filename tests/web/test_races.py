"""Races between two pages and Discord: whichever comes first wins, once, and the others are told.

The disk is held while the contenders set out, so all of them have seen the same state. Their order, and the steps in
between, follow from a seed.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from functools import partial
from random import Random
from typing import Any

from bot.model.bank import Action
from bot.model.ids import GuildId
from bot.pure.ofc.cards import DISCARD
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen, plain_letters
from tests.web.open_pages import Json, Open, Sight

SEED = 53
PLACEMENTS, SEATS, LAST_SEATS, REBUYS = 100, 40, 30, 30
"""200 races."""
MOST_STEPS = 30
"""Maximum number of turns of the event loop between two contenders."""
Run = Callable[[], Coroutine[Any, Any, Any]]


async def race(club: Club, rng: Random, runs: list[Run]) -> list[Any]:
    """Start all contenders in an order chosen by ``rng`` while nothing is written; returns their results in theirs."""
    order = rng.sample(range(len(runs)), len(runs))
    tasks: dict[int, asyncio.Task[Any]] = {}
    club.disk.ready.clear()
    for number in order:
        tasks[number] = asyncio.create_task(runs[number]())
        for _ in range(rng.randrange(MOST_STEPS)):
            await asyncio.sleep(0)
    # Whoever has not been turned down by now waits for the disk, and has seen what the others saw.
    while club.disk.waiting < sum(not task.done() for task in tasks.values()):  # noqa: ASYNC110
        await asyncio.sleep(0)
    club.disk.ready.set()
    return [await tasks[number] for number in range(len(runs))]


def spread(results: Counter[str]) -> None:
    """Each contender has won some of the races."""
    assert len(results) >= 3
    assert min(results.values()) > 0


async def ask(page: Sight, verb: str, letters: str = "") -> Json:
    """Press a button as the page shows it."""
    return await page.ask(verb, letters)


async def laid(club: Club) -> list[str]:
    """Return the letters of all placements."""
    query = "SELECT payload FROM table_log WHERE kind = 'cards_laid' ORDER BY seq"

    def job(connection: sqlite3.Connection) -> list[str]:
        return [json.loads(payload)["rows"] for (payload,) in connection.execute(query)]

    return await club.disk.read(job)


async def paid(club: Club) -> Counter[str]:
    """Return the number of transfers of each kind."""

    def job(connection: sqlite3.Connection) -> Counter[str]:
        return Counter(kind for (kind,) in connection.execute("SELECT kind FROM transfer"))

    return await club.disk.read(job)


async def granted(club: Club, *names: str) -> None:
    """Give players the chips with which they start."""
    for name in names:
        await club.play.wallet(GuildId(club.guild.id), club.player(name))


async def broke(club: Club, name: str, number: int) -> None:
    """All chips of a player go to Alice, as if in hand ``number``, which hasn't been dealt."""
    mine = (await club.look(1, name)).mine
    assert mine is not None
    await transactions_of(club.play).write(
        lambda s: s.tx.ledger.pay(
            club.key(),
            payer=club.player(name),
            payee=club.player("alice"),
            chips=mine.stack,
            hand_no=1000 + number,
            at=s.now,
        )
    )


async def balanced(club: Club) -> None:
    """Chips were neither made nor lost, and nobody owes any."""

    def job(connection: sqlite3.Connection) -> tuple[int, int]:
        (total,) = connection.execute("SELECT SUM(balance) FROM account").fetchone()
        (debts,) = connection.execute("SELECT COUNT(*) FROM account WHERE kind <> 'mint' AND balance < 0").fetchone()
        return total, debts

    assert await club.disk.read(job) == (0, 0)


def variants(letters: str) -> list[str]:
    """Return three placements into the same rows."""
    return [letters[turn:] + letters[:turn] for turn in range(3)]


async def test_a_turn_is_placed_once_by_two_pages_and_place(club: Club, opened: Open) -> None:
    rng, won = Random(SEED), Counter[str]()
    await club.open_table("alice", "bob")
    async with AsyncExitStack() as stack:
        pages = {
            name: [await stack.enter_async_context(opened.eyes(club, name)) for _ in range(2)]
            for name in ("alice", "bob")
        }
        for _ in range(PLACEMENTS):
            while not (view := await club.look()).waiting:
                await club.pass_time(5)
            name = club.name_of(view.waiting[0])
            one, two = pages[name]
            for page in (one, two):
                await page.sees(lambda shown: bool(shown["yours"]))
            first, second, third = variants(plain_letters(await club.look(1, name)))
            typed = await club.typed(name, third)
            before = await laid(club)
            answers = await race(
                club,
                rng,
                [
                    partial(ask, one, "confirm", first.replace(DISCARD, ".")),
                    partial(ask, two, "confirm", second.replace(DISCARD, ".")),
                    partial(placed_by_typing, club, name, typed),
                ],
            )
            (placement,) = (await laid(club))[len(before) :]
            outcomes = [answer["outcome"] for answer in answers[:2]]
            assert outcomes.count("done") <= 1
            for answer, letters in zip(answers[:2], (first, second), strict=True):
                if answer["outcome"] == "done":
                    assert placement == letters
                else:
                    assert answer["outcome"] in ("stale", "refused")
                    assert answer["said"]
            if "done" not in outcomes:
                assert placement == third
            assert answers[2]
            won["place" if "done" not in outcomes else f"page {outcomes.index('done')}"] += 1
        await balanced(club)
    spread(won)


async def placed_by_typing(club: Club, name: str, typed: str) -> str:
    """Type a placement; returns what the answer says."""
    return (await club.slash(name, "place", cards=typed, table=1)).text


async def join_at(club: Club, name: str, screen: Screen) -> Screen | None:
    """Press *Join* on the table's message."""
    return await club.press(name, screen, screen.find("join"))


async def test_a_seat_is_taken_and_paid_once_by_two_pages_and_the_tables_button(club: Club, opened: Open) -> None:
    rng, won = Random(SEED), Counter[str]()
    await club.opens("alice")
    await granted(club, "bob")
    async with opened.eyes(club, "bob") as one, opened.eyes(club, "bob") as two:
        for number in range(SEATS):
            for page in (one, two):
                await page.sees(lambda shown: any(offer["verb"] == "join" for offer in shown["offers"]))
            before, screen = await paid(club), club.table_screen()
            answers = await race(
                club,
                rng,
                [
                    partial(ask, one, "join"),
                    partial(ask, two, "join"),
                    partial(join_at, club, "bob", screen),
                ],
            )
            outcomes = [answer["outcome"] for answer in answers[:2]]
            assert (await paid(club)) - before == Counter(buy_in=1), number
            assert outcomes.count("done") <= 1
            assert all(answer["outcome"] == "done" or answer["said"] for answer in answers[:2])
            assert answers[2] is not None, "the button shows the hand in any case"
            won["button" if "done" not in outcomes else f"page {outcomes.index('done')}"] += 1
            for page in (one, two):
                await page.sees(lambda shown: not shown["seatless"])
            assert (await one.ask("leave"))["outcome"] == "done"
        await balanced(club)
    spread(won)


async def test_the_last_seat_goes_to_one_of_two_people(club: Club, opened: Open) -> None:
    rng, won = Random(SEED), Counter[str]()
    await club.opens("alice", seats=2)
    await granted(club, "bob", "hanako")
    async with opened.eyes(club, "bob") as bob, opened.eyes(club, "hanako") as hanako:
        for _ in range(LAST_SEATS):
            for page in (bob, hanako):
                await page.sees(lambda shown: any(offer["verb"] == "join" for offer in shown["offers"]))
            before, screen = await paid(club), club.table_screen()
            by_button = rng.choice((True, False))
            other: Run = partial(join_at, club, "hanako", screen) if by_button else partial(ask, hanako, "join")
            runs: list[Run] = [partial(ask, bob, "join"), other]
            answers = await race(club, rng, runs)
            assert (await paid(club)) - before == Counter(buy_in=1)
            ((winner,),) = [
                [club.name_of(place.seat.player) for place in (await club.look()).places if place.seat.number]
            ]
            assert (answers[0]["outcome"] == "done") is (winner == "bob")
            if winner != "bob":
                assert answers[0]["said"]
            if by_button:
                assert answers[1].text
            else:
                assert (answers[1]["outcome"] == "done") is (winner == "hanako")
            won[f"{winner}, {'button' if by_button else 'page'}"] += 1
            page = bob if winner == "bob" else hanako
            await page.sees(lambda shown: not shown["seatless"])
            assert (await page.ask("leave"))["outcome"] == "done"
        await balanced(club)
    spread(won)


async def test_a_rebuy_is_paid_once_by_two_pages_and_the_panel(club: Club, opened: Open) -> None:
    rng, won = Random(SEED), Counter[str]()
    await club.open_table("alice", "bob")
    await club.play_hand()
    guild = GuildId(club.guild.id)
    async with opened.eyes(club, "bob") as one, opened.eyes(club, "bob") as two:
        for number in range(REBUYS):
            await club.bot.services.bank.change_chips(
                guild, club.player("alice"), club.player("bob"), Action.SET, 5000, "a test", cause=f"set {number}"
            )
            await broke(club, "bob", number)
            panel = await club.slash("bob", "hand")
            button = panel.find("rebuy")
            for page in (one, two):
                await page.say(type="look", table=1)
                await page.sees(lambda shown: any(offer["verb"] == "rebuy" for offer in shown["offers"]))
            before = await paid(club)
            answers = await race(
                club,
                rng,
                [
                    partial(ask, one, "rebuy"),
                    partial(ask, two, "rebuy"),
                    partial(club.press, "bob", panel, button),
                ],
            )
            outcomes = [answer["outcome"] for answer in answers[:2]]
            assert (await paid(club)) - before == Counter(rebuy=1), number
            mine = (await club.look(1, "bob")).mine
            assert mine is not None
            assert mine.stack == 1000
            assert await club.play.wallet(guild, club.player("bob")) == 4000
            assert outcomes.count("done") <= 1
            assert all(answer["said"] for answer in answers[:2])
            won["panel" if "done" not in outcomes else f"page {outcomes.index('done')}"] += 1
        await balanced(club)
    spread(won)
