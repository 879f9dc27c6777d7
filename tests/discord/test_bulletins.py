"""The morning post and the weekly recap: chosen in `/setup`, posted once at their hours, and they call no one."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.chat.club.screens.posts.forms import POST
from bot.chat.club.screens.posts.recap import CHAMPIONS, build_drawing, recap_post
from bot.chat.kit.faces import DisplayNames
from bot.model.bulletins import (
    Bulletin,
    BulletinKind,
    EventPlace,
    Highlight,
    Recap,
    RecapLine,
    Victory,
    WeekPoints,
)
from bot.model.clock import DAY, HOUR
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.play.queries import recaps
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club, Screen, plain_letters
from tests.discord.forge import deliver, forged_press
from tests.discord.forms import enter, posts_page
from tests.play.world import quickly

WRITING = discord.Permissions(send_messages=True).value
QUARTER = 15 * 60
SEEING = discord.Permissions(view_channel=True).value


async def choices(club: Club) -> Screen:
    """The manager's page of choices."""
    return await posts_page(club)


async def set_up(club: Club, kind: BulletinKind, *, channel: Any = None, in_hours: int = 2, zone: str = "UTC") -> int:
    """Turn one on for an hour that comes in so many; returns that hour's moment (ms)."""
    screen = await enter(club, "alice", await choices(club), "post channel", [channel or club.channel], kind.value)
    now = club.world.now_ms()
    at = now - now % HOUR + in_hours * HOUR
    shown = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
    if kind is BulletinKind.RECAP:
        screen = await enter(club, "alice", screen, "post day", [str(shown.weekday())], kind.value)
    await enter(club, "alice", screen, "post hour", [str(shown.hour)], kind.value)
    return at


async def pass_until(club: Club, at: int) -> None:
    """Let it be a minute past a moment, and all that is due be posted; the bot sleeps until shortly before it."""
    left = (at - club.world.now_ms()) / 1000
    if left > QUARTER:
        await club.restart(down_seconds=left - 10)
        left = 10
    await club.pass_time(max(0, left) + 60)
    await club.bot.services.bulletin_posts.done()


def posts(club: Club, kind: BulletinKind, channel: int | None = None) -> list[Screen]:
    """Return the posts in a channel, oldest first."""
    title = club.words()("morning.title" if kind is BulletinKind.MORNING else "recap.title")
    messages = sorted(club.backend.messages.get(channel or club.channel.id, {}).values(), key=lambda one: one.id)
    shown = [Screen(club, message.channel_id, message.id) for message in messages if message.visible_to(None)]
    return [screen for screen in shown if screen.text.startswith(f"### {title}")]


def deny(club: Club, channel: int, denied: int) -> None:
    """Deny the bot these permissions in a channel, and allow all others."""
    assert club.bot.user is not None
    me = Overwrite(target_id=club.bot.user.id, type=OverwriteType.MEMBER, allow=0, deny=denied)
    club.backend.set_overwrite(channel, me)


async def kept(club: Club, kind: BulletinKind) -> Bulletin:
    return await club.bot.services.bulletins.of(GuildId(club.guild.id), kind)


async def play_daily(club: Club, name: str, *, well: bool) -> None:
    """Let a member play today's hand to its end. Unless they play ``well``, it fouls."""
    screen = await club.slash(name, "daily")
    screen = await club.tap(name, screen, screen.find("day_begin"))
    daily = club.bot.services.daily
    for street in range(1, 6):
        view = await daily.today(club.player(name))
        assert view.hand is not None
        rows = await quickly(view.hand) if well else plain_letters(view)
        await daily.place(view.of.number, club.player(name), street=street, rows=rows, cause=f"{name}{street}")
    await daily.done()


LUCKY = 1
"""The seed of a hand that was luck, so that a recap has it to be played again."""


async def a_game(club: Club, *, seed: int = 0) -> None:
    """Play a hand at a new table and close the table. ``seed`` chooses its deck."""
    if seed:
        club.seeds.append(bytes([seed]) * 32)
    table = await club.open_table("alice", "bob")
    await club.type_hand(table)
    key = TableKey(guild=GuildId(club.guild.id), table=TableId(table))
    await club.bot.services.play.close(key, reason="closed_by_admin")


async def test_a_manager_turns_both_on_from_setup_and_reads_when_the_next_one_comes(club: Club) -> None:
    words = club.words("alice")
    screen = await choices(club)
    assert screen.text.count(words("posts.nowhere")) == 2
    at = await set_up(club, BulletinKind.MORNING)
    screen = await choices(club)
    assert screen.text.count(words("posts.nowhere")) == 1
    assert f"<t:{at // 1000}:f>" in screen.text
    await set_up(club, BulletinKind.RECAP)
    screen = await choices(club)
    screen = await enter(club, "alice", screen, "post words", ["in_words"], BulletinKind.RECAP.value)
    assert words("posts.in_words.on") in screen.text
    assert (await kept(club, BulletinKind.RECAP)).in_words
    for kind in BulletinKind:
        screen = await enter(club, "alice", screen, "post channel", [], kind.value)
    assert screen.text.count(words("posts.nowhere")) == 2


async def test_a_morning_tells_the_daily_hand_that_is_over_and_leads_to_todays(club: Club) -> None:
    words = club.words()
    await play_daily(club, "alice", well=True)
    await play_daily(club, "bob", well=False)
    now = club.world.now_ms()
    hours = int((now - now % DAY + DAY - now) // HOUR) + 2
    at = await set_up(club, BulletinKind.MORNING, in_hours=hours)
    await pass_until(club, at - HOUR)
    assert posts(club, BulletinKind.MORNING) == []
    await pass_until(club, at)
    (post,) = posts(club, BulletinKind.MORNING)
    assert words("morning.people", count=2) in post.text
    best = words("morning.best", player=club.shown("alice").strip("*"))
    assert best not in post.text, "the boards are behind the button"
    assert post.message.ping_user_ids == []
    assert post.labels() == [words("daily.button.today"), words("daily.button.before_daily")]
    today = await club.tap("hanako", post, post.find("daily"))
    theirs = club.words("hanako")
    assert today.text.startswith(f"### {theirs('daily.title.daily')}")
    solved = await club.tap("hanako", post, post.find("day_solved"))
    assert theirs("daily.solution") in solved.text
    first = (theirs if club.shown("alice") in solved.text else words)("morning.best", player="@").split("@")[0]
    assert first in solved.text
    outside = forged_press(club, "hanako", post, post.find("day_solved")["custom_id"], guild=False)
    await deliver(outside)
    assert outside.said is not None
    assert theirs("daily.solution") in outside.said
    assert first not in outside.said
    # A day without hands leads to no post.
    sent = club.requests("POST", "/messages")
    await pass_until(club, at + DAY)
    assert len(posts(club, BulletinKind.MORNING)) == 1
    assert club.requests("POST", "/messages") == sent
    assert (await kept(club, BulletinKind.MORNING)).told == at + DAY


async def test_a_streak_is_told_from_its_second_day_on(club: Club) -> None:
    await a_game(club)
    at = await set_up(club, BulletinKind.MORNING, in_hours=1)
    await pass_until(club, at)
    assert posts(club, BulletinKind.MORNING) == []
    await pass_until(club, at + DAY - HOUR // 2)
    await a_game(club)
    await pass_until(club, at + DAY)
    (post,) = posts(club, BulletinKind.MORNING)
    assert club.words()("morning.streak", count=2) in post.text
    assert post.labels() == [club.words()("daily.button.today")]


async def test_a_recap_is_posted_with_its_picture_and_read_again_by_command(club: Club) -> None:
    words = club.words()
    await a_game(club, seed=LUCKY)
    form = await club.draft("alice", name="Friday Night", when="in 5 days")
    await club.press("alice", form, form.find("ev_form_publish"))
    at = await set_up(club, BulletinKind.RECAP, in_hours=26)
    await pass_until(club, at)
    (post,) = posts(club, BulletinKind.RECAP)
    assert words("recap.played", count=1, players="2") in post.text
    assert words("recap.coming") in post.text
    assert "Friday Night" in post.text
    assert post.message.ping_user_ids == []
    pictures = [item for part in post.message.components for item in _pictures(part)]
    assert len(pictures) == 1
    assert "Alice" in pictures[0]["description"]
    assert words("recap.pair", players=words.list([club.shown("alice"), club.shown("bob")]), count=1) in post.text
    replay = await club.tap("bob", post, post.find("replay"))
    assert replay.text
    mine = await club.slash("bob", "ofc leaderboard", by="recap")
    assert words("recap.played", count=1, players="2") in mine.text
    assert words("recap.coming") not in mine.text
    older = await club.tap("bob", post, post.find("recaps"))
    assert older.text == mine.text
    # The next week has its own, and the first is a page away.
    await pass_until(club, at + 6 * DAY)
    await a_game(club)
    await pass_until(club, at + 7 * DAY)
    assert len(posts(club, BulletinKind.RECAP)) == 2
    newest = await club.slash("bob", "ofc leaderboard", by="recap")
    first = await club.tap("bob", newest, newest.find("recap_page"))
    assert first.text == mine.text


def _pictures(part: Any) -> list[Any]:
    inner = [found for one in part.get("components", ()) for found in _pictures(one)]
    return inner + list(part.get("items", ()))


async def test_who_hides_is_named_neither_in_the_post_nor_when_it_is_read_again(club: Club) -> None:
    await a_game(club)
    guild = GuildId(club.guild.id)
    await club.bot.services.play.change_member_settings(
        guild, club.player("bob"), lambda member_settings: replace(member_settings, profile_visible=False)
    )
    at = await set_up(club, BulletinKind.RECAP, in_hours=26)
    await pass_until(club, at)
    (post,) = posts(club, BulletinKind.RECAP)
    everything = str(post.message.components)
    assert "Alice" in everything
    assert "Bob" not in everything
    assert f"<@{club.player('bob')}>" not in everything
    await club.bot.services.play.change_member_settings(
        guild, club.player("alice"), lambda member_settings: replace(member_settings, profile_visible=False)
    )
    mine = await club.slash("hanako", "ofc leaderboard", by="recap")
    assert "Alice" not in str(mine.components)


async def test_in_words_there_is_no_picture(club: Club) -> None:
    await a_game(club)
    at = await set_up(club, BulletinKind.RECAP, in_hours=26)
    screen = await choices(club)
    await enter(club, "alice", screen, "post words", ["in_words"], BulletinKind.RECAP.value)
    await pass_until(club, at)
    (post,) = posts(club, BulletinKind.RECAP)
    assert not [item for part in post.message.components for item in _pictures(part)]
    assert "hands: 1" in post.text


async def test_each_is_posted_once_also_over_restarts_and_after_it_was_deleted_by_hand(club: Club) -> None:
    await a_game(club)
    at = await set_up(club, BulletinKind.RECAP, in_hours=26)
    await pass_until(club, at)
    (post,) = posts(club, BulletinKind.RECAP)
    await club.restart(down_seconds=60)
    await pass_until(club, at + HOUR)
    assert [one.id for one in posts(club, BulletinKind.RECAP)] == [post.id]
    club.backend.delete_message(club.channel.id, post.id)
    await pass_until(club, at + 3 * HOUR)
    assert posts(club, BulletinKind.RECAP) == []


async def test_a_morning_that_was_slept_through_is_not_made_up(club: Club) -> None:
    await a_game(club)
    at = await set_up(club, BulletinKind.MORNING, in_hours=26)
    await club.restart(down_seconds=25 * HOUR / 1000)
    await a_game(club)
    await club.restart(down_seconds=8 * HOUR / 1000)
    assert club.world.now_ms() > at + 3 * HOUR
    await pass_until(club, club.world.now_ms())
    assert posts(club, BulletinKind.MORNING) == []
    await pass_until(club, at + DAY)
    assert len(posts(club, BulletinKind.MORNING)) == 1, "there is a streak to tell"


async def test_a_lost_permission_keeps_it_waiting_and_a_deleted_channel_turns_it_off(club: Club) -> None:
    room = club.guild.create_text_channel("news")
    await a_game(club)
    at = await set_up(club, BulletinKind.RECAP, channel=room, in_hours=26)
    deny(club, room.id, WRITING)
    before = len(club.backend.http_requests)
    await pass_until(club, at)
    asked = [one for one in list(club.backend.http_requests)[before:] if str(room.id) in one.path]
    assert (posts(club, BulletinKind.RECAP, room.id), asked) == ([], [])
    deny(club, room.id, 0)
    await pass_until(club, at + 12 * 60_000)
    assert len(posts(club, BulletinKind.RECAP, room.id)) == 1
    await a_game(club)
    club.forgiven.append("was refused")
    club.backend.delete_channel(room.id)
    await pass_until(club, at + 7 * DAY)
    assert (await kept(club, BulletinKind.RECAP)).channel is None
    # It says so where it is chosen.
    assert club.words("alice")("posts.nowhere") in (await choices(club)).text


async def test_where_the_bot_may_not_write_it_says_so(club: Club) -> None:
    room = club.guild.create_text_channel("news")
    deny(club, room.id, WRITING)
    screen = await enter(club, "alice", await choices(club), "post channel", [room], BulletinKind.MORNING.value)
    words = club.words("alice")
    lacking = words("permission.send_messages")
    assert words("season.channel_refused", channel=room.id, permissions=lacking) in screen.text
    assert (await kept(club, BulletinKind.MORNING)).channel is None


async def test_only_those_who_manage_the_server_choose(club: Club) -> None:
    await set_up(club, BulletinKind.MORNING)
    await set_up(club, BulletinKind.RECAP)
    screen = await choices(club)
    before = [await kept(club, kind) for kind in BulletinKind]
    shown = [control["custom_id"] for control in screen.controls() if ":po_" in control.get("custom_id", "")]
    assert any(POST.ask in one for one in shown)
    verbs = (POST.answer, "po_formed", *(verb for verb, _, _ in POST.former()))
    for custom_id in (*shown, *(f"c1:{verb}:0:1:0:::recap" for verb in verbs)):
        press = forged_press(club, "hanako", screen, custom_id)
        await deliver(press)
        assert press.said == club.words("hanako")("gate.needs_manage_server"), custom_id
    assert [await kept(club, kind) for kind in BulletinKind] == before


async def test_without_a_recap_the_command_says_where_it_is_turned_on(club: Club) -> None:
    assert club.words("bob")("recap.none") in (await club.slash("bob", "ofc leaderboard", by="recap")).text


async def test_once_it_is_on_the_command_says_when_the_first_one_comes(club: Club) -> None:
    at = await set_up(club, BulletinKind.RECAP, in_hours=26)
    told = (await club.slash("bob", "ofc leaderboard", by="recap")).text
    assert club.words("bob")("recap.first", at=f"<t:{at // 1000}:f>") in told
    assert club.words("bob")("recap.none") not in told


async def test_who_may_not_see_its_channel_reads_of_no_single_table(club: Club) -> None:
    await a_game(club, seed=LUCKY)
    room = club.guild.create_text_channel("staff")
    at = await set_up(club, BulletinKind.RECAP, channel=room, in_hours=26)
    await pass_until(club, at)
    (post,) = posts(club, BulletinKind.RECAP, room.id)
    assert post.has("replay")
    club.backend.set_overwrite(
        room.id, Overwrite(target_id=club.guild.id, type=OverwriteType.ROLE, allow=0, deny=SEEING)
    )
    mine = await club.slash("hanako", "ofc leaderboard", by="recap")
    assert not mine.has("replay")
    assert club.words("hanako")("recap.played", count=1, players="2") in mine.text


async def test_a_recap_that_was_made_for_another_channel_tells_nothing_of_its_tables(club: Club) -> None:
    room = club.guild.create_text_channel("news")
    await a_game(club)
    at = await set_up(club, BulletinKind.RECAP, in_hours=26)
    guild, here = GuildId(club.guild.id), club.channel.id
    since, until = (await kept(club, BulletinKind.RECAP)).week_before(at)
    board = Highlight(player=club.player("alice"), number=12, table=TableId(1), tag="abcdef", hand_no=1)
    made = Recap(since=since, until=until, channel=here, hands=1, players=2, boards=[board])
    # The bot was killed after making the recap, before recording that it's about to be posted.
    await club.bot.services.bulletins._write(lambda s: recaps.keep(s, guild, made))  # noqa: SLF001
    await club.bot.services.bulletins.change(guild, BulletinKind.RECAP, lambda before: replace(before, channel=room.id))
    await pass_until(club, at)
    (post,) = posts(club, BulletinKind.RECAP, room.id)
    assert club.words()("recap.played", count=1, players="2") in post.text
    assert club.shown("alice") not in post.text
    assert not post.has("replay")


async def test_a_japanese_server_reads_them_in_japanese(japanese_club: Club) -> None:
    club = japanese_club
    await a_game(club)
    at = await set_up(club, BulletinKind.RECAP, in_hours=26, zone="Asia/Tokyo")
    await pass_until(club, at)
    (post,) = posts(club, BulletinKind.RECAP)
    assert "1ハンド、2人。" in post.text
    assert (await kept(club, BulletinKind.RECAP)).zone == "Asia/Tokyo"


@pytest.mark.parametrize("kind", list(BulletinKind))
async def test_a_forged_press_changes_nothing(club: Club, kind: BulletinKind) -> None:
    await set_up(club, kind)
    before = await kept(club, kind)
    screen = await choices(club)
    for custom_id, values in (
        (f"s1:po_hour:0:0:0:::{kind.value}", ["24"]),
        (f"s1:po_hour:0:0:0:::{kind.value}", []),
        (f"s1:po_channel:0:0:0:::{kind.value}", []),
        ("s1:po_day:0:0:0:::", ["7"]),
    ):
        await deliver(forged_press(club, "alice", screen, custom_id, values=values))
        assert await kept(club, kind) == before


async def test_menus_and_switches_of_older_pages_still_work(club: Club) -> None:
    screen = await choices(club)

    async def press(custom_id: str, values: list[str] | None = None) -> Bulletin:
        pressed = forged_press(club, "alice", screen, custom_id, values=values)
        await deliver(pressed)
        assert pressed.answers[0].has("po_form"), "the page as it is now"
        return await kept(club, BulletinKind.RECAP)

    assert (await press("s1:po_channel:0:0:0:::recap", [str(club.channel.id)])).channel == club.channel.id
    assert (await press("s1:po_hour:0:0:0:::recap", ["17"])).hour == 17
    assert (await press("s1:po_day:0:0:0:::", ["5"])).weekday == 5
    assert (await press("c1:po_words:0:1:0:::")).in_words
    assert not (await press("c1:po_words:0:0:0:::")).in_words
    assert (await press("c1:po_off:0:0:0:::recap")).channel is None


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_week_of_events_alone_has_a_picture_and_names_its_champions(code: str) -> None:
    guild, names, words = GuildId(1), DisplayNames(), words_for(code)
    people = [Player(str(number)) for number in range(1, 21)]
    for player in people:
        names.saw(guild, player, f"Winner{player}x", username=f"winner{player}")
    podium = [
        EventPlace(event="Big Cup", people=25, place=place, player=player, won=1_000 if place == 1 else 0)
        for place, player in enumerate(people[:8], start=1)
    ]
    for events in (7, 20):
        victories = [Victory(event=f"Cup{player}x", player=player) for player in people[:events]]
        recap = Recap(
            since=0,
            until=7 * DAY,
            hands=0,
            players=0,
            event_hands=230,
            event_players=25,
            events=events,
            victories=victories,
            podium=podium,
        )
        drawing = build_drawing(recap, guild, names, words)
        assert drawing is not None
        assert [len(one.lines) for one in drawing.lists] == [5]
        assert "Big Cup" in drawing.lists[0].heading
        assert "Winner1x" in drawing.told
        assert drawing.draw().startswith(b"\x89PNG")
        told = "\n".join(
            part["content"]
            for part in recap_post(recap, guild, [], words, names, tag="abcdef", picture=drawing.told).walk()
            if "content" in part
        )
        assert words("recap.events", count=events, hands="230", players="25") in told
        named = [player for player in people if f"Cup{player}x" in told]
        assert named == people[: min(events, CHAMPIONS)]
        assert (words("recap.champions_more", count=5) in told) is (events == 20)
        assert words("recap.played", count=0, players="0") not in told


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("hands", "first"), [(12, "event_points"), (230, "drawn")])
def test_a_week_mostly_of_events_starts_with_their_points(code: str, hands: int, first: str) -> None:
    guild, names, words = GuildId(1), DisplayNames(), words_for(code)
    ann, bob = Player("1"), Player("2")
    for player in (ann, bob):
        names.saw(guild, player, f"Player{player}", username=f"player{player}")
    recap = Recap(
        since=0,
        until=7 * DAY,
        hands=hands,
        players=2,
        event_hands=230,
        event_players=25,
        events=2,
        top=[RecapLine(player=bob, chips=40, hands=12)],
        podium=[EventPlace(event="Big Cup", people=25, place=1, player=ann, won=0)],
        event_points=[WeekPoints(player=ann, points=61, events=2), WeekPoints(player=bob, points=30, events=2)],
    )
    drawing = build_drawing(recap, guild, names, words)
    assert drawing is not None
    headings = [one.heading for one in drawing.lists]
    assert headings[0] == words(f"recap.{first}")
    assert (words("recap.event_points") in headings) is (first == "event_points")
    told = "\n".join(
        part["content"] for part in recap_post(recap, guild, [], words, names, tag="abcdef").walk() if "content" in part
    )
    chips = told.index(words("recap.drawn"))
    if first == "event_points":
        assert told.index(words("recap.event_points")) < told.index("**61**") < told.index("Big Cup") < chips
        single = replace(recap, events=1)
        assert words("recap.event_points") not in str(build_drawing(single, guild, names, words)), "its places say it"
    else:
        assert chips < told.index("Big Cup")
