"""Every game of the family, played to the end by clicking."""

import hashlib
import re
from collections.abc import Callable

import pytest

from bot.pure.ofc.cards import Card
from bot.pure.ofc.deck import DealInputs, Entropy, deal_deck
from bot.pure.ofc.deck_tree import seed_of
from bot.pure.ofc.hand import PlaceCards, decide, evolve, start
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.naturals import natural_of
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.presets import PINEAPPLE, PRESETS
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.scoring import HandScore
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant
from bot.run.playground.simulated_server import GUILD_ID
from bot.text.cards import natural_name
from bot.text.games import preset_name
from tests.discord.club import Club
from tests.discord.forge import forge
from tests.discord.house_editor import choose_value, new_game, write_value
from tests.play.test_family import FEW
from tests.pure.ofc.games import replay

FRIENDS = ("alice", "bob", "hanako", "dai", "emi", "fumi", "goro", "haru")


async def _seat(club: Club, count: int) -> tuple[str, ...]:
    for name in FRIENDS[3:count]:
        club.newcomer(name)
    return FRIENDS[:count]


CLICKED = (*FEW, "pineapple", "classic", "double_classic")
"""Games whose panels differ: others are played by clicking in deep tests, as they are by typing."""


@pytest.mark.parametrize("key", [pytest.param(k, marks=() if k in CLICKED else pytest.mark.deep) for k in PRESETS])
async def test_a_hand_of_every_game_is_played_by_clicking(club: Club, key: str) -> None:
    variant = PRESETS[key]
    names = await _seat(club, variant.min_seats)
    await club.open_table(*names, game=key)
    assert preset_name(variant, club.words()) in club.table_screen().text
    assert await club.type_hand() == 1
    assert club.words()("result.heading", hand=1, table=1) in club.said()


@pytest.mark.parametrize("key", [pytest.param(k, marks=() if k in FEW else pytest.mark.deep) for k in PRESETS])
async def test_a_hand_of_every_game_is_played_by_typing(club: Club, key: str) -> None:
    names = await _seat(club, PRESETS[key].min_seats)
    await club.open_table(*names, game=key)
    assert await club.type_hand() == 1
    assert club.words()("result.heading", hand=1, table=1) in club.said()


async def test_eight_people_play_with_two_decks_within_discords_limits(club: Club) -> None:
    names = await _seat(club, 8)
    await club.open_table(*names, game="double_classic")
    assert await club.type_hand() == 1
    assert len(await _placed(club)) == 8 * 13
    for name in names:
        assert club.shown(name) in club.said()
    words = club.words()
    title = words("result.heading", hand=1, table=1)
    pages = [screen.text for screen in club.public() if title in screen.text]
    assert len(pages) > 1
    assert [page.splitlines()[0] for page in pages] == [
        f"### {words('result.page', title=title, page=number, pages=len(pages))}" for number in range(1, len(pages) + 1)
    ]
    told = [words(f"result.of_group_{how}", amount="@", other="@", parts="@") for how in ("from", "to")]
    told.append(words("result.of_group_even", other="@", parts="@"))
    lines = "|".join(re.escape(each).replace("@", ".+?") for each in told)
    against = re.compile(f"^(?:{lines})$", re.MULTILINE)
    assert not any(against.search(page) for page in pages)
    (posted,) = [screen for screen in club.public() if screen.has("hand_details")]
    before = len(club.private(names[0]))
    await club.press(names[0], posted, posted.find("hand_details"))
    details = club.private(names[0])[before:]
    assert sum(len(against.findall(page.text)) for page in details) == 28
    assert [page.has("verify") for page in details] == [False] * (len(details) - 1) + [True]


async def test_eight_people_who_place_together_fit_the_table(club: Club) -> None:
    names = await _seat(club, 8)
    name = "A very long name for a game of a house *!"[:40]
    await new_game(club, name, "double_classic")
    await choose_value(club, "order", "all_together", name=name)
    await club.open_table(*names, game=name)
    assert await club.type_hand() == 1


async def _placed(club: Club) -> list[Card]:
    """Every card on the boards of a finished hand."""
    view = await club.look()
    assert view.hand is not None
    return [card for seat in view.hand.seats for row in seat.rows for card in row if card is not None]


async def test_simultaneous_streets_are_not_seen_until_everybody_has_placed(club: Club) -> None:
    await new_game(club, "Together", "pineapple")
    await choose_value(club, "order", "all_together")
    await club.open_table("alice", "bob", game="Together")
    await club.play_turn("bob")
    seen = await club.look(1, "alice")
    assert seen.hand is not None
    bob = next(seat for seat in seen.hand.seats if seat.player == club.player("bob"))
    assert bob.rows == ((), (), ()), "not even the rows are told"
    assert club.words()("table.has_placed") in club.table_screen().text
    await club.play_turn("alice")
    seen = await club.look(1, "alice")
    assert seen.hand is not None
    assert seen.hand.street == 2
    bob = next(seat for seat in seen.hand.seats if seat.player == club.player("bob"))
    assert None not in [card for row in bob.rows for card in row]
    await club.type_hand()


async def test_seventeen_cards_of_fantasyland_fit_the_panel(club: Club) -> None:
    flies = house_variant("pineapple", {"fantasyland.entry": "22", "fantasyland.cards": "17"})
    await new_game(club, "Everybody flies", "pineapple")
    await choose_value(club, "fantasyland.entry", "22", name="Everybody flies")
    await write_value(club, "fantasyland.cards", "17", "Everybody flies")
    club.seeds.append(seed_for(lambda seed: front_pair_and_legal(club, seed, flies)))
    await deal_known(club, ("alice", "bob"), game="Everybody flies")
    await club.type_hand()
    await club.pass_time(13)
    panel = await club.open_panel("alice")
    assert club.words()("panel.in_fantasyland", cards=17, discard=4) in panel.text
    menus = [c for c in panel.controls() if c["type"] == 3]
    assert [len(menu["options"]) for menu in menus] == [17, 17, 17]
    assert [menu["custom_id"].split(":")[1] for menu in menus] == ["set_f", "set_m", "set_b"], "as on the board"
    assert {option["description"] for menu in menus for option in menu["options"]} == {"Not placed"}
    assert [menu["placeholder"].split(":")[0] for menu in menus] == ["Front", "Middle", "Back"]
    assert club.words()("panel.any_time") in panel.text
    assert club.words()("table.may_set") in club.table_screen().text
    assert await club.type_hand() == 2


# thirteen cards


async def deal_a_natural(club: Club) -> None:
    """Four people at a table of 十三張, where Alice holds a natural."""
    names = await _seat(club, 4)
    variant = PRESETS["thirteen"]
    # The button is Alice's, so that she is dealt last of the four.
    club.seeds.append(seed_for(lambda seed: natural_of(_deck(club, seed, variant, names)[39:52]) is not None))
    await deal_known(club, names, game="thirteen")


async def test_a_natural_is_declared_and_pays(club: Club) -> None:
    await deal_a_natural(club)
    panel = await club.open_panel("alice")
    verbs = [control["custom_id"].split(":")[1] for control in panel.controls()]
    assert verbs.index("declare") < verbs.index("set_f"), "before anybody begins to arrange"
    await club.tap("alice", panel, panel.find("declare"))
    assert club.words()("table.has_set") in club.table_screen().text
    bob = (await club.look(1, "bob")).hand
    assert bob is not None
    assert all(seat.natural is None for seat in bob.seats), "nobody knows before the showdown"
    await club.play_hand()
    alice, score = await _alice_scored(club)
    natural = score.boards[alice].natural
    assert natural is not None
    assert club.words()("result.natural", natural=natural_name(natural, club.words())) in club.said()
    points = PRESETS["thirteen"].naturals[natural]
    assert score.points[alice] == 3 * points
    (result,) = [screen for screen in club.public() if club.words()("result.heading", hand=1, table=1) in screen.text]
    details = await club.tap("alice", result, result.find("hand_details"))
    assert "natural +" in details.text
    declared = result.text.split(club.words()("result.natural", natural=natural_name(natural, club.words())))[1]
    assert len(re.findall(r"<:[^>]+>", declared.splitlines()[1])) == 13, "thirteen cards without rows"


async def test_a_natural_is_declared_by_typing(club: Club) -> None:
    await deal_a_natural(club)
    await club.slash("alice", "place", cards="!")
    await club.type_hand()
    alice, score = await _alice_scored(club)
    assert score.boards[alice].natural is not None


async def test_only_a_natural_can_be_declared(club: Club) -> None:
    await club.open_table("alice", "bob", game="classic")
    name = await club.on_turn()
    refused = await club.slash(name, "place", cards="BBBBB!")
    game = club.words(name)("variant.classic.name")
    assert club.words(name)("typed.slip.no_naturals", game=game) in refused.text
    assert await club.on_turn() == name


async def test_a_natural_that_is_not_declared_counts_for_nothing(club: Club) -> None:
    await deal_a_natural(club)
    await club.type_hand()
    _, score = await _alice_scored(club)
    assert all(board.natural is None for board in score.boards)


async def _alice_scored(club: Club) -> tuple[int, HandScore]:
    view = await club.look()
    assert view.hand is not None
    assert view.hand.score is not None
    seats = [seat.player for seat in view.hand.seats]
    return seats.index(club.player("alice")), view.hand.score


async def test_surrender_is_asked_twice_and_pays_its_price(club: Club) -> None:
    await new_game(club, "Careful", "chinese")
    await write_value(club, "surrender", "2", "Careful")
    await club.open_table("alice", "bob", game="Careful")
    panel = await club.open_panel("bob")
    sure = await club.tap("bob", panel, panel.find("surrender"))
    assert (await club.look()).waiting
    await club.tap("bob", sure, sure.find("give_up"))
    await club.type_hand()
    assert club.words()("result.surrendered") in club.said()
    (posted,) = [screen for screen in club.public() if screen.has("hand_details")]
    details = await club.tap("alice", posted, posted.find("hand_details"))
    assert club.words()("result.surrender_pays", points="") in details.text
    view = await club.look()
    assert view.hand is not None
    assert view.hand.score is not None
    assert sorted(view.hand.score.points) == [-2, 2]
    # A player who never filled the board has nothing to retry.
    refused = await forge(club, "bob", sure, "c1:retry_hand:1:1:0:::")
    assert club.words("bob")("refused.no_whole_board", hand=1) in refused.said


# stakes


async def test_the_point_value_rises_by_its_levels(club: Club) -> None:
    await club.open_table("alice", "bob", levels="50,100 every 1", buy_in=5000)
    assert (await club.look()).table.terms.point_value == 50
    await club.type_hand()
    await club.pass_time(13)
    view = await club.look()
    entered = any(place.seat.fantasyland for place in view.places)
    assert view.table.terms.point_value == (50 if entered else 100)


async def test_unusual_limits_stand_in_the_lobby(club: Club) -> None:
    await club.opens("alice", win_cap="opponent", bust_is_final=True)
    limits = (await club.look()).table.terms.limits
    assert (limits.win_cap, limits.bust_is_final) == (WinCap.PER_OPPONENT, True)
    lobby, words = club.table_screen().text, club.words()
    assert words("lobby.term.most_won", cap=words("lobby.win_cap.opponent")) in lobby
    assert words("lobby.term.bust_is_final") in lobby
    details, words = (await club.details("hanako")).text, club.words("hanako")
    assert words("lobby.most_won", cap=words("lobby.win_cap.opponent")) in details
    assert words("lobby.bust_is_final") in details


async def test_discards_lie_open_where_that_was_agreed(club: Club) -> None:
    await club.open_table("alice", "bob", discards="open")
    await club.play_turn(await club.on_turn())
    await club.play_turn(await club.on_turn())
    await club.play_turn(await club.on_turn())
    seen = (await club.look(1, "hanako")).hand
    assert seen is not None
    assert any(card is not None for seat in seen.seats for card in seat.discards)
    told = club.words()("table.open_discards", cards="").strip()
    assert told in club.table_screen().text
    assert "open discards" in club.table_screen().text, "the title says which rule was changed"
    words = club.words()
    panel = await club.open_panel("bob")
    assert words("panel.discards_open", cards="").strip() in panel.text
    assert words("panel.discards", cards="").strip() not in panel.text
    name = await club.on_turn()
    assert words("panel.discards_rest_open", count=1) in (await club.open_panel(name)).text
    await club.type_hand()
    (result,) = [screen for screen in club.public() if words("result.heading", hand=1, table=1) in screen.text]
    assert result.text.count(told) == 2


async def test_ones_own_discards_stay_in_sight(club: Club) -> None:
    await club.open_table("alice", "bob")
    for _ in range(4):
        await club.play_turn(await club.on_turn())
    name = await club.on_turn()
    panel = await club.open_panel(name)
    assert club.words(name)("panel.discards", cards="").strip() in panel.text


# known decks: each player gives a text, and the seed is chosen


async def deal_known(club: Club, names: tuple[str, ...], **options: str) -> None:
    host, *guests = names
    await club.slash(host, "ofc play", **options)
    for guest in guests:
        await club.press(guest, club.table_screen(), club.table_screen().find("join"))
    for name in names:
        await club.act(name, "shuffle", value=f"text of {name}")
    await club.press(host, club.table_screen(), club.table_screen().find("start"))


def seed_for(wanted: Callable[[bytes], bool]) -> bytes:
    return next(seed for n in range(100_000) if wanted(seed := hashlib.sha256(f"family {n}".encode()).digest()))


def _deck(club: Club, seed: bytes, variant: Variant, names: tuple[str, ...]) -> tuple[Card, ...]:
    entropy = [Entropy(club.player(name), f"text of {name}") for name in names]
    name = f"{GUILD_ID}/1/1"
    dealt = DealInputs(button=0, fantasyland=(0,) * len(names))
    return deal_deck(variant, hand_id=name, seed=seed_of(seed, name), entropy=entropy, dealt=dealt)


async def test_two_fouls_are_told_as_such(club: Club) -> None:
    club.seeds.append(seed_for(lambda seed: all(board.foul for board in on_the_clock(club, seed).boards)))
    await deal_known(club, ("alice", "bob"))
    while (await club.look()).waiting:
        await club.type_turn(await club.on_turn())
    words = club.words()
    (shown,) = [one for one in club.public() if one.has("hand_details")]
    details = await club.tap("alice", shown, shown.find("hand_details"))
    even = words("result.pair_even", first=club.shown("alice"), second=club.shown("bob"))
    assert words("result.pair_parts", pair=even, parts=words("result.both_fouled")) in details.text
    for name in ("alice", "bob"):
        line = words("result.sum_chips", player=club.shown(name), points="0", chips="0", count=0)
        assert line in shown.text


def front_pair_and_legal(club: Club, seed: bytes, variant: Variant) -> bool:
    alice = on_the_clock(club, seed, variant).boards[0]
    return not alice.foul and alice.rows is not None and alice.rows[0].category is Category.PAIR


def on_the_clock(club: Club, seed: bytes, variant: Variant = PINEAPPLE) -> HandScore:
    """The score of a hand that is placed without thought."""
    deck = _deck(club, seed, variant, ("alice", "bob"))
    opening = start(variant, deck, players=["a", "b"], fantasyland=[0, 0], button=0)
    hand = replay(variant, deck, opening)
    while hand.waiting:
        seat = hand.seats[hand.waiting[0]]
        rows = automatic_placement(seat.rows, seat.held, to_place=hand.rule.to_place)
        for event in decide(hand, PlaceCards(seat=hand.waiting[0], rows=rows)):
            hand = evolve(hand, event)
    return hand.score
