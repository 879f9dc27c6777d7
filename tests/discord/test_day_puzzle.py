"""The puzzle of the day: in the morning post where managers want it, answered in private, and revealed a day later."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.chat.kit.text_only import WORDS_ALONE
from bot.chat.kit.widgets import apart, screen
from bot.chat.trainer.screens.day import SIZES, morning_parts
from bot.model.bulletins import BulletinKind
from bot.model.clock import DAY, HOUR
from bot.model.ids import GuildId, Player
from bot.model.puzzles import DayPuzzle, PuzzleName, PuzzleRecord
from bot.play.trainer.day_puzzles import medium_puzzles
from bot.play.trainer.known_puzzles import known_puzzles
from bot.play.trainer.views import AskedView, DayChoice, DayResultView, MorningPuzzle
from bot.pure.trainer.puzzle import Puzzle
from bot.text.cards import card_text
from tests.backstage import transactions_of
from tests.discord.club import Club, Screen, open_club
from tests.discord.forge import deliver, forge, forged_press
from tests.discord.forms import enter, posts_page
from tests.discord.test_bulletins import a_game, kept, pass_until, posts, set_up
from tests.discord.test_by_ear import by_ear, clean, faults
from tests.discord.test_outside import Outside
from tests.discord.test_puzzle import PEOPLE, answer, controls, current, drafted, puzzle_in_controls, solver_of
from tests.discord.test_typed_presses import offered
from tests.journeys import STATEMENT, WRITE, Follower

MORNING = BulletinKind.MORNING
MAX_STEPS = {"open": (0, 10), "confirm": (1, 15), "result": (0, 10)}
"""Upper limits of writes and statements per press."""


async def turn_on(club: Club) -> int:
    """Turn on the morning post with its puzzle. Returns its first hour."""
    at = await set_up(club, MORNING)
    await enter(club, "alice", await posts_page(club), "post puzzle", ["puzzle"], MORNING.value)
    return at


async def first_post(club: Club) -> tuple[Screen, int]:
    """Let the first post be sent. Returns it and its hour."""
    at = await turn_on(club)
    await pass_until(club, at)
    (post,) = posts(club, MORNING)
    return post, at


async def next_post(club: Club, at: int) -> Screen:
    """Let the next day's post be sent."""
    before = len(posts(club, MORNING))
    await pass_until(club, at + DAY)
    found = posts(club, MORNING)
    assert len(found) == before + 1
    return found[-1]


async def today(club: Club) -> DayPuzzle:
    found = await club.bot.services.trainer.day_today(GuildId(club.guild.id))
    assert found is not None
    return found


def solution(name: PuzzleName) -> Puzzle:
    return known_puzzles()[name]


def wrong(name: PuzzleName) -> str:
    return solution(name).placements[1].letters


async def answered(club: Club, name: str, post: Screen, letters: str) -> Screen:
    """Open the puzzle from the post, and answer it."""
    panel = await club.tap(name, post, post.find("pz_day"))
    return await answer(club, name, panel, letters)


async def test_a_manager_turns_it_on_apart_from_the_post(club: Club) -> None:
    words = club.words("alice")
    await set_up(club, MORNING)
    page = await posts_page(club)
    assert words("posts.puzzle.off") in page.text
    page = await enter(club, "alice", page, "post puzzle", ["puzzle"], MORNING.value)
    assert words("posts.puzzle.on") in page.text
    assert (await kept(club, MORNING)).puzzle
    page = await enter(club, "alice", page, "post hour", ["7"], MORNING.value)
    assert (await kept(club, MORNING)).puzzle
    await enter(club, "alice", page, "post puzzle", [], MORNING.value)
    assert not (await kept(club, MORNING)).puzzle


async def test_setup_shows_it_and_turns_it_on_in_one_form(club: Club) -> None:
    words, page = club.words("alice"), await club.slash("alice", "setup")
    summary = words("setup.posts.at.puzzle")

    async def fill(page: Screen, what: list[str]) -> Screen:
        form = await club.ask("alice", page, page.find("po_form"))
        return await club.send(
            "alice", form, {words("posts.form_channel"): [club.channel], words("posts.form_what"): what}
        )

    refused = await fill(page, ["puzzle", "recap"])
    assert words("posts.puzzle.needs_morning") in refused.text
    assert not (await kept(club, MORNING)).puzzle
    await fill(page, ["morning"])
    assert not (await kept(club, MORNING)).puzzle
    assert summary not in (await club.slash("alice", "setup")).text
    await fill(await club.slash("alice", "setup"), ["morning", "puzzle"])
    assert (await kept(club, MORNING)).puzzle
    shown = await club.slash("alice", "setup")
    assert summary in shown.text
    await fill(shown, ["morning"])
    assert not (await kept(club, MORNING)).puzzle


async def test_without_the_switch_a_post_stays_as_it_is(club: Club) -> None:
    await a_game(club)
    at = await set_up(club, MORNING, in_hours=1)
    await pass_until(club, at + DAY - HOUR // 2)
    await a_game(club)
    await pass_until(club, at + DAY)
    (post,) = posts(club, MORNING)
    assert post.labels() == [club.words()("daily.button.today")]
    assert await club.bot.services.trainer.day_today(GuildId(club.guild.id)) is None


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_day_from_the_post_to_its_result(club: Club, name: str) -> None:
    words, theirs = club.words(), club.words(name)
    post, at = await first_post(club)
    puzzle = await today(club)
    assert post.labels() == [words("daily.button.today"), words("puzzle.button.day")]
    assert words("puzzle.day.until", at=f"<t:{(at + DAY) // 1000}:f>") in post.text
    panel = await club.tap(name, post, post.find("pz_day"))
    assert theirs("puzzle.day.once", at=f"<t:{(at + DAY) // 1000}:f>") in panel.text
    assert not panel.has("pz_later")
    counted = await answer(club, name, panel, solution(puzzle.puzzle).best)
    assert counted.id == panel.id
    assert theirs("puzzle.day.counted") in counted.text
    assert theirs("puzzle.day.wait", at=f"<t:{(at + DAY) // 1000}:f>") in counted.text
    await answered(club, "bob", post, wrong(puzzle.puzzle))
    second = await next_post(club, at)
    assert words("puzzle.day.solved", solved=1, count=2) in second.text
    for placement, member in zip(solution(puzzle.puzzle).placements, (name, "bob"), strict=False):
        assert words("puzzle.answer.points", points=words.signed_decimal(placement.value, decimals=1)) in second.text
        assert words("puzzle.day.named", count=1, players=club.shown(member)) in second.text
    assert second.message.ping_user_ids == []
    assert second.labels()[1:] == [words("puzzle.button.day"), words("puzzle.button.last_day")]
    assert (await today(club)).puzzle != puzzle.puzzle
    # The old post and the new one lead to the solution, with the reader's answer.
    for button in (post.find("pz_day"), second.controls()[-1]):
        result = await club.tap(name, second, button)
        assert theirs("puzzle.day.over") in result.text
        assert theirs("puzzle.answer.right") in result.text
        assert theirs("puzzle.day.solved", solved=1, count=2) in result.text
        assert club.shown("bob") not in result.text
    other = next(one for one in PEOPLE if one != name)
    outsider = await club.tap(other, post, post.find("pz_day"))
    assert club.words(other)("puzzle.day.over") in outsider.text
    assert club.words(other)("puzzle.answer.right") not in outsider.text
    assert (await solver_of(club, name)).rating.mean > 0 > (await solver_of(club, "bob")).rating.mean


@pytest.mark.parametrize("name", PEOPLE)
async def test_nothing_gives_the_solution_away_before_the_next_post(club: Club, name: str) -> None:
    words = club.words(name)
    post, _ = await first_post(club)
    puzzle = solution((await today(club)).puzzle)
    await answered(club, "bob", post, puzzle.best)
    seen = []
    for letters in (puzzle.best, puzzle.placements[1].letters):
        panel = await club.tap(name, post, post.find("pz_day"))
        panel = await drafted(club, name, panel, letters)
        seen.append(panel)
    counted = await club.tap(name, seen[0], seen[0].find("pz_confirm"))
    seen += [counted, await club.tap(name, post, post.find("pz_day"))]
    seen.append(await club.tap("bob", post, post.find("pz_day")))
    # The old panel with another placement shows that the answer counts, and changes nothing.
    late = await forge(club, name, seen[1], seen[1].find("pz_confirm")["custom_id"])
    assert words("puzzle.day.counted") in late.said
    told = "\n".join([late.said, post.text, *(text for one in seen for text in (one.text, *controls(one)))])
    for reader in (words, club.words("bob")):
        for key in ("puzzle.answer.right", f"puzzle.theme.{puzzle.theme.value}"):
            assert reader(key) not in told, key
    assert "%" not in told
    for placement in puzzle.placements:
        assert words.signed_decimal(placement.value, decimals=1) not in re.sub(r"<[^>]*>", "", told)
    assert (await solver_of(club, name)).rating.hands == 0
    # The puzzle command neither gives it nor tells about it.
    given = await club.slash(name, "puzzle")
    view = await current(club, name)
    assert puzzle_in_controls(given) != (await today(club)).puzzle
    assert view.of.solver.rating.hands == 0


async def test_a_puzzle_given_before_it_became_one_of_the_day_cant_be_solved_early(club: Club) -> None:
    at = await turn_on(club)
    # Find out which one will be drawn, and let it be given to Bob.
    name = await _drawn_at(club, at)
    player = club.player("bob")
    await transactions_of(club.play).write(
        lambda s: s.tx.puzzles.save_solver(player, replace(s.tx.puzzles.solver(player), shown=name))
    )
    panel = await club.slash("bob", "puzzle")
    assert puzzle_in_controls(panel) == name
    panel = await drafted(club, "bob", panel, solution(name).best)
    confirm = panel.find("pz_confirm")["custom_id"]
    await pass_until(club, at)
    assert (await today(club)).puzzle == name
    assert (await forge(club, "bob", panel, confirm)).said == club.words("bob")("refused.puzzle_of_the_day")
    other = await club.slash("bob", "puzzle")
    assert puzzle_in_controls(other) != name


async def _drawn_at(club: Club, at: int) -> PuzzleName:
    """Draw the puzzle for an hour, and forget that it was."""
    guild, trainer = GuildId(club.guild.id), club.bot.services.trainer
    asked = (await trainer.morning(guild, await kept(club, MORNING), at, open_channels=[])).asked
    assert asked is not None
    await transactions_of(club.play).write(lambda s: s.tx.sql.run("DELETE FROM day_puzzle"))
    return asked.name


async def test_someone_who_knows_it_is_told_so_and_may_answer(club: Club) -> None:
    at = await turn_on(club)
    name, trainer = await _drawn_at(club, at), club.bot.services.trainer
    await trainer.answer(club.player("bob"), name, wrong(name), cause="before")
    rating = (await solver_of(club, "bob")).rating
    await pass_until(club, at)
    (post,) = posts(club, MORNING)
    panel = await club.tap("bob", post, post.find("pz_day"))
    missed = club.words("bob")("puzzle.missed_before", day="@").split("@")[0]
    assert missed in panel.text
    counted = await answer(club, "bob", panel, solution(name).best)
    assert club.words("bob")("puzzle.day.counted") in counted.text
    await next_post(club, at)
    assert (await solver_of(club, "bob")).rating.mean == rating.mean


async def test_confirm_pressed_twice_counts_once(club: Club) -> None:
    post, at = await first_post(club)
    name = (await today(club)).puzzle
    panel = await club.tap("alice", post, post.find("pz_day"))
    panel = await drafted(club, "alice", panel, solution(name).best)
    confirm = panel.find("pz_confirm")["custom_id"]
    twice = [forged_press(club, "alice", panel, confirm) for _ in range(2)]
    await deliver(*twice)
    await club.watch.look()
    assert all(press.acknowledged for press in twice)
    assert club.words()("puzzle.day.solved", solved=1, count=1) in (await next_post(club, at)).text


@pytest.mark.parametrize("name", PEOPLE)
async def test_it_is_opened_and_answered_by_typing(club: Club, name: str) -> None:
    words = club.words(name)
    label = words("puzzle.button.day")
    assert label not in await offered(club, name, "puzzle")
    _, at = await first_post(club)
    day = await today(club)
    assert label in await offered(club, name, "puzzle")
    panel = await club.slash(name, "puzzle", do=label)
    assert words("puzzle.day.once", at=f"<t:{day.ends_at // 1000}:f>") in panel.text
    suggested = await club.members[name].autocomplete(club.channel, "puzzle", "cards", "", do=label)
    held = solution(day.puzzle).position.held
    assert suggested
    assert all(card_text(card) in str(one["name"]) for one in suggested for card in held)
    slip = await club.slash(name, "puzzle", cards="fold", do=label)
    assert words("puzzle.day.title", game="@").partition("@")[0] in slip.text
    counted = await club.slash(name, "puzzle", cards=solution(day.puzzle).best, do=label)
    assert words("puzzle.day.counted") in counted.text
    again = await club.slash(name, "puzzle", cards=solution(day.puzzle).best, do=label)
    assert again.text == counted.text
    # Without the label, the cards answer the other puzzle.
    view = await current(club, name)
    result = await club.slash(name, "puzzle", cards=solution(view.name).best)
    assert words("puzzle.answer.right") in result.text
    assert words("puzzle.button.day") in await offered(club, name, "puzzle")
    await pass_until(club, at + DAY)


@pytest.mark.parametrize("name", PEOPLE)
async def test_typing_it_without_one_says_when_it_comes(club: Club, name: str) -> None:
    words = club.words(name)
    label = words("puzzle.button.day")
    await club.slash(name, "puzzle")
    view = await current(club, name)
    best = solution(view.name).best
    for cards in ({}, {"cards": best}):
        assert (await club.slash(name, "puzzle", do=label, **cards)).text == words("puzzle.day.none_here")
    at = await turn_on(club)
    for cards in ({}, {"cards": best}):
        told = await club.slash(name, "puzzle", do=label, **cards)
        assert told.text == words("puzzle.day.none_yet", at=f"<t:{at // 1000}:f>")
    assert await current(club, name) == view, "the cards weren't for this puzzle"
    alone = await Outside(club, 1).slash(
        "puzzle", given=[{"name": "do", "type": 3, "value": club.words()("puzzle.button.day")}]
    )
    assert club.words()("puzzle.day.in_servers") in alone.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_it_can_be_solved_by_ear(club: Club, name: str) -> None:
    post, at = await first_post(club)
    await by_ear(club, name)
    words, puzzle = club.words(name).aloud, (await today(club)).puzzle
    panel = await clean(await club.tap(name, post, post.find("pz_day")))
    counted = await clean(await answer(club, name, panel, wrong(puzzle)))
    assert words("puzzle.day.wait", at=f"<t:{(at + DAY) // 1000}:f>") in counted.text
    await next_post(club, at)
    await clean(await club.tap(name, post, post.find("pz_day")))


async def test_a_server_that_reads_in_words_gets_the_post_in_words(club: Club) -> None:
    guild = GuildId(club.guild.id)
    await club.play.choose_for_server(guild, lambda now: replace(now, in_words=True))
    post, at = await first_post(club)
    await answered(club, "bob", post, wrong((await today(club)).puzzle))
    second = await next_post(club, at)
    assert faults(post) == faults(second) == []
    assert "<:" not in second.text


async def test_the_hidden_and_the_departed_arent_named(club: Club) -> None:
    post, at = await first_post(club)
    name = (await today(club)).puzzle
    for member in ("alice", "bob", "hanako"):
        await answered(club, member, post, solution(name).best)
    guild = GuildId(club.guild.id)
    await club.play.change_member_settings(guild, club.player("bob"), lambda now: replace(now, profile_visible=False))
    await club.play.note_departed(guild, [club.player("hanako")])
    second = await next_post(club, at)
    words = club.words()
    named = words.list([club.shown("alice"), words("puzzle.day.more", count=2)])
    assert words("puzzle.day.named", count=3, players=named) in second.text
    everything = str(second.message.components)
    for member in ("bob", "hanako"):
        assert club.shown(member) not in everything
        assert f"<@{club.player(member)}>" not in everything


def requests(club: Club) -> list[int]:
    """Return how often the bot has asked Discord for something, by method."""
    return [club.requests(method) for method in ("GET", "POST", "PATCH", "PUT", "DELETE")]


async def test_it_asks_nothing_more_of_discord_than_a_post_without_it(club: Club) -> None:
    guild = GuildId(club.guild.id)
    await a_game(club)
    at = await set_up(club, MORNING, in_hours=2)
    await pass_until(club, at + DAY - HOUR // 2)
    await a_game(club)
    await pass_until(club, at + DAY)
    counts = []
    for puzzle in (False, True, True):
        await a_game(club)
        if puzzle:
            await enter(club, "alice", await posts_page(club), "post puzzle", ["puzzle"], MORNING.value)
        if (await kept(club, MORNING)).puzzle and (day := await club.bot.services.trainer.day_today(guild)):
            await answered(club, "bob", posts(club, MORNING)[-1], wrong(day.puzzle))
        await club.pass_time(60)
        before, at = requests(club), at + DAY
        await pass_until(club, at + DAY)
        counts.append([after - one for one, after in zip(before, requests(club), strict=True)])
    assert counts[1] == counts[2] == counts[0]
    assert len(posts(club, MORNING)) == 4, "one a day"
    assert all(one.message.ping_user_ids == [] for one in posts(club, MORNING))


async def test_a_morning_that_was_slept_through_is_revealed_in_the_next_post(club: Club) -> None:
    post, at = await first_post(club)
    name = (await today(club)).puzzle
    await answered(club, "bob", post, solution(name).best)
    await club.restart(down_seconds=(DAY + 5 * HOUR) / 1000)
    await pass_until(club, club.world.now_ms())
    assert len(posts(club, MORNING)) == 1
    # Its day is over all the same.
    early = await club.tap("bob", post, post.find("pz_day"))
    assert club.words("bob")("puzzle.answer.right") in early.text
    await pass_until(club, at + 2 * DAY)
    second = posts(club, MORNING)[-1]
    assert club.words()("puzzle.day.named", count=1, players=club.shown("bob")) in second.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_withdrawn_puzzle_is_cancelled_in_a_sentence(club: Club, name: str) -> None:
    post, at = await first_post(club)
    panel = await club.tap(name, post, post.find("pz_day"))
    puzzle = (await today(club)).puzzle
    await answered(club, "bob", post, wrong(puzzle))
    record = PuzzleRecord(name=puzzle, rating=replace(solution(puzzle).difficulty, hands=0), withdrawn=True)
    await transactions_of(club.play).write(lambda s: s.tx.puzzles.save_puzzle(record))
    off = club.words(name)("refused.day_cancelled")
    for custom_id in (post.find("pz_day")["custom_id"], *controls(panel)):
        assert (await forge(club, name, panel, custom_id)).said == off, custom_id
    second = await next_post(club, at)
    assert club.words()("puzzle.day.cancelled", day="@").partition("@")[2] in second.text
    assert (await solver_of(club, "bob")).rating.hands == 0


@pytest.mark.parametrize("name", PEOPLE)
async def test_forged_presses_are_refused_and_change_nothing(club: Club, name: str) -> None:
    post, _ = await first_post(club)
    day = await today(club)
    real, number = day.puzzle[:6], int(day.puzzle[6:], 16)
    gone = club.words(name)("refused.no_day_puzzle")
    for custom_id in (
        f"c1:pz_day:2.{real}:{number}:0:::",
        f"c1:pz_confirm:2.{real}:{number}:1:0F:1:",
        f"c1:pz_row:999999999.{real}:{number}:1:::F",
    ):
        assert (await forge(club, name, post, custom_id)).said == gone
    # An incomplete draft, and one of another puzzle, show the puzzle again.
    for custom_id in (f"c1:pz_confirm:1.{real}:{number}:1:::", "c1:pz_confirm:1.abcdef:7:1:0F::"):
        assert club.words(name)("puzzle.ask") in (await forge(club, name, post, custom_id)).said
    outside = forged_press(club, name, post, post.find("pz_day")["custom_id"], guild=False)
    await deliver(outside)
    assert outside.said is not None
    assert club.words(name)("puzzle.ask") not in outside.said
    count = await transactions_of(club.play).read(lambda s: s.tx.day_puzzles.answers(GuildId(club.guild.id), 1))
    assert count == []


# cost and size


async def test_presses_stay_within_their_limits(tmp_path: Path) -> None:
    follower, followed = Follower(), {}
    try:
        async with open_club(tmp_path) as club:
            post, at = await first_post(club)
            best = solution((await today(club)).puzzle).best
            await answered(club, "bob", post, best)
            with follower.follow() as followed["open"]:
                panel = await club.tap("alice", post, post.find("pz_day"))
            panel = await drafted(club, "alice", panel, best)
            with follower.follow() as followed["confirm"]:
                await club.tap("alice", panel, panel.find("pz_confirm"))
            await next_post(club, at)
            with follower.follow() as followed["result"]:
                await club.tap("alice", post, post.find("pz_day"))
    finally:
        follower.close()
    for press, (writes, statements) in MAX_STEPS.items():
        times = followed[press].times
        asked = "\n".join(f"{what} {whom}" for what, whom in followed[press].asked)
        assert times[STATEMENT], f"nothing was seen of {press}"
        assert times[WRITE] <= writes, asked
        assert times[STATEMENT] <= statements, f"{press} asks for more:\n{asked}"


def _worst(name: PuzzleName, people: Iterable[Player]) -> DayResultView:
    """A result in which everyone chose, as many of them as possible something else."""
    puzzle, named = solution(name), tuple(people)
    best = [placement.letters for placement in puzzle.placements]
    others = [letters for letters in puzzle.costs if letters not in best]
    choices = [
        DayChoice(letters=letters, cost=puzzle.costs[letters], people=500, named=named) for letters in (*best, *others)
    ]
    return DayResultView(
        day=1,
        asked_at=1_800_000_000_000,
        name=name,
        variant=puzzle.variant,
        position=puzzle.position,
        theme=puzzle.theme,
        placements=puzzle.placements,
        chosen=None,
        gap=puzzle.gap,
        choices=choices,
        people=500 * len(choices),
        solved=500,
        mine=None,
    )


async def test_the_longest_results_fit_in_a_post(club: Club) -> None:
    guild, names = GuildId(club.guild.id), club.bot.services.faces.names
    people = [Player(str(10**18 + number)) for number in range(40)]
    for number, player in enumerate(people):
        names.saw(guild, player, "W" * 30 + str(number), username=f"someone{number}")
    longest = sorted(medium_puzzles(), key=lambda name: -len(str(solution(name).position)))[:12]
    for name in longest:
        puzzle = solution(name)
        asked = AskedView(
            day=2, name=name, variant=puzzle.variant, position=puzzle.position, difficulty=puzzle.difficulty, ends_at=1
        )
        morning = MorningPuzzle(asked=asked, result=_worst(name, people), streak=999)
        for words in (club.words("alice"), club.words("hanako"), club.words("alice").aloud):
            faces = club.bot.services.faces
            faces = faces.for_reader(WORDS_ALONE) if words.heard else faces
            drawings = [*morning_parts(morning, guild, words, faces).drawings]
            assert len(drawings) > len(SIZES)
            shortest = screen(*apart(drawings[-1]), colour=0)
            assert text_length(shortest) <= MAX_TEXT_LENGTH - 900, "there's room for the rest of the post"
