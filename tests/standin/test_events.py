"""Events on the stand-in: posts, places of tables, and Discord's own list of events."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.chat.event.posts.publisher import EventPublisher
from bot.model.clock import Clock, Pace
from bot.model.events import Call, Event, Notice, Official, Phase, Repeat, RepeatInterval
from bot.model.ids import EventKey, GuildId, Player, TableKey
from bot.model.tables import TableState, Timer
from bot.play.api.events import Events
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.office.registration import PlannedEvent
from bot.play.session.session import Session
from bot.pure.event.structure import PRESETS as STRUCTURES
from bot.pure.event.structure import Structure
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS
from bot.text.fingerprint import fingerprint
from bot.text.words import words_for
from tests.backstage import transactions_of
from tests.discord.club import plain_letters
from tests.standin.rest import MISSING_PERMISSIONS, TOO_MANY_THREADS, Fault, Request
from tests.standin.standin import custom_ids
from tests.standin.things import FREE_ROLE, USER_IDS, Channel, Json, Message
from tests.standin.wired_bot import WiredBot, make_bot

WORDS = words_for("en")
HOUR = 3_600_000
BOSS = Official(player=Player(str(USER_IDS)))
"""They own the server."""
SCHEDULED, ACTIVE, COMPLETED, CANCELLED = 1, 2, 3, 4
HEADS_UP = replace(STRUCTURES["sit_and_go"], table_seats=2, most=2, least=2)
DUPLICATE = replace(STRUCTURES["duplicate"], threads=True)
NO_FANTASYLAND = house_variant("pineapple", {"fantasyland": "off"})
CARD = re.compile(r"<:(?!card_face_down|empty)\w+:\d+>")
WEEKLY = replace(STRUCTURES["chaipo"], check_in_minutes=0)


class Evening:
    """A wired bot with events in it."""

    def __init__(self, wired: WiredBot) -> None:
        self.wired = wired
        self._causes: Iterator[int] = count(5 * 10**18)

    @property
    def events(self) -> Events:
        return self.wired.bot.services.events

    @property
    def board(self) -> EventPublisher:
        return self.wired.bot.services.event_publisher

    def cause(self) -> str:
        return str(next(self._causes))

    async def announce(self, structure: Structure = WEEKLY, *, starts_in: int | None = HOUR, **more: Any) -> EventKey:
        starts_at = None if starts_in is None else self.wired.discord.now_ms() + starts_in
        plan = PlannedEvent(
            guild=GuildId(self.wired.channel.guild.id),
            channel=self.wired.channel.id,
            organiser=more.pop("organiser", BOSS.player),
            language="en",
            name="Friday night",
            variant=more.pop("variant", PRESETS["pineapple"]),
            structure=structure,
            clock=Clock(pace=Pace.PER_TURN, seconds=60),
            starts_at=starts_at,
            authority=MemberPermissions(manager=True, roles=frozenset(structure.roles)),
            **more,
        )
        key = (await self.events.create(plan, cause=self.cause())).key
        await self.shown()
        return key

    async def register(self, key: EventKey, *numbers: int) -> None:
        for number in numbers:
            player = Player(str(self.wired.user(number).id))
            await self.events.register(key, player, cause=self.cause())
        await self.shown()

    async def press_register(self, *numbers: int) -> None:
        """They register by the button of the newest event: from then on the bot knows their names."""
        for number in numbers:
            message = next(m for m in reversed(self.wired.channel.public()) if list(custom_ids(m, "ev_register")))
            await self.wired.tap(self.wired.user(number), message, "ev_register")
        await self.shown()

    def players(self, numbers: Iterable[int]) -> list[str]:
        return [str(self.wired.user(number).id) for number in numbers]

    def notified(self) -> Counter[str]:
        """The number of messages that have notified each player."""
        return Counter(player for request in self.wired.discord.requests for player in request.notified)

    async def start(self, key: EventKey) -> None:
        await self.events.start(key, BOSS, cause=self.cause())
        await self.shown()

    async def shown(self) -> None:
        """Wait until everything is drawn; drawing a table may stir its event, and the other way round."""
        for _ in range(3):
            await self.board.drawn()
            await self.wired.drawn()

    async def event(self, key: EventKey) -> Event:
        return (await self.events.look(key)).event

    async def tables(self, key: EventKey) -> list[TableKey]:
        return [line.table.key for line in (await self.events.look(key)).tables]

    def said(self, sentence: str) -> list[Message]:
        return [message for message in self.wired.channel.public() if sentence in message.text]

    @property
    def threads(self) -> list[Channel]:
        """The threads of tables."""
        return [thread for thread in self._every_thread if thread.id not in self.wired.channel.messages]

    @property
    def fingerprints(self) -> list[Channel]:
        """The threads for fingerprints. Each is below an event's message and has its id."""
        return [thread for thread in self._every_thread if thread.id in self.wired.channel.messages]

    @property
    def _every_thread(self) -> list[Channel]:
        return [channel for channel in self.wired.discord.channels.values() if channel.parent is not None]

    @property
    def calendar(self) -> list[Json]:
        return list(self.wired.channel.guild.calendar.values())

    async def restart(self, folder: Path) -> None:
        await self.wired.discord.stop()
        self.wired.bot = await make_bot(self.wired.discord, folder)
        await self.wired.discord.start(self.wired.bot)
        await self.board.sweep()
        await self.shown()


@pytest.fixture
def evening(wired: WiredBot) -> Evening:
    return Evening(wired)


def sends(evening: Evening, sentence: str) -> list[Request]:
    """The requests that posted this."""
    requests = [request for request in evening.wired.discord.requests if request.kind == "send"]
    return [request for request in requests if sentence in json.dumps(request.json, ensure_ascii=False)]


def refuse(kind: str, fault: Fault, method: str = "") -> Any:
    return lambda request: fault if request.kind == kind and method in ("", request.method) else None


async def test_an_event_has_one_message_that_is_edited(evening: Evening) -> None:
    key = await evening.announce()
    (message,), (below,) = evening.wired.channel.public(), evening.fingerprints
    (locked,) = below.public()
    await evening.register(key, 1, 2)
    assert evening.wired.channel.public() == [message]
    assert below.public() == [locked]
    assert not locked.edits
    assert message.edits
    assert list(custom_ids(message, "ev_register"))
    event = await evening.event(key)
    assert (event.message, event.drawn_version) == (message.id, event.version)


async def test_a_thread_for_fingerprints_that_was_made_before_a_kill_is_taken_again(evening: Evening) -> None:
    lost = iter([Fault(error=ConnectionResetError(), done=True)])

    def once(request: Request) -> Fault | None:
        return next(lost, None) if "/messages/" in request.path and request.kind == "thread" else None

    evening.wired.discord.hook = once
    key = await evening.announce()
    for _ in range(3):
        await asyncio.sleep(30)
        await evening.shown()
    (below,) = evening.fingerprints
    (locked,) = below.public()
    event = await evening.event(key)
    assert fingerprint(event.commitment) in locked.text
    assert next(lost, None) is None, "the first request was lost after it had made the thread"


async def test_a_message_that_was_deleted_is_posted_anew(evening: Evening) -> None:
    key = await evening.announce()
    (first,) = evening.wired.channel.public()
    del evening.wired.channel.messages[first.id]
    await evening.register(key, 1)
    (second,) = evening.wired.channel.public()
    assert second is not first


async def test_registrations_over_days_edit_the_message_and_the_start_brings_it_down(evening: Evening) -> None:
    key = await evening.announce(starts_in=72 * HOUR)
    (first,) = evening.wired.channel.public()
    for number in range(1, 7):
        await asyncio.sleep(5 * HOUR / 1000)
        await evening.register(key, number)
        assert evening.wired.channel.public() == [first]
        assert f"<@{evening.wired.user(number).id}>" in first.text
    await evening.events.withdraw(key, Player(str(evening.wired.user(6).id)), cause=evening.cause())
    await evening.shown()
    assert evening.wired.channel.public() == [first]
    (below,) = evening.fingerprints
    assert below.id == first.id, "the thread with the fingerprints keeps the message that it's below"
    await evening.start(key)
    posts = evening.wired.channel.public()
    assert first not in posts
    (second,) = [message for message in posts if list(custom_ids(message, "ev_standings"))]
    assert (await evening.event(key)).message == second.id


async def test_every_table_is_played_in_a_thread_of_its_own(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3, 4, 5, 6)
    await evening.start(key)
    names = [WORDS("event_table.thread", table=table.table, name="Friday night") for table in await evening.tables(key)]
    assert sorted(thread.name for thread in evening.threads) == sorted(names)
    assert len(names) == 2
    for thread in evening.threads:
        assert [list(custom_ids(message, "join")) for message in thread.public()] == [[]] * len(thread.public())
        assert any("Friday night" in message.text for message in thread.public())


async def test_the_draw_is_posted_once_and_calls_nobody_whom_a_table_has_called(evening: Evening) -> None:
    key = await evening.announce(replace(WEEKLY, added=100))  # which is announced
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    (request,) = sends(evening, WORDS("event_notice.started"))
    assert request.notified == []
    await evening.board.sweep()
    await evening.shown()
    assert len(sends(evening, WORDS("event_notice.started"))) == 1


async def test_people_whose_names_are_known_are_notified_once_and_are_in_their_thread(evening: Evening) -> None:
    key = await evening.announce()
    people = range(1, 7)
    await evening.press_register(*people)
    await evening.start(key)
    assert evening.notified() == Counter(evening.players(people))
    assert len(evening.threads) == 2
    for table in await evening.tables(key):
        view = await evening.wired.bot.services.play.look(table)
        (thread,) = (one for one in evening.threads if one.id == view.table.channel)
        assert thread.members == {place.seat.player for place in view.places}


async def test_whose_table_must_wait_for_its_message_is_notified_by_that_alone(evening: Evening) -> None:
    key = await evening.announce(replace(WEEKLY, threads=False))
    people = evening.players(range(1, 61))
    await evening.press_register(*range(1, 61))
    await evening.start(key)
    draw = sends(evening, WORDS("event_notice.started"))
    late = [one for one in evening.wired.discord.requests if one.notified and one.at > draw[0].at]
    assert late, "a channel takes no more at once"
    assert all(f"<@{player}>" in "".join(one.body for one in draw) for player in people)
    assert evening.notified() == Counter(people)


async def test_who_registers_while_check_in_is_open_is_checked_in_and_reads_so(evening: Evening) -> None:
    key = await evening.announce(replace(WEEKLY, check_in_minutes=30), starts_in=HOUR // 3)
    await evening.wired.bot.clockwork.timekeeper.tick()
    await evening.shown()
    assert (await evening.event(key)).phase is Phase.CHECK_IN
    message = evening.wired.channel.public()[-1]
    assert WORDS("event.brief.check_in_open") in message.text
    assert WORDS("event.check_in_open") not in message.text
    assert not list(custom_ids(message, "ev_checkin"))
    assert not sends(evening, WORDS("event_notice.check_in", at="", when="").split(":")[0])
    details = await evening.wired.tap(evening.wired.user(1), message, "ev_details")
    assert WORDS("event.check_in_now") in details.text
    answer = await evening.wired.tap(evening.wired.user(1), message, "ev_register")
    assert WORDS("event.done.registered_checked_in", name="Friday night") in answer.text


async def test_who_is_out_of_an_event_reads_their_place_in_their_panel(evening: Evening) -> None:
    key = await evening.announce(replace(STRUCTURES["sit_and_go"], table_seats=2, most=2, least=2), starts_in=None)
    await evening.press_register(1, 2)
    (table,) = await evening.tables(key)
    await deal(evening, table)
    view = await evening.wired.bot.services.play.look(table)
    channel = evening.wired.discord.channels[view.table.channel]
    message = next(m for m in reversed(channel.public()) if list(custom_ids(m, "hand")))
    stranger = await evening.wired.tap(evening.wired.user(9), message, "hand")
    assert WORDS("event_table.standing.none") in stranger.text
    panel = await evening.wired.tap(evening.wired.user(1), message, "hand")
    (hand,) = custom_ids(message, "hand")
    second = Player(str(evening.wired.user(2).id))
    await evening.events.disqualify(key, BOSS, second, why="cheated", cause=evening.cause())
    while not (await evening.event(key)).phase.over:
        await asyncio.sleep(61)
        await evening.wired.bot.clockwork.timekeeper.tick()
        await evening.shown()
    # No hand was played, so the event is cancelled without a winner.
    assert (await evening.event(key)).phase is Phase.CANCELLED
    assert WORDS("event_table.standing.cancelled", event="Friday night") in panel.text
    answer = (await evening.wired.discord.press(evening.wired.user(2), message, hand).finished()).answer
    assert answer is not None
    assert WORDS("event_table.standing.disqualified", event="Friday night") in answer.text
    assert list(custom_ids(answer, "ev_standings"))


async def begun(evening: Evening, structure: Structure, people: int, *, starts_in: int) -> EventKey:
    """Return an event that starts on time, after everyone has checked in with the button."""
    key = await evening.announce(structure, starts_in=starts_in)
    await evening.press_register(*range(1, people + 1))
    while not (await evening.event(key)).phase.over and (await evening.event(key)).phase is not Phase.RUNNING:
        await asyncio.sleep(60)
        await evening.wired.bot.clockwork.timekeeper.tick()
        await evening.shown()
        calls = [m for m in evening.wired.channel.public() if list(custom_ids(m, "ev_checkin"))]
        if calls and (await evening.event(key)).phase is Phase.CHECK_IN:
            for number in range(1, people + 1):
                await evening.wired.tap(evening.wired.user(number), calls[-1], "ev_checkin")
            await evening.shown()
    return key


@pytest.mark.parametrize("check_in", [0, 15])
@pytest.mark.parametrize("threads", [True, False])
async def test_before_the_first_card_a_channel_gets_few_posts_and_each_player_two_pings(
    evening: Evening, threads: bool, check_in: int
) -> None:
    structure = replace(STRUCTURES["chaipo"], threads=threads, check_in_minutes=check_in)
    key = await begun(evening, structure, 12, starts_in=HOUR // 2)
    tables = await evening.tables(key)
    assert len(tables) == 4
    for table in tables:
        await deal(evening, table)
    own = evening.wired.channel
    sent = [one for one in evening.wired.discord.requests if one.kind == "send" and str(own.id) in one.path]
    # The event, one ping, and each table unless it has a thread. The fingerprints are in a thread below the event.
    assert len(sent) == 2 + (0 if threads else len(tables))
    calls = [one for one in sent if WORDS("event_notice.soon", when="", count=12).split(":")[0] in one.body]
    assert [len(one.notified) for one in sent if one.notified][:1] == [12]
    assert calls
    assert not sends(evening, WORDS("event_notice.started"))
    assert set(evening.notified().values()) <= {2}
    (over,) = evening.said(WORDS("event_notice.over.started"))
    assert not list(custom_ids(over, "ev_checkin")), "it asks for nothing any more"
    assert (await evening.event(key)).calls == ()
    (board,) = evening.said(WORDS("event.ends_at", at="").strip())
    assert "<t:" in board.text.split(WORDS("event.ends_at", at="").strip())[1]


async def test_with_nobody_registered_nothing_is_posted_but_the_event(evening: Evening) -> None:
    key = await evening.announce(replace(STRUCTURES["chaipo"], check_in_minutes=30), starts_in=HOUR)
    posts = len(evening.wired.channel.public())
    await evening.events.change(key, BOSS, {"stack": (10_000, 20_000)}, cause=evening.cause())
    for _ in range(70):
        await asyncio.sleep(60)
        await evening.wired.bot.clockwork.timekeeper.tick()
    await evening.shown()
    assert (await evening.event(key)).phase is Phase.CANCELLED
    assert len(evening.wired.channel.public()) == posts
    assert evening.said(WORDS("event.cancelled.too_few"))


async def test_a_check_in_call_goes_once_the_call_before_the_start_repeats_it_and_a_restart_forgets_none(
    evening: Evening, tmp_path: Path
) -> None:
    key = await evening.announce(replace(STRUCTURES["chaipo"], check_in_minutes=30), starts_in=HOUR)
    await evening.press_register(1, 2, 3)
    checks = WORDS("event_notice.check_in", at="", when="").split(":")[0]
    while not evening.said(checks):
        await asyncio.sleep(60)
        await evening.wired.bot.clockwork.timekeeper.tick()
        await evening.shown()
    await evening.restart(tmp_path)
    assert [call.notice for call in (await evening.event(key)).calls] == [Notice.CHECK_IN]
    while not (await evening.event(key)).reminded:
        await asyncio.sleep(60)
        await evening.wired.bot.clockwork.timekeeper.tick()
        await evening.shown()
    assert not evening.said(checks)
    starts = (await evening.event(key)).starts_at
    assert starts is not None
    await evening.events.postpone(key, BOSS, until=starts + HOUR, cause=evening.cause())
    await evening.shown()
    assert evening.said(WORDS("event_notice.over.moved", at=f"<t:{(starts + HOUR) // 1000}:F>"))


async def test_a_bye_is_called_by_the_draw(evening: Evening) -> None:
    key = await evening.announce(replace(STRUCTURES["heads_up"], check_in_minutes=0))
    await evening.press_register(1, 2, 3)
    await evening.start(key)
    (draw,) = sends(evening, WORDS("event_notice.started"))
    assert len(draw.notified) == 1
    assert evening.notified() == Counter(evening.players((1, 2, 3)))


async def test_a_table_that_moves_into_its_thread_takes_its_players_along(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.chat.table.posts.threads.SLOW_SECONDS", 0.05)
    key = await evening.announce()
    await evening.press_register(1, 2, 3)
    held = evening.wired.channel
    delays = iter([Fault(delay=1.0)])
    evening.wired.discord.hook = lambda request: next(delays, None) if request.kind == "thread" else None
    await evening.start(key)
    assert evening.threads
    (thread,) = evening.threads
    assert held.members | thread.members == set(evening.players((1, 2, 3)))
    assert thread.members == set(evening.players((1, 2, 3)))


@pytest.mark.parametrize("code", [MISSING_PERMISSIONS, TOO_MANY_THREADS])
async def test_where_no_thread_can_be_made_the_table_is_played_in_the_channel(evening: Evening, code: int) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    status = 403 if code == MISSING_PERMISSIONS else 400
    evening.wired.discord.hook = refuse("thread", Fault(status=status, code=code), "POST")
    await evening.start(key)
    (table,) = await evening.tables(key)
    assert evening.threads == []
    assert evening.said(WORDS("event_table.thread", table=table.table, name="").split(" ·")[0])
    note = (await evening.wired.bot.services.play.look(table)).event
    assert note is not None
    assert note.is_placed


async def test_a_thread_whose_making_was_not_noted_is_found_again(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    lost = iter([Fault(error=TimeoutError(), done=True)])
    evening.wired.discord.hook = lambda request: (
        next(lost, None) if request.kind == "thread" and request.method == "POST" else None
    )
    await evening.start(key)
    await evening.wired.bot.services.publisher.sweep()
    await evening.shown()
    (thread,) = evening.threads
    assert thread.public()


async def test_a_restart_finds_the_thread_that_was_made_before(evening: Evening, tmp_path: Path) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    table = WORDS("event_table.thread", table=1, name="Friday night")
    body = {"name": table}
    made = evening.wired.discord._make_thread(evening.wired.channel, body)  # noqa: SLF001
    await evening.restart(tmp_path)
    await evening.start(key)
    assert evening.threads == [made]
    assert made.public()


async def test_a_table_whose_thread_was_deleted_goes_on_in_another(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    (first,) = evening.threads
    await asyncio.wait(evening.wired.discord.remove_thread(first))
    await evening.shown()
    (second,) = evening.threads
    assert second is not first
    assert second.public()
    assert len(await evening.tables(key)) == 1


def table_messages(evening: Evening, channel: Channel) -> list[Message]:
    return [message for message in channel.public() if list(custom_ids(message, "hand"))]


async def test_threads_are_made_one_after_the_other_and_nobody_is_asked_which_there_are(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, *range(1, 13))
    made: list[Request] = []

    def hook(request: Request) -> Fault | None:
        if request.kind != "thread":
            return None
        assert request.method == "POST"
        assert all(before.status for before in made), "two at once"
        made.append(request)
        return Fault(delay=0.01)

    evening.wired.discord.hook = hook
    await evening.start(key)
    assert len(made) == len(evening.threads) == 4


async def test_whom_the_draw_seats_is_called_to_his_table(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    (table,) = await evening.tables(key)
    view = await evening.wired.bot.services.play.look(table)
    (request,) = (r for r in evening.wired.discord.requests if r.path.endswith(f"/{view.table.channel}/messages"))
    assert sorted(request.notified) == sorted(place.seat.player for place in view.places)


async def without_master(evening: Evening, key: EventKey) -> None:
    """Make the event one of those that fixed the decks of no tables, each of which has to tell its own root."""

    def older(s: Session) -> None:
        event = s.tx.events.get(key)
        assert event is not None
        s.tx.events.save(replace(event, board_commitment=b"", board_sealed=b""))

    await transactions_of(evening.wired.bot.services.play).write(older)


async def test_one_fingerprint_in_the_events_announcement_fixes_the_decks_of_all_tables(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, *range(1, 13))
    await evening.start(key)
    for table in await evening.tables(key):
        await deal(evening, table)
    event = await evening.event(key)
    sent = [request for request in evening.wired.discord.requests if request.kind == "send"]
    codes = [fingerprint(event.commitment), fingerprint(event.board_commitment)]
    assert [request for request in sent if all(code in request.body for code in codes)] == [sent[1]]
    assert "registration is open" in sent[1].body
    # The event, its announcement in a thread, the early start and four tables. Fingerprints of tables have no posts.
    assert len(sent) == 3 + 4
    (below,) = evening.fingerprints
    (announced,) = below.public()
    assert not announced.edits
    shown = evening.wired.channel.public()[0]
    details = await evening.wired.tap(evening.wired.user(1), shown, "ev_details")
    answer = await evening.wired.tap(evening.wired.user(1), details, "ev_fairness")
    assert event.board_commitment.hex() in answer.text
    assert event.commitment.hex() in answer.text


async def test_a_table_of_an_older_event_shows_its_root_whole_until_that_is_told_after_the_first_call(
    evening: Evening,
) -> None:
    key = await evening.announce()
    await without_master(evening, key)
    await evening.register(key, 1, 2, 3)
    await evening.wired.call_at_once(*map(evening.wired.user, (1, 2, 3)))
    await evening.start(key)
    (table,), (thread,) = await evening.tables(key), evening.threads
    root = fingerprint((await evening.wired.bot.services.play.look(table)).table.commitment)
    assert [root in message.text for message in thread.public()] == [True]
    await deal(evening, table)
    message, call, told = thread.public()
    assert list(custom_ids(call, "hand"))
    assert WORDS("root.fixed", root=root) in told.text
    await place_cards(evening, table, hands=False)
    assert root not in message.text
    assert f"/{told.id})" in message.text


async def test_where_players_are_called_once_they_stay_silent_the_root_is_told_before_the_first_call(
    evening: Evening,
) -> None:
    key = await evening.announce()
    await without_master(evening, key)
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    (table,), (thread,) = await evening.tables(key), evening.threads
    root = fingerprint((await evening.wired.bot.services.play.look(table)).table.commitment)
    await deal(evening, table)
    message, told = thread.public()
    assert WORDS("root.fixed", root=root) in told.text
    await asyncio.sleep(22)
    await evening.shown()
    call = thread.public()[-1]
    assert call not in (message, told)
    assert list(custom_ids(call, "hand"))


async def test_the_tables_of_one_channel_call_before_any_of_them_tells_its_root(evening: Evening) -> None:
    key = await evening.announce(replace(WEEKLY, threads=False))
    await without_master(evening, key)
    await evening.register(key, *range(1, 25))
    await evening.wired.call_at_once(*map(evening.wired.user, range(1, 25)))
    await evening.start(key)
    tables = await evening.tables(key)
    sessions = transactions_of(evening.wired.bot.services.play)
    for table in tables:
        await sessions.write(lambda s, table=table: s.tx.timers.set_timer(table, Timer.NEXT_HAND, s.now))  # type: ignore[misc]
    evening.wired.discord.requests.clear()
    await evening.wired.bot.clockwork.timekeeper.tick()
    await evening.shown()
    called = [bool(request.notified) for request in evening.wired.discord.requests if request.kind == "send"]
    assert called == [True] * len(tables) + [False] * len(tables)


async def test_a_table_whose_thread_is_slow_is_shown_in_the_channel_and_moves_when_it_comes(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.chat.table.posts.threads.SLOW_SECONDS", 0.05)
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    seen: list[int] = []

    def hook(request: Request) -> Fault | None:
        if request.kind == "send" and "c1:" in request.body:
            seen.append(int(request.path.split("/")[2]))
        return Fault(delay=0.5) if request.kind == "thread" and request.method == "POST" else None

    evening.wired.discord.hook = hook
    await evening.start(key)
    (thread,) = evening.threads
    (table,) = await evening.tables(key)
    now = (await evening.wired.bot.services.play.look(table)).table
    assert now.channel == thread.id
    assert [message.id for message in thread.public()] == [now.message]
    assert not [message for message in evening.wired.channel.public() if message.id in (now.message, now.retired)]


async def test_a_table_whose_thread_cannot_be_written_in_is_played_in_the_channel(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)

    def hook(request: Request) -> Fault | None:
        there = f"/channels/{evening.wired.channel.id}/" in request.path
        return Fault(status=403, code=MISSING_PERMISSIONS) if request.kind == "send" and not there else None

    evening.wired.discord.hook = hook
    await evening.start(key)
    (table,) = await evening.tables(key)
    now = (await evening.wired.bot.services.play.look(table)).table
    assert now.channel == evening.wired.channel.id
    assert now.message in evening.wired.channel.messages


async def test_a_table_is_dealt_when_its_message_stands_and_not_before(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    evening.wired.discord.hook = refuse("send", Fault(status=503))
    await evening.start(key)
    (table,) = await evening.tables(key)
    await deal(evening, table)
    play = evening.wired.bot.services.play
    assert (await play.look(table)).table.state is TableState.LOBBY
    evening.wired.discord.hook = None
    await evening.wired.bot.services.publisher.sweep()
    await evening.shown()
    view = await play.look(table)
    assert view.table.state is TableState.PLAYING
    assert view.turn_until is not None


async def test_a_table_where_nothing_may_be_written_is_dealt_all_the_same(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    evening.wired.discord.hook = refuse("send", Fault(status=403, code=MISSING_PERMISSIONS))
    await evening.start(key)
    (table,) = await evening.tables(key)
    await deal(evening, table)
    view = await evening.wired.bot.services.play.look(table)
    assert view.table.state is TableState.PLAYING
    assert view.turn_until is not None


async def test_discords_own_list_shows_the_event_from_its_announcement_to_its_end(evening: Evening) -> None:
    key = await evening.announce()
    (entry,) = evening.calendar
    assert (entry["name"], entry["status"], entry["image"]) == ("Friday night", SCHEDULED, "cover")
    assert entry["entity_metadata"]["location"] == "#cards"
    await evening.register(key, 1, 2, 3)
    assert len(evening.calendar) == 1
    await evening.start(key)
    assert entry["status"] == ACTIVE
    for number in (1, 2):
        player = Player(str(evening.wired.user(number).id))
        await evening.events.disqualify(key, BOSS, player, why="cheated", cause=evening.cause())
    await evening.shown()
    assert (await evening.event(key)).phase is Phase.ENDED
    assert entry["status"] == COMPLETED


async def test_an_event_that_is_called_off_before_it_begins_is_cancelled_there_too(evening: Evening) -> None:
    key = await evening.announce()
    await evening.events.cancel(key, BOSS, why="no power", cause=evening.cause())
    await evening.shown()
    assert [entry["status"] for entry in evening.calendar] == [CANCELLED]
    assert evening.said(WORDS("event_notice.cancelled.by_hand", by=f"<@{BOSS.player}>"))


async def test_an_entry_that_people_have_deleted_is_not_made_again(evening: Evening) -> None:
    key = await evening.announce()
    evening.wired.channel.guild.calendar.clear()
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    assert evening.calendar == []
    assert (await evening.event(key)).phase is Phase.RUNNING
    assert (await evening.event(key)).scheduled_as == "gone"


async def test_an_entry_that_has_begun_by_itself_is_not_refused(evening: Evening) -> None:
    key = await evening.announce()
    (entry,) = evening.calendar
    entry["status"] = ACTIVE
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    assert (await evening.event(key)).scheduled_as.startswith(f"{ACTIVE}:")


async def test_without_the_permission_the_event_goes_on_without_an_entry(evening: Evening) -> None:
    evening.wired.discord.hook = refuse("calendar", Fault(status=403, code=MISSING_PERMISSIONS))
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    asked = [request for request in evening.wired.discord.requests if request.kind == "calendar"]
    assert len(asked) == 1
    assert (await evening.event(key)).scheduled_as == "no"


def let_the_bot(evening: Evening, *permissions: str) -> None:
    """Give the bot's role these permissions in addition to everyone's."""
    guild = evening.wired.channel.guild
    guild.bot_permissions = discord.Permissions(**dict.fromkeys(permissions, True)).value
    evening.wired.discord.feed("GUILD_CREATE", guild.payload)


async def test_discord_is_not_asked_for_an_entry_that_the_bot_is_known_not_to_be_allowed(evening: Evening) -> None:
    let_the_bot(evening, "manage_events")
    key = await evening.announce()
    assert not [request for request in evening.wired.discord.requests if request.kind == "calendar"]
    assert (await evening.event(key)).scheduled_as == "no"
    let_the_bot(evening, "create_events")
    await evening.announce()
    assert len(evening.calendar) == 1


async def test_discord_is_not_asked_to_take_a_picture_or_give_a_role_that_the_bot_may_not(evening: Evening) -> None:
    let_the_bot(evening)
    key = await evening.announce(replace(HEADS_UP, roles=(FREE_ROLE,)), starts_in=None)
    await evening.register(key, 1, 2)
    await end_by_disqualification(evening, key)
    assert not [request for request in evening.wired.discord.requests if request.kind in ("role", "member")]
    assert not sends(evening, "podium.png")
    assert (await evening.events.postings(key)) == []
    assert evening.said(f"<@{evening.wired.user(1).id}>")


async def test_an_entry_whose_making_was_not_noted_is_not_made_twice(evening: Evening) -> None:
    lost = iter([Fault(error=TimeoutError(), done=True)])
    evening.wired.discord.hook = lambda request: (
        next(lost, None) if request.kind == "calendar" and request.method == "POST" else None
    )
    key = await evening.announce()
    await evening.register(key, 1)
    assert len(evening.calendar) == 1
    assert (await evening.event(key)).scheduled is not None


async def test_a_sit_and_go_is_not_in_the_list(evening: Evening) -> None:
    await evening.announce(HEADS_UP, starts_in=None)
    assert evening.calendar == []


async def test_those_registered_and_those_interested_are_called_before_the_start(evening: Evening) -> None:
    key = await evening.announce(starts_in=11 * 60_000)
    (scheduled,) = evening.wired.channel.guild.calendar
    fans = [evening.wired.user(number) for number in range(3, 203)]
    evening.wired.channel.guild.interested[scheduled] = fans
    await evening.register(key, 1, 2)
    soon = {"starts_at": evening.wired.discord.now_ms(), "players": [str(evening.wired.user(n).id) for n in (1, 2)]}
    await post(evening, key, "SOON", soon)
    called = [request.notified for request in sends(evening, WORDS("event_notice.called", players=""))]
    assert [player for some in called for player in some] == [
        str(evening.wired.user(number).id) for number in range(1, 203)
    ]
    assert max(map(len, called)) <= 80


async def test_who_is_moved_is_called(evening: Evening) -> None:
    key = await evening.announce()
    players = [str(evening.wired.user(number).id) for number in (1, 2)]
    await post(evening, key, "MOVED", {"moves": [[players[0], 3, 4], [players[1], None, 4]]})
    (request,) = sends(evening, WORDS("event_notice.moved"))
    assert request.notified == players


async def post(evening: Evening, key: EventKey, notice: str, details: Json) -> None:
    """Let the event post something, as the director does."""
    sessions = transactions_of(evening.wired.bot.services.play)
    await sessions.write(lambda s: s.tx.outbox.post_event(key, Notice[notice], details, at=s.now))
    evening.board.changed(key)
    await evening.shown()


async def test_an_organiser_is_heard_in_the_threads_and_rings_nowhere(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    await evening.events.announce(key, BOSS, "Pizza! @everyone", cause=evening.cause())
    await evening.shown()
    assert len(evening.said("Pizza!")) == 1
    (thread,) = evening.threads
    assert any("Pizza!" in message.text for message in thread.public())
    for request in sends(evening, "Pizza!"):
        allowed = request.json["allowed_mentions"]
        assert allowed.get("parse", []) == []
        assert allowed.get("users", []) == []


async def test_the_winners_are_shown_in_a_picture_and_get_their_roles(evening: Evening) -> None:
    key = await evening.announce(replace(HEADS_UP, titles=("Champion",), roles=(FREE_ROLE,)), starts_in=None)
    await evening.register(key, 1, 2)
    await end_by_disqualification(evening, key)
    winner = evening.wired.user(1)
    (message,) = [m for m in evening.wired.channel.public() if "podium.png" in m.body]
    assert f"<@{winner.id}>" in message.text
    assert "Champion" in message.text
    assert evening.wired.channel.guild.roles == {winner.id: {FREE_ROLE}}
    assert [request.notified for request in sends(evening, "podium.png")] == [[]]


async def test_roles_that_may_not_be_given_do_not_stop_the_end(evening: Evening) -> None:
    key = await evening.announce(replace(HEADS_UP, roles=(FREE_ROLE,)), starts_in=None)
    await evening.register(key, 1, 2)
    evening.wired.discord.hook = refuse("role", Fault(status=403, code=MISSING_PERMISSIONS))
    await end_by_disqualification(evening, key)
    assert (await evening.events.postings(key)) == []
    assert evening.wired.channel.guild.roles == {}


async def test_the_winner_is_told_before_the_next_event_of_a_repeating_one_is_announced(evening: Evening) -> None:
    key = await evening.announce(repeat=Repeat(every=RepeatInterval.WEEK, zone="UTC", minute=0))
    await evening.register(key, 1, 2)
    evening.wired.discord.requests.clear()
    await evening.start(key)
    await end_by_disqualification(evening, key)
    ended = sends(evening, WORDS("event_notice.ended", player="").split(",")[0])
    announced = sends(evening, WORDS("event_notice.open", title=""))
    assert ended
    assert announced
    assert ended[0].at <= announced[0].at
    order = evening.wired.discord.requests
    assert order.index(ended[0]) < order.index(announced[0])


async def end_by_disqualification(evening: Evening, key: EventKey) -> None:
    player = Player(str(evening.wired.user(2).id))
    await evening.events.disqualify(key, BOSS, player, why="cheated", cause=evening.cause())
    await evening.shown()
    assert (await evening.event(key)).phase is Phase.ENDED


async def test_an_event_whose_channel_is_deleted_is_called_off(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2)
    await asyncio.wait(evening.wired.discord.remove_channel(evening.wired.channel))
    await evening.shown()
    event = await evening.event(key)
    assert (event.phase, event.reason) == (Phase.CANCELLED, "channel_gone")
    assert await evening.events.undrawn() == []


async def test_a_channel_that_may_not_be_written_in_does_not_stop_the_event(evening: Evening) -> None:
    key = await evening.announce()
    evening.wired.discord.hook = lambda request: (
        Fault(status=403, code=MISSING_PERMISSIONS) if request.kind in ("send", "edit", "thread") else None
    )
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    assert (await evening.event(key)).phase is Phase.RUNNING
    assert await evening.events.undrawn() == []


async def test_after_a_restart_those_at_running_tables_are_asked_for_once_and_before_the_next_result(
    evening: Evening, tmp_path: Path
) -> None:
    key = await evening.announce()
    await evening.press_register(1, 2, 3, 4, 5, 6)
    await evening.start(key)
    for table in await evening.tables(key):
        await deal(evening, table)
    evening.wired.discord.requests.clear()
    await evening.restart(tmp_path)
    await asyncio.sleep(5)
    await evening.wired.bot.services.seated_names.learnt()

    def asked() -> list[Request]:
        return [one for one in evening.wired.discord.requests if "/members/" in one.path and one.method == "GET"]

    people = evening.players(range(1, 7))
    assert Counter(one.path.rsplit("/", 1)[1] for one in asked()) == Counter(people)
    names, guild = evening.wired.bot.services.faces.names, key.guild
    assert all(names.plain(guild, player, WORDS) for player in people)
    assert names.to_ask(guild, people) == []
    (first, _) = await evening.tables(key)
    await place_cards(evening, first, hands=True)
    assert len(asked()) == len(people), "the result has nobody to ask for any more"
    pictures = [one for one in evening.wired.discord.requests if WORDS("result.heading", hand=1, table=1) in one.body]
    assert pictures
    assert not any("Player 1" in one.body for one in pictures)


async def test_a_restart_repeats_nothing(evening: Evening, tmp_path: Path) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    before = [message.id for message in evening.wired.channel.public()]
    await evening.restart(tmp_path)
    assert [message.id for message in evening.wired.channel.public()] == before
    assert len(evening.threads) == 1
    assert [entry["status"] for entry in evening.calendar] == [ACTIVE]


async def test_what_was_not_posted_before_the_end_of_the_process_is_posted_after_it(
    evening: Evening, tmp_path: Path
) -> None:
    key = await evening.announce(replace(WEEKLY, added=100))
    await evening.register(key, 1, 2, 3)
    await evening.board.close()
    await evening.events.start(key, BOSS, cause=evening.cause())
    assert not evening.said(WORDS("event_notice.started"))
    await evening.restart(tmp_path)
    assert len(evening.said(WORDS("event_notice.started"))) == 1


async def test_many_changes_make_few_drawings(evening: Evening) -> None:
    key = await evening.announce()
    evening.board._pause_seconds = 0.3  # noqa: SLF001
    before = evening.wired.discord.counts["edit"]
    for number in range(1, 9):
        player = Player(str(evening.wired.user(number).id))
        await evening.events.register(key, player, cause=evening.cause())
    await evening.shown()
    assert 1 <= evening.wired.discord.counts["edit"] - before <= 3
    event = await evening.event(key)
    assert event.drawn_version == event.version


async def test_a_player_sits_out_and_comes_back_by_presses(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    (thread,), (table,) = evening.threads, await evening.tables(key)
    user = evening.wired.user(1)
    await deal(evening, table)
    answers: Sequence[str] = []
    for verb in ("leave", "stay"):
        message = next(m for m in reversed(thread.public()) if list(custom_ids(m, "seats")))
        (custom_id,) = custom_ids(message, "seats")
        details = (await evening.wired.discord.press(user, message, custom_id).finished()).answer
        assert details is not None
        (custom_id,) = custom_ids(details, verb)
        sent = await evening.wired.discord.press(user, details, custom_id).finished()
        assert sent.answer is not None
        answers = [*answers, sent.answer.text]
        await evening.shown()
    assert WORDS("event_table.sits_out", table=table.table) in answers[0]
    assert WORDS("event_table.is_back", table=table.table) in answers[1]
    view = await evening.wired.bot.services.play.look(table, Player(str(user.id)))
    assert view.mine is not None
    assert not view.mine.seat.away


async def deal(evening: Evening, table: TableKey) -> None:
    """Let the pause before the first hand end."""
    sessions = transactions_of(evening.wired.bot.services.play)
    await sessions.write(lambda s: s.tx.timers.set_timer(table, Timer.NEXT_HAND, s.now))
    await evening.wired.bot.clockwork.timekeeper.tick()
    await evening.shown()


async def test_seats_at_an_events_table_are_the_events(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    (thread,) = evening.threads
    stranger = evening.wired.user(8)
    for verb in ("join", "start"):
        sent = await evening.wired.discord.press(stranger, thread.public()[0], f"c1:{verb}:1:0:0:::").finished()
        assert sent.answer is not None
        assert WORDS("refused.event_table") in sent.answer.text
    manager = evening.wired.discord.user(9, manager=True)
    closed = await evening.wired.discord.slash(manager, thread, "ofc table", do="close table 1").finished()
    assert closed.answer is not None
    assert WORDS("refused.event_table") in closed.answer.text
    assert len(await evening.tables(key)) == 1


async def place_cards(evening: Evening, table: TableKey, *, hands: bool) -> None:
    """Place for all players until the running hand ends, or only its first street."""
    play = evening.wired.bot.services.play
    while waiting := (await play.look(table)).waiting:
        view = await play.look(table, waiting[0])
        assert view.hand is not None
        if not hands and view.hand.street > 1:
            break
        rows, hand_no = plain_letters(view), view.table.hand_no
        await play.place_cards(
            table, waiting[0], hand_no=hand_no, street=view.hand.street, rows=rows, cause=evening.cause()
        )
    await evening.shown()


async def test_a_result_says_who_was_serving_a_penalty(evening: Evening) -> None:
    key = await evening.announce(replace(STRUCTURES["chaipo"], check_in_minutes=0))
    await evening.register(key, 1, 2)
    await evening.start(key)
    (table,) = await evening.tables(key)
    await deal(evening, table)
    first, other = (Player(str(evening.wired.user(number).id)) for number in (1, 2))
    await evening.events.penalty(key, BOSS, first, hands=1, why="late", cause=evening.cause())
    play = evening.wired.bot.services.play
    while (view := await play.look(table)).waiting:
        if first in view.waiting:
            await evening.wired.bot.clockwork.timekeeper.tick()
            continue
        own = await play.look(table, other)
        assert own.hand is not None
        rows, street = plain_letters(own), own.hand.street
        await play.place_cards(table, other, hand_no=1, street=street, rows=rows, cause=evening.cause())
    await evening.shown()
    result = await play.result(table, 1)
    assert result.penalised == {first}
    (shown,) = [
        m for thread in evening.threads for m in thread.public() if WORDS("result.heading", hand=1, table=1) in m.text
    ]
    assert WORDS("result.note.penalty") in shown.text
    served = [fact for fact in await evening.events.log(key, BOSS) if fact.kind == "penalty_served"]
    assert [fact.details["player"] for fact in served] == [first]
    assert other not in result.penalised


async def test_no_card_of_a_shared_deck_is_shown_before_every_table_has_played_it(evening: Evening) -> None:
    key = await evening.announce(DUPLICATE, variant=NO_FANTASYLAND)
    await evening.register(key, 1, 2, 3, 4, 5, 6)
    await evening.start(key)
    one, other = await evening.tables(key)
    for table in (one, other):
        await deal(evening, table)
    await place_cards(evening, one, hands=False)
    player = (await evening.wired.bot.services.play.look(one)).waiting[0]
    thread = evening.wired.discord.channels[(await evening.wired.bot.services.play.look(one)).table.channel]
    user = next(user for user in map(evening.wired.user, range(1, 7)) if str(user.id) == player)
    (hand,) = custom_ids(thread.public()[0], "hand")
    panel = (await evening.wired.discord.press(user, thread.public()[0], hand).finished()).answer
    assert panel is not None
    assert WORDS("event_table.opponents") in panel.text
    assert len(CARD.findall(panel.text.split(WORDS("event_table.opponents"))[1])) >= 10

    await place_cards(evening, one, hands=True)
    await evening.wired.bot.services.publisher.sweep()
    await evening.shown()
    shown = [message for channel in (thread, evening.wired.channel) for message in channel.public()]
    assert [CARD.findall(message.text) for message in shown] == [[]] * len(shown)
    assert len(await evening.wired.bot.services.play.postings(one)) == 1

    await place_cards(evening, other, hands=True)
    title = WORDS("result.heading", hand=1, table=1)
    assert any(title in message.text and CARD.findall(message.text) for message in thread.public())
    assert not await evening.wired.bot.services.play.postings(one)


async def test_the_thread_of_a_table_that_is_closed_is_put_away(evening: Evening) -> None:
    key = await evening.announce()
    await evening.register(key, 1, 2, 3)
    await evening.start(key)
    await evening.events.cancel(key, BOSS, why="no power", cause=evening.cause())
    await evening.shown()
    assert [thread.archived for thread in evening.threads] == [True]


async def called(evening: Evening) -> tuple[EventKey, Call]:
    """An event whose check-in call was posted."""
    key = await evening.announce(replace(STRUCTURES["chaipo"], check_in_minutes=30), starts_in=HOUR)
    await evening.press_register(1, 2, 3)
    while not (calls := (await evening.event(key)).calls):
        await asyncio.sleep(60)
        await evening.wired.bot.clockwork.timekeeper.tick()
        await evening.shown()
    (call,) = calls
    return key, call


async def test_a_call_says_that_its_event_is_off_also_after_a_bot_that_died_before(
    evening: Evening, tmp_path: Path
) -> None:
    key, call = await called(evening)
    evening.wired.discord.hook = lambda request: (
        Fault(status=500) if request.kind == "edit" and request.path.endswith(str(call.message)) else None
    )
    await evening.events.cancel(key, BOSS, why="Rain", cause=evening.cause())
    await evening.shown()
    assert not evening.said(WORDS("event_notice.over.cancelled"))
    evening.wired.discord.hook = None
    posts = len(evening.wired.channel.public())
    await evening.restart(tmp_path)
    (over,) = evening.said(WORDS("event_notice.over.cancelled"))
    assert over.id == call.message
    assert (await evening.event(key)).calls == ()
    assert len(evening.wired.channel.public()) == posts, "what is shown already isn't posted again"


@pytest.mark.parametrize(("structure", "starts_in"), [(WEEKLY, HOUR), (STRUCTURES["sit_and_go"], None)])
async def test_a_change_told_before_the_start_offers_no_withdrawal_afterwards(
    evening: Evening, structure: Structure, starts_in: int | None
) -> None:
    key = await evening.announce(structure, starts_in=starts_in)
    await evening.press_register(1, 2)
    await evening.events.change(key, BOSS, {"stack": (structure.stack, 20_000)}, cause=evening.cause())
    await evening.shown()
    (call,) = (await evening.event(key)).calls
    told = evening.wired.channel.messages[call.message]
    assert list(custom_ids(told, "ev_withdraw"))
    await (evening.register(key, 3) if starts_in is None else evening.start(key))
    assert (await evening.event(key)).phase is Phase.RUNNING
    assert not list(custom_ids(told, "ev_withdraw"))
    assert WORDS("event_notice.over.started") in told.text
    await evening.events.change(key, BOSS, {"seconds": (60, 30)}, cause=evening.cause())
    await evening.shown()
    assert (await evening.event(key)).calls == (), "while it runs a change asks for nothing"


async def test_a_call_that_discord_refuses_to_edit_is_given_up(evening: Evening) -> None:
    key, call = await called(evening)
    evening.wired.discord.hook = lambda request: (
        Fault(status=400, code=50083) if request.kind == "edit" and request.path.endswith(str(call.message)) else None
    )
    await evening.events.cancel(key, BOSS, why="Rain", cause=evening.cause())
    await evening.shown()
    event = await evening.event(key)
    assert (event.drawn_version, event.calls) == (event.version, ())
