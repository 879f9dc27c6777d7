"""Seeds by rating and by hand: order, freezing, refusals and proof by the draw."""

from functools import partial
from random import Random
from typing import Any

import pytest

from bot.model.events import Notice, Official
from bot.model.ids import Player
from bot.model.reasons import EventReason, OrganiserReason, PlanReason
from bot.play.event.office import draw_proofs, registration
from bot.play.event.office.event_fields import plain
from bot.play.event.organisers import changing, organiser, seeds
from bot.pure.event.draw import DrawProblem, check_draw
from bot.pure.event.seeding import SeededBy, Seeding, seed_order, spread
from bot.pure.event.structure import Format
from bot.pure.rating.model import Rating, group_of
from tests.play.event.event_world import ANY, BOSS, GUILD, STRANGER, A, B, C, D, E, F, G, H, Scene, somebody, structure

MANAGER = Official(player=Player("3"), manager=True)


def rate(scene: Scene, *, hands: int = 100, **means: float) -> None:
    """Let people be known as that good."""
    group = group_of("classic")
    assert group is not None
    people = {"A": A, "B": B, "C": C, "D": D, "E": E, "F": F, "G": G, "H": H}
    known: dict[str, Rating] = {
        people[name]: Rating(mean=mean, deviation=0.2, hands=hands, at=scene.now) for name, mean in means.items()
    }
    scene.write(lambda s: s.tx.ratings.save_ratings(GUILD, group.key, known))


def seed(scene: Scene, player: Player, place: int, *, by: Official = BOSS) -> None:
    """Move a player to a place in the order."""
    scene.organise(seeds.seed, player, by=by, place=place)


def numbers(scene: Scene) -> list[Player]:
    """The people of a bracket by seed."""
    people = sorted(scene.field().entrants.values(), key=lambda entrant: entrant.number)
    return [entrant.player for entrant in people if entrant.number]


def proof(scene: Scene) -> Any:
    """The record of the draw."""
    return draw_proofs.draw_proof(scene.session(), scene.key)


def model_of_tables(order: list[Player], tables: int) -> list[set[Player]]:
    """Return the seating from a snake deal, computed independently."""
    made: list[set[Player]] = [set() for _ in range(tables)]
    way = [*range(tables), *reversed(range(tables))]
    for place, player in enumerate(order):
        made[way[place % len(way)]].add(player)
    return made


def test_a_bracket_is_seeded_by_rating_and_who_has_none_comes_last_by_draw(scene: Scene) -> None:
    rate(scene, B=1.0, D=2.0, A=-1.0)
    rate(scene, hands=24, C=9.0)  # too few hands to be ranked
    scene.begin(structure(Format.SINGLE, seeding=Seeding.RATING), A, B, C, D, E)
    drawn = [one for one in proof(scene)["order"] if one in (C, E)]
    assert numbers(scene) == [D, B, A, *drawn]
    (told,) = scene.notices(Notice.STARTED)
    assert [player for player, _ in told["seeds"]] == [D, B, A]
    assert told["seeded_by"] == "rating"
    (fact,) = scene.log("seeded")
    assert [player for player, _ in fact.details["seeds"]] == numbers(scene)
    assert fact.details["seeds"][0][1] == round(1000 * (2.0 - 1.96 * 0.2))


def test_a_rating_that_is_kept_from_others_counts_as_none(scene: Scene) -> None:
    rate(scene, A=2.0, B=1.0)
    member_settings = scene.committed.choices.member_settings(GUILD, A)
    hidden = type(member_settings)(
        **{**{n: getattr(member_settings, n) for n in member_settings.__slots__}, "profile_visible": False}
    )
    scene.write(lambda s: s.tx.choices.save_member_settings(GUILD, A, hidden))
    scene.begin(structure(Format.SINGLE, seeding=Seeding.RATING), A, B)
    assert numbers(scene) == [B, A]
    (told,) = scene.notices(Notice.STARTED)
    assert [player for player, _ in told["seeds"]] == [B]


def test_ratings_that_change_after_the_start_change_nothing(scene: Scene) -> None:
    rate(scene, A=1.0, B=2.0, C=3.0, D=4.0)
    scene.begin(structure(Format.SINGLE, seeding=Seeding.RATING), A, B, C, D)
    before, tables = proof(scene), scene.tables()
    rate(scene, A=9.0, B=-9.0, C=0.0, D=0.0)
    assert (numbers(scene), scene.tables()) == ([D, C, B, A], tables)
    assert proof(scene) == before
    assert check_draw(before).ok


@pytest.mark.parametrize("form", [Format.TOURNAMENT, Format.SHOOTOUT])
def test_first_tables_are_spread_by_the_seeds_and_seats_by_the_draw(scene: Scene, form: Format) -> None:
    rate(scene, A=8.0, B=7.0, C=6.0, D=5.0, E=4.0, F=3.0, G=2.0, H=1.0)
    scene.begin(structure(form, seeding=Seeding.RATING), A, B, C, D, E, F, G, H)
    drawn = proof(scene)["order"]
    assert list(map(set, scene.tables().values())) == model_of_tables([A, B, C, D, E, F, G, H], 3)
    for players in scene.tables().values():
        assert players == sorted(players, key=drawn.index)
    assert numbers(scene) == drawn, "the draw's numbers go on deciding what is equal"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_tables_of_seeds_are_the_fewest_and_as_even_as_can_be(seats: int) -> None:
    for people in range(2, 30):
        order = [somebody(number) for number in range(people)]
        made = spread(order, seats)
        assert [set(players) for players in made] == model_of_tables(order, -(-people // seats))
        sizes = sorted(map(len, made))
        assert sizes[-1] - sizes[0] <= 1
        assert sizes[-1] <= seats


def test_by_hand_an_organiser_puts_players_in_order_and_the_rest_follows_by_draw(scene: Scene) -> None:
    scene.announce(structure(Format.DOUBLE, seeding=Seeding.HAND))
    scene.register(A, B, C, D, E)
    for place, player in enumerate((B, C, D), start=1):
        seed(scene, player, place)
    seed(scene, D, 1)
    seed(scene, C, 0)
    assert [scene.entrant(one).seeded for one in (A, B, C, D, E)] == [0, 2, 0, 1, 0]
    scene.start()
    scene.go_on()
    rest = [one for one in proof(scene)["order"] if one in (A, C, E)]
    assert numbers(scene) == [D, B, *rest]
    assert [(fact.actor, fact.details["player"], fact.details["place"]) for fact in scene.log("seed")] == [
        (BOSS.player, B, 1),
        (BOSS.player, C, 2),
        (BOSS.player, D, 3),
        (BOSS.player, D, 1),
    ]


def test_who_withdraws_leaves_the_order_and_comes_back_at_its_end(scene: Scene) -> None:
    scene.announce(structure(Format.SINGLE, seeding=Seeding.HAND))
    scene.register(A, B, C, D)
    for place, player in enumerate((A, B, C), start=1):
        seed(scene, player, place)
    scene.withdraw(A)
    scene.register(A)
    assert scene.entrant(A).seeded == 0
    scene.start()
    scene.go_on()
    assert numbers(scene)[:2] == [B, C]
    assert scene.log("seeded")[0].details["seeds"][:2] == [[B, 1], [C, 2]]


def test_the_whole_order_is_cleared_at_once(scene: Scene) -> None:
    scene.announce(structure(Format.SINGLE, seeding=Seeding.HAND))
    scene.register(A, B)
    seed(scene, B, 1)
    scene.organise(seeds.unseed_all)
    assert [scene.entrant(one).seeded for one in (A, B)] == [0, 0]
    scene.start()
    scene.go_on()
    assert numbers(scene) == proof(scene)["order"]


@pytest.mark.parametrize("chance", range(10))
def test_the_order_is_that_of_a_list_whatever_is_pressed(chance: int) -> None:
    scene, random = Scene(chance), Random(chance)
    scene.announce(structure(Format.SINGLE, seeding=Seeding.HAND))
    people = [A, B, C, D, E, F]
    scene.register(*people)
    model: list[Player] = []
    for _ in range(40):
        player, place = random.choice(people), random.randint(0, 8)
        seed(scene, player, place)
        model = [one for one in model if one != player]
        if place:
            model.insert(place - 1, player)
        assert [scene.entrant(one).seeded for one in model] == list(range(1, len(model) + 1))
        assert all(scene.entrant(one).seeded == 0 for one in people if one not in model)


def test_only_neutral_organisers_seed_and_only_before_the_start(scene: Scene) -> None:
    scene.announce(structure(Format.SINGLE, seeding=Seeding.HAND))
    scene.register(A, B, C)
    scene.refused(OrganiserReason.NOT_ORGANISER, lambda: seed(scene, A, 1, by=STRANGER))
    scene.refused(OrganiserReason.NOT_IN_EVENT, lambda: seed(scene, H, 1))
    seed(scene, A, 1, by=MANAGER)
    scene.refused(EventReason.HAS_RULED, lambda: scene.register(MANAGER.player))
    scene.register(BOSS.player)
    scene.refused(OrganiserReason.PLAYS_HERE, lambda: seed(scene, B, 1))
    scene.start()
    scene.go_on()
    scene.refused(EventReason.EVENT_RUNS, lambda: seed(scene, B, 1, by=MANAGER))
    scene.announce(structure(Format.SINGLE))
    scene.register(A)
    scene.refused(PlanReason.NOT_SEEDED_BY_HAND, lambda: seed(scene, A, 1))


def test_what_seeds_come_from_stays_once_somebody_has_registered(scene: Scene) -> None:
    scene.announce(structure(Format.SINGLE))

    def to(seeding: Seeding) -> None:
        seen = plain(scene.event)["seeding"]
        scene.organise(changing.change, {"seeding": (seen, seeding.value)}, authority=ANY)

    to(Seeding.RATING)
    scene.register(A, B)
    scene.refused(PlanReason.AGREED_ALREADY, partial(to, Seeding.HAND))
    scene.start()
    scene.go_on()
    scene.refused(PlanReason.TOO_LATE_TO_CHANGE, partial(to, Seeding.HAND))


def test_a_bracket_of_a_series_may_be_drawn_all_the_same(scene: Scene) -> None:
    scene.begin(structure(table_seats=3), A, B, C, series="Spring")
    scene.knock_out(C, A, B)
    scene.begin(structure(Format.SINGLE, seeding=Seeding.DRAW), A, B, C, series="Spring")
    assert numbers(scene) == proof(scene)["order"]
    assert "seeding" not in proof(scene)


def test_a_league_has_no_seeds(scene: Scene) -> None:
    rate(scene, A=1.0, B=2.0, C=3.0)
    scene.begin(structure(Format.LEAGUE, seeding=Seeding.RATING), A, B, C)
    assert (scene.log("seeded"), numbers(scene)) == ([], proof(scene)["order"])


def test_the_record_proves_the_seeds_and_shows_another_order_to_be_wrong(scene: Scene) -> None:
    rate(scene, A=1.0, B=2.0)
    scene.begin(structure(Format.SINGLE, seeding=Seeding.RATING), A, B, C, D)
    record = proof(scene)
    assert check_draw(record).ok
    shown = record["seeding"]["seeds"]
    assert [player for player, _ in shown] == numbers(scene)
    assert [figure for _, figure in shown][2:] == [None, None]
    for swap in ([1, 0, 2, 3], [0, 1, 3, 2], [2, 1, 0, 3]):
        wrong = {**record, "seeding": {"by": "rating", "seeds": [shown[at] for at in swap]}}
        assert check_draw(wrong).problem is DrawProblem.ORDER
    spoilt: list[Any] = [{"by": "luck", "seeds": shown}, {"by": "rating", "seeds": [[A, "1"]]}, [], {"by": "rating"}]
    for bad in spoilt:
        assert check_draw({**record, "seeding": bad}).problem is DrawProblem.BAD_FORMAT


def test_equal_figures_stand_in_the_order_of_the_draw() -> None:
    drawn = (D, A, C, B)
    assert seed_order(drawn, {A: 5, C: 5, B: 9}, SeededBy.RATING) == (B, A, C, D)
    assert seed_order(drawn, {A: 2, C: 1}, SeededBy.HAND) == (C, A, D, B)
    assert seed_order(drawn, {}, SeededBy.DRAW) == drawn


def test_registering_again_after_seeding_is_a_new_registration(scene: Scene) -> None:
    scene.announce(structure(Format.SINGLE, seeding=Seeding.HAND))
    scene.register(A, B, C)
    seed(scene, A, 1)
    scene.organise(organiser.unregister, A)
    assert scene.entrant(A).seeded == 0
    seed(scene, B, 1)
    scene.write(partial(registration.register, key=scene.key, player=A, cause=scene.cause()))
    assert [scene.entrant(one).seeded for one in (A, B)] == [0, 1]
