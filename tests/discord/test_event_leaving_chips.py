"""Leaving a tournament or shoot-out during play, as players press and type it: seats that stay, and giving up."""

from __future__ import annotations

from dataclasses import replace

from bot.model.events import EntrantState
from bot.model.ids import EventKey
from bot.play.event.office.views import StandingsLine
from bot.pure.event.structure import Format, Leaving, Structure
from bot.text.event_structure import place_name
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.test_event_leaving import left_with, state_of
from tests.discord.test_event_rounds import begun
from tests.in_turn import in_turn

SEATS = Structure(format=Format.TOURNAMENT, table_seats=3, most=8, least=2, threads=False)
REMOVES = replace(SEATS, leaving=Leaving.REMOVE)
SHOOTOUT = Structure(format=Format.SHOOTOUT, table_seats=2, most=8, least=2, threads=False)


async def line_of(club: Club, who: str, key: EventKey) -> StandingsLine:
    line = (await club.bot.services.events.look(key)).line_of(club.player(who))
    assert line is not None
    return line


async def dealt(club: Club, key: EventKey) -> None:
    """Let the clock deal the first hand."""
    for _ in range(60):
        if any(table.playing for table in (await club.bot.services.events.look(key)).tables):
            return
        await club.pass_time(5)
    raise AssertionError("no hand is dealt")


async def out(club: Club, who: str, key: EventKey) -> None:
    """Let the clock finish the hands until the player is out."""
    for _ in range(60):
        if await state_of(club, who, key) is EntrantState.OUT:
            return
        await club.pass_time(30)
    raise AssertionError("they are never out")


@in_turn("who", "bob", "hanako")
async def test_a_player_leaves_the_seat_of_a_tournament_and_comes_back(club: Club, who: str) -> None:
    key = await begun(club, SEATS, 3)
    words = club.words(who)
    details = await club.slash(who, "event", do=words("event_acts.name.show"))
    assert words("event.button.leave") in details.labels()
    asked = await club.press(who, details, details.find("ev_withdraw"))
    assert asked is not None
    assert words("event.leave.seat_stays") in asked.text
    assert words("event.leave.back_any_time") in asked.text
    stays = await club.press(who, asked, asked.find("ev_show"))
    assert stays is not None
    assert not (await line_of(club, who, key)).left_seat
    asked = await club.press(who, stays, stays.find("ev_withdraw"))
    assert asked is not None
    left = await club.press(who, asked, asked.find("ev_leave"))
    assert left is not None
    assert words("event.leave.left_seat", name="Evening") in left.text
    assert (await line_of(club, who, key)).left_seat
    standings = await club.slash(who, "event", do=words("event_acts.name.show"))
    assert words("event.button.come_back") in standings.labels()
    refused = await club.press(who, asked, asked.find("ev_leave"))
    assert refused is not None
    assert words("refused.has_left") in refused.text
    back = await club.press(who, left, left.find("ev_return"))
    assert back is not None
    assert words("event.leave.back_in_seat", name="Evening") in back.text
    assert not (await line_of(club, who, key)).left_seat


@in_turn("who", "bob", "hanako")
async def test_leaving_a_seat_and_coming_back_can_be_typed(club: Club, who: str) -> None:
    key = await begun(club, SEATS, 3)
    words = club.words(who)
    asked = await club.slash(who, "event", do=words("event_acts.name.withdraw"))
    assert asked.has("ev_leave")
    assert not (await line_of(club, who, key)).left_seat, "it asks first"
    left = await club.slash(who, "event", do=words("event_acts.name.withdraw"))
    assert words("event.leave.left_seat", name="Evening") in left.text
    for _ in range(40):
        await club.pass_time(30)
        if (await line_of(club, who, key)).entrant.hands:
            break
    standings = await club.slash("alice", "event", do="Standings")
    assert club.words("alice")("event.state.left_seat_now") in standings.text
    back = await club.slash(who, "event", do=words("event_acts.name.come_back"))
    assert words("event.leave.back_in_seat", name="Evening") in back.text
    assert not (await line_of(club, who, key)).left_seat


@in_turn("who", "bob", "hanako")
async def test_a_player_gives_up_in_a_tournament_and_their_chips_leave_play(club: Club, who: str) -> None:
    key = await begun(club, REMOVES, 3)
    await dealt(club, key)
    words = club.words(who)
    details = await club.slash(who, "event", do=words("event_acts.name.show"))
    assert words("event.button.give_up") in details.labels()
    asked = await club.press(who, details, details.find("ev_withdraw"))
    assert asked is not None
    for cost in (
        words("event.leave.all_chips", chips=words.number(SEATS.stack)),
        words("event.leave.place_out", place=place_name(3, words)),
        words("event.leave.hand"),
        words("event.leave.for_good"),
    ):
        assert cost in asked.text
    left = await club.press(who, asked, asked.find("ev_leave"))
    assert left is not None
    assert words("event.leave.giving_up", name="Evening") in left.text
    assert await state_of(club, who, key) is EntrantState.PLAYING, "the hand is finished first"
    refused = await club.slash(who, "event", do=words("event_acts.name.withdraw"))
    assert words("refused.out_for_good") in refused.text
    await out(club, who, key)
    await club.pass_time(5)
    told = words_for("en")("event_notice.out_gave_up", players="$").split("$")[0]
    (post,) = [post for post in club.public() if told in post.text]
    assert f"<@{club.player(who)}>" in post.text
    standings = await club.slash(who, "event", do=words("event_acts.name.standings"))
    assert words("event.state.gave_up") in standings.text
    seats = (await club.bot.services.events.look(key)).tables
    assert all(club.player(who) not in table.players for table in seats)


@in_turn("who", "bob", "hanako")
async def test_a_player_gives_up_in_a_shoot_out_and_the_opponent_wins_the_table(club: Club, who: str) -> None:
    key = await begun(club, SHOOTOUT, 4)
    words = club.words(who)
    asked = await club.slash(who, "event", do=words("event_acts.name.withdraw"))
    tables = (await club.bot.services.events.look(key)).tables
    pair = next(table.players for table in tables if club.player(who) in table.players)
    await club.press(who, asked, asked.find("ev_leave"))
    await out(club, who, key)
    (rival,) = set(pair) - {club.player(who)}
    line = (await club.bot.services.events.look(key)).line_of(rival)
    assert line is not None
    assert line.entrant.score == 1
    assert not (await line_of(club, who, key)).entrant.disqualified


@in_turn("who", "bob", "hanako")
async def test_the_last_but_one_is_told_first_that_giving_up_ends_the_event(club: Club, who: str) -> None:
    key = await begun(club, REMOVES, 3)
    await dealt(club, key)
    words = club.words(who)
    rival = await left_with(club, who, key)
    (table,) = (await club.bot.services.events.look(key)).tables
    told = "wins_after_hand" if table.playing else "wins_and_ends"
    asked = await club.slash(who, "event", do=words("event_acts.name.withdraw"))
    assert words(f"event.leave.{told}", player=f"<@{rival}>") in asked.text
    await club.press(who, asked, asked.find("ev_leave"))
    await out(club, who, key)
    assert (await club.bot.services.events.look(key)).event.phase.over
