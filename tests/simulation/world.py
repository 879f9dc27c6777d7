"""A whole evening from one seed: the real bot, its database and its clock among users, errors and accidents.

Random users press current and outdated buttons, type commands and nonsense, press twice, and press at the wrong table.
The process is killed between any two steps of a write, the database is locked or full, Discord refuses, delays and
disappears, messages and channels are deleted, and the machine's clock jumps. After each step, the invariants are
checked. Everything follows from the seed, so the same seed gives the same evening.
"""

from __future__ import annotations

import asyncio
import gc
import json
import re
import sqlite3
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from typing_extensions import override

from bot.chat.table.screens.new_table import clock_typed
from bot.chat.table.screens.typed_placement import as_typed
from bot.model.clock import Clock, Pace
from bot.model.errors import StorageUnavailableError
from bot.model.events import Official
from bot.model.ids import EventKey, GuildId, Player, TableId, TableKey
from bot.model.limits import MIN_BUY_IN_POINTS
from bot.model.refusals import Stale
from bot.model.tables import Limits, Terms
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.office.registration import PlannedEvent as EventPlan
from bot.play.hand import hand_log
from bot.play.queries import views
from bot.play.session.policy import Policy
from bot.play.table.lobby import TableOffer, buy_in_of
from bot.pure.event.structure import PRESETS as EVENTS
from bot.pure.event.structure import Family, Format, NoShow
from bot.pure.ofc.cards import card_name
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import HandView, view_for
from bot.run.app import ChaipoBot
from bot.run.cli.sealed import opened_by
from bot.run.wiring import OperatorChoices, Resources, build_bot
from bot.store.movements import UNKNOWN_WAYS, explained
from bot.store.sqlite.check import check
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import reading
from bot.store.vault import SeedVault
from tests.backstage import transactions_of
from tests.discord.club import fantasyland_letters, plain_letters
from tests.discord.messages import cards_in, hand_of, pressed_table, text_of, walk
from tests.discord.watch import SAMPLED
from tests.simulation.disk import Disk
from tests.simulation.loop import KilledError, SimulatedLoop
from tests.standin.rest import Fault, Request
from tests.standin.sent import Sent
from tests.standin.standin import Standin, custom_ids
from tests.standin.things import EPHEMERAL, Channel, Guild, Json, Message, User

EPOCH_MS = 1_800_000_000_000
GUILDS, CHANNELS, PEOPLE = 2, 2, 7
POLICY = Policy(computer_ms=500, lobby_ms=10 * 60_000)
PARTS = ("results", "badges", "hands")
"""Parts of a profile."""
QUIET_VERBS = {"cancel": 0.05, "leave": 0.15, "remove": 0.2, "surrender": 0.2, "house_delete": 0.2}
"""Presses that end things are made less often than others."""
CARDS_OF_A_STREET = 6
"""Taps that place the cards of most streets, and one that confirms."""
HANDS_LOOKED_AT_AFTER = 200
"""Steps between counts of settled hands, if a number of hands was requested."""
_SEATED = (
    "SELECT s.guild_id, s.table_id, s.player FROM seat s JOIN game_table t USING (guild_id, table_id) "
    "WHERE t.state <> 'closed' AND s.computer = 0"
)
_BROKE = (
    f"{_SEATED} AND EXISTS (SELECT 1 FROM account a WHERE a.guild_id = s.guild_id AND a.kind = 'seat' "
    "AND a.table_id = s.table_id AND a.owner = s.player AND a.balance = 0)"
)
_POOR = (
    "SELECT guild_id, 0, owner FROM account WHERE kind = 'wallet' AND owner NOT LIKE '%:%' "
    "GROUP BY guild_id, owner HAVING SUM(balance) < 2000"
)
_OPEN_EVENTS = "SELECT guild_id, event_id FROM event WHERE phase NOT IN ('ended', 'cancelled')"
_WINNERS = (
    "SELECT guild_id, event_id, player FROM entrant JOIN event USING (guild_id, event_id) "
    "WHERE phase = 'ended' AND prize > 0"
)
PATIENCE_SECONDS = 3.0
EXCUSED_SECONDS = 15.0
"""Period in seconds after a start or an error, when limits may refuse requests. A start doesn't know earlier requests,
and discord.py retries after errors."""
FAULTS = (
    Fault(status=404, code=10008),
    Fault(status=404, code=10062),
    Fault(status=403, code=50001),
    Fault(status=403, code=50013),
    Fault(status=400, code=50083),
    Fault(status=429, retry_after=0.7),
    Fault(status=500),
    Fault(status=500, done=True),
    Fault(error=TimeoutError()),
    Fault(error=TimeoutError(), done=True),
    Fault(delay=2.0),
)


class BrokenPromiseError(AssertionError):
    """Something that must hold does not."""


@dataclass(slots=True)
class Mood:
    """Error rates, as shares of writes, requests or steps."""

    disk: float = 0.002
    kills: float = 0.0006
    discord: float = 0.02
    accidents: float = 0.004


class SimulatedVault(SeedVault):
    """The bot's vault, whose seeds follow from the evening's."""

    chance: Random

    @override
    def new_seed(self) -> bytes:
        """The next of them."""
        return self.chance.randbytes(32)


class EveningStandin(Standin):
    """The stand-in to a bot that is killed."""

    def crash(self) -> None:
        """The bot is gone, without a word."""
        self.bot = None
        self._sent.clear()
        self._stack.close()

    def token(self, token: str) -> Sent | None:
        """Return the interaction with a token."""
        return self._sent.get(token)


def looked_back_at(ids: Sequence[str]) -> tuple[int, int] | None:
    """The table and the hand of a review, a retry or a replay, by its presses."""
    found = (re.match(r"[cs]1:(?:review\w*|retry|try_\w+|replay|rp_\w+):(\d+)(?:\.\w+)?:(\d+):", one) for one in ids)
    return next(((int(match[1]), int(match[2])) for match in found if match and match[2] != "0"), None)


def decks_of_sheet(ids: Sequence[str]) -> list[tuple[int, int]]:
    """The tables and hands of a deck that several have played, by the replays below its sheet; else nothing."""
    found = [re.match(r"c1:replay:(\d+)(?:\.\w+)?:(\d+):", one) for one in ids]
    hands = [(int(match[1]), int(match[2])) for match in found if match]
    return hands if len(hands) > 1 else []


class Simulation:
    """One evening. ``steps`` counts what was done, ``story`` tells the last of it."""

    def __init__(self, folder: Path, seed: int, *, mood: Mood | None = None) -> None:
        self.seed = seed
        self.chance = Random(seed)
        self.mood = mood or Mood()
        self.steps = 0
        self.counts: Counter[str] = Counter()
        self.story: list[str] = []
        self.slow: list[str] = []
        self._folder = folder
        self._seconds = 0.0
        self._wall_offset = 0
        self._disk = Disk(folder / "chaipo.db", Random(seed + 1))
        self._loop: SimulatedLoop | None = None
        self.discord = EveningStandin(now_ms=self.discord_ms, machine_ms=self.now_ms, hook=self._hook, faces=True)
        for guild in range(1, GUILDS + 1):
            home = self.discord.guild(guild, locale="ja" if guild == 2 else "en-US", features=("COMMUNITY",))
            for channel in range(1, CHANNELS + 1):
                self.discord.channel(home, channel)
        self.people = [
            self.discord.user(n, locale="ja" if n % 3 == 0 else "en-US", manager=n == 1) for n in range(1, PEOPLE + 1)
        ]
        self.discord.limits.on_refused = self._refused
        self._bot: ChaipoBot | None = None
        self._requests: list[tuple[Request, Sent | None]] = []
        """Requests since the last check, each with the interaction that it answers, which the stand-in may forget
        later."""
        self._waiting: list[tuple[Sent, float, bool]] = []
        self._spoilt: set[str] = set()
        """Tokens of interactions whose answers Discord refused or delayed."""
        self._known: dict[tuple[TableKey, int, int | None], set[str]] = {}
        self._eyes: sqlite3.Connection | None = None
        self._cut_off = False
        self._thrown_out: Guild | None = None
        self._quiet_until = 0.0
        self._excused_until = 0.0
        self._asked_too_much: list[str] = []
        """The buckets of requests that nothing excuses."""

    def discord_ms(self) -> int:
        """Discord's clock."""
        return EPOCH_MS + int(self._time() * 1000)

    def now_ms(self) -> int:
        """The clock of the bot's machine, which may jump."""
        return self.discord_ms() + self._wall_offset

    def _time(self) -> float:
        return self._loop.time() if self._loop else self._seconds

    # lives

    def run(self, steps: int, *, hands: int = 0) -> None:
        """Do so many steps, or as many as it takes to settle ``hands``.

        Raises BrokenPromiseError with the seed and what led to it.
        """
        try:
            while self.hands() < hands if hands else self.steps < steps:
                self._live(self.steps + HANDS_LOOKED_AT_AFTER if hands else steps)
            until = self.steps
            self._live(until, last=True)
        except BrokenPromiseError as broken:
            tale = "\n  ".join(self.story[-40:])
            raise BrokenPromiseError(f"seed {self.seed}, step {self.steps}: {broken}\n  {tale}") from broken
        finally:
            if self._eyes is not None:
                self._eyes.close()

    def _live(self, until: int, *, last: bool = False) -> None:
        """One life of the process: from its start to a kill, an orderly stop, or the end."""
        loop, killed = SimulatedLoop(self._seconds), False
        self._loop = loop
        asyncio.set_event_loop(loop)
        try:
            loop.run_until_complete(self._life(until, last=last))
        except KilledError:
            killed = True
            self.counts["kills"] += 1
            self._tell("-- killed --")
        finally:
            self._seconds = loop.time() + self.chance.choice((0.5, 3, 30, 3600))
            self.slow += loop.slow
            if self.discord.bot is not None:
                self.discord.crash()
            self._disk.kill_rate = self._disk.trouble_rate = 0
            loop.bury()
            self._bot = None
            self._waiting.clear()
            self._spoilt.clear()
            with _silence():
                gc.enable()
                gc.unfreeze()
                gc.collect()
            self._disk.power_cut()
            asyncio.set_event_loop(None)
        if killed:
            self._check_file()

    async def _life(self, until: int, *, last: bool) -> None:
        fatal: list[Any] = []
        self.database = database = await self._disk.open(fatal.append)
        if self._eyes is None:
            self._eyes = sqlite3.connect(f"file:{self._disk.path}?mode=ro", uri=True, isolation_level=None)
        vault = self._vault()
        operation = OperatorChoices(policy=POLICY, shard_count=1, redraw_pause=1.0)
        bot = build_bot(Resources(database=database, vault=vault), operation, now_ms=self.now_ms)
        self._bot = bot
        await self.discord.start(bot)
        self._excused_until = self._time() + EXCUSED_SECONDS
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        # Loading the cogs is not measured, and the collector runs where it is not: between steps.
        loop.slow.clear()
        gc.disable()
        gc.freeze()
        self._cut_off = False
        self._disk.trouble_rate, self._disk.kill_rate = self.mood.disk, self.mood.kills
        if last:
            await self._to_the_end(bot)
        stop_after = self.chance.randrange(200, 4000)
        done = 0
        while self.steps < until and done < stop_after and not fatal:
            self.steps += 1
            done += 1
            await self._step(bot)
            await self._look(bot)
            if done % 100 == 0:
                gc.collect()
        self._disk.kill_rate = self._disk.trouble_rate = 0
        await self.discord.stop()
        await database.close()

    async def _to_the_end(self, bot: ChaipoBot) -> None:
        """Check that every table ends by itself when no one acts any more."""
        self._disk.trouble_rate = self._disk.kill_rate = 0
        mood, self.mood = self.mood, Mood(disk=0, kills=0, discord=0, accidents=0)
        for _ in range(60):
            open_events = self._ask("SELECT 1 FROM event WHERE phase NOT IN ('ended', 'cancelled')")
            if not open_events and not await bot.services.play.guilds_with_tables():
                break
            await self._sleep_long(bot, 12 * 3600)
            await self._look(bot)
        left = await bot.services.play.guilds_with_tables()
        self.mood = mood
        self._must(not left, f"tables that never end in {left}")
        waiting = self._ask("SELECT * FROM event WHERE phase = 'running'")
        self._must(not waiting, f"events that never end: {waiting}")
        self._check_books()

    def _vault(self) -> SeedVault:
        vault = SimulatedVault.open(self._folder / "chaipo.key")
        assert isinstance(vault, SimulatedVault)
        vault.chance = self.chance
        return vault

    # steps

    async def _step(self, bot: ChaipoBot) -> None:
        if self._cut_off:
            await self._connect(bot)
            return
        self._invite_again()
        action = self.chance.choices(
            (
                self._play_turn,
                self._place_ahead,
                self._press_something,
                self._press_again,
                self._type_something,
                self._open,
                self._announce,
                self._govern,
                self._mind_chips,
                self._wait,
                self._long_wait,
            ),
            (40, 6, 30, 6, 6, 4, 0.8, 2, 8, 12, 1),
        )[0]
        if self.chance.random() < self.mood.accidents:
            action = self.chance.choice(
                (self._disconnect, self._clock_jump, self._delete_message, self._delete_channel, self._throw_out)
            )
        self.counts[action.__name__.strip("_")] += 1
        # The simulation's own queries can fail too.
        with suppress(Refused, StorageUnavailableError):
            await action(bot)
        await self._sleep(self.chance.choice((0, 0, 0.01, 0.2, 1.5)))

    async def _play_turn(self, bot: ChaipoBot) -> None:
        """Let a player to act type a placement."""
        row = self._any_row("SELECT guild_id, table_id, channel_id FROM game_table WHERE state = 'playing'")
        if row is None:
            await self._open(bot)
            return
        key = TableKey(guild=GuildId(row[0]), table=TableId(row[1]))
        view = await bot.services.play.look(key)
        people = [user for user in self.people if Player(str(user.id)) in view.waiting]
        channel = self.discord.channels.get(row[2])
        if not people or channel is None:
            await self._wait(bot)
            return
        user = self.chance.choice(people)
        mine = await bot.services.play.look(key, Player(str(user.id)))
        if mine.hand is None or mine.hand.mine is None or not mine.hand.mine.held:
            return
        whole = mine.hand.mine.fantasyland or mine.hand.variant.at_once
        letters = fantasyland_letters(mine) if whole else plain_letters(mine)
        if self.chance.random() < 0.05:
            letters = "".join(self.chance.choice("FMBD") for _ in letters)
        typed = as_typed(letters, [card for card in mine.hand.mine.held if card is not None])
        self._send(self.discord.slash(user, channel, "place", cards=f"{typed}!!", table=int(key.table)))

    async def _place_ahead(self, bot: ChaipoBot) -> None:
        """Let a player who isn't to act place all cards by taps and confirm, or give up halfway."""
        user, channel = self.chance.choice(self.people), self._channel()
        panels = [message for message in channel.private(user) if list(custom_ids(message, "row"))]
        if not panels:
            tables = [message for message in channel.public() if list(custom_ids(message, "hand"))]
            if tables:
                table = self.chance.choice(tables)
                self._send(self.discord.press(user, table, next(iter(custom_ids(table, "hand")))))
            return
        panel = panels[-1]
        for _ in range(CARDS_OF_A_STREET):
            ready = list(custom_ids(panel, "ahead"))
            taps = ready or list(custom_ids(panel, "row"))
            if not taps:
                return
            sent = self._send(self.discord.press(user, panel, self.chance.choice(taps)))
            await asyncio.wait([asyncio.ensure_future(sent.finished())], timeout=5)
            self.counts["taps of a draft"] += 1
            if ready:
                self.counts["confirmed ahead"] += bool(list(custom_ids(panel, "take_back")))
                return

    def _any_row(self, sql: str) -> tuple[Any, ...] | None:
        rows = self._ask(f"{sql} ORDER BY 1, 2")
        return self.chance.choice(rows) if rows else None

    async def _press_something(self, bot: ChaipoBot) -> None:
        """Let a user press a visible button."""
        user = self.chance.choice(self.people)
        channel = self._channel()
        seen = [*channel.public()[-6:], *channel.private(user)[-4:]]
        if not seen:
            await self._open(bot)
            return
        message = self.chance.choice(seen)
        controls = [control for control in message.controls() if not control.get("disabled")]
        if not controls:
            return
        control = self.chance.choice(controls)
        verb = str(control["custom_id"]).split(":")[1]
        if self.chance.random() > QUIET_VERBS.get(verb, 1):
            return
        sent = self._press(user, message, control)
        if self.chance.random() < 0.1:
            self._press(user, message, control)  # a double click
        if self.chance.random() < 0.3:
            await asyncio.wait([asyncio.ensure_future(sent.finished())], timeout=5)
            if sent.form is not None:
                texts = [self.chance.choice(("Friday", "50", "back royal_flush 50", "x" * 30)) for _ in range(1)]
                self._send(self.discord.submit(sent, *texts))

    def _press(self, user: User, message: Message, control: Json) -> Sent:
        values = None
        if "options" in control:
            values = [str(option["value"]) for option in control["options"]]
            most = min(len(values), int(control.get("max_values", 1)))
            values = self.chance.sample(values, self.chance.randint(0, most))
        return self._send(self.discord.press(user, message, str(control["custom_id"]), values=values))

    async def _press_again(self, bot: ChaipoBot) -> None:
        """Repeat an earlier interaction: as a duplicate, or pressed by another user."""
        if not self.discord.delivered:
            return
        payload = self.chance.choice(self.discord.delivered)
        if self.chance.random() < 0.4:
            self.discord.feed("INTERACTION_CREATE", payload)
            return
        if payload["type"] != 3:
            return
        user, channel = self.chance.choice(self.people), self._channel()
        old = Message(int(payload["message"]["id"]), channel, json.dumps(payload["message"]), None, 0)
        self._send(self.discord.press(user, old, payload["data"]["custom_id"], values=payload["data"].get("values")))

    async def _type_something(self, bot: ChaipoBot) -> None:
        user, channel = self.chance.choice(self.people), self._channel()
        table = self.chance.choice((None, 1, 2, 3, 50))
        named = {} if table is None else {"table": table}
        commands: list[tuple[str, dict[str, Any]]] = [
            ("ofc table", {"do": "mine"}),
            ("ofc settings", {}),
            ("ofc profile", {"show": "chips"}),
            ("ofc leaderboard", {}),
            ("hand", named),
            ("ofc table", {"do": "seats" if table is None else f"seats {table}"}),
            ("ofc table", {"do": "What can I do"}),
            ("ofc help", {"about": self.chance.choice(list(PRESETS))}),
            ("ofc result", {"table": str(table or 1)}),
            ("ofc result", {"table": str(table or 1), "hand": str(self.chance.randint(1, 3))}),
            (
                "ofc table",
                {"do": "Add my own shuffle text", "value": self.chance.choice(("luck", "x" * 64))},
            ),
            ("place", {"cards": self.chance.choice(("BMD", "BBBBB", "As b", "nonsense")), **named}),
            ("setup", {"topic": "house rules"}),
            ("event", {"do": "list"}),
            ("event", {"do": "show"}),
            ("event", {"do": f"standings {table or 1}"}),
            ("event", {"do": f"results {table or 1}"}),
            ("event", {"do": f"register {table or 1}"}),
            ("event", {"do": f"log {table or 1}"}),
            ("event", {"do": f"repeat {table or 1}", "value": self.chance.choice(("once", "day", "week"))}),
            ("ofc table", {"do": "Next free seat"}),
            ("ofc table", {"do": "Wait for players", "value": self.chance.choice(("2", "3"))}),
            ("ofc play", {"with": self.chance.choice(self.people)}),
            ("ofc play", {"like": str(table or 1)}),
            ("ofc profile", {"player": self.chance.choice(self.people), "show": self.chance.choice(PARTS)}),
            ("event", {"do": "create", "value": self.chance.choice(("in 2 hours", "明日21時", "never"))}),
        ]
        if user.manager and self.chance.random() < 0.1:
            commands.append(("ofc table", {"do": f"close table {table or 1}"}))
        command, options = self.chance.choice(commands)
        self._send(self.discord.slash(user, channel, command, **options))
        if str(options.get("do", "")).startswith("close table"):  # Repeating the command confirms it.
            self._send(self.discord.slash(user, channel, command, **options))

    async def _open(self, bot: ChaipoBot) -> None:
        user, channel = self.chance.choice(self.people), self._channel()
        variant = self.chance.choice(list(PRESETS))
        if self.chance.random() < 0.05:  # a computer thinks for long
            self._send(self.discord.slash(user, channel, "ofc practice", game=variant))
            return
        options: dict[str, Any] = {"game": variant, "stakes": self.chance.choice((0, 1, 10, 10, 50))}
        if self.chance.random() < 0.5:
            options["clock"] = self.chance.choice(("30s", "live", "relaxed", "1d", "none"))
        if self.chance.random() < 0.8:  # terms that only the forms have: levels, or so little that players bust
            await self._open_with_terms(bot, user, channel, **options)
        else:
            opened = self._send(self.discord.slash(user, channel, "ofc play", **options))
            await asyncio.wait([asyncio.ensure_future(opened.finished())], timeout=10)
        await self._sleep(2)
        joins = [
            (message, control)
            for message in channel.public()[-3:]
            for control in message.controls()
            if str(control["custom_id"]).split(":")[1] == "join" and not control.get("disabled")
        ]
        if joins:
            message, control = joins[-1]
            for guest in self.chance.sample(self.people, self.chance.randint(1, 4)):
                self._press(guest, message, control)
            await self._sleep(3)
            self._send(self.discord.press(user, message, str(control["custom_id"]).replace("join", "start", 1)))

    async def _open_with_terms(
        self, bot: ChaipoBot, host: User, channel: Channel, *, game: str, stakes: int, clock: str = "1m"
    ) -> None:
        rising = self.chance.random() < 0.1 and stakes > 0
        stakes, variant = 10 if rising else stakes, PRESETS[game]
        terms = Terms(
            variant=variant,
            point_value=stakes,
            buy_in=buy_in_of(stakes, chosen=None if rising else MIN_BUY_IN_POINTS * stakes),
            max_seats=variant.max_seats,
            clock=clock_typed(clock),
            limits=Limits(levels=(10, 20, 40), level_hands=4) if rising else Limits(),
        )
        offer = TableOffer(
            guild=GuildId(channel.guild.id),
            channel=channel.id,
            host=Player(str(host.id)),
            language="ja" if host.locale == "ja" else "en",
            terms=terms,
        )
        with suppress(Refused, StorageUnavailableError):
            await bot.services.play.open_table(offer, cause=f"opened in step {self.steps}")

    async def _announce(self, bot: ChaipoBot) -> None:
        """Publish an event and register players."""
        channel, host = self._channel(), self.chance.choice(self.people)
        form = self.chance.choice(list(Format))
        structure = next(structure for structure in EVENTS.values() if structure.format is form)
        game = self.chance.choice((PRESETS["pineapple"], PRESETS["classic"]))
        if form is Format.DUPLICATE:
            game = house_variant(game.key, {"fantasyland": "off"})
        starts = None if form is Format.SIT_AND_GO else self.now_ms() + self.chance.choice((90_000, 1_200_000))
        fee = self.chance.choice((0, 100, 100))
        plan = EventPlan(
            guild=GuildId(channel.guild.id),
            channel=channel.id,
            organiser=Player(str(host.id)),
            language="ja" if host.locale == "ja" else "en",
            name=f"Event of step {self.steps}",
            variant=game,
            structure=replace(
                structure,
                least={Format.DUPLICATE: structure.table_seats + 1, Format.GROUPS: structure.least}.get(form, 2),
                fee=fee,
                bounty=fee // 2 if form.family is Family.FREEZEOUT and self.steps % 2 else 0,
                added=self.chance.choice((0, 500)),
                levels=structure.levels[2:],
                level_hands=1,
                check_in_minutes=self.chance.choice((0, 15)) if starts else 0,
                no_show=NoShow.BLIND,
                rounds=min(structure.rounds, 2),
                threads=self.chance.random() < 0.7,
            ),
            clock=Clock(pace=Pace.PER_TURN, seconds=self.chance.choice((10, 60))),
            starts_at=starts,
            authority=MemberPermissions(manager=True),
        )
        event = await bot.services.events.create(plan, cause=f"event of step {self.steps}")
        await self._sleep(3)
        for user in self.chance.sample(self.people, self.chance.randint(3, len(self.people))):
            shown = Message(1, channel, json.dumps({"id": "1", "components": []}), None, 0)
            self._send(self.discord.press(user, shown, f"c1:ev_register:{event.key.number}:0:0:::"))
        if self.chance.random() < 0.4:
            # Before it begins, or while it runs.
            await self._sleep(self.chance.choice((5, 150, 150)))
            by = Official(player=plan.organiser)
            await bot.services.events.cancel(event.key, by, why="rain", cause=f"rain in step {self.steps}")

    async def _govern(self, bot: ChaipoBot) -> None:
        """Let a manager decide about chips: the bank's grants, a player's wallet, a season, or an event."""
        manager, channel, bank = self.people[0], self._channel(), bot.services.bank
        here, cause = GuildId(channel.guild.id), f"decided in step {self.steps}"
        deed = self.chance.choice(("terms", "terms", "terms", "chips", "chips", "start", "end", "cancel", "strike"))
        if deed == "terms":
            cap, fee = self.chance.choice((0, 500, 5_000, 5_000)), self.chance.choice((0, 10, 10, 100))
            await bank.change_terms(
                here,
                Player(str(manager.id)),
                lambda terms: replace(terms, transfer_cap=cap, transfer_fee=fee, refill_hours=1, bonus_hours=1),
                cause=cause,
            )
        elif deed == "chips":
            whom, chips = self.chance.choice(self.people), self.chance.choice((0, 0, 1, 300, 9_000))
            action = self.chance.choice(("give", "take", "set", "set"))
            do = {"give": "Give chips", "take": "Take chips", "set": "Set a wallet"}[action]
            given = {"do": do, "player": whom, "value": str(chips), "reason": "as it should be"}
            self._send(self.discord.slash(manager, channel, "manage", **given))
        elif deed == "start":
            reset = self.chance.random() < 0.5
            change = partial(replace, reset_chips=reset, title="King", channel=channel.id)
            await bank.change_seasons(here, Player(str(manager.id)), change, cause=cause)
            await bank.start_season(here, Player(str(manager.id)), "", cause=f"{cause}: start")
        elif deed == "end":
            await bank.end_season(here, Player(str(manager.id)), cause=cause)
        elif row := self._any_row(_OPEN_EVENTS if deed == "cancel" else _WINNERS):
            by, key = (
                Official(player=Player(str(manager.id)), manager=True),
                EventKey(guild=GuildId(row[0]), number=row[1]),
            )
            if deed == "cancel":
                await bot.services.events.cancel(key, by, why="thunder", cause=cause)
            else:
                await bot.services.events.strike(key, by, Player(row[2]), why="peeked", cause=cause)

    async def _mind_chips(self, bot: ChaipoBot) -> None:
        """Let a player claim chips, bring some to a table, or send some."""
        user, channel = self.chance.choice(self.people), self._channel()
        change_member_settings = self.chance.choice(("have", "bring", "bring", "send", "send"))
        if change_member_settings == "send":
            whom, chips = self.chance.choice(self.people), self.chance.choice((50, 400))
            payer, payee, guild = Player(str(user.id)), Player(str(whom.id)), GuildId(channel.guild.id)
            cause = f"sent at {self.now_ms()} by {payer} to {payee}"
            with suppress(Refused, Stale, StorageUnavailableError):
                await bot.services.bank.send(guild, payer, payee, chips, cause=cause)
            return
        row = self._any_row(_POOR if change_member_settings == "have" else _BROKE) or self._any_row(_SEATED)
        user = next((one for one in self.people if row is not None and str(one.id) == row[2]), user)
        channel = next(
            (one for one in self.discord.channels.values() if row is not None and one.guild.id == row[0]), channel
        )
        chips_or_seats = (
            ("ofc profile", {"show": "chips"})
            if change_member_settings == "have"
            else ("ofc table", {"do": "seats" if row is None else f"seats {row[1]}"})
        )
        asked = self._send(self.discord.slash(user, channel, chips_or_seats[0], **chips_or_seats[1]))
        await asyncio.wait([asyncio.ensure_future(asked.finished())], timeout=5)
        for message in channel.private(user)[-1:]:
            for control in message.controls():
                _, verb, *_, argument = str(control["custom_id"]).split(":")
                if (verb == "claim" or argument in ("rebuy", "top_up")) and not control.get("disabled"):
                    self._press(user, message, control)

    async def _wait(self, bot: ChaipoBot) -> None:
        await self._sleep(self.chance.choice((1, 5, 12, 20, 61)))

    async def _long_wait(self, bot: ChaipoBot) -> None:
        await self._sleep_long(bot, self.chance.choice((600, 3600, 86_400)))

    async def _sleep_long(self, bot: ChaipoBot, seconds: float) -> None:
        """Let hours pass with fewer beats of the bot's clock, since all of them do the same."""
        clock = bot.clockwork.clock
        clock.change_interval(seconds=60 if seconds < 40_000 else 600)
        await self._sleep(seconds)
        clock.change_interval(seconds=1)
        await self._sleep(2)

    # accidents

    async def _disconnect(self, bot: ChaipoBot) -> None:
        """The connection to Discord goes."""
        self._tell("the connection goes")
        bot.dispatch("shard_disconnect", 0)
        self._cut_off = True
        await self._sleep(self.chance.choice((2, 60, 7200)))

    async def _connect(self, bot: ChaipoBot) -> None:
        bot.dispatch("shard_resumed", 0)
        self._cut_off = False
        self._tell("the connection is back")
        await self._sleep(1)

    async def _clock_jump(self, bot: ChaipoBot) -> None:
        """The machine's clock is moved. Ids of Discord are never of a time before."""
        jump = self.chance.choice((7_000, 3_600_000, 86_400_000, -5_000, -1_800_000))
        self._wall_offset += jump
        self._tell(f"the machine's clock jumps by {jump} ms")
        await self._sleep(3)

    async def _delete_message(self, bot: ChaipoBot) -> None:
        channel = self._channel()
        if channel.messages:
            message = self.chance.choice(list(channel.messages.values()))
            self._tell(f"message {message.id} is deleted")
            del channel.messages[message.id]

    async def _delete_channel(self, bot: ChaipoBot) -> None:
        if self.chance.random() > 0.2:
            return
        channel = self._channel()
        guild, number = channel.guild, channel.id
        self._tell(f"channel {number} is deleted")
        self.discord.remove_channel(channel)
        self.discord.channel(guild, self.chance.randrange(10, 9000))

    async def _throw_out(self, bot: ChaipoBot) -> None:
        if self.chance.random() > 0.2:
            return
        guild = self._channel().guild
        self._tell(f"the bot is thrown out of {guild.id}")
        self.discord.remove_guild(guild)
        self._thrown_out = guild
        await self._sleep(5)
        self._invite_again()

    def _invite_again(self) -> None:
        """The server that has thrown the bot out takes it back, though it was killed in between."""
        guild, self._thrown_out = self._thrown_out, None
        if guild is not None:
            again = self.discord.guild(guild.id - 10**18, locale=guild.locale, features=guild.features)
            self.discord.channel(again, self.chance.randrange(10, 9000))

    # network errors

    def _hook(self, request: Request) -> Fault | None:
        token = request.path.split("/")[3:4]
        self._requests.append((request, self.discord.token(token[0]) if token else None))
        if self._quiet_until > self._time() or not self.discord.bot or not self.discord.bot.is_ready():
            return None
        if not self._cut_off and self.chance.random() >= self.mood.discord:
            return None
        fault = Fault(error=TimeoutError()) if self._cut_off else self.chance.choice(FAULTS)
        self.counts["faults of Discord"] += 1
        self._excused_until = self._time() + EXCUSED_SECONDS
        self._spoilt.update(request.path.split("/"))
        return fault

    def _refused(self, bucket: str) -> None:
        self.counts["refused by a limit"] += 1
        if self._time() >= self._excused_until:
            self._asked_too_much.append(bucket)

    # looking

    async def _look(self, bot: ChaipoBot) -> None:
        self._check_answers()
        self._check_limits()
        await self._check_secrets(bot)
        if self.steps % 7 == 0:
            self._check_balance()
            self._check_alarms()
        if self.steps % 300 == 0:
            self._check_books()
            self.discord.tidy()

    def _check_answers(self) -> None:
        """Every press is acknowledged in time, unless Discord did not let it be."""
        now = self._time()
        waiting = []
        for sent, at, _ in self._waiting:
            if sent.acknowledged:
                self._must(
                    sent.seconds <= PATIENCE_SECONDS or sent.token in self._spoilt,
                    f"{sent} was acknowledged after {sent.seconds:.2f} s",
                )
            elif now - at <= PATIENCE_SECONDS:
                waiting.append((sent, at, False))
            else:
                self._must(sent.token in self._spoilt or self._cut_off, f"{sent} {sent.custom_id} was not acknowledged")
        self._waiting = waiting

    def _check_limits(self) -> None:
        """Nothing that the bot asks is more than Discord takes, unless what it knew of the limits was lost."""
        self._must(not self._asked_too_much, f"it asked more than Discord takes: {self._asked_too_much}")

    async def _check_secrets(self, bot: ChaipoBot) -> None:
        """Check that no one is shown a card that they may not know."""
        requests, self._requests = self._requests, []
        for request, sent in requests:
            if "components" not in request.body or "/commands" in request.path:
                continue
            if request.kind not in ("send", "edit") and sent is None:
                continue  # It answers what came again after its token had expired: Discord refuses that.
            viewer = self._viewer(request, sent)
            body = request.json
            if request.kind == "callback":
                body = body.get("data") or {}
            shown = cards_in(body) if body else set()
            if not shown:
                continue
            components = body.get("components") or []
            if any(
                ":rules:" in str(c.get("custom_id")) or ":learn:" in str(c.get("custom_id")) for c in walk(components)
            ):
                continue
            ids = [str(component.get("custom_id")) for component in walk(components)]
            if any(":wish_cards:" in one for one in ids):
                self._must(shown == SAMPLED, f"the settings show {sorted(shown)}")
                continue
            about, guild = hand_of(components) or looked_back_at(ids), self._guild_of(request, sent)
            if (sheet := decks_of_sheet(ids)) and guild is not None:
                await self._check_sheet(bot, guild, sheet, shown)
                continue
            if (about is None or about[1] is None) and viewer is not None and guild is not None:
                # A refusal of typed input repeats the author's cards, and may name the table.
                await self._check_own(bot, guild, viewer, shown, told=text_of(components))
                continue
            self._must(about is not None and about[1] is not None, f"cards of no hand: {request.path} {body}")
            assert about is not None
            assert about[1] is not None
            if guild is None:
                continue
            # Without buttons, only the table's number for people is known, which tables of several events may have.
            ids_of_tables = [about[0]] if pressed_table(components) else self._numbered(guild, about[0])
            keys = [TableKey(guild=guild, table=TableId(table)) for table in ids_of_tables]
            await self._check_shown(bot, keys, about[1], viewer, shown)

    async def _check_own(self, bot: ChaipoBot, guild: GuildId, viewer: int, shown: set[str], *, told: str) -> None:
        """Check that a user is shown only their own cards."""
        player, theirs = Player(str(viewer)), set[str]()
        try:
            for table in await bot.services.play.tables_of(guild, player):
                # The answer may be of a hand that has ended since.
                for hand_no in range(max(1, table.hand_no - 1), table.hand_no + 1):
                    place = table.key, hand_no, viewer
                    self._note(place, await self._seen(bot, table.key, hand_no, player))
                    theirs |= self._known[place]
        except (Refused, StorageUnavailableError):
            return
        self._must(shown <= theirs, f"{viewer} is shown {sorted(shown - theirs)} of no table: {told}")

    async def _check_sheet(
        self, bot: ChaipoBot, guild: GuildId, hands: Sequence[tuple[int, int]], shown: set[str]
    ) -> None:
        """Check that a deck's sheet shows only public cards of the tables that have played it."""
        open_to_all = set[str]()
        try:
            for table, hand_no in hands:
                place = TableKey(guild=guild, table=TableId(table)), hand_no, None
                self._note(place, await self._seen(bot, place[0], hand_no, None))
                open_to_all |= self._known[place]
        except (Refused, StorageUnavailableError):
            return
        self.counts["sheets"] += 1
        self._must(shown <= open_to_all, f"a sheet shows {sorted(shown - open_to_all)} of {hands}")

    def _numbered(self, guild: GuildId, number: int) -> list[int]:
        """Return the ids of a server's tables that people know by this number."""
        sql = "SELECT table_id FROM game_table WHERE guild_id = ? AND COALESCE(number_in_event, table_id) = ?"
        return [table for (table,) in self._ask(sql, guild, number)]

    async def _check_shown(
        self, bot: ChaipoBot, keys: Sequence[TableKey], hand_no: int, viewer: int | None, shown: set[str]
    ) -> None:
        """Check that a message about one of these tables shows only cards that its viewer may know."""
        hidden = []
        for key in keys:
            place = key, hand_no, viewer
            if shown <= self._known.get(place, set()):
                return
            try:
                self._note(place, await self._seen(bot, key, hand_no, None))
                if viewer is not None:
                    self._note(place, await self._seen(bot, key, hand_no, Player(str(viewer))))
            except Refused:
                continue
            except StorageUnavailableError:
                return
            if shown <= self._known[place]:
                return
            hidden.append(f"{sorted(shown - self._known[place])} of {place}")
        self._must(False, f"{viewer} is shown {' or '.join(hidden) or f'{sorted(shown)} of no table'}")

    @staticmethod
    async def _seen(bot: ChaipoBot, key: TableKey, hand_no: int, you: Player | None) -> HandView | None:
        hand = await transactions_of(bot.services.play).read(
            lambda s: views.told(s, key, hand_log.record_of(s, key, hand_no))
        )
        return None if hand is None else view_for(hand, you)

    def _note(self, place: tuple[TableKey, int, int | None], view: HandView | None) -> None:
        known = self._known.setdefault(place, set())
        for seat in view.seats if view else ():
            for cards in (*seat.rows, seat.held, seat.discards):
                known |= {card_name(card) for card in cards if card is not None}
        if len(self._known) > 2000:
            for old in list(self._known)[:1000]:
                del self._known[old]

    def _viewer(self, request: Request, sent: Sent | None) -> int | None:
        """Return the viewer of a request's message: a user, or everyone."""
        if request.kind in ("send", "edit"):
            return None
        if request.kind == "callback":
            body = request.json
            private = body["type"] not in (4, 5) or int((body.get("data") or {}).get("flags", 0)) & EPHEMERAL
            self._must(bool(private), f"an answer that everybody sees: {request.path}")
            if body["type"] == 7 and sent is not None and sent.pressed is not None:
                self._must(sent.pressed.owner is not None, "an answer in place of a public message")
        return sent.user.id if sent else 0

    def _guild_of(self, request: Request, sent: Sent | None) -> GuildId | None:
        if request.kind in ("send", "edit"):
            channel = self.discord.channels.get(int(request.path.split("/")[2]))
            return None if channel is None else GuildId(channel.guild.id)
        return None if sent is None else GuildId(sent.channel.guild.id)

    # books

    def _ask(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        assert self._eyes is not None
        return self._eyes.execute(sql, values).fetchall()

    def _check_balance(self) -> None:
        for guild, total in self._ask("SELECT guild_id, SUM(balance) FROM account GROUP BY guild_id"):
            self._must(total == 0, f"the accounts of {guild} sum to {total}")
        stranded = self._ask(
            "SELECT a.guild_id, a.table_id, a.balance FROM account a JOIN game_table t USING (guild_id, table_id) "
            "WHERE a.kind = 'seat' AND a.balance <> 0 AND t.state = 'closed'"
        )
        self._must(not stranded, f"chips are stranded: {stranded}")

    def _check_alarms(self) -> None:
        stuck = self._ask(
            "SELECT guild_id, table_id, state FROM game_table t WHERE state <> 'closed' AND NOT EXISTS "
            "(SELECT 1 FROM timer r WHERE r.guild_id = t.guild_id AND r.table_id = t.table_id AND r.kind <> 'remind') "
            # A table of an event may wait for other tables. Then another table is playing, or the event's alarm is set.
            "AND NOT EXISTS (SELECT 1 FROM event e WHERE e.guild_id = t.guild_id "
            "AND e.event_id = t.event_id AND e.phase = 'running' AND e.alarm_at IS NOT NULL)"
        )
        self._must(not stuck, f"tables that nothing moves on: {stuck}")

    def _check_books(self) -> None:
        """The ledger gives every balance; every hand was settled once; each result sums to zero."""
        wrong = self._ask(
            "SELECT account_id, balance, "
            "(SELECT COALESCE(SUM(amount), 0) FROM transfer WHERE payee = account_id) - "
            "(SELECT COALESCE(SUM(amount), 0) FROM transfer WHERE payer = account_id) AS due "
            "FROM account WHERE balance <> due"
        )
        self._must(not wrong, f"the ledger does not give the balances: {wrong}")
        strange = self._ask(UNKNOWN_WAYS)
        self._must(not strange, f"chips that went where none go: {strange}")
        uneven = self._ask(
            "SELECT guild_id, table_id, hand_no FROM result GROUP BY 1, 2, 3 HAVING SUM(points) <> 0 OR SUM(chips) <> 0"
        )
        self._must(not uneven, f"hands that do not sum to zero: {uneven}")
        ends = self._ask(
            "SELECT h.guild_id, h.table_id, h.hand_no, h.state, COUNT(r.player) FROM hand h LEFT JOIN result r "
            "ON r.guild_id = h.guild_id AND r.table_id = h.table_id AND r.hand_no = h.hand_no GROUP BY 1, 2, 3 "
            "HAVING (h.state = 'settled') <> (COUNT(r.player) > 0)"
        )
        self._must(not ends, f"hands that are settled without results, or the other way round: {ends}")
        paid = self._ask(
            "SELECT r.guild_id, r.table_id, r.hand_no, r.player, r.chips, "
            "COALESCE((SELECT SUM(CASE WHEN a.account_id = t.payee THEN t.amount ELSE -t.amount END) FROM transfer t "
            "JOIN account a ON a.account_id IN (t.payer, t.payee) WHERE t.guild_id = r.guild_id "
            "AND t.kind IN ('hand', 'event_hand') "
            "AND t.table_id = r.table_id AND t.hand_no = r.hand_no AND a.owner = r.player), 0) AS moved "
            "FROM result r WHERE r.chips <> moved"
        )
        self._must(not paid, f"hands that were not paid as they were settled: {paid}")

    def _check_file(self) -> None:
        """Check the database after a kill, like ``python -m bot check``."""
        with reading(self._disk.path) as connection:
            report = check(connection, MIGRATIONS, secrets=opened_by(self._vault()))
        self._must(not report.findings, f"after a kill: {[finding.line for finding in report.findings]}")

    def movements(self) -> Counter[tuple[str, str, str]]:
        """Return the number of transfers by kind, source and target."""
        with closing(sqlite3.connect(self._disk.path)) as connection:
            connection.row_factory = sqlite3.Row
            found = explained(SqliteSql(connection)).movements
        return Counter({(one.kind, one.source, one.target): one.transfers for one in found})

    def hands(self) -> int:
        """Return the number of settled hands."""
        if not self._disk.path.exists():
            return 0
        with closing(sqlite3.connect(self._disk.path)) as connection:
            count: int = connection.execute("SELECT COUNT(*) FROM hand WHERE state = 'settled'").fetchone()[0]
        return count

    # small things

    def _channel(self) -> Channel:
        return self.chance.choice(list(self.discord.channels.values()))

    def _send(self, sent: Sent) -> Sent:
        self._tell(f"{sent.user.id % 100} {sent.custom_id or sent.kind} in {sent.channel.id}")
        self._waiting.append((sent, self._time(), False))
        return sent

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def _tell(self, what: str) -> None:
        self.story.append(f"{self.steps}: {what}")
        del self.story[:-100]

    def _must(self, holds: bool, otherwise: str) -> None:
        if not holds:
            raise BrokenPromiseError(otherwise)


@contextmanager
def _silence() -> Iterator[None]:
    """Silence the warnings of a dead process's objects when they're collected."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.unraisablehook = hook
