"""Chips of a server under a bot that claims, sends, has itself deleted, is frozen and enters an event, by chance."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.event.structure import PRESETS
from bot.model.bank import Action, Claim
from bot.model.clock import DAY, HOUR
from bot.model.ids import Player
from bot.model.refusals import Stale
from bot.ofc.presets import PINEAPPLE
from bot.ofc.refusals import Refused
from bot.play.event.registration import Plan
from bot.play.event.vouching import Authority
from tests.play.test_restore import findings
from tests.play.world import ANN, BOB, CHANNEL, CLEO, DAN, GUILD, PER_TURN, World

PEOPLE = (BOB, CLEO, DAN)
CAP = 700


@pytest.mark.parametrize("steps", [300, pytest.param(10_000, marks=pytest.mark.deep)])
async def test_nobody_without_power_makes_chips(tmp_path: Path, steps: int) -> None:
    world, chance = World(tmp_path), Random(26)
    await world.open()
    terms = {"transfer_cap": CAP, "transfer_fee": 10}
    await world.bank.change_terms(GUILD, ANN, lambda before: replace(before, **terms), said="x", cause=world.cause())
    plan = Plan(
        guild=GUILD,
        channel=CHANNEL,
        organiser=ANN,
        authority=Authority(manager=True),
        language="en",
        name="Friday",
        variant=PINEAPPLE,
        structure=replace(PRESETS["chaipo"], fee=900),
        clock=PER_TURN,
        starts_at=world.now + 20 * DAY,
    )
    event = (await world.events.create(plan, cause=world.cause())).key
    claims: Counter[tuple[Player, Claim, int]] = Counter()
    sent: Counter[tuple[Player, int]] = Counter()
    done: Counter[str] = Counter()
    given, begun = 0, world.now
    for _ in range(steps):
        what = chance.choice(("claim", "send", "delete", "freeze", "unfreeze", "give", "register", "withdraw", "later"))
        who, other, day = chance.choice(PEOPLE), chance.choice(PEOPLE), world.now // DAY
        try:
            match what:
                case "claim":
                    kind = chance.choice(list(Claim))
                    claims[who, kind, day] += bool(await world.bank.claim(GUILD, who, kind))
                case "send":
                    chips = chance.randrange(1, CAP)
                    await world.bank.send(GUILD, who, other, chips, cause=world.cause())
                    sent[who, day] += chips
                case "delete":
                    await world.privacy.delete(who)
                case "freeze":
                    await world.bank.freeze(GUILD, ANN, who, "x", cause=world.cause())
                case "unfreeze":
                    await world.bank.unfreeze(GUILD, ANN, who, "x", cause=world.cause())
                case "give":
                    amount = chance.randrange(1, 50)
                    await world.bank.change_chips(GUILD, ANN, who, Action.GIVE, amount, "x", cause=world.cause())
                    given += amount
                case "register":
                    await world.events.register(event, who, cause=world.cause())
                case "withdraw":
                    await world.events.withdraw(event, who, cause=world.cause())
                case _:
                    # Not longer than a server remembers: after that everybody is new again.
                    world.now = min(world.now + chance.randrange(6 * HOUR), begun + 19 * DAY)
        except (Refused, Stale):
            done[f"{what} refused"] += 1
        else:
            done[what] += 1
        minted = -sum(world.balances("mint").values())
        assert minted <= len(PEOPLE) * world.policy.start_chips + given + 2_500 * sum(claims.values())
        assert max(claims.values(), default=0) <= 1, "nothing is had twice in a day, deleted or not"
        assert max(sent.values(), default=0) <= CAP
    assert all(done[what] for what in ("claim", "send", "delete", "freeze", "unfreeze", "give", "register", "later"))
    grants = world.ask("SELECT COUNT(*) FROM transfer WHERE kind = 'grant' AND amount > 0")
    assert grants[0][0] <= len(PEOPLE)
    assert findings(world) == []
    world.check_books()
    await world.close()
