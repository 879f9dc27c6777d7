"""The organiser's tools by buttons, also for those to whom the server does not show ``/event-admin``; and seeds."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from bot.live.services import Services
from bot.model.events import Event
from bot.model.ids import EventKey, Player, TableId
from bot.model.refusals import PlayReason
from bot.ofc.refusals import Refused
from bot.play.event.organisers.organiser import MOST_ADJUSTED, MOST_PENALTY, check_organiser
from bot.text.words import escape_name
from bot.ui.custom_ids import Press, long_id, short_id
from bot.ui.event.tools import (
    MOST_MENUS,
    POSTPONED,
    announcement_form,
    player_screen,
    ruling_form,
    seeds_screen,
    tools_screen,
)
from bot.ui.fragments import MOST_OPTIONS
from bot.ui.reply import PressHandler, Reply
from cogs.event.desk import OrganisersDesk
from cogs.event.tools import Done, OrganisersTools
from cogs.event.which_event import chosen_player, event_of, official


class ToolsScreen:
    """The private screen behind **Organise**. Whoever presses is asked again by each use case whether they may."""

    def __init__(self, services: Services, tools: OrganisersTools) -> None:
        self._services = services
        self._events = services.events
        self._tools = tools
        private: dict[str, PressHandler] = {
            "ev_tools": self.open,
            "ev_player": self.choose_player,
            "ev_start": self.ask_start,
            "ev_ask_cancel": self.ask_cancel,
            "ev_ask_out": self.ask_disqualify,
        }
        for verb, handler in private.items():
            services.gate.route(verb, handler)
        acts: dict[str, Done] = {
            "ev_begin": self._start,
            "ev_pause": self._pause,
            "ev_resume": self._resume,
            "ev_repeat": self._repeat,
            "ev_postpone": self._postpone,
            "ev_help": self._help,
            "ev_unhelp": self._help,
            "ev_unregister": self._unlist,
            "ev_back_in": self._reinstate,
        }
        written: dict[str, Done] = {
            "ev_announce": self._announce,
            "ev_penalty": self._penalty,
            "ev_adjust": self._adjust,
            "ev_move": self._move,
        }
        tools.route(acts, written, show=self._show_done, ask=self._ask)

    # screens

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The tools of an event."""
        await self._organised(reply, press)
        await self._show(reply, event_of(reply, press))

    async def _show(self, reply: Reply, key: EventKey, *, said: str = "", starting: bool = False) -> None:
        view = await self._events.look(key)
        names, mark = self._services.faces.names, reply.interaction.id >> 22
        await reply.show(tools_screen(view, reply.words, names=names, mark=mark, said=said, starting=starting))

    async def _organised(self, reply: Reply, press: Press) -> Event:
        """The event that a press speaks of, for those who may organise it; raises Refused."""
        event = (await self._events.look(event_of(reply, press))).event
        check_organiser(event, official(reply))
        if event.phase.over:
            raise Refused(PlayReason.EVENT_OVER)
        return event

    async def choose_player(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A person was chosen from the menu."""
        event = await self._organised(reply, press)
        chosen = int(values[0]) if values and values[0].isdecimal() and len(values[0]) <= 20 else 0
        if not chosen:
            await self._show(reply, event.key)
            return
        view = await self._events.look(event.key)
        await reply.show(player_screen(view, Player(str(chosen)), short_id(chosen), reply.words))

    async def ask_start(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask whether to start before the hour."""
        await self._tools.ask_start(reply, event_of(reply, press))

    async def ask_cancel(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask whether to call it off."""
        await self._tools.ask_cancel(reply, event_of(reply, press))

    async def ask_disqualify(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask whether to put this player out."""
        await self._tools.ask_disqualify(reply, event_of(reply, press), _player(press))

    async def _show_done(self, reply: Reply, press: Press, said: str) -> None:
        await self._show(reply, event_of(reply, press), said=said, starting=press.verb == "ev_begin")

    async def _ask(self, reply: Reply, press: Press) -> None:
        """Show the form of an act to those who may do it."""
        await self._organised(reply, press)
        form = announcement_form if press.verb == "ev_announce" else ruling_form
        await reply.ask(form(press, reply.words), again=press)

    # acts

    async def _start(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        key = event_of(reply, press)
        done = await self._events.start(key, await self._tools.speaker(reply, key), cause=reply.cause)
        return reply.words("event.done.started", name=escape_name(done.name))

    async def _pause(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.pause(reply, event_of(reply, press))

    async def _resume(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.resume(reply, event_of(reply, press))

    async def _announce(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.say(reply, event_of(reply, press), values[0])

    async def _postpone(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        minutes = int(values[0]) if values and values[0] in POSTPONED else 0
        return await self._tools.put_off(reply, event_of(reply, press), seconds=minutes * 60)

    async def _repeat(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.hold(reply, event_of(reply, press), press.argument)

    async def _help(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.share(reply, event_of(reply, press), _player(press), remove=press.verb == "ev_unhelp")

    async def _unlist(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.unlist(reply, event_of(reply, press), _player(press))

    async def _reinstate(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        return await self._tools.reinstate(reply, event_of(reply, press), _player(press))

    async def _penalty(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        hands = _number(values[0], otherwise=Refused(PlayReason.BAD_PENALTY, most=MOST_PENALTY))
        return await self._tools.punish(reply, event_of(reply, press), _player(press), hands=hands, why=_why(values))

    async def _adjust(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        amount = _number(values[0], otherwise=Refused(PlayReason.BAD_AMOUNT, most=MOST_ADJUSTED))
        return await self._tools.give(reply, event_of(reply, press), _player(press), amount=amount, why=_why(values))

    async def _move(self, reply: Reply, press: Press, values: Sequence[str]) -> str:
        table = TableId(_number(values[0], otherwise=Refused(PlayReason.NO_SUCH_TABLE_THERE)))
        return await self._tools.seat(reply, event_of(reply, press), _player(press), table=table, why=_why(values))


def _player(press: Press) -> Player:
    return Player(str(long_id(press.argument)))


def _why(values: Sequence[str]) -> str:
    return values[1] if len(values) > 1 else ""


def _number(text: str, *, otherwise: Refused) -> int:
    """A whole number as somebody has written it; raises ``otherwise``."""
    plain = unicodedata.normalize("NFKC", text).replace(",", "").replace("−", "-").strip()
    if len(plain) > 12:
        raise otherwise
    try:
        return int(plain)
    except ValueError:
        raise otherwise from None


class OrganisersSeeds:
    """Whoever presses is asked again by each use case whether they may; the page then shows the new order."""

    def __init__(self, services: Services, desk: OrganisersDesk) -> None:
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
            services.gate.route(verb, handler)

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The order so far."""
        await self._open(reply, event_of(reply, press))

    async def _open(self, reply: Reply, key: EventKey, *, chosen: Player | None = None) -> None:
        view = await self._events.look(key)
        check_organiser(view.event, official(reply))
        if not view.event.phase.before:
            raise Refused(PlayReason.EVENT_RUNS)
        shown = [line.entrant.player for line in view.lines[: 2 * MOST_MENUS * MOST_OPTIONS]]
        await reply.show(seeds_screen(view, await self._desk.pen(reply, shown), chosen=chosen))

    async def choose_next(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Somebody comes next in the order."""
        key, player = event_of(reply, press), chosen_player(values)
        if player is not None:
            last = len((await self._events.look(key)).lines) + 1
            await self._events.seed(key, official(reply), player, place=last, cause=reply.cause)
        await self._open(reply, key)

    async def pick(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """One of the order was chosen, to be moved."""
        await self._open(reply, event_of(reply, press), chosen=chosen_player(values))

    async def move(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """One place up or down from where the page showed them."""
        key, player = event_of(reply, press), Player(str(long_id(press.argument)))
        place = max(1, press.hand + (1 if press.verb == "ev_seed_down" else -1))
        await self._events.seed(key, official(reply), player, place=place, cause=reply.cause)
        await self._open(reply, key, chosen=player)

    async def take_out(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Out of the order."""
        key, player = event_of(reply, press), Player(str(long_id(press.argument)))
        await self._events.seed(key, official(reply), player, place=0, cause=reply.cause)
        await self._open(reply, key)

    async def clear(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Everybody out of the order."""
        key = event_of(reply, press)
        await self._events.unseed_all(key, official(reply), cause=reply.cause)
        await self._open(reply, key)
