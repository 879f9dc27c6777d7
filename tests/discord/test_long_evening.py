"""A long evening: people do whatever they can, in any order, while the bot restarts and messages vanish."""

import random
from collections.abc import Awaitable, Callable

import pytest

from bot.model.ids import is_computer
from bot.pure.ofc.refusals import Refused
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forged_press

PEOPLE = ("alice", "bob", "hanako", "ken")
STEPS = 60

Step = Callable[[Club, random.Random], Awaitable[None]]


async def somebody_plays(club: Club, chance: random.Random) -> None:
    """Let the player to act place, by taps or by typing."""
    for table in await club.play.open_tables(club.key().guild):
        waiting = [who for who in (await club.look(table.key.table)).waiting if not is_computer(who)]
        if waiting:
            name = club.name_of(chance.choice(waiting))
            if chance.random() < 0.5 and any(s.has("leave") for s in _table(club, table.key.table)):
                await club.play_turn(name, table.key.table)
            else:
                await club.type_turn(name, table.key.table)


def _table(club: Club, table: int) -> list[Screen]:
    return [s for s in club.public() if any(c["custom_id"].startswith(f"c1:leave:{table}.") for c in s.controls())]


async def somebody_presses_anything(club: Club, chance: random.Random) -> None:
    """One or two people press something that they see, once or twice."""
    presses = []
    for name in chance.sample(PEOPLE, chance.choice((1, 2))):
        seen = [(s, c) for s in (*club.public(), *club.private(name)) for c in s.controls()]
        if seen:
            screen, control = chance.choice(seen)
            values = [o["value"] for o in control.get("options") or [] if chance.random() < 0.3] or None
            if control["type"] == 3:
                values = (values or [])[: control["max_values"]]
            for _ in range(chance.choice((1, 1, 2))):
                presses.append(forged_press(club, name, screen, control["custom_id"], values=values))
    if presses:
        await deliver(*presses)
        assert all(press.acknowledged for press in presses)


async def somebody_sits_down(club: Club, chance: random.Random) -> None:
    """Let a member open or join a table, and its host start it."""
    name = chance.choice(PEOPLE)
    await club.slash(name, "ofc play", game=chance.choice(("pineapple", "classic")), clock="30s")
    for table in await club.play.open_tables(club.key().guild):
        for screen in _table(club, table.key.table):
            presses = [
                forged_press(club, guest, screen, screen.find("join")["custom_id"])
                for guest in PEOPLE
                if screen.has("join")
            ]
            if presses:
                await deliver(*presses)
        for screen in _table(club, table.key.table):
            if screen.has("start"):
                await deliver(forged_press(club, club.name_of(table.host), screen, screen.find("start")["custom_id"]))


async def somebody_asks(club: Club, chance: random.Random) -> None:
    """Let a member type a command that shows something."""
    name = chance.choice(PEOPLE)
    command = chance.choice(("hand", "ofc profile", "ofc leaderboard", "ofc table"))
    await club.slash(name, command, **({"do": "tables"} if command == "ofc table" else {}))
    await club.members[name].autocomplete(club.channel, "place", "cards", chance.choice(("", "b", "fm", "→")))


async def time_passes(club: Club, chance: random.Random) -> None:
    """Less than a turn, or more."""
    await club.pass_time(chance.choice((1, 1, 5, 13, 31)))


async def something_breaks(club: Club, chance: random.Random) -> None:
    """The bot restarts, or a message is deleted."""
    if chance.random() < 0.5:
        await club.restart(down_seconds=chance.choice((0, 1000)))
    elif club.public():
        gone = chance.choice(club.public())
        club.backend.delete_message(gone.channel_id, gone.id)


STEP_WEIGHTS: dict[Step, int] = {
    somebody_plays: 12,
    somebody_presses_anything: 6,
    somebody_sits_down: 1,
    somebody_asks: 2,
    time_passes: 3,
    something_breaks: 1,
}


@pytest.mark.slow
@pytest.mark.parametrize("evening", [0, *(pytest.param(evening, marks=pytest.mark.deep) for evening in (1, 2))])
async def test_after_a_long_evening_all_chips_are_there_and_nobody_saw_too_much(club: Club, evening: int) -> None:
    chance = random.Random(evening)
    club.newcomer("ken", locale="ja")
    await club.open_table("alice", "bob", "hanako", clock="30s")
    for _ in range(STEPS):
        (step,) = chance.choices(list(STEP_WEIGHTS), weights=list(STEP_WEIGHTS.values()))
        await step(club, chance)
    for table in await club.play.open_tables(club.key().guild):
        await club.closes("alice", table.key.table)
    left = await club.play.open_tables(club.key().guild)
    assert all(table.private for table in left), "practice in private is closed by nobody else"
    guild = club.key().guild
    have = sum([await club.play.wallet(guild, club.player(name)) for name in PEOPLE])
    given = 0
    for name in PEOPLE:
        moved = await club.play.history(guild, club.player(name), limit=10_000)
        given += sum(movement.chips for movement in moved if movement.kind in ("grant", "refill", "bonus"))
    assert have == given >= 40_000
    for number in range(1, 100):
        try:
            table = (await club.look(number)).table
        except Refused:
            break
        for hand_no in range(1, table.hand_no + (not table.open)):
            result = await club.play.result(club.key(number), hand_no)
            assert sum(r.points for r in result.results) == 0
            assert result.seed is not None
