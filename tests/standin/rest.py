"""The wire: stands in for aiohttp's session, below discord.py's own handling of limits, retries and errors."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from copy import copy
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Any

from discord.http import Route
from multidict import CIMultiDict

from tests.discord.messages import notified
from tests.standin.limits import Limits, Verdict
from tests.standin.things import Json

UNKNOWN_CHANNEL = 10003
UNKNOWN_GUILD = 10004
UNKNOWN_MEMBER = 10007
UNKNOWN_MESSAGE = 10008
UNKNOWN_EMOJI = 10014
UNKNOWN_WEBHOOK = 10015
UNKNOWN_INTERACTION = 10062
UNKNOWN_SCHEDULED_EVENT = 10070
ALREADY_ANSWERED = 40060
MISSING_ACCESS = 50001
MISSING_PERMISSIONS = 50013
TOKEN_EXPIRED = 50027
INVALID_FORM = 50035
LAUNCH_LEFT_OUT = 50240
"""A list of commands without the one that launches the application's Activity."""
THREAD_EXISTS = 160004
TOO_MANY_THREADS = 160006
FINISHED_EVENT = 180000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An error of one request. By default there is none."""

    status: int = 0
    """404, 403, 429, 500 and so on. discord.py retries 429 and 500 automatically, and calls the hook again. A limit
    that refuses the request takes precedence."""
    code: int = 0
    """Discord's own number, such as 10008 for a message that is gone."""
    retry_after: float = 1.0
    """Seconds, for 429."""
    error: Exception | None = None
    """Raised on the way instead of any answer: ``TimeoutError()``, ``aiohttp.ClientOSError(...)``."""
    done: bool = False
    """True: it goes wrong on the way back, after the request had its effect."""
    delay: float = 0.0
    """Seconds, of the event loop, that pass before the request has its effect."""


@dataclass(slots=True, kw_only=True)
class Request:
    """One request of the bot."""

    kind: str
    """``send``, ``edit``, ``delete``; ``callback``; ``original.edit``, ``original.delete``, ``followup``;
    ``thread`` (made, archived, listed), ``calendar`` (scheduled events), ``member``, ``role``; else the first step of
    the path."""
    method: str
    path: str
    body: str
    """JSON, or empty."""
    at: float
    """Seconds of the event loop."""
    status: int = 0
    """The response's status; 0 before the response."""
    query: Json = field(default_factory=dict)
    authorization: str = ""
    """The request's credentials, if they aren't the bot's."""

    @property
    def json(self) -> Any:
        """The body."""
        return json.loads(self.body) if self.body else None

    @property
    def notified(self) -> list[str]:
        """The people that it notifies: only a new message does that."""
        return notified(self.json) if self.kind == "send" and "<@" in self.body else []


Hook = Callable[[Request], Fault | None]


class RefusedError(Exception):
    """Discord's refusal of a request."""

    def __init__(self, status: int, code: int) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code


Effect = Callable[[Request], str]
"""Carries a request out and returns the JSON of its answer, empty for none; raises RefusedError."""


class Session:
    """Used by discord.py like an ``aiohttp.ClientSession``."""

    def __init__(self, effect: Effect, hook: Hook, limits: Limits) -> None:
        self._effect = effect
        self._hook = hook
        self._limits = limits

    def request(self, method: str, url: str, **options: Any) -> _Asked:
        """Begin a request; it is carried out when the answer is waited for."""
        return _Asked(self._request(method, url, **options))

    async def _request(
        self, method: str, url: str, *, data: Any = None, params: Any = None, headers: Any = None, **_: Any
    ) -> _Answer:
        """One request on the wire, by the name that it has in aiohttp: the bot leads it through itself."""
        path = url.removeprefix(Route.BASE)
        request = Request(
            kind=kind_of(method, path),
            method=method,
            path=path,
            body=_body(data),
            at=asyncio.get_running_loop().time(),
            query=dict(params or {}),
            authorization=without_bots(headers),
        )
        return _Answer(*await self.exchange(request))

    async def exchange(self, request: Request) -> tuple[int, CIMultiDict[str], str]:
        """Carry a request out; returns status, headers and body of its answer. Raises the error of a fault."""
        fault = self._hook(request) or Fault()
        lost = fault.error is not None and not fault.done
        # Before the delay: a loop that is late would let requests arrive together that left one by one.
        verdict = Verdict({}) if lost else self._limits.take(request.method, request.path, request.body)
        if fault.delay:
            await asyncio.sleep(fault.delay)
        status, text = (0, "") if lost else self._carry_out(request, fault, verdict)
        self._limits.answered(status)
        if fault.error is not None:
            # Each request needs a new exception, because an exception keeps all frames that it passed.
            raise copy(fault.error)
        request.status = status
        return status, _headers(text, verdict), text

    def _carry_out(self, request: Request, fault: Fault, verdict: Verdict) -> tuple[int, str]:
        if verdict.refusal:
            return 429, verdict.refusal
        text = ""
        try:
            if fault.done or not fault.status:
                text = self._effect(request)
        except RefusedError as refused:
            return refused.status, _refusal(refused.status, refused.code)
        if fault.status:
            return fault.status, _refusal(fault.status, fault.code, retry_after=fault.retry_after)
        return (200 if text else 204), text

    async def close(self) -> None:
        """Nothing is open."""


class _Asked:
    """The awaitable behind ``async with session.request(...)``."""

    def __init__(self, answer: Awaitable[_Answer]) -> None:
        self._answer = answer

    async def __aenter__(self) -> _Answer:
        return await self._answer

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


class _Answer:
    """An ``aiohttp.ClientResponse``, as far as discord.py looks."""

    def __init__(self, status: int, headers: CIMultiDict[str], text: str) -> None:
        self.status = status
        self.headers = headers
        self._text = text

    @property
    def reason(self) -> str:
        """The status in words."""
        return HTTPStatus(self.status).phrase

    async def text(self, encoding: str | None = None) -> str:
        """The body."""
        return self._text


def without_bots(headers: Any) -> str:
    """Return who asks, from the headers of a request; empty for the bot itself."""
    told = str((headers or {}).get("Authorization", ""))
    return "" if told.startswith("Bot ") else told


def _headers(text: str, verdict: Verdict) -> CIMultiDict[str]:
    headers = CIMultiDict(verdict.headers)
    if text.startswith(("{", "[")):
        # Without Via discord.py takes a 429 for one of a firewall in front of Discord, and does not wait.
        headers.update({"content-type": "application/json", "Via": "1.1 google"})
    return headers


def _refusal(status: int, code: int, *, retry_after: float = 0.0) -> str:
    body: Json = {"message": HTTPStatus(status).phrase, "code": code}
    return json.dumps(body | {"retry_after": retry_after, "global": False} if status == 429 else body)


def _body(data: Any) -> str:
    """Return a request's JSON, without its files."""
    if data is None:
        return ""
    if isinstance(data, str):
        return data
    fields = [(field[0].get("name"), field[2]) for field in data._fields]
    return str(next(value for name, value in fields if name == "payload_json"))


def kind_of(method: str, path: str) -> str:
    """Return a request's kind, as named by :class:`Request`."""
    _, first, *rest = path.split("/")
    if first == "interactions":
        return "callback"
    if first == "webhooks":
        verb = {"PATCH": "edit", "DELETE": "delete", "GET": "get"}.get(method)
        return f"original.{verb}" if verb else "followup"
    if "scheduled-events" in rest:
        return "calendar"
    if "threads" in rest or (first == "channels" and "messages" not in rest):
        return "thread"
    if "members" in rest:
        return "role" if "roles" in rest else "member"
    if first == "channels" and "messages" in rest:
        return {"POST": "send", "PATCH": "edit", "DELETE": "delete"}.get(method, "get")
    return first
