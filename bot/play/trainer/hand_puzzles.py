"""Puzzles from finished hands: which positions may become one. This module knows the solutions.

Rules:

1. A clear mistake whose best placement is far enough ahead is a candidate. It stays one until it's settled, so a
   restart loses nothing.
2. Its position may become a puzzle once nothing of the hand is secret: the table is closed, an event is over, no other
   table plays the deck, and the player may see the review.
3. All people in the hand must allow it, and none may have been deleted. Private tables and custom games are left out.
   It's asked again when the puzzle is stored.
4. The puzzle says only what the player saw. The suits are renamed and the cards sorted before anything is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from bot.model.ids import GuildId, Player, TableKey, is_computer, is_pseudonym
from bot.model.mistakes import Mistake
from bot.model.puzzles import PuzzleName
from bot.play.queries.replays import PastHand, past_hand
from bot.play.session.session import Session
from bot.play.trainer import found_puzzles
from bot.play.trainer.known_puzzles import games_with_puzzles
from bot.play.trainer.mistakes import FOR_EVER, paged
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import HandView
from bot.pure.trainer.anonymous import anonymous
from bot.pure.trainer.position import position_in, view_of
from bot.pure.trainer.puzzle import Puzzle


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCandidate:
    """A mistake whose position may make a puzzle. ``view`` is None if it never can."""

    player: Player
    mistake: PuzzleName
    key: TableKey
    view: HandView | None
    """The position without a trace of the hand."""


def next_candidate(
    s: Session, *, serves: Callable[[GuildId], bool], but: Collection[PuzzleName]
) -> HandCandidate | None:
    """Return the newest candidate that can be settled now; None if there is none, or enough puzzles.

    ``serves`` is True for this process's servers, and ``but`` names candidates to leave out.
    """
    if found_puzzles.room(s) <= 0:
        return None
    for player, mistake in paged(s.tx.mistakes.candidates):
        if not serves(mistake.guild) or mistake.name in but:
            continue
        try:
            view = _view(s, player, mistake)
        except Refused as refused:
            if refused.reason not in FOR_EVER:
                continue
            view = None
        except _StillSecretError:
            continue
        return HandCandidate(player=player, mistake=mistake.name, key=mistake.key, view=view)
    return None


class _StillSecretError(Exception):
    """The hand may become public later."""


def _view(s: Session, player: Player, mistake: Mistake) -> HandView | None:
    """Return a mistake's position without a trace of the hand; None if it may not become a puzzle.

    Raises Refused or _StillSecretError if that isn't known yet.
    """
    past = past_hand(s, mistake.key, mistake.hand_no, player)
    event = None if past.table.event is None else s.tx.events.get(past.table.event)
    if past.table.open or (event is not None and not event.phase.over):
        raise _StillSecretError
    view = past.moments[mistake.number].view
    if not _is_allowed(s, past) or view.variant != PRESETS.get(view.variant.key):
        return None
    if view.variant.key not in games_with_puzzles():
        return None
    return view_of(anonymous(position_in(view)), view.variant)


def _is_allowed(s: Session, past: PastHand) -> bool:
    """True if all people in a hand let its positions become puzzles."""
    players = [Player(seat.player) for seat in past.end.seats]
    if past.table.private or any(map(is_pseudonym, players)):
        return False
    people = [player for player in players if not is_computer(player)]
    return all(s.tx.choices.member_settings(past.table.key.guild, player).gives_puzzles for player in people)


def settle(s: Session, candidate: HandCandidate, puzzle: Puzzle | None, *, version: str) -> None:
    """Store the puzzle that a candidate makes, if it makes one. Nothing changes if it's gone or was settled.

    ``version`` is that of the bot, which has verified it.
    """
    s.tx.mistakes.learner(candidate.player)  # locks the player's rows
    mistake = s.tx.mistakes.mistake(candidate.player, candidate.mistake)
    if mistake is None or not mistake.candidate:
        return
    if puzzle is not None:
        try:
            view = _view(s, candidate.player, mistake)
        except (Refused, _StillSecretError):
            return
        if view is not None and position_in(view) == puzzle.position:
            found_puzzles.add(s, puzzle, version=version)
    s.tx.mistakes.settle_candidate(candidate.player, candidate.mistake)
