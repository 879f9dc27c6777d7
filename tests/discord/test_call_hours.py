"""Ping hours in correspondence games: quiet hours, and one digest per day instead of pings."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import discord
import pytest
from simcord import ResponseMessage
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.chat.club.screens.settings import OFF
from bot.model.choices import MemberSettings
from bot.text.zones import zone_name
from tests.discord.club import Club, Screen
from tests.discord.forge import forge
from tests.discord.forms import settings_page, take_vacation

PEOPLE = ["bob", "hanako"]
HOUR = 3600
SEE = discord.Permissions(view_channel=True).value


def calls_of(club: Club, name: str) -> list[dict[str, Any]]:
    """Return the bodies of messages that have pinged a member."""
    return [sent.body for sent in club.watch.sent if club.player(name) in sent.notified]


def digests(club: Club) -> list[Screen]:
    """Return the digests in the channel."""
    return [screen for screen in club.public() if screen.has("games")]


async def change_member_settings(club: Club, name: str, **chosen: Any) -> MemberSettings:
    """Choose behind the scenes."""
    return await club.play.change_member_settings(
        club.key().guild, club.player(name), lambda before: replace(before, **chosen)
    )


def utc_hour(club: Club, ahead: int = 0) -> int:
    """The hour of the world, so many hours ahead."""
    now = datetime.fromtimestamp(club.world.now_ms() / 1000, UTC)
    return (now + timedelta(hours=ahead)).hour


async def hours_pass(club: Club, hours: float) -> None:
    """Let the machine sleep for hours, and the bot do what is due then."""
    club.backend.advance_clock(hours * HOUR)
    await club.pass_time(35)


async def hours_tick(club: Club, hours: float) -> None:
    """Let the clocks run for hours."""
    await club.pass_hours(hours * HOUR)
    await club.pass_time(35)


async def until_the_hour(club: Club) -> None:
    """Let time pass until some minutes after a full hour."""
    minutes = club.world.now_ms() // 60_000 % 60
    await hours_pass(club, (65 - minutes) / 60)


async def choose(club: Club, name: str, screen: Screen, verb: str, value: str) -> Screen:
    """Choose in a menu of the hours."""
    return await club.choose(name, screen, screen.find(verb), [value])


async def hours_of(club: Club, name: str) -> Screen:
    """The page of hours, from the settings."""
    settings = await settings_page(club, name, "hours")
    return await club.tap(name, settings, settings.find("hours"))


# choosing


@pytest.mark.parametrize("name", PEOPLE)
async def test_hours_are_chosen_on_a_page_of_the_settings(club: Club, name: str) -> None:
    words, key = club.words(name), club.key().guild
    page = await hours_of(club, name)
    zone = words.language.zone
    assert zone_name(zone, words) in page.text
    clock = datetime.fromtimestamp(club.world.now_ms() / 1000, ZoneInfo(zone))
    assert f"{clock:%H:%M}" in page.text
    assert words("hours.quiet.off") in page.text
    assert words("hours.digest.off") in page.text
    assert not page.has("quiet_until")
    page = await choose(club, name, page, "quiet_from", "22")
    assert words("hours.quiet.on", ends=words("hours.clock", hour=8), **{"from": words("hours.clock", hour=22)}) in (
        page.text
    )
    page = await choose(club, name, page, "quiet_until", "6")
    page = await choose(club, name, page, "digest_at", "9")
    kept = await club.play.member_settings(key, club.player(name))
    assert (kept.zone, kept.quiet_from, kept.quiet_until, kept.digest_at) == (zone, 22, 6, 9)
    due = datetime.fromtimestamp(kept.digest_due / 1000, ZoneInfo(zone))
    assert (due.hour, due.minute) == (9, 0)
    assert timedelta() < due - clock <= timedelta(days=1)
    settings = await club.tap(name, page, page.find("wish_pings"))
    assert words("settings.hours.digest_on", time=words("hours.clock", hour=9)) in settings.text
    assert settings.has("calls"), "back where one came from"
    page = await hours_of(club, name)
    page = await choose(club, name, page, "quiet_from", OFF)
    await choose(club, name, page, "digest_at", OFF)
    kept = await club.play.member_settings(key, club.player(name))
    assert (kept.quiet_from, kept.digest_at) == (None, None)


async def write_zone(club: Club, name: str, page: Screen, typed: str) -> None:
    """Fill in the form of the zone."""
    message = ResponseMessage(club.world.env, page.message)
    form = await club.members[name].click(message, custom_id=page.find("hours_zone")["custom_id"])
    assert form.modal is not None
    (field,) = [label["component"]["custom_id"] for label in form.modal["components"]]
    await club.members[name].submit_modal(form, {field: typed})
    await club.settle()


@pytest.mark.parametrize(
    ("typed", "zone"), [("Asia/Tokyo", "Asia/Tokyo"), ("new york", "America/New_York"), ("Berlin ", "Europe/Berlin")]
)
async def test_a_zone_is_written_in_full_or_as_a_town(club: Club, typed: str, zone: str) -> None:
    page = await hours_of(club, "bob")
    await write_zone(club, "bob", page, typed)
    assert (await club.play.member_settings(club.key().guild, club.player("bob"))).zone == zone
    assert zone_name(zone, club.words("bob")) in page.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_an_empty_zone_is_the_server_s_and_moves_the_digest(club: Club, name: str) -> None:
    words, key = club.words(name), club.key().guild
    await club.play.choose_for_server(key, lambda before: replace(before, zone="America/New_York"))
    page = await hours_of(club, name)
    await write_zone(club, name, page, "Berlin")
    await choose(club, name, page, "digest_at", "9")
    chosen = await club.play.member_settings(key, club.player(name))
    await write_zone(club, name, page, "")
    cleared = await club.play.member_settings(key, club.player(name))
    assert (chosen.zone, cleared.zone) == ("Europe/Berlin", "America/New_York")
    assert datetime.fromtimestamp(cleared.digest_due / 1000, ZoneInfo("America/New_York")).hour == 9
    assert cleared.digest_due != chosen.digest_due
    assert zone_name("America/New_York", words) in page.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_what_is_no_zone_and_hours_that_are_none_change_nothing(club: Club, name: str) -> None:
    words, key = club.words(name), club.key().guild
    page = await choose(club, name, await hours_of(club, name), "quiet_from", "22")
    before = await club.play.member_settings(key, club.player(name))
    await write_zone(club, name, page, "Atlantis")
    assert words("hours.zone.unknown", typed="Atlantis") in page.text
    await club.choose(name, page, page.find("quiet_until"), ["22"])
    assert words("hours.quiet.same") in page.text
    await club.choose(name, page, page.find("quiet_from"), ["8"])
    for verb in ("quiet_from", "quiet_until", "digest_at"):
        await forge(club, name, page, page.find(verb)["custom_id"], values=["25", "noon"])
    assert await club.play.member_settings(key, club.player(name)) == before


# quiet hours


async def test_a_call_waits_for_the_end_of_quiet_hours_through_a_restart(club: Club) -> None:
    await club.call_at_once()
    await until_the_hour(club)
    await change_member_settings(club, "bob", zone="UTC", quiet_from=utc_hour(club), quiet_until=utc_hour(club, 3))
    await club.open_table("alice", "bob", clock="correspondence 1d")
    assert await club.on_turn() == "bob"
    await hours_pass(club, 1)
    await club.restart()
    await hours_pass(club, 1.5)
    assert calls_of(club, "bob") == []
    await hours_pass(club, 0.5)
    assert len(calls_of(club, "bob")) == 1
    await club.restart()
    await hours_pass(club, 1)
    assert len(calls_of(club, "bob")) == 1, "and nobody is called twice"


async def test_who_has_acted_by_then_is_not_called(club: Club) -> None:
    await club.call_at_once()
    await until_the_hour(club)
    await change_member_settings(club, "bob", zone="UTC", quiet_from=utc_hour(club), quiet_until=utc_hour(club, 2))
    await club.open_table("alice", "bob", clock="correspondence 1d")
    await hours_pass(club, 1)
    await club.type_turn("bob")
    await hours_pass(club, 2)
    assert calls_of(club, "bob") == []
    assert len(calls_of(club, "alice")) == 1, "hers were no quiet hours"


async def test_a_reminder_waits_as_well(club: Club) -> None:
    await until_the_hour(club)
    await change_member_settings(club, "bob", zone="UTC", quiet_from=utc_hour(club, 1), quiet_until=utc_hour(club, 2))
    await club.open_table("alice", "bob", clock="correspondence 2h")
    await hours_tick(club, 0.5)
    assert len(calls_of(club, "bob")) == 1
    await hours_tick(club, 1.1)
    assert len(calls_of(club, "bob")) == 1, "a quarter is left, in the quiet hours"
    await hours_tick(club, 0.3)
    assert len(calls_of(club, "bob")) == 2


async def test_faster_tables_know_no_quiet_hours_and_no_digest(club: Club) -> None:
    await club.call_at_once()
    await change_member_settings(
        club, "bob", zone="UTC", quiet_from=utc_hour(club, -1), quiet_until=utc_hour(club, 2), digest_at=3
    )
    await club.open_table("alice", "bob", clock="10m")
    assert await club.on_turn() == "bob"
    await club.pass_time(25)
    assert len(calls_of(club, "bob")) == 1


async def test_who_ends_quiet_hours_is_called_now(club: Club) -> None:
    await club.call_at_once()
    await change_member_settings(club, "bob", zone="UTC", quiet_from=utc_hour(club, -1), quiet_until=utc_hour(club, 8))
    await club.open_table("alice", "bob", clock="correspondence 1d")
    await club.pass_time(60)
    assert calls_of(club, "bob") == []
    await choose(club, "bob", await hours_of(club, "bob"), "quiet_from", OFF)
    await club.pass_time(60)
    assert len(calls_of(club, "bob")) == 1


# the digest


async def test_a_digest_names_what_waits_and_calls_once_a_day(club: Club) -> None:
    words = club.words()
    await club.call_at_once()
    await until_the_hour(club)
    await change_member_settings(club, "bob", zone="UTC", digest_at=utc_hour(club, 2))
    page = await hours_of(club, "bob")
    await choose(club, "bob", page, "digest_at", str(utc_hour(club, 1)))
    for table, time in ((1, "3d"), (2, "2d")):
        await club.open_table("alice", "bob", clock=time)
        assert await club.on_turn(table) == "bob"
    await club.open_table("alice", "bob", clock="correspondence", quiet=True)
    await hours_pass(club, 0.5)
    assert calls_of(club, "bob") == []
    await hours_pass(club, 0.5)
    (digest,) = digests(club)
    assert len(calls_of(club, "bob")) == 1
    assert words("digest.text", count=2, player=f"<@{club.player('bob')}>") in digest.text
    assert [digest.text.index(f"Table {table}") for table in (2, 1)] == sorted(
        digest.text.index(f"Table {table}") for table in (1, 2)
    ), "the shortest time first"
    for table in (1, 2):
        view = await club.look(table)
        assert view.turn_until is not None
        assert f"<t:{view.turn_until // 1000}:R>" in digest.text
    assert "Table 3" not in digest.text, "a quiet table calls nobody"
    games = await club.press("alice", digest, digest.find("games"))
    assert games is not None
    assert club.words("alice")("games.title") in games.text
    await club.restart()
    await hours_pass(club, 5)
    assert len(calls_of(club, "bob")) == 1, "once a day, whatever ends and begins"
    await club.restart(down_seconds=19 * HOUR)
    await club.pass_time(40)
    assert len(calls_of(club, "bob")) == 2
    assert digest.gone, "yesterday's makes room"
    assert len(digests(club)) == 1


async def test_a_day_on_which_nothing_waits_has_no_digest(club: Club) -> None:
    await club.call_at_once()
    await until_the_hour(club)
    page = await hours_of(club, "bob")
    await choose(club, "bob", page, "digest_at", str(utc_hour(club, 1)))
    await change_member_settings(club, "bob", zone="UTC")
    await club.open_table("alice", "bob", clock="correspondence 3d")
    await hours_pass(club, 1)
    (digest,) = digests(club)
    await club.type_turn("bob")
    await club.restart(down_seconds=24 * HOUR)
    await club.pass_time(40)
    assert digest.gone
    assert digests(club) == []
    assert len(calls_of(club, "bob")) == 1
    await club.type_turn("alice")
    await hours_pass(club, 1)
    assert len(calls_of(club, "bob")) == 1, "a turn that begins after it waits for the next"


async def test_a_digest_in_quiet_hours_comes_when_they_end(club: Club) -> None:
    await club.call_at_once()
    await until_the_hour(club)
    page = await hours_of(club, "bob")
    await choose(club, "bob", page, "digest_at", str(utc_hour(club, 1)))
    await change_member_settings(club, "bob", zone="UTC", quiet_from=utc_hour(club), quiet_until=utc_hour(club, 2))
    await club.open_table("alice", "bob", clock="correspondence 3d")
    await hours_pass(club, 1)
    assert digests(club) == []
    await hours_pass(club, 1)
    assert len(digests(club)) == 1


async def test_with_a_digest_reminders_still_come(club: Club) -> None:
    await change_member_settings(club, "bob", zone="UTC", digest_at=utc_hour(club, -1))
    await club.open_table("alice", "bob", clock="correspondence 1h")
    await hours_tick(club, 0.7)
    assert calls_of(club, "bob") == []
    await hours_tick(club, 0.05)
    assert len(calls_of(club, "bob")) == 1


async def test_a_digest_goes_where_it_may_be_posted(club: Club) -> None:
    await club.call_at_once()
    await until_the_hour(club)
    page = await hours_of(club, "bob")
    await choose(club, "bob", page, "digest_at", str(utc_hour(club, 1)))
    await change_member_settings(club, "bob", zone="UTC")
    other = club.thread("elsewhere")
    await club.open_table("alice", "bob", clock="correspondence 2d")
    await other.open_table("alice", "bob", clock="correspondence 3d")
    club.forbid("send_messages")
    await hours_pass(club, 1)
    assert digests(club) == []
    assert len(digests(other)) == 1


async def test_a_digest_names_nothing_of_a_channel_that_not_everybody_sees(club: Club) -> None:
    words = club.words()
    await club.call_at_once()
    await until_the_hour(club)
    page = await hours_of(club, "bob")
    await choose(club, "bob", page, "digest_at", str(utc_hour(club, 1)))
    await change_member_settings(club, "bob", zone="UTC")
    back_room = replace(club, channel=club.guild.create_text_channel("back-room"))
    open_room = replace(club, channel=club.guild.create_text_channel("open-room"))
    everybody = Overwrite(target_id=club.guild.id, type=OverwriteType.ROLE, allow=0, deny=SEE)
    for room, time in ((club, "1d"), (back_room, "2d"), (open_room, "3d")):
        await room.open_table("alice", "bob", clock=time)
    club.backend.set_overwrite(back_room.channel.id, everybody)
    people = [
        Overwrite(target_id=member.id, type=OverwriteType.MEMBER, allow=SEE, deny=0)
        for member in (*club.members.values(), club.backend.bot_user)
    ]
    for person in people:
        club.backend.set_overwrite(back_room.channel.id, person)
    await club.settle()
    await hours_pass(club, 1)
    (digest,) = digests(club)
    assert words("digest.text", count=3, player=f"<@{club.player('bob')}>") in digest.text
    assert [f"Table {table}" in digest.text for table in (1, 2, 3)] == [True, False, True]
    assert words("digest.more", count=1) in digest.text


# days of clock changes


async def until(club: Club, moment: str) -> None:
    """Let the machine sleep until a moment of New York, and restart the bot then."""
    there = datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo("America/New_York")).timestamp()
    ahead = there - club.world.now_ms() / 1000
    assert ahead > 0
    await club.restart(down_seconds=ahead)
    await club.pass_time(35)


@pytest.mark.parametrize("change", ["2026-03-08", "2026-11-01"], ids=["forward", "back"])
async def test_a_digest_comes_at_its_hour_though_the_clocks_are_changed(club: Club, change: str) -> None:
    await club.call_at_once()
    first = date.fromisoformat(change) - timedelta(days=1)
    await until(club, f"{first} 08:00")
    await change_member_settings(club, "bob", zone="America/New_York")
    await choose(club, "bob", await hours_of(club, "bob"), "digest_at", "9")
    await club.open_table("alice", "bob", clock="correspondence 7d")
    for number in range(3):
        day = first + timedelta(days=number)
        await until(club, f"{day} 08:58")
        assert len(calls_of(club, "bob")) == number, day
        await until(club, f"{day} 09:00")
        assert len(calls_of(club, "bob")) == number + 1, day
        await until(club, f"{day} 10:05")
        assert len(calls_of(club, "bob")) == number + 1, day


@pytest.mark.parametrize("change", ["2026-03-08", "2026-11-01"], ids=["forward", "back"])
async def test_a_call_waits_for_the_morning_after_the_clocks_were_changed(club: Club, change: str) -> None:
    await club.call_at_once()
    first = date.fromisoformat(change) - timedelta(days=1)
    await until(club, f"{first} 22:30")
    await change_member_settings(club, "bob", zone="America/New_York", quiet_from=22, quiet_until=7)
    await club.open_table("alice", "bob", clock="correspondence 3d")
    for clock in ("01:30", "03:30", "06:58"):
        await until(club, f"{change} {clock}")
        assert calls_of(club, "bob") == [], clock
    await until(club, f"{change} 07:00")
    assert len(calls_of(club, "bob")) == 1


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_digest_says_what_the_clock_did_and_where_somebody_sits_out(club: Club, name: str) -> None:
    words, player = club.words(), club.player(name)
    await club.call_at_once()
    await until_the_hour(club)
    page = await hours_of(club, name)
    await choose(club, name, page, "digest_at", str(utc_hour(club, 1)))
    await change_member_settings(club, name, zone="UTC", digest_at=utc_hour(club, 1), reminders=False)
    await club.open_table("alice", name, clock="correspondence 1h")
    for _ in range(12):
        view = await club.look(1, name)
        if not view.waiting:
            break
        if await club.on_turn() == "alice":
            await club.type_turn("alice")
        else:
            await hours_tick(club, 1.1)
    mine = (await club.look(1, name)).mine
    assert mine is not None
    assert mine.seat.away
    missed = await club.play.missed(club.key(), player)
    assert missed.placed, "the clock has placed"
    assert missed.points, "and a hand has ended"
    before = len(calls_of(club, name))
    await hours_pass(club, 24)
    assert len(calls_of(club, name)) > before, "though nothing waits"
    told = [screen.text for screen in digests(club)]
    assert told, "there is a digest"
    (text,) = told
    mention = f"<@{player}>"
    assert words("digest.news", player=mention) in text or words("digest.text", count=1, player=mention) in text
    assert words("away.title") in text
    assert words("away.at_table", table=1, told="$").split("$")[0] in text
    assert words("digest.out", tables=words("games.table", table=1)) in text
    sent = len(calls_of(club, name))
    await hours_pass(club, 24)
    assert len(calls_of(club, name)) == sent, "nothing new, no digest"


async def test_a_digest_comes_when_a_vacation_ends(club: Club) -> None:
    await club.call_at_once()
    await until_the_hour(club)
    page = await hours_of(club, "bob")
    await choose(club, "bob", page, "digest_at", str(utc_hour(club, -1)))
    await change_member_settings(club, "bob", zone="UTC", digest_at=utc_hour(club, -1))
    await club.open_table("alice", "bob", clock="correspondence 12h")
    assert await club.on_turn() == "bob"
    await take_vacation(club, "bob", "2 days")
    member_settings = await club.play.member_settings(club.key().guild, club.player("bob"))
    ends = member_settings.vacation_until
    assert ends
    await hours_tick(club, (ends - club.world.now_ms()) / 3_600_000 - 0.5)
    assert club.world.now_ms() < ends
    assert digests(club) == [], "the clock stands"
    await hours_tick(club, 0.6)
    assert 0 < club.world.now_ms() - ends < HOUR * 1000
    (digest,) = digests(club)
    until = (await club.look()).turn_until
    assert until is not None
    assert until - club.world.now_ms() > 11 * HOUR * 1000, "nearly all of the time is left"
    assert f"<t:{until // 1000}:R>" in digest.text
