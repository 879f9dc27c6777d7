"""The badge for winning an event, which requires that the winner placed cards."""

import pytest

from bot.model.careers import Badge
from bot.model.events import Notice, Phase
from bot.model.ids import Player
from bot.play.event.floor import floor
from bot.play.event.floor.event_state import read_field
from bot.pure.event.structure import Format
from tests.play.event.event_world import A, B, C, D, E, F, G, H, Scene, structure


def _goes_away(scene: Scene, player: Player = A) -> None:
    scene.write(lambda s: floor.attend(read_field(s, scene.key), player, away=True))


@pytest.mark.parametrize("placed", [True, False])
def test_a_winner_who_never_placed_a_card_earns_no_badge(scene: Scene, placed: bool) -> None:
    scene.begin(structure(Format.SIT_AND_GO), A, B)
    if placed:
        scene.hand(1)
        scene.go_on()
    _goes_away(scene)
    scene.hand(1)
    scene.go_on()
    scene.knock_out(A, B)
    scene.ends(Phase.ENDED)
    assert scene.places() == [A, B]
    assert [earned.badge for earned in scene.committed.badges.of(scene.key.guild, A)] == [Badge.EVENT_WON] * placed
    (ended,) = scene.notices(Notice.ENDED)
    assert ended["badges"] == [[A, Badge.EVENT_WON.value]] * placed


@pytest.mark.parametrize("placed", [True, False])
def test_a_place_on_the_podium_without_a_card_earns_no_badge_after_earlier_events(scene: Scene, placed: bool) -> None:
    scene.begin(structure(Format.SIT_AND_GO), A, B)
    scene.hand(1)
    scene.go_on()
    scene.knock_out(A, B)
    scene.ends()
    scene.begin(structure(Format.LEAGUE, table_seats=2, rounds=1, round_hands=1), A, B, C, D, E, F, G, H)
    if not placed:
        _goes_away(scene)
    home = scene.table_of(A)
    for table in scene.playing():
        two = [seat.player for seat in scene.spot(table).seats]
        winner = A if table == home else two[0]
        (loser,) = {*two} - {winner}
        scene.hand(table, {(winner, loser): 20 if table == home else 10})
    scene.ends()
    first, second, *_ = scene.places()
    assert first == A

    def has_podium(player: Player) -> bool:
        return Badge.EVENT_PODIUM in {earned.badge for earned in scene.committed.badges.of(scene.key.guild, player)}

    assert has_podium(A) is placed
    assert has_podium(second)


@pytest.mark.parametrize("decides", [True, False])
def test_a_sit_and_go_in_whose_first_hand_everybody_is_away_is_called_off(scene: Scene, *, decides: bool) -> None:
    scene.begin(structure(Format.SIT_AND_GO, fee=100), A, B)
    before = scene.wallet(A)
    for player in (A, B):
        _goes_away(scene, player)
    if decides:
        scene.knock_out(A, B)
    else:
        scene.hand(1)
    scene.ends(Phase.CANCELLED)
    assert scene.event.reason == "nobody_played"
    assert [scene.wallet(player) for player in (A, B)] == [before + 100] * 2
    assert scene.notices(Notice.CANCELLED) == [{"reason": "nobody_played", "again": True}]
    assert not scene.notices(Notice.ENDED)
    assert not scene.committed.badges.of(scene.key.guild, A)


def test_one_who_plays_keeps_a_sit_and_go_going_at_all_its_tables(scene: Scene) -> None:
    scene.announce(structure(Format.SIT_AND_GO, table_seats=2, most=4, least=4))
    scene.register(A, B, C, D)
    scene.go_on()
    for player in (B, C, D):
        _goes_away(scene, player)
    other = next(table for table in scene.playing() if table != scene.table_of(A))
    scene.hand(other)
    assert scene.event.phase is Phase.RUNNING, "the other table has yet to show"
    scene.hand(scene.table_of(A))
    scene.go_on()
    assert scene.event.phase is Phase.RUNNING


def test_a_first_hand_that_is_void_tells_nothing_of_who_is_there(scene: Scene) -> None:
    scene.begin(structure(Format.SIT_AND_GO), A, B)
    for player in (A, B):
        _goes_away(scene, player)
    scene.void(1)
    assert scene.event.phase is Phase.RUNNING


def test_a_tournament_goes_on_while_everybody_is_away(scene: Scene) -> None:
    scene.begin(structure(), A, B)
    for player in (A, B):
        _goes_away(scene, player)
    scene.hand(1)
    assert scene.event.phase is Phase.RUNNING
