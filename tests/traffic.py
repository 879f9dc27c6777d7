"""``make traffic``: the posts, pings, words and requests to Discord that tables and events cost their channel.

Three members play a seeded evening by typing, and twelve enter an event. Then one event of each format is played to its
end, from the same seeds each time. All requests of the bot to Discord are counted. The script also runs on another
version whose tests' club has the same methods, so that two versions can be compared.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.base.command_help import HelpFormatter, examples
from bot.model.clock import HOUR, Clock, Pace
from bot.model.events import Event, Official, Phase
from bot.model.ids import EventKey, GuildId, Player, TableKey
from bot.play.event.office.registration import PlannedEvent
from bot.pure.event.structure import PRESETS, Format, Structure
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PINEAPPLE
from tests.discord.club import Club, Screen, fantasyland_letters, open_club, plain_letters
from tests.discord.messages import notified, notified_roles, text_of
from tests.discord.test_event_form import page, publish
from tests.surface import words_in

PLAYERS = ("alice", "bob", "hanako")
GUESTS = tuple(f"Guest{number}" for number in range(9))
HANDS = 20
BETWEEN_SECONDS = 13
STARTS_IN_MINUTES = 20
_MESSAGES, _MESSAGE = re.compile(r"/channels/\d+/messages"), re.compile(r"/channels/\d+/messages/\d+")
_SILENT = 1 << 12
"""Discord's flag of a message that makes no sound."""
_THREADS = re.compile(r"/channels/\d+/threads")
_STEEP = (200, 800, 3200)
"""Point values with which a few hands decide a match."""
NO_FANTASYLAND = house_variant("pineapple", {"fantasyland": "off"})
"""Duplicate events don't have Fantasyland, because not all tables would play the same hands."""
FIELDS: Mapping[str, tuple[Structure, int]] = {
    "Tournament": (replace(PRESETS["chaipo"], levels=_STEEP, level_hands=1), 9),
    "Single elimination": (replace(PRESETS["heads_up"], levels=_STEEP, level_hands=1), 8),
    "Double elimination": (replace(PRESETS["double"], levels=_STEEP, level_hands=1), 8),
    "Swiss": (replace(PRESETS["swiss"], rounds=3, round_hands=2), 8),
    "League": (replace(PRESETS["league"], rounds=3, round_hands=2), 9),
    "Duplicate": (replace(PRESETS["duplicate"], table_seats=2, rounds=2, round_hands=2), 8),
}
"""The events that are played to their end, with the number of their players."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """The messages that an event costs its readers."""

    posts: int
    """Messages in the event's channel, with the notices about threads."""
    notices: int
    """Discord's notices that a thread was started."""
    in_threads: int
    """Messages in the tables' threads."""
    pings: int
    """Notified people, in the channel and the threads. Silent mentions don't count."""


def noise_of(requests: Sequence[Any], channel: int) -> Noise:
    """Return the counts of these requests for an event in ``channel``."""
    posts = [one for one in requests if one.method == "POST" and _MESSAGES.fullmatch(one.path)]
    notices = sum(one.method == "POST" and bool(_THREADS.fullmatch(one.path)) for one in requests)
    here = sum(one.path == f"/channels/{channel}/messages" for one in posts)
    loud = [one.json for one in posts if not (one.json.get("flags") or 0) & _SILENT]
    return Noise(
        posts=here + notices,
        notices=notices,
        in_threads=len(posts) - here,
        pings=sum(len(notified(body)) + len(notified_roles(body)) for body in loud),
    )


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
        return traffic_of(self.fresh())

    def fresh(self) -> Sequence[Any]:
        """Return the requests since the last look."""
        fresh: list[Any] = self._requests[self._counted :]
        self._counted += len(fresh)
        return fresh


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


async def hold(club: Club, structure: Structure, people: int, *, language: str = "en") -> Event:
    """Publish an event of ``people`` newcomers that starts in an hour, and register all of them."""
    events, names = club.bot.services.events, [f"Player{number}" for number in range(people)]
    for name in names:
        club.newcomer(name)
    await club.settle()
    plan = PlannedEvent(
        guild=GuildId(club.guild.id),
        channel=club.channel.id,
        organiser=club.player("alice"),
        language=language,
        name="Evening",
        variant=NO_FANTASYLAND if structure.format is Format.DUPLICATE else PINEAPPLE,
        structure=structure,
        clock=Clock(pace=Pace.LIVE, seconds=30),
        starts_at=club.world.now_ms() + HOUR,
    )
    event = await events.create(plan, cause="created")
    for name in names:
        await events.register(event.key, club.player(name), cause=f"registers {name}")
    await club.bot.services.event_publisher.drawn()
    return event


async def play_out(club: Club, key: EventKey) -> None:
    """Play an event to its end. Everyone places what the clock would place, without waiting for it."""
    while not (await club.bot.services.events.look(key)).event.phase.over:
        await play_once(club, key)
    await club.pass_time(BETWEEN_SECONDS)


async def play_once(club: Club, key: EventKey) -> None:
    """Finish the hands in progress at all tables, and wait for the next ones."""
    for line in (await club.bot.services.events.look(key)).tables:
        while waiting := (await club.play.look(line.table.key)).waiting:
            await _place(club, line.table.key, waiting[0])
    await club.pass_time(BETWEEN_SECONDS)


async def _place(club: Club, key: TableKey, player: Player) -> None:
    seen = await club.play.look(key, player)
    assert seen.hand is not None
    assert seen.hand.mine is not None
    rows = fantasyland_letters(seen) if seen.hand.mine.fantasyland else plain_letters(seen)
    hand_no, street = seen.table.hand_no, seen.hand.street
    cause = f"{player} places {key.table}/{hand_no}/{street}"
    await club.play.place_cards(key, player, hand_no=hand_no, street=street, rows=rows, cause=cause)


async def noise(club: Club, structure: Structure, people: int) -> Noise:
    """Return what an event costs its readers, from its publication to its end."""
    before = len(club.backend.http_requests)
    event = await hold(club, structure, people)
    events = club.bot.services.events
    if structure.check_in_minutes:
        await club.pass_hours((60 - structure.check_in_minutes + 1) * 60)
        for number in range(people):
            player = club.player(f"Player{number}")
            await events.check_in(event.key, player, cause=f"checks in {player}")
    await events.start(event.key, Official(player=event.organiser, manager=True), cause="started")
    await club.bot.services.event_publisher.drawn()
    await play_out(club, event.key)
    assert (await events.look(event.key)).event.phase is Phase.ENDED
    return noise_of(club.backend.http_requests[before:], club.channel.id)


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


async def noises() -> dict[str, Noise]:
    """Return what an event of each format costs its readers, each in a separate club."""
    found = {}
    for title, (structure, people) in FIELDS.items():
        with TemporaryDirectory() as folder:
            async with open_club(Path(folder)) as club:
                found[f"{title}, {people} players"] = await noise(club, structure, people)
    return found


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.traffic",
        description="Count the posts, pings, words and requests to Discord of an evening at a table and of events.",
        epilog=examples("", "--events"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--events", action="store_true", help="play only the events of all formats")
    parser.add_argument("--log", action="store_true", help="print the bot's log")
    return parser


def main() -> int:
    """Print the counts as a table."""
    args = parser().parse_args()
    if not args.log:
        logging.disable(logging.CRITICAL)
    if not args.events:
        _print_table(asyncio.run(measured()))
        print()
    _print_table(asyncio.run(noises()))
    return 0


def _print_table(found: Mapping[str, Any]) -> None:
    names = [field.name for field in fields(next(iter(found.values())))]
    print(f"| | {' | '.join(names)} |\n| --- |{' ---: |' * len(names)}")
    for title, one in found.items():
        print(f"| {title} | {' | '.join(str(getattr(one, name)) for name in names)} |")


if __name__ == "__main__":
    raise SystemExit(main())
