"""The draw, which no one can choose and anyone can verify."""

import hmac

import pytest

from bot.model.events import Notice
from bot.model.hands import hand_id
from bot.model.reasons import EventReason
from bot.model.tables import Table
from bot.play.event.floor.draws import decks_id, event_id
from bot.play.event.office import draw_proofs
from bot.play.event.organisers import organiser
from bot.pure.event.draw import check_draw, commitment, draw
from bot.pure.event.structure import Format
from bot.pure.ofc.deck import Entropy, frame
from bot.pure.ofc.deck_tree import build_tree, leaves_of, root_of
from tests.play.event.event_world import A, B, C, D, E, F, Scene, structure

EVERYBODY = (A, B, C, D, E, F)


def _numbers(scene: Scene) -> list[str]:
    people = sorted(scene.field().entrants.values(), key=lambda e: e.number)
    return [entrant.player for entrant in people if entrant.number]


def test_the_seed_is_committed_to_before_anybody_registers(scene: Scene) -> None:
    scene.announce(structure())
    committed = scene.event.commitment
    assert scene.event.seed is None
    scene.register(*EVERYBODY)
    scene.start()
    event = scene.event
    assert event.seed is not None
    assert event.commitment == committed == commitment(event=event_id(scene.event), seed=event.seed)


def test_an_event_that_is_called_off_reveals_what_it_had_fixed(scene: Scene) -> None:
    scene.announce(structure())
    committed = scene.event.commitment
    scene.register(A, B)
    scene.organise(organiser.cancel, why="not enough tables")
    seed = scene.event.seed
    assert seed is not None
    assert commitment(event=event_id(scene.event), seed=seed) == committed
    proof = draw_proofs.draw_proof(scene.session(), scene.key)
    assert check_draw(proof).ok
    assert set(proof["order"]) == {A, B}


def test_the_draw_follows_from_the_seed_and_from_what_each_registration_put_in(scene: Scene) -> None:
    scene.begin(structure(), *EVERYBODY)
    seed = scene.event.seed
    assert seed is not None
    entropy = [Entropy(one, scene.entrant(one).cause) for one in EVERYBODY]
    drawn = draw(EVERYBODY, event=event_id(scene.event), label="start", seed=seed, entropy=entropy)
    assert _numbers(scene) == list(drawn)
    assert [scene.entrant(one).number for one in map(type(A), drawn)] == [1, 2, 3, 4, 5, 6]


def test_another_registration_makes_another_draw(scene: Scene) -> None:
    scene.begin(structure(), *EVERYBODY)
    other = Scene()
    other.announce(structure())
    other.register(A)
    other.withdraw(A)
    other.register(*EVERYBODY)
    other.start()
    assert other.event.seed == scene.event.seed
    assert _numbers(other) != _numbers(scene)


def test_seats_follow_from_the_numbers(scene: Scene) -> None:
    scene.begin(structure(), *EVERYBODY)
    drawn = _numbers(scene)
    assert scene.tables() == {1: drawn[0::2], 2: drawn[1::2]}
    assert scene.notices(Notice.STARTED) == [
        {"tables": [[1, drawn[0::2]], [2, drawn[1::2]]], "byes": [], "missed": [], "waited": []}
    ]


def test_there_is_no_record_before_the_draw(scene: Scene) -> None:
    scene.announce(structure())
    scene.register(A, B)
    scene.refused(EventReason.NOT_DRAWN_YET, lambda: draw_proofs.draw_proof(scene.session(), scene.key))


def test_the_record_verifies_also_after_people_came_late_and_entered_again(scene: Scene) -> None:
    scene.announce(structure(late_levels=3, reentries=1))
    scene.register(A, B, C, D, E)
    scene.withdraw(C)
    scene.start()
    # The machine's clock was set back.
    scene.now -= 5000
    scene.register(F)
    scene.now += 10_000
    scene.go_on()
    first = scene.tables()[1]
    scene.knock_out(first[0], first[1])
    scene.register(first[1])
    record = draw_proofs.draw_proof(scene.session(), scene.key)
    assert check_draw(record).ok
    assert record["order"] == [one for one in _numbers(scene) if one != F]


def test_a_bracket_of_a_series_is_seeded_by_its_points(scene: Scene) -> None:
    scene.begin(structure(table_seats=4), A, B, C, D, series="Spring")
    scene.knock_out(C, A)
    scene.go_on()
    scene.knock_out(C, B)
    scene.go_on()
    scene.knock_out(C, D)
    assert scene.places() == [C, D, B, A]
    scene.begin(structure(Format.SINGLE), A, B, C, D, E, series="Spring")
    assert _numbers(scene) == [C, D, B, A, E]
    assert check_draw(draw_proofs.draw_proof(scene.session(), scene.key)).ok


def test_a_bracket_without_a_series_is_drawn(scene: Scene) -> None:
    scene.begin(structure(table_seats=4), A, B, C, D, series="Spring")
    scene.knock_out(C, A, B, D)
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    assert _numbers(scene) == draw_proofs.draw_proof(scene.session(), scene.key)["order"]


def test_numbers_are_1_to_n_without_those_who_did_not_come(scene: Scene) -> None:
    scene.announce(structure())
    scene.register(*EVERYBODY)
    scene.withdraw(C)
    scene.start()
    numbers = {one: scene.entrant(one).number for one in EVERYBODY}
    assert numbers.pop(C) == 0
    assert sorted(numbers.values()) == [1, 2, 3, 4, 5]


# the decks of its tables


def _tables(scene: Scene) -> list[Table]:
    return [spot.table for spot in scene.field().spots.values()]


def _roots_follow(tables: list[Table], master: bytes) -> bool:
    """True when the root of every table is the one that the event's master gives."""
    assert tables
    for table in tables:
        names = [hand_id(table.key, table.tree_from + place, epoch=table.epoch) for place in range(256)]
        secret = hmac.digest(master, frame(b"chaipo/deal/v2/tree", names[0].encode()), "sha256")
        if root_of(names[0], build_tree(leaves_of(secret, names))) != table.commitment:
            return False
    return True


@pytest.mark.parametrize("form", [Format.TOURNAMENT, Format.SINGLE, Format.LEAGUE])
def test_the_decks_of_all_tables_follow_from_what_was_fixed_before_anybody_registered(
    scene: Scene, form: Format
) -> None:
    scene.announce(structure(form))
    (told,) = scene.notices(Notice.COMMITTED)
    scene.register(*EVERYBODY)
    scene.start()
    event = scene.event
    assert told["decks"] == event.board_commitment.hex()
    master = scene.session().vault.unseal(event.board_sealed, hand_id=decks_id(event))
    assert commitment(event=decks_id(event), seed=master) == event.board_commitment
    assert len(_tables(scene)) > 1
    assert _roots_follow(_tables(scene), master)
    assert not _roots_follow(_tables(scene), bytes(32))


def test_after_a_restore_the_decks_follow_from_another_master_and_the_record_shows_both(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    before, tables_before = scene.event.board_commitment, _tables(scene)
    scene.restore()
    event = scene.event
    assert event.board_commitment != before
    assert scene.notices(Notice.COMMITTED)[-1]["again"]
    master = scene.session().vault.unseal(event.board_sealed, hand_id=decks_id(event))
    assert _roots_follow(_tables(scene), master)
    assert not _roots_follow(tables_before, master)
    scene.organise(organiser.cancel, why="lost")
    proof = draw_proofs.draw_proof(scene.session(), scene.key)
    assert proof["decks"]["seed"] == master.hex()
    assert check_draw(proof).ok
    assert not check_draw({**proof, "decks": {**proof["decks"], "event": "other"}}).ok
    (former,) = proof["former_decks"]
    assert former["commitment"] == before.hex()
    assert _roots_follow(tables_before, bytes.fromhex(former["seed"]))


def test_the_master_of_an_event_is_secret_until_its_end(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    assert "decks" not in draw_proofs.draw_proof(scene.session(), scene.key)
