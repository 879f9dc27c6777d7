"""Rehearsing an event: only its organiser reads what would be posted, and nothing of the server's changes."""

from __future__ import annotations

import re

import discord
import pytest

from tests.databases import Eyes
from tests.discord.club import Club, Screen
from tests.discord.test_event_form import page, publish

FRIDAY = {"preset": "chaipo", "name": "Friday", "when": "in 3 hours"}


def kept(club: Club) -> object:
    """All that is stored, but for how far the bot's clock has come."""
    return Eyes(club.databases[-1]._path).everything()  # noqa: SLF001


async def opened(club: Club, name: str = "alice") -> Screen:
    shown = await page(club, **FRIDAY)
    return await club.tap(name, shown, shown.find("ev_rehearse"))


@pytest.mark.of_sqlite
async def test_a_draft_is_rehearsed_in_private_and_nothing_changes(club: Club) -> None:
    words = club.words("alice")
    draft = await page(club, **FRIDAY)
    public, before = len(club.public()), kept(club)
    shown = await club.tap("alice", draft, draft.find("ev_rehearse"))
    assert shown.message.id != draft.message.id, "the draft stays beside it"
    assert words("rehearsal.title", name="Friday") in shown.text
    assert words("rehearsal.private", count=12) in shown.text
    assert words("rehearsal.prizes", count=0) not in shown.text
    for level in (1, 2, 3):
        assert words("rehearsal.level", number=level) in shown.text
    assert words("rehearsal.end") in shown.text
    assert len(club.public()) == public
    assert kept(club) == before


async def test_its_pages_show_what_would_be_posted_in_its_own_words(club: Club) -> None:
    words = club.words("alice")
    shown = await opened(club)
    read: list[str] = []
    pages = int(re.findall(r"Page 1 of (\d+)", shown.text)[0])
    assert pages > 1
    for number in range(1, pages):
        shown = await club.tap("alice", shown, shown.button(words(f"rehearsal.{'next' if read else 'see_posts'}")))
        assert words("rehearsal.page", page=number + 1, pages=pages) in shown.text
        read.append(shown.text)
    told = "\n".join(read)
    assert words("event_notice.started") in told
    assert words("event_notice.left", count=2) in told
    assert re.search(words("event_notice.ended", player=r"Player \d+"), told)
    assert told.index(words("event_notice.started")) < told.index(words("event_notice.left", count=2))
    assert re.search(r"<t:\d+:f>", told)
    assert ":R>" not in told, "a countdown would count from now, hours before the post"
    assert "<@1" not in told, "no person of the rehearsal is mentioned as if they were someone's account"
    assert words("rehearsal.player", number=1) in told
    assert words("rehearsal.messages", count=1) not in told


async def test_another_number_of_people_is_chosen_below_it(club: Club) -> None:
    words = club.words("alice")
    shown = await opened(club)
    shown = await club.choose("alice", shown, shown.find("ev_rehearse", "with"), ["4"])
    assert words("rehearsal.private", count=4) in shown.text
    assert words("rehearsal.playing", count=4) in shown.text


async def test_by_command_in_japanese(club: Club) -> None:
    words = club.words("hanako")
    hosts = club.guild.create_role("hosts", permissions=discord.Permissions(manage_events=True))
    club.backend.add_member_role(club.guild.id, club.members["hanako"].id, hosts.id)
    await club.draft("hanako", preset="heads_up", name="金曜", when="3時間後")
    shown = await club.slash("hanako", "event", do="rehearse", value="5")
    assert words("rehearsal.title", name="金曜") in shown.text
    assert words("rehearsal.stage", number=1) in shown.text
    assert words("rehearsal.private", count=5) in shown.text


async def test_a_draft_that_is_incomplete_is_answered_with_what_it_lacks(club: Club) -> None:
    words = club.words("alice")
    shown = await page(club, preset="chaipo")
    assert not shown.has("ev_rehearse"), "it can't be pressed yet"
    answer = await club.slash("alice", "event", do="rehearse")
    assert words("event_form.problem.hour", form=words("event_form.sections.start")) in answer.text


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_a_draft_is_only_offered_for_a_rehearsal_while_there_is_one(club: Club, name: str) -> None:
    hosts = club.guild.create_role("hosts", permissions=discord.Permissions(manage_events=True))
    club.backend.add_member_role(club.guild.id, club.members[name].id, hosts.id)
    words = club.words(name)
    label = words("event_acts.name.rehearse_draft")

    async def offered() -> list[str]:
        choices = await club.members[name].autocomplete(club.channel, "event", "do", label)
        return [str(choice["name"]) for choice in choices]

    assert label not in await offered()
    why = await club.slash(name, "event", do=label)
    assert words("event_acts.why.no_draft") in why.text
    assert why.has("ev_act", "create"), "a way on"
    await club.draft(name, preset="heads_up")
    assert label in await offered()


async def test_too_few_people_are_refused_with_how_many_it_takes(club: Club) -> None:
    words = club.words("alice")
    await page(club, **FRIDAY | {"preset": "duplicate"})
    answer = await club.slash("alice", "event", do="rehearse", value="2")
    assert words("refused.bad_rehearsal", asked=2, least=4, most=40) in answer.text


async def test_an_event_that_was_announced_is_rehearsed_by_its_organisers_alone(club: Club) -> None:
    words = club.words("alice")
    event = await publish(club, await page(club, **FRIDAY))
    shown = await club.slash("alice", "event", do=f"rehearse {event.key.number}", value="3")
    assert words("rehearsal.title", name="Friday") in shown.text
    shown = await club.tap("alice", shown, shown.button(words("rehearsal.see_posts")))
    assert words("event_notice.started") in shown.text
    refused = await club.slash("bob", "event", do=f"rehearse {event.key.number}")
    assert club.words("bob")("refused.not_organiser") in refused.text
    for name in ("bob", "hanako"):
        await club.slash(name, "event", do="register")
    started = await club.slash("alice", "event", do="start")
    await club.tap("alice", started, started.find("ev_begin"))
    late = await club.slash("alice", "event", do=f"rehearse {event.key.number}")
    assert words("refused.event_runs") in late.text
