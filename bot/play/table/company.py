"""Whom a player will not be seated with. Only that player is ever told, though at a table of one other who that is can
be guessed; it holds both ways.

Events draw seats, and promise nothing of this.
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
    """Never seat these two together from now on; returns all that the player refuses. Raises Refused."""
    if player == other:
        raise Refused(SeatReason.NOT_ONESELF)
    refused = s.tx.choices.refused_by(guild, player)
    if other not in refused and len(refused) >= MAX_REFUSED_PLAYERS:
        raise Refused(SeatReason.TOO_MANY_SEAT_REFUSALS, most=MAX_REFUSED_PLAYERS)
    s.tx.choices.refuse_seat(guild, player, other, at=s.now)
    return s.tx.choices.refused_by(guild, player)


def allow(s: Session, guild: GuildId, player: Player, others: Sequence[Player]) -> list[Player]:
    """Take it back; returns all that the player still refuses."""
    for other in others:
        s.tx.choices.allow_seat(guild, player, other)
    return s.tx.choices.refused_by(guild, player)


def apart(s: Session, guild: GuildId, player: Player) -> frozenset[Player]:
    """All players that one player is not to be seated with, whoever of the two has asked for it."""
    return frozenset((*s.tx.choices.refused_by(guild, player), *s.tx.choices.refusing(guild, player)))


def demand_seat(s: Session, guild: GuildId, player: Player, seated: Collection[Player]) -> None:
    """Raise Refused for a player who may not sit with one of these; nobody is told of another's wish."""
    if not set(s.tx.choices.refused_by(guild, player)).isdisjoint(seated):
        raise Refused(SeatReason.OWN_SEAT_REFUSAL)
    if not set(s.tx.choices.refusing(guild, player)).isdisjoint(seated):
        raise Refused(SeatReason.NO_SEAT_FOR_YOU)


def demand_guest(s: Session, guild: GuildId, host: Player, guest: Player) -> None:
    """Raise Refused for a guest that the host cannot mean."""
    if guest == host:
        raise Refused(SeatReason.NOT_ONESELF)
    if guest in s.tx.choices.refused_by(guild, host):
        raise Refused(SeatReason.OWN_GUEST_REFUSAL, player=guest)


def callable_guests(s: Session, table: Table, guests: Sequence[Player]) -> frozenset[Player]:
    """The guests that an invitation to a table calls, nobody to a quiet one.

    One who may not sit there is named like the others, and hears nothing.
    """
    if table.terms.quiet:
        return frozenset()
    seated = [seat.player for seat in s.tx.tables.seats(table.key)]
    return frozenset(guest for guest in guests if apart(s, table.key.guild, guest).isdisjoint(seated))
