"""Reviews of hands: decisions are judged by the cards that the player could see, and mistakes are named with care."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot

import numpy as np
import pytest

from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import Card
from bot.pure.ofc.hand import audit
from bot.pure.ofc.log import CardsPlaced, Fact, FantasylandSet, PlacedBy
from bot.pure.ofc.presets import CHINESE, CLASSIC, PINEAPPLE, PROGRESSIVE, THIRTEEN, TURBO_PINEAPPLE
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView
from bot.pure.solver.comparison import Choice, ExpectedResults, compare, error_by_sets
from bot.pure.solver.field import KnownOpponent
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.review import Decision, DecisionPoint, decision, moments
from bot.pure.solver.search import Effort
from bot.pure.solver.visible_cards import reviewed_spot, seeded_generator
from tests.pure.solver.hands import FAMILY, Chooser, dealing, played_log, shuffled_deck
from tests.pure.solver.test_levels import on_street

HASTY = Computers(load_arrays, Effort(rounds=((4, 24),), boards=24), evaluators=1)
DEALS = 60


def by_level(level: Level) -> Chooser:
    return lambda view: HASTY.choose(view, level)


MASTER, CLUB, CASUAL = map(by_level, (Level.MASTER, Level.CLUB, Level.CASUAL))


def reviewed(variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact], *, seat: int = 0) -> list[Decision]:
    return [decision(HASTY, moment, deals=DEALS) for moment in moments(variant, deck, facts, seat)]


def opening(placement: str) -> Chooser:
    """Return a player who begins with this placement and continues like a casual player."""
    return lambda view: placement if view.street == 1 else CASUAL(view)


def test_whoever_places_as_a_master_loses_nothing() -> None:
    deck = shuffled_deck(PINEAPPLE, 3)
    found = reviewed(PINEAPPLE, deck, played_log(PINEAPPLE, deck, [MASTER, CASUAL]))
    assert [judged.street for judged in found] == [1, 2, 3, 4, 5]
    assert all(judged.loss == 0 and judged.placed == judged.best for judged in found)
    assert not any(judged.mistake for judged in found)


def test_a_front_that_nothing_can_follow_is_a_mistake_and_the_reason_is_told() -> None:
    deck = dealing("AsAdKsKd2c")
    first, *_ = reviewed(PINEAPPLE, deck, played_log(PINEAPPLE, deck, [opening("FFMMM"), CASUAL]))
    assert first.mistake
    assert first.real
    assert first.placed.facts
    assert first.best.facts
    assert first.best.facts.fantasyland > first.placed.facts.fantasyland + 0.1


def test_a_foul_on_the_last_street_costs_what_it_costs_and_no_chance_is_left() -> None:
    view = on_street(5, "Ah3d/7c7dKs2s/9h9dThTc5c", "AdKh4s", opponent="Kd9s/4c4d8s8h/JhJd6h6c", discards="2d9c3c")
    judged = decision(HASTY, DecisionPoint(view=view, letters="FDM", by=PlacedBy.PLAYER))
    assert judged.placed.facts == ExpectedResults(foul=1, fantasyland=0, royalties=0)
    assert judged.best.facts
    assert judged.best.facts.foul == 0
    assert judged.error == 0
    assert judged.mistake


@pytest.mark.parametrize(
    "variant", [PINEAPPLE, pytest.param(TURBO_PINEAPPLE, marks=pytest.mark.deep)], ids=lambda variant: variant.key
)
def test_other_cards_in_the_dark_change_no_judgement(variant: Variant) -> None:
    """Other discards and undealt cards don't change the review."""
    deck = shuffled_deck(variant, 8)
    facts = played_log(variant, deck, [CASUAL, CASUAL])
    hand = audit(variant, deck, facts)
    dark = [*hand.seats[1].discards, *deck[hand.dealt :]]
    moved = dict(zip(dark, (*dark[5:], *dark[:5]), strict=True))
    other = tuple(moved.get(card, card) for card in deck)
    assert other != deck
    assert reviewed(variant, other, facts) == reviewed(variant, deck, facts)


@pytest.mark.parametrize("variant", FAMILY)
def test_every_game_is_looked_back_at(variant: Variant) -> None:
    deck = shuffled_deck(variant, 5)
    found = reviewed(variant, deck, played_log(variant, deck, [CASUAL] * variant.min_seats))
    assert [judged.street for judged in found] == ([0] if variant.at_once else list(range(1, len(variant.streets) + 1)))
    assert all(abs(judged.loss) < 100 and judged.error >= 0 for judged in found)


def test_a_board_set_in_fantasyland_is_one_decision_also_when_it_was_set_again() -> None:
    deck = shuffled_deck(PROGRESSIVE, 6)
    facts = played_log(PROGRESSIVE, deck, [MASTER, CASUAL], fantasyland=[15, 0])
    place = next(number for number, fact in enumerate(facts) if isinstance(fact, FantasylandSet))
    first = FantasylandSet(seat=0, rows="FFFMMMMMBBBBBDD", by=PlacedBy.PLAYER)
    facts.insert(place, first)
    (judged,) = reviewed(PROGRESSIVE, deck, facts)
    assert judged.street == 0
    assert judged.placed == judged.best
    (earlier,) = reviewed(PROGRESSIVE, deck, [fact for fact in facts if fact != facts[place + 1]])
    assert earlier.mistake


@pytest.mark.parametrize("variant", [THIRTEEN, CHINESE], ids=lambda variant: variant.key)
def test_a_board_set_at_once_is_compared_against_opponents_who_set_well(variant: Variant) -> None:
    deck = shuffled_deck(variant, 5)
    others = [CASUAL] * (variant.min_seats - 1)
    (judged,) = reviewed(variant, deck, played_log(variant, deck, [lambda _: "FFFMMMMMBBBBB", *others]))
    assert judged.mistake
    assert judged.error > 0


def test_a_natural_that_was_declared_leaves_nothing_to_judge() -> None:
    dragon = "2c3c4c5c6d7d8d9dThJhQhKhAh"
    facts = [
        replace(fact, natural="complete_straight") if isinstance(fact, CardsPlaced) and fact.seat == 0 else fact
        for fact in played_log(THIRTEEN, dealing(dragon), [CASUAL] * THIRTEEN.min_seats)
    ]
    assert not reviewed(THIRTEEN, dealing(dragon), facts)
    assert reviewed(THIRTEEN, dealing(dragon), facts, seat=1)


def test_points_are_those_against_all_opponents_together() -> None:
    """No card is visible, so a second opponent is worth the same as the first. The deals are drawn again."""
    deck = dealing("AsAdKsKd2c")
    alone, *_ = reviewed(PINEAPPLE, deck, played_log(PINEAPPLE, deck, [opening("FFMMM"), CASUAL]))
    between, *_ = reviewed(PINEAPPLE, deck, played_log(PINEAPPLE, deck, [opening("FFMMM"), CASUAL, CASUAL]))
    assert between.loss == pytest.approx(2 * alone.loss, rel=0.25)


def test_a_decision_without_a_choice_is_none() -> None:
    deck = shuffled_deck(CLASSIC, 5)
    *_, last = reviewed(CLASSIC, deck, played_log(CLASSIC, deck, [CASUAL, CASUAL]))
    assert not last.real


@pytest.mark.parametrize(
    ("loss", "error", "mistake"),
    [(0.29, 0.01, False), (0.31, 0.01, True), (2.0, 1.01, False), (2.0, 0.99, True), (-1.0, 0.1, False)],
)
def test_mistakes_are_named_beyond_doubt_and_where_they_cost_something(
    loss: float, error: float, mistake: bool
) -> None:
    choice = Choice(letters="BBBMM", facts=ExpectedResults(foul=0, fantasyland=0, royalties=0))
    judged = Decision(street=1, placed=choice, best=choice, loss=loss, error=error, real=True)
    assert judged.mistake is mistake
    assert judged.lost == max(0.0, loss)


def test_the_chance_of_the_opponents_boards_is_in_the_error() -> None:
    """Sixteen sets of boards, each worth something else: however many deals meet them, their mean stays as far off."""
    chance = np.random.default_rng(1)
    for sets, deals in ((16, 400), (16, 6400)):
        of_sets = chance.normal(0, 1, sets)
        values = of_sets[np.arange(deals) % sets] + chance.normal(0, 1, deals)
        assert error_by_sets(values, sets) == pytest.approx(of_sets.std(ddof=1) / 4, rel=0.2)
        assert error_by_sets(values, 1) < 0.6 * error_by_sets(values, sets)
    alike = chance.normal(0, 1, 400)
    assert error_by_sets(alike, 16) < 2 * error_by_sets(alike, 1)
    assert error_by_sets(alike[:10], 16) == pytest.approx(error_by_sets(alike[:10], 1))


@pytest.mark.parametrize("seats", [2, 3])
def test_every_loss_has_an_error_but_those_that_are_worked_out(seats: int) -> None:
    """On each street, a review with other boards and deals agrees within the stated error."""
    told = {"exact": 0, "drawn": 0}
    evaluator = HASTY.evaluator(PINEAPPLE)
    assert evaluator
    deck = shuffled_deck(PINEAPPLE, 40)
    facts = played_log(PINEAPPLE, deck, [CASUAL] * seats)
    for seat in (0, seats - 1):
        for moment in moments(PINEAPPLE, deck, facts, seat):
            placed = HASTY.evaluate(moment.view)
            pair = placed[-1].letters, placed[0].letters
            found = [
                compare(
                    evaluator,
                    reviewed_spot(moment.view, evaluator, salt),
                    *pair,
                    chance=seeded_generator(moment.view, salt),
                    deals=480,
                )
                for salt in (1, 2)
            ]
            if found[0].error:
                told["drawn"] += 1
                apart = abs(found[0].loss - found[1].loss)
                assert apart <= 4 * hypot(found[0].error, found[1].error), "which chance passes once in 16,000 times"
            else:
                told["exact"] += 1
                assert moment.street == 5
                assert found[0].loss == found[1].loss
    assert told["exact"] >= 1
    assert told["drawn"] >= 8


def test_a_begun_board_and_a_fantasyland_are_met_by_as_many_boards_each() -> None:
    """With three players, one of whom shows nothing, drawn boards are paired in turn, whatever they stand for."""
    evaluator = HASTY.evaluator(PINEAPPLE)
    assert evaluator
    deck = shuffled_deck(PINEAPPLE, 8)
    facts = played_log(PINEAPPLE, deck, [CASUAL, CASUAL, MASTER], fantasyland=[0, 0, 14])
    met = {}
    for moment in moments(PINEAPPLE, deck, facts, 0):
        spot = reviewed_spot(moment.view, evaluator, 1)
        if spot.field:
            met[moment.street] = [
                len(one.finals.legal) for one in spot.field.opponents if isinstance(one, KnownOpponent)
            ]
    assert met == {4: [64, 64], 5: [64, 64]}
    assert [judged.street for judged in reviewed(PINEAPPLE, deck, facts)] == [1, 2, 3, 4, 5]


def test_a_board_that_the_program_arranges_is_known_as_such() -> None:
    def arranged(view: HandView) -> str:
        return HASTY.arranged(view)

    deck = shuffled_deck(CHINESE, 1)
    facts = played_log(CHINESE, deck, [arranged, lambda view: arranged(view)[::-1]])
    assert [reviewed(CHINESE, deck, facts, seat=seat)[0].arranged for seat in (0, 1)] == [True, False]
