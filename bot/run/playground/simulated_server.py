"""A simulated Discord with its members and its clock, built on internals of SimCord 3.2.1.

SimCord is made for tests. Its ids come from its clock, the clock doesn't move, all users have en-US, and concurrent
operations are refused. Here, the club has the same ids in every run, because the database outlives the run. The clock
follows the wall clock, users have a language, and presses wait while something is running.
"""

# SimCord has no public interface for these internals, so pyproject.toml pins the release they were taken from.
# ruff: noqa: SLF001

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import CodeType, FrameType, MappingProxyType, SimpleNamespace
from typing import Any, Final, TypeAlias, cast

import discord
from simcord import ChannelHandle, Env, GuildHandle, MemberActor, RoleHandle, UserHandle, components, env, gateway
from simcord._clock import Clock as SimcordClock
from simcord._dpy_internals import tasks_loop_sleep
from simcord._runtime import _CallbackRecord
from simcord._settlement import _owned_tasks, _SettlementState, _virtualize_recognized_waits
from simcord.backend.cdn import CDN_BASE, CdnStore
from simcord.backend.errors import invalid_form_body
from simcord.backend.models import Channel, Message, Role, User
from simcord.backend.ops.base import BackendBase
from simcord.enums import ChannelType, MessageType
from simcord.http import router
from simcord.http.router import _ROUTES, Handler, RequestContext
from typing_extensions import override

__all__ = ["PEOPLE", "ROLES", "BuildBot", "SimulatedMember", "SimulatedServer", "running", "simulated"]

BuildBot: TypeAlias = Callable[[Callable[[], int]], discord.Client | Awaitable[discord.Client]]
"""Function that builds the bot, not yet logged in, from its clock (ms since the Unix epoch)."""

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
START_MS: Final = 1_767_225_600_000
"""Start of the clock in tests: 1 January 2026, 00:00 UTC."""

GUILD_ID: Final = 1_096_000_000_000_000_001
CHANNEL_ID: Final = 1_096_000_000_000_000_002
GUILD_LOCALE: Final = "en-US"

SETTLE_SECONDS: Final = 5.0
"""Maximum time that SimCord waits for the bot after a press. It waits for timers that are due before then."""
LOOK_SECONDS: Final = 0.005
"""SimCord's interval for polling whether the bot is idle. It polls because database work isn't a task."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedMember:
    """A member of the club. The first one owns the server."""

    id: int
    name: str
    shown: str
    locale: str


PEOPLE: Final = (
    SimulatedMember(id=1_096_000_000_000_000_011, name="alice", shown="Alice", locale="en-US"),
    SimulatedMember(id=1_096_000_000_000_000_012, name="bob", shown="Bob", locale="en-GB"),
    SimulatedMember(id=1_096_000_000_000_000_013, name="hanako", shown="花子 Hanako", locale="ja"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedRole:
    """A role of the club, and the names of its members."""

    id: int
    name: str
    members: frozenset[str] = frozenset()
    mentionable: bool = False


ROLES: Final = (
    SimulatedRole(id=1_096_000_000_000_000_021, name="Organisers", members=frozenset({"bob"})),
    SimulatedRole(id=1_096_000_000_000_000_022, name="Event fans", members=frozenset({"hanako"}), mentionable=True),
    SimulatedRole(id=1_096_000_000_000_000_023, name="Champion"),
)
"""Roles of the playground: for organisers, for pings, and as a prize."""


class SimulatedClock(SimcordClock):
    """SimCord's clock with a chosen start. It only moves when it's advanced."""

    def __init__(self, start_ms: int) -> None:
        super().__init__()
        self._epoch = EPOCH + timedelta(milliseconds=start_ms)

    def now_ms(self) -> int:
        return (self.now() - EPOCH) // timedelta(milliseconds=1)

    def begin_at(self, ms: int) -> None:
        """Move the start to a later time before anything has happened."""
        self._epoch += max(timedelta(), timedelta(milliseconds=ms - self.now_ms()))


class _Env(Env):
    """SimCord's environment with a shorter polling interval. The original 50 ms are longer than most writes."""

    _state: _SettlementState | None = None
    answer_seconds = 0.0
    """Time to wait for the answer to a press, if it's longer than ``settle_timeout``."""

    is_answered: Callable[[], bool] | None = None
    """Returns True if the running press has its answer even though the bot isn't idle."""

    @override
    async def _settle_internal(self, **how: Any) -> None:
        assert self._loop is not None
        how["idle"] = LOOK_SECONDS
        if how.get("timeout") is not None:
            # SimCord passes its own 5 seconds at the start, which a busy machine may exceed.
            how["timeout"] = max(how["timeout"], self.settle_timeout)
        until = self._loop.time() + self.answer_seconds
        while True:
            try:
                await super()._settle_internal(**how)
            except TimeoutError:
                if how.get("dispatch") != "INTERACTION_CREATE" or self.is_answered is None:
                    raise
                if not self.is_answered():
                    if self._loop.time() < until:
                        continue
                    raise
            return

    @override
    def _settlement_state(self) -> _SettlementState:
        """Return the cached state unless it has changed, because SimCord asks once per task and poll."""
        now, state = self._virtual_time, self._state
        if (
            state is None
            or (state.virtual_time, state.advancing, state.generation, state.last_dispatch)
            != (now, self._advancing, self._generation, self._last_dispatch)
            or state.bot is not self.bot
            or state.loop is not self._loop
        ):
            state = self._state = super()._settlement_state()
        return state


class SimulatedServer:
    """A simulated Discord with one server, one channel and its members, and the bot that will join it.

    `members` are keyed by name, in the order in which they joined.
    """

    def __init__(
        self,
        bot: discord.Client,
        clock: SimulatedClock,
        *,
        people: Sequence[SimulatedMember],
        faces: Mapping[str, bytes],
        settle_seconds: float,
        locale: str = GUILD_LOCALE,
        guests: Sequence[SimulatedMember] = (),
        roles: Sequence[SimulatedRole] = (),
    ) -> None:
        sharded = isinstance(bot, discord.AutoShardedClient) and bot.shard_count is None
        self.env = _Env(bot, settle_timeout=settle_seconds, shard_count=1 if sharded else None)
        self._clock = clock
        self._owner = people[0].id
        self._locales = {person.id: person.locale for person in people} | {self._owner: locale}
        # The bot and its application were created at SimCord's fixed start, so their ids never change either.
        self.env.backend.clock = clock
        self.env.backend.bot_user.name = "Chaipo"
        self.env.backend.cdn = self.pictures = _Pictures(self.env.backend, faces)
        self.env.backend.subscribers.append(self._translate)
        _leave_out_notices(self.env.backend)
        self.env._work.external_waits = self._waits = _IdleWaits()
        handles = [self._move_in(person) for person in people]
        self.guild: GuildHandle = self.env.create_guild(
            "Chaipo Club", id=GUILD_ID, owner=handles[0], preferred_locale=locale
        )
        self.channel: ChannelHandle = self._open_channel()
        made = [(role, self._make_role(role)) for role in roles]
        self.members: dict[str, MemberActor] = {
            user.name: self.guild.add_member(user, roles=[handle for role, handle in made if user.name in role.members])
            for user in handles
        }
        for guest in guests:
            self.guild.add_member(self._move_in(guest))

    def now_ms(self) -> int:
        return self._clock.now_ms()

    def member(self, name: str, *, locale: str = GUILD_LOCALE) -> MemberActor:
        """Add a member, whose id comes from the clock."""
        user = self.env.create_user(name)
        self._locales[user.id] = locale
        self.members[name] = self.guild.add_member(user)
        return self.members[name]

    def locale_of(self, user_id: int) -> str:
        return self._locales.get(user_id, GUILD_LOCALE)

    def speak(self, locale: str) -> None:
        """Change the language of the server and its owner. Other members keep theirs."""
        self._locales[self._owner] = locale
        self.env.backend.edit_guild(self.guild.id, {"preferred_locale": locale})

    def wait_not_for(self, coroutine: Callable[..., Any]) -> None:
        """Don't wait for the bot's tasks that run ``coroutine``, such as the turns of computer players."""
        self._waits.resting.add(coroutine.__code__)

    async def pass_time(self, seconds: float) -> None:
        """Advance the clock. Deadlines in between are handled at their own times."""
        await self.env.advance_time(seconds)

    def _move_in(self, person: SimulatedMember) -> UserHandle:
        backend = self.env.backend
        user = User(id=backend.reserve_id(person.id), name=person.name, global_name=person.shown)
        backend.users[user.id] = user
        return UserHandle(self.env, user)

    def _open_channel(self) -> ChannelHandle:
        backend = self.env.backend
        channel = Channel(
            id=backend.reserve_id(CHANNEL_ID), type=ChannelType.TEXT, name="card-room", guild_id=self.guild.id
        )
        backend.channels[channel.id] = channel
        backend.messages[channel.id] = {}
        backend.get_guild(self.guild.id).channel_ids.append(channel.id)
        return ChannelHandle(self.env, self.guild, channel)

    def _make_role(self, role: SimulatedRole) -> RoleHandle:
        """Create a role below all others, with an id that's the same after a restart."""
        backend = self.env.backend
        others = backend.get_guild(self.guild.id).roles
        for other in others.values():
            other.position += other.position > 0  # @everyone stays at the bottom
        made = Role(id=backend.reserve_id(role.id), name=role.name, position=1, mentionable=role.mentionable)
        others[made.id] = made
        return RoleHandle(self.env, self.guild, made)

    def _translate(self, event: str, payload: Mapping[str, Any]) -> None:
        """Add the user's language and the bot's installer to an interaction.

        The installer is the server or, in direct messages, the user. This subscriber is the first, so the bot hasn't
        read the payload yet.
        """
        if event != "INTERACTION_CREATE":
            return
        told = cast("dict[str, Any]", payload)
        user = told["member"]["user"] if "member" in told else told["user"]
        told["locale"] = self._locales.get(int(user["id"]), GUILD_LOCALE)
        owner = {"0": told["guild_id"]} if "guild_id" in told else {"1": user["id"]}
        told["authorizing_integration_owners"] = told["authorizing_integration_owners"] or owner
        if "0" in told["authorizing_integration_owners"]:
            told["guild_locale"] = self.env.backend.get_guild(int(told["guild_id"])).preferred_locale


@asynccontextmanager
async def simulated(
    build_bot: BuildBot | discord.Client,
    *,
    people: Sequence[SimulatedMember] = PEOPLE,
    faces: Mapping[str, bytes] = MappingProxyType({}),
    start_ms: int = START_MS,
    settle_seconds: float = SETTLE_SECONDS,
    before: Callable[[SimulatedServer], None] = lambda world: None,
) -> AsyncIterator[SimulatedServer]:
    """Run a simulated server for tests. It has no page, and time passes only with `pass_time`.

    `before` is called with the server before the bot joins. At the end, it closes the bot and raises a group of the
    bot's errors that haven't been read from `env.errors`.
    """
    clock = SimulatedClock(start_ms)
    async with running(
        build_bot, clock, people=people, faces=faces, settle_seconds=settle_seconds, before=before
    ) as world:
        yield world
    world.env._raise_errors_since(world.env._errors_acknowledged)


@asynccontextmanager
async def running(
    build_bot: BuildBot | discord.Client,
    clock: SimulatedClock,
    *,
    people: Sequence[SimulatedMember],
    faces: Mapping[str, bytes],
    settle_seconds: float,
    locale: str = GUILD_LOCALE,
    guests: Sequence[SimulatedMember] = (),
    roles: Sequence[SimulatedRole] = (),
    before: Callable[[SimulatedServer], None] = lambda world: None,
) -> AsyncIterator[SimulatedServer]:
    """Run the bot on a simulated Discord for as long as the block lasts."""
    built = build_bot if isinstance(build_bot, discord.Client) else build_bot(clock.now_ms)
    bot = await built if inspect.isawaitable(built) else built
    world = SimulatedServer(
        bot,
        clock,
        people=people,
        faces=faces,
        settle_seconds=settle_seconds,
        locale=locale,
        guests=guests,
        roles=roles,
    )
    async with AsyncExitStack() as stack:
        stack.push_async_callback(_leave, world.env)
        stack.push_async_callback(_close_bot, world.env)
        before(world)
        await world.env.start()
        await _sync_commands(world.env)
        yield world


async def _sync_commands(env: Env) -> None:
    """Sync the commands.

    Unsynced commands are invisible, and the bot may have skipped the sync because of an earlier run.
    """
    tree = getattr(env.bot, "tree", None)
    if tree is not None and tree.get_commands() and not env.backend.commands:
        await tree.sync()


async def _close_bot(env: Env) -> None:
    with env.time_context():
        await env.bot.close()


async def _leave(env: Env) -> None:
    try:
        await env.shutdown()
    except TimeoutError as error:
        _log.warning("%s", error)


def _without_rules(handler: Handler) -> Handler:
    """Return a route for scheduled events that refuses recurrence rules, which SimCord doesn't support.

    Discord refuses unsupported rules in the same way, and the bot then announces a single date.
    """

    def answer(context: RequestContext) -> Any:
        body = context.body()
        if body.get("recurrence_rule") is not None:
            raise invalid_form_body("recurrence_rule is not simulated")
        context.json = {name: value for name, value in body.items() if name != "recurrence_rule"}
        return handler(context)

    return answer


for _routes in (_ROUTES["POST"], _ROUTES["PATCH"]):
    _routes[:] = [
        (path, _without_rules(handler) if "scheduled-events" in path else handler) for path, handler in _routes
    ]


def _leave_out_notices(backend: BackendBase) -> None:
    """Post no notice about a thread below a message. Discord does so only if the message is old."""
    create: Callable[..., Message] = backend.create_system_message  # type: ignore[attr-defined]

    def created(channel: int, kind: MessageType, author: int, **about: Any) -> Message | None:
        if kind is MessageType.THREAD_CREATED and about.get("referenced_message_id") is not None:
            return None
        return create(channel, kind, author, **about)

    backend.create_system_message = created  # type: ignore[attr-defined]


class _Pictures(CdnStore):
    """SimCord's images, plus those of the application emojis, which SimCord accepts but doesn't store."""

    def __init__(self, backend: BackendBase, faces: Mapping[str, bytes]) -> None:
        super().__init__()
        self._backend = backend
        self._faces = faces

    @override
    def get(self, url: str) -> bytes | None:
        emoji_id = url.removeprefix(f"{CDN_BASE}/emojis/").removesuffix(".png")
        if not emoji_id.isdecimal():
            return super().get(url)
        emoji = self._backend.application_emojis.get(int(emoji_id))
        return None if emoji is None else self._faces.get(emoji.name)

    def forget(self) -> None:
        """Drop the files of messages that were deleted or redrawn."""
        messages = [message for channel in self._backend.messages.values() for message in channel.values()]
        shown = {attachment["url"] for message in messages for attachment in message.attachments}
        self._blobs = {url: blob for url, blob in self._blobs.items() if "/attachments/" not in url or url in shown}


_WORKERS_REST: Final = {asyncio.Queue.get.__code__, asyncio.Event.wait.__code__}


class _IdleWaits(dict["asyncio.Task[Any]", str]):
    """Answers SimCord's query whether a task is waiting on purpose, as a worker without work does.

    Otherwise a worker waiting for a queue or an event would be an unknown wait, and every press would time out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.resting = set(_WORKERS_REST)
        self.asleep: dict[asyncio.Task[Any], asyncio.Future[Any]] = {}
        """Tasks that were waiting on purpose at the last poll, with the future that each is waiting for."""

    @override
    def __contains__(self, task: object) -> bool:
        return super().__contains__(task) or (isinstance(task, asyncio.Task) and _rests(task, self.resting))

    @override
    def get(self, task: "asyncio.Task[Any]", default: Any = None) -> Any:
        return super().get(task) or ("a worker without work" if _rests(task, self.resting) else default)


def _sleeps(task: "asyncio.Task[Any]") -> bool:
    """True if the task is only waiting for time to pass."""
    frames = list(_frames(task))
    return bool(frames) and frames[-1].f_code is asyncio.sleep.__code__


def _awake(state: _SettlementState) -> list["asyncio.Task[Any]"]:
    """Return the bot's tasks that may have work. SimCord examines each of them with all timers.

    A task that is waiting on purpose isn't examined again until its future is done.
    """
    waits = state.work.external_waits
    if not isinstance(waits, _IdleWaits):
        return _owned_tasks(state)
    awake: list[asyncio.Task[Any]] = []
    asleep: dict[asyncio.Task[Any], asyncio.Future[Any]] = {}
    for task in state.work.tasks:
        waiter: asyncio.Future[Any] | None = getattr(task, "_fut_waiter", None)
        if waiter is None or waiter.done():
            if not task.done():
                awake.append(task)
        elif waits.asleep.get(task) is waiter:
            asleep[task] = waiter
        elif state.advancing and _sleeps(task):
            # While time is advanced, only due timers wake tasks, and SimCord checks those.
            continue
        elif any(frame.f_code is asyncio.wait_for.__code__ for frame in _frames(task)):
            # Python 3.11 runs a wait with a timeout in a separate task.
            awake.append(task)
        elif task in waits or tasks_loop_sleep(task, waiter):
            # From now on, its timeout follows the simulated clock, as SimCord requires.
            _virtualize_recognized_waits(state, [task])
            asleep[task] = waiter
        else:
            awake.append(task)
    waits.asleep = asleep
    return awake


# A record is in only one list until it has run, so identity is enough, and comparing fields would waste time.
_CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign]


def _copy_json(value: Any) -> Any:
    """Copy JSON data quickly, because SimCord copies each message more than once. Other values use `deepcopy`."""
    kind = type(value)
    if kind is dict:
        return {
            name: inner if type(inner) in _COPIED_AS_THEY_ARE else _copy_json(inner) for name, inner in value.items()
        }
    if kind is list:
        return [_copy_json(inner) for inner in value]
    return value if kind in _COPIED_AS_THEY_ARE else deepcopy(value)


_COPIED_AS_THEY_ARE: Final = frozenset((str, int, bool, float, type(None)))
_COPIES: Final = SimpleNamespace(deepcopy=_copy_json)
_OURS: Final = (
    (env, "_owned_tasks", _awake),
    (components, "deepcopy", _copy_json),
    (router, "copy", _COPIES),
    (gateway, "copy", _COPIES),
)
for _module, _name, _ours in _OURS:
    if not hasattr(_module, _name):
        raise ImportError(f"this SimCord is not supported: {_module.__name__} has no {_name}")
    setattr(_module, _name, _ours)


def _rests(task: "asyncio.Task[Any]", resting: Collection[CodeType]) -> bool:
    for frame in _frames(task):
        if frame.f_code in resting:
            return True
        # Python 3.11 runs a wait with a timeout in a separate task.
        inner = frame.f_locals.get("fut") if frame.f_code is asyncio.wait_for.__code__ else None
        if isinstance(inner, asyncio.Task):
            return _rests(inner, resting)
    return False


def _frames(task: "asyncio.Task[Any]") -> Iterator[FrameType]:
    """Yield the frames of a suspended task, outermost first."""
    awaited: Any = task.get_coro()
    while (frame := getattr(awaited, "cr_frame", None)) is not None:
        yield frame
        awaited = awaited.cr_await
