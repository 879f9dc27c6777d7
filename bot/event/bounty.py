"""How a bounty is split: pure numbers."""

from __future__ import annotations

from collections.abc import Mapping


def shares(bounty: int, won: Mapping[str, int]) -> dict[str, int]:
    """Who gets how much of a bounty; ``won`` is what each won from the player in their last hand, clockwise.

    It goes by these chips, so that equal winners get equal shares; what does not divide goes to the first of them, a
    chip each. Whoever gets none is left out. Raises ValueError where nobody won anything.
    """
    total = sum(won.values())
    if total <= 0:
        raise ValueError("nobody has won a chip")
    made = {player: bounty * chips // total for player, chips in won.items() if chips > 0}
    for player in list(made)[: bounty - sum(made.values())]:
        made[player] += 1
    return {player: chips for player, chips in made.items() if chips}


def kept(share: int) -> int:
    """What of a share goes onto the winner's own head where bounties grow: half of it, rounded down."""
    return share // 2
