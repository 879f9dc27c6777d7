"""Discord's rate limits for a bot, with their headers and errors.

Documented by Discord ("Rate Limits", and the table of JSON error codes):

- 50 requests per second in total, without interaction responses and the webhooks of their tokens.
- A limit of each route per channel, server or webhook, announced only by response headers: X-RateLimit-Limit,
  -Remaining, -Reset, -Reset-After and -Bucket.
- A refusal is a 429 with ``retry_after`` and ``global`` in its body, and the headers Retry-After, X-RateLimit-Scope
  and, for the total limit, X-RateLimit-Global.
- 10,000 responses of 401, 403 or 429 within ten minutes, apart from shared limits, ban the address, even for
  interactions.
- Messages older than an hour allow fewer edits (error 30046). The number isn't documented.

Discord publishes no numbers for routes. These were observed: creating, editing and deleting messages, creating threads,
renaming channels, following up, and edits of old messages. The rest of ``RULES``, the length of a ban and its response
are estimates. A bucket is a window that begins with its first request. The window of the 50 requests begins at any
time, because Discord doesn't document its own.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus

from discord.utils import snowflake_time

REQUESTS_PER_SECOND = 50
MAX_INVALID_REQUESTS = 10_000
INVALID_WINDOW_MS = 10 * 60_000
INVALID = frozenset((401, 403, 429))
BAN_MS = 60 * 60_000
OLD_MS = 60 * 60_000
OLD_MESSAGE_EDITS = 30046
BUCKETS_KEPT = 1_000
"""When there are more, those whose window has ended are forgotten."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A number of requests per time in seconds, for each channel, server or webhook."""

    bucket: str
    requests: int
    seconds: float


_THREADS = Rule("thread.create", 50, 300)
_COMMANDS = Rule("commands", 5, 20)
RULES = {
    "POST /channels/{}/messages": Rule("message.create", 5, 5),
    "PATCH /channels/{}/messages/{}": Rule("message.edit", 5, 5),
    "DELETE /channels/{}/messages/{}": Rule("message.delete", 5, 1),
    "GET /channels/{}/messages/{}": Rule("message.get", 5, 1),
    "GET /channels/{}/messages": Rule("message.list", 5, 1),
    "POST /channels/{}/messages/bulk-delete": Rule("message.bulk", 1, 1),
    "PATCH /channels/{}": Rule("channel.edit", 5, 5),
    "POST /channels/{}/threads": _THREADS,
    "POST /channels/{}/messages/{}/threads": _THREADS,
    "POST /webhooks/{}/{}": Rule("webhook.create", 5, 2),
    "PATCH /webhooks/{}/{}/messages/{}": Rule("webhook.edit", 5, 2),
    "DELETE /webhooks/{}/{}/messages/{}": Rule("webhook.delete", 5, 1),
    "PUT /applications/{}/commands": _COMMANDS,
    "PUT /applications/{}/guilds/{}/commands": _COMMANDS,
    "POST /applications/{}/emojis": Rule("emoji.create", 50, 30),
    "GET /guilds/{}/members/{}": Rule("member.get", 5, 1),
    "POST /guilds/{}/scheduled-events": Rule("calendar.create", 10, 30),
    "PATCH /guilds/{}/scheduled-events/{}": Rule("calendar.edit", 10, 30),
}
OTHERS = (10, 1.0)
"""Requests and seconds for every other route, each for itself."""
OLD_EDITS = Rule("message.edit.old", 3, 6)
RENAMES = Rule("channel.rename", 2, 600)

_ID = re.compile(r"/(?:\d+|@original)(?=/|$)")
_TOKEN = re.compile(r"(/webhooks/[^/]+)/[^/]+")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A limit's verdict on a request: the response headers, and the body of a 429, or an empty one if it passes."""

    headers: dict[str, str]
    refusal: str = ""


@dataclass(slots=True)
class _Window:
    """The remaining requests of a rule for one resource."""

    rule: Rule
    since_ms: int
    used: int = 0

    def take(self, now: int) -> bool:
        if self.left_ms(now) <= 0:
            self.since_ms, self.used = now, 0
        taken = self.used < self.rule.requests
        self.used += taken
        return taken

    def left_ms(self, now: int) -> int:
        return self.since_ms + int(self.rule.seconds * 1000) - now

    def headers(self, now: int) -> dict[str, str]:
        left = self.left_ms(now)
        return {
            "X-RateLimit-Limit": str(self.rule.requests),
            "X-RateLimit-Remaining": str(self.rule.requests - self.used),
            "X-RateLimit-Reset": f"{(now + left) / 1000:.3f}",
            "X-RateLimit-Reset-After": f"{left / 1000:.3f}",
            "X-RateLimit-Bucket": _hash(self.rule.bucket),
        }


class Limits:
    """Counts the requests of one bot by Discord's clock, and refuses those that are too many."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.enforced = True
        """False: everything passes, and no answer names a limit."""
        self.refused: Counter[str] = Counter()
        """Number of 429 responses by bucket; ``all`` for the total limit."""
        self.on_refused: Callable[[str], None] | None = None
        """Called for each refusal immediately."""
        self._now_ms = now_ms
        self._windows: dict[tuple[str, str], _Window] = {}
        self._second: deque[int] = deque()
        self._invalid: deque[int] = deque()
        self._banned_until = 0

    @property
    def invalid(self) -> int:
        """Answers 401, 403 and 429 of the last ten minutes."""
        while self._invalid and self._invalid[0] <= self._now_ms() - INVALID_WINDOW_MS:
            self._invalid.popleft()
        return len(self._invalid)

    @property
    def banned(self) -> bool:
        """True while the address is answered nothing."""
        return self._now_ms() < self._banned_until

    def answered(self, status: int) -> None:
        """Count an answer; too many of the wrong ones are a ban."""
        if self.enforced and status in INVALID and not self.banned:
            self._invalid.append(self._now_ms())
            if self.invalid >= MAX_INVALID_REQUESTS:
                self._banned_until = self._now_ms() + BAN_MS
                self._invalid.clear()

    def _count(self, bucket: str) -> None:
        self.refused[bucket] += 1
        if self.on_refused is not None:
            self.on_refused(bucket)

    def take(self, method: str, path: str, body: str = "") -> Verdict:
        """Count a request, and say whether it passes."""
        if not self.enforced:
            return Verdict({})
        if self.banned:
            return Verdict({}, "error code: 1015")
        if path.startswith("/interactions/"):
            return Verdict({})
        now = self._now_ms()
        if not path.startswith("/webhooks/") and (wait := self._too_many(now)):
            self._count("all")
            return _refused({}, "global", wait)
        window = self._window(_rule(f"{method} {_shape(path)}"), _resource(path), now)
        taken = window.take(now)
        if not taken:
            self._count(window.rule.bucket)
            return _refused(window.headers(now), "user", window.left_ms(now))
        return self._hidden(method, path, body, now) or Verdict(window.headers(now))

    def _too_many(self, now: int) -> int:
        """Milliseconds until one of fifty is a second old; 0 where it is not the fifty-first."""
        while self._second and self._second[0] <= now - 1000:
            self._second.popleft()
        if len(self._second) >= REQUESTS_PER_SECOND:
            return self._second[0] + 1000 - now
        self._second.append(now)
        return 0

    def _hidden(self, method: str, path: str, body: str, now: int) -> Verdict | None:
        """The refusal of a limit that no header tells beforehand."""
        _, first, resource, *rest = path.split("/")
        if method != "PATCH" or first != "channels":
            return None
        if rest:
            old = _sent_ms(rest[-1]) <= now - OLD_MS
            rule, code = OLD_EDITS, OLD_MESSAGE_EDITS
        else:
            old = '"name":' in body
            rule, code = RENAMES, 0
        if not old:
            return None
        hidden = self._window(rule, resource, now)
        if hidden.take(now):
            return None
        self._count(rule.bucket)
        usual = self._window(_rule(f"{method} {_shape(path)}"), resource, now)
        return _refused(usual.headers(now), "user", hidden.left_ms(now), code=code)

    def _window(self, rule: Rule, resource: str, now: int) -> _Window:
        if len(self._windows) > BUCKETS_KEPT and (rule.bucket, resource) not in self._windows:
            self._windows = {key: window for key, window in self._windows.items() if window.left_ms(now) > 0}
        return self._windows.setdefault((rule.bucket, resource), _Window(rule, now))


def _refused(headers: dict[str, str], scope: str, wait_ms: int, *, code: int = 0) -> Verdict:
    seconds = wait_ms / 1000
    about = {"message": HTTPStatus(429).phrase, "code": code, "retry_after": seconds, "global": scope == "global"}
    told = {"Retry-After": str(-(-wait_ms // 1000)), "X-RateLimit-Scope": scope}
    if scope == "global":
        told["X-RateLimit-Global"] = "true"
    return Verdict(headers | told, json.dumps(about))


def _shape(path: str) -> str:
    """The path with ``{}`` for ids and tokens."""
    if path.startswith("/webhooks/"):
        path = _TOKEN.sub(r"\1/{}", path)
    return _ID.sub("/{}", path)


def _resource(path: str) -> str:
    """Return the resource that a limit applies to, apart from its route."""
    _, first, *rest = path.split("/")
    if first == "webhooks":
        return "/".join(rest[:2])
    return rest[0] if first in ("channels", "guilds") else ""


@cache
def _rule(route: str) -> Rule:
    return RULES.get(route) or Rule(route, *OTHERS)


@cache
def _hash(bucket: str) -> str:
    return hashlib.md5(bucket.encode(), usedforsecurity=False).hexdigest()


def _sent_ms(message: str) -> float:
    return snowflake_time(int(message)).timestamp() * 1000
