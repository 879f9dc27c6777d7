"""The door to privacy: what is kept about somebody, its deletion, and that of servers that the bot has left."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from bot.ofc.refusals import Refused
from bot.play import decks
from bot.play.clock import DAY
from bot.play.model import GuildId, HandState, Player, TableKey, pseudonym
from bot.play.ports import SeedLostError
from bot.play.privacy.model import Kept, Rows, Tie
from bot.play.privacy.ports import tx_of
from bot.play.refusals import PlayReason
from bot.play.session import Session
from bot.play.shards import EVERYTHING, Serves
from bot.play.transactions import Transactions

DECKS_AT_ONCE = 50
"""Decks that are kept in one transaction: tables wait for it."""
HANDS_AT_ONCE = 50
"""Hands that are rewritten in one transaction, for the same reason."""


class Privacy:
    """Use cases of people who ask what is kept about them. ``forget`` is told of everybody who was deleted."""

    def __init__(self, transactions: Transactions, *, forget: Callable[[Player], None]) -> None:
        self._read, self._write = transactions.read, transactions.write
        self._forget = forget

    async def kept_about(self, player: Player) -> Kept:
        """Everything that is kept about somebody, read kind by kind: others read in between."""
        servers: dict[GuildId, dict[str, Rows]] = {}
        everywhere: dict[str, Rows] = {}
        for kind in await self._read(lambda s: tx_of(s).kinds_told()):
            for guild, rows in (await self._read(partial(told, player=player, kind=kind))).items():
                (everywhere if guild is None else servers.setdefault(guild, {}))[kind] = rows
        return Kept(servers=dict(sorted(servers.items())), everywhere=everywhere)

    async def ties(self, player: Player) -> Sequence[Tie]:
        """What somebody has to finish before they can be deleted."""
        return await self._read(lambda s: tx_of(s).ties(player))

    async def delete(self, player: Player) -> None:
        """Delete somebody, in every server; raises Refused while something of theirs is open.

        One transaction deletes them to everybody who reads. What is written before it changes nothing that anybody
        sees, so whoever is interrupted there begins again; what is left after it goes on at a start.
        """
        if await self.ties(player):
            raise Refused(PlayReason.STILL_PLAYING)
        hands = await self._read(lambda s: tx_of(s).hands_to_keep(player))
        for start in range(0, len(hands), DECKS_AT_ONCE):
            await self._write(_keeping(hands[start : start + DECKS_AT_ONCE]))
        await self._write(lambda s: delete(s, player))
        self._forget(player)
        await self._rewrite_hands(player)

    async def go_on(self) -> None:
        """Rewrite the hands of those whose deletion was interrupted."""
        for player in await self._read(lambda s: tx_of(s).leavers()):
            await self._rewrite_hands(player)

    async def _rewrite_hands(self, player: Player) -> None:
        while await self._write(lambda s: rewrite_hands(s, player)):
            pass

    async def look_at_servers(self, *, is_there: Serves, serves: Serves = EVERYTHING.serves) -> list[GuildId]:
        """Note which of these servers the bot has left, and delete those that it left long ago; returns these."""
        known = await self._read(lambda s: tx_of(s).known_servers())
        deleted = []
        for guild, left_at in known.items():
            there = is_there(guild)
            if serves(guild) and not (there and left_at is None) and await self._look_at(guild, there=there):
                deleted.append(guild)
        return deleted

    async def _look_at(self, guild: GuildId, *, there: bool) -> bool:
        return await self._write(lambda s: look_at_server(s, guild, there=there))


def delete(s: Session, player: Player) -> None:
    """Put a pseudonym of its own into each server, but for the logs of hands; raises Refused."""
    tx = tx_of(s)
    tx.write_alone()
    if tx.ties(player):
        raise Refused(PlayReason.STILL_PLAYING)
    keep_decks(s, tx.hands_to_keep(player))
    for guild in tx.servers_of(player):
        name = pseudonym()
        tx.begin_to_rewrite(guild, player, name)
        tx.put_pseudonym(guild, player, name)
    tx.put_pseudonym_everywhere(player, pseudonym())


def rewrite_hands(s: Session, player: Player) -> bool:
    """Rewrite some hands of who was deleted; False where none is left."""
    tx = tx_of(s)
    tx.write_alone()
    return tx.rewrite_hands(player, most=HANDS_AT_ONCE)


def told(s: Session, *, player: Player, kind: str) -> Mapping[GuildId | None, Rows]:
    """What is kept about somebody, of one kind."""
    return tx_of(s).told(player, kind)


def _keeping(hands: Collection[tuple[TableKey, int]]) -> Callable[[Session], None]:
    def keep(s: Session) -> None:
        tx_of(s).write_for_all()
        keep_decks(s, hands)

    return keep


def keep_decks(s: Session, hands: Collection[tuple[TableKey, int]]) -> None:
    """Keep the decks of these hands: they will no longer follow from what the players put in."""
    for key, number in hands:
        record = s.tx.hand(key, number)
        if record is None or record.kept_deck is not None or record.state is HandState.PLAYING:
            continue
        try:
            record = decks.keeping(s.vault, key, record)
        except SeedLostError:
            record = replace(record, kept_deck=b"")
        s.tx.save_hand(key, record)


def look_at_server(s: Session, guild: GuildId, *, there: bool) -> bool:
    """Note whether the bot is in a server; True where it was deleted, because the operator's days are over."""
    days, server = s.policy.left_server_days, s.tx.server(guild)
    if there or server.left_at is None:
        s.tx.save_server(guild, replace(server, left_at=None if there else s.now))
        return False
    # Its tables were closed when the bot left it; one that is still open has somebody's chips.
    if days is None or s.now - server.left_at < days * DAY or s.tx.open_tables(guild):
        return False
    tx_of(s).delete_server(guild)
    return True
