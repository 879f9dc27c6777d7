"""Public messages of a table are short. They have what everyone needs, and the rest is behind Details."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from typing_extensions import override

from bot.text.event_structure import rising
from bot.text.languages import LANGUAGES
from tests.discord.club import Club, Screen, open_club
from tests.discord.forge import forge
from tests.discord.messages import walk

PEOPLE = ("alice", "bob", "hanako")
LOCALES = {"en": "en-US", "ja": "ja"}
_DRAWN = re.compile(r"<a?:\w+:\d+>|\]\(https?:[^)]*\)")
"""Cards and addresses, which aren't read as words."""


@dataclass(frozen=True)
class Most:
    """The most that a message shows."""

    lines: int
    words: int
    controls: int


OPENING = Most(lines=2, words=12, controls=0)
LOBBY = Most(lines=4, words=30, controls=4)
FIRST_STREET = Most(lines=6, words=30, controls=2)
TABLE = Most(lines=24, words=55, controls=2)
"""A board whose rows all hold a hand names three."""
RESULT = Most(lines=5, words=45, controls=3)
CLOSED = Most(lines=6, words=40, controls=1)
"""One line more says that a hand was not finished."""


def fits(shown: Screen, most: Most, language: str) -> None:
    """Check the limits. Words are counted in languages with spaces."""
    lines = [line for line in _DRAWN.sub("", shown.text).split("\n") if line]
    words = [word for line in lines for word in line.split() if re.search(r"\w", word)]
    assert len(lines) <= most.lines, shown.text
    assert language != "en" or len(words) <= most.words, (len(words), shown.text)
    assert len(shown.controls()) <= most.controls, shown.labels()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_each_message_of_a_table_fits_a_glance_and_ends_in_details(tmp_path: Path, language: str) -> None:
    async with open_club(tmp_path, locale=LOCALES[language]) as club:
        details = club.words()("button.details")
        await club.slash("alice", "ofc play")
        fits(club.public()[0], OPENING, language)
        for name in PEOPLE[1:]:
            fits(club.table_screen(), LOBBY, language)
            assert club.table_screen().labels()[-1] == details
            await club.press(name, club.table_screen(), club.table_screen().find("join"))
        await club.pass_time(club.lobby_seconds)
        await club.press("alice", club.table_screen(), club.table_screen().find("start"))
        fits(club.table_screen(), FIRST_STREET, language)
        while (await club.look()).waiting:
            await club.type_turn(await club.on_turn())
            fits(club.table_screen(), TABLE, language)
            assert club.table_screen().labels()[-1] == details
        (result,) = [one for one in club.public() if one.has("hand_details")]
        fits(_without_badges(result), RESULT, language)
        assert result.labels()[-1] == details
        assert [part for part in walk(result.components) if part["type"] == 12], "boards and pairs are a picture"
        await club.closes("alice", 1)
        await club.settle()
        (closed,) = [one for one in club.public() if one.has("again")]
        fits(closed, CLOSED, language)


@dataclass(frozen=True)
class _WithoutBadges(Screen):
    """A result without new badges."""

    @property
    @override
    def text(self) -> str:
        """The message's text."""
        return "\n".join(line for line in super().text.split("\n") if not line.startswith("🏅"))


def _without_badges(shown: Screen) -> Screen:
    return _WithoutBadges(shown.club, shown.channel_id, shown.id)


async def test_details_cost_the_channel_no_request(club: Club) -> None:
    await club.open_table(*PEOPLE)
    await club.type_hand()
    await club.settle()
    (result,) = [one for one in club.public() if one.has("hand_details")]
    before = {method: club.requests(method, "/messages") for method in ("POST", "PATCH", "DELETE")}
    for name in PEOPLE:
        await club.details(name)
        await club.tap(name, result, result.find("hand_details"))
    assert {method: club.requests(method, "/messages") for method in before} == before


async def test_terms_that_are_not_the_usual_stand_in_the_lobby_before_one_joins(club: Club) -> None:
    words = club.words()
    await club.opens("alice", discards="open", win_cap="opponent", levels="10,20", quiet=True, top_up=False)
    terms = club.table_screen().text.split("\n")[2]
    limits = (await club.look()).table.terms.limits
    assert words("lobby.term.most_won", cap=words("lobby.win_cap.opponent")) in terms
    assert words("lobby.term.no_top_ups") in terms
    assert words("lobby.term.levels", levels=rising(limits.levels, words), count=limits.level_hands) in terms
    assert words("lobby.term.quiet") in terms
    assert words("house.value.open") in terms


@pytest.mark.parametrize("name", ["bob", "hanako"])
async def test_old_buttons_of_a_table_keep_working(club: Club, name: str) -> None:
    """Those that its messages had before they had Details."""
    await club.open_table("alice", name)
    table, words = club.table_screen(), club.words(name)
    seats = table.find("seats")["custom_id"]
    for verb, said in (("leave", "lobby.leaving"), ("stay", "lobby.stays")):
        press = await forge(club, name, table, seats.replace("seats", verb))
        assert words(said, table=1) in press.said
    assert words("fairness.title") in (await forge(club, name, table, seats.replace("seats", "fairness"))).said
