"""Typed cards go to the hand shown last, never to another table."""

from __future__ import annotations

import pytest

from bot.chat.table.screens.typed_placement import parse_letters
from bot.model.ids import GuildId
from bot.pure.ofc.cards import Card
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.test_placing import cards_of
from tests.discord.test_table_threads import in_threads, thread_of


async def two_waiting(club: Club) -> None:
    """Tables 1 (2-7) and 2 (Pineapple), where Bob is on turn at both."""
    await club.open_table("alice", "bob", game="two_seven")
    await club.open_table("hanako", "bob")
    assert [await club.on_turn(1), await club.on_turn(2)] == ["bob", "bob"]


def named(club: Club, number: int, game: str) -> str:
    words = club.words("bob")
    return words("typed.table", table=number, game=words(f"variant.{game}.name"))


async def test_cards_go_to_the_hand_that_was_shown_last_also_after_a_restart(club: Club) -> None:
    await two_waiting(club)
    for shown in (2, 1, 2):
        await club.open_panel("bob", shown)
    await club.restart()
    answer = await club.slash("bob", "place", cards="BBMMF")
    assert answer.text.startswith(f"✅ {named(club, 2, 'pineapple')}"), "first what was done, and where"
    assert await club.on_turn(1) == "bob", "nothing was placed at the other table"
    assert await club.on_turn(2) == "hanako"


async def test_the_same_line_twice_never_reaches_the_next_table(club: Club) -> None:
    await two_waiting(club)
    await club.slash("bob", "hand", table=2)
    await club.slash("bob", "place", cards="BBMMF")
    answer = await club.slash("bob", "place", cards="BBMMF")
    words = club.words("bob")
    assert words("typed.nothing_waits", where=named(club, 2, "pineapple")) in answer.text
    assert words("typed.waits", where=named(club, 1, "two_seven"), count=5) in answer.text
    assert await club.on_turn(1) == "bob"


async def practice_waits(club: Club, name: str) -> list[str]:
    """The cards in a practice hand at table 1, where the clock never places for its player."""
    await club.slash(name, "ofc practice", game="pineapple")
    while club.player(name) not in (await club.look(1, name)).waiting:
        await club.pass_time(1)
    return cards_of(await club.look(1, name))


@pytest.mark.parametrize("marks", ["", "!!"])
@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_the_cards_seen_last_are_meant_before_their_turn_though_another_table_waits(
    club: Club, name: str, marks: str
) -> None:
    practice = await practice_waits(club, name)
    await club.open_table(name, "bob")
    assert await club.on_turn(2) == "bob"
    words = club.words(name)
    where = words("typed.table", table=2, game=words("variant.pineapple.name"))
    await club.open_panel(name, 2)
    choices = await club.members[name].autocomplete(club.channel, "place", "cards", "BB")
    assert choices
    assert all(choice["name"].startswith(where) for choice in choices)
    for _ in range(2):  # The repeated line goes to the same table.
        answer = await club.slash(name, "place", cards=f"BBMMF{marks}")
        assert answer.text.startswith(words("typed.placed_ahead", where=where, cards="@").partition("@")[0])
        assert await is_ahead(club, name, 2)
    answer = await club.slash(name, "place", cards="undo")
    assert answer.text.startswith(words("typed.taken_back", where=where))
    assert not await is_ahead(club, name, 2)
    assert cards_of(await club.look(1, name)) == practice


async def test_letters_for_unseen_cards_are_a_draft_at_the_table_seen_last_though_another_waits(club: Club) -> None:
    practice = await practice_waits(club, "alice")
    assert await one_who_waits(club, 2) == "alice"
    words = club.words("alice")
    answer = await club.slash("alice", "place", cards="BMD")
    where = words("typed.table", table=2, game=words("variant.pineapple.name"))
    assert answer.text.startswith(words("typed.unseen", where=where))
    assert answer.has("ahead")
    assert cards_of(await club.look(1, "alice")) == practice


async def test_where_no_hand_was_shown_and_several_wait_they_are_named(club: Club) -> None:
    await two_waiting(club)
    words = club.words("bob")
    await club.play.show_hand(GuildId(club.guild.id), club.player("bob"), "")
    answer = await club.slash("bob", "place", cards="BBMMF")
    assert words("typed.which") in answer.text
    for number, game in ((1, "two_seven"), (2, "pineapple")):
        assert words("typed.waits", where=named(club, number, game), count=5) in answer.text
    assert await club.members["bob"].autocomplete(club.channel, "place", "cards", "") == []
    tables = await club.members["bob"].autocomplete(club.channel, "place", "table", "")
    assert [choice["value"] for choice in tables] == [1, 2]
    assert tables[0]["name"] == words("typed.waits", where=named(club, 1, "two_seven"), count=5)
    await club.slash("bob", "place", cards="BBMMF!!", table=1)
    assert await club.on_turn(1) == "alice"


async def test_in_the_thread_of_a_table_its_own_hand_is_meant(club: Club) -> None:
    await in_threads(club)
    await two_waiting(club)
    (first, second) = [await thread_of(club, number) for number in (1, 2)]
    await second.open_panel("bob", 2)
    choices = await club.members["bob"].autocomplete(first.channel, "place", "cards", "BB")
    assert choices
    assert all(choice["name"].startswith(named(club, 1, "two_seven")) for choice in choices)
    answer = await first.slash("bob", "place", cards="BBMMF!!")
    assert answer.text.startswith(f"✅ {named(club, 1, 'two_seven')}")
    assert [await club.on_turn(1), await club.on_turn(2)] == ["alice", "bob"]
    # The repeated line goes to the same table, which no longer waits.
    answer = await first.slash("bob", "place", cards="BBMMF!!")
    assert club.words("bob")("typed.nothing_waits", where=named(club, 1, "two_seven")) in answer.text
    assert await club.on_turn(2) == "bob"
    # The hand shown last in this thread takes precedence.
    await first.play_turn("alice", 1)
    assert await club.on_turn(1) == "bob"
    await first.slash("bob", "hand", table=2)
    answer = await first.slash("bob", "place", cards="BBMMF!!")
    assert answer.text.startswith(f"✅ {named(club, 2, 'pineapple')}")
    assert [await club.on_turn(1), await club.on_turn(2)] == ["bob", "hanako"]


async def test_where_several_wait_in_a_channel_and_another_was_shown_elsewhere_it_is_asked(club: Club) -> None:
    await two_waiting(club)
    thread = club.thread("elsewhere")
    panel = await thread.slash("bob", "daily")
    await thread.tap("bob", panel, panel.find("day_begin"))
    answer = await club.slash("bob", "place", cards="BBMMF")
    assert club.words("bob")("typed.which") in answer.text
    answer = await thread.slash("bob", "place", cards="BBMMF!!")
    assert answer.text.startswith(f"✅ {club.words('bob')('daily.title.daily')}")
    assert [await club.on_turn(1), await club.on_turn(2)] == ["bob", "bob"]


async def test_suggestions_name_the_table(club: Club) -> None:
    await two_waiting(club)
    await club.open_panel("bob", 2)
    choices = await club.members["bob"].autocomplete(club.channel, "place", "cards", "BB")
    assert choices
    assert all(choice["name"].startswith(named(club, 2, "pineapple")) for choice in choices)


async def test_practice_that_is_in_front_gets_what_is_typed(club: Club) -> None:
    await two_waiting(club)
    await club.open_panel("bob", 1)
    await club.slash("bob", "ofc practice", game="pineapple")
    while club.player("bob") not in (await club.look(3, "bob")).waiting:
        await club.pass_time(1)
    held = cards_of(await club.look(3, "bob"))
    answer = await club.slash("bob", "place", cards="BBMMF")
    assert answer.text.startswith(f"✅ {named(club, 3, 'pineapple')}")
    assert cards_of(await club.look(3, "bob")) != held
    assert [await club.on_turn(1), await club.on_turn(2)] == ["bob", "bob"]


async def test_the_hand_of_the_day_that_is_in_front_is_typed_to_its_end(club: Club) -> None:
    await two_waiting(club)
    words = club.words("bob")
    panel = await club.slash("bob", "daily")
    await club.tap("bob", panel, panel.find("day_begin"))
    for typed in ("BBMMF", "BMD", "BMD", "BMD", "FFD"):
        answer = await club.slash("bob", "place", cards=f"{typed}!!")
        assert answer.text.startswith(f"✅ {words('daily.title.daily')}"), answer.text
    answer = await club.slash("bob", "place", cards="BMD")
    assert words("typed.which") in answer.text, "it is over, and the tables aren't meant"
    assert [await club.on_turn(1), await club.on_turn(2)] == ["bob", "bob"]


async def test_looking_again_at_the_same_hand_writes_nothing(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.open_panel("bob")
    before = await club.play.member_settings(GuildId(club.guild.id), club.player("bob"))
    await club.open_panel("bob")
    assert await club.play.member_settings(GuildId(club.guild.id), club.player("bob")) is before


@pytest.mark.parametrize("again", ["the same", "marked", "too late"])
async def test_a_certain_foul_is_typed_twice_or_marked(club: Club, again: str) -> None:
    """A pair in the middle of 2-7 can't become a low."""
    await club.open_table("alice", "bob", game="two_seven", clock="relaxed")
    words = club.words("bob")
    held = cards_of(await club.look(1, "bob"))
    high = next((card for card in held if card[0] in "JQKA"), None)
    pair = [card for card in held if sum(card[0] == other[0] for other in held) > 1]
    middle = [high] if high else pair
    assert middle, "the deck of this test has a card that is too high"
    rest = [card for card in held if card not in middle]
    typed = f"m: {' '.join(middle)} b: {' '.join(rest)}"
    where = named(club, 1, "two_seven")
    answer = await club.slash("bob", "place", cards=typed)
    assert answer.text.startswith(words("typed.fouls", where=where))
    assert words("panel.foul_low") in answer.text
    assert words("board.confirm_foul") in answer.labels()
    assert await club.on_turn() == "bob"
    if again == "too late":
        await club.pass_time(61)
    answer = await club.slash("bob", "place", cards=f"{typed} !!" if again == "marked" else typed)
    assert (await club.on_turn() == "bob") == (again == "too late")
    assert words("panel.foul_low") in answer.text, "said before and after it is final"


async def test_a_draft_is_arranged_taken_back_and_confirmed_by_typing(club: Club) -> None:
    words = club.words("alice")
    await club.slash("alice", "ofc practice", game="chinese")
    where = words("typed.table", table=1, game=words("variant.chinese.name"))
    answer = await club.slash("alice", "place", cards="confirm")
    assert words("typed.no_draft", where=where) in answer.text
    answer = await club.slash("alice", "place", cards="arrange")
    assert answer.text.startswith(words("typed.arranged", where=where))
    answer = await club.slash("alice", "place", cards="undo")
    assert answer.text.startswith(words("typed.undone", where=where))
    answer = await club.slash("alice", "place", cards="confirm")
    assert words("typed.no_draft", where=where) in answer.text
    await club.slash("alice", "place", cards="arrange")
    answer = await club.slash("alice", "place", cards="確定")
    assert answer.text.startswith(f"✅ {where}")


async def test_what_was_tapped_is_taken_back_and_confirmed_by_typing(club: Club) -> None:
    await club.open_table("alice", "bob")
    words = club.words("bob")
    where = named(club, 1, "pineapple")
    await club.place("bob", await club.open_panel("bob"), "BBMMF")
    answer = await club.slash("bob", "place", cards="undo")
    assert answer.text.startswith(words("typed.undone", where=where))
    answer = await club.slash("bob", "place", cards="confirm")
    assert words("typed.no_draft", where=where) in answer.text
    answer = await club.slash("bob", "place", cards="arrange")
    assert words("typed.not_arranged", where=where) in answer.text
    await club.place("bob", await club.open_panel("bob"), "BBMMF")
    await club.restart()
    await club.slash("bob", "place", cards="confirm")
    assert await club.on_turn() == "alice"


@pytest.mark.parametrize("code", ["en", "ja"])
def test_how_cards_are_typed_is_read_whole_below_the_command(code: str) -> None:
    told = words_for(code)("command.option_cards")
    assert 20 < len(told) <= 70, "Discord cuts off what is longer on a desk"
    example = "BMD" if code == "en" else "下中捨"
    assert example in told
    assert parse_letters(example, [Card(1), Card(2), Card(3)], to_place=2) == "BMD"


async def is_ahead(club: Club, name: str, table: int = 1) -> bool:
    mine = (await club.look(table, name)).mine
    assert mine is not None
    return mine.seat.ahead is not None


async def one_who_waits(club: Club, table: int = 1) -> str:
    """The player who acts second, and was dealt the second street's cards before their turn without seeing them."""
    await club.open_table("alice", "bob", "hanako", clock="relaxed")
    order = []
    for _ in range(3):
        order.append(await club.on_turn(table))
        await club.slash(order[-1], "place", cards="BBMMF!!", table=table)
        await club.pass_time(16 * 60)  # Discord lets a panel be edited for 15 minutes
    assert await club.on_turn(table) == order[0]
    return order[1]


@pytest.mark.parametrize("again", ["BMD", "confirm"])
async def test_letters_for_cards_that_were_never_shown_are_a_draft_first(club: Club, again: str) -> None:
    name = await one_who_waits(club)
    words = club.words(name)
    answer = await club.slash(name, "place", cards="BMD")
    assert answer.text.startswith(words("typed.unseen", where=named_for(club, name)))
    assert answer.has("ahead"), "it's a draft, with its button"
    assert not await is_ahead(club, name)
    answer = await club.slash(name, "place", cards=again)
    assert words("panel.ahead") in answer.text
    assert await is_ahead(club, name)


@pytest.mark.parametrize("shown", ["hand", "suggestions", "slip", "names"])
async def test_letters_for_cards_that_were_shown_confirm_at_once(club: Club, shown: str) -> None:
    name = await one_who_waits(club)
    typed = "BMD"
    match shown:
        case "hand":
            await club.slash(name, "hand")
        case "suggestions":
            assert await club.members[name].autocomplete(club.channel, "place", "cards", "")
        case "slip":
            await club.slash(name, "place", cards="BM")
        case "names":
            first, second, _ = cards_of(await club.look(1, name))
            typed = f"{first} b {second} m"
    answer = await club.slash(name, "place", cards=typed)
    assert club.words(name)("panel.ahead") in answer.text
    assert await is_ahead(club, name)


def named_for(club: Club, name: str) -> str:
    words = club.words(name)
    return words("typed.table", table=1, game=words("variant.pineapple.name"))
