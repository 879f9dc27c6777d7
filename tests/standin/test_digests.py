"""Digests on the stand-in: data of a player who is deleted during a request."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.model.ids import Player
from tests.backstage import transactions_of
from tests.standin.rest import Fault
from tests.standin.test_desk import evening as evening
from tests.standin.test_events import Evening


async def test_nothing_is_noted_of_somebody_who_is_deleted_while_yesterdays_digest_is_taken_away(
    evening: Evening,
) -> None:
    wired, services = evening.wired, evening.wired.bot.services
    player, guild = Player(str(wired.user(1).id)), wired.key.guild
    now = wired.discord.now_ms()
    await services.play.change_member_settings(
        guild,
        player,
        lambda member_settings: replace(
            member_settings, zone="UTC", digest_at=8, digest_due=now, digest_channel=wired.channel.id, digest_message=77
        ),
    )
    assert await transactions_of(services.play).read(lambda s: s.tx.privacy.keeps(player))
    wired.discord.hook = lambda request: Fault(delay=10) if request.path.endswith("/77") else None
    await services.digests.sweep()
    await asyncio.sleep(5)
    await services.privacy.delete(player)
    await services.digests.done()
    assert [request.kind for request in wired.discord.requests if request.path.endswith("/77")] == ["delete"]
    assert not await transactions_of(services.play).read(lambda s: s.tx.privacy.keeps(player))
