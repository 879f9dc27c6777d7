"""A foul is named as soon as no card can prevent it: on buttons, when typed, and next to the board's hands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.chat.kit.fragments import rules_button
from bot.chat.table.screens.panel import Panel, panel_screen
from bot.chat.table.screens.placement_draft import filled_in
from bot.chat.table.screens.seats_screen import SeatsPage, seats_screen
from bot.model.tables import TableState
from bot.pure.ofc.cards import parse_cards
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.view import unseen
from bot.text.cards import hand_text
from bot.text.games import full_name
from bot.text.rulebook.book import rules_pages
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.test_event_table_screen import faces, seat_view, text_of, view_of


def panel(board: str, held: str, *, street: int, game: str = "pineapple", others: str = "//") -> Panel:
    """Return the panel of a player to act with these cards."""
    view = view_of(2, you=0)
    assert view.hand is not None
    front, middle, back = (parse_cards(row) for row in board.split("/"))
    theirs = [parse_cards(row) for row in others.split("/")]
    mine = replace(seat_view(view.hand.seats[0].player, waiting=True), rows=(front, middle, back))  # type: ignore[arg-type]
    mine = replace(mine, held=parse_cards(held))
    other = replace(seat_view(view.hand.seats[1].player), rows=(theirs[0], theirs[1], theirs[2]))  # type: ignore[arg-type]
    hand = replace(view.hand, variant=PRESETS[game], seats=(mine, other), street=street)
    return Panel(view=replace(view, hand=hand, event=None))


KINGS = "KhKd2c/7c3d/AsAhQsQd"
"""Kings in front, and two places left in the middle."""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_middle_that_cannot_catch_up_is_a_foul_before_it_is_full(language: str) -> None:
    words = words_for(language)
    before = panel(KINGS, "Tc9d4h", street=4)
    assert not before.fouls, "two kings or aces, or two pair, may still come"
    drawn = filled_in(before, "MMD", "")
    text = text_of(panel_screen(drawn, words, faces()))
    front, middle = words("row.front"), words("row.middle")
    kings = hand_text(drawn.preview.strengths[0], words)
    assert words("board.foul_ahead", row=front, below=middle, hand=kings) in text
    assert words("panel.danger", row=front, below=middle) not in text
    labels = [part.get("label") for part in panel_screen(drawn, words, faces()).walk()]
    assert words("board.confirm_foul") in labels
    assert not drawn.can_confirm
    assert drawn.asks_first


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("game", "letters", "asks"),
    [("two_seven", "BBD", True), ("two_seven", "MBD", False), ("two_seven", "BMD", False), ("pineapple", "BBD", False)],
)
def test_a_middle_that_must_be_a_low_says_so_until_it_is_full_or_none(
    game: str, letters: str, asks: bool, language: str
) -> None:
    words = words_for(language)
    drawn = filled_in(panel("QhQdKc/2c3d4s7h/AsAhQs", "8d4h6s", street=4, game=game), letters, "")
    text = text_of(panel_screen(drawn, words, faces()))
    assert (words("panel.low") in text) == asks
    assert (words("panel.foul_low") in text) == (game == "two_seven" and letters == "BMD")


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("game", "letters", "told"),
    [("two_seven", "BBD", "panel.low"), ("two_seven", "BMD", "panel.foul_low"), ("pineapple", "BBD", "")],
)
def test_what_was_confirmed_ahead_says_what_the_draft_said(game: str, letters: str, told: str, language: str) -> None:
    words, on_turn = words_for(language), panel("QhQdKc/2c3d4s7h/AsAhQs", "8d4h6s", street=4, game=game)
    mine, *others = on_turn.view.places
    first, *rest = on_turn.hand.seats
    hand = replace(on_turn.hand, seats=(replace(first, waiting=False, placed=False), *rest))
    waits = replace(
        mine, seat=replace(mine.seat, draft=letters, draft_for=f"{on_turn.view.table.hand_no}.4", ahead="1")
    )
    drawn = replace(on_turn, view=replace(on_turn.view, places=(waits, *others), hand=hand))
    text = text_of(panel_screen(drawn, words, faces()))
    assert words("panel.ahead") in text
    assert [key for key in ("panel.low", "panel.foul_low") if words(key) in text] == list(filter(None, [told]))


def test_a_card_that_an_opponent_shows_can_come_no_more() -> None:
    """A third ten would save the middle, until both remaining tens are seen."""
    board = "KhKd2c/TcTd3d/AsAhQsQd"
    kept = filled_in(panel(board, "9d4h6s", street=4), "MDB", "")
    assert not kept.fouls
    gone = filled_in(panel(board, "9d4h6s", street=4, others="ThTs9c/3c3h3s9h9s/"), "MDB", "")
    assert gone.fouls


@pytest.mark.parametrize("language", ["en", "ja"])
def test_fantasyland_is_not_promised_where_no_placement_helps(language: str) -> None:
    words = words_for(language)
    promised = words("panel.fantasyland", count=14)
    lost = panel("KhKd2c/7c3dTc9d/AsAhQsQd", "8h5s4d", street=5)
    assert lost.fouls
    assert promised not in text_of(panel_screen(lost, words, faces()))
    saved = panel("KhKd2c/7c3d3hTd/AsAhQsQd", "7h5s4d", street=5)
    assert not saved.fouls
    assert promised in text_of(panel_screen(saved, words, faces()))


def test_what_a_player_has_seen_is_not_unseen() -> None:
    seen = panel(KINGS, "Tc9d4h", street=4, others="5c/6c/8c").hand
    left = unseen(seen)
    assert len(left) == 52 - 9 - 3 - 3
    assert not set(left) & set(parse_cards("KhKd2c7c3dAsAhQsQdTc9d4h5c6c8c"))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("held", "letters", "told"),
    [("8d4h6s", "MBD", "panel.low_so_far"), ("7d4h6s", "MBD", "panel.no_low"), ("Jd4h6s", "MBD", "panel.no_low")],
)
def test_a_middle_of_2_7_says_that_it_is_a_low_and_names_what_spoils_it(
    held: str, letters: str, told: str, language: str
) -> None:
    words = words_for(language)
    before = panel("Qh/2c3d7h/AsAhQs", held, street=4, game="two_seven")
    drawn = filled_in(before, letters, "")
    text = text_of(panel_screen(drawn, words, faces()))
    hand = hand_text(drawn.preview.strengths[1], words)
    assert words(told, hand=hand) in text
    assert drawn.fouls == (told == "panel.no_low")
    assert (words("panel.foul_low") in text) == drawn.fouls


@pytest.mark.parametrize("game", PRESETS)
@pytest.mark.parametrize("open_now", [True, False])
def test_the_rules_are_one_press_away_in_every_games_details(game: str, *, open_now: bool) -> None:
    view = view_of(2, you=0)
    state = TableState.PLAYING if open_now else TableState.CLOSED
    terms = replace(view.table.terms, variant=PRESETS[game])
    table = replace(view.table, terms=terms, state=state, closed_reason=None if open_now else "closed_by_admin")
    page = SeatsPage(view=replace(view, table=table), wallet=0, rules=False)
    ids = [str(part.get("custom_id")) for part in seats_screen(page, words_for("en"), faces()).walk()]
    assert [one for one in ids if one.startswith("c1:rulebook:")] == [
        rules_button(PRESETS[game], words_for("en"))["custom_id"]
    ]


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_the_rules_of_every_game_are_typed_by_its_name(club: Club, name: str) -> None:
    words = club.words(name)
    for game in PRESETS.values():
        shown = await club.slash(name, "ofc help", about=full_name(game, words))
        assert rules_pages(game, words)[0].text.split("\n")[0] in shown.text


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("board", "game", "key"),
    [("Qh/Jd2c/As5s3s", "two_seven", "panel.foul_low"), ("QhQs2d/5d6c/As5s3s9d", "pineapple", "panel.fantasyland")],
)
def test_whoever_has_placed_hears_what_the_board_promises(board: str, game: str, key: str, language: str) -> None:
    words = words_for(language)
    shown = panel(board, "", street=3, game=game)
    mine, *others = shown.hand.seats
    hand = replace(shown.hand, seats=(replace(mine, waiting=False, placed=True), *others))
    text = text_of(panel_screen(replace(shown, view=replace(shown.view, hand=hand)), words, faces()))
    assert (words(key) if key == "panel.foul_low" else words(key, count=14)) in text


@pytest.mark.parametrize("again", [False, True])
async def test_a_sure_foul_that_is_typed_is_shown_first_and_placed_by_a_press_or_typed_again(
    club: Club, again: bool
) -> None:
    """The whole board of Chinese Poker, its strongest cards in front."""
    panel = await club.slash("alice", "ofc practice", game="chinese")
    view = await club.look(1, "alice")
    assert view.hand is not None
    assert view.hand.mine is not None
    held = [card for card in view.hand.mine.held if card is not None]
    high = sorted(range(13), key=lambda place: -(held[place] // 4))
    letters = ["B"] * 13
    for row, places in (("F", high[:3]), ("M", high[3:8])):
        for place in places:
            letters[place] = row
    panel = await club.slash("alice", "place", cards=await club.typed("alice", "".join(letters)))
    assert club.words("alice")("board.confirm_foul") in panel.labels()
    view = await club.look(1, "alice")
    assert view.hand is not None
    assert view.hand.mine is not None
    assert not view.hand.mine.placed
    if again:
        await club.slash("alice", "place", cards=await club.typed("alice", "".join(letters)))
    else:
        await club.tap("alice", panel, panel.find("confirm"))
    view = await club.look(1, "alice")
    assert view.hand is not None
    assert view.hand.mine is not None
    assert view.hand.mine.placed
