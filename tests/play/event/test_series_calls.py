"""Tests of the players who are pinged when a series opens its next date."""

from dataclasses import replace

import pytest

from bot.model.events import Notice, RepeatInterval
from bot.model.ids import Player
from bot.play.event.organisers import flight_acts, organiser
from tests.play.event.event_world import ANY, BOSS, GUILD, MINUTE, A, B, C, D, Scene, structure

LEAGUE = "League"
DAY = 24 * 60
"""Minutes of a day."""


def called(scene: Scene) -> list[Player]:
    """The players who are pinged with the post that opened the event."""
    (told,) = scene.notices(Notice.COMMITTED)
    return list(told.get("players", []))


def play(scene: Scene, series: str = LEAGUE, *, others: tuple[Player, ...] = (A, B, C)) -> None:
    """Hold a date of the series, which the first of the players wins."""
    scene.begin(structure(), *others, series=series)
    scene.knock_out(*others)
    scene.ends()


def follow(scene: Scene, series: str = LEAGUE, organiser_: Player = BOSS.player) -> None:
    """Announce another date of the series."""
    scene.announce(structure(), series=series, organiser=organiser_)


def test_the_players_of_the_last_date_are_pinged_when_the_next_one_opens(scene: Scene) -> None:
    play(scene)
    assert called(scene) == [], "the first date of a series"
    follow(scene)
    assert sorted(called(scene)) == [A, B, C]


@pytest.mark.parametrize("series", ["", "Another"])
def test_other_series_ping_nobody(scene: Scene, series: str) -> None:
    play(scene)
    follow(scene, series)
    assert called(scene) == []


def test_events_without_a_series_ping_nobody(scene: Scene) -> None:
    play(scene, "")
    follow(scene, "")
    assert called(scene) == []


def test_only_one_date_is_called_for(scene: Scene) -> None:
    play(scene)
    follow(scene)
    follow(scene)
    assert called(scene) == [], "the players of the date before it aren't known yet"


def test_a_date_that_was_called_off_does_not_count(scene: Scene) -> None:
    play(scene)
    follow(scene)
    scene.organise(organiser.cancel, why="Rain")
    follow(scene)
    assert sorted(called(scene)) == [A, B, C]


def test_players_who_opted_out_left_or_publish_it_are_not_pinged(scene: Scene) -> None:
    play(scene, others=(A, B, C))

    def opt_out(player: Player) -> None:
        settings = scene.session().tx.choices.member_settings(GUILD, player)
        silent = replace(settings, series_calls=False)
        scene.write(lambda s: s.tx.choices.save_member_settings(GUILD, player, silent))

    opt_out(A)
    scene.write(lambda s: s.tx.members.note_departed(GUILD, [B], at=s.now))
    follow(scene, organiser_=D)
    assert called(scene) == [C]
    scene.organise(organiser.cancel, why="Rain", by=replace(BOSS, manager=True))
    follow(scene, organiser_=C)
    assert called(scene) == []


def test_a_disqualified_player_is_not_pinged(scene: Scene) -> None:
    scene.begin(structure(), A, B, C, series=LEAGUE)
    scene.organise(organiser.disqualify, C, why="cheats")
    scene.knock_out(A, B)
    scene.wait(10 * MINUTE)
    scene.ends()
    follow(scene)
    assert sorted(called(scene)) == [A, B]


def test_the_players_of_all_flights_of_the_last_date_are_pinged_by_their_places(scene: Scene) -> None:
    scene.announce(structure(most=2, least=2), series=LEAGUE, minutes=DAY)
    first = scene.key
    scene.register(A, B, C, D)
    flight = scene.write(
        lambda s: flight_acts.open_flight(s, first, BOSS, ANY, named="{} (Flight {})".format, cause=scene.cause())
    ).key
    scene.key = flight
    scene.take_place(C)
    scene.take_place(D)
    for key, winner, loser in ((first, A, B), (flight, C, D)):
        scene.key = key
        scene.start()
        scene.go_on()
        scene.knock_out(winner, loser)
        scene.ends()
    follow(scene)
    assert called(scene) == [A, C, B, D]


def test_a_repeating_event_pings_its_players_for_the_next_date(scene: Scene) -> None:
    scene.announce(structure(), series=LEAGUE)
    scene.organise(organiser.repeat, every=RepeatInterval.WEEK, zone="UTC", authority=ANY)
    scene.register(A, B, C)
    scene.start()
    scene.go_on()
    scene.knock_out(A, B, C)
    scene.ends()
    scene.key = replace(scene.key, number=scene.key.number + 1)
    assert sorted(called(scene)) == [A, B, C]


def test_a_change_pings_nobody_again(scene: Scene) -> None:
    play(scene)
    follow(scene)
    scene.register(A, B)
    scene.restore()
    first, *others = scene.notices(Notice.COMMITTED)
    assert sorted(first["players"]) == [A, B, C]
    assert all("players" not in told for told in others)
