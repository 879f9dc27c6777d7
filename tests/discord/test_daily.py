"""The daily hand: one private message from start to result, and only the result can be shared."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from simcord import ResponseMessage

from bot.chat.club.screens.daily_screen import (
    compared_screen,
    grid_text,
    invitation_screen,
    place_line,
    shared_lines,
    standing_screen,
)
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import short_hash
from bot.chat.kit.gate import Rate, Rates
from bot.model.daily import (
    ChallengeId,
    DailyOutcome,
    DailyPlace,
    Series,
    begins_at,
    compare_boards,
    date_of,
    day_at,
    game_of,
)
from bot.play.daily.views import AttemptView, DailyStanding, DayHand, StreetComparison
from bot.pure.ofc.cards import parse_cards
from bot.pure.ofc.presets import JOKER_PINEAPPLE, PINEAPPLE, PROGRESSIVE, THIRTEEN
from bot.pure.ofc.proof import check_proof
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club, Screen, open_club
from tests.discord.forge import deliver, forge, forged_command, forged_press
from tests.discord.messages import cards_in
from tests.play.world import quickly

PEOPLE = ["alice", "hanako"]


async def view_of(club: Club, name: str, series: Series = Series.DAILY) -> AttemptView:
    """Return today's hand as a member may see it."""
    daily, player = club.bot.services.daily, club.player(name)
    view = await daily.today(player)
    other = next((hand.number for hand in view.beside if hand.series is series), view.of.number)
    return await daily.look(other, player)


async def begin(club: Club, name: str) -> Screen:
    """Open today's hand and begin it."""
    first = await club.slash(name, "daily")
    return await club.tap(name, first, first.find("day_begin"))


async def place(club: Club, name: str, panel: Screen, letters: str) -> Screen:
    """Place a street by presses on the panel."""
    for number, letter in enumerate(letters):
        if letter == "D":
            continue
        card = panel.find("day_card", str(number))
        if card["style"] != 1:
            panel = await club.tap(name, panel, card)
        panel = await club.tap(name, panel, panel.find("day_row", letter))
    return await club.tap(name, panel, panel.find("day_confirm"))


async def play_on(club: Club, name: str, panel: Screen, series: Series = Series.DAILY) -> Screen:
    """Play a member's hand to its end."""
    while (view := await view_of(club, name, series)).standing is None:
        assert view.hand is not None
        letters = await quickly(view.hand)
        if view.hand.variant.at_once:
            panel = await club.tap(name, panel, panel.find("day_arrange"))
            panel = await club.tap(name, panel, panel.find("day_confirm"))
        else:
            panel = await place(club, name, panel, letters)
    return panel


async def to_day(club: Club, day: int) -> None:
    """Let it be that day."""
    now = club.world.now_ms()
    # The bot is stopped for a day, so that the test needn't wait.
    await club.restart(down_seconds=max(1, (begins_at(day) - now) // 1000 + 3600))


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_hand_is_played_in_one_private_message_from_the_first_look_to_the_result(club: Club, name: str) -> None:
    words = club.words(name)
    first = await club.slash(name, "daily")
    view = await view_of(club, name)
    assert short_hash(view.of.commitment) in first.text
    assert words("daily.nobody") in first.text
    assert not cards_in(first.components)
    panel = await club.tap(name, first, first.find("day_begin"))
    assert panel.id == first.id
    assert words("panel.discards_rest", count=1) not in panel.text
    result = await play_on(club, name, panel)
    assert result.id == first.id
    standing = (await view_of(club, name)).standing
    assert standing is not None
    mine, its = standing.mine.points, standing.master.points
    assert words("daily.total", points=words.signed(mine), count=abs(mine)) in result.text
    assert words("daily.of_master", points=words.signed(its), count=abs(its)) in result.text
    assert words("daily.first") in result.text
    assert words("daily.streak", count=1) in result.text
    assert grid_text(standing, words) in result.text
    review = await club.tap(name, result, result.find("day_review"))
    assert words("daily.review.apart") in review.text
    back = await club.tap(name, review, review.find("day_show"))
    assert (back.id, back.text) == (first.id, result.text)
    assert len(club.private(name)) == 1
    assert club.public() == []


async def test_the_fingerprints_are_given_whole_before_and_after_in_a_message_to_be_kept(club: Club) -> None:
    view, first = await view_of(club, "alice"), await club.slash("alice", "daily")
    assert view.tomorrow is not None
    for shown in (first, await play_on(club, "alice", await begin(club, "alice"))):
        kept = await club.tap("alice", shown, shown.find("day_print"))
        assert kept.id != shown.id
        assert kept.message.is_ephemeral
        assert all(whole.hex() in kept.text for whole in (view.of.commitment, view.tomorrow))


@pytest.mark.parametrize("name", PEOPLE)
async def test_the_command_resumes_a_hand_and_shows_a_result(club: Club, name: str) -> None:
    panel = await begin(club, name)
    view = await view_of(club, name)
    assert view.hand is not None
    await place(club, name, panel, await quickly(view.hand))
    await club.restart(down_seconds=600)
    again = await club.slash(name, "daily")
    words = club.words(name)
    assert words("daily.street", street=2, streets=5, until=f"<t:{view.of.ends_at // 1000}:R>") in again.text
    await play_on(club, name, again)
    assert (await club.slash(name, "daily")).has("day_share")


async def test_a_draft_is_kept_over_undo_another_card_and_a_restart(club: Club) -> None:
    panel = await begin(club, "alice")
    panel = await club.tap("alice", panel, panel.find("day_row", "F"))
    panel = await club.tap("alice", panel, panel.find("day_card", "0"))
    assert panel.find("day_card", "0")["style"] == 1, "the first card was taken up again"
    panel = await club.tap("alice", panel, panel.find("day_row", "B"))
    await club.restart()
    panel = await club.tap("alice", panel, panel.find("day_undo"))
    assert not panel.has("day_undo"), "nothing is left to undo"
    assert not panel.has("day_confirm")


@pytest.mark.parametrize("name", PEOPLE)
async def test_it_is_played_once(club: Club, name: str) -> None:
    first = await club.slash(name, "daily")
    begun = first.find("day_begin")["custom_id"]
    panel = await club.tap(name, first, first.find("day_begin"))
    late = await forge(club, name, panel, begun)
    assert club.words(name)("daily.button.play") not in late.said
    result = await play_on(club, name, panel)
    again = await forge(club, name, result, begun)
    assert again.said == club.words(name)("refused.day_played")
    assert (await view_of(club, name)).people == 1


async def test_a_street_that_was_confirmed_twice_is_placed_once(club: Club) -> None:
    panel = await begin(club, "alice")
    for letter in "BBBMM":
        panel = await club.tap("alice", panel, panel.find("day_row", letter))
    confirm = panel.find("day_confirm")["custom_id"]
    panel = await club.tap("alice", panel, panel.find("day_confirm"))
    late = await forge(club, "alice", panel, confirm)
    view = await view_of(club, "alice")
    assert view.hand is not None
    assert view.hand.street == 2
    assert (
        club.words("alice")("daily.street", street=2, streets=5, until=f"<t:{view.of.ends_at // 1000}:R>") in late.said
    )


@pytest.mark.parametrize("name", PEOPLE)
async def test_what_was_pressed_on_yesterdays_message_is_refused_with_the_way_to_todays(club: Club, name: str) -> None:
    panel = await begin(club, name)
    await to_day(club, day_at(club.world.now_ms()) + 1)
    over = club.words(name)("refused.day_over")
    for control in (one for one in panel.controls() if "rulebook" not in one["custom_id"]):
        assert (await forge(club, name, panel, control["custom_id"])).said == over, control["custom_id"]
    number = panel.find("day_row")["custom_id"].split(":")[3]
    for verb in ("begin", "show", "arrange", "declare"):
        assert (await forge(club, name, panel, f"c1:day_{verb}:0:{number}:0:::")).said == over, verb
    today = await club.slash(name, "daily")
    assert today.has("day_begin")


@pytest.mark.parametrize("name", PEOPLE)
async def test_yesterdays_hand_is_shown_with_its_cards_and_a_record_that_is_right(club: Club, name: str) -> None:
    await play_on(club, name, await begin(club, name))
    view = await view_of(club, name)
    number = view.of.number
    early = await forge(club, name, await club.slash(name, "daily"), f"c1:day_solved:0:{number}:0:::")
    assert early.said == club.words(name)("refused.day_not_over", until=str(view.of.ends_at // 1000))
    await to_day(club, day_at(club.world.now_ms()) + 1)
    today = await club.slash(name, "daily")
    solved = await club.tap(name, today, today.find("day_solved"))
    assert solved.id == today.id
    assert len(cards_in(solved.components)) == 17
    assert short_hash(view.of.commitment) in solved.text
    record = await club.bot.services.daily.proof(number)
    assert check_proof(record).ok
    told = await club.tap(name, solved, solved.find("day_record"))
    assert club.words(name)("daily.record") in told.text
    back = await club.tap(name, solved, solved.find("day_show"))
    assert back.has("day_begin")


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_result_is_shared_as_squares_that_tell_no_card(club: Club, name: str) -> None:
    result = await play_on(club, name, await begin(club, name))
    share = result.find("day_share")
    await club.press(name, result, share)
    (posted,) = club.public()
    assert not cards_in(posted.components)
    standing = (await view_of(club, name)).standing
    assert standing is not None
    assert grid_text(standing, club.words()) in posted.text
    assert f"<@{club.members[name].id}>" in posted.text
    assert posted.message.ping_user_ids == []
    assert result.has("day_share"), "the private message stays as it is"
    again = await club.tap(name, result, share)
    assert again.text == club.words(name)("refused.shared_here")
    assert len(club.public()) == 1
    mine = await club.tap("bob", posted, posted.find("daily"))
    assert mine.has("day_begin")
    assert mine.message.is_ephemeral


async def test_what_is_shared_in_a_japanese_server_is_japanese(japanese_club: Club) -> None:
    club = japanese_club
    result = await play_on(club, "alice", await begin(club, "alice"))
    await club.press("alice", result, result.find("day_share"))
    (posted,) = club.public()
    assert club.words()("daily.title.daily") in posted.text


async def test_all_who_play_are_counted_and_dealt_alike(club: Club) -> None:
    for name in ("alice", "bob"):
        await play_on(club, name, await begin(club, name))
    standing = (await view_of(club, "bob")).standing
    assert standing is not None
    assert standing.place == DailyPlace(others=1, beaten=0, equal=1)
    words = club.words("bob")
    text = (await club.slash("bob", "daily")).text
    assert words("daily.place.all_equal", count=1) in text


@pytest.mark.parametrize("game", [PROGRESSIVE, JOKER_PINEAPPLE, THIRTEEN], ids=lambda game: game.key)
@pytest.mark.parametrize("name", PEOPLE)
async def test_on_sundays_another_game_is_a_press_away(club: Club, name: str, game: Any) -> None:
    day = day_at(club.world.now_ms())
    await to_day(club, next(other for other in range(day, day + 30) if game_of(Series.WEEKLY, other) is game))
    words = club.words(name)
    first = await club.slash(name, "daily")
    weekly = await club.tap(name, first, first.find("day_show"))
    assert words(f"variant.{game.key}.name") in weekly.text
    panel = await club.tap(name, weekly, weekly.find("day_begin"))
    result = await play_on(club, name, panel, Series.WEEKLY)
    standing = (await view_of(club, name, Series.WEEKLY)).standing
    assert standing is not None
    mine = standing.mine.points
    assert words("daily.total", points=words.signed(mine), count=abs(mine)) in result.text
    assert words("daily.streak", count=1) not in result.text
    hand = (await view_of(club, name, Series.WEEKLY)).hand
    assert hand is not None
    assert hand.score is not None
    for number, points in enumerate(hand.score.points[1:], 1):
        assert words("daily.opponent", number=number, points=words.signed(points), count=abs(points)) in result.text
    back = await club.tap(name, result, result.find("day_show"))
    assert back.has("day_begin"), "the daily hand is still to be played"
    assert len(club.private(name)) == 1


# appearance


def fouled_view() -> AttemptView:
    """Return the view of a fouled daily hand, next to a master's with the same cards."""
    front, middle, back = (tuple(parse_cards(row)) for row in ("2s3d4h", "KsKd2c3c4c", "Js9d7c5h3s"))
    mine = DailyOutcome(rows=(front, middle, back), foul=True, royalties=0, fantasyland=0, points=-6)
    master = DailyOutcome(rows=(front, back, middle), foul=False, royalties=0, fantasyland=0, points=1)
    of = DayHand(number=ChallengeId(3), series=Series.DAILY, day=20_000, game=PINEAPPLE, commitment=bytes(range(32)))
    first = parse_cards("2s3d4hKsKd"), parse_cards("2cQcQd")
    streets = tuple(
        StreetComparison(cards=cards, mine=own, master=its)
        for cards, own, its in zip(first, ("FFFMM", "MDM"), ("FFFMM", "BBD"), strict=True)
    )
    standing = DailyStanding(mine=mine, master=master, streets=streets, grid=compare_boards(mine, master), place=None)
    return AttemptView(
        of=of,
        closed=None,
        people=1,
        streak=0,
        freeze=True,
        hand=None,
        standing=standing,
        previous=None,
        beside=(),
        tomorrow=bytes(32),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_foul_is_named_by_its_rows_and_still_compared_with_a_master(language: str) -> None:
    words, view = words_for(language), fouled_view()
    (board, *_) = [part["content"] for part in standing_screen(view, words, Faces()).walk() if "content" in part]
    rows = {"row": words("row.middle"), "below": words("row.back")}
    assert words("board.out_of_order.beats", **rows) in board
    assert view.standing is not None
    assert grid_text(view.standing, words) == "🟩🟩🟩⛔\n🟨🟨🟨🟨🟨\n🟨🟨🟨🟨🟨"
    both = replace(view, standing=replace(view.standing, master=view.standing.mine))
    texts = [part["content"] for part in standing_screen(both, words, Faces()).walk() if "content" in part]
    assert len([text for text in texts if words("board.out_of_order.beats", **rows) in text]) == 2, "a master's too"
    shared = shared_lines(view, words)
    assert words("daily.foul") in shared[-1]
    assert words("daily.total", points="−6", count=6) in shared[-1]
    assert words("daily.master_had", points="+1", count=1) in shared[-1]


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (None, "No one else has finished yet."),
        (DailyPlace(others=1, beaten=1, equal=0), "You beat the only other player who has finished."),
        (DailyPlace(others=1, beaten=0, equal=1), "You tied with the only other player who has finished."),
        (DailyPlace(others=1, beaten=0, equal=0), "The only other player who has finished did better."),
        (DailyPlace(others=3, beaten=3, equal=0), "You beat the other **3** players."),
        (DailyPlace(others=3, beaten=2, equal=1), "You beat **2** of 3 other players."),
        (DailyPlace(others=3, beaten=0, equal=1), "You tied with **1** of 3 other players. The rest did better."),
        (DailyPlace(others=3, beaten=0, equal=0), "The other 3 players did better."),
        (DailyPlace(others=200, beaten=64, equal=3), "You beat **32%** of 200 other players."),
    ],
)
def test_a_place_among_few_is_counted_and_among_many_a_share(place: DailyPlace | None, told: str) -> None:
    assert place_line(place, words_for("en")) == told


def test_a_place_among_few_is_shared_as_it_is() -> None:
    view = fouled_view()
    assert view.standing is not None
    among = replace(view, standing=replace(view.standing, place=DailyPlace(others=2, beaten=1, equal=0)))
    assert shared_lines(among, words_for("en"))[-1].endswith("beat 1 of 2")
    behind = replace(view, standing=replace(view.standing, place=DailyPlace(others=2, beaten=0, equal=2)))
    assert "beat" not in shared_lines(behind, words_for("en"))[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_about_today_asks_for_a_time_zone(language: str) -> None:
    words, view = words_for(language), fouled_view()
    for shown in (invitation_screen(view, words), standing_screen(view, words, Faces())):
        text = "\n".join(part["content"] for part in shown.walk() if "content" in part)
        assert "UTC" not in text
        assert date_of(view.of.day).isoformat() not in text
        assert f"<t:{view.of.ends_at // 1000}:R>" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_tells_a_street_once_that_a_master_has_placed_alike(language: str) -> None:
    words = words_for(language)
    told = [part["content"] for part in compared_screen(fouled_view(), words, Faces()).walk() if "content" in part]
    (alike,) = [text for text in told if words("review.same") in text]
    assert alike.startswith(f"**{words('review.street', street=1)}**")
    (apart,) = [text for text in told if text.startswith(f"**{words('review.street', street=2)}**")]
    mine, master = (words(f"daily.review.{who}", places="").strip() for who in ("mine", "master"))
    assert [line.startswith(who) for line, who in zip(apart.splitlines()[1:], (mine, master), strict=True)] == [
        True
    ] * 2


# outside the bot's servers


async def play_by(club: Club, press: Callable[[Screen, str], Awaitable[Screen]], panel: Screen, name: str) -> Screen:
    """Play a member's hand to its end with a custom press function."""
    for _ in range(60):
        view = await view_of(club, name)
        if view.standing is not None:
            return panel
        if panel.has("day_confirm"):
            panel = await press(panel, panel.find("day_confirm")["custom_id"])
            continue
        assert view.hand is not None
        row = next(letter for letter in "BMF" if panel.has("day_row", letter))
        panel = await press(panel, panel.find("day_row", row)["custom_id"])
    raise AssertionError("the hand does not end")


async def test_it_is_played_in_direct_messages_and_its_result_is_given_to_be_copied(club: Club) -> None:
    user, words = club.members["hanako"].user, club.words("hanako")

    async def press(panel: Screen, custom_id: str) -> Screen:
        result = await user.click(ResponseMessage(club.world.env, panel.message), custom_id=custom_id)
        message = result.followups[0] if result.followups else result.response
        assert message is not None
        assert message.ephemeral
        return Screen(club, message.channel_id, message.id)

    answer = (await user.slash("daily")).response
    first = Screen(club, answer.channel_id, answer.id)
    panel = await press(first, first.find("day_begin")["custom_id"])
    result = await play_by(club, press, panel, "hanako")
    assert result.id == first.id, "all of it is one message"
    copied = await press(result, result.find("day_share")["custom_id"])
    standing = (await view_of(club, "hanako")).standing
    assert standing is not None
    assert copied.text.startswith(words("daily.copy"))
    assert grid_text(standing, words) in copied.text
    assert "<@" not in copied.text
    assert club.public() == []


@pytest.mark.parametrize("context", [0, 2], ids=["a server that the bot is not in", "a group of people"])
async def test_by_user_install_it_is_played_where_the_bot_is_no_member(club: Club, context: int) -> None:
    owner = {"1": str(club.members["alice"].id)}
    typed = forged_command(club, "alice", "daily", guild=context == 0)
    typed.payload |= {"authorizing_integration_owners": owner, "context": context}
    await deliver(typed)
    (first,) = typed.answers

    async def press(panel: Screen, custom_id: str) -> Screen:
        pressed = forged_press(club, "alice", panel, custom_id, guild=context == 0)
        pressed.payload |= {"authorizing_integration_owners": owner, "context": context}
        await deliver(pressed)
        assert pressed.acknowledged
        (answer,) = pressed.answers
        return answer

    panel = await press(first, first.find("day_begin")["custom_id"])
    result = await play_by(club, press, panel, "alice")
    assert result.id == first.id
    copied = await press(result, result.find("day_share")["custom_id"])
    assert copied.text.startswith(club.words("alice")("daily.copy"))
    assert club.public() == [], "what is shared there is copied and posted by its player"


async def test_other_commands_stay_in_servers(club: Club) -> None:
    typed = forged_command(club, "alice", "ofc leaderboard", guild=False)
    await deliver(typed)
    assert typed.said == club.words("alice")("gate.only_in_servers")


async def test_help_leads_to_it(club: Club) -> None:
    hub = await club.slash("bob", "ofc help")
    opened = await club.tap("bob", hub, hub.find("daily"))
    assert opened.has("day_begin")
    assert opened.id != hub.id


FORGED = ("card", "row", "undo", "clear", "sort", "set_f", "arrange", "confirm", "declare", "share", "review", "print")


async def test_a_forged_press_plays_nothing(club: Club) -> None:
    panel = await begin(club, "alice")
    number = panel.find("day_row")["custom_id"].split(":")[3]
    for verb in FORGED:
        for rest in ("1::9:Z", "5:0B1B::B", "1:0F0F0F0F::rank", "0:::"):
            for which in (number, "99999", "0"):
                await forge(club, "alice", panel, f"c1:day_{verb}:0:{which}:{rest}")
                await forge(club, "bob", panel, f"c1:day_{verb}:0:{which}:{rest}")
        view = await view_of(club, "alice")
        assert view.hand is not None
        assert view.hand.street == 1, verb
        assert (await view_of(club, "bob")).hand is None, verb


async def test_somebody_who_is_too_fast_is_told_when_to_go_on(tmp_path: Path) -> None:
    async with open_club(tmp_path, rates=Rates(private=Rate(burst=2, a_minute=1))) as club:
        for _ in range(2):
            assert (await club.slash("alice", "daily")).has("day_begin")
        assert (await club.slash("alice", "daily")).text == club.words("alice")("gate.too_fast", count=60)


async def test_the_last_card_confirms_for_those_who_wish_it(club: Club) -> None:
    await club.play.change_member_settings(
        club.key().guild,
        club.player("alice"),
        lambda member_settings: replace(member_settings, confirm_at_once=True, text_only=True),
    )
    panel = await begin(club, "alice")
    for letter in "BBBMM":
        panel = await club.tap("alice", panel, panel.find("day_row", letter))
    view = await view_of(club, "alice")
    assert view.hand is not None
    assert view.hand.street == 2
    assert "<:" not in panel.text, "cards are text for those who wish that"
