"""Ratings: what hands teach of skills, in points a hand."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random

import pytest

from bot.ofc.presets import PRESETS
from bot.rating.groups import BOARDS, GROUPS, group_of
from bot.rating.lessons import Score, Tables, luck_key, pairs, taught
from bot.rating.model import CERTAINTY, NEWCOMER, PAIR, SPREAD, STRANGER, Luck, Rating, hand, learned, widened

PINEAPPLE = GROUPS["pineapple"]


def table(**points: int) -> list[Score]:
    """A table's scores by seat."""
    return [Score(player=player, points=own) for player, own in points.items()]


def test_who_wins_is_rated_higher_and_known_better() -> None:
    ann, bob, cleo = hand([NEWCOMER] * 3, [12, 0, -12], [43] * 3).ratings
    assert ann.mean > bob.mean == 0 > cleo.mean == -ann.mean
    assert all(rating.deviation < SPREAD and rating.hands == 1 for rating in (ann, bob, cleo))


def test_the_margin_counts() -> None:
    narrow, wide = (hand([NEWCOMER] * 2, [won, -won], [43] * 2).ratings[0].mean for won in (1, 30))
    assert wide == pytest.approx(30 * narrow, rel=1e-4)


def test_a_favourite_who_wins_as_expected_learns_nothing_and_one_who_loses_by_much_falls_by_more() -> None:
    strong, weak = Rating(mean=2, deviation=0.5, hands=300), Rating(mean=-2, deviation=0.5, hands=300)
    as_expected, barely, lost, lost_badly = (
        hand([strong, weak], [points, -points], [43] * 2).ratings[0].mean for points in (4, 1, -1, -100)
    )
    assert as_expected == 2 > barely > lost > lost_badly


def test_to_win_from_the_strong_is_worth_more_than_to_win_from_the_weak() -> None:
    strong, weak = Rating(mean=2, deviation=0.3, hands=300), Rating(mean=-2, deviation=0.3, hands=300)
    from_strong, from_weak = (hand([NEWCOMER, one], [6, -6], [43] * 2).ratings[0].mean for one in (strong, weak))
    assert from_strong > from_weak


def test_two_newcomers_learn_what_bayes_says() -> None:
    # Of two skills with variance v only the difference d is seen, with variance 2 v + 2 L: each mean moves by
    # v / (2 v + 2 L) of it, and each variance loses v * v / (2 v + 2 L).
    prior, luck = 2.25, 40.0
    known = Rating(mean=0, deviation=sqrt(prior))
    lesson = learned([known, known], [5, -5], [luck] * 2)
    assert lesson.ratings[0].mean == pytest.approx(10 * prior / (2 * prior + 2 * luck), abs=1e-4)
    assert lesson.ratings[0].deviation ** 2 == pytest.approx(prior - prior**2 / (2 * prior + 2 * luck), abs=1e-4)


def test_where_all_held_the_same_cards_their_luck_counts_for_nobody() -> None:
    good_cards = [table(ann=20, bob=-10, cleo=-10), table(dan=20, eve=-10, finn=-10)]
    after = taught(PINEAPPLE, good_cards, {}, Luck(), {})
    assert {rating.mean for rating in after.ratings.values()} == {0}
    better = [table(ann=26, bob=-13, cleo=-13), table(dan=20, eve=-10, finn=-10)]
    ratings = taught(PINEAPPLE, better, {}, Luck(), {}).ratings
    assert ratings["ann"].mean == -ratings["dan"].mean > 0
    assert ratings["bob"].mean < 0 < ratings["eve"].mean


def test_the_luck_of_boards_is_kept_by_itself() -> None:
    one: Tables = [table(ann=1, bob=-1)]
    assert luck_key(PINEAPPLE, one) == "pineapple"
    assert luck_key(PINEAPPLE, [*one, table(cleo=2, dan=-2)]) == "pineapple" + BOARDS


def test_how_much_luck_there_is_is_learned() -> None:
    chance, luck = Random(1), Luck()
    known = {name: Rating(mean=0, deviation=0.1, hands=900) for name in ("ann", "bob", "cleo")}
    for _ in range(3000):
        forms = [chance.gauss(0, 10) for _ in known]
        points = [round(3 * form - sum(forms)) for form in forms]
        luck = taught(PINEAPPLE, [table(**dict(zip(known, points, strict=True)))], known, luck, {}).luck
    assert 92 < luck.variance(PINEAPPLE.luck) < 108


def test_intervals_hold_the_skills_that_they_promise_to_hold() -> None:
    chance, held, tried = Random(3), 0, 0
    for _ in range(12):
        skills = {str(number): chance.gauss(0, SPREAD) for number in range(12)}
        known, luck = dict.fromkeys(skills, NEWCOMER), Luck()
        for _ in range(400):
            seated = chance.sample(sorted(skills), 3)
            forms = [skills[player] + chance.gauss(0, sqrt(PINEAPPLE.luck * PINEAPPLE.carried)) for player in seated]
            points = [round(3 * form - sum(forms)) for form in forms]
            after = taught(PINEAPPLE, [table(**dict(zip(seated, points, strict=True)))], known, luck, {})
            known, luck = known | dict(after.ratings), after.luck
        middle = sum(skills.values()) / len(skills)
        held += sum(abs(known[player].mean - (skill - middle)) < known[player].off for player, skill in skills.items())
        tried += len(skills)
    assert 0.9 < held / tried < 0.99


def test_every_game_is_of_one_group() -> None:
    games = [game for group in GROUPS.values() for game in group.games]
    assert sorted(games) == sorted(PRESETS)
    assert group_of("no game of ours") is None


def test_the_interval_is_twice_the_deviation_or_so() -> None:
    assert Rating(deviation=0.5).off == pytest.approx(0.5 * CERTAINTY)


def test_all_hands_of_a_pair_teach_what_so_many_hands_with_new_opponents_would() -> None:
    known_well = Rating(hands=10**9)
    for hands in (1, PAIR, 100 * PAIR):
        told = sum(1 / widened(before, known_well) for before in range(hands))
        assert told == pytest.approx(hands / (1 + hands / PAIR), abs=1e-3)


def test_a_stranger_teaches_little() -> None:
    new, known, known_well = (1 / widened(0, Rating(hands=hands)) for hands in (0, STRANGER - 1, 10**9))
    assert new == pytest.approx(known_well / (1 + STRANGER), rel=1e-6)
    assert known == pytest.approx(known_well / 2, rel=1e-6)


def test_what_dumped_hands_buy_is_what_the_documents_say() -> None:
    """Accomplices who foul every hand: 25 points each."""

    def bought(accomplices: list[str]) -> Rating:
        ratings: dict[str, Rating] = {}
        luck, together = Luck(), Counter[tuple[str, str]]()
        for accomplice in accomplices:
            hand = [Score(player="buyer", points=25), Score(player=accomplice, points=-25)]
            after = taught(GROUPS["pineapple"], [hand], ratings, luck, together)
            ratings |= after.ratings
            luck = after.luck
            together.update(pairs(hand))
        return ratings["buyer"]

    for accomplices, mean, off, least in (
        (["bob"] * 25, 1.7, 2.8, -1.2),
        (["bob"] * 100, 2.8, 2.8, 0.0),
        (["bob"] * 1000, 3.3, 2.7, 0.5),
        ([f"new {number}" for number in range(100)], 2.6, 2.8, -0.2),
        ([f"new {number // 20}" for number in range(100)], 4.8, 2.6, 2.1),
        ([f"new {number // 20}" for number in range(400)], 10.9, 2.2, 8.7),
    ):
        rating = bought(accomplices)
        assert (round(rating.mean, 1), round(rating.off, 1), round(rating.least, 1)) == (mean, off, least)
