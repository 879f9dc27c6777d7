"""The page on which an organiser sets an event's seeds."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.event.screens.tools import MAX_MENUS, seeds_screen
from bot.chat.kit.custom_ids import Press, long_id
from bot.chat.kit.fragments import MAX_OPTIONS
from bot.chat.kit.reply import PressHandler, Reply
from bot.chat.services import Services
from bot.model.ids import EventKey, Player
from bot.model.reasons import EventReason
from bot.pure.ofc.refusals import Refused
from cogs.event.desk import OrganisersDesk
from cogs.event.which_event import chosen_player, desk_of, event_of, official


class OrganisersSeeds:
    """Buttons and menus of the page.

    Each use case checks the member's rights. The page then shows the new order.
    """

    def __init__(self, services: Services, desk: OrganisersDesk) -> None:
        self._services = services
        self._events = services.events
        self._desk = desk
        presses: dict[str, PressHandler] = {
            "ev_seeds": self.open,
            "ev_seed_next": self.choose_next,
            "ev_seed_pick": self.pick,
            "ev_seed_up": self.move,
            "ev_seed_down": self.move,
            "ev_seed_out": self.take_out,
            "ev_seed_clear": self.clear,
        }
        for verb, handler in presses.items():
            services.gate.route(verb, self._allowed(handler))

    def _allowed(self, handler: PressHandler) -> PressHandler:
        """Wrap ``handler`` so that each press first checks that the member may run the event."""

        async def allowed(reply: Reply, press: Press, values: Sequence[str]) -> None:
            await desk_of(self._services, reply, event_of(reply, press))
            await handler(reply, press, values)

        return allowed

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the current order."""
        await self._open(reply, event_of(reply, press))

    async def _open(self, reply: Reply, key: EventKey, *, chosen: Player | None = None) -> None:
        view = await self._events.look(key)
        bars = (await self._events.at_desk(key, official(reply))).bars
        if not view.event.phase.before:
            raise Refused(EventReason.EVENT_RUNS)
        shown = [line.entrant.player for line in view.lines[: 2 * MAX_MENUS * MAX_OPTIONS]]
        await reply.show(seeds_screen(view, await self._desk.context(reply, shown), chosen=chosen, bars=bars))

    async def choose_next(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Add the chosen player at the end of the order."""
        key, player = event_of(reply, press), chosen_player(values)
        if player is not None:
            last = len((await self._events.look(key)).lines) + 1
            await self._events.seed(key, official(reply), player, place=last, cause=reply.cause)
        await self._open(reply, key)

    async def pick(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Select the player in the order who is to be moved."""
        await self._open(reply, event_of(reply, press), chosen=chosen_player(values))

    async def move(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Move a player one place up or down from the place that the page showed."""
        key, player = event_of(reply, press), Player(str(long_id(press.argument)))
        place = max(1, press.hand + (1 if press.verb == "ev_seed_down" else -1))
        await self._events.seed(key, official(reply), player, place=place, cause=reply.cause)
        await self._open(reply, key, chosen=player)

    async def take_out(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Remove a player from the order."""
        key, player = event_of(reply, press), Player(str(long_id(press.argument)))
        await self._events.seed(key, official(reply), player, place=0, cause=reply.cause)
        await self._open(reply, key)

    async def clear(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Remove all players from the order."""
        key = event_of(reply, press)
        await self._events.unseed_all(key, official(reply), cause=reply.cause)
        await self._open(reply, key)
