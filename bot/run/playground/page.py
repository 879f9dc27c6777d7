"""The playground's page: one channel of the simulated server in a browser, on the wall clock."""

# SimCord has no public interface for these internals, so pyproject.toml pins the release they were taken from.
# ruff: noqa: SLF001

import asyncio
import json
import logging
import secrets
import time
from base64 import b64encode
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final, cast

import discord
from aiohttp import web
from simcord import InteractionResult, SetupError
from simcord._settlement import _is_parked
from simcord.actors import _component_interaction
from simcord.backend.models import Overwrite
from simcord.enums import ComponentType, OverwriteType
from simcord.interactions import command_leaves
from simcord.preview import Preview, _require_preview_runtime
from simcord.preview._actions import _Action
from simcord.preview._pages import _Page
from simcord.preview._server import PreviewServer
from typing_extensions import override

from bot.play.api.alarm_runner import AlarmRunner
from bot.play.trainer.judging import Judging
from bot.run.playground import browser  # noqa: F401  (SimCord draws bold words as Discord does from now on)
from bot.run.playground.bold_words import draw_bold_words
from bot.run.playground.browser import DOOR, REWORDED
from bot.run.playground.drawn_components import Components, PressedComponent, component_at, id_of, localised
from bot.run.playground.guests import GUESTS
from bot.run.playground.menu_actions import MenuActions
from bot.run.playground.page_proxy import ROUTES, PageProxy
from bot.run.playground.scaled_clock import ScaledClock, going_on
from bot.run.playground.simulated_server import (
    GUILD_LOCALE,
    PEOPLE,
    ROLES,
    BuildBot,
    SimulatedClock,
    SimulatedServer,
    running,
)
from bot.text.languages import ENGLISH, LANGUAGES, Language
from bot.text.words import Words, words_for
from bot.web.accepted_language import ANY, accepted_language

__all__ = ["ChannelPage", "SetupError", "open_page", "require_page"]

LEAP_SECONDS: Final = 60.0
"""Maximum time that passes second by second. A longer gap (a suspended laptop) is skipped, as in the real bot."""
CLOSE_SECONDS: Final = 0.5
ANSWER_SECONDS: Final = 3.0
"""Maximum wait for the result of a press, as in Discord. A later result is shown when it arrives."""
CLOCK_SECONDS: Final = 1.0
"""Maximum time that the clock waits for the bot. Presses wait for the clock."""
LIVELY_SECONDS: Final = 0.2
ANSWER_SECONDS_LIVELY: Final = 0.4
"""Both limits while guests play, because the bot is almost never idle then. A missing answer is still awaited."""
EVENING: Final = "X-Chaipo-Evening"
"""Header of requests from the page's own menu, which need it because SimCord's server has no path for them."""
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
    language: Language = ENGLISH,
    wall_ms: Callable[[], int] = _wall_ms,
    settle_seconds: float = ANSWER_SECONDS,
) -> AsyncIterator["ChannelPage"]:
    """Open the simulated server in the browser, on the wall clock. Raises `SetupError` if the port isn't available.

    `language` is that of the server and its owner. If it's English, the first browser may set another one.
    """
    clock = SimulatedClock(wall_ms())
    async with running(
        going_on(build_bot, clock),
        clock,
        people=PEOPLE,
        faces=faces,
        settle_seconds=settle_seconds,
        locale=_locale_of(language),
        guests=GUESTS,
        roles=ROLES,
        before=_work_in_the_background,
    ) as world:
        page = ChannelPage(world, port=port, faces=faces, language=language, wall_ms=wall_ms)
        async with page:
            yield page


def _work_in_the_background(world: SimulatedServer) -> None:
    """Let no start or press wait for what the bot computes while it's idle."""
    world.wait_not_for(Judging._work)


def require_page() -> None:
    """Raise `ImportError` if SimCord's dependencies for its page aren't installed."""
    try:
        _require_preview_runtime()
    except SetupError as error:
        raise ImportError(str(error)) from error


class _EventBuffer(deque[Any]):
    """The latest events, and the number of all events so far."""

    def __init__(self, begun: Sequence[Any]) -> None:
        super().__init__(begun, maxlen=TAPE_LENGTH)
        self.total = len(begun)

    @override
    def append(self, happened: Any) -> None:
        self.total += 1
        super().append(happened)


class ChannelPage(Preview):
    """The page of one channel, seen by the member chosen in the browser. Several browsers may use it at the same time.

    SimCord publishes a page only to the browser that pressed, and refuses presses on older drawings or while something
    is running. Here, presses wait for their turn. A press on an older drawing is delivered like in Discord, with the
    custom id that the button had.
    """

    def __init__(
        self,
        world: SimulatedServer,
        *,
        port: int,
        faces: Mapping[str, bytes],
        language: Language,
        wall_ms: Callable[[], int],
    ) -> None:
        draw_bold_words()
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
        world.wait_not_for(AlarmRunner._think)
        self._wall = ScaledClock(wall_ms, at=world.now_ms())
        self._evening = MenuActions(
            getattr(world.env.bot, "services", None), self._wall, guild=world.guild.id, now_ms=world.now_ms
        )
        self._language = language
        self._asked_for = language is not ENGLISH
        self._turn = asyncio.Lock()
        world.env.is_answered = self._is_answered
        world.env.answer_seconds = world.env.settle_timeout
        self.bot_pages = PageProxy(world, doing=self._in_its_time)
        self._server = _PageServer(self, port, faces)
        self._drawn: dict[str, deque[tuple[int, dict[int, Components]]]] = {}
        self._published: dict[str, int] = {}
        backend = world.env.backend
        # The page shows one channel without threads, so events prepared for threads get none either.
        cast("Any", world.env.bot).has_threads = False
        no_threads = discord.Permissions(create_public_threads=True).value
        bot = Overwrite(target_id=backend.bot_user.id, type=OverwriteType.MEMBER, allow=0, deny=no_threads)
        backend.set_overwrite(world.channel.id, bot)
        self._tape = _EventBuffer(backend.transcript)
        backend.transcript = cast("list[Any]", self._tape)
        backend.http_requests = cast("list[Any]", deque(maxlen=TAPE_LENGTH))

    @property
    def address(self) -> str:
        """The page's address. The script adds the secret that its requests need."""
        return f"{self._origin}/"

    async def catch_up(self) -> None:
        """Advance the simulated clock to the wall clock, and update the pages."""
        async with self._turn:
            await self._pass_time()

    async def entertain(self) -> None:
        """Let guests perform their due actions. Presses may come between two steps."""
        async with self._turn:
            if self._wall.hastened:
                await self._pass_time()  # in small steps, so that the bot's clocks keep up
            with self.env.time_context():
                await self._evening.step()

    @asynccontextmanager
    async def _in_its_time(self) -> AsyncIterator[None]:
        async with self._turn:
            await self._pass_time()
            with self.env.time_context():
                yield

    async def ask(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out a request from the page's own menu, which is about guests or the clock speed. Returns the reply."""
        if "table" in asked:
            return {"token": self.bot_pages.token(asked["table"])}
        if "clock" in asked:
            return self._wall.told()
        async with self._in_its_time():
            return await self._evening.ask(asked, words_for(self._language.code))

    async def hear(self, accepted: str) -> None:
        """Use the language of the first browser (*Accept-Language*) if the bot was started with English.

        English is only the machine's default. A request that names no language comes from a health check, not from a
        browser.
        """
        if self._asked_for or not accepted.strip(f" {ANY}"):
            return
        self._asked_for = True
        self._language = LANGUAGES[accepted_language(accepted, ENGLISH.code)]
        if self._language is not ENGLISH:
            async with self._turn:
                self.world.speak(_locale_of(self._language))
                await self._pass_time()

    def script(self) -> str:
        """Return the page's texts in its language, keyed by SimCord's texts, as JSON."""
        words, english = words_for(self._language.code), words_for(ENGLISH.code)
        keys = [key for key in english.entries if key.startswith("playground.page.")]
        told = {around(key, english): around(key, words) for key in keys}
        said = {"lang": self._language.code, "thinking": words("playground.thinking"), "words": told}
        said["table"] = words("playground.table")
        return json.dumps(said | {"evening": self._evening.menu(words)})

    def commands_for_locale(self, context_id: str | None, catalog: dict[str, Any]) -> dict[str, Any]:
        """Translate the list of commands for the reader, because SimCord only lists them in English."""
        page = self._get_page(context_id)
        locale = self.world.locale_of(page.viewer.id)
        commands = self.env.backend.visible_commands(user_id=page.viewer.id, channel_id=page.channel_id)
        known = {(str(one["id"]), *path): leaf for one in commands for path, leaf in command_leaves(one)}
        for entry in catalog["entries"]:
            leaf = known[entry["commandId"], *entry["path"]]
            entry["description"] = localised(leaf, "description", locale)
            for shown, option in zip(entry["options"], leaf.get("options") or [], strict=True):
                shown["label"] = localised(option, "name", locale)
                shown["description"] = localised(option, "description", locale)
                for offered, choice in zip(shown["choices"], option.get("choices") or [], strict=True):
                    offered["name"] = localised(choice, "name", locale)
        return catalog

    def look(self, context_id: str | None) -> None:
        """Redraw a page being viewed if something may have changed. Pages poll twice a second."""
        page = self._pages.get(context_id or "")
        if page is None or page is self._python or page.pinned_snapshot is not None:
            return
        if self._published.get(page.id) != self._tape.total or page.status == "stale":
            self._publish(page, reason="refresh")

    async def tidy(self) -> None:
        """Drop data that can no longer be requested. SimCord would keep it until the end."""
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
        behind = max(0.0, (self._wall.now_ms() - self.world.now_ms()) / 1000)
        if behind > LEAP_SECONDS:
            self.env.backend.advance_clock(behind - LEAP_SECONDS)
            behind = LEAP_SECONDS
        try:
            with self._at_most(LIVELY_SECONDS if self._evening.lively else CLOCK_SECONDS):
                await self.env.advance_time(behind)
        except TimeoutError as error:
            self._stop_waiting(str(error))

    @contextmanager
    def _at_most(self, seconds: float) -> Iterator[None]:
        """Wait for at most ``seconds`` instead of the usual time for an answer."""
        usual = self.env.settle_timeout
        self.env.settle_timeout = min(usual, seconds)
        try:
            yield
        finally:
            self.env.settle_timeout = usual

    def _stop_waiting(self, why: str) -> None:
        """Stop waiting for the busy tasks, so that the next press isn't slow too."""
        _log.debug("Stopped waiting after %g s: %s", self.env.settle_timeout, why)
        state = self.env._settlement_state()
        now = asyncio.get_running_loop().time()
        for task in tuple(self.env._work.tasks):
            if not task.done() and not _is_parked(state, task, now):
                self.env._work.external_waits[task] = "busy too long"

    def _is_answered(self) -> bool:
        """True once the running press has its answer, even if the bot is busy with something else."""
        asked = self._active_action.interaction if self._active_action else None
        if asked is None or not asked.responded:
            return False
        self._stop_waiting("the bot has answered, and is busy with something else")
        return True

    @override
    def _refresh_action_receipts(self, page: _Page) -> None:
        """Record an answer that came after the receipt's timeout.

        Otherwise, the page would keep showing an unknown outcome.
        """
        super()._refresh_action_receipts(page)
        action = page.latest_action
        asked = action.interaction if action else None
        if action is None or asked is None or not asked.responded:
            return
        if action.response is None or action.response["settlement"] != "timeout":
            return
        action.uncertain = False
        told: dict[str, Any] = {
            "settlement": "settled",
            "acknowledgement": "deferred" if asked.deferred else "acknowledged",
            "uncertain": False,
            "diagnostics": [],
        }
        for receipt in (action.response, page.last_action, *page.activity):
            if isinstance(receipt, dict) and receipt.get("correlation") == action.correlation:
                receipt.update(told)
        if asked.modal is not None and not asked.modal_consumed:
            page.modal = InteractionResult(self.env, asked)
            page.modal_handle = f"m_{secrets.token_urlsafe(12)}"

    @override
    def _publish(self, page: _Page, *, reason: Any = "action") -> None:
        self._advance_presentation_time()
        super()._publish(page, reason=reason)
        page.snapshot["profile"]["locale"] = self.world.locale_of(page.viewer.id)
        self._published[page.id] = self._tape.total
        drawings = self._drawn.setdefault(page.id, deque(maxlen=KEPT_DRAWINGS))
        drawings.append((page.revision, self._drawing(page)))

    @override
    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with self._turn:
            await self._pass_time()
            self.look(context_id)
            with self._at_most(ANSWER_SECONDS_LIVELY if self._evening.lively else self.env.settle_timeout):
                result = await super()._action(context_id, self._brought_up(context_id, body))
            if result.get("settlement") == "timeout":
                self._stop_waiting("the bot is still busy with the last press")
            return result

    def _brought_up(self, context_id: str | None, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the same request for the current drawing of the page."""
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
        before = component_at(drawn.get(message_id, []), message_id, key)
        now = component_at(self._drawing(page).get(message_id, []), message_id, key)
        if now is not None and not now.get("disabled") and id_of(now) == id_of(before):
            return current
        return body if before is None else {**current, "pressed": PressedComponent(before)}

    def _drawing(self, page: _Page) -> dict[int, Components]:
        return {message.id: message.components for message in self.env.backend.messages[page.channel_id].values()}

    @override
    def _prepare_action(self, page: _Page, kind: str, body: Mapping[str, Any]) -> Any:
        pressed = body.get("pressed")
        if not isinstance(pressed, PressedComponent):  # a browser may send anything under this name
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


class _PageServer(PreviewServer):
    """SimCord's server, which also serves the page at its plain address."""

    _STATIC_FILES: ClassVar[dict[str, str]] = {
        **PreviewServer._STATIC_FILES,
        **dict.fromkeys(("/door.js", *ROUTES), "door.js"),
    }

    preview: "ChannelPage"

    def __init__(self, page: "ChannelPage", port: int, faces: Mapping[str, bytes]) -> None:
        super().__init__(page, port)
        self._faces = json.dumps({name: b64encode(png).decode() for name, png in faces.items()})

    @override
    async def start(self) -> None:
        await super().start()
        self.preview.bot_pages.serve_at(f"http://127.0.0.1:{self.port}")

    @override
    async def close(self) -> None:
        self.preview.bot_pages.close()
        if self.runner is not None:
            self.runner._shutdown_timeout = CLOSE_SECONDS
        await super().close()

    @override
    async def _static(self, request: web.Request) -> web.StreamResponse:
        if request.path == "/door.js":
            return self._door(request)
        if request.match_info.route.resource is not None and request.match_info.route.resource.canonical in ROUTES:
            return await self.preview.bot_pages.answer(request, hosts=self._allowed_hosts)
        response: web.Response = await super()._static(request)
        if request.path == "/":
            await self.preview.hear(request.headers.get("Accept-Language", ""))
        for old, new in REWORDED.get(request.path, ()):
            response.text = (response.text or "").replace(old, new)
        return response

    @override
    async def _pages(self, request: web.Request) -> Any:
        """Open a page, or answer a request from the page's own menu."""
        if EVENING in request.headers and self._authorized(request):
            asked = await request.json()
            told = await self.preview.ask(asked if isinstance(asked, dict) else {})
            return web.json_response(told, headers=self._SECURITY_HEADERS)
        return await super()._pages(request)

    @override
    async def _commands(self, request: web.Request) -> web.Response:
        response: web.Response = await super()._commands(request)
        if response.status == 200:
            catalog = json.loads(response.text or "{}")
            told = self.preview.commands_for_locale(request.headers.get("X-Simcord-Context"), catalog)
            response.text = json.dumps(told)
        return response

    @override
    async def _state(self, request: web.Request) -> Any:
        if self._authorized(request, context=(context := request.headers.get("X-Simcord-Context"))):
            self.preview.look(context)
        return await super()._state(request)

    def _door(self, request: web.Request) -> web.Response:
        """Return the script with the secret. Pages from other origins can't load it."""
        if request.headers.get("Host", "") not in self._allowed_hosts():
            raise web.HTTPForbidden
        headers = {**self._SECURITY_HEADERS, "Cross-Origin-Resource-Policy": "same-origin"}
        told = {"secret": self.preview.capability, "told": self.preview.script(), "faces": self._faces}
        return web.Response(text=DOOR % told, content_type="application/javascript", charset="utf-8", headers=headers)


def around(key: str, words: Words) -> str:
    """Return one of the page's own texts. ``{n}`` stays as SimCord's placeholder for a number or a name."""
    return words(key, n="{n}") if words.takes(key, "n") else words(key)


def _locale_of(language: Language) -> str:
    """Return a language's Discord locale."""
    return GUILD_LOCALE if language is ENGLISH else language.locales[0]


def _timezone() -> str:
    """Return the machine's time zone if its offset is in whole hours. The signs in these names are reversed.

    Captures of the page are in it. A browser shows times in its own.
    """
    offset = datetime.now().astimezone().utcoffset() or timedelta()
    hours, rest = divmod(offset, timedelta(hours=1))
    return "UTC" if rest or not hours else f"Etc/GMT{-hours:+d}"
