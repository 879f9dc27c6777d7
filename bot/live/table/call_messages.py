"""Calls players to their tables, in a message of its own for each street: edits do not notify."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import discord

from bot.live.library.governor import important
from bot.live.library.limits import Importance
from bot.live.posting import calling, post
from bot.live.table.notes import TableNotes
from bot.live.table.whom_to_call import Told, Wanted, callable_players, wanted
from bot.model.choices import Calls
from bot.model.ids import GuildId, Player, TableKey
from bot.model.tables import Table
from bot.play.look.views import TableView
from bot.text.words import words_for
from bot.ui.table.screen import call_screen

log = logging.getLogger(__name__)

ChosenCalls = Callable[[GuildId, Sequence[Player]], Awaitable[Mapping[Player, Calls]]]
"""Tells when players of a server wish to be called."""
CALL_AGAIN_MS = 30_000
"""A call that could not be posted is tried again after this."""


class Caller:
    """Posts the calls of tables, and remembers when a table is to be looked at again."""

    def __init__(
        self,
        notes: TableNotes,
        channel: Callable[[Table], discord.PartialMessageable],
        *,
        pressed_at: Callable[[TableKey, Player], int | None],
        chosen: ChosenCalls,
        now_ms: Callable[[], int],
    ) -> None:
        self._notes = notes
        self._channel = channel
        self._pressed_at = pressed_at
        self._chosen = chosen
        self._now = now_ms
        self._look_again_at: dict[TableKey, int] = {}
        """When a player who was active must be called if they stay silent."""

    def silent(self) -> list[TableKey]:
        """The tables that are to be looked at again by now."""
        now = self._now()
        return [key for key, at in self._look_again_at.items() if at <= now]

    def forget(self, key: TableKey) -> None:
        """Nobody is to be called to it for now."""
        self._look_again_at.pop(key, None)

    async def call(self, view: TableView) -> None:
        """Call the players who are on turn and silent, or short of time."""
        table = view.table
        told = Told.read(table.called).now(view)
        some = callable_players(view, told)
        now = wanted(
            view,
            told,
            pressed_at=partial(self._pressed_at, table.key),
            chosen=await self._chosen(table.key.guild, some) if some else {},
            now=self._now(),
        )
        # What is not sent now is tried again: the table may need no drawing that would see to it.
        self._look_again_at[table.key] = self._now() + CALL_AGAIN_MS
        if now.players:
            await self._call_now(view, told, now)
        if now.look_again_at is None:
            del self._look_again_at[table.key]
        else:
            self._look_again_at[table.key] = now.look_again_at

    async def _call_now(self, view: TableView, told: Told, now: Wanted) -> None:
        table, words = view.table, words_for(view.table.language)
        mentions = calling(now.players)
        shown = [player for player in view.waiting if player in now.players]
        reminder = now.players == now.reminded
        screen, quiet = call_screen(view, shown, words, reminder=reminder), reminder and table.terms.clock.quiet
        told = told.and_told(now.players, reminded=now.reminded)
        call = table.call
        try:
            with important(Importance.CALL):
                what = ("call", table.key.guild, table.key.table, told.hand, told.street, table.call, reminder)
                players = ",".join(sorted(now.players))
                message = await post(self._channel(table), screen, *what, players, mentions=mentions, silent=quiet)
            call = message.id
            told = replace(told, leftovers=told.leftovers | ({table.call} if table.call is not None else set()))
        except discord.Forbidden as error:
            log.warning("players of table %s/%s cannot be called: %s", table.key.guild, table.key.table, error)
        turn = view.shown_turn
        turn = replace(turn, players=turn.players & told.players) if turn else None
        await self._notes.note(
            table, version=table.drawn_version, message=table.message, call=call, told=told, turn=turn
        )
