"""Calls: messages that notify players of their turn, and a record of the calls sent.

An edit notifies no one, so a call is always a new message.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import discord
from typing_extensions import override

from bot.chat.discord_patches.governor import important
from bot.chat.discord_patches.limits import Importance
from bot.chat.kit.kept_messages import remove
from bot.chat.kit.posting import calling, post
from bot.chat.kit.text_only import for_everybody, words_at
from bot.chat.table.posts.call_hours import call_time
from bot.chat.table.screens.screen import call_screen
from bot.model.choices import Calls, MemberSettings
from bot.model.ids import GuildId, Player, TableKey, is_computer
from bot.model.limits import CALL_AFTER_SILENCE_SECONDS
from bot.model.tables import AnnouncedTurn, Seat, Table, TableState
from bot.play.api.play import Play
from bot.play.api.server import Matchmaking
from bot.play.queries.views import TableView

# Which players to notify, and when. Depending on their settings, players are notified immediately, after a period of
# silence, or never. Players who have just pressed a button are never notified immediately, because their panel shows
# the turn without using up the rate limit.

SILENT_MS = 1000 * CALL_AFTER_SILENCE_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """Record of the players notified and reminded on a street.

    It's stored with the table, so a restart notifies no one twice.
    """

    hand: int
    street: int
    players: frozenset[str] = frozenset()
    reminded: frozenset[str] = frozenset()
    leftovers: frozenset[int] = frozenset()
    """Obsolete messages of the table that may not be deleted yet."""

    @override
    def __str__(self) -> str:
        parts = [self.players, self.reminded, frozenset(map(str, self.leftovers))]
        return ":".join([str(self.hand), str(self.street), *(",".join(sorted(some)) for some in parts)])

    @classmethod
    def read(cls, text: str) -> CallRecord:
        """Parse a stored record. Older versions stored no leftovers. The record is empty if the text is."""
        hand, street, *some = (text or "0:0::").split(":")
        players, reminded, *rest = (frozenset(part.split(",")) - {""} for part in some)
        leftovers = frozenset(int(message) for part in rest for message in part)
        return cls(hand=int(hand), street=int(street), players=players, reminded=reminded, leftovers=leftovers)

    def now(self, view: TableView) -> CallRecord:
        """Return the record for the current street, which is empty when a street begins.

        If Fantasyland has its own clock, it's a single turn, so its players stay in the record for the whole hand.
        """
        hand, street = view.table.hand_no, view.hand.street if view.hand else 0
        if (self.hand, self.street) == (hand, street):
            return self
        seats = view.hand.seats if view.hand and self.hand == hand else ()
        still = frozenset(seat.player for seat in seats if seat.fantasyland)
        return CallRecord(
            hand=hand,
            street=street,
            players=self.players & still,
            reminded=self.reminded & still,
            leftovers=self.leftovers,
        )

    def with_called(self, players: frozenset[str], *, reminded: frozenset[str]) -> CallRecord:
        """Return the record after ``players`` were notified. For those in ``reminded``, it was a reminder."""
        return replace(self, players=self.players | players, reminded=self.reminded | reminded)


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingCall:
    """The players that a table's call must name now."""

    players: frozenset[str] = frozenset()
    """All players to notify."""
    reminded: frozenset[str] = frozenset()
    """The players among them who are almost out of time."""
    look_again_at: int | None = None
    """When the next player may have to be notified (ms); None if none are left to notify."""


def waited_for(view: TableView, now: int) -> list[Seat]:
    """Return the seats of players who are on turn and may be notified, so not those on vacation or away.

    Empty if the table is quiet or has fewer than two human players.
    """
    if view.table.terms.quiet or sum(not place.seat.computer for place in view.places) < 2:
        return []
    resting = {place.seat.player for place in view.places if place.vacation and place.vacation.begins <= now}
    here = {one.seat.player: one.seat for one in view.places if not (one.seat.away or one.seat.player in resting)}
    return [here[player] for player in view.waiting if player in here and not is_computer(player)]


def _to_remind(seat: Seat, told: CallRecord) -> bool:
    return seat.reminded and seat.player not in told.reminded


def wanted(
    view: TableView,
    told: CallRecord,
    seats: Iterable[Seat],
    *,
    pressed_at: Callable[[Player], int | None],
    chosen: Mapping[Player, MemberSettings],
    now: int,
) -> PendingCall:
    """Return the players in ``seats`` to notify now: those on turn who haven't been notified, and those to remind.

    ``pressed_at`` returns when a player last used a panel that shows the turn (ms). By correspondence, quiet hours and
    weekends off delay notifications, and a digest replaces all of them except reminders.
    """
    slow, week = view.table.terms.clock.quiet, view.week
    due, reminded = {}, set()
    for seat in seats:
        player = seat.player
        if _to_remind(seat, told):
            reminded.add(player)
            at = now
        elif chosen[player].calls is Calls.NEVER:
            continue
        elif slow and chosen[player].digest_at is not None:
            continue  # the digest covers this, since it isn't a reminder
        else:
            at_once = chosen[player].calls is Calls.AT_ONCE
            at = _due(view, pressed_at(player), seat.deadline, at_once=at_once)
        due[player] = call_time(chosen[player], max(at, now), week=week) if slow else at
    players = frozenset(player for player, at in due.items() if at <= now)
    return PendingCall(
        players=players,
        reminded=players & reminded,
        look_again_at=min((at for at in due.values() if at > now), default=None),
    )


def _due(view: TableView, pressed_at: int | None, deadline: int | None, *, at_once: bool) -> int:
    """Return when to notify a player (ms): after a period of silence or, with ``at_once``, as their turn begins."""
    began = view.table.turn_since or 0
    if pressed_at is None or pressed_at < began - SILENT_MS:
        if at_once:
            return began
        pressed_at = began
    # With a short clock, the player is notified before half of their time has passed.
    patience = SILENT_MS if deadline is None else min(SILENT_MS, max(0, deadline - began) // 2)
    return max(began, pressed_at) + patience


# Records that are written after a table's messages have been sent, and the deletion of obsolete messages.


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRecord:
    """A pending record: the version drawn, the call with the players it notified, and the turn shown."""

    version: int
    hand_no: int
    message: int | None
    call: int | None
    called: str = ""
    turn: AnnouncedTurn | None = None


class TableNotes:
    """Records the messages sent. While that fails, the record is kept, and the table sends nothing more."""

    def __init__(self, play: Play, channel: Callable[[Table], discord.PartialMessageable]) -> None:
        self._play = play
        self._channel = channel
        self._unwritten: dict[TableKey, MessageRecord] = {}
        """Records of sent messages that couldn't be written yet."""
        self._removing: dict[int, asyncio.Task[None]] = {}
        self._removed: set[int] = set()

    async def note(
        self,
        table: Table,
        *,
        version: int,
        message: int | None,
        call: int | None,
        told: CallRecord,
        turn: AnnouncedTurn | None = None,
    ) -> None:
        """Record what was sent, and start deleting obsolete messages."""
        gone = told.leftovers & self._removed
        self._removed -= gone
        told = replace(told, leftovers=told.leftovers - gone)
        self._unwritten[table.key] = MessageRecord(
            version=version, hand_no=table.hand_no, message=message, call=call, called=str(told), turn=turn
        )
        await self.write_down(table.key)
        self.begin_to_remove(table, told.leftovers)

    async def write_down(self, key: TableKey) -> None:
        """Write the table's pending record. Nothing may be sent for the table until this succeeds."""
        if (drawn := self._unwritten.get(key)) is not None:
            await self._play.drawn(
                key,
                version=drawn.version,
                hand_no=drawn.hand_no,
                message=drawn.message,
                call=drawn.call,
                called=drawn.called,
                turn=drawn.turn,
            )
            del self._unwritten[key]

    def begin_to_remove(self, table: Table, messages: Iterable[int]) -> None:
        """Start deleting obsolete messages of a table."""
        for message in messages:
            if message not in self._removing and message not in self._removed:
                self._removing[message] = asyncio.create_task(self._remove(table, message))

    async def remove(self, table: Table, messages: Iterable[int]) -> None:
        """Delete ``messages`` and wait until it's done."""
        messages = list(messages)
        self.begin_to_remove(table, messages)
        await asyncio.gather(*(self._removing[one] for one in messages if one in self._removing))

    async def _remove(self, table: Table, message: int) -> None:
        try:
            with important(Importance.CLEANUP):
                await remove(self._channel(table).get_partial_message(message))
            self._removed.add(message)
        finally:
            del self._removing[message]

    async def removed(self) -> None:
        """Wait for all running deletions."""
        await asyncio.gather(*self._removing.values())

    def close(self) -> None:
        """Cancel all deletions. The rest stay in the table's row and are deleted after the next start."""
        for removal in self._removing.values():
            removal.cancel()


log = logging.getLogger(__name__)

Chosen = Callable[[GuildId, Player], Awaitable[MemberSettings]]
"""Returns a player's settings in a server."""
CALL_AGAIN_MS = 30_000
"""Delay before a failed call is retried."""


class CallPoster:
    """Posts the calls of tables, and schedules their next checks."""

    def __init__(
        self,
        notes: TableNotes,
        channel: Callable[[Table], discord.PartialMessageable],
        *,
        pressed_at: Callable[[TableKey, Player], int | None],
        chosen: Chosen,
        now_ms: Callable[[], int],
    ) -> None:
        self._notes = notes
        self._channel = channel
        self._pressed_at = pressed_at
        self._chosen = chosen
        self._now = now_ms
        self._look_again_at: dict[TableKey, int] = {}
        """When each table is next due for a check for silent players (ms)."""

    def silent(self) -> list[TableKey]:
        """Return the tables whose check is due."""
        now = self._now()
        return [key for key, at in self._look_again_at.items() if at <= now]

    def forget(self, key: TableKey) -> None:
        """Cancel the table's next check."""
        self._look_again_at.pop(key, None)

    async def call(self, view: TableView) -> bool:
        """Notify players on turn who are silent or running out of time. True if a call was recorded."""
        table = view.table
        told = CallRecord.read(table.called).now(view)
        seats = [
            seat for seat in waited_for(view, self._now()) if seat.player not in told.players or _to_remind(seat, told)
        ]
        now = wanted(
            view,
            told,
            seats,
            pressed_at=partial(self._pressed_at, table.key),
            chosen={seat.player: await self._chosen(table.key.guild, seat.player) for seat in seats},
            now=self._now(),
        )
        # Schedule a retry, because the table might not be drawn again before a failed call has to be retried.
        self._look_again_at[table.key] = self._now() + CALL_AGAIN_MS
        if now.players:
            await self._call_now(view, told, now)
        if now.look_again_at is None:
            del self._look_again_at[table.key]
        else:
            self._look_again_at[table.key] = now.look_again_at
        return bool(now.players)

    async def _call_now(self, view: TableView, told: CallRecord, now: PendingCall) -> None:
        table, words = view.table, words_at(view.table)
        mentions = calling(now.players)
        shown = [player for player in view.waiting if player in now.players]
        reminder = now.players == now.reminded
        screen, quiet = call_screen(view, shown, words, reminder=reminder), reminder and table.terms.clock.quiet
        screen = for_everybody(screen, table, words)
        told = told.with_called(now.players, reminded=now.reminded)
        call = table.call
        try:
            with important(Importance.CALL):
                of = (table.key.guild, table.key.table, table.tag)
                what = ("call", *of, told.hand, told.street, table.call, reminder)
                players = ",".join(sorted(now.players))
                message = await post(self._channel(table), screen, *what, players, mentions=mentions, silent=quiet)
            call = message.id
            told = replace(told, leftovers=told.leftovers | ({table.call} if table.call is not None else set()))
        except discord.Forbidden as error:
            log.warning("players of table %s/%s cannot be called: %s", table.key.guild, table.key.table, error)
        turn = view.announced_turn
        turn = replace(turn, players=turn.players & told.players) if turn else None
        await self._notes.note(
            table, version=table.drawn_version, message=table.message, call=call, told=told, turn=turn
        )


# Players notified by a table's message when it's posted


@dataclass(frozen=True, slots=True, kw_only=True)
class CallMessage:
    """The players that a table's message notifies when it's posted. Editing it notifies no one."""

    people: Collection[Player] = ()
    """The players mentioned."""
    role: int | None = None
    silent: bool = False
    """True to mention players without a notification, because they know that they're playing."""

    @property
    def mentions(self) -> discord.AllowedMentions:
        """The mentions that Discord may turn into notifications."""
        return calling(self.people, role=self.role)


async def called_by_message(view: TableView, matchmaking: Matchmaking) -> CallMessage:
    """Return the players that the table's next message notifies.

    At an event's table, these are its players, unless its channel already has a message for it. They have to find the
    table, and only a mention adds them to its thread. At a new table, these are its guests and the role for new tables.
    """
    table = view.table
    if view.event is not None:
        if table.hand_no and table.posted:
            return CallMessage()
        here = [place.seat.player for place in view.places if not (place.seat.computer or place.seat.away)]
        return CallMessage(people=here, silent=bool(table.hand_no))
    is_lobby = table.state is TableState.LOBBY and not table.hand_no
    if not is_lobby or table.message is not None or table.private or any(place.seat.computer for place in view.places):
        return CallMessage()
    # The table has just been opened, so its players aren't there yet.
    guests = await matchmaking.called_at_opening(table)
    return CallMessage(people=guests, role=await matchmaking.told_role(table.key))
