"""Taking, keeping and leaving seats on pages, by the same rules and in the same words as with Discord's buttons."""

from __future__ import annotations

from typing import Final

from bot.chat.kit.page_request import PageRequest
from bot.chat.table.posts.own_tables import OwnTables
from bot.chat.table.screens.lobby import join_label, seat_terms_text
from bot.chat.table.screens.own_seat import has_room, join_offer, left_text
from bot.model.ids import Player, TableKey
from bot.model.reasons import TableReason
from bot.model.refusals import OtherTerms, Stale
from bot.play.api.play import Play
from bot.play.api.server import Seating
from bot.play.terms import DIGITS
from bot.pure.ofc.refusals import Refused
from bot.web.drawing import TableDrawing, seat_turn_of
from bot.web.messages import Intent, Offered
from bot.web.watching import WatchableTables

SEAT_VERBS: Final = frozenset({"join", "rebuy", "top_up", "sit_out", "back", "leave"})


class PageSeats:
    """Actions of readers about their seats."""

    def __init__(self, play: Play, seating: Seating, own_tables: OwnTables, watching: WatchableTables) -> None:
        self._play = play
        self._seating = seating
        self._own_tables = own_tables
        self._watching = watching

    def join_offers(self, drawing: TableDrawing, reader: Player) -> list[Offered]:
        """Return the button that takes a seat. Its first press shows the terms, and the second one agrees to them."""
        view, words = drawing.view, drawing.words
        allowed = view.table.open and view.mine is None and has_room(view) and reader not in view.table.removed
        if not allowed or not self._watching.is_public(view.table):
            return []
        offer, sure = join_offer(view.table, words), join_label(view.table.terms, words)
        text = drawing.marked(seat_terms_text(view, words))
        return [Offered(verb="join", label=offer.label, text=text, sure=sure, turn=offer.terms)]

    async def do(self, asked: PageRequest, intent: Intent, key: TableKey) -> None:
        """Carry out one of ``SEAT_VERBS``. Raises Refused, Stale or OtherTerms."""
        match intent.verb:
            case "join":
                await self._join(asked, intent, key)
            case "rebuy":
                await self._seating.rebuy(key, asked.player, terms=_agreed(intent), cause=asked.cause)
                await asked.say(asked.words("seats.said.rebought"))
            case "top_up":
                await self._seating.top_up(key, asked.player, terms=_agreed(intent), cause=asked.cause)
            case "sit_out":
                await self._sit_out(asked, key)
            case "back":
                await asked.say(await self._own_tables.come_back(asked, key))
            case "leave":
                view = await self._play.look(key, asked.player)
                if view.mine is None or seat_turn_of(view) != intent.turn:
                    raise Stale
                await self._leave(asked, key)

    async def _join(self, asked: PageRequest, intent: Intent, key: TableKey) -> None:
        if not self._watching.is_public((await self._play.look(key, asked.player)).table):
            raise Refused(TableReason.CHANNEL_HIDDEN)  # only Discord knows who else sees it
        try:
            await self._play.join(key, asked.player, terms=_agreed(intent), cause=asked.cause)
        except Refused as refused:
            if refused.reason is TableReason.ALREADY_SEATED:
                raise Stale from refused
            raise

    async def _sit_out(self, asked: PageRequest, key: TableKey) -> None:
        if (await self._play.look(key, asked.player)).event is not None:
            await self._leave(asked, key)
        else:
            await self._seating.sit_out(key, asked.player, cause=asked.cause)

    async def _leave(self, asked: PageRequest, key: TableKey) -> None:
        departure = await self._play.leave(key, asked.player, cause=asked.cause)
        await asked.say(left_text(departure, asked.words))


def _agreed(intent: Intent) -> str:
    """Return the terms that the page showed; raises OtherTerms if it showed none."""
    if len(intent.turn) != DIGITS:
        raise OtherTerms
    return intent.turn
