"""*Open a table*: the table as it would be opened, the two forms that change it, and what *Open* makes of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.chat.kit.custom_ids import OWN, game_tag
from bot.chat.table.screens.new_table import CLOCKS, COMPANIES
from bot.model.choices import ServerSettings
from bot.model.clock import Clock, Pace
from bot.model.ids import COMPUTERS, GuildId
from bot.model.reasons import TableReason
from bot.model.tables import HouseGame, Limits, Table, TableState
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.settlement import WinCap
from bot.pure.solver.levels import Level
from bot.text.event_structure import clock_text
from bot.text.refusals import refusal
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forged_form, forged_press
from tests.in_turn import in_turn

ONE_CASUAL = str(1 + COMPANIES.index((Level.CASUAL, 1)))
TWO_MASTERS = str(1 + COMPANIES.index((Level.MASTER, 2)))
THREE_CASUAL = str(1 + COMPANIES.index((Level.CASUAL, 3)))
RELAXED = Clock(pace=Pace.RELAXED, seconds=600)


def guild_of(club: Club) -> GuildId:
    """The club's server as play knows it."""
    return GuildId(club.guild.id)


async def screen_of(club: Club, name: str) -> Screen:
    """The screen, from *Play* in the menu, and from the list of tables where some are open."""
    hub = await club.slash(name, "ofc help")
    shown = await club.tap(name, hub, hub.find("play"))
    return shown if shown.has("new_open") else await club.tap(name, shown, shown.find("open"))


async def changed(club: Club, name: str, shown: Screen, verb: str, **values: Any) -> Screen:
    """Fill in one of its forms; fields are named as their sentences are."""
    if shown.has("new_change"):
        shown = await club.tap(name, shown, shown.find("new_change"))
    words = club.words(name)
    entered = {words(f"new_table.{field}"): value for field, value in values.items()}
    return await club.send(name, await club.ask(name, shown, shown.find(verb)), entered)


async def opened(club: Club, name: str, shown: Screen) -> Table:
    """The table that *Open* makes."""
    before = {table.key.table for table in await club.play.open_tables(guild_of(club))}
    said = await club.tap(name, shown, shown.find("new_open"))
    (table,) = [table for table in await club.play.open_tables(guild_of(club)) if table.key.table not in before]
    assert said.id == shown.id, "what its host does now stands in the screen's place"
    assert not said.has("new_open"), "and it cannot be opened twice"
    return table


@in_turn("name", "bob", "hanako")
async def test_open_with_nothing_touched_makes_the_usual_table(club: Club, name: str) -> None:
    shown, words = await screen_of(club, name), club.words(name)
    facts = words.facts([words("variant.pineapple.name"), words("table.stakes", value="10"), clock_text(MINUTE, words)])
    assert shown.text.split("\n") == [
        f"### {words('new_table.title')}",
        facts,
        words("lobby.buy_in", chips="1,000"),
    ], "three lines"
    assert len(shown.controls()) == 2
    assert club.public() == [], "nothing is posted before it is opened"
    assert await club.play.open_tables(guild_of(club)) == []
    table = await opened(club, name, shown)
    seen = (table.terms.variant.key, table.terms.point_value, table.terms.buy_in, table.terms.clock, table.host)
    assert seen == ("pineapple", 10, 1000, MINUTE, club.player(name))


MINUTE = Clock(pace=Pace.PER_TURN, seconds=60)


async def test_the_server_s_usual_table_is_what_stands_there(club: Club) -> None:
    friday = HouseGame(name="Friday", variant=house_variant("classic", {"row_point": "2"}, name="Friday"))
    await club.play.save_game(guild_of(club), friday, by=club.player("alice"))
    usual = ServerSettings(point_value=7, game=friday.variant, pace=Pace.CORRESPONDENCE, turn_seconds=7200 * 6)
    await club.play.choose_for_server(guild_of(club), lambda _: usual)
    shown = await screen_of(club, "bob")
    assert "Friday" in shown.text
    table = await opened(club, "bob", shown)
    assert (table.terms.variant, table.terms.point_value) == (friday.variant, 7)
    assert table.terms.clock == Clock(pace=Pace.CORRESPONDENCE, seconds=7200 * 6)
    other = await changed(club, "bob", await screen_of(club, "bob"), "new_table", game=["turbo"])
    assert "Friday" not in other.text
    back = await changed(club, "bob", other, "new_table", game=[OWN + game_tag("Friday")])
    assert (await opened(club, "bob", back)).terms.variant == friday.variant


@in_turn("name", "bob", "hanako")
async def test_everything_chosen_holds_also_after_a_restart(club: Club, name: str) -> None:
    shown = await screen_of(club, name)
    clock = {"bob": "relaxed 10m", "hanako": "のんびり10分"}[name]
    shown = await changed(club, name, shown, "new_table", game=["classic"], clock=clock, seats="3")
    shown = await changed(club, name, shown, "new_money", stakes="0")
    await club.restart(down_seconds=5)
    shown = await changed(club, name, shown, "new_table", company=TWO_MASTERS)
    table = await opened(club, name, shown)
    terms = table.terms
    assert (terms.variant.key, terms.point_value, terms.buy_in, terms.clock) == ("classic", 0, 0, RELAXED)
    assert terms.max_seats == 3
    seats = [place.seat.player for place in (await club.look(table.key.table)).places]
    assert seats == [club.player(name), *COMPUTERS[Level.MASTER][:2]]
    assert table.state is TableState.LOBBY
    lobby = club.table_screen(table.key.table)
    await club.press(name, lobby, lobby.find("start"))
    assert (await club.look(table.key.table)).table.state is TableState.PLAYING


@in_turn("name", "bob", "hanako")
async def test_the_form_money_has_all_that_is_about_chips(club: Club, name: str) -> None:
    levels = {"bob": "50,100, 200 every 3", "hanako": "50、100、200 3ハンドごと"}[name]
    ticks = ["bust_is_final", "no_top_ups"]
    shown = await screen_of(club, name)
    shown = await changed(club, name, shown, "new_money", buy_in="5,000", levels=levels, win_cap="opponent", also=ticks)
    words = club.words(name)
    assert words("lobby.bust_is_final") in shown.text
    form = await club.ask(name, shown, shown.find("new_money"))
    assert words("new_table.levels_typed", levels="50,100,200", count=3) in str(form.modal), "it says what holds"
    terms = (await opened(club, name, shown)).terms
    limits = Limits(win_cap=WinCap.PER_OPPONENT, bust_is_final=True, levels=(50, 100, 200), level_hands=3, top_up=False)
    assert (terms.point_value, terms.buy_in, terms.limits) == (50, 5000, limits)


@in_turn("name", "bob", "hanako")
async def test_numbers_are_read_as_people_write_them(club: Club, name: str) -> None:
    buy_in, levels = {
        "bob": ("5k", "100, 500, 1k every 3"),
        "hanako": ("５千", "１００、５００、1千 ３ハンドごと"),
    }[name]
    shown = await changed(club, name, await screen_of(club, name), "new_table", seats="３")
    shown = await changed(club, name, shown, "new_money", buy_in=buy_in, levels=levels)
    terms = (await opened(club, name, shown)).terms
    assert (terms.max_seats, terms.buy_in, terms.limits.levels, terms.limits.level_hands) == (
        3,
        5000,
        (100, 500, 1000),
        3,
    )
    other = await changed(club, name, await screen_of(club, name), "new_money", stakes="１，０００")
    assert club.words(name)("table.stakes", value="1,000") in other.text


@in_turn("name", "bob", "hanako")
async def test_the_form_table_has_all_that_is_about_play(club: Club, name: str) -> None:
    ticks = ["open_discards", "quiet", "weekends_off"]
    clock = {"bob": "2d", "hanako": "2日"}[name]
    shown = await changed(club, name, await screen_of(club, name), "new_table", clock=clock, seats="2", also=ticks)
    terms = (await opened(club, name, shown)).terms
    assert terms.variant.open_discards
    assert (terms.quiet, terms.weekends_off, terms.max_seats) == (True, True, 2)
    assert terms.clock == Clock(pace=Pace.CORRESPONDENCE, seconds=2 * 86_400)


@in_turn("name", "bob", "hanako")
async def test_a_form_that_is_refused_says_why_and_keeps_what_was_typed(club: Club, name: str) -> None:
    words, before = club.words(name), await screen_of(club, name)
    shown = await club.tap(name, before, before.find("new_change"))
    wrong = {
        "new_table": (
            {"clock": "soon", "seats": "2"},
            {"clock": "1m", "seats": "9"},
        ),
        "new_money": (
            {"stakes": "much", "buy_in": "700"},
            {"stakes": "5", "buy_in": "none"},
            {"stakes": "5", "levels": "50,abc"},
            {"stakes": "5", "levels": "50,100 every 0"},
        ),
    }
    why = {
        "soon": words("refused.bad_clock"),
        "9": words("refused.too_many_seats", least=2, most=3),
        "much": words("refused.bad_stakes", least="0", most="1,000,000"),
        "none": words("refused.bad_buy_in", least="1", most="1,000,000,000"),
        "50,abc": words("refused.bad_levels"),
        "50,100 every 0": words("refused.bad_levels"),
    }
    for verb, cases in wrong.items():
        for values in cases:
            refused = await changed(club, name, shown, verb, **values)
            assert next(said for typed, said in why.items() if typed in values.values()) in refused.text, values
            form = await club.ask(name, refused, refused.find(verb))
            assert all(typed in str(form.modal) for typed in values.values()), "what was typed is kept"
    assert await club.play.open_tables(guild_of(club)) == []
    assert (await opened(club, name, shown)).terms.point_value == 10, "and nothing was changed"


async def test_a_screen_whose_choices_were_overtaken_by_another_shows_those_of_the_other(club: Club) -> None:
    first, second = await screen_of(club, "bob"), await screen_of(club, "bob")
    first = await changed(club, "bob", first, "new_table", seats="2")
    second = await changed(club, "bob", second, "new_money", buy_in="5000")
    said = await club.tap("bob", first, first.find("new_open"))
    assert await club.play.open_tables(guild_of(club)) == []
    assert club.words("bob")("terms.changed") in said.text
    assert (await opened(club, "bob", said)).terms.buy_in == 5000


@in_turn("name", "bob", "hanako")
async def test_computers_play_without_chips_and_chips_chosen_with_them_are_answered(club: Club, name: str) -> None:
    words = club.words(name)
    shown = await changed(club, name, await screen_of(club, name), "new_table", company=ONE_CASUAL)
    assert words("table.practice") in shown.text, "the stakes were not touched: with computers those are no chips"
    assert words("new_table.no_chips") in shown.text
    wrong = await changed(club, name, shown, "new_money", stakes="25")
    why = refusal(Refused(TableReason.COMPUTER_NEEDS_PRACTICE), words)
    assert why in wrong.text
    assert words("table.stakes", value="25") in wrong.text
    said = await club.tap(name, wrong, wrong.find("new_open"))
    assert said.text == why
    assert await club.play.open_tables(guild_of(club)) == []
    right = await changed(club, name, wrong, "new_table", company="0")
    assert why not in right.text
    assert (await opened(club, name, right)).terms.point_value == 25


async def test_more_computers_than_the_game_has_seats_for_are_answered(club: Club) -> None:
    shown = await changed(club, "bob", await screen_of(club, "bob"), "new_table", game=["classic"])
    shown = await changed(club, "bob", shown, "new_table", company=THREE_CASUAL)
    assert "⚠️" not in shown.text
    shown = await changed(club, "bob", shown, "new_table", game=["pineapple"])
    assert refusal(Refused(TableReason.TOO_MANY_SEATS, least=2, most=3), club.words("bob")) in shown.text
    assert club.words("bob")("new_table.computers.casual", count=3) in shown.text, "what was chosen stays in sight"


@in_turn("name", "bob", "hanako")
async def test_who_may_not_host_reads_it_and_may_still_play_with_computers(club: Club, name: str) -> None:
    role = club.guild.create_role("Hosts")
    await club.play.choose_for_server(guild_of(club), lambda before: replace(before, host_role=role.id))
    words = club.words(name)
    why = refusal(Refused(TableReason.MAY_NOT_HOST, role=str(role.id)), words)
    shown = await screen_of(club, name)
    assert why in shown.text
    assert (await club.tap(name, shown, shown.find("new_open"))).text == why
    assert await club.play.open_tables(guild_of(club)) == []
    shown = await changed(club, name, shown, "new_table", company=ONE_CASUAL)
    assert why not in shown.text
    assert (await opened(club, name, shown)).terms.practice


async def test_stakes_that_the_wallet_cannot_bring_are_answered_and_looking_costs_nothing(club: Club) -> None:
    shown = await changed(club, "bob", await screen_of(club, "bob"), "new_money", stakes="100")
    assert "⚠️" not in shown.text, "10,000 chips are what everybody begins with"
    await opened(club, "bob", shown)
    again = await screen_of(club, "bob")
    why = refusal(Refused(TableReason.NOT_ENOUGH_CHIPS, need=1000, have=0), club.words("bob"))
    assert why in again.text
    assert why not in (await changed(club, "bob", again, "new_money", stakes="0")).text


async def test_a_game_that_is_gone_by_then_gives_way_to_the_usual_one_which_is_shown_first(club: Club) -> None:
    friday = HouseGame(name="Friday", variant=house_variant("classic", {"row_point": "2"}, name="Friday"))
    await club.play.save_game(guild_of(club), friday, by=club.player("alice"))
    shown = await changed(club, "bob", await screen_of(club, "bob"), "new_table", game=[OWN + game_tag("Friday")])
    await club.play.remove_game(guild_of(club), "Friday")
    shown = await club.tap("bob", shown, shown.find("new_open"))
    assert await club.play.open_tables(guild_of(club)) == []
    assert club.words("bob")("terms.changed") in shown.text
    assert (await opened(club, "bob", shown)).terms.variant == PRESETS["pineapple"]


# Screens that were posted before


@pytest.mark.parametrize("menu", ["game", "own", "stakes", "pace", "company"])
async def test_a_forged_choice_of_what_is_not_offered_changes_nothing(club: Club, menu: str) -> None:
    shown = await screen_of(club, "bob")
    for values in (["?"], ["9" * 40], ["²"], ["own-x"], ["-1"], []):
        press = forged_press(club, "bob", shown, f"s1:new_{menu}:0:0:0:::", values=values)
        await deliver(press)
        assert press.acknowledged
    table = await opened(club, "bob", shown)
    assert (table.terms.variant.key, table.terms.point_value, table.terms.clock.seconds) == ("pineapple", 10, 60)


async def test_menus_and_forms_of_former_screens_still_choose(club: Club) -> None:
    shown = await screen_of(club, "bob")
    pace = str(1 + CLOCKS.index(RELAXED))
    for menu, value in {"game": "classic", "stakes": "25", "pace": pace, "weekends": ""}.items():
        control = "c1" if menu == "weekends" else "s1"
        place = shown.find("new_open")["custom_id"].split(":")[3:]
        await deliver(
            forged_press(
                club, "bob", shown, f"{control}:new_{menu}:0:{':'.join(place)}", values=[value] if value else []
            )
        )
    terms = (await opened(club, "bob", shown)).terms
    assert (terms.variant.key, terms.point_value, terms.clock) == ("classic", 25, RELAXED)
    again = await screen_of(club, "bob")
    await deliver(forged_form(club, "bob", again, "m1:new_formed:0:0:0:::", ["classic", "0", pace, TWO_MASTERS]))
    assert club.words("bob")("new_table.computers.master", count=2) in again.text


@pytest.mark.parametrize(("hand", "street"), [("999999999", "99"), ("1000002", "90"), ("0", "99")])
async def test_a_forged_place_is_no_table_that_could_not_be_chosen(club: Club, hand: str, street: str) -> None:
    shown = await screen_of(club, "bob")
    await deliver(forged_press(club, "bob", shown, f"c1:new_open:0:{hand}:{street}:::pineapple"))
    for table in await club.play.open_tables(guild_of(club)):
        assert (table.terms.point_value, table.terms.clock.seconds) in ((10, 60), (0, 60))


async def test_a_forged_form_of_a_table_changes_only_what_is_offered(club: Club) -> None:
    shown = await screen_of(club, "bob")
    for verb in ("new_formed", "new_tabled", "new_moneyed"):
        for values in ([], ["nothing", "-1", "99", "x"], ["classic", "0", "1", "0", "more"]):
            await deliver(forged_form(club, "bob", shown, f"m1:{verb}:0:0:0:::", values))
    assert await club.play.open_tables(guild_of(club)) == []
