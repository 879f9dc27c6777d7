"""An event without any presses. No one checks in, the clock places for everyone, and the director ends the event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

from bot.model.clock import MINUTE, Clock, Pace
from bot.model.events import Phase
from bot.model.ids import EventKey, Player
from bot.model.refusals import Stale
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.policy import Policy
from bot.pure.event.structure import PRESETS, NoShow
from bot.pure.ofc.presets import PINEAPPLE
from tests.crash.script import last_heartbeat
from tests.play.world import CHANNEL, GUILD, START, FixedVault, World

KEY = EventKey(guild=GUILD, number=1)
FEE = 100
BOUNTY = 41
POLICY = Policy(next_hand_ms=2_000, seating_ms=2_000)
ORGANISER = Player("1")


def night(folder: Path, *, trace: Callable[[str], None] | None = None) -> World:
    """A bot that is started again as soon as it was killed."""
    world = World(folder, fixed=FixedVault([b"k" * 32]), policy=POLICY, trace=trace)
    world.now = max(START, last_heartbeat(world.path))
    # Each life has its own press ids, like those from Discord.
    world.causes = (f"{world.now}-{number}" for number in count())
    return world


async def announce(world: World, players: int) -> None:
    """Publish the event and register all players, except for steps done before a kill."""
    events = world.events
    if not await events.events(GUILD, list(Phase)):
        structure = replace(
            PRESETS["chaipo"],
            most=players,
            stack=4_000,
            levels=(200, 400, 800, 1600),
            level_hands=1,
            fee=FEE,
            bounty=BOUNTY,
            bounty_grows=True,
            check_in_minutes=10,
            no_show=NoShow.BLIND,
        )
        plan = PlannedEvent(
            guild=GUILD,
            channel=CHANNEL,
            organiser=ORGANISER,
            language="en",
            name="Night",
            variant=PINEAPPLE,
            structure=structure,
            clock=Clock(pace=Pace.PER_TURN, seconds=60),
            starts_at=world.now + 20 * MINUTE,
        )
        await events.create(plan, cause="announced")
    here = {line.entrant.player for line in (await events.look(KEY)).lines}
    for number in range(players):
        player = Player(str(5_000 + number))
        if player not in here and (await events.look(KEY)).event.phase.before:
            try:
                await events.register(KEY, player, cause=f"registers {player}")
            except Stale:
                raise AssertionError("an acknowledged registration is not there") from None


async def pass_on(world: World) -> bool:
    """Let time pass until something is due, and let the bot act; False once the event is over."""
    (due,) = world.ask("SELECT MIN(at) FROM (SELECT due_at AS at FROM timer UNION SELECT alarm_at FROM event)")[0]
    if due is None:
        return False
    world.now = max(world.now, int(due))
    await world.clock.tick()
    return not (await world.events.look(KEY)).event.phase.over
