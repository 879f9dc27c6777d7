"""An event's public page in a browser: in every size and language, in the dark, and without scripts."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.test_event_desk import announced, guests_of
from tests.web.browser import DESK, PHONE, Tab, browsing
from tests.web.test_event_page_server import URL, door, message_of, page_of

pytestmark = pytest.mark.browser
ZONE = "America/New_York"
SIZES = (PHONE, {"width": 320, "height": 568}, DESK)
TROUBLE = """() => {
  const trouble = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) trouble.push("scrolls sideways");
  for (const link of document.querySelectorAll("a.button")) {
    const { height } = link.getBoundingClientRect();
    if (height < 40) trouble.push("a button is too low for a finger");
  }
  const luminance = (colour) => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!/, 0\\)$/.test(backgroundColor) && backgroundColor !== "transparent") return backgroundColor;
    }
    return getComputedStyle(document.body).backgroundColor;
  };
  for (const one of document.querySelectorAll("main *, footer *")) {
    const own = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!own || !one.checkVisibility()) continue;
    const [first, second] = [luminance(getComputedStyle(one).color), luminance(behind(one))];
    const contrast = (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
    if (contrast < 4.5) trouble.push(`contrast ${contrast.toFixed(1)}: ${one.outerHTML.slice(0, 60)}`);
  }
  return trouble;
}"""
"""Lists what's cut off, too small to tap or too faint to read."""


@pytest.fixture
def page_url() -> str:
    return URL


async def test_the_page_is_readable_in_every_size_and_language(club: Club) -> None:
    key = await announced(club, "bob", page=True)
    await guests_of(club, key, 3)
    path = page_of(await message_of(club))
    event = (await club.bot.services.events.look(key)).event
    assert event.starts_at is not None
    start = datetime.fromtimestamp(event.starts_at / 1000, UTC).astimezone(ZoneInfo(ZONE))
    # Nothing stands between the browser and the server, so the host is the one that the browser asks for.
    async with door(club, host="") as shown, browsing() as browser:
        for scheme in ("dark", "light"):
            context = await browser.new_context(color_scheme=scheme, timezone_id=ZONE, locale="en-US")
            tab = Tab(await context.new_page())
            for language in LANGUAGES:
                await tab.page.goto(f"http://127.0.0.1:{shown.port}{path}?lang={language}")
                for size in SIZES:
                    await tab.sized(size)
                    assert await tab.page.evaluate(TROUBLE) == [], (scheme, language, size)
                assert await tab.at("html").get_attribute("lang") == language
                assert await tab.at("main h2").count() >= 2
                assert f"{start:%M}" in await tab.at("header time").inner_text()
                assert ZONE not in await tab.at("header time").inner_text(), "the script has replaced the server's text"
                told = await tab.at("main").inner_text()
                assert "guest0" in told
                assert words_for(language)("event_page.players") in told
            await tab.at("nav a").first.click()
            await tab.page.wait_for_function("location.search === '?lang=en'")
            # The page has no icon, and asking for one isn't allowed.
            assert [one for one in tab.complaints if "favicon" not in one] == []


async def test_the_page_says_everything_without_scripts(club: Club) -> None:
    key = await announced(club, "bob", page=True)
    await guests_of(club, key, 3)
    path = page_of(await message_of(club))
    async with door(club, host="") as shown, browsing() as browser:
        context = await browser.new_context(java_script_enabled=False, locale="en-US")
        page = await context.new_page()
        await page.goto(f"http://127.0.0.1:{shown.port}{path}")
        told = await page.locator("body").inner_text()
        for one in ("Night", "guest0", "guest1", "guest2", "(UTC)"):
            assert one in told
        assert await page.locator("a.button").get_attribute("href") is not None
