"""The seats of a table: one private list, and the way back into the game where its player looks."""

import sqlite3
from pathlib import Path

import pytest

from bot.chat.table.screens.seats_screen import player_argument
from bot.model.bank import Action
from bot.model.ids import EVERYTHING, GuildId
from bot.model.limits import MAX_MISSED_HANDS
from bot.model.tables import TableState
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen, open_club, sit_and_go_of_two
from tests.discord.forge import forge
from tests.in_turn import in_turn

PEOPLE = ["bob", "hanako"]


async def seats_of(club: Club, name: str) -> Screen:
    """Return the screen behind the table's button."""
    return await club.tap(name, club.table_screen(), club.table_screen().find("seats"))


async def press(club: Club, name: str, screen: Screen, key: str, **values: str | int) -> None:
    """The button that is called so in a list of seats, which stays the same message."""
    shown = await club.click(name, screen, club.words(name)(key, **values))
    assert shown is None or shown.id == screen.id


async def bust(club: Club, name: str) -> None:
    """All chips of a player go to Alice, as if in a hand."""
    stack = (await club.look(1, name)).mine.stack  # type: ignore[union-attr]
    await transactions_of(club.play).write(
        lambda s: s.tx.ledger.pay(
            club.key(), payer=club.player(name), payee=club.player("alice"), chips=stack, hand_no=99, at=s.now
        )
    )


@pytest.mark.parametrize("name", PEOPLE)
async def test_who_busts_is_offered_a_rebuy_where_they_look_and_the_table_goes_on(club: Club, name: str) -> None:
    words = club.words(name)
    await club.open_table("alice", name)
    await club.type_hand()
    await bust(club, name)
    await club.pass_time(13)
    assert (await club.look()).table.state is TableState.LOBBY
    panel = await club.slash(name, "hand")
    assert words("seats.broke") in panel.text
    said = await club.play.wallet(club.key().guild, club.player(name))
    await club.click(name, panel, words("seats.button.rebuy"))
    assert words("seats.broke") not in panel.text
    assert await club.play.wallet(club.key().guild, club.player(name)) == said - 1_000
    assert (await club.look()).table.state is TableState.BETWEEN
    await club.pass_time(13)
    assert (await club.look()).table.hand_no == 2
    assert words("chips.kind.rebuy", table=1) in (await club.slash(name, "ofc profile", show="chips")).text


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_result_offers_the_rebuy_and_who_is_short_is_told_how_to_get_chips(club: Club, name: str) -> None:
    words, guild = club.words(name), club.key().guild
    await club.open_table("alice", name)
    await club.bot.services.bank.change_chips(
        guild, club.player("alice"), club.player(name), Action.SET, 10, "a test", cause="a test"
    )
    await bust(club, name)
    await club.type_hand()
    (result,) = [screen for screen in club.public() if screen.has("rebuy")]
    refused = await forge(club, "alice", result, result.find("rebuy")["custom_id"])
    assert club.words("alice")("refused.has_chips", have="…").split("…")[0] in refused.said
    short = await club.tap(name, result, result.find("rebuy"))
    assert words("refused.wallet_short", need=200, have=10) in short.text
    await club.click(name, short, words("bank.refill", chips=words.signed(1_990)))
    again = await club.tap(name, result, result.find("rebuy"))
    assert words("seats.broke") not in again.text
    assert (await club.look(1, name)).mine.stack == 1_000  # type: ignore[union-attr]


@pytest.mark.parametrize("name", PEOPLE)
async def test_the_list_of_seats_does_all_that_a_seat_can_do(club: Club, name: str) -> None:
    words = club.words(name)
    await club.open_table("alice", name)
    seats = await seats_of(club, name)
    posts = len(club.public())
    assert words("seats.yours_with_chips", seat=2, chips="1,000", wallet="9,000") in seats.text
    await press(club, name, seats, "seats.button.sit_out")
    assert words("seats.out_next") in seats.text
    assert words("seats.kept", count=MAX_MISSED_HANDS) in seats.text
    assert club.words()("table.out_next") in club.table_screen().text
    await press(club, name, seats, "button.stay")
    assert words("lobby.stays", table=1) in seats.text
    await club.choose(name, seats, seats.find("sit"), ["2"])
    assert words("seats.moves", seat=3) in seats.text
    assert len(club.public()) == posts
    await club.type_hand()
    await club.pass_time(13)
    assert [place.seat.number for place in (await club.look()).places] == [0, 2]
    place = (await club.look(1, name)).mine
    assert place is not None
    loser = name if place.stack < 1_000 else "alice"
    seats = await club.slash(loser, "ofc table", do="seats 1")
    stack = (await club.look(1, loser)).mine.stack  # type: ignore[union-attr]
    told = club.words(loser)
    if stack < 1_000:
        await press(club, loser, seats, "seats.button.top_up_to", chips=told.number(1_000))
        assert told("seats.tops_up", chips="1,000") in seats.text
    seats = await club.slash(name, "ofc table", do="seats")
    await press(club, name, seats, "button.leave")
    assert words("seats.leaves") in seats.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_the_host_hands_over_and_removes_and_nobody_else_does(club: Club, name: str) -> None:
    words = club.words(name)
    await club.slash("alice", "ofc play")
    await club.press(name, club.table_screen(), club.table_screen().find("join"))
    host = await seats_of(club, "alice")
    await club.choose("alice", host, host.find("seat_of"), [player_argument(club.player(name))])
    make_host = host.find("make_host")["custom_id"]
    refused = await forge(club, name, club.table_screen(), make_host)
    assert refused.said == words("refused.not_host", player=club.members["alice"].mention)
    await press(club, "alice", host, "seats.button.make_host")
    assert (await club.look()).table.host == club.player(name)
    assert host.has("seat_of"), "she manages the server"

    mine = await seats_of(club, name)
    await club.choose(name, mine, mine.find("seat_of"), [player_argument(club.player("alice"))])
    assert words("seats.about") in mine.text
    await press(club, name, mine, "seats.button.remove")
    assert words("seats.said.removed") in mine.text
    assert await club.play.wallet(club.key().guild, club.player("alice")) == 10_000
    again = await forge(club, "alice", club.table_screen(), club.table_screen().find("join")["custom_id"])
    assert again.said == club.words("alice")("refused.removed")
    assert club.words("alice")("seats.removed") in (await seats_of(club, "alice")).text


async def test_the_list_of_seats_is_that_of_the_table_where_one_may_choose_a_seat(club: Club) -> None:
    """This includes the time in which an event's table in the same channel waits for the viewer's cards."""
    guild = GuildId(club.guild.id)
    await sit_and_go_of_two(club, "Night", "alice", "bob")
    await club.slash("alice", "ofc play")
    tables = await club.play.tables_of(guild, club.player("alice"))
    assert [table.cash for table in tables] == [False, True]
    seats = await club.slash("alice", "ofc table", do="seats")
    wallet = await club.play.wallet(guild, club.player("alice"))
    assert club.words()("seats.yours_with_chips", seat=1, chips="1,000", wallet=f"{wallet:,}") in seats.text
    watched = await club.slash("hanako", "ofc table", do=f"seats {tables[0].key.table}")
    assert club.words("hanako")("seats.none_of_event") in watched.text
    assert not watched.has("sit")
    assert not watched.has("join")
    assert "**Night**" in watched.text, "whose seats they are"
    mine = await club.slash("alice", "ofc table", do=f"seats {tables[0].key.table}")
    assert not mine.has("seat", "cancel"), "an event's table is the event's"


@pytest.mark.parametrize("name", PEOPLE)
async def test_who_had_to_stand_up_for_missing_hands_is_told_when_they_are_back(club: Club, name: str) -> None:
    words = club.words(name)
    await club.open_table("alice", name, *(one for one in PEOPLE if one != name))
    seats = await seats_of(club, name)
    await press(club, name, seats, "seats.button.sit_out")
    await club.type_hand()
    await club.pass_time(13)

    def miss(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE seat SET out_since = out_since - ? WHERE out_since IS NOT NULL", [MAX_MISSED_HANDS])

    await club.disk.write(miss)
    club.bot.clockwork.timekeeper.forget(EVERYTHING)
    await club.type_hand()
    await club.pass_time(13)
    assert (await club.look(1, name)).mine is None
    games = await club.slash(name, "ofc table", do="mine")
    assert words("away.lost_seat", table=1) in games.text
    assert (await club.slash(name, "hand")).text == words("refused.lost_seat", table=1)
    await club.pass_time(1)
    await club.slash(name, "ofc play")
    assert words("away.lost_seat", table=1) not in (await club.slash(name, "ofc table", do="mine")).text


@in_turn("name", "alice", "hanako")
async def test_a_host_decides_in_the_list_of_seats_whether_others_watch(tmp_path: Path, name: str) -> None:
    async with open_club(tmp_path, page_url="https://chaipo.example") as club:
        words = club.words(name)
        await club.open_table(name, "bob")
        guest = await club.slash("bob", "ofc table", do="seats")
        assert club.words("bob")("page.unwatch") not in guest.labels()
        seats = await club.slash(name, "ofc table", do="seats")
        assert words("seats.watched") in seats.text
        old = seats.find("seat", argument="unwatch")
        await press(club, name, seats, "page.unwatch")
        assert words("seats.unwatched") in seats.text
        assert not (await club.look()).table.watched
        refused = await forge(club, "bob", guest, old["custom_id"].replace("unwatch", "let_watch"))
        assert club.words("bob")("refused.not_host", player=club.members[name].mention) in refused.said
        assert not (await club.look()).table.watched
        await press(club, name, seats, "page.let_watch")
        assert (await club.look()).table.watched


async def test_where_there_are_no_pages_nobody_is_asked_about_watching(club: Club) -> None:
    await club.open_table("alice", "bob")
    seats = await club.slash("alice", "ofc table", do="seats")
    assert club.words()("seats.watched") not in seats.text
    assert club.words()("page.unwatch") not in seats.labels()


@pytest.mark.parametrize("name", PEOPLE)
async def test_manage_on_an_open_list_is_answered_once_one_hosts_no_more(club: Club, name: str) -> None:
    words = club.words(name)
    await club.slash(name, "ofc play")
    await club.press("alice", club.table_screen(), club.table_screen().find("join"))
    first, second = await seats_of(club, name), await seats_of(club, name)
    await club.choose(name, first, first.find("seat_of"), [player_argument(club.player("alice"))])
    await club.click(name, first, words("seats.button.make_host"))
    assert (await club.look()).table.host == club.player("alice")
    if name == "hanako":  # the others manage the server
        refused = await club.choose(name, second, second.find("seat_of"), [player_argument(club.player("alice"))])
        assert refused.text == words("refused.not_host", player=club.members["alice"].mention)
