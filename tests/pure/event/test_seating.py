"""Seating a freezeout: tables are broken and kept even, and a Fantasyland is left alone."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.event.seating import (
    BreakStep,
    MoveStep,
    OpenStep,
    SeatingTable,
    SeatStep,
    Step,
    deal_out,
    first_to_act,
    next_step,
    table_sizes,
    worst_seat,
)


def table(number: int, players: int, *, idle: bool = True, locked: bool = False) -> SeatingTable:
    return SeatingTable(number=number, players=players, idle=idle, locked=locked)


def idle(*players: int) -> list[SeatingTable]:
    """Idle tables, numbered from 1."""
    return [table(number, count) for number, count in enumerate(players, start=1)]


def after(tables: Sequence[SeatingTable], waiting: int, step: Step) -> tuple[list[SeatingTable], int]:
    """The tables and those who wait, once the step is carried out."""
    now = {table.number: table for table in tables}

    def sit(number: int, count: int) -> None:
        now[number] = replace(now[number], players=now[number].players + count)

    match step:
        case SeatStep(table=number):
            sit(number, 1)
            waiting -= 1
        case OpenStep(players=players):
            new = max(now, default=0) + 1
            now[new] = table(new, players)
            waiting -= players
        case BreakStep(table=number):
            waiting += now.pop(number).players
        case MoveStep(source=source, target=target):
            sit(source, -1)
            sit(target, 1)
    return list(now.values()), waiting


def walk(
    tables: Sequence[SeatingTable], waiting: int, seats: int
) -> Iterator[tuple[list[SeatingTable], int, Step | None]]:
    """Every state on the way with the step that follows; the last one has none."""
    now = list(tables)
    for _ in range(1000):
        step = next_step(now, waiting=waiting, seats=seats)
        yield now, waiting, step
        if step is None:
            return
        now, waiting = after(now, waiting, step)
    raise AssertionError("the steps do not end")


def steps(tables: Sequence[SeatingTable], *, waiting: int = 0, seats: int = 3) -> list[Step]:
    """All steps to the end."""
    return [step for _, _, step in walk(tables, waiting, seats) if step is not None]


@st.composite
def states(draw: st.DrawFn, *, quiet: bool = False) -> tuple[list[SeatingTable], int, int]:
    """Tables, how many wait, and seats a table; all tables idle and unlocked when it is quiet."""
    seats = draw(st.integers(2, 8))
    flag = st.just(False) if quiet else st.booleans()
    tables = [
        table(number, draw(st.integers(0, seats)), idle=not draw(flag), locked=draw(flag))
        for number in draw(st.lists(st.integers(1, 40), max_size=12, unique=True))
    ]
    return tables, draw(st.integers(0, 20)), seats


def test_tables_are_few_and_even() -> None:
    assert table_sizes(10, 3) == (3, 3, 2, 2)
    assert table_sizes(9, 3) == (3, 3, 3)
    assert table_sizes(3, 2) == (2, 1)
    assert table_sizes(1, 6) == (1,)
    assert table_sizes(0, 3) == ()


@given(st.integers(1, 600), st.integers(2, 10))
def test_sizes_hold_everybody_within_one_of_each_other(players: int, seats: int) -> None:
    sizes = table_sizes(players, seats)
    assert sum(sizes) == players
    assert (len(sizes) - 1) * seats < players
    assert seats >= sizes[0] >= sizes[-1] >= sizes[0] - 1
    assert list(sizes) == sorted(sizes, reverse=True)


def test_the_draw_is_dealt_round_the_tables() -> None:
    assert deal_out("abcdefg", 3) == (("a", "d", "g"), ("b", "e"), ("c", "f"))
    assert deal_out((), 3) == ()


@given(st.integers(0, 200), st.integers(2, 8))
def test_dealt_tables_have_the_usual_sizes(players: int, seats: int) -> None:
    tables = deal_out([str(player) for player in range(players)], seats)
    assert tuple(len(table) for table in tables) == table_sizes(players, seats)
    assert sorted(name for table in tables for name in table) == sorted(map(str, range(players)))


def test_a_waiting_player_sits_down_at_the_smallest_table() -> None:
    assert next_step(idle(4, 3, 3), waiting=1, seats=4) == SeatStep(table=2)


def test_a_running_table_is_joined_too() -> None:
    assert next_step([table(1, 2, idle=False)], waiting=1, seats=3) == SeatStep(table=1)


def test_nobody_sits_down_in_front_of_a_fantasyland() -> None:
    assert next_step([table(1, 2, locked=True)], waiting=1, seats=3) is None


def test_one_too_many_opens_a_table_which_is_then_filled_from_the_others() -> None:
    assert steps(idle(3, 3, 3), waiting=1) == [OpenStep(players=1), MoveStep(source=3, target=4)]


def test_a_table_that_is_needed_anyway_is_opened_before_anybody_sits_down() -> None:
    assert steps(idle(3, 2), waiting=2) == [OpenStep(players=2)]


def test_late_players_fill_their_own_tables_first() -> None:
    assert steps(idle(3, 3), waiting=5) == [OpenStep(players=2), OpenStep(players=2), SeatStep(table=3)]


def test_a_table_breaks_when_its_players_fit_elsewhere() -> None:
    assert steps(idle(3, 2, 1)) == [BreakStep(table=3), SeatStep(table=2)]


def test_of_two_equally_small_tables_the_higher_number_breaks() -> None:
    assert next_step(idle(2, 1, 3, 1), waiting=0, seats=4) == BreakStep(table=4)


def test_a_table_is_not_broken_while_its_players_fit_only_in_front_of_a_fantasyland() -> None:
    assert next_step([table(1, 2, locked=True), table(2, 1)], waiting=0, seats=3) is None


def test_a_table_is_not_broken_under_those_who_wait_for_the_same_seats() -> None:
    tables = [table(1, 2), table(2, 1), table(3, 1, locked=True), table(4, 1, locked=True)]
    assert steps(tables, waiting=1) == [SeatStep(table=2)]


def test_a_table_in_the_middle_of_a_hand_is_not_broken() -> None:
    assert next_step([table(1, 4), table(2, 1, idle=False)], waiting=0, seats=4) == MoveStep(source=1, target=2)
    assert next_step([table(1, 1, idle=False), table(2, 2, idle=False)], waiting=0, seats=3) is None


def test_an_empty_table_is_closed() -> None:
    assert steps(idle(0, 3)) == [BreakStep(table=1)]
    assert steps(idle(0)) == [BreakStep(table=1)]


def test_the_largest_table_gives_one_to_the_smallest() -> None:
    assert steps(idle(6, 4, 4, 6), seats=6) == [MoveStep(source=4, target=2), MoveStep(source=1, target=3)]


def test_tables_within_one_of_each_other_are_left_alone() -> None:
    assert next_step(idle(3, 3, 2), waiting=0, seats=3) is None


def test_a_lone_player_is_helped() -> None:
    assert steps([*idle(3, 1), table(3, 3, locked=True)]) == [MoveStep(source=1, target=2)]
    assert steps([*idle(2, 1), table(3, 3, locked=True)]) == [BreakStep(table=2), SeatStep(table=1)]
    assert steps([table(1, 1), table(2, 2, idle=False)]) == [BreakStep(table=1), SeatStep(table=2)]


@given(states(quiet=True))
def test_idle_tables_end_as_few_and_as_even_as_can_be(state: tuple[list[SeatingTable], int, int]) -> None:
    tables, waiting, seats = state
    *_, (now, left, _) = walk(tables, waiting, seats)
    everybody = waiting + sum(table.players for table in tables)
    assert left == 0
    assert tuple(sorted((table.players for table in now), reverse=True)) == table_sizes(everybody, seats)


@given(states())
def test_the_steps_end_and_never_come_back(state: tuple[list[SeatingTable], int, int]) -> None:
    seen = [(sorted(now, key=lambda table: table.number), waiting) for now, waiting, _ in walk(*state)]
    assert all(state not in seen[:place] for place, state in enumerate(seen))


@given(states())
def test_nothing_is_opened_after_a_table_broke(state: tuple[list[SeatingTable], int, int]) -> None:
    made = [step for _, _, step in walk(*state)]
    broken = [place for place, step in enumerate(made) if isinstance(step, BreakStep)]
    assert not any(isinstance(step, OpenStep) for step in made[min(broken, default=len(made)) :])


@given(states())
def test_who_loses_his_table_is_seated_at_another(state: tuple[list[SeatingTable], int, int]) -> None:
    tables, waiting, seats = state
    made = list(walk(tables, waiting, seats))
    if any(isinstance(step, BreakStep) for _, _, step in made):
        assert made[-1][1] == 0


@given(states())
def test_a_locked_table_neither_gives_nor_takes_and_a_running_one_does_not_give(
    state: tuple[list[SeatingTable], int, int],
) -> None:
    tables, waiting, seats = state
    *_, (now, _, _) = walk(tables, waiting, seats)
    ends = {table.number: table for table in now}
    assert all(ends[table.number] == table for table in tables if table.locked)
    assert all(ends[table.number].players >= table.players for table in tables if not table.idle)


@given(states())
def test_nobody_is_lost_and_no_table_is_overfull(state: tuple[list[SeatingTable], int, int]) -> None:
    tables, waiting, seats = state
    everybody = waiting + sum(table.players for table in tables)
    for now, left, _ in walk(tables, waiting, seats):
        assert left >= 0
        assert left + sum(table.players for table in now) == everybody
        assert all(0 <= table.players <= seats for table in now)


@given(states())
def test_a_lone_player_waits_only_while_nobody_can_join_him(state: tuple[list[SeatingTable], int, int]) -> None:
    tables, waiting, seats = state
    *_, (now, _, _) = walk(tables, waiting, seats)
    lone = [table for table in now if table.gives and table.players == 1]
    if seats > 2 and lone:
        others = [table for table in now if table is not lone[0] and not table.locked]
        assert all(not table.idle and table.players == seats for table in others)


def test_the_first_after_the_next_button_acts_first() -> None:
    assert first_to_act([0, 1, 2], button=0) == 1
    assert first_to_act([0, 1, 2], button=2) == 0
    assert first_to_act([0, 3, 4], button=1) == 4
    assert first_to_act([0, 1], button=2) == 1
    assert first_to_act([2], button=0) == 2


def test_a_newcomer_acts_as_early_as_the_free_seats_allow() -> None:
    assert worst_seat([0, 1], button=0, seats=4) == 2
    assert worst_seat([0, 2, 3], button=3, seats=4) == 1
    assert worst_seat([1, 2], button=1, seats=3) == 0


def test_a_newcomer_does_not_get_the_button_that_a_leaver_would_have_had() -> None:
    """Seat 1 has the button next and is free, so it goes to seat 3: a newcomer on seat 1 or 2 would take it."""
    assert worst_seat([0, 3], button=1, seats=5) == 4


def test_at_an_empty_table_the_first_seat_after_the_button_is_the_worst() -> None:
    assert worst_seat([], button=1, seats=3) == 2
    assert worst_seat([], button=2, seats=3) == 0


def test_a_full_table_has_no_seat() -> None:
    with pytest.raises(ValueError, match=r".+"):
        worst_seat([0, 1, 2], button=0, seats=3)


@given(st.integers(2, 8).flatmap(lambda seats: st.tuples(st.just(seats), st.sets(st.integers(0, seats - 1)))))
def test_who_takes_the_worst_seat_is_never_last_where_another_seat_is_earlier(drawn: tuple[int, set[int]]) -> None:
    seats, taken = drawn
    for button in range(seats):
        if taken and len(taken) < seats:
            seat = worst_seat(taken, button, seats)
            order = [(first_to_act({*taken, other}, button) == other) for other in {*range(seats)} - taken]
            assert seat not in taken
            assert (first_to_act({*taken, seat}, button) == seat) is any(order)
