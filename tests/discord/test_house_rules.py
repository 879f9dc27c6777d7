"""House rules: a server's own games, made, changed and refused by clicking."""

from collections.abc import Mapping
from dataclasses import replace

import discord
import pytest
from simcord import InteractionResult, ResponseMessage

from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, game_tag
from bot.chat.table.screens.house.rules import KEYS, home, parse_rules, several_rules, with_override
from bot.model.ids import GuildId
from bot.model.tables import HouseGame
from bot.pure.ofc.house_rules import house_variant, parse_spec, value_of
from bot.pure.ofc.overrides import OVERRIDES
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.variants import DealMode, VariantError
from bot.text.house_rules import override_name, override_text, value_name
from tests.discord.club import Club
from tests.discord.forge import deliver, forge, forged_form
from tests.discord.house_editor import (
    choose_value,
    new_game,
    open_several,
    pick,
    screen_of,
    text_input,
    type_several,
    write_value,
)
from tests.in_turn import in_turn
from tests.play.test_family import FEW
from tests.pure.ofc.games import HOUSE_VALUES


async def test_a_server_makes_changes_plays_and_deletes_its_own_game(club: Club) -> None:
    made = await new_game(club, "Royal night", "pineapple")
    assert "Royal night" in made.text
    changed = await choose_value(club, "fantasyland.entry", "KK", name="Royal night")
    assert override_text("fantasyland.entry", "KK", club.words()) in changed.text
    royal = await type_several(club, "Royal night", "back royal_flush 50\nfront QQ 9")
    assert override_text("royalty.back.royal_flush", "50", club.words()) in royal.text
    usual = await choose_value(club, "fantasyland.entry", "usual", name="Royal night")
    assert override_text("fantasyland.entry", "KK", club.words()) not in usual.text

    await club.open_table("alice", "bob", game="Royal night")
    assert "Royal night" in club.table_screen().text
    assert (await club.look()).table.terms.variant.royalties.back[Category.ROYAL_FLUSH] == 50
    game = await screen_of(club, "Royal night")
    sure = await club.tap("alice", game, game.find("house_delete"))
    empty = await club.tap("alice", sure, sure.find("house_delete"))
    assert club.words()("house_rules.none") in empty.text
    await club.restart()
    assert await club.play_hand() == 1, "the table goes on with the game that it was opened with"


async def test_house_games_are_made_from_setup_and_played_from_their_page(club: Club) -> None:
    words = club.words("alice")
    setup = await club.slash("alice", "setup")
    listed = await club.tap("alice", setup, setup.find("house"))
    assert listed.id == setup.id
    assert words("house_rules.none") in listed.text
    assert (await club.tap("alice", listed, listed.find("set_up"))).text.startswith(f"### {words('setup.title')}")
    await new_game(club, "Together", "pineapple")
    game = await screen_of(club, "Together")
    offered = await club.tap("alice", game, game.find("open"))
    assert offered.id != game.id, "the game's page stays"
    await club.tap("alice", offered, offered.find("new_open"))
    (table,) = await club.play.open_tables(club.key().guild)
    assert table.terms.variant.house_name == "Together"
    await club.play.remove_game(club.key().guild, "Together")
    assert not (await club.tap("alice", game, game.find("open"))).has("new_open"), "it is gone"


async def test_an_impossible_game_is_explained_and_not_kept(club: Club) -> None:
    await new_game(club, "Crowd", "pineapple")
    crowd = await write_value(club, "seats", "5", "Crowd")
    assert club.words()("house.problem.deck_too_small", seats=5, need=85, have=52) in crowd.text
    odd = await type_several(club, "Crowd", "back nonsense 5")
    assert "back nonsense 5" in odd.text
    assert not (await club.play.games(GuildId(club.guild.id)))[0].variant.house
    refused = await club.slash("alice", "ofc play", game="No such game")
    assert "No such game" in refused.text
    assert await club.play.open_tables(GuildId(club.guild.id)) == []


async def test_royalties_that_are_refused_are_shown_back(club: Club) -> None:
    await new_game(club, "Steep", "joker_pineapple")
    refused = await type_several(club, "Steep", "back royal_flush 60\nback flush 5")
    assert "royal flush (back) pays 60" in refused.text
    assert "back royal_flush 60\nback flush 5" in refused.text
    assert refused.has("house_lines")


async def test_what_single_hands_pay_is_written_in_one_form(club: Club) -> None:
    words = club.words()
    await new_game(club, "Lows", "two_seven")
    lows = await type_several(club, "Lows", "low 9 2\nlow 7-5-4-3-2 = 12")
    assert override_text("royalty.low.9", "2", words) in lows.text
    assert override_text("royalty.low.7-5-4-3-2", "12", words) in lows.text
    await new_game(club, "Dear", "thirteen")
    dear = await type_several(club, "Dear", "row back four_of_a_kind 8\nnatural six_pairs 6")
    assert override_text("row.back.four_of_a_kind", "8", words) in dear.text
    assert override_text("natural.six_pairs", "6", words) in dear.text
    again = await type_several(club, "Dear", "natural six_pairs 5")
    assert override_text("row.back.four_of_a_kind", "8", words) not in again.text, "what is not written is as usual"


@in_turn("name", "alice", "hanako")
async def test_what_hands_pay_is_shown_and_changed_by_menus(club: Club, name: str) -> None:
    words, member = club.words(name), club.members[name]
    role = club.guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
    club.backend.add_member_role(club.guild.id, member.id, role.id)
    await new_game(club, "Menus", "pineapple")
    listed = await club.slash(name, "setup", topic="house rules")
    tag = listed.find("house_open")["options"][0]["value"]
    game = await club.choose(name, listed, listed.find("house_open"), [tag])
    editor = await club.tap(name, game, game.find("house_royalties"))
    assert words("royalty_editor.table.front_pairs") in editor.text
    editor = await club.choose(name, editor, editor.find("house_royalties"), ["back"])
    royal = f"{words('row.back')} {words('category.royal_flush')}"
    assert words("royalty_editor.line", hand=royal, points=words("unit.points", count=25)) in editor.text
    menu = editor.find("house_hand")
    (value,) = [option["value"] for option in menu["options"] if option["label"] == royal]
    for written, points in (("50", 50), ("", 25)):
        message = ResponseMessage(club.world.env, editor.message)
        form = await member.select(message, [value], custom_id=menu["custom_id"])
        assert form.modal is not None
        field = text_input(form.modal)
        answer = await club._answer(await member.submit_modal(form, {field["custom_id"]: written}))  # noqa: SLF001
        assert answer is not None
        assert words("royalty_editor.line", hand=royal, points=words("unit.points", count=points)) in answer.text
        ((kept,),) = [await club.play.games(GuildId(club.guild.id))]
        assert kept.variant.royalties.back[Category.ROYAL_FLUSH] == points


async def test_a_game_shows_only_the_tables_that_it_can_pay_by(club: Club) -> None:
    for preset, tables in {
        "two_seven": {"front_pairs", "front_trips", "lows", "back", "rows"},
        "thirteen": {"front_trips", "middle", "back", "rows", "naturals"},
    }.items():
        await new_game(club, preset, preset)
        game = await screen_of(club, preset)
        editor = await club.tap("alice", game, game.find("house_royalties"))
        offered = {option["value"] for option in editor.find("house_royalties")["options"]}
        assert offered >= tables, preset
        assert ("naturals" in offered) == (preset == "thirteen")
        assert ("lows" in offered) == (preset == "two_seven")


async def test_points_that_can_never_be_paid_are_refused_with_the_reason(club: Club) -> None:
    words = club.words()
    await new_game(club, "Never", "two_seven")
    flush = await type_several(club, "Never", "middle flush 5")
    assert words("house.problem.needs_high_middle") in flush.text
    five = await type_several(club, "Never", "back five_of_a_kind 60")
    assert words("house.problem.never_paid", row="back", hand="five of a kind") in five.text
    assert "back five_of_a_kind 60" in five.text
    assert not (await club.play.games(GuildId(club.guild.id)))[0].variant.house


@pytest.mark.parametrize("preset", list(PRESETS))
async def test_all_rules_of_a_game_fit_the_menu(club: Club, preset: str) -> None:
    made = await new_game(club, "Menu", preset)
    labels = [option["label"] for option in made.find("house_pick")["options"]]
    assert len(labels) <= 25
    in_turn = not PRESETS[preset].at_once
    assert (override_name("deal", club.words()) in labels) is in_turn


async def test_a_game_that_a_server_saved_before_is_played_by_the_rules_of_today(club: Club) -> None:
    old = parse_spec({"preset": "open_thirteen", "name": "Saved"})
    assert old.deal_mode is DealMode.STREET
    await club.play.save_game(GuildId(club.guild.id), HouseGame(name="Saved", variant=old), by=club.player("alice"))
    (game,) = await club.play.games(GuildId(club.guild.id))
    assert game.variant.deal_mode is DealMode.TURN


async def test_house_rules_tell_what_holds_now_and_what_is_usual(club: Club) -> None:
    words = club.words()
    await new_game(club, "Together", "pineapple")
    game = await screen_of(club, "Together")
    rules = {option["label"]: option["description"] for option in game.find("house_pick")["options"]}
    assert rules[override_name("order", words)] == value_name("order", "in_turn", words)
    assert override_name("surrender", words) not in rules
    assert override_name("naturals", words) not in rules
    await choose_value(club, "order", "all_together")
    game, custom_id, number = await pick(club, "Together", "order")
    values = await club.choose("alice", game, {"custom_id": custom_id}, [number])
    assert value_name("order", "all_together", words) in values.text
    assert value_name("order", "in_turn", words) in values.text
    chosen = [option["value"] for option in values.find("house_value")["options"] if option.get("default")]
    assert chosen == ["all_together"]
    listed = await club.slash("alice", "setup", topic="house rules")
    assert words("house_rules.line", name="Together", game="Pineapple OFC", count=1) in listed.text
    assert words("house_rules.play") in listed.text
    await choose_value(club, "order", "in_turn")
    listed = await club.slash("alice", "setup", topic="house rules")
    assert words("house_rules.line_usual", name="Together", game="Pineapple OFC") in listed.text


async def test_only_who_manages_the_server_changes_its_games(club: Club) -> None:
    made = await new_game(club, "Mine", "classic")
    press = made.find("house_royalties")["custom_id"]
    answer = await forge(club, "bob", made, press)
    assert club.words("bob")("gate.needs_manage_server") in answer.said


OTHER_RULES: tuple[Mapping[str, str], ...] = (
    {},
    {"royalties": "steeper_back"},
    {"jokers": "2"},
    {"decks": "2"},
    {"row_point": "2"},
    {"naturals": "on"},
    {"fantasyland.entry": "KK"},
    {"fantasyland.cards": "17"},
)
"""Earlier changes by a server, each of which affects other rules' texts."""


@pytest.mark.parametrize("preset", [pytest.param(k, marks=() if k in FEW else pytest.mark.deep) for k in PRESETS])
def test_a_rule_is_what_was_asked_for_whatever_other_rules_say(preset: str) -> None:
    asked = 0
    for house in OTHER_RULES:
        try:
            game = HouseGame(name="House", variant=house_variant(preset, house, name="House"))
        except VariantError:
            continue
        for key in OVERRIDES:
            for value in {*HOUSE_VALUES[key], value_of(PRESETS[preset], key)} - {""}:
                try:
                    house_variant(preset, {**house, key: value})
                except VariantError:
                    continue
                changed = with_override(game, key, value).variant
                assert value_of(changed, key) == value, (house, key)
                asked += 1
    assert asked > len(OVERRIDES)


def test_a_rule_that_says_what_holds_anyway_is_none() -> None:
    game = HouseGame(name="House", variant=house_variant("pineapple", {"royalties": "steeper_back"}, name="House"))
    royal = "royalty.back.royal_flush"
    assert with_override(game, royal, "50").variant.house == {"royalties": "steeper_back"}
    less = with_override(game, royal, "25")
    assert less.variant.house == {"royalties": "steeper_back", royal: "25"}
    assert with_override(less, royal, "usual").variant.house == {"royalties": "steeper_back"}


async def test_what_holds_without_a_rule_is_told_where_other_rules_change_it(club: Club) -> None:
    words = club.words()
    await new_game(club, "Steep", "pineapple")
    await choose_value(club, "royalties", "steeper_back", name="Steep")
    game = await screen_of(club, "Steep")
    editor = await club.tap("alice", game, game.find("house_royalties"))
    editor = await club.choose("alice", editor, editor.find("house_royalties"), ["back"])
    menu = editor.find("house_hand")
    royal = str(list(OVERRIDES).index("royalty.back.royal_flush"))
    asked = await club.members["alice"].select(
        ResponseMessage(club.world.env, editor.message), [royal], custom_id=menu["custom_id"]
    )
    assert asked.modal is not None
    (label,) = asked.modal["components"]
    assert label["description"] == words("house_rules.ruled_hint", usual=words("unit.points", count=50))


WRONG = ("back royal flush fifty", "front ZZ 9", "back flush -4", "middle flush 99999999999", "🎲", "low 8 3")


async def test_every_wrong_line_of_several_is_named_and_what_was_typed_is_kept(club: Club) -> None:
    await new_game(club, "Many", "pineapple")
    lines = "\n".join(("back straight 3", *WRONG))
    refused = await type_several(club, "Many", lines)
    above = refused.text.split("```")[0]
    assert [line for line in WRONG if line.replace("-", "") in above.replace("\\", "").replace("-", "")] == list(WRONG)
    assert "back straight 3" not in above
    _, field = await open_several(club, refused)
    assert field["value"] == lines, "the form still has it"
    assert not (await club.play.games(GuildId(club.guild.id)))[0].variant.house
    await club.restart()
    shown, field = await open_several(club, refused)
    assert field["value"] == lines, "also after a restart"
    sent = await club.members["alice"].submit_modal(shown, {field["custom_id"]: "back straight 3"})
    answer = await club._answer(sent)  # noqa: SLF001
    assert answer is not None
    assert override_text("royalty.back.straight", "3", club.words()) in answer.text


async def test_lines_that_are_possible_together_are_not_judged_one_by_one(club: Club) -> None:
    await new_game(club, "Together", "joker_pineapple")
    saved = await type_several(club, "Together", "back royal_flush 60\nback five_of_a_kind 120")
    assert override_text("royalty.back.royal_flush", "60", club.words()) in saved.text


async def test_up_to_four_rules_are_changed_in_one_form(club: Club) -> None:
    await new_game(club, "Together", "pineapple")
    words, guild = club.words("alice"), GuildId(club.guild.id)
    keys = ["fantasyland.entry", "row_point", "scoop_bonus", "discards"]
    game = await screen_of(club, "Together")
    menu = game.find("house_pick")
    numbers = [str(list(OVERRIDES).index(key)) for key in keys]
    assert menu["max_values"] == len(keys)

    async def asked() -> InteractionResult:
        message = ResponseMessage(club.world.env, game.message)
        shown = await club.members["alice"].select(message, numbers, custom_id=menu["custom_id"])
        assert shown.modal is not None
        return shown

    entry = {override_name("fantasyland.entry", words)[:45]: ["KK"]}
    numeric = next(one["label"] for one in (await asked()).modal["components"] if one["component"]["type"] == 4)  # type: ignore[index]
    refused = await club.send("alice", await asked(), {**entry, numeric: "a lot"})
    assert not (await club.play.games(guild))[0].variant.house, "all of it or nothing"
    again = await club.ask("alice", refused, refused.find("house_several"))
    assert again.modal is not None
    kept = {one["label"]: one["component"] for one in again.modal["components"]}
    assert kept[numeric]["value"] == "a lot"
    assert [one["value"] for one in kept[next(iter(entry))]["options"] if one.get("default")] == ["KK"]
    await club.send("alice", again, {numeric: "３"})
    (made,) = await club.play.games(guild)
    assert made.variant.house["fantasyland.entry"] == "KK"
    assert len(made.variant.house) == 2, "what nobody has touched is no rule of the house"
    assert "3" in made.variant.house.values()
    await club.send("alice", await asked(), {next(iter(entry)): ["usual"], numeric: ""})
    assert not (await club.play.games(guild))[0].variant.house


async def test_a_managers_form_does_not_undo_what_another_has_changed_meanwhile(club: Club) -> None:
    """A form shows the rules as they were when it was opened, and a menu changes only its own rule."""
    words, guild = club.words("alice"), GuildId(club.guild.id)
    await new_game(club, "Together", "pineapple")

    async def held() -> Mapping[str, str]:
        (game,) = await club.play.games(guild)
        return game.variant.house

    page, menu, number = await pick(club, "Together", "scoop_bonus")
    opened = await club.members["alice"].select(ResponseMessage(club.world.env, page.message), [number], custom_id=menu)
    assert opened.modal is not None
    await write_value(club, "scoop_bonus", "4", "Together")
    refused = await club.send("alice", opened, {opened.modal["components"][0]["label"]: "6"})
    assert words("gate.form_overtaken") in refused.text
    assert await held() == {"scoop_bonus": "4"}
    # A menu that was drawn before keeps what others have changed since.
    page, menu, number = await pick(club, "Together", "fantasyland.entry")
    values = await club.choose("alice", page, {"custom_id": menu}, [number])
    await write_value(club, "scoop_bonus", "5", "Together")
    await club.choose("alice", values, values.find("house_value"), ["KK"])
    assert await held() == {"scoop_bonus": "5", "fantasyland.entry": "KK"}
    game = await screen_of(club, "Together")
    editor = await club.tap("alice", game, game.find("house_royalties"))
    lines = await club.ask("alice", editor, editor.find("house_lines"))
    assert lines.modal is not None
    await type_several(club, "Together", "back straight 9")
    before = await held()
    refused = await club.send("alice", lines, {lines.modal["components"][0]["label"]: "back flush 7"})
    assert words("gate.form_overtaken") in refused.text
    assert await held() == before


async def test_of_two_rules_changed_in_the_same_moment_both_hold(club: Club) -> None:
    await new_game(club, "Together", "pineapple")
    page, _, _ = await pick(club, "Together", "scoop_bonus")
    tag = game_tag("Together")
    places = {key: list(OVERRIDES).index(key) for key in ("scoop_bonus", "row_point")}
    changes = [
        forged_form(club, "alice", page, f"m1:house_number:0:{place}:0:::{tag}", ["2"]) for place in places.values()
    ]
    await deliver(*changes)
    (game,) = await club.play.games(GuildId(club.guild.id))
    assert {*game.variant.house} == {*places}


async def test_of_two_games_of_one_name_made_in_the_same_moment_the_first_stays(club: Club) -> None:
    listed = await club.slash("alice", "setup", topic="house rules")
    made = [
        forged_form(club, "alice", listed, f"m1:house_name:0:0:0:::{preset}", ["Friday"])
        for preset in ("pineapple", "classic")
    ]
    await deliver(*made)
    taken = [club.words("alice")("house_rules.name_taken") in one.said for one in made]
    assert sorted(taken) == [False, True]
    (game,) = await club.play.games(GuildId(club.guild.id))
    assert game.variant.key == ["pineapple", "classic"][taken.index(False)]


def test_a_press_carries_any_four_rules_and_reads_nothing_else() -> None:
    for keys in (KEYS[:4], KEYS[-4:], (KEYS[0], KEYS[-1]), KEYS[9:12]):
        press = several_rules(home(), keys)
        assert BUTTON_TEMPLATE.fullmatch(f"c1:{press}")
        assert parse_rules(press) == [*keys]
    for number in (0, 99, 100, 999_999_999):
        assert parse_rules(replace(home(), hand=number)) == []


async def test_a_name_that_is_taken_and_a_number_that_cannot_be_are_typed_once(club: Club) -> None:
    await new_game(club, "Ours", "pineapple")
    taken = await new_game(club, "Ours", "classic")
    assert club.words("alice")("house_rules.name_taken") in taken.text
    form = await club.ask("alice", taken, taken.find("house_new"))
    assert text_input(form.modal or {})["value"] == "Ours"
    await club.send("alice", form, {club.words("alice")("house_rules.name"): "Theirs"})
    assert [game.variant.key for game in await club.play.games(GuildId(club.guild.id))] == ["pineapple", "classic"]
    crowd = await write_value(club, "seats", "many", "Ours")
    form = await club.ask("alice", crowd, crowd.find("house_pick"))
    assert text_input(form.modal or {})["value"] == "many"
