"""Whom invitations have called lately: few, and nobody again and again. In memory, like all that keeps the pace."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import ceil

from bot.model.ids import GuildId, Player, TableKey
from bot.model.refusals import PlayReason
from bot.ofc.refusals import Refused

MINUTE_MS = 60_000
MOST_AT_ONCE = 10
"""The people that one player may call, after a rest; and then so many a minute."""
MOST_A_MINUTE = 5
MOST_TO_ONE = 3
"""Times that one player calls the same person within so many minutes, at whatever table."""
TO_ONE_MINUTES = 10
FORGET_MS = 24 * 60 * MINUTE_MS
"""No lobby waits for so long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    at: int
    table: TableKey
    by: Player
    guest: Player


class GuestCalls:
    """The calls of each server. Times are milliseconds."""

    def __init__(self) -> None:
        self._calls: dict[GuildId, list[_Call]] = {}

    def wanted(self, table: TableKey, by: Player, guests: Collection[Player], *, now: int) -> list[Player]:
        """The guests that an invitation may name; notes that it does.

        Raises Refused where all have been called to this table before, and for somebody who calls too many.
        """
        calls = self._lately(table.guild, now)
        known = {call.guest for call in calls if call.table == table}
        fresh = [guest for guest in guests if guest not in known and self._rested(calls, by, guest, now)]
        if not fresh:
            raise Refused(PlayReason.INVITED_BEFORE)
        if wait := self._wait(calls, by, len(fresh), now):
            raise Refused(PlayReason.TOO_MANY_INVITATIONS, count=ceil(wait / 1000))
        calls += [_Call(at=now, table=table, by=by, guest=guest) for guest in fresh]
        return fresh

    def opening(self, table: TableKey, by: Player, guests: Collection[Player], *, now: int) -> frozenset[Player]:
        """The guests that the first message of a table calls; it is posted again where that has failed."""
        calls = self._lately(table.guild, now)
        called = {call.guest for call in calls if call.table == table}
        for guest in guests:
            if guest not in called and self._rested(calls, by, guest, now) and not self._wait(calls, by, 1, now):
                calls.append(_Call(at=now, table=table, by=by, guest=guest))
                called.add(guest)
        return frozenset(called.intersection(guests))

    def _lately(self, guild: GuildId, now: int) -> list[_Call]:
        self._calls[guild] = [call for call in self._calls.get(guild, ()) if call.at > now - FORGET_MS]
        return self._calls[guild]

    @staticmethod
    def _rested(calls: list[_Call], by: Player, guest: Player, now: int) -> bool:
        """True unless one player has called another several times just now."""
        since = now - TO_ONE_MINUTES * MINUTE_MS
        return sum(call.by == by and call.guest == guest and call.at > since for call in calls) < MOST_TO_ONE

    @staticmethod
    def _wait(calls: list[_Call], by: Player, count: int, now: int) -> float:
        """Milliseconds until somebody may call so many more."""
        gap, free_at = MINUTE_MS / MOST_A_MINUTE, 0.0
        for call in calls:
            if call.by == by:
                free_at = max(free_at, call.at) + gap
        return max(0.0, free_at - gap * (MOST_AT_ONCE - count) - now)
