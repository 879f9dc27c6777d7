"""Outside servers: practice, own hands, files and profile in direct messages and by user installation."""

from __future__ import annotations

from typing import Any

import pytest

from bot.chat.clockwork import Departures
from bot.model.ids import GuildId, TableId, TableKey
from tests.discord.club import Club, Screen, plain_letters
from tests.discord.forge import deliver, forged_command, forged_press

ELSEWHERE = 987654321987654321
"""A server that the bot has never been in."""


class Outside:
    """Alice in a place without a server of the bot, using her own installation."""

    def __init__(self, club: Club, context: int, *, elsewhere: int = 0, who: str = "alice") -> None:
        self.club = club
        self.who = who
        self.said: dict[str, Any] = {
            "authorizing_integration_owners": {"1": str(club.members[who].id)},
            "context": context,
        }
        if elsewhere:
            self.said |= {
                "guild_id": str(elsewhere),
                "guild": {"id": str(elsewhere), "features": [], "locale": "en-US"},
            }
        self.guild = context == 0
        club.watch.outside = [GuildId(0)]

    async def slash(self, command: str, **more: Any) -> Screen:
        """Type a command; returns the private answer."""
        typed = forged_command(self.club, self.who, command, guild=self.guild, **more)
        typed.payload |= self.said
        await deliver(typed)
        assert typed.acknowledged
        await self.club.watch.look()
        return typed.answers[-1]

    async def press(self, screen: Screen, custom_id: str, *, values: list[str] | None = None) -> Screen:
        """Press a button, or choose in a menu; returns the answer."""
        pressed = forged_press(self.club, self.who, screen, custom_id, values=values, guild=self.guild)
        pressed.payload |= self.said
        await deliver(pressed)
        assert pressed.acknowledged
        await self.club.watch.look()
        return pressed.answers[-1]

    async def tap(self, screen: Screen, verb: str, argument: str | None = None) -> Screen:
        """Press the button that does this."""
        return await self.press(screen, screen.find(verb, argument)["custom_id"])


PLACES = pytest.mark.parametrize("context", [0, 1], ids=["a server that the bot is not in", "direct messages"])


async def practise(alice: Outside, key: TableKey) -> Screen:
    """Play a hand against the computer to its end; returns its result."""
    panel = await alice.tap(await alice.slash("ofc help"), "practise")
    while True:
        view = await alice.club.play.look(key, alice.club.player("alice"))
        if view.hand is None or view.hand.over or view.hand.mine is None:
            return panel
        if alice.club.player("alice") in view.waiting:
            for letter in plain_letters(view).replace("D", ""):  # The card left over is discarded.
                panel = await alice.tap(panel, "row", letter)
            panel = await alice.tap(panel, "confirm")
        await alice.club.pass_time(2)


@PLACES
async def test_practice_is_played_replayed_reviewed_and_taken_along_as_a_file(club: Club, context: int) -> None:
    alice = Outside(club, context)
    key = TableKey(guild=GuildId(0), table=TableId(1))
    result = await practise(alice, key)
    assert result.has("next_hand")
    about = result.find("review")["custom_id"]
    assert club.public() == [], "nobody else reads anything of it"
    again = await alice.tap(result, "next_hand")
    assert (await club.play.look(key)).table.hand_no == 2
    assert again.id == result.id
    profile = await alice.slash("ofc profile")
    hands = await alice.press(profile, profile.find("pf_part")["custom_id"], values=["hands"])
    replay = await alice.press(hands, hands.find("hist_open")["custom_id"], values=["1/1"])
    assert replay.has("rp_next")
    file = await alice.tap(replay, "rp_file")
    assert [one["filename"] for one in file.message.attachments] == ["chaipo-1-1.phh"]
    review = await alice.press(result, about)
    assert review.text
    refused = club.words("alice")("gate.only_in_servers")
    assert refused not in f"{hands.text}{replay.text}{file.text}{review.text}"


async def test_a_hand_in_direct_messages_goes_on_after_a_restart_and_is_of_no_server_that_was_left(club: Club) -> None:
    alice, key = Outside(club, 1), TableKey(guild=GuildId(0), table=TableId(1))
    panel = await alice.tap(await alice.slash("ofc help"), "practise")
    await club.restart()
    assert (await club.play.look(key)).table.open
    assert (await alice.tap(panel, "row", "F")).id == panel.id
    departures = Departures(club.bot, club.bot.services.privacy)
    await departures.look()
    known = await club.disk.read(lambda connection: connection.execute("SELECT left_at FROM server").fetchall())
    assert not [row for row in known if row[0] is not None]


async def left(club: Club) -> list[int]:
    """The servers that the bot takes itself to have left."""
    await Departures(club.bot, club.bot.services.privacy).look()
    rows = await club.disk.read(
        lambda connection: connection.execute("SELECT guild_id, left_at FROM server").fetchall()
    )
    return [row[0] for row in rows if row[1] is not None]


async def test_what_is_practised_where_the_bot_never_was_is_of_no_server_that_was_left(club: Club) -> None:
    alice = Outside(club, 0, elsewhere=ELSEWHERE)
    await alice.tap(await alice.slash("ofc help"), "practise")
    tables = await club.disk.read(lambda connection: connection.execute("SELECT guild_id FROM game_table").fetchall())
    assert [row[0] for row in tables] == [0]
    assert await left(club) == []
    panel = await Outside(club, 1).tap(await Outside(club, 1).slash("ofc help"), "practise")
    assert panel.has("row"), "the same table goes on in direct messages"
    assert len(await club.disk.read(lambda connection: connection.execute("SELECT * FROM game_table").fetchall())) == 1


async def test_others_than_the_owner_of_the_app_reach_no_server_by_its_messages(club: Club) -> None:
    alice, bob = Outside(club, 0, elsewhere=ELSEWHERE), Outside(club, 0, elsewhere=ELSEWHERE, who="bob")
    hub, refused = await alice.slash("ofc help"), club.words("bob")("gate.only_in_servers")
    bob.said = alice.said
    for press in ("c1:open:0:0:0:::", "c1:records:0:0:0:::", "c1:play:0:0:0:::"):
        assert (await bob.press(hub, press)).text == refused, press


@PLACES
async def test_what_needs_a_server_is_refused_where_the_bot_is_no_member(club: Club, context: int) -> None:
    alice, refused = Outside(club, context), club.words("alice")("gate.only_in_servers")
    for command in ("ofc leaderboard", "ofc play"):
        assert (await alice.slash(command)).text == refused, command
    hub = await alice.slash("ofc help")
    for press in ("c1:open:0:0:0:::", "c1:records:0:0:0:::", "c1:rp_show:1:1:0:::", "c1:again:1:0:0:::"):
        assert (await alice.press(hub, press)).text == refused, press
    assert await club.play.open_tables(GuildId(club.guild.id)) == []


async def test_one_s_own_profile_is_read_outside_as_it_is_in_a_server(club: Club) -> None:
    alice, words = Outside(club, 1), club.words("alice")
    assert (await alice.slash("ofc profile")).text == words("profile.nowhere")
    await club.open_table("alice", "bob")
    await club.type_hand()
    page = await alice.slash("ofc profile")
    assert words("profile.in_server", server=club.guild.name) in page.text
    menu = page.find("pf_server")
    assert [one["value"] for one in menu["options"]] == [str(club.guild.id)]
    for value in (str(club.guild.id), "1", "x"):
        again = await alice.press(page, menu["custom_id"], values=[value])
        assert words("profile.in_server", server=club.guild.name) in again.text
    verbs = {control["custom_id"].split(":")[1] for control in page.controls()}
    assert verbs == {"pf_part", "pf_server", "mistakes"}, "no button leads into a server that is elsewhere"
