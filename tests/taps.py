"""``python -m tests.taps``: measure a street and a Fantasyland of 14 on the panel and on the page.

A browser plays both in the playground and taps as fast as possible, so that it waits for the bot's responses and not
for a person. It also measures the time from the arrival of the page's view until a card is visible, and from the press
that places a card until it's visible in its row. It needs what ``make pictures`` needs. Its output is in
``docs/web-api.md``.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.chat.art.faces import draw_all
from bot.run.playground.page import ChannelPage
from bot.text.languages import ENGLISH
from tests.discord.club import CHOSEN, Club, Control, Screen, fantasyland_letters, open_club, plain_letters
from tests.discord.test_whole_hands import ALICES_TEXT, SCRIPT, SEED
from tests.pictures import browser, playwright
from tests.web.browser import DESK, PHONE
from tests.web.open_pages import served

STREET, FANTASYLAND = "A street of three cards", "A Fantasyland of 14"
PANEL, TAPS, DRAGS = "on the panel", "on the page by taps", "on the page by drags"
BUTTON = 2
"""Discord's type of a button."""
SCREEN = {"width": 1500, "height": 1400}
SHOWN = """([id, wanted]) => JSON.stringify(
  [...document.querySelectorAll(`article[data-message-id='${id}'] button.component-button`)]
    .map(one => [one.querySelector('.button-label')?.textContent ?? '', one.disabled])) === wanted"""
"""True once the panel's buttons are those that the bot has sent."""
KEYS = "one => [...one.querySelectorAll('.preview-select')].map(menu => menu.dataset.controlKey).join()"
DRAWN = f"([id, before]) => ({KEYS})(document.querySelector(`article[data-message-id='${{id}}']`)) !== before"
"""True once the panel's menus have been redrawn, which closes them."""

FIRST_CARD = """
const Plain = WebSocket;
window.WebSocket = class extends Plain {
  constructor(...told) {
    super(...told);
    this.addEventListener("message", ({ data }) => {
      if (window.came || !data.includes('"type":"snapshot"')) return;
      window.came = performance.now();
      const look = () => requestAnimationFrame(() => {
        if (document.querySelector(".card")) setTimeout(() => { window.seen = performance.now(); });
        else look();
      });
      look();
    });
  }
};
"""
"""Notes when the view has come, and when the first picture with a card on it was made."""
TOOK = (
    "async () => { while (!window.seen) await new Promise(requestAnimationFrame); return window.seen - window.came; }"
)
PRESSED = """() => new Promise((done) => {
  const begun = performance.now();
  document.querySelector('#own .row.open .line button').click();
  const lie = () => document.querySelectorAll('#own .board .card').length;
  requestAnimationFrame(() => setTimeout(() => done([performance.now() - begun, lie()])));
})"""
"""Time from a press until the next frame, and the number of cards on the board in it."""
TIMES = 5
"""Repetitions of each measurement."""


@dataclass
class Finger:
    """Taps and counts."""

    page: Any
    taps: int = 0
    waits: int = 0
    """Answers of the bot that had to come before the next tap."""
    begun: float = field(default_factory=time.perf_counter)

    async def tap(self, place: Any) -> None:
        """Once."""
        await place.click()
        self.taps += 1

    def told(self) -> str:
        """Taps, waits and seconds."""
        return f"{self.taps} | {self.waits} | {time.perf_counter() - self.begun:.1f}"


class OnPanel:
    """A hand in the channel."""

    def __init__(self, finger: Finger, club: Club, panel: Screen) -> None:
        self.finger, self.club, self.panel = finger, club, panel
        self.article = finger.page.locator(f'article[data-message-id="{panel.id}"]').first

    async def _answered(self, act: Callable[[], Any]) -> None:
        before, menus = self.panel.components, await self.article.evaluate(KEYS)
        await act()
        async with asyncio.timeout(120):
            while self.panel.components == before:  # noqa: ASYNC110  # A browser presses meanwhile.
                await asyncio.sleep(0.02)
        buttons = [one for one in self.panel.controls() if one["type"] == BUTTON]
        wanted = [[str(one.get("label") or ""), bool(one.get("disabled"))] for one in buttons]
        told = json.dumps(wanted, ensure_ascii=False, separators=(",", ":"))
        await self.finger.page.wait_for_function(SHOWN, arg=[str(self.panel.id), told])
        if menus:
            await self.finger.page.wait_for_function(DRAWN, arg=[str(self.panel.id), menus])
        self.finger.waits += 1

    def _nth(self, control: Control) -> int:
        alike = [one for one in self.panel.controls() if (one["type"] == BUTTON) == (control["type"] == BUTTON)]
        return [one["custom_id"] for one in alike].index(control["custom_id"])

    async def press(self, verb: str, argument: str | None = None) -> None:
        """A button."""
        button = self.article.locator("button.component-button").nth(self._nth(self.panel.find(verb, argument)))
        await self._answered(lambda: self.finger.tap(button))

    async def choose(self, verb: str, places: Sequence[int]) -> None:
        """Open a menu, tap each card, and close it."""
        menu = self.article.locator(".preview-select").nth(self._nth(self.panel.find(verb)))
        values = [option["value"] for option in self.panel.find(verb)["options"]]
        await self.finger.tap(menu.locator(".select-trigger"))
        for place in places:
            await self.finger.tap(menu.locator(".select-option").nth(values.index(str(place))))
        await self._answered(lambda: self.finger.tap(menu.locator(".select-apply")))

    async def street(self, letters: str) -> None:
        """A street, by the buttons of the rows."""
        for number, letter in enumerate(letters):
            if letter == "D":
                continue
            if self.panel.find("card", str(number))["style"] != CHOSEN:
                await self.press("card", str(number))
            await self.press("row", letter)
        await self.press("confirm")

    async def fantasyland(self, letters: str) -> None:
        """A whole board, by three menus."""
        for letter in "BMF":
            await self.choose(f"set_{letter.lower()}", [at for at, row in enumerate(letters) if row == letter])
        await self.press("confirm")


async def on_page(finger: Finger, letters: str, *, drags: bool) -> None:
    """Place on the page: drag each card, or tap the row for the selected card."""
    table = finger.page.frame_locator("#table-frame")
    cards = table.locator("#tray [data-card]")
    for left in range(await cards.count(), letters.count("D"), -1):
        places = [int(await cards.nth(at).get_attribute("data-card")) for at in range(left)]
        chosen = int(await table.locator("#tray .chosen").get_attribute("data-card"))
        if letters[chosen] == "D":
            chosen = next(place for place in places if letters[place] != "D")
            if not drags:
                await finger.tap(table.locator(f'[data-card="{chosen}"]'))
        if drags:
            slots = table.locator(f'[data-row="{letters[chosen]}"] .slots')
            await table.locator(f'[data-card="{chosen}"]').drag_to(slots)
            finger.taps += 1
        else:
            await finger.tap(table.locator(f'[data-row="{letters[chosen]}"] .line button'))
        assert await cards.count() < left
    await finger.tap(table.locator("#bar button.main:not([disabled])"))
    await table.locator("#told .status:not(.yours)").wait_for()
    finger.waits += 1


async def first_card(driver: Any, size: dict[str, int]) -> tuple[float, float]:
    """Return the time (ms) at a table for three from the arrival of the view until a card is visible.

    The second value is the time from the press that places a card until it's visible.
    """
    async with AsyncExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        club: Club = await opened.enter_async_context(open_club(folder))
        await club.open_table("alice", "bob", "hanako")
        door = await opened.enter_async_context(served(club))
        page = await driver.new_page(viewport=size)
        page.set_default_timeout(120_000)
        await page.add_init_script(FIRST_CARD)
        await page.goto(f"{door.origin}/table#{door.token(club, await club.on_turn())}")
        await page.locator("#tray [data-card]").first.wait_for()
        took = float(await page.evaluate(TOOK))
        pressed, placed = await page.evaluate(PRESSED)
        assert placed == 1
        await page.close()
        return took, float(pressed)


async def measured(what: str, where: str, driver: Any) -> str:
    """One line of the table."""
    async with AsyncExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        club: Club = await opened.enter_async_context(open_club(folder, seeds=[SEED]))
        await club.slash("alice", "ofc play")
        await club.press("bob", club.table_screen(), club.table_screen().find("join"))
        await club.slash("bob", "seed", text="bob's own text")
        await club.slash("alice", "seed", text=ALICES_TEXT)
        await club.press("alice", club.table_screen(), club.table_screen().find("start"))
        if what == FANTASYLAND:
            await club.play_hand(script=SCRIPT)
            await club.pass_time(13)
        else:
            for _ in range(2):
                await club.play_turn(await club.on_turn())
            if await club.on_turn() != "alice":
                await club.play_turn("bob")
        panel = await club.open_panel("alice")
        seen = await club.look(1, "alice")
        letters = fantasyland_letters(seen) if what == FANTASYLAND else plain_letters(seen)
        shown = ChannelPage(club.world, port=0, faces={}, language=ENGLISH, wall_ms=club.world.now_ms)
        await opened.enter_async_context(shown)
        club.forbid()
        club.backend.http_requests = list(club.backend.http_requests)
        page = await driver.new_page(viewport=SCREEN)
        page.set_default_timeout(120_000)
        await page.goto(shown.address)
        await page.frame_locator("#table-frame").locator("#tray [data-card]").first.wait_for()
        hand = OnPanel(Finger(page), club, panel)
        await hand.article.wait_for()
        hand.finger.begun = time.perf_counter()
        if where != PANEL:
            await on_page(hand.finger, letters, drags=where == DRAGS)
        elif what == FANTASYLAND:
            await hand.fantasyland(letters)
        else:
            await hand.street(letters)
        line = f"| {what}, {where} | {hand.finger.told()} |"
        assert club.player("alice") not in (await club.look(1)).waiting
        await page.close()
        return line


async def main() -> None:
    """Measure each, and print the table."""
    async with playwright() as driving:
        driver = await driving.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        draw_all()  # once, before a bot's start waits for it
        print("| What | Taps | Answers waited for | Seconds |\n| --- | --- | --- | --- |")
        for what in (STREET, FANTASYLAND):
            for where in (PANEL, TAPS, DRAGS):
                print(await measured(what, where, driver), flush=True)
        for size in (PHONE, DESK):
            took = [await first_card(driver, size) for _ in range(TIMES)]
            seen, placed = (
                f"{min(ms):.0f} to {max(ms):.0f} ms ({statistics.median(ms):.0f})" for ms in zip(*took, strict=True)
            )
            print(f"{size['width']} wide: a card is seen {seen} after the view, where it lies {placed} after a press.")
        await driver.close()


if __name__ == "__main__":
    asyncio.run(main())
