"""Cards dealt face up in turn, and Fantasyland on a separate clock: each player's view at each moment."""

from collections.abc import Sequence

from bot.chat.table.screens.boards import sorted_row
from bot.model.ids import GuildId
from bot.model.tables import HouseGame
from bot.pure.ofc.cards import Card, Row
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.view import HandView, SeatView
from bot.text.cards import row_name
from tests.discord.club import Club
from tests.discord.test_family import FRIENDS, deal_known, front_pair_and_legal, seed_for

OWN_CLOCK = house_variant("pineapple", {"fantasyland.entry": "22", "fantasyland.clock": "own"})
"""A game in which everyone enters Fantasyland and no one waits for it."""


async def _house(club: Club, preset: str, **overrides: str) -> None:
    """The server has a game that is called Ours."""
    house = {key.replace("_", ".", 1) if key.startswith("fantasyland_") else key: v for key, v in overrides.items()}
    game = HouseGame(name="Ours", variant=house_variant(preset, house, name="Ours"))
    await club.play.save_game(GuildId(club.guild.id), game, by=club.player("alice"))


async def _hand(club: Club, name: str | None = None) -> HandView:
    hand = (await club.look(1, name)).hand
    assert hand is not None
    return hand


async def _seat(club: Club, of: str, name: str | None = None) -> SeatView:
    """The seat of one as another sees it."""
    return next(seat for seat in (await _hand(club, name)).seats if seat.player == club.player(of))


def _faces(club: Club, cards: Sequence[Card | None]) -> str:
    assert None not in cards
    return club.bot.services.faces.row([card for card in cards if card is not None])


async def _drawn_is_seen_by_all(club: Club, names: Sequence[str], *, cards: int) -> None:
    """Check that the player to act has cards that everyone can see, and that no one else has any."""
    on_turn = await club.on_turn()
    for seen_by in (*names, None):
        assert [len((await _seat(club, name, seen_by)).held) for name in names] == [
            cards if name == on_turn else 0 for name in names
        ]
    drawn = _faces(club, (await _seat(club, on_turn)).held)
    table = club.table_screen().text
    assert table.count(club.words()("table.drawn", cards=drawn)) == 1
    for name in names:
        panel = await club.open_panel(name)
        assert panel.has("card") is (name == on_turn)


async def test_open_thirteen_turns_up_one_card_of_the_stock_in_each_turn(club: Club) -> None:
    club.newcomer("dai")
    names = FRIENDS[:4]
    await club.open_table(*names, game="open_thirteen")
    assert club.words()("table.drawn", cards="").strip() not in club.table_screen().text
    for name in names:
        assert [len((await _seat(club, name, other)).held) for other in names] == [5] * 4
        assert set((await _seat(club, name)).held) == {None}, "the first five are dealt unseen"
        assert (await club.open_panel(name)).has("card")
    for name in names:
        await club.play_turn(name)
    for _ in range(5):
        await _drawn_is_seen_by_all(club, names, cards=1)
        await club.play_turn(await club.on_turn())
    await club.restart()
    await _drawn_is_seen_by_all(club, names, cards=1)
    assert await club.type_hand() == 1
    assert club.words()("result.heading", hand=1, table=1) in club.said()


async def test_a_house_deals_pineapple_in_turn_and_the_clock_places_what_was_turned_up(club: Club) -> None:
    await _house(club, "pineapple", deal="turn", discards="open")
    names = FRIENDS[:3]
    await club.open_table(*names, game="Ours")
    for _ in names:
        await _drawn_is_seen_by_all(club, names, cards=5)
        await club.play_turn(await club.on_turn())
    name = await club.on_turn()
    drawn = (await _seat(club, name)).held
    await club.pass_time(61)
    assert await club.on_turn() != name
    seat = await _seat(club, name)
    placed = [card for row in seat.rows for card in row if card in drawn]
    assert len(placed) == 2
    assert {*placed, *seat.discards} == {*drawn}
    await _drawn_is_seen_by_all(club, names, cards=3)
    assert await club.type_hand() == 1


async def test_a_computer_plays_what_it_draws(club: Club) -> None:
    await _house(club, "classic", deal="turn")
    await club.practise_here("alice", game="Ours")
    for _ in range(60):
        if club.words()("result.heading", hand=1, table=1) in club.said():
            break
        if club.player("alice") in (await club.look(1)).waiting:
            await club.play_turn("alice")
        else:
            await club.pass_time(3)
    assert club.words()("result.heading", hand=1, table=1) in club.said()


async def test_fantasyland_on_its_own_clock_sees_no_other_board_and_nobody_waits(club: Club) -> None:
    await _house(club, "pineapple", fantasyland_entry="22", fantasyland_clock="own")
    club.seeds.append(seed_for(lambda seed: front_pair_and_legal(club, seed, OWN_CLOCK)))
    await deal_known(club, ("alice", "bob"), game="Ours")
    await club.type_hand()
    await club.pass_time(13)
    words = club.words()
    fantasyland = [name for name in ("alice", "bob") if (await _seat(club, name)).fantasyland]
    assert fantasyland == ["alice"]
    view = await club.look(1)
    assert {club.name_of(player) for player in view.waiting} == {"alice", "bob"}
    assert all(view.until(player) for player in view.waiting), "both clocks run"
    await club.play_turn("bob")
    back = [card for card in (await _seat(club, "bob", "bob")).rows[Row.BACK.place] if card is not None]
    placed = _faces(club, sorted_row(back))
    assert placed not in club.table_screen().text
    assert words("table.concealed", my_hand=words("button.my_hand")) in club.table_screen().text
    panel = await club.open_panel("alice")
    assert words("panel.set_once") in panel.text
    assert placed not in panel.text
    assert placed in (await club.open_panel("bob")).text
    await club.play_turn("alice")
    assert words("table.concealed", my_hand=words("button.my_hand")) not in club.table_screen().text
    assert placed in club.table_screen().text
    panel = await club.open_panel("alice")
    assert not panel.has("confirm"), "set once"
    assert await club.type_hand() == 2


def _calls_of(club: Club, name: str) -> set[int]:
    return {call.id for call in club.calls() if club.members[name].id in call.message.ping_user_ids}


async def test_fantasyland_on_its_own_clock_is_called_once(club: Club) -> None:
    await _house(club, "pineapple", fantasyland_entry="22", fantasyland_clock="own")
    club.seeds.append(seed_for(lambda seed: front_pair_and_legal(club, seed, OWN_CLOCK)))
    await deal_known(club, ("alice", "bob"), game="Ours")
    await club.type_hand()
    await club.pass_time(13)
    calls: set[int] = set()
    for _ in range(5):
        calls |= _calls_of(club, "alice")
        await club.pass_time(22)
        calls |= _calls_of(club, "alice")
        await club.play_turn("bob")
    assert (await _hand(club)).street > 3
    assert len(calls) <= 2, "the call, and a reminder when her time is nearly over"


async def test_fantasyland_on_its_own_clock_is_set_by_the_clock_while_others_play(club: Club) -> None:
    await _house(club, "pineapple", fantasyland_entry="22", fantasyland_clock="own")
    club.seeds.append(seed_for(lambda seed: front_pair_and_legal(club, seed, OWN_CLOCK)))
    await deal_known(club, ("alice", "bob"), game="Ours")
    await club.type_hand()
    await club.pass_time(13)
    for _ in range(3):
        await club.pass_time(50)
        await club.play_turn("bob")
    assert (await _seat(club, "alice")).placed, "a board takes two turns of a minute"
    assert (await club.look(1)).waiting == (club.player("bob"),)


async def test_results_are_netted_from_the_back_to_the_front_where_a_house_wants_it(club: Club) -> None:
    await _house(club, "pineapple", results="netted")
    names = FRIENDS[:3]
    await club.open_table(*names, game="Ours")
    await club.type_hand()
    (posted,) = [screen for screen in club.public() if screen.has("hand_details")]
    result = (await club.tap(names[0], posted, posted.find("hand_details"))).text
    words, score = club.words(), (await _hand(club)).score
    assert score is not None
    back, middle, front = (row_name(row, words) for row in (Row.BACK, Row.MIDDLE, Row.FRONT))
    lines = [line for line in result.splitlines() if line.startswith("**") and f": {back}" in line]
    assert len(lines) == 3
    for line, points in zip(lines, score.points, strict=True):
        assert line.index(back) < line.index(middle) < line.index(front)
        assert line.endswith(f"**{words.signed(points)}**")
        told = line.split("**")[2].replace("−", "-").replace("±", "")
        numbers = [int(part.strip(",·=")) for part in told.split() if part.strip(",·=+-").isdigit()]
        assert sum(numbers) == points
    assert " against " not in result
