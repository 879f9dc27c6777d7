"""*Text only* holds on the page too: rules and results are words there, with no sign left to guess at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.model.choices import DeckColours
from bot.web.pages import Pages
from tests.play.world import ANN, BOB, GUILD, World
from tests.web.open_pages import Json, kept
from tests.web.test_looking_back import played

SIGNS = re.compile(r"[♠♥♦♣▸≤≦→←✓✕🃏🟩🟨🟥]|^- ", re.MULTILINE)
CARDS = re.compile(
    r"\b(?:ace|king|queen|jack|ten|nine|eight|seven) of (?:spades|hearts|diamonds|clubs)\b|の(?:エース|キング|[2-9]|10)"
)


def texts(part: Json | list[Json] | str) -> Iterator[str]:
    """Yield all texts in a page's messages, except cards and identifiers."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, list):
        for one in part:
            yield from texts(one)
    elif isinstance(part, dict):
        for name, one in part.items():
            if name not in ("rows", "held", "latest", "discards", "cards", "turn", "letters", "type", "id"):
                yield from texts(one)


@pytest.mark.parametrize("locale", ["en-US", "ja"])
async def test_what_is_read_on_the_page_has_no_signs(world: World, pages: Pages, locale: str) -> None:
    key = await played(world, ANN, BOB)
    await world.play.change_member_settings(
        GUILD, ANN, lambda member_settings: replace(member_settings, text_only=True, deck=DeckColours.WORDS)
    )
    async with kept(pages, ANN, locale=locale) as page, kept(pages, BOB, locale=locale) as other:
        shown = [*texts(page.view)]
        assert page.view["result"]["pairs"]
        for what in ("rules", "past"):
            found, _ = await page.say(type="read", id="look-at-it", what=what, table=key.table, hand=1)
            told = [*texts(found)]
            assert sum(map(len, told)) > 300, what
            shown += told
            seen, _ = await other.say(type="read", id="look-at-it", what=what, table=key.table, hand=1)
            if what == "rules":
                assert any(SIGNS.search(text) for text in texts(seen)), "others read signs"
        assert [text for text in shown if SIGNS.search(text)] == []
        assert any(CARDS.search(text) for text in shown)
