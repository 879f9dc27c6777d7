"""Games for the tests: house rules, boards in notation, and whole hands played at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from hypothesis import strategies as st

from bot.pure.ofc.cards import BOARD_CARDS, DISCARD, EMPTY, ROWS, Card, RowCards, cards_text, full_deck, parse_cards
from bot.pure.ofc.hand import Action, Hand, HandStatus, PlaceCards, Surrender, Void, audit, decide, evolve, start
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.log import Fact, HandEnded, LogError, PlacedBy, SeatForfeited, StreetDealt
from bot.pure.ofc.naturals import natural_of
from bot.pure.ofc.overrides import OVERRIDES, POINTS_OF_HANDS
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.presets import CHINESE, CLASSIC, FIRST_EDITION, PINEAPPLE, PRESETS, PROGRESSIVE, THIRTEEN
from bot.pure.ofc.ranks import Strength, row_strength
from bot.pure.ofc.scoring import Board, BoardScore, HandScore, score_hand
from bot.pure.ofc.variants import DealMode, TurnOrder, Variant, VariantError

FIRST_TOGETHER = replace(PINEAPPLE, key="first_together", order=TurnOrder.FIRST_TOGETHER)
ALL_TOGETHER = replace(PINEAPPLE, key="all_together", order=TurnOrder.ALL_TOGETHER)
CLASSIC_TOGETHER = replace(CLASSIC, key="classic_together", order=TurnOrder.ALL_TOGETHER)
OPEN_DISCARDS = replace(PINEAPPLE, key="open_discards", open_discards=True)
OPEN_TOGETHER = replace(ALL_TOGETHER, key="open_together", open_discards=True)
NO_FANTASYLAND = replace(PINEAPPLE, key="no_fantasyland", fantasyland=None)
STRICT = replace(CLASSIC, key="strict", strict_rows=True, fantasyland=None)
SURRENDER = replace(THIRTEEN, key="surrender", min_seats=2, surrender=2)
JOKER_THIRTEEN = replace(CHINESE, key="joker_thirteen", jokers=2, strict_rows=True, row_values=THIRTEEN.row_values)
DOUBLE_JOKER = replace(CLASSIC, key="double_joker", decks=2, jokers=2, joker_may_copy=False, double_ace_flush=True)
CLASSIC_DRAWN = replace(CLASSIC, key="classic_drawn", deal_mode=DealMode.TURN)
PINEAPPLE_DRAWN = replace(FIRST_TOGETHER, key="pineapple_drawn", deal_mode=DealMode.TURN, open_discards=True)
assert PROGRESSIVE.fantasyland
OWN_CLOCK = replace(PROGRESSIVE, key="own_clock", fantasyland=replace(PROGRESSIVE.fantasyland, own_clock=True))
DRAWN_OWN_CLOCK = replace(PINEAPPLE_DRAWN, key="drawn_own_clock", fantasyland=OWN_CLOCK.fantasyland)
TOGETHER_OWN_CLOCK = replace(ALL_TOGETHER, key="together_own_clock", fantasyland=OWN_CLOCK.fantasyland)
OPEN_THIRTEEN_ONCE = FIRST_EDITION["open_thirteen"]
VARIANTS = (
    *PRESETS.values(),
    *(FIRST_TOGETHER, ALL_TOGETHER, CLASSIC_TOGETHER, OPEN_DISCARDS, OPEN_TOGETHER, NO_FANTASYLAND, STRICT),
    *(SURRENDER, JOKER_THIRTEEN, DOUBLE_JOKER),
    *(CLASSIC_DRAWN, PINEAPPLE_DRAWN, OWN_CLOCK, DRAWN_OWN_CLOCK, TOGETHER_OWN_CLOCK, OPEN_THIRTEEN_ONCE),
)
"""Presets, and games with house rules."""


_SWITCH = ("on", "off")
HOUSE_VALUES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(OVERRIDES, ("0", "1", "2", "5", "40")),
    **dict.fromkeys(("joker_may_copy", "double_ace_flush", "strict_rows", "naturals", "fantasyland"), _SWITCH),
    "seats": ("2", "3", "4", "8"),
    "decks": ("1", "2"),
    "jokers": ("0", "1", "2"),
    "order": tuple(order.value for order in TurnOrder),
    "discards": ("open", "hidden"),
    "button": ("freeze", "rotate"),
    "fantasyland.entry": ("22", "JJ", "QQ", "AA", "trips"),
    "fantasyland.cards": ("13", "14", "14,15,16,17", "15,14,14,13"),
    "fantasyland.repeat": ("base", "same"),
    "fantasyland.stay_middle": ("none", "full_house", "four_of_a_kind"),
    "fantasyland.stay_back": ("four_of_a_kind", "straight_flush"),
    "fantasyland.wheel_stays": _SWITCH,
    "royalties": ("standard", "steeper_back"),
    "deal": ("street", "turn"),
    "fantasyland.clock": ("after_others", "own"),
    "results": ("pairs", "netted"),
}
"""Possible values of each override."""


@st.composite
def house_rules(draw: st.DrawFn) -> tuple[str, dict[str, str]]:
    """A preset and some overrides, possible together or not."""
    # Royalties of single hands outnumber all other overrides.
    royalty = st.sampled_from([key for key in OVERRIDES if key.startswith(POINTS_OF_HANDS)])
    other = st.sampled_from([key for key in OVERRIDES if not key.startswith(POINTS_OF_HANDS)])
    keys = draw(st.lists(other | other | royalty, max_size=5, unique=True))
    preset = draw(st.sampled_from(list(PRESETS)))
    return preset, {key: draw(st.sampled_from(HOUSE_VALUES[key])) for key in keys}


@st.composite
def houses(draw: st.DrawFn) -> Variant:
    """A game that a house can play."""
    preset, overrides = draw(house_rules())
    try:
        return house_variant(preset, overrides)
    except VariantError:
        return PRESETS[preset]


def any_variant() -> st.SearchStrategy[Variant]:
    """Return a strategy for any game: a preset, with or without house rules."""
    return st.sampled_from(VARIANTS) | houses()


def row(text: str) -> Strength:
    """The strength of a full row."""
    return row_strength(parse_cards(text))


def rows(text: str) -> RowCards:
    """The rows of a board, full or not: ``QsQd2c/5c5d/`` has an empty back."""
    front, middle, back = (parse_cards(part) for part in text.split("/"))
    return front, middle, back


def board(text: str) -> Board:
    """A complete board, ``@14`` in Fantasyland, ``!`` with a declared natural."""
    written, _, cards = text.removesuffix("!").partition("@")
    placed = rows(written)
    natural = natural_of([card for held in placed for card in held]) if text.endswith("!") else None
    return Board(rows=placed, fantasyland=int(cards or 0), natural=natural)


def score_board(variant: Variant, board: Board) -> BoardScore:
    """Score a single board."""
    return score_hand(variant, [board]).boards[0]


def replay(variant: Variant, deck: tuple[Card, ...], facts: Iterable[Fact]) -> Hand:
    """The hand that these facts make, whether or not they could follow from each other: ``audit`` judges them."""
    hand = Hand(variant=variant, deck=deck)
    for fact in facts:
        hand = evolve(hand, fact)
    return hand


def score(variant: Variant, *boards: str) -> HandScore:
    """The score of boards in notation."""
    return score_hand(variant, [board(text) for text in boards])


def text_of(cards: Sequence[Card | None]) -> str:
    """Cards in notation, those face down as ``--``."""
    return "".join("--" if card is None else cards_text([card]) for card in cards)


def any_boards(variant: Variant, chance: Random, *, players: int) -> list[Board]:
    """Boards of random cards of one deck, most of them legal, some in Fantasyland, some forfeited or surrendered."""
    deck = full_deck(decks=variant.decks, jokers=variant.jokers)
    cards = chance.sample(deck, players * BOARD_CARDS)
    return [
        any_board(variant, cards[start : start + BOARD_CARDS], chance) for start in range(0, len(cards), BOARD_CARDS)
    ]


def any_board(variant: Variant, cards: Sequence[Card], chance: Random) -> Board:
    """A board of these thirteen cards, legal if one comes up soon."""
    for _ in range(10):
        placed = any_rows(cards, chance)
        if not score_board(variant, Board(rows=placed)).foul:
            break
    sizes = variant.fantasyland.numbers if variant.fantasyland else ()
    natural = natural_of(cards, variant.naturals) if variant.naturals else None
    return Board(
        rows=placed,
        fantasyland=chance.choice([0, 0, *sizes]),
        forfeited=chance.random() < 0.05,
        natural=natural if chance.random() < 0.8 else None,
        surrendered=bool(variant.surrender) and chance.random() < 0.1,
    )


def any_rows(cards: Sequence[Card], chance: Random) -> RowCards:
    """Thirteen cards in rows, pairs mostly together and mostly further back."""
    ranks = Counter(card // 4 for card in cards)
    luck = {card // 4: chance.random() * 2.5 for card in cards}
    placed = sorted(cards, key=lambda card: (ranks[card // 4] + luck[card // 4], card, chance.random()))
    for _ in range(chance.choice([0, 0, 1, 2])):
        one, other = chance.randrange(BOARD_CARDS), chance.randrange(BOARD_CARDS)
        placed[one], placed[other] = placed[other], placed[one]
    return tuple(placed[:3]), tuple(placed[3:8]), tuple(placed[8:])


class Marked(int):
    """A card that remembers its place in the deck, so that it is known wherever it turns up."""

    place: int


def marked(deck: Sequence[Card]) -> tuple[Card, ...]:
    """The deck in cards that remember their places."""
    cards = [Marked(card) for card in deck]
    for place, card in enumerate(cards):
        card.place = place
    return tuple(Card(card) for card in cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit:
    """An old log's record of a forfeit, from when hands could be forfeited."""

    seat: int


def _forfeited(hand: Hand, seat: int, log: tuple[Fact, ...]) -> list[Fact]:
    """The events of one who gave up: of all that may follow, the first that leaves nothing to follow."""
    follow: list[list[Fact]] = [[], [StreetDealt(street=hand.street + 1)], [HandEnded()]]
    for after in follow:
        facts: list[Fact] = [SeatForfeited(seat=seat), *after]
        try:
            audit(hand.variant, hand.deck, [*log, *facts])
        except LogError:
            continue
        return facts
    raise AssertionError("nobody can give up here")


@dataclass(frozen=True, slots=True)
class Played:
    """A hand and all the events that made it."""

    hand: Hand
    log: tuple[Fact, ...]

    def then(self, *actions: Action | Forfeit) -> Played:
        """The hand after these actions; raises Refused."""
        played = self
        for action in actions:
            hand = played.hand
            facts = _forfeited(hand, action.seat, played.log) if isinstance(action, Forfeit) else decide(hand, action)
            for fact in facts:
                hand = evolve(hand, fact)
            played = Played(hand, played.log + tuple(facts))
        return played

    def place_cards(self, seat: int, letters: str) -> Played:
        """The hand after ``seat`` placed its cards."""
        return self.then(PlaceCards(seat=seat, rows=letters))


def opened(
    variant: Variant,
    *,
    seats: int = 2,
    fantasyland: Sequence[int] = (),
    button: int = 0,
    deck: tuple[Card, ...] | None = None,
    players: Sequence[str] = (),
) -> Played:
    """Return a hand just dealt to ``players``, by default ``p0``, ``p1`` and so on. The default deck is in canonical
    order."""
    deck = full_deck(decks=variant.decks, jokers=variant.jokers) if deck is None else deck
    players = players or [f"p{number}" for number in range(seats)]
    log = start(variant, deck, players=players, fantasyland=[*fantasyland] or [0] * len(players), button=button)
    return Played(replay(variant, deck, log), tuple(log))


def on_the_clock(played: Played) -> Played:
    """Play the hand to its end by automatic placement only."""
    while played.hand.waiting:
        number = played.hand.waiting[0]
        seat = played.hand.seats[number]
        on_board, to_place = (EMPTY, BOARD_CARDS) if seat.fantasyland else (seat.rows, played.hand.rule.to_place)
        letters = automatic_placement(on_board, seat.held, to_place=to_place)
        played = played.then(PlaceCards(seat=number, rows=letters, by=PlacedBy.CLOCK))
    return played


NATURALS = (
    "AsKdQhJcTs9d8h7c6s5d4h3c2s",
    "As9s3sKhJh8h5h2hQdTd9d7d4d",
    "5s6d7h9c8s7d6h5cKsQdJhTc9h",
    "AsAdKsKdQhQcJsJdTsTd9h9c2s",
)
"""One hand for each natural, the strongest first."""


def any_deck(variant: Variant, chance: Random) -> list[Card]:
    """The deck shuffled; where naturals count, the first hand often is one."""
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    chance.shuffle(deck)
    if variant.naturals and chance.random() < 0.5:
        first = parse_cards(chance.choice(NATURALS))
        deck = [*first, *(card for card in deck if card not in first)]
    return deck


def any_opening(variant: Variant, chance: Random) -> Played:
    """A hand with any number of seats, any of them in Fantasyland, any button and any deck (of marked cards)."""
    seats = chance.randint(variant.min_seats, variant.max_seats)
    sizes = variant.fantasyland.numbers if variant.fantasyland else ()
    fantasyland = [chance.choice(sizes) if sizes and chance.random() < 0.35 else 0 for _ in range(seats)]
    button = chance.randrange(seats)
    deck = marked(any_deck(variant, chance))
    return opened(variant, seats=seats, fantasyland=fantasyland, button=button, deck=deck)


def any_placement(board_rows: RowCards, cards: Sequence[Card], *, to_place: int, chance: Random) -> str:
    """Any placement that the rules allow."""
    free = [there.value for there, held in zip(ROWS, board_rows, strict=True) for _ in range(there.size - len(held))]
    letters = chance.sample(free, to_place) + [DISCARD] * (len(cards) - to_place)
    chance.shuffle(letters)
    return "".join(letters)


def any_act(hand: Hand, seat: int, chance: Random) -> PlaceCards:
    """Any placement of ``seat`` that the rules allow, or what the clock places."""
    held = hand.seats[seat].held
    on_board, to_place = (
        (EMPTY, BOARD_CARDS) if hand.seats[seat].fantasyland else (hand.seats[seat].rows, hand.rule.to_place)
    )
    if chance.random() < 0.2:
        return PlaceCards(seat=seat, rows=automatic_placement(on_board, held, to_place=to_place), by=PlacedBy.CLOCK)
    by = chance.choice([PlacedBy.PLAYER, PlacedBy.COMPUTER])
    letters = any_placement(on_board, held, to_place=to_place, chance=chance)
    declare = (
        bool(hand.variant.naturals) and natural_of(held, hand.variant.naturals) is not None and chance.random() < 0.8
    )
    return PlaceCards(seat=seat, rows=letters, by=by, declare=declare)


def any_action(hand: Hand, chance: Random) -> Action | Forfeit:
    """Any action that is allowed now: mostly a placement, now and then a forfeit, seldom the end of it all."""
    roll = chance.random()
    playing = [number for number, seat in enumerate(hand.seats) if not seat.forfeited and not seat.surrendered]
    if roll < 0.01:
        return Void(reason="bad_log")
    if roll < 0.04 and hand.variant.deal_mode is DealMode.STREET and not hand.variant.own_clock:
        return Forfeit(seat=chance.choice(playing))
    if roll < 0.25 and hand.variant.surrender:
        return Surrender(seat=chance.choice(hand.waiting))
    free = hand.setting if hand.variant.own_clock else playing
    early = [number for number in free if hand.seats[number].fantasyland]
    return any_act(hand, chance.choice(early if early and roll < 0.2 else hand.waiting), chance)


def any_hand(variant: Variant, chance: Random) -> Iterator[Played]:
    """A whole hand at random, state after state."""
    played = any_opening(variant, chance)
    yield played
    while played.hand.status is HandStatus.PLAYING:
        played = played.then(any_action(played.hand, chance))
        yield played
