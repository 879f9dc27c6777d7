"""The playground's page: one channel of the simulated server in a browser, on the wall clock."""

# What SimCord keeps to itself has no public door, and pyproject.toml pins the release that this was read in.
# ruff: noqa: SLF001

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final, TypeAlias, cast

import discord
from aiohttp import web
from simcord import SetupError
from simcord._settlement import _is_parked
from simcord.actors import _component_interaction
from simcord.backend.models import Overwrite
from simcord.enums import ComponentType, OverwriteType
from simcord.preview import Preview, _require_preview_runtime
from simcord.preview._action_plans import _component_key, _component_paths
from simcord.preview._actions import _Action
from simcord.preview._pages import _Page
from simcord.preview._server import PreviewServer

from bot.playground.simulated_server import (
    GUILD_LOCALE,
    PEOPLE,
    SETTLE_SECONDS,
    BuildBot,
    SimulatedClock,
    SimulatedServer,
    running,
)

__all__ = ["ClubPage", "SetupError", "open_page", "require_page"]

LEAP_SECONDS: Final = 60.0
"""Time that is passed second by second; what is more (a laptop slept) is skipped, as it is for a real bot."""
CLOSE_SECONDS: Final = 0.5
TAPE_LENGTH: Final = 2_000
KEPT_DRAWINGS: Final = 32

_log = logging.getLogger(__name__)


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def open_page(
    build_bot: BuildBot,
    *,
    port: int,
    faces: Mapping[str, bytes],
    wall_ms: Callable[[], int] = _wall_ms,
    settle_seconds: float = SETTLE_SECONDS,
) -> AsyncIterator["ClubPage"]:
    """The world in the browser, on the wall clock. Raises `SetupError` when it cannot have the port."""
    clock = SimulatedClock(wall_ms())
    async with running(build_bot, clock, people=PEOPLE, faces=faces, settle_seconds=settle_seconds) as world:
        page = ClubPage(world, port=port, wall_ms=wall_ms)
        async with page:
            yield page


def require_page() -> None:
    """Raise `ImportError` when SimCord was installed without what its page needs."""
    try:
        _require_preview_runtime()
    except SetupError as error:
        raise ImportError(str(error)) from error


class _Tape(deque[Any]):
    """The latest of what happened, and how much ever did."""

    def __init__(self, begun: Sequence[Any]) -> None:
        super().__init__(begun, maxlen=TAPE_LENGTH)
        self.total = len(begun)

    def append(self, happened: Any) -> None:
        self.total += 1
        super().append(happened)


Components: TypeAlias = list[dict[str, Any]]


class ClubPage(Preview):
    """The page: one channel, seen by whom the browser chooses. Many browsers may look and press at once.

    SimCord publishes a page only to whoever pressed, and refuses a press on an older drawing and a press while
    something runs. Here presses wait for their turn, and one on an older drawing is delivered as Discord does it:
    with the custom id that was on the button.
    """

    def __init__(self, world: SimulatedServer, *, port: int, wall_ms: Callable[[], int]) -> None:
        super().__init__(
            world.env,
            world.channel,
            tuple(world.members.values()),
            layout="channel",
            display="responsive",
            width=960,
            height=720,
            locale=GUILD_LOCALE,
            timezone=_timezone(),
            presentation_time=None,
            assets=None,
            port=port,
        )
        self.world = world
        self._wall_ms = wall_ms
        self._server = _Door(self, port)
        self._turn = asyncio.Lock()
        self._drawn: dict[str, deque[tuple[int, dict[int, Components]]]] = {}
        self._published: dict[str, int] = {}
        backend = world.env.backend
        # The page shows one channel and no threads: the bot is told so by the permission that it does not have.
        no_threads = discord.Permissions(create_public_threads=True).value
        bot = Overwrite(target_id=backend.bot_user.id, type=OverwriteType.MEMBER, allow=0, deny=no_threads)
        backend.set_overwrite(world.channel.id, bot)
        self._tape = _Tape(backend.transcript)
        backend.transcript = cast("list[Any]", self._tape)
        backend.http_requests = cast("list[Any]", deque(maxlen=TAPE_LENGTH))

    @property
    def address(self) -> str:
        """Where the page is; the door adds the secret that its requests need."""
        return f"{self._origin}/"

    async def catch_up(self) -> None:
        """Bring the simulated clock to the wall clock, and the pages to what happened on the way."""
        async with self._turn:
            await self._pass_time()

    async def republish(self) -> None:
        """Draw the pages again on which something may have changed, also in the middle of a long operation."""
        for page in tuple(self._pages.values()):
            news = self._published.get(page.id) != self._tape.total or page.status == "stale"
            if page is not self._python and news:
                self._publish(page, reason="refresh")

    async def tidy(self) -> None:
        """Forget what nobody can ask for any more: SimCord would keep it until the end."""
        async with self._turn:
            backend = self.env.backend
            now = backend.now_iso()
            for record in tuple(backend.interactions.values()):
                if record.expires_at is not None and record.expires_at <= now:
                    del backend.interactions[record.id], backend.interaction_tokens[record.token]
            self.world.pictures.forget()
            self.env._errors.clear()
            self.env._error_ids.clear()
            for gone in self._drawn.keys() - self._pages.keys():
                del self._drawn[gone], self._published[gone]

    async def _pass_time(self) -> None:
        behind = max(0.0, (self._wall_ms() - self.world.now_ms()) / 1000)
        if behind > LEAP_SECONDS:
            self.env.backend.advance_clock(behind - LEAP_SECONDS)
            behind = LEAP_SECONDS
        try:
            await self.env.advance_time(behind)
        except TimeoutError as error:
            self._let_go(str(error))
        await self.republish()

    def _let_go(self, why: str) -> None:
        """Wait no more for the tasks that are busy now, so that the next press is not slow too."""
        _log.warning("Waited %g s in vain: %s", self.env.settle_timeout, why)
        state = self.env._settlement_state()
        now = asyncio.get_running_loop().time()
        for task in tuple(self.env._work.tasks):
            if not task.done() and not _is_parked(state, task, now):
                self.env._work.external_waits[task] = "busy too long"

    def _publish(self, page: _Page, *, reason: Any = "action") -> None:
        self._advance_presentation_time()
        super()._publish(page, reason=reason)
        page.snapshot["profile"]["locale"] = self.world.locale_of(page.viewer.id)
        self._published[page.id] = self._tape.total
        drawings = self._drawn.setdefault(page.id, deque(maxlen=KEPT_DRAWINGS))
        drawings.append((page.revision, self._drawing(page)))

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with self._turn:
            await self._pass_time()
            result = await super()._action(context_id, self._brought_up(context_id, body))
            if result.get("settlement") == "timeout":
                self._let_go("the bot is still busy with the last press")
            await self.republish()
            return result

    def _brought_up(self, context_id: str | None, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The same wish, made on the page as it is now."""
        page = self._pages.get(context_id or "")
        seen = body.get("published_revision") if isinstance(body, Mapping) else None
        if page is None or not isinstance(seen, int) or seen == page.revision:
            return body
        current = {**body, "published_revision": page.revision}
        if body.get("kind") not in {"click", "select"}:
            return current
        target, key = str(body.get("target_id")), body.get("control_key")
        message_id = int(target) if target.isdecimal() else 0
        drawn = dict(self._drawn.get(page.id, ())).get(seen, {})
        before = _component_at(drawn.get(message_id, []), message_id, key)
        now = _component_at(self._drawing(page).get(message_id, []), message_id, key)
        if now is not None and not now.get("disabled") and _id_of(now) == _id_of(before):
            return current
        return body if before is None else {**current, "pressed": _Pressed(before)}

    def _drawing(self, page: _Page) -> dict[int, Components]:
        return {message.id: message.components for message in self.env.backend.messages[page.channel_id].values()}

    def _prepare_action(self, page: _Page, kind: str, body: Mapping[str, Any]) -> Any:
        pressed = body.get("pressed")
        if not isinstance(pressed, _Pressed):  # Whatever else a browser may send under that name.
            return super()._prepare_action(page, kind, body)
        message = self._target_message(page, self._target_id(body["target_id"], page.viewer))
        data = self._as_sent(page, pressed.component, body)

        async def run(action: _Action, cursor: int) -> dict[str, Any]:
            sent = _component_interaction(page.viewer, message, data)
            return await self._run_interaction_action(page, action, cursor, sent)

        return run

    def _as_sent(self, page: _Page, component: dict[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
        data: dict[str, Any] = {key: component[key] for key in ("id", "custom_id") if key in component}
        data["component_type"] = component["type"]
        if component["type"] == ComponentType.STRING_SELECT:
            key, values = body.get("control_key"), body.get("values")
            data["values"] = self._select_values(page, None, values, key, component_override=component)
        elif component["type"] != ComponentType.BUTTON or "custom_id" not in component:
            raise SetupError("what was pressed is no longer there")
        return data


@dataclass(frozen=True, slots=True)
class _Pressed:
    """A component as it was when it was pressed: its message has been drawn again since."""

    component: dict[str, Any]


def _component_at(components: Components, message_id: int, key: Any) -> dict[str, Any] | None:
    """The component that SimCord's page knows by this key."""
    for index, root in enumerate(components):
        for path, component in _component_paths(root, str(index)):
            if _component_key(component, path, message_id) == key:
                return cast("dict[str, Any]", component)
    return None


def _id_of(component: dict[str, Any] | None) -> Any:
    return None if component is None else component.get("custom_id")


DOOR: Final = """\
history.replaceState(null, "", "#%s");
const sizes = [["second", 1, 60], ["minute", 60, 3600], ["hour", 3600, 86400], ["day", 86400, 604800],
  ["week", 604800, Infinity]];
setInterval(() => {
  for (const time of document.querySelectorAll("time[data-style=R]")) {
    const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000;
    const [unit, size] = sizes.find(([, , limit]) => Math.abs(seconds) < limit);
    const words = new Intl.RelativeTimeFormat(time.dataset.locale, { numeric: "auto" });
    time.textContent = words.format(Math.round(seconds / size), unit);
  }
}, 1000);
"""
"""Lets in whoever opens the plain address, and makes countdowns move: SimCord draws them once, with the message."""

REWORDED: Final = {
    "/": (
        "<title>SimCord Preview</title>",
        '<title>Chaipo playground</title><script src="/door.js"></script>',
    ),
    "/text.js": (
        'const time = node("time", "discord-timestamp", rendered);',
        'const time = node("time", "discord-timestamp", rendered);'
        ' time.ariaLive = "off"; Object.assign(time.dataset, { style, locale: options.locale || "en-US" });',
    ),
}
"""What SimCord serves and what we serve instead, by path."""


class _Door(PreviewServer):
    """SimCord's server, with a door to the plain address."""

    _STATIC_FILES: ClassVar[dict[str, str]] = {**PreviewServer._STATIC_FILES, "/door.js": "door.js"}

    async def close(self) -> None:
        if self.runner is not None:
            self.runner._shutdown_timeout = CLOSE_SECONDS
        await super().close()

    async def _static(self, request: web.Request) -> web.Response:
        if request.path == "/door.js":
            return self._door(request)
        response: web.Response = await super()._static(request)
        if request.path in REWORDED and response.text is not None:
            response.text = response.text.replace(*REWORDED[request.path])
        return response

    def _door(self, request: web.Request) -> web.Response:
        """The secret, for our own page alone: a page from elsewhere may not load it."""
        if request.headers.get("Host", "") not in self._allowed_hosts():
            raise web.HTTPForbidden
        headers = {**self._SECURITY_HEADERS, "Cross-Origin-Resource-Policy": "same-origin"}
        return web.Response(text=DOOR % self.preview.capability, content_type="application/javascript", headers=headers)


def _timezone() -> str:
    """The machine's time zone, as far as whole hours name it; the sign is the other way round in these names."""
    offset = datetime.now().astimezone().utcoffset() or timedelta()
    hours, rest = divmod(offset, timedelta(hours=1))
    return "UTC" if rest or not hours else f"Etc/GMT{-hours:+d}"
