"""Every game of the family, played to the end by clicking."""

import hashlib
import re
from collections.abc import Callable
from typing import Any

import discord
import pytest
from simcord import ResponseMessage

from bot.ofc.cards import Card
from bot.ofc.deck import Dealt, Entropy, deal_deck
from bot.ofc.deck_tree import seed_of
from bot.ofc.hand import Lay, decide, evolve, start
from bot.ofc.house_rules import house_variant, variant_of
from bot.ofc.naturals import natural_of
from bot.ofc.overrides import OVERRIDES
from bot.ofc.placement import automatic_placement
from bot.ofc.presets import PINEAPPLE, PRESETS
from bot.ofc.ranks import Category
from bot.ofc.scoring import HandScore
from bot.ofc.settlement import WinCap
from bot.ofc.variants import DealMode, Variant
from bot.play.model import GuildId, HouseGame
from bot.playground.simulated_server import GUILD_ID
from bot.text.house_rules import override_name, override_text, value_name
from bot.text.names import natural_name, preset_name
from tests.discord.club import Club, Screen
from tests.discord.forge import forge
from tests.ofc.games import replay

FRIENDS = ("alice", "bob", "hanako", "dai", "emi", "fumi", "goro", "haru")


async def _seat(club: Club, count: int) -> tuple[str, ...]:
    for name in FRIENDS[3:count]:
        club.newcomer(name)
    return FRIENDS[:count]


@pytest.mark.parametrize("key", list(PRESETS))
async def test_a_hand_of_every_game_is_played_by_clicking(club: Club, key: str) -> None:
    variant = PRESETS[key]
    names = await _seat(club, variant.min_seats)
    await club.open_table(*names, variant=key)
    assert preset_name(variant, club.words()) in club.table_screen().text
    assert await club.play_hand() == 1
    assert club.words()("result.title", hand=1) in club.said()


@pytest.mark.parametrize("key", list(PRESETS))
async def test_a_hand_of_every_game_is_played_by_typing(club: Club, key: str) -> None:
    names = await _seat(club, PRESETS[key].min_seats)
    await club.open_table(*names, variant=key)
    assert await club.type_hand() == 1
    assert club.words()("result.title", hand=1) in club.said()


async def test_eight_people_play_with_two_decks_within_discords_limits(club: Club) -> None:
    names = await _seat(club, 8)
    await club.open_table(*names, variant="double_classic")
    assert await club.play_hand() == 1
    assert len(await _laid(club)) == 8 * 13
    for name in names:
        assert club.shown(name) in club.said()
    words = club.words()
    title = words("result.title", hand=1)
    pages = [screen.text for screen in club.public() if title in screen.text]
    assert len(pages) > 1
    assert [page.splitlines()[0] for page in pages] == [
        f"### {words('result.page', title=title, page=number, pages=len(pages))}" for number in range(1, len(pages) + 1)
    ]
    against = re.compile(r"^\*\*.+?\*\*: .* = ", re.MULTILINE)
    with_pairs = [bool(against.search(page)) for page in pages]
    assert with_pairs == sorted(with_pairs), "boards and totals first"
    assert sum(len(against.findall(page)) for page in pages) == 28


async def test_eight_people_who_lay_together_fit_the_table(club: Club) -> None:
    names = await _seat(club, 8)
    name = "A very long name for a game of a house *!"[:40]
    await _new_game(club, name, "double_classic")
    await _choose_value(club, "order", "all_together", name=name)
    await club.open_table(*names, variant=name)
    assert await club.type_hand() == 1


async def _laid(club: Club) -> list[Card]:
    """Every card on the boards of a finished hand."""
    view = await club.look()
    assert view.hand is not None
    return [card for seat in view.hand.seats for row in seat.rows for card in row if card is not None]


async def test_simultaneous_streets_are_not_seen_until_everybody_has_laid(club: Club) -> None:
    await _new_game(club, "Together", "pineapple")
    await _choose_value(club, "order", "all_together")
    await club.open_table("alice", "bob", variant="Together")
    await club.play_turn("bob")
    seen = await club.look(1, "alice")
    assert seen.hand is not None
    bob = next(seat for seat in seen.hand.seats if seat.player == club.player("bob"))
    assert bob.rows == ((), (), ()), "not even the rows are told"
    assert club.words()("table.has_laid") in club.table_screen().text
    await club.play_turn("alice")
    seen = await club.look(1, "alice")
    assert seen.hand is not None
    assert seen.hand.street == 2
    bob = next(seat for seat in seen.hand.seats if seat.player == club.player("bob"))
    assert None not in [card for row in bob.rows for card in row]
    await club.play_hand()


# house rules


async def _form(club: Club, name: str, screen: Screen, custom_id: str, values: list[str], written: str) -> Screen:
    """Choose in a menu that answers with a form, and send the form."""
    message = ResponseMessage(club.world.env, screen.message)
    member = club.members[name]
    shown = await member.select(message, values, custom_id=custom_id)
    assert shown.modal is not None
    field = _text_input(shown.modal)
    answer = await club._answer(await member.submit_modal(shown, {field["custom_id"]: written}))  # noqa: SLF001
    assert answer is not None
    return answer


def _text_input(form: dict[str, Any]) -> dict[str, Any]:
    """The one field of a form."""
    (label,) = form["components"]
    field: dict[str, Any] = label["component"]
    return field


async def _new_game(club: Club, name: str, preset: str) -> Screen:
    rules = await club.slash("alice", "house-rules")
    return await _form(club, "alice", rules, rules.find("house_new")["custom_id"], [preset], name)


async def _screen_of(club: Club, name: str) -> Screen:
    rules = await club.slash("alice", "house-rules")
    menu = rules.find("house_open")
    value = next(option["value"] for option in menu["options"] if option["label"] == name)
    return await club.choose("alice", rules, menu, [value])


async def _pick(club: Club, name: str, key: str) -> tuple[Screen, str, str]:
    game = await _screen_of(club, name)
    menu = game.find("house_pick")
    return game, menu["custom_id"], str(list(OVERRIDES).index(key))


async def _choose_value(club: Club, key: str, value: str, name: str = "Together") -> Screen:
    game, custom_id, number = await _pick(club, name, key)
    values = await club.choose("alice", game, {"custom_id": custom_id}, [number])
    return await club.choose("alice", values, values.find("house_value"), [value])


async def _write_value(club: Club, key: str, value: str, name: str) -> Screen:
    game, custom_id, number = await _pick(club, name, key)
    return await _form(club, "alice", game, custom_id, [number], value)


async def test_a_server_makes_changes_plays_and_deletes_its_own_game(club: Club) -> None:
    made = await _new_game(club, "Royal night", "pineapple")
    assert "Royal night" in made.text
    changed = await _choose_value(club, "fantasyland.entry", "KK", name="Royal night")
    assert override_text("fantasyland.entry", "KK", club.words()) in changed.text
    royal = await _royalties(club, "Royal night", "back royal_flush 50\nfront QQ 9")
    assert override_text("royalty.back.royal_flush", "50", club.words()) in royal.text
    usual = await _choose_value(club, "fantasyland.entry", "usual", name="Royal night")
    assert override_text("fantasyland.entry", "KK", club.words()) not in usual.text

    await club.open_table("alice", "bob", variant="Royal night")
    assert "Royal night" in club.table_screen().text
    assert (await club.look()).table.variant.royalties.back[Category.ROYAL_FLUSH] == 50
    game = await _screen_of(club, "Royal night")
    sure = await club.tap("alice", game, game.find("house_delete"))
    empty = await club.tap("alice", sure, sure.find("house_delete"))
    assert club.words()("house_rules.none") in empty.text
    await club.restart()
    assert await club.play_hand() == 1, "the table goes on with the game that it was opened with"


async def _royalties(club: Club, name: str, lines: str) -> Screen:
    game = await _screen_of(club, name)
    editor = await club.tap("alice", game, game.find("house_royalties"))
    member, message = club.members["alice"], ResponseMessage(club.world.env, editor.message)
    shown = await member.click(message, custom_id=editor.find("house_lines")["custom_id"])
    assert shown.modal is not None
    field = _text_input(shown.modal)
    answer = await club._answer(await member.submit_modal(shown, {field["custom_id"]: lines}))  # noqa: SLF001
    assert answer is not None
    return answer


async def test_an_impossible_game_is_explained_and_not_kept(club: Club) -> None:
    await _new_game(club, "Crowd", "pineapple")
    crowd = await _write_value(club, "seats", "5", "Crowd")
    assert club.words()("house.problem.deck_too_small", seats=5, need=85, have=52) in crowd.text
    odd = await _royalties(club, "Crowd", "back nonsense 5")
    assert "back nonsense 5" in odd.text
    assert not (await club.play.games(GuildId(club.guild.id)))[0].variant.house
    refused = await club.slash("alice", "ofc play", variant="No such game")
    assert "No such game" in refused.text
    assert await club.play.open_tables(GuildId(club.guild.id)) == []


async def test_royalties_that_are_refused_are_shown_back(club: Club) -> None:
    await _new_game(club, "Steep", "joker_pineapple")
    refused = await _royalties(club, "Steep", "back royal_flush 60\nback flush 5")
    assert "royal flush (back) pays 60" in refused.text
    assert "back royal_flush 60\nback flush 5" in refused.text
    assert refused.has("house_lines")


async def test_what_single_hands_pay_is_written_in_one_form(club: Club) -> None:
    words = club.words()
    await _new_game(club, "Lows", "two_seven")
    lows = await _royalties(club, "Lows", "low 9 2\nlow 7-5-4-3-2 = 12")
    assert override_text("royalty.low.9", "2", words) in lows.text
    assert override_text("royalty.low.7-5-4-3-2", "12", words) in lows.text
    await _new_game(club, "Dear", "thirteen")
    dear = await _royalties(club, "Dear", "row back four_of_a_kind 8\nnatural six_pairs 6")
    assert override_text("row.back.four_of_a_kind", "8", words) in dear.text
    assert override_text("natural.six_pairs", "6", words) in dear.text
    again = await _royalties(club, "Dear", "natural six_pairs 5")
    assert override_text("row.back.four_of_a_kind", "8", words) not in again.text, "what is not written is as usual"


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_what_hands_pay_is_shown_and_changed_by_menus(club: Club, name: str) -> None:
    words, member = club.words(name), club.members[name]
    role = club.guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
    club.backend.add_member_role(club.guild.id, member.id, role.id)
    await _new_game(club, "Menus", "pineapple")
    listed = await club.slash(name, "house-rules")
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
        field = _text_input(form.modal)
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
        await _new_game(club, preset, preset)
        game = await _screen_of(club, preset)
        editor = await club.tap("alice", game, game.find("house_royalties"))
        offered = {option["value"] for option in editor.find("house_royalties")["options"]}
        assert offered >= tables, preset
        assert ("naturals" in offered) == (preset == "thirteen")
        assert ("lows" in offered) == (preset == "two_seven")


async def test_points_that_can_never_be_paid_are_refused_with_the_reason(club: Club) -> None:
    words = club.words()
    await _new_game(club, "Never", "two_seven")
    flush = await _royalties(club, "Never", "middle flush 5")
    assert words("house.problem.needs_high_middle") in flush.text
    five = await _royalties(club, "Never", "back five_of_a_kind 60")
    assert words("house.problem.never_paid", row="back", hand="five of a kind") in five.text
    assert "back five_of_a_kind 60" in five.text
    assert not (await club.play.games(GuildId(club.guild.id)))[0].variant.house


@pytest.mark.parametrize("preset", list(PRESETS))
async def test_all_rules_of_a_game_fit_the_menu(club: Club, preset: str) -> None:
    made = await _new_game(club, "Menu", preset)
    labels = [option["label"] for option in made.find("house_pick")["options"]]
    assert len(labels) <= 25
    in_turn = not PRESETS[preset].at_once
    assert (override_name("deal", club.words()) in labels) is in_turn


async def test_a_game_that_a_server_saved_before_is_played_by_the_rules_of_today(club: Club) -> None:
    old = variant_of({"preset": "open_thirteen", "name": "Saved"})
    assert old.deal_mode is DealMode.STREET
    await club.play.save_game(GuildId(club.guild.id), HouseGame(name="Saved", variant=old), by=club.player("alice"))
    (game,) = await club.play.games(GuildId(club.guild.id))
    assert game.variant.deal_mode is DealMode.TURN


async def test_house_rules_tell_what_holds_now_and_what_is_usual(club: Club) -> None:
    words = club.words()
    await _new_game(club, "Together", "pineapple")
    game = await _screen_of(club, "Together")
    rules = {option["label"]: option["description"] for option in game.find("house_pick")["options"]}
    assert rules[override_name("order", words)] == value_name("order", "in_turn", words)
    assert override_name("surrender", words) not in rules
    assert override_name("naturals", words) not in rules
    await _choose_value(club, "order", "all_together")
    game, custom_id, number = await _pick(club, "Together", "order")
    values = await club.choose("alice", game, {"custom_id": custom_id}, [number])
    assert value_name("order", "all_together", words) in values.text
    assert value_name("order", "in_turn", words) in values.text
    chosen = [option["value"] for option in values.find("house_value")["options"] if option.get("default")]
    assert chosen == ["all_together"]
    listed = await club.slash("alice", "house-rules")
    assert words("house_rules.line", name="Together", game="Pineapple OFC", count=1) in listed.text
    assert words("house_rules.play") in listed.text
    await _choose_value(club, "order", "in_turn")
    listed = await club.slash("alice", "house-rules")
    assert words("house_rules.line_usual", name="Together", game="Pineapple OFC") in listed.text


async def test_only_who_manages_the_server_changes_its_games(club: Club) -> None:
    made = await _new_game(club, "Mine", "classic")
    press = made.find("house_royalties")["custom_id"]
    answer = await forge(club, "bob", made, press)
    assert club.words("bob")("gate.needs_manage_server") in answer.said


async def test_seventeen_cards_of_fantasyland_fit_the_panel(club: Club) -> None:
    flies = house_variant("pineapple", {"fantasyland.entry": "22", "fantasyland.cards": "17"})
    await _new_game(club, "Everybody flies", "pineapple")
    await _choose_value(club, "fantasyland.entry", "22", name="Everybody flies")
    await _write_value(club, "fantasyland.cards", "17", "Everybody flies")
    club.seeds.append(seed_for(lambda seed: front_pair_and_legal(club, seed, flies)))
    await deal_known(club, ("alice", "bob"), variant="Everybody flies")
    await club.play_hand()
    await club.pass_time(13)
    panel = await club.open_panel("alice")
    assert club.words()("panel.in_fantasyland", cards=17, discard=4) in panel.text
    menus = [c for c in panel.controls() if c["type"] == 3]
    assert [len(menu["options"]) for menu in menus] == [17, 17, 17]
    assert [menu["custom_id"].split(":")[1] for menu in menus] == ["set_f", "set_m", "set_b"], "as on the board"
    assert {option["description"] for menu in menus for option in menu["options"]} == {"Not placed"}
    assert [menu["placeholder"].split(":")[0] for menu in menus] == ["Front", "Middle", "Back"]
    assert club.words()("panel.any_time") in panel.text
    assert club.words()("table.may_set") in club.table_screen().text
    assert await club.play_hand() == 2


# thirteen cards


async def _deal_a_natural(club: Club) -> None:
    """Four people at a table of 十三張, where Alice holds a natural."""
    names = await _seat(club, 4)
    variant = PRESETS["thirteen"]
    # The button is Alice's, so that she is dealt last of the four.
    club.seeds.append(seed_for(lambda seed: natural_of(_deck(club, seed, variant, names)[39:52]) is not None))
    await deal_known(club, names, variant="thirteen")


async def test_a_natural_is_declared_and_pays(club: Club) -> None:
    await _deal_a_natural(club)
    panel = await club.open_panel("alice")
    verbs = [control["custom_id"].split(":")[1] for control in panel.controls()]
    assert verbs.index("declare") < verbs.index("set_f"), "before anybody begins to arrange"
    await club.tap("alice", panel, panel.find("declare"))
    assert club.words()("table.has_set") in club.table_screen().text
    bob = (await club.look(1, "bob")).hand
    assert bob is not None
    assert all(seat.natural is None for seat in bob.seats), "nobody knows before the showdown"
    await club.play_hand()
    alice, score = await _alice_scored(club)
    natural = score.boards[alice].natural
    assert natural is not None
    assert club.words()("result.natural", natural=natural_name(natural, club.words())) in club.said()
    points = PRESETS["thirteen"].naturals[natural]
    assert score.points[alice] == 3 * points
    assert "natural " in club.said()
    (result,) = [screen for screen in club.public() if club.words()("result.title", hand=1) in screen.text]
    declared = result.text.split(club.words()("result.natural", natural=natural_name(natural, club.words())))[1]
    assert len(re.findall(r"<:[^>]+>", declared.splitlines()[1])) == 13, "thirteen cards without rows"


async def test_a_natural_is_declared_by_typing(club: Club) -> None:
    await _deal_a_natural(club)
    await club.slash("alice", "place", cards="BBBBBMMMMMFFF!")
    await club.type_hand()
    alice, score = await _alice_scored(club)
    assert score.boards[alice].natural is not None


async def test_only_a_natural_can_be_declared(club: Club) -> None:
    await club.open_table("alice", "bob", variant="classic")
    name = await club.on_turn()
    refused = await club.slash(name, "place", cards="BBBBB!")
    assert refused.text == club.words(name)("refused.no_natural")
    assert await club.on_turn() == name


async def test_a_natural_that_is_not_declared_counts_for_nothing(club: Club) -> None:
    await _deal_a_natural(club)
    await club.play_hand()
    _, score = await _alice_scored(club)
    assert all(board.natural is None for board in score.boards)


async def _alice_scored(club: Club) -> tuple[int, HandScore]:
    view = await club.look()
    assert view.hand is not None
    assert view.hand.score is not None
    seats = [seat.player for seat in view.hand.seats]
    return seats.index(club.player("alice")), view.hand.score


async def test_surrender_is_asked_twice_and_pays_its_price(club: Club) -> None:
    await _new_game(club, "Careful", "chinese")
    await _write_value(club, "surrender", "2", "Careful")
    await club.open_table("alice", "bob", variant="Careful")
    panel = await club.open_panel("bob")
    sure = await club.tap("bob", panel, panel.find("surrender"))
    assert (await club.look()).waiting
    await club.tap("bob", sure, sure.find("give_up"))
    await club.play_hand()
    assert club.words()("result.surrendered") in club.said()
    assert club.words()("result.surrender_pays", points="") in club.said()
    view = await club.look()
    assert view.hand is not None
    assert view.hand.score is not None
    assert sorted(view.hand.score.points) == [-2, 2]


# stakes


async def test_the_point_value_rises_by_its_levels(club: Club) -> None:
    await club.open_table("alice", "bob", levels="50,100", level_hands=1, buy_in=5000)
    assert (await club.look()).table.point_value == 50
    await club.play_hand()
    await club.pass_time(13)
    view = await club.look()
    entered = any(place.seat.fantasyland for place in view.places)
    assert view.table.point_value == (50 if entered else 100)
    bad = await club.slash("hanako", "ofc play", levels="50,abc")
    assert bad.text == club.words("hanako")("refused.bad_levels")


async def test_unusual_limits_stand_in_the_lobby(club: Club) -> None:
    await club.slash("alice", "ofc play", win_cap="opponent", bust_is_final=True)
    limits = (await club.look()).table.limits
    assert (limits.win_cap, limits.bust_is_final) == (WinCap.PER_OPPONENT, True)
    lobby, words = club.table_screen().text, club.words()
    assert words("lobby.most_won", cap=words("lobby.win_cap.opponent")) in lobby
    assert words("lobby.bust_is_final") in lobby


async def test_discards_lie_open_where_that_was_agreed(club: Club) -> None:
    await club.open_table("alice", "bob", discards="open")
    await club.play_turn(await club.on_turn())
    await club.play_turn(await club.on_turn())
    await club.play_turn(await club.on_turn())
    seen = (await club.look(1, "hanako")).hand
    assert seen is not None
    assert any(card is not None for seat in seen.seats for card in seat.discards)
    told = club.words()("table.open_discards", cards="").strip()
    assert told in club.table_screen().text
    assert "open discards" in club.table_screen().text, "the title says which rule was changed"
    words = club.words()
    panel = await club.open_panel("bob")
    assert words("panel.discards_open", cards="").strip() in panel.text
    assert words("panel.discards", cards="").strip() not in panel.text
    name = await club.on_turn()
    assert words("panel.discards_rest_open", count=1) in (await club.open_panel(name)).text
    await club.play_hand()
    (result,) = [screen for screen in club.public() if words("result.title", hand=1) in screen.text]
    assert result.text.count(told) == 2


async def test_ones_own_discards_stay_in_sight(club: Club) -> None:
    await club.open_table("alice", "bob")
    for _ in range(4):
        await club.play_turn(await club.on_turn())
    name = await club.on_turn()
    panel = await club.open_panel(name)
    assert club.words(name)("panel.discards", cards="").strip() in panel.text


# decks that are known beforehand: everybody gives a text of his own, and the seed is chosen


async def deal_known(club: Club, names: tuple[str, ...], **options: str) -> None:
    host, *guests = names
    await club.slash(host, "ofc play", **options)
    for guest in guests:
        await club.press(guest, club.table_screen(), club.table_screen().find("join"))
    for name in names:
        await club.slash(name, "seed", text=f"text of {name}")
    await club.press(host, club.table_screen(), club.table_screen().find("start"))


def seed_for(wanted: Callable[[bytes], bool]) -> bytes:
    return next(seed for n in range(100_000) if wanted(seed := hashlib.sha256(f"family {n}".encode()).digest()))


def _deck(club: Club, seed: bytes, variant: Variant, names: tuple[str, ...]) -> tuple[Card, ...]:
    entropy = [Entropy(club.player(name), f"text of {name}") for name in names]
    name = f"{GUILD_ID}/1/1"
    dealt = Dealt(button=0, fantasyland=(0,) * len(names))
    return deal_deck(variant, hand_id=name, seed=seed_of(seed, name), entropy=entropy, dealt=dealt)


async def test_two_fouls_are_told_as_such(club: Club) -> None:
    club.seeds.append(seed_for(lambda seed: all(board.foul for board in on_the_clock(club, seed).boards)))
    await deal_known(club, ("alice", "bob"))
    while (await club.look()).waiting:
        await club.type_turn(await club.on_turn())
    words = club.words()
    assert f": {words('result.both_fouled')} = **±0**" in club.said()
    assert (
        words(
            "result.points_and_chips", player="", points="±0", chips=words("result.chips", chips="±0", count=0), count=0
        )
        in club.said()
    )


def front_pair_and_legal(club: Club, seed: bytes, variant: Variant) -> bool:
    alice = on_the_clock(club, seed, variant).boards[0]
    return not alice.foul and alice.rows is not None and alice.rows[0].category is Category.PAIR


def on_the_clock(club: Club, seed: bytes, variant: Variant = PINEAPPLE) -> HandScore:
    """The score of a hand that is laid without thought."""
    deck = _deck(club, seed, variant, ("alice", "bob"))
    opening = start(variant, deck, players=["a", "b"], fantasyland=[0, 0], button=0)
    hand = replay(variant, deck, opening)
    while hand.waiting:
        seat = hand.seats[hand.waiting[0]]
        rows = automatic_placement(seat.rows, seat.held, lay=hand.rule.lay)
        for event in decide(hand, Lay(seat=hand.waiting[0], rows=rows)):
            hand = evolve(hand, event)
    return hand.score
