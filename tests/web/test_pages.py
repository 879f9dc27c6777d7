"""A table on the page: what is shown, what is asked for, and panels beside it."""

from __future__ import annotations

from tests.discord.club import Club, plain_letters
from tests.web.open_pages import Open


async def test_a_street_is_placed_on_the_page(club: Club, pages: Open) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    async with pages.eyes(club, name) as sight:
        letters = plain_letters(await club.look(1, name))
        assert sight.view["mine"]["cards"]
        told = await sight.draft(letters)
        print(told)
        print(sight.view)
        answer = await sight.ask("confirm", letters)
        print(answer)
        print(sight.view)
        assert answer["outcome"] == "done"
        assert sight.view["mine"] is None
        assert 0
