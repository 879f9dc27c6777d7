"""Building the document of an event's public page: its names, links and sentences for one language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.chat.kit.faces import DisplayNames
from bot.model.event_rulings import NEW_SERIES, STRUCK
from bot.model.events import EntrantState, Event, Phase
from bot.model.ids import GuildId, Player, is_computer
from bot.model.standings import EventStanding
from bot.play.event.formats.brackets import BracketView, MatchLine
from bot.play.event.office.public_page import (
    PlayedRound,
    PlayedTable,
    PublicEvent,
    PublicRuling,
    PublicSeries,
)
from bot.play.event.office.views import StandingsLine
from bot.pure.event.bracket import LoserOf, Side, WinnerOf
from bot.pure.event.pairings import Pairings
from bot.pure.event.rounds import per_comparison
from bot.pure.event.structure import Family, Format
from bot.text.event_structure import (
    clock_text,
    fee_lines,
    fixed_payouts,
    group_name,
    how_played,
    kind_name,
    payout_lines,
    play_lines,
    series_rule_text,
    stage_text,
    ties_line,
)
from bot.text.games import full_name
from bot.text.players import computer_name
from bot.text.words import Words
from bot.web.events.document import (
    VERSION,
    EventDocument,
    Group,
    GroupLine,
    Match,
    NextDate,
    Pairing,
    Person,
    Round,
    Ruling,
    Series,
    SeriesLine,
    Standing,
    State,
    TableShown,
    Time,
)

SHOWN_SIDES = {
    Side.WINNERS: "winners",
    Side.LOSERS: "losers",
    Side.FINAL: "final",
    Side.THIRD: "third",
}
RULINGS = {STRUCK: "struck", NEW_SERIES: "series"}
"""Names of the rulings that give and take nothing."""
_ISOLATES = re.compile("[\u2066-\u2069]")
_MENTION = re.compile(r"<(?:@[!&]?|#)\d+>")
HIDDEN = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContext:
    """Everything besides the event that a document depends on."""

    words: Words
    names: DisplayNames
    seen_by_all: Callable[[int], bool]
    """Returns True for channels that everyone in the server can see."""


def public_people(public: PublicEvent) -> list[Player]:
    """Return the players whose names a page shows, if they're known."""
    people = [*_by_number(public), *(line.player for line in _series_lines(public))]
    return [player for player in dict.fromkeys(people) if public.audience.may_name(player)]


def build(public: PublicEvent, context: PageContext) -> EventDocument:
    """Return the document."""
    return _Building(public, context).document()


def plain_title(text: str) -> str:
    """Return a name that people wrote, without mentions of members, roles and channels."""
    return _ISOLATES.sub("", _MENTION.sub(HIDDEN, text))


def _by_number(public: PublicEvent) -> list[Player]:
    lines = sorted(public.view.lines, key=lambda line: (line.entrant.registered_at, line.entrant.player))
    return [line.entrant.player for line in lines]


def _series_lines(public: PublicEvent) -> Sequence[EventStanding]:
    return () if public.series is None else public.series.lines


def _utc(at: int) -> Time:
    return f"{datetime.fromtimestamp(at // 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _time(at: int | None) -> Time | None:
    return None if at is None else _utc(at)


class _Building:
    def __init__(self, public: PublicEvent, context: PageContext) -> None:
        self._public, self._context = public, context
        self._view, self._event, self._words = public.view, public.event, context.words
        self._guild = GuildId(public.event.key.guild)
        self._numbers = {player: number for number, player in enumerate(_by_number(public), start=1)}

    def document(self) -> EventDocument:
        event, view = self._event, self._view
        by_rounds, plays = event.format.family is Family.ROUNDS, event.phase is Phase.RUNNING
        levels = event.format.family is Family.FREEZEOUT and plays
        settled = not event.phase.before or event.structure.pairings is not Pairings.ALL
        return EventDocument(
            version=VERSION,
            language=self._words.language.code,
            title=plain_title(event.name),
            format=event.format.value,
            kind=kind_name(event.structure, self._words),
            game=full_name(event.variant, self._words),
            state=event.phase.value,
            paused=event.paused and plays,
            starts_at=_time(event.starts_at),
            started_at=_time(event.started_at),
            ended_at=_time(event.ended_at),
            most=event.structure.most,
            players=len(view.lines),
            full=view.full,
            playing=sum(line.entrant.playing or _leaves_later(line) for line in view.lines) if plays else 0,
            waiting=len(view.waiting),
            round=event.round if by_rounds and event.round else None,
            rounds=event.structure.rounds if by_rounds and settled and event.structure.rounds else None,
            level=event.level + 1 if levels else None,
            point_value=view.point_value if levels else None,
            pool=view.pool,
            prizes=view.prizes,
            fee=event.structure.fee,
            payouts=fixed_payouts(event.structure),
            rules=tuple(self._rules()),
            begun=view.begun,
            standings=tuple(self._standing(line) for line in view.lines),
            tables=tuple(
                TableShown(
                    number=line.table.number,
                    players=self._people(line.players),
                    match=line.info.match or None,
                )
                for line in view.tables
            ),
            pairings=tuple(self._round(one) for one in self._public.rounds),
            groups=tuple(
                Group(
                    name=group_name(group.number, self._words),
                    lines=tuple(
                        GroupLine(player=self._person(row.player), won=row.won, lost=row.lost, through=row.through)
                        for row in group.rows
                    ),
                )
                for group in view.groups
            ),
            bracket=tuple(self._matches()),
            rulings=tuple(map(self._ruling, self._public.rulings)),
            series=self._series(),
            register=self._post(event) if view.registration_open and not event.phase.over else None,
        )

    def _rules(self) -> Iterator[str]:
        event, words = self._event, self._words
        structure = event.structure
        yield how_played(structure, words, series=event.series)
        yield from play_lines(structure, words, fantasyland=event.variant.fantasyland is not None)
        yield clock_text(event.clock, words)
        yield from fee_lines(structure, words)
        yield from payout_lines(structure, words)
        yield ties_line(structure, words)

    def _ruling(self, ruling: PublicRuling) -> Ruling:
        gives = "points" if self._event.format.family is Family.ROUNDS else "chips"
        return Ruling(
            kind=RULINGS.get(ruling.kind, gives),  # type: ignore[arg-type]
            at=_utc(ruling.at),
            player=None if ruling.player is None else self._person(ruling.player),
            amount=ruling.amount,
            round=ruling.round or None,
            against=None if ruling.against is None else self._person(ruling.against),
        )

    # players

    def _person(self, player: Player) -> Person:
        number = self._numbers.setdefault(player, len(self._numbers) + 1)
        if is_computer(player):
            return Person(number=number, name=computer_name(player, self._words))
        name = None
        if self._public.audience.may_name(player):
            name = _ISOLATES.sub("", self._context.names.plain(self._guild, player, self._words)) or None
        return Person(number=number, name=name)

    def _people(self, players: Iterable[Player]) -> tuple[Person, ...]:
        return tuple(map(self._person, players))

    def label(self, player: Player) -> str:
        """Return a player's name, or their number."""
        return person_text(self._person(player), self._words)

    # standings

    def _standing(self, line: StandingsLine) -> Standing:
        entrant, event = line.entrant, self._event
        by_rounds, placed = event.format.family is Family.ROUNDS, self._view.begun and not entrant.disqualified
        titles = event.structure.titles
        title = titles[line.place - 1] if event.phase is Phase.ENDED and placed and line.place <= len(titles) else ""
        seated = line.table is not None and event.phase is Phase.RUNNING
        return Standing(
            place=line.place if placed else None,
            tied=line.tied and placed,
            player=self._person(entrant.player),
            state=_state(line, event),
            left_after=line.left_after,
            chips=line.chips if line.chips and not by_rounds else None,
            points=entrant.score if by_rounds and not event.phase.before else None,
            per_comparison=self._per_comparison(line),
            hands=entrant.hands,
            prize=entrant.prize,
            bounties=entrant.bounties,
            odd_chip=line.odd_chip,
            by_draw=line.by_draw,
            table=self._view.number_of(line.table) if line.table is not None and seated else None,
            title=plain_title(title) or None,
            struck=line.struck,
            adjusted=self._public.outside.get(entrant.player, 0),
        )

    def _per_comparison(self, line: StandingsLine) -> float | None:
        event = self._event
        if event.format is not Format.DUPLICATE or event.phase.before:
            return None
        drawn = sum(one.entrant.number > 0 for one in self._view.lines)
        others = max(0, event.structure.tables_for(drawn) - 1)
        return round(float(per_comparison(line.entrant.score, line.entrant.hands * others)), 1)

    # rounds and matches

    def _round(self, one: PlayedRound) -> Round:
        return Round(
            number=one.number,
            final=one.final,
            pairings=tuple(map(self._pairing, one.tables)),
            byes=self._people(one.byes),
        )

    def _pairing(self, table: PlayedTable) -> Pairing:
        return Pairing(
            table=self._view.number_of(table.table),
            players=self._people(table.players),
            points=table.points,
            winner=None if table.winner is None else self._person(table.winner),
            corrected=table.corrected,
        )

    def _matches(self) -> Iterator[Match]:
        bracket = self._public.bracket
        if bracket is None:
            return
        for line in bracket.lines:
            side = SHOWN_SIDES.get(line.match.side)
            if side is None:
                continue
            first, second = (None if one is None else self._person(one) for one in line.players)
            yield Match(
                number=line.number,
                side=side,  # type: ignore[arg-type]
                stage=stage_text("event.stage", line.stage[0].value, line.stage[1], self._words),
                players=(first, second),
                sides=self._sides(line, bracket),
                bye=line.bye,
                winner=None if line.winner is None else self._person(line.winner),
                hands=line.hands,
                table=line.table_number if line.table is not None else None,
            )

    def _sides(self, line: MatchLine, bracket: BracketView) -> tuple[str, str]:
        first, second = (
            self._side(player, source, bracket) for player, source in zip(line.players, line.sources, strict=True)
        )
        return first, second

    def _side(self, player: Player | None, source: object, bracket: BracketView) -> str:
        if player is not None:
            return self.label(player)
        before = bracket.line(source.match) if isinstance(source, WinnerOf | LoserOf) else None
        if before is None or before.winner is not None:
            return self._words("bracket.bye")
        key = "bracket.loser_of" if isinstance(source, LoserOf) else "bracket.winner_of"
        return self._words(key, number=before.number)

    # series and links

    def _series(self) -> Series | None:
        series = self._public.series
        if series is None:
            return None
        # The table is a sum of all dates, so a date in a hidden channel hides it.
        shown = all(one == self._event.channel or self._context.seen_by_all(one) for one in series.channels)
        return Series(
            name=plain_title(series.name),
            rule=series_rule_text(series.rule, self._words),
            lines=tuple(self._series_line(series, number) for number in range(len(series.lines))) if shown else (),
            dates_left=series.dates_left,
            over=series.over,
            champions=self._people(series.champions) if shown else (),
            following=self._following(series),
        )

    def _series_line(self, series: PublicSeries, number: int) -> SeriesLine:
        line, place = series.lines[number], series.places[number]
        return SeriesLine(
            place=place.rank,
            tied=place.shared,
            player=self._person(line.player),
            points=line.points,
            events=line.events,
            wins=line.wins,
        )

    def _following(self, series: PublicSeries) -> NextDate | None:
        event = series.following
        if event is None or not (event.page or self._context.seen_by_all(event.channel)):
            return None
        return NextDate(title=plain_title(event.name), starts_at=_time(event.starts_at), register=self._post(event))

    def _post(self, event: Event) -> str | None:
        """Return the address of an event's message; None if it has none or not everyone can see its channel."""
        if event.message is None or not self._context.seen_by_all(event.channel):
            return None
        return f"https://discord.com/channels/{event.key.guild}/{event.channel}/{event.message}"


def person_text(person: Person, words: Words) -> str:
    """Return a player's name, or a label for one without a name."""
    return person.name or words("event_page.unnamed", number=person.number)


def _leaves_later(line: StandingsLine) -> bool:
    """True for a player who has said that they leave after this round, and still plays it."""
    return line.left_after is not None and line.table is not None


def _state(line: StandingsLine, event: Event) -> State:
    entrant = line.entrant
    if entrant.disqualified:
        return "disqualified"
    if event.phase.before or (event.phase is Phase.CANCELLED and event.started_at is None):
        return "checked_in" if entrant.state is EntrantState.CHECKED_IN else "registered"
    if line.gave_up:
        return "gave_up"
    if _leaves_later(line):
        return "playing"
    if line.left_after is not None or line.left_seat:
        return "left"
    if event.phase.over:
        return "done" if event.format.family is Family.ROUNDS or line.place == 1 else "out"
    if not entrant.playing:
        return "out"
    if line.bye:
        return "bye"
    return "playing" if line.table is not None else "waiting"
