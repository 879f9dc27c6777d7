"""Use cases of privacy: exporting and deleting a player's data, and deleting servers that the bot has left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from bot.model.clock import DAY
from bot.model.daily import begins_at, day_at
from bot.model.errors import SeedLostError
from bot.model.hands import HandState
from bot.model.ids import EVERYTHING, GuildId, Player, Serves, TableKey, pseudonym
from bot.model.privacy import REMEMBERED_DAYS, DeletionBlocker, Rows, StoredData, UsedRight, UsedRightKind
from bot.model.reasons import PrivacyReason
from bot.play.api.transactions import Transactions, UseCases
from bot.play.bank import chips as claims
from bot.play.bus import Bus
from bot.play.event.office.draw_proofs import drawn_with
from bot.play.session import chips, decks, memory
from bot.play.session.session import Session
from bot.play.table import vacations
from bot.pure.ofc.refusals import Refused

DECKS_AT_ONCE = 50
"""Decks stored per transaction, because tables wait for it."""
PROOFS_STAY_MS = 30 * DAY
"""How long revealed records are retained unchanged after a table closes or an event ends, so that players can save
them."""
HANDS_AT_ONCE = 50
"""Hands rewritten per transaction, because tables wait for it."""


class PersonalData(UseCases):
    """Use cases for a player's requests about their data."""

    def __init__(self, transactions: Transactions, bus: Bus) -> None:
        self._read, self._write, self._tidy = transactions.read, transactions.write, transactions.tidy
        self._bus = bus
        self._going: dict[Player, asyncio.Task[None]] = {}

    async def kept_about(self, player: Player) -> StoredData:
        """Return all data stored about a player.

        Each kind is read in its own transaction, so that other reads aren't delayed.
        """
        servers: dict[GuildId, dict[str, Rows]] = {}
        everywhere: dict[str, Rows] = {}
        for kind in await self._read(lambda s: s.tx.privacy.kinds_told()):
            for guild, rows in (await self._read(partial(told, player=player, kind=kind))).items():
                (everywhere if guild is None else servers.setdefault(guild, {}))[kind] = rows
        for guild, kept in await self._read(lambda s: remembered(s, player)):
            of_server = everywhere if guild == memory.ALL_SERVERS else servers.setdefault(guild, {})
            of_server["remembered"] = [*of_server.get("remembered", ()), kept]
        return StoredData(servers=dict(sorted(servers.items())), everywhere=everywhere)

    async def blockers(self, player: Player) -> Sequence[DeletionBlocker]:
        """Return the reasons that block the player's deletion, which the player has to resolve first."""
        return await self._read(lambda s: s.tx.privacy.blockers(player, at=s.now))

    async def delete(self, player: Player) -> None:
        """Delete a player in all servers; raises Refused if something of theirs is still open.

        Concurrent calls for the same player share one deletion.
        """
        going = self._going.get(player)
        if going is None:
            going = self._going[player] = asyncio.create_task(self._delete(player))
            going.add_done_callback(lambda _: self._going.pop(player, None))
        await asyncio.shield(going)

    async def _delete(self, player: Player) -> None:
        """Delete a player, unless nothing is stored, because searching all servers would delay their players.

        One transaction deletes the player for all readers. Earlier writes change nothing visible, so an interrupted
        deletion can start again. Later work is resumed at a start.
        """
        if await self.blockers(player):
            raise Refused(PrivacyReason.STILL_PLAYING)
        if not await self._read(lambda s: s.tx.privacy.keeps(player)):
            return
        hands = await self._read(lambda s: s.tx.privacy.hands_to_keep(player))
        for start in range(0, len(hands), DECKS_AT_ONCE):
            await self._write(_keeping(hands[start : start + DECKS_AT_ONCE]))
        await self._write(lambda s: delete(s, player))
        self._bus.player_deleted.send(player)
        await self._rewrite_hands(player)
        await self._write(forget_proofs)

    async def go_on(self) -> None:
        """Resume interrupted deletions, and delete expired proofs."""
        await self._write(forget_proofs)
        for player in await self._read(lambda s: s.tx.leaving.leavers()):
            await self._rewrite_hands(player)

    async def _rewrite_hands(self, player: Player) -> None:
        while await self._write(lambda s: rewrite_hands(s, player)):
            pass
        await self._tidy()

    async def look_at_servers(self, *, is_there: Serves, serves: Serves = EVERYTHING.serves) -> list[GuildId]:
        """Record which servers the bot has left, delete those it left long ago, and return the deleted ones."""
        if await self._read(lambda s: s.tx.remembered.long_remembered(s.now)):
            await self._write(forget_long_remembered)
        known = await self._read(lambda s: s.tx.privacy.known_servers())
        deleted = []
        for guild, left_at in known.items():
            there = is_there(guild)
            if serves(guild) and not (there and left_at is None) and await self._look_at(guild, there=there):
                deleted.append(guild)
        return deleted

    async def _look_at(self, guild: GuildId, *, there: bool) -> bool:
        return await self._write(lambda s: look_at_server(s, guild, there=there))


def delete(s: Session, player: Player) -> None:
    """Replace the player by a different pseudonym in each server, except in the logs of hands; raises Refused."""
    tx = s.tx
    tx.privacy.lock_all_writes()
    if tx.privacy.blockers(player, at=s.now):
        raise Refused(PrivacyReason.STILL_PLAYING)
    keep_decks(s, tx.privacy.hands_to_keep(player))
    for event in map(s.tx.events.get, tx.privacy.draws_to_keep(player)):
        if event is not None and event.seed is not None:
            added = [(one.player, one.text) for one in drawn_with(s, event)]
            kept = decks.hide_entropy(added, seed=event.seed)
            s.tx.events.save(replace(event, kept_draw=kept))
    for guild in tx.privacy.servers_of(player):
        name = pseudonym()
        claims.remember(s, guild, player)
        memory.keep(s, guild, player, _not_given_back(s, guild, player))
        tx.leaving.begin_to_rewrite(guild, player, name)
        tx.privacy.put_pseudonym(guild, player, name)
    memory.keep(s, memory.ALL_SERVERS, player, _tries(s, player))
    tx.privacy.put_pseudonym_everywhere(player, pseudonym())


def _not_given_back(s: Session, guild: GuildId, player: Player) -> list[UsedRight]:
    """Return the records about a player that a server retains, except for chips."""
    until = s.now + REMEMBERED_DAYS * DAY
    removals = [(UsedRightKind.REMOVAL, int(table)) for table in s.tx.remembered.removed_from(guild, player)]
    out = [(UsedRightKind.DISQUALIFICATION, number) for number in s.tx.remembered.disqualified_from(guild, player)]
    memories = [UsedRight(kind=kind, number=number, until=until) for kind, number in (*removals, *out)]
    return [*memories, *vacations.memories(s, guild, player)]


def _tries(s: Session, player: Player) -> list[UsedRight]:
    """Return the attempts at hands that can still be played, each retained until its day ends."""
    return [
        UsedRight(kind=UsedRightKind.TRY, number=number, until=begins_at(day + 1))
        for number, day in s.tx.remembered.tries(player, since=day_at(s.now))
    ]


def remembered(s: Session, player: Player) -> list[tuple[GuildId, Mapping[str, Any]]]:
    """Return the records that servers retain about a player from before a deletion."""
    found = [(guild, chips.remembered(s, guild, player)) for guild in s.tx.remembered.remembering()]
    about_chips = [(guild, asdict(kept)) for guild, kept in found if kept is not None]
    return about_chips + [(guild, asdict(one) | {"kind": one.kind.value}) for guild, one in memory.every(s, player)]


def forget_long_remembered(s: Session) -> None:
    """Delete expired retained records."""
    s.tx.privacy.write_for_all()
    s.tx.remembered.forget_long_remembered(s.now)


def forget_proofs(s: Session) -> None:
    """Delete data kept for complete records, after players have had time to save them."""
    tx = s.tx
    if tx.privacy.keeps_proofs(ended_before=s.now - PROOFS_STAY_MS):
        tx.privacy.lock_all_writes()
        tx.privacy.forget_proofs(ended_before=s.now - PROOFS_STAY_MS)


def rewrite_hands(s: Session, player: Player) -> bool:
    """Rewrite some hands of a deleted player; False if none are left."""
    tx = s.tx
    tx.privacy.lock_all_writes()
    return tx.leaving.rewrite_hands(player, most=HANDS_AT_ONCE)


def told(s: Session, *, player: Player, kind: str) -> Mapping[GuildId | None, Rows]:
    """Return the data of ``kind`` stored about a player."""
    return s.tx.privacy.told(player, kind)


def _keeping(hands: Collection[tuple[TableKey, int]]) -> Callable[[Session], None]:
    def keep(s: Session) -> None:
        s.tx.privacy.write_for_all()
        keep_decks(s, hands)

    return keep


def keep_decks(s: Session, hands: Collection[tuple[TableKey, int]]) -> None:
    """Store the decks of ``hands``, because they can't be computed from the players' inputs any more."""
    for key, number in hands:
        record = s.tx.hands.get(key, number)
        if record is None or record.kept_deck is not None or record.state is HandState.PLAYING:
            continue
        try:
            record = decks.with_stored_deck(s.vault, key, record)
        except SeedLostError:
            record = replace(record, kept_deck=b"")
        s.tx.hands.save(key, record)


def look_at_server(s: Session, guild: GuildId, *, there: bool) -> bool:
    """Record whether the bot is in a server; True if the server was deleted because its retention time is over."""
    days, server = s.policy.left_server_days, s.tx.choices.server(guild)
    if there or server.left_at is None:
        s.tx.choices.save_server(guild, replace(server, left_at=None if there else s.now))
        return False
    # Its tables were closed when the bot left. A table that is still open holds players' chips.
    if days is None or s.now - server.left_at < days * DAY or s.tx.tables.open(guild):
        return False
    s.tx.privacy.delete_server(guild)
    return True
