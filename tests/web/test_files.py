"""The files that the page consists of: kept by browsers, compressed, and asked for again after the bot was replaced."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from bot.text.words import words_for
from bot.web import server
from bot.web.addresses import FILES, PAGE
from bot.web.files import page_files
from tests.discord.club import Club
from tests.web.browser import DESK, browsing
from tests.web.open_pages import Open

WORDS = words_for("en")
KINDS = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "webmanifest": "application/manifest+json",
    "png": "image/png",
}


@pytest.mark.parametrize("packed", [True, False])
async def test_browsers_keep_each_file_and_get_it_compressed_if_they_can(opened: Open, packed: bool) -> None:
    for name, file in page_files().items():
        headers = {"Accept-Encoding": "br, gzip" if packed else "identity"}
        async with opened.http.get(f"{opened.origin}{FILES}{name}", headers=headers) as answer:
            assert answer.status == 200
            assert await answer.read() == file.text
            assert answer.headers.get("Content-Encoding") == ("gzip" if packed else None)
            kind = KINDS[name.rpartition(".")[2]]
            assert answer.headers["Content-Type"] == (kind if kind == "image/png" else f"{kind}; charset=utf-8")
            assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Vary"] == "Accept-Encoding"
            # The page as one file has no nonce: it's saved, and never shown at the bot's own address.
            attached = answer.headers.get("Content-Disposition") == "attachment"
            assert attached == name.endswith(".html")


async def test_nothing_else_is_a_file(opened: Open) -> None:
    for name in ("table.html", "activity.html", "sources.sha256", "main.js", "..%2Fserver.py", "%00", "x/y"):
        async with opened.http.get(f"{opened.origin}{FILES}{name}") as answer:
            assert answer.status == 404, name
    (style,) = (name for name in page_files() if name.endswith(".css"))
    async with opened.http.get(f"{opened.origin}{FILES}{style}", headers={"Host": "evil.example"}) as answer:
        assert answer.status == 403


async def test_files_have_a_limit_of_their_own(club: Club) -> None:
    """Whoever has asked for too many still gets the page, which browsers make of files that they have."""
    limited = server.PageServer(club.bot.pages, hosts=lambda: ["127.0.0.1"], clock=lambda: 0.0)
    app = web.Application()
    for path, handler in limited.routes().items():
        app.router.add_get(path, handler)
    name = next(iter(page_files()))
    async with TestClient(TestServer(app)) as client:
        told = []
        for _ in range(server.MAX_FILE_REQUESTS + 2):
            async with client.get(f"{FILES}{name}", headers={"Host": "127.0.0.1"}) as answer:
                told.append(answer.status)
        assert told == [200] * server.MAX_FILE_REQUESTS + [429] * 2
        async with client.get(PAGE, headers={"Host": "127.0.0.1"}) as answer:
            assert answer.status == 200


@pytest.mark.browser
async def test_a_page_whose_files_are_gone_is_asked_for_again(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    async with browsing() as driver:
        page = await driver.new_page(viewport=DESK)
        refused: list[str] = []

        async def refuse_once(route: Any) -> None:
            if refused:
                await route.continue_()
            else:
                refused.append(route.request.url)
                await route.fulfill(status=404)

        await page.route("**/main-*.js", refuse_once)
        await page.goto(f"{opened.origin}{PAGE}#{opened.token(club, 'alice')}")
        await page.locator("#tray .card").first.wait_for()
        assert len(refused) == 1


@pytest.mark.browser
async def test_no_text_becomes_an_element_or_a_script(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    async with browsing() as driver:
        page = await driver.new_page(viewport=DESK)
        await page.goto(f"{opened.origin}{PAGE}#{opened.token(club, 'alice')}")
        await page.locator("#tray .card").first.wait_for()
        for sink in ("document.body.innerHTML = '<p>x'", "document.createElement('script').textContent = 'x'"):
            assert (
                await page.evaluate(f"() => {{ try {{ {sink}; }} catch (error) {{ return error.name; }} }}")
                == "TypeError"
            )
        named = "() => { try { trustedTypes.createPolicy('lit-html', {}); } catch (error) { return error.name; } }"
        assert await page.evaluate(named) == "TypeError", "the policy is lit's, and there is one"


@pytest.mark.browser
@pytest.mark.parametrize("there", [True, False])
async def test_a_sheet_whose_part_is_missing_takes_nothing_away(club: Club, opened: Open, there: bool) -> None:
    """A bot that was replaced has another page, which is loaded. Without a network, the page stays and says so."""
    await club.open_table("alice", "bob")
    async with browsing() as driver:
        page = await driver.new_page(viewport=DESK)
        parts, opens = "**/reading-*.js", re.compile(rf"{PAGE}$")

        async def refuse(route: Any) -> None:
            await (route.fulfill(status=404) if there else route.abort())

        await page.route(parts, refuse)
        # As with a link of one's own, the tab keeps the token.
        key = json.dumps({"token": opened.token(club, "alice"), "ticket": ""})
        await page.add_init_script(f"sessionStorage.setItem('chaipo-key', {json.dumps(key)})")
        await page.goto(f"{opened.origin}{PAGE}")
        await page.locator("#tray .card").first.wait_for()
        if not there:
            await page.route(opens, refuse)
        await page.evaluate("() => { window.before = true; }")
        await page.keyboard.press("b")
        await page.locator("#settings > button").click()
        await page.locator('#menu [data-key="rules"]').click()
        if there:
            await page.wait_for_function("() => window.before === undefined")
        else:
            await page.locator("#toast", has_text=WORDS("page.words.offline")).wait_for()
            assert await page.evaluate("() => window.before")
        await page.unroute(parts)
        await page.locator('[data-row="B"] [data-card]').wait_for()
        if there:
            await page.locator("#settings > button").click()
            await page.locator('#menu [data-key="rules"]').click()
            await page.locator("#sheet[open] h3").first.wait_for()
