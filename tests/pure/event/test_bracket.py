"""Brackets: players are out after one or two losses, and the best meet late."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.event.bracket import (
    Bracket,
    Bye,
    LoserOf,
    Match,
    Progress,
    Seed,
    Side,
    Stage,
    WinnerOf,
    decides,
    double,
    progress,
    single,
    stage_of,
    walked_over,
)

KINDS = [single, double]
SIZES = st.integers(2, 70)


def played(bracket: Bracket, wins: Callable[[int, int], int], random: Random) -> Iterator[tuple[Match, int, int]]:
    """Every match in any order that is possible, with its winner and its loser."""
    winners: dict[int, int] = {}
    while ready := progress(bracket, winners).ready:
        # A big bracket is asked once a wave: the answer is the same.
        for match, a, b in random.sample(ready, len(ready)) if len(ready) > 20 else [random.choice(ready)]:
            winners[match.number] = wins(a, b)
            yield match, winners[match.number], a + b - winners[match.number]


def ended(bracket: Bracket, wins: Callable[[int, int], int]) -> Progress:
    """The progress once all is played."""
    matches = played(bracket, wins, Random(0))
    return progress(bracket, {match.number: winner for match, winner, _ in matches})


def the_better(a: int, b: int) -> int:
    return min(a, b)


def the_worse(a: int, b: int) -> int:
    return max(a, b)


def of(bracket: Bracket, side: Side, number: int) -> list[tuple[object, object]]:
    """Return the matches of a round."""
    return [(match.a, match.b) for match in bracket.matches if (match.side, match.round) == (side, number)]


def test_the_usual_seeding() -> None:
    first = of(single(16), Side.WINNERS, 1)
    pairs = [(1, 16), (8, 9), (4, 13), (5, 12), (2, 15), (7, 10), (3, 14), (6, 11)]
    assert first == [(Seed(a), Seed(b)) for a, b in pairs]


def test_the_best_seeds_get_the_byes() -> None:
    first = of(single(5), Side.WINNERS, 1)
    assert first == [(Seed(1), Bye()), (Seed(4), Seed(5)), (Seed(2), Bye()), (Seed(3), Bye())]
    assert [(a, b) for _, a, b in progress(single(5), {}).ready] == [(4, 5), (2, 3)]


def test_a_double_elimination_of_four() -> None:
    assert [(match.side, match.round, match.a, match.b) for match in double(4).matches] == [
        (Side.WINNERS, 1, Seed(1), Seed(4)),
        (Side.WINNERS, 1, Seed(2), Seed(3)),
        (Side.WINNERS, 2, WinnerOf(1), WinnerOf(2)),
        (Side.LOSERS, 1, LoserOf(1), LoserOf(2)),
        (Side.LOSERS, 2, WinnerOf(4), LoserOf(3)),
        (Side.FINAL, 1, WinnerOf(3), WinnerOf(5)),
        (Side.FINAL, 2, LoserOf(6), WinnerOf(6)),
    ]


def test_two_players_play_two_finals_at_most_after_their_match() -> None:
    bracket = double(2)
    assert [(match.side, match.round) for match in bracket.matches] == [
        (Side.WINNERS, 1),
        (Side.FINAL, 1),
        (Side.FINAL, 2),
    ]
    assert progress(bracket, {1: 2, 2: 2}).champion == 2
    assert [(match.number, a, b) for match, a, b in progress(bracket, {1: 2, 2: 1}).ready] == [(3, 2, 1)]
    assert progress(bracket, {1: 2, 2: 1, 3: 1}).champion == 1


def test_the_second_final_is_played_only_when_the_first_is_a_first_loss() -> None:
    bracket = double(4)
    before = {1: 1, 2: 2, 3: 1, 4: 3, 5: 2}
    assert progress(bracket, before | {6: 1}).champion == 1
    assert progress(bracket, before | {6: 1}).ready == ()
    again = progress(bracket, before | {6: 2})
    assert (again.champion, [(match.number, a, b) for match, a, b in again.ready]) == (None, [(7, 1, 2)])
    assert 1 not in again.out
    assert progress(bracket, before | {6: 2, 7: 2}).standing() == (2, 1, 3, 4)
    assert progress(bracket, before | {6: 2, 7: 1}).standing() == (1, 2, 3, 4)


def test_byes_follow_one_another_on_the_losers_side() -> None:
    """With five players, only one loses in the first round, so the first losers' round has no match."""
    sides = [(match.side, match.round) for match, _, _ in played(double(5), the_better, Random(0))]
    assert (Side.LOSERS, 1) not in sides
    assert len(sides) == 8


def test_the_losers_of_the_second_round_drop_into_the_other_half() -> None:
    bracket = double(8)
    assert of(bracket, Side.WINNERS, 2) == [(WinnerOf(1), WinnerOf(2)), (WinnerOf(3), WinnerOf(4))]
    assert of(bracket, Side.LOSERS, 1) == [(LoserOf(1), LoserOf(2)), (LoserOf(3), LoserOf(4))]
    assert of(bracket, Side.LOSERS, 2) == [(WinnerOf(7), LoserOf(6)), (WinnerOf(8), LoserOf(5))]


@pytest.mark.parametrize("wins", [the_better, the_worse])
def test_how_far_everybody_got(wins: Callable[[int, int], int]) -> None:
    made = ended(single(8), wins)
    best_first = list(range(1, 9)) if wins is the_better else list(range(8, 0, -1))
    assert made.champion == best_first[0]
    assert sorted(made.out.values()) == [1, 1, 1, 1, 2, 2, 3]
    assert all(made.out[seed] == 1 for seed in best_first[4:])


def test_equal_losers_stand_by_their_seeds() -> None:
    assert ended(single(8), the_better).standing() == (1, 2, 3, 4, 5, 6, 7, 8)
    assert ended(single(8), the_worse).standing() == (8, 7, 5, 6, 1, 2, 3, 4)


def test_who_is_still_in_stands_before_those_who_are_out() -> None:
    assert progress(single(4), {1: 4}).standing() == (4, 2, 3, 1)
    assert progress(single(4), {}).standing({3: 9, 2: 1}) == (3, 2, 1, 4)
    assert progress(double(4), {1: 4}).out == {}


@pytest.mark.parametrize("winners", [{1: 2}, {3: 1}, {9: 1}, {1: 1, 2: 2, 3: 4}])
def test_nobody_wins_a_match_that_he_is_not_in(winners: dict[int, int]) -> None:
    with pytest.raises(ValueError, match=r"cannot have won|no such match"):
        progress(single(4), winners)


def test_nobody_wins_a_bye_or_a_second_final_that_is_not_played() -> None:
    with pytest.raises(ValueError, match="cannot have won"):
        progress(single(3), {1: 1})
    with pytest.raises(ValueError, match="cannot have won"):
        progress(double(2), {1: 1, 2: 1, 3: 1})


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("players", [-1, 0, 1, 513])
def test_a_bracket_is_for_two_to_five_hundred_and_twelve(make: Callable[[int], Bracket], players: int) -> None:
    with pytest.raises(ValueError, match="2 to 512"):
        make(players)


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("players", [2, 3, 5, 16, 33, 512])
def test_matches_are_numbered_and_wait_only_for_earlier_ones(make: Callable[[int], Bracket], players: int) -> None:
    bracket = make(players)
    assert [match.number for match in bracket.matches] == list(range(1, len(bracket.matches) + 1))
    fed = [(match.number, source) for match in bracket.matches for source in (match.a, match.b)]
    for number, source in fed:
        if isinstance(source, WinnerOf | LoserOf):
            assert source.match < number
    assert max(Counter(source for _, source in fed if not isinstance(source, Bye)).values()) == 1


@given(SIZES, st.randoms(use_true_random=False))
def test_in_a_single_elimination_everybody_but_the_champion_loses_once(players: int, random: Random) -> None:
    bracket = single(players)
    matches = list(played(bracket, lambda a, b: random.choice((a, b)), random))
    made = progress(bracket, {match.number: winner for match, winner, _ in matches})
    assert len(matches) == players - 1
    assert made.champion is not None
    losses = [loser for _, _, loser in matches]
    assert sorted([*losses, made.champion]) == list(range(1, players + 1))
    assert made.out.keys() == set(losses)
    assert sorted(made.standing()) == list(range(1, players + 1))


@given(SIZES, st.randoms(use_true_random=False))
def test_in_a_double_elimination_everybody_but_the_champion_loses_twice(players: int, random: Random) -> None:
    bracket = double(players)
    matches, lost = [], Counter[int]()
    for match, winner, loser in played(bracket, lambda a, b: random.choice((a, b)), random):
        assert max(lost[winner], lost[loser]) < 2
        lost[loser] += 1
        matches.append((match, winner))
    made = progress(bracket, {match.number: winner for match, winner in matches})
    assert made.champion is not None
    assert len(matches) == 2 * players - 2 + lost[made.champion]
    assert lost[made.champion] < 2
    assert all(lost[seed] == 2 for seed in range(1, players + 1) if seed != made.champion)
    assert made.out.keys() == set(range(1, players + 1)) - {made.champion}
    assert made.standing()[0] == made.champion
    assert sorted(made.standing()) == list(range(1, players + 1))


@given(st.sampled_from(KINDS), st.integers(2, 40), st.randoms(use_true_random=False))
def test_who_lost_later_stands_higher(make: Callable[[int], Bracket], players: int, random: Random) -> None:
    bracket = make(players)
    matches = list(played(bracket, lambda a, b: random.choice((a, b)), random))
    made = progress(bracket, {match.number: winner for match, winner, _ in matches})
    far = [made.out[seed] for seed in made.standing()[1:]]
    assert far == sorted(far, reverse=True)
    lives = 2 if bracket.double else 1
    lost = Counter[int]()
    last: dict[Side, dict[int, int]] = {side: {} for side in Side}
    for match, _, loser in matches:
        lost[loser] += 1
        if lost[loser] == lives:
            last[match.side][loser] = match.round
    for rounds in last.values():
        for one in rounds:
            for other in rounds:
                assert (made.out[one] < made.out[other]) is (rounds[one] < rounds[other])


@given(st.integers(5, 70), st.randoms(use_true_random=False))
def test_nobody_meets_again_in_the_first_two_rounds_of_the_losers_side(players: int, random: Random) -> None:
    bracket = double(players)
    met: set[frozenset[int]] = set()
    for match, winner, loser in played(bracket, lambda a, b: random.choice((a, b)), random):
        pair = frozenset((winner, loser))
        if match.side is Side.LOSERS and match.round <= 2:
            assert pair not in met
        met.add(pair)


@pytest.mark.parametrize("size", [8, 16, 32, 64, 128, 256])
def test_those_who_drop_come_from_where_the_survivors_were_not_beaten_lately(size: int) -> None:
    """Players who drop haven't beaten the survivor recently: within two rounds, or one if only two places are left."""
    bracket = double(size)
    at = {match.number: match for match in bracket.matches}

    def seeds(source: object) -> set[int]:
        match source:
            case Seed(number=number):
                return {number}
            case WinnerOf(match=number) | LoserOf(match=number):
                return seeds(at[number].a) | seeds(at[number].b)
            case _:
                raise AssertionError(source)

    def lately(source: object, back: int) -> set[int]:
        """Return everyone who can have sent a player to this place in ``back`` + 1 rounds of the losers' bracket."""
        assert isinstance(source, WinnerOf)
        found: set[int] = set()
        for side in (at[source.match].a, at[source.match].b):
            if isinstance(side, LoserOf):
                found |= seeds(side)
            elif back:
                found |= lately(side, back - 1)
        return found

    drops = [match for match in bracket.matches if match.side is Side.LOSERS and match.round % 2 == 0]
    checked = 0
    for match in drops:
        places = sum(other.round == match.round for other in drops)
        if places >= 2:
            assert not seeds(match.b) & lately(match.a, 1 if places == 2 else 4)
            checked += 1
    assert checked


def test_the_greatest_brackets_are_played_to_the_end() -> None:
    assert ended(single(512), the_better).standing() == tuple(range(1, 513))
    made = ended(double(512), the_better)
    assert (made.champion, len(made.out)) == (1, 511)
    assert made.standing()[:4] == (1, 2, 3, 4)


# names of matches


def stages(bracket: Bracket) -> dict[str, int]:
    """Return the number of matches in each stage."""
    called = (stage_of(bracket, match.number) for match in bracket.matches)
    return dict(Counter(f"{stage.value} {number}" for stage, number in called))


def test_the_last_rounds_of_a_single_elimination_have_names() -> None:
    assert stages(single(2)) == {"final 0": 1}
    assert stages(single(4)) == {"semifinal 0": 2, "final 0": 1}
    assert stages(single(16)) == {"round 1": 8, "round 2": 4, "semifinal 0": 2, "final 0": 1}


def test_the_sides_of_a_double_elimination_are_told_apart() -> None:
    assert stages(double(4)) == {
        "winners 1": 2,
        "winners_final 0": 1,
        "losers 1": 1,
        "losers_final 0": 1,
        "grand 0": 1,
        "decider 0": 1,
    }


@given(SIZES)
def test_one_match_is_the_final(size: int) -> None:
    for bracket in (single(size), double(size)):
        called = [stage_of(bracket, match.number)[0] for match in bracket.matches]
        assert called.count(Stage.GRAND if bracket.double else Stage.FINAL) == 1
        assert called[-1] is (Stage.DECIDER if bracket.double else Stage.FINAL)


def test_who_has_lost_once_is_beaten_and_not_out() -> None:
    assert progress(double(4), {1: 1}).beaten == {4}
    assert progress(double(4), {1: 1, 2: 2, 4: 3}).beaten == {3}
    assert progress(single(4), {1: 1}).beaten == set()


# the match for third place


@pytest.mark.parametrize("players", [2, 3, 4, 5, 8, 13])
def test_the_losers_of_the_semifinals_play_for_third_place_before_it_is_over(players: int) -> None:
    bracket = single(players, third=True)
    assert bracket.third == (players > 2)
    stages = [stage_of(bracket, match.number)[0] for match in bracket.matches]
    assert stages.count(Stage.THIRD) == (players > 2)
    for worse in (False, True):
        wins: dict[int, int] = {}
        while ready := progress(bracket, wins).ready:
            assert not progress(bracket, wins).over
            # The last of those ready: the final comes before the match for third place.
            match, a, b = ready[-1]
            wins[match.number] = max(a, b) if worse else min(a, b)
        made = progress(bracket, wins)
        assert made.over
        assert len(made.out) == players - 1
        top = made.standing()[:4]
        if players > 3:
            plain = progress(single(players), {})
            assert len(bracket.matches) == len(single(players).matches) + 1
            assert plain.third == 0
            last = bracket.matches[-2]
            third = made.won[last.number]
            assert top[2] == third
            assert {slot.number for slot in made.sides[last.number] if isinstance(slot, Seed)} == set(top[2:4])
            assert len({made.out[seed] for seed in top[1:4]}) == 3, "no place of the first four is shared"


def test_who_can_only_be_third_stands_below_both_of_the_final_whenever_it_ends() -> None:
    bracket = single(4, third=True)
    semis = {1: 4, 2: 3}  # 1 and 2 lose
    assert progress(bracket, semis).beaten == {1, 2}
    assert progress(bracket, semis).standing() == (3, 4, 1, 2)
    after = progress(bracket, semis | {4: 4})
    assert (after.champion, after.over, after.out) == (4, False, {3: 3})
    assert after.standing() == (4, 3, 1, 2)
    assert progress(bracket, semis | {4: 4, 3: 2}).standing() == (4, 3, 2, 1)
    assert after.coming[1] == (bracket.matches[2], Seed(2))


def test_of_three_the_one_who_loses_the_semifinal_is_third_without_a_match() -> None:
    made = progress(single(3, third=True), {2: 2})
    assert (made.out, [match.number for match, _, _ in made.ready]) == ({3: 2}, [4])


@given(st.sampled_from(KINDS), st.integers(2, 12), st.randoms(use_true_random=False))
def test_who_is_left_alone_wins_by_walkovers(make: Callable[[int], Bracket], players: int, random: Random) -> None:
    bracket, winners = make(players), dict[int, int]()
    for match, winner, _ in [*played(bracket, lambda a, b: random.choice((a, b)), random)][: random.randrange(players)]:
        winners[match.number] = winner
    inside = set(range(1, players + 1)) - progress(bracket, winners).out.keys()
    last = random.choice(sorted(inside))
    made = progress(bracket, walked_over(bracket, winners, inside - {last}))
    assert made.champion == last
    assert made.over


def test_a_match_decides_the_event_if_the_other_finalist_is_gone() -> None:
    bracket = single(4)
    assert not decides(bracket, {1: 1}, [])
    assert decides(bracket, {1: 1}, [1])
    assert not decides(bracket, {1: 1, 2: 2}, [1]), "it's decided"
    twice = double(4)
    assert not decides(twice, {1: 1, 2: 2, 3: 1}, []), "the grand final may be played twice"
