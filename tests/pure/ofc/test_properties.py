"""Invariants of every hand: whole games are played at random and checked after every action."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.ofc.cards import BOARD_CARDS, Card
from bot.pure.ofc.hand import Action, Hand, HandStatus, PlaceCards, Surrender, Void, decide
from bot.pure.ofc.log import (
    CardsPlaced,
    Fact,
    FantasylandDealt,
    FantasylandSet,
    HandEnded,
    HandStarted,
    HandVoided,
    SeatForfeited,
    SeatSurrendered,
    StreetDealt,
    from_json,
    kind_of,
    to_json,
)
from bot.pure.ofc.placement import OPEN
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import TurnOrder, Variant
from bot.pure.ofc.view import view_for
from tests.pure.ofc.games import VARIANTS, Marked, Played, any_act, any_hand, any_variant, replay

SEEDS = st.integers(0, (1 << 32) - 1)
ANY_VARIANT = any_variant()
AT_ONCE = st.sampled_from([variant for variant in VARIANTS if variant.at_once])


@dataclass(slots=True)
class Known:
    """Known places of the deck, computed from the facts only, as a dealer would by hand."""

    public: set[int]
    """Face-up places."""
    own: dict[int, set[int]]
    """Seat to the places of all cards that it was dealt."""
    unset: set[int]
    """Seats that still have to set a blind Fantasyland. They see other boards afterwards."""

    def seen_by(self, seat: int | None) -> set[int]:
        """Return the places known to a seat, or to a spectator."""
        own = self.own[seat] if seat is not None else set()
        blind = self.unset and (seat is None or seat in self.unset)
        return own if blind else self.public | own


def known_places(variant: Variant, log: tuple[Fact, ...]) -> Known:
    """Follow the log to find the places dealt to each seat, and those face up now."""
    known = Known(public=set(), own=defaultdict(set), unset=set())
    dealt = 0
    last: dict[int, list[int]] = {}
    face_down: dict[int, set[int]] = defaultdict(set)
    out: set[int] = set()
    fantasyland: set[int] = set()
    clockwise: list[int] = []
    cards_of: tuple[int, ...] = ()

    def deal(seat: int, count: int) -> None:
        nonlocal dealt
        last[seat] = list(range(dealt, dealt + count))
        known.own[seat] |= set(last[seat])
        dealt += count

    def draw(street: int) -> None:
        """The next in turn gets their cards face up, where the street is dealt so."""
        waits = [seat for seat in clockwise if seat not in placed and seat not in out and seat not in fantasyland]
        if street and variant.dealt_in_turn(street) and waits and waits[0] not in drawn:
            drawn.add(waits[0])
            deal(waits[0], variant.streets[street - 1].deal)
            known.public |= set(last[waits[0]])

    def turn_up_if_complete() -> None:
        if not any(seat not in placed and seat not in out and seat not in fantasyland for seat in clockwise):
            for seat in set(face_down) - fantasyland:
                known.public |= face_down.pop(seat)

    placed: set[int] = set()
    drawn: set[int] = set()
    for fact in log:
        match fact:
            case HandStarted():
                count = len(fact.players)
                clockwise = [(fact.button + step) % count for step in range(1, count + 1)]
                cards_of = fact.fantasyland
                fantasyland = {seat for seat in clockwise if cards_of[seat]}
                if variant.fantasyland and variant.fantasyland.own_clock:
                    known.unset = set(fantasyland)
            case FantasylandDealt():
                for seat in clockwise:
                    if cards_of[seat]:
                        deal(seat, cards_of[seat])
            case StreetDealt():
                placed, drawn = set(), set()
                draw(fact.street)
                for seat in clockwise:
                    if not cards_of[seat] and not variant.dealt_in_turn(fact.street):
                        deal(seat, variant.streets[fact.street - 1].deal)
            case CardsPlaced():
                placed.add(fact.seat)
                up = {
                    place
                    for place, letter in zip(last[fact.seat], fact.rows, strict=True)
                    if letter != "D" or variant.open_discards
                }
                # Thirteen cards are set unseen in any order of turns.
                first_unseen = variant.order is TurnOrder.FIRST_TOGETHER or len(fact.rows) == BOARD_CARDS
                together = variant.order is TurnOrder.ALL_TOGETHER or (fact.street == 1 and first_unseen)
                if together:
                    face_down[fact.seat] |= up
                    turn_up_if_complete()
                else:
                    known.public |= up
                    draw(fact.street)
            case FantasylandSet():
                known.unset.discard(fact.seat)
                face_down[fact.seat] = {
                    place
                    for place, letter in zip(last[fact.seat], fact.rows, strict=True)
                    if letter != "D" or variant.open_discards
                }
            case SeatForfeited() | SeatSurrendered():
                out.add(fact.seat)
                turn_up_if_complete()
            case HandEnded():
                for places in face_down.values():
                    known.public |= places
            case HandVoided():
                known.unset = set()
    return known


def cards_in(value: object) -> Iterator[Marked]:
    """Every marked card that can be reached from a value."""
    if isinstance(value, Marked):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from cards_in(getattr(value, field.name))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from cards_in(key)
            yield from cards_in(item)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from cards_in(item)


def places_of(value: object) -> list[int]:
    """The places in the deck of every card that can be reached from a value."""
    return [card.place for card in cards_in(value)]


def history(variant: Variant, seed: int) -> list[Played]:
    """All states of a hand at random."""
    return list(any_hand(variant, Random(seed)))


@given(variant=ANY_VARIANT, seed=SEEDS)
def test_no_view_holds_a_card_that_its_eyes_may_not_know(variant: Variant, seed: int) -> None:
    for played in history(variant, seed):
        known = known_places(variant, played.log)
        for player in (None, "stranger"):
            assert set(places_of(view_for(played.hand, player))) <= known.seen_by(None)
        for number, seat in enumerate(played.hand.seats):
            assert set(places_of(view_for(played.hand, seat.player))) <= known.seen_by(number)


@given(variant=ANY_VARIANT, seed=SEEDS)
def test_no_view_tells_a_row_before_the_cards_in_it_are_turned_up(variant: Variant, seed: int) -> None:
    for played in history(variant, seed):
        for number, seat in enumerate(played.hand.seats):
            for player in (None, *(other.player for other in played.hand.seats if other is not seat)):
                rows = view_for(played.hand, player).seats[number].rows
                face_down = any(card is None for row in rows for card in row)
                # The sizes of the rows of a whole board are public. Other boards fill up from the back.
                count = sum(map(len, rows))
                filled = [max(0, count - 10), max(0, min(5, count - 5)), min(5, count)]
                assert not face_down or list(map(len, rows)) == filled
                assert not face_down or count == BOARD_CARDS or view_for(played.hand, player).conceals


@given(variant=ANY_VARIANT, seed=SEEDS)
def test_every_view_holds_all_that_its_eyes_may_know(variant: Variant, seed: int) -> None:
    for played in history(variant, seed):
        known = known_places(variant, played.log)
        assert set(places_of(view_for(played.hand, None))) == known.seen_by(None)
        for number, seat in enumerate(played.hand.seats):
            assert known.own[number] <= set(places_of(view_for(played.hand, seat.player)))


@given(variant=ANY_VARIANT.filter(lambda variant: not variant.open_discards), seed=SEEDS)
def test_discards_are_for_ever_hidden_from_everybody_else(variant: Variant, seed: int) -> None:
    for played in history(variant, seed):
        for seat in played.hand.seats:
            discards = set(places_of(seat.discards))
            for player in (None, *(other.player for other in played.hand.seats if other is not seat)):
                seen = {place for other in view_for(played.hand, player).seats for place in places_of(other)}
                # A Fantasyland that is set again may place a former discard.
                assert not seen & discards


@given(variant=AT_ONCE, seed=SEEDS)
def test_naturals_and_surrenders_are_known_to_nobody_else_before_the_end(variant: Variant, seed: int) -> None:
    for played in history(variant, seed):
        turned_up = played.hand.status is HandStatus.ENDED
        for number, seat in enumerate(played.hand.seats):
            for player in (None, *(other.player for other in played.hand.seats if other is not seat)):
                seen = view_for(played.hand, player).seats[number]
                told = (seat.natural, seat.surrendered) if turned_up else (None, False)
                assert (seen.natural, seen.surrendered) == told
                assert turned_up or not seat.surrendered or (seen.placed and not seen.held and not seen.waiting)


@given(variant=AT_ONCE, seed=SEEDS)
def test_a_board_that_is_set_at_once_is_seen_by_nobody_else_before_the_end(variant: Variant, seed: int) -> None:
    for played in history(variant, seed):
        if played.hand.status is not HandStatus.ENDED and not any(seat.forfeited for seat in played.hand.seats):
            for seat in played.hand.seats:
                others = [other for other in view_for(played.hand, seat.player).seats if other.player != seat.player]
                assert places_of(others) == []


@given(variant=ANY_VARIANT, seed=SEEDS)
def test_boards_hands_discards_and_stub_are_the_deck(variant: Variant, seed: int) -> None:
    for played in history(variant, seed):
        hand = played.hand
        places = list(range(hand.dealt, len(hand.deck)))
        for seat in hand.seats:
            on_table = places_of(seat.rows) + places_of(seat.discards)
            if seat.held and seat.setting is not None:
                # A set Fantasyland stays in hand until the end, so its cards are listed twice.
                assert sorted(on_table) == sorted(places_of(seat.held))
                on_table = []
            places += on_table + places_of(seat.held)
        assert Counter(places) == Counter(range(len(hand.deck)))


@given(variant=ANY_VARIANT, seed=SEEDS)
def test_the_log_through_json_makes_the_same_hand(variant: Variant, seed: int) -> None:
    for played in history(variant, seed):
        stored = json.loads(json.dumps([[kind_of(fact), to_json(fact)] for fact in played.log]))
        again = replay(variant, played.hand.deck, [from_json(kind, payload) for kind, payload in stored])
        assert again == played.hand


@given(variant=ANY_VARIANT, seed=SEEDS)
def test_no_event_holds_a_card(variant: Variant, seed: int) -> None:
    log = history(variant, seed)[-1].log
    assert places_of(log) == []


@given(variant=ANY_VARIANT, seed=SEEDS)
def test_5_the_points_of_every_hand_sum_to_zero(variant: Variant, seed: int) -> None:
    hand = history(variant, seed)[-1].hand
    if hand.status is HandStatus.VOIDED:
        return
    score = hand.score
    assert sum(score.points) == 0
    for seat, scored in zip(hand.seats, score.boards, strict=True):
        assert seat.forfeited or seat.surrendered or [len(row) for row in seat.rows] == [3, 5, 5]
        # Each stay or entry belongs to a legal board.
        assert not (scored.foul and scored.next_fantasyland)
        assert not (scored.foul and scored.royalties)


def wrong_actions(hand: Hand, chance: Random) -> list[Action]:
    """Actions that the rules may or may not allow: the wrong seat, the wrong letters, too late."""
    seat = chance.randrange(len(hand.seats))
    letters = "".join(chance.choice("FMBD" + OPEN + "x") for _ in range(chance.choice([0, 1, 3, 5, 13, 14, 17])))
    return [
        PlaceCards(seat=seat, rows=letters),
        PlaceCards(seat=seat, rows="B" * len(hand.seats[seat].held)),
        PlaceCards(seat=seat, rows="F" * len(hand.seats[seat].held)),
        PlaceCards(seat=seat, rows="FFFMMMMMBBBBB", declare=True),
        Surrender(seat=seat),
        Void(reason="why"),
    ]


@given(variant=ANY_VARIANT, seed=SEEDS)
def test_a_refused_action_leaves_the_hand_as_it_was(variant: Variant, seed: int) -> None:
    chance = Random(seed + 1)
    refused = 0
    for played in history(variant, seed):
        before = replay(variant, played.hand.deck, played.log)
        for action in wrong_actions(played.hand, chance):
            try:
                decide(played.hand, action)
            except Refused:
                refused += 1
            assert played.hand == before
    assert refused


@given(variant=ANY_VARIANT, seed=SEEDS)
def test_only_seats_that_the_hand_waits_for_may_place(variant: Variant, seed: int) -> None:
    chance = Random(seed + 1)
    for played in history(variant, seed):
        hand = played.hand
        for number, seat in enumerate(hand.seats):
            if number in hand.waiting:
                assert decide(hand, any_act(hand, number, chance))
            elif (
                hand.status is not HandStatus.PLAYING
                or not seat.fantasyland
                or seat.forfeited
                or played.hand.variant.own_clock
            ):
                with pytest.raises(Refused):
                    decide(hand, PlaceCards(seat=number, rows="B" * len(seat.held)))


@given(variant=ANY_VARIANT, seed=SEEDS)
def test_a_hand_that_is_played_always_waits_for_somebody(variant: Variant, seed: int) -> None:
    for played in history(variant, seed):
        assert bool(played.hand.waiting) is (played.hand.status is HandStatus.PLAYING)


def test_the_cards_of_a_random_hand_are_marked() -> None:
    deck = history(VARIANTS[0], 1)[-1].hand.deck
    assert places_of(deck) == list(range(52))
    assert sorted(deck) == list(map(Card, range(52)))
