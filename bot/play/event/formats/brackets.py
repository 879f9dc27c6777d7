"""Brackets, the groups before them, and shoot-outs as everybody may see them: who meets whom, who won, who goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.model.events import Event, EventTable
from bot.model.ids import EventKey, Player, TableId
from bot.model.reasons import EventReason
from bot.play.event.floor import field as fields
from bot.play.event.floor.field import Field, bracket_in, bracket_progress
from bot.play.session.session import Session
from bot.pure.event.bracket import Bracket, Bye, Match, Progress, Seed, Side, Source, Stage, WinnerOf, stage_of
from bot.pure.event.groups import qualified
from bot.pure.event.structure import Format
from bot.pure.ofc.refusals import Refused
from bot.store.transaction import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """One player of a group, with the matches won and lost there."""

    player: Player
    won: int
    lost: int
    through: bool
    """True for one who goes on, once that is settled."""
    by_draw: bool
    """True where nothing but the draw, or the seeds, rank them beside somebody else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTable:
    """A group, the best first; a place in it is sure once the bracket is drawn."""

    number: int
    rows: tuple[GroupRow, ...]
    drawn: bool

    @property
    def through(self) -> list[Player]:
        """Those who go on."""
        return [row.player for row in self.rows if row.through]

    @property
    def behind(self) -> list[Player]:
        """Those who do not, or all while that is open."""
        return [row.player for row in self.rows if not row.through]

    def to_json(self) -> list[list[Player]]:
        """Who goes on, who stays behind, and who was ranked by nothing but the draw: as a notice tells it."""
        return [self.through, self.behind, [row.player for row in self.rows if self.drawn and row.by_draw]]


def group_tables(field: Field, made: Progress) -> tuple[GroupTable, ...]:
    """The groups as they stand; none in other formats."""
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


def told(field: Field) -> dict[str, object]:
    """The groups as a notice tells them; nothing in other formats."""
    made = group_tables(field, bracket_progress(field)) if field.event.format is Format.GROUPS else ()
    return {"groups": [group.to_json() for group in made]} if made else {}


def first_byes(field: Field) -> list[Player]:
    """Return the players whose first match in a bracket comes only in its second round, the best seed first."""
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


def draw_bracket(field: Field, made: Progress) -> None:
    """Write who goes on into the places of the bracket; whoever was disqualified by now leaves theirs to the next."""
    bracket = bracket_in(field)
    people = {entrant.number: entrant for entrant in field.entrants.values() if entrant.number}
    gone = {number for number, entrant in people.items() if entrant.disqualified}
    on = qualified(made.tables, bracket.through, gone)
    for match, seed in zip(bracket.places, on, strict=False):
        field.tx.entrants.save_match(field.key, match, people[seed].player)
    field.note("groups_over", players=[people[seed].player for seed in on])


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """One match of a bracket as it stands."""

    match: Match
    stage: tuple[Stage, int]
    players: tuple[Player | None, Player | None]
    """None where nobody has come yet, or nobody will."""
    bye: bool
    """True where one side comes through without an opponent."""
    winner: Player | None = None
    """Of a match that was decided, by a bye too."""
    hands: int = 0
    """Hands played so far; 0 for a walk-over."""
    table: TableId | None = None
    """Where it is played now."""
    channel: int | None = None
    chips: tuple[int, int] = (0, 0)
    """While it is played."""

    @property
    def number(self) -> int:
        """Of the match."""
        return self.match.number

    @property
    def sources(self) -> tuple[Source, Source]:
        """Where both come from."""
        return self.match.a, self.match.b

    @property
    def ready(self) -> bool:
        """True while it can be played."""
        return self.winner is None and None not in self.players

    @property
    def loser(self) -> Player | None:
        """Who has lost it; None where it is open, or nobody was there to lose it."""
        if self.winner is None:
            return None
        return next((player for player in self.players if player not in (None, self.winner)), None)

    def opponent(self, player: Player) -> Player | None:
        """Whom somebody meets in it."""
        a, b = self.players
        return b if a == player else a


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketView:
    """All matches of a bracket that are played, or that a bye decides, by number."""

    event: Event
    bracket: Bracket
    lines: tuple[MatchLine, ...]
    champion: Player | None
    groups: tuple[GroupTable, ...] = ()
    """What came before it, where there are groups; while they play the bracket itself has no matches yet."""

    @property
    def drawn(self) -> bool:
        """False while groups play for who is in it."""
        return all(group.drawn for group in self.groups)

    def line(self, number: int) -> MatchLine | None:
        """The match of that number; None for one that is never played."""
        return next((line for line in self.lines if line.number == number), None)

    def of(self, player: Player) -> tuple[MatchLine, ...]:
        """The matches that somebody has come to, in order."""
        return tuple(line for line in self.lines if player in line.players)

    def feeds(self, number: int) -> MatchLine | None:
        """The match to which the winner of another one comes; None after the last."""
        return next((line for line in self.lines if WinnerOf(number) in line.sources), None)


def look(s: Session, key: EventKey) -> BracketView:
    """The bracket of an event; raises Refused where it has none, or none yet."""
    field = fields.read_field(s, key)
    if not field.has_bracket:
        raise Refused(EventReason.NO_BRACKET if not field.event.format.heads_up else EventReason.NOT_DRAWN_YET)
    return view_of(field)


def view_of(field: Field) -> BracketView:
    """The bracket of an event that has begun and has one."""
    event = field.event
    bracket, made = bracket_in(field), bracket_progress(field)
    people = {entrant.number: entrant.player for entrant in field.entrants.values() if entrant.number}
    champion = None if made.champion is None else people.get(made.champion)
    lines = tuple(_lines(field, bracket, made, people))
    groups = group_tables(field, made)
    return BracketView(event=event, bracket=bracket, lines=lines, champion=champion, groups=groups)


def _lines(field: Field, bracket: Bracket, made: Progress, people: dict[int, Player]) -> Iterator[MatchLine]:
    played = {info.match: info.accounted for info in field.tx.entrants.event_tables(field.key, over=True) if info.match}
    spots = {spot.info.match: spot for spot in field.spots.values()}
    for match in bracket.matches:
        sides, spot = made.sides[match.number], spots.get(match.number)
        byes = sum(isinstance(side, Bye) for side in sides)
        needless = match.side is Side.FINAL and byes  # the first final has decided it
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
            channel=spot.table.channel if spot else None,
            chips=(field.chips(a), field.chips(b)) if spot and a and b else (0, 0),
        )


def stage_at(s: Session, event: Event, info: EventTable) -> tuple[str, int] | None:
    """The stage of the match that a table plays, a shoot-out's final too; None where it has no name."""
    if event.format is Format.SHOOTOUT and is_final(s.tx, event.key, info):
        return Stage.FINAL.value, 0
    if not info.match:
        return None
    stage, number = stage_of(fields.bracket_of(event.structure, s.tx.entrants.drawn(event.key)), info.match)
    return stage.value, number


# The rounds of a shoot-out: who sat where, who won, and which table is the final.


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """A round of a shoot-out: its tables with their players and winners, and who came through without one."""

    round: int
    tables: tuple[tuple[TableId, tuple[Player, ...], Player | None], ...]
    byes: tuple[Player, ...]

    @property
    def final(self) -> bool:
        """True for the round whose one table has everybody who is left."""
        return self.left == 1

    @property
    def left(self) -> int:
        """How many come through it."""
        return len(self.tables) + len(self.byes)


def rungs(field: Field) -> Iterator[Rung]:
    """The rounds of a shoot-out. A table's players are those of its hands, or those who sit there."""
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
        # Whoever is alone at a table has won it.
        byes = [player for player in alive - seated if field.entrants[player].score >= number]
        yield Rung(round=number, tables=tuple(lines), byes=tuple(sorted(byes)))
        alive = {winner for _, _, winner in lines if winner} | set(byes)


def is_final(tx: Tx, key: EventKey, info: EventTable) -> bool:
    """True for the table that a shoot-out ends with: the only one of its round, past which nobody has come."""
    tables = [one for one in tx.entrants.event_tables(key, over=True) if one.round == info.round]
    through = sum(entrant.score >= info.round for entrant in tx.entrants.of(key))
    return len(tables) == 1 and through <= info.over
