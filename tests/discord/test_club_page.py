"""The club's page: one message with the leaderboard, the tables and the next event. It is edited, and calls no one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.chat.club.posts.club_pages import EVERY_MS
from bot.model.ids import GuildId
from bot.model.standings import ClubPage, LeaderboardOrder, LeaderboardSpan
from bot.text.words import words_for
from tests.discord.club import Club, Screen, sit_and_go_of_two
from tests.discord.forge import deliver, forged_press
from tests.discord.forms import enter, enter_in_setup, posts_page
from tests.in_turn import in_turn

TEN_MINUTES = EVERY_MS // 1000
DAY = 24 * 3600
WRITING = discord.Permissions(send_messages=True).value
SEEING = discord.Permissions(view_channel=True).value


async def choices(club: Club) -> Screen:
    """The manager's page of choices."""
    return await posts_page(club)


async def set_up(club: Club, channel: Any = None) -> Screen:
    """The page in a channel, usually the club's; returns the choices."""
    screen = await enter(club, "alice", await choices(club), "page channel", [channel or club.channel])
    await club.bot.services.club_pages.done()
    return screen


def pages(club: Club, channel: int | None = None) -> list[Screen]:
    """Return the club pages in a channel."""
    messages = club.backend.messages.get(channel or club.channel.id, {}).values()
    shown = [Screen(club, message.channel_id, message.id) for message in messages if message.visible_to(None)]
    return [screen for screen in shown if screen.has("ranks") and screen.has("daily")]


def allow_all_but(club: Club, channel: int, *, denied: int) -> None:
    """Deny the bot these permissions in a channel, and allow all others."""
    assert club.bot.user is not None
    me = Overwrite(target_id=club.bot.user.id, type=OverwriteType.MEMBER, allow=0, deny=denied)
    club.backend.set_overwrite(channel, me)


async def kept(club: Club) -> ClubPage | None:
    return await club.bot.services.bank.club_page(GuildId(club.guild.id))


async def pass_ten_minutes(club: Club) -> None:
    await club.pass_hours(TEN_MINUTES + 40)
    await club.bot.services.club_pages.done()


def edits(club: Club, page: Screen) -> int:
    return club.requests("PATCH", f"/messages/{page.id}")


async def test_a_manager_sets_it_up_in_three_presses_and_it_stands_at_once(club: Club) -> None:
    words = club.words("alice")
    assert words("club.nowhere") in (await choices(club)).text
    screen = await set_up(club)
    assert words("club.where", channel=club.channel.id) in screen.text
    (page,) = pages(club)
    assert club.guild.name in page.text
    assert words("club.no_tables") in page.text
    assert words("leaderboard.title", by=words("leaderboard.by.chips")) in page.text
    assert page.labels() == [
        words("club.play"),
        words("ways.button.practise"),
        words("ways.button.daily"),
        words("club.my_place"),
    ]
    assert "<@" not in page.text
    mine = await club.tap("bob", page, page.find("ranks"))
    assert mine.text.startswith("### Leaderboard")


@in_turn("name", "bob", "hanako")
async def test_play_opens_a_table_in_two_presses_where_none_is_open_whoever_practises(club: Club, name: str) -> None:
    await set_up(club)
    (page,) = pages(club)
    await club.slash("alice", "ofc practice")
    offered = await club.tap(name, page, page.find("play"))
    opened = await club.tap(name, offered, offered.find("new_open"))
    words = club.words(name)
    assert words("lobby.opened", table=2, game=words("variant.pineapple.name")) in opened.text
    listed = await club.tap("alice", page, page.find("play"))
    assert club.words("alice")("hub.play.title") in listed.text
    assert "Pineapple" in listed.text


async def test_where_no_table_can_be_opened_it_does_not_promise_that(club: Club) -> None:
    room = club.guild.create_text_channel("news")
    nobody_writes = Overwrite(target_id=club.guild.id, type=OverwriteType.ROLE, allow=0, deny=WRITING)
    club.backend.set_overwrite(room.id, nobody_writes)
    for writer in (club.backend.bot_user.id, club.members["alice"].id):
        writes = Overwrite(target_id=writer, type=OverwriteType.MEMBER, allow=WRITING, deny=0)
        club.backend.set_overwrite(room.id, writes)
    await set_up(club, room)
    (page,) = pages(club, room.id)
    assert club.words()("club.no_tables_here") in page.text.splitlines()
    await club.play.choose_for_server(
        GuildId(club.guild.id), lambda server: replace(server, channels=(club.channel.id,))
    )
    other = club.guild.create_text_channel("more-news")
    await set_up(club, other)
    (page,) = pages(club, other.id)
    assert club.words()("club.no_tables_here") in page.text.splitlines()
    await set_up(club)
    (page,) = pages(club)
    assert club.words()("club.no_tables") in page.text.splitlines()


async def test_it_is_edited_when_something_has_changed_and_no_sooner_than_in_ten_minutes(club: Club) -> None:
    await set_up(club)
    (page,) = pages(club)
    before = page.text
    await club.open_table("alice", "bob")
    await club.type_hand()
    await club.pass_hours(300)
    assert (page.text, edits(club, page)) == (before, 0)
    await pass_ten_minutes(club)
    assert edits(club, page) == 1
    assert "Alice" in str(page.components)
    assert "Pineapple" in page.text
    # Much later it is still the same message, and an edit costs nothing while nothing changes.
    await club.pass_hours(2 * 3600)
    assert edits(club, page) <= 2
    assert [one.id for one in pages(club)] == [page.id]


async def test_without_a_change_nothing_is_asked_of_discord(club: Club) -> None:
    await set_up(club)
    asked = len(club.backend.http_requests)
    for _ in range(4):
        await pass_ten_minutes(club)
    assert len(club.backend.http_requests) == asked


async def test_the_next_event_stands_on_it(club: Club) -> None:
    await set_up(club)
    (page,) = pages(club)
    form = await club.draft("alice", name="Friday Night", when="in 3 hours")
    await club.press("alice", form, form.find("ev_form_publish"))
    await pass_ten_minutes(club)
    assert "Next event: Friday Night" in page.text
    assert f"<#{club.channel.id}>" in page.text


async def test_an_event_that_is_played_stands_on_it(club: Club) -> None:
    await set_up(club)
    (page,) = pages(club)
    await sit_and_go_of_two(club, "Duel", "alice", "bob")
    # A change of settings triggers a check while the event is still running.
    screen = await choices(club)
    await enter(club, "alice", screen, "page layout", ["in_words"])
    await club.bot.services.club_pages.done()
    assert club.words()("club.running", event="Duel", channel=club.channel.id) in page.text


async def test_every_choice_shows_at_once_and_refuses_what_is_forged(club: Club) -> None:
    words = club.words("alice")
    await club.open_table("alice", "bob")
    await club.type_hand()
    await set_up(club)
    (page,) = pages(club)
    screen = await choices(club)
    form = await club.ask("alice", screen, screen.find("po_page"))
    assert form.modal is not None
    orders = form.modal["components"][1]["component"]["options"]
    assert [one["label"] for one in orders][:3] == [words("club.by_play"), "Chips won", "Points per hand"]
    assert [one["label"] for one in orders if one.get("default")] == [words("club.by_play")]
    screen = await enter(club, "alice", screen, "page order", [LeaderboardOrder.BEST.value])
    await club.bot.services.club_pages.done()
    assert words("leaderboard.title", by=words("leaderboard.by.best")) in page.text
    screen = await enter(club, "alice", screen, "page layout", ["in_words"])
    await club.bot.services.club_pages.done()
    assert "· hands:" in page.text
    assert words("club.in_words.on") in screen.text
    screen = await enter(club, "alice", screen, "page span", ["season"])
    await club.bot.services.club_pages.done()
    assert words("leaderboard.span.season") in page.text
    screen = await enter(club, "alice", screen, "page game", ["joker_pineapple"])
    await club.bot.services.club_pages.done()
    assert words("variant.joker_pineapple.name") in page.text
    # None chosen changes nothing.
    before = await kept(club)
    await deliver(forged_press(club, "alice", screen, "s1:club_by:0:0:0:::", values=[]))
    assert before is not None
    after = await kept(club)
    assert after is not None
    assert after.asked == before.asked
    rated = await enter(club, "alice", screen, "page order", [LeaderboardOrder.RATING.value])
    assert words("leaderboard.span.season") not in rated.text, "ratings have no span"


async def test_it_moves_and_goes_and_leaves_nothing_behind(club: Club) -> None:
    room = club.guild.create_text_channel("news")
    await set_up(club)
    await set_up(club, room)
    assert (pages(club), len(pages(club, room.id))) == ([], 1)
    screen = await choices(club)
    screen = await enter(club, "alice", screen, "page channel", [])
    assert club.words("alice")("club.nowhere") in screen.text
    assert (pages(club, room.id), await kept(club)) == ([], None)
    # A page of choices that was open meanwhile shows that there is none, and brings none back.
    await set_up(club)
    old, other = await choices(club), await choices(club)
    await deliver(forged_press(club, "alice", other, "c1:club_off:0:0:0:::"))
    assert await kept(club) is None
    again = forged_press(club, "alice", old, "c1:club_switch:0:1:0:::at_bottom")
    await deliver(again)
    assert club.words("alice")("club.nowhere") in again.said
    assert await kept(club) is None


async def test_a_message_that_was_deleted_by_hand_comes_back_with_the_next_change(club: Club) -> None:
    await set_up(club)
    (page,) = pages(club)
    club.backend.delete_message(club.channel.id, page.id)
    await club.open_table("alice", "bob")
    await pass_ten_minutes(club)
    (again,) = pages(club)
    assert again.id != page.id
    kept_now = await kept(club)
    assert kept_now is not None
    assert kept_now.message == again.id


@pytest.mark.parametrize("talked", [True, False])
async def test_where_people_talk_past_it_for_a_day_it_is_posted_again_at_the_bottom(
    club: Club, *, talked: bool
) -> None:
    pins = discord.Permissions(pin_messages=True).value
    # A page that was pinned before has Discord's line about that below it.
    allow_all_but(club, club.channel.id, denied=pins)
    screen = await set_up(club)
    await enter(club, "alice", screen, "page layout", ["at_bottom"])
    await club.bot.services.club_pages.done()
    (page,) = pages(club)
    if talked:
        await club.members["bob"].send(club.channel, "Shall we play?")
    await club.restart(down_seconds=DAY / 2)
    await pass_ten_minutes(club)
    assert [one.id for one in pages(club)] == [page.id]
    await club.restart(down_seconds=DAY / 2)
    await pass_ten_minutes(club)
    (now,) = pages(club)
    assert (now.id != page.id) is talked
    asked = len(club.backend.http_requests)
    for _ in range(3):
        await pass_ten_minutes(club)
    assert [one.id for one in pages(club)] == [now.id]
    # Whether people have talked past it is asked once an hour.
    assert len(club.backend.http_requests) == asked


async def test_only_those_who_manage_the_server_choose(club: Club) -> None:
    screen, tried = await set_up(club), 0
    for control in screen.controls():
        if ":po_" in (custom_id := control.get("custom_id", "")):
            press = forged_press(club, "hanako", screen, custom_id)
            await deliver(press)
            assert press.said == club.words("hanako")("gate.needs_manage_server")
            tried += 1
    assert tried > 3
    assert len(pages(club)) == 1


async def test_where_the_bot_may_not_write_it_says_so_and_stays_where_it_is(club: Club) -> None:
    room = club.guild.create_text_channel("news")
    allow_all_but(club, room.id, denied=WRITING)
    await set_up(club)
    words = club.words("alice")
    screen = await enter(club, "alice", await choices(club), "page channel", [room])
    lacking = words("permission.send_messages")
    assert words("season.channel_refused", channel=room.id, permissions=lacking) in screen.text
    assert len(pages(club)) == 1


async def test_a_lost_permission_loses_nothing_and_a_deleted_channel_gives_the_page_up(club: Club) -> None:
    room = club.guild.create_text_channel("news")
    await set_up(club, room)
    (page,) = pages(club, room.id)
    allow_all_but(club, room.id, denied=WRITING)
    await club.open_table("alice", "bob")
    refused = len(club.backend.http_requests)
    await pass_ten_minutes(club)
    assert not [one for one in list(club.backend.http_requests)[refused:] if str(room.id) in one.path]
    allow_all_but(club, room.id, denied=0)
    await pass_ten_minutes(club)
    assert [one.id for one in pages(club, room.id)] == [page.id]
    assert "Pineapple" in page.text
    club.forgiven.append("was refused")
    club.backend.delete_channel(room.id)
    # SimCord still edits messages of a deleted channel. Discord returns an error.
    gone = {"method": "PATCH", "path": f"/channels/{room.id}/messages/{page.id}", "status": 404, "code": 10003}
    club.backend.faults.append({**gone, "message": "", "times": 1})
    screen = await choices(club)
    await enter(club, "alice", screen, "page layout", ["in_words"])
    await club.bot.services.club_pages.done()
    assert await kept(club) is None


async def test_tables_that_its_readers_do_not_see_are_not_on_it(club: Club) -> None:
    room = club.guild.create_text_channel("news")
    await club.open_table("alice", "bob")
    club.backend.set_overwrite(
        club.channel.id, Overwrite(target_id=club.guild.id, type=OverwriteType.ROLE, allow=0, deny=SEEING)
    )
    await set_up(club, room)
    (page,) = pages(club, room.id)
    assert club.words()("club.no_tables") in page.text
    assert f"<#{club.channel.id}>" not in page.text


@pytest.mark.parametrize("order", [LeaderboardOrder.CHIPS, LeaderboardOrder.RATING])
@pytest.mark.parametrize("in_words", [False, True])
async def test_who_hides_has_no_line_on_it(
    club: Club, monkeypatch: pytest.MonkeyPatch, order: LeaderboardOrder, *, in_words: bool
) -> None:
    monkeypatch.setattr(LeaderboardOrder, "min_hands", 1)
    await club.open_table("alice", "bob")
    await club.type_hand()
    await set_up(club)
    guild = GuildId(club.guild.id)
    await club.bot.services.bank.change_club_page(
        guild, lambda page: page and replace(page, order=order, in_words=in_words)
    )
    await pass_ten_minutes(club)
    (page,) = pages(club)
    named = {name: (club.members[name].mention, club.shown(name).strip("*")) for name in ("alice", "bob")}

    def stands(name: str) -> bool:
        return any(one in str(page.components) for one in named[name])

    assert stands("alice")
    assert stands("bob")
    for name in ("alice", "bob"):
        await club.bot.services.play.change_member_settings(
            guild, club.player(name), lambda member_settings: replace(member_settings, profile_visible=False)
        )
        await pass_ten_minutes(club)
        assert not stands(name)


async def test_a_restart_makes_no_second_one_and_edits_what_has_changed(club: Club) -> None:
    await set_up(club)
    (page,) = pages(club)
    await club.restart(down_seconds=3600)
    await club.open_table("alice", "bob")
    await pass_ten_minutes(club)
    assert [one.id for one in pages(club)] == [page.id]
    assert "Pineapple" in page.text


async def test_it_is_pinned_where_the_bot_was_allowed_to(club: Club) -> None:
    room = club.guild.create_text_channel("news")
    pins = discord.Permissions(pin_messages=True).value
    allow_all_but(club, room.id, denied=pins)
    await set_up(club, room)
    (page,) = pages(club, room.id)
    assert not page.message.pinned
    await set_up(club)
    (page,) = pages(club)
    assert page.message.pinned


async def test_a_japanese_server_reads_it_in_japanese(japanese_club: Club) -> None:
    club = japanese_club
    await set_up(club)
    (page,) = pages(club)
    assert club.words()("club.no_tables") in page.text
    assert "いま開いている卓はありません" in page.text


async def test_it_follows_the_servers_language_at_once(club: Club) -> None:
    await set_up(club)
    (page,) = pages(club)
    none_open = {language: words_for(language)("club.no_tables") for language in ("en", "ja")}
    assert none_open["en"] in page.text
    club.backend.edit_guild(club.guild.id, {"preferred_locale": "ja"})
    await club.settle()
    await club.bot.services.club_pages.done()
    assert none_open["ja"] in page.text, "Discord has told it"
    await enter_in_setup(club, "alice", "language", ["en"])
    await club.bot.services.club_pages.done()
    assert none_open["en"] in page.text, "/setup has chosen it"
    assert [one.id for one in pages(club)] == [page.id]


async def test_menus_and_switches_of_older_pages_still_work(club: Club) -> None:
    screen = await choices(club)

    async def press(custom_id: str, values: list[str] | None = None) -> ClubPage | None:
        pressed = forged_press(club, "alice", screen, custom_id, values=values)
        await deliver(pressed)
        assert pressed.answers[0].has("po_page"), "the page as it is now"
        return await kept(club)

    assert await press("s1:club_by:0:0:0:::", [LeaderboardOrder.BEST.value]) is None, "it stands nowhere yet"
    page = await press("s1:club_channel:0:0:0:::", [str(club.channel.id)])
    assert page is not None
    assert page.channel == club.channel.id
    assert await press("s1:club_channel:0:0:0:::", []) is not None, "none chosen changes nothing"
    for custom_id, values, field, value in (
        ("s1:club_by:0:0:0:::", [LeaderboardOrder.BEST.value], "order", LeaderboardOrder.BEST),
        ("s1:club_span:0:0:0:::", ["season"], "span", LeaderboardSpan.SEASON),
        ("s1:club_game:0:0:0:::", ["classic"], "game", "classic"),
        ("c1:club_switch:0:1:0:::in_words", None, "in_words", True),
        ("c1:club_switch:0:1:0:::at_bottom", None, "at_bottom", True),
        ("c1:club_switch:0:0:0:::in_words", None, "in_words", False),
    ):
        before, page = page, await press(custom_id, values)
        assert page is not None
        assert getattr(page, field) == value
        chosen = ("channel", "order", "span", "game", "in_words", "at_bottom")
        assert {one for one in chosen if getattr(page, one) != getattr(before, one)} == {field}
    assert page is not None
    assert page.at_bottom
    assert await press("c1:club_off:0:0:0:::") is None
    await club.bot.services.club_pages.done()
