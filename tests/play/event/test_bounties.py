"""Bounties: who gets what for taking a player's last chips, and that no chip is made or lost whatever happens."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest

from bot.model.events import EntrantState, Notice, Phase
from bot.model.ids import Player
from bot.model.reasons import PlanReason
from bot.play.event.floor.bounties import kept_share, shares
from bot.play.event.office.event_fields import plain
from bot.play.event.organisers import changing, organiser
from bot.play.queries.results import _bounties
from bot.pure.event.structure import Format, Structure, StructureError, check
from bot.pure.ofc.presets import CLASSIC
from tests.play.event.event_world import ANY, BOSS, A, B, C, D, E, F, Scene, somebody, structure

START = 5000


def plan(**changes: Any) -> Structure:
    """A tournament of 300 chips, of which 100 are on each head."""
    usual: dict[str, Any] = {"fee": 300, "bounty": 100, "payouts": (100,)}
    return structure(**(usual | changes))


def heads(scene: Scene, *players: Player) -> list[int]:
    """Return the bounty on each player's head."""
    return [scene.entrant(one).head for one in players]


def test_whoever_takes_the_last_chips_is_paid_at_once_and_it_is_told(scene: Scene) -> None:
    scene.begin(plan(table_seats=4), A, B, C, D)
    assert heads(scene, A, B, C, D) == [100] * 4
    assert (scene.view().pool, scene.pool()) == (800, 1200)
    scene.knock_out(A, B)
    assert (scene.wallet(A), scene.wallet(B), scene.pool()) == (START - 300 + 100, START - 300, 1100)
    assert heads(scene, A, B, C, D) == [100, 0, 100, 100]
    assert scene.entrant(A).bounties == 100
    (told,) = scene.notices(Notice.OUT)
    assert told["bounties"] == [[A, B, 100, 0]]
    assert _bounties(scene.session(), scene.spot(1).table, 1) == ((A, B, 100),)
    assert _bounties(scene.session(), scene.spot(1).table, 2) == ()
    assert scene.view().prizes == (800,)
    scene.check_books()


def test_at_the_end_the_winner_keeps_their_own_and_the_places_share_the_rest(scene: Scene) -> None:
    scene.begin(plan(payouts=(60, 40)), A, B, C)
    scene.knock_out(A, B)
    scene.go_on()
    scene.knock_out(A, C)
    scene.ends()
    assert [scene.wallet(one) for one in (A, B, C)] == [START - 300 + 300 + 360, START - 300, START - 300 + 240]
    assert (scene.entrant(A).bounties, scene.entrant(A).prize, scene.pool()) == (300, 360, 0)
    assert heads(scene, A, B, C) == [0, 0, 0]


def test_several_share_by_the_chips_that_they_won(scene: Scene) -> None:
    scene.begin(plan(table_seats=4), A, B, C, D)
    # At 10 chips a point A loses 1,000: 300 to B and 700 to C.
    scene.hand(1, {(B, A): 30, (C, A): 70})
    assert [scene.wallet(one) - START + 300 for one in (B, C, D)] == [30, 70, 0]
    assert {tuple(row) for row in scene.notices(Notice.OUT)[0]["bounties"]} == {(B, A, 30, 0), (C, A, 70, 0)}


def test_odd_chips_go_clockwise_from_the_button(scene: Scene) -> None:
    scene.begin(plan(table_seats=4, bounty=101), A, B, C, D)
    spot = scene.spot(1)
    scene.hand(1, {(B, A): 50, (C, A): 50})
    seats = [seat.player for seat in spot.seats]
    button = next(at for at, seat in enumerate(spot.seats) if seat.number == spot.table.button)
    clockwise = [seats[(button + 1 + step) % len(seats)] for step in range(len(seats))]
    first = min((B, C), key=clockwise.index)
    assert {one: scene.entrant(one).bounties for one in (B, C)} == {first: 51, ({B, C} - {first}).pop(): 50}


def test_where_bounties_grow_half_goes_onto_the_winners_own_head(scene: Scene) -> None:
    scene.begin(plan(table_seats=4, bounty_grows=True, bounty=101), A, B, C, D)
    scene.knock_out(A, B)
    assert (scene.entrant(A).bounties, heads(scene, A, B, C)) == (51, [151, 0, 101])
    assert scene.notices(Notice.OUT)[0]["bounties"] == [[A, B, 51, 50]]
    scene.go_on()
    scene.knock_out(C, A)
    assert (scene.entrant(C).bounties, heads(scene, C)) == (76, [176])
    scene.go_on()
    scene.knock_out(C, D)
    scene.ends()
    # C had won half of D's bounty in chips, and the other half was added to C's own head.
    assert scene.entrant(C).bounties == 76 + 51 + 176 + 50
    assert sum(scene.entrant(one).bounties for one in (A, B, C, D)) == 4 * 101


def test_who_is_out_by_the_same_hand_is_paid_all_of_a_share_and_of_what_was_before_it() -> None:
    both_out = 0
    for one, two, three in permutations((A, B, C)):
        scene = Scene()
        scene.begin(plan(table_seats=4, bounty_grows=True), A, B, C, D)
        # Two wins chips from one and loses everything to three in the same hand. Seats decide the order of payments.
        scene.hand(1, {(two, one): 40, (three, one): 60, (three, two): 200})
        out = {player for player in (A, B, C, D) if scene.entrant(player).state is EntrantState.OUT}
        paid = {
            (winner, loser): (chips, grows) for winner, loser, chips, grows in scene.notices(Notice.OUT)[0]["bounties"]
        }
        scene.check_books()
        if out != {one, two} or (two, one) not in paid:
            continue
        both_out += 1
        assert paid[two, one] == (40, 0), "who is out has no head any more"
        assert paid[three, one] == (30, 30)
        assert paid[three, two] == (50, 50), "of what lay there before the hand"
        assert heads(scene, one, two, three) == [0, 0, 180]
    assert both_out


def test_each_entry_carries_a_new_bounty(scene: Scene) -> None:
    scene.begin(plan(table_seats=3, late_levels=3, reentries=1), A, B, C)
    scene.knock_out(A, B)
    scene.register(B)
    assert (heads(scene, A, B), scene.pool(), scene.view().pool) == ([100, 100], 1100, 800)
    scene.go_on()
    scene.knock_out(A, C)
    scene.go_on()
    scene.knock_out(A, B)
    scene.ends()
    assert scene.wallet(A) == START - 300 + 3 * 100 + 100 + 800
    assert scene.wallet(B) == START - 600


def test_the_bounty_of_somebody_disqualified_goes_into_the_prizes(scene: Scene) -> None:
    scene.begin(plan(table_seats=3), A, B, C)
    scene.organise(organiser.disqualify, C, why="rude")
    assert scene.view().pool == 600, "it can still be taken back"
    scene.hand(1)
    assert scene.entrant(C).state is EntrantState.OUT
    assert (scene.view().pool, scene.view().prizes) == (700, (700,))
    (fact,) = scene.log("bounty_back")
    assert (fact.details["player"], fact.details["amount"]) == (C, 100)
    scene.go_on()
    scene.knock_out(A, B)
    scene.ends()
    assert [scene.wallet(one) for one in (A, B, C)] == [START - 300 + 200 + 700, START - 300, START - 300]


def test_who_was_to_leave_and_loses_their_last_chips_first_is_knocked_out(scene: Scene) -> None:
    scene.begin(plan(table_seats=3), A, B, C)
    scene.organise(organiser.disqualify, C, why="rude")
    scene.knock_out(A, C)
    assert (scene.entrant(A).bounties, scene.log("bounty_back")) == (100, [])


@pytest.mark.parametrize("bounty_grows", [False, True])
def test_called_off_everybody_gets_back_what_nobody_has_won(scene: Scene, bounty_grows: bool) -> None:
    scene.begin(plan(table_seats=4, added=70, bounty_grows=bounty_grows), A, B, C, D)
    scene.knock_out(A, B)
    scene.organise(organiser.disqualify, D, why="rude")
    scene.go_on()
    scene.hand(1)
    assert scene.entrant(D).state is EntrantState.OUT
    scene.organise(organiser.cancel, why="power cut")
    scene.ends(Phase.CANCELLED)
    assert [scene.wallet(one) for one in (A, B, C, D)] == [START + 100, START - 100, START, START]
    assert (scene.pool(), heads(scene, A, B, C, D)) == (0, [0] * 4)


def test_before_the_start_all_of_the_fee_comes_back(scene: Scene) -> None:
    scene.announce(plan())
    scene.register(A, B, C)
    scene.withdraw(A)
    scene.organise(organiser.disqualify, B, why="rude")
    assert ([scene.wallet(one) for one in (A, B)], heads(scene, A, B, C)) == ([START, START], [0, 0, 100])
    scene.organise(organiser.cancel, why="rain")
    scene.ends(Phase.CANCELLED)
    assert scene.wallet(C) == START


def test_where_all_of_the_fee_is_bounty_no_place_is_paid_and_there_is_no_bubble(scene: Scene) -> None:
    scene.begin(plan(fee=100, table_seats=3, payouts=()), A, B, C, D, E, F)
    assert (scene.view().pool, scene.view().prizes) == (0, ())
    first = scene.tables()[1]
    scene.knock_out(first[0], *first[1:])
    assert not scene.event.hand_for_hand
    scene.go_on()
    left = [entrant.player for entrant in scene.field().playing]
    while len(left) > 1:
        here = scene.tables()[scene.table_of(left[0])]
        scene.knock_out(here[0], here[1])
        scene.go_on()
        left = [entrant.player for entrant in scene.field().playing]
    scene.ends()
    assert sum(scene.entrant(one).prize for one in (A, B, C, D, E, F)) == 0
    assert sum(scene.entrant(one).bounties for one in (A, B, C, D, E, F)) == 600


def test_what_cannot_be_is_refused_with_the_reason() -> None:
    with pytest.raises(StructureError, match="bounty_above_fee"):
        check(plan(bounty=301), CLASSIC)
    for form in (Format.SINGLE, Format.SHOOTOUT):
        with pytest.raises(StructureError, match="bounty_only_freezeout"):
            check(structure(form, fee=300, bounty=100), CLASSIC)
    check(plan(bounty=300), CLASSIC)
    check(structure(Format.SIT_AND_GO, most=3, fee=10, bounty=5), CLASSIC)


def test_bounties_stay_once_somebody_has_registered(scene: Scene) -> None:
    scene.announce(plan())

    def change(**wanted: Any) -> None:
        seen = plain(scene.event)
        changes = {name: (seen[name], after) for name, after in wanted.items()}
        scene.organise(changing.change, changes, by=BOSS, authority=ANY)

    change(bounty=200, bounty_grows=True)
    scene.register(A, B)
    assert heads(scene, A, B) == [200, 200]
    scene.refused(PlanReason.AGREED_ALREADY, lambda: change(bounty=100))
    scene.refused(PlanReason.AGREED_ALREADY, lambda: change(fee=100, bounty=50))
    scene.refused(PlanReason.AGREED_ALREADY, lambda: change(bounty_grows=False))
    scene.start()
    scene.go_on()
    scene.refused(PlanReason.TOO_LATE_TO_CHANGE, lambda: change(bounty=100))


def test_shares_add_up_and_are_in_proportion() -> None:
    shared = 0
    for seed in range(200):
        chance = Random(seed)
        won = {str(number): chance.randint(0, 50) for number in range(chance.randint(1, 4))}
        bounty = chance.randint(1, 1000)
        if not any(won.values()):
            continue
        made = shares(bounty, won)
        assert sum(made.values()) == bounty, seed
        for player, chips in won.items():
            exact = Fraction(bounty * chips, sum(won.values()))
            assert abs(made.get(player, 0) - exact) <= 1, seed
            assert chips or player not in made, seed
        assert all(
            0 <= kept_share(share) <= share - kept_share(share) <= kept_share(share) + 1 for share in made.values()
        ), seed
        shared += 1
    assert shared > 100


def test_a_bounty_is_not_shared_among_players_who_won_nothing() -> None:
    with pytest.raises(ValueError, match="no one has won"):
        shares(100, {"1": 0, "2": 0})


class Model:
    """Model of the wallets, bounties and prizes of an event, computed only from the payments of each hand."""

    def __init__(self, people: list[Player], fee: int, bounty: int, *, bounty_grows: bool) -> None:
        self.wallets = dict.fromkeys(people, START - fee)
        self.heads = dict.fromkeys(people, bounty)
        self.prizes = len(people) * (fee - bounty)
        self.fee, self.bounty, self.grows = fee, bounty, bounty_grows

    def enters_again(self, player: Player) -> None:
        self.wallets[player] -= self.fee
        self.heads[player] = self.bounty
        self.prizes += self.fee - self.bounty

    def hand(self, clockwise: list[Player], paid: dict[tuple[Player, Player], int], out: list[Player]) -> None:
        before = dict(self.heads)
        for loser in out:
            won = {one: paid[loser, one] for one in clockwise if paid.get((loser, one))}
            total, bounty = sum(won.values()), before[loser]
            whole = {one: int(Fraction(bounty) * chips / total) for one, chips in won.items()}
            odd = bounty - sum(whole.values())
            for place, one in enumerate(won):
                share = whole[one] + (place < odd)
                half = share // 2 if self.grows and one not in out else 0
                self.wallets[one] += share - half
                self.heads[one] += half
            self.heads[loser] -= bounty

    def disqualified(self, player: Player) -> None:
        self.prizes += self.heads[player]
        self.heads[player] = 0

    @property
    def in_pool(self) -> int:
        return self.prizes + sum(self.heads.values())


@pytest.mark.parametrize("bounty_grows", [False, True])
@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(3, 12))])
def test_whole_events_pay_what_a_model_pays(seed: int, bounty_grows: bool) -> None:
    scene, chance = Scene(seed), Random(f"{seed} {bounty_grows}")
    fee = chance.choice((50, 101, 333))
    bounty = chance.randint(1, fee)
    people = [somebody(number) for number in range(chance.randint(3, 9))]
    again = chance.choice((0, 2))
    scene.begin(
        plan(fee=fee, bounty=bounty, bounty_grows=bounty_grows, late_levels=20 if again else 0, reentries=again),
        *people,
    )
    model = Model(people, fee, bounty, bounty_grows=bounty_grows)
    knocked = 0
    while not scene.event.phase.over:
        table = chance.choice(scene.playing())
        spot = scene.spot(table)
        dealt = [seat for seat in spot.seats if seat.dealt_in]
        seated = [seat.player for seat in dealt]
        fair = [one for one in people if scene.entrant(one).playing and not scene.entrant(one).disqualified]
        if chance.random() < 0.03 and len(fair) > 3:
            scene.organise(organiser.disqualify, chance.choice(fair), why="rude")
        luck = {one: chance.gauss(0, 40) for one in seated}
        wins = {(a, b): round(luck[a] - luck[b]) for a in seated for b in seated if luck[a] > luck[b]}
        scene.hand(table, wins)
        paid = scene.committed.ledger.paid(spot.key, spot.table.hand_no)
        facts = [fact for fact in scene.log("out") if fact.details["table"] == table]
        gone = [f.details["players"] for f in facts if f.details["hand"] == spot.table.hand_no]
        out = [Player(one) for players in gone for one in players]
        dealer = next(at for at, seat in enumerate(dealt) if seat.number == spot.table.button)
        clockwise = [seated[(dealer + 1 + step) % len(seated)] for step in range(len(seated))]
        model.hand(clockwise, paid, out)
        knocked += len(out)
        for fact in scene.log("bounty_back"):
            if model.heads[fact.details["player"]]:
                model.disqualified(fact.details["player"])
        if not scene.event.phase.over:
            assert scene.pool() == model.in_pool
            assert {one: scene.wallet(one) for one in people} == model.wallets
            assert {one: scene.entrant(one).head for one in people if not scene.entrant(one).disqualified} == {
                one: chips for one, chips in model.heads.items() if not scene.entrant(one).disqualified
            }
            assert scene.view().pool == model.prizes
            for one in out:
                if again and chance.random() < 0.4 and scene.view().may_enter_again(one):
                    scene.register(one)
                    model.enters_again(one)
            scene.go_on()
        scene.check_books()
    scene.ends()
    champion = scene.places()[0]
    model.wallets[champion] += model.heads[champion] + model.prizes
    model.prizes += sum(chips for one, chips in model.heads.items() if one != champion)
    assert {one: scene.wallet(one) for one in people} == model.wallets
    assert knocked >= 2
    assert scene.pool() == 0
