"""An independent model of rulings on a finished event, held against the real one after each step.

It knows the end of the event and the rules from the documents. It shares no code with the tested code, except for the
default payouts. Managers, organisers, players and strangers rule at random, also twice and too late. Players spend
their chips, and any transaction may die before it's written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bot.model.bank import Action
from bot.model.events import EntrantState, Notice, Official, Phase
from bot.model.ids import Player
from bot.play.bank import chips as bank
from bot.play.event.floor.event_state import EventState
from bot.play.event.office import views
from bot.play.event.organisers import late_rulings
from bot.play.session.session import Session
from bot.pure.event.pairings import Pairings
from bot.pure.event.payouts import default_payouts
from bot.pure.event.structure import Family, Format
from bot.pure.event.ties import Ties
from bot.store.invariants import QUESTIONS, ask
from tests.play.event.evening import Evening
from tests.play.event.event_world import BOSS, GUILD, MINUTE, STRANGER, somebody

MANAGER = Official(player=Player("77"), manager=True)
HOUR, DAY = 60 * MINUTE, 24 * 60 * MINUTE


@dataclass(kw_only=True)
class Ruled:
    """A ruling in force."""

    number: int
    kind: str
    player: Player
    against: Player | None = None
    amount: int = 0
    at: int
    manager: bool


@dataclass(kw_only=True)
class Result:
    """One player's result at the end, which rulings don't change."""

    place: int
    prize: int
    score: int
    number: int
    disqualified: bool


@dataclass(kw_only=True)
class Results:
    """The results by the rules."""

    end: dict[Player, Result]
    percent: tuple[int, ...]
    by_points: bool
    wallets: dict[Player, int]
    paid: dict[Player, int]
    rulings: list[Ruled] = field(default_factory=list)
    places: dict[Player, int] = field(default_factory=dict)
    """The places of the players who have one, after the rulings."""
    short: int = 0
    """The last ruling's chips that couldn't be taken back."""

    def struck(self, player: Player) -> bool:
        """True if a ruling took the player out of the results."""
        return any(one.kind == "struck" and one.player == player for one in self.rulings)

    def placeless(self, player: Player) -> bool:
        """True if the player has no place: they were struck, or disqualified during the event."""
        return self.struck(player) or self.end[player].disqualified

    def score(self, player: Player) -> int:
        """Return a player's points with all corrections."""
        given = sum(one.amount for one in self.rulings if one.player == player)
        return self.end[player].score + given - sum(one.amount for one in self.rulings if one.against == player)

    @property
    def fair(self) -> list[Player]:
        """The players with a place, in the order of the end."""
        people = [player for player in self.end if not self.placeless(player)]
        return sorted(people, key=lambda player: (self.end[player].place, self.end[player].number))

    @property
    def corrected(self) -> bool:
        """True if points decide again."""
        return any(one.kind == "corrected" for one in self.rulings)

    def settle(self, order: list[Player], places: dict[Player, int]) -> None:
        """Move the chips, given the order and the places of the players who have one."""
        due = dict.fromkeys(self.end, 0)
        if any(one.kind in ("struck", "corrected") for one in self.rulings):
            amounts = self._amounts(len(order))
            for place in sorted(set(places.values())):
                sharing = [player for player in order if places[player] == place]
                total = sum(amounts[place - 1 : place - 1 + len(sharing)])
                for at, player in enumerate(sharing):
                    due[player] = total // len(sharing) + (at < total % len(sharing))
        else:
            due = {player: result.prize for player, result in self.end.items()}
        till = self.short = 0
        for player in self.end:
            owed = self.paid[player] - due[player]
            if owed > 0:
                back = min(owed, self.wallets[player])
                self._pay(player, -back)
                till += back
                self.short += owed - back
        for player in order:
            more = min(till, max(0, due[player] - self.paid[player]))
            self._pay(player, more)
            till -= more

    def _pay(self, player: Player, chips: int) -> None:
        self.paid[player] += chips
        self.wallets[player] += chips

    def _amounts(self, people: int) -> list[int]:
        pool = sum(result.prize for result in self.end.values())
        shares = list(self.percent[:people])
        amounts = [pool * share // sum(shares) for share in shares]
        for at in range(pool - sum(amounts)):
            amounts[at] += 1
        return amounts if pool else []


class Aftermath(Evening):
    """An event played to its end, and what is decided about it afterwards."""

    def __init__(self, seed: int, *, kills: float = 0.1) -> None:
        super().__init__(seed, kills=0.0)
        self._late_kills = kills
        self.truth: Results
        self._posts = 0

    def decide(self, steps: int = 25) -> None:
        """Play the event, take random steps, and compare each with the model."""
        if self.run().phase is not Phase.ENDED:
            self.counts["no end"] += 1
            return
        self.kills = self._late_kills
        self.rule(steps)
        self._undo_all()

    def rule(self, steps: int) -> None:
        """Take random steps after the end, and compare each with the model."""
        self._posts = self._rulings_posted()
        self.truth = self._end(self.field())
        for _ in range(steps):
            self.steps += 1
            self._one_step()
            self._compare_results()

    def _end(self, now: EventState) -> Results:
        people = {e.player: e for e in now.entrants.values() if e.state is not EntrantState.WITHDRAWN}
        entries = sum(entrant.entries for entrant in people.values())
        return Results(
            places={player: e.place for player, e in people.items() if not e.disqualified},
            end={
                player: Result(
                    place=e.place, prize=e.prize, score=e.score, number=e.number, disqualified=e.disqualified
                )
                for player, e in people.items()
            },
            percent=now.event.structure.payouts or default_payouts(entries),
            by_points=now.event.format.family is Family.ROUNDS,
            wallets={player: self.balance(player) for player in people},
            paid={player: e.prize for player, e in people.items()},
        )

    def _one_step(self) -> None:
        chance = self.chance
        by: Official = chance.choice((MANAGER, MANAGER, BOSS, BOSS, STRANGER, self._player_who_manages()))
        what = chance.choice(("strike", "strike", "correct", "correct", "undo", "undo", "spend", "wait"))
        people = list(self.truth.end)
        player = chance.choice(people) if chance.random() < 0.9 else somebody(99)
        if what == "strike":
            self._strike(by, player)
        elif what == "correct":
            self._correct(by, player, chance.choice((0, 3, -3, 40, -40)))
        elif what == "undo":
            self._undo(by)
        elif what == "spend":
            self._spend(chance.choice(people))
        else:
            self.now += chance.choice((1, 10, 40, 300)) * MINUTE

    def _player_who_manages(self) -> Official:
        return Official(player=self.chance.choice(list(self.truth.end)), manager=True)

    def _may_rule(self, by: Official) -> bool:
        ended_at = self.field().event.ended_at or 0
        return by.manager or (by == BOSS and self.now < ended_at + DAY)

    def _strike(self, by: Official, player: Player) -> None:
        truth = self.truth
        may = self._may_rule(by) and player in truth.end and player != by.player
        may = may and not truth.placeless(player) and len(truth.fair) > 1
        job = partial(late_rulings.strike, key=self.key, by=by, player=player, why="cheated", cause=self.cause())
        if self._does("strike", job, may=may):
            self._rule(Ruled(number=self._newest(), kind="struck", player=player, at=self.now, manager=by.manager))

    def _correct(self, by: Official, player: Player, amount: int) -> None:
        truth = self.truth
        may = self._may_rule(by) and truth.by_points and amount != 0 and player in truth.end and player != by.player
        job = partial(
            late_rulings.correct, key=self.key, by=by, player=player, amount=amount, why="error", cause=self.cause()
        )
        if self._does("correct", job, may=may):
            self._rule(
                Ruled(
                    number=self._newest(),
                    kind="corrected",
                    player=player,
                    amount=amount,
                    at=self.now,
                    manager=by.manager,
                )
            )

    def _undo(self, by: Official) -> None:
        if not self.truth.rulings:
            return
        ruled = self.chance.choice(self.truth.rulings)
        may = self._may_rule(by) and self.now < ruled.at + HOUR and by.player != ruled.player
        may = may and (by.manager or not ruled.manager)
        self._undoes(by, ruled, may=may)

    def _undoes(self, by: Official, ruled: Ruled, *, may: bool) -> None:
        cause = self.cause()
        job = partial(late_rulings.undo, key=self.key, by=by, number=ruled.number, cause=cause)
        if self._does("undo", job, may=may):
            self.truth.rulings.remove(ruled)
            self._settle()

    def _spend(self, player: Player) -> None:
        have = self.truth.wallets[player]
        amount = self.chance.choice((have, have // 2))
        if amount:
            cause = self.cause()
            self.write(
                lambda s: bank.change_chips(s, GUILD, MANAGER.player, player, Action.TAKE, amount, "spent", cause=cause)
            )
            self.truth.wallets[player] -= amount

    def _rule(self, ruled: Ruled) -> None:
        self.truth.rulings.append(ruled)
        self._settle()

    def _settle(self) -> None:
        """Settle the model. Among players with equal points, it accepts the bot's order."""
        truth, now = self.truth, self.field().entrants
        order = truth.fair
        if truth.corrected:
            order.sort(key=lambda player: (-truth.score(player), now[player].place, truth.end[player].number))
            places = {player: at for at, player in enumerate(order, start=1)}
            structure = self.field().event.structure
            if structure.ties is Ties.SHARE:
                # A Swiss league or duplicate event has another tie-break.
                decided = structure.format is Format.DUPLICATE or structure.pairings is Pairings.SWISS
                ranks = [(truth.score(player), now[player].place if decided else 0) for player in order]
                places = {player: 1 + ranks.index(rank) for player, rank in zip(order, ranks, strict=True)}
        else:
            ends = [truth.end[player].place for player in order]
            places = {player: 1 + ends.index(truth.end[player].place) for player in order}
        truth.settle(order, places)
        truth.places = places
        told = self._told()[-1]
        self.must(told["missing"] == truth.short, f"{told['missing']} chips are told to be missing, not {truth.short}")
        self.counts["short"] += truth.short > 0
        for player in order:
            self.must(
                now[player].place == places[player], f"{player} has place {now[player].place}, not {places[player]}"
            )

    def _newest(self) -> int:
        return max(fact.number for fact in self.committed.events.log(self.key))

    def _does(self, what: str, job: Callable[[Session], Any], *, may: bool) -> bool:
        """Do ``job``, which must work exactly if ``may`` is True and then makes one post."""
        self.must(self._try(job, what) == may, f"{what} must {'work' if may else 'be refused'}")
        self._posts += may
        self.must(self._rulings_posted() == self._posts, f"{what} made other posts")
        return may

    def _rulings_posted(self) -> int:
        return len(self._told())

    def _told(self) -> list[Mapping[str, Any]]:
        """Return the posts of rulings, oldest first."""
        posted = self.committed.outbox.event_postings(self.key, limit=10_000)
        return [post.details for post in posted if post.notice is Notice.RULING and post.details.get("late")]

    def _compare_results(self) -> None:
        truth, now = self.truth, self.field()
        self.must(self.all_chips() == 0, "chips were made or lost")
        for player in truth.end:
            entrant = now.entrants[player]
            self.must(entrant.prize == truth.paid[player], f"{player} has {entrant.prize}, not {truth.paid[player]}")
            self.must(entrant.score == truth.score(player), f"{player} has other points")
            self.must(entrant.disqualified == truth.placeless(player), f"{player} is struck otherwise")
            self.must(self.balance(player) == truth.wallets[player], f"the wallet of {player} differs")
        view = views.look(self.session(), self.key)
        self.must({line.entrant.player for line in view.fair} == {*truth.fair}, "others are shown in the results")
        shown = [line.place for line in view.fair]
        self.must(shown == sorted(shown), "the results are shown out of order")
        self.must(view.pool == sum(result.prize for result in truth.end.values()), "the pool is shown otherwise")
        if self.steps % 5 == 0:
            self._check_books()

    def _check_books(self) -> None:
        for question in QUESTIONS:
            found = ask(self.storage.look, question)
            self.must(not found, f"{question.kind}: {found}")

    def _undo_all(self) -> None:
        """Undo everything that can still be undone. Without rulings and debts, all is as at the end."""
        truth = self.truth
        for ruled in list(truth.rulings):
            self._undoes(MANAGER, ruled, may=self.now < ruled.at + HOUR)
            self._compare_results()
        self._check_books()
        if not truth.rulings:
            people = self.field().entrants
            places = all(people[player].place == result.place for player, result in truth.end.items())
            self.must(places, "the places aren't those of the end")
            if not truth.short:
                self.must(
                    truth.paid == {player: result.prize for player, result in truth.end.items()}, "the prizes differ"
                )
                self.counts["restored"] += 1
