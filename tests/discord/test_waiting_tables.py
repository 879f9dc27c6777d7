"""A table between hands with too few players: its message, and the buttons to continue."""

from dataclasses import replace

from bot.model.ids import GuildId
from bot.model.tables import TableState
from tests.discord.club import Club
from tests.in_turn import in_turn


async def sits_out_by_time_outs(club: Club, name: str, host: str) -> None:
    """Play a hand whose cards the clock places for a player."""
    while (seen := await club.look()).table.state is TableState.PLAYING:
        if seen.waiting[0] == club.player(name):
            await club.pass_time(61)
        else:
            await club.play_turn(host)


async def test_a_host_whose_partner_is_away_reads_what_the_next_hand_waits_for(japanese_club: Club) -> None:
    club = japanese_club
    words = club.words("hanako")
    await club.open_table("hanako", "bob")
    await club.open_panel("hanako")
    await sits_out_by_time_outs(club, "bob", "hanako")
    waits = words("stalled.out", players=club.shown("bob"), count=1)
    countdown = words("table.next_hand", when="@").split("@")[0]
    for told in (club.private("hanako")[-1], club.table_screen()):
        assert waits in told.text
        assert countdown not in told.text
    posts = club.requests("POST", f"/channels/{club.channel.id}/messages")
    await club.pass_time(13)
    assert (await club.look()).table.state is TableState.LOBBY
    # This costs one post. The button to continue and the panel are below the result.
    assert club.requests("POST", f"/channels/{club.channel.id}/messages") == posts + 1
    assert club.table_screen().id == club.public()[-1].id
    assert words("result.heading", hand=1, table=1) in club.public()[-2].text
    assert waits in club.table_screen().text
    verbs = [control["custom_id"].split(":")[1] for control in club.table_screen().controls()]
    assert verbs == ["join", "stay", "invite", "seats"], "one row on a phone"
    panel = club.private("hanako")[-1]
    assert waits in panel.text
    assert words("games.stalled") in (await club.slash("hanako", "ofc table", do="mine")).text
    await club.click("bob", club.table_screen(), words("button.stay"))
    assert countdown in panel.text
    await club.pass_time(13)
    assert (await club.look()).table.hand_no == 2


@in_turn("host", "alice", "hanako")
async def test_a_table_that_everybody_has_left_says_that_it_is_about_to_close(club: Club, host: str) -> None:
    words = club.words(host)
    await club.play.choose_for_server(
        GuildId(club.guild.id), lambda before: replace(before, language=words.language.code)
    )
    await club.open_table(host, "bob")
    await club.type_hand()
    await club.leave("bob")
    assert words("stalled.join") in club.table_screen().text, "one of them is still there"
    left = await club.leave(host)
    assert left is not None
    assert words("stalled.left") in club.table_screen().text
    assert words("stalled.join") not in club.table_screen().text
    await club.pass_time(13)
    assert (await club.look()).table.state is TableState.CLOSED


async def test_a_lobby_tells_its_players_what_the_first_hand_waits_for(club: Club) -> None:
    words = club.words("alice")
    await club.opens("alice", seats=3)
    assert (
        words("lobby.joined_host", table=1, start=club.words()("button.start"))
        in (await club.slash("alice", "hand")).text
    )
    joined = await club.click("bob", club.table_screen(), words("button.join"))
    assert joined is not None
    assert words("lobby.joined_ready", table=1, start=club.words()("button.start")) in joined.text
    assert words("lobby.may_start", table=1, start=club.words()("button.start")) in club.private("alice")[-1].text
