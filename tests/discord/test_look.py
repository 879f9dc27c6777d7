"""The bot's name and picture in a server: permissions, and refusals."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.chat.club.screens.setup import DEFAULT_PICTURE, MAX_PICTURE_BYTES
from tests.discord.club import Club, Screen
from tests.discord.forge import deliver, forged_form
from tests.in_turn import in_turn

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 64


async def look(club: Club, who: str, answer: Screen | None = None, **values: Any) -> Screen:
    """Fill in the form."""
    page, words = answer or await club.slash(who, "setup"), club.words(who)
    form = await club.ask(who, page, page.find("su_look"))
    return await club.send(who, form, {words(f"setup.look_{what}"): value for what, value in values.items()})


def nick(club: Club) -> str | None:
    """Return the bot's name in the server."""
    called: str | None = club.backend.get_member(club.guild.id, me(club)).nick
    return called


def me(club: Club) -> int:
    """The bot as Discord knows it."""
    assert club.bot.user is not None
    return club.bot.user.id


@in_turn("name", "alice", "hanako")
async def test_the_bot_is_called_in_a_server_as_its_managers_wish(club: Club, name: str) -> None:
    powers = discord.Permissions(manage_guild=True, manage_nicknames=True)
    role, words = club.guild.create_role("Managers", permissions=powers), club.words(name)
    club.backend.add_member_role(club.guild.id, club.members[name].id, role.id)
    said = await look(club, name, name=" チャイポ\nくん ")
    assert words("setup.look_changed") in said.text
    assert said.has("su_look"), "the page is there for the next choice"
    assert nick(club) == "チャイポ くん"
    same = await look(club, name, said)
    assert words("setup.look_same") in same.text
    assert words("setup.look_changed") not in same.text
    assert words("setup.look_changed") in (await look(club, name, same, name="")).text
    assert not nick(club)


async def test_nobody_renames_it_who_may_not_or_where_it_may_not(club: Club) -> None:
    role = club.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    club.backend.add_member_role(club.guild.id, club.members["bob"].id, role.id)
    refused = await look(club, "bob", name="Boss")
    assert club.words("bob")("setup.look_not_yours") in refused.text
    form = await club.ask("bob", refused, refused.find("su_look"))
    assert form.modal is not None
    assert form.modal["components"][0]["component"]["value"] == "Boss"
    denied = discord.Permissions(change_nickname=True).value
    own = Overwrite(target_id=me(club), type=OverwriteType.MEMBER, allow=0, deny=denied)
    club.backend.set_overwrite(club.channel.id, own)
    refused = await look(club, "alice", name="Boss")
    assert club.words("alice")("setup.look_no_power") in refused.text
    page = await club.slash("alice", "setup")
    await deliver(forged_form(club, "hanako", page, "m1:su_looks:0:0:0:::", ["Boss", "", ""]))
    await deliver(forged_form(club, "alice", page, "m1:su_looks:0:0:0:::", ["Boss"]))
    await deliver(forged_form(club, "alice", page, "m1:su_looks:0:0:0:::", ["", "123", ""]))
    assert not nick(club)


async def test_a_picture_is_sent_to_discord_for_this_server_alone(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []

    async def edit_my_member(guild: int, *, reason: str | None = None, **fields: Any) -> Any:
        """Set the bot's picture in a server, which SimCord doesn't model."""
        assert guild == club.guild.id
        sent.append(fields)
        if len(sent) > 2:
            answer = type("Answer", (), {"status": 400, "reason": "Bad Request"})()
            raise discord.HTTPException(answer, {"code": 50035, "message": "Invalid Form Body"})
        return await get_member(guild, me(club))

    get_member = club.bot.http.get_member
    monkeypatch.setattr(club.bot.http, "edit_my_member", edit_my_member)
    words = club.words("alice")
    assert words("setup.look_changed") in (await look(club, "alice", picture=("me.png", PNG))).text
    assert sent[0]["avatar"].startswith("data:image/png;base64,")
    assert words("setup.look_changed") in (await look(club, "alice", back=[DEFAULT_PICTURE])).text
    assert sent[1] == {"avatar": None}
    for bad in (("me.txt", b"no picture"), ("me.png", PNG + b"0" * MAX_PICTURE_BYTES)):
        refused = await look(club, "alice", name="The `King`", picture=bad)
        assert words("setup.look_bad_picture") in refused.text
        assert words("gate.form_kept_no_file") in refused.text
        assert not any(line.isdecimal() for line in refused.text.splitlines()), "nobody has typed the file's number"
        form = await club.ask("alice", refused, refused.find("su_look"))
        assert form.modal is not None
        assert form.modal["components"][0]["component"]["value"] == "The `King`"
    assert len(sent) == 2
    assert words("setup.look_refused") in (await look(club, "alice", picture=("me.png", PNG))).text
