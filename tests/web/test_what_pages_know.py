"""No page is ever sent a card that its reader may not know: whole evenings of every game, through all eyes at once.

What somebody may know is worked out here from the hidden hand, by the rules of docs/tables.md and not by views.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest

from bot.model.ids import Player, TableKey
from bot.ofc.cards import BOARD_CARDS, card_name
from bot.ofc.hand import Hand, HandStatus
from bot.ofc.presets import PRESETS
from bot.ofc.variants import Variant
from bot.web.pages import Pages
from tests.play.world import ANN, BOB, CLEO, DAN, EVE, World
from tests.web.open_pages import Json, Kept, kept

SEATED = (ANN, BOB, CLEO, DAN)
CODE = re.compile(r"(?:[2-9TJQKA][cdhs]|X[12])")
SPOKEN = re.compile(r"(10|[2-9JQKA])([♣♦♥♠])")
SUITS = dict(zip("♣♦♥♠", "cdhs", strict=True))
GAMES = [pytest.param(game, id=game.key) for game in PRESETS.values()]


def texts(part: Any) -> Iterator[str]:
    """Every text in a message."""
    if isinstance(part, dict):
        for value in part.values():
            yield from texts(value)
    elif isinstance(part, list):
        for value in part:
            yield from texts(value)
    elif isinstance(part, str):
        yield part


def cards_in(message: Json) -> set[str]:
    """The cards that a message names, in its fields and in its sentences. The names of all cards are no such."""
    found = set()
    for text in texts(message) if message["type"] != "words" else ():
        if CODE.fullmatch(text):
            found.add(text)
        found |= {rank.replace("10", "T") + SUITS[suit] for rank, suit in SPOKEN.findall(text)}
        if "🃏" in text:
            found |= {"X1", "X2"}
    return found


def may_know(hand: Hand, player: Player) -> set[str]:
    """The cards of a hand that somebody may know now."""
    sits = next((number for number, seat in enumerate(hand.seats) if seat.player == player), None)
    over = hand.status is HandStatus.ENDED
    setting = [seat for seat in hand.seats if seat.fantasyland and seat.setting is None]
    # Whoever has still to set a Fantasyland unseen and unseeing sees no board; nor do those who only watch.
    blind = hand.conceals and not over and (sits is None or hand.seats[sits] in setting)
    known: set[int] = set()
    for number, seat in enumerate(hand.seats):
        if number == sits:
            known |= {*seat.held, *seat.discards, *(card for row in seat.rows for card in row)}
        elif over:
            known |= {card for row in seat.rows for card in row}
            known |= {*seat.discards} if hand.variant.open_discards else set()
        elif not blind:
            known |= {card for row, shown in zip(seat.rows, seat.shown, strict=True) for card in row[:shown]}
            if not seat.fantasyland and hand.street and hand.variant.dealt_in_turn(hand.street):
                known |= {*seat.held}
            if hand.variant.open_discards and not seat.fantasyland:
                placed_unseen = sum(map(len, seat.rows)) - sum(seat.shown)
                known |= {*(seat.discards[: -hand.rule.discard or None] if placed_unseen else seat.discards)}
    return {card_name(card) for card in known}  # type: ignore[arg-type]


class Evening:
    """A table, a page of everybody there and of a stranger, and all that they were shown."""

    def __init__(self, world: World, key: TableKey, readers: dict[Player, Kept]) -> None:
        self.world, self.key, self.readers = world, key, readers
        self.read: dict[Player, int] = defaultdict(int)
        self.seen: dict[Player, set[str]] = defaultdict(set)
        self.others: dict[Player, set[str]] = defaultdict(set)

    async def check(self) -> None:
        """Let everybody look, and look at all that they were sent."""
        hand = (await self.world.sessions.seen(self.key)).hand
        for player, page in self.readers.items():
            await page.look()
            allowed = may_know(hand, player) if hand else set()
            for message in page.came[self.read[player] :]:
                shown = cards_in(message)
                assert shown <= allowed, f"{player} is sent {sorted(shown - allowed)}: {message}"
                self.seen[player] |= shown
            self.read[player] = len(page.came)
            for seat in page.view["seats"]:
                if not seat["you"]:
                    self.others[player] |= {code for row in seat["rows"] for code in row if code != "?"}

    async def play(self) -> None:
        """The running hand to its end, each placement drafted and confirmed on a page."""
        while (view := await self.world.play.look(self.key)).waiting:
            player = view.waiting[0]
            page = self.readers[player]
            letters = await self.world.letters(self.key, player)
            assert (await page.draft(letters))["type"] == "drafted"
            await self.check()
            answer = await page.ask("confirm", letters)
            assert answer["outcome"] == "done", answer
            await self.check()


async def evening(world: World, pages: Pages, game: Variant) -> None:
    seated = SEATED[: max(game.min_seats, min(3, game.max_seats))]
    key = await world.table(*seated, variant=game)
    async with AsyncExitStack() as opened:
        readers = {player: await opened.enter_async_context(kept(pages, player)) for player in (*seated, EVE)}
        table = Evening(world, key, readers)
        await world.start(key)
        await table.check()
        await table.play()
        if game.fantasyland:
            await world.sessions.write(
                lambda s: s.tx.save_seat(
                    key, replace(s.tx.seats(key)[0], fantasyland=game.fantasyland.numbers[0] if game.fantasyland else 0)
                )
            )
        await world.next_hand(key)
        await table.check()
        await table.play()
    for player in seated:
        own = (await world.play.look(key, player)).hand
        assert own is not None
        assert own.mine is not None
        placed = {card_name(card) for row in own.mine.rows for card in row if card is not None}
        # It has looked at cards: one's own, and in the end everybody else's.
        assert placed <= table.seen[player]
        assert len(table.others[player]) >= BOARD_CARDS
    assert not table.seen[EVE], "a stranger has no page of this table"


@pytest.mark.parametrize("game", GAMES)
async def test_nobody_is_sent_a_card_that_they_may_not_know(world: World, pages: Pages, game: Variant) -> None:
    await evening(world, pages, game)
