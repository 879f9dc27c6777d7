"""A cheap stand-in for Discord that runs the real bot without a network, threads or waits of its own.

Gateway events enter through discord.py's parsers. The bot's requests leave through discord.py's HTTP client and webhook
adapter, with their limits and retries, and end at a session that responds immediately and enforces Discord's limits
(``limits``). Messages are stored as the bot wrote them and parsed only on access, so that a press costs only the bot's
own work.

    discord = Standin(now_ms=clock)
    channel = discord.channel(discord.guild(1), 1)
    await discord.start(bot)                       # logged in, commands synced, ready
    opened = await discord.slash(discord.user(1), channel, "ofc play", stakes=5)        # acknowledged
    table = channel.public()[-1]
    joined = await discord.press(discord.user(2), table, "c1:join:1:0:0:::")
    await joined.finished()                        # its handler has finished
    joined.seconds, joined.answer.text, discord.requests[-1].path
    discord.limits.refused, discord.limits.invalid                                     # requests over the limits
    discord.hook = lambda request: Fault(status=404, code=10008) if request.kind == "edit" else None
    await discord.stop()                           # the state stays, for another bot to start on

``now_ms`` is Discord's clock, which determines message ids and late responses. If the bot's event loop has a different
clock, the caller has to keep both in step. ``machine_ms`` is the clock of the bot's machine, if it differs.
"""
# ruff: noqa: SLF001  # discord.py has no other door for events.

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from datetime import datetime
from enum import Enum
from typing import Any

import discord
from discord.ext import commands

from bot.chat.application_assets import emoji_name
from bot.chat.art.faces import FACE_NAMES
from tests.discord.messages import notified, unnamed
from tests.standin import polls, rest
from tests.standin.activities import Activities
from tests.standin.clock import discord_clock
from tests.standin.limits import Limits
from tests.standin.recurrence import check_recurrence, go_on
from tests.standin.rest import Fault, Hook, RefusedError, Request, Session
from tests.standin.sent import Sent
from tests.standin.things import (
    BOT_ID,
    BOT_USER,
    CHANNEL_IDS,
    CHANNELS_PER_GUILD,
    DEFAULT_PERMISSIONS,
    EPHEMERAL,
    EVERYTHING,
    GUILD_IDS,
    LOADING,
    MANAGE_GUILD,
    USER_IDS,
    Channel,
    Guild,
    Json,
    Message,
    User,
)

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
TEXT_INPUT, TEXT_DISPLAY, RADIOS = 4, 10, 21
"""Discord's types of two kinds of fields in forms."""
BUTTON, SELECT = 2, 3
MAX_FOLLOWUPS = 5
"""Maximum follow-ups to one interaction by a user-installed application."""
SUBCOMMANDS = (1, 2)
ANSWER_WITHIN_MS = 3000
TOKEN_LIVES_MS = 15 * 60_000
NONCE_LIVES_MS = 5 * 60_000
KEPT_REQUESTS = 10_000
TURNS_TO_REGISTER = 1000
"""Turns of the event loop in which the bot requests and sends its commands."""
LAUNCHED = 12
"""The type of the answer that launches it."""
LAUNCHES = 4
"""The type of the command that launches an Activity."""

_CALLBACK = re.compile(r'\{"type":(\d+)(?:,"data":(.*))?\}', re.DOTALL)
_FLAGS = re.compile(r'"flags":(\d+)')
_NONCE = re.compile(r'"nonce":"([^"]*)"')
"""The bot's JSON is compact and quotes in texts are escaped, so these find the keys without parsing."""


class Where(Enum):
    """The place and installation of users' actions."""

    SERVER = "server"
    FOREIGN_SERVER = "foreign_server"
    """A server without the bot, by a user installation, like the following."""
    DIRECT_MESSAGE = "direct_message"
    GROUP = "group"

    @property
    def context(self) -> int:
        """Discord's number for it."""
        return {Where.DIRECT_MESSAGE: 1, Where.GROUP: 2}.get(self, 0)

    @property
    def by_user(self) -> bool:
        """True where the one who acts has installed the application, and no server has."""
        return self is not Where.SERVER


class Standin:
    """Discord, as far as this bot meets it. ``hook`` is asked about every request and may let it fail."""

    def __init__(
        self,
        *,
        now_ms: Callable[[], int],
        machine_ms: Callable[[], int] | None = None,
        hook: Hook | None = None,
        answer_within_ms: int = ANSWER_WITHIN_MS,
        faces: bool = True,
        kept_requests: int = KEPT_REQUESTS,
    ) -> None:
        self.now_ms = now_ms
        self.limits = Limits(now_ms)
        self._machine_ms = machine_ms or now_ms
        self.hook = hook
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.requests: deque[Request] = deque(maxlen=kept_requests)
        """The latest, oldest first."""
        self.counts: Counter[str] = Counter()
        """Number of requests of each kind so far."""
        self.installs: dict[str, Any] = {"0": {}, "1": {}}
        """The application's installation settings: servers and users."""
        self.where = Where.SERVER
        """The place of users' future actions."""
        self.commands: list[Json] = []
        """As the bot has synced them."""
        self.activities = Activities()
        self.bot: commands.AutoShardedBot | None = None
        self._answer_within_ms = answer_within_ms
        self.gateway_delay_seconds = 0.0
        """Delay of users' actions on the way to the bot."""
        self._emojis = [self._emoji(emoji_name(name), BOT_ID + place) for place, name in enumerate(FACE_NAMES)]
        if not faces:
            self._emojis.clear()
        self._last_id = 0
        self._sent: dict[str, Sent] = {}
        self.delivered: deque[Mapping[str, Any]] = deque(maxlen=50)
        """The latest interactions, which can be delivered again."""
        self._nonces: dict[str, tuple[Message, int]] = {}
        self._stack = ExitStack()
        self.closing = AsyncExitStack()
        """Resources closed after the bot, last in, first out."""

    @property
    def connected(self) -> bool:
        """True while a bot hears of what happens."""
        return self.bot is not None

    # the world

    def user(self, number: int, *, locale: str = "en-US", manager: bool = False) -> User:
        """The person with this number."""
        return User(USER_IDS + number, locale, manager)

    def guild(self, number: int, *, locale: str = "en-US", features: Sequence[str] = ()) -> Guild:
        """The server with this number; the first call makes it and, once the bot runs, invites the bot."""
        found = self.guilds.get(GUILD_IDS + number)
        if found is None:
            found = self.guilds[GUILD_IDS + number] = Guild(GUILD_IDS + number, locale, tuple(features))
            if self.connected:
                self.feed("GUILD_CREATE", found.payload)
        return found

    def channel(self, guild: Guild, number: int) -> Channel:
        """A server's channel with this number; the first call makes it."""
        id = CHANNEL_IDS + (guild.id - GUILD_IDS) * CHANNELS_PER_GUILD + number
        found = guild.channels.get(id)
        if found is None:
            found = guild.channels[id] = self.channels[id] = Channel(id, guild)
            if self.connected:
                self.feed("CHANNEL_CREATE", found.payload)
        return found

    def add_emoji(self, name: str) -> None:
        """Give the application one more emoji."""
        self._emojis.append(self._emoji(name, self._next_id()))

    def clear_emojis(self) -> None:
        """Take all emojis from the application."""
        self._emojis.clear()

    @property
    def emoji_names(self) -> list[str]:
        """The application's emojis."""
        return [emoji["name"] for emoji in self._emojis]

    def remove_guild(self, guild: Guild) -> None:
        """Throw the bot out of a server."""
        del self.guilds[guild.id]
        for channel in guild.channels:
            del self.channels[channel]
        self.feed("GUILD_DELETE", {"id": str(guild.id)})

    def hide_channel(self, channel: Channel, *, hidden: bool = True) -> list[asyncio.Task[Any]]:
        """Show a channel only to managers of the server, or to everyone again; returns the tasks that handle it."""
        channel.hidden = hidden
        return self.feed("CHANNEL_UPDATE", channel.payload)

    def remove_channel(self, channel: Channel) -> list[asyncio.Task[Any]]:
        """Delete a channel; returns the tasks that handle it."""
        del self.channels[channel.id], channel.guild.channels[channel.id]
        return self.feed("CHANNEL_DELETE", channel.payload)

    def tidy(self, *, older_than_ms: int = TOKEN_LIVES_MS) -> None:
        """Forget private messages that the bot can reach no more: only their owners may still look at them."""
        oldest = discord.utils.time_snowflake(_moment(self.now_ms() - older_than_ms))
        for channel in self.channels.values():
            for message in [m for m in channel.messages.values() if m.owner is not None and m.id < oldest]:
                del channel.messages[message.id]

    def forget(self) -> None:
        """Forget requests and what could still be answered by their tokens."""
        self.requests.clear()
        self._sent.clear()
        self._nonces.clear()

    # the bot

    async def start(self, bot: commands.AutoShardedBot) -> None:
        """Log the bot in and connect it; returns when it is ready."""
        self._stack.enter_context(discord_clock(self._machine_ms))
        state = bot._connection
        # No guild comes late here: readiness waits for none.
        state.guild_ready_timeout = 0
        bot.shard_count = state.shard_count = 1
        state.shard_ids = [0]
        gateway: Any = self
        state._get_websocket = lambda *_, **__: gateway
        session = Session(self._carry_out, self._asked, self.limits)

        async def static_login(token: str) -> Any:
            http: Any = bot.http
            http.token = token
            http._HTTPClient__session = session
            http._global_over = asyncio.Event()
            http._global_over.set()
            return await http.request(discord.http.Route("GET", "/users/@me"))

        bot.http.static_login = static_login  # type: ignore[method-assign]
        await bot.login("standin")
        self.bot = bot
        unavailable = [{"id": str(guild), "unavailable": True} for guild in self.guilds]
        application = {"id": str(BOT_ID), "flags": 0}
        self.feed("READY", {"user": BOT_USER, "guilds": unavailable, "application": application, "shard": [0, 1]})
        for guild in self.guilds.values():
            self.feed("GUILD_CREATE", guild.payload)
        await bot.wait_until_ready()
        for _ in range(TURNS_TO_REGISTER):  # in the background; where that fails, those of before stay
            if self.commands:
                break
            await asyncio.sleep(0)

    async def stop(self) -> None:
        """Stop the bot. The channels keep their contents."""
        bot, self.bot = self.bot, None
        self._sent.clear()
        try:
            if bot is not None:
                await bot.close()
        finally:
            self._stack.close()
            await self.closing.aclose()

    def feed(self, event: str, payload: Mapping[str, Any]) -> list[asyncio.Task[Any]]:
        """Hand a gateway event to discord.py's parser of it; returns the tasks that handle it."""
        assert self.bot is not None, "no bot is connected"
        if event == "INTERACTION_CREATE":
            self.delivered.append(payload)
        loop = asyncio.get_running_loop()
        usual = loop.get_task_factory()
        made: list[asyncio.Task[Any]] = []

        def make(loop: asyncio.AbstractEventLoop, coro: Any, **options: Any) -> Any:
            task: Any = usual(loop, coro, **options) if usual else asyncio.Task(coro, loop=loop, **options)
            made.append(task)
            return task

        loop.set_task_factory(make)
        try:
            self.bot._connection.parsers[event](payload)
        finally:
            loop.set_task_factory(usual)
        return made

    # users' actions

    def press(self, user: User, message: Message, custom_id: str, *, values: Sequence[str] | None = None) -> Sent:
        """Press a button of a message, or choose ``values`` in its menu. Any custom id is delivered, seen or not."""
        data: Json = {"custom_id": custom_id, "component_type": BUTTON if values is None else SELECT}
        if values is not None:
            data["values"] = list(values)
        return self._send(COMPONENT, user, message.channel, data, pressed=message)

    def slash(self, user: User, channel: Channel, command: str, **options: Any) -> Sent:
        """Type a command such as ``ofc play``."""
        return self._send(COMMAND, user, channel, self._command(command, options))

    def launch(self, user: User, channel: Channel) -> Sent:
        """Use the command that Discord adds for an Activity, where its owner lets the application answer it."""
        return self._send(COMMAND, user, channel, {"id": str(BOT_ID), "name": "launch", "type": LAUNCHES})

    def suggest(self, user: User, channel: Channel, command: str, option: str, typed: str, **options: Any) -> Sent:
        """Begin to type an option that completes itself; ``choices`` has what is offered."""
        return self._send(AUTOCOMPLETE, user, channel, self._command(command, {**options, option: typed}, option))

    def submit(self, asked: Sent, *texts: str) -> Sent:
        """Fill in the form that answered ``asked``, field by field, and send it; menus that get nothing stay as is."""
        assert asked.form is not None, "no form was shown"
        written = iter(texts)
        components = [
            {"type": part["type"], "id": number}
            if part["type"] == TEXT_DISPLAY
            else {"type": part["type"], "id": number, "component": _submitted(part["component"], next(written, ""))}
            for number, part in enumerate(asked.form["components"], start=1)
        ]
        data = {"custom_id": asked.form["custom_id"], "components": components}
        return self._send(MODAL, asked.user, asked.channel, data, pressed=asked.pressed)

    def _command(self, path: str, options: Mapping[str, Any], focused: str = "") -> Json:
        root, *steps = path.split()
        node = next(command for command in self.commands if command["name"] == root)
        data: Json = {"id": node["id"], "name": root, "type": 1, "options": []}
        inner: list[Json] = data["options"]
        for step in steps:
            node = next(option for option in node["options"] if option["name"] == step)
            inner.append({"name": step, "type": node["type"], "options": []})
            inner = inner[0]["options"]
        types = {option["name"]: option["type"] for option in node.get("options", ())}
        for name, given in options.items():
            value = str(given.id) if isinstance(given, User) else given
            if isinstance(given, User):
                data.setdefault("resolved", {}).setdefault("users", {})[value] = given.payload
            inner.append({"name": name, "type": types[name], "value": value, "focused": name == focused})
        return data

    def _send(self, kind: int, user: User, channel: Channel, data: Json, *, pressed: Message | None = None) -> Sent:
        self._forget_expired()
        id = self._next_id()
        sent = Sent(id=id, token=f"t{id}", kind=kind, user=user, channel=channel, pressed=pressed)
        sent.custom_id = str(data.get("custom_id", ""))
        sent.sent_at_ms = self.now_ms()
        self._sent[sent.token] = sent
        permissions = EVERYTHING if user.manager else DEFAULT_PERMISSIONS & ~MANAGE_GUILD
        payload: Json = {
            "id": str(id),
            "application_id": str(BOT_ID),
            "type": kind,
            "token": sent.token,
            "version": 1,
            "data": data,
            "guild_id": str(channel.guild.id),
            "channel_id": str(channel.id),
            "channel": channel.payload,
            "member": {"user": user.payload, "roles": [], "flags": 0, "permissions": str(permissions)},
            "locale": user.locale,
            "guild_locale": channel.guild.locale,
            "app_permissions": str(channel.bot_permissions),
            "entitlements": [],
            "authorizing_integration_owners": {"1": str(user.id)}
            if self.where.by_user
            else {"0": str(channel.guild.id)},
            "context": self.where.context,
            "attachment_size_limit": 10_485_760,
        }
        if self.where in (Where.DIRECT_MESSAGE, Where.GROUP):
            payload["user"] = payload.pop("member")["user"]
            payload["channel"] = {"id": str(channel.id), "type": 1 if self.where is Where.DIRECT_MESSAGE else 3}
            del payload["guild_id"], payload["guild_locale"]
        sent.by_user = self.where.by_user
        if pressed is not None:
            payload["message"] = json.loads(pressed.payload())
        if self.gateway_delay_seconds:
            sent.arrives(lambda: self.feed("INTERACTION_CREATE", payload), after_seconds=self.gateway_delay_seconds)
        else:
            sent.handled_by(self.feed("INTERACTION_CREATE", payload))
        return sent

    def _forget_expired(self) -> None:
        oldest = self.now_ms() - TOKEN_LIVES_MS
        while self._sent and (first := next(iter(self._sent.values()))).sent_at_ms < oldest:
            del self._sent[first.token]
        while self._nonces and next(iter(self._nonces.values()))[1] < self.now_ms() - NONCE_LIVES_MS:
            del self._nonces[next(iter(self._nonces))]

    # the bot's requests

    def _asked(self, request: Request) -> Fault | None:
        self.requests.append(request)
        self.counts[request.kind] += 1
        return self.hook(request) if self.hook else None

    def _carry_out(self, request: Request) -> str:
        _, first, *rest_of = request.path.split("/")
        match request.method, first, *rest_of:
            case "POST", "interactions", _, token, "callback":
                return self._call_back(token, request.body)
            case "POST", "channels", channel, "messages":
                return self._post(self._channel(channel), request.body).payload()
            case "GET", "channels", channel, "messages":
                there = self._channel(channel)
                newest = reversed(there.public()[-int(request.query["limit"]) :] if there.guild.reads_history else [])
                return "[" + ",".join(message.payload() for message in newest) + "]"
            case "GET", "channels", channel, "messages", message:
                if not self._channel(channel).guild.reads_history:
                    raise RefusedError(403, rest.MISSING_PERMISSIONS)
                return self._message(channel, message).payload()
            case "PATCH", "channels", channel, "messages", message:
                return self._edit(self._message(channel, message), request.body)
            case "DELETE", "channels", channel, "messages", message:
                return self._delete(self._message(channel, message))
            case "PATCH", "webhooks", _, token, "messages", message:
                return self._edit(self._answer_of(token, message), request.body)
            case "DELETE", "webhooks", _, token, "messages", message:
                return self._delete(self._answer_of(token, message))
            case "GET", "webhooks", _, token, "messages", message:
                return self._answer_of(token, message).payload()
            case "POST", "webhooks", _, token:
                return self._follow_up(token, request.body)
            case "POST", "channels", channel, "threads":
                return json.dumps(self._make_thread(self._channel(channel), request.json).payload)
            case "POST", "channels", channel, "messages", message, "threads":
                below = self._message(channel, message)
                return json.dumps(self._make_thread(below.channel, request.json, id=below.id).payload)
            case "GET", "channels", channel:
                return json.dumps(self._channel(channel).payload)
            case "PATCH", "channels", thread:
                return json.dumps(self._change_thread(self._channel(thread), request.json).payload)
            case _, "guilds", guild, *about:
                return json.dumps(self._in_guild(self._guild(guild), request, about))
            case _:
                return json.dumps(self._about_the_bot(request))

    def _about_the_bot(self, request: Request) -> Any:
        match request.method, request.path.strip("/").split("/"):
            case "GET", ["users", "@me"]:
                return self.activities.who(request) if request.authorization else BOT_USER
            case "POST", ["oauth2", "token"]:
                return self.activities.exchange(request)
            case "GET", ["applications", _, "activity-instances", name]:
                return self.activities.instance(name)
            case "GET", ["oauth2", "applications", "@me"]:
                about = {"description": "", "icon": None, "bot_public": True, "bot_require_code_grant": False}
                return {
                    "id": str(BOT_ID),
                    "name": "Chaipo",
                    "owner": BOT_USER,
                    "verify_key": "",
                    **about,
                    "integration_types_config": self.installs,
                }
            case "GET", ["applications", *_, "commands"]:
                return self.commands
            case "PUT", ["applications", *_, "commands"]:
                self.commands = self._overwritten(request.json)
                return self.commands
            case "GET", ["applications", _, "emojis"]:
                return {"items": self._emojis}
            case "POST", ["applications", _, "emojis"]:
                self.add_emoji(request.json["name"])
                return self._emojis[-1]
            case "GET", ["applications", _, "emojis", emoji]:
                return self._known_emoji(emoji)
            case "PATCH", ["applications", _, "emojis", emoji]:
                self._known_emoji(emoji)["name"] = request.json["name"]
                return self._known_emoji(emoji)
            case "DELETE", ["applications", _, "emojis", emoji]:
                self._emojis = [known for known in self._emojis if known["id"] != emoji]
                return None
            case _:
                raise AssertionError(f"the stand-in does not know {request.method} {request.path}")

    def _known_emoji(self, id: str) -> Json:
        found = next((emoji for emoji in self._emojis if emoji["id"] == id), None)
        if found is None:
            raise RefusedError(404, rest.UNKNOWN_EMOJI)
        return found

    def _overwritten(self, said: Sequence[Json]) -> list[Json]:
        """The commands after all of them were sent, among which has to be the one that launches an Activity."""
        own = {"application_id": str(BOT_ID), "version": "1"}
        launches = {command["id"] for command in self.commands if command["type"] == LAUNCHES}
        if not launches <= {command.get("id") for command in said if command["type"] == LAUNCHES}:
            raise RefusedError(400, rest.LAUNCH_LEFT_OUT)
        # An entry of a message's menu has no description, and Discord says so.
        return [{"description": "", "id": str(self._next_id()), **command, **own} for command in said]

    def _guild(self, id: str) -> Guild:
        guild = self.guilds.get(int(id))
        if guild is None:
            raise RefusedError(404, rest.UNKNOWN_GUILD)
        return guild

    def _in_guild(self, guild: Guild, request: Request, about: Sequence[str]) -> Any:
        match request.method, *about:
            case "GET", "threads", "active":
                return {"threads": [thread.payload for thread in guild.threads()], "members": []}
            case "GET", "members", user:
                return self._member(guild, int(user))
            case "PUT", "members", user, "roles", role:
                guild.roles.setdefault(int(user), set()).add(int(role))
                return None
            case "DELETE", "members", user, "roles", role:
                guild.roles[int(user)].discard(int(role))
                return None
            case "GET", "scheduled-events":
                return list(guild.calendar.values())
            case "POST", "scheduled-events":
                return self._schedule(guild, request.json)
            case "GET", "scheduled-events", event, "users":
                known = guild.interested.get(int(event), [])
                after = int(request.query.get("after", 0))
                return [{"guild_scheduled_event_id": event, "user": u.payload} for u in known if u.id > after]
            case "GET", "scheduled-events", event:
                return _scheduled(guild, event)
            case "PATCH", "scheduled-events", event:
                return self._reschedule(_scheduled(guild, event), request.json)
            case _:
                raise AssertionError(f"the stand-in does not know {request.method} {request.path}")

    def _member(self, guild: Guild, user: int) -> Json:
        if user < USER_IDS or user >= BOT_ID or user in guild.left:
            raise RefusedError(404, rest.UNKNOWN_MEMBER)
        roles = [str(role) for role in guild.roles.get(user, ())]
        about = {"roles": roles, "joined_at": None, "deaf": False, "mute": False, "flags": 0, "nick": None}
        return {"user": User(user).payload, **about}

    def members_chunk(self, guild_id: int, user_ids: int | str | Sequence[int | str]) -> Json:
        """Return what the gateway answers to a question about members."""
        members, not_found = list[Json](), list[str]()
        for user in [user_ids] if isinstance(user_ids, int | str) else user_ids:
            try:
                members.append(
                    self._bot_member() if int(user) == BOT_ID else self._member(self.guilds[guild_id], int(user))
                )
            except RefusedError:
                not_found.append(str(user))
        chunk = {"guild_id": str(guild_id), "members": members, "chunk_index": 0, "chunk_count": 1}
        return chunk | ({"not_found": not_found} if not_found else {})

    @staticmethod
    def _bot_member() -> Json:
        return {"user": BOT_USER, "roles": [], "joined_at": None, "deaf": False, "mute": False, "flags": 0}

    async def request_chunks(self, guild_id: int, *, user_ids: Sequence[int], nonce: str, **options: Any) -> None:
        """Answer a question about members, as the connection that discord.py asks over would."""
        chunk = self.members_chunk(guild_id, user_ids) | {"nonce": nonce}
        # discord.py waits for the answer only once the question has left.
        asyncio.get_running_loop().call_later(0.001, self._deliver_chunk, chunk)

    def _deliver_chunk(self, chunk: Json) -> None:
        if self.connected:
            self.feed("GUILD_MEMBERS_CHUNK", chunk)

    # threads

    def _make_thread(self, channel: Channel, body: Json, *, id: int | None = None) -> Channel:
        """Make a thread. ``id`` is the message that it's below; a message has one thread at most, with its id."""
        assert channel.parent is None, "threads have no threads"
        if id in self.channels:
            raise RefusedError(400, rest.THREAD_EXISTS)
        id = self._next_id() if id is None else id
        thread = Channel(id, channel.guild, name=body["name"], parent=channel)
        channel.guild.channels[id] = self.channels[id] = thread
        if self.connected:
            self.feed("THREAD_CREATE", thread.payload)
        return thread

    def _change_thread(self, thread: Channel, body: Json) -> Channel:
        thread.archived = bool(body.get("archived", thread.archived))
        if self.connected:
            self.feed("THREAD_UPDATE", thread.payload)
        return thread

    def remove_thread(self, thread: Channel) -> list[asyncio.Task[Any]]:
        """Delete a thread; returns the tasks that handle it."""
        assert thread.parent is not None
        del self.channels[thread.id], thread.guild.channels[thread.id]
        ids = {"id": thread.id, "guild_id": thread.guild.id, "parent_id": thread.parent.id}
        return self.feed("THREAD_DELETE", {**{name: str(id) for name, id in ids.items()}, "type": 11})

    # scheduled events

    def _schedule(self, guild: Guild, body: Json) -> Json:
        if _milliseconds(body["scheduled_start_time"]) <= self.now_ms():
            raise RefusedError(400, rest.INVALID_FORM)
        check_recurrence(body)
        id = self._next_id()
        own = {"id": str(id), "guild_id": str(guild.id), "channel_id": None, "creator_id": str(BOT_ID), "status": 1}
        image = {"image": "cover" if body.get("image") else None}
        guild.calendar[id] = {"description": None, "entity_id": None, **body, **own, **image}
        return guild.calendar[id]

    @staticmethod
    def _reschedule(event: Json, body: Json) -> Json:
        """Change a scheduled event; its status goes from 1 to 2 or 4, and from 2 to 3, and nowhere else."""
        status = body.get("status", event["status"])
        if event["status"] > 2 or (event["status"], status) not in ((1, 1), (2, 2), (1, 2), (1, 4), (2, 3)):
            raise RefusedError(400, rest.FINISHED_EVENT)
        if event["status"] == 2 and "recurrence_rule" in body:
            raise RefusedError(400, rest.INVALID_FORM)
        check_recurrence({**event, **body})
        event.update(body)
        if status == 3:
            go_on(event)
        return event

    @staticmethod
    def _emoji(name: str, id: int) -> Json:
        return {"id": str(id), "name": name, "roles": [], "require_colons": True, "managed": False, "animated": False}

    def _next_id(self) -> int:
        """A snowflake of this moment, greater than all before."""
        self._last_id = max(self._last_id + 1, (self.now_ms() - discord.utils.DISCORD_EPOCH) << 22)
        return self._last_id

    def _channel(self, id: str) -> Channel:
        channel = self.channels.get(int(id))
        if channel is None:
            raise RefusedError(404, rest.UNKNOWN_CHANNEL)
        return channel

    def _message(self, channel: str, id: str) -> Message:
        return _known(self._channel(channel).messages.get(int(id)))

    def _post(self, channel: Channel, body: str, *, sent: Sent | None = None, flags: int | None = None) -> Message:
        """Post a message; one with the nonce of a moment ago is that message, as Discord has it.

        A nonce is its author's, in whatever channel; that of a message that is gone is refused.
        """
        self._forget_expired()
        nonce = _NONCE.search(body) if sent is None and '"enforce_nonce":true' in body else None
        if nonce and (known := self._nonces.get(nonce[1])):
            return _standing(known[0])
        body = _with_attachments(body)
        if '"poll":' in body and (read := json.loads(body)).get("poll"):
            body = json.dumps(polls.taken(read, self.now_ms()), separators=(",", ":"))
        if flags is None:
            found = _FLAGS.search(body)
            flags = int(found[1]) if found else 0
        owner = sent.user.id if sent is not None and flags & EPHEMERAL else None
        metadata = "" if sent is None else _metadata(sent)
        message = Message(self._next_id(), channel, body, owner, flags, metadata)
        channel.messages[message.id] = message
        if owner is None and '"allowed_mentions":' in body:
            self._notify(channel, json.loads(body))
        if nonce:
            self._nonces[nonce[1]] = message, self.now_ms()
        return message

    @staticmethod
    def _notify(channel: Channel, body: Json) -> None:
        """Add to a thread the people that a message in it notifies."""
        assert not unnamed(body), f"allowed, and not named in the text: {unnamed(body)} in {body}"
        channel.members.update(notified(body))

    def _edit(self, message: Message, body: str) -> str:
        message.write(_with_attachments(body))
        message.flags &= ~LOADING
        return message.payload()

    @staticmethod
    def _delete(message: Message) -> str:
        del message.channel.messages[message.id]
        return ""

    # answers to interactions

    def _call_back(self, token: str, body: str) -> str:
        sent = self._sent.get(token)
        if sent is None or self.now_ms() - sent.sent_at_ms > self._answer_within_ms:
            raise RefusedError(404, rest.UNKNOWN_INTERACTION)
        if sent.acknowledged:
            raise RefusedError(400, rest.ALREADY_ANSWERED)
        match = _CALLBACK.fullmatch(body)
        assert match is not None, body
        kind, data = int(match[1]), match[2] or "{}"
        if data == "null":
            data = "{}"
        self._answer(sent, kind, data)
        sent.acknowledge(kind)
        about = {"id": str(sent.id), "type": sent.kind, "response_message_loading": kind == 5}
        if sent.answer is not None:
            private = sent.answer.owner is not None
            about |= {"response_message_id": str(sent.answer.id), "response_message_ephemeral": private}
        resource = f'{{"type":{kind},"message":{sent.answer.payload()}}}' if sent.answer and kind in (4, 7) else ""
        if kind == LAUNCHED:
            resource = json.dumps({"type": kind, "activity_instance": {"id": sent.instance}})
        return f'{{"interaction":{json.dumps(about)}' + (f',"resource":{resource}}}' if resource else "}")

    def _answer(self, sent: Sent, kind: int, data: str) -> None:
        match kind:
            case 4:
                sent.answer = self._post(sent.channel, data, sent=sent)
            case 5:
                flags = int(json.loads(data).get("flags", 0)) | LOADING
                sent.answer = self._post(sent.channel, "{}", sent=sent, flags=flags)
            case 6:
                sent.answer = sent.pressed
            case 7:
                sent.answer = _standing(_known(sent.pressed))
                sent.answer.write(_with_attachments(data))
            case 8:
                sent.choices = json.loads(data)["choices"]
            case 9:
                sent.form = json.loads(data)
            case code if code == LAUNCHED:
                assert data == "{}", "a launch says nothing"
                sent.instance = self.activities.join(sent.user, sent.channel)
            case _:
                raise AssertionError(f"the stand-in does not know callbacks of type {kind}")

    def _living(self, token: str) -> Sent:
        sent = self._sent.get(token)
        if sent is None or self.now_ms() - sent.sent_at_ms > TOKEN_LIVES_MS:
            raise RefusedError(401, rest.TOKEN_EXPIRED)
        if not sent.acknowledged:
            raise RefusedError(404, rest.UNKNOWN_WEBHOOK)
        return sent

    def _answer_of(self, token: str, message: str) -> Message:
        sent = self._living(token)
        if message == "@original":
            return _standing(_known(sent.answer))
        return _known(sent.channel.messages.get(int(message)))

    def _follow_up(self, token: str, body: str) -> str:
        sent = self._living(token)
        if sent.by_user and len(sent.followups) >= MAX_FOLLOWUPS:
            raise RefusedError(400, rest.INVALID_FORM)
        sent.followups.append(self._post(sent.channel, body, sent=sent))
        return sent.followups[-1].payload()


def _scheduled(guild: Guild, event: str) -> Json:
    if int(event) not in guild.calendar:
        raise RefusedError(404, rest.UNKNOWN_SCHEDULED_EVENT)
    return guild.calendar[int(event)]


def _milliseconds(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp() * 1000)


def _known(message: Message | None) -> Message:
    if message is None:
        raise RefusedError(404, rest.UNKNOWN_MESSAGE)
    return message


def _standing(message: Message) -> Message:
    return _known(message.channel.messages.get(message.id))


def _metadata(sent: Sent) -> str:
    about = {"id": str(sent.id), "type": sent.kind, "user": sent.user.payload}
    return json.dumps({**about, "authorizing_integration_owners": {}}, separators=(",", ":"))


def _with_attachments(body: str) -> str:
    """The body with its files as Discord gives them back: at an address."""
    if '"attachments":' not in body:
        return body
    read = json.loads(body)
    read["attachments"] = [_attached(file) for file in read["attachments"] if "filename" in file]
    return json.dumps(read, separators=(",", ":"))


def _attached(file: Json) -> Json:
    address = f"attachment://{file['filename']}"
    return {"id": str(file["id"]), "filename": file["filename"], "size": 0, "url": address, "proxy_url": address}


def _submitted(field: Json, given: str) -> Json:
    sent: Json = {"type": field["type"], "custom_id": field["custom_id"]}
    if field["type"] == TEXT_INPUT:
        return {**sent, "value": given}
    chosen = [option["value"] for option in field.get("options", ()) if option.get("default")]
    chosen += [one["id"] for one in field.get("default_values", ())]
    values = [given] if given else chosen
    return {**sent, "value": next(iter(values), None)} if field["type"] == RADIOS else {**sent, "values": values}


def _moment(milliseconds: int) -> Any:
    return discord.utils.snowflake_time((milliseconds - discord.utils.DISCORD_EPOCH) << 22)


def custom_ids(message: Message, verb: str = "") -> Iterable[str]:
    """The custom ids of a message's enabled controls, of those that do ``verb``."""
    for control in message.controls():
        custom_id = str(control["custom_id"])
        if not control.get("disabled") and verb in ("", custom_id.split(":")[1]):
            yield custom_id
