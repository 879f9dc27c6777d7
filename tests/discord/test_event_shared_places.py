"""Shared places in the post, the results, the picture and the standings, and the organiser's choice.

Some tests play an event with given results and draw what it says, because equal players are rare with real cards.
"""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from bot.chat.art.podium import MAX_NAMES
from bot.chat.event.screens.lists import results_screen
from bot.chat.event.screens.notice import notice_pages
from bot.chat.event.screens.picture import _steps, describe_podium, podium
from bot.chat.event.screens.screen import event_screen
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.model.events import EventPosting, Notice, Phase
from bot.model.ids import Player
from bot.play.event.office.views import EventView
from bot.pure.event.structure import Format, Structure
from bot.pure.event.ties import Ties
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for
from tests.discord.club import Club
from tests.discord.test_event_form import page, publish, rules_of, write
from tests.discord.test_event_rounds import begun, ended
from tests.discord.test_event_screen import details
from tests.discord.test_event_screen import text_of as screen_text
from tests.in_turn import in_turn
from tests.play.event.event_world import A, B, C, D, E, F, Scene, somebody, structure
from tests.play.event.storage import close_what_is_open

BRACKET = Structure(
    format=Format.SINGLE,
    table_seats=2,
    most=8,
    least=2,
    threads=False,
    ties=Ties.SHARE,
    titles=("Champion", "", "Semi"),
)
LEVEL: dict[str, Any] = {"rounds": 1, "round_hands": 1, "ties": Ties.SHARE}


@pytest.fixture
def scene() -> Iterator[Scene]:
    """A scene to play an event with given results in."""
    yield Scene()
    close_what_is_open()


def ten_way_tie(scene: Scene, people: int = 10, **changes: Any) -> EventView:
    """A league in which everyone has 0 points at the end."""
    scene.begin(structure(Format.LEAGUE, table_seats=2, **(LEVEL | changes)), *map(somebody, range(people)))
    scene.hands()
    return scene.view()


def third_of_three(scene: Scene) -> EventView:
    """A league with prizes for three places, of which three players share the third."""
    titles = ("Gold", "Silver", "Bronze")
    plan = structure(Format.LEAGUE, **LEVEL, fee=100, payouts=(50, 30, 20), titles=titles)
    scene.begin(plan, *map(somebody, range(5)))
    for number, (winner, *losers) in scene.tables().items():
        scene.hand(number, {(winner, loser): 3 for loser in losers})
    scene.go_on()
    return scene.view()


def post_of(scene: Scene, words: Words) -> str:
    """Return the post about the end of the scene's event."""
    (details_of_end,) = scene.notices(Notice.ENDED)
    view = scene.view()
    posting = EventPosting(number=1, key=view.event.key, notice=Notice.ENDED, details=details_of_end, at=0)
    pages = notice_pages(posting, view, words, picture="podium")
    assert all(text_length(page.screen) <= MAX_TEXT_LENGTH for page in pages)
    return "\n".join(screen_text(page.screen) for page in pages)


def mention(player: Player, words: Words) -> str:
    """Return a player's name in a text."""
    return words.list([f"<@{player}>"])


# with given results


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_players_share_the_third_step_with_its_title_and_prize(scene: Scene, language: str) -> None:
    view, words = third_of_three(scene), words_for(language)
    assert [(line.place, line.entrant.prize) for line in view.lines] == [(1, 250), (2, 150), (3, 34), (3, 33), (3, 33)]
    names = {str(line.entrant.player): f"Name {number}" for number, line in enumerate(view.lines, start=1)}
    steps = _steps(view, names, words)
    assert [step.names for step in steps] == [("Name 1",), ("Name 2",), ("Name 3", "Name 4", "Name 5")]
    assert (steps[2].title, steps[2].prize) == ("Bronze", words("event_picture.prize_odd", least="33", most="34"))
    picture = Image.open(BytesIO(podium(view, names, None, words)))
    assert picture.format == "PNG"
    said = post_of(scene, words)
    assert said.count("Bronze") == 3
    for line in view.lines[2:]:
        assert words("event_notice.result_tied", place=3, player=f"<@{line.entrant.player}>") in said
    assert said.count(words("event.odd_chip")) == 1
    results = screen_text(results_screen(view, words))
    assert results.count("🥉") == 3
    assert results.count("Bronze") == 3
    assert results.count(words("event.odd_chip")) == 1
    assert words("structure.ties.share") in screen_text(details(scene_before(view), words))


def scene_before(view: EventView) -> EventView:
    """The view as it was before the start."""
    return replace(view, event=replace(view.event, phase=Phase.REGISTERING, started_at=None), lines=(), tables=())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("heard", [False, True])
def test_ten_winners_are_named_and_fit_everywhere(scene: Scene, language: str, heard: bool) -> None:
    view = ten_way_tie(scene, added=1003)
    words = words_for(language).aloud if heard else words_for(language)
    winners = words.list([f"<@{line.entrant.player}>" for line in view.lines])
    said = post_of(scene, words)
    assert words("event_notice.ended_shared", players=winners) in said
    assert said.count(words("event.odd_chip")) == 3
    names = {str(line.entrant.player): "W" * 32 for line in view.lines}
    (step,) = _steps(view, names, words)
    assert step.names == ("W" * 32, "W" * 32, words("event_picture.more", count=8))
    assert len(step.names) == MAX_NAMES
    picture = Image.open(BytesIO(podium(view, names, None, words)))
    assert picture.height < picture.width
    assert len(describe_podium(view, names, words)) < 1024


def test_sixty_winners_fit_into_every_message(scene: Scene) -> None:
    view, words = ten_way_tie(scene, people=60, most=60), words_for("en")
    post_of(scene, words)
    for shown in (results_screen(view, words), details(view, words), event_screen(view, words)):
        assert text_length(shown) <= MAX_TEXT_LENGTH
    assert words("event.more_people", count=50) in screen_text(event_screen(view, words))
    names = {str(line.entrant.player): "W" * 32 for line in view.lines}
    assert len(describe_podium(view, names, words)) < 1024


@pytest.mark.parametrize("language", LANGUAGES)
def test_those_who_bust_together_are_told_to_be_tied(scene: Scene, language: str) -> None:
    words = words_for(language)
    scene.begin(structure(table_seats=3, ties=Ties.SHARE), A, B, C, D, E, F)
    winner, *losers = scene.tables()[1]
    scene.knock_out(winner, *losers)
    (told,) = scene.notices(Notice.OUT)
    posting = EventPosting(number=1, key=scene.key, notice=Notice.OUT, details=told, at=0)
    (page_of_it,) = notice_pages(posting, scene.view(), words)
    fifth = words("structure.place", place="5" + words.language_of("structure.place").ordinal(5))
    for one in losers:
        assert words("event_notice.out_at_tied", player=f"<@{one}>", place=fifth) in screen_text(page_of_it.screen)


# on the real bot


@in_turn("language", "en", "ja")
async def test_both_losers_of_the_semifinals_are_third_in_the_post_and_the_results(club: Club, language: str) -> None:
    words = words_for(language)
    key = await begun(club, BRACKET, 4, language=language)
    await ended(club, key)
    view = await club.bot.services.events.look(key)
    third = [line.entrant.player for line in view.lines if line.place == 3]
    assert len(third) == 2
    (post,) = [screen for screen in club.public() if words("event_notice.lost_semifinal") in screen.text]
    for one in third:
        assert words("event_notice.result_tied", place=3, player=f"<@{one}>") in post.text
    assert post.text.count("Semi") == 2
    assert words("event.by_draw") not in post.text
    who = "alice" if language == "en" else "hanako"
    results = await club.slash(who, "event", do=club.words(who)("event_acts.name.results"))
    assert results.text.count("🥉") == 2


@pytest.mark.parametrize("by", ["pressed", "typed"])
async def test_the_organiser_lets_the_draw_decide(club: Club, by: str) -> None:
    words = club.words("alice")
    shown = await page(club, preset="league", name="Fair", when="in 3 hours")
    assert words("structure.ties.share") in await rules_of(club, shown)
    if by == "pressed":
        shown = await write(club, shown, ties="draw")
    else:
        form = await club.command_form("alice", "event", do="draft", value=words("event_form.part.honours"))
        shown = await club.send("alice", form, {words("event_form.field.ties"): "draw"})
    assert words("structure.ties.draw") in await rules_of(club, shown)
    made = await publish(club, shown)
    assert made.structure.ties is Ties.DRAW


async def test_a_bracket_has_no_choice_and_says_that_its_losers_share(club: Club) -> None:
    words = club.words("alice")
    shown = await page(club, preset="heads_up", name="Duel", when="in 3 hours")
    assert words("structure.ties.bracket") in await rules_of(club, shown)
    form = await club.command_form("alice", "event", do="draft", value="honours")
    assert form.modal is None or words("event_form.field.ties") not in str(form.modal)
    assert (await publish(club, shown)).structure.ties is Ties.SHARE


async def test_the_choice_survives_another_kind_of_event_but_not_a_bracket(club: Club) -> None:
    shown = await page(club, preset="league", name="Fair", when="in 3 hours")
    shown = await write(club, shown, ties="draw")
    shown = await write(club, shown, preset="chaipo")
    shown = await write(club, shown, preset="heads_up")
    assert (await publish(club, shown)).structure.ties is Ties.SHARE
