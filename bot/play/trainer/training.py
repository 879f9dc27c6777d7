"""Giving puzzles and judging answers. This module knows the solutions.

Rules:

1. A solver has one puzzle at a time. It stays until they answer it, put it off or choose others.
2. Puzzles that are due come first, then those nearest to the solver's rating that they haven't met. Which of the
   nearest is a function of the solver and the number of their attempts. The first ones are of Pineapple. A harder
   or easier one is so by its own rating.
3. An answer is right if it leads to the best board. The first one changes the ratings of the solver and the puzzle.
4. A missed puzzle comes back (:mod:`bot.play.trainer.repetition`), and so does one that was put off.
5. A withdrawn puzzle is never given. What its missed attempts cost is given back.
6. A puzzle that is a server's puzzle of the day is given to no one, and can't be answered here, until the day is over.
   Those who answered it earlier can still look at it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace

from bot.model.ids import Player
from bot.model.puzzles import HARDEST, NO_PUZZLE, PuzzleAttempt, PuzzleName, PuzzleRecord, PuzzleTraits, Solver
from bot.model.reasons import TrainerReason
from bot.model.refusals import Stale
from bot.play.session.session import Session
from bot.play.trainer.all_puzzles import all_traits, puzzle_named
from bot.play.trainer.known_puzzles import games_with_puzzles, withdrawn_puzzles
from bot.play.trainer.repetition import put_off, repeated
from bot.play.trainer.views import AnswerView, ChoicesView, NoPuzzleView, PuzzleView, SolverView
from bot.pure.ofc.placement import check_placement
from bot.pure.ofc.presets import PINEAPPLE, PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.rating.model import Rating
from bot.pure.trainer.difficulty import attempted
from bot.pure.trainer.puzzle import Puzzle, same_board

NEAREST = 5
"""Number of puzzles nearest to the solver's rating from which one is taken."""
FIRST = 3
"""Number of a newcomer's puzzles that are of Pineapple, the best known game, unless they choose others."""
STEP = 0.5
"""Effect of one step of ``Solver.harder`` on the rating of the puzzles given."""


# giving


def given(s: Session, player: Player) -> PuzzleView | None:
    """Return the puzzle that the player was given and hasn't answered; None if a new one has to be chosen."""
    solver = s.tx.puzzles.solver(player)
    return _current(s, player, solver)


def give(s: Session, player: Player) -> PuzzleView | NoPuzzleView:
    """Return the player's puzzle, or choose a new one."""
    solver = s.tx.puzzles.solver(player)
    return _current(s, player, solver) or _give_new(s, player, solver)


def aim(s: Session, player: Player, *, harder: int, instead_of: PuzzleName) -> PuzzleView | NoPuzzleView:
    """Give the player a puzzle that's harder or easier than ``instead_of``, unless they've left it already.

    Raises Refused if none of the puzzles left is.
    """
    before = s.tx.puzzles.solver(player)
    solver = replace(before, harder=max(-HARDEST, min(HARDEST, harder)))
    if before.shown in ("", instead_of):
        return _give_new(s, player, solver, but=instead_of, way=harder - before.harder)
    if solver == before:
        return _current(s, player, solver) or _give_new(s, player, solver)
    return _give_new(s, player, solver, but=before.shown)


def put_aside(s: Session, player: Player, name: PuzzleName) -> PuzzleView | NoPuzzleView:
    """Let a puzzle come back tomorrow, and give the player another one."""
    _require_open(s, name)
    solver = s.tx.puzzles.solver(player)
    s.tx.puzzles.save_repetition(player, put_off(s.tx.puzzles.repetition(player, name), name, now=s.now))
    if solver.shown != name:
        return _current(s, player, solver) or _give_new(s, player, solver)
    return _give_new(s, player, solver)


def choices(s: Session, player: Player) -> ChoicesView:
    """Return the player's choices, and how many puzzles they leave."""
    solver = s.tx.puzzles.solver(player)
    # The numbers include puzzles of the day, because they'd give away their themes without them.
    fitting, met = _fitting(s, all_records(s), solver), s.tx.puzzles.met(player)
    return ChoicesView(count=len(fitting), unmet=len(fitting.keys() - met), of=_solver_view(solver))


def choose(s: Session, player: Player, change: Callable[[Solver], Solver]) -> ChoicesView:
    """Change the player's theme or games. A puzzle that no longer fits is taken back."""
    solver = change(s.tx.puzzles.solver(player))
    puzzle = puzzle_named(s, solver.shown)
    if puzzle is not None and not _is_wanted(puzzle, solver):
        solver = replace(solver, shown=NO_PUZZLE)
    s.tx.puzzles.save_solver(player, solver)
    return choices(s, player)


def _current(s: Session, player: Player, solver: Solver) -> PuzzleView | None:
    name, record = solver.shown, s.tx.puzzles.puzzle(solver.shown)
    puzzle = puzzle_named(s, name)
    if puzzle is None or is_withdrawn(name, record) or s.tx.day_puzzles.is_open(name, s.now):
        return None
    return puzzle_view(solver, name, puzzle, s.tx.puzzles.attempts(player, name), record)


def _give_new(s: Session, player: Player, solver: Solver, *, but: str = "", way: int = 0) -> PuzzleView | NoPuzzleView:
    """Give the player a puzzle other than ``but``. It's harder if ``way`` is positive, and easier if it's negative."""
    records, secret = all_records(s), s.tx.day_puzzles.open_anywhere(s.now)
    fitting, met = _fitting(s, records, solver), _met(s, player)
    fitting = {name: puzzle for name, puzzle in fitting.items() if name not in secret}
    waiting = [repetition for repetition in s.tx.puzzles.repetitions(player) if repetition.puzzle in fitting]
    due = [repetition.puzzle for repetition in waiting if repetition.due_at <= s.now]
    unmet = {name: rating_of(records.get(name), puzzle) for name, puzzle in fitting.items() if name not in met}
    before = puzzle_named(s, PuzzleName(but)) if way else None
    than = None if before is None else rating_of(records.get(PuzzleName(but)), before)
    if than is not None:
        unmet = {name: rating for name, rating in unmet.items() if way * (rating.mean - than.mean) > 0}
        if not unmet:
            raise Refused(TrainerReason.NONE_HARDER if way > 0 else TrainerReason.NONE_EASIER)
        others = _nearest(player, solver, fitting, unmet, but=but)
    else:
        others = [name for name in due if name != but] or _nearest(player, solver, fitting, unmet, but=but) or due
    name = others[0] if others else NO_PUZZLE
    solver = replace(solver, shown=name)
    s.tx.puzzles.save_solver(player, solver)
    if not name:
        due_at = min((repetition.due_at for repetition in waiting), default=None)
        return NoPuzzleView(count=len(fitting), due_at=due_at, of=_solver_view(solver))
    puzzle = puzzle_named(s, name)
    assert puzzle is not None
    view = puzzle_view(solver, name, puzzle, s.tx.puzzles.attempts(player, name), records.get(name))
    return replace(view, instead_of=than)


def _met(s: Session, player: Player) -> set[PuzzleName]:
    """Return the puzzles that the player has tried or put off, also as puzzles of the day."""
    return s.tx.puzzles.met(player) | s.tx.day_puzzles.answered(player)


def all_records(s: Session) -> dict[PuzzleName, PuzzleRecord]:
    """Return what is known about all puzzles that were tried or withdrawn."""
    return {record.name: record for record in s.tx.puzzles.puzzles()}


def _fitting(
    s: Session, records: Mapping[PuzzleName, PuzzleRecord], solver: Solver
) -> dict[PuzzleName, Puzzle | PuzzleTraits]:
    """Return the open puzzles of the theme and the games that the solver wants."""
    return {name: traits for name, traits in open_puzzles(s, records).items() if _is_wanted(traits, solver)}


def open_puzzles(s: Session, records: Mapping[PuzzleName, PuzzleRecord]) -> dict[PuzzleName, Puzzle | PuzzleTraits]:
    """Return the puzzles that aren't withdrawn. ``records`` are :func:`all_records`."""
    closed = withdrawn_puzzles() | {name for name, record in records.items() if record.withdrawn}
    return {name: traits for name, traits in all_traits(s).items() if name not in closed}


def _is_wanted(traits: Puzzle | PuzzleTraits, solver: Solver) -> bool:
    return solver.theme in (None, traits.theme) and (not solver.games or traits.game in solver.games)


def _nearest(
    player: Player,
    solver: Solver,
    fitting: Mapping[PuzzleName, Puzzle | PuzzleTraits],
    unmet: dict[PuzzleName, Rating],
    *,
    but: str,
) -> list[PuzzleName]:
    """Return one of the puzzles nearest to the rating that the solver wants; empty if there is none."""
    aim = solver.rating.mean + solver.harder * STEP
    names = [name for name in unmet if name != but] or list(unmet)
    if solver.rating.hands < FIRST:
        names = [name for name in names if fitting[name].game == PINEAPPLE.key] or names
    near = sorted(names, key=lambda name: (abs(unmet[name].mean - aim), name))[:NEAREST]
    if not near:
        return []
    drawn = hashlib.sha256(f"{player} {solver.rating.hands} {solver.harder}".encode()).digest()
    return [near[int.from_bytes(drawn[:8], "big") % len(near)]]


def rating_of(record: PuzzleRecord | None, puzzle: Puzzle | PuzzleTraits) -> Rating:
    """Return a puzzle's difficulty, before anyone has tried it the one it was shipped with."""
    return puzzle.difficulty if record is None else record.rating


# looking


def look(s: Session, player: Player, name: PuzzleName) -> PuzzleView | AnswerView:
    """Return a puzzle, with its solution if the player has answered it.

    Raises Refused if it was withdrawn, or is a puzzle of the day that they haven't met.
    """
    puzzle, record = _require_open(s, name)
    solver = s.tx.puzzles.solver(player)
    attempts = s.tx.puzzles.attempts(player, name)
    if attempts and solver.shown != name:
        view = _answer_view(s, player, solver, puzzle, attempts[-1])
        return replace(view, is_latest=s.tx.puzzles.next_attempt(player) == view.attempt.number + 1)
    if not attempts:
        _require_public(s, name)
    return puzzle_view(solver, name, puzzle, attempts, record)


def is_withdrawn(name: PuzzleName, record: PuzzleRecord | None) -> bool:
    """True if a puzzle, about which this is known, was withdrawn."""
    return name in withdrawn_puzzles() or (record is not None and record.withdrawn)


def _require_open(s: Session, name: PuzzleName) -> tuple[Puzzle, PuzzleRecord | None]:
    """Return a puzzle with its figures; raises Refused if it doesn't exist or was withdrawn."""
    puzzle = puzzle_named(s, name)
    if puzzle is None:
        raise Refused(TrainerReason.NO_PUZZLE)
    record = s.tx.puzzles.puzzle(name)
    if is_withdrawn(name, record):
        raise Refused(TrainerReason.PUZZLE_WITHDRAWN)
    return puzzle, record


def _require_public(s: Session, name: PuzzleName) -> None:
    """Raise Refused if a puzzle is a server's puzzle of the day."""
    if s.tx.day_puzzles.is_open(name, s.now):
        raise Refused(TrainerReason.PUZZLE_OF_THE_DAY)


def puzzle_view(
    solver: Solver, name: PuzzleName, puzzle: Puzzle, attempts: list[PuzzleAttempt], record: PuzzleRecord | None
) -> PuzzleView:
    """Return a puzzle without its solution."""
    return PuzzleView(
        name=name,
        variant=puzzle.variant,
        position=puzzle.position,
        difficulty=rating_of(record, puzzle),
        before=attempts[-1] if attempts else None,
        of=_solver_view(solver),
    )


def _answer_view(s: Session, player: Player, solver: Solver, puzzle: Puzzle, attempt: PuzzleAttempt) -> AnswerView:
    name = attempt.puzzle
    choices, repetition = s.tx.puzzles.choices(name), s.tx.puzzles.repetition(player, name)
    shown = [placement.letters for placement in puzzle.placements]
    shares = {letters: choices.get(counted_as(puzzle, letters), 0) for letters in (*shown, attempt.letters)}
    return AnswerView(
        name=name,
        variant=puzzle.variant,
        position=puzzle.position,
        difficulty=rating_of(s.tx.puzzles.puzzle(name), puzzle),
        theme=puzzle.theme,
        attempt=attempt,
        placements=puzzle.placements,
        chosen=index_of(puzzle, attempt.letters),
        gap=puzzle.gap,
        fouls=bound_to_foul(puzzle, attempt.letters),
        people=sum(choices.values()),
        shares={letters: count for letters, count in shares.items() if count},
        due_at=None if repetition is None else repetition.due_at,
        of=_solver_view(solver),
    )


def index_of(puzzle: Puzzle, letters: str) -> int | None:
    """Return the index of the shown placement that leads to the same board; None if there is none."""
    shown = enumerate(placement.letters for placement in puzzle.placements)
    return next((at for at, other in shown if same_board(puzzle.position, other, letters)), None)


def _solver_view(solver: Solver) -> SolverView:
    return SolverView(solver=solver, games=tuple(PRESETS[key] for key in games_with_puzzles()))


# answering


def answer(s: Session, player: Player, name: PuzzleName, letters: str, *, cause: str) -> AnswerView:
    """Judge a placement. Raises Stale if the player has answered the puzzle, and Refused if it can't be answered so.

    The first attempt changes the ratings. A puzzle that the player misses comes back, and each later answer decides
    when it comes back again.
    """
    s.check_not_repeated(cause)
    puzzle, _ = _require_open(s, name)
    solver = s.tx.puzzles.solver(player)
    attempts = s.tx.puzzles.attempts(player, name)
    if attempts and solver.shown != name:
        raise Stale
    _require_public(s, name)
    check_letters(puzzle, letters)
    attempt, solver = record(s, player, solver, name, puzzle, letters, cause=cause, rated=not attempts, at=s.now)
    return _answer_view(s, player, solver, puzzle, attempt)


def check_letters(puzzle: Puzzle, letters: str) -> None:
    """Raise Refused if a puzzle's cards can't be placed like this."""
    to_place = puzzle.variant.streets[puzzle.position.street(puzzle.variant) - 1].to_place
    check_placement(puzzle.position.rows, puzzle.position.held, letters, to_place=to_place)


def record(
    s: Session,
    player: Player,
    solver: Solver,
    name: PuzzleName,
    puzzle: Puzzle,
    letters: str,
    *,
    cause: str,
    rated: bool,
    at: int,
) -> tuple[PuzzleAttempt, Solver]:
    """Store a player's attempt, made at time ``at`` (ms), and return it with the solver after it.

    If it's ``rated``, it changes both ratings.
    """
    solved = same_board(puzzle.position, letters, puzzle.best)
    before = s.tx.puzzles.puzzle(name) or PuzzleRecord(name=name, rating=replace(puzzle.difficulty, hands=0))
    rating = solver.rating
    if rated:
        rating, difficulty = attempted(solver.rating.by(s.now), before.rating, solved=solved)
        rating = replace(rating, at=s.now)
        before = replace(before, rating=difficulty, solved=before.solved + solved)
    attempt = PuzzleAttempt(
        number=s.tx.puzzles.next_attempt(player),
        puzzle=name,
        letters=letters,
        cost=round(100 * cost_of(puzzle, letters)),
        solved=solved,
        rated=rated,
        moved=round(rating.mean - solver.rating.mean, 6),
        at=at,
        cause=cause,
    )
    s.tx.puzzles.save_puzzle(before)
    s.tx.puzzles.save_attempt(player, attempt)
    if rated:
        s.tx.puzzles.count_choice(name, counted_as(puzzle, letters))
    solver = replace(solver, rating=rating, shown=NO_PUZZLE if solver.shown == name else solver.shown)
    s.tx.puzzles.save_solver(player, solver)
    _schedule(s, player, name, solved=solved, rated=rated)
    return attempt, solver


def _schedule(s: Session, player: Player, name: PuzzleName, *, solved: bool, rated: bool) -> None:
    before = s.tx.puzzles.repetition(player, name)
    if not solved or not rated:
        s.tx.puzzles.save_repetition(player, repeated(before, name, solved=solved, now=s.now))
    elif before is not None:
        s.tx.puzzles.drop_repetition(player, name)


def counted_as(puzzle: Puzzle, letters: str) -> str:
    """Return the placement of ``costs`` that leads to the same board."""
    if letters in puzzle.costs:
        return letters
    return next((one for one in puzzle.costs if same_board(puzzle.position, one, letters)), letters)


def bound_to_foul(puzzle: Puzzle, letters: str) -> bool:
    """True if a placement is certain to foul. The search leaves out such placements if there are others."""
    return counted_as(puzzle, letters) not in puzzle.costs


def cost_of(puzzle: Puzzle, letters: str) -> float:
    """Return a placement's loss against the best one, in points."""
    return max(puzzle.costs.values()) if bound_to_foul(puzzle, letters) else puzzle.costs[counted_as(puzzle, letters)]


# withdrawing


def withdraw(s: Session, name: PuzzleName) -> None:
    """Withdraw a puzzle, give back what its missed attempts cost, and let it come back to no one."""
    s.tx.sql.hold_all()
    record, puzzle = s.tx.puzzles.puzzle(name), puzzle_named(s, name)
    if record is None and puzzle is not None:
        record = PuzzleRecord(name=name, rating=replace(puzzle.difficulty, hands=0))
    if record is None or record.withdrawn:
        return
    for player, attempt in s.tx.puzzles.attempts_at(name):
        if attempt.solved or attempt.forgiven:
            continue
        solver = s.tx.puzzles.solver(player)
        rating = replace(solver.rating, mean=round(solver.rating.mean - min(0.0, attempt.moved), 6))
        s.tx.puzzles.save_solver(player, replace(solver, rating=rating))
        s.tx.puzzles.save_attempt(player, replace(attempt, forgiven=True))
    s.tx.puzzles.drop_repetitions(name)
    s.tx.puzzles.save_puzzle(replace(record, withdrawn=True))


def to_withdraw(s: Session) -> list[PuzzleName]:
    """Return the puzzles that the files withdraw and whose attempts aren't forgiven yet."""
    names = withdrawn_puzzles()
    return [record.name for record in s.tx.puzzles.puzzles() if record.name in names and not record.withdrawn]
