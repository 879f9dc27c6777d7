"""Polls on an event's start. Each is posted once, and its result is posted after Discord has counted the votes.

A poll is recorded before it's posted, and its message afterwards. If the bot was killed in between, it searches the
channel for the poll. Votes are read from the poll's own message after it has closed.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime

import discord
from typing_extensions import override

from bot.base.logs import note
from bot.chat.discord_patches.errors import SERVER_ERROR
from bot.chat.discord_patches.governor import important, posted_at
from bot.chat.discord_patches.limits import Importance
from bot.chat.event.screens.start_poll import answers, build_poll, poll_text, question, result_screen
from bot.chat.kit.found_messages import find_posted
from bot.chat.kit.posting import nonce_for, post
from bot.chat.kit.reply import NO_PINGS
from bot.chat.kit.scheduled_poster import PosterContext, ScheduledPoster
from bot.model.clock import HOUR, MINUTE
from bot.model.ids import GuildId, make_tag
from bot.model.start_polls import StartPoll
from bot.text.words import words_for

log = logging.getLogger(__name__)


Which = tuple[GuildId, int]
LOOKED_AT = 100
"""Number of recent messages to search for a poll."""
CLOCKS_APART_MS = 10 * MINUTE
"""Tolerance for the difference between the machine's clock and Discord's."""
COUNTED_WITHIN_MS = HOUR
"""Maximum time that Discord may take to count after the end. After that, the votes shown are used."""


class StartPollPosts(ScheduledPoster[Which]):
    """Posts polls and their results. Each poll has its own task, which ends when the state is recorded."""

    def __init__(self, context: PosterContext) -> None:
        super().__init__(context)
        self._asked: set[StartPoll] = set()
        """New polls, which no other process can have posted yet."""

    @override
    def _name(self, which: Which) -> str:
        return f"poll {which[0]}/{which[1]}"

    @override
    async def _due(self) -> list[Which]:
        """Return the polls that haven't been posted, and those that have ended."""
        now, polls = self.now(), await self.events.all_start_polls()
        return [(one.guild, one.number) for one in polls if one.message is None or one.closes_at <= now]

    async def ask(self, poll: StartPoll) -> None:
        """Post a new poll, and wait only for that poll."""
        self._asked.add(poll)
        which = poll.guild, poll.number
        self.queue.changed(which)
        await asyncio.gather(*self.queue.in_progress(lambda key: key == which), return_exceptions=True)

    @override
    async def _see_to(self, which: Which) -> bool:
        guild, number = which
        note(guild=guild)
        poll = await self.events.start_poll(guild, number)
        if poll is None or self.client.get_guild(guild) is None:
            return False
        try:
            if poll.message is None:
                await self._post(poll)
            elif poll.closes_at <= self.now():
                return await self._tell(poll, poll.message)
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR:
                raise
            log.warning("poll %s/%s was abandoned: %s", guild, number, error)
            await self.events.forget_start_poll(poll)
        return True

    async def _post(self, poll: StartPoll) -> None:
        words, channel = words_for(poll.language), self._channel(poll)
        message = None if poll in self._asked else await self._find_message(poll)
        if message is None:
            self._asked.discard(poll)
            sent = await channel.send(
                poll_text(poll, words),
                poll=build_poll(poll, words),
                nonce=nonce_for(poll.channel, "start poll", poll.guild, poll.number, poll.asked_at),
                allowed_mentions=NO_PINGS,
            )
            message = sent.id
        closes_at = posted_at(message) + poll.hours * HOUR
        await self.events.start_poll_posted(poll, message=message, closes_at=closes_at)

    async def _find_message(self, poll: StartPoll) -> int | None:
        """Return the message of a poll that an earlier process may have posted; None if there is none."""
        words, me = words_for(poll.language), self.client.user
        asked = question(poll, words), answers(poll, words)
        since = datetime.fromtimestamp((poll.asked_at - CLOCKS_APART_MS) / 1000, UTC)
        others = {other.message for other in await self.events.all_start_polls()}
        try:
            async for message in self._channel(poll).history(limit=LOOKED_AT, after=since, oldest_first=False):
                known = message.poll
                if me is None or known is None or message.author.id != me.id or message.id in others:
                    continue
                if (known.question, [answer.text for answer in known.answers]) == asked:
                    return message.id
        except discord.Forbidden as error:
            log.debug("channel %s cannot be read: %s", poll.channel, error)
        return None

    async def _tell(self, poll: StartPoll, message: int) -> bool:
        """Post the result once the votes are counted; False until then."""
        channel = self._channel(poll)
        found = await channel.fetch_message(message)
        known = found.poll
        if known is not None and not known.is_finalised() and self.now() - poll.closes_at < COUNTED_WITHIN_MS:
            return False
        # Discord numbers the answers from 1.
        votes = {} if known is None else {poll.times[one.id - 1]: one.vote_count for one in known.answers}
        tag = make_tag("poll result", message, str(poll.guild))
        if not await self._is_told(channel, tag, since=poll.closes_at):
            screen = result_screen(poll, votes, words_for(poll.language), tag=tag)
            with important(Importance.ONCE):
                await post(channel, screen, "poll result", poll.guild, message)
        await self.events.forget_start_poll(poll)
        return True

    async def _is_told(self, channel: discord.PartialMessageable, tag: str, *, since: int) -> bool:
        """True if the result has already been posted.

        It may be unrecorded if the bot was killed or had to retry.
        """
        try:
            return await find_posted(channel, tag, since=since - CLOCKS_APART_MS) is not None
        except discord.Forbidden as error:
            log.debug("channel %s cannot be read: %s", channel.id, error)
            return False

    def _channel(self, poll: StartPoll) -> discord.PartialMessageable:
        return self.client.get_partial_messageable(poll.channel, guild_id=poll.guild)
