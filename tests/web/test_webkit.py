"""The page in WebKit, which every browser on an iPhone is: under its policy, and after a lost connection.

How it runs in a sandbox without an origin is shown in Discord's frame (``test_browser_activity.py``).
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest
from pytest_asyncio import fixture

from tests.discord.club import Club
from tests.page import BUILT
from tests.web.browser import PHONE
from tests.web.open_pages import Open
from tests.web.test_browser import placed, three
from tests.web.test_verifying import VECTORS
from tests.web.webkit import WebKitTab, webkit

pytestmark = pytest.mark.browser

ON_ROW = ".board:not(.pending) [data-row=${row}] [data-card='${place}']"
PLACED = f"(row, place) => document.querySelector(`{ON_ROW}`) !== null"
COUNTED = "(selector, count) => document.querySelectorAll(selector).length === count"


@fixture(loop_scope="session")
async def tab() -> AsyncIterator[WebKitTab]:
    """The browser, about as large as a phone."""
    async with webkit() as found:
        await found.size(PHONE["width"], PHONE["height"])
        yield found


async def test_streets_are_dragged_tapped_and_typed_and_the_page_comes_back_by_itself(
    club: Club, opened: Open, tab: WebKitTab
) -> None:
    name = await three(club)
    await tab.go(f"{opened.origin}/table#{opened.token(club, name)}")
    await tab.there("#tray .card")
    assert await tab.run("() => location.hash") == ""
    # Nothing but the page's own script runs: one without its nonce does not, and no text becomes one.
    strange = "document.body.append(one); return window.strange === undefined; }"
    append = f"() => {{ const one = document.createElement('script'); one.src = 'data:,window.strange=1'; {strange}"
    for script in (
        append,
        append.replace("one.src = 'data:,window.strange=1'", "one.textContent = 'window.strange = 1'"),
    ):
        assert await tab.run(
            f"() => {{ try {{ return ({script})(); }} catch (error) {{ return error.name === 'TypeError'; }} }}"
        )
    await tab.drag('[data-card="0"]', '[data-row="M"]')
    await tab.until(PLACED, "M", 0)
    # After tapping a card, then a row, the selection is visible.
    await tab.click('#tray [data-card="2"]')
    assert await tab.run("() => document.querySelector('[data-card=\"2\"]').getAttribute('aria-pressed')") == "true"
    await tab.click('[data-row="F"] .line button')
    await tab.until(PLACED, "F", 2)
    await tab.click("#bar button.main:not([disabled])")
    await tab.gone("#tray")
    assert await placed(club, name) == 7
    # The next street appears automatically and is played by keyboard. The connection breaks in between.
    while await club.on_turn() != name:
        await club.play_turn(await club.on_turn())
    await tab.until(COUNTED, "#tray .card", 3)
    await tab.keys("ArrowRight", "m")
    await tab.until(COUNTED, "#tray .card", 2)
    opened.pages.close()
    await tab.keys("f")
    await tab.there("#bar button.main:not([disabled])")
    await tab.keys("Enter")
    await tab.gone("#tray")
    assert await placed(club, name) == 9


async def test_records_are_checked_on_the_saved_page(tab: WebKitTab) -> None:
    (file,) = BUILT.glob("saved-*.html")
    await tab.go(file.as_uri())
    await tab.there("#sheet[open] #record")
    for record in VECTORS:
        await tab.write("#record", record)
        await tab.click("#check")
        await tab.there("#outcome")
        assert await tab.run("() => document.querySelector('#outcome').className") == "right"
    await tab.write("#record", json.dumps({**json.loads(VECTORS[0]), "seed": "0" * 64}))
    await tab.click("#check")
    await tab.there("#outcome.wrong")
