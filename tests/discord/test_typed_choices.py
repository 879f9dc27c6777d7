"""Input without choosing from the list: a single match is used, and several matches are listed by name."""

from __future__ import annotations

import pytest

from bot.chat.kit.typed_choice import NamedChoice, the_one
from bot.model.reasons import ServerReason
from bot.model.tables import HouseGame
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.text.games import preset_name
from bot.text.words import words_for
from tests.discord.club import Club, Screen
from tests.discord.forms import enter_in_setup

KEYS = [key for key in PRESETS if "_" in key]
COMMANDS = {"ofc play": "game", "ofc practice": "game"}


def shows_no_key(screen: Screen) -> bool:
    assert KEYS, "keys are looked for"
    return not any(key in screen.text for key in KEYS)


@pytest.mark.parametrize("name", ["bob", "hanako"])
@pytest.mark.parametrize("command", COMMANDS)
async def test_a_part_of_a_games_name_is_enough(club: Club, command: str, name: str) -> None:
    words = club.words(name)
    shown = await club.slash(name, command, **{COMMANDS[command]: "2-7"})
    game = preset_name(PRESETS["two_seven"], words)
    tables = await club.play.open_tables(club.key().guild)
    assert game in shown.text or [table.terms.variant.key for table in tables] == ["two_seven"]
    assert shows_no_key(shown)


@pytest.mark.parametrize("name", ["bob", "hanako"])
@pytest.mark.parametrize("command", COMMANDS)
async def test_several_games_that_fit_are_listed_by_name_and_so_are_all_where_none_does(
    club: Club, command: str, name: str
) -> None:
    words = club.words(name)
    for typed, fits in (("double", ["double_classic", "double_pineapple"]), ("holdem", list(PRESETS))):
        shown = await club.slash(name, command, **{COMMANDS[command]: typed})
        games = words.list([preset_name(PRESETS[key], words) for key in fits])
        key = "refused.several_fit" if typed == "double" else "refused.none_fits"
        assert shown.text == words(key, typed=typed, names=games)
        assert shows_no_key(shown)
    assert await club.play.open_tables(club.key().guild) == []


async def test_a_servers_own_game_is_found_by_a_part_of_its_name(club: Club) -> None:
    game = HouseGame(name="Friday Special", variant=house_variant("pineapple", {"jokers": "1"}, name="Friday Special"))
    await club.play.save_game(club.key().guild, game, by=club.player("alice"))
    await club.slash("bob", "ofc play", game="friday")
    (table,) = await club.play.open_tables(club.key().guild)
    assert table.terms.variant.house_name == "Friday Special"


async def test_templates_are_found_by_a_part_of_their_name(club: Club) -> None:
    words = club.words("bob")
    await club.slash("alice", "ofc play", stakes=25)
    for name in ("High stakes", "High noon", "Low"):
        await club.bot.services.matchmaking.save_template(club.key(), name, by=club.player("alice"), replacing=False)
    listed = await club.slash("bob", "ofc play", like="high")
    assert listed.text == words("refused.several_fit", typed="high", names=words.list(["High noon", "High stakes"]))
    await club.slash("bob", "ofc play", like="stakes")
    assert (await club.look(2)).table.terms.point_value == 25


async def test_time_zones_are_found_by_a_part_of_their_name(club: Club) -> None:
    await enter_in_setup(club, "alice", "zone", "berl")
    assert (await club.play.server(club.key().guild)).zone == "Europe/Berlin"
    listed = await enter_in_setup(club, "alice", "zone", "america/ind")
    zones = ["America/Indiana/Indianapolis", "America/Indiana/Knox"]
    assert all(zone in listed.text for zone in zones)
    assert (await club.play.server(club.key().guild)).zone == "Europe/Berlin"


def test_names_are_compared_without_case_width_and_signs() -> None:
    words = words_for("en")
    named = [NamedChoice(name="2-7 Pineapple", value=1), NamedChoice(name="Turbo OFC", value=2, others=("ターボOFC",))]
    for typed in ("2-7", "27", "２－７", "2 7 pine"):
        assert the_one(typed, named, words) == 1
    assert the_one("ターボ", named, words) == 2
    with pytest.raises(Refused) as refused:
        the_one("*", named, words)
    assert refused.value.reason is ServerReason.NONE_FITS


def test_a_whole_name_is_meant_though_it_is_a_part_of_another() -> None:
    named = [NamedChoice(name="Night", value=1), NamedChoice(name="Night of games", value=2)]
    assert the_one("night", named, words_for("en")) == 1
