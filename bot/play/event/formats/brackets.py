"""Views of brackets, their groups, and shoot-outs: pairings, winners and qualifiers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.model.events import Event, EventTable, Phase
from bot.model.ids import EventKey, Player, TableId
from bot.model.reasons import EventReason
from bot.play.event.floor import event_state as fields
from bot.play.event.floor.event_state import EventState, bracket_in, bracket_progress
from bot.play.session.session import Session
from bot.pure.event.bracket import Bracket, Bye, Match, Progress, Seed, Side, Source, Stage, WinnerOf, stage_of
from bot.pure.event.groups import qualified
from bot.pure.event.structure import Format
from bot.pure.ofc.refusals import Refused
from bot.store.transaction import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """A player's line in a group's table, with wins and losses."""

    player: Player
    won: int
    lost: int
    through: bool
    """True if the player qualifies, once that's certain."""
    by_draw: bool
    """True if only the draw or the seeds separate them from another player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTable:
    """A group's table, best first. Places are final once the bracket is drawn."""

    number: int
    rows: tuple[GroupRow, ...]
    drawn: bool

    @property
    def through(self) -> list[Player]:
        """The players who qualify."""
        return [row.player for row in self.rows if row.through]

    @property
    def behind(self) -> list[Player]:
        """The players who don't qualify, or all players while that's undecided."""
        return [row.player for row in self.rows if not row.through]

    def to_json(self) -> list[list[Player]]:
        """Return the qualifiers, the others, and the players ranked only by the draw, for a notice."""
        return [self.through, self.behind, [row.player for row in self.rows if self.drawn and row.by_draw]]


def group_tables(field: EventState, made: Progress) -> tuple[GroupTable, ...]:
    """Return the current tables of all groups; empty in other formats."""
    if field.event.format is not Format.GROUPS:
        return ()
    people = {entrant.number: entrant.player for entrant in field.entrants.values() if entrant.number}
    on = {made.won[number] for number in bracket_in(field).places if number in made.won}
    return tuple(
        GroupTable(
            number=number,
            rows=tuple(
                GroupRow(
                    player=people[row.seed], won=row.won, lost=row.lost, through=row.seed in on, by_draw=row.by_draw
                )
                for row in rows
            ),
            drawn=made.drawn,
        )
        for number, rows in enumerate(made.tables, start=1)
    )


def told(field: EventState) -> dict[str, object]:
    """Return the groups for a notice; empty in other formats."""
    made = group_tables(field, bracket_progress(field)) if field.event.format is Format.GROUPS else ()
    return {"groups": [group.to_json() for group in made]} if made else {}


def first_byes(field: EventState) -> list[Player]:
    """Return the players whose first match is in the bracket's second round, best seed first."""
    people = {entrant.number: entrant.player for entrant in field.entrants.values() if entrant.number}
    sides = bracket_progress(field).sides
    byes = [
        side.number
        for match in bracket_in(field).matches
        if match.round == 1 and match.side is Side.WINNERS and any(isinstance(one, Bye) for one in sides[match.number])
        for side in sides[match.number]
        if isinstance(side, Seed)
    ]
    return [people[seed] for seed in sorted(byes)]


def draw_bracket(field: EventState, made: Progress) -> None:
    """Save the qualifiers in the bracket's places. The place of a player who is gone goes to the next player."""
    bracket = bracket_in(field)
    people = {entrant.number: entrant for entrant in field.entrants.values() if entrant.number}
    gone = {number for number, entrant in people.items() if entrant.disqualified or not entrant.playing}
    on = qualified(made.tables, bracket.through, gone)
    for match, seed in zip(bracket.places, on, strict=False):
        field.tx.entrants.save_match(field.key, match, people[seed].player)
    field.note("groups_over", players=[people[seed].player for seed in on])


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """A match of a bracket and its current state."""

    match: Match
    stage: tuple[Stage, int]
    players: tuple[Player | None, Player | None]
    """The players on both sides; None for a side that's still open or stays empty."""
    bye: bool
    """True if one side advances without an opponent."""
    winner: Player | None = None
    """Winner of a decided match, including by a bye."""
    hands: int = 0
    """Number of hands played; 0 for a walkover."""
    table: TableId | None = None
    """The match's table while it's being played."""
    table_number: int = 0
    """The table's number for people; 0 without a table."""
    channel: int | None = None
    chips: tuple[int, int] = (0, 0)
    """Stacks while it's being played."""

    @property
    def number(self) -> int:
        """The match's number."""
        return self.match.number

    @property
    def sources(self) -> tuple[Source, Source]:
        """The sources of both sides."""
        return self.match.a, self.match.b

    @property
    def ready(self) -> bool:
        """True if both players are known and the match is undecided."""
        return self.winner is None and None not in self.players

    @property
    def loser(self) -> Player | None:
        """The loser; None if the match is undecided or had only one player."""
        if self.winner is None:
            return None
        return next((player for player in self.players if player not in (None, self.winner)), None)

    def opponent(self, player: Player) -> Player | None:
        """Return the player's opponent in this match."""
        a, b = self.players
        return b if a == player else a


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketView:
    """The matches of a bracket that are played or decided by a bye, by number."""

    event: Event
    bracket: Bracket
    lines: tuple[MatchLine, ...]
    champion: Player | None
    groups: tuple[GroupTable, ...] = ()
    """The groups before the bracket, if any. The bracket has no matches until the groups have finished."""

    @property
    def drawn(self) -> bool:
        """False while groups still play for places in the bracket."""
        return all(group.drawn for group in self.groups)

    def line(self, number: int) -> MatchLine | None:
        """Return the match with that number; None if it's never played."""
        return next((line for line in self.lines if line.number == number), None)

    def of(self, player: Player) -> tuple[MatchLine, ...]:
        """Return the matches that a player has reached, in order."""
        return tuple(line for line in self.lines if player in line.players)

    def feeds(self, number: int) -> MatchLine | None:
        """Return the match that the winner of match ``number`` goes to; None after the last."""
        return next((line for line in self.lines if WinnerOf(number) in line.sources), None)


def look(s: Session, key: EventKey) -> BracketView:
    """Return the bracket of an event. Raises Refused if its format has none or it isn't drawn yet."""
    field = fields.read_field(s, key)
    if not field.has_bracket:
        raise Refused(EventReason.NO_BRACKET if not field.event.format.heads_up else EventReason.NOT_DRAWN_YET)
    return bracket_view(field)


def bracket_view(field: EventState) -> BracketView:
    """Return the bracket of an event that has started and has one."""
    event = field.event
    bracket, made = bracket_in(field), bracket_progress(field)
    people = {entrant.number: entrant.player for entrant in field.entrants.values() if entrant.number}
    champion = None if made.champion is None else people.get(made.champion)
    if event.phase is Phase.ENDED:
        # A ruling may have struck the winner of the final.
        champion = next((entrant.player for entrant in field.entrants.values() if entrant.place == 1), None)
    lines = tuple(_lines(field, bracket, made, people))
    groups = group_tables(field, made)
    return BracketView(event=event, bracket=bracket, lines=lines, champion=champion, groups=groups)


def _lines(field: EventState, bracket: Bracket, made: Progress, people: dict[int, Player]) -> Iterator[MatchLine]:
    played = {info.match: info.accounted for info in field.tx.entrants.event_tables(field.key, over=True) if info.match}
    spots = {spot.info.match: spot for spot in field.spots.values()}
    for match in bracket.matches:
        sides, spot = made.sides[match.number], spots.get(match.number)
        byes = sum(isinstance(side, Bye) for side in sides)
        needless = match.side is Side.FINAL and byes  # decided by the first final
        if byes == len(sides) or needless or match.side is Side.PLACE:
            continue
        if not made.drawn and match.side is not Side.GROUP:
            continue
        a, b = (people.get(side.number) if isinstance(side, Seed) else None for side in sides)
        yield MatchLine(
            match=match,
            stage=stage_of(bracket, match.number),
            players=(a, b),
            bye=byes > 0,
            winner=people.get(made.won.get(match.number, 0)),
            hands=played.get(match.number, 0),
            table=spot.key.table if spot else None,
            table_number=spot.table.number if spot else 0,
            channel=spot.table.channel if spot else None,
            chips=(field.chips(a), field.chips(b)) if spot and a and b else (0, 0),
        )


def stage_at(s: Session, event: Event, info: EventTable) -> tuple[str, int] | None:
    """Return the stage of a table's match or a shoot-out's final; None if it has no name."""
    if event.format is Format.SHOOTOUT and is_final(s.tx, event.key, info):
        return Stage.FINAL.value, 0
    if not info.match:
        return None
    stage, number = stage_of(fields.build_bracket(event.structure, s.tx.entrants.drawn(event.key)), info.match)
    return stage.value, number


# Rounds of a shoot-out.


@dataclass(frozen=True, slots=True, kw_only=True)
class ShootoutRound:
    """A round of a shoot-out: its tables with their players and winners, and the players with a bye."""

    round: int
    tables: tuple[tuple[TableId, tuple[Player, ...], Player | None], ...]
    byes: tuple[Player, ...]

    @property
    def final(self) -> bool:
        """True if the round has a single table and no byes."""
        return self.left == 1

    @property
    def left(self) -> int:
        """Number of players who advance from this round."""
        return len(self.tables) + len(self.byes)


def rungs(field: EventState) -> Iterator[ShootoutRound]:
    """Yield the rounds of a shoot-out. A table's players are those of its past hands and those seated now."""
    key, sat = field.key, field.tx.entrants.sat_at(field.key)
    won = {fact.details["table"]: Player(fact.details["player"]) for fact in field.tx.events.facts(key, "won")}
    tables = field.tx.entrants.event_tables(key, over=True)
    alive = {entrant.player for entrant in field.entrants.values() if entrant.number}
    for number in sorted({table.round for table in tables}):
        lines, seated = [], set[Player]()
        for info in (table for table in tables if table.round == number):
            spot = field.spots.get(info.table)
            here = dict.fromkeys([*sat.get(info.table, ()), *(seat.player for seat in (spot.seats if spot else ()))])
            players = tuple(here) or ((won[info.table],) if info.table in won else ())
            lines.append((info.table, players, won.get(info.table)))
            seated |= set(players)
        # A player who was drawn to a table without opponents has won it.
        byes = [player for player in alive - seated if field.entrants[player].score >= number]
        yield ShootoutRound(round=number, tables=tuple(lines), byes=tuple(sorted(byes)))
        alive = {winner for _, _, winner in lines if winner} | set(byes)


def is_final(tx: Tx, key: EventKey, info: EventTable) -> bool:
    """True if the table is a shoot-out's final, the only table of a round without byes."""
    tables = [one for one in tx.entrants.event_tables(key, over=True) if one.round == info.round]
    through = sum(entrant.score >= info.round for entrant in tx.entrants.of(key))
    return len(tables) == 1 and through <= info.over
