"""Payments after a hand: in the text, on the picture, in its description and on the page."""

from __future__ import annotations

import re

import pytest

from bot.chat.table.screens import picture
from bot.model.choices import MemberSettings
from bot.text.words import Words, words_for
from bot.web.drawing import TableDrawing, result_shown
from tests.discord.club import Club, Screen
from tests.discord.messages import walk
from tests.discord.test_practice import play_to_the_end, practised

SENTENCE = {
    "en": r"\*\*(?P<winner>[^*]+)\*\* wins (?P<chips>[\d,]+) chips? from \*\*(?P<loser>[^*]+)\*\* \(\+\d+\): ",
    "ja": r"\*\*(?P<winner>[^*]+)\*\*が\*\*(?P<loser>[^*]+)\*\*から(?P<chips>[\d,]+)チップ（\+\d+点）：",
}
DECIDED = bytes([1]) * 32
"""Seed of a hand in which at least two pairs don't break even."""


async def played(club: Club, *names: str) -> dict[str, int]:
    """A hand of these players; returns what each won."""
    club.seeds.append(DECIDED)
    await club.open_table(*names)
    await club.type_hand()
    result = await club.play.result(club.key(), 1)
    return {club.shown(club.name_of(line.player)).strip("*"): line.chips for line in result.results}


async def check(club: Club, language: str, *names: str) -> None:
    won = await played(club, *names)
    words = words_for(language)
    shown = next(one for one in club.public() if words("result.heading", hand=1, table=1) in one.text)
    pattern, counted = re.compile(SENTENCE[language]), dict.fromkeys(won, 0)
    details = await club.tap(names[0], shown, shown.find("hand_details"))
    found = [pattern.search(line) for line in details.text.split("\n")]
    sentences = [one for one in found if one]
    assert len(sentences) >= len(names) - 1, "the pairs were seen"
    for one in sentences:
        chips = int(one["chips"].replace(",", ""))
        assert chips > 0
        counted[one["winner"]] += chips
        counted[one["loser"]] -= chips
    assert counted == won, "whoever wins by the sentences has the chips"
    assert not any(pattern.search(line) for line in shown.text.split("\n")), "the picture says it"
    check_description(shown, sentences)
    await check_page(club, sentences, words)


def check_description(shown: Screen, sentences: list[re.Match[str]]) -> None:
    (told,) = [item["description"] for part in walk(shown.components) for item in part.get("items", ())]
    for one in sentences:
        heard = one[0].replace("**", "").rstrip("：: ")
        assert heard in told


async def check_page(club: Club, sentences: list[re.Match[str]], words: Words) -> None:
    result = await club.play.result(club.key(), 1)
    view = await club.play.look(club.key(), None)
    faces = club.bot.services.faces.in_letters()
    page = result_shown(
        TableDrawing(view=view, words=words, faces=faces, member_settings=MemberSettings(), result=result)
    )
    assert page is not None
    for one in sentences:
        assert any(line.startswith(one[0].replace("**", "").strip()) for line in page.pairs)


async def test_the_pairs_of_a_result_say_who_gets_the_chips(club: Club) -> None:
    await check(club, "en", "alice", "bob", "hanako")


async def test_they_say_so_in_japanese(japanese_club: Club) -> None:
    await check(japanese_club, "ja", "hanako", "bob", "alice")


@pytest.mark.parametrize(("language", "between", "end"), [("en", "wins from", ""), ("ja", "が", "から")])
async def test_so_does_the_picture(club: Club, language: str, between: str, end: str) -> None:
    await played(club, "alice", "bob", "hanako")
    result = await club.play.result(club.key(), 1)
    names = club.bot.services.faces.names
    called = picture._names(result, names, words_for(language))  # noqa: SLF001
    drawn = [picture._drawn_pair(result, pair, called, words_for(language)) for pair in result.pairs]  # noqa: SLF001
    decided = [(pair, one) for pair, one in zip(result.pairs, drawn, strict=True) if pair.chips]
    assert decided
    for pair, one in decided:
        assert (one.winner, one.between, one.loser, one.end) == (called[pair.winner], between, called[pair.loser], end)


async def test_without_chips_the_points_take_their_place(club: Club) -> None:
    await club.open_table("alice", "bob", stakes=0)
    await club.type_hand()
    (shown,) = [one for one in club.public() if club.words()("result.heading", hand=1, table=1) in one.text]
    details = await club.tap("alice", shown, shown.find("hand_details"))
    (line,) = [one for one in details.text.split("\n") if " from " in one or " break even" in one]
    assert re.match(r"\*\*\w+\*\* (wins \d+ points? from|and) \*\*\w+\*\*", line)


async def test_the_tables_message_says_once_whose_turn_it_is(club: Club) -> None:
    await club.open_table("alice", "bob")
    text = club.table_screen().text
    name = club.shown(await club.on_turn())
    assert text.count(club.words()("table.to_act_until", players=name, until="\0").split("\0")[0]) == 1
    assert text.count(name) == 2, "beside the board, and whose turn it is"


async def test_hands_of_private_practice_have_no_line_about_their_deck(club: Club) -> None:
    panel = await practised(club, "alice")
    await play_to_the_end(club, "alice", panel)
    await club.settle()
    assert club.words("alice")("result.heading", hand=1, table=1) in panel.text
    details = await club.tap("alice", panel, panel.find("hand_details"))
    assert "🔒" not in panel.text + details.text
