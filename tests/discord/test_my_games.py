"""Many tables at once: clocks, reminders, and outages of Discord."""

from dataclasses import replace

import pytest
from simcord import ResponseMessage

from bot.chat.club.screens.my_games import TABLES_PER_PAGE, my_games_screen
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, moment, table_link, text_length
from bot.chat.table.screens.lobby import pace_text, vacation_text
from bot.chat.table.screens.new_table import CLOCKS
from bot.model.clock import Clock, Pace
from bot.play.queries.views import Game, MissedEvents, TableExtras
from bot.text.clocks import parse_clock
from bot.text.event_structure import clock_text
from bot.text.words import escape_name
from tests.discord.club import Club, Screen, sit_and_go_of_two
from tests.discord.forms import settings_page, take_vacation
from tests.discord.messages import walk
from tests.in_turn import in_turn

SQLITE_FULL = 13


async def my_games(club: Club, name: str) -> Screen:
    """Return the first screen of ``/ofc table``."""
    return await club.slash(name, "ofc table", do="mine")


def pings(club: Club, name: str) -> list[dict[str, object]]:
    """Return the bodies of messages that have pinged a member."""
    return [sent.body for sent in club.watch.sent if club.player(name) in sent.notified]


# choosing a pace


@pytest.mark.parametrize(
    ("typed", "clock"),
    [
        ("", Clock(pace=Pace.PER_TURN, seconds=60)),
        ("90", Clock(pace=Pace.PER_TURN, seconds=90)),
        ("10m", Clock(pace=Pace.RELAXED, seconds=600)),
        ("1日12時間", Clock(pace=Pace.CORRESPONDENCE, seconds=129_600)),
        ("live", Clock(pace=Pace.LIVE, seconds=120)),
        ("Live 3 min", Clock(pace=Pace.LIVE, seconds=180)),
        ("ライブ３分", Clock(pace=Pace.LIVE, seconds=180)),
        ("relaxed 1h", Clock(pace=Pace.RELAXED, seconds=3600)),
        ("none", Clock(pace=Pace.NONE, seconds=0)),
        ("なし", Clock(pace=Pace.NONE, seconds=0)),
        ("じっくり", Clock(pace=Pace.CORRESPONDENCE, seconds=86_400)),
    ],
)
async def test_a_table_has_the_clock_that_was_typed_in_one_field(club: Club, typed: str, clock: Clock) -> None:
    await club.slash("alice", "ofc play", clock=typed)
    assert (await club.look()).table.terms.clock == clock


FITS = {"live 2h": "30秒～30分", "8 days": "1時間～7日", "5s": "10秒～4分59秒"}


@pytest.mark.parametrize(("typed", "fits"), FITS.items())
async def test_a_time_that_does_not_fit_is_refused_with_what_does(club: Club, typed: str, fits: str) -> None:
    answer = await club.slash("hanako", "ofc play", clock=typed)
    assert answer.text.startswith("時間は「30秒」")
    assert fits in answer.text
    assert await club.play.open_tables(club.key().guild) == []


@pytest.mark.parametrize("typed", ["soon", "none 5m", "live soon", "-"])
async def test_what_is_no_clock_is_refused_with_an_example(club: Club, typed: str) -> None:
    for name in ("alice", "hanako"):
        answer = await club.slash(name, "ofc play", clock=typed)
        assert answer.text == club.words(name)("refused.bad_clock")
    assert await club.play.open_tables(club.key().guild) == []


async def test_the_lobby_tells_the_pace(club: Club) -> None:
    await club.slash("alice", "ofc play", clock="live")
    words = club.words()
    assert words("lobby.pace.live", time="2 minutes", bank="1 minute") in club.table_screen().text


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_each_clock_that_is_suggested_is_the_one_that_it_is_read_as(club: Club, name: str) -> None:
    words, member = club.words(name), club.members[name]
    offered = await member.autocomplete(club.channel, "ofc play", "clock", "")
    assert [choice["name"] for choice in offered] == [clock_text(clock, words) for clock in CLOCKS]
    assert [parse_clock(choice["value"]) for choice in offered] == list(CLOCKS)
    (typed,) = await member.autocomplete(club.channel, "ofc play", "clock", "45秒")
    assert parse_clock(typed["value"]) == Clock(pace=Pace.PER_TURN, seconds=45)


async def test_no_time_is_suggested_that_would_be_refused(club: Club) -> None:
    for typed in ("8d", "live 2h", "3s", "soon"):
        assert await club.members["alice"].autocomplete(club.channel, "ofc play", "clock", typed) == [], typed


async def test_the_result_of_a_table_that_plays_is_that_of_the_last_finished_hand(club: Club) -> None:
    await club.open_table("alice", "bob")
    words = club.words("alice")
    assert (await club.slash("alice", "ofc result", table=1)).text == words("refused.not_revealed_yet", hand=1)
    await club.type_hand()
    await club.pass_time(13)
    assert (await club.look()).table.hand_no == 2
    assert words("result.heading", hand=1, table=1) in (await club.slash("alice", "ofc result", table=1)).text


async def test_names_in_the_menu_of_past_hands_are_known_after_a_restart(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.type_hand()
    await club.restart()
    shown = await club.slash("alice", "ofc profile", show="hands")
    menu = shown.find("hist_open")
    known = club.bot.services.faces.names.plain(club.key().guild, club.player("bob"), club.words("alice"))
    assert known
    assert known in menu["options"][0]["description"]


# my games


async def test_my_games_lists_what_waits_for_me_first_and_opens_my_hand_right_there(club: Club) -> None:
    await club.open_table("alice", "bob", clock="correspondence")
    await club.open_table("bob", "alice", "hanako")
    await club.slash("bob", "ofc play")
    first = await club.on_turn(1)
    other = "alice" if first == "bob" else "bob"
    games = await my_games(club, "bob")
    words = club.words("bob")
    assert words("games.title") in games.text
    for number in (1, 2, 3):
        assert f"Table {number} ·" in games.text
    panel = await club.press("bob", games, games.find("panel"))
    assert panel is not None
    assert panel.message.id == games.message.id, "the hand opens in place of the list"
    assert words("table.hand", hand=1) in panel.text
    assert "**your turn** · ⏳" in (await my_games(club, first)).text
    assert f"action on {club.members[first].mention}" in (await my_games(club, other)).text


@in_turn("name", "bob", "hanako")
async def test_a_game_is_told_with_all_that_one_has_forgotten_after_a_day(club: Club, name: str) -> None:
    words = club.words(name)
    await club.open_table("alice", name, clock="correspondence 1d")
    text = (await my_games(club, name)).text
    assert words("games.hand", hand=1) in text
    assert words("panel.street", street=1, streets=5) in text
    assert words("games.against", players=club.members["alice"].mention) in text
    assert pace_text(Clock(pace=Pace.CORRESPONDENCE, seconds=86_400), words) in text
    assert words("games.stack", chips="1,000") in text
    assert words("games.last", points="@").split("@")[0] not in text, "none has ended"
    await club.type_hand()
    (won,) = [one for one in (await club.play.result(club.key(), 1)).results if one.player == club.player(name)]
    text = (await my_games(club, name)).text
    assert words("games.last", points=words.signed(won.points)) in text
    assert words("games.stack", chips=words.number(1_000 + won.chips)) in text
    seats = club.bot.services.seating
    await seats.sit_out(club.key(), club.player(name), cause="out")
    assert words("games.out_next") in (await my_games(club, name)).text
    await club.play.leave(club.key(), club.player(name), cause="leave")
    assert words("games.leaves") in (await my_games(club, name)).text


async def test_in_direct_messages_the_games_of_all_servers_are_listed_by_urgency(club: Club) -> None:
    other = club.elsewhere("Another club")
    await club.open_table("alice", "bob", clock="correspondence 2d")
    await other.open_table("alice", "bob", clock="correspondence 1d")
    first = await club.on_turn(1)
    assert await other.on_turn(1) == first
    user = club.members[first].user
    answer = (await user.slash("ofc table", do="mine")).response
    assert answer is not None
    shown = Screen(club, answer.channel_id, answer.id)
    links = [part["url"] for part in walk(shown.components) if "url" in part]
    tables = [(await one.look(1)).table for one in (other, club)]
    assert links == [table_link(table) for table in tables], "the shorter time comes first"
    assert all(str(table.message) in link for table, link in zip(tables, links, strict=True))
    assert "Another club" in shown.text
    assert shown.text.count(club.words(first)("games.your_turn", until="@").split("@")[0]) == 2
    here = await my_games(club, first)
    assert "Another club" not in here.text
    assert shown.has("my_games"), "it can be looked at again"
    before = shown.text
    await user.click(ResponseMessage(club.world.env, shown.message), custom_id=shown.find("my_games")["custom_id"])
    assert shown.text == before


async def test_the_longest_lines_of_a_page_fit_into_one_message(club: Club) -> None:
    words = club.words("hanako")
    await club.open_table("alice", "hanako", "bob", clock="correspondence 1d12h")
    (game,) = await club.play.games_of(club.key().guild, club.player("hanako"))
    told = MissedEvents(placed=tuple((hand, 1) for hand in range(99)), points=(-1_234,) * 99, without=10)
    seats = [replace(place, seat=replace(place.seat, leaving=True, away=True)) for place in game.view.places]
    view = replace(game.view, places=tuple(seats))
    long = Game(view=view, beside=TableExtras(last=-1_234, missed=told))
    shown = my_games_screen([long] * 25, words, page=0, servers={club.key().guild: "W" * 100})
    assert text_length(shown) > 2_000, "there is something to be seen"
    assert text_length(shown) <= MAX_TEXT_LENGTH
    assert sum(1 for _ in shown.walk()) <= 40


async def test_who_sits_nowhere_is_told_how_to_begin(club: Club) -> None:
    assert (await my_games(club, "hanako")).text.endswith(club.words("hanako")("games.none"))


async def test_many_games_come_in_pages(club: Club) -> None:
    for number in range(1, TABLES_PER_PAGE + 3):
        # One person has few tables that wait.
        await club.slash(("bob", "hanako")[number % 2], "ofc play", stakes=0, clock="correspondence")
        await club.bot.services.play.join(club.key(number), club.player("alice"), cause=f"join {number}")
    games = await my_games(club, "alice")
    words = club.words("alice")
    assert words("games.more", count=2) in games.text
    older = await club.press("alice", games, games.button(words("games.later")))
    assert older is not None
    assert f"Table {TABLES_PER_PAGE + 2} ·" in older.text
    assert "Table 1 ·" not in older.text
    newer = await club.press("alice", older, older.button(words("games.earlier")))
    assert newer is not None
    assert "Table 1 ·" in newer.text


async def test_by_correspondence_the_table_says_when_it_goes_on_and_who_wants_to_go_on_now(club: Club) -> None:
    await club.open_table("alice", "hanako", clock="correspondence 1d")
    await club.type_hand()
    words, table = club.words(), club.table_screen()
    view = await club.look()
    assert view.next_hand_at is not None
    both = words.list([club.shown(name) for name in ("alice", "hanako")])
    assert words("table.next_hand_or_now", when=moment(view.next_hand_at), players=both) in table.text
    panel = await club.press("hanako", table, table.find("start_now"))
    assert panel is not None
    when = club.words("hanako")("table.next_hand_or_now", when=moment(view.next_hand_at), players=club.shown("alice"))
    assert when in panel.text
    assert not panel.has("start_now"), "it is said already"
    await club.settle()
    await club.press("alice", club.table_screen(), club.table_screen().find("start_now"))
    assert (await club.look()).table.hand_no == 2


@in_turn("name", "bob", "hanako")
async def test_a_vacation_is_told_at_the_table_and_calls_nobody(club: Club, name: str) -> None:
    words = club.words(name)
    await club.call_at_once()
    none = (await club.slash(name, "ofc settings", topic=words("settings.vacation.show"))).text
    assert words("vacation.none", count=30) in none
    assert words("vacation.events") in none, "events keep to their dates: that is known before"
    refused = await take_vacation(club, name, "soon")
    assert words("refused.vacation_unread") in refused.text
    again = await club.ask(name, refused, refused.find("vacation_ask"))
    assert again.modal is not None
    assert again.modal["components"][0]["component"]["value"] == "soon", "nothing is typed twice"
    shown = await take_vacation(club, name, "10 days")
    assert words("vacation.no_tables") in shown.text
    await club.open_table("alice", name, clock="correspondence 1d")
    assert await club.on_turn(1) == name
    place = (await club.look()).place_of(club.player(name))
    assert place is not None
    assert place.vacation is not None
    mark = vacation_text(place.vacation, club.words())
    assert mark in club.table_screen().text
    await club.pass_time(60)
    assert pings(club, name) == []
    assert words("games.vacation", player="@", ends="@").split("@")[1] in (await my_games(club, name)).text
    shown = await club.slash(name, "ofc settings", topic=words("settings.vacation.show"))
    assert words("vacation.table", table=1) in shown.text
    over = await club.press(name, shown, shown.find("vacation_over"))
    assert over is not None
    assert words("vacation.said.over") in over.text
    assert mark not in club.table_screen().text
    assert len(pings(club, name)) == 1, "now it is their turn"


@in_turn("name", "bob", "hanako")
async def test_one_press_sits_out_at_all_tables(club: Club, name: str) -> None:
    words = club.words(name)
    await club.open_table("alice", name)
    assert not (await my_games(club, name)).has("out_everywhere"), "there is only one"
    await club.open_table("alice", name, clock="correspondence")
    await club.open_table("alice", name, stakes=0)
    games = await my_games(club, name)
    shown = await club.press(name, games, games.find("out_everywhere"))
    assert shown is not None
    tables = words.list([words("games.table", table=number) for number in (1, 2)])
    assert words("games.sat_out", tables=tables) in shown.text
    assert shown.text.count(words("games.out_next")) == 2
    assert not shown.has("out_everywhere")
    places = [(await club.look(number, name)).mine for number in (1, 2, 3)]
    assert [place.seat.sits_out for place in places if place] == [True, True, False], "nothing is at stake at the third"
    again = await club.press(name, games, games.find("out_everywhere")) if games.has("out_everywhere") else shown
    assert again is not None
    assert again.text.count(words("games.out_next")) == 2


# reminders


async def test_a_reminder_calls_once_more(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob")
    assert len(pings(club, "bob")) == 1
    await club.pass_time(46)
    assert len(pings(club, "bob")) == 2
    (call,) = club.calls()
    assert call.text.startswith("⏳")
    await club.pass_time(10)
    assert len(pings(club, "bob")) == 2
    await club.play_turn("bob")
    assert [c.message.ping_user_ids for c in club.calls()] == [[club.members["alice"].id]]


async def test_a_last_call_goes_with_the_turn_it_was_for(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.pass_time(46)
    (call,) = club.calls()
    assert call.text.startswith("⏳")
    await club.play_turn("bob")
    await club.settle()
    assert club.calls() == []
    await club.pass_time(25)
    assert len(club.calls()) == 1, "Alice was silent"
    gone = [r.path for r in club.backend.http_requests if r.method == "DELETE" and "/channels/" in r.path]
    assert [path.rsplit("/", 1)[1] for path in gone].count(str(call.id)) == 1, "once, as when the next call removes it"


async def test_reminders_at_a_correspondence_table_make_no_sound(club: Club) -> None:
    silent = 1 << 12
    await club.open_table("alice", "bob", clock="correspondence 1h")
    await club.pass_hours(46 * 60)
    await club.settle()
    called, reminded = pings(club, "bob")
    assert not int(str(called.get("flags", 0))) & silent
    assert int(str(reminded.get("flags", 0))) & silent


async def test_settings_switch_reminders_off(club: Club) -> None:
    await club.call_at_once()
    words = club.words("hanako")
    settings = await settings_page(club, "hanako", "reminders")
    assert words("settings.reminders.on") in settings.text
    off = await club.press("hanako", settings, settings.find("reminders"))
    assert off is not None
    assert words("settings.reminders.off") in off.text
    await club.open_table("alice", "hanako")
    await club.pass_time(50)
    assert len(pings(club, "hanako")) == 1
    on = await club.press("hanako", off, off.find("reminders"))
    assert on is not None
    assert (await club.play.member_settings(club.key().guild, club.player("hanako"))).reminders


async def test_a_restart_calls_nobody_again(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob")
    assert len(pings(club, "bob")) == 1
    await club.restart(down_seconds=3)
    await club.pass_time(2)
    assert len(pings(club, "bob")) == 1
    await club.play_turn("bob")
    assert len(pings(club, "alice")) == 1


# outages


async def test_what_the_machine_slept_is_given_back_and_told(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.pass_time(10)
    club.backend.advance_clock(8 * 3600)
    await club.pass_time(31)
    view = await club.look()
    assert view.waiting == (club.player("bob"),)
    assert view.turn_until is not None
    assert abs(view.turn_until - club.world.now_ms() - 19_000) < 2_000
    assert "7 hours 59 minutes" in club.table_screen().text
    club.forgiven.append("the clocks were stopped")


async def test_while_nothing_can_be_written_the_clocks_stand_still(club: Club) -> None:
    await club.call_at_once()
    await club.open_table("alice", "bob", clock="30s")
    await club.pass_time(10)
    club.troubles.append(SQLITE_FULL)
    for _ in range(24):
        await club.world.pass_time(5)
    club.troubles.clear()
    await club.pass_time(3)
    view = await club.look()
    assert view.waiting == (club.player("bob"),)
    assert [place.seat.timeouts for place in view.places] == [0, 0]
    assert view.turn_until is not None
    assert abs(view.turn_until - club.world.now_ms() - 22_000) < 7_000
    await club.pass_time(20)
    assert (await club.look()).waiting == (club.player("alice"),)


async def test_while_a_shard_is_away_its_clocks_stand_still(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.pass_time(10)
    await club.bot.on_shard_disconnect(0)
    await club.pass_time(120)
    assert (await club.look()).waiting == (club.player("bob"),)
    await club.bot.on_shard_resumed(0)
    await club.pass_time(1)
    view = await club.look()
    assert view.turn_until is not None
    assert abs(view.turn_until - club.world.now_ms() - 49_000) < 2_000
    assert not await club.disk.read(lambda c: c.execute("SELECT * FROM outage").fetchall())


async def test_a_server_that_went_while_the_bot_was_away_has_its_tables_closed(club: Club) -> None:
    other = club.elsewhere("Another club")
    await other.open_table("alice", "bob")
    await club.stop()
    club.backend.remove_guild(other.guild.id)
    club.watch.clubs.remove(other)
    await club.world.env.restart_bot(await club.rebuild(club.world.now_ms))
    await club.settle()
    view = await club.play.look(other.key())
    assert (view.table.open, view.table.closed_reason) == (False, "guild_gone")
    assert await club.play.wallet(other.key().guild, other.player("bob")) == 10_000


async def test_an_archived_thread_is_opened_by_the_tables_next_message(club: Club) -> None:
    await club.open_table("alice", "bob")
    shown = club.table_screen().message.id
    club.world.env.inject_error("PATCH", f"/channels/*/messages/{shown}", status=400, code=50083)
    await club.play_turn("bob")
    assert club.table_screen().message.id != shown
    assert club.requests("PATCH", str(shown)) == 1


async def test_a_table_of_an_event_says_so(club: Club) -> None:
    event = await sit_and_go_of_two(club, "Night *of* cards", "alice", "hanako")
    for name in ("alice", "hanako"):
        told = club.words(name)("event_table.event", name=escape_name(event.name))
        assert told in (await my_games(club, name)).text
    # Its stack is worth something there only.
    assert (
        club.words("hanako")("chips.at_table", table=1, chips="@").split("@")[0]
        not in (await club.slash("hanako", "ofc profile", show="chips")).text
    )


@in_turn("name", "bob", "hanako")
async def test_who_has_registered_is_told_so_by_their_games_the_list_and_the_page(club: Club, name: str) -> None:
    words = club.words(name)
    event = await sit_and_go_of_two(club, "Night", "alice")
    number = event.key.number
    for command, options in (
        ("event", {"do": "list"}),
        ("ofc table", {"do": "mine"}),
        ("event", {"do": f"show {number}"}),
    ):
        before = await club.slash(name, command, **options)
        assert words("event.you_in") not in before.text
        assert words("games.registered") not in before.text
        assert words("event.you_registered") not in before.text
    await club.withdraw("alice", f"withdraw {number}")
    await club.slash(name, "event", do=f"register {number}")
    listed = await club.slash(name, "event", do="list")
    assert words("event.you_in") in listed.text
    games = await club.slash(name, "ofc table", do="mine")
    values: dict[str, str | int] = {"event": "Night", "number": number, "channel": f"<#{club.channel.id}>"}
    assert words("games.registered_filling", **values) in games.text
    page = await club.slash(name, "event", do=f"show {number}")
    assert words("event.you_registered") in page.text
    others = await club.slash("alice", "event", do="list")
    assert club.words("alice")("event.you_in") not in others.text, "it's told of the reader alone"
