"""An independent model of groups that are followed by a bracket: who beat whom, the groups' tables, and who goes on.

It knows the rules from the documents. Matches that weren't played are known from the bracket, and must have gone to a
player who stays, unless both are gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.model.ids import Player
from bot.play.event.floor.event_state import EventState
from bot.play.event.formats import brackets
from bot.play.event.office import views


@dataclass(kw_only=True)
class Groups:
    """The results of the groups so far."""

    seeds: Mapping[Player, int]
    through: int
    played: dict[frozenset[Player], Player] = field(default_factory=dict)
    """The winners of the matches at the tables."""
    gone: set[Player] = field(default_factory=set)
    """The players who have given up or are disqualified."""
    gone_before: set[Player] | None = None
    """Those who were gone when the bracket was drawn; None before that."""

    def order(self, group: list[Player], won: Mapping[frozenset[Player], Player]) -> list[Player]:
        """A group by wins, then by wins among those who are equal, again while that parts them, and by the draw."""

        def parted(tied: list[Player]) -> list[Player]:
            wins = {one: sum(won.get(frozenset((one, other))) == one for other in tied if other != one) for one in tied}
            parts = [[one for one in tied if wins[one] == count] for count in sorted({*wins.values()}, reverse=True)]
            return tied if len(parts) == 1 else [one for part in parts for one in parted(part)]

        return parted(sorted(group, key=self.seeds.__getitem__))

    def differences(self, now: EventState) -> list[str]:
        """Return where the groups that are shown differ from the model's."""
        found, won = [], dict(self.played)
        view, shown = views.event_view(now.s, now), brackets.bracket_view(now)
        homes = {row.player: group.number for group in view.groups for row in group.rows}
        for line in shown.lines:
            one, other = line.players
            if one is None or other is None or line.winner is None or line.stage[0].value != "group":
                continue
            pair, loser = frozenset((one, other)), other if line.winner == one else one
            if pair in self.played and self.played[pair] != line.winner:
                found.append(f"{line.winner} is told to have won against {loser}")
            if pair not in self.played and (loser not in self.gone or homes[one] != homes[other]):
                found.append(f"{line.winner} was given a match against {loser}")
            won[pair] = line.winner
        for group in view.groups:
            members = [row.player for row in group.rows]
            order = self.order(members, won)
            if members != order:
                found.append(f"group {group.number} is {members}, not {order}")
            for row in group.rows:
                wins = sum(won.get(frozenset((row.player, other))) == row.player for other in members)
                held = sum(frozenset((row.player, other)) in won for other in members if other != row.player)
                if (row.won, row.lost) != (wins, held - wins):
                    found.append(f"{row.player} has won {row.won} and lost {row.lost}, not {wins} of {held}")
            if not group.drawn:
                continue
            if self.gone_before is None:
                self.gone_before = set(self.gone)
            on = [player for player in order if player not in self.gone_before][: self.through]
            if on and {*group.through} != {*on}:
                found.append(f"{group.through} of group {group.number} go through, not {on}")
        return found
