"""The acts of ``/ofc table``, most likely first: finding a table, taking seats, hosting and managing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.chat.kit.acts.act import ActField, ActValues, Confirmation, Option, TypedAct, everything
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import NOWHERE
from bot.chat.kit.permissions_here import may_see
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import NamedChoice
from bot.chat.services import Services
from bot.chat.table.screens.lobby import (
    can_start,
    limits_lines,
    may_start,
    pace_text,
    stakes_text,
    table_title,
)
from bot.chat.table.screens.seats_screen import SeatAction, player_argument
from bot.model.ids import Player, TableId, is_computer
from bot.model.limits import MAX_SHUFFLE_TEXT_LENGTH, MAX_TEMPLATE_NAME_LENGTH
from bot.model.reasons import ActReason, SeatReason
from bot.model.tables import Table, TableState, Terms
from bot.play import terms as terms_of
from bot.play.matchmaking import as_queue
from bot.play.queries.views import SeatStack, TableView
from bot.play.session.chips import rebuy_of, top_up_of
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.levels import Level
from bot.text.games import full_name
from bot.text.languages import LANGUAGES
from bot.text.numbers import MAX_NUMBER_LENGTH, whole_number
from bot.text.words import Words, escape_name, words_for
from cogs.table.lobby import show_seat, usual_table
from cogs.table.seats import show_seats

REPLACES = "replace"
_ENDS_IN_A_DIGIT = re.compile(r"(.*[^-−\d.,\s])(\d)")
"""A game directly followed by the number of players. The name *2-7* isn't split."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTarget:
    """A table as the reader sees it, or the server for acts without a table."""

    view: TableView | None = None
    name: str = ""
    here: bool = False
    rank: int = 0
    wallet: int = 0
    manages: bool = False
    """True if the reader manages the server."""
    names: tuple[NamedChoice[str], ...] = ()
    """The other players at the table."""
    pages: bool = False
    """True if pages that show tables are enabled."""
    hidden: bool = False
    """True if the reader can't see the table's channel. Managers can still close it."""
    at_many: bool = False
    """For the server, True if the reader can sit out at several tables."""
    begins: bool | None = None
    """For the server, True if it's the target of the first suggestion, False for that of the others, None for both."""

    def detail(self, words: Words) -> str:
        """Return nothing, because numbers distinguish tables of the same name."""
        return ""

    @property
    def number(self) -> int:
        """The table's number."""
        return self.view.table.key.table if self.view else 0

    @property
    def tag(self) -> str:
        """The table's tag."""
        return self.view.table.tag if self.view else ""

    @property
    def table(self) -> Table:
        """The table."""
        assert self.view is not None
        return self.view.table

    @property
    def is_seated(self) -> bool:
        """True if the reader has a seat."""
        return self.view is not None and self.view.mine is not None

    @property
    def is_own_choice(self) -> bool:
        """True if players choose their seats, because the table is neither an event's nor private."""
        return self.is_of_players and not self.hidden

    @property
    def is_of_players(self) -> bool:
        """True for a table that is neither an event's nor private, even if its channel isn't visible."""
        return self.view is not None and self.view.table.event_no is None and not self.view.table.private

    @property
    def hosts(self) -> bool:
        """True if the reader is the table's host."""
        return self.view is not None and self.is_own_choice and self.view.table.host == self.view.you

    @property
    def place(self) -> SeatStack:
        """The reader's place at the table."""
        assert self.view is not None
        assert self.view.mine is not None
        return self.view.mine

    @property
    def more(self) -> int:
        """Number of chips that the reader can add with a top-up now."""
        return top_up_of(self.table, stack=self.place.stack, wallet=self.wallet)

    @property
    def press(self) -> Press:
        """The press that the table's buttons are based on."""
        return Press(verb="seat", table=TableId(self.number), tag=self.tag)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRequest:
    """A request for a seat at any suitable table."""

    like: TableOffer
    """The offer to open if no table is suitable."""
    table: Table | None
    seen: frozenset[int] = frozenset()
    """The channels whose tables the player may see."""
    any_game: bool = False

    @property
    def seat_terms(self) -> Terms:
        """The terms at the table, or at the one to be opened."""
        return self.like.terms if self.table is None else self.table.terms

    @property
    def terms(self) -> str:
        """The digest of the seat's terms."""
        return terms_of.of_seat(self.seat_terms)


Does = Callable[[Reply, TableTarget, ActValues], Awaitable[str]]
TableAct = TypedAct[TableTarget]
BUTTONS = {
    "list": ("hub.button.games",),
    "start": ("button.start",),
    "back": ("button.stay", "button.do_not_leave"),
    "rebuy": ("seats.button.rebuy",),
    "join": ("button.join",),
    "seats": ("button.details",),
    "sit_out": ("seats.button.sit_out", "event_table.button.sit_out"),
    "leave": ("button.leave",),
    "out_everywhere": ("games.out_everywhere",),
    "cancel": ("button.cancel",),
    "make_host": ("seats.button.make_host",),
    "remove": ("seats.button.remove",),
    "let_watch": ("page.let_watch",),
    "unwatch": ("page.unwatch",),
    "fairness": ("fairness.open",),
}
"""Keys of the buttons with the same effect. Their labels are also accepted."""


FOR_MANAGERS = frozenset(("close", "template"))
"""Acts for the server's managers."""


class TableActs:
    """Runs the actions of ``/ofc table``."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def all(self) -> tuple[TableAct, ...]:
        """Return the acts, most likely first."""
        return (
            _act("list", self.show_list, when=_begins, asks=(_page(),)),
            _act("start", self._press("start"), when=_starts),
            _act("back", self.come_back, when=_comes_back),
            _act("rebuy", self.rebuy, when=_is_broke, asks_once=self.asks_to_rebuy),
            _act("join", self.join, when=_joins, asks_once=self.asks_to_join),
            _act("quick", self.quick, when=_of_server, asks=(_game("table_acts.ask.game"),), asks_once=self.asks_quick),
            _act("seats", self.show_seats, when=_has_seats, likely=_concerns, prefers=lambda one: one.is_own_choice),
            _act("sit_out", self.sit_out, when=_sits_out),
            _act("leave", self._press("leave"), when=_leaves),
            _act("top_up", self.top_up, when=_tops_up, asks_once=self.asks_to_top_up),
            _act("out_everywhere", self.sit_out_everywhere, when=lambda target: target.at_many),
            _act("invite", self.invite, when=_invites, asks=(_guest(),)),
            _act("move", self.move, when=_moves, asks=(_seat(),), likely=_never),
            _act("add_computer", self.add_computer, when=_adds_computers, asks=(_level(),), likely=_never),
            _act("cancel", self._seat(SeatAction.CANCEL_SURE), when=_cancels, sure=True, means=self.means_cancel),
            _act("make_host", self.make_host, when=_has_people, asks=(_player(people=True),), likely=_never),
            _act("remove", self.remove, when=_removes, asks=(_player(),), sure=True, likely=_never),
            _act("let_watch", self._seat(SeatAction.LET_WATCH), when=_watch(now=False), likely=_never),
            _act("unwatch", self._seat(SeatAction.UNWATCH), when=_watch(now=True), likely=_never),
            _act(
                "queue",
                self.queue,
                when=_of_server,
                asks=(_game("table_acts.ask.wait"),),
                asks_once=self.asks_queue,
                likely=_never,
            ),
            _act("shuffle", self.shuffle, when=lambda target: target.is_seated, asks=(_text(),), likely=_never),
            _act("fairness", self._press("fairness"), when=_is_seen, likely=_never),
            _act(
                "close", self.close, when=_manages, sure=True, means=self.means_close, explains=_of_event, likely=_never
            ),
            _act("template", self.save_template, when=_manages_cash, asks=(_name(), _replaces()), likely=_never),
            everything(_of_server),
        )

    # Acts that share their handlers with buttons

    def _press(self, verb: str) -> Does:
        async def does(reply: Reply, target: TableTarget, values: ActValues) -> str:
            await self._handle(reply, target.press.but(verb))
            return ""

        return does

    def _seat(self, action: SeatAction) -> Does:
        async def does(reply: Reply, target: TableTarget, values: ActValues) -> str:
            await self._handle(reply, target.press.but("seat", action.value))
            return ""

        return does

    async def _handle(self, reply: Reply, press: Press, *values: str) -> None:
        await self._services.gate.handle(reply, press, values)

    # Finding a table

    async def show_list(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Show the player's own tables and open tables."""
        await self._handle(reply, replace(NOWHERE.but("games"), hand=max(0, (values.value or 1) - 1)))
        return ""

    async def quick(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Take the next free seat, at a table of any game or a given one, or open a table."""
        if (request := await self._quick_request(reply, values)) is not None:
            await show_seat(
                self._services,
                reply,
                await self._services.matchmaking.quick(
                    request.like, seen=request.seen, any_game=request.any_game, terms=request.terms, cause=reply.cause
                ),
            )
        return ""

    async def asks_quick(self, reply: Reply, target: TableTarget, values: ActValues) -> Confirmation | None:
        """Return the terms of the seat that the player would take."""
        request = await self._quick_request(reply, values)
        return None if request is None else await self._asks_for(reply, request, "table_acts.opens")

    async def _quick_request(self, reply: Reply, values: ActValues) -> SeatRequest | None:
        like = await usual_table(self._services, reply, str(values.value or ""))
        if like is None:
            return None
        tables = await self._services.play.open_tables(reply.guild)
        seen = frozenset((like.channel, *(one.channel for one in tables if may_see(reply.interaction, one.channel))))
        any_game = not values.value
        await self._services.play.wallet(reply.guild, reply.player)  # the first use creates the wallet
        table = await self._services.matchmaking.quick_table(like, seen=seen, any_game=any_game)
        return SeatRequest(like=like, table=table, seen=seen, any_game=any_game)

    async def queue(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Wait in this channel until there are enough players."""
        if (request := await self._queue_request(reply, values)) is not None:
            table = await self._services.matchmaking.queue(request.like, terms=request.terms, cause=reply.cause)
            await self._services.hand_panels.show_table(reply, table.key)
        return ""

    async def asks_queue(self, reply: Reply, target: TableTarget, values: ActValues) -> Confirmation | None:
        """Return the terms of the table for which the player would wait."""
        request = await self._queue_request(reply, values)
        return None if request is None else await self._asks_for(reply, request, "table_acts.waits")

    async def _queue_request(self, reply: Reply, values: ActValues) -> SeatRequest | None:
        game, players = _game_and_players(str(values.value or ""))
        like = await usual_table(self._services, reply, game)
        if like is None:
            return None
        like = as_queue(like, players=players)
        return SeatRequest(like=like, table=await self._services.matchmaking.queued_table(like))

    async def _asks_for(self, reply: Reply, request: SeatRequest, opens: str) -> Confirmation | None:
        """Return the terms of a seat; None if it needs no chips or can't be taken, which the use case will explain."""
        matchmaking, words, terms = self._services.matchmaking, reply.words, request.seat_terms
        if terms.practice:
            return None
        if request.table is not None and await matchmaking.waits_at(request.table, reply.player):
            return None
        if request.table is None and await self._services.play.objection(request.like) is not None:
            return None
        if request.table is not None:
            heading = table_title(request.table, words)
            channel = words("table_acts.channel", channel=request.table.channel)
            elsewhere = [] if request.table.channel == reply.interaction.channel_id else [channel]
        else:
            heading = words.facts([full_name(terms.variant, words), stakes_text(terms, words)])
            elsewhere = [words(opens, **({"count": terms.starts_with} if terms.starts_with else {}))]
        return self._seat_question(terms, [f"**{heading}**", *elsewhere], words)

    def _seat_question(self, terms: Terms, heading: Sequence[str], words: Words) -> Confirmation:
        facts = [
            *heading,
            pace_text(terms.clock, words),
            words("lobby.buy_in", chips=words.number(terms.buy_in)),
            *limits_lines(terms, words),
        ]
        return Confirmation(said="\n".join(facts), terms=terms_of.of_seat(terms), label=words("button.join"))

    # The player's own seat

    async def show_seats(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Show all seats and their buttons."""
        await show_seats(self._services, reply, target.table.key)
        return ""

    async def join(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Take a seat."""
        await self._handle(reply, target.press.but("join", terms=terms_of.of_seat(target.table.terms)))
        return ""

    async def asks_to_join(self, reply: Reply, target: TableTarget, values: ActValues) -> Confirmation | None:
        """Return the terms of the seat; None if it needs no chips."""
        table, words = target.table, reply.words
        if not table.cash:
            return None
        return self._seat_question(table.terms, [f"**{table_title(table, words)}**"], words)

    async def rebuy(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Buy in again."""
        terms = terms_of.of_chips(target.table, rebuy_of(target.table, target.wallet))
        await self._handle(reply, target.press.but("rebuy", terms=terms))
        return ""

    async def asks_to_rebuy(self, reply: Reply, target: TableTarget, values: ActValues) -> Confirmation | None:
        """Return the chips needed; None if the player has none, because the handler then explains how to get some."""
        brings, words = rebuy_of(target.table, target.wallet), reply.words
        if not brings:
            return None
        return Confirmation(
            said=words("table_acts.takes", chips=words.number(brings)),
            terms=terms_of.of_chips(target.table, brings),
            label=words("seats.button.rebuy_of", chips=words.number(brings)),
        )

    async def top_up(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Top up the stack."""
        terms = terms_of.of_top_up(target.table, target.place.seat, target.more)
        await self._handle(reply, target.press.but("seat", SeatAction.TOP_UP.value, terms=terms))
        return ""

    async def asks_to_top_up(self, reply: Reply, target: TableTarget, values: ActValues) -> Confirmation | None:
        """Return the chips needed."""
        table, place, words = target.table, target.place, reply.words
        later = terms_of.in_hand(table, place.seat)
        key, chips = ("seats.button.top_up_to", table.terms.buy_in) if later else ("seats.button.top_up", target.more)
        return Confirmation(
            said=words("table_acts.tops_up_later" if later else "table_acts.takes", chips=words.number(chips)),
            terms=terms_of.of_top_up(table, place.seat, target.more),
            label=words(key, chips=words.number(chips)),
        )

    async def sit_out(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Sit out. At an event's table, cards are auto-placed until the player comes back."""
        if target.is_own_choice:
            await self._handle(reply, target.press.but("seat", SeatAction.SIT_OUT.value))
        else:
            await self._handle(reply, target.press.but("leave"))
        return ""

    async def sit_out_everywhere(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Sit out at all cash tables on the server."""
        await self._handle(reply, NOWHERE.but("out_everywhere"))
        return ""

    async def come_back(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Come back, or stay instead of leaving."""
        return await self._services.own_tables.come_back(reply, target.table.key)

    async def move(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Take another seat."""
        await self._handle(reply, target.press.but("sit", str(values.value - 1)))
        return ""

    async def shuffle(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Mix a text into the next shuffle."""
        table = target.table
        await self._services.play.set_entropy(table.key, reply.player, str(values.value), cause=reply.cause)
        return reply.words("verify.seed_set", table=table.number, hand=table.hand_no + 1)

    # The host

    async def invite(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Invite a member."""
        await self._handle(reply, target.press.but("invited"), values.player)
        return ""

    async def add_computer(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Seat a computer."""
        await self._handle(reply, target.press.but("add_computer"), str(values.value))
        return reply.words("table_acts.computer_sits", table=target.table.number)

    async def make_host(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Make another player the host."""
        await self._handle(reply, target.press.but("make_host", player_argument(Player(values.player))))
        return ""

    async def remove(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Remove a player from the table."""
        await self._handle(reply, target.press.but("remove", player_argument(Player(values.player))))
        return ""

    async def means_cancel(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Return a sentence about the table that will close."""
        return reply.words("table_acts.cancels", table=target.table.number)

    # Managers

    async def close(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Close a table for good."""
        if not await _still_manages(reply):
            return ""
        closed = await self._services.play.close(target.table.key, reason="closed_by_admin")
        return reply.words("lobby.closed", table=closed.number)

    async def means_close(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Return a sentence about the table that will close, and what happens to its hand."""
        return reply.words("table_acts.closes", table=target.table.number)

    async def save_template(self, reply: Reply, target: TableTarget, values: ActValues) -> str:
        """Save a table's terms as a template."""
        if not await _still_manages(reply):
            return ""
        key, replaces = target.table.key, values.extra == REPLACES
        save = self._services.matchmaking.save_template
        saved = await save(key, str(values.value), by=reply.player, replacing=replaces)
        return reply.words("template.saved", name=escape_name(saved.name), table=target.table.number)


async def _still_manages(reply: Reply) -> bool:
    """True if the player manages the server. Otherwise, they're told that they don't."""
    if reply.interaction.permissions.manage_guild:
        return True
    await reply.refuse(reply.words("gate.needs_manage_server"))
    return False


def _act(key: str, does: Does, *, when: Callable[[TableTarget], bool], **more: Any) -> TableAct:
    return TypedAct(
        key=key,
        name=f"table_acts.name.{key}",
        says=f"table_acts.says.{key}",
        others=tuple(words_for(code)(label) for label in BUTTONS.get(key, ()) for code in LANGUAGES),
        also=f"table_acts.also.{key}",
        when=when,
        does=does,
        **more,
    )


# Conditions of acts. The use cases check them again.


def _never(target: TableTarget) -> bool:
    return False


def _begins(target: TableTarget) -> bool:
    return target.view is None and target.begins is not False


def _of_server(target: TableTarget) -> bool:
    return target.view is None and not target.begins


def _is_broke(target: TableTarget) -> bool:
    return target.view is not None and target.view.broke


def _is_seen(target: TableTarget) -> bool:
    return target.view is not None and not target.hidden


def _has_seats(target: TableTarget) -> bool:
    return _is_seen(target) and not target.table.private


def _concerns(target: TableTarget) -> bool:
    return target.is_own_choice or target.is_seated


def _lobby(target: TableTarget) -> bool:
    return target.is_own_choice and target.table.state is TableState.LOBBY


def _has_room(target: TableTarget) -> bool:
    return target.view is not None and len(target.view.places) < target.table.terms.max_seats


def _joins(target: TableTarget) -> bool:
    view = target.view
    return (
        view is not None
        and view.table.open
        and target.is_own_choice
        and view.mine is None
        and view.you not in view.table.removed
        and _has_room(target)
    )


def _starts(target: TableTarget) -> bool:
    return target.view is not None and _lobby(target) and can_start(target.view) and may_start(target.view)


def _comes_back(target: TableTarget) -> bool:
    mine = target.view.mine if target.view else None
    return mine is not None and (mine.seat.away or mine.seat.sits_out or mine.seat.leaving)


def _sits_out(target: TableTarget) -> bool:
    mine = target.view.mine if target.view else None
    if mine is None or mine.seat.sits_out or mine.seat.away or target.table.private:
        return False
    return target.table.cash or target.table.event_no is not None


def _leaves(target: TableTarget) -> bool:
    mine = target.view.mine if target.view else None
    return mine is not None and target.is_own_choice and not mine.seat.leaving


def _tops_up(target: TableTarget) -> bool:
    mine = target.view.mine if target.view else None
    if mine is None or not target.is_own_choice or not target.table.cash or not target.table.terms.limits.top_up:
        return False
    return not mine.seat.tops_up and bool(top_up_of(target.table, stack=mine.stack, wallet=target.wallet))


def _moves(target: TableTarget) -> bool:
    return target.is_seated and target.is_own_choice and _has_room(target)


def _invites(target: TableTarget) -> bool:
    return target.is_seated and _lobby(target) and _has_room(target)


def _adds_computers(target: TableTarget) -> bool:
    return _invites(target) and target.table.terms.practice


def _cancels(target: TableTarget) -> bool:
    return target.hosts and _lobby(target)


def _has_people(target: TableTarget) -> bool:
    return target.hosts and any(not is_computer(one.value) for one in target.names)


def _removes(target: TableTarget) -> bool:
    return target.is_own_choice and (target.hosts or target.manages) and bool(target.names)


def _watch(*, now: bool) -> Callable[[TableTarget], bool]:
    return lambda target: target.pages and target.hosts and target.table.watched is now


def _manages(target: TableTarget) -> bool:
    return target.manages and target.is_of_players and target.table.open


def _of_event(target: TableTarget) -> bool:
    return target.manages and target.view is not None and target.table.event_no is not None


def _manages_cash(target: TableTarget) -> bool:
    return target.manages and target.is_own_choice


# Questions asked before acts


def _game_and_players(typed: str) -> tuple[str, int | None]:
    """Return the game (empty if missing) and the number of players (None if missing) in ``typed``."""
    text = unicodedata.normalize("NFKC", typed).strip()
    *game, last = text.split() or [""]
    if (players := whole_number(last)) is not None:
        return " ".join(game), players
    if (match := _ENDS_IN_A_DIGIT.fullmatch(text)) is not None:
        return match[1], int(match[2])
    return text, None


def _page() -> ActField[TableTarget]:
    def read(reply: Reply, target: TableTarget, text: str) -> int:
        page = whole_number(text)
        if page is None or page < 1:
            raise Refused(ActReason.NO_PAGE)
        return page

    return ActField(option=Option.VALUE, label="table_acts.ask.page", optional=True, read=read)


def _game(label: str) -> ActField[TableTarget]:
    return ActField(option=Option.VALUE, label=label, max_length=100, optional=True)


def _guest() -> ActField[TableTarget]:
    return ActField(option=Option.PLAYER, label="table_acts.ask.guest", members=True)


def _player(*, people: bool = False) -> ActField[TableTarget]:
    def choices(reply: Reply, target: TableTarget) -> Sequence[NamedChoice[str]]:
        return [one for one in target.names if not (people and is_computer(one.value))]

    return ActField(option=Option.PLAYER, label="table_acts.ask.player", choices=choices)


def _seat() -> ActField[TableTarget]:
    def read(reply: Reply, target: TableTarget, text: str) -> int:
        seats, seat = target.table.terms.max_seats, whole_number(text)
        if seat is None or not 1 <= seat <= seats:
            raise Refused(SeatReason.NO_SUCH_SEAT, seats=seats)
        return seat

    return ActField(option=Option.VALUE, label="table_acts.ask.seat", max_length=MAX_NUMBER_LENGTH, read=read)


def _level() -> ActField[TableTarget]:
    def choices(reply: Reply, target: TableTarget) -> Sequence[NamedChoice[str]]:
        return [NamedChoice(name=reply.words(f"lobby.level.{level.value}"), value=level.value) for level in Level]

    return ActField(option=Option.VALUE, label="table_acts.ask.level", choices=choices)


def _text() -> ActField[TableTarget]:
    return ActField(option=Option.VALUE, label="table_acts.ask.text", max_length=MAX_SHUFFLE_TEXT_LENGTH)


def _name() -> ActField[TableTarget]:
    return ActField(option=Option.VALUE, label="table_acts.ask.name", max_length=MAX_TEMPLATE_NAME_LENGTH)


def _replaces() -> ActField[TableTarget]:
    def choices(reply: Reply, target: TableTarget) -> Sequence[NamedChoice[str]]:
        return [NamedChoice(name=reply.words("table_acts.ask.replaces"), value=REPLACES)]

    return ActField(option=Option.EXTRA, label="table_acts.ask.same_name", choices=choices, optional=True)
