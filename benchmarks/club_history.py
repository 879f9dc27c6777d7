"""The history of a club with very many hands, created by the real settlement use cases in a folder.

A few sittings are played by use cases with their own decks, with cards placed as after a timeout. They're then replayed
by other players at other tables. Use cases open and join each table, settle its hands and close it, with chips,
results, totals and ratings, and the log is copied. The steps between the deal and the end of a hand are skipped. Hands
follow at one-minute intervals, so a million hands take 694 days. An existing history is extended to the required size.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from bot.model.bank import SeasonTerms
from bot.model.clock import Clock, Pace
from bot.model.hands import HandRecord, HandState, SharedDeal
from bot.model.ids import GuildId, Player
from bot.model.tables import Table, TableState, Terms
from bot.play.bank import seasons
from bot.play.hand import acting, dealing, drafts, hand_log, settling
from bot.play.hand.dealing import SharedDeck
from bot.play.session.policy import Policy
from bot.play.session.session import Session
from bot.play.table import lobby
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.deck import commitment
from bot.pure.ofc.hand import Hand
from bot.pure.ofc.log import Fact, HandStarted
from bot.pure.ofc.presets import PRESETS
from bot.run.wiring import Core, build_core
from bot.store.opening import open_database
from bot.store.storage import Database, SqlStorage
from bot.store.vault import SeedVault
from tests.databases import place_in

GUILD = GuildId(1)
MANAGER = Player("1")
BEGAN_AT = 1_700_000_000_000
HAND_MS = 60_000
SITTINGS, SITTING_HANDS = 24, 40
"""Number of sittings played, and hands per sitting."""
HANDS_PER_PLAYER = 167
"""Hands per player. A million hands belong to 6,000 players. A few play very often, and most only now and then."""
GAMES = ("pineapple", "pineapple", "pineapple", "progressive", "classic", "joker_pineapple")
POINT_VALUE, BUY_IN = 10, 1_000_000
AT_ONCE = 10
"""Sittings per transaction."""
POLICY = Policy(start_chips=1_000_000_000, tables_per_player=10**9, lobbies_per_player=10**9)


@dataclass(slots=True)
class Sitting:
    """A sitting as it was first played."""

    number: int
    ends: list[tuple[list[Fact], Hand]] = field(default_factory=list)
    """The log of each hand, and its final state."""

    @property
    def game(self) -> str:
        """Key of the preset."""
        return GAMES[self.number % len(GAMES)]

    @property
    def seats(self) -> int:
        """Number of players."""
        return 2 + self.number // len(GAMES) % 2

    def deck(self, hand_no: int) -> SharedDeck:
        """Return the deck of a hand as one shared by several tables."""
        name = f"bench:{self.number}:{hand_no}"
        deal = SharedDeal(name=name, entropy=())
        return SharedDeck(deal=deal, seed=hashlib.sha256(name.encode()).digest())


class Club:
    """A growing club in a folder."""

    def __init__(self, folder: Path, database: Database[object]) -> None:
        self._database = database
        self.now_ms = BEGAN_AT
        vault = SeedVault.open(folder / "chaipo.key")
        self.core: Core = build_core(SqlStorage(database), vault, policy=POLICY, now_ms=lambda: self.now_ms)
        self._sittings = [Sitting(number) for number in range(SITTINGS)]

    @classmethod
    async def open(cls, folder: Path) -> Club:
        """Open the club in ``folder``, which is empty if it's new."""
        return cls(folder, await open_database(place_in(folder)))

    async def close(self) -> None:
        """Close the database."""
        await self._database.close()

    async def grow(self, want: int, told: Callable[[str], None]) -> int:
        """Play until there are at least ``want`` hands, and return the number of hands."""
        have = await self._hands()
        self.now_ms = BEGAN_AT + have * HAND_MS
        if not have:
            await self.core.transactions.write(_begin_seasons)
        begun, before, told_at = time.monotonic(), have, time.monotonic()
        while have < want:
            batch = [self._company(have + number * SITTING_HANDS, want) for number in range(AT_ONCE)]
            await self.core.transactions.write(partial(self._sit_all, batch))
            have += AT_ONCE * SITTING_HANDS
            self.now_ms = BEGAN_AT + have * HAND_MS
            if time.monotonic() - told_at > 60:
                told_at = time.monotonic()
                told(f"{have:,} hands, {(told_at - begun) / (have - before) * 1000:.1f} ms each")
        return have

    async def _hands(self) -> int:
        page = await self.core.transactions.read(lambda s: s.tx.tables.next_number(GUILD) - 1)
        return page * SITTING_HANDS

    def _company(self, first: int, want: int) -> tuple[Sitting, list[Player], int]:
        """Return the sitting to replay, its players, and the number of its first hand."""
        chance = random.Random(first)
        sitting = self._sittings[first // SITTING_HANDS % SITTINGS]
        everybody = max(10, want // HANDS_PER_PLAYER)
        people: list[Player] = []
        while len(people) < sitting.seats:
            player = Player(str(1 + int(everybody * chance.random() ** 2)))
            if player not in people:
                people.append(player)
        return sitting, people, first

    def _sit_all(self, batch: Sequence[tuple[Sitting, list[Player], int]], s: Session) -> None:
        for sitting, people, first in batch:
            self._sit(s, sitting, people, first)

    def _sit(self, s: Session, sitting: Sitting, people: list[Player], first: int) -> None:
        """Play one sitting with ``people``."""
        s.now = BEGAN_AT + first * HAND_MS
        seasons.roll_over(s, lambda guild: True)
        table = _seated(s, sitting, people)
        for number in range(SITTING_HANDS):
            s.now += HAND_MS
            deck = sitting.deck(number)
            if len(sitting.ends) > number:
                table = _settled(s, table, people, deck, sitting.ends[number])
            else:
                table, end = _played(s, dealing.deal(s, table, shared=deck))
                sitting.ends.append(end)
        table = lobby.close(s, table, reason="empty")
        for posting in s.tx.outbox.postings(table.key, limit=2 * SITTING_HANDS):
            s.tx.outbox.posted(posting.number)
        s.tx.tables.note_drawn(
            table.key, version=table.version, hand_no=table.hand_no, message=None, call=None, called=""
        )


def _begin_seasons(s: Session) -> None:
    s.tx.seasons.save_terms(GUILD, SeasonTerms(monthly=True))
    seasons.start(s, GUILD, MANAGER, "", cause="begin")


def _seated(s: Session, sitting: Sitting, people: list[Player]) -> Table:
    """Open a table with ``people``."""
    offer = TableOffer(
        guild=GUILD,
        channel=1,
        host=people[0],
        language="en",
        terms=Terms(
            variant=PRESETS[sitting.game],
            point_value=POINT_VALUE,
            buy_in=BUY_IN,
            max_seats=len(people),
            clock=Clock(pace=Pace.LIVE, seconds=60),
        ),
    )
    cause = f"{s.now}"
    table = lobby.open_table(s, offer, cause=cause)
    for player in people[1:]:
        table = lobby.join(s, table.key, player, cause=f"{cause}:{player}")
    return table


def _settled(s: Session, table: Table, people: list[Player], deck: SharedDeck, end: tuple[list[Fact], Hand]) -> Table:
    """Settle a replay of a hand with other players."""
    (begun, *facts), hand = end
    assert isinstance(begun, HandStarted)
    table = replace(table, state=TableState.PLAYING, hand_no=table.hand_no + 1)
    s.tx.hands.save(table.key, _record(s, table, people, deck))
    told = [replace(begun, players=tuple(people)), *facts]
    s.tx.hands.append(table.key, told, hand_no=table.hand_no, actor=None, cause=None, at=s.now)
    seats = tuple(replace(seat, player=player) for seat, player in zip(hand.seats, people, strict=True))
    return settling.settle_hand(s, table, replace(hand, seats=seats))


def _record(s: Session, table: Table, people: list[Player], deck: SharedDeck) -> HandRecord:
    record = HandRecord(
        hand_no=table.hand_no,
        variant=table.terms.variant,
        state=HandState.PLAYING,
        commitment=commitment(hand_id=deck.deal.name, seed=deck.seed),
        sealed_seed=b"",
        entropy=tuple((player, "") for player in people),
        point_value=table.terms.point_value,
        started_at=s.now,
        shared=deck.deal,
    )
    return replace(record, sealed_seed=s.vault.seal(deck.seed, hand_id=record.id_at(table.key)))


def _played(s: Session, table: Table) -> tuple[Table, tuple[list[Fact], Hand]]:
    """Play a hand with every card placed as after a timeout."""
    while table.state is TableState.PLAYING:
        hand = hand_log.hand_of(s, table.key, table.hand_no)
        player = Player(hand.seats[(*hand.waiting, *hand.setting)[0]].player)
        rows = drafts.automatic_rows(hand, player)
        table = acting.place_cards(
            s, table.key, player, hand_no=table.hand_no, street=hand.street, rows=rows, cause=None
        )
    return table, (list(s.tx.hands.facts(table.key, table.hand_no)), hand_log.hand_of(s, table.key, table.hand_no))
