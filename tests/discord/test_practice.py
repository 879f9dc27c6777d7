"""Private practice: one message, nothing in the channel, and a table that no one else can find."""

from dataclasses import replace

import pytest

from bot.model.tables import TableState
from bot.play.session.policy import Policy
from bot.play.session.session import Session
from bot.pure.ofc.cards import ROWS
from bot.pure.ofc.presets import PRESETS
from bot.text.games import full_name
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen
from tests.discord.forge import check_deal, forge
from tests.in_turn import in_turn

PEOPLE = ["alice", "hanako"]
MENUS = ("add_computer", "level")
VERBS = (
    *("join", "leave", "stay", "start", "add_computer"),
    *("seats", "seat", "sit", "seat_of", "make_host", "remove", "rebuy", "come_back"),
    *("hand", "panel", "card", "row", "confirm", "stop"),
)


async def practised(club: Club, name: str) -> Screen:
    """Open a member's practice by the command."""
    return await club.slash(name, "ofc practice")


async def play_to_the_end(club: Club, name: str, panel: Screen, table: int = 1) -> Screen:
    """Play the running hand to its end, pressing only buttons of the panel."""
    hand_no = (await club.look(table, name)).table.hand_no
    for _ in range(60):
        view = await club.look(table, name)
        if view.table.hand_no != hand_no or view.table.state is not TableState.PLAYING:
            return panel
        if view.you in view.waiting:
            panel = await club.place_in(name, panel, view)
        else:
            await club.pass_time(1)
    raise AssertionError("the hand does not end")


async def details_of(club: Club, name: str, over: Screen) -> Screen:
    """Open **Details** below a finished hand."""
    details = await club.click(name, over, club.words(name)("button.details"))
    assert details is not None
    return details


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_learner_plays_hand_after_hand_in_one_message(club: Club, name: str) -> None:
    words = club.words(name)
    panel = await practised(club, name)
    assert words("table.hand", hand=1) in panel.text
    assert words("name.computer_4") in panel.text
    await play_to_the_end(club, name, panel)
    await club.settle()
    assert words("result.heading", hand=1, table=1) in panel.text
    again = await club.click(name, panel, words("practice.button.next"))
    assert again is not None
    assert again.id == panel.id
    assert words("table.hand", hand=2) in panel.text
    stopped = await club.click(name, panel, words("practice.button.stop"))
    assert stopped is not None
    assert words("closed.practice_stopped") in stopped.text
    (mine,) = [one for one in (await club.play.closing(club.key())).totals if one.player == club.player(name)]
    told = (
        words("practice.session.hands", count=1),
        words("practice.session.points", points=words.signed(mine.points), count=abs(mine.points)),
        words("practice.session.fouls", count=mine.fouls),
        words("practice.session.fantasylands", count=mine.fantasylands),
    )
    assert " · ".join(told) in stopped.text
    assert club.public() == []
    assert len(club.private(name)) == 1
    assert not (await club.look()).table.open


async def test_another_practice_takes_the_message_of_the_one_that_is_over(club: Club) -> None:
    words = club.words("alice")
    panel = await practised(club, "alice")
    for table in (1, 2, 3):
        assert words("table.hand", hand=1) in panel.text
        assert (await club.look(table, "alice")).table.open
        await club.click("alice", panel, words("practice.button.stop"))
        assert words("closed.practice_stopped") in panel.text
        await club.click("alice", panel, words("practice.button.again"))
    assert len(club.private("alice")) == 1, "ten practices leave one message"


async def test_a_game_without_fantasyland_counts_none(club: Club) -> None:
    words = club.words("bob")
    panel = await club.slash("bob", "ofc practice", game="thirteen")
    await play_to_the_end(club, "bob", panel)
    await club.settle()
    stopped = await club.click("bob", panel, words("practice.button.stop"))
    assert stopped is not None
    assert words("practice.session.hands", count=1) in stopped.text
    assert "Fantasyland" not in stopped.text


async def test_practice_that_ends_before_a_hand_does_has_no_sum(club: Club) -> None:
    panel = await practised(club, "bob")
    stopped = await club.tap("bob", panel, panel.find("stop"))
    assert club.words("bob")("practice.session.fouls", count=0) not in stopped.text


async def test_private_practice_is_let_in_where_no_table_is(club: Club) -> None:
    await club.play.choose_for_server(club.key().guild, lambda before: replace(before, channels=(2**60,)))
    assert (await practised(club, "bob")).has("row", "F")


async def test_practice_needs_no_permission_to_write(club: Club) -> None:
    club.forbid("send_messages", "view_channel")
    panel = await practised(club, "alice")
    assert club.words("alice")("table.hand", hand=1) in panel.text


@in_turn("name", "bob", "hanako")
async def test_nobody_else_finds_joins_or_sees_a_private_table(club: Club, name: str) -> None:
    words = club.words(name)
    panel = await practised(club, "alice")
    before = await club.facts()
    listed = await club.slash(name, "ofc table", do="tables")
    assert words("table.practice") not in listed.text
    tag = panel.find("stop")["custom_id"].split(":")[2]
    await club.slash(name, "ofc play")
    before = await club.facts()
    for verb in (*VERBS, "next_hand", "level"):
        for number in ("1", tag):
            values = ["casual"] if verb in MENUS else None
            press = await forge(club, name, club.table_screen(2), f"c1:{verb}:{number}:1:1:::", values=values)
            assert press.said in (words("refused.no_table"), words("gate.too_late")), verb
    for command, options in (("hand", {}), ("place", {"cards": "FFMBB"})):
        assert (await club.slash(name, command, table=1, **options)).text == words("refused.no_table"), command
    assert (await club.slash(name, "ofc result", table=1, hand=1)).text == words("refused.no_table")
    assert (await check_deal(club, name)).text == words("refused.no_table")
    assert await club.facts() == before


async def test_its_player_sees_it_among_their_tables(club: Club) -> None:
    await practised(club, "alice")
    words = club.words("alice")
    assert words("table.practice") in (await club.slash("alice", "ofc table", do="tables")).text
    assert words("table.practice") in (await club.slash("alice", "ofc table", do="mine")).text


@pytest.mark.parametrize("command", ["hand", "ofc practice"])
async def test_it_is_opened_again_after_a_restart_where_it_was_left(club: Club, command: str) -> None:
    panel = await practised(club, "alice")
    await club.pass_time(2)  # the computer may have been first
    await club.place_in("alice", panel, await club.look(1, "alice"))
    await club.restart(down_seconds=1200)
    await club.pass_time(3)
    again = await club.slash("alice", command)
    assert again.id != panel.id
    now = await club.look(1, "alice")
    assert now.table.hand_no == 1
    assert now.hand is not None
    assert now.hand.street == 2
    assert club.words("alice")("table.hand", hand=1) in again.text
    assert len(await club.play.tables_of(club.key().guild, club.player("alice"))) == 1


async def test_another_game_takes_the_place_of_the_one_before(club: Club) -> None:
    await practised(club, "alice")
    asked = await club.slash("alice", "ofc practice", game="progressive")
    panel = await club.tap("alice", asked, asked.find("practise_new"))
    assert club.words("alice")("variant.progressive.name") in panel.text
    assert not (await club.look(1)).table.open
    assert (await club.look(2)).table.open


async def test_my_games_says_that_a_practice_waits_for_its_player(club: Club) -> None:
    words = club.words("hanako")
    panel = await practised(club, "hanako")
    assert words("button.my_hand") in (await club.slash("hanako", "ofc table", do="mine")).labels()
    await play_to_the_end(club, "hanako", panel)
    games = await club.slash("hanako", "ofc table", do="mine")
    assert words("games.your_deal") in games.text
    assert words("games.open") in games.labels()


async def test_next_hand_pressed_twice_deals_one_hand(club: Club) -> None:
    panel = await practised(club, "alice")
    await play_to_the_end(club, "alice", panel)
    await club.settle()
    control = panel.find("next_hand")
    await club.press("alice", panel, control)
    late = await forge(club, "alice", panel, control["custom_id"])
    assert (await club.look()).table.hand_no == 2
    assert club.words("alice")("table.hand", hand=2) in late.said


async def test_a_table_that_was_left_closes_by_itself(club: Club) -> None:
    await practised(club, "alice")
    await club.pass_time(2)  # The computer has placed.
    await club.pass_hours(Policy().practice_ms / 1000)
    table = (await club.look()).table
    assert (table.open, table.closed_reason) == (False, "practice_left")
    assert club.public() == []


async def test_practice_counts_among_the_tables_of_its_player(club: Club) -> None:
    for _ in range(Policy().tables_per_player - 1):
        await club.slash("alice", "ofc play")
    await practised(club, "alice")
    refused = await club.slash("alice", "ofc play")
    assert refused.text == club.words("alice")(
        "refused.too_many_tables", most=Policy().tables_per_player, slow=Policy().slow_tables_per_player
    )


@pytest.mark.parametrize("name", PEOPLE)
async def test_practice_in_the_channel_remains_a_choice(club: Club, name: str) -> None:
    await club.practise_here(name)
    assert club.shown(name) in club.table_screen().text
    assert not (await club.look()).table.private


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize(("level", "computer"), [("casual", 4), ("club", 1), ("master", 7)])
async def test_opponents_are_as_strong_as_was_chosen(club: Club, name: str, level: str, computer: int) -> None:
    panel = await club.slash(name, "ofc practice", level=level)
    assert club.words(name)(f"name.computer_{computer}") in panel.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_after_a_hand_stronger_opponents_are_a_choice_away(club: Club, name: str) -> None:
    words = club.words(name)
    panel = await club.slash(name, "ofc practice", game="progressive", computers=2)
    await play_to_the_end(club, name, panel)
    await club.settle()
    details = await details_of(club, name, panel)
    changed = await club.choose(name, details, details.find("level"), ["master"])
    assert panel.gone, "one message holds the practice"
    assert words("variant.progressive.name") in changed.text
    assert words("name.computer_7") in changed.text
    assert [place.seat.player for place in (await club.look(2)).places[1:]] == ["computer-7", "computer-8"]
    assert not (await club.look(1)).table.open
    assert club.public() == []


@pytest.mark.parametrize("values", [[], ["grandmaster"]])
async def test_a_level_that_was_not_chosen_changes_nothing(club: Club, values: list[str]) -> None:
    panel = await practised(club, "alice")
    await play_to_the_end(club, "alice", panel)
    await club.settle()
    before = await club.facts()
    details = await details_of(club, "alice", panel)
    late = await forge(club, "alice", details, details.find("level")["custom_id"], values=values)
    assert club.words("alice")("result.heading", hand=1, table=1) in late.said
    assert await club.facts() == before


async def test_an_old_menu_of_levels_closes_nothing(club: Club) -> None:
    panel = await practised(club, "alice")
    await play_to_the_end(club, "alice", panel)
    await club.settle()
    menu = (await details_of(club, "alice", panel)).find("level")["custom_id"]
    await club.press("alice", panel, panel.find("next_hand"))
    before = await club.facts()
    late = await forge(club, "alice", panel, menu, values=["master"])
    assert club.words("alice")("table.hand", hand=2) in late.said
    assert await club.facts() == before


@in_turn("name", "bob", "hanako")
async def test_another_practice_asks_before_it_ends_a_hand_and_the_hand_can_be_played_on(club: Club, name: str) -> None:
    words, player = club.words(name), club.player(name)
    await practised(club, name)
    before = await club.facts(drafts=False)
    asked = await club.slash(name, "ofc practice", game="two_seven", computers=2)
    assert words("practice.unfinished.hand", game=full_name(PRESETS["pineapple"], words)) in asked.text
    assert await club.facts(drafts=False) == before, "nothing has happened"
    on = await club.tap(name, asked, asked.find("practise"))
    assert words("table.hand", hand=1) in on.text
    assert await club.facts(drafts=False) == before
    again = await club.slash(name, "ofc practice", game="two_seven", computers=2)
    new = again.find("practise_new")
    await club.tap(name, again, new)
    (table,) = await club.play.tables_of(club.key().guild, player)
    assert (table.terms.variant.key, table.hand_no) == ("two_seven", 1)
    assert len((await club.look(table.key.table)).places) == 3
    # Repeating the press ends no other hand.
    before = await club.facts()
    pressed = await forge(club, name, again, new["custom_id"])
    assert words("practice.unfinished.hand", game=full_name(PRESETS["two_seven"], words)) in pressed.said
    assert await club.facts() == before


@pytest.mark.parametrize("fantasyland", [0, 14])
async def test_once_a_hand_is_over_only_a_fantasyland_to_come_is_asked_about(club: Club, fantasyland: int) -> None:
    words = club.words("bob")
    panel = await practised(club, "bob")
    await play_to_the_end(club, "bob", panel)
    await club.settle()

    def due(s: Session) -> None:
        seat = next(seat for seat in s.tx.tables.seats(club.key()) if seat.player == club.player("bob"))
        s.tx.tables.save_seat(club.key(), replace(seat, fantasyland=fantasyland))

    await transactions_of(club.play).write(due)
    shown = await club.slash("bob", "ofc practice", game="classic")
    told = words("practice.unfinished.fantasyland", game=full_name(PRESETS["pineapple"], words))
    assert (told in shown.text) == bool(fantasyland)
    (table,) = await club.play.tables_of(club.key().guild, club.player("bob"))
    assert table.terms.variant.key == ("pineapple" if fantasyland else "classic")
    if fantasyland:
        over = await club.slash("bob", "ofc practice")
        details = await details_of(club, "bob", over)
        asked = await club.choose("bob", details, details.find("level"), ["master"])
        assert told in asked.text
        await club.tap("bob", asked, asked.find("practise_new"))
        (new,) = await club.play.tables_of(club.key().guild, club.player("bob"))
        assert new.key != table.key


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize(("level", "computer", "announced"), [("club", 1, False), ("master", 7, True)])
async def test_a_master_that_plays_as_club_says_so(
    club: Club, name: str, level: str, computer: int, announced: bool
) -> None:
    """This bot has no workers, so a master falls back to club strength on every street."""
    words = club.words(name)
    panel = await club.slash(name, "ofc practice", level=level)
    await play_to_the_end(club, name, panel)
    await club.settle()
    seat = (await club.look(1, name)).hand
    assert seat is not None
    assert [len(seat.seats[number].by_fallback) for number in (0, 1)] == [0, 5 * announced]
    opponent = words(f"name.computer_{computer}")
    line = words("result.note.fallback")
    assert opponent in panel.text
    assert (line in panel.text) is announced


# One message all evening


@in_turn("name", "alice", "hanako")
async def test_a_new_sitting_takes_the_panel_of_the_one_before_away(club: Club, name: str) -> None:
    hub = await club.slash(name, "ofc help")
    first = await club.tap(name, hub, hub.find("practise"))
    await play_to_the_end(club, name, first)
    await club.settle()
    second = await club.slash(name, "ofc practice", game="classic")
    await club.settle()
    assert first.gone
    assert second.has("card")
    assert len(club.private(name)) == 2, "the menu and one practice"


async def test_a_panel_that_could_not_be_taken_away_says_that_it_is_over_once_it_is_pressed(
    club: Club,
) -> None:
    first = await club.slash("bob", "ofc practice")
    await play_to_the_end(club, "bob", first)
    await club.settle()
    await club.pass_hours(20 * 60)
    await club.slash("bob", "ofc practice", game="classic")
    assert not first.gone, "Discord lets nobody edit it any more"
    await club.press("bob", first, first.find("next_hand"))
    assert first.has("practise"), "and the press leads on"
    assert not first.has("card")


@in_turn("name", "alice", "hanako")
async def test_a_hand_that_is_over_says_each_total_once_above_its_board(club: Club, name: str) -> None:
    words, panel = club.words(name), await club.slash(name, "ofc practice")
    await play_to_the_end(club, name, panel)
    await club.settle()
    verbs = [control["custom_id"].split(":")[1] for control in panel.controls()]
    assert verbs == ["review", "hand_details", "next_hand", "stop"]
    title, *lines = panel.text.split("\n")
    assert words("result.heading", hand=1, table=1) in title
    results = (await club.play.result(club.key(), 1)).results
    assert len(lines) == len(results) * (1 + len(ROWS))
    best = sorted(results, key=lambda result: -result.points)
    for result, head in zip(best, lines[:: 1 + len(ROWS)], strict=True):
        assert club.bot.services.faces.names.of(club.key().guild, result.player, words) in head
        assert words.signed(result.points) in head
    # Removed parts are one press away.
    details = await details_of(club, name, panel)
    for verb in ("replay", "level", "rulebook"):
        assert details.has(verb), verb
    await club.click(name, panel, words("practice.button.next"))
    details = await club.slash(name, "ofc result", table="1", hand="1")
    assert not details.has("level"), "while cards are played there is nothing to change"


@in_turn("name", "alice", "hanako")
async def test_a_practice_that_is_over_has_two_lines_and_two_ways(club: Club, name: str) -> None:
    words, panel = club.words(name), await club.slash(name, "ofc practice")
    await play_to_the_end(club, name, panel)
    await club.settle()
    panel = await club.click(name, panel, words("practice.button.next")) or panel
    over = await club.tap(name, panel, panel.find("stop"))
    assert len(over.text.split("\n")) == 2
    assert [control["custom_id"].split(":")[1] for control in over.controls()] == ["practise", "review"]
    review = await club.tap(name, over, over.find("review"))
    assert words("review.title", hand=1) in review.text, "the second hand was stopped in its middle"
