"""Ratings: what hands teach of skills, in points a hand."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from bot.pure.ofc.presets import PRESETS
from bot.pure.rating.model import (
    BOARDS,
    CERTAINTY,
    DAY_MS,
    GRACE_DAYS,
    GROUPS,
    NEWCOMER,
    PAIR,
    RUST,
    SPREAD,
    STRANGER,
    Luck,
    Rating,
    Score,
    Tables,
    group_of,
    hand,
    learned,
    luck_key,
    taught,
    widened,
)

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
    after = taught(PINEAPPLE, good_cards, {}, Luck(), {}, at=0)
    assert {rating.mean for rating in after.ratings.values()} == {0}
    better = [table(ann=26, bob=-13, cleo=-13), table(dan=20, eve=-10, finn=-10)]
    ratings = taught(PINEAPPLE, better, {}, Luck(), {}, at=0).ratings
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
        luck = taught(PINEAPPLE, [table(**dict(zip(known, points, strict=True)))], known, luck, {}, at=0).luck
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
            after = taught(PINEAPPLE, [table(**dict(zip(seated, points, strict=True)))], known, luck, {}, at=0)
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


def test_who_is_away_for_long_is_known_less_well_and_never_less_than_a_newcomer() -> None:
    known = Rating(mean=2, deviation=0.3, hands=900, at=5 * DAY_MS)
    back = known.at + GRACE_DAYS * DAY_MS
    assert known.by(back + DAY_MS - 1) is known
    assert known.by(known.at - 99 * DAY_MS) is known, "a clock that was set back"
    assert known.by(back + DAY_MS) == Rating(mean=2, deviation=0.3 + RUST, hands=900, at=known.at)
    assert known.by(back + 335 * DAY_MS).off == pytest.approx(known.off + 1, abs=0.02), "the documents say one point"
    assert known.by(back + 10**4 * DAY_MS).deviation == SPREAD
    wide = Rating(deviation=SPREAD + 0.1, hands=3)
    assert wide.by(10**4 * DAY_MS) is wide
    assert NEWCOMER.by(10**15) is NEWCOMER


def test_who_comes_back_learns_faster_and_who_never_left_learns_as_ever() -> None:
    played = {name: Rating(deviation=0.3, hands=900, at=1) for name in ("ann", "bob")}
    scores = [table(ann=12, bob=-12)]
    at_once, soon, later = (
        taught(PINEAPPLE, scores, played, Luck(), {}, at=1 + days * DAY_MS).ratings["ann"] for days in (0, 30, 365)
    )
    assert (soon.mean, soon.deviation) == (at_once.mean, at_once.deviation)
    assert later.mean > 5 * soon.mean
    assert [one.at for one in (soon, later)] == [1 + days * DAY_MS for days in (30, 365)]


def test_all_hands_of_a_pair_teach_what_so_many_hands_with_new_opponents_would() -> None:
    known_well = Rating(hands=10**9)
    for hands in (1, PAIR, 100 * PAIR):
        told = sum(1 / widened(before, known_well) for before in range(hands))
        assert told == pytest.approx(hands / (1 + hands / PAIR), abs=1e-3)


def test_a_stranger_teaches_little() -> None:
    new, known, known_well = (1 / widened(0, Rating(hands=hands)) for hands in (0, STRANGER - 1, 10**9))
    assert new == pytest.approx(known_well / (1 + STRANGER), rel=1e-6)
    assert known == pytest.approx(known_well / 2, rel=1e-6)
