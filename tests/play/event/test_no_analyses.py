"""No help with a deck that several tables play, and no way to learn what others were dealt."""

from __future__ import annotations

from dataclasses import replace

from bot.model.ids import Player
from bot.play.hand import acting, hand_log
from bot.play.trainer import running_hands
from bot.pure.event.structure import Format
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.view import view_for
from bot.pure.trainer.position import Position, position_in
from tests.play.event.event_world import A, B, C, D, E, F, Scene, structure

NO_FANTASYLAND = house_variant("classic", {"fantasyland": "off"})
STRANGER = Player("999")


def begin(scene: Scene) -> None:
    scene.begin(structure(Format.DUPLICATE, round_hands=3), A, B, C, D, E, F, variant=NO_FANTASYLAND)


def turn(scene: Scene, table: int) -> tuple[Player, Position]:
    """Return the player on turn at a table, and their position."""
    spot, session = scene.spot(table), scene.session()
    hand = hand_log.hand_of(session, spot.key, spot.table.hand_no)
    player = Player(hand.seats[hand.waiting[0]].player)
    return player, position_in(view_for(hand, player))


def positions(scene: Scene, table: int) -> dict[Player, Position]:
    """Return the position of each player at a table."""
    spot = scene.spot(table)
    hand = hand_log.hand_of(scene.session(), spot.key, spot.table.hand_no)
    return {Player(seat.player): position_in(view_for(hand, seat.player)) for seat in hand.seats}


def place(scene: Scene, table: int, street: int) -> None:
    """Place for the player on turn."""
    (player, position), spot = turn(scene, table), scene.spot(table)
    to_place = NO_FANTASYLAND.streets[street - 1].to_place
    rows = automatic_placement(position.rows, position.held, to_place=to_place)
    scene.write(
        lambda s: acting.place_cards(
            s, spot.key, player, hand_no=spot.table.hand_no, street=street, rows=rows, cause=scene.cause()
        )
    )


def is_refused(scene: Scene, player: Player, position: Position) -> bool:
    session = scene.session()
    tables = running_hands.others_hands(session)
    return running_hands.is_in_own_hand(session, player, position) or running_hands.is_in_hand(
        session, player, position, tables
    )


def test_what_another_table_shows_of_the_same_deck_is_not_looked_at(scene: Scene) -> None:
    """A player who could try the other table's boards would learn which cards come next."""
    begin(scene)
    for _ in range(3):
        place(scene, 2, street=1)
    _, ahead = turn(scene, 2)
    assert any(ahead.rows)
    assert not is_refused(scene, STRANGER, ahead)
    for player, mine in positions(scene, 1).items():
        for rows in (ahead.rows, *(opponent.rows for opponent in ahead.opponents)):
            placed = {card for row in rows for card in row}
            assert is_refused(scene, player, Position(rows=rows, held=ahead.held)) is (placed == {*mine.held})
    seated, _ = turn(scene, 2)
    assert is_refused(scene, seated, ahead)
    at_table = next(one for one in scene.tables()[2] if one != seated)
    assert is_refused(scene, at_table, replace(ahead, opponents=()))


def test_a_finished_hand_stays_secret_until_all_tables_have_played_the_deck(scene: Scene) -> None:
    begin(scene)
    player, mine = turn(scene, 1)
    scene.hand(1)
    scene.go_on()
    assert is_refused(scene, player, mine)
    scene.hand(2)
    assert not is_refused(scene, player, mine)
