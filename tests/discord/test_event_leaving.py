"""Leaving a league between its rounds and coming back, as players press and type it."""

from __future__ import annotations

from dataclasses import replace

from bot.model.events import EntrantState, Phase
from bot.model.ids import EventKey, Player
from bot.pure.event.structure import Format, Structure
from bot.text.event_structure import place_name
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.messages import text_of
from tests.discord.test_event_rounds import LEAGUE, begun
from tests.in_turn import in_turn

BRACKET = Structure(format=Format.SINGLE, table_seats=2, most=8, least=2, threads=False)
LONG = replace(LEAGUE, rounds=4, round_hours=1)


async def state_of(club: Club, who: str, key: EventKey) -> EntrantState:
    line = (await club.bot.services.events.look(key)).line_of(club.player(who))
    assert line is not None
    return line.entrant.state


async def round_over(club: Club, key: EventKey) -> None:
    """Let the clock finish the current round."""
    while (await club.bot.services.events.look(key)).tables:
        await club.pass_time(60)


async def next_round(club: Club, key: EventKey) -> None:
    """Let the clock finish the current round and start the next one."""
    number = (await club.bot.services.events.look(key)).event.round
    await round_over(club, key)
    await club.pass_hours(3_000)
    for _ in range(120):
        if (await club.bot.services.events.look(key)).event.round > number:
            return
        await club.pass_time(60)
    raise AssertionError("no round began")


async def left_with(club: Club, who: str, key: EventKey) -> Player:
    """Let Alice give up, and play on until bob and hanako meet; return the other one of them."""
    for _ in range(2):
        await club.slash("alice", "event", do=club.words("alice")("event_acts.name.withdraw"))
    rival = club.player("hanako" if who == "bob" else "bob")
    for _ in range(120):
        if [{*table.players} for table in (await club.bot.services.events.look(key)).tables] == [
            {club.player(who), rival}
        ]:
            return rival
        await club.pass_time(30)
    raise AssertionError("they never met")


@in_turn("who", "bob", "hanako")
async def test_a_player_leaves_after_the_round_and_comes_back(club: Club, who: str) -> None:
    key = await begun(club, LONG, 4)
    words = club.words(who)
    details = await club.slash(who, "event", do=words("event_acts.name.show"))
    assert words("event.button.leave_round") in details.labels()
    asked = await club.press(who, details, details.find("ev_withdraw"))
    assert asked is not None
    for cost in (
        words("event.leave.finish"),
        words("event.leave.missed", count=3),
        words("event.leave.points_stay"),
        words("event.leave.back", round=2),
    ):
        assert cost in asked.text
    assert words("event.leave.fee") not in asked.text, "it's free"
    assert place_name(1, words) not in asked.text, "no hand has ended"
    assert words("event.button.keep_playing") in asked.labels()
    stays = await club.press(who, asked, asked.find("ev_show"))
    assert stays is not None
    assert await state_of(club, who, key) is EntrantState.PLAYING
    asked = await club.press(who, stays, stays.find("ev_withdraw"))
    assert asked is not None
    left = await club.press(who, asked, asked.find("ev_leave"))
    assert left is not None
    assert words("event.leave.done_after", name="Evening") in left.text
    assert await state_of(club, who, key) is EntrantState.OUT
    await round_over(club, key)
    standings = await club.slash(who, "event", do=words("event_acts.name.standings"))
    assert words("event.state.left", round=1) in standings.text
    refused = await club.slash(who, "event", do=words("event_acts.name.withdraw"))
    assert words("refused.has_left") in refused.text
    back = await club.press(who, left, left.find("ev_return"))
    assert back is not None
    assert words("event.leave.returned", name="Evening", round=2) in back.text
    assert await state_of(club, who, key) is EntrantState.PLAYING


@in_turn("who", "bob", "hanako")
async def test_leaving_and_returning_can_be_typed(club: Club, who: str) -> None:
    key = await begun(club, LONG, 4)
    words = club.words(who)
    asked = await club.slash(who, "event", do=words("event_acts.name.withdraw"))
    assert asked.has("ev_leave")
    assert await state_of(club, who, key) is EntrantState.PLAYING, "it asks first"
    left = await club.slash(who, "event", do=words("event_acts.name.withdraw"))
    assert words("event.leave.done_after", name="Evening") in left.text
    assert await state_of(club, who, key) is EntrantState.OUT
    back = await club.slash(who, "event", do=words("event_acts.name.come_back"))
    assert words("event.leave.returned", name="Evening", round=2) in back.text
    refused = await club.slash(who, "event", do=words("event_acts.name.come_back"))
    assert refused.text
    assert await state_of(club, who, key) is EntrantState.PLAYING


@in_turn("who", "bob", "hanako")
async def test_a_player_may_leave_and_return_several_times(club: Club, who: str) -> None:
    key = await begun(club, LONG, 4)
    words = club.words(who)
    withdraw = words("event_acts.name.withdraw")
    asked = await club.slash(who, "event", do=withdraw)
    for _ in range(2):
        left = await club.press(who, asked, asked.find("ev_leave"))
        assert left is not None
        assert words("event.leave.back", round=2) in left.text
        back = await club.press(who, left, left.find("ev_return"))
        assert back is not None
        assert back.has("ev_withdraw"), "a way to leave again"
        again = await club.press(who, back, back.find("ev_withdraw"))
        assert again is not None
        asked = again
    assert await state_of(club, who, key) is EntrantState.PLAYING


@in_turn("who", "bob", "hanako")
async def test_once_half_is_played_the_way_back_ends_with_the_round(club: Club, who: str) -> None:
    key = await begun(club, LONG, 4)
    await next_round(club, key)
    words = club.words(who)
    withdraw = words("event_acts.name.withdraw")
    asked = await club.slash(who, "event", do=withdraw)
    assert words("event.leave.back_this_round") in asked.text
    left = await club.slash(who, "event", do=withdraw)
    assert words("event.leave.back_this_round") in left.text
    await club.press(who, left, left.find("ev_return"))
    await round_over(club, key)
    too_late = words("event.leave.no_way_back")
    assert too_late in (await club.slash(who, "event", do=withdraw)).text
    gone = await club.slash(who, "event", do=withdraw)
    assert too_late in gone.text
    assert not gone.has("ev_return")
    again = await club.slash(who, "event", do=withdraw)
    assert words("refused.has_left_for_good") in again.text


@in_turn("who", "bob", "hanako")
async def test_whose_leaving_ends_the_event_is_told_so_first_and_the_end_says_why(club: Club, who: str) -> None:
    key = await begun(club, LONG, 3)
    words, other = club.words(who), "hanako" if who == "bob" else "bob"
    withdraw = words("event_acts.name.withdraw")
    early = await club.slash(who, "event", do=withdraw)
    assert words("event.leave.missed", count=3) in early.text
    for _ in range(2):
        await club.slash(other, "event", do=club.words(other)("event_acts.name.withdraw"))
    assert await state_of(club, other, key) is EntrantState.OUT
    asked = await club.press(who, early, early.find("ev_leave"))
    assert asked is not None
    assert await state_of(club, who, key) is EntrantState.PLAYING, "it costs more now"
    assert words("event.leave.ends_alone", round=1) in asked.text
    assert words("event.leave.back_before_end") in asked.text
    assert words("event.leave.missed", count=3) not in asked.text
    left = await club.press(who, asked, asked.find("ev_leave"))
    assert left is not None
    assert words("event.leave.back_before_end") in left.text
    assert left.has("ev_return")
    await round_over(club, key)
    await club.pass_time(5)
    assert (await club.bot.services.events.look(key)).event.phase.over
    assert any(words_for("en")("event_notice.cut", round=1, rounds=4) in post.text for post in club.public())


@in_turn("who", "bob", "hanako")
async def test_between_rounds_there_is_no_way_back_from_ending_the_event(club: Club, who: str) -> None:
    key = await begun(club, LONG, 3)
    words, other = club.words(who), "hanako" if who == "bob" else "bob"
    for _ in range(2):
        await club.slash(other, "event", do=club.words(other)("event_acts.name.withdraw"))
    await round_over(club, key)
    asked = await club.slash(who, "event", do=words("event_acts.name.withdraw"))
    assert words("event.leave.ends_alone", round=1) in asked.text
    assert words("event.leave.for_good") in asked.text
    left = await club.press(who, asked, asked.find("ev_leave"))
    assert left is not None
    assert words("event.leave.for_good") in left.text
    assert not left.has("ev_return")
    assert (await club.bot.services.events.look(key)).event.phase.over


async def test_a_question_of_an_earlier_round_asks_again_with_what_it_costs_now(club: Club) -> None:
    key = await begun(club, LONG, 4)
    asked = await club.slash("bob", "event", do="Withdraw")
    await next_round(club, key)
    again = await club.press("bob", asked, asked.find("ev_leave"))
    assert again is not None
    assert await state_of(club, "bob", key) is EntrantState.PLAYING
    words = club.words("bob")
    assert words("event.leave.missed", count=2) in again.text
    assert words("event.leave.back_this_round") in again.text
    await club.press("bob", again, again.find("ev_leave"))
    assert await state_of(club, "bob", key) is EntrantState.OUT


@in_turn("who", "bob", "hanako")
async def test_a_player_gives_up_in_a_bracket_and_the_opponent_is_told(club: Club, who: str) -> None:
    key = await begun(club, BRACKET, 4)
    words, events = club.words(who), club.bot.services.events
    details = await club.slash(who, "event", do=words("event_acts.name.show"))
    assert words("event.button.give_up") in details.labels()
    asked = await club.press(who, details, details.find("ev_withdraw"))
    assert asked is not None
    assert words("event.leave.placed") in asked.text
    assert words("event.leave.for_good") in asked.text
    pair = next(table.players for table in (await events.look(key)).tables if club.player(who) in table.players)
    (rival,) = set(pair) - {club.player(who)}
    assert f"<@{rival}>" in asked.text
    left = await club.press(who, asked, asked.find("ev_leave"))
    assert left is not None
    assert words("event.leave.given_up", name="Evening") in left.text
    for _ in range(60):
        if len((await events.look(key)).tables) < 2:
            break
        await club.pass_time(30)
    await club.pass_time(5)
    gave_up = words_for("en")("event_notice.match.gave_up", winner=f"<@{rival}>", loser="#", stage="#").split("#")[0]
    posts = [post for post in club.public() if gave_up in post.text]
    assert len(posts) == 1
    (sent,) = [sent for sent in club.watch.sent if gave_up in text_of(sent.components)]
    assert sent.notified == [rival], "the new message names and pings the opponent"


@in_turn("who", "bob", "hanako")
async def test_giving_up_in_the_final_says_first_that_it_ends_the_event(club: Club, who: str) -> None:
    key = await begun(club, BRACKET, 3)
    words, events = club.words(who), club.bot.services.events
    rival = await left_with(club, who, key)
    asked = await club.slash(who, "event", do=words("event_acts.name.withdraw"))
    assert words("event.leave.wins_and_ends", player=f"<@{rival}>") in asked.text
    await club.press(who, asked, asked.find("ev_leave"))
    for _ in range(60):
        if (await events.look(key)).event.phase is Phase.ENDED:
            break
        await club.pass_time(30)
    line = (await events.look(key)).line_of(rival)
    assert line is not None
    assert line.place == 1


async def test_a_member_who_leaves_the_server_is_not_paired_for_the_next_round(club: Club) -> None:
    key = await begun(club, LONG, 4)
    await round_over(club, key)
    club.guild.remove_member(club.members["carol"])
    await next_round(club, key)
    line = (await club.bot.services.events.look(key)).line_of(club.player("carol"))
    assert line is not None
    assert (line.left_after, line.table, line.entrant.disqualified) == (1, None, False)
    notice = words_for("en")("event_notice.left_between", players="$").split("$")[0]
    (told,) = [post for post in club.public() if notice in post.text]
    assert f"<@{club.player('carol')}>" in told.text
    seated = {player for table in (await club.bot.services.events.look(key)).tables for player in table.players}
    assert seated < {club.player(name) for name in ("alice", "bob", "hanako")}
