"""Placing cards: taps, typing, suggestions, in both languages."""

from functools import partial
from itertools import permutations

import pytest

from bot.chat.application_assets import emoji_name
from bot.chat.table.screens.panel import Panel
from bot.chat.table.screens.typed_placement import TypedCardsError, parse_letters, suggestions
from bot.play.queries.views import TableView
from bot.pure.ofc.cards import Row, card_name, parse_cards
from bot.pure.ofc.presets import PINEAPPLE
from bot.text.cards import card_text, row_text
from bot.text.games import full_name
from tests.discord.club import Club, Screen, plain_letters
from tests.in_turn import in_turn
from tests.work import calls_of


def cards_of(view: TableView) -> list[str]:
    """Return the names of a player's cards."""
    assert view.hand is not None
    assert view.hand.mine is not None
    return [card_name(card) for card in view.hand.mine.held if card is not None]


@pytest.mark.parametrize("open_card", [0, 1, 2])
async def test_a_pineapple_street_takes_at_most_four_taps(club: Club, open_card: int) -> None:
    await club.open_table("alice", "bob")
    await club.place_cards("bob", "FMMBB")
    await club.play_turn("alice")
    for rows in permutations("FMB", 2):
        letters = [*rows]
        letters.insert(open_card, "D")
        panel = await club.open_panel("bob")
        before = len(club.backend.interactions)
        panel = await club.place("bob", panel, "".join(letters))
        taps = len(club.backend.interactions) - before
        assert panel.has("confirm")
        assert taps + 1 <= 4, letters
        for _ in rows:  # a new panel shows what was placed in the last one
            panel = await club.tap("bob", panel, panel.find("undo"))


async def test_a_placed_card_is_tapped_to_take_it_back(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BBM")
    panel = await club.tap("bob", panel, panel.find("card", "1"))
    assert _marks(panel) == ["✓", "", "✓", "", ""]
    panel = await club.tap("bob", panel, panel.find("row", "F"))
    assert _marks(panel) == ["✓", "✓", "✓", "", ""]
    panel = await club.tap("bob", panel, panel.find("undo"))
    panel = await club.tap("bob", panel, panel.find("undo"))
    assert _marks(panel) == ["✓", "", "", "", ""]
    assert not panel.has("confirm")
    assert (await club.look()).waiting == (club.player("bob"),)


def _marks(panel: Screen) -> list[str]:
    """Return the marks after the card on each card's button."""
    labels = [str(c.get("label") or "") for c in panel.controls() if c["custom_id"].startswith("c1:card")]
    return [label.partition(" ")[2] for label in labels]


async def test_a_full_row_takes_no_more_cards(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "FFF")
    assert not panel.has("row", "F")
    assert panel.has("row", "M")


async def test_a_whole_hand_is_typed_in_letters_pairs_and_japanese(club: Club) -> None:
    await club.open_table("hanako", "bob")
    while (await club.look()).table.hand_no == 1 and (await club.look()).waiting:
        name = await club.on_turn()
        view = await club.look(1, name)
        letters = plain_letters(view)
        typed = _japanese(letters) if name == "hanako" else _pairs(cards_of(view), letters)
        panel = await club.slash(name, "place", cards=typed)
        assert club.words(name)("table.hand", hand=1) in panel.text
    assert club.words("hanako")("result.heading", hand=1, table=1) in club.said()


def _japanese(letters: str) -> str:
    return "".join({"F": "上", "M": "中", "B": "下", "D": "捨"}[letter] for letter in letters)


def _pairs(cards: list[str], letters: str) -> str:
    """``Ah b Kd m``: the cards that are placed, the last one first."""
    placed = [(card, letter.lower()) for card, letter in zip(cards, letters, strict=True) if letter != "D"]
    return " ".join(f"{card} {letter}" for card, letter in reversed(placed))


async def test_two_japanese_sentences_stand_without_a_space(club: Club) -> None:
    await club.open_table("hanako", "bob")
    for _ in range(2):
        await club.play_turn(await club.on_turn())
    panel = await club.open_panel("hanako")
    assert f"。{club.words('hanako')('panel.discards_rest', count=1)}" in panel.text


@pytest.mark.parametrize("name", ["bob", "hanako"])
async def test_suggestions_are_words_to_read_and_letters_to_send(club: Club, name: str) -> None:
    await club.open_table("alice", name)
    words = club.words(name)
    member = club.members[name]
    choices = await member.autocomplete(club.channel, "place", "cards", "")
    assert len(choices) == 25
    assert choices[0]["value"] == "BBBBB"
    assert words("place.b").strip() in choices[0]["name"]
    choices = await member.autocomplete(club.channel, "place", "cards", "fmm")
    assert {choice["value"][:3] for choice in choices} == {"FMM"}
    assert await member.autocomplete(club.channel, "place", "cards", "上中 中") == choices, (
        "in the letters shown to them"
    )
    first = cards_of(await club.look(1, name))[0]
    panel = await club.slash(name, "place", cards=choices[0]["value"])
    assert f":{emoji_name(first)}:" in panel.text


async def test_suggestions_are_only_for_who_has_cards_to_place(club: Club) -> None:
    await club.open_table("alice", "bob")
    assert await club.members["hanako"].autocomplete(club.channel, "place", "cards", "") == []
    await club.play_turn("bob")
    assert await club.members["bob"].autocomplete(club.channel, "place", "cards", "") == []
    assert await club.members["alice"].autocomplete(club.channel, "place", "cards", "zzz") == []


@pytest.mark.parametrize(
    ("typed", "letters"),
    [
        ("bmd", "BMD"),
        ("B M D", "BMD"),
        ("ｂｍｄ", "BMD"),
        ("tbm", "FBM"),
        ("下中捨", "BMD"),
        ("ボミト", "BMF"),
        ("うえしたなか", "FBM"),
        ("したなかすて", "BMD"),
        ("シタナカステ", "BMD"),
        ("ｼﾀ ｳｴ ﾅｶ", "BFM"),
        ("ウエ、シタ、ステル", "FBD"),
        ("とっぷぼとむみどる", "FBM"),
        ("ぼみすてふだ", "BMD"),
        ("ボミステフダ", "BMD"),
        ("フロント、バック、ミドル", "FBM"),
        ("フバミ", "FBM"),
        ("みばふ", "MBF"),
        ("ﾊﾞｯｸ ﾐﾄﾞﾙ 捨て札", "BMD"),
        ("上段中段下段", "FMB"),
        ("back middle discard", "BMD"),
        ("10うえ Kした", "FBD"),
        ("フロント 10 バック K", "FBD"),
        ("Th top, Kd bottom", "FBD"),
        ("10h back Kd middle", "BMD"),
        ("10♥ 上 K♦ 下", "FBD"),
        ("10hトップ Kd 下", "FBD"),
        ("10上 K下", "FBD"),
        ("Kトップ、10ボトム", "BFD"),
        ("中10、K", "MMD"),
        ("Kdb 10hm", "MBD"),
        ("2s discard th front kd back", "FBD"),
    ],
)
def test_rows_and_tens_are_typed_as_people_call_them(typed: str, letters: str) -> None:
    assert parse_letters(typed, parse_cards("10hKd2s"), to_place=3 - letters.count("D")) == letters


def test_a_japanese_and_between_cards_is_no_row() -> None:
    with pytest.raises(TypedCardsError) as slip:
        parse_letters("10hとKd 下", parse_cards("10hKd2s"), to_place=2)
    assert (slip.value.kind, slip.value.details) == ("unknown", {"what": "と"})


def test_the_letter_after_rows_by_name_that_names_none_is_named() -> None:
    with pytest.raises(TypedCardsError) as slip:
        parse_letters("うえしたん", parse_cards("10hKd2s"), to_place=2)
    assert (slip.value.kind, slip.value.details) == ("no_row", {"what": "ん"})


def test_rows_for_fewer_cards_than_there_are_leave_none_out() -> None:
    """Only named cards make the rest a discard: after two letters it isn't known which card is meant."""
    with pytest.raises(TypedCardsError) as slip:
        parse_letters("BB", parse_cards("10hKd2s"), to_place=2)
    assert (slip.value.kind, slip.value.details) == ("letters", {"count": 2, "cards": 3})


async def test_suggestions_are_written_in_the_signs_of_their_language(club: Club) -> None:
    await club.open_table("alice", "hanako")
    words = club.words("hanako")
    choices = await club.members["hanako"].autocomplete(club.channel, "place", "cards", "")
    where, colon, cards = choices[0]["name"].partition("：")
    assert (colon, where) == ("：", words("typed.table", table=1, game=full_name(PINEAPPLE, words)))
    assert cards.count("、") == 4
    assert " " not in cards


async def test_suggestions_follow_a_row_that_is_typed_in_kana(club: Club) -> None:
    await club.open_table("alice", "hanako")
    choices = await club.members["hanako"].autocomplete(club.channel, "place", "cards", "うえなか")
    assert {choice["value"][:2] for choice in choices} == {"FM"}
    assert await club.members["hanako"].autocomplete(club.channel, "place", "cards", "うえなかバッ") == choices
    assert await club.members["hanako"].autocomplete(club.channel, "place", "cards", "うえなかん") == []


EXAMPLES_IN_JAPANESE = "下中下上中", "したなかしたうえなか"
SLIPS: list[tuple[str, str, dict[str, str | int]]] = [
    ("!!", "nothing", {}),
    ("BB", "letters", {"count": 2, "cards": 5}),
    ("BBBBBB", "letters", {"count": 6, "cards": 5}),
    ("hello", "no_row", {"what": "h"}),
    ("BBBBZ", "no_row", {"what": "Z"}),
    ("XYZbb", "no_row", {"what": "Y"}),
    ("BBFFr", "no_row", {"what": "r"}),
    ("Ah Row", "unknown", {"what": "Row"}),
    ("下中z", "unknown", {"what": "z"}),
    ("bm z", "unknown", {"what": "z"}),
    ("B M: Ah", "row_alone", {"what": "M"}),
    ("うえした", "letters", {"count": 2, "cards": 5}),
    ("🂡 m", "unknown", {"what": "🂡"}),
    ("'; drop table seats", "unknown", {"what": "';"}),
    ("FFFFF", "no_room", {"row": "row.front", "count": 3, "typed": 5}),
    ("BBBBD", "no_discard", {}),
    ("joker b", "not_held", {"what": "🃏"}),
]


@pytest.mark.parametrize("name", ["bob", "hanako"])
async def test_a_slip_is_named_with_the_table_and_the_cards(club: Club, name: str) -> None:
    await club.open_table("alice", name)
    words = club.words(name)
    held = parse_cards("".join(cards_of(await club.look(1, name))))
    for typed, slip, details in SLIPS:
        told = {key: words("row.front") if value == "row.front" else value for key, value in details.items()}
        answer = await club.slash(name, "place", cards=typed)
        assert answer.text.startswith(f"**{words('typed.table', table=1, game=words('variant.pineapple.name'))}**")
        assert words(f"typed.slip.{slip}", **told) in answer.text, typed
        assert words("typed.cards", count=5, cards=row_text(held)) in answer.text, typed
        example, whole = ("BMBFM", "back middle back front middle") if name == "bob" else EXAMPLES_IN_JAPANESE
        assert words("typed.how_letters", example=example, whole=whole) in answer.text, typed
        assert (await club.look()).waiting == (club.player(name),), typed


@pytest.mark.parametrize(("name", "typed"), [("bob", "back middle discard top"), ("hanako", "うえした")])
async def test_rows_by_their_names_are_counted_as_rows_and_shown_in_the_help(club: Club, name: str, typed: str) -> None:
    await club.open_table("alice", name)
    told = (await club.slash(name, "place", cards=typed)).text
    if name == "bob":
        assert "you said where 4 cards go, but you have 5." in told
        assert "letters" not in told
        assert "`back middle back front middle`" in told
    else:
        assert "カードは5枚ですが、書かれている置き場所は2枚分です。" in told
        assert "文字" not in told
        assert "`したなかしたうえなか`" in told


async def test_cards_that_are_not_there_twice_there_or_without_a_row_are_named(club: Club) -> None:
    await club.open_table("alice", "bob")
    words = club.words("bob")
    mine = parse_cards("".join(cards_of(await club.look(1, "bob"))))
    first, other, *_ = [card_name(card) for card in mine]
    (missing, *_) = [card for card in parse_cards("2c3c4c5c6c7c") if card not in mine]
    for typed, slip, details in (
        (f"{first} b {first} m", "twice", {"what": card_text(mine[0])}),
        (f"{card_name(missing)} b", "not_held", {"what": card_name(missing)}),
        (f"{first} b", "missing", {"count": 4, "what": row_text(mine[1:])}),
        (f"{first} b {other}", "no_row_for", {"what": card_text(mine[1])}),
        (f"{first} b m", "row_alone", {"what": "m"}),
    ):
        answer = await club.slash("bob", "place", cards=typed)
        assert words(f"typed.slip.{slip}", **details) in answer.text, typed
    answer = await club.slash("alice", "place", cards="BBBBB")
    assert club.words("alice")("panel.ahead") in answer.text, "it's confirmed for their turn"
    answer = await club.slash("hanako", "place", cards="BBBBB")
    assert answer.text == club.words("hanako")("refused.not_at_table")
    assert (await club.look()).waiting == (club.player("bob"),)


@pytest.mark.parametrize(
    ("typed", "letters"),
    [
        ("f: 9h 9c ah m: 2s", "FFFM"),
        ("9h 9c a f, 2 m", "FFFM"),
        ("上 9h 9c 中 A 2", "FFMM"),
        ("joker f", None),
        ("9 f 9h m a b 2 b", "MFBB"),
        ("9hahf 2sb 9cd", "FDFB"),
    ],
)
def test_rows_stand_before_or_behind_their_cards_and_a_rank_alone_is_enough(typed: str, letters: str | None) -> None:
    held = parse_cards("9h9cAh2s")
    to_place = 4 if letters is None or "D" not in letters else 3
    if letters is None:
        with pytest.raises(TypedCardsError):
            parse_letters(typed, held, to_place=to_place)
    else:
        assert parse_letters(typed, held, to_place=to_place) == letters


def test_of_two_cards_of_a_rank_the_suit_is_asked_for() -> None:
    with pytest.raises(TypedCardsError) as slip:
        parse_letters("9 f", parse_cards("9h9cAh"), to_place=1)
    assert slip.value.kind == "which_suit"


@pytest.mark.parametrize("name", ["joker", "JK", "🃏", "ジョーカー", "ｼﾞｮｰｶｰ", "X1", "x2"])
def test_the_joker_is_called_by_its_names(name: str) -> None:
    held = parse_cards("X1KdX2")
    assert parse_letters(f"{name} b kd m", held, to_place=2) == "BMD"
    assert parse_letters(f"{name}b Kdm", held, to_place=2) == "BMD"
    assert parse_letters(f"b: {name} {name} m: k", held, to_place=3) == "BMB"


def test_a_row_that_is_full_is_named() -> None:
    with pytest.raises(TypedCardsError) as slip:
        parse_letters("FMD", parse_cards("9h9cAh"), to_place=2, room={Row.FRONT: 0, Row.MIDDLE: 2, Row.BACK: 5})
    assert (slip.value.kind, slip.value.details) == ("full", {"row": Row.FRONT})


def test_more_than_five_cards_are_named_and_not_lettered() -> None:
    with pytest.raises(TypedCardsError) as slip:
        parse_letters("FFFBBB", parse_cards("9h9cAh2s3s4s"), to_place=6)
    assert slip.value.kind == "name_them"


async def test_my_hand_is_at_the_table_where_i_am_on_turn(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.open_table("bob", "alice")
    # Bob is first at table 1 and Alice at table 2.
    assert _table(await club.slash("bob", "hand")) == 1
    assert _table(await club.slash("alice", "hand")) == 2
    assert _table(await club.slash("alice", "hand", table=1)) == 1
    await club.slash("bob", "place", cards="BBBBB")
    await club.slash("alice", "place", cards="BBBBB", table=2)
    assert _table(await club.slash("bob", "hand")) == 2
    assert _table(await club.slash("alice", "hand")) == 1


def _table(screen: Screen) -> int:
    return int(screen.controls()[0]["custom_id"].split(":")[2].split(".")[0])


async def test_a_table_of_others_is_told_from_one_that_is_not_there(club: Club) -> None:
    await club.open_table("alice", "bob")
    words = club.words("hanako")
    assert (await club.slash("hanako", "hand")).text == words("refused.not_at_table")
    assert (await club.slash("hanako", "hand", table=1)).text == words("refused.not_at_this_table", table=1)
    assert (await club.slash("hanako", "hand", table=77)).text == words("refused.no_table")
    typed = await club.slash("hanako", "place", cards="BBBBB", table=1)
    assert typed.text == words("refused.not_at_this_table", table=1)


@in_turn("name", "bob", "hanako")
async def test_a_keystroke_looks_through_few_placements(club: Club, name: str) -> None:
    """Six cards with one discard have some 1,400 placements."""
    await club.open_table("alice", name, game="turbo_pineapple")
    await club.place_cards(name, "FMMBB")
    await club.place_cards("alice", "FMMBB")
    view = await club.look(1, name)
    assert len(cards_of(view)) == 6
    for typed in ("", "b", "zzz", "fmbbb", "♠"):
        assert calls_of(partial(suggestions, Panel(view=view), typed, club.words(name))) < 10_000, typed


async def test_whatever_was_typed_each_suggestion_begins_with_it_and_can_be_placed(club: Club) -> None:
    await club.open_table("alice", "bob", game="turbo_pineapple")
    await club.place_cards("bob", "FMMBB")
    await club.place_cards("alice", "FMMBB")
    view = await club.look(1, "bob")
    assert view.hand is not None
    for typed in ("", "F", "fd", "ddb", "MMBFDD", "FF"):
        found = suggestions(Panel(view=view), typed, club.words("bob"))
        assert found
        for letters, name in found:
            assert letters.startswith(typed.upper())
            assert letters.count("D") == len(cards_of(view)) - view.hand.to_place
            assert len(name.split()) == 6
    for typed in ("DDDD", "FFF", "BBBBBB", "MMMBFFB"):
        assert not suggestions(Panel(view=view), typed, club.words("bob"))


async def test_a_whole_board_is_arranged_as_a_draft_and_only_confirm_sets_it(club: Club) -> None:
    words = club.words()
    panel = await club.slash("alice", "ofc practice", game="thirteen")
    assert panel is not None
    assert not panel.has("confirm")
    drawn = await club.press("alice", panel, panel.find("arrange"))
    assert drawn is not None
    assert words("board.confirm_foul") not in drawn.labels()
    view = await club.look(1, "alice")
    assert view.hand is not None
    assert view.hand.mine is not None
    assert len(view.hand.mine.held) == 13
    await club.press("alice", drawn, drawn.find("confirm"))
    view = await club.look(1, "alice")
    assert view.hand is not None
    assert view.hand.mine is not None
    assert view.hand.mine.placed
