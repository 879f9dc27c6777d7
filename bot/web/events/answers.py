"""HTTP answers for the public pages of events."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from bot.model.errors import StorageUnavailableError
from bot.text.languages import ENGLISH
from bot.text.words import Words
from bot.web.addresses import EVENT
from bot.web.events.html_page import missing_page, policy
from bot.web.events.pages import NAME, TYPES, EventPages, File, chosen_words
from bot.web.forwarding import ServedElsewhereError

RETRY_SECONDS = 5
HEADERS: Final = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
    "Cross-Origin-Opener-Policy": "same-origin",
}
FILES: Final = tuple(f".{kind}" for kind in TYPES if kind != "html")
"""Endings of the addresses that programs read."""
NOT_KEPT: Final = {**HEADERS, "Cache-Control": "no-store"}


async def event_answer(pages: EventPages, request: web.Request) -> web.Response:
    """Return an event's page or file, or only a note that the reader's copy is still the newest.

    Caches must ask each time, so that a removed page is gone at once. A removed address gets the same 404 as one that
    never had a page. Raises an HTTP error if the event can't be read here.
    """
    name = request.match_info["name"]
    found = NAME.fullmatch(name)
    chosen, accepted = request.query.get("lang", ""), request.headers.get("Accept-Language", "")
    if found is None:
        return _missing(name, chosen_words(chosen, accepted, ENGLISH.code))
    try:
        file = await pages.file(found[1], found[2] or "html", lambda language: chosen_words(chosen, accepted, language))
    except ServedElsewhereError as elsewhere:
        if not elsewhere.to:
            raise _unavailable() from elsewhere
        to = f"{elsewhere.to}{EVENT}/{name}" + (f"?{request.query_string}" if request.query_string else "")
        raise web.HTTPTemporaryRedirect(to, headers=NOT_KEPT) from elsewhere
    except StorageUnavailableError as error:
        raise _unavailable() from error
    if file is None:
        return _missing(name, chosen_words(chosen, accepted, ENGLISH.code))
    return _sent(file, request)


def _missing(name: str, words: Words) -> web.Response:
    """Return the answer for a page that isn't there, in the reader's language. Programs get a plain one."""
    if name.endswith(FILES):
        return web.Response(status=404, text="404: Not Found", headers=NOT_KEPT)
    headers = {
        **NOT_KEPT,
        "Vary": "Accept-Language",
        "Content-Language": words.language.code,
        "Content-Security-Policy": policy(),
    }
    return web.Response(
        status=404, text=missing_page(words), content_type="text/html", charset="utf-8", headers=headers
    )


def _unavailable() -> web.HTTPServiceUnavailable:
    return web.HTTPServiceUnavailable(headers={**NOT_KEPT, "Retry-After": str(RETRY_SECONDS)})


def _sent(file: File, request: web.Request) -> web.Response:
    headers = {
        **HEADERS,
        "Cache-Control": "public, no-cache",
        "ETag": f'"{file.tag}"',
        "Vary": "Accept-Language",
        "Content-Language": file.language,
        "Content-Security-Policy": policy() if file.kind == "html" else "default-src 'none'; frame-ancestors 'none'",
    }
    if file.kind == "html":
        headers["Cross-Origin-Resource-Policy"] = "same-origin"
    else:
        headers["Access-Control-Allow-Origin"] = "*"  # anyone may read them, and there are no cookies
    if any(tag.value in (file.tag, "*") for tag in request.if_none_match or ()):
        return web.Response(status=304, headers=headers)
    return web.Response(body=file.body, content_type=TYPES[file.kind], charset="utf-8", headers=headers)
