"""Rehearsals of events before registration: posts, eliminations and warnings."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

import pytest
from typing_extensions import override

from bot.chat.event.screens.draft.rehearsal import fault_text, rehearsal_pages
from bot.model.clock import Clock, Pace
from bot.model.events import Notice
from bot.model.ids import GuildId, Player
from bot.model.reasons import PlanReason
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.trials import rehearsal
from bot.play.event.trials.faults import Fault, faults
from bot.play.event.trials.rehearsal import Rehearsal, RehearsalRequest, max_rehearsed, rehearsed
from bot.play.event.trials.simulator import PlaySpeed
from bot.pure.event.payouts import default_payouts, prizes
from bot.pure.event.seeding import Seeding
from bot.pure.event.structure import PRESETS, Format, Structure
from bot.pure.ofc.presets import PINEAPPLE
from bot.pure.ofc.refusals import Refused
from bot.store.sql import Sql
from bot.store.sqlite.in_memory import InMemory
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from tests.play.world import COMPUTERS, GUILD, PER_TURN, START, World

TEMPO = PlaySpeed(turn=12_000, between=10_000, seating=30_000)
MINUTE, HOUR = 60_000, 3_600_000
T = TypeVar("T")
KINDS = {structure.format: name for name, structure in PRESETS.items() if name != "bicycle"}


def planned(structure: Structure, *, clock: Clock = PER_TURN) -> PlannedEvent:
    game = replace(PINEAPPLE, fantasyland=None) if structure.format is Format.DUPLICATE else PINEAPPLE
    starts_at = None if structure.format is Format.SIT_AND_GO else START + 3 * HOUR
    return PlannedEvent(
        guild=GuildId(7),
        channel=9,
        organiser=Player("77"),
        language="en",
        name="Night",
        variant=game,
        structure=structure,
        clock=clock,
        starts_at=starts_at,
    )


@lru_cache
def played(preset: str = "chaipo", *, people: int = 6, turn: float = TEMPO.turn, **changes: Any) -> Rehearsal:
    """Return a rehearsal. Rehearsals are values, so equal arguments give equal results."""
    plan = planned(replace(PRESETS[preset], **changes))
    tempo = replace(TEMPO, turn=turn)
    return rehearsed(RehearsalRequest(plan=plan, tempo=tempo, people=people, now=plan.starts_at or START), COMPUTERS)


def kinds(found: Rehearsal) -> list[Notice]:
    return [post.posting.notice for post in found.posts]


def named(found: Rehearsal) -> set[str]:
    return {fault.key for fault in faults(found)}


@pytest.mark.parametrize("form", list(Format))
def test_every_format_is_played_to_its_end_and_told_in_order(form: Format) -> None:
    people = PRESETS[KINDS[form]].most if form is Format.SIT_AND_GO else 6
    found = played(KINDS[form], people=people, fee=10)
    told = kinds(found)
    assert found.ended
    assert told[0] is Notice.COMMITTED
    assert told[-1] is Notice.ENDED
    assert Notice.STARTED in told
    assert [post.after for post in found.posts] == sorted(post.after for post in found.posts)
    assert found.posts[-1].after == found.lasts > 0
    assert {place.player for place in found.places} == {post.entrant.player for post in found.posts[-1].view.lines}
    assert len(found.places) == people
    assert [place.prize for place in found.places if place.prize] == list(
        prizes(10 * people, default_payouts(people), places=len(default_payouts(people)))
    )
    assert found.stages[0].people == people
    if PRESETS[KINDS[form]].rounds == 0:
        assert sum(stage.out for stage in found.stages) in (people - 1, people)
    else:
        assert [stage.number for stage in found.stages] == list(range(1, PRESETS[KINDS[form]].rounds + 1))
    assert pickle.loads(pickle.dumps(found)) == found, "it comes from another process"


@pytest.mark.parametrize("preset", ["chaipo", "heads_up", "double", "shootout"])
def test_those_who_go_out_are_counted_where_they_went_out_though_the_next_begins_with_it(preset: str) -> None:
    found = played(preset, people=6, fee=10)
    assert len(found.stages) > 1
    after = [*(stage.people for stage in found.stages[1:]), 1]
    assert [stage.people - stage.out for stage in found.stages] == after


def test_the_same_draft_is_rehearsed_alike_and_another_one_otherwise() -> None:
    def told(found: Rehearsal) -> list[Any]:
        return [(post.after, post.posting.notice, post.posting.details) for post in found.posts]

    first, again, other = played(), played.__wrapped__(), played(stack=5_000)
    assert told(first) == told(again)
    assert first.places == again.places
    assert told(first) != told(other)


def test_those_who_may_enter_again_do_and_breaks_are_where_the_director_puts_them() -> None:
    found = played("bicycle", people=12)
    assert found.entries > 12
    told = [post for post in found.posts if post.posting.notice is Notice.BREAK]
    assert told
    assert [post.after for post in told] == [begins for begins, _ in found.breaks]
    assert all(ends - begins == 10 * MINUTE for begins, ends in found.breaks)


def test_a_level_by_minutes_begins_when_the_break_before_it_is_over() -> None:
    found = played(people=9, level_hands=0, level_minutes=10, break_levels=2, break_minutes=5)
    begins = [stage.begins for stage in found.stages]
    assert begins[:4] == [0, 10 * MINUTE, 25 * MINUTE, 35 * MINUTE]
    assert found.breaks[0] == (20 * MINUTE, 25 * MINUTE)
    told = [post.posting.details["level"] for post in found.posts if post.posting.notice is Notice.BREAK]
    assert told[:2] == [2, 4]


def assert_told(fault: Fault) -> None:
    """It has a sentence in every language, with its numbers."""
    for language in LANGUAGES:
        text = fault_text(fault, words_for(language))
        assert all(str(number) in text for number in fault.counts.values()), text


@pytest.mark.parametrize(
    ("fault", "people", "changes"),
    [
        ("last_level_soon", 6, {"levels": (50, 100), "level_hands": 1}),
        ("few_levels", 6, {"levels": tuple(range(500, 3500, 100)), "level_hands": 8}),
        ("past_levels", 6, {"levels": (50, 60, 70), "level_hands": 3}),
        ("half_out_in_first_level", 6, {"stack": 10_000, "levels": (500,) * 4, "level_hands": 40}),
        ("half_out_before_break", 6, {"levels": (300, 400), "level_hands": 12, "break_levels": 2}),
        ("break_never", 6, {"break_levels": 20}),
        ("no_break", 6, {"turn": 10 * TEMPO.turn}),
        ("late_to_the_end", 6, {"late_levels": 25}),
        ("long", 6, {"turn": 10 * TEMPO.turn}),
        ("short", 2, {"levels": (500, 10_000), "level_hands": 1}),
        ("more_prizes_than_people", 3, {"fee": 10, "payouts": (40, 30, 20, 10)}),
        ("most_are_paid", 5, {"fee": 10, "payouts": (40, 30, 20, 10)}),
        ("more_titles_than_people", 3, {"titles": ("a", "b", "c", "d")}),
        ("nothing_to_pay", 3, {"payouts": (60, 40)}),
    ],
)
def test_what_is_amiss_is_named(fault: str, people: int, changes: dict[str, Any]) -> None:
    assert fault not in named(played(people=people)), "the usual structure has it not"
    (found,) = [one for one in faults(played(people=people, **changes)) if one.key == fault]
    assert_told(found)


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "sit_and_go"])
def test_the_usual_structures_have_no_fault_with_a_few_people_but_their_length(name: str) -> None:
    # Those that are played with a fee above are not played again without one.
    fee = 10 if name in KINDS.values() else 0
    assert named(played(name, people=6, fee=fee)) <= {"long", "half_out_before_break"}


def test_one_that_does_not_end_is_told_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "MAX_HANDS", 5)
    found = played.__wrapped__()
    assert not found.ended
    assert named(found) == {"never_ends"}
    assert_told(faults(found)[0])


@pytest.mark.of_sqlite
async def test_the_servers_own_database_is_not_touched(world: World) -> None:
    plan = replace(planned(replace(PRESETS["chaipo"], fee=10, added=500)), guild=GUILD)
    before = world.eyes.everything()
    found = await world.events.rehearse(plan, people=4)
    assert found.ended
    assert found.pool == 540
    assert world.eyes.everything() == before
    assert await world.events.rehearse(plan, people=4) is found, "pages are turned without playing it again"


@pytest.mark.parametrize(
    ("preset", "people"), [("chaipo", 1), ("chaipo", 41), ("double", 25), ("duplicate", 3), ("sit_and_go", 2)]
)
async def test_too_few_and_too_many_are_refused(world: World, preset: str, people: int) -> None:
    plan = planned(PRESETS[preset])
    with pytest.raises(Refused) as refused:
        await world.events.rehearse(plan, people=people)
    assert refused.value.reason is PlanReason.BAD_REHEARSAL
    most = plan.structure.most if preset == "sit_and_go" else max_rehearsed(plan.structure)
    assert refused.value.details["most"] == most
    assert refused.value.details["asked"] == people


def test_a_league_of_days_has_no_fault_of_length() -> None:
    plan = planned(replace(PRESETS["league"], round_hours=24), clock=Clock(pace=Pace.CORRESPONDENCE, seconds=24 * 3600))
    found = rehearsed(RehearsalRequest(plan=plan, tempo=replace(TEMPO, turn=HOUR / 4), people=4, now=START), COMPUTERS)
    assert found.lasts > 4 * 24 * HOUR
    assert not named(found)


class Counted(InMemory):
    """One that counts its transactions."""

    made: ClassVar[list[int]] = []

    def __init__(self) -> None:
        super().__init__()
        self.made.append(0)

    @override
    def write(self, job: Callable[[Sql], T]) -> T:
        """Run one."""
        self.made[-1] += 1
        return super().write(job)


def test_hours_in_which_hands_go_on_are_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "InMemory", Counted)
    a_hand = []
    for clock, turn in ((PER_TURN, TEMPO.turn), (Clock(pace=Pace.CORRESPONDENCE, seconds=24 * 3600), 6.0 * HOUR)):
        plan = planned(replace(PRESETS["league"], rounds=2), clock=clock)
        question = RehearsalRequest(plan=plan, tempo=replace(TEMPO, turn=turn), people=6, now=plan.starts_at or START)
        found = rehearsed(question, COMPUTERS)
        assert found.lasts > 100 * turn
        a_hand.append(Counted.made[-1] / found.hands)
    quick, slow = a_hand
    assert slow < 1.2 * quick


def test_bounties_and_seeds_are_rehearsed_with_the_rest() -> None:
    found = played(people=6, fee=100, bounty=40, bounty_grows=True, seeding=Seeding.RATING)
    assert found.ended
    told = [row for post in found.posts for row in post.posting.details.get("bounties", ())]
    assert told, "somebody is knocked out before the end"
    won = {line.entrant.player: line.entrant.bounties for line in found.posts[-1].view.lines}
    assert sum(won.values()) == 40 * found.entries
    assert sum(place.prize for place in found.places) == 60 * found.entries == found.pool
    assert {place.player: place.bounties for place in found.places} == won
    for language in LANGUAGES:
        words, paid = words_for(language), 40 * found.entries
        assert words("event.bounties", count=paid, chips=words.number(paid)) in "\n".join(
            rehearsal_pages(found, words)[0]
        )


def test_handicaps_are_rehearsed_with_people_a_point_apart() -> None:
    found = played(people=6, handicap=True)
    assert found.ended
    (started,) = [post.posting for post in found.posts if post.posting.notice is Notice.STARTED]
    assert [amount for _, amount in started.details["handicaps"]] == [2000, 1600, 1200, 800, 400]
