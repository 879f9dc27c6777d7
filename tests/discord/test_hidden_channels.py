"""Hidden channels: no one can list, view, join or repost content of a channel that they can't see."""

from __future__ import annotations

import discord
from simcord import ChannelHandle
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.model.ids import EventKey
from tests.discord.club import Club, Screen, sit_and_go_of_two
from tests.discord.forge import deliver, forged_press
from tests.discord.test_event_form import page, publish
from tests.discord.test_given_roles import empower, put_out
from tests.discord.test_powers import make_host

READS = discord.Permissions(view_channel=True).value


def shut_out(club: Club, name: str, *, out: bool = True) -> None:
    """Hide the club's channel from a member, or show it again."""
    who = Overwrite(target_id=club.members[name].id, type=OverwriteType.MEMBER, allow=0, deny=READS if out else 0)
    club.backend.set_overwrite(club.channel.id, who)


async def typed(club: Club, who: str, where: ChannelHandle, command: str, /, **options: object) -> Screen:
    """Type a command in another channel."""
    answer = await club._answer(await club.members[who].slash(where, command, **options))  # noqa: SLF001
    assert answer is not None
    return answer


def hidden(club: Club, name: str) -> str:
    """Return the text that a member reads about hidden content."""
    return club.words(name)("refused.channel_hidden")


async def test_a_table_in_a_hidden_channel_is_neither_listed_nor_shown_nor_sat_at(club: Club) -> None:
    lounge = club.guild.create_text_channel("lounge")
    await club.slash("alice", "ofc play")
    listed = await typed(club, "bob", lounge, "ofc table", do="tables")
    assert club.channel.mention in listed.text, "who sees the channel reads of its tables"
    seats = await typed(club, "bob", lounge, "ofc table", do="seats 1")
    sit, join = seats.find("sit"), club.table_screen().find("join")
    shut_out(club, "bob")
    listed = await typed(club, "bob", lounge, "ofc table", do="tables")
    assert club.channel.mention not in listed.text
    shown = await typed(club, "bob", lounge, "ofc table", do="seats 1")
    assert club.words("bob")("acts.none", typed="seats 1") in shown.text
    assert not shown.has("sit", "join")
    for control in (sit, join):
        press = forged_press(club, "bob", seats, control["custom_id"])
        press.payload["channel_id"] = str(lounge.id)
        await deliver(press)
        assert press.said == hidden(club, "bob"), control["custom_id"]
    assert [place.seat.player for place in (await club.look()).places] == [club.player("alice")]
    shut_out(club, "bob", out=False)
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    assert len((await club.look()).places) == 2


async def test_who_sits_at_a_table_keeps_it_when_the_channel_closes_to_them(club: Club) -> None:
    lounge = club.guild.create_text_channel("lounge")
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    shut_out(club, "bob")
    assert club.channel.mention in (await typed(club, "bob", lounge, "ofc table", do="tables")).text
    assert (await typed(club, "bob", lounge, "ofc table", do="seats 1")).text != hidden(club, "bob")


async def test_results_and_replays_are_for_those_who_see_the_channel_or_have_played(club: Club) -> None:
    lounge = club.guild.create_text_channel("lounge")
    await club.open_table("alice", "bob")
    await club.type_hand()
    for name in ("hanako", "bob"):
        shown = await typed(club, name, lounge, "ofc result", table="1", hand="1")
        replay = await club.tap(name, shown, shown.find("replay"))
        post = replay.find("rp_show")
        shut_out(club, name)
        again = await typed(club, name, lounge, "ofc result", table="1", hand="1")
        check = forged_press(club, name, replay, "c1:verify:1:1:0:::")
        check.payload["channel_id"] = str(lounge.id)
        await deliver(check)
        if name == "hanako":
            assert again.text == hidden(club, name)
            assert check.said == hidden(club, name)
            step = forged_press(club, name, replay, shown.find("replay")["custom_id"])
            step.payload["channel_id"] = str(lounge.id)
            await deliver(step)
            assert step.said == hidden(club, name)
        else:
            assert again.text != hidden(club, name), "their own hands stay theirs"
        press = forged_press(club, name, replay, post["custom_id"])
        press.payload["channel_id"] = str(lounge.id)
        await deliver(press)
        assert press.said == hidden(club, name)
    public = [m for m in club.backend.messages.get(lounge.id, {}).values() if m.visible_to(None)]
    assert public == []


async def test_what_is_suggested_names_no_table_of_a_hidden_channel(club: Club) -> None:
    lounge, command, option = club.guild.create_text_channel("lounge"), "ofc result", "table"
    await club.open_table("alice", "bob", game="classic")
    await club.type_hand()
    hanako = club.members["hanako"]
    assert len(await hanako.autocomplete(lounge, command, option, "1")) == 1
    shut_out(club, "hanako")
    assert await hanako.autocomplete(lounge, command, option, "1") == []


async def test_an_event_in_a_hidden_channel_is_neither_listed_nor_entered(club: Club) -> None:
    lounge = club.guild.create_text_channel("lounge")
    await publish(club, await page(club, name="Night", when="in 3 hours"))
    assert "Night" in (await typed(club, "bob", lounge, "event", do="list")).text
    shut_out(club, "bob")
    assert "Night" not in (await typed(club, "bob", lounge, "event", do="list")).text
    for act in ("register", "show", "standings", "check-in", "withdraw", "log", "show 1", "Register · Night"):
        answer = await typed(club, "bob", lounge, "event", do=act)
        assert answer.labels() == ["List events", "What can I do"], act
    key = EventKey(guild=club.key().guild, number=1)
    assert (await club.bot.services.events.look(key)).lines == ()
    shut_out(club, "bob", out=False)
    await typed(club, "bob", lounge, "event", do="register 1")
    shut_out(club, "bob")
    assert "Night" in (await typed(club, "bob", lounge, "event", do="show 1")).text, "they are in it"


async def test_the_leaderboard_of_a_series_in_a_hidden_channel_is_for_those_who_are_on_it(club: Club) -> None:
    lounge = club.guild.create_text_channel("lounge")
    event = await sit_and_go_of_two(club, "Night", "alice", "bob", series="Vault")
    await put_out(club, event.key, "bob")
    for name in ("bob", "hanako"):
        assert await offered_series(club, name, lounge) == ["Vault"]
        assert (await typed(club, name, lounge, "event", do="series")).text == (
            await typed(club, name, lounge, "event", do="series", value="Vault")
        ).text
        shut_out(club, name)
        assert await offered_series(club, name, lounge) == []
        hidden = (await typed(club, name, lounge, "event", do="series")).text
        assert hidden.startswith(club.words(name)("event.series_table.none"))
        assert "Vault" not in hidden
    said = club.words("hanako")("refused.series_hidden", series="Vault")
    assert (await typed(club, "hanako", lounge, "event", do="series", value="Vault")).text.startswith(said)
    own = await typed(club, "bob", lounge, "event", do="series", value="Vault")
    assert club.words("bob")("event.series_table.title", series="Vault") in own.text, "they have played in it"


async def offered_series(club: Club, name: str, where: ChannelHandle) -> list[str]:
    """Return the series suggested to a member."""
    known = await club.members[name].autocomplete(where, "event", "value", "va", do="series")
    return [one["name"] for one in known]


async def test_no_event_joins_a_series_of_a_hidden_channel_or_is_made_like_one_in_it(club: Club) -> None:
    lounge = club.guild.create_text_channel("lounge")
    event = await sit_and_go_of_two(club, "Night", "alice", "hanako", series="Vault")
    await make_host(club, "bob")
    shut_out(club, "bob")
    unseen = await typed(club, "bob", lounge, "event", do=f"copy {event.key.number}")
    assert "Night" not in unseen.text
    there, club.channel = club.channel, lounge
    await club.draft("bob", name="Mine", preset="sit_and_go")
    club.channel = there
    draft = await club.bot.services.events.draft(club.key().guild, club.player("bob"))
    assert draft is not None
    await club.bot.services.events.save_draft(draft.guild, draft.organiser, {**draft.values, "series": "Vault"})
    # Publish answers for the terms on its page, and only a page opened now shows the series.
    shown = await typed(club, "bob", lounge, "event", do="create")
    assert "Vault" in shown.text
    refused = await club.press("bob", shown, shown.find("ev_form_publish"))
    assert refused is not None
    assert refused.text == club.words("bob")("refused.series_hidden", series="Vault")
    shut_out(club, "bob", out=False)
    published = await club.press("bob", shown, shown.find("ev_form_publish"))
    assert published is not None
    assert published.text == club.words("bob")("event.done.created", name="Mine", number=2)


async def test_a_manager_names_no_table_of_a_channel_hidden_from_them(club: Club) -> None:
    lounge = club.guild.create_text_channel("lounge")
    empower(club, "bob", manage_guild=True)
    await club.slash("alice", "ofc play")
    label = club.words("bob")("manage.field.table")
    shown = await club.members["bob"].slash(lounge, "manage", do="Save template", value="Ours")
    shut_out(club, "bob")
    answer = await club.send("bob", shown, {label: ["1"]})
    assert await club.bot.services.matchmaking.templates(club.key().guild) == []
    shut_out(club, "bob", out=False)
    again = await club.ask("bob", answer, answer.find("mg_act_ask"))
    answer = await club.send("bob", again, {label: ["1"]})
    assert answer.text == club.words("bob")("template.saved", name="Ours", table=1)
