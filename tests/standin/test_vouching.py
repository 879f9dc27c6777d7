"""Requests about organisers: the bot checks their permissions at the next announcement, and when it gives roles."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from bot.model.events import Notice, Official, RepeatInterval
from bot.model.ids import EventKey, GuildId, Player
from bot.play.event.office.repeating import build_repeat
from tests.standin.test_events import BOSS, HEADS_UP, WEEKLY, WORDS, Evening, end_by_disqualification
from tests.standin.things import FREE_ROLE
from tests.standin.wired_bot import WiredBot

HOUR = 3_600_000
RICH = replace(WEEKLY, added=2_000, roles=(FREE_ROLE,))


@pytest.fixture
def evening(wired: WiredBot) -> Evening:
    return Evening(wired)


def asked_of(evening: Evening, player: Player) -> int:
    """Return the number of requests about a player."""
    return sum(r.method == "GET" and r.path.endswith(f"/members/{player}") for r in evening.wired.discord.requests)


async def the_next(evening: Evening, organiser: Player) -> EventKey:
    """An event of theirs repeats and is called off; returns the one that follows, once it is shown."""
    starts_at = evening.wired.discord.now_ms() + HOUR
    key = await evening.announce(RICH, organiser=organiser, repeat=build_repeat(RepeatInterval.WEEK, "UTC", starts_at))
    before = asked_of(evening, organiser)
    await evening.events.cancel(key, Official(player=organiser), why="no power", cause=evening.cause())
    for _ in range(2):
        await evening.board.sweep()
        await evening.shown()
    assert asked_of(evening, organiser) == before + 1, "once for each announcement"
    return EventKey(guild=key.guild, number=key.number + 1)


async def test_the_next_one_is_shown_with_all_that_its_organiser_could_still_give(evening: Evening) -> None:
    event = await evening.event(await the_next(evening, BOSS.player))
    assert (event.structure.added, event.structure.roles, event.message is None) == (2_000, (FREE_ROLE,), False)
    assert event.repeat is not None
    assert not evening.said("can no longer give")


@pytest.mark.parametrize("here", [True, False], ids=["a member", "somebody who has left"])
async def test_what_nobody_could_give_any_more_is_dropped_before_it_is_shown(evening: Evening, here: bool) -> None:
    organiser = Player(str(evening.wired.user(9).id)) if here else Player("77")
    key = await the_next(evening, organiser)
    event = await evening.event(key)
    assert (event.structure.added, any(event.structure.roles), event.repeat) == (0, False, None)
    (told,) = evening.said(WORDS("event_notice.ruling.promises_dropped", by=f"<@{organiser}>"))
    assert WORDS("event_notice.dropped.chips", chips="2,000") in told.text
    assert f"<@&{FREE_ROLE}>" in told.text
    shown = next(message for message in evening.wired.channel.public() if message.id == event.message)
    assert "2,000" not in shown.text
    assert await evening.events.postings(key) == []


async def test_an_event_repeats_no_more_where_its_organiser_can_no_longer_write(evening: Evening) -> None:
    channel, host = evening.wired.channel, evening.wired.user(9)
    organiser, guild = Player(str(host.id)), GuildId(channel.guild.id)
    await evening.wired.bot.services.play.choose_for_server(guild, partial(replace, organiser_role=FREE_ROLE))
    channel.guild.roles[host.id] = {FREE_ROLE}
    told = WORDS("event_notice.ruling.promises_dropped", by=f"<@{organiser}>")
    key = await the_next(evening, organiser)
    assert (await evening.event(key)).repeat is not None
    assert WORDS("event_notice.dropped.repeats") not in "".join(message.text for message in evening.said(told))
    channel.silenced.add(organiser)
    evening.wired.discord.feed("CHANNEL_UPDATE", channel.payload)
    key = await the_next(evening, organiser)
    assert (await evening.event(key)).repeat is None
    assert WORDS("event_notice.dropped.repeats") in evening.said(told)[-1].text


async def test_a_promised_role_is_not_given_once_its_organiser_could_not_give_it(evening: Evening) -> None:
    organiser = Player(str(evening.wired.user(9).id))
    key = await evening.announce(replace(HEADS_UP, roles=(FREE_ROLE,)), starts_in=None, organiser=organiser)
    await evening.register(key, 1, 2)
    by = Official(player=BOSS.player, manager=True)
    player = Player(str(evening.wired.user(2).id))
    await evening.events.disqualify(key, by, player, why="cheated", cause=evening.cause())
    await evening.shown()
    assert evening.wired.channel.guild.roles == {}
    assert [r for r in evening.wired.discord.requests if r.kind == "role"] == []
    assert asked_of(evening, organiser) == 1


async def test_one_that_its_organiser_could_give_is(evening: Evening) -> None:
    key = await evening.announce(replace(HEADS_UP, roles=(FREE_ROLE,)), starts_in=None)
    await evening.register(key, 1, 2)
    await end_by_disqualification(evening, key)
    assert evening.wired.channel.guild.roles == {evening.wired.user(1).id: {FREE_ROLE}}
    assert Notice.VOUCH not in [posting.notice for posting in await evening.events.postings(key)]
