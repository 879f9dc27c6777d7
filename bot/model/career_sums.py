"""What a hand adds to the sums of its players, and which badges it earns: pure, and counted from results alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.model.careers import GREAT_ROYALTIES, Badge, Career, Versus
from bot.model.hands import Result
from bot.model.ids import Player
from bot.model.standings import Paid


def won_by(player: Player, paid: Paid) -> int:
    """The chips that a player has won, negative for a loss."""
    return sum(chips * ((payee == player) - (payer == player)) for (payer, payee), chips in paid.items())


def career_of(result: Result, *, table: int, hand_no: int) -> Career:
    """What a hand adds to a player's career, and the board that may be their best."""
    good = result.royalties > 0
    return Career(
        met=result.met,
        scoops=result.scoops,
        best_royalties=max(0, result.royalties),
        best_table=table if good else 0,
        best_hand=hand_no if good else 0,
    )


def meetings_of(results: Sequence[Result], paid: Paid) -> Iterator[tuple[Player, Versus]]:
    """What a hand adds for each two of its players, from either side."""
    for mine in results:
        for theirs in results:
            if theirs.player != mine.player:
                pair = (mine.player, theirs.player)
                yield (
                    mine.player,
                    Versus(
                        other=theirs.player,
                        hands=1,
                        ahead=int(mine.points > theirs.points),
                        behind=int(mine.points < theirs.points),
                        chips=paid.get(pair[::-1], 0) - paid.get(pair, 0),
                    ),
                )


def badges_of(result: Result, *, stayed_before: bool) -> Iterator[Badge]:
    """What a hand earns; ``stayed_before`` is whether the player's hand before it was a stay."""
    if result.royal:
        yield Badge.ROYAL_FLUSH
    if result.royalties >= GREAT_ROYALTIES:
        yield Badge.GREAT_BOARD
    if stays(result) and stayed_before:
        yield Badge.THREE_FANTASYLANDS
    if result.met > 1 and result.scoops == result.met:
        yield Badge.WHOLE_TABLE


def stays(result: Result) -> bool:
    """True for a Fantasyland after which there is another."""
    return result.in_fantasyland and result.fantasyland > 0
