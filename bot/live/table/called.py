"""Whom a table's message calls when it is posted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import discord

from bot.live.posting import calling
from bot.model.ids import Player
from bot.model.tables import TableState
from bot.play.doors.together import Together
from bot.play.look.views import TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """The players that a table's message calls when it is posted, because an edit calls nobody."""

    people: Collection[Player] = ()
    """The message mentions them."""
    role: int | None = None
    silent: bool = False
    """True for people who know that they play, and are only brought along."""

    @property
    def mentions(self) -> discord.AllowedMentions:
        """As Discord is told."""
        return calling(self.people, role=self.role)


def _is_news(view: TableView) -> bool:
    """True for a table that was just opened for people who are still to come."""
    table, computers = view.table, any(place.seat.computer for place in view.places)
    is_lobby = table.state is TableState.LOBBY and not table.hand_no
    return is_lobby and table.message is None and view.event is None and not table.private and not computers


async def called_by_message(view: TableView, together: Together) -> Called:
    """Whom the table's next message calls.

    At an event's table these are its players, while no message shows it where it is now: they must find it, and only a
    mention adds them to its thread. Of a new table they are its guests, and the role that hears of it.
    """
    table = view.table
    if _is_news(view):
        guests = await together.called_at_opening(table)
        return Called(people=guests, role=await together.told_role(table.key))
    if view.event is None or (table.hand_no and table.posted):
        return Called()
    here = [place.seat.player for place in view.places if not (place.seat.computer or place.seat.away)]
    return Called(people=here, silent=bool(table.hand_no))
