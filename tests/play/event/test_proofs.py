"""Proofs of events after a restore, and the players' inputs to the first decks."""

import hmac
from dataclasses import replace
from functools import partial

from bot.model.ids import TableKey
from bot.model.tables import Seat
from bot.play.event.office import draw_proofs, table_hooks
from bot.play.queries.results import proof_of
from bot.play.session import decks
from bot.play.session.session import Session
from bot.pure.event.draw import check_draw, commitment
from bot.pure.event.structure import Format
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.proof import check_proof
from tests.play.event.event_world import A, B, C, D, E, F, Scene, structure
from tests.pure.ofc import japanese_verifier

EVERYBODY = (A, B, C, D, E, F)


def added(scene: Scene) -> dict[str, str]:
    """Return the inputs of seated players to their tables' next shuffle."""
    return {
        seat.player: seat.entropy
        for spot in scene.field().spots.values()
        for seat in scene.committed.tables.seats(spot.key)
    }


def give(s: Session, *, key: TableKey, seat: Seat) -> None:
    """Let a player give their own text."""
    s.tx.tables.save_seat(key, replace(seat, entropy=f"words of {seat.player}"))


def test_a_duplicate_events_record_shows_the_decks_of_before_and_after_a_restore(scene: Scene) -> None:
    no_fantasyland = house_variant("classic", {"fantasyland": "off"})
    scene.begin(structure(Format.DUPLICATE, round_hands=9), *EVERYBODY, variant=no_fantasyland)
    first = scene.event
    for _ in range(2):
        scene.hands(2)
        scene.restore()
        scene.go_on()
    scene.hands(20)
    assert scene.event.phase.over
    record = draw_proofs.draw_proof(scene.session(), scene.key)
    assert check_draw(record).ok
    assert japanese_verifier.problem(dict(record)) is None
    former, middle = record["former_decks"]
    last = record["decks"]
    names = [each["event"] for each in (former, middle, last)]
    assert names[0] == record["event"]
    assert len(set(names)) == 3
    assert former["commitment"] == first.board_commitment.hex()
    for each in (former, middle, last):
        made = commitment(event=f"{each['event']}/boards", seed=bytes.fromhex(each["seed"]))
        assert made.hex() == each["commitment"]
    # Each deck that was dealt is that of one of the three, by its name.
    seeds = {each["event"]: bytes.fromhex(each["seed"]) for each in (former, middle, last)}
    found = set()
    for spot in scene.session().tx.entrants.event_tables(scene.key, over=True):
        for number in range(1, 50):
            key = TableKey(guild=scene.key.guild, table=spot.table)
            hand = scene.committed.hands.get(key, number)
            if hand is None or hand.shared is None:
                continue
            event, board = hand.shared.name.rsplit("/board/", 1)
            made = hmac.digest(seeds[event], f"board {board}".encode(), "sha256")
            assert decks.seed(scene.vault, key, hand) == made
            proof = proof_of(scene.session(), key, number, None)
            assert check_proof(proof).ok
            assert japanese_verifier.of_deck(dict(proof), dict(record)) is None
            found.add(event)
    assert found == set(names)
    for which in ("decks", "former_decks"):
        other = {
            **record,
            which: [{**former, "seed": "00" * 32}] if which == "former_decks" else {**last, "event": "x"},
        }
        assert not check_draw(other).ok


def test_first_hands_have_what_registered_their_players(scene: Scene) -> None:
    scene.announce(structure())
    scene.register(*EVERYBODY)
    scene.start()
    assert added(scene) == {one: scene.entrant(one).cause for one in EVERYBODY}
    assert all(added(scene).values())
    assert {scene.entrant(one).adds for one in EVERYBODY} == {""}
    scene.go_on()
    first = scene.committed.hands.get(scene.spot(1).key, 1)
    assert first is not None
    assert dict(first.entropy) == {one: scene.entrant(one).cause for one in scene.tables()[1]}
    assert set(added(scene).values()) == {""}


def test_a_press_of_check_in_takes_the_place_of_that_of_registration(scene: Scene) -> None:
    scene.announce(structure(check_in_minutes=15))
    scene.register(A, B, C)
    scene.wait(50 * 60_000)
    scene.check_in(A, B, C)
    before = {one: scene.entrant(one).adds for one in (A, B, C)}
    assert all(before[one] and before[one] != scene.entrant(one).cause for one in before)
    scene.start()
    assert added(scene) == before


def test_a_press_that_enters_again_counts_as_well(scene: Scene) -> None:
    scene.begin(structure(late_levels=3, reentries=1, table_seats=4), A, B, C)
    scene.knock_out(A, C)
    first = scene.entrant(C).cause
    scene.register(C)
    press = str(int(scene.cause()) - 1)
    assert added(scene)[C] == press != first


def test_what_a_player_added_goes_along_to_the_next_table(scene: Scene) -> None:
    scene.begin(structure(), *EVERYBODY)
    (one, *losers), (two, other, loser) = scene.tables().values()
    scene.knock_out(two, loser)
    for player in (one, two, other):
        key = scene.spot(scene.table_of(player)).key
        seat = next(seat for seat in scene.committed.tables.seats(key) if seat.player == player)
        scene.write(partial(give, key=key, seat=seat))
    where = {player: scene.table_of(player) for player in (one, two, other)}
    scene.knock_out(one, *losers)
    assert len(scene.tables()) == 1
    assert [player for player, table in where.items() if scene.table_of(player) != table]
    assert added(scene) == {player: f"words of {player}" for player in where}
    assert {scene.entrant(player).adds for player in where} == {""}


def test_a_table_that_leaves_its_thread_posts_its_root_where_play_goes_on(scene: Scene) -> None:
    scene.announce(structure(threads=True))
    scene.register(*EVERYBODY)
    scene.start()
    key = scene.spot(1).key
    assert scene.write(lambda s: table_hooks.set_thread(s, key, channel=999))
    scene.write(lambda s: s.save(replace(s.table(key), root_message=555)))
    assert scene.write(lambda s: table_hooks.leave_thread(s, key))
    table = scene.spot(1).table
    assert (table.channel, table.root_message) == (scene.event.channel, None)
