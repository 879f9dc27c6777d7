"""Puzzles: one private message from the position to its solution, which nothing gives away before the answer."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.chat.trainer.screens.answer import answer_screen, rating_told
from bot.chat.trainer.screens.puzzle import VERB, PuzzlePanel, about, puzzle_in, puzzle_screen, shown_rating
from bot.model.clock import DAY
from bot.model.ids import GuildId
from bot.model.puzzles import HARDEST, PuzzleName, Solver
from bot.play.trainer import training
from bot.play.trainer.known_puzzles import games_with_puzzles, known_puzzles, puzzle_name
from bot.play.trainer.views import AnswerView, PuzzleView
from bot.pure.ofc.cards import BOARD_CARDS
from bot.pure.trainer.outs import dead_outs
from bot.pure.trainer.puzzle import Puzzle
from bot.pure.trainer.themes import Theme
from bot.text.cards import row_text
from bot.text.words import Words
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen, open_club
from tests.discord.forge import deliver, forge, forged_press
from tests.discord.test_by_ear import by_ear, clean
from tests.discord.test_outside import PLACES, Outside
from tests.discord.test_typed_presses import offered
from tests.journeys import STATEMENT, WRITE, Follower

PEOPLE = ("alice", "hanako")
MAX_STEPS = {"open": (1, 20), "tap": (0, 8), "confirm": (1, 31), "next": (1, 20)}
"""Upper limits of writes and statements per press."""


async def current(club: Club, name: str) -> PuzzleView:
    view = await club.bot.services.trainer.give(club.player(name))
    assert isinstance(view, PuzzleView)
    return view


async def solver_of(club: Club, name: str) -> Solver:
    player = club.player(name)
    return await transactions_of(club.play).read(lambda s: s.tx.puzzles.solver(player))


async def withdraw(club: Club, name: PuzzleName) -> None:
    await transactions_of(club.play).write(lambda s: training.withdraw(s, name))


def solution(name: PuzzleName) -> Puzzle:
    return known_puzzles()[name]


def wrong(name: PuzzleName, *, shown: bool) -> str:
    """Return a wrong placement, either one of those that the solution compares or the most expensive one."""
    puzzle = solution(name)
    if shown:
        return puzzle.placements[1].letters
    return max(puzzle.costs, key=lambda letters: (puzzle.costs[letters], letters))


def controls(screen: Screen) -> list[str]:
    return [control["custom_id"] for control in screen.controls()]


async def drafted(club: Club, name: str, panel: Screen, letters: str) -> Screen:
    """Place the cards on the panel without confirming."""
    for number, letter in enumerate(letters):
        if letter == "D":
            continue
        card = panel.find("pz_card", str(number))
        if card["style"] != 1:
            panel = await club.tap(name, panel, card)
        panel = await club.tap(name, panel, panel.find("pz_row", letter))
    return panel


async def answer(club: Club, name: str, panel: Screen, letters: str) -> Screen:
    panel = await drafted(club, name, panel, letters)
    return await club.tap(name, panel, panel.find("pz_confirm"))


# solving


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_puzzle_is_solved_in_one_private_message(club: Club, name: str) -> None:
    words = club.words(name)
    first = await club.slash(name, "puzzle")
    view = await current(club, name)
    assert words("puzzle.ask") in first.text
    puzzle = solution(view.name)
    result = await answer(club, name, first, puzzle.best)
    assert result.id == first.id
    assert words("puzzle.answer.right") in result.text
    assert words("puzzle.answer.yours") in result.text
    assert words(f"puzzle.theme.{puzzle.theme.value}") in result.text
    assert words("puzzle.answer.first") in result.text
    for placement in puzzle.placements:
        points = words.signed_decimal(placement.value, decimals=1)
        assert words("puzzle.answer.points", points=points) in result.text
        foul = words.percent(round(100 * placement.facts.foul))
        assert words("puzzle.answer.foul", share=foul) in result.text
    rating = 1500 + round(200 * (await solver_of(club, name)).rating.mean)
    assert words("puzzle.answer.rating", rating=rating, moved=words.signed(rating - 1500)) in result.text
    assert rating > 1500
    another = await club.tap(name, result, result.find("pz_next"))
    assert another.id == first.id
    assert puzzle_in_controls(another) != view.name
    assert len(club.private(name)) == 1
    assert club.public() == []


def puzzle_in_controls(screen: Screen) -> PuzzleName:
    verb, place, number = screen.find("pz_later")["custom_id"].split(":")[1:4]
    assert verb.startswith(VERB)
    return PuzzleName(f"{place.partition('.')[2]}{int(number):06x}")


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("shown", [True, False], ids=["among the best", "far behind"])
async def test_a_wrong_answer_says_what_it_cost(club: Club, name: str, shown: bool) -> None:
    words, first = club.words(name), await club.slash(name, "puzzle")
    puzzle = (await current(club, name)).name
    letters = wrong(puzzle, shown=shown)
    result = await answer(club, name, first, letters)
    cost = words.decimal(solution(puzzle).costs[letters], decimals=1)
    assert words("puzzle.answer.wrong", points=cost) in result.text
    assert (f"**{words('puzzle.answer.your_placement')}**" in result.text) is not shown
    assert (words("puzzle.answer.behind", points=cost) in result.text) is not shown
    tomorrow = (club.world.now_ms() + DAY) // 1000
    assert re.search(r"<t:(\d+):D>", result.text)
    assert abs(int(re.findall(r"<t:(\d+):D>", result.text)[-1]) - tomorrow) < 3600


@pytest.mark.parametrize("name", PEOPLE)
async def test_an_answer_about_live_outs_names_those_that_opponents_have(club: Club, name: str) -> None:
    words, panel = club.words(name), await club.slash(name, "puzzle")
    puzzle, dead = next(
        (one, dead)
        for one, puzzle in known_puzzles().items()
        if puzzle.theme is Theme.LIVE_OUTS
        and (second := puzzle.placements[1].letters)
        and (dead := dead_outs(puzzle.position, puzzle.variant, second, other=puzzle.best))
    )
    second, street = solution(puzzle).placements[1].letters, solution(puzzle).position.street(solution(puzzle).variant)
    draft = "".join(f"{place}{letter}" for place, letter in enumerate(second) if letter != "D")
    address = f"0.{puzzle[:6]}:{int(puzzle[6:], 16)}:{street}"
    answered = await forge(club, name, panel, f"c1:pz_confirm:{address}:{draft}::")
    best, other = solution(puzzle).placements[:2]
    lead = words.decimal(best.value - other.value, decimals=1)
    yours = words("puzzle.why.your_placement")
    assert words("puzzle.why.dead_outs", cards=row_text(dead), points=lead, name=yours) in answered.said


async def test_what_others_chose_is_shown_as_shares(club: Club) -> None:
    first = await club.slash("alice", "puzzle")
    name, trainer = (await current(club, "alice")).name, club.bot.services.trainer
    for other, letters in (("bob", solution(name).best), ("hanako", wrong(name, shown=True))):
        await trainer.answer(club.player(other), name, letters, cause=other)
    result = await answer(club, "alice", first, solution(name).best)
    words = club.words("alice")
    assert words("puzzle.answer.people", share="67%", count=3) in result.text
    assert words("puzzle.answer.chosen_by", share="67%") in result.text
    assert words("puzzle.answer.chosen_by", share="33%") in result.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_missed_puzzle_says_so_when_it_comes_back(club: Club, name: str) -> None:
    words, panel = club.words(name), await club.slash(name, "puzzle")
    puzzle = (await current(club, name)).name
    at = club.world.now_ms() // 1000
    await answer(club, name, panel, wrong(puzzle, shown=True))
    await club.restart(down_seconds=DAY // 1000 + 60)
    again = await club.slash(name, "puzzle")
    assert puzzle_in_controls(again) == puzzle
    missed = re.search(re.escape(words("puzzle.missed_before", day="@")).replace("@", r"<t:(\d+):D>"), again.text)
    assert missed
    assert abs(int(missed[1]) - at) < 3600
    result = await answer(club, name, again, solution(puzzle).best)
    rating = 1500 + round(200 * (await solver_of(club, name)).rating.mean)
    assert words("puzzle.answer.rating_stays", rating=rating) in result.text


@PLACES
async def test_it_works_in_direct_messages_and_by_user_installation(club: Club, context: int) -> None:
    alice = Outside(club, context)
    panel = await alice.slash("puzzle")
    name = (await current(club, "alice")).name
    for number, letter in enumerate(solution(name).best):
        if letter != "D":
            panel = await alice.tap(panel, "pz_card", str(number)) if not chosen(panel, number) else panel
            panel = await alice.tap(panel, "pz_row", letter)
    result = await alice.tap(panel, "pz_confirm")
    assert club.words("alice")("puzzle.answer.right") in result.text
    here = await club.slash("alice", "puzzle")
    assert puzzle_in_controls(here) != name, "the same solver everywhere"
    assert club.public() == []


def chosen(panel: Screen, number: int) -> bool:
    return bool(panel.find("pz_card", str(number))["style"] == 1)


async def test_a_puzzle_survives_a_restart_with_its_draft(club: Club) -> None:
    panel = await club.slash("alice", "puzzle")
    name = (await current(club, "alice")).name
    panel = await drafted(club, "alice", panel, solution(name).best)
    await club.restart()
    result = await club.tap("alice", panel, panel.find("pz_confirm"))
    assert club.words("alice")("puzzle.answer.right") in result.text


async def test_the_last_card_confirms_for_those_who_chose_that(club: Club) -> None:
    await club.play.change_member_settings(
        GuildId(club.guild.id), club.player("alice"), lambda now: replace(now, confirm_at_once=True)
    )
    panel = await club.slash("alice", "puzzle")
    name = (await current(club, "alice")).name
    result = await drafted(club, "alice", panel, solution(name).best)
    assert club.words("alice")("puzzle.answer.right") in result.text


# secrecy


@pytest.mark.parametrize("name", PEOPLE)
async def test_nothing_gives_the_solution_away_before_the_answer(club: Club, name: str) -> None:
    words, seen = club.words(name), list[str]()
    panel = await club.slash(name, "puzzle")
    view = await current(club, name)
    puzzle = solution(view.name)
    for letter in wrong(view.name, shown=False).replace("D", ""):
        seen += [panel.text, *controls(panel)]
        panel = await club.tap(name, panel, panel.find("pz_row", letter))
    seen += [panel.text, *controls(panel)]
    told = "\n".join(seen)
    assert words(f"puzzle.theme.{puzzle.theme.value}") not in told
    assert "%" not in told
    for placement in puzzle.placements:
        assert words.signed_decimal(placement.value, decimals=1) not in re.sub(r"<[^>]*>", "", told)
    # The panel is the same for a puzzle with another solution: it's drawn from a view that has none.
    assert not set(PuzzleView.__dataclass_fields__) & {"placements", "costs", "theme", "gap", "best"}
    for custom_id in seen:
        assert puzzle.best not in custom_id.split(":")[-1:]


async def test_the_custom_id_of_every_puzzle_leads_back_to_it() -> None:
    for name in (*known_puzzles(), PuzzleName("000000000000"), PuzzleName("ffffffffffff"), PuzzleName("")):
        press = about(name, "confirm")
        assert puzzle_in(press) == name
        assert len(str(replace(press, draft=tuple((place, "F") for place in range(5)), chosen=4))) < 90


# double, late and forged presses


async def test_confirm_pressed_twice_counts_once(club: Club) -> None:
    panel = await club.slash("alice", "puzzle")
    name = (await current(club, "alice")).name
    panel = await drafted(club, "alice", panel, wrong(name, shown=True))
    confirm = panel.find("pz_confirm")["custom_id"]
    twice = [forged_press(club, "alice", panel, confirm) for _ in range(2)]
    await deliver(*twice)
    await club.watch.look()
    assert all(press.acknowledged for press in twice)
    later = await forge(club, "alice", panel, confirm)
    cost = club.words("alice").decimal(solution(name).costs[wrong(name, shown=True)], decimals=1)
    assert club.words("alice")("puzzle.answer.wrong", points=cost) in later.said
    solver = await solver_of(club, "alice")
    assert solver.rating.hands == 1
    assert sum((await transactions_of(club.play).read(lambda s: s.tx.puzzles.choices(name))).values()) == 1


async def test_a_button_of_an_answered_puzzle_shows_its_solution(club: Club) -> None:
    panel = await club.slash("alice", "puzzle")
    name, old = (await current(club, "alice")).name, controls(panel)
    await answer(club, "alice", panel, solution(name).best)
    for custom_id in old:
        if re.match(r"c1:pz_(card|row|undo|confirm)", custom_id):
            late = await forge(club, "alice", panel, custom_id)
            assert club.words("alice")("puzzle.answer.right") in late.said, custom_id


async def test_a_button_of_a_puzzle_that_was_left_still_works(club: Club) -> None:
    panel = await club.slash("alice", "puzzle")
    name = (await current(club, "alice")).name
    drawn = await drafted(club, "alice", panel, solution(name).best)
    confirm = drawn.find("pz_confirm")["custom_id"]
    other = await club.tap("alice", drawn, drawn.find("pz_aim", "1"))
    given = puzzle_in_controls(other)
    assert given != name
    late = await forge(club, "alice", other, confirm)
    assert club.words("alice")("puzzle.answer.right") in late.said
    assert (await current(club, "alice")).name == given, "the one given meanwhile is still there"


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_withdrawn_puzzle_is_refused_with_the_way_to_another(club: Club, name: str) -> None:
    panel = await club.slash(name, "puzzle")
    puzzle = (await current(club, name)).name
    await club.bot.services.trainer.answer(club.player("bob"), puzzle, wrong(puzzle, shown=True), cause="b")
    await withdraw(club, puzzle)
    for custom_id in controls(panel):
        if not re.match(r"c1:(pz_(aim|choices)|mi_open)", custom_id):
            refused = await forge(club, name, panel, custom_id)
            assert refused.said == club.words(name)("refused.puzzle_withdrawn"), custom_id
    assert puzzle_in_controls(await club.slash(name, "puzzle")) != puzzle


@pytest.mark.parametrize("name", PEOPLE)
async def test_forged_presses_are_refused_and_change_nothing(club: Club, name: str) -> None:
    panel = await club.slash(name, "puzzle")
    before = await solver_of(club, name)
    gone = club.words(name)("refused.no_puzzle")
    for custom_id in ("c1:pz_confirm:0.abcdef:7:1:0F:1:", "c1:pz_row:0:0:1:::F", "c1:pz_later:0.123456:99:0:::"):
        assert (await forge(club, name, panel, custom_id)).said == gone
    real = puzzle_in_controls(panel)
    assert (await forge(club, name, panel, f"c1:pz_aim:0.{real[:6]}:{int(real[6:], 16)}:0:::x")).said == gone
    # An incomplete draft, and one that no panel could have made, show the puzzle again.
    for draft in ("", "0F", "0F0F0F", "0F1F2F"):
        shown = await forge(club, name, panel, f"c1:pz_confirm:0.{real[:6]}:{int(real[6:], 16)}:1:{draft}::")
        assert club.words(name)("puzzle.ask") in shown.said, draft
    assert await solver_of(club, name) == before


# other puzzles


@pytest.mark.parametrize("name", PEOPLE)
async def test_an_earlier_answer_tells_its_change_and_the_rating_of_today_apart(club: Club, name: str) -> None:
    words, trainer, player = club.words(name), club.bot.services.trainer, club.player(name)
    told, answered = list[str](), list[AnswerView]()
    for number in range(2):
        given = await trainer.give(player)
        assert isinstance(given, PuzzleView)
        best = known_puzzles()[given.name].best
        answered.append(await trainer.answer(player, given.name, best, cause=f"answer {number}"))
        told.append(rating_told(answered[-1], words))
    first, second = answered
    rating = shown_rating(second.of.solver.rating.mean)
    old, new = [await trainer.look(player, one.name) for one in answered]
    assert isinstance(old, AnswerView)
    assert isinstance(new, AnswerView)
    assert rating_told(new, words) == told[1], "the newest answer says what it said"
    now = old.of.solver.rating.mean
    moved = words.signed(rating - shown_rating(now - first.attempt.moved))
    assert rating_told(old, words) == words("puzzle.answer.rating_since", rating=rating, moved=moved)
    unrated = replace(old, attempt=replace(old.attempt, rated=False))
    assert rating_told(unrated, words) == words("puzzle.answer.rating_stays_since", rating=rating)


@pytest.mark.parametrize("name", PEOPLE)
async def test_again_later_harder_and_easier_lead_to_other_puzzles(club: Club, name: str) -> None:
    panel = await club.slash(name, "puzzle")
    met = [puzzle_in_controls(panel)]
    for verb, argument in (("pz_later", None), ("pz_aim", "1"), ("pz_aim", "0"), ("pz_aim", "-1")):
        panel = await club.tap(name, panel, panel.find(verb, argument))
        assert puzzle_in_controls(panel) != met[-1], (verb, argument)
        assert (club.words(name)("puzzle.put_off") in panel.text) is (verb == "pz_later")
        met.append(puzzle_in_controls(panel))
        now, before = (shown_rating(known_puzzles()[met[at]].difficulty.mean) for at in (-1, -2))
        way = "harder" if now > before else "easier"
        told = club.words(name)(f"puzzle.aimed.{way}", now=now, before=before)
        assert (told in panel.text) is (verb == "pz_aim")
    panel = await club.tap(name, panel, panel.find("pz_row", "F"))
    assert told not in panel.text, "it's told once"
    assert met[0] not in met[1:]
    assert (await solver_of(club, name)).harder == -1
    while panel.has("pz_aim", str((await solver_of(club, name)).harder - 1)):
        panel = await club.tap(name, panel, panel.find("pz_aim", str((await solver_of(club, name)).harder - 1)))
    assert (await solver_of(club, name)).harder == -HARDEST


@pytest.mark.parametrize("name", PEOPLE)
async def test_theme_and_games_are_chosen_in_menus(club: Club, name: str) -> None:
    words, panel = club.words(name), await club.slash(name, "puzzle")
    page = await club.tap(name, panel, panel.find("pz_choices"))
    assert page.id == panel.id
    everything = len(known_puzzles())
    assert words("puzzle.choices.fitting", count=everything, unmet=everything) in page.text
    theme = max(Theme, key=lambda one: sum(puzzle.theme is one for puzzle in known_puzzles().values()))
    page = await club.choose(name, page, page.find("pz_theme"), [theme.value])
    page = await club.choose(name, page, page.find("pz_games"), [games_with_puzzles()[0]])
    fitting = [puzzle for puzzle in known_puzzles().values() if puzzle.theme is theme]
    fitting = [puzzle for puzzle in fitting if puzzle.variant.key == games_with_puzzles()[0]]
    assert words("puzzle.choices.fitting", count=len(fitting), unmet=len(fitting)) in page.text
    given = await club.tap(name, page, page.find("pz_next"))
    assert solution(puzzle_in_controls(given)).theme is theme
    page = await club.tap(name, given, given.find("pz_choices"))
    page = await club.choose(name, page, page.find("pz_theme"), ["all"])
    page = await club.choose(name, page, page.find("pz_games"), ["all", games_with_puzzles()[0]])
    solver = await solver_of(club, name)
    assert (solver.theme, solver.games) == (None, ())
    assert page.has("pz_next")


@pytest.mark.parametrize("name", PEOPLE)
async def test_when_none_is_left_the_choice_is_offered(club: Club, name: str) -> None:
    theme = min(Theme, key=lambda one: sum(puzzle.theme is one for puzzle in known_puzzles().values()) or 999)
    trainer, player, words = club.bot.services.trainer, club.player(name), club.words(name)
    await trainer.choose(player, lambda solver: replace(solver, theme=theme))
    fitting = [one for one, puzzle in known_puzzles().items() if puzzle.theme is theme]
    for number, one in enumerate(fitting):
        letters = solution(one).best if number else wrong(one, shown=True)
        await trainer.answer(player, one, letters, cause=f"all {number}")
    shown = await club.slash(name, "puzzle")
    assert words("puzzle.none_left") in shown.text
    assert re.search(r"<t:\d+:D>", shown.text)
    page = await club.tap(name, shown, shown.find("pz_choices"))
    assert words("puzzle.choices.title") in page.text
    typed = await club.slash(name, "puzzle", cards="FMD")
    assert words("puzzle.none_left") in typed.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_choice_that_fits_no_puzzle_is_called_so(club: Club, name: str) -> None:
    there = {(puzzle.theme, puzzle.variant.key) for puzzle in known_puzzles().values()}
    theme, game = next(one for one in product(Theme, games_with_puzzles()) if one not in there)
    words = club.words(name)
    await club.bot.services.trainer.choose(
        club.player(name), lambda solver: replace(solver, theme=theme, games=(game,))
    )
    shown = await club.slash(name, "puzzle")
    assert words("puzzle.none_fit") in shown.text
    assert words("puzzle.none_left") not in shown.text


# typing


@pytest.mark.parametrize("name", PEOPLE)
async def test_an_answer_to_no_puzzle_is_not_used_for_a_new_one(club: Club, name: str) -> None:
    shown = await club.slash(name, "puzzle", cards="FMD")
    assert club.words(name)("puzzle.look_first") in shown.text
    puzzle = puzzle_in_controls(shown)
    given = await club.bot.services.trainer.given(club.player(name))
    assert given
    assert given.name == puzzle
    assert (await solver_of(club, name)).rating.hands == 0


@pytest.mark.parametrize("name", PEOPLE)
async def test_it_is_solved_by_typing_where_the_cards_go(club: Club, name: str) -> None:
    await club.slash(name, "puzzle")
    puzzle = (await current(club, name)).name
    result = await club.slash(name, "puzzle", cards=solution(puzzle).best.lower())
    assert club.words(name)("puzzle.answer.right") in result.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_cards_typed_for_a_table_point_to_the_puzzle_that_waits(club: Club, name: str) -> None:
    words = club.words(name)
    pointer = words("puzzle.typed_elsewhere")
    alone = await club.slash(name, "place", cards="BMD")
    assert alone.text == words("refused.not_at_table")
    await club.slash(name, "puzzle")
    view = await current(club, name)
    refused = await club.slash(name, "place", cards=solution(view.name).best)
    assert refused.text == f"{words('refused.not_at_table')}\n{pointer}"
    assert await current(club, name) == view
    assert pointer not in (await club.slash(name, "place", cards="BMD", table=7)).text
    await club.slash(name, "puzzle", cards=solution(view.name).best)
    assert (await club.slash(name, "place", cards="BMD")).text == alone.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_slip_in_the_typed_cards_is_explained_and_costs_nothing(club: Club, name: str) -> None:
    await club.slash(name, "puzzle")
    view = await current(club, name)
    for cards in ("Z", "F" * BOARD_CARDS, "fold", "!"):
        slip = await club.slash(name, "puzzle", cards=cards)
        assert club.words(name)("puzzle.title", game="@").partition("@")[0] in slip.text
        assert not slip.has("pz_next")
    assert await current(club, name) == view


async def test_placements_and_buttons_are_suggested(club: Club) -> None:
    panel = await club.slash("alice", "puzzle")
    name = (await current(club, "alice")).name
    typed = solution(name).best[0]
    choices = await club.members["alice"].autocomplete(club.channel, "puzzle", "cards", typed)
    assert choices
    assert all(str(choice["value"]).startswith(typed) for choice in choices)
    assert {str(choice["value"]) for choice in choices} <= solution(name).costs.keys()
    words = club.words("alice")
    labels = await offered(club, "alice", "puzzle")
    assert {words("puzzle.button.later"), words("puzzle.button.harder"), words("puzzle.button.choose")} <= set(labels)
    other = await club.slash("alice", "puzzle", do=words("puzzle.button.later"))
    assert puzzle_in_controls(other) != puzzle_in_controls(panel)
    theme = words(f"puzzle.theme.{solution(name).theme.value}")
    await club.slash("alice", "puzzle", do=f"{words('puzzle.choices.theme')}: {theme}")
    game = words(f"variant.{games_with_puzzles()[0]}.name")
    await club.slash("alice", "puzzle", do=f"{words('puzzle.choices.games')}: {game}")
    solver = await solver_of(club, "alice")
    assert (solver.theme, solver.games) == (solution(name).theme, games_with_puzzles()[:1])
    for menu, every in (("theme", "all_themes"), ("games", "all_games")):
        await club.slash("alice", "puzzle", do=f"{words(f'puzzle.choices.{menu}')}: {words(f'puzzle.choices.{every}')}")
    solver = await solver_of(club, "alice")
    assert (solver.theme, solver.games) == (None, ())


# by ear


@pytest.mark.parametrize("name", PEOPLE)
async def test_it_can_be_solved_by_ear(club: Club, name: str) -> None:
    await by_ear(club, name)
    words = club.words(name).aloud
    panel = await clean(await club.slash(name, "puzzle"))
    puzzle = (await current(club, name)).name
    assert words("puzzle.ask") in panel.text
    answered = await clean(await answer(club, name, panel, wrong(puzzle, shown=False)))
    cost = words.decimal(solution(puzzle).costs[wrong(puzzle, shown=False)], decimals=1)
    assert text_of(words, "puzzle.answer.wrong", points=cost) in answered.text
    await clean(await club.tap(name, answered, answered.find("pz_choices")))


def text_of(words: Words, key: str, **values: str | int) -> str:
    """Return a sentence without the sign that decorates it."""
    return words(key, **values).lstrip("❌✅ ")


async def test_the_longest_puzzles_fit_in_a_message(club: Club) -> None:
    """Draw the puzzles with the most cards, and their solutions with four boards."""
    trainer, faces, player = club.bot.services.trainer, club.bot.services.faces, club.player("alice")
    longest = sorted(known_puzzles(), key=lambda name: -len(str(solution(name).position)))[:8]
    for number, name in enumerate(longest):
        view = await trainer.look(player, name)
        assert isinstance(view, PuzzleView)
        solved = await trainer.answer(player, name, wrong(name, shown=False), cause=f"long {number}")
        for words in (club.words("alice"), club.words("hanako"), club.words("alice").aloud):
            drawn = puzzle_screen(PuzzlePanel(view=view), words, faces), answer_screen(solved, words, faces)
            assert max(map(text_length, drawn)) <= MAX_TEXT_LENGTH


# cost


async def test_presses_stay_within_their_limits(tmp_path: Path) -> None:
    follower, followed = Follower(), {}
    try:
        async with open_club(tmp_path) as club:
            await club.slash("bob", "puzzle")
            with follower.follow() as followed["open"]:
                panel = await club.slash("alice", "puzzle")
            name = puzzle_in_controls(panel)
            letters = solution(name).best
            panel = await drafted(club, "alice", panel, letters[:-1] + "D" * (letters[-1] == "D"))
            with follower.follow() as followed["tap"]:
                panel = await club.tap("alice", panel, panel.find("pz_undo"))
            panel = await club.tap("alice", panel, panel.find("pz_undo")) if panel.has("pz_undo") else panel
            panel = await drafted(club, "alice", panel, letters)
            with follower.follow() as followed["confirm"]:
                result = await club.tap("alice", panel, panel.find("pz_confirm"))
            with follower.follow() as followed["next"]:
                await club.tap("alice", result, result.find("pz_next"))
    finally:
        follower.close()
    for press, (writes, statements) in MAX_STEPS.items():
        times = followed[press].times
        asked = "\n".join(f"{what} {whom}" for what, whom in followed[press].asked)
        assert times[STATEMENT], f"nothing was seen of {press}"
        assert times[WRITE] <= writes, asked
        assert times[STATEMENT] <= statements, f"{press} asks for more:\n{asked}"


def test_names_fit_the_custom_id() -> None:
    assert all(re.fullmatch(r"[0-9a-f]{12}", name) for name in known_puzzles())
    assert puzzle_name("pineapple", "x") != puzzle_name("classic", "x")
