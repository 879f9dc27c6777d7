"""My mistakes: from the first press to the exercise and its correction, private everywhere."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, decode
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.chat.trainer.screens.mistakes import MISTAKE, MistakePanel, correction_screen, mistake_in, mistake_screen
from bot.chat.trainer.screens.month import in_words, month_summary
from bot.chat.trainer.screens.puzzle import about
from bot.model.choices import DeckColours
from bot.model.clock import DAY
from bot.model.ids import GuildId
from bot.model.mistakes import LossCount, MistakeCounts
from bot.model.puzzles import PuzzleName
from bot.play.trainer import judging
from bot.play.trainer.known_puzzles import known_puzzles
from bot.play.trainer.mistake_views import CorrectionView, MistakeView, MonthView
from bot.pure.ofc.cards import EMPTY, full_deck
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.levels import Computers
from bot.pure.solver.review import DecisionPoint
from bot.pure.trainer.correction import Judgement
from bot.pure.trainer.position import Position
from bot.pure.trainer.themes import Theme
from bot.text.words import Words, words_for
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen, everything_in, open_club
from tests.discord.forge import deliver, forge, forged_press
from tests.discord.forms import settings_page
from tests.discord.test_by_ear import faults
from tests.discord.test_outside import PLACES, Outside
from tests.discord.test_practice import play_to_the_end, practised
from tests.discord.test_typed_presses import offered
from tests.journeys import STATEMENT, WRITE, Follower
from tests.quickly_judged import LOST, quickly_judged

PEOPLE = ("alice", "hanako")
MAX_STEPS = {"open": (1, 20), "tap": (0, 12), "confirm": (1, 36), "next": (1, 26)}
"""Upper limits of writes and statements per press."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "judged", quickly_judged)


async def played(club: Club, *, hands: int = 1) -> None:
    """Alice and Hanako play hands with plain placements."""
    table = await club.open_table("alice", "hanako")
    for number in range(hands):
        if number:
            await club.pass_time(30)
        await club.call_at_once()
        assert await club.type_hand(table) == number + 1
        await club.settle()


async def opened(club: Club, name: str) -> Screen:
    """Open *My mistakes* when everything has been reviewed."""
    await club.slash(name, "puzzle", mistakes=True)
    await club.bot.services.mistakes.done()
    return await club.slash(name, "puzzle", mistakes=True)


async def given(club: Club, name: str) -> MistakeView:
    view = await club.bot.services.mistakes.given(club.player(name))
    assert view is not None
    return view


async def correction(club: Club, name: str, mistake: PuzzleName) -> CorrectionView:
    return await club.bot.services.mistakes.correction(club.player(name), mistake)


async def drafted(club: Club, name: str, panel: Screen, letters: str) -> Screen:
    """Place the cards on the panel without confirming."""
    for number, letter in enumerate(letters):
        if letter == "D":
            continue
        card = panel.find("mi_card", str(number))
        if card["style"] != 1:
            panel = await club.tap(name, panel, card)
        panel = await club.tap(name, panel, panel.find("mi_row", letter))
    return panel


async def exercise(club: Club, name: str) -> tuple[Screen, CorrectionView]:
    """Open an exercise, and return it with its correction."""
    first = await opened(club, name)
    panel = await club.tap(name, first, first.find("mi_next"))
    return panel, await correction(club, name, (await given(club, name)).name)


async def answer(club: Club, name: str, panel: Screen, letters: str) -> Screen:
    panel = await drafted(club, name, panel, letters)
    return await club.tap(name, panel, panel.find("mi_confirm"))


def decimal(words: Words, points: float) -> str:
    return words.decimal(points, decimals=1)


# the way in


@pytest.mark.parametrize("name", PEOPLE)
async def test_from_a_puzzle_to_the_first_mistake_in_one_private_message(club: Club, name: str) -> None:
    await played(club)
    words, posts, private = club.words(name), len(club.public()), len(club.private(name))
    puzzle = await club.slash(name, "puzzle")
    page = await club.tap(name, puzzle, puzzle.find("mi_open"))
    assert page.id == puzzle.id
    assert words("mistakes.waiting", count=1) in page.text
    await club.bot.services.mistakes.done()
    page = await club.tap(name, page, page.find("mi_open"))
    hands = words("mistakes.hands", count=1)
    assert words("mistakes.found", count=1, hands=hands) in page.text
    panel = await club.tap(name, page, page.find("mi_next"))
    assert panel.id == puzzle.id
    assert words("mistakes.ask") in panel.text
    found = await correction(club, name, (await given(club, name)).name)
    result = await answer(club, name, panel, found.placements[0].letters)
    assert result.id == puzzle.id
    assert words("puzzle.answer.right") in result.text
    assert words("mistakes.cost_then", points=decimal(words, LOST)) in result.text
    assert words("mistakes.then") in result.text
    assert words("puzzle.theme.draw") in result.text
    nothing = await club.tap(name, result, result.find("mi_next"))
    assert re.search(re.escape(words("mistakes.next_due", day="@")).replace("@", r"<t:\d+:D>"), nothing.text)
    assert len(club.private(name)) == private + 1
    assert len(club.public()) == posts


@pytest.mark.parametrize("name", PEOPLE)
async def test_the_profile_and_the_own_games_lead_there_too(club: Club, name: str) -> None:
    await played(club)
    profile = await club.slash(name, "ofc profile")
    page = await club.tap(name, profile, profile.find("mistakes"))
    assert page.id != profile.id
    assert club.words(name)("mistakes.begun") in page.text
    games = await club.slash(name, "ofc table", do="mine")
    page = await club.tap(name, games, games.find("mistakes"))
    assert club.words(name)("ways.button.mistakes") in page.text
    other = {"alice": "hanako", "hanako": "alice"}[name]
    theirs = await club.slash(name, "ofc profile", player=club.members[other])
    assert not theirs.has("mistakes")


async def test_suggestions_open_nothing(club: Club) -> None:
    await played(club)
    labels = await offered(club, "alice", "puzzle", mistakes=True)
    assert club.words("alice")("button.refresh") in labels
    player = club.player("alice")
    assert await transactions_of(club.play).read(lambda s: s.tx.mistakes.learner(player)) is None


async def test_who_has_played_nothing_is_told_so(club: Club) -> None:
    page = await opened(club, "bob")
    assert club.words("bob")("mistakes.no_hands") in page.text
    assert not page.has("mi_next")


@PLACES
async def test_it_works_in_direct_messages_and_by_user_installation(club: Club, context: int) -> None:
    await played(club)
    alice = Outside(club, context)
    mistakes = [{"name": "mistakes", "type": 5, "value": True}]
    await alice.slash("puzzle", given=mistakes)
    await club.bot.services.mistakes.done()
    page = await alice.slash("puzzle", given=mistakes)
    panel = await alice.tap(page, "mi_next")
    found = await correction(club, "alice", (await given(club, "alice")).name)
    for number, letter in enumerate(found.placements[0].letters):
        if letter != "D":
            if panel.find("mi_card", str(number))["style"] != 1:
                panel = await alice.tap(panel, "mi_card", str(number))
            panel = await alice.tap(panel, "mi_row", letter)
    result = await alice.tap(panel, "mi_confirm")
    assert club.words("alice")("puzzle.answer.right") in result.text
    assert not result.has("review"), "the hand's server isn't here"


# answers


@pytest.mark.parametrize("name", PEOPLE)
async def test_the_same_mistake_again_says_what_it_costs_and_comes_back(club: Club, name: str) -> None:
    await played(club)
    words = club.words(name)
    panel, found = await exercise(club, name)
    result = await answer(club, name, panel, found.placed.letters)
    assert words("puzzle.answer.wrong", points=decimal(words, LOST)) in result.text
    assert words.facts([words("puzzle.answer.yours"), words("mistakes.then")]) in result.text
    assert result.has("review")
    tomorrow = (club.world.now_ms() + DAY) // 1000
    assert abs(int(re.findall(r"<t:(\d+):D>", result.text)[-1]) - tomorrow) < 3600
    await club.restart(down_seconds=DAY // 1000 + 60)
    page = await club.slash(name, "puzzle", mistakes=True)
    again = await club.tap(name, page, page.find("mi_next"))
    missed = re.escape(words("mistakes.missed_before", day="@")).replace("@", r"<t:\d+:D>")
    assert re.search(missed, again.text)


async def test_another_wrong_answer_is_shown_beside_the_one_of_the_hand(club: Club) -> None:
    await played(club)
    words = club.words("alice")
    panel, found = await exercise(club, "alice")
    letters = found.placed.letters
    other = next(
        one
        for one in (letters[1:] + letters[0], letters[2] + letters[:2], re.sub("[MB]", "F", letters))
        if one not in (letters, found.placements[0].letters)
    )
    result = await answer(club, "alice", panel, other)
    assert words("puzzle.answer.your_placement") in result.text
    assert words("mistakes.then") in result.text


async def test_later_puts_it_off(club: Club) -> None:
    await played(club, hands=2)
    panel, found = await exercise(club, "alice")
    other = await club.tap("alice", panel, panel.find("mi_later"))
    assert (await given(club, "alice")).name != found.name
    assert club.words("alice")("mistakes.ask") in other.text
    assert club.words("alice")("mistakes.put_off") in other.text
    none = await club.tap("alice", other, other.find("mi_later"))
    assert club.words("alice")("mistakes.put_off") in none.text


async def test_an_exercise_survives_a_restart_with_its_draft(club: Club) -> None:
    await played(club)
    panel, found = await exercise(club, "alice")
    panel = await drafted(club, "alice", panel, found.placements[0].letters)
    await club.restart()
    result = await club.tap("alice", panel, panel.find("mi_confirm"))
    assert club.words("alice")("puzzle.answer.right") in result.text


async def test_the_last_card_confirms_for_those_who_chose_that(club: Club) -> None:
    await played(club)
    await club.play.change_member_settings(
        GuildId(club.guild.id), club.player("alice"), lambda now: replace(now, confirm_at_once=True)
    )
    panel, found = await exercise(club, "alice")
    result = await drafted(club, "alice", panel, found.placements[0].letters)
    assert club.words("alice")("puzzle.answer.right") in result.text


async def test_the_review_of_the_hand_opens_at_the_decision(club: Club) -> None:
    await played(club)
    panel, found = await exercise(club, "alice")
    result = await answer(club, "alice", panel, found.placed.letters)
    page = await club.tap("alice", result, result.find("review"))
    words = club.words("alice")
    assert page.id != result.id
    assert words("review.page", street=words("review.street", street=3), hand=1) in page.text


# the month


async def months(club: Club, name: str) -> Screen:
    page = await opened(club, name)
    return await club.tap(name, page, page.find("mi_month"))


@pytest.mark.parametrize("name", PEOPLE)
async def test_the_month_is_a_picture_with_words_for_it_and_says_what_to_train(club: Club, name: str) -> None:
    await played(club, hands=2)
    words, page = club.words(name), await months(club, name)
    found = month_summary(await club.bot.services.mistakes.month(club.player(name)), words)
    assert found is not None
    (shown,) = [part for part in page.components if part["type"] == 12] or [
        inner for part in page.components for inner in part.get("components", ()) if inner["type"] == 12
    ]
    told = shown["items"][0]["description"]
    assert told == in_words(found, words)
    assert words("mistakes.month.streets_note") in told
    assert words("mistakes.month.total", points=words.decimal(LOST / 5, decimals=2), count=10) in told
    theme = words("puzzle.theme.draw")
    assert words("mistakes.month.advice", theme=theme) in page.text
    panel = await club.tap(name, page, page.find("mi_theme", Theme.DRAW.value))
    assert panel.id == page.id
    assert words("puzzle.ask") in panel.text
    view = await club.bot.services.trainer.given(club.player(name))
    assert view is not None
    assert known_puzzles()[view.name].theme is Theme.DRAW


@pytest.mark.parametrize("name", PEOPLE)
async def test_the_month_is_told_in_words_to_those_who_use_text_only(club: Club, name: str) -> None:
    await played(club)
    await club.play.change_member_settings(
        GuildId(club.guild.id), club.player(name), lambda now: replace(now, text_only=True, deck=DeckColours.WORDS)
    )
    words, page = club.words(name).aloud, await months(club, name)
    street = words("review.street", street=3)
    assert words("mistakes.month.line", label=street, points=words.decimal(LOST, decimals=2)) in page.text
    assert faults(page) == []


def test_months_are_compared_with_those_before() -> None:
    words, starts = words_for("en"), [40, 30, 20, 10]

    def count(month: int, street: int, decisions: int, lost: int, theme: Theme | None = None) -> LossCount:
        return LossCount(month=month, street=street, theme=theme, decisions=decisions, lost=lost)

    losses = [
        count(0, 0, 1, 50),
        count(0, 3, 7, 0),
        count(0, 3, 1, 120, Theme.DRAW),
        count(0, 3, 1, 30, Theme.DISCARD),
        count(1, 3, 4, 0),
        count(2, 3, 1, 200, Theme.DISCARD),
    ]
    nothing = MistakeCounts(waiting=0, hands=0, mistakes=0, due=0, next_at=None)
    found = month_summary(MonthView(starts=starts, losses=losses, counts=nothing), words)
    assert found is not None
    assert (found.decisions, found.points, found.before, found.worst) == (10, 0.2, 0.4, Theme.DRAW)
    assert [(one.label, one.before) for one in found.streets] == [("Street 3", 0.4), ("Whole board", None)]
    assert [one.points for one in found.themes] == [0.12, 0.05, 0.03]
    assert [one.points for one in found.months] == [2.0, 0.0, 0.2]
    older = MonthView(starts=starts, losses=[one for one in losses if one.month], counts=nothing)
    newest = month_summary(older, words)
    assert newest is not None
    assert newest.month == starts[1], "the newest month with decisions"
    assert month_summary(MonthView(starts=starts, losses=[], counts=nothing), words) is None


# secrecy


@pytest.mark.parametrize("name", PEOPLE)
async def test_nothing_gives_the_correction_away_before_the_answer(club: Club, name: str) -> None:
    await played(club)
    words = club.words(name)
    panel, found = await exercise(club, name)
    seen = [panel.text]
    for letter in found.placed.letters.replace("D", ""):
        panel = await club.tap(name, panel, panel.find("mi_row", letter))
        seen.append(panel.text)
    told = "\n".join(seen)
    assert words("puzzle.theme.draw") not in told
    assert words("mistakes.then") not in told
    assert "%" not in told
    assert not set(MistakeView.__dataclass_fields__) & {"placements", "placed", "costs", "theme", "lost"}


async def test_no_one_else_sees_a_mistake(club: Club) -> None:
    await played(club)
    panel, found = await exercise(club, "alice")
    page = await opened(club, "bob")
    gone = club.words("bob")("refused.no_mistake")
    for custom_id in [one["custom_id"] for one in panel.controls()]:
        if custom_id.split(":")[1].startswith(MISTAKE) and ":0:0:" not in custom_id:
            assert (await forge(club, "bob", page, custom_id)).said == gone, custom_id
    with pytest.raises(Refused):
        await correction(club, "bob", found.name)


async def test_the_opponents_discards_stay_secret(club: Club) -> None:
    await played(club)
    seen = (await club.look(1, "hanako")).hand
    assert seen
    hidden = [card for seat in seen.seats for card in seat.discards if card is not None]
    assert len(hidden) == 4
    panel, found = await exercise(club, "alice")
    texts = [panel.text, (await answer(club, "alice", panel, found.placed.letters)).text]
    faces = club.bot.services.faces
    assert not [card for card in hidden if any(faces.card(card) in text for text in texts)]


# double, late and forged presses


async def test_confirm_pressed_twice_counts_once(club: Club) -> None:
    await played(club)
    panel, found = await exercise(club, "alice")
    panel = await drafted(club, "alice", panel, found.placed.letters)
    confirm = panel.find("mi_confirm")["custom_id"]
    twice = [forged_press(club, "alice", panel, confirm) for _ in range(2)]
    await deliver(*twice)
    await club.watch.look()
    assert all(press.acknowledged for press in twice)
    words = club.words("alice")
    later = await forge(club, "alice", panel, confirm)
    assert words("puzzle.answer.wrong", points=decimal(words, LOST)) in later.said
    assert words("puzzle.answered_before") in later.said


@pytest.mark.parametrize("name", PEOPLE)
async def test_forged_presses_are_refused_and_change_nothing(club: Club, name: str) -> None:
    await played(club)
    panel, found = await exercise(club, name)
    gone = club.words(name)("refused.no_mistake")
    for custom_id in ("c1:mi_confirm:0.abcdef:7:1:0F:1:", "c1:mi_row:0:0:1:::F", "c1:mi_later:0.123456:99:0:::"):
        assert (await forge(club, name, panel, custom_id)).said == gone
    for draft in ("", "0F", "0F0F0F", "0F1F2F"):
        where = f"0.{found.name[:6]}:{int(found.name[6:], 16)}"
        shown = await forge(club, name, panel, f"c1:mi_confirm:{where}:3:{draft}::")
        assert club.words(name)("mistakes.ask") in shown.said, draft
    assert (await given(club, name)).name == found.name


def test_the_custom_id_of_every_mistake_leads_back_to_it() -> None:
    for name in (PuzzleName("000000000000"), PuzzleName("ffffffffffff"), PuzzleName("")):
        assert mistake_in(about(name, "confirm").but("mi_confirm")) == name


# typing and listening


@pytest.mark.parametrize("name", PEOPLE)
async def test_it_is_answered_by_typing(club: Club, name: str) -> None:
    await played(club)
    words = club.words(name)
    _, found = await exercise(club, name)
    slip = await club.slash(name, "puzzle", mistakes=True, cards="Z")
    assert words("mistakes.title", game="@").partition("@")[0] in slip.text
    best = found.placements[0].letters
    choices = await club.members[name].autocomplete(club.channel, "puzzle", "cards", best[0], mistakes=True)
    assert best in {str(choice["value"]) for choice in choices}
    labels = await offered(club, name, "puzzle", mistakes=True)
    assert {words("puzzle.button.later"), words("mistakes.button.train")} <= set(labels)
    result = await club.slash(name, "puzzle", mistakes=True, cards=best.lower())
    assert words("puzzle.answer.right") in result.text
    nothing = await club.slash(name, "puzzle", mistakes=True, cards="FMD")
    assert words("ways.button.mistakes") in nothing.text
    page = await club.slash(name, "puzzle", do=words("ways.button.mistakes"))
    assert words("mistakes.hands", count=1) in page.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_an_answer_typed_before_a_mistake_was_shown_is_not_counted(club: Club, name: str) -> None:
    await played(club)
    words = club.words(name)
    await opened(club, name)
    shown = await club.slash(name, "puzzle", mistakes=True, cards="MBD")
    assert words("mistakes.look_first") in shown.text
    assert words("mistakes.ask") in shown.text
    view = await given(club, name)
    assert view.last_at is None
    found = await correction(club, name, view.name)
    result = await club.slash(name, "puzzle", mistakes=True, cards=found.placements[0].letters)
    assert words("puzzle.answer.right") in result.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_cards_typed_for_a_table_point_to_the_mistake_that_waits(club: Club, name: str) -> None:
    await played(club)
    words = club.words(name)
    assert words("mistakes.typed_elsewhere") not in (await club.slash(name, "place", cards="MBD")).text
    await exercise(club, name)
    view = await given(club, name)
    refused = await club.slash(name, "place", cards="MBD")
    assert refused.text == f"{words('refused.no_hand')}\n{words('mistakes.typed_elsewhere')}"
    assert await given(club, name) == view


@pytest.mark.parametrize("name", PEOPLE)
async def test_it_can_be_done_by_ear(club: Club, name: str) -> None:
    await played(club)
    await club.play.change_member_settings(
        GuildId(club.guild.id), club.player(name), lambda now: replace(now, text_only=True, deck=DeckColours.WORDS)
    )
    page = await opened(club, name)
    panel = await club.tap(name, page, page.find("mi_next"))
    found = await correction(club, name, (await given(club, name)).name)
    for screen in (page, panel, await answer(club, name, panel, found.placed.letters)):
        assert everything_in(screen)
        assert faults(screen) == []


# cost


async def test_screens_fit_in_a_message(club: Club) -> None:
    await played(club)
    _, found = await exercise(club, "alice")
    view, faces = await given(club, "alice"), club.bot.services.faces
    answered = replace(found, letters=found.placed.letters[::-1], chosen=None, cost=2.25, placements=found.placements)
    for words in (club.words("alice"), club.words("hanako"), club.words("alice").aloud):
        drawn = [
            mistake_screen(MistakePanel(view=view), words, faces),
            *(correction_screen(one, words, faces, guild=GuildId(club.guild.id)) for one in (found, answered)),
        ]
        assert max(map(text_length, drawn)) <= MAX_TEXT_LENGTH


async def test_a_whole_board_is_corrected_without_points_of_its_own(club: Club) -> None:
    """Only the difference between two whole boards is known. The longest one has 17 cards."""
    await played(club)
    _, found = await exercise(club, "alice")
    held = full_deck()[:17]
    best, placed = "FFFMMMMMBBBBBDDDD", "DDDDFFFMMMMMBBBBB"
    whole = replace(
        found,
        position=Position(rows=EMPTY, held=held, fantasyland=17),
        placements=(replace(found.placements[0], letters=best, value=0.0),),
        placed=replace(found.placed, letters=placed, value=-2.25),
        lost=2.25,
        street=0,
        theme=None,
        chosen=None,
        due_at=None,
    )
    for words in (club.words("alice"), club.words("hanako"), club.words("alice").aloud):
        drawn = correction_screen(whole, words, club.bot.services.faces, guild=GuildId(club.guild.id))
        text = "\n".join(part["content"] for part in drawn.walk() if "content" in part)
        assert text_length(drawn) <= MAX_TEXT_LENGTH
        assert words("mistakes.looked", street=words("review.whole"), points=decimal(words, 2.25)) in text
        assert words("puzzle.answer.points", points=words.signed_decimal(0.0, decimals=1)) not in text
        assert words("mistakes.then_title") in text


async def test_presses_stay_within_their_limits(tmp_path: Path) -> None:
    follower, followed = Follower(), {}
    try:
        async with open_club(tmp_path) as club:
            await played(club, hands=2)
            club.watch.rests = True
            with follower.follow() as followed["open"]:
                await club.slash("alice", "puzzle", mistakes=True)
            panel, found = await exercise(club, "alice")
            with follower.follow() as followed["tap"]:
                panel = await club.tap("alice", panel, panel.find("mi_row", "F"))
            panel = await club.tap("alice", panel, panel.find("mi_undo"))
            panel = await drafted(club, "alice", panel, found.placed.letters)
            with follower.follow() as followed["confirm"]:
                result = await club.tap("alice", panel, panel.find("mi_confirm"))
            with follower.follow() as followed["next"]:
                await club.tap("alice", result, result.find("mi_next"))
    finally:
        follower.close()
    for press, (writes, statements) in MAX_STEPS.items():
        times = followed[press].times
        asked = "\n".join(f"{what} {whom}" for what, whom in followed[press].asked)
        assert times[STATEMENT], f"nothing was seen of {press}"
        assert times[WRITE] <= writes, asked
        assert times[STATEMENT] <= statements, f"{press} asks for more:\n{asked}"


# the line after a hand


async def panel_after(club: Club, name: str) -> Screen:
    await club.bot.services.mistakes.done()
    return await club.open_panel(name)


def line_of(words: Words) -> str:
    """Return the line without its cards."""
    told = words(
        "mistakes.line.street", street=words("review.street", street=3), better="@", points=decimal(words, LOST)
    )
    return told.partition("@")[2]


@pytest.mark.parametrize("name", PEOPLE)
async def test_the_own_panel_tells_the_largest_mistake_of_the_last_hand_and_leads_to_it(club: Club, name: str) -> None:
    words, other = club.words(name), {"alice": "hanako", "hanako": "alice"}[name]
    await opened(club, name)
    posts, private = len(club.public()), len(club.private(name))
    await played(club)
    public = club.public()
    panel = await panel_after(club, name)
    assert (await correction(club, name, mistake_in_line(panel))).lost == LOST
    assert line_of(words) in panel.text
    assert not (await panel_after(club, other)).has("mi_look"), "only those who use My mistakes"
    assert [screen.text for screen in club.public()] == [screen.text for screen in public], "no one else sees it"
    assert len(public) > posts
    assert len(club.private(name)) >= private
    look = await club.tap(name, panel, panel.find("mi_look"))
    assert look.id != panel.id
    street = words("review.street", street=3)
    assert words("mistakes.looked", street=street, points=decimal(words, LOST)) in look.text
    assert words("mistakes.then") in look.text
    assert words("puzzle.answer.yours") not in look.text.replace(words("mistakes.then"), "")


def mistake_in_line(panel: Screen) -> PuzzleName:
    match = BUTTON_TEMPLATE.fullmatch(panel.find("mi_look")["custom_id"])
    assert match
    return mistake_in(decode(match))


async def test_most_hands_get_no_line_and_the_next_hand_ends_it(club: Club) -> None:
    await opened(club, "alice")
    await played(club)
    assert (await panel_after(club, "alice")).has("mi_look")
    await club.pass_time(30)
    await club.call_at_once()
    assert (await club.open_panel("alice")).has("mi_look"), "while the first cards are placed"
    while (await club.look()).hand.street == 1:  # type: ignore[union-attr]
        await club.type_turn(await club.on_turn())
    assert not (await club.open_panel("alice")).has("mi_look")


async def test_a_hand_without_a_clear_mistake_gets_no_line(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def flawless(computers: Computers, moment: DecisionPoint) -> Judgement:
        return replace(quickly_judged(computers, moment), lost=0.0, correction=None)

    monkeypatch.setattr(judging, "judged", flawless)
    await opened(club, "alice")
    await played(club)
    assert not (await panel_after(club, "alice")).has("mi_look")


@pytest.mark.parametrize("name", PEOPLE)
async def test_one_press_or_the_settings_switch_the_line_off(club: Club, name: str) -> None:
    words = club.words(name)
    await opened(club, name)
    await played(club)
    panel = await panel_after(club, name)
    said = await club.tap(name, panel, panel.find("mi_quiet"))
    assert said.text == words("mistakes.line.hidden")
    assert not panel.has("mi_look"), "it's gone from the open panel"
    assert not (await club.open_panel(name)).has("mi_look")
    page = await settings_page(club, name, "wish_mistakes")
    assert words("settings.mistakes.off") in page.text
    await club.tap(name, page, page.find("wish_mistakes"))
    assert (await club.open_panel(name)).has("mi_look")


async def test_the_line_can_be_typed_and_heard(club: Club) -> None:
    await opened(club, "alice")
    await played(club)
    await club.play.change_member_settings(
        GuildId(club.guild.id), club.player("alice"), lambda now: replace(now, text_only=True, deck=DeckColours.WORDS)
    )
    panel, words = await panel_after(club, "alice"), club.words("alice").aloud
    assert faults(panel) == []
    look = await club.slash("alice", "hand", do=words("mistakes.line.look"))
    assert words("review.street", street=3) in look.text


async def test_after_a_practice_hand_the_line_is_below_its_result(club: Club) -> None:
    await opened(club, "alice")
    panel = await practised(club, "alice")
    panel = await play_to_the_end(club, "alice", panel)
    await club.bot.services.mistakes.done()
    panel = await club.slash("alice", "hand")
    assert panel.has("mi_look")
    look = await club.tap("alice", panel, panel.find("mi_look"))
    assert club.words("alice")("mistakes.then") in look.text


async def test_a_line_costs_a_panel_no_statement(club: Club) -> None:
    follower = Follower()
    try:
        await opened(club, "alice")
        await played(club)
        await panel_after(club, "alice")
        club.watch.rests = True
        with follower.follow() as with_line:
            assert (await club.open_panel("alice")).has("mi_look")
        await club.play.change_member_settings(
            GuildId(club.guild.id), club.player("alice"), lambda now: replace(now, mistake_line=False)
        )
        with follower.follow() as without:
            assert not (await club.open_panel("alice")).has("mi_look")
        assert with_line.times[STATEMENT] == without.times[STATEMENT]
    finally:
        follower.close()
