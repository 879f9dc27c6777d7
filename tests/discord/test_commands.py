"""The commands as Discord registers them."""

import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands
from discord.ext import commands

from bot.base.installation import HOME
from bot.pure.ofc.presets import PRESETS
from bot.pure.solver.levels import Level
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.forge import deliver, forged_command
from tests.discord.test_first_hand import in_japanese
from tests.in_turn import in_turn
from tests.test_docs import SLASH
from tests.translated import translated

USER, MESSAGE = 2, 3
SUBCOMMAND = 1
"""Types of entries in the context menus of users and messages, which have a name but no description."""


def sent(club: Club) -> list[dict[str, Any]]:
    """All that was sent to Discord: commands, and entries in the menus of users and messages."""
    return list(club.backend.commands[None].values())


def registered(club: Club) -> list[dict[str, Any]]:
    """The commands that are typed."""
    return [command for command in sent(club) if command.get("type") not in (USER, MESSAGE)]


def parts(of: list[dict[str, Any]], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every command, subcommand and option with its path."""
    for part in of:
        name = f"{path} {part['name']}".strip()
        yield name, part
        yield from parts(part.get("options") or [], name)


async def test_every_command_is_registered(club: Club) -> None:
    assert set(club.members["alice"].available_commands(club.channel)) == set(SLASH)


async def test_commands_of_managers_and_organisers_are_hidden_from_everybody_else(club: Club) -> None:
    hidden = {one["name"] for one in registered(club) if one["default_member_permissions"] is not None}
    assert hidden == {"manage", "setup"}


async def test_what_is_chosen_from_the_servers_own_things_is_offered(club: Club) -> None:
    """Acts, tables and zones; an option without suggestions would have to be known by heart."""
    options = {name: part for name, part in parts(registered(club)) if name.split()[-1] in ("do", "like", "zone")}
    asked = [name for name, part in options.items() if part["type"] in (3, 4)]
    assert {"event do", "ofc play like"} <= set(asked)
    assert [name for name in asked if not options[name].get("autocomplete")] == []


async def test_every_description_is_short_in_every_language(club: Club) -> None:
    described = dict(parts(registered(club)))
    assert len(described) > 30
    for name, part in described.items():
        english, japanese = part["description"], (part.get("description_localizations") or {}).get("ja", "")
        assert 1 <= len(english) <= 100, name
        assert 1 <= len(japanese) <= 100, name
        assert not in_japanese(english), name


@pytest.mark.prose
async def test_every_description_has_its_japanese(club: Club) -> None:
    described = {name: part["description_localizations"]["ja"] for name, part in parts(registered(club))}
    assert len(described) > 30
    assert [name for name, japanese in described.items() if not in_japanese(japanese)] == []


async def test_every_description_is_of_a_command_or_an_option(club: Club) -> None:
    shown = {part["description"] for _, part in parts(registered(club))}
    shown |= {entry["name"] for entry in sent(club) if entry.get("type") in (USER, MESSAGE)}
    described = {key: entry.other for key, entry in words_for("en").entries.items() if key.startswith("command.")}
    assert {key for key, text in described.items() if text not in shown} == set()


@pytest.mark.parametrize(("kind", "key"), [(MESSAGE, "review_hand"), (USER, "seat_refusal"), (USER, "profile_of")])
async def test_entries_in_menus_are_named_in_both_languages(club: Club, kind: int, key: str) -> None:
    english, japanese = words_for("en")(f"command.{key}"), words_for("ja")(f"command.{key}")
    entries = {command["name"]: command for command in sent(club) if command.get("type") == kind}
    assert entries[english]["name_localizations"]["ja"] == japanese
    assert all(1 <= len(name) <= 32 for name in (english, japanese))


async def test_commands_are_called_the_same_in_every_language_and_options_in_the_readers(club: Club) -> None:
    seen = 0
    for name, part in parts(registered(club)):
        assert part["name"].replace("_", "").isascii(), name
        assert part["name"] == part["name"].lower(), name
        if "options" in part or part.get("type", SUBCOMMAND) == SUBCOMMAND:
            assert not part.get("name_localizations"), name
        else:
            assert part["name_localizations"]["ja"] == words_for("ja")(f"option_name.{part['name']}"), name
            assert not [locale for locale in part["name_localizations"] if locale.startswith("en")], name
            seen += 1
    assert seen


async def test_choices_are_translated_and_their_values_are_not(club: Club) -> None:
    practice = dict(parts(registered(club)))["ofc practice level"]
    assert [choice["value"] for choice in practice["choices"]] == [level.value for level in Level]
    for choice in practice["choices"]:
        assert choice["name_localizations"]["ja"] == words_for("ja")(f"lobby.level.{choice['value']}")
    for name, part in parts(registered(club)):
        for choice in part.get("choices") or []:
            assert 1 <= len(choice["name"]) <= 100, name


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_games_are_suggested_in_the_readers_language(club: Club, name: str) -> None:
    choices = await club.members[name].autocomplete(club.channel, "ofc play", "game", "")
    words = club.words(name)
    assert [choice["value"] for choice in choices] == list(PRESETS)
    assert choices[0]["name"] == words("variant.pineapple.name")
    found = await club.members[name].autocomplete(club.channel, "ofc play", "game", words("variant.turbo.name"))
    assert [choice["value"] for choice in found][:1] == ["turbo"]


async def test_what_is_one_s_own_is_for_other_places_than_servers(club: Club) -> None:
    places = {command["name"]: (command["integration_types"], command["contexts"]) for command in sent(club)}
    for name in ("analyse", "daily", "ofc", "place", "puzzle"):
        assert places.pop(name) == ([0, 1], [0, 1, 2])
    assert set(map(str, places.values())) == {"([0], [0])"}


async def test_the_bot_asks_for_nothing_but_the_servers_it_is_in(club: Club) -> None:
    assert dict(club.bot.intents) == {**dict.fromkeys(dict(club.bot.intents), False), "guilds": True}


async def test_impossible_offers_are_refused_in_words(club: Club) -> None:
    words = club.words("hanako")
    answer = await club.slash("hanako", "ofc play", stakes=1000)
    said = words("refused.not_enough_chips", need=100_000, have=10_000)
    assert answer.text.replace(",", "") == said.replace(",", "")
    answer = await club.slash("hanako", "ofc practice", computers=3)
    assert answer.text == words("refused.too_many_seats", least=2, most=3)
    for _ in range(5):
        await club.slash("hanako", "ofc play")
    answer = await club.slash("hanako", "ofc play")
    assert answer.text == words("refused.too_many_tables", most=5, slow=25)
    assert len(await club.play.open_tables(club.key().guild)) == 5


def weight(part: dict[str, Any]) -> int:
    """The characters that Discord counts of a command: of each text only its longest translation."""
    own = sum(
        max(map(len, [part[field], *(part.get(f"{field}_localizations") or {}).values()]))
        for field in ("name", "description")
        if field in part
    )
    value = len(str(part["value"])) if "value" in part else 0
    return own + value + sum(weight(inner) for inner in [*part.get("options", ()), *part.get("choices", ())])


async def test_no_command_is_too_long_or_too_wide_for_discord(club: Club) -> None:
    for command in registered(club):
        assert weight(command) <= 8000, command["name"]
        assert len(command.get("options", ())) <= 25
    assert max(map(weight, registered(club))) > 1000, "nothing was weighed"


HIDDEN = {"manage", "setup"}


@in_turn("name", "bob", "hanako")
async def test_what_only_few_may_use_is_shown_to_nobody_else(club: Club, name: str) -> None:
    offered = set(club.members[name].available_commands(club.channel))
    assert offered == {known for known in SLASH if known not in HIDDEN}


async def test_who_manages_events_is_shown_no_other_commands_than_a_player(club: Club) -> None:
    role = club.guild.create_role("hosts", permissions=discord.Permissions(manage_events=True))
    club.backend.add_member_role(club.guild.id, club.members["bob"].id, role.id)
    offered = set(club.members["bob"].available_commands(club.channel))
    assert offered == set(club.members["hanako"].available_commands(club.channel))


@pytest.mark.parametrize(
    ("page", "managers"), translated(("servers.md", "*Manage Server*"), ("servers.ja.md", "「サーバー管理」"))
)
async def test_the_table_of_who_can_do_what_names_the_commands_that_ask_for_manage_server(
    club: Club, page: str, managers: str
) -> None:
    asking = {known for known in SLASH if asks_for_manage_server(club, known)}
    assert asking
    text = (HOME / "docs" / page).read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| `/setup`[^|]+\|([^|]+)\|", text, re.MULTILINE)
    assert managers in row
    (named,) = re.findall(r"^\| (`/setup`[^|]+) \|", text, re.MULTILINE)
    spans = re.findall(r"`/([a-z -]+)`", named)
    assert {known for known in SLASH for span in spans if known == span or known.startswith(f"{span} ")} == asking


def asks_for_manage_server(club: Club, known: str) -> bool:
    """True for a command that only managers of the server may use, according to the code."""
    first, *rest = known.split(" ")
    command = club.bot.tree.get_command(first)
    for name in rest:
        assert isinstance(command, app_commands.Group)
        command = command.get_command(name)
    assert isinstance(command, app_commands.Command)
    cog = command.binding
    of_cog = isinstance(cog, commands.Cog) and "interaction_check" in type(cog).__dict__
    return of_cog or any("has_permissions" in check.__qualname__ for check in command.checks)


async def test_commands_that_moved_are_answered_where_discord_still_shows_them(club: Club) -> None:
    for group, name in (("event", "start"), ("ofc", "close")):
        old = forged_command(club, "bob", f"{group} {name}", guild=True)
        await deliver(old)
        assert old.said == club.words("bob")("gate.old_command")
    assert {type(error) for error in club.world.env.errors} == {app_commands.CommandNotFound}


DESCRIBED = {0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15}
"""The types of channels that Discord's own description of its API knows; a registration with another one is refused."""
