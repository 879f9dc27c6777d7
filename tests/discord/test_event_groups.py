"""Groups and their bracket on the real bot: posts, page and queries."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.model.events import Official, Phase
from bot.model.ids import Player
from bot.pure.event.structure import Structure
from bot.text.event_structure import group_name
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.discord.club import Club
from tests.discord.messages import walk
from tests.discord.test_event_form import page, rules_of, write
from tests.discord.test_event_rounds import begun, ended, told
from tests.discord.test_event_screen import details, text_of
from tests.in_turn import in_turn
from tests.play.event.event_world import SMALL_GROUPS

GROUPS = replace(SMALL_GROUPS, threads=False)


@in_turn("language", "en", "ja")
async def test_an_evening_of_groups_and_a_final(club: Club, language: str) -> None:
    words, events = words_for(language), club.bot.services.events
    key = await begun(club, GROUPS, 5, language=language)
    await club.pass_time(5)
    names = [group_name(number, words) for number in (1, 2)]
    view = await events.look(key)
    assert [len(group.rows) for group in view.groups] == [3, 2]
    page_now = text_of(details(view, words))
    assert words("structure.grouped", people=5, groups=2, count=1) in page_now
    for group, name in zip(view.groups, names, strict=True):
        (line,) = [line for line in page_now.splitlines() if line.startswith(f"**{name}** <@")]
        assert all(f"<@{row.player}>" in line for row in group.rows)
    asked = await club.slash("alice", "event", do="bracket")
    hers = club.words("alice")
    assert group_name(1, hers) in asked.text
    assert not [part for part in walk(asked.components) if "items" in part], "there is no bracket to draw yet"
    assert hers("event_groups.then") in asked.text
    seen_picture = False
    while (await events.look(key)).event.phase is not Phase.ENDED:
        await club.pass_time(20)
        view = await events.look(key)
        if not view.in_groups and view.event.phase is Phase.RUNNING:
            message = next(screen for screen in club.public()[::-1] if screen.has("ev_details"))
            seen_picture = seen_picture or any("items" in part for part in walk(message.components))
    await ended(club, key)
    (started,) = told(club, words("event_notice.started"))
    for group, name in zip(view.groups, names, strict=True):
        members = next(line for line in started.text.splitlines() if line.startswith(f"**{name}**"))
        assert all(f"<@{row.player}>" in members for row in group.rows)
    assert seen_picture, "the final stands in the picture"
    view = await events.look(key)
    through = [player for group in view.groups for player in group.through]
    assert len(through) == 2
    assert {line.entrant.player for line in view.lines if line.place <= 2} == set(through)
    reports = told(club, f"**{names[0]}**")
    (drawn,) = [post for post in reports if words("event_notice.stage.final") in post.text]
    for group, name in zip(view.groups, names, strict=True):
        line = next(line for line in drawn.text.splitlines() if line.startswith(f"**{name}**"))
        assert line.index(f"<@{group.through[0]}>") < min(line.index(f"<@{player}>") for player in group.behind)
    after = await club.slash("alice", "event", do="bracket")
    assert hers("event_groups.title_over") in after.text
    assert [part for part in walk(after.components) if "items" in part]


async def test_somebody_disqualified_before_the_bracket_leaves_their_place_to_the_next(club: Club) -> None:
    events = club.bot.services.events
    key = await begun(club, GROUPS, 5)
    view = await events.look(key)
    gone = view.groups[0].rows[0].player
    boss = Official(player=view.event.organiser, manager=True)
    await events.disqualify(key, boss, gone, why="rude", cause="gone")
    await ended(club, key)
    view = await events.look(key)
    assert gone not in [player for group in view.groups for player in group.through]
    assert view.lines[-1].entrant.player == gone
    assert [len(group.through) for group in view.groups] == [1, 1]


async def test_the_draft_asks_for_groups_and_says_what_cannot_be(club: Club) -> None:
    words = club.words("alice")
    shown = await page(club, preset="groups", name="Cup", when="in 30 minutes")
    assert words("structure.groups", groups=4, count=2) in await rules_of(club, shown)
    shown = await write(club, shown, groups="3", through="1")
    assert shown.has("ev_form_publish")
    assert words("structure.groups", groups=3, count=1) in await rules_of(club, shown)
    shown = await write(club, shown, through="3")
    what = words("structure.what.through")
    assert words("structure.problem.out_of_range", what=what, least=1, most=2) in shown.text
    assert not shown.has("ev_form_publish")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("people", [4, 16, 32, 64])
async def test_the_page_of_any_field_fits(club: Club, language: str, people: int) -> None:
    """Sixty-four names in their groups, as long as ids of Discord are."""
    words, events = words_for(language), club.bot.services.events
    plan: Structure = replace(GROUPS, most=64, groups=16, stack=100_000)
    key = await begun(club, plan, 4, language=language)
    view = await events.look(key)
    row = view.groups[0].rows[0]
    size = people // (2 if people == 4 else min(16, people // 3))
    many = [
        replace(
            view.groups[0],
            number=number,
            rows=tuple(replace(row, player=Player(str(10**18 + 100 * number + at)), won=at) for at in range(size)),
        )
        for number in range(1, people // size + 1)
    ]
    shown = details(replace(view, groups=tuple(many)), words)
    assert text_length(shown) <= MAX_TEXT_LENGTH
    assert f"<@{10**18 + 100}>" in text_of(shown)
