"""Commands and card faces: uploaded once, again after changes, and not needed to play."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import discord
import pytest

from bot.chat.application_assets import MAX_DECKS, emoji_name, register, sync, upload_card_emojis
from bot.chat.art.faces import DECK_MARKS, FACE_NAMES, FACES_DIGEST, FOUR_COLOURS
from tests.standin.rest import Fault, Request
from tests.standin.standin import Standin
from tests.standin.wired_bot import WiredBot, make_bot, now_ms


def registrations(discord: Standin) -> int:
    """Return the number of uploads of the commands."""
    return sum(request.method == "PUT" and request.path.endswith("/commands") for request in discord.requests)


async def restarted(wired: WiredBot, folder: Path) -> None:
    """The bot once more, on the same Discord."""
    await wired.discord.stop()
    wired.bot = await make_bot(wired.discord, folder)
    await wired.discord.start(wired.bot)


def about_commands(request: Request) -> bool:
    return request.path.split("?")[0].endswith("/commands")


async def test_the_first_start_registers_and_the_next_one_asks_once_and_sends_nothing(
    wired: WiredBot, tmp_path: Path
) -> None:
    assert registrations(wired.discord) == 1
    wired.discord.requests.clear()
    await restarted(wired, tmp_path)
    assert [request.method for request in wired.discord.requests if about_commands(request)] == ["GET"]


def _drop(commands: list[dict[str, Any]]) -> None:
    commands.pop()


def _add(commands: list[dict[str, Any]]) -> None:
    commands.append({**commands[0], "name": "more"})


def _describe(commands: list[dict[str, Any]]) -> None:
    commands[0]["description_localizations"]["ja"] = "別の説明"


def _forget_an_option(commands: list[dict[str, Any]]) -> None:
    next(command for command in commands if command["name"] == "place")["options"].pop()


def _narrow_an_option(commands: list[dict[str, Any]]) -> None:
    next(command for command in commands if command["name"] == "place")["options"][0]["max_length"] = 5


def _complete_no_option(commands: list[dict[str, Any]]) -> None:
    next(command for command in commands if command["name"] == "place")["options"][0]["autocomplete"] = False


def _open_to_all(commands: list[dict[str, Any]]) -> None:
    next(command for command in commands if command["name"] == "setup")["default_member_permissions"] = None


@pytest.mark.parametrize(
    "change", [_drop, _add, _describe, _forget_an_option, _narrow_an_option, _complete_no_option, _open_to_all]
)
async def test_commands_that_are_not_those_of_the_bot_are_registered_anew(
    wired: WiredBot, change: Callable[[list[dict[str, Any]]], None]
) -> None:
    right = [{**command, "id": ""} for command in deepcopy(wired.discord.commands)]
    change(wired.discord.commands)
    await register(wired.bot.tree, None)
    assert registrations(wired.discord) == 2
    assert [{**command, "id": ""} for command in wired.discord.commands] == right


LAUNCH = {
    "id": "77",
    "application_id": "1",
    "version": "78",
    "type": 4,
    "name": "launch",
    "name_localizations": {"ja": "起動"},
    "description": "",
    "description_localizations": None,
    "default_member_permissions": None,
    "integration_types": [0, 1],
    "contexts": [0, 1, 2],
    "handler": 2,
    "nsfw": False,
}
"""The command that Discord adds to an application whose settings enable Activities."""


async def test_the_command_that_launches_an_activity_stays_as_it_was_found(wired: WiredBot) -> None:
    wired.discord.commands.append(dict(LAUNCH))
    await register(wired.bot.tree, None)
    assert registrations(wired.discord) == 1, "it is nobody's reason to send them again"
    _describe(wired.discord.commands)
    await register(wired.bot.tree, None)
    assert registrations(wired.discord) == 2
    (launch,) = [command for command in wired.discord.commands if command["type"] == 4]
    assert {**launch, "version": "", "application_id": ""} == {**LAUNCH, "version": "", "application_id": ""}
    assert [command["name"] for command in wired.discord.commands].count("place") == 1


async def test_discord_takes_no_commands_without_the_one_that_launches_an_activity(wired: WiredBot) -> None:
    wired.discord.commands.append(dict(LAUNCH))
    route = discord.http.Route("PUT", f"/applications/{wired.bot.application_id}/commands")
    with pytest.raises(discord.HTTPException) as refused:
        await wired.bot.http.request(route, json=[])
    assert (refused.value.status, refused.value.code) == (400, 50240)


async def test_what_discord_adds_to_a_command_or_writes_in_its_own_way_is_no_change(wired: WiredBot) -> None:
    for command in wired.discord.commands:
        command |= {"version": "7", "guild_id": "1", "description_localized": "x", "default_permission": True}
        command["default_member_permissions"] = str(command["default_member_permissions"] or "") or None
        command["name_localized"] = "x"
        for option in command.get("options", ()):
            if option.get("required") is False:
                del option["required"]
            option["name_localizations"] = option.get("name_localizations")
    await register(wired.bot.tree, None)
    assert registrations(wired.discord) == 1


async def test_the_daily_hand_is_offered_for_oneself_where_the_application_can_be_installed_so(
    wired: WiredBot, tmp_path: Path
) -> None:
    def places() -> dict[str, tuple[list[int], list[int]]]:
        return {
            command["name"]: (command["integration_types"], command["contexts"]) for command in wired.discord.commands
        }

    alone = {"analyse", "daily", "ofc", "place", "puzzle"}
    assert {name for name, place in places().items() if place == ([0, 1], [0, 1, 2])} == alone
    assert all(place == ([0], [0]) for name, place in places().items() if name not in alone)
    wired.discord.installs = {"0": {}}
    await restarted(wired, tmp_path)
    assert places().pop("daily") == ([0], [0, 1, 2])
    assert registrations(wired.discord) == 2


@pytest.mark.parametrize("fault", [Fault(status=403, code=50001), Fault(error=TimeoutError())])
async def test_a_bot_that_may_not_register_starts_and_plays_with_the_commands_of_before(
    wired: WiredBot, tmp_path: Path, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    wired.discord.hook = lambda request: fault if about_commands(request) else None
    wired.discord.requests.clear()
    await restarted(wired, tmp_path)
    await wired.open(wired.user(1), wired.user(2))
    assert (await wired.look()).table.hand_no == 1
    assert len([request for request in wired.discord.requests if about_commands(request)]) == 1
    (told,) = [
        m for name, level, m in caplog.record_tuples if name == "bot.chat.application_assets" and level > logging.INFO
    ]
    assert told.startswith("the commands could not be uploaded to Discord, retrying in 30 s: ")


async def test_what_fails_is_tried_again_ever_more_seldom_until_it_is_done() -> None:
    waits: list[float] = []

    async def work() -> None:
        if len(waits) < 6:
            raise TimeoutError

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    await sync("it", work, sleep=sleep)
    assert waits == [30, 120, 480, 1920, 3600, 3600]


async def test_faces_that_are_missing_are_uploaded_and_those_that_are_there_are_not(tmp_path: Path) -> None:
    discord = Standin(now_ms=now_ms, faces=False)
    wired = WiredBot(discord, discord.channel(discord.guild(1), 1), await make_bot(discord, tmp_path))
    await discord.start(wired.bot)
    while not wired.bot.services.faces.ready:  # noqa: ASYNC110  # they are drawn in a thread
        await asyncio.sleep(0.01)
    assert sorted(uploaded(wired)) == sorted(map(emoji_name, FOUR_COLOURS)), "cards are shown by now"
    while len(uploaded(wired)) < len(FACE_NAMES):  # noqa: ASYNC110  # they are drawn in a thread
        await asyncio.sleep(0.01)
    assert sorted(uploaded(wired)) == sorted(map(emoji_name, FACE_NAMES))
    discord.requests.clear()
    await upload_card_emojis(wired.bot, wired.bot.services.faces)
    assert uploaded(wired) == []
    await discord.stop()


def uploaded(wired: WiredBot) -> list[str]:
    """The names of the emojis that were sent."""
    return [r.json["name"] for r in wired.discord.requests if r.method == "POST" and r.path.endswith("/emojis")]


async def test_older_decks_stay_for_old_messages_and_only_the_oldest_go(
    wired: WiredBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.chat.application_assets.REMOVAL_PAUSE_SECONDS", 0)
    marks = [letter for letter in ascii_lowercase if f"_{letter}" != DECK_MARKS[FACES_DIGEST]][: MAX_DECKS + 1]
    older = [(f"ten_spades_{letter}", f"six_red_diamonds_{letter}") for letter in marks]
    foreign = [
        "ten",
        "spades",
        "ten_spades_zz",
        "logo_z",
        "red_ten_spades",
        "c1_logo",
        "c2_As",
        "cards_As",
        "c00000As",
        "comeback",
        "As",
        "logo_000",
        "10_spades",
        "10_spades_0000",
    ]
    for name in [name for deck in older for name in deck] + foreign:
        wired.discord.add_emoji(name)
    await upload_card_emojis(wired.bot, wired.bot.services.faces)
    left = set(wired.discord.emoji_names)
    assert left >= {*foreign, *map(emoji_name, FACE_NAMES)}
    gone = [deck for deck in older if left.isdisjoint(deck)]
    assert gone == older[: len(older) - (MAX_DECKS - 1)]
    assert {name for deck in older if deck not in gone for name in deck} <= left


@pytest.mark.parametrize(
    ("face", "name"),
    [
        ("Th", "ten_hearts"),
        ("Ks", "king_spades"),
        ("Qd2", "queen_red_diamonds"),
        ("2c", "two_clubs"),
        ("X1", "joker_card"),
        ("back", "card_face_down"),
        ("slot", "empty_place"),
    ],
)
def test_a_card_is_called_in_words_which_screen_readers_say(face: str, name: str) -> None:
    assert emoji_name(face) == name + DECK_MARKS[FACES_DIGEST]
    assert re.fullmatch("[a-z_]+", emoji_name(face)), "no number is heard behind a card"


def test_each_deck_has_a_mark_of_its_own() -> None:
    marks = list(DECK_MARKS.values())
    assert len(set(marks)) == len(marks)
    assert all(re.fullmatch("|_[a-z]", mark) for mark in marks)


def test_every_face_has_a_name_of_its_own_that_discord_takes() -> None:
    names = set(map(emoji_name, FACE_NAMES))
    assert len(names) == len(FACE_NAMES)
    assert all(re.fullmatch(r"\w{2,32}", name, re.ASCII) for name in names)
