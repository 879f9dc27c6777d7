"""The pages of /house-rules, used by a manager of the server."""

from __future__ import annotations

from typing import Any

from simcord import ResponseMessage

from bot.pure.ofc.overrides import OVERRIDES
from tests.discord.club import Club, Screen


async def choose_and_write(
    club: Club, name: str, screen: Screen, custom_id: str, values: list[str], written: str
) -> Screen:
    """Choose in a menu that answers with a form, and send the form."""
    message = ResponseMessage(club.world.env, screen.message)
    member = club.members[name]
    shown = await member.select(message, values, custom_id=custom_id)
    assert shown.modal is not None
    field = text_input(shown.modal)
    answer = await club._answer(await member.submit_modal(shown, {field["custom_id"]: written}))  # noqa: SLF001
    assert answer is not None
    return answer


def text_input(form: dict[str, Any]) -> dict[str, Any]:
    """The one field of a form."""
    (label,) = form["components"]
    field: dict[str, Any] = label["component"]
    return field


async def new_game(club: Club, name: str, preset: str) -> Screen:
    rules = await club.slash("alice", "setup", topic="house rules")
    return await choose_and_write(club, "alice", rules, rules.find("house_new")["custom_id"], [preset], name)


async def screen_of(club: Club, name: str) -> Screen:
    rules = await club.slash("alice", "setup", topic="house rules")
    menu = rules.find("house_open")
    value = next(option["value"] for option in menu["options"] if option["label"] == name)
    return await club.choose("alice", rules, menu, [value])


async def pick(club: Club, name: str, key: str) -> tuple[Screen, str, str]:
    game = await screen_of(club, name)
    menu = game.find("house_pick")
    return game, menu["custom_id"], str(list(OVERRIDES).index(key))


async def choose_value(club: Club, key: str, value: str, name: str = "Together") -> Screen:
    game, custom_id, number = await pick(club, name, key)
    values = await club.choose("alice", game, {"custom_id": custom_id}, [number])
    return await club.choose("alice", values, values.find("house_value"), [value])


async def write_value(club: Club, key: str, value: str, name: str) -> Screen:
    game, custom_id, number = await pick(club, name, key)
    return await choose_and_write(club, "alice", game, custom_id, [number], value)


async def type_several(club: Club, name: str, lines: str) -> Screen:
    game = await screen_of(club, name)
    editor = await club.tap("alice", game, game.find("house_royalties"))
    shown, field = await open_several(club, editor)
    sent = await club.members["alice"].submit_modal(shown, {field["custom_id"]: lines})
    answer = await club._answer(sent)  # noqa: SLF001
    assert answer is not None
    return answer


async def open_several(club: Club, screen: Screen) -> tuple[Any, dict[str, Any]]:
    """Press *Type several*; returns the form and its one field."""
    message = ResponseMessage(club.world.env, screen.message)
    shown = await club.members["alice"].click(message, custom_id=screen.find("house_lines")["custom_id"])
    assert shown.modal is not None
    return shown, text_input(shown.modal)
