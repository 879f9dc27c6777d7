"""Digests: one message a day instead of pings at correspondence tables, at an hour chosen by the player.

A digest's channel is recorded before it's sent, and its message afterwards. If the bot was killed in between, it
searches that channel for the tag in the digest's button, so each player gets exactly one digest a day. If the bot can't
read the channel's messages, it doesn't send a digest that may already be there.
"""

from __future__ import annotations

import logging
from dataclasses import replace

import discord
from discord.utils import DISCORD_EPOCH
from typing_extensions import override

from bot.base.logs import note
from bot.chat.club.screens.my_games import Digest, digest_screen
from bot.chat.discord_patches.governor import important
from bot.chat.discord_patches.limits import Importance
from bot.chat.kit.found_messages import UNSEEN, find_sent
from bot.chat.kit.kept_messages import remove
from bot.chat.kit.permissions_here import seen_by_all
from bot.chat.kit.posting import calling, post
from bot.chat.kit.scheduled_poster import ScheduledPoster
from bot.chat.kit.text_only import for_everybody, words_at
from bot.chat.table.posts.call_hours import next_digest, quiet_end
from bot.chat.table.posts.calls import waited_for
from bot.model.choices import MemberSettings
from bot.model.clock import DAY
from bot.model.ids import GuildId, Player, TableKey, make_tag
from bot.model.tables import Table
from bot.play.queries.views import TableView
from bot.pure.ofc.refusals import Refused

log = logging.getLogger(__name__)

Whose = tuple[GuildId, Player]
Sent = tuple[int | None, int | None]
"""A digest's channel and message; both None if there is none."""


class Digests(ScheduledPoster[Whose]):
    """Sends the digests that are due. Each has its own task, which ends once it has been recorded."""

    @override
    def _name(self, whose: Whose) -> str:
        return f"a digest in server {whose[0]}"

    @override
    async def _due(self) -> list[Whose]:
        return await self.play.digests_due(self.now())

    @override
    async def _see_to(self, whose: Whose) -> bool:
        guild, player = whose
        note(guild=guild)
        member_settings, now = await self.play.member_settings(guild, player), self.now()
        if not 0 < member_settings.digest_due <= now:
            return False
        if member_settings.digest_at is not None and (ends := quiet_end(member_settings, now)):
            await self._note(whose, member_settings, due=ends)
            return False
        sent = await self._find_sent(guild, player, member_settings)
        if sent is None:
            if member_settings.digest_channel is not None and member_settings.digest_message is not None:
                await self._remove(guild, member_settings.digest_channel, member_settings.digest_message)
            digest = (
                Digest()
                if member_settings.digest_at is None
                else await self._digest(guild, player, _last(member_settings))
            )
            sent = await self._post(whose, member_settings, digest) if digest.says_something else (None, None)
        await self._note(whose, member_settings, due=next_digest(member_settings, now), sent=sent)
        return sent != (None, None)

    async def _digest(self, guild: GuildId, player: Player, since: int) -> Digest:
        """Return the news of a player's correspondence tables ``since`` the last digest."""
        views = [view for view in await self._views(guild, player) if view.place_of(player) is not None]
        now, missed = self.now(), []
        open_now = [view for view in views if view.week is None or view.week.ends(now) is None]
        waiting = [view for view in open_now if any(seat.player == player for seat in waited_for(view, now))]
        for view in views:
            one = await self.play.missed(view.table.key, player, since=since)
            if one.placed or one.points:
                missed.append((view.table, one))
        return Digest(
            waiting=sorted(waiting, key=lambda view: (view.until(player) or 0, view.table.key.table)),
            missed=missed,
            lost=await self._lost_seats(guild, player, since),
            out=[view.table for view in views if _sits_out(view, player)],
        )

    async def _views(self, guild: GuildId, player: Player) -> list[TableView]:
        """Return a player's correspondence tables."""
        views = []
        for table in await self.play.tables_of(guild, player):
            if table.terms.clock.quiet and not table.private:
                try:
                    views.append(await self.play.look(table.key))
                except Refused:
                    continue
        return views

    async def _lost_seats(self, guild: GuildId, player: Player, since: int) -> list[Table]:
        """Return the correspondence tables where a player lost their seat ``since`` the last digest."""
        numbers = await self.play.lost_seats(guild, player, since=since)
        tables = []
        for number in numbers:
            try:
                tables.append((await self.play.look(TableKey(guild=guild, table=number))).table)
            except Refused:
                continue
        return [table for table in tables if table.terms.clock.quiet]

    async def _post(self, whose: Whose, member_settings: MemberSettings, digest: Digest) -> Sent:
        """Post the digest in the first of its tables' channels that accepts it; return the channel and the message."""
        guild, player = whose
        for place in dict.fromkeys(table.channel for table in digest.tables):
            first = next(table for table in digest.tables if table.channel == place)
            words = words_at(first)
            told = digest.only(
                {one.channel for one in digest.tables if one.channel == place or self._is_open(one.channel)}
            )
            shown = digest_screen(told, player, words, count=len(digest.waiting), tag=_tag(player, member_settings))
            await self._note(whose, member_settings, due=member_settings.digest_due, sent=(place, None))
            channel = self.client.get_partial_messageable(place, guild_id=guild)
            try:
                with important(Importance.CALL):
                    what = ("digest", guild, player, member_settings.digest_due)
                    message = await post(channel, for_everybody(shown, first, words), *what, mentions=calling([player]))
            except (discord.Forbidden, discord.NotFound) as error:
                log.warning("a digest in server %s was refused: %s", guild, error)
                continue
            return place, message.id
        return None, None

    def _is_open(self, channel: int) -> bool:
        """True if everyone in the server can see the channel. Tables in other channels are only named there."""
        return bool(seen_by_all(self.client.get_channel(channel)))

    async def _find_sent(self, guild: GuildId, player: Player, member_settings: MemberSettings) -> Sent | None:
        """Return the digest that an earlier process may have sent; None if it hasn't been sent."""
        if member_settings.digest_channel is None or member_settings.digest_message is not None:
            return None
        channel = self.client.get_partial_messageable(member_settings.digest_channel, guild_id=guild)
        found = await find_sent(
            self.client, channel, _tag(player, member_settings), since=member_settings.digest_due, now=self.now()
        )
        if found == UNSEEN:
            return None, None
        return None if found is None else (member_settings.digest_channel, found)

    async def _remove(self, guild: GuildId, channel: int, message: int) -> None:
        with important(Importance.CLEANUP):
            await remove(self.client.get_partial_messageable(channel, guild_id=guild).get_partial_message(message))

    async def _note(self, whose: Whose, member_settings: MemberSettings, *, due: int, sent: Sent | None = None) -> None:
        """Record the last digest, and when the next one is due unless the player has changed it in the meantime."""

        def noted(before: MemberSettings) -> MemberSettings:
            after = before if sent is None else replace(before, digest_channel=sent[0], digest_message=sent[1])
            return replace(after, digest_due=due) if before.digest_due == member_settings.digest_due else after

        await self.play.change_member_settings(*whose, noted)


def _sits_out(view: TableView, player: Player) -> bool:
    place = view.place_of(player)
    return place is not None and (place.seat.away or place.seat.sits_out)


def _last(member_settings: MemberSettings) -> int:
    """Return when the last digest was sent (ms); before the first one, the start of the period that it covers."""
    if member_settings.digest_message is not None:
        return (member_settings.digest_message >> 22) + DISCORD_EPOCH
    return member_settings.digest_due - 2 * DAY


def _tag(player: Player, member_settings: MemberSettings) -> str:
    """Return the tag in a digest's button, which is unique to that digest."""
    return make_tag(player, member_settings.digest_due, "digest")
