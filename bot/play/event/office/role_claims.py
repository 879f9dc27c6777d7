"""Players' claims to the roles that the bot gives: as prizes of events, and to the champions of series and seasons.

A ruling on a finished event changes them. A player without any claim left loses the role, and a new claimant gets it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from bot.model.events import Event, Notice
from bot.model.ids import EventKey, GuildId, Player
from bot.model.standings import Season
from bot.play.bank.seasons import ranking_of
from bot.play.event.floor import floor
from bot.play.event.floor.event_state import read_field
from bot.play.event.formats import series_runs
from bot.play.session.session import Session

ROLES_REFUSED = "roles_refused"
"""Kind of the notice about refused roles."""
RoleClaims = Mapping[int, set[Player]]
"""The players with a claim to each role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleChange:
    """A role to give to a player, or to take from them."""

    player: Player
    role: int
    gives: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedRoles:
    """Changes of roles that the bot wasn't allowed to make, and the organiser to notify."""

    key: EventKey
    told: Player
    changes: tuple[RoleChange, ...]


def role_claims(s: Session, guild: GuildId) -> RoleClaims:
    """Return all claims in a server.

    A series' champions have a claim until its next run is over, and a season's until the next one with a role.
    """
    claims: dict[int, set[Player]] = defaultdict(set)
    for event in s.tx.events.ended(guild):
        for one in event.people:
            if one.place <= len(event.structure.roles) and not one.disqualified:
                claims[event.structure.roles[one.place - 1]].add(one.player)
    for series in s.tx.events.series(guild):
        plan = series_runs.plan_of(s.tx, guild, series)
        if plan.former_role is not None:
            ended = series_runs.run_before(s.tx, guild, series, plan)
            claims[plan.former_role].update(series_runs.champions_among(s.tx, guild, series, ended))
    season = _rewarded_season(s, guild)
    if season is not None and season.role is not None:
        claims[season.role].update(ranking_of(s, guild, season).champions)
    claims.pop(0, None)  # a place without a role
    return claims


def changes_between(before: RoleClaims, after: RoleClaims) -> list[RoleChange]:
    """Return the roles to take and then those to give after claims have changed."""
    nobody = set[Player]()
    taken, given = [], []
    for role in sorted({*before, *after}):
        had, have = before.get(role, nobody), after.get(role, nobody)
        taken += [RoleChange(player=player, role=role, gives=False) for player in sorted(had - have)]
        given += [RoleChange(player=player, role=role, gives=True) for player in sorted(have - had)]
    return [*taken, *given]


def notice_details(s: Session, event: Event, changes: Collection[RoleChange]) -> dict[str, object]:
    """Return the changes that a ruling on an event made, for its notice; empty if there are none.

    ``chosen`` has the roles of champions, each with the manager who chose it; None if it isn't known any more.
    """
    if not changes:
        return {}
    guild = event.key.guild
    terms, season = s.tx.seasons.terms(guild), _rewarded_season(s, guild)
    chosen: dict[int, Player | None] = {one.role: None for one in changes if one.role not in event.structure.roles}
    if season is not None and season.role is not None:
        chosen[season.role] = season.role_by
    if terms.role is not None:
        chosen[terms.role] = terms.role_by
    return {"role_changes": as_rows(changes), "chosen": [[role, by] for role, by in sorted(chosen.items())]}


def _rewarded_season(s: Session, guild: GuildId) -> Season | None:
    """Return the last ended season that had a role for its champions."""
    newest = s.tx.seasons.of(guild, limit=1)
    return s.tx.seasons.with_role(guild, before=newest[0].number + 1) if newest else None


def as_rows(changes: Iterable[RoleChange]) -> list[list[object]]:
    """Return changes as a notice holds them."""
    return [[one.player, one.role, one.gives] for one in changes]


def posted(s: Session, number: int, refused: RefusedRoles | None) -> None:
    """Record that a notice was posted, and queue another one about the roles that couldn't be changed after it."""
    s.tx.outbox.event_posted(number)
    if refused is not None and s.tx.events.get(refused.key) is not None:
        rows = as_rows(refused.changes)
        floor.tell(read_field(s, refused.key), Notice.RULING, what=ROLES_REFUSED, by=refused.told, role_changes=rows)
