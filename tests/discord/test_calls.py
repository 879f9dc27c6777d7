"""When players are called: as each of them has chosen, never at a quiet table, and never while they play."""

import pytest

from bot.chat.table.posts.calls import SILENT_MS
from bot.model.choices import Calls
from tests.discord.club import Club, Screen
from tests.discord.forge import forge
from tests.discord.forms import settings_page

PEOPLE = ["alice", "hanako"]


def called(club: Club, name: str) -> int:
    """Return the number of pings to a member."""
    return sum(club.player(name) in sent.notified for sent in club.watch.sent)


async def choose(club: Club, name: str, calls: Calls) -> Screen:
    """Choose when to be called, in the settings."""
    settings = await settings_page(club, name, "calls")
    return await club.choose(name, settings, settings.find("calls"), [calls.value])


async def on_turn_after(club: Club, seconds: float, *, calls: Calls | None = None, **options: object) -> int:
    """The number of times that Bob, who has chosen this, is called within the first seconds of his turn."""
    if calls is not None:
        await choose(club, "bob", calls)
    club.lobby_seconds = SILENT_MS // 1000 + 1
    await club.open_table("alice", "bob", **options)
    assert await club.on_turn() == "bob"
    await club.pass_time(seconds)
    return called(club, "bob")


async def test_a_player_is_called_after_twenty_silent_seconds(club: Club) -> None:
    assert await on_turn_after(club, 18) == 0
    await club.pass_time(4)
    assert called(club, "bob") == 1


async def test_a_player_who_wishes_so_is_called_at_once(club: Club) -> None:
    assert await on_turn_after(club, 1, calls=Calls.AT_ONCE) == 1


async def test_a_player_who_wishes_so_is_never_called(club: Club) -> None:
    settings = await choose(club, "bob", Calls.NEVER)
    await club.press("bob", settings, settings.find("reminders"))
    assert await on_turn_after(club, 59) == 0


async def test_a_player_who_is_never_called_can_be_reminded(club: Club) -> None:
    assert await on_turn_after(club, 44, calls=Calls.NEVER) == 0
    await club.pass_time(3)
    assert called(club, "bob") == 1


async def test_a_quiet_table_calls_nobody(club: Club) -> None:
    assert await on_turn_after(club, 59, calls=Calls.AT_ONCE, quiet=True) == 0
    assert club.calls() == []


async def test_each_is_called_as_they_have_chosen(club: Club) -> None:
    await choose(club, "bob", Calls.AT_ONCE)
    await choose(club, "alice", Calls.NEVER)
    await club.open_table("alice", "bob", "hanako")
    for _ in range(3):
        await club.pass_time(22)
        await club.type_turn(await club.on_turn())
    assert (called(club, "alice"), called(club, "bob"), called(club, "hanako")) == (0, 2, 1)


@pytest.mark.parametrize("name", PEOPLE)
async def test_settings_show_what_is_chosen_and_what_is_usual(club: Club, name: str) -> None:
    words = club.words(name)
    settings = await settings_page(club, name, "calls")
    named = [part["placeholder"] for part in settings.controls() if "placeholder" in part]
    assert words("settings.calls.menu") in named
    assert not any("*" in name for name in named)
    assert words("settings.calls.text", choice=words("settings.calls.after_silence", seconds=20)) in settings.text
    menu = settings.find("calls")
    assert [option.get("description") for option in menu["options"]] == [None, words("settings.calls.default"), None]
    now = await choose(club, name, Calls.NEVER)
    assert words("settings.calls.text", choice=words("settings.calls.never")) in now.text


@pytest.mark.parametrize("values", [[], ["always"], ["never", "at_once"]])
async def test_a_forged_choice_changes_nothing_but_to_what_there_is(club: Club, values: list[str]) -> None:
    settings = await settings_page(club, "bob", "calls")
    await forge(club, "bob", settings, settings.find("calls")["custom_id"], values=values)
    member_settings = await club.play.member_settings(club.key().guild, club.player("bob"))
    assert member_settings.calls is (Calls.NEVER if values[1:] else Calls.AFTER_SILENCE)
