"""Server settings by managers, which take effect immediately."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord
import pytest
from discord import app_commands
from simcord import ResponseMessage
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.chat.club.screens.setup import HOME
from bot.chat.club.screens.setup_forms import TOLD
from bot.chat.club.screens.setup_topics import TOPICS
from bot.chat.kit.custom_ids import OWN, game_tag
from bot.model.bulletins import BulletinKind
from bot.model.choices import ServerSettings
from bot.model.clock import Clock, Pace
from bot.model.ids import GuildId
from bot.model.reasons import TableReason
from bot.model.tables import HouseGame
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.text.refusals import refusal
from bot.text.rulebook.book import rules_pages
from bot.text.zones import zone_name
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forged_command, forged_form, forged_press
from tests.discord.forms import enter, enter_in_setup, posts_page
from tests.in_turn import in_turn

WRITES = discord.Permissions(send_messages=True).value


def guild_of(club: Club) -> GuildId:
    """The club's server as play knows it."""
    return GuildId(club.guild.id)


async def chosen(club: Club) -> ServerSettings:
    """Return the server's settings."""
    return await club.play.server(guild_of(club))


async def write(club: Club, name: str, point_value: str, clock: str, **chosen: Any) -> Screen:
    """Fill in the form of what tables are usually like."""
    page, words = await club.slash(name, "setup"), club.words(name)
    form = await club.ask(name, page, page.find("su_stakes"))
    values = {words("setup.form_point_value"): point_value, words("setup.form_clock"): clock}
    return await club.send(name, form, values | {words(f"setup.form_{what}"): one for what, one in chosen.items()})


def manager(club: Club, name: str) -> None:
    """Make a member a manager of the server."""
    role = club.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)


async def test_only_those_who_manage_the_server_set_it_up(club: Club) -> None:
    assert "setup" in club.members["alice"].available_commands(club.channel)
    assert "setup" not in club.members["hanako"].available_commands(club.channel)
    command = forged_command(club, "hanako", "setup", guild=True)
    await deliver(command)
    assert command.said == club.words("hanako")("gate.needs_manage_server")
    assert [type(error) for error in club.world.env.errors] == [app_commands.MissingPermissions]
    page = await club.slash("alice", "setup")
    press = forged_press(club, "bob", page, "s1:su_pace:0:0:0:::", values=["none"])
    await deliver(press)
    assert press.said == club.words("bob")("gate.needs_manage_server")
    assert await chosen(club) == ServerSettings()


@pytest.mark.parametrize("verb", ["su_language", "su_channels", "su_game", "su_pace", "su_host", "su_told", "su_check"])
async def test_a_forged_choice_of_what_is_not_there_changes_nothing(club: Club, verb: str) -> None:
    page = await club.slash("alice", "setup")
    custom_id = f"s1:{HOME.but(verb)}"
    for values in (["?"], ["9" * 40], ["²"], [str(club.guild.id)], []):
        press = forged_press(club, "alice", page, custom_id, values=values)
        await deliver(press)
        assert press.acknowledged
    assert await chosen(club) == ServerSettings()


@in_turn("name", "alice", "hanako")
async def test_the_page_says_what_holds(club: Club, name: str) -> None:
    manager(club, name)
    words = club.words(name)
    page = await club.slash(name, "setup")
    assert words("setup.channels_all") in page.text
    assert words("table.stakes", value="10") in page.text
    assert words("lobby.pace.per_turn", time=words("duration.minutes", count=1)) in page.text


async def test_the_language_is_that_of_what_everybody_reads(club: Club) -> None:
    await enter_in_setup(club, "alice", "language", ["ja"])
    assert (await chosen(club)).language == "ja"
    await club.slash("bob", "ofc play")
    assert (await club.look()).table.language == "ja"
    await enter_in_setup(club, "alice", "language", [TOLD])
    assert (await chosen(club)).language is None
    await club.slash("bob", "ofc play")
    assert (await club.look(2)).table.language == "en"


@in_turn("name", "bob", "hanako")
async def test_tables_are_opened_in_the_chosen_channels_alone(club: Club, name: str) -> None:
    room = club.guild.create_text_channel("poker")
    page = await enter_in_setup(club, "alice", "channels", [room])
    assert f"<#{room.id}>" in page.text
    wanted = Refused(TableReason.NOT_HERE, channels=str(room.id))
    for command in ("ofc play",):
        answer = await club.slash(name, command)
        assert answer.text == refusal(wanted, club.words(name))
        assert f"<#{room.id}>" in answer.text
    assert await club.play.open_tables(guild_of(club)) == []
    await club.slash(name, "ofc practice")
    assert [table.private for table in await club.play.open_tables(guild_of(club))] == [True], "nobody else sees it"
    await enter_in_setup(club, "alice", "channels", [])
    await club.slash(name, "ofc play")
    assert [table.private for table in await club.play.open_tables(guild_of(club))] == [True, False]


async def test_a_thread_of_a_chosen_channel_is_one_too(club: Club) -> None:
    await enter_in_setup(club, "alice", "channels", [club.channel])
    await club.thread("cards").slash("bob", "ofc play")
    assert len(await club.play.open_tables(guild_of(club))) == 1


@pytest.mark.parametrize("written", ["1,000", "1k", "１０００", "1千"])
async def test_the_usual_stakes_are_read_as_people_write_them(club: Club, written: str) -> None:
    page = await write(club, "alice", written, "")
    assert club.words("alice")("table.stakes", value="1,000") in page.text
    assert (await chosen(club)).point_value == 1_000


async def test_a_table_has_the_game_stakes_and_clock_of_the_server_where_nothing_else_is_chosen(club: Club) -> None:
    await enter_in_setup(club, "alice", "game", ["classic"])
    await write(club, "alice", "50", "live 3m")
    assert await chosen(club) == ServerSettings(
        game=PRESETS["classic"], point_value=50, pace=Pace.LIVE, turn_seconds=180
    )
    await club.slash("bob", "ofc play")
    table = (await club.look()).table
    assert (table.terms.variant, table.terms.point_value, table.terms.buy_in) == (PRESETS["classic"], 50, 5000)
    assert table.terms.clock == Clock(pace=Pace.LIVE, seconds=180)
    await club.slash("hanako", "ofc play", game="pineapple", stakes=5, clock="90s")
    table = (await club.look(2)).table
    assert (table.terms.variant.key, table.terms.point_value, table.terms.clock.seconds) == ("pineapple", 5, 90)
    rules = await club.slash("bob", "ofc help", about="rules")
    assert rules_pages(PRESETS["classic"], club.words("bob"))[0].text.partition("\n```")[0] in rules.text


async def test_a_servers_own_game_is_played_as_it_is_by_now(club: Club) -> None:
    for entry in ("KK", "AA"):
        game = HouseGame(name="Friday", variant=house_variant("pineapple", {"fantasyland.entry": entry}, name="Friday"))
        await club.play.save_game(guild_of(club), game, by=club.player("alice"))
        if entry == "KK":
            await enter_in_setup(club, "alice", "game", [OWN + game_tag("Friday")])
    await club.slash("bob", "ofc play")
    assert (await club.look()).table.terms.variant == game.variant


@pytest.mark.parametrize(
    ("value", "time"), [("ten", ""), ("1000001", ""), ("-1", ""), ("5", "soon"), ("5", "live 3 days")]
)
@in_turn("name", "alice", "hanako")
async def test_what_cannot_be_is_refused_and_changes_nothing(club: Club, name: str, value: str, time: str) -> None:
    manager(club, name)
    words = club.words(name)
    answer = await write(club, name, value, time)
    if time == "soon":
        assert words("setup.bad_clock", typed=time) in answer.text
    elif time:
        limits = {"shortest": 30, "longest": 1800}
        assert refusal(Refused(TableReason.BAD_TIME, **limits), words) in answer.text
    else:
        assert words("setup.bad_point_value", most="1,000,000") in answer.text
    assert await chosen(club) == ServerSettings()
    again = await club.ask(name, answer, answer.find("su_stakes"))
    assert again.modal is not None
    typed = [label["component"].get("value") or "" for label in again.modal["components"]]
    assert [typed[1], typed[2]] == [value, time], "what was typed is still there"


async def test_what_tables_are_like_is_one_form(club: Club) -> None:
    page = await write(club, "alice", "25", "live", game=["classic"], channels=[club.channel])
    expected = ServerSettings(game=PRESETS["classic"], point_value=25, pace=Pace.LIVE, channels=(club.channel.id,))
    assert await chosen(club) == expected
    assert page.has("su_stakes")
    # Submitting it unchanged changes nothing. Another pace brings its own time.
    await club.send("alice", await club.ask("alice", page, page.find("su_stakes")))
    assert await chosen(club) == expected
    await write(club, "alice", "25", "live 4m")
    assert (await chosen(club)).turn_seconds == 240
    await write(club, "alice", "25", "correspondence")
    assert (await chosen(club)).turn_seconds is None
    await write(club, "alice", "25", "")
    assert (await chosen(club)).clock == ServerSettings().clock


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_a_form_that_another_change_has_overtaken_saves_nothing_and_says_what_holds(
    club: Club, name: str
) -> None:
    manager(club, "bob")
    if name == "hanako":
        manager(club, name)
    words = club.words(name)
    point_value, time = words("setup.form_point_value"), words("setup.form_clock")
    page = await club.slash(name, "setup")
    form = await club.ask(name, page, page.find("su_stakes"))
    await write(club, "bob", "77", "")
    before = await chosen(club)
    refused = await club.send(name, form, {time: "50s"})
    assert words("gate.form_overtaken") in refused.text
    assert words("gate.form_now", field=point_value, value="77") in refused.text
    assert await chosen(club) == before
    # Resubmitting is a deliberate choice, because the form was opened with the current values.
    form = await club.ask(name, refused, refused.find("su_stakes"))
    await club.send(name, form, {point_value: "77", time: "50s"})
    assert (await chosen(club)).point_value == 77
    assert (await chosen(club)).turn_seconds == 50


async def sent_together(club: Club, ask: str, written: Sequence[Sequence[str]], topic: str = "") -> int:
    """Open a form of `/setup` for alice and bob, and send both in the same moment; returns which was saved."""
    forms = []
    for name, values in zip(("alice", "bob"), written, strict=True):
        page = await club.slash(name, "setup", topic=topic) if topic else await club.slash(name, "setup")
        form = await club.ask(name, page, page.find(ask))
        assert form.modal is not None
        forms.append(forged_form(club, name, page, form.modal["custom_id"], values))
    await deliver(*forms)
    overtaken = [club.words("alice")("gate.form_overtaken") in form.said for form in forms]
    assert sorted(overtaken) == [False, True]
    return overtaken.index(False)


async def test_of_two_forms_sent_in_the_same_moment_one_is_saved_and_the_other_says_so(club: Club) -> None:
    manager(club, "bob")
    services, guild = club.bot.services, guild_of(club)
    saved = await sent_together(club, "su_stakes", [["classic", value, "", "", "0"] for value in ("33", "44")])
    assert (await chosen(club)).point_value == [33, 44][saved]
    saved = await sent_together(club, "bank_change", [[bonus, "2000", "0", "0", ""] for bonus in ("33", "44")])
    assert (await services.bank.terms(guild)).bonus == [33, 44][saved]
    titles = ["King", "Queen"]
    written = [["0", "0", title, "", ""] for title in titles]
    saved = await sent_together(club, "season_name", written, topic="seasons")
    assert (await services.bank.seasons(guild)).terms.title == titles[saved]
    posts = ["morning", "recap"]
    saved = await sent_together(club, "po_form", [[str(club.channel.id), what, "8", "6", "chips"] for what in posts])
    assert (await services.bulletins.all_posts(guild)).standing == {posts[saved]}


async def test_a_form_of_all_posts_that_another_change_has_overtaken_moves_none(club: Club) -> None:
    manager(club, "bob")
    words, services, guild = club.words("alice"), club.bot.services, guild_of(club)
    hall = club.guild.create_text_channel("hall")

    async def fill(name: str, form: Any, channel: Any) -> Screen:
        return await club.send(name, form, {words("posts.form_channel"): [channel]})

    page = await club.slash("alice", "setup")
    form = await club.ask("alice", page, page.find("po_form"))
    other = await club.slash("bob", "setup")
    await fill("bob", await club.ask("bob", other, other.find("po_form")), club.channel)
    refused = await fill("alice", form, hall)
    assert words("gate.form_overtaken") in refused.text
    for kind in BulletinKind:
        assert (await services.bulletins.of(guild, kind)).channel == club.channel.id


async def test_a_form_that_does_not_fit_changes_nothing(club: Club) -> None:
    page = await club.slash("alice", "setup")
    before = await chosen(club)
    for wrong in ([], ["classic"], ["ja", "classic", "5", "live", ""]):
        await deliver(forged_form(club, "alice", page, "m1:su_basics:0:0:0:::", wrong))
    await deliver(forged_form(club, "alice", page, "m1:su_basics:0:0:0:::", ["own-000000000000", "5", "live", "", "0"]))
    assert await chosen(club) == before


async def test_the_club_page_and_both_posts_are_one_form(club: Club) -> None:
    words, services, guild = club.words("alice"), club.bot.services, guild_of(club)
    hall = club.guild.create_text_channel("hall")

    async def standing() -> tuple[int | None, ...]:
        page = await services.bank.club_page(guild)
        posts = [(await services.bulletins.of(guild, kind)).channel for kind in BulletinKind]
        return (None if page is None else page.channel, *posts)

    async def fill(answer: Screen, **values: Any) -> Screen:
        form = await club.ask("alice", answer, answer.find("po_form"))
        return await club.send("alice", form, {words(f"posts.form_{what}"): one for what, one in values.items()})

    assert club.bot.user is not None
    me = Overwrite(target_id=club.bot.user.id, type=OverwriteType.MEMBER, allow=0, deny=WRITES)
    club.backend.set_overwrite(hall.id, me)
    start = await club.slash("alice", "setup")
    form = await club.ask("alice", start, start.find("po_form"))
    assert form.modal is not None
    first, _, hour, *_ = form.modal["components"]
    assert first["component"]["required"], "nothing stands anywhere yet"
    assert "UTC" in hour["description"]
    refused = await fill(start, channel=[hall], hour=["7"], day="4")
    assert words("permission.send_messages") in refused.text
    _, typed, named = refused.text.split("```")
    assert str(hall.id) not in typed, "a block shows the number of a channel and not its name"
    assert named.split("\n")[1] == hall.mention
    assert await standing() == (None, None, None)

    async def given_back() -> list[list[str]]:
        form = await club.ask("alice", refused, refused.find("po_form"))
        assert form.modal is not None
        parts = [label["component"] for label in form.modal["components"]]
        chosen = [[one["value"] for one in part.get("options", ()) if one.get("default")] for part in parts]
        return [[str(one["id"]) for one in parts[0].get("default_values", ())], *chosen[1:]]

    chosen_then = [["page", "morning", "recap"], ["7"], ["4"], ["by_play"]]
    assert await given_back() == [[str(hall.id)], *chosen_then]
    gone = club.guild.create_text_channel("gone")
    club.backend.set_overwrite(gone.id, me)
    refused = await fill(start, channel=[gone], hour=["7"], day="4")
    club.backend.delete_channel(gone.id)
    assert await given_back() == [[], *chosen_then], "Discord refuses a form that names one that is gone"
    club.backend.set_overwrite(hall.id, replace(me, deny=0))
    answer = await fill(refused, channel=[hall], what=["page", "recap"])
    assert words("posts.form_done", channel=hall.id) in answer.text
    assert await standing() == (hall.id, None, hall.id)
    recap = await services.bulletins.of(guild, BulletinKind.RECAP)
    assert (recap.hour, recap.weekday) == (7, 4)
    assert answer.has("posts"), "separate channels are one press further"
    # Submitting it unchanged changes nothing. Unticked items are turned off.
    again = await fill(await club.slash("alice", "setup"))
    assert words("posts.form_stays", channel=hall.id) in again.text
    assert await standing() == (hall.id, None, hall.id)
    await fill(await club.slash("alice", "setup"), channel=[club.channel], what=["morning"])
    assert await standing() == (None, club.channel.id, None)
    club.backend.set_overwrite(hall.id, me)
    refused = await fill(await club.slash("alice", "setup"), channel=[hall], what=["page"])
    assert words("permission.send_messages") in refused.text
    assert await standing() == (None, club.channel.id, None)


async def test_a_manager_whose_server_tells_no_language_reads_the_posts_in_their_own(club: Club) -> None:
    """Discord reports American English of every server that is no Community."""
    manages = discord.Permissions(manage_guild=True, send_messages=True, view_channel=True)
    role = club.guild.create_role("Managers", permissions=manages)
    club.backend.add_member_role(club.guild.id, club.members["hanako"].id, role.id)
    ours, english = club.words("hanako"), club.words("alice")
    choices = await posts_page(club, "hanako")
    assert ours("posts.in_another", language="English") in choices.text
    start = await club.slash("hanako", "setup")
    form = await club.ask("hanako", start, start.find("po_form"))
    answer = await club.send("hanako", form, {ours("posts.form_channel"): [club.channel]})
    assert ours("posts.in_another", language="English") not in answer.text
    await club.bot.services.club_pages.done()
    (page,) = (screen for screen in club.public() if screen.has("ranks"))
    assert ours("club.no_tables") in page.text
    # The choice of another manager takes effect, and the open page follows.
    await enter_in_setup(club, "alice", "language", ["en"])
    await club.bot.services.club_pages.done()
    assert english("club.no_tables") in page.text


@in_turn("name", "bob", "hanako")
async def test_only_the_chosen_role_opens_tables_and_everybody_practises(club: Club, name: str) -> None:
    role = club.guild.create_role("Hosts")
    await enter_in_setup(club, "alice", "host role", [role])
    answer = await club.slash(name, "ofc play")
    assert answer.text == refusal(Refused(TableReason.MAY_NOT_HOST, role=str(role.id)), club.words(name))
    assert f"<@&{role.id}>" in answer.text
    await club.slash(name, "ofc practice")
    assert (await club.look()).table.terms.practice
    await club.slash("alice", "ofc play")
    assert len(await club.play.open_tables(guild_of(club))) == 2
    await enter_in_setup(club, "alice", "host role", [])
    await club.slash(name, "ofc play")
    assert len(await club.play.open_tables(guild_of(club))) == 3


def told(club: Club, role: int) -> list[str]:
    """Return the messages that have pinged the role."""
    return [str(sent.body) for sent in club.watch.sent if str(role) in sent.notified_roles]


async def test_the_chosen_role_is_told_of_a_new_table_once_and_of_nothing_else(club: Club) -> None:
    role = club.guild.create_role("Players", mentionable=True)
    page = await enter_in_setup(club, "alice", "told role", [role])
    assert "⚠️" not in page.text
    await club.slash("bob", "ofc practice")
    assert told(club, role.id) == []
    await club.slash("bob", "ofc play")
    assert len(told(club, role.id)) == 1
    assert club.words()("lobby.told", role=f"<@&{role.id}>") in club.table_screen(2).text
    await club.press("hanako", club.table_screen(2), club.table_screen(2).find("join"))
    await club.press("bob", club.table_screen(2), club.table_screen(2).find("start"))
    assert len(told(club, role.id)) == 1


async def test_a_role_that_cannot_be_mentioned_is_pointed_out(club: Club) -> None:
    role = club.guild.create_role("Silent")
    club.forbid("mention_everyone")
    page = await enter_in_setup(club, "alice", "told role", [role])
    assert club.words("alice")("setup.told_role_silent", role=f"<@&{role.id}>") in page.text


async def test_everybody_is_no_role_to_tell(club: Club) -> None:
    page = await club.slash("alice", "setup")
    await enter(club, "alice", page, "told role", [])
    assert (await chosen(club)).told_role is None


@pytest.mark.parametrize(
    ("custom_id", "values", "expected"),
    [
        ("s1:su_language:0:0:0:::", ["ja"], {"language": "ja"}),
        ("s1:su_channels:0:0:0:::", ["here"], {"channels": "here"}),
        ("s1:su_game:0:0:0:::", ["classic"], {"game": PRESETS["classic"]}),
        ("s1:su_game:0:0:0:::own", ["classic"], {"game": PRESETS["classic"]}),
        ("s1:su_pace:0:0:0:::", ["live"], {"pace": Pace.LIVE, "turn_seconds": None}),
        ("c1:su_threads:0:1:0:::", None, {"threads": True}),
        ("c1:su_threads:0:0:0:::", None, {"threads": False}),
        ("c1:su_words:0:1:0:::", None, {"in_words": True}),
        ("c1:su_words:0:0:0:::", None, {"in_words": False}),
        ("s1:su_host:0:0:0:::", ["role"], {"host_role": "role"}),
        ("s1:su_told:0:0:0:::", ["role"], {"told_role": "role"}),
        ("s1:su_told:0:0:0:::", [], {"told_role": None, "told_role_by": None}),
        ("s1:su_language:0:0:0:::", [], {}),
        ("s1:su_pace:0:0:0:::", [], {}),
    ],
)
async def test_menus_and_switches_of_older_pages_still_work(
    club: Club, custom_id: str, values: list[str] | None, expected: dict[str, Any]
) -> None:
    role = club.guild.create_role("Players", mentionable=True)
    ids = {"here": club.channel.id, "role": role.id}
    held = ServerSettings(
        language="en", pace=Pace.PER_TURN, turn_seconds=30, told_role=role.id, told_role_by=club.player("alice")
    )
    held = replace(held, threads=custom_id == "c1:su_threads:0:0:0:::", in_words=custom_id == "c1:su_words:0:0:0:::")
    held = await club.play.choose_for_server(guild_of(club), lambda before: held)
    page = await club.slash("alice", "setup")
    sent = None if values is None else [str(ids.get(value, value)) for value in values]
    press = forged_press(club, "alice", page, custom_id, values=sent)
    await deliver(press)
    assert press.answers[0].has("su_stakes"), "the page as it is now"
    wanted: dict[str, Any] = {
        name: ids.get(value, value) if isinstance(value, str) else value for name, value in expected.items()
    }
    wanted |= {"channels": (club.channel.id,)} if "channels" in wanted else {}
    assert await chosen(club) == replace(held, **wanted)


# Topics


@in_turn("name", "alice", "hanako")
async def test_a_line_and_a_button_stand_for_each_topic(club: Club, name: str) -> None:
    manager(club, name)
    words, page = club.words(name), await club.slash(name, "setup")
    titles = [words(topic.title) for topic in TOPICS]
    assert page.labels() == titles
    lines = page.text.splitlines()
    assert [line for line in lines if line.startswith("**")] == [
        line for line, title in zip(lines[2:], titles, strict=True) if f"**{title}**" in line
    ]
    for topic in TOPICS:
        message = ResponseMessage(club.world.env, page.message)
        shown = await club.members[name].click(message, custom_id=page.find(topic.verb)["custom_id"])
        assert shown.modal is not None or topic.verb in ("season_page", "house", "su_doctor")
        if shown.modal is not None:
            assert len(shown.modal["components"]) <= 5
        else:
            page = await club.slash(name, "setup")


@pytest.mark.parametrize(
    ("typed", "verb"),
    [
        ("Tables", "su_basics"),
        ("卓", "su_basics"),
        ("clock", "su_basics"),
        ("channel", "su_basics"),
        ("持ち時間", "su_basics"),
        ("roles", "su_roled"),
        ("time zone", "su_zoned"),
        ("bank", "bank_written"),
        ("rules for", "bank_needed"),
        ("start a season", "season_begun"),
        ("名前と画像", "su_looks"),
        ("club page", "po_formed"),
    ],
)
@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_a_topic_is_typed_by_any_part_of_its_name_in_any_language(
    club: Club, name: str, typed: str, verb: str
) -> None:
    manager(club, name)
    form = await club.command_form(name, "setup", topic=typed)
    assert form.modal is not None
    assert form.modal["custom_id"].startswith(f"m1:{verb}:")


async def test_a_topic_that_fits_none_or_several_is_asked_back_with_the_names(club: Club) -> None:
    words = club.words("alice")
    unknown = await club.slash("alice", "setup", topic="weather")
    assert all(words(topic.title) in unknown.text for topic in TOPICS)
    several = await club.slash("alice", "setup", topic="eason")
    assert all(words(f"season.{name}") in several.text for name in ("start", "title"))
    offered = await club.members["alice"].autocomplete(club.channel, "setup", "topic", "")
    assert [choice["value"] for choice in offered] == [words(topic.title) for topic in TOPICS]
    further = await club.members["alice"].autocomplete(club.channel, "setup", "topic", "sep")
    assert [choice["value"] for choice in further] == [words("posts.apart")]


async def test_what_does_not_fit_into_a_form_is_behind_more_on_its_answer(club: Club) -> None:
    words, page = club.words("alice"), await club.slash("alice", "setup")
    for ask, verb, said in (
        ("bank_change", "bank_needs", "bank.terms.title"),
        ("su_stakes", "su_templates", "setup.topic.tables"),
    ):
        assert not page.has(verb)
        answer = await club.send("alice", await club.ask("alice", page, page.find(ask)))
        assert words("setup.saved", topic=words(said)) in answer.text
        assert answer.has(verb)
    templates = await club.tap("alice", answer, answer.find("su_templates"))
    assert words("template.none") in templates.text
    assert templates.has("set_up"), "there's a way back"


async def test_buttons_and_forms_of_an_older_page_lead_to_the_page_as_it_is(club: Club) -> None:
    page = await club.slash("alice", "setup")
    for custom_id in ("c1:su_places:0:0:0:::",):
        press = forged_press(club, "alice", page, custom_id)
        await deliver(press)
        assert press.answers[0].has("su_stakes")
    form = forged_form(club, "alice", page, "m1:su_placed:0:0:0:::", [str(club.channel.id), "1"])
    await deliver(form)
    assert form.answers[0].has("su_stakes")
    assert await chosen(club) == ServerSettings()


async def test_the_role_that_organises_is_chosen_with_the_other_roles(club: Club) -> None:
    role = club.guild.create_role("Hosts")
    page = await enter_in_setup(club, "alice", "organiser role", [role])
    assert club.words("alice")("setup.organisers.role", role=f"<@&{role.id}>") in page.text
    assert (await chosen(club)).organiser_role == role.id
    await enter_in_setup(club, "alice", "organiser role", [])
    assert (await chosen(club)).organiser_role is None


# The check


@in_turn("reader", "bob", "hanako")
async def test_the_check_names_what_is_missing_what_it_costs_and_how_it_is_mended(club: Club, reader: str) -> None:
    words = club.words(reader)
    manager(club, reader)
    club.forbid("send_messages", "attach_files")
    page = await club.slash(reader, "setup")
    shown = await club.tap(reader, page, page.find("su_doctor"))
    assert words("doctor.title", channel=f"<#{club.channel.id}>") in shown.text
    for name, kind in (("send_messages", "needed"), ("attach_files", "useful")):
        said = words(
            f"doctor.{kind}",
            name=words(f"permission.{name}"),
            use=words(f"permission_use.{name}"),
            cost=words(f"permission_cost.{name}"),
        )
        assert said in shown.text
    names = words.list([words("permission.send_messages"), words("permission.attach_files")])
    assert words("doctor.in_channel", bot="Chaipo", names=names) in shown.text
    assert "oauth2/authorize" in shown.text
    club.forbid()
    well = await club.tap(reader, shown, shown.find("set_up"))
    well = await club.tap(reader, well, well.find("su_doctor"))
    assert words("permission_cost.attach_files") not in well.text


async def test_the_check_says_what_a_bot_that_reads_no_history_cannot_know_after_a_crash(club: Club) -> None:
    words = club.words("alice")
    assert words("doctor.no_history") not in (await club.slash("alice", "setup", topic="permissions")).text
    club.forbid("read_message_history")
    shown = await club.slash("alice", "setup", topic="permissions")
    assert words("doctor.no_history") in shown.text
    assert words("doctor.well") in shown.text, "it is needed for nothing else"


async def test_another_channel_is_checked_by_name(club: Club) -> None:
    room = club.guild.create_text_channel("poker")
    club.forbid("send_messages")
    here = await club.slash("alice", "setup", topic="status")
    chosen_room: list[Any] = [room]
    answer = await club.choose("alice", here, here.find("su_check"), chosen_room)
    assert f"<#{room.id}>" in answer.text
    assert club.words("alice")("permission_cost.send_messages") not in answer.text
    message = ResponseMessage(club.world.env, answer.message)
    menu = answer.find("su_check")
    sent = await club.members["alice"].select(message, [club.channel], custom_id=menu["custom_id"])
    found = await club._answer(sent)  # noqa: SLF001
    assert found is not None
    assert club.words("alice")("permission_cost.send_messages") in found.text


async def test_what_discord_says_of_a_channel_goes_before_what_the_bot_remembers(club: Club) -> None:
    room = club.guild.create_text_channel("poker")
    page = await club.slash("alice", "setup", topic="permissions")
    press = forged_press(club, "alice", page, page.find("su_check")["custom_id"], values=[str(room.id)])
    allowed = discord.Permissions.all()
    allowed.update(create_events=False)
    told = {"id": str(room.id), "name": "poker", "type": 0, "app_permissions": str(allowed.value)}
    press.payload["data"]["resolved"] = {"channels": {str(room.id): told}}
    await deliver(press)
    words = club.words("alice")
    assert words("permission_cost.create_events") in press.said
    assert words("permission_cost.manage_roles") not in press.said


@pytest.mark.parametrize(
    ("name", "typed", "zone"), [("alice", "new york", "America/New_York"), ("hanako", "Asia/Seoul", "Asia/Seoul")]
)
async def test_one_time_zone_of_the_server_is_chosen_for_times_typed_and_for_posts(
    club: Club, name: str, typed: str, zone: str
) -> None:
    manager(club, name)
    words, services, guild = club.words(name), club.bot.services, guild_of(club)
    await services.bulletins.change(
        guild, BulletinKind.MORNING, lambda before: replace(before, channel=club.channel.id, zone="UTC")
    )
    page = await club.slash(name, "setup")
    assert words("setup.zone_usual") in page.text

    async def write_zone(shown: Screen, text: str) -> Screen:
        form = await club.ask(name, shown, shown.find("su_zone"))
        return await club.send(name, form, {words("hours.zone.form_field"): text})

    refused = await write_zone(page, "Atlantis")
    assert words("hours.zone.unknown", typed="Atlantis") in refused.text
    assert refused.text.count("Nothing") <= 1, "it's said once that nothing was saved"
    assert (await chosen(club)).zone == ""
    page = await write_zone(refused, typed)
    assert zone_name(zone, words) in page.text
    assert (await chosen(club)).zone == zone
    assert (await services.bulletins.of(guild, BulletinKind.MORNING)).zone == zone
    assert (await services.bulletins.of(guild, BulletinKind.RECAP)).channel is None
    page = await write_zone(await club.slash(name, "setup"), "")
    assert (await chosen(club)).zone == ""
    assert (await services.bulletins.of(guild, BulletinKind.MORNING)).zone == "UTC"
