"""``make pictures``: take the documents' pictures from the playground, in every language with pages.

It needs Chromium, and exits with a message if that is missing.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import simcord
from PIL import Image

from bot.base.command_help import HelpFormatter, examples
from bot.chat.application_assets import emoji_name
from bot.chat.art.faces import draw_all
from bot.run.playground.page import ChannelPage
from bot.text.languages import LANGUAGES
from bot.web.tokens import PageReader
from tests.discord.club import Club, open_club
from tests.evening import EVENINGS, NAMES, TAKEN, Evening, Shot, drawn_board, drawn_streets, file_of, save_moving, taken
from tests.test_pineapple_page import WRITTEN

IMAGES = TAKEN.parent / "images"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DESK, PHONE = {"width": 700, "height": 3000}, {"width": 430, "height": 3000}
WIDE = {"width": 1720, "height": 680}
"""A screen with room for large boards next to the channel on the table's page."""
PUZZLE = {"width": 1200, "height": 740}
ALONE = """
body > *, .preview-workspace > * { min-width: 0 !important }
.preview-workspace { display: block !important }
.preview-workspace > :not(#preview-stage), .channel-heading, .composer, .composer-row, .message-context-actions,
.timeline-day-divider, .message-edited, .message-edited-compact { display: none !important }
#preview-app { width: 100vw !important; max-width: none !important; height: 100vh !important }
"""
"""The messages without what SimCord puts around them."""
WIDEST = 900
LOADED = """id => [...document.querySelectorAll(`article[data-message-id="${id}"] img`)]
    .every(image => image.complete && image.naturalWidth)"""
"""Only for this message, because other messages' images load when scrolled into view."""
SHOWN_MS = 600_000
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>{folder}</dir></fontconfig>
"""
"""The simulated Discord's fonts in addition to the machine's, which may lack Japanese."""
TELLS_LETTERS_APART = """() => new Set([..."卓置捨"].map(letter => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 });
    const drawing = canvas.getContext("2d");
    drawing.font = "30px system-ui, sans-serif";
    drawing.fillText(letter, 2, 32);
    return canvas.toDataURL();
})).size === 3"""
"""False in a browser that draws the same box for every letter it does not have."""


def browser() -> str:
    """The program; ends where there is none."""
    named = os.environ.get("CHROMIUM", "")
    found = next(filter(None, map(shutil.which, (named, *BROWSERS) if named else BROWSERS)), None)
    if found is None:
        sys.exit("make pictures needs Chromium: install it, or say where it is with CHROMIUM=...")
    return found


def playwright() -> Any:
    """Return Playwright's driver; exits if it isn't installed."""
    try:
        from playwright.async_api import async_playwright  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        sys.exit("make pictures needs Playwright: pip install playwright, or name its folder with PYTHONPATH=...")
    return async_playwright()


def with_fonts(folder: Path) -> dict[str, str]:
    """The environment of a browser that has a font for every language of the pictures."""
    written = folder / "fonts.conf"
    written.write_text(FONTS.format(folder=Path(simcord.__file__).parent / "preview" / "static" / "fonts"))
    return {**os.environ, "FONTCONFIG_FILE": str(written)}


async def pictures_of(shot: Shot, page: Any, address: str) -> list[Image.Image]:
    """Return each message of a shot as drawn by the browser, or the table as a page next to them."""
    await page.set_viewport_size(WIDE if shot.table else PHONE if shot.on_phone else DESK)
    # Moments such as *in 40 seconds* are reckoned in the browser, which shall live in the evening too.
    await page.clock.set_fixed_time(shot.screens[0].club.world.now_ms() / 1000)
    if shot.solve is not None:
        return [await solved(shot, page, address)]
    await page.goto(address)
    if not shot.table:
        await page.add_style_tag(content=ALONE)
    taken: list[Image.Image] = []
    for screen in shot.screens:
        message = page.locator(f'article[data-message-id="{screen.id}"]').first
        await message.wait_for(state="visible", timeout=SHOWN_MS)
        await page.wait_for_function(LOADED, arg=str(screen.id), timeout=SHOWN_MS)
        if shot.table:
            continue
        taken.append(Image.open(io.BytesIO(await message.screenshot())))
    if shot.table:
        await page.frame_locator("#table-frame").locator("#bar button.main").wait_for(timeout=SHOWN_MS)
        return [Image.open(io.BytesIO(await page.locator("#table-frame").screenshot()))]
    return taken


async def solved(shot: Shot, page: Any, address: str) -> Image.Image:
    """Return the page of a puzzle that is answered while it's open."""
    assert shot.solve is not None
    club = shot.screens[0].club
    locale = club.world.locale_of(club.members[shot.viewer].id)
    reader = PageReader(guild=club.key().guild, player=club.player(shot.viewer), locale=locale)
    await page.set_viewport_size(PUZZLE)
    await page.goto(f"{address}table?puzzle#{club.bot.pages.tokens.give(reader)}")
    await page.locator("#own .board .judged").first.wait_for(timeout=SHOWN_MS)
    with club.world.env.time_context():
        await shot.solve()
    await page.locator("#solution").wait_for(timeout=SHOWN_MS)
    return Image.open(io.BytesIO(await page.screenshot()))


def below_each_other(pictures: Sequence[Image.Image]) -> Image.Image:
    """One picture of several, no wider than a page."""
    whole = Image.new("RGB", (max(each.width for each in pictures), sum(each.height for each in pictures)), "#313338")
    top = 0
    for each in pictures:
        whole.paste(each, (0, top))
        top += each.height
    whole.thumbnail((WIDEST, whole.height))
    return whole.quantize(256)


async def photographed(evening: Evening, language: str, driver: Any) -> dict[str, str]:
    """Play an evening in one language, and write its pictures; returns their digests."""
    digests = {}
    async with AsyncExitStack() as opened:
        faces = {emoji_name(name): image for name, image in draw_all().items()}
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        club: Club = await opened.enter_async_context(open_club(folder, seeds=evening.seeds, faces=faces))
        if language != "en":
            club.world.speak(language)
        club_page = ChannelPage(
            club.world, port=0, faces=faces, language=LANGUAGES[language], wall_ms=club.world.now_ms
        )
        await opened.enter_async_context(club_page)
        # Screens are of a bot that serves no pages, as in the test of their age; the page of a table opens anyway.
        club.bot.links.served, club.bot.links.public_url, club.bot.links.simulated = False, "", None
        # The page shows one channel and disables threads, so they're simulated like in a club.
        club.forbid()
        club.bot.has_threads = True
        # The page keeps only the latest requests; the club, which lasts one evening, looks at all of them.
        club.backend.http_requests = list(club.backend.http_requests)
        page = await driver.new_page(viewport=DESK, bypass_csp=True, reduced_motion="reduce")
        async for shot in evening.play(club):
            digest = shot.digest
            below_each_other(await pictures_of(shot, page, club_page.address)).save(
                IMAGES / file_of(shot.name, language), optimize=True
            )
            if shot.name in evening.names:
                digests[file_of(shot.name, language)] = digest
            print(f"took {file_of(shot.name, language)}")
    return digests


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.pictures",
        description="Take the documents' pictures in the playground, per language. Needs Chromium and Playwright.\n\n"
        f"Names of pictures: {', '.join(NAMES)}. The pictures board and hand are always drawn.",
        epilog=examples("", "profile daily"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="pictures to take, each with the others of its evening (default: all)",
    )
    return parser


async def main(names: Sequence[str]) -> None:
    """Take the pictures of the evenings that have ``names`` among their pictures, or of all evenings without names."""
    evenings = [each for each in EVENINGS if not names or {*each.names} & {*names}]
    if unknown := {*names} - {*NAMES}:
        sys.exit(f"there is no picture {', '.join(sorted(unknown))}: there are {', '.join(NAMES)}")
    digests = dict(taken()) if names else {}
    async with AsyncExitStack() as opened:
        driving = await opened.enter_async_context(playwright())
        fonts = with_fonts(Path(opened.enter_context(tempfile.TemporaryDirectory())))
        driver = await driving.chromium.launch(executable_path=browser(), args=["--no-sandbox"], env=fonts)
        if not await (await driver.new_page()).evaluate(TELLS_LETTERS_APART):
            sys.exit("make pictures needs a browser that draws Japanese: it draws a box for each letter")
        for language in WRITTEN:
            below_each_other([drawn_board(language)]).save(IMAGES / file_of("board", language), optimize=True)
            save_moving(drawn_streets(language), IMAGES / file_of("hand", language))
            for evening in evenings:
                digests |= await photographed(evening, language, driver)
                TAKEN.write_text(json.dumps(digests, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        await driver.close()


if __name__ == "__main__":
    asyncio.run(main(parser().parse_args().names))
