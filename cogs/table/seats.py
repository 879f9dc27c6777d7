"""A table's details: seats, rebuys, sitting out, changing seats, and the host's actions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from discord.ext import commands

from bot.chat.client import Client
from bot.chat.club.screens.bank import claim_buttons, claim_lines
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import PressKind
from bot.chat.kit.permissions_here import require_visible
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.services import Services
from bot.chat.table.screens.lobby import seat_terms_screen
from bot.chat.table.screens.own_seat import left_text
from bot.chat.table.screens.seats_screen import (
    SeatAction,
    SeatsPage,
    cancelling_screen,
    parse_player,
    person_screen,
    seats_screen,
)
from bot.model.ids import TableKey
from bot.model.reasons import EventReason, SeatReason, TableReason
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal

NO_SEAT = -1
SEAT_NUMBERS = frozenset(map(str, range(10)))
"""Seat numbers as carried by buttons. No game has more seats."""


class Seats(commands.Cog):
    """Handlers for a table's private details, and for coming back with a button on a panel."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        bot.services.gate.route("seats", in_a_new_message(self.show))
        bot.services.gate.route("seat_of", self.show_person)
        for verb, handler in {
            "make_host": self.make_host,
            "remove": self.remove,
            "come_back": self.come_back,
        }.items():
            bot.services.gate.route(verb, handler, kind=PressKind.PUBLIC)
        for verb, handler, asks in (
            ("sit", self.sit, partial(ask_for_seat, self.services)),
            ("seat", self.act, self.ask_again),
            ("rebuy", self.rebuy, in_a_new_message(self.ask_again)),
        ):
            bot.services.gate.route(verb, handler, kind=PressKind.PUBLIC, asks=asks)

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the list of seats in a new message."""
        await show_seats(self.services, reply, reply.key(press))

    async def show_person(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show another player at the table, to its host and to managers."""
        page, player = await _page(self.services, reply, reply.key(press)), parse_player(_chosen(press, values))
        if not page.rules:
            raise Refused(TableReason.NOT_HOST, player=page.view.table.host)
        if page.view.place_of(player) is None:
            raise Refused(SeatReason.NOT_SEATED_HERE)
        await reply.show(person_screen(page, player, reply.words, self.services.faces_for(reply)))

    async def act(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Perform an action on the player's own seat or table, and show the list again."""
        action = next((action for action in SeatAction if action.value == press.argument), SeatAction.SHOW)
        key = reply.key(press)
        if action is SeatAction.REBUY and not await self._rebuys(reply, key):
            return
        if action is SeatAction.CANCEL and await asks_before_cancelling(self.services, reply, key):
            return
        await show_seats(self.services, reply, key, notice=await self._done(reply, key, action))

    async def ask_again(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the list with the current amounts, because the one the player agreed to has changed."""
        await show_seats(self.services, reply, reply.key(press), notice=reply.words("terms.amount"))

    async def _done(self, reply: Reply, key: TableKey, action: SeatAction) -> str:
        """Perform the action. Returns a sentence if the list doesn't show the result."""
        play, seating, cause = self.services.play, self.services.seating, reply.cause
        if action is SeatAction.TOP_UP:
            await seating.top_up(key, reply.player, terms=reply.terms, cause=cause)
        elif action is SeatAction.SIT_OUT:
            await seating.sit_out(key, reply.player, cause=cause)
        elif action is SeatAction.BACK:
            return await self.services.own_tables.come_back(reply, key)
        elif action is SeatAction.LEAVE:
            departure = await play.leave(key, reply.player, cause=cause)
            return "" if departure.chips is None else left_text(departure, reply.words)
        elif action in (SeatAction.CANCEL, SeatAction.CANCEL_SURE):
            await play.cancel(key, reply.player, cause=cause)
        elif action in (SeatAction.LET_WATCH, SeatAction.UNWATCH):
            await play.let_watch(key, reply.player, watched=action is SeatAction.LET_WATCH)
        return reply.words("seats.said.rebought") if action is SeatAction.REBUY else ""

    async def sit(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Take the chosen seat, or move to it from another one."""
        wanted = _chosen(press, values)
        key, number = reply.key(press), int(wanted) if wanted in SEAT_NUMBERS else NO_SEAT
        seated = (await self.services.play.look(key, reply.player)).mine is not None
        if seated:
            await self.services.seating.change_seat(key, reply.player, number, cause=reply.cause)
            await show_seats(self.services, reply, key)
            return
        await require_visible(self.services.play, reply, key)
        table = await self.services.play.join(key, reply.player, number=number, terms=reply.terms, cause=reply.cause)
        await self.services.hand_panels.show_table(reply, table.key)

    async def make_host(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Make another player the host."""
        key = reply.key(press)
        await self.services.seating.hand_over(key, reply.player, parse_player(press.argument), cause=reply.cause)
        await show_seats(self.services, reply, key, notice=reply.words("seats.said.new_host"))

    async def remove(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Remove a player from the table."""
        key, who, manages = reply.key(press), parse_player(press.argument), _manages(reply)
        await self.services.seating.remove(key, reply.player, who, manager=manages, cause=reply.cause)
        gone = (await self.services.play.look(key)).place_of(who) is None
        notice = reply.words("seats.said.removed" if gone else "seats.said.goes_after_hand")
        await show_seats(self.services, reply, key, notice=notice)

    async def rebuy(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Rebuy from the player's panel or a result, and show the panel."""
        key = reply.key(press)
        if await self._rebuys(reply, key):
            await self.services.hand_panels.show_table(reply, key)

    async def come_back(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Come back after sitting out."""
        key = reply.key(press)
        told = await self.services.own_tables.come_back(reply, key)
        await self.services.hand_panels.show_table(reply, key, told=told)

    async def _rebuys(self, reply: Reply, key: TableKey) -> bool:
        """Rebuy. False if the player has too few chips. If so, they're shown how to get more."""
        try:
            await self.services.seating.rebuy(key, reply.player, terms=reply.terms, cause=reply.cause)
        except Refused as refused:
            if refused.reason is not SeatReason.WALLET_SHORT:
                raise
            offered = await self.services.bank.offered(reply.guild, reply.player)
            told = [refusal(refused, reply.words), *claim_lines(offered, reply.words)]
            await reply.say("\n".join(told), then=claim_buttons(offered, reply.words))
            return False
        return True


def _chosen(press: Press, values: Sequence[str]) -> str:
    """Return the chosen option of a menu, or the argument of an older message's button."""
    return next(iter(values), press.argument)


async def show_seats(services: Services, reply: Reply, key: TableKey, *, notice: str = "") -> None:
    """Show the details of a table with its seats; raises Refused."""
    page = await _page(services, reply, key, notice=notice, events=True)
    await reply.show(seats_screen(page, reply.words, services.faces_for(reply)))


async def ask_for_seat(services: Services, reply: Reply, press: Press, values: Sequence[str]) -> None:
    """Ask again with the current terms of a seat, because the player accepted different ones."""
    view = await services.play.look(reply.key(press), reply.player)
    reply.reply_separately()
    await reply.show(seat_terms_screen(view, press, reply.words))


async def asks_before_cancelling(services: Services, reply: Reply, key: TableKey) -> bool:
    """If other players are seated, ask the host for confirmation.

    False if none are seated, or if the table isn't theirs to cancel.
    """
    page = await _page(services, reply, key)
    if not page.can_cancel or not page.others:
        return False
    await reply.show(cancelling_screen(page, reply.words, services.faces_for(reply)))
    return True


async def _page(
    services: Services, reply: Reply, key: TableKey, *, notice: str = "", events: bool = False
) -> SeatsPage:
    """Return a table's details. Raises Refused for an event's table unless ``events`` are allowed."""
    await require_visible(services.play, reply, key)
    view = await services.play.look(key, reply.player)
    if view.table.event_no is not None and not events:
        raise Refused(EventReason.EVENT_TABLE)
    if view.table.private:
        raise Refused(SeatReason.NOTHING_AT_STAKE)
    wallet = await services.play.wallet(reply.guild, reply.player) if view.table.cash and view.mine else 0
    rules = view.table.host == reply.player or _manages(reply)
    page = SeatsPage(view=view, wallet=wallet, rules=rules, notice=notice, pages=services.page_links.served)
    await services.load_spoken_names(reply, page.others if rules else [])
    return page


def _manages(reply: Reply) -> bool:
    return reply.interaction.permissions.manage_guild


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Seats(bot))
