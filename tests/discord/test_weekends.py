"""Weekends off on the real bot: set by menu and command, shown where players look, and quiet on weekends."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.discord.club import Club
from tests.discord.test_call_hours import calls_of, change_member_settings, hours_pass
from tests.discord.test_open_table import changed, guild_of, opened, screen_of

PEOPLE = ["bob", "hanako"]


async def until_saturday(club: Club) -> None:
    """Let time pass until Saturday at noon, in UTC."""
    now = datetime.fromtimestamp(club.world.now_ms() / 1000, UTC)
    noon = now.replace(hour=12, minute=0, second=0, microsecond=0)
    saturday = noon + timedelta(days=(5 - noon.weekday()) % 7 or 7)
    club.backend.advance_clock((saturday - now).total_seconds())
    await club.pass_time(35)
    assert datetime.fromtimestamp(club.world.now_ms() / 1000, UTC).weekday() == 5


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_tick_in_the_form_takes_weekends_off_and_gives_them_back(club: Club, name: str) -> None:
    words = club.words(name)
    shown = await changed(club, name, await screen_of(club, name), "new_table", clock="1d")
    said = words("lobby.weekends_off", zone="UTC")
    assert said not in shown.text
    shown = await changed(club, name, shown, "new_table", also=["weekends_off"])
    assert said in shown.text
    shown = await changed(club, name, shown, "new_money", stakes="25")
    assert said in shown.text, "kept with what is chosen next"
    back = await changed(club, name, shown, "new_table", also=[])
    assert said not in back.text
    shown = await changed(club, name, back, "new_table", also=["weekends_off"])
    table = await opened(club, name, shown)
    assert (table.terms.weekends_off, table.terms.point_value, table.terms.clock.seconds) == (True, 25, 86_400)


async def test_another_clock_ends_it(club: Club) -> None:
    shown = await changed(club, "bob", await screen_of(club, "bob"), "new_table", clock="1d", also=["weekends_off"])
    shown = await changed(club, "bob", shown, "new_table", clock="1m")
    assert "⚠️" not in shown.text
    assert not (await opened(club, "bob", shown)).terms.weekends_off


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_table_has_it_by_correspondence_alone_and_so_has_one_like_it(club: Club, name: str) -> None:
    words = club.words(name)
    await club.opens(name, clock="correspondence", weekends_off=True)
    assert words("lobby.term.weekends_off", zone="UTC") in club.table_screen(1).text
    assert words("lobby.weekends_off", zone="UTC") in (await club.details(name)).text
    await club.slash(name, "ofc play", like="1")
    assert (await club.look(2)).week is not None
    assert words("games.weekends_off") in (await club.slash(name, "ofc table", do="tables")).text
    assert words("games.weekends_off") in (await club.slash(name, "ofc table", do="mine")).text


async def test_its_details_say_it_with_the_zone_of_the_server_also_once_that_changes(club: Club) -> None:
    words = club.words()
    await club.open_table("alice", "bob", clock="correspondence", weekends_off=True)
    assert words("lobby.weekends_off", zone="UTC") in (await club.details("alice")).text
    await club.play.choose_for_server(guild_of(club), lambda before: replace(before, zone="America/New_York"))
    await club.pass_time(35)
    assert words("lobby.weekends_off", zone="America/New_York") in (await club.details("alice")).text


@pytest.mark.parametrize("restarts", [False, True])
async def test_nobody_is_called_on_a_weekend_and_on_monday_once(club: Club, restarts: bool) -> None:
    await club.call_at_once()
    await until_saturday(club)
    await club.open_table("alice", "bob", clock="correspondence 1d", weekends_off=True)
    assert await club.on_turn() == "bob"
    view = await club.look(1)
    monday = datetime.fromtimestamp((view.turn_until or 0) / 1000 - 86_400, UTC)
    assert (monday.weekday(), monday.hour, monday.minute) == (0, 0, 0)
    for _ in range(2):
        await hours_pass(club, 17)
        if restarts:
            await club.restart()
        assert calls_of(club, "bob") == []
    await hours_pass(club, 2.5)
    assert len(calls_of(club, "bob")) == 1
    await hours_pass(club, 1)
    assert len(calls_of(club, "bob")) == 1


async def test_a_digest_of_a_weekend_leaves_the_table_out(club: Club) -> None:
    await club.call_at_once()
    await until_saturday(club)
    due = club.world.now_ms() + 3_600_000
    await change_member_settings(club, "bob", zone="UTC", digest_at=13, digest_due=due)
    await club.open_table("alice", "bob", clock="correspondence 2d", weekends_off=True)
    await hours_pass(club, 2)
    assert calls_of(club, "bob") == []
    await club.open_table("alice", "bob", clock="correspondence 3d")
    await hours_pass(club, 24)
    (called,) = calls_of(club, "bob")
    assert "Table 2" in str(called)
    assert "Table 1" not in str(called)
