"""Puzzles on the page: solved as in Discord, once, and with a solution only for those who have answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from typing import Any

import pytest
from pytest_asyncio import fixture

from bot.chat.trainer.screens.puzzle import shown_rating
from bot.model.ids import GuildId, Player
from bot.model.puzzles import PuzzleAttempt, PuzzleName, Solver
from bot.play.trainer import all_puzzles, training
from bot.play.trainer.known_puzzles import games_with_puzzles, known_puzzles
from bot.play.trainer.views import AnswerView
from bot.pure.ofc.cards import DISCARD, card_name
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.view import unseen
from bot.pure.trainer.position import view_of
from bot.pure.trainer.puzzle import Puzzle
from bot.pure.trainer.themes import Theme
from bot.text.words import words_for
from bot.web.pages import Pages
from tests.play.trainer.test_puzzles import right, wrong
from tests.play.world import ANN, BOB, World
from tests.web.open_pages import Json, Kept, kept
from tests.web.test_what_pages_know import cards_in, left_in

EN = words_for("en")
OUTSIDE = GuildId(0)


@fixture(loop_scope="session")
async def page(pages: Pages) -> AsyncIterator[Kept]:
    """Ann's page, which shows a puzzle."""
    async with kept(pages, ANN, puzzle=True) as opened:
        yield opened


def name_of(page: Kept) -> PuzzleName:
    """Return the name of the puzzle that a page shows."""
    return PuzzleName(page.view["mine"]["turn"].partition(".")[0])


def shown(page: Kept) -> Puzzle:
    return known_puzzles()[name_of(page)]


def moved(letters: str) -> str:
    """Return a placement as a page sends it."""
    return letters.replace(DISCARD, ".")


async def attempts(world: World, player: Player = ANN) -> list[PuzzleAttempt]:
    def read(s: Any) -> list[PuzzleAttempt]:
        return [one for name in known_puzzles() for one in s.tx.puzzles.attempts(player, name)]

    return await world.sessions.read(read)


async def solver_of(world: World, player: Player = ANN) -> Solver:
    return await world.sessions.read(lambda s: s.tx.puzzles.solver(player))


def offered(page: Kept) -> list[str]:
    return [offer["verb"] for offer in page.view["offers"]]


# solving


async def test_a_puzzle_is_a_board_without_a_solution(world: World, page: Kept) -> None:
    puzzle, view = shown(page), page.view
    assert (await solver_of(world)).shown == name_of(page)
    assert view["puzzle"]["solution"] is None
    assert view["status"] == EN("puzzle.ask")
    assert view["mine"]["cards"] == [card_name(card) for card in puzzle.position.held]
    assert [seat["you"] for seat in view["seats"]] == [True, *[False] * len(puzzle.position.opponents)]
    for seat, rows in zip(
        view["seats"], (puzzle.position.rows, *(one.rows for one in puzzle.position.opponents)), strict=True
    ):
        assert [sorted(row) for row in seat["rows"]] == [sorted(map(card_name, row)) for row in rows]
    assert offered(page) == ["puzzle_later", "puzzle_harder", "puzzle_easier", "puzzle_choose"]
    told = await page.draft(moved(puzzle.best))
    assert told["type"] == "drafted"
    assert told["confirm"]["ready"]
    assert told["confirm"]["verb"] == "confirm"


@pytest.mark.parametrize("solves", [True, False])
async def test_confirm_answers_with_the_placements_side_by_side(world: World, page: Kept, solves: bool) -> None:
    puzzle, name = shown(page), name_of(page)
    letters = right(name) if solves else wrong(name)
    answer = await page.ask("confirm", moved(letters))
    assert (answer["outcome"], answer["said"]) == ("done", "")
    seen = await world.trainer.look(ANN, name)
    assert isinstance(seen, AnswerView)
    assert seen.attempt.letters == letters
    solution = page.view["puzzle"]["solution"]
    assert solution["right"] is solves
    best = solution["placements"][: len(puzzle.placements)]
    assert [one["letters"] for one in best] == [one.letters for one in puzzle.placements]
    for told, placement in zip(best, puzzle.placements, strict=True):
        facts = placement.facts
        assert told["numbers"] == [
            EN.signed_decimal(placement.value, decimals=1),
            EN.percent(round(100 * facts.foul)),
            EN.percent(round(100 * facts.fantasyland)),
            EN.decimal(facts.royalties, decimals=1),
        ]
    mine = [number for number, one in enumerate(solution["placements"]) if one["own"]]
    assert mine == [len(best) if seen.chosen is None else seen.chosen]
    assert page.view["mine"]["draft"]["letters"] == puzzle.best
    assert page.view["mine"]["draft"]["confirm"]["verb"] == ""
    result, why = page.view["status"].split("\n")
    cost = EN.decimal(seen.attempt.cost / 100, decimals=1)
    assert result == ("Right!" if solves else EN("puzzle.answer.wrong", points=cost).removeprefix("❌ "))
    assert why
    assert offered(page)[0] == "puzzle_next"
    before = name
    assert (await page.ask("puzzle_next"))["outcome"] == "done"
    assert page.view["puzzle"]["solution"] is None
    assert name_of(page) != before


async def test_what_others_chose_is_in_the_solution(world: World, pages: Pages, page: Kept) -> None:
    name = name_of(page)
    for number in range(3):
        other = Player(str(900 + number))
        await world.trainer.answer(other, name, right(name), cause=world.cause())
    await page.ask("confirm", moved(wrong(name)))
    solution = page.view["puzzle"]["solution"]
    assert solution["numbers"][-1] == EN("puzzle.page.chosen_by")
    assert solution["placements"][0]["numbers"][-1] == EN.percent(75)
    assert solution["told"][0] == EN("puzzle.answer.people", share=EN.percent(75), count=4)


async def test_an_intent_that_is_sent_again_is_answered_once(world: World, page: Kept) -> None:
    intent = page.intent("confirm", moved(shown(page).best))
    answers = [told for _ in range(3) for told in await page.say(**intent) if told["type"] == "answer"]
    assert {answer["outcome"] for answer in answers} == {"done"}
    assert len(await attempts(world)) == 1


@pytest.mark.parametrize("letters", ["", "FFFFF", "FF", "F" * 13, "......"])
async def test_impossible_placements_are_refused_and_change_nothing(world: World, page: Kept, letters: str) -> None:
    before = page.view
    answer = await page.ask("confirm", letters)
    assert answer["outcome"] == "refused"
    assert answer["said"]
    assert page.view == before
    assert await attempts(world) == []


# other puzzles


async def test_harder_and_easier_end_somewhere(world: World, page: Kept) -> None:
    def difficulty() -> float:
        return known_puzzles()[name_of(page)].difficulty.mean

    for verb, way, end in (("puzzle_harder", 1, "none_harder"), ("puzzle_easier", -1, "none_easier")):
        steps = 0
        while verb not in page.view["puzzle"]["off"]:
            before, answer = difficulty(), await page.ask(verb)
            if answer["outcome"] == "refused":
                assert answer["said"] == EN(f"refused.{end}")
                break
            assert answer["outcome"] == "done"
            assert way * (difficulty() - before) > 0
            now, left = shown_rating(difficulty()), shown_rating(before)
            assert answer["said"] == EN(f"puzzle.aimed.{verb.removeprefix('puzzle_')}", now=now, before=left)
            steps += 1
        assert steps
    assert await attempts(world) == []


async def test_a_puzzle_that_was_put_off_gives_another(world: World, page: Kept) -> None:
    before = name_of(page)
    told = await page.ask("puzzle_later")
    assert (told["outcome"], told["said"]) == ("done", EN("puzzle.put_off"))
    assert name_of(page) != before
    found = await world.sessions.read(lambda s: s.tx.puzzles.repetition(ANN, before))
    assert found is not None


async def chosen(page: Kept, verb: str, *options: str) -> Json:
    """Choose puzzles; returns the choices."""
    came = await page.say(**page.intent(verb), chosen=options)
    answer = next(told for told in came if told["type"] == "answer")
    assert answer["outcome"] == "done"
    choices: Json = answer["puzzles"]
    return choices


async def test_a_theme_and_games_are_chosen(world: World, page: Kept) -> None:
    (found, answer) = await page.say(type="read", id="choices-1", what="puzzles", table=0)
    assert answer["outcome"] == "done"
    before = found["puzzles"]
    assert before["later"] == EN("puzzle.page.later", button=EN("puzzle.button.later"))
    assert [one["key"] for one in before["themes"]] == ["", *(theme.value for theme in Theme)]
    assert [one["key"] for one in before["games"]] == ["", *games_with_puzzles()]
    assert [one["key"] for one in (*before["themes"], *before["games"]) if one["chosen"]] == ["", ""]
    after = await chosen(page, "puzzle_theme", Theme.DISCARD.value)
    assert [one["key"] for one in after["themes"] if one["chosen"]] == [Theme.DISCARD.value]
    assert shown(page).theme is Theme.DISCARD, "a puzzle that doesn't fit any more is replaced"
    after = await chosen(page, "puzzle_games", "joker_pineapple", "ultimate", "no such game")
    assert {one["key"] for one in after["games"] if one["chosen"]} == {"ultimate", "joker_pineapple"}
    assert shown(page).variant.key in ("ultimate", "joker_pineapple")
    solver = await solver_of(world)
    assert (solver.theme, set(solver.games)) == (Theme.DISCARD, {"ultimate", "joker_pineapple"})
    await chosen(page, "puzzle_theme")
    await chosen(page, "puzzle_games")
    solver = await solver_of(world)
    assert (solver.theme, solver.games) == (None, ())


async def test_when_none_is_left_only_the_choice_is_offered(
    world: World, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, puzzle = next(iter(known_puzzles().items()))
    with only(monkeypatch, {name: puzzle}):
        async with kept(pages, ANN, puzzle=True) as page:
            await page.ask("confirm", moved(shown(page).best))
            await page.ask("puzzle_next")
            assert EN("puzzle.none_left") in page.view["status"]
            assert page.view["mine"] is None
            assert page.view["puzzle"]["solution"] is None
            assert offered(page) == ["puzzle_choose"]


async def test_the_rules_of_the_puzzles_game_can_be_read(page: Kept) -> None:
    found, answer = await page.say(type="read", id="rules-of-it", what="rules", table=0)
    assert answer["outcome"] == "done"
    assert found["chapters"]


# other screens


async def test_pages_follow_each_other_and_the_panel(world: World, pages: Pages, page: Kept) -> None:
    async with kept(pages, ANN, puzzle=True) as other, kept(pages, BOB, puzzle=True) as stranger:
        name, before = name_of(page), len(stranger.came)
        await page.ask("confirm", moved(shown(page).best))
        while other.view["puzzle"]["solution"] is None:  # noqa: ASYNC110
            await asyncio.sleep(0)
        assert name_of(other) == name
        await page.ask("puzzle_next")
        assert other.view["puzzle"]["solution"] is not None, "a solution stays until its reader goes on"
        await other.ask("puzzle_next")
        assert name_of(other) == name_of(page)
        await world.trainer.put_aside(ANN, name_of(page))
        current = (await solver_of(world)).shown
        while {name_of(page), name_of(other)} != {current}:  # noqa: ASYNC110
            await asyncio.sleep(0)
        assert len(stranger.came) == before


async def test_of_several_screens_one_answers_and_the_others_are_told(world: World, pages: Pages) -> None:
    async with AsyncExitStack() as stack:
        screens = [await stack.enter_async_context(kept(pages, ANN, puzzle=True)) for _ in range(3)]
        name = name_of(screens[0])
        sent = [moved(letters) for letters in list(known_puzzles()[name].costs)[:3]]
        answers = await asyncio.gather(
            *(screen.ask("confirm", letters) for screen, letters in zip(screens, sent, strict=True))
        )
        assert sorted(answer["outcome"] for answer in answers) == ["done", "stale", "stale"]
        assert {answer["said"] for answer in answers if answer["outcome"] == "stale"} == {EN("page.too_late")}
        (attempt,) = await attempts(world)
        won = [answer["outcome"] for answer in answers].index("done")
        assert moved(attempt.letters) == sent[won]
        for screen in screens:
            await screen.look()
            assert screen.view["puzzle"]["solution"] is not None
            assert name_of(screen) == name


async def test_an_old_draft_of_another_puzzle_is_too_late(world: World, page: Kept) -> None:
    old = page.intent("confirm", moved(shown(page).best))
    drawn = page.drawn(moved(shown(page).best))
    await page.ask("puzzle_harder")
    after = page.view
    for message in (old, drawn):
        answer = (await page.say(**message))[-1]
        assert (answer["outcome"], answer["said"]) == ("stale", EN("page.too_late"))
    assert page.view == after
    assert await attempts(world) == []


async def test_a_withdrawn_puzzle_is_replaced(world: World, page: Kept) -> None:
    name = name_of(page)
    await world.trainer.answer(BOB, name, right(name), cause=world.cause())
    await world.sessions.write(lambda s: training.withdraw(s, name))
    answer = await page.ask("confirm", moved(right(name)))
    assert answer["outcome"] == "refused"
    assert "withdrawn" in answer["said"]
    assert name_of(page) != name


# tables


async def test_a_table_that_waits_calls_and_is_turned_to(world: World, pages: Pages, page: Kept) -> None:
    assert page.view["tables"] == []
    name, key = name_of(page), await world.started(ANN, BOB)
    while (player := await world.turn(key)) != ANN:
        await world.place_cards(key, player)
    await world.settle()
    page.page.looks = True
    (call,) = (await page.look())["tables"]
    assert (call["table"], call["waits"], call["chosen"]) == (key.table, True, False)
    assert pages.used_at(key, ANN) is None, "a player who solves puzzles isn't present at the table"
    await page.say(type="look", table=key.table)
    assert page.view["table"] == key.table
    assert page.view["puzzle"] is None
    back = page.view["offers"][-1]
    assert (back["verb"], back["label"]) == ("puzzle_next", EN("ways.button.puzzle"))
    assert (await page.ask("puzzle_later"))["outcome"] == "stale"
    assert (await page.ask("puzzle_next"))["outcome"] == "done"
    assert (page.view["table"], name_of(page)) == (0, name)
    assert [one["table"] for one in page.view["tables"]] == [key.table]
    assert pages.used_at(key, ANN) is None


@pytest.mark.parametrize(
    "verb", ["stream", "leave", "start", "say", "retry", "arrange", "declare", "hint", "ahead", "take_back", "join"]
)
async def test_a_puzzle_takes_no_other_intents(world: World, page: Kept, verb: str) -> None:
    before = page.view
    answer = await page.ask(verb, turn="1.0")
    assert (answer["outcome"], answer["said"]) == ("stale", EN("page.too_late"))
    assert page.view == before


async def test_outside_servers_there_are_only_puzzles(world: World, pages: Pages) -> None:
    async with kept(pages, ANN, guild=OUTSIDE) as page:
        assert page.view["puzzle"] == {"solution": None, "off": []}
        await page.say(type="look", table=1)
        assert page.view["puzzle"] is not None
        assert (await page.ask("stream"))["outcome"] == "stale"
        for what in ("past", "file", "record", "invite", "link", "review"):
            assert (await page.say(type="read", id="outside-1", what=what, table=1, hand=1))[-1]["outcome"] == "stale"
        assert (await page.ask("confirm", moved(shown(page).best)))["outcome"] == "done"


async def test_a_page_that_asks_for_a_table_or_for_nothing_gets_no_puzzle(world: World, pages: Pages) -> None:
    key = await world.table(ANN, BOB)
    async with kept(pages, ANN) as old, kept(pages, ANN, table=key.table, puzzle=True) as again:
        assert old.view["puzzle"] is None
        assert again.view["puzzle"] is None
        assert again.view["table"] == key.table
        for page in (old, again):
            assert "puzzle_next" not in offered(page)
            assert (await page.ask("puzzle_next"))["outcome"] == "stale"
        assert (await solver_of(world)).shown == ""


# secrecy


@contextmanager
def only(monkeypatch: pytest.MonkeyPatch, few: Mapping[PuzzleName, Puzzle]) -> Iterator[None]:
    """Let there be only these puzzles."""
    with monkeypatch.context() as patched:
        patched.setattr(all_puzzles, "known_puzzles", lambda: few)
        yield


def solutions_in(part: Any) -> Iterator[Any]:
    """Every place for a solution in a message."""
    if isinstance(part, dict):
        if "solution" in part:
            yield part["solution"]
        for value in part.values():
            yield from solutions_in(value)


def position_cards(puzzle: Puzzle) -> set[str]:
    position = puzzle.position
    found = [*position.held, *position.discards, *(card for row in position.rows for card in row)]
    for one in position.opponents:
        found += [*one.discards, *(card for row in one.rows for card in row)]
    return set(map(card_name, found))


@pytest.mark.parametrize("game", games_with_puzzles())
@pytest.mark.parametrize("locale", ["en-US", "ja"])
async def test_nothing_that_is_sent_before_the_answer_knows_more_than_the_position(
    world: World, pages: Pages, monkeypatch: pytest.MonkeyPatch, game: str, locale: str
) -> None:
    names = [name for name, puzzle in known_puzzles().items() if puzzle.variant.key == game][:6]
    with only(monkeypatch, {name: known_puzzles()[name] for name in names}):
        async with kept(pages, ANN, puzzle=True, locale=locale) as page:
            read = 0
            for _ in names:
                puzzle, view = shown(page), page.view
                letters = next(one for one in puzzle.costs if one != puzzle.best)
                assert (await page.draft(moved(letters)))["type"] == "drafted"
                for told in page.came[read:]:
                    assert cards_in(told) <= position_cards(puzzle)
                    assert all(solution is None for solution in solutions_in(told))
                hidden = view_of(puzzle.position, puzzle.variant)
                assert left_in(view) == [card_name(card) for card in unseen(hidden)]
                # The same position with another solution looks the same.
                other_theme = next(theme for theme in Theme if theme is not puzzle.theme)
                other = replace(puzzle, placements=puzzle.placements[::-1], theme=other_theme)
                with only(monkeypatch, {name_of(page): other}):
                    assert await page.look() == view
                assert (await page.ask("confirm", moved(letters)))["outcome"] == "done"
                assert [solution for told in page.came[read:] for solution in solutions_in(told) if solution]
                read = len(page.came)
                await page.ask("puzzle_next")


async def test_no_one_sees_anothers_puzzle_or_answer(world: World, pages: Pages, page: Kept) -> None:
    await page.ask("confirm", moved(wrong(name_of(page))))
    async with kept(pages, BOB, puzzle=True) as other:
        assert other.view["puzzle"]["solution"] is None
        assert PRESETS[shown(other).variant.key]
        stolen = page.intent("puzzle_later") | {"turn": f"{name_of(page)}", "id": "from-another-page"}
        await other.say(**stolen)
        assert len(await attempts(world)) == 1
        assert await attempts(world, BOB) == []
