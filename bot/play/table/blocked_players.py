"""Blocked players, who aren't seated together. A block works both ways.

Only the blocking player is told. At a table with one other player, the blocked player can guess. Events draw seats
regardless of blocks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.model.ids import GuildId, Player
from bot.model.limits import MAX_REFUSED_PLAYERS
from bot.model.reasons import SeatReason
from bot.model.tables import Table
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused


def refuse(s: Session, guild: GuildId, player: Player, other: Player) -> list[Player]:
    """Block ``other``, and return all players that ``player`` blocks. Raises Refused."""
    if player == other:
        raise Refused(SeatReason.NOT_ONESELF)
    refused = s.tx.choices.refused_by(guild, player)
    if other not in refused and len(refused) >= MAX_REFUSED_PLAYERS:
        raise Refused(SeatReason.TOO_MANY_SEAT_REFUSALS, most=MAX_REFUSED_PLAYERS)
    s.tx.choices.refuse_seat(guild, player, other, at=s.now)
    return s.tx.choices.refused_by(guild, player)


def allow(s: Session, guild: GuildId, player: Player, others: Sequence[Player]) -> list[Player]:
    """Unblock ``others``, and return all players that ``player`` still blocks."""
    for other in others:
        s.tx.choices.allow_seat(guild, player, other)
    return s.tx.choices.refused_by(guild, player)


def blocked_players(s: Session, guild: GuildId, player: Player) -> frozenset[Player]:
    """Return all players who aren't to be seated with ``player`` because of a block in either direction."""
    return frozenset((*s.tx.choices.refused_by(guild, player), *s.tx.choices.refusing(guild, player)))


def require_no_block(s: Session, guild: GuildId, player: Player, seated: Collection[Player]) -> None:
    """Raise Refused if a block keeps the player from sitting with ``seated``, without revealing who blocked them."""
    if not set(s.tx.choices.refused_by(guild, player)).isdisjoint(seated):
        raise Refused(SeatReason.OWN_SEAT_REFUSAL)
    if not set(s.tx.choices.refusing(guild, player)).isdisjoint(seated):
        raise Refused(SeatReason.NO_SEAT_FOR_YOU)


def require_invitable(s: Session, guild: GuildId, host: Player, guest: Player) -> None:
    """Raise Refused if the host can't invite the guest."""
    if guest == host:
        raise Refused(SeatReason.NOT_ONESELF)
    if guest in s.tx.choices.refused_by(guild, host):
        raise Refused(SeatReason.OWN_GUEST_REFUSAL, player=guest)


def callable_guests(s: Session, table: Table, guests: Sequence[Player]) -> frozenset[Player]:
    """Return the guests that an invitation pings; none at a quiet table.

    Guests who can't sit there because of a block are named like the others but not pinged.
    """
    if table.terms.quiet:
        return frozenset()
    seated = [seat.player for seat in s.tx.tables.seats(table.key)]
    return frozenset(guest for guest in guests if blocked_players(s, table.key.guild, guest).isdisjoint(seated))
