"""``python -m tests.frames``: count the frames that a slow phone drops while a hand ends on the page.

A browser with a quarter of this machine's speed shows how Alice scoops Bob and enters Fantasyland, on a phone's and on
a desktop's screen. Each time, the frames that it presents and drops are counted from the last card on until the
sequence is over, as Chromium reports them in a trace. In between, an empty page moves a single square for as long,
which tells what the machine itself drops. It needs what ``make pictures`` needs. Its output is in ``docs/web-api.md``.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from tests.discord.club import open_club
from tests.discord.test_whole_hands import SCRIPT, SEED, deal_to_alice
from tests.pictures import browser, playwright
from tests.web.browser import CALM, DESK, PHONE
from tests.web.open_pages import served

SLOWER = 4
TIMES = 3
TURNS = 10
SECONDS = 5.5
"""Length of the sequence, with the motion of the last cards."""
REPORTS, NOTHING_TO_DRAW, DROPPED = "PipelineReporter", "STATE_NO_UPDATE_DESIRED", "STATE_DROPPED"
TRACED = ["cc", "benchmark"]
HERE = "() => performance.getEntriesByType('resource').some(({ name }) => /over-/.test(name))"
"""True once the page has loaded all that it shows at the end of a hand."""


def moves(report: dict[str, Any]) -> bool:
    """True for a frame in which something moves, so that its loss is seen."""
    return bool(report.get("has_compositor_animation") or report.get("has_main_animation"))


def frames(trace: bytes) -> Counter[str]:
    """Return the number of frames presented and dropped, among those in which something should have moved."""
    told: Counter[str] = Counter()
    for event in json.loads(trace)["traceEvents"]:
        args = event.get("args", {})
        report = args.get("frame_reporter") or args.get("chrome_frame_reporter")
        if event["name"] == REPORTS and report and report["state"] != NOTHING_TO_DRAW and moves(report):
            told[report["state"]] += 1
    return told


SQUARE = """<style>
@keyframes move { to { transform: translateX(200px); } }
i { display: block; width: 50px; height: 50px; background: red; animation: move 1s infinite alternate; }
</style><i></i>"""


async def slowed(chromium: Any, size: dict[str, int]) -> Any:
    """A new page, in a browser with a fraction of this machine's speed."""
    page = await (await chromium.new_context(viewport=size)).new_page()
    session = await page.context.new_cdp_session(page)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page


async def at_rest(chromium: Any, size: dict[str, int]) -> Counter[str]:
    """The frames of a page on which next to nothing happens."""
    page = await slowed(chromium, size)
    await page.set_content(SQUARE)
    await chromium.start_tracing(page=page, categories=TRACED)
    await page.wait_for_timeout(SECONDS * 1000)
    told = frames(await chromium.stop_tracing())
    await page.context.close()
    return told


async def measured(chromium: Any, size: dict[str, int]) -> Counter[str]:
    """The frames of one hand's end."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_club(Path(folder), seeds=[SEED]) as club, served(club) as opened:
            await deal_to_alice(club)
            page = await slowed(chromium, size)
            await page.goto(f"{opened.origin}/table#{opened.token(club, 'alice')}")
            await page.wait_for_function(HERE)
            for _ in range(TURNS - 1):
                await club.play_turn(await club.on_turn(), script=SCRIPT)
            await page.wait_for_timeout(1000)
            await chromium.start_tracing(page=page, categories=TRACED)
            await club.play_turn(await club.on_turn(), script=SCRIPT)
            await page.locator("#result .told").wait_for()
            await page.wait_for_timeout(SECONDS * 1000)
            told = frames(await chromium.stop_tracing())
            await page.context.close()
    return told


async def main() -> None:
    """Measure and print."""
    async with playwright() as driver:
        chromium = await driver.chromium.launch(executable_path=browser(), args=CALM)
        for name, size in (("phone", PHONE), ("desktop", DESK)):
            for _ in range(TIMES):
                for what, count in (("empty page", at_rest), ("end of a hand", measured)):
                    told = await count(chromium, size)
                    print(f"{name}, {what}: {told[DROPPED]} of {sum(told.values())} frames dropped")


if __name__ == "__main__":
    asyncio.run(main())
