"""The organisers' desk in their own channel: one message that is edited when the event changes.

It has the lowest priority of the event's messages.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable

import discord

from bot.chat.discord_patches.governor import important
from bot.chat.discord_patches.limits import Importance
from bot.chat.event.acts.act import ActContext, Subject
from bot.chat.event.acts.drawing import controls
from bot.chat.event.screens.desk.page import kept_screen, pen_for
from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.found_messages import presses_of, single_message
from bot.chat.kit.kept_messages import keep, remove
from bot.chat.kit.permissions_here import seen_by_all
from bot.chat.kit.redraw_queue import RedrawQueue
from bot.model.events import Event
from bot.model.ids import EventKey, Serves
from bot.play.api.events import Events
from bot.text.words import words_for

log = logging.getLogger(__name__)

ON_EACH_DESK = ("ev_d_more", "ev_d_let_go")
"""The verbs that identify a desk: the current one and the one used by an earlier version."""
PAUSE_SECONDS = 5.0
"""Minimum time between two drawings of a desk."""


class PostedDesks:
    """Draws the desks in channels. Each has its own task, so that no other event message waits for its desk."""

    def __init__(
        self,
        client: discord.Client,
        events: Events,
        names: DisplayNames,
        *,
        now_ms: Callable[[], int],
        serves: Serves,
    ) -> None:
        self._client = client
        self._events = events
        self._names = names
        self._now = now_ms
        self._serves = serves
        self.drawing = RedrawQueue(
            self._show,
            name=lambda key: f"the desk of event {key.guild}/{key.number}",
            ready=client.is_ready,
            pause_seconds=PAUSE_SECONDS,
            rests=True,
        )
        self._uses: Counter[EventKey] = Counter()
        """Menu choices since this process took over the server."""
        self._unseen: set[EventKey] = set()
        """Desks whose channel hasn't been searched since this process took over their server."""

    def look_through(self, keys: Iterable[EventKey]) -> None:
        """Draw these desks, and delete messages that an earlier process posted without recording them."""
        looked = list(keys)
        self._unseen.update(looked)
        self.drawing.catch_up(looked)

    def used(self, key: EventKey) -> None:
        """Redraw a desk with fresh menus after a choice from one of them."""
        self._uses[key] += 1
        self.drawing.changed(key)

    async def _show(self, key: EventKey) -> bool:
        """Draw a desk in its current state. If it can't stay in its channel, remove it.

        That happens if the bot loses access to the channel, or if everyone gains access to it.
        """
        desk = await self._events.kept_desk(key) if self._serves(key.guild) else None
        if desk is None or desk.event.desk_channel is None:
            self._uses.pop(key, None)
            return False
        event, where, over = desk.event, desk.event.desk_channel, desk.event.phase.over
        words = words_for(event.language)
        pen = pen_for(self._names, key.guild, words, mark=event.version * 100 + self._uses[key] % 100)
        channel = self._client.get_partial_messageable(where, guild_id=key.guild)
        if not over and seen_by_all(self._client.get_channel(where)):
            log.info("removed the desk of event %s/%s, because everyone can see its channel", key.guild, key.number)
            if event.desk_message is not None:
                await remove(channel.get_partial_message(event.desk_message))
            await self._events.note_kept(key, channel=None, before=where, message=None)
            return True
        # The nonce depends on the message being replaced, so a new post, for example after an hour, gets another one.
        offered = controls(ActContext(desk=desk), Subject.EVENT, words)
        what, shown = ("desk", key.guild, key.number, event.tag), kept_screen(desk, pen, offered)
        message: int | None = None
        kept_in = None if over else where
        try:
            with important(Importance.CLEANUP):
                standing = event.desk_message
                if key in self._unseen:
                    standing = await single_message(
                        channel, self._client, standing, lambda message: _is_desk(message, event)
                    )
                self._unseen.discard(key)
                message = await keep(channel, standing, shown, *what, now=self._now(), over=over, silent=True)
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("the desk of event %s/%s is no longer kept in a channel: %s", key.guild, key.number, error)
            kept_in = None
        noted = await self._events.note_kept(key, channel=kept_in, before=where, message=message)
        if not noted and message not in (None, event.desk_message):
            await remove(channel.get_partial_message(message))
        return True


def _is_desk(message: discord.Message, event: Event) -> bool:
    its_own = event.key.number, event.tag
    return any(press.verb in ON_EACH_DESK and (press.table, press.tag) == its_own for press in presses_of(message))
