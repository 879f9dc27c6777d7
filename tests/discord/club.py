"""A club to test in: the real bot, a real SQLite file, people who press what they see."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import discord
from simcord import ChannelHandle, GuildHandle, InteractionResult, MemberActor, ResponseMessage, RoleHandle
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from typing_extensions import override

from bot.chat.application_assets import emoji_name
from bot.chat.art.faces import FACE_NAMES, draw_all
from bot.chat.club.posts.welcomes import WelcomeTime
from bot.chat.event.acts.organisers import ACTS
from bot.chat.event.screens.desk.page import UNDO
from bot.chat.event.screens.draft.event_choices import EventChoices, choices_from_json, with_preset
from bot.chat.kit.custom_ids import OWN, game_tag
from bot.chat.kit.gate import Rate, Rates
from bot.chat.table.posts.calls import SILENT_MS
from bot.chat.table.screens.typed_placement import as_typed
from bot.model.choices import Calls
from bot.model.clock import Clock, Pace
from bot.model.events import Event
from bot.model.ids import EVERYTHING, GuildId, Player, TableId, TableKey
from bot.ops.metrics import Metrics
from bot.play.api.play import Play
from bot.play.daily.views import AttemptView
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.office.registration import PlannedEvent
from bot.play.queries.views import TableView
from bot.play.session.policy import Policy
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.cards import DISCARD
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.pure.solver.arrange import best_arrangement
from bot.run.app import ChaipoBot
from bot.run.playground.simulated_server import SimulatedServer, simulated
from bot.run.wiring import OperatorChoices, Resources, WebSettings, build_bot
from bot.store import StoreUnavailableError
from bot.store.sqlite.database import SqliteDatabase
from bot.store.sqlite.driver import Job
from bot.text.words import Words, words_for
from cogs.event.creation import TIMED
from tests.databases import hurried
from tests.discord.messages import text_of, walk
from tests.discord.watch import Watch
from tests.play.world import FixedVault, quickly

T = TypeVar("T")
POLICY = Policy()
HASTY = Rates(private=Rate(burst=10**6, a_minute=1), public=Rate(burst=10**6, a_minute=1))
"""The people of the tests press as fast as the machine can."""
PATIENCE_SECONDS = 240.0
"""Maximum time for the start or one press. SimCord waits for a retry that's due earlier than that."""

Control = dict[str, Any]
"""A button or select of a message, as it was sent."""
TEXT_INPUT, RADIOS = 4, 21
"""Discord's types of two kinds of fields in forms."""
TEXT_OPTION = 3
"""Discord's type of an option that takes any text."""
CHOSEN = 1
"""The style of the button of the card that goes where the next row button points."""


@dataclass(frozen=True)
class Screen:
    """A message as a member sees it."""

    club: Club
    channel_id: int
    id: int

    @property
    def message(self) -> Any:
        """The message now."""
        return self.club.backend.get_message(self.channel_id, self.id)

    @property
    def gone(self) -> bool:
        """True when the message was deleted."""
        return self.id not in self.club.backend.messages.get(self.channel_id, {})

    @property
    def components(self) -> list[Control]:
        """The components now."""
        components: list[Control] = self.message.components
        return components

    @property
    def text(self) -> str:
        """The message's text."""
        return text_of(self.components)

    def controls(self) -> list[Control]:
        """Its buttons and selects."""
        return [c for c in walk(self.components) if "custom_id" in c]

    def labels(self) -> list[str]:
        """The labels of its buttons."""
        return [str(c.get("label") or "") for c in self.controls() if c["type"] == 2]

    def button(self, label: str) -> Control:
        """The enabled button whose label begins so."""
        for found in self.controls():
            if str(found.get("label") or "").startswith(label) and not found.get("disabled"):
                return found
        raise AssertionError(f"no enabled button {label!r} among {self.labels()}")

    def has(self, verb: str, argument: str | None = None) -> bool:
        """True when there is an enabled button or select that does ``verb``, or an option of the desk's *More*."""
        there = any(_does(c, verb, argument) and not c.get("disabled") for c in self.controls())
        return there or self._in_more(verb) is not None

    def find(self, verb: str, argument: str | None = None) -> Control:
        """The enabled button or select that does ``verb``, or the option of the desk's *More* that does."""
        for found in self.controls():
            if _does(found, verb, argument) and not found.get("disabled"):
                return found
        if (found_in_menu := self._in_more(verb)) is not None:
            return found_in_menu
        raise AssertionError(
            f"nothing to press for {verb} {argument} among {[c['custom_id'] for c in self.controls()]}"
        )

    def _in_more(self, verb: str) -> Control | None:
        """The option of the desk's menu *More* for an act, or those that take something back; None without any."""
        for menu in (found for found in self.controls() if _does(found, "ev_d_more", None)):
            undone = [option for option in menu["options"] if option["value"].startswith(UNDO)]
            if verb == "ev_d_undo" and undone:
                return {**menu, "options": undone}
            names = [act.name for act in ACTS if act.verb == verb]
            if option := next((option for option in menu["options"] if option["value"] in names), None):
                return {**option, "custom_id": menu["custom_id"], "option": option["value"]}
        return None


def _does(control: Control, verb: str, argument: str | None) -> bool:
    parts = str(control["custom_id"]).split(":")
    return parts[1] == verb and argument in (None, parts[-1])


class ChosenSeeds(FixedVault):
    """A vault that hands out these seeds first, in order: each hand's deck is then a chosen one."""

    seeds: list[bytes]

    @override
    def new_seed(self) -> bytes:
        """The next chosen seed, or one of the row that is always the same."""
        return self.seeds.pop(0) if self.seeds else super().new_seed()


class SlowDisk(SqliteDatabase):
    """A database whose writing waits until ``ready`` is set, as it always is unless a test clears it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ready = asyncio.Event()
        self.ready.set()
        self.waiting = 0
        self.then_blind: Callable[[], None] | None = None
        """Is called once after the next write, and nothing can be read from then on."""
        self.blind = False

    @override
    async def write(self, job: Job[T], *, patient: bool = False) -> T:
        """Wait, then write, in the order in which they came."""
        self.waiting += 1
        await self.ready.wait()
        self.waiting -= 1
        result = await super().write(job, patient=patient)
        if self.then_blind is not None and not patient:
            self.blind = True
            self.then_blind()
        return result

    @override
    async def read(self, job: Job[T]) -> T:
        """Look, unless it is blind."""
        if self.blind:
            raise StoreUnavailableError("nothing can be read, as the test wants it")
        return await super().read(job)


@dataclass
class Club:
    """A server with people in it. ``elsewhere`` is the same bot in another server."""

    world: SimulatedServer
    guild: GuildHandle
    channel: ChannelHandle
    members: dict[str, MemberActor]
    watch: Watch
    bots: list[ChaipoBot]
    databases: list[SlowDisk]
    rebuild: Callable[[Callable[[], int]], Any] = field(repr=False)
    troubles: list[int]
    seeds: list[bytes] = field(default_factory=list)
    """Seeds for tables to come. These are used first."""
    """While there is an error code of SQLite in it, the database fails so instead of writing."""
    lobby_seconds: int = 0
    """Seconds that tables to come wait before their start, once all players have joined."""
    forgiven: list[str] = field(default_factory=list)
    """Parts of log lines that a test brings about on purpose."""

    @property
    def bot(self) -> ChaipoBot:
        """The bot that runs now."""
        return self.bots[-1]

    @property
    def play(self) -> Play:
        """Its use cases, for looking behind the scenes."""
        return self.bot.services.play

    @property
    def backend(self) -> Any:
        """SimCord's state."""
        return self.world.env.backend

    def words(self, name: str | None = None) -> Words:
        """Return the words in a member's language, or in the server's."""
        locale = self.guild_locale if name is None else self.world.locale_of(self.members[name].id)
        return words_for("ja" if locale == "ja" else "en")

    @property
    def guild_locale(self) -> str:
        """The language of the server."""
        locale: str = self.backend.get_guild(self.guild.id).preferred_locale
        return locale

    def player(self, name: str) -> Player:
        """Return a member's player id."""
        return Player(str(self.members[name].id))

    def name_of(self, player: str) -> str:
        """The member with this id."""
        return next(name for name, member in self.members.items() if str(member.id) == player)

    def key(self, table: int = 1) -> TableKey:
        """A table of the club."""
        return TableKey(guild=GuildId(self.guild.id), table=TableId(table))

    def newcomer(self, name: str, *, locale: str = "en-US") -> None:
        """Add a member to the server."""
        joined = self.world.member(name, locale=locale)
        self.members[name] = joined if self.guild.id == self.world.guild.id else self.guild.add_member(joined.user)

    async def withdraw(self, name: str, do: str = "withdraw") -> Screen:
        """Withdraw from an event before its start by typing, and confirm it by typing the same again."""
        asked = await self.slash(name, "event", do=do)
        assert asked.has("ev_act_yes")
        return await self.slash(name, "event", do=do)

    async def register(self, name: str) -> Screen:
        """Register for the event by typing; with a fee, the command shows it and asks once."""
        answer = await self.slash(name, "event", do="register")
        if not answer.has("ev_register"):
            return answer
        registered = await self.press(name, answer, answer.find("ev_register"))
        assert registered is not None
        return registered

    async def call_at_once(self) -> None:
        """Set all players to be pinged at the start of their turn instead of after a while without a press.

        A player who has just joined would see the turn there, so tables start later.
        """
        self.lobby_seconds = SILENT_MS // 1000 + 1
        for name in self.members:
            await self.play.change_member_settings(
                self.key().guild,
                self.player(name),
                lambda member_settings: replace(member_settings, calls=Calls.AT_ONCE),
            )

    async def look(self, table: int = 1, name: str | None = None) -> TableView:
        """Return a table as a member may see it."""
        return await self.play.look(self.key(table), self.player(name) if name else None)

    async def facts(self, *, drafts: bool = True) -> list[tuple[Any, ...]]:
        """Return all facts and chip movements, which a press without effect must not change.

        With ``drafts``, unconfirmed placements are included, which change when players move their cards.
        """
        left_out = () if drafts else ("draft", "draft_for")
        queries = (
            "SELECT guild_id, table_id, seq, kind, payload FROM table_log ORDER BY 1, 2, 3",
            "SELECT * FROM transfer ORDER BY 1",
            "SELECT * FROM seat ORDER BY 1, 2, 3",
            "SELECT guild_id, table_id, state, version FROM game_table ORDER BY 1, 2",
        )

        def job(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
            return [
                tuple(row[name] for name in row.keys() if name not in left_out)  # noqa: SIM118  # a row is no dict
                for query in queries
                for row in connection.execute(query)
            ]

        return await self.disk.read(job)

    async def drafts(self, table: int = 1) -> dict[str, tuple[str, str]]:
        """Return the stored draft of each player at a table, and its turn."""
        query = "SELECT player, draft, draft_for FROM seat WHERE guild_id = ? AND table_id = ?"
        where = (self.guild.id, table)
        rows = await self.disk.read(lambda c: [tuple(row) for row in c.execute(query, where)])
        return {self.name_of(player): (draft, turn) for player, draft, turn in rows}

    async def count(self, kind: str) -> int:
        """Return the number of facts of a kind, such as ``cards_laid`` or ``table.joined``."""
        query = "SELECT count(*) FROM table_log WHERE kind = ?"
        count: int = await self.disk.read(lambda c: c.execute(query, (kind,)).fetchone()[0])
        return count

    def elsewhere(self, name: str, *, locale: str = "en-US") -> Club:
        """Return another server with the same members."""
        owner = next(iter(self.members.values())).user
        guild = self.world.env.create_guild(name, owner=owner, preferred_locale=locale)
        members = {
            name: MemberActor(self.world.env, guild, member.user)
            if member.id == owner.id
            else guild.add_member(member.user)
            for name, member in self.members.items()
        }
        other = replace(self, guild=guild, channel=guild.create_text_channel("cards"), members=members)
        self.watch.clubs.append(other)
        return other

    def thread(self, name: str) -> Club:
        """A thread of the channel, with the same people."""
        made = self.backend.create_thread(self.channel.id, name, next(iter(self.members.values())).id)
        other = replace(self, channel=ChannelHandle(self.world.env, self.guild, made))
        self.watch.clubs.append(other)
        return other

    # acting

    async def slash(self, name: str, command: str, /, **options: Any) -> Screen:
        """Type a command; returns the private answer. Numbers are typed as text where the option takes any text."""
        options = {key: self._as_typed(command, key, value) for key, value in options.items()}
        answer = await self._answer(await self.members[name].slash(self.channel, command, **options))
        assert answer is not None
        return answer

    async def closes(self, name: str, table: int) -> Screen:
        """Close a table as a manager of the server, and confirm it."""
        await self.slash(name, "ofc table", do=f"close table {table}")
        return await self.slash(name, "ofc table", do=f"close table {table}")

    def _as_typed(self, command: str, option: str, value: Any) -> Any:
        parts, kind = list(self.backend.commands[None].values()), None
        for word in (*command.split(), option):
            found = next((part for part in parts if part["name"] == word), None)
            if found is None:
                return value
            parts, kind = found.get("options") or [], found.get("type")
        return str(value) if isinstance(value, int) and kind == TEXT_OPTION else value

    async def draft(self, who: str, *, preset: str = "", name: str = "", when: str = "", like: int = 0) -> Screen:
        """Open the page of a new event with a kind and a name as if they had been chosen on it before."""
        if preset or name:
            guild, player, events = GuildId(self.guild.id), self.player(who), self.bot.services.events
            kept = await events.draft(guild, player)
            choices = (None if kept is None else choices_from_json(kept.values)) or EventChoices()
            choices = with_preset(choices, preset or TIMED) if preset or (when and not kept) else choices
            await events.save_draft(guild, player, replace(choices, name=name or choices.name).to_json())
        return await self.slash(
            who, "event", do=f"copy {like}" if like else "create", value="" if preset == "sit_and_go" else when
        )

    async def click(self, name: str, screen: Screen, label: str) -> Screen | None:
        """Press the enabled button with this label; returns the private answer, or the panel that was pressed."""
        return await self.press(name, screen, screen.button(label))

    async def press(self, name: str, screen: Screen, control: Control) -> Screen | None:
        """Press a button."""
        return await self._answer(await self.used(name, screen, control))

    async def used(self, name: str, screen: Screen, control: Control) -> InteractionResult:
        """Press a button, or choose an option of a menu."""
        message, member = ResponseMessage(self.world.env, screen.message), self.members[name]
        if "option" in control:
            return await member.select(message, [control["option"]], custom_id=control["custom_id"])
        return await member.click(message, custom_id=control["custom_id"])

    async def choose(self, name: str, screen: Screen, control: Control, values: Sequence[str]) -> Screen:
        """Choose options of a select. If it opens a form, submit that unchanged."""
        answer = await self.pick(name, screen, control, values)
        assert answer is not None
        return answer

    async def pick(self, name: str, screen: Screen, control: Control, values: Sequence[str]) -> Screen | None:
        """Choose options of a select that may answer nothing."""
        message = ResponseMessage(self.world.env, screen.message)
        result = await self.members[name].select(message, values, custom_id=control["custom_id"])
        return await self._answer(result) if result.modal is None else await self.send(name, result)

    async def ask(self, name: str, screen: Screen, control: Control) -> InteractionResult:
        """Press a button that opens a form."""
        shown = await self.used(name, screen, control)
        assert shown.modal is not None
        return shown

    async def command_form(self, name: str, command: str, /, **options: Any) -> InteractionResult:
        """Type a command that opens a form."""
        shown = await self.members[name].slash(self.channel, command, **options)
        assert shown.modal is not None
        return shown

    async def send(self, name: str, shown: InteractionResult, /, values: Mapping[str, Any] | None = None) -> Screen:
        """Submit a form with ``values`` by field label, and the other fields unchanged."""
        form, left = shown.modal, dict(values or {})
        assert form is not None
        sent = {
            label["component"]["custom_id"]: left.pop(label["label"], self._stands(label["component"]))
            for label in form["components"]
            if "component" in label  # everything else is text
        }
        assert not left, f"no such fields: {left}"
        answer = await self._answer(await self.members[name].submit_modal(shown, sent))
        assert answer is not None
        return answer

    def _stands(self, field: Control) -> Any:
        """Return the value of an untouched field."""
        if field["type"] == TEXT_INPUT:
            return field.get("value") or ""
        if "default_values" in field or "options" not in field:
            return [self._handle(one) for one in field.get("default_values") or ()]
        chosen = [option["value"] for option in field["options"] if option.get("default")]
        return next(iter(chosen), None) if field["type"] == RADIOS else chosen

    def _handle(self, named: Mapping[str, Any]) -> Any:
        what = int(named["id"])
        if named["type"] == "user":
            return next(member for member in self.members.values() if member.id == what)
        if named["type"] == "role":
            return RoleHandle(self.world.env, self.guild, self.backend.get_guild(self.guild.id).roles[what])
        return ChannelHandle(self.world.env, self.guild, self.backend.get_channel(what))

    async def _answer(self, result: InteractionResult) -> Screen | None:
        assert result.acknowledged, "the interaction was not answered"
        await self.watch.look()
        # When the answer is a separate message, the pressed panel stays unchanged.
        message = result.followups[0] if result.followups else result.response
        if message is None or not message.ephemeral:
            return None
        return Screen(self, message.channel_id, message.id)

    async def share_hands(self, *names: str) -> None:
        """Let others share the hands of these people by a link."""
        for name in names:
            await self.play.change_member_settings(
                self.key().guild, self.player(name), lambda member_settings: replace(member_settings, hands_shared=True)
            )

    async def pass_time(self, seconds: float) -> None:
        """Let time pass; hand by hand and street by street are looked at on the way."""
        await self._pass_in_steps(seconds, 5.0)

    async def pass_hours(self, seconds: float) -> None:
        """Let minutes or hours pass: until the last minute the bot's clock ticks twice in each, and no one is faster.

        A tick of each second of an hour takes longer than most tests.
        """
        clock, usual, rest = self.bot.clockwork.clock, float(self.bot.clockwork.clock.seconds or 1), seconds % 30 + 60
        for every, passing, step in ((30.0, seconds - rest, 30.0), (usual, rest, 5.0)):
            # This sets the bot's own timer.
            with self.world.env._bot_scope():  # noqa: SLF001
                clock.change_interval(seconds=every)
            await self._pass_in_steps(passing, step)

    async def _pass_in_steps(self, seconds: float, step: float) -> None:
        while seconds > 0:
            await self.world.pass_time(min(seconds, step))
            await self.watch.look()
            seconds -= step

    @property
    def disk(self) -> SlowDisk:
        """The bot's database."""
        return self.databases[-1]

    @contextmanager
    def blind_after_a_write(self) -> Iterator[None]:
        """While it lasts something can be written, and nothing can be read after it; nor is anything remembered."""
        timekeeper = self.bot.clockwork.timekeeper
        self.disk.then_blind = lambda: timekeeper.forget(EVERYTHING)
        yield
        assert self.disk.blind, "something was written"
        self.disk.then_blind, self.disk.blind = None, False

    async def settle(self) -> None:
        """Let the bot finish what it is doing."""
        await self.world.env.settle()
        await self.watch.look()

    # public contents of the channel

    def public(self) -> list[Screen]:
        """The public messages, oldest first."""
        messages = sorted(self.backend.messages.get(self.channel.id, {}).values(), key=lambda m: m.id)
        return [Screen(self, m.channel_id, m.id) for m in messages if m.visible_to(None)]

    def private(self, name: str) -> list[Screen]:
        """The messages that only this person sees, oldest first."""
        messages = sorted(self.backend.messages.get(self.channel.id, {}).values(), key=lambda m: m.id)
        mine = [m for m in messages if m.is_ephemeral and m.visible_to(self.members[name].id)]
        return [Screen(self, m.channel_id, m.id) for m in mine]

    def table_screen(self, table: int = 1) -> Screen:
        """The newest message of the table."""
        for screen in reversed(self.public()):
            if any(re.match(rf"c1:(join|seats):{table}[.:]", c["custom_id"]) for c in screen.controls()):
                return screen
        raise AssertionError("the table is not shown")

    def calls(self) -> list[Screen]:
        """Return the messages that ping members."""
        return [screen for screen in self.public() if screen.message.ping_user_ids]

    def shown(self, name: str) -> str:
        """Return the name by which tables and results show a member who has pressed a button, without a mention."""
        return self.bot.services.faces.names.of(GuildId(self.guild.id), self.player(name), self.words())

    def said(self) -> str:
        """Return all public text of the channel."""
        return "\n---\n".join(screen.text for screen in self.public())

    # playing

    async def open_table(self, *names: str, **options: Any) -> int:
        """The first opens a table, the others join, the first starts; returns the table's number."""
        host, *guests = names
        await self.opens(host, **options)
        table = (await self.play.open_tables(GuildId(self.guild.id)))[-1].key.table
        for guest in guests:
            await self.press(guest, self.table_screen(table), self.table_screen(table).find("join"))
        await self.pass_time(self.lobby_seconds)
        await self.press(host, self.table_screen(table), self.table_screen(table).find("start"))
        return table

    async def opens(self, host: str, **options: Any) -> Screen:
        """Open a table with the command, or with *Open a table* if some options are only in its forms.

        Those are ``seats``, ``discards``, ``quiet``, ``weekends_off``, ``buy_in``, ``levels``, ``win_cap``,
        ``bust_is_final`` and ``top_up``.
        """
        if options.keys() <= {"game", "stakes", "clock", "with", "like"}:
            return await self.slash(host, "ofc play", **options)
        words, hub = self.words(host), await self.slash(host, "ofc help")
        shown = await self.tap(host, hub, hub.find("play"))
        if not shown.has("new_open"):
            shown = await self.tap(host, shown, shown.find("open"))
        shown = await self.tap(host, shown, shown.find("new_change"))
        ticks = {
            "new_table": ("open_discards", "quiet", "weekends_off"),
            "new_money": ("bust_is_final", "no_top_ups"),
        }
        options["open_discards"] = options.pop("discards", "") == "open"
        options["no_top_ups"] = not options.pop("top_up", True)
        labels = {
            "new_table": ("game", "clock", "seats", "company"),
            "new_money": ("stakes", "buy_in", "levels", "win_cap"),
        }
        for verb, names in labels.items():
            form: dict[str, Any] = {}
            for name in names:
                if name in options:
                    entered = str(options.pop(name))
                    if name == "game":
                        form[words("new_table.game")] = [entered if entered in GAMES else OWN + game_tag(entered)]
                    else:
                        form[words(f"new_table.{name}")] = entered
            ticked = [tick for tick in ticks[verb] if options.pop(tick, False)]
            if form or ticked:
                form[words("new_table.also")] = ticked
                shown = await self.send(host, await self.ask(host, shown, shown.find(verb)), form)
        assert not options, f"no such options: {options}"
        return await self.tap(host, shown, shown.find("new_open"))

    async def act(self, name: str, key: str, **options: str) -> Screen:
        """Type an act of ``/ofc table`` by its name; returns the private answer."""
        return await self.slash(name, "ofc table", do=self.words(name)(f"table_acts.name.{key}"), **options)

    async def practise_here(self, name: str, **options: Any) -> Screen:
        """Open a table in the channel with a casual computer and start it; returns the panel."""
        await self.opens(name, company="1", clock="none", **options)
        table = (await self.play.open_tables(GuildId(self.guild.id)))[-1].key.table
        lobby = self.table_screen(table)
        return await self.tap(name, lobby, lobby.find("start"))

    async def details(self, name: str, table: int = 1) -> Screen:
        """Press Details on the table."""
        screen = self.table_screen(table)
        return await self.tap(name, screen, screen.find("seats"))

    async def leave(self, name: str, table: int = 1) -> Screen | None:
        """Press Details, then Leave."""
        details = await self.details(name, table)
        return await self.press(name, details, details.find("seat", "leave"))

    async def on_turn(self, table: int = 1) -> str:
        """Return the first player to act."""
        return self.name_of((await self.look(table)).waiting[0])

    async def open_panel(self, name: str, table: int = 1) -> Screen:
        """Press My hand."""
        screen = self.table_screen(table)
        return await self.tap(name, screen, screen.find("hand"))

    async def tap(self, name: str, screen: Screen, control: Control) -> Screen:
        """Press a button that must be answered with something to see."""
        answer = await self.press(name, screen, control)
        assert answer is not None
        return answer

    async def place(self, name: str, panel: Screen, letters: str) -> Screen:
        """Tap the rows of a street, without Confirm."""
        for number, letter in enumerate(letters):
            if letter == DISCARD:
                continue
            card = panel.find("card", str(number))
            if card["style"] != CHOSEN:
                panel = await self.tap(name, panel, card)
            panel = await self.tap(name, panel, panel.find("row", letter))
        return panel

    async def place_cards(self, name: str, letters: str, table: int = 1) -> Screen:
        """Place a street: My hand, the rows, Confirm; returns the panel afterwards."""
        panel = await self.place(name, await self.open_panel(name, table), letters)
        return await self.tap(name, panel, panel.find("confirm"))

    async def arrange(self, name: str, panel: Screen, letters: str) -> Screen:
        """Choose the rows of a Fantasyland hand with the three selects, without Confirm."""
        for letter in "BMF":
            places = [str(place) for place, placed in enumerate(letters) if placed == letter]
            panel = await self.choose(name, panel, panel.find(f"set_{letter.lower()}"), places)
        return panel

    async def set_fantasyland(self, name: str, letters: str, table: int = 1) -> Screen:
        """Arrange a Fantasyland hand, then Confirm."""
        panel = await self.arrange(name, await self.open_panel(name, table), letters)
        return await self.tap(name, panel, panel.find("confirm"))

    async def play_hand(self, table: int = 1, script: dict[str, list[str]] | None = None) -> int:
        """Play the running hand to its end by presses; returns its number.

        ``script`` has some players' placements by street. The others place as at a timeout.
        """
        hand_no = (await self.look(table)).table.hand_no
        for _ in range(100):
            view = await self.look(table)
            if view.table.hand_no != hand_no or not view.waiting:
                return hand_no
            await self.play_turn(await self.on_turn(table), table, script)
        raise AssertionError("the hand does not end")

    async def play_turn(self, name: str, table: int = 1, script: dict[str, list[str]] | None = None) -> Screen:
        """Place one street for a player, or set their Fantasyland board."""
        seen = await self.look(table, name)
        assert seen.hand is not None
        assert seen.hand.mine is not None
        if seen.hand.mine.fantasyland or seen.hand.variant.at_once:
            return await self.set_fantasyland(name, fantasyland_letters(seen), table)
        if script and name in script:
            return await self.place_cards(name, script[name][seen.hand.street - 1], table)
        return await self.place_cards(name, plain_letters(seen), table)

    async def place_in(self, name: str, panel: Screen, seen: TableView) -> Screen:
        """Place what the clock would place in a panel that is open; returns the panel afterwards."""
        assert seen.hand is not None
        assert seen.hand.mine is not None
        if seen.hand.mine.fantasyland or seen.hand.variant.at_once:
            panel = await self.arrange(name, panel, fantasyland_letters(seen))
        else:
            panel = await self.place(name, panel, plain_letters(seen))
        return await self.tap(name, panel, panel.find("confirm"))

    async def type_hand(self, table: int = 1, script: dict[str, list[str]] | None = None) -> int:
        """The running hand to its end with /place, for tests of what comes after; returns its number.

        ``script`` has the streets of some players, as in ``play_hand``, which takes twice as long.
        """
        hand_no = (await self.look(table)).table.hand_no
        while (view := await self.look(table)).table.hand_no == hand_no and view.waiting:
            name = self.name_of(view.waiting[0])
            if script and name in script:
                assert view.hand is not None
                await self.type(name, script[name][view.hand.street - 1], table)
            else:
                await self.type_turn(name, table)
        return hand_no

    async def type_turn(self, name: str, table: int = 1) -> Screen:
        """Type the placement that the clock would choose for a player, or the best Fantasyland board."""
        seen = await self.look(table, name)
        assert seen.hand is not None
        assert seen.hand.mine is not None
        whole = seen.hand.mine.fantasyland or seen.hand.variant.at_once
        letters = fantasyland_letters(seen) if whole else plain_letters(seen)
        return await self.type(name, letters, table)

    async def type(self, name: str, letters: str, table: int = 1) -> Screen:
        """Type a placement, and repeat it if the bot asks because it can only foul."""
        typed = await self.typed(name, letters, table)
        answer = await self.slash(name, "place", cards=typed, table=table)
        if self.words(name)("board.confirm_foul") in answer.labels():
            answer = await self.slash(name, "place", cards=typed, table=table)
        return answer

    async def typed(self, name: str, letters: str, table: int = 1) -> str:
        """Return a placement as a member would type it. Several cards are typed by name."""
        seen = await self.look(table, name)
        assert seen.hand is not None
        assert seen.hand.mine is not None
        return as_typed(letters, [card for card in seen.hand.mine.held if card is not None])

    async def stop(self) -> None:
        """Stop the bot once it has heard of all that happened: an event just begun would find its database closed."""
        await self.world.env.settle()
        with self.world.env.time_context():
            await self.bot.close()
            await self.disk.close()

    async def restart(self, *, down_seconds: float = 0) -> None:
        """Stop the bot, let time pass, and restart it on the same database."""
        await self.stop()
        self.backend.advance_clock(down_seconds)
        await self.world.env.restart_bot(await self.rebuild(self.world.now_ms))
        await self.watch.look()

    def show_command(self, command: str, *names: str) -> None:
        """Show people a command that is hidden from them by default, as a server can in its settings."""
        (known,) = [one for one in self.backend.commands[None].values() if one["name"] == command]
        self.guild.set_command_permissions(int(known["id"]), {self.members[name]: True for name in names})

    def forbid(self, *permissions: str) -> None:
        """Take these permissions in the channel from the bot; with none named it has them all again."""
        denied = discord.Permissions(**dict.fromkeys(permissions, True))
        bot = self.backend.bot_user.id
        self.backend.set_overwrite(
            self.channel.id, Overwrite(target_id=bot, type=OverwriteType.MEMBER, allow=0, deny=denied.value)
        )

    def requests(self, method: str, part: str = "") -> int:
        """Return the number of the bot's requests with this method and ``part`` in the path."""
        return sum(r.method == method and part in r.path for r in self.backend.http_requests)


def plain_letters(view: TableView | AttemptView) -> str:
    """The street as the clock would place it."""
    assert view.hand is not None
    assert view.hand.mine is not None
    front, middle, back = (tuple(c for c in row if c is not None) for row in view.hand.mine.rows)
    held = [card for card in view.hand.mine.held if card is not None]
    return automatic_placement((front, middle, back), held, to_place=view.hand.to_place)


def fantasyland_letters(view: TableView) -> str:
    """Return the best arrangement of a player's Fantasyland cards."""
    assert view.hand is not None
    assert view.hand.mine is not None
    held = [card for card in view.hand.mine.held if card is not None]
    return best_arrangement(view.hand.variant, held)


@asynccontextmanager
async def open_club(
    path: Path,
    *,
    seeds: Sequence[bytes] = (),
    redraw_pause: float = 0,
    locale: str = "en-US",
    policy: Policy = POLICY,
    rates: Rates = HASTY,
    welcoming: WelcomeTime = WelcomeTime.NEVER,
    faces: Mapping[str, bytes] = MappingProxyType({}),
    first_start: bool = False,
    page_url: str = "",
    client_secret: str = "",
) -> AsyncIterator[Club]:
    """Open a club with its bot. Errors raised by the bot fail the test at the end, as do messages that break a promise.

    ``faces`` are the images of the bot's emojis in a browser, and ``seeds`` those of the first hands. ``page_url`` is
    the address of the tables' pages, which with a ``client_secret`` also open inside Discord. ``redraw_pause`` is the
    minimum time between two drawings of a table, in seconds. Unless it's the bot's ``first_start``, Discord already has
    its commands and card faces, as it nearly always does.
    """
    if first_start:
        # A process draws them once, and on a busy machine for longer than SimCord lets a bot be busy with its start.
        draw_all()
    opened = AsyncExitStack()
    bots: list[ChaipoBot] = []
    databases: list[SlowDisk] = []
    to_come = list(seeds)
    troubles: list[int] = []

    def trace(where: str) -> None:
        if where == "begin" and troubles:
            trouble = sqlite3.OperationalError("as the test wants it")
            trouble.sqlite_errorcode = troubles[0]
            raise trouble

    async def build(now_ms: Callable[[], int]) -> ChaipoBot:
        vault = ChosenSeeds.open(path / "chaipo.key")
        assert isinstance(vault, ChosenSeeds)
        vault.seeds = to_come
        metrics = Metrics()
        database = await SlowDisk.open(path / "chaipo.db", connect=hurried, trace=trace, meter=metrics)
        assert isinstance(database, SlowDisk)
        opened.push_async_callback(database.close)
        databases.append(database)
        bots.append(
            build_bot(
                Resources(database=databases[-1], vault=vault, metrics=metrics, master=quickly),
                OperatorChoices(
                    policy=policy,
                    rates=rates,
                    redraw_pause=redraw_pause,
                    requests_a_second=math.inf,
                    welcoming=welcoming,
                    shard_count=1,
                ),
                WebSettings(url=page_url, secret=client_secret),
                now_ms=now_ms,
            )
        )
        return bots[-1]

    before = _nothing_before if first_start else _started_before
    async with opened, simulated(build, faces=faces, settle_seconds=PATIENCE_SECONDS, before=before) as world:
        if not first_start:
            _COMMANDS.update(world.env.backend.commands[None])
        _skip_ids(world.env.backend)
        watch = Watch(world.env.backend)
        club = Club(
            world=world,
            guild=world.guild,
            channel=world.channel,
            members=dict(world.members),
            watch=watch,
            bots=bots,
            databases=databases,
            rebuild=build,
            troubles=troubles,
            seeds=to_come,
        )
        watch.clubs.append(club)
        if locale != "en-US":
            club = club.elsewhere("麻雀とカードの会", locale=locale)
        yield club
        await club.settle()
        watch.check_limits()


FIRST_ID = 1128
"""Sequence number of the first id that a test gets."""


def _skip_ids(backend: Any) -> None:
    """Start the ids of a test at the same number, however many commands and emojis the bot has.

    The ids of interactions are part of the players' entropy, so a new command would change the decks of all tests.
    """
    while backend.snowflake() % (1 << 22) < FIRST_ID - 1:
        pass


_COMMANDS: dict[Any, dict[str, Any]] = {}
"""The commands as the first bot of this process has registered them."""


def _nothing_before(world: SimulatedServer) -> None:
    """Discord has never heard of the bot."""


def _started_before(world: SimulatedServer) -> None:
    """Discord has the bot's card faces, and the commands of whichever was the first to register them."""
    backend = world.env.backend
    for name in FACE_NAMES:
        backend.create_application_emoji(emoji_name(name))
    for command in _COMMANDS.values():
        backend.reserve_id(int(command["id"]))
    if _COMMANDS:
        backend.commands[None] = dict(_COMMANDS)


def complaints(records: Sequence[logging.LogRecord], forgiven: Sequence[str]) -> list[str]:
    """Return errors and undelivered answers in the bot's log."""
    said = [
        record.getMessage()
        for record in records
        if record.levelno >= logging.ERROR or "could not be" in record.getMessage()
    ]
    return [line for line in said if not any(part in line for part in forgiven)]


def everything_in(screen: Screen) -> Iterator[str]:
    """Every text of a message that a person reads or hears: displays, labels, options, placeholders, descriptions."""
    for component in walk(screen.components):
        for name in ("content", "label", "placeholder"):
            if component.get(name):
                yield str(component[name])
        for option in component.get("options") or []:
            yield str(option["label"])
        for picture in component.get("items") or []:
            yield str(picture.get("description") or "")


async def sit_and_go_of_two(
    club: Club, name: str, *players: str, roles: tuple[int, ...] = (), series: str = ""
) -> Event:
    """Publish an event at one table in the club's channel, which starts when both players have registered.

    The first player organises it, and may give these ``roles`` as prizes.
    """
    events = club.bot.services.events
    plan = PlannedEvent(
        guild=GuildId(club.guild.id),
        channel=club.channel.id,
        organiser=club.player(players[0]),
        language="en",
        name=name,
        variant=PINEAPPLE,
        authority=MemberPermissions(roles=frozenset(roles)),
        structure=replace(PRESETS["sit_and_go"], table_seats=2, most=2, least=2, threads=False, roles=roles),
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=None,
        series=series,
    )
    event = await events.create(plan, cause=f"created {name}")
    for player in players:
        await events.register(event.key, club.player(player), cause=f"registers {player}")
    await club.bot.services.event_publisher.drawn()
    return event
