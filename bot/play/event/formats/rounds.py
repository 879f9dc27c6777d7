"""Leagues and duplicate events, played for points over rounds with a fixed number of hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from bot.model.clock import HOUR
from bot.model.events import Entrant, EventFact, Notice, Phase
from bot.model.hands import SharedDeal
from bot.model.ids import COMPUTERS, Player, TableId, TableKey, is_computer
from bot.model.tables import WaitReason
from bot.play.event.floor import absences, floor, sheets
from bot.play.event.floor.draws import deck_id, decks_id
from bot.play.event.floor.event_state import SOON_MS, EventState, TableInPlay, rank_entrants, ranking, ranks
from bot.play.event.floor.floor import OpeningTable
from bot.play.hand import dealing, rating_updates
from bot.pure.event import draw
from bot.pure.event.absences import pair_present
from bot.pure.event.pairings import Pairings
from bot.pure.event.rounds import everybody, schedule, seated, settle_rounds
from bot.pure.event.structure import Family
from bot.pure.event.swiss import swiss
from bot.pure.solver.levels import Level

Schedule = tuple[tuple[tuple[int, ...], ...], ...]


@lru_cache(maxsize=16)
def _schedule(players: int, seats: int, rounds: int) -> Schedule:
    return schedule(players, seats, rounds)


def first_tables(field: EventState) -> list[OpeningTable]:
    """Return the tables of the first round."""
    drawn = sum(entrant.number > 0 for entrant in field.entrants.values())
    field.save(replace(field.event, structure=settle_rounds(field.event.structure, drawn)))
    _pair(field, 1)
    return _next_round(field)


def open_table(field: EventState, group: OpeningTable) -> None:
    """Open a table of a round."""
    floor.open_table(field, group.players, round_no=group.round)


def go_on(field: EventState) -> bool:
    """Do everything that can be done now. True if the last round is over."""
    if field.event.hides_shared_decks:
        _duplicate(field)
    else:
        _league(field)
    # Eliminated only now, so that players who have just lost their seat don't get one in the next round.
    floor.put_out_unseated(field)
    if field.spots:
        return False
    if field.event.round >= field.event.structure.rounds or len(field.playing) < 2:
        return True
    if field.event.paused:
        return False
    if field.s.now < next_round_at(field):
        _tell_rest(field)
        _pair(field, field.event.round + 1)
        _remind(field)
        return False
    if awaits_members(field):
        return False
    told = _is_announced(field)
    _pair(field, field.event.round + 1)
    # If these pairings were announced, the tables' own messages say the rest.
    report = {"told": _are_pairings_announced(field)} if told else {"report": build_report(field)}
    groups = _next_round(field)
    if field.event.hides_shared_decks and len(groups) < 2:
        # After eliminations only one table is left, so there's nothing to compare it with.
        field.note("round_without_comparison", round=field.event.round)
        return go_on(field)
    field.note("round_began", round=field.event.round)
    for group in groups:
        open_table(field, group)
    tables = floor.seated_at(field.spots.values())
    _tell(field, round_no=field.event.round, tables=tables, byes=field.unseated, **report)
    return go_on(field)


def _tell(field: EventState, *, round_no: int, tables: list[list[object]], byes: list[Player], **more: object) -> None:
    rounds = field.event.structure.rounds
    floor.tell(field, Notice.ROUND, round=round_no, rounds=rounds, tables=tables, byes=byes, **more)


def _is_announced(field: EventState) -> bool:
    """True if the finished round's results and the next pairings have been announced."""
    fact = field.tx.events.last_fact(field.key, ("round_over",))
    return fact is not None and fact.details["round"] == field.event.round


def _are_pairings_announced(field: EventState) -> bool:
    """True if the next round is paired as announced after the last one. The log has new pairings further down."""
    over = field.tx.events.last_fact(field.key, ("round_over",))
    paired = _paired(field, field.event.round + 1)
    return paired is None or (over is not None and paired.number == over.number + 1)


def _tell_rest(field: EventState) -> None:
    """Announce the round's results and the next pairings once, because the next round starts later."""
    if _is_announced(field):
        return
    number = field.event.round
    field.note("round_over", round=number)
    _pair(field, number + 1)
    groups = _groups(field, number + 1)
    seated = {player for group in groups for player in group.players}
    byes = [entrant.player for entrant in field.playing if entrant.player not in seated]
    pairings = [[0, list(group.players)] for group in groups]
    _tell(
        field,
        round_no=number + 1,
        tables=pairings,
        byes=byes,
        starts_at=next_round_at(field),
        report=build_report(field),
    )


def _remind(field: EventState) -> None:
    """Call the players of the next round once, shortly before it begins."""
    if (at := reminder_at(field)) is None or field.s.now < at:
        return
    number = field.event.round + 1
    field.note("round_soon", round=number)
    players = [player for group in _groups(field, number) for player in group.players if not is_computer(player)]
    floor.tell(
        field,
        Notice.SOON,
        starts_at=next_round_at(field),
        players=players,
        count=len(players),
        round=number,
        rounds=field.event.structure.rounds,
    )


def reminder_at(field: EventState) -> int | None:
    """Return when the next round's players are called (ms); None if they have been or its announcement is recent."""
    at = next_round_at(field) - SOON_MS
    over = field.tx.events.last_fact(field.key, ("round_over", "round_soon"))
    if over is None or over.kind == "round_soon" or over.details["round"] != field.event.round:
        return None
    return at if over.at < at - SOON_MS else None


def build_report(field: EventState) -> dict[str, object]:
    """Return the standings after the rounds so far, as plain values with one row per player, the leader first."""
    event, made = field.event, sheets.scores(field.tx, field.event)
    people, keys = rank_entrants(field)
    order = [entrant for entrant in people if not entrant.disqualified]
    now, before = ranks(keys), _ranks_before(field, order, made)
    if finals := Counter(entrant.place for entrant in order if entrant.place):
        now = {entrant.player: (entrant.place, finals[entrant.place] > 1) for entrant in order}
    rows = [_row(entrant, now, before, made, event.round) for entrant in order]
    if event.structure.pairings is Pairings.SWISS:
        met = sheets.opposition(sheets.sat_together(field.tx, event), {e.player: e.score for e in people})
        rows = [{**row, "met": met[entrant.player]} for row, entrant in zip(rows, order, strict=True)]
    return {"round": event.round, "rows": rows}


def _row(
    entrant: Entrant,
    now: Mapping[Player, tuple[int, bool]],
    before: Mapping[Player, tuple[int, bool]],
    made: sheets.Scores,
    rounds: int,
) -> dict[str, object]:
    player = entrant.player
    place, tied = now[player]
    of_rounds = [made.of(player, number) for number in range(1, rounds + 1)]
    return {
        "player": player,
        "place": place,
        "tied": tied,
        "before": before[player][0] if before else 0,
        "score": entrant.score,
        "hands": entrant.hands,
        "rounds": [None if one is None else one.points for one in of_rounds],
        # In thousandths, because notices hold only integers.
        "shares": [None if one is None or not one.most else round(1000 * one.share) for one in of_rounds],
        "share": round(1000 * made.total(player).share),
    }


def _ranks_before(field: EventState, order: list[Entrant], made: sheets.Scores) -> dict[Player, tuple[int, bool]]:
    """Return the ranks before the latest round; empty after the first."""
    last = field.event.round
    if last < 2:
        return {}
    keys = {}
    met = _opposition_before(field, made, last)
    for entrant in order:
        earned, total = made.of(entrant.player, last) or sheets.DuplicateScore(), made.total(entrant.player)
        former = sheets.DuplicateScore(matched=total.matched - earned.matched, most=total.most - earned.most)
        keys[entrant.player] = (-(entrant.score - earned.points), -float(former.share), -met.get(entrant.player, 0))
    return ranks(keys)


def _opposition_before(field: EventState, made: sheets.Scores, last: int) -> Mapping[Player, int]:
    """Return the Buchholz scores of a Swiss league before its latest round; empty for other pairings."""
    if field.event.structure.pairings is not Pairings.SWISS:
        return {}
    sat = {number: tables for number, tables in sheets.sat_together(field.tx, field.event).items() if number < last}
    scores = {
        e.player: e.score - (made.of(e.player, last) or sheets.DuplicateScore()).points for e in field.entrants.values()
    }
    return sheets.opposition(sat, scores)


def has_next_round(field: EventState) -> bool:
    """True if a round is over and another follows, also during a pause."""
    rounds = field.event.format.family is Family.ROUNDS and field.event.phase is Phase.RUNNING
    return rounds and not field.spots and 0 < field.event.round < field.event.structure.rounds


def last_begun(field: EventState) -> int:
    """Return the last round with tables. A duplicate event skips rounds that can't be compared."""
    fact = field.tx.events.last_fact(field.key, ("round_began",))
    return 1 if fact is None else int(fact.details["round"])


def awaits_members(field: EventState) -> bool:
    """True if the next round is due, and it isn't known yet which of its players have left the server."""
    if not field.s.asks_members or not has_next_round(field) or field.event.paused or len(field.playing) < 2:
        return False
    if field.s.now < next_round_at(field):
        return False
    fact = field.tx.events.last_fact(field.key, ("members_checked",))
    return fact is None or fact.details["round"] != field.event.round


def is_between_rounds(field: EventState) -> bool:
    """True between two rounds."""
    return field.event.format.family is Family.ROUNDS and not field.spots and not field.event.paused


def next_look_at(field: EventState) -> int:
    """Return when the director next has to act between two rounds (ms)."""
    reminder = reminder_at(field)
    return next_round_at(field) if reminder is None else reminder


def next_round_at(field: EventState) -> int:
    """Return the earliest start of the next round (ms)."""
    return (field.event.round_began_at or 0) + field.event.structure.round_hours * HOUR


def _next_round(field: EventState) -> list[OpeningTable]:
    number = field.event.round + 1
    field.save(replace(field.event, round=number, round_began_at=field.s.now))
    return _groups(field, number)


def _groups(field: EventState, number: int) -> list[OpeningTable]:
    """Return the tables of a round with the players still in the event."""
    paired = _paired(field, number)
    if paired is None:
        tables = [] if field.event.structure.pairings is Pairings.SWISS else _planned(field, number)
    else:
        tables = paired.details["tables"]
    groups = (_group(field, [field.entrants[player] for player in table]) for table in tables)
    return [OpeningTable(players=players, round=number) for players in groups if players]


def _planned(field: EventState, number: int) -> list[list[Player]]:
    """Return the tables of a round by the schedule, which is made for all players of the draw."""
    structure = field.event.structure
    people = [entrant.player for entrant in _by_draw(field)]
    if structure.pairings is Pairings.ALL:
        tables = everybody(len(people), structure.table_seats)[number - 1]
    else:
        tables = _schedule(len(people), structure.table_seats, structure.rounds)[number - 1]
    return [[people[index] for index in table] for table in tables]


def _by_draw(field: EventState) -> list[Entrant]:
    return sorted((e for e in field.entrants.values() if e.number), key=lambda entrant: entrant.number)


def drawn_in(field: EventState) -> set[Player]:
    """Return the players who have or had a table in the current round."""
    if not field.event.round:
        return set()
    seated = {player for group in _groups(field, field.event.round) for player in group.players}
    if not seated or any(entrant.number and not entrant.playing for entrant in field.entrants.values()):
        # Between two rounds, the next one may already be paired. Also, a player whose opponent was eliminated later has
        # no table in the pairings but did play.
        seated |= {
            result.player for result in field.tx.entrants.event_results(field.key) if result.round == field.event.round
        }
    return seated


def _group(field: EventState, entrants: list[Entrant]) -> list[Player]:
    """Return the players of a table; empty for a bye.

    Computers fill the seats that the game or the comparison of decks requires.
    """
    players = [entrant.player for entrant in entrants if entrant.playing]
    need = field.event.structure.table_seats if field.event.hides_shared_decks else field.event.variant.min_seats
    missing = need - len(players)
    if not players or missing > len(COMPUTERS[Level.CLUB]) or (missing > 0 and need == 2):
        return []
    return [*players, *COMPUTERS[Level.CLUB][: max(0, missing)]]


# Pairings by the standings, or new ones because players have left


def _paired(field: EventState, number: int) -> EventFact | None:
    """Return the log's pairings of a round; None if the latest ones are for another round."""
    fact = field.tx.events.last_fact(field.key, ("paired", "paired_anew"))
    return fact if fact is not None and fact.details["round"] == number else None


def _pair(field: EventState, number: int) -> None:
    """Pair a round of a Swiss league, or one whose schedule has lost a player, unless it's paired for these players."""
    by_standings = field.event.structure.pairings is Pairings.SWISS
    if not by_standings and not _anyone_left(field):
        return
    order = [e.player for e in (ranking(field) if by_standings else _by_draw(field)) if e.playing]
    fair = [player for player in order if not field.entrants[player].disqualified]
    if _still_fits(_paired(field, number), fair):
        return
    former = sheets.sat_together(field.tx, field.event)
    seats = field.event.structure.table_seats
    met, sat, short = _so_far(fair, former, seats)
    # A missed round isn't a bye.
    missed = absences.missed_rounds(field)
    short = [count - missed.get(player, 0) for player, count in zip(fair, short, strict=True)]
    if by_standings:
        tables = swiss(seats, met=met, short=short)
    else:
        at = {player: index for index, player in enumerate(fair)}
        planned = [[at[player] for player in table if player in at] for table in _planned(field, number)]
        tables = pair_present(planned, seats, met=met, short=short)
    drawn = [[fair[one] for one in seated(table, sat)] for table in tables]
    field.note("paired" if by_standings else "paired_anew", round=number, tables=drawn, people=fair)


def _anyone_left(field: EventState) -> bool:
    """True if a player of the draw has ever left or been eliminated, so that the schedule may not fit."""
    if any(entrant.number and not entrant.playing for entrant in field.entrants.values()):
        return True
    return field.tx.events.last_fact(field.key, (absences.LEFT, absences.BACK)) is not None


def _still_fits(paired: EventFact | None, people: Sequence[Player]) -> bool:
    """True if a round is paired for the players who are there now."""
    if paired is None:
        return False
    if "people" in paired.details:
        return set(paired.details["people"]) == set(people)
    # Pairings of earlier versions name nobody with a bye.
    return {player for table in paired.details["tables"] for player in table} <= set(people)


def _so_far(
    order: list[Player], former: Mapping[int, list[list[Player]]], seats: int
) -> tuple[list[list[int]], list[list[int]], list[int]]:
    """Count how often players have met, how often each has sat in each seat, and each player's short rounds.

    A round is short for a player who sat at a smaller table or at none.
    """
    at = {player: place for place, player in enumerate(order)}
    met = [[0] * len(order) for _ in order]
    sat = [[0] * seats for _ in order]
    short = [len(former)] * len(order)
    for tables in former.values():
        most = max(map(len, tables))
        for table in tables:
            for seat, player in enumerate(table):
                if player not in at:
                    continue
                sat[at[player]][seat] += 1
                short[at[player]] -= len(table) == most
                for other in table:
                    if other != player and other in at:
                        met[at[player]][at[other]] += 1
    return met, sat, short


# leagues


def _league(field: EventState) -> None:
    for spot in list(field.spots.values()):
        if not spot.idle:
            continue
        for seat in spot.people:
            if field.entrants[seat.player].disqualified and not spot.pending:
                floor.unseat(field, spot, seat.player)
        if _played_out(field, spot):
            floor.close_table(field, spot, reason="round_over")
        elif not spot.pausing:
            if field.event.paused:
                floor.wait(field, spot, WaitReason.PAUSE)
            elif spot.info.held:
                floor.wait(field, spot, WaitReason.HELD)
            else:
                floor.deal(field, spot)


def _played_out(field: EventState, spot: TableInPlay) -> bool:
    """True after the table's last hand, including any Fantasyland hand that follows."""
    if not floor.enough(spot) or not spot.people:
        return True
    return spot.info.played >= field.event.structure.round_hands and not spot.pending


# duplicate


def _duplicate(field: EventState) -> None:
    """Deal the same deck at all tables at the same time, and compare them after all have played it."""
    spots = list(field.spots.values())
    if not spots or any(not spot.idle for spot in spots):
        for spot in spots:
            if spot.idle and not spot.pausing:
                floor.wait(field, spot, WaitReason.OTHERS)
        return
    if spots[0].info.board and not _compared(field):
        _compare(field, spots)
    if any(spot.pausing for spot in spots):
        return
    if spots[0].info.played >= field.event.structure.round_hands:
        for spot in spots:
            floor.close_table(field, spot, reason="round_over")
    elif field.event.paused:
        for spot in spots:
            floor.wait(field, spot, WaitReason.PAUSE)
    else:
        _deal_board(field, spots)


def _compared(field: EventState) -> bool:
    return field.event.compared >= field.event.board


def _compare(field: EventState, spots: list[TableInPlay]) -> None:
    """Add each player's points relative to the others who held the same cards."""
    deck = sheets.deck_to_compare(field.tx, field.event)
    tables = 0
    if deck is not None:
        tables = len(deck.seats)
        _score(field, deck)
        keys = [(TableKey(guild=field.key.guild, table=TableId(table)), hand) for table, hand in deck.hands.items()]
        rating_updates.learn_board(field.s, keys)
    field.note("compared", board=field.event.board, tables=tables)
    field.save(replace(field.event, compared=field.event.board))
    if tables > 1:
        floor.tell(field, Notice.SHEET, board=field.event.board)
    for spot in spots:
        # Hidden cards can be shown now.
        field.s.save(spot.table)
        field.refresh(spot)


def _score(field: EventState, deck: sheets.Deck) -> None:
    for table, scores in deck.compared.items():
        for player, score in zip(deck.seats[table], scores, strict=True):
            # Computers that only fill a table have no score.
            if entrant := field.entrants.get(player):
                field.save_entrant(replace(entrant, score=entrant.score + score))


def _deal_board(field: EventState, spots: list[TableInPlay]) -> None:
    number = field.event.board + 1
    field.save(replace(field.event, board=number))
    shared = dealing.SharedDeck(
        deal=SharedDeal(name=deck_id(field.event, number), entropy=_entropy(field)), seed=_seed(field, number)
    )
    button = spots[0].info.played % field.event.structure.table_seats
    for spot in spots:
        floor.deal(field, spot, shared=shared, button=button)


def _seed(field: EventState, number: int) -> bytes:
    """Return a deck's seed, derived from a master seed that's fixed before registration and secret until the end."""
    master = field.s.vault.unseal(field.event.board_sealed, hand_id=decks_id(field.event))
    return draw.board_seed(master, number)


def _entropy(field: EventState) -> tuple[tuple[Player, str], ...]:
    """Return the entropy of all drawn players: one digest of their registrations, in the order of the draw."""
    people = sorted((e for e in field.entrants.values() if e.number), key=lambda entrant: entrant.number)
    added = draw.board_entropy([(entrant.player, entrant.cause) for entrant in people])
    return ((Player(added.player), added.text),)
