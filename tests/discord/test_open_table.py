"""*Open a table*: the screen on which game, stakes, clock and computers are chosen, and what *Open* makes of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.chat.kit.custom_ids import OWN, game_tag
from bot.chat.kit.widgets import BUTTONS_A_ROW
from bot.chat.table.screens.new_table import CLOCKS, COMPANIES
from bot.model.choices import Server
from bot.model.clock import Clock, Pace
from bot.model.ids import COMPUTERS, GuildId
from bot.model.reasons import TableReason
from bot.model.tables import HouseGame, Table, TableState
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.levels import Level
from bot.text.refusals import refusal
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forged_form, forged_press
from tests.in_turn import in_turn

TWO_MASTERS = str(1 + COMPANIES.index((Level.MASTER, 2)))
THREE_CASUAL = str(1 + COMPANIES.index((Level.CASUAL, 3)))
RELAXED = Clock(pace=Pace.RELAXED, seconds=600)


def guild_of(club: Club) -> GuildId:
    """The club's server as play knows it."""
    return GuildId(club.guild.id)


async def form_of(club: Club, name: str) -> Screen:
    """The screen, from *Play* in the menu, and from the list of tables where some are open."""
    hub = await club.slash(name, "ofc help")
    shown = await club.tap(name, hub, hub.find("play"))
    return shown if shown.has("new_open") else await club.tap(name, shown, shown.find("open"))


async def choose(club: Club, name: str, form: Screen, **values: str) -> Screen:
    """Choose in its menus, one after another."""
    for menu, value in values.items():
        form = await club.choose(name, form, form.find(f"new_{menu}"), [value])
    return form


def shown(form: Screen) -> dict[str, str]:
    """What each menu shows as chosen, by its verb; a menu without a tick is not there."""
    menus = {press.split(":")[1]: control for control in form.controls() if (press := control["custom_id"])[:2] == "s1"}
    ticks = {verb: [option["value"] for option in menu["options"] if option["default"]] for verb, menu in menus.items()}
    assert all(len(values) <= 1 for values in ticks.values())
    return {verb: values[0] for verb, values in ticks.items() if values}


async def opened(club: Club, name: str, form: Screen) -> Table:
    """The table that *Open* makes."""
    before = {table.key.table for table in await club.play.open_tables(guild_of(club))}
    said = await club.tap(name, form, form.find("new_open"))
    (table,) = [table for table in await club.play.open_tables(guild_of(club)) if table.key.table not in before]
    assert said.id == form.id, "what its host does now stands in the screen's place"
    assert not said.has("new_open"), "and it cannot be opened twice"
    return table


@in_turn("name", "bob", "hanako")
async def test_open_with_nothing_touched_makes_the_usual_table(club: Club, name: str) -> None:
    form, words = await form_of(club, name), club.words(name)
    assert words("new_table.title") in form.text
    assert words("lobby.buy_in", chips="1,000") in form.text
    assert club.public() == [], "nothing is posted before it is opened"
    assert await club.play.open_tables(guild_of(club)) == []
    assert shown(form) == {"new_game": "pineapple", "new_stakes": "10", "new_pace": "2", "new_company": "0"}
    table = await opened(club, name, form)
    seen = (table.terms.variant.key, table.terms.point_value, table.terms.buy_in, table.terms.clock, table.host)
    assert seen == ("pineapple", 10, 1000, Clock(pace=Pace.PER_TURN, seconds=60), club.player(name))


@pytest.mark.parametrize("name", ["bob", "hanako"])
async def test_the_screen_fits_a_phone_and_each_option_fits_discord(club: Club, name: str) -> None:
    form = await form_of(club, name)
    rows = [part["components"] for part in form.components[0]["components"] if part["type"] == 1]
    assert len(rows) == 5
    for row in rows:
        assert len(row) <= BUTTONS_A_ROW
        for option in row[0].get("options", []):
            assert len(option["label"]) <= 100
            assert len(option.get("description") or "") <= 50, "longer ones break on a phone"
        assert len(row[0].get("options", [])) <= 25


async def test_the_server_s_usual_table_is_what_stands_there(club: Club) -> None:
    friday = HouseGame(name="Friday", variant=house_variant("classic", {"row_point": "2"}, name="Friday"))
    await club.play.save_game(guild_of(club), friday, by=club.player("alice"))
    usual = Server(point_value=7, game=friday.variant, pace=Pace.CORRESPONDENCE, turn_seconds=7200 * 6)
    await club.play.choose_for_server(guild_of(club), lambda _: usual)
    form = await form_of(club, "bob")
    own = OWN + game_tag("Friday")
    assert shown(form) == {"new_own": own, "new_stakes": "7", "new_pace": "0", "new_company": "0"}
    table = await opened(club, "bob", form)
    assert (table.terms.variant, table.terms.point_value) == (friday.variant, 7)
    assert table.terms.clock == Clock(pace=Pace.CORRESPONDENCE, seconds=7200 * 6)
    other = await choose(club, "bob", await form_of(club, "bob"), game="turbo")
    assert shown(other)["new_game"] == "turbo"
    assert "new_own" not in shown(other)
    back = await choose(club, "bob", other, own=own)
    assert (await opened(club, "bob", back)).terms.variant == friday.variant


@in_turn("name", "bob", "hanako")
async def test_everything_chosen_holds_also_after_a_restart(club: Club, name: str) -> None:
    form = await form_of(club, name)
    pace = str(1 + CLOCKS.index(RELAXED))
    form = await choose(club, name, form, game="classic", stakes="0", pace=pace)
    await club.restart(down_seconds=5)
    form = await choose(club, name, form, company=TWO_MASTERS)
    assert shown(form) == {"new_game": "classic", "new_stakes": "0", "new_pace": pace, "new_company": TWO_MASTERS}
    table = await opened(club, name, form)
    terms = table.terms
    assert (terms.variant.key, terms.point_value, terms.buy_in, terms.clock) == ("classic", 0, 0, RELAXED)
    seats = [place.seat.player for place in (await club.look(table.key.table)).places]
    assert seats == [club.player(name), *COMPUTERS[Level.MASTER][:2]]
    assert table.state is TableState.LOBBY
    lobby = club.table_screen(table.key.table)
    await club.press(name, lobby, lobby.find("start"))
    assert (await club.look(table.key.table)).table.state is TableState.PLAYING


@in_turn("name", "bob", "hanako")
async def test_computers_play_without_chips_and_chips_chosen_with_them_are_answered(club: Club, name: str) -> None:
    words = club.words(name)
    form = await choose(club, name, await form_of(club, name), company="1")
    assert shown(form)["new_stakes"] == "0", "the stakes were not touched: with computers those are no chips"
    assert words("new_table.no_chips") in form.text
    wrong = await choose(club, name, form, stakes="25")
    why = refusal(Refused(TableReason.COMPUTER_NEEDS_PRACTICE), words)
    assert why in wrong.text
    assert shown(wrong)["new_stakes"] == "25"
    assert shown(wrong)["new_company"] == "1"
    said = await club.tap(name, wrong, wrong.find("new_open"))
    assert said.text == why
    assert await club.play.open_tables(guild_of(club)) == []
    right = await choose(club, name, wrong, company="0")
    assert why not in right.text
    assert (await opened(club, name, right)).terms.point_value == 25


async def test_more_computers_than_the_game_has_seats_for_are_answered(club: Club) -> None:
    form = await choose(club, "bob", await form_of(club, "bob"), game="classic", company=THREE_CASUAL)
    assert "⚠️" not in form.text
    form = await choose(club, "bob", form, game="pineapple")
    assert refusal(Refused(TableReason.TOO_MANY_SEATS, least=2, most=3), club.words("bob")) in form.text
    assert shown(form)["new_company"] == THREE_CASUAL, "what was chosen stays in sight"
    offered = [option["value"] for option in form.find("new_company")["options"]]
    assert str(1 + COMPANIES.index((Level.CLUB, 3))) not in offered


@in_turn("name", "bob", "hanako")
async def test_who_may_not_host_reads_it_and_may_still_play_with_computers(club: Club, name: str) -> None:
    role = club.guild.create_role("Hosts")
    await club.play.choose_for_server(guild_of(club), lambda before: replace(before, host_role=role.id))
    words = club.words(name)
    why = refusal(Refused(TableReason.MAY_NOT_HOST, role=str(role.id)), words)
    form = await form_of(club, name)
    assert why in form.text
    assert (await club.tap(name, form, form.find("new_open"))).text == why
    assert await club.play.open_tables(guild_of(club)) == []
    form = await choose(club, name, form, company="1")
    assert why not in form.text
    assert (await opened(club, name, form)).terms.practice


async def test_stakes_that_the_wallet_cannot_bring_are_answered_and_looking_costs_nothing(club: Club) -> None:
    form = await choose(club, "bob", await form_of(club, "bob"), stakes="100")
    assert "⚠️" not in form.text, "10,000 chips are what everybody begins with"
    await opened(club, "bob", form)
    again = await form_of(club, "bob")
    why = refusal(Refused(TableReason.NOT_ENOUGH_CHIPS, need=1000, have=0), club.words("bob"))
    assert why in again.text
    assert why not in (await choose(club, "bob", again, stakes="0")).text


async def test_a_game_that_is_gone_by_then_is_refused_in_words(club: Club) -> None:
    friday = HouseGame(name="Friday", variant=house_variant("classic", {"row_point": "2"}, name="Friday"))
    await club.play.save_game(guild_of(club), friday, by=club.player("alice"))
    form = await choose(club, "bob", await form_of(club, "bob"), own=OWN + game_tag("Friday"))
    await club.play.remove_game(guild_of(club), "Friday")
    await club.tap("bob", form, form.find("new_open"))
    assert await club.play.open_tables(guild_of(club)) == []
    form = await choose(club, "bob", form, game="turbo")
    assert (await opened(club, "bob", form)).terms.variant == PRESETS["turbo"]


@pytest.mark.parametrize("menu", ["game", "own", "stakes", "pace", "company"])
async def test_a_forged_choice_of_what_is_not_offered_changes_nothing(club: Club, menu: str) -> None:
    form = await form_of(club, "bob")
    place = form.find("new_stakes")["custom_id"].split(":", 2)[2]
    for values in (["?"], ["9" * 40], ["²"], ["own-x"], ["-1"], []):
        press = forged_press(club, "bob", form, f"s1:new_{menu}:{place}", values=values)
        await deliver(press)
        assert press.acknowledged
    table = await opened(club, "bob", form)
    assert (table.terms.variant.key, table.terms.point_value, table.terms.clock.seconds) == ("pineapple", 10, 60)


@pytest.mark.parametrize(("hand", "street"), [("999999999", "99"), ("1000002", "90"), ("0", "99")])
async def test_a_forged_place_is_no_table_that_could_not_be_chosen(club: Club, hand: str, street: str) -> None:
    form = await form_of(club, "bob")
    await deliver(forged_press(club, "bob", form, f"c1:new_open:0:{hand}:{street}:::pineapple"))
    for table in await club.play.open_tables(guild_of(club)):
        assert (table.terms.point_value, table.terms.clock.seconds) in ((10, 60), (0, 60))


async def test_one_form_chooses_all_of_it(club: Club) -> None:
    form, words, pace = await form_of(club, "bob"), club.words("bob"), str(1 + CLOCKS.index(RELAXED))
    asked = await club.ask("bob", form, form.find("new_form"))
    again = await club.send("bob", asked)
    assert shown(again) == shown(form), "as it stands it changes nothing"
    asked = await club.ask("bob", again, again.find("new_form"))
    values = {"game": ["classic"], "pace": pace, "company": TWO_MASTERS}
    form = await club.send("bob", asked, {words(f"new_table.{what}"): value for what, value in values.items()})
    assert shown(form) == {"new_game": "classic", "new_stakes": "0", "new_pace": pace, "new_company": TWO_MASTERS}
    terms = (await opened(club, "bob", form)).terms
    assert (terms.variant.key, terms.clock, terms.point_value) == ("classic", RELAXED, 0)


async def test_a_forged_form_of_a_table_changes_only_what_is_offered(club: Club) -> None:
    form = await form_of(club, "bob")
    press = form.find("new_form")["custom_id"].replace("c1:new_form", "m1:new_formed")
    for values in ([], ["nothing", "-1", "99", "x"], ["classic", "0", "1", "0", "more"]):
        await deliver(forged_form(club, "bob", form, press, values))
    assert await club.play.open_tables(guild_of(club)) == []
