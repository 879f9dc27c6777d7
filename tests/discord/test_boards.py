"""Boards on tables, panels and results: labelled, sorted, within Discord's limits, and told to those who cannot see."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from io import BytesIO
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from bot.chat.art.felt import MIN_TEXT_SIZE, font_of
from bot.chat.art.result_picture import ROOM, royalty_room
from bot.chat.kit.faces import MAX_NAMES, DisplayNames, Faces
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.chat.kit.widgets import MAX_DESCRIPTION_LENGTH, Screen
from bot.chat.table.screens.boards import Size, board_text, foul_reason, hand_labels, seat_rows, warning
from bot.chat.table.screens.panel import Panel, panel_screen
from bot.chat.table.screens.picture import can_draw, describe_picture, drawn_hand, result_picture
from bot.chat.table.screens.replay import replay_screen
from bot.chat.table.screens.result import details_screens, last_hand, result_screens
from bot.chat.table.screens.review import meanings_screen, retried_screen, review_screen
from bot.chat.table.screens.screen import MAX_LARGE_BOARDS, helpful_screen, table_screen
from bot.model.ids import GuildId, Player
from bot.model.tables import TableState
from bot.play.queries.replays import PastHand
from bot.play.queries.reviews import Hint, Retry, Review
from bot.pure.ofc.cards import Row, parse_cards
from bot.pure.ofc.log import PlacedBy
from bot.pure.ofc.placement import preview
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.ranks import category_of, five_card_strength
from bot.pure.ofc.scoring import RowScore
from bot.pure.ofc.settlement import Limit
from bot.pure.ofc.view import view_for
from bot.pure.solver.comparison import Choice, ExpectedResults
from bot.pure.solver.luck import LuckResult
from bot.pure.solver.review import Decision
from bot.pure.solver.search import PlacementValue
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.test_event_table_screen import faces, seat_view, view_of
from tests.play.world import ANN, BOB, CLEO, FixedVault, World
from tests.pure.notation.hands import ended
from tests.pure.ofc.games import DOUBLE_JOKER, VARIANTS

WORDS = words_for("en")
PINEAPPLE = PRESETS["pineapple"]
MAX_PARTS = 40
ODDS = {"value": -1.5, "error": 0.1, "foul": 0.25, "fantasyland": 0.1, "royalties": 2.5}
GUILD = GuildId(1)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path, fixed=FixedVault([b"k" * 32]))
    await world.open()
    yield world
    await world.close()


def promise(front: str, middle: str, back: str) -> str:
    rows = (tuple(parse_cards(front)), tuple(parse_cards(middle)), tuple(parse_cards(back)))
    return warning(preview(PINEAPPLE, rows, fantasyland=0), WORDS)


def fits(shown: Screen) -> bool:
    return text_length(shown) <= MAX_TEXT_LENGTH and len(list(shown.walk())) <= MAX_PARTS


# Boards


def test_who_has_placed_nothing_has_a_line_and_no_empty_rows() -> None:
    view = view_of(3)
    assert view.hand is not None
    bare = tuple(replace(seat, rows=((), (), ())) for seat in view.hand.seats)
    for placed, shown in ((0, 0), (1, 3)):
        hand = replace(view.hand, seats=(*view.hand.seats[:placed], *bare[placed:]))
        drawn = table_screen(replace(view, hand=hand), WORDS, faces())
        text = "\n".join(part["content"] for part in drawn.walk() if "content" in part)
        assert len(re.findall(r"^# ", text, re.MULTILINE)) == shown


def test_whole_rows_are_sorted_with_pairs_first_and_open_ones_stay_as_they_were_placed() -> None:
    rows = (tuple(parse_cards("2sKd")), tuple(parse_cards("4s9d4h9cAs")), tuple(parse_cards("3h")))
    front, middle, _ = seat_rows(replace(seat_view(view_of(1).places[0].seat.player), rows=rows), PINEAPPLE)
    assert front == rows[0]
    assert [set(middle[:2]), set(middle[2:4])] == [set(parse_cards("9d9c")), set(parse_cards("4s4h"))]
    assert middle[4:] == tuple(parse_cards("As"))


def test_each_row_stands_below_its_label_with_its_hand_and_royalty() -> None:
    rows = (tuple(parse_cards("QsQd2c")), (), tuple(parse_cards("3h")))
    text = board_text(rows, hand_labels(rows, PINEAPPLE, WORDS), WORDS, faces(), size=Size.LARGE)
    front, cards, *rest = text.split("\n")
    assert front.startswith("-# Front · ")
    assert "+7" in front
    assert cards.startswith("# <:")
    assert [line for line in rest if line.startswith("-#")] == ["-# Middle", "-# Back"]


def test_cards_in_text_are_no_heading() -> None:
    rows = (tuple(parse_cards("QsQd2c")), (), ())
    assert "# `" not in board_text(rows, ("", "", ""), WORDS, Faces(), size=Size.LARGE)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", range(2, 9))
def test_tables_of_all_sizes_fit_into_a_message(seats: int, language: str) -> None:
    shown = table_screen(view_of(seats), words_for(language), faces())
    assert fits(shown)
    large = any(line.startswith("# ") for part in shown.walk() for line in part.get("content", "").split("\n"))
    assert large == (seats <= MAX_LARGE_BOARDS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", [TableState.PLAYING, TableState.BETWEEN])
def test_a_panel_with_seven_opponents_fits_into_a_message(state: TableState, language: str) -> None:
    view = view_of(8, state=state, you=0)
    assert fits(panel_screen(Panel(view=view), words_for(language), faces()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_panel_with_seven_opponents_and_a_hint_fits_into_a_message(language: str) -> None:
    view = view_of(8, you=0)
    assert view.hand is not None
    assert view.hand.mine is not None
    held = tuple(parse_cards("10hKd2s3c4c"))
    mine = replace(view.hand.mine, rows=((), (), ()), held=held)
    hand = replace(view.hand, seats=(mine, *view.hand.seats[1:]))
    table = replace(view.table, event_no=None, terms=replace(view.table.terms, point_value=0))
    view = replace(view, hand=hand, table=table, event=None)
    odds = [PlacementValue(letters=row * len(held), **ODDS) for row in "BM"]
    hint = Hint(hand=hand, letters=tuple(one.letters for one in odds), judged=tuple(odds))
    shown = helpful_screen(Panel(view=view, hint=hint), words_for(language), faces())
    assert any(words_for(language)("hint.estimated") in part.get("content", "") for part in shown.walk())
    assert fits(shown)


# sentences about boards


def test_a_foul_is_named_by_its_two_rows() -> None:
    told = promise("", "KsKd2c3d4h", "Js9d7c5h3s")
    assert "middle" in told
    assert "back" in told
    named = {"hand": hand("KsKd2c3d4h", 1), "other": hand("Js9d7c5h3s", 2)}
    assert told == f"{WORDS('board.foul', row='middle', below='back', **named)} {WORDS('board.foul_costs')}"


async def test_what_a_foul_costs_is_certain_once_the_last_cards_are_placed(club: Club) -> None:
    """A draft can still be changed, and a placed board can't."""
    await club.open_table("alice", "bob", "hanako")
    for _ in range(3 * 4):
        await club.play_turn(await club.on_turn())
    fouls = 0
    for _ in range(2):
        name = await club.on_turn()
        await club.play_turn(name)
        told, words = (await club.open_panel(name)).text, club.words(name)
        assert words("board.foul_costs") not in told
        fouls += words("board.foul_will_cost") in told
    assert fouls


@pytest.mark.parametrize(
    ("middle", "back", "stronger", "weaker"),
    [
        ("KsQd2c3d4h", "Kh9d7c5h3s", "K-high, K-Q-4-3-2", "K-high, K-9-7-5-3"),
        ("KsKd9c3d4h", "KhKc7c5h3s", "pair of kings, K-9-4-3", "pair of kings, K-7-5-3"),
    ],
)
def test_two_hands_of_one_name_are_told_apart_by_their_ranks(
    middle: str, back: str, stronger: str, weaker: str
) -> None:
    told = promise("", middle, back)
    foul = WORDS("board.foul", row="middle", below="back", hand=stronger, other=weaker)
    assert told == f"{foul} {WORDS('board.foul_costs')}"


def hand(cards: str, place: int) -> str:
    front, middle, back = (tuple(parse_cards(cards)) if number == place else () for number in range(3))
    return hand_labels((front, middle, back), PINEAPPLE, WORDS)[place].split(" **")[0]


def test_a_pair_early_in_the_front_is_no_danger() -> None:
    assert promise("QsQd", "2c", "3dKs") == ""


def test_a_row_with_two_places_left_below_a_stronger_one_is_in_danger() -> None:
    assert promise("QsQd", "2c5d8h", "3dKs") == WORDS("panel.danger", row="front", below="middle")


# Names


def test_people_are_named_once_they_have_pressed_something_and_mentioned_before() -> None:
    names = DisplayNames()
    assert names.of(GUILD, "7", WORDS) == "<@7>"
    names.saw(GUILD, "7", "*Ann*")
    assert names.of(GUILD, "7", WORDS) == "**\\*Ann\\***"
    assert names.of(GuildId(2), "7", WORDS) == "<@7>"
    assert names.of(GUILD, "computer-1", WORDS) == f"**{WORDS('name.computer_1')}**"


def test_names_that_were_not_seen_for_longest_are_forgotten() -> None:
    names = DisplayNames()
    for number in range(MAX_NAMES + 1):
        names.saw(GUILD, str(number), f"x{number}")
    assert names.plain(GUILD, "0", WORDS) == ""
    assert names.plain(GUILD, "1", WORDS) == "x1"


# Results


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_result_is_drawn_and_told_in_full(world: World, language: str) -> None:
    words, drawn = words_for(language), faces()
    key = await world.started(ANN, BOB, CLEO)
    await world.play_hand(key)
    result = await world.play.result(key, 1)
    assert can_draw(result)
    assert Image.open(BytesIO(result_picture(result, drawn.names, words))).width == 1000
    told = describe_picture(result, drawn.names, words)
    assert len(told) <= MAX_DESCRIPTION_LENGTH
    assert sum(told.count(suit) for suit in "♠♥♦♣") == 3 * 13
    (shown,) = result_screens(result, words, drawn, picture=told)
    assert fits(shown)
    text = next(iter(result_screens(result, words, drawn)))
    totals = next(part["content"] for part in list(text.walk())[2:] if "content" in part)
    assert all(words.signed(one.points) in totals for one in result.results)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_hand_on_a_picture_is_cut(language: str) -> None:
    words, rows = words_for(language), []
    for one, other in permutations("23456789TJQKA", 2):
        rows += [
            f"{one}s{one}h{one}d{other}s{other}h",
            f"{one}s{one}h{other}d{other}s2c",
            f"{one}s{one}h{one}d{one}c{other}s",
        ]
    rows += ["AsKsQsJsTs", "KsQsJsTs9s", "5s4s3s2sAs", "KsQsJsTs9h", "AsJs9s4s2s"]
    widest = 0.0
    for row in rows:
        if len({row[at : at + 2] for at in range(0, 10, 2)}) < 5:
            continue
        strength = five_card_strength(tuple(parse_cards(row)))
        royalty = PINEAPPLE.royalties.of(Row.MIDDLE, strength)
        scored = RowScore(strength, category_of(strength), royalty)
        room = ROOM - royalty_room(words.signed(royalty) if royalty else "")
        widest = max(widest, font_of(MIN_TEXT_SIZE).getlength(drawn_hand(scored, words)) / room)
    assert 0.9 < widest <= 1


async def test_a_description_names_each_pair_and_gives_cards_up_before_it_is_cut(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    await world.play_hand(key)
    result, drawn = await world.play.result(key, 1), faces()
    for player, name in ((ANN, "Ann"), (BOB, "Bob"), (CLEO, "Cleo")):
        drawn.names.saw(result.table.key.guild, player, name)
    told = describe_picture(result, drawn.names, WORDS)
    assert told.count(" over ") + told.count(" even.") == 3
    for pair in result.pairs:
        assert not pair.chips or WORDS("result.paid", chips=WORDS.number(pair.chips), count=pair.chips) in told
    for player in (ANN, BOB, CLEO):
        drawn.names.saw(result.table.key.guild, player, player * 60)
    assert "♠" in told
    assert "♠" not in describe_picture(result, drawn.names, WORDS)


async def test_a_result_tells_the_stakes_of_its_hand_and_why_a_stack_pays_less(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    await world.play_hand(key)
    result = await world.play.result(key, 1)
    value = result.record.point_value
    risen = replace(result, table=replace(result.table, terms=replace(result.table.terms, point_value=value * 2)))
    (details,) = details_screens(risen, WORDS, faces())
    stakes = WORDS("table.stakes", value=WORDS.number(value))
    assert stakes in told(details)
    replay = replace(await world.play.replay(key, 1, None), result=risen)
    assert stakes in told(replay_screen(replay, 0, WORDS, faces()))
    (shown,) = result_screens(risen, WORDS, faces())
    assert WORDS("result.limit.order") not in told(shown)
    pairs = [replace(pair, chips=pair.chips - 1, limit=Limit.LOSS, stack=77) for pair in result.pairs]
    (shown,) = result_screens(replace(result, pairs=tuple(pairs)), WORDS, faces())
    assert WORDS("result.limit.order") in told(shown)
    assert "busted: 77 chips were all they had." in told(shown)
    (shown,) = result_screens(replace(result, pairs=tuple(pairs[:1])), WORDS, faces())
    assert "busted: 77 chips were all they had." in told(shown)
    assert WORDS("result.limit.order") not in told(shown), "one pair has no order"
    unknown = [replace(pair, limit=None) for pair in pairs]
    (shown,) = result_screens(replace(result, pairs=tuple(unknown)), WORDS, faces())
    assert WORDS("result.limit.unknown") in told(shown)


@pytest.mark.parametrize(
    ("variant", "board", "why"),
    [
        ("pineapple", "2s3d4h/KsKd2c3d4c/Js9d7c5h3s", "the middle beats the back"),
        ("pineapple", "QsQd2h/JsJd3h4c5d/AsAdKhQc2s", "the front beats the middle"),
        ("thirteen", "2s3d4h/AsKd9h5c2d/AdKh9s5d2h", "the middle ties the back, which is a foul in this game"),
        ("two_seven", "2s3d4h/AsKd9h5c2d/AdAh9s5d2h", "the middle isn't a low"),
    ],
)
def test_a_full_board_that_fouls_names_what_is_out_of_order(variant: str, board: str, why: str) -> None:
    front, middle, back = (tuple(parse_cards(row)) for row in board.split("/"))
    assert foul_reason(PRESETS[variant], (front, middle, back), WORDS) == why


@pytest.mark.parametrize("picture", ["", "boards"])
async def test_a_result_names_what_is_out_of_order_in_each_board_that_fouls(world: World, picture: str) -> None:
    drawn = faces()
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    result, chance = await world.play.result(key, 1), Random(3)
    hands = (ended(PINEAPPLE, chance).hand for _ in range(200))
    hand = next(hand for hand in hands if any(board.foul and board.rows for board in hand.score.boards))
    results = tuple(
        replace(result.results[0], player=Player(seat.player), points=points, fantasyland=0)
        for seat, points in zip(hand.seats, hand.score.points, strict=True)
    )
    fouled = replace(result, hand=view_for(hand, None), results=results)
    text = "\n".join(told(shown) for shown in result_screens(fouled, WORDS, drawn, picture=picture))
    lines = [line for line in text.split("\n") if " fouled: the " in line]
    full = [board for board in hand.score.boards if board.foul and board.rows is not None]
    assert full
    assert len(lines) == len(full)


async def test_review_retry_and_replay_name_what_is_out_of_order_too(world: World) -> None:
    key, placed = await world.started(ANN, BOB), ("FFFMM", "MMD", "MBD", "BBD", "BBD")
    await world.play_hand(key, {ANN: list(placed)})
    past = await world.play.past(key, 1, ANN)
    assert past.end.mine is not None
    front, middle, back = (tuple(card for card in row if card is not None) for row in past.end.mine.rows)
    why = foul_reason(PINEAPPLE, (front, middle, back), WORDS)
    choice = Choice(letters=placed[0], facts=None)
    decision = Decision(street=1, placed=choice, best=choice, loss=0.0, error=0.0, real=True)
    review = Review(
        past=past, decisions=(decision,) * len(past.moments), account=LuckResult(points=-6, worth=(0.0, 0.0), luck=None)
    )
    replay = await world.play.replay(key, 1, ANN)
    for shown in (
        review_screen(review, 0, WORDS, faces()),
        retried_screen(Retry(past=past, start=0, letters=placed), WORDS, faces()),
        replay_screen(replay, replay.last, WORDS, faces()),
    ):
        assert why in told(shown)
    (line,) = last_hand(await world.play.look(key, ANN), WORDS)
    assert line.endswith(f" · you fouled: {why}")


async def past_of(world: World, *, on_clock: tuple[int, ...] = ()) -> PastHand:
    """A hand that Ann has played, some streets of it by the clock."""
    key = await world.started(ANN, BOB)
    while (view := await world.play.look(key)).waiting:
        assert view.hand is not None
        if view.waiting[0] == ANN and view.hand.street in on_clock:
            await world.time_out(key)
        else:
            await world.place_cards(key, view.waiting[0])
    return await world.play.past(key, 1, ANN)


def reviewed(
    past: PastHand, account: LuckResult, *, loss: float = 0.0, error: float = 0.0, arranged: bool = False
) -> str:
    """The overview of a hand whose decisions have all cost as much."""
    return told(review_screen(_review(past, account, loss, error, arranged=arranged), 0, WORDS, faces()))


def meant(past: PastHand, account: LuckResult) -> str:
    """Return the explanations of the overview's numbers."""
    return told(meanings_screen(_review(past, account, 0.0, 0.0, arranged=False), WORDS, faces()))


def _review(past: PastHand, account: LuckResult, loss: float, error: float, *, arranged: bool) -> Review:
    mine, its = (
        Choice(letters="F", facts=ExpectedResults(foul=0.0, fantasyland=0.0, royalties=0.0)),
        Choice(letters="B" if loss else "F", facts=None),
    )
    decisions = tuple(
        Decision(street=n, placed=mine, best=its, loss=loss, error=error, real=True, arranged=arranged)
        for n, _ in enumerate(past.moments, start=1)
    )
    return Review(past=past, decisions=decisions, account=account)


async def test_a_review_counts_from_the_result_of_the_hand_and_says_what_fantasyland_is_worth(world: World) -> None:
    past = await past_of(world)
    theirs = LuckResult(points=12, worth=(0.0, -8.4), luck=0.4)
    counted = "Result **+12**, Fantasyland **−8.4** = luck of the deal +0.4, everything else +3.2"
    assert counted in reviewed(past, theirs)
    assert f"<@{BOB}>'s Fantasyland costs you about 8.4." in meant(past, theirs)
    assert "Luck of the deal covers only" in meant(past, theirs)
    both = LuckResult(points=-3, worth=(8.87, -8.87), luck=1.0)
    assert "Result **−3**, Fantasyland **+0.0** = " in reviewed(past, both)
    assert "Your Fantasyland is worth about 8.9 more." in meant(past, both)
    assert f"<@{BOB}>'s Fantasyland costs you about 8.9." in meant(past, both)
    assert "Result **+12** = luck of the deal" in reviewed(past, LuckResult(points=12, worth=(0.0, 0.0), luck=0.4))


async def test_the_numbers_of_a_review_add_up(world: World) -> None:
    past, chance = await past_of(world), Random(4)
    for _ in range(300):
        worth = tuple(side * chance.choice([0.0, chance.uniform(0.1, 30)]) for side in (1, -1))
        account = LuckResult(points=chance.randrange(-40, 40), worth=worth, luck=chance.uniform(-20, 20))
        text = reviewed(past, account)
        counted = text.partition("Result ")[2].partition("\n")[0]
        whole, _, parts = counted.partition(" = ")
        assert len(_numbers(whole)) == (2 if any(account.worth) else 1), counted
        assert len(_numbers(parts)) == 2, counted
        assert sum(_numbers(parts)) == pytest.approx(sum(_numbers(whole)), abs=0.01), counted


def _numbers(line: str) -> list[float]:
    """The numbers of a line."""
    return [float(found) for found in re.findall(r"[+-]?\d+(?:\.\d)?", line.replace("−", "-"))]


@pytest.mark.parametrize(
    ("loss", "error", "key"), [(0.2, 0.0, "small"), (0.2, 0.15, "close"), (-0.2, 0.15, "close"), (2.0, 0.15, "mistake")]
)
async def test_what_was_worked_out_is_not_called_close(world: World, loss: float, error: float, key: str) -> None:
    past = await past_of(world)
    text = reviewed(past, LuckResult(points=0, worth=(0.0, 0.0), luck=None), loss=loss, error=error)
    points = WORDS.signed_decimal(-loss, decimals=1)
    assert WORDS(f"review.line.{key}", street=WORDS("review.street", street=1), points=points) in text


async def test_a_board_of_the_computer_or_the_clock_is_no_decision_of_the_player(world: World) -> None:
    past = await past_of(world)
    even = LuckResult(points=0, worth=(0.0, 0.0), luck=None)
    text = reviewed(past, even, arranged=True)
    assert WORDS("review.arranged") in text
    assert "No mistakes" not in text
    assert text.count("as **Arrange for me** sets it") == len(past.moments)
    late = await past_of(world, on_clock=(2, 3))
    assert [moment.by for moment in late.moments] == [
        PlacedBy.PLAYER,
        PlacedBy.CLOCK,
        PlacedBy.CLOCK,
        PlacedBy.PLAYER,
        PlacedBy.PLAYER,
    ]
    assert WORDS("review.no_mistakes", count=3) in reviewed(late, even)
    text = reviewed(late, even, loss=2.0)
    assert WORDS("review.mistakes", count=3, points="6.0") in text
    assert [line for line in text.split("\n") if "⏰" in line] == [
        "⏰ Street 2: auto-placed",
        "⏰ Street 3: auto-placed",
    ]
    alone = await past_of(world, on_clock=(1, 2, 3, 4, 5))
    assert WORDS("review.auto_placed") in reviewed(alone, even, loss=2.0)


@pytest.mark.parametrize(("error", "off"), [(0.0, ""), (0.001, " (±0.1)"), (0.2, " (±0.4)")])
async def test_a_verdict_says_how_far_it_may_be_off_where_it_was_not_worked_out(
    world: World, error: float, off: str
) -> None:
    key, placed = await world.started(ANN, BOB), ("FFFMM", "MMD", "MBD", "BBD", "BBD")
    await world.play_hand(key, {ANN: list(placed)})
    past = await world.play.past(key, 1, ANN)
    mine, its = (Choice(letters=letters, facts=None) for letters in (placed[0], "BBBBB"))
    decision = Decision(street=1, placed=mine, best=its, loss=10.0, error=error, real=True)
    review = Review(
        past=past, decisions=(decision,) * len(past.moments), account=LuckResult(points=-6, worth=(0.0, 0.0), luck=None)
    )
    text = told(review_screen(review, 1, WORDS, faces()))
    assert f"**10.0 points**{off}." in text


@pytest.mark.parametrize(
    ("best", "pays", "how"),
    [
        ("BBBBB", True, "the master's play, including the value of Fantasyland."),
        ("BBBBB", False, "the master's play. It's based"),
        ("FFFMM", True, ""),
    ],
)
async def test_a_review_says_what_a_loss_is_where_there_is_one(world: World, best: str, pays: bool, how: str) -> None:
    key, placed = await world.started(ANN, BOB), ("FFFMM", "MMD", "MBD", "BBD", "BBD")
    await world.play_hand(key, {ANN: list(placed)})
    past = await world.play.past(key, 1, ANN)
    past = past if pays else replace(past, end=replace(past.end, variant=replace(PINEAPPLE, fantasyland=None)))
    facts = ExpectedResults(foul=0, fantasyland=0, royalties=0)
    mine, its = (Choice(letters=letters, facts=facts) for letters in (placed[0], best))
    decision = Decision(street=1, placed=mine, best=its, loss=1.0, error=0.1, real=True)
    review = Review(
        past=past, decisions=(decision,) * len(past.moments), account=LuckResult(points=-6, worth=(0.0, 0.0), luck=None)
    )
    text = told(meanings_screen(review, WORDS, faces()))
    assert how in text
    assert ("A loss is" in text) is bool(how)


def told(shown: Screen) -> str:
    return "\n".join(part["content"] for part in shown.walk() if "content" in part)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_result_can_be_drawn_and_told_to_be_shared(world: World, language: str) -> None:
    """Eight boards with jokers, naturals and surrenders are shared as one picture in one message."""
    words, drawn, chance = words_for(language), faces(), Random(3)
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    result = await world.play.result(key, 1)
    for variant in (*VARIANTS, replace(DOUBLE_JOKER, max_seats=8)):
        hand = max((ended(variant, chance).hand for _ in range(4)), key=lambda hand: len(hand.seats))
        players = [Player(str(10**18 + number)) for number in range(len(hand.seats))]
        for player in players:
            drawn.names.saw(GUILD, player, "運" * 32)
        seats = tuple(replace(seat, player=player) for seat, player in zip(hand.seats, players, strict=True))
        view = view_for(replace(hand, seats=seats), None)
        results = tuple(
            replace(result.results[0], player=player, points=points, fantasyland=14)
            for player, points in zip(players, hand.score.points, strict=True)
        )
        many = replace(result, hand=view, results=results, record=replace(result.record, variant=variant))
        assert Image.open(BytesIO(result_picture(many, drawn.names, words))).width == 1000
        described_boards = describe_picture(many, drawn.names, words)
        (shown,) = result_screens(many, words, drawn, picture=described_boards)
        assert fits(shown), (variant.key, len(players), text_length(shown))
        assert len(players) > 6 or len(described_boards) <= MAX_DESCRIPTION_LENGTH, len(described_boards)
