"""``make surface``: the size of what people see: the rows of the command picker, and each screen in both languages.

The real bot is driven through one evening: a table, its result, practice, an event, and the club's own screens. A
screen that the walk can't find is left out, so that the sizes of two versions with different commands can be compared.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import discord
from typing_extensions import override

from bot.base.command_help import HelpFormatter, examples
from bot.chat.club.posts.welcomes import WelcomeTime
from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.clock import DAY
from bot.model.standings import ClubPage
from tests.discord.club import Club, Screen, open_club
from tests.discord.messages import walk
from tests.discord.test_bulletins import play_daily
from tests.discord.test_daily import begin, place, view_of
from tests.discord.test_event_form import page, publish
from tests.discord.test_practice import play_to_the_end
from tests.play.world import quickly

LANGUAGES = ("en", "ja")
SUBCOMMAND, GROUP = 1, 2
"""Discord's types of commands inside a command."""
EMOJI, MOMENT = re.compile(r"<a?:\w+:\d+>"), re.compile(r"<(?:t:\d+(?::\w)?|[@#&!:/\w -]+:?\d+)>")
ADDRESS = re.compile(r"\]\([^)]*\)")
WORD = re.compile(r"[^\W\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]+(?:[.,:'’][^\W\u3040-\u30ff\u3400-\u9fff]+)*")
LETTER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")
LETTERS_PER_WORD = 2.5
"""Japanese letters per English word of the same text, about."""
BUTTON, SELECTS = 2, {3, 5, 6, 7, 8}
NEWCOMERS = ("Carol", "Dave")
WAIT_SECONDS, MAX_WAITS = 5.0, 60
"""The time between two looks for a message, and the most looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """The size of a screen. Links count as controls."""

    lines: int
    words: int
    controls: int

    @override
    def __str__(self) -> str:
        return f"{self.lines} / {self.words} / {self.controls}"


def size_of(screen: Screen) -> Size:
    """Return the size of a message: its text without pictures, card faces and addresses, its buttons and menus."""
    parts = list(walk(screen.components))
    text = "\n".join(str(part["content"]) for part in parts if part["type"] == discord.ComponentType.text_display.value)
    lines = sum(bool(line.strip()) for line in text.splitlines())
    controls = sum(part["type"] == BUTTON or part["type"] in SELECTS for part in parts)
    return Size(lines=lines, words=words_in(text), controls=controls)


def words_in(text: str) -> int:
    """Return the number of words; a moment or a mention is one."""
    text = MOMENT.sub(" x ", EMOJI.sub(" ", ADDRESS.sub("]", text)))
    return len(WORD.findall(text)) + round(len(LETTER.findall(text)) / LETTERS_PER_WORD)


# The picker


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the picker: a command, or a subcommand."""

    name: str
    options: int
    rights: int
    """Permissions that Discord asks for before it shows the row."""


def rows_of_picker(club: Club) -> list[Row]:
    """Return all rows that are registered; the entries in the menus of users and messages are none."""
    registered = [one for one in club.backend.commands[None].values() if one.get("type", 1) == 1]
    return [
        Row(name=name, options=count, rights=int(command.get("default_member_permissions") or 0))
        for command in registered
        for name, count in _rows(command)
    ]


def _rows(command: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, int]]:
    name, options = f"{path} {command['name']}".strip(), command.get("options") or []
    inside = [option for option in options if option["type"] in (SUBCOMMAND, GROUP)]
    for option in inside:
        yield from _rows(option, name)
    if not inside:
        yield name, len(options)


def picker(rows: Sequence[Row]) -> dict[str, int]:
    """Return the numbers of the picker: rows by right, options in all and in the largest command."""

    def seen_with(*names: str) -> int:
        rights = discord.Permissions(**dict.fromkeys(names, True)).value
        return sum(row.rights & rights == row.rights for row in rows)

    return {
        "Rows": len(rows),
        "Rows for a member": seen_with(),
        "Rows with Manage Events": seen_with("manage_events"),
        "Rows with Manage Events and Manage Server": seen_with("manage_events", "manage_guild"),
        "Options": sum(row.options for row in rows),
        "Options, most in one": max(row.options for row in rows),
    }


# The screens

Seen = tuple[str, Screen]


async def typed(club: Club, name: str, *commands: str) -> Screen | None:
    """Type the first of these commands that is registered, with its options as ``option=value``."""
    known = {row.name for row in rows_of_picker(club)}
    for command in commands:
        words = command.split()
        row = " ".join(word for word in words if "=" not in word)
        if row in known:
            given = (word.partition("=") for word in words if "=" in word)
            options: dict[str, Any] = {key: int(value) if value.isdigit() else value for key, _, value in given}
            return await club.slash(name, row, **options)
    return None


async def pressed(club: Club, name: str, screen: Screen | None, *verbs: str) -> Screen | None:
    """Press the first of these buttons that the screen has."""
    for verb in verbs if screen is not None else ():
        assert screen is not None
        if screen.has(verb):
            return await club.press(name, screen, screen.find(verb))
    return None


async def table_evening(club: Club) -> AsyncIterator[Seen]:
    """Three play two hands at a table, which then closes."""
    first = await typed(club, "alice", "ofc play")
    if first is not None:
        yield "Own table, private", first
    for guest in ("bob", "hanako"):
        await club.press(guest, club.table_screen(), club.table_screen().find("join"))
    opening, *_ = club.public()
    yield "Opening post", opening
    yield "Lobby", club.table_screen()
    if (seats := await typed(club, "alice", "ofc table do=seats", "ofc seats table=1")) is not None:
        yield "Seats", seats
    await club.press("alice", club.table_screen(), club.table_screen().find("start"))
    yield "Table, first street", club.table_screen()
    fullest = 0
    while (view := await club.look()).table.hand_no == 1 and view.waiting:
        name = await club.on_turn()
        seen = await club.look(1, name)
        assert seen.hand is not None
        assert seen.hand.mine is not None
        if name == "alice":
            yield f"My hand, street {seen.hand.street}", await club.open_panel(name)
        if (shown := size_of(club.table_screen()).lines) > fullest:
            fullest = shown
            yield "Table, full", club.table_screen()
        await club.play_turn(
            name, script=None if seen.hand.mine.fantasyland else {name: [await quickly(seen.hand)] * seen.hand.street}
        )
    await club.settle()
    result = next(screen for screen in reversed(club.public()) if screen.message.attachments or screen.has("replay"))
    yield "Result", result
    async for each in looked_up(club, result):
        yield each
    await club.pass_time(13)
    for _ in range(MAX_WAITS):
        if club.calls():
            yield "Last call", club.calls()[-1]
            break
        await club.pass_time(WAIT_SECONDS)
    await club.play.close(club.key(), reason="closed_by_admin")
    for _ in range(MAX_WAITS):
        await club.pass_time(WAIT_SECONDS)
        if closed := [screen for screen in club.public() if screen.has("again")]:
            yield "Table closed", closed[-1]
            break


async def looked_up(club: Club, result: Screen) -> AsyncIterator[Seen]:
    """Yield Alice's queries about the hand, the table's players and the server."""
    ways = await typed(club, "alice", "ofc help", "help")
    choices = await pressed(club, "alice", ways, "play")
    for title, screen in {
        "Open a table": await pressed(club, "alice", choices, "open"),
        "Review": await pressed(club, "alice", result, "review"),
        "Replay, first step": await pressed(club, "alice", result, "replay"),
        "Details of a result": await pressed(club, "alice", result, "details", "result_details"),
        "A result, looked up": await typed(club, "alice", "ofc result table=1 hand=1", "result table=1 hand=1"),
        "My games": await typed(club, "alice", "ofc table do=mine", "my-games"),
        "Help": ways,
        "Rules": await typed(club, "alice", "ofc help about=rules", "rules"),
        "Leaderboard": await typed(club, "alice", "ofc leaderboard", "leaderboard"),
        "Records": await typed(club, "alice", "records", "ofc leaderboard by=records"),
        "Recap": await typed(club, "alice", "recap", "ofc leaderboard by=recap"),
        "Profile": await typed(club, "alice", "ofc profile", "profile"),
        "Past hands": await typed(club, "alice", "ofc profile show=hands", "history"),
        "Chips": await typed(club, "alice", "ofc profile show=chips", "chips balance"),
        "Settings": await typed(club, "alice", "ofc settings", "settings"),
        "Setup": await typed(club, "alice", "setup", "ofc-setup"),
    }.items():
        if screen is not None:
            yield title, screen


async def practice(club: Club) -> AsyncIterator[Seen]:
    """A hand against the computer, in private."""
    panel = await typed(club, "alice", "ofc practice")
    assert panel is not None
    yield "Practice, hand", panel
    await play_to_the_end(club, "alice", panel)
    await club.settle()
    yield "Practice, result", panel
    if (over := await pressed(club, "alice", panel, "stop")) is not None:
        yield "Practice, over", over


async def event_night(club: Club) -> AsyncIterator[Seen]:
    """Four register for an event, which begins."""
    shown = await page(club, preset="chaipo", name="Night", when="in 10 minutes")
    yield "Event draft", shown
    before = len(club.public())
    key = (await publish(club, shown)).key
    await club.settle()
    for name in NEWCOMERS:
        club.newcomer(name)

    async def message() -> Screen:
        found = (await club.bot.services.events.look(key)).event.message
        assert found is not None
        return Screen(club, club.channel.id, found)

    (published,) = club.public()[before:]
    (fixed,) = club.backend.messages[published.id]  # in the thread below the event
    yield "Event, announcement", Screen(club, published.id, fixed)
    await club.pass_time(60)  # until check-in opens, because later registrations count as checked in
    for entrant in ("alice", "bob", *NEWCOMERS):
        await club.press(entrant, await message(), (await message()).find("ev_register"))
    await club.pass_hours(10 * 60)
    await club.settle()
    await club.bot.services.event_publisher.drawn()
    yield "Event, running", await message()
    table = (await club.bot.services.events.look(key)).tables[0].table
    assert table.message is not None
    yield "Table of an event", Screen(club, table.channel, table.message)
    desk = await typed(club, "alice", "event do=desk", "event-admin desk")
    if desk is not None:
        yield "Desk", desk
        if desk.has("ev_d_person"):
            who = [str(club.members["bob"].id)]
            yield "Desk, a player", await club.choose("alice", desk, desk.find("ev_d_person"), who)


async def registration(club: Club) -> AsyncIterator[Seen]:
    """An event with one member registered."""
    shown = await page(club, preset="chaipo", name="Night", when="in 3 hours")
    key = (await publish(club, shown)).key
    found = (await club.bot.services.events.look(key)).event.message
    assert found is not None
    message = Screen(club, club.channel.id, found)
    await club.press("bob", message, message.find("ev_register"))
    await club.bot.services.event_publisher.drawn()
    await club.settle()
    yield "Event, registration", message


async def day(club: Club) -> AsyncIterator[Seen]:
    """Play and share a daily hand, and view the club page and posts on the next morning."""
    panel = await begin(club, "alice")
    while (view := await view_of(club, "alice")).standing is None:
        assert view.hand is not None
        panel = await place(club, "alice", panel, await quickly(view.hand))
    await club.press("alice", panel, panel.find("day_share"))
    await club.settle()
    yield "Daily hand, shared", club.public()[-1]
    for name in ("bob", "hanako"):
        await play_daily(club, name, well=name == "hanako")
    await club.open_table("alice", "bob", "hanako")
    await club.type_hand()
    await club.play.close(club.key(), reason="closed_by_admin")
    await club.settle()
    services, guild, now = club.bot.services, club.key().guild, club.world.now_ms()
    await services.bank.change_club_page(guild, lambda _: ClubPage(channel=club.channel.id))
    services.club_pages.changed(guild)
    await services.club_pages.done()
    yield "Club page", next(screen for screen in club.public() if screen.has("ranks") and screen.has("daily"))

    def chosen(before: Bulletin) -> Bulletin:
        return replace(before, channel=club.channel.id, hour=12, weekday=4, zone="UTC")

    at = 0
    for kind in BulletinKind:
        kept = await services.bulletins.change(guild, kind, chosen)
        at = max(at, kept.next_after(now + DAY // 2))
    club.backend.advance_clock((at - club.world.now_ms()) / 1000 - 60)
    await club.pass_time(120)
    await club.bot.services.bulletin_posts.done()
    for title, key in (("Morning post", "morning.title"), ("Recap, posted", "recap.title")):
        heading = f"### {club.words()(key)}"
        if posts := [screen for screen in club.public() if screen.text.startswith(heading)]:
            yield title, posts[-1]


async def welcome(club: Club) -> AsyncIterator[Seen]:
    """The bot has joined a server."""
    await club.settle()
    yield "Welcome", next(screen for screen in club.public() if screen.has("set_up"))


Walk = Callable[[Club], AsyncIterator[Seen]]
WALKS: tuple[Walk, ...] = (
    welcome,
    table_evening,
    practice,
    registration,
    event_night,
    day,
)


async def sizes(language: str, walks: Sequence[Walk] = WALKS) -> dict[str, Size]:
    """Return the size of each screen as someone who reads this language sees it."""
    found: dict[str, Size] = {}
    for way in walks:
        with TemporaryDirectory() as folder:
            welcoming = WelcomeTime.ONCE if way is welcome else WelcomeTime.NEVER
            async with open_club(Path(folder), welcoming=welcoming) as club:
                if language != "en":
                    club.world.speak(language)
                here = club.elsewhere("卓", locale=language) if language != "en" and way is welcome else club
                async for title, screen in way(here):
                    found[title] = size_of(screen)
    return found


async def rows() -> list[Row]:
    """Return the rows of the picker."""
    with TemporaryDirectory() as folder:
        async with open_club(Path(folder)) as club:
            return rows_of_picker(club)


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.surface",
        description="Measure the command picker and each screen in both languages: lines, words and controls.",
        epilog=examples("", "--rows"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--rows", action="store_true", help="list each command and its number of options")
    return parser


async def main() -> None:
    """Print both tables."""
    args = parser().parse_args()
    logging.disable(logging.CRITICAL)
    registered = await rows()
    if args.rows:
        for row in registered:
            print(f"/{row.name}: {row.options}")
    print("| The picker | |\n| --- | --- |")
    for title, number in picker(registered).items():
        print(f"| {title} | {number} |")
    english, japanese = [await sizes(language) for language in LANGUAGES]
    print("\n| Screen: lines / words / controls | English | Japanese |\n| --- | --- | --- |")
    for title, size in english.items():
        print(f"| {title} | {size} | {japanese.get(title, '')} |")


if __name__ == "__main__":
    asyncio.run(main())
