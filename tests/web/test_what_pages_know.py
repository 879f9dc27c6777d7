"""No page ever receives a card that its reader mustn't know, tested with whole evenings of every game.

The permitted cards are computed here from the hidden hand by the rules in docs/how-to/fair-cards.md, without the views.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.model.ids import Player, TableKey
from bot.pure.ofc.cards import BOARD_CARDS, card_name, full_deck, parse_card
from bot.pure.ofc.hand import Hand, HandStatus
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import unseen, view_for
from bot.web.pages import Pages
from bot.web.tokens import PageReader
from tests.play.test_family import FEW
from tests.play.world import ANN, BOB, CLEO, DAN, EVE, GUILD, World
from tests.web.open_pages import Json, Kept, kept

SEATED = (ANN, BOB, CLEO, DAN)
CODE = re.compile(r"(?:[2-9TJQKA][cdhs]|X[12])")
SPOKEN = re.compile(r"(10|[2-9JQKA])([♣♦♥♠])")
SUITS = dict(zip("♣♦♥♠", "cdhs", strict=True))
SHOWN = (*FEW, "ultimate")
"""Games that together show every kind of information. ``tests/pure/ofc`` checks the views of all games."""
GAMES = [pytest.param(game, id=key, marks=() if key in SHOWN else pytest.mark.deep) for key, game in PRESETS.items()]


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


def left_in(view: Json) -> list[str]:
    """Return the cards that a page counts as unseen: the deck without its reader's cards and all that lie face up."""
    rules = view["row_rules"]
    left = Counter(map(card_name, full_deck(decks=rules["decks"], jokers=rules["jokers"])))
    for seat in view["seats"]:
        left -= Counter([*(code for row in seat["rows"] for code in row), *seat["held"], *seat["discards"]])
    left -= Counter(view["mine"]["cards"])
    return [card_name(card) for card in sorted(map(parse_card, left.elements()))]


def results_in(part: Any) -> Iterator[Json]:
    """Every result in a message."""
    if isinstance(part, dict):
        if "duel" in part:
            yield part
        for value in part.values():
            yield from results_in(value)
    elif isinstance(part, list):
        for value in part:
            yield from results_in(value)


def may_know(hand: Hand, player: Player) -> set[str]:
    """Return the cards of a hand that ``player`` may know now."""
    sits = next((number for number, seat in enumerate(hand.seats) if seat.player == player), None)
    over = hand.status is HandStatus.ENDED
    setting = [seat for seat in hand.seats if seat.fantasyland and seat.setting is None]
    # A player setting a blind Fantasyland sees no board, and neither do spectators.
    blind = hand.variant.own_clock and bool(setting) and not over and (sits is None or hand.seats[sits] in setting)
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


OVER = 99
"""Progress of a hand that has ended, after all streets."""
STREAM = Player("stream")
"""The public view of a stream, delayed by one street, on a page that a player has opened."""
NEW_STREAM = Player("new stream")
"""A stream that has just opened, whenever something happened."""
BESIDE = Player("beside")
"""A reader who watches another table, and sees this one small next to it."""


class Evening:
    """A table with pages of all players, spectators and a stream, and everything that they were shown."""

    def __init__(self, world: World, pages: Pages, key: TableKey, readers: dict[Player, Kept]) -> None:
        self.world, self.pages, self.key, self.readers = world, pages, key, readers
        self.read: dict[Player, int] = defaultdict(int)
        self.seen: dict[Player, set[str]] = defaultdict(set)
        self.others: dict[Player, set[str]] = defaultdict(set)
        self.over: set[int] = set()
        """Hands that have ended."""
        self.scored: dict[Player, set[int]] = defaultdict(set)
        """Hands whose score a reader was sent."""
        self.stages: list[tuple[int, int, set[str]]] = []
        """The hand's progress, and the public cards when it got there."""

    async def check(self) -> None:
        """Refresh all pages, and check everything that they received."""
        hand = (await self.world.sessions.seen(self.key)).hand
        hand_no = (await self.world.play.look(self.key)).table.hand_no
        late = self._known_late(hand, hand_no) if hand else set()
        self.over = set(range(1, hand_no + (hand is not None and hand.status is HandStatus.ENDED)))
        await self._check_a_new_stream(late)
        for player, page in self.readers.items():
            await page.look()
            self._read(player, page, late if player is STREAM else may_know(hand, player) if hand else set())
            if hand and page.view["mine"]:
                assert left_in(page.view) == [card_name(card) for card in unseen(view_for(hand, player))]
            for seat in page.view["seats"]:
                if not seat["you"]:
                    self.others[player] |= {code for row in seat["rows"] for code in row if code != "?"}

    def _read(self, player: Player, page: Kept, allowed: set[str]) -> None:
        for message in page.came[self.read[player] :]:
            shown = cards_in(message)
            assert shown <= allowed, f"{player} is sent {sorted(shown - allowed)}: {message}"
            self.seen[player] |= shown
            for result in results_in(message):
                over = {number for number, street, _ in self.stages[:-1] if street == OVER}
                assert result["hand"] in (over if player in (STREAM, NEW_STREAM) else self.over), (
                    f"{player} is sent a score early"
                )
                assert result["duel"] is not None
                self.scored[player].add(result["hand"])
        self.read[player] = len(page.came)

    async def _check_a_new_stream(self, allowed: set[str]) -> None:
        """Open another stream now, and check that it's sent no more than the one that was there all along."""
        async with streamed(self.pages, self.key, EVE) as page:
            await page.look()
        self.read[NEW_STREAM] = 0
        self._read(NEW_STREAM, page, allowed)

    def _known_late(self, hand: Hand, hand_no: int) -> set[str]:
        """Return the cards that a stream may show: those that were public when the previous street began."""
        street = OVER if hand.status is HandStatus.ENDED else hand.street
        if not self.stages or self.stages[-1][:2] != (hand_no, street):
            self.stages.append((hand_no, street, may_know(hand, STREAM)))
        return set[str]().union(*(known for *_, known in self.stages[:-1]))

    async def play(self) -> None:
        """The running hand to its end, each placement drafted and confirmed on a page; then all look back at it."""
        while (view := await self.world.play.look(self.key)).waiting:
            player = view.waiting[0]
            page = self.readers[player]
            letters = await self.world.letters(self.key, player)
            await page.ask("say", turn="", phrase="thinking")
            assert (await page.draft(letters))["type"] == "drafted"
            await self.check()
            answer = await page.ask("confirm", letters)
            assert answer["outcome"] == "done", answer
            await self.check()
        hand = (await self.world.sessions.seen(self.key)).hand
        assert hand is not None
        for player, page in self.readers.items():
            came = await page.say(
                type="read", id="look-back", what="past", table=view.table.key.table, hand=view.table.hand_no
            )
            if player is STREAM:
                assert came == [], "a stream only shows"
                continue
            (past,) = [told["past"] for told in came if told["type"] == "found"]
            whole = [seat for seat in past["steps"][-1]["seats"] if sum(map(len, seat["rows"])) == BOARD_CARDS]
            assert len(whole) == len(hand.seats)
            self._read(player, page, may_know(hand, player))


@asynccontextmanager
async def streamed(pages: Pages, key: TableKey, player: Player) -> AsyncIterator[Kept]:
    """Open a page for a stream, requested by ``player``."""
    line = Kept(pages=pages)
    reader = PageReader(guild=GUILD, player=player, locale="en-US")
    async with pages.opened(reader, line, table=key.table, has="", overlay=True) as page:
        line.page = page
        yield line


async def evening(world: World, pages: Pages, game: Variant) -> None:
    seated = SEATED[: max(game.min_seats, min(3, game.max_seats))]
    pages.watching.seen_by_all = lambda channel: True
    key, other = await world.table(*seated, variant=game), await world.table(Player("7001"))
    async with AsyncExitStack() as opened:
        readers = {player: await opened.enter_async_context(kept(pages, player)) for player in (*seated, EVE)}
        readers[BESIDE] = await opened.enter_async_context(kept(pages, BESIDE, table=other.table))
        await readers[BESIDE].say(type="look", table=other.table, beside=True)
        readers[STREAM] = await opened.enter_async_context(streamed(pages, key, EVE))
        table = Evening(world, pages, key, readers)
        await world.start(key)
        await table.check()
        await table.play()
        if game.fantasyland:
            await world.sessions.write(
                lambda s: s.tx.tables.save_seat(
                    key,
                    replace(
                        s.tx.tables.seats(key)[0], fantasyland=game.fantasyland.numbers[0] if game.fantasyland else 0
                    ),
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
        # The page has seen cards: its own, and at the end those of all players.
        assert placed <= table.seen[player]
        assert len(table.others[player]) >= BOARD_CARDS
    assert all(table.scored[player] == {1, 2} for player in (*seated, EVE))
    assert table.scored[STREAM] == table.scored[NEW_STREAM] == {1}
    assert table.seen[NEW_STREAM] == table.seen[STREAM]
    heard = {player for player, page in readers.items() if any(told["type"] == "phrase" for told in page.came)}
    assert heard == {*seated, EVE}
    # The spectator has seen boards too, and the stream those of the first hand.
    assert len(table.others[EVE]) >= len(seated) * BOARD_CARDS // game.decks
    assert len(table.others[STREAM]) >= BOARD_CARDS
    assert len(table.seen[BESIDE]) >= BOARD_CARDS


@pytest.mark.parametrize("game", GAMES)
async def test_nobody_is_sent_a_card_that_they_may_not_know(world: World, pages: Pages, game: Variant) -> None:
    await evening(world, pages, game)


async def test_a_table_that_is_not_seen_by_all_has_no_page_for_a_stranger(world: World, pages: Pages) -> None:
    key = await world.started(ANN, BOB)
    async with kept(pages, EVE) as page:
        await world.play_hand(key)
        await page.look()
        await page.say(type="look", table=key.table)
        for what in ("past", "file"):
            await page.say(type="read", id="look-back", what=what, table=key.table, hand=1)
        assert not any(cards_in(message) for message in page.came)
