"""Brackets, groups and shoot-outs: tables that play down to one winner, who advances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.model.events import Entrant, EntrantState, Notice
from bot.model.ids import Player, is_computer
from bot.model.tables import WaitReason
from bot.play.event.floor import floor
from bot.play.event.floor.draws import event_id
from bot.play.event.floor.event_state import EventState, TableInPlay, bracket_in, bracket_progress, next_match
from bot.play.event.floor.floor import OpeningTable
from bot.play.event.formats import brackets, handicaps, seeding
from bot.pure.event.bracket import Progress, Side, Stage, stage_of
from bot.pure.event.draw import draw
from bot.pure.event.seating import deal_out
from bot.pure.event.structure import Format


def first_tables(field: EventState) -> list[OpeningTable]:
    """Return the first tables, by the draw or the seeds."""
    if field.event.format is Format.SHOOTOUT:
        return _next_shootout_round(field)
    return _next_matches(field)


def open_table(field: EventState, group: OpeningTable) -> None:
    """Give the players of a match or shoot-out table their stacks and seats."""
    what = f"match:{group.match}" if group.match else f"round:{group.round}"
    for player in group.players:
        cause = f"event:{field.key.number}:{what}:{player}"
        floor.issue_stack(field, player, handicaps.stack_of(field, player), cause=cause)
    floor.open_table(field, group.players, round_no=group.round, match=group.match)


def go_on(field: EventState) -> bool:
    """Do everything that can be done now. True if the event is decided."""
    if field.event.format is Format.SHOOTOUT:
        floor.remove_gave_up(field)
    _end_tables(field)
    over = _shootout(field) if field.event.format is Format.SHOOTOUT else _bracket(field)
    if field.playing and all(is_computer(entrant.player) for entrant in field.playing):
        return True  # computers don't play on without human players
    if not over:
        _deal(field)
    return over


def _end_tables(field: EventState) -> None:
    """Close the tables with a single player left."""
    for spot in list(field.spots.values()):
        if not spot.idle:
            continue
        for seat in spot.people:
            if _is_gone(field.entrants[seat.player]) and len(spot.seats) > 1:
                floor.unseat(field, spot, seat.player)
        if len(spot.seats) <= 1:
            _won(field, spot)


def _is_gone(entrant: Entrant) -> bool:
    """True if a player in an undecided match was disqualified or has given up."""
    return entrant.disqualified or not entrant.playing


def _won(field: EventState, spot: TableInPlay) -> None:
    winner, info = _winner(field, spot), spot.info
    players = set(spot.stacks)
    floor.close_table(field, spot, reason="match_over")
    for player in players:
        cause = f"event:{field.key.number}:table:{info.table}:{player}"
        floor.take_stack(field, player, cause=cause)
    if winner is None:
        return
    entrant = field.entrants[winner]
    field.save_entrant(replace(entrant, score=entrant.score + 1))
    field.note("won", player=winner, table=info.table, round=info.round, match=info.match)
    if info.match:
        _match_won(field, info.match, entrant, hands=info.accounted)


def _winner(field: EventState, spot: TableInPlay) -> Player | None:
    """Return the last player at a table; None if it's empty.

    In a match, a player who is gone loses to one who isn't, even if they won all chips in their last hand.
    """
    left = spot.seats[0].player if spot.seats else None
    if left is None or not spot.info.match or not _is_gone(field.entrants[left]):
        return left
    people, pairs = _by_seed(field), bracket_progress(field).ready
    pair = next(((people[a], people[b]) for match, a, b in pairs if match.number == spot.info.match), ())
    return next((entrant.player for entrant in pair if not _is_gone(entrant)), left)


# brackets


def _match_won(field: EventState, number: int, winner: Entrant, *, hands: int) -> None:
    """Save the winner of a match and announce the result, with the next opponents of both players.

    The final's result is announced with the end of the event. Group matches aren't announced, because there can be
    eighty of them and the event's message shows the group tables.
    """
    pair = next(({a, b} for match, a, b in bracket_progress(field).ready if match.number == number), set[int]())
    field.tx.entrants.save_match(field.key, number, winner.player)
    made = bracket_progress(field)
    loser = next((entrant for seed, entrant in _by_seed(field).items() if seed in pair - {winner.number}), None)
    if loser is None or made.over:
        return
    _tell_match(field, number, winner, loser, made, hands=hands)
    for entrant in (loser, winner):  # the winner of the match for third place is also out
        if entrant.playing and entrant.number in made.out:
            _put_out(field, entrant)


def _tell_match(
    field: EventState, number: int, winner: Entrant, loser: Entrant, made: Progress, *, hands: int = 0
) -> None:
    """Announce a match's result, unless it's a group's. A player who has given up has no next match."""
    stage, round_no = stage_of(bracket_in(field), number)
    if stage is Stage.GROUP:
        return
    gave_up = not loser.playing and not loser.disqualified
    floor.tell(
        field,
        Notice.MATCH,
        winner=winner.player,
        loser=loser.player,
        hands=hands,
        stage=[stage.value, round_no],
        out=gave_up or loser.number in made.out,
        left=0 if made.champion else len(made.coming),
        champion=made.champion == winner.number,
        next_of_winner=next_match(field, winner.number, made),
        next_of_loser={} if gave_up else next_match(field, loser.number, made),
        **({"gave_up": True} if gave_up else {}),
    )


def _put_out(field: EventState, entrant: Entrant) -> None:
    field.save_entrant(replace(entrant, state=EntrantState.OUT, out_moment=floor.next_moment(field)))
    field.note("out", players=[entrant.player])


def _bracket(field: EventState) -> bool:
    told: dict[str, object] = {}
    while True:
        progress = bracket_progress(field)
        if progress.over:
            _put_out_losers(field, progress.out)
            return True
        if _walk_over(field):
            continue
        if not _groups_are_over(field, progress):
            break
        brackets.draw_bracket(field, progress)
        told = brackets.told(field)
    _put_out_losers(field, progress.out)
    if not field.event.paused:
        matches = _next_matches(field)
        if matches:
            bracket = bracket_in(field)
            stages = [(stage.value, number) for stage, number in (stage_of(bracket, group.match) for group in matches)]
            tables = _open(field, matches)
            # In a group with an odd number of players, one sits out each round.
            waiting = [] if progress.drawn or told else _sit_out(field, progress)
            _tell(field, tables, byes=waiting, stages=stages, **told)
    return False


def _sit_out(field: EventState, progress: Progress) -> list[Player]:
    """Return the players of unfinished groups who have no table."""
    return [player for player in field.unseated if field.entrants[player].number in progress.coming]


def _groups_are_over(field: EventState, progress: Progress) -> bool:
    """True if the bracket can be drawn. A pause delays it."""
    return not (progress.drawn or progress.ready or field.spots or field.event.paused)


def _tell(
    field: EventState,
    tables: list[list[object]],
    *,
    byes: Sequence[Player],
    stages: Sequence[tuple[str, int]],
    **more: object,
) -> None:
    """Announce the next pairings, with the stages of the tables."""
    floor.tell(field, Notice.ROUND, round=field.event.round, rounds=0, tables=tables, byes=byes, stages=stages, **more)


def _open(field: EventState, groups: Sequence[OpeningTable]) -> list[list[object]]:
    """Open the tables of a later round and return them with their players."""
    before = set(field.spots)
    for group in groups:
        open_table(field, group)
    return floor.seated_at(spot for number, spot in field.spots.items() if number not in before)


def stage_in(field: EventState, match: int) -> list[object]:
    """Return a match's stage for a notice."""
    stage, number = stage_of(bracket_in(field), match)
    return [stage.value, number]


def _by_seed(field: EventState) -> dict[int, Entrant]:
    return {entrant.number: entrant for entrant in field.entrants.values() if entrant.number}


def _walk_over(field: EventState) -> bool:
    """Let the opponent of a player who is gone advance without a match. True if there was such a match."""
    people = _by_seed(field)
    played = {spot.info.match for spot in field.spots.values()}
    for match, a, b in bracket_progress(field).ready:
        if match.number not in played and (_is_gone(people[a]) or _is_gone(people[b])):
            winner, loser = (people[b], people[a]) if _is_gone(people[a]) else (people[a], people[b])
            field.tx.entrants.save_match(field.key, match.number, winner.player)
            field.note("walk_over", player=winner.player, match=match.number)
            made = bracket_progress(field)
            if not loser.disqualified and not made.over:
                _tell_match(field, match.number, winner, loser, made)
            if match.side is Side.GROUP:  # a walkover in a group is final
                for gone in (people[a], people[b]):
                    if gone.disqualified and gone.playing:
                        _put_out(field, gone)
            return True
    return False


def _put_out_losers(field: EventState, out: Mapping[int, int]) -> None:
    people = _by_seed(field)
    for seed, far in out.items():
        entrant = people[seed]
        if entrant.playing:
            _put_out(field, entrant)
            # Players who don't qualify from their groups are announced together with the qualifiers.
            if far > 0 and len(field.playing) > 1:
                floor.tell(field, Notice.OUT, players=[[entrant.player, 0]], left=len(field.playing))


def _next_matches(field: EventState) -> list[OpeningTable]:
    """Return the matches that can start now."""
    people, bracket = _by_seed(field), bracket_in(field)
    played = {spot.info.match for spot in field.spots.values()}
    made = [
        OpeningTable(players=[people[a].player, people[b].player], round=bracket.round_of(match), match=match.number)
        for match, a, b in bracket_progress(field).ready
        if match.number not in played
    ]
    field.save(replace(field.event, round=max([field.event.round, *(group.round for group in made)])))
    return made


# shoot-outs


def _shootout(field: EventState) -> bool:
    floor.put_out_unseated(field)
    if field.spots:
        return False
    if len(field.playing) <= 1:
        return True
    if not field.event.paused:
        tables = _open(field, _next_shootout_round(field))
        final = [(Stage.FINAL.value, 0)] if len(tables) == 1 and not field.unseated else []
        _tell(field, tables, byes=field.unseated, stages=final)
    return False


def _next_shootout_round(field: EventState) -> list[OpeningTable]:
    """Draw the tables of the next round. A player who is drawn to a table without opponents has won it.

    If there are seeds, they determine the tables of the first round.
    """
    event = field.event
    assert event.seed is not None
    number = event.round + 1
    field.save(replace(field.event, round=number))
    names = [entrant.player for entrant in field.playing]
    order = draw(names, event=event_id(event), label=f"round {number}", seed=event.seed, entropy=())
    groups = []
    dealt = seeding.tables(field) if number == 1 else ()
    for players in dealt or deal_out(order, event.structure.table_seats):
        if len(players) < 2:
            entrant = field.entrants[Player(players[0])]
            field.save_entrant(replace(entrant, score=entrant.score + 1))
        else:
            groups.append(OpeningTable(players=[Player(player) for player in players], round=number))
    return groups


# dealing


def _deal(field: EventState) -> None:
    for spot in field.spots.values():
        if not spot.idle or spot.pausing:
            continue
        if field.event.paused:
            floor.wait(field, spot, WaitReason.PAUSE)
            continue
        if spot.info.held:
            floor.wait(field, spot, WaitReason.HELD)
            continue
        # A table's point value depends on its own number of hands.
        level = field.event.structure.level_of(spot.info.played + 1)
        floor.deal(field, spot, point_value=field.event.structure.point_value(level))
