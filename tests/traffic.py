"""``make traffic``: the posts, pings, words and requests to Discord that a table and an event cost their channel.

Three members play a seeded evening by typing, and twelve enter an event. All requests of the bot to Discord are
counted. The script also runs on another version whose tests' club has the same methods, so that two versions can be
compared.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.base.command_help import HelpFormatter, examples
from tests.discord.club import Club, Screen, open_club
from tests.discord.messages import notified, notified_roles, text_of
from tests.discord.test_event_form import page, publish
from tests.surface import words_in

PLAYERS = ("alice", "bob", "hanako")
GUESTS = tuple(f"Guest{number}" for number in range(9))
HANDS = 20
BETWEEN_SECONDS = 13
STARTS_IN_MINUTES = 20
_MESSAGES, _MESSAGE = re.compile(r"/channels/\d+/messages"), re.compile(r"/channels/\d+/messages/\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """The bot's requests in a period, and the content that members saw."""

    posts: int
    pings: int
    """People and roles that were notified."""
    edits: int
    deletes: int
    answered: int
    """Commands and presses that were answered, each of which takes several requests."""
    requests: int
    """All of them, with the private answers and the bookkeeping."""
    words: int
    """Words of the posts."""
    lines: int
    """Lines of the posts."""
    fullest: int
    """Most words of a message as it was edited."""


def traffic_of(requests: Sequence[Any]) -> Traffic:
    """Return the counts of these requests."""
    posts = [one.json for one in requests if one.method == "POST" and _MESSAGES.fullmatch(one.path)]
    edits = [one.json for one in requests if one.method == "PATCH" and _MESSAGE.fullmatch(one.path)]
    texts = [text_of(body.get("components") or []) for body in posts]
    return Traffic(
        posts=len(posts),
        pings=sum(len(notified(body)) + len(notified_roles(body)) for body in posts),
        edits=len(edits),
        deletes=sum(one.method == "DELETE" and bool(_MESSAGE.fullmatch(one.path)) for one in requests),
        answered=sum(one.method == "POST" and one.path.endswith("/callback") for one in requests),
        requests=len(requests),
        words=sum(map(words_in, texts)),
        lines=sum(bool(line.strip()) for text in texts for line in text.splitlines()),
        fullest=max((words_in(text_of(body.get("components") or [])) for body in edits), default=0),
    )


class Counter:
    """Counts the requests between two looks."""

    def __init__(self, club: Club) -> None:
        self._requests = club.backend.http_requests
        self._counted = len(self._requests)

    def since(self) -> Traffic:
        """Return the counts since the last look."""
        fresh = self._requests[self._counted :]
        self._counted += len(fresh)
        return traffic_of(fresh)


async def table(club: Club, *, hands: int, silent: bool) -> dict[str, Traffic]:
    """Open a table for three and play. The first player to act stays ``silent`` until pinged."""
    counter, found = Counter(club), dict[str, Traffic]()
    await club.open_table(*PLAYERS, clock="1m")
    found["Table, until the first card"] = counter.since()
    for _ in range(hands):
        if silent:
            await club.pass_time(30)
        await club.type_hand()
        await club.pass_time(BETWEEN_SECONDS)
    found[f"{hands} hands{', each with somebody who is called' if silent else ''}"] = counter.since()
    await club.play.close(club.key(), reason="closed_by_admin")
    await club.pass_time(30)
    found["Closing the table"] = counter.since()
    return found


async def event(club: Club) -> dict[str, Traffic]:
    """Twelve enter an event."""
    for name in GUESTS:
        club.newcomer(name)
    await club.settle()
    counter, found = Counter(club), dict[str, Traffic]()
    shown = await page(club, preset="chaipo", name="Night", when=f"in {STARTS_IN_MINUTES} minutes")
    key = (await publish(club, shown)).key
    await club.pass_hours(6 * 60)  # registrations during check-in count as checked in

    async def message() -> Screen:
        number = (await club.bot.services.events.look(key)).event.message
        assert number is not None
        return Screen(club, club.channel.id, number)

    for name in (*PLAYERS, *GUESTS):
        await club.press(name, await message(), (await message()).find("ev_register"))
    found["Event, until all have registered"] = counter.since()
    await club.pass_hours((STARTS_IN_MINUTES - 6) * 60)
    await club.settle()
    await club.bot.services.event_publisher.drawn()
    assert len((await club.bot.services.events.look(key)).tables) == (len(PLAYERS) + len(GUESTS)) // 3
    found["Event, from there to the first card"] = counter.since()
    return found


WALKS: tuple[Callable[[Club], Any], ...] = (
    lambda club: table(club, hands=HANDS, silent=False),
    lambda club: table(club, hands=5, silent=True),
    event,
)


async def measured() -> dict[str, Traffic]:
    """Return the counts of all walks, each in a separate club."""
    found: dict[str, Traffic] = {}
    for walk in WALKS:
        with TemporaryDirectory() as folder:
            async with open_club(Path(folder)) as club:
                found |= {
                    title if title not in found else f"{title} (again)": one
                    for title, one in (await walk(club)).items()
                }
    return found


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.traffic",
        description="Count the posts, pings, words and requests to Discord of an evening at a table and of an event.",
        epilog=examples("", "--log"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--log", action="store_true", help="print the bot's log")
    return parser


def main() -> int:
    """Print the counts as a table."""
    args = parser().parse_args()
    if not args.log:
        logging.disable(logging.CRITICAL)
    names = Traffic.__slots__
    print(f"| | {' | '.join(names)} |\n| --- |{' ---: |' * len(names)}")
    for title, one in asyncio.run(measured()).items():
        print(f"| {title} | {' | '.join(str(getattr(one, name)) for name in names)} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
