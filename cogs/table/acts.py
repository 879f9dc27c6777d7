"""The acts of ``/ofc table``: finding a table, one's seat, the host's acts and managers', by likelihood."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from discord import ButtonStyle

from bot.base.meter import Outcome
from bot.chat.kit.acts.act import Asked, Option, TypedAct, Values, everything
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import NOWHERE
from bot.chat.kit.permissions_here import may_see
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_choice import Named
from bot.chat.kit.widgets import button
from bot.chat.services import Services
from bot.chat.table.screens.lobby import can_start, limits_lines, may_start, pace_text, table_title
from bot.chat.table.screens.seats_screen import Deed, player_argument
from bot.model.ids import GuildId, Player, TableId, TableKey, is_computer
from bot.model.limits import LONGEST_SHUFFLE_TEXT, LONGEST_TEMPLATE_NAME
from bot.model.reasons import ActReason, SeatReason
from bot.model.tables import Table, TableState
from bot.play import terms as terms_of
from bot.play.look.views import TableView
from bot.play.session.chips import rebuy_of, top_up_of
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.levels import Level
from bot.text.languages import LANGUAGES
from bot.text.words import escape_name, words_for
from cogs.table.lobby import show_seat, usual_table
from cogs.table.seats import show_seats

REPLACES = "replace"
_GAME_AND_PLAYERS = re.compile(r"(.*?)\s*(?:(?<![-\d])(\d))?\s*", re.DOTALL)
"""A game, the number of players that start it, or both. The number of *2-7* is none."""
LONGEST_NUMBER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTarget:
    """A table as its reader sees it, or the server for acts about none."""

    view: TableView | None = None
    name: str = ""
    here: bool = False
    rank: int = 0
    wallet: int = 0
    manages: bool = False
    """True for whoever manages the server."""
    names: tuple[Named[str], ...] = ()
    """Those who sit there beside the reader."""
    pages: bool = False
    """True where tables can be watched on pages."""
    hidden: bool = False
    """True for a table in a channel that its reader doesn't see. Managers can close it, and no more."""
    at_many: bool = False
    """Of the server: True if its reader can sit out at several tables."""
    begins: bool | None = None
    """Of the server: True for the target of the first suggestion, False for that of the others, None for both."""

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
        """True if the reader sits there."""
        return self.view is not None and self.view.mine is not None

    @property
    def is_own_choice(self) -> bool:
        """True if players choose their seats: it's neither an event's nor a private table."""
        return self.is_of_players and not self.hidden

    @property
    def is_of_players(self) -> bool:
        """True if it's neither an event's nor a private table, seen or not."""
        return self.view is not None and self.view.table.event_no is None and not self.view.table.private

    @property
    def hosts(self) -> bool:
        """True for the table's host."""
        return self.view is not None and self.is_own_choice and self.view.table.host == self.view.you

    @property
    def press(self) -> Press:
        """What the table's buttons carry."""
        return Press(verb="seat", table=TableId(self.number), tag=self.tag)


Does = Callable[[Reply, TableTarget, Values], Awaitable[str]]
TableAct = TypedAct[TableTarget]
OTHERS = {
    "list": (
        *("tables", "open", "open tables", "mine", "my tables", "games", "my games", "my-games", "list"),
        *("卓", "卓一覧", "空いている卓"),
    ),
    "quick": ("quick", "quick seat", "空席"),
    "queue": ("queue", "待つ"),
    "seats": ("seats", "席"),
    "back": ("do not leave", "戻る"),
    "leave": ("stand up", "やめる"),
    "move": ("move", "席替え"),
    "shuffle": ("seed", "シャッフル"),
    "fairness": ("verify", "fair", "検証"),
    "close": ("close-table", "close table", "閉じる"),
    "template": ("template-save", "template"),
    "remove": ("kick",),
}
"""Names of former commands, and synonyms."""
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
"""Keys of the buttons that do the same, whose labels are understood too."""


FOR_MANAGERS = frozenset(("close", "template"))
"""Acts of those who manage the server."""


class TableActs:
    """Does the acts of ``/ofc table``."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._shown: dict[tuple[GuildId, Player, TableKey, str], str] = {}
        """The terms that somebody was last shown before an act that takes chips."""

    def all(self) -> tuple[TableAct, ...]:
        """Return the acts, the likeliest first."""
        return (
            _act("list", self.show_list, when=_begins, asks=(_page(),)),
            _act("start", self._press("start"), when=_starts),
            _act("back", self.come_back, when=_comes_back),
            _act("rebuy", self.rebuy, when=lambda target: target.view is not None and target.view.broke),
            _act("join", self.join, when=_joins),
            _act("quick", self.quick, when=_of_server, asks=(_game("table_acts.ask.game"),)),
            _act("seats", self.show_seats, when=_has_seats, likely=_concerns, prefers=lambda one: one.is_own_choice),
            _act("sit_out", self.sit_out, when=_sits_out),
            _act("leave", self._press("leave"), when=_leaves),
            _act("top_up", self.top_up, when=_tops_up),
            _act("out_everywhere", self.sit_out_everywhere, when=lambda target: target.at_many),
            _act("invite", self.invite, when=_invites, asks=(_guest(),)),
            _act("move", self.move, when=_moves, asks=(_seat(),), likely=_never),
            _act("add_computer", self.add_computer, when=_adds_computers, asks=(_level(),), likely=_never),
            _act("cancel", self._seat(Deed.CANCEL_SURE), when=_cancels, sure=True, means=self.means_cancel),
            _act("make_host", self.make_host, when=_has_people, asks=(_player(people=True),), likely=_never),
            _act("remove", self.remove, when=_removes, asks=(_player(),), sure=True, likely=_never),
            _act("let_watch", self._seat(Deed.LET_WATCH), when=_watch(now=False), likely=_never),
            _act("unwatch", self._seat(Deed.UNWATCH), when=_watch(now=True), likely=_never),
            _act("queue", self.queue, when=_of_server, asks=(_game("table_acts.ask.wait"),), likely=_never),
            _act("shuffle", self.shuffle, when=lambda target: target.is_seated, asks=(_text(),), likely=_never),
            _act("fairness", self._press("fairness"), when=_is_seen, likely=_never),
            _act(
                "close", self.close, when=_manages, sure=True, means=self.means_close, explains=_of_event, likely=_never
            ),
            _act("template", self.save_template, when=_manages_cash, asks=(_name(), _replaces()), likely=_never),
            everything(_of_server),
        )

    # what is done by the buttons that exist

    def _press(self, verb: str) -> Does:
        async def does(reply: Reply, target: TableTarget, values: Values) -> str:
            await self._handle(reply, target.press.but(verb))
            return ""

        return does

    def _seat(self, deed: Deed) -> Does:
        async def does(reply: Reply, target: TableTarget, values: Values) -> str:
            await self._handle(reply, target.press.but("seat", deed.value))
            return ""

        return does

    async def _handle(self, reply: Reply, press: Press, *values: str) -> None:
        await self._services.gate.handle(reply, press, values)

    # finding a table

    async def show_list(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """One's own tables, and those that are open."""
        await self._handle(reply, replace(NOWHERE.but("games"), hand=max(0, (values.value or 1) - 1)))
        return ""

    async def quick(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """The next free seat of any game or one, or a table of one's own."""
        like = await usual_table(self._services, reply, str(values.value or ""))
        if like is not None:
            tables = await self._services.play.open_tables(reply.guild)
            seen = {table.channel for table in tables if may_see(reply.interaction, table.channel)}
            any_game = not values.value
            table = await self._services.together.quick(like, seen=seen, any_game=any_game, cause=reply.cause)
            await show_seat(self._services, reply, table)
        return ""

    async def queue(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Wait in this channel until enough others do."""
        match = _GAME_AND_PLAYERS.fullmatch(str(values.value or ""))
        assert match is not None
        game, players = match.groups()
        like = await usual_table(self._services, reply, game)
        if like is not None:
            wanted = int(players) if players else None
            table = await self._services.together.queue(like, players=wanted, cause=reply.cause)
            await self._services.hand_panels.show_table(reply, table.key)
        return ""

    # one's seat

    async def show_seats(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """All seats, and what can be pressed there."""
        await show_seats(self._services, reply, target.table.key)
        return ""

    async def join(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Take a seat: its terms are shown before it takes chips."""
        table, words = target.table, reply.words
        press = target.press.but("join", terms=terms_of.of_seat(table.terms))
        if not table.cash:
            await self._handle(reply, press)
            return ""
        facts = [
            f"**{table_title(table, words)}**",
            pace_text(table.terms.clock, words),
            words("lobby.buy_in", chips=words.number(table.terms.buy_in)),
            *limits_lines(table.terms, words),
        ]
        return await self._once_shown(reply, target, press, "\n".join(facts), words("button.join"))

    async def rebuy(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Bring chips again, once it was shown how many."""
        brings, words = rebuy_of(target.table, target.wallet), reply.words
        press = target.press.but("rebuy", terms=terms_of.of_chips(target.table, brings))
        if not brings:
            await self._handle(reply, press)  # which says how to get chips
            return ""
        label = words("seats.button.rebuy_of", chips=words.number(brings))
        return await self._once_shown(
            reply, target, press, words("table_acts.takes", chips=words.number(brings)), label
        )

    async def top_up(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Fill the stack up, once it was shown with how many chips."""
        table, words = target.table, reply.words
        place = target.view.mine if target.view else None
        assert place is not None
        more = top_up_of(table, stack=place.stack, wallet=target.wallet)
        later = terms_of.in_hand(table, place.seat)
        key, chips = ("seats.button.top_up_to", table.terms.buy_in) if later else ("seats.button.top_up", more)
        terms = terms_of.of_top_up(table, place.seat, more)
        press = target.press.but("seat", Deed.TOP_UP.value, terms=terms)
        said = words("table_acts.tops_up_later" if later else "table_acts.takes", chips=words.number(chips))
        return await self._once_shown(reply, target, press, said, words(key, chips=words.number(chips)))

    async def _once_shown(self, reply: Reply, target: TableTarget, press: Press, said: str, label: str) -> str:
        """Press it if its terms are those that were shown before; otherwise show them, with the button."""
        who = (reply.guild, reply.player, target.table.key, press.verb)
        if self._shown.pop(who, None) == press.terms:
            await self._handle(reply, press)
            return ""
        self._shown[who] = press.terms
        while len(self._shown) > MOST_SHOWN:
            del self._shown[next(iter(self._shown))]
        told = f"{said}\n{reply.words('table_acts.again')}"
        await reply.say(told, then=[button(press, label, style=ButtonStyle.success)])
        return ""

    async def sit_out(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Sit out; at an event's table the clock places meanwhile."""
        if target.is_own_choice:
            await self._handle(reply, target.press.but("seat", Deed.SIT_OUT.value))
        else:
            await self._handle(reply, target.press.but("leave"))
        return ""

    async def sit_out_everywhere(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Sit out at all tables of the server for chips."""
        await self._handle(reply, NOWHERE.but("out_everywhere"))
        return ""

    async def come_back(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Play again, or stay after all."""
        return await self._services.own_tables.come_back(reply, target.table.key)

    async def move(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Take another seat."""
        await self._handle(reply, target.press.but("sit", str(values.value - 1)))
        return ""

    async def shuffle(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Put a text of one's own into the next shuffle."""
        table = target.table
        await self._services.play.set_entropy(table.key, reply.player, str(values.value), cause=reply.cause)
        return reply.words("verify.seed_set", table=table.key.table, hand=table.hand_no + 1)

    # the host

    async def invite(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Invite a member."""
        await self._handle(reply, target.press.but("invited"), values.player)
        return ""

    async def add_computer(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Seat a computer."""
        await self._handle(reply, target.press.but("add_computer"), str(values.value))
        return reply.words("table_acts.computer_sits", table=target.number)

    async def make_host(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Hand the host's role over."""
        await self._handle(reply, target.press.but("make_host", player_argument(Player(values.player))))
        return ""

    async def remove(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Take somebody from the table."""
        await self._handle(reply, target.press.but("remove", player_argument(Player(values.player))))
        return ""

    async def means_cancel(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """The table that closes."""
        return reply.words("table_acts.cancels", table=target.number)

    # managers

    async def close(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Close a table for good."""
        if not await _still_manages(reply):
            return ""
        closed = await self._services.play.close(target.table.key, reason="closed_by_admin")
        return reply.words("lobby.closed", table=closed.key.table)

    async def means_close(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """The table that closes, and what becomes of its hand."""
        return reply.words("table_acts.closes", table=target.number)

    async def save_template(self, reply: Reply, target: TableTarget, values: Values) -> str:
        """Name a table, for others to be opened like it."""
        if not await _still_manages(reply):
            return ""
        key, replaces = target.table.key, values.extra == REPLACES
        save = self._services.together.save_template
        saved = await save(key, str(values.value), by=reply.player, replacing=replaces)
        return reply.words("template.saved", name=escape_name(saved.name), table=key.table)


MOST_SHOWN = 1_000
"""Terms that are remembered until their act is typed again."""


async def _still_manages(reply: Reply) -> bool:
    """True for whoever manages the server; otherwise it's said that they don't."""
    if reply.interaction.permissions.manage_guild:
        return True
    reply.outcome = Outcome.REFUSED
    await reply.say(reply.words("gate.needs_manage_server"))
    return False


def _act(key: str, does: Does, *, when: Callable[[TableTarget], bool], **more: Any) -> TableAct:
    return TypedAct(
        key=key,
        name=f"table_acts.name.{key}",
        says=f"table_acts.says.{key}",
        others=(
            *OTHERS.get(key, ()),
            *(words_for(code)(label) for label in BUTTONS.get(key, ()) for code in LANGUAGES),
        ),
        when=when,
        does=does,
        **more,
    )


# When they are possible. Each is asked of play again once it is done.


def _never(target: TableTarget) -> bool:
    return False


def _begins(target: TableTarget) -> bool:
    return target.view is None and target.begins is not False


def _of_server(target: TableTarget) -> bool:
    return target.view is None and not target.begins


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


# What they ask for.


def _page() -> Asked[TableTarget]:
    def read(reply: Reply, target: TableTarget, text: str) -> int:
        if not text.isdecimal():
            raise Refused(ActReason.NO_PAGE)
        return int(text)

    return Asked(option=Option.VALUE, label="table_acts.ask.page", optional=True, read=read)


def _game(label: str) -> Asked[TableTarget]:
    return Asked(option=Option.VALUE, label=label, longest=100, optional=True)


def _guest() -> Asked[TableTarget]:
    return Asked(option=Option.PLAYER, label="table_acts.ask.guest", members=True)


def _player(*, people: bool = False) -> Asked[TableTarget]:
    def choices(reply: Reply, target: TableTarget) -> Sequence[Named[str]]:
        return [one for one in target.names if not (people and is_computer(one.value))]

    return Asked(option=Option.PLAYER, label="table_acts.ask.player", choices=choices)


def _seat() -> Asked[TableTarget]:
    def read(reply: Reply, target: TableTarget, text: str) -> int:
        seats = target.table.terms.max_seats
        if not text.isdecimal() or not 1 <= int(text[:LONGEST_NUMBER]) <= seats:
            raise Refused(SeatReason.NO_SUCH_SEAT, seats=seats)
        return int(text)

    return Asked(option=Option.VALUE, label="table_acts.ask.seat", longest=LONGEST_NUMBER, read=read)


def _level() -> Asked[TableTarget]:
    def choices(reply: Reply, target: TableTarget) -> Sequence[Named[str]]:
        return [Named(name=reply.words(f"lobby.level.{level.value}"), value=level.value) for level in Level]

    return Asked(option=Option.VALUE, label="table_acts.ask.level", choices=choices)


def _text() -> Asked[TableTarget]:
    return Asked(option=Option.VALUE, label="table_acts.ask.text", longest=LONGEST_SHUFFLE_TEXT)


def _name() -> Asked[TableTarget]:
    return Asked(option=Option.VALUE, label="table_acts.ask.name", longest=LONGEST_TEMPLATE_NAME)


def _replaces() -> Asked[TableTarget]:
    def choices(reply: Reply, target: TableTarget) -> Sequence[Named[str]]:
        return [Named(name=reply.words("table_acts.ask.replaces"), value=REPLACES)]

    return Asked(option=Option.EXTRA, label="table_acts.ask.same_name", choices=choices, optional=True)
