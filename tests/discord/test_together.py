"""Finding others on Discord: guests, quick seats, queues, news of tables, seats apart, and the next game."""

from dataclasses import replace
from functools import partial

import discord
import pytest
from discord import app_commands
from simcord import ResponseMessage

from bot.model.clock import Clock, Pace
from bot.model.reasons import SeatReason, ServerReason, TableReason
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal
from tests.discord.club import Club, Screen, plain_letters
from tests.discord.forge import deliver, forged_command
from tests.discord.forms import settings_page
from tests.discord.test_invitations import pick

PEOPLE = ("bob", "hanako")
STRING, INTEGER = 3, 4
"""Discord's numbers of what an option takes."""


async def menu(club: Club, name: str, other: str) -> Screen:
    """Choose the entry in the menu of a user."""
    entry = club.words()("command.seat_refusal")
    return await shown(club, await club.members[name].context_menu(club.channel, entry, club.members[other]))


async def shown(club: Club, result: object) -> Screen:
    answer = await club._answer(result)  # type: ignore[arg-type]  # noqa: SLF001
    assert answer is not None
    return answer


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_table_for_somebody_is_one_message_that_calls_them(club: Club, name: str) -> None:
    answer = await club.slash(name, "ofc play", **{"with": club.members["alice"]})
    guest, host = f"<@{club.members['alice'].id}>", f"<@{club.members[name].id}>"
    assert club.words(name)("lobby.guests_called", players=guest) in answer.text
    (posted,) = [screen for screen in club.public() if screen.message.ping_user_ids]
    assert set(posted.message.ping_user_ids) == {club.members["alice"].id}
    assert posted.id == club.table_screen().id
    assert club.words(name)("lobby.invited", players=guest, host=host) in posted.text
    refused = await club.slash(name, "ofc play", **{"with": club.members[name]})
    assert refused.text == refusal(Refused(SeatReason.NOT_ONESELF), club.words(name))
    assert len(await club.play.open_tables(club.key().guild)) == 1


async def test_a_table_is_opened_like_another_one(club: Club) -> None:
    await club.opens("alice", game="classic", stakes=25, clock="live", seats=2)
    await club.slash("bob", "ofc play", like="1")
    first, second = [(await club.look(number)).table for number in (1, 2)]
    assert second.terms == first.terms
    assert second.host == club.player("bob")
    refused = await club.slash("hanako", "ofc play", like="50")
    assert refused.text == refusal(Refused(TableReason.NO_TABLE), club.words("hanako"))


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_manager_names_a_table_and_anybody_opens_another_from_it(club: Club, name: str) -> None:
    words, manager = club.words(name), club.words("alice")
    await club.opens("alice", game="classic", stakes=25, buy_in=900, quiet=True)
    form = await club.command_form("alice", "manage", do="Save template", value="*Friday*")
    saved = await club.send("alice", form, {manager("manage.field.table"): ["1"]})
    assert saved.text == manager("template.saved", name="\\*Friday\\*", table=1)
    offered = await club.members[name].autocomplete(club.channel, "ofc play", "like", "FRI")
    assert [choice["value"] for choice in offered] == ["*Friday*"]
    await club.slash(name, "ofc play", like="*friday*", clock="30s")
    table = (await club.look(2)).table
    terms = table.terms
    assert (terms.variant.key, terms.point_value, terms.buy_in, terms.quiet) == ("classic", 25, 900, True)
    assert (terms.clock, table.host) == (Clock(pace=Pace.PER_TURN, seconds=30), club.player(name))
    assert "Friday" in (await club.slash("alice", "setup", topic="templates")).text
    await club.slash("alice", "manage", do="Delete template", value="*Friday*")
    assert manager("template.none") in (await club.slash("alice", "setup", topic="templates")).text
    refused = await club.slash(name, "ofc play", like="*Friday*")
    assert refused.text.startswith(words("refused.none_fits", typed="|", names="").split("|")[0])


async def test_templates_are_not_for_who_does_not_manage_and_the_second_of_two_deletions_finds_none(club: Club) -> None:
    await club.slash("alice", "ofc play")
    here = club.key().guild
    await club.bot.services.matchmaking.save_template(club.key(), "Friday", by=club.player("alice"), replacing=False)
    name = {"name": "value", "type": STRING, "value": "Friday"}
    before = await club.bot.services.matchmaking.templates(here)
    for do in ("Save template", "Delete template"):
        given = [{"name": "do", "type": STRING, "value": do}, name]
        typed = forged_command(club, "hanako", "manage", guild=True, given=given)
        await deliver(typed)
        assert typed.said == club.words("hanako")("gate.needs_manage_server"), do
    assert {type(error) for error in club.world.env.errors} == {app_commands.MissingPermissions}
    assert await club.bot.services.matchmaking.templates(here) == before
    # Both have the suggestion in front of them, and press at the same moment.
    twice = [forged_command(club, "alice", "manage", guild=True, given=given) for _ in range(2)]
    await deliver(*twice)
    words = club.words("alice")
    gone, deleted = refusal(Refused(ServerReason.NO_TEMPLATE), words), words("template.deleted", name="Friday")
    assert sorted([deleted in typed.said, gone in typed.said] for typed in twice) == [[False, True], [True, False]]
    assert await club.bot.services.matchmaking.templates(here) == []


async def test_quick_seats_people_together_and_a_queue_deals_in_one_message(club: Club) -> None:
    async def take(name: str, key: str) -> Screen:
        shown = await club.act(name, key)
        assert "1,000" in shown.text, "the buy-in is shown before it's taken"
        return await club.act(name, key)

    await take("alice", "quick")
    panel = await take("hanako", "quick")
    assert club.words("hanako")("lobby.joined_ready", table=1, start=club.words()("button.start")) in panel.text
    assert len((await club.look()).places) == 2
    await take("alice", "queue")
    lobby = club.table_screen(2)
    assert club.words()("queue.starts", count=3) in lobby.text
    before = len(club.public())
    await take("hanako", "queue")
    assert (len(club.public()), club.table_screen(2).id) == (before, lobby.id), "one message, edited"
    await club.tap("bob", lobby, lobby.find("join"))
    assert (await club.look(2)).table.hand_no == 1, "nobody had to start it"


@pytest.mark.parametrize("name", PEOPLE)
async def test_somebody_who_is_refused_is_never_told_by_whom(club: Club, name: str) -> None:
    words, other = club.words(name), f"<@{club.members['alice'].id}>"
    page = await menu(club, name, "alice")
    assert words("apart.refused", player=other) in page.text
    await club.slash(name, "ofc play", **{"with": club.members["alice"]})
    assert await club.play.open_tables(club.key().guild) == [], "nor do they invite them"
    await club.slash(name, "ofc play")
    lobby = club.table_screen()
    told = await club.tap("alice", lobby, lobby.find("join"))
    assert told.text == refusal(Refused(SeatReason.NO_SEAT_FOR_YOU), club.words("alice"))
    assert club.members[name].name not in told.text
    await club.slash("alice", "ofc play")
    own = club.table_screen(2)
    page = await club.tap("alice", own, own.find("invite"))
    answer = await pick(club, "alice", page, [club.members[name]])
    assert answer.text == club.words("alice")("lobby.invite_sent"), "as it is said of anybody"
    assert f"<@{club.members[name].id}>" in club.public()[-1].text
    assert not club.public()[-1].message.ping_user_ids
    mine = await club.tap(name, own, own.find("join"))
    assert mine.text == refusal(Refused(SeatReason.OWN_SEAT_REFUSAL), words)


async def test_the_list_stands_in_the_settings_and_is_taken_back_there(club: Club) -> None:
    settings = await settings_page(club, "bob", "apart_list")
    page = await club.tap("bob", settings, settings.find("apart_list"))
    assert club.words("bob")("apart.nobody") in page.text
    message = ResponseMessage(club.world.env, page.message)
    chooser = page.find("apart_add")["custom_id"]
    page = await shown(club, await club.members["bob"].select(message, [club.members["hanako"]], custom_id=chooser))
    assert [control for control in page.controls() if "apart_allow" in control["custom_id"]]
    assert club.words("bob")("settings.apart.text", count=1) in (await settings_page(club, "bob", "apart_list")).text
    page = await club.tap("bob", page, page.find("apart_allow"))
    assert club.words("bob")("apart.nobody") in page.text
    own = await menu(club, "bob", "bob")
    assert own.text == refusal(Refused(SeatReason.NOT_ONESELF), club.words("bob"))


async def test_members_take_and_leave_the_role_that_hears_of_new_tables(club: Club) -> None:
    assert not (await settings_page(club, "bob", "news")).has("news"), "the server has none"
    for powers in (discord.Permissions(kick_members=True), discord.Permissions.none()):
        role = club.guild.create_role("Players", mentionable=True, permissions=powers)
        await club.play.choose_for_server(
            club.key().guild, partial(replace, told_role=role.id, told_role_by=club.player("alice"))
        )
        assert (await settings_page(club, "bob", "news")).has("news") is not bool(powers), (
            "nobody takes powers for themselves"
        )
    for on in (True, False):
        settings = await settings_page(club, "bob", "news")
        changed = await club.tap("bob", settings, settings.find("news"))
        assert club.words("bob")(f"settings.news.{'on' if on else 'off'}") in changed.text
        assert (role.id in club.backend.get_member(club.guild.id, club.members["bob"].id).role_ids) is on


async def test_after_confirming_by_correspondence_the_next_game_is_a_tap_away(club: Club) -> None:
    for table in (1, 2):
        await club.opens("alice", clock="correspondence", seats=2)
        await club.press("bob", club.table_screen(table), club.table_screen(table).find("join"))
        await club.press("alice", club.table_screen(table), club.table_screen(table).find("start"))
    first = club.name_of((await club.look()).waiting[0])
    assert club.player(first) in (await club.look(2)).waiting
    other = "bob" if first == "alice" else "alice"
    assert not (await club.open_panel(other)).has("next_game"), "none waits for them"
    assert not (await club.open_panel(first)).has("next_game"), "it is their turn here"
    panel = await club.place_cards(first, plain_letters(await club.look(1, first)))
    then = await club.tap(first, panel, panel.find("next_game"))
    assert then.id == panel.id, "in the same message"
    assert "Table 2" in then.text
    done = await club.place_in(first, then, await club.look(2, first))
    assert not done.has("next_game")
    await club.place_cards(other, plain_letters(await club.look(1, other)))
    assert "Table 2" in done.text, "what happens at the first table does not come back over it"
