"""The files that the table's page consists of, as ``make page`` has built them.

Their names contain a digest of their contents, so browsers keep them for good. They're compressed once per process.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from aiohttp import hdrs, web

TYPES: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
}
DOCUMENTS: Final = frozenset({"table.html", "activity.html"})
"""Files that get a nonce, and aren't kept by browsers."""
HEADERS: Final = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Vary": "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the page."""

    kind: str
    text: bytes
    packed: bytes


@cache
def document(name: str) -> str:
    """Return a built document."""
    return (files("bot.web") / "built" / name).read_text(encoding="utf-8")


@cache
def page_files() -> Mapping[str, PageFile]:
    """Return the page's files by their names."""
    found = {}
    for one in (files("bot.web") / "built").iterdir():
        kind = TYPES.get(f".{one.name.rpartition('.')[2]}")
        if kind is not None and one.name not in DOCUMENTS:
            text = one.read_bytes()
            found[one.name] = PageFile(kind, text, gzip.compress(text, mtime=0))
    return found


@cache
def manifest(language: str) -> str:
    """Return the name of the file that describes the page as an app to install, in this language."""
    return next(name for name in page_files() if name.startswith(f"manifest_{language}-"))


def file_answer(request: web.Request) -> web.Response:
    """Return the requested file, compressed if the client can read that. Raises HTTPNotFound."""
    file = page_files().get(request.match_info["name"])
    if file is None:
        raise web.HTTPNotFound
    packed = "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, "")
    headers = dict(HEADERS)
    if packed:
        headers["Content-Encoding"] = "gzip"
    if file.kind == "text/html":
        # The page as one file is for saving. It isn't shown from here.
        headers["Content-Disposition"] = "attachment"
    charset = None if file.kind == "image/png" else "utf-8"
    return web.Response(
        body=file.packed if packed else file.text, content_type=file.kind, charset=charset, headers=headers
    )
