"""A log is a hand only if the rules lead from each fact to the next. Anything else is refused."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.pure.ofc.cards import QUEEN
from bot.pure.ofc.hand import Hand, HandStatus, Surrender, audit
from bot.pure.ofc.log import (
    CardsPlaced,
    Fact,
    FantasylandDealt,
    FantasylandSet,
    HandEnded,
    HandStarted,
    HandVoided,
    LogError,
    PlacedBy,
    SeatForfeited,
    SeatSurrendered,
    StreetDealt,
)
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from bot.pure.ofc.variants import Fantasyland, Variant, entry_from
from tests.pure.ofc.games import SURRENDER, VARIANTS, Forfeit, Played, any_action, any_hand, on_the_clock, opened

VARIANT = st.sampled_from(VARIANTS)
SEEDS = st.integers(0, 2**32)


def audited(played: Played, log: Sequence[Any] | None = None) -> Hand:
    """The hand that a log makes: its own, or another one over the same deck."""
    return audit(played.hand.variant, played.hand.deck, played.log if log is None else log)


@settings(max_examples=60)
@given(variant=VARIANT, seed=SEEDS)
def test_every_log_that_a_hand_wrote_is_that_hand(variant: Variant, seed: int) -> None:
    for played in any_hand(variant, Random(seed)):
        assert audited(played) == played.hand


@settings(max_examples=200)
@given(variant=VARIANT, seed=SEEDS)
def test_a_log_with_an_event_lost_doubled_moved_or_changed_is_refused_or_can_be_played_on(
    variant: Variant, seed: int
) -> None:
    chance = Random(seed)
    states = list(any_hand(variant, chance))
    played = chance.choice(states)
    log = damaged(list(played.log), chance)
    try:
        hand = audited(played, log)
    except LogError:
        return
    # An accepted log is a hand like any other, which can be played to its end and scored.
    rest = Played(hand, tuple(log))
    for _ in range(3):
        if rest.hand.status is HandStatus.PLAYING:
            rest = rest.then(any_action(rest.hand, chance))
    end = on_the_clock(rest)
    assert end.hand.status in (HandStatus.ENDED, HandStatus.VOIDED)
    if end.hand.status is HandStatus.ENDED:
        assert sum(end.hand.score.points) == 0


def damaged(log: list[Fact], chance: Random) -> list[Fact]:
    """Return a damaged copy of a log."""
    place = chance.randrange(len(log))
    match chance.randrange(4):
        case 0:
            del log[place]
        case 1:
            log.insert(chance.randrange(len(log) + 1), log[place])
        case 2:
            other = chance.randrange(len(log))
            log[place], log[other] = log[other], log[place]
        case _:
            log[place] = otherwise(log[place], chance)
    return log


def otherwise(fact: Fact, chance: Random) -> Fact:
    """An event with one field changed."""
    number = chance.randrange(-1, 6)
    match fact:
        case HandStarted():
            fields: list[dict[str, Any]] = [{"button": number}, {"fantasyland": (14, number)}, {"players": ("p0",)}]
            return replace(fact, **chance.choice(fields))
        case CardsPlaced() | FantasylandSet():
            letters = "".join(chance.choice("FMBDx") for _ in fact.rows)
            fields = [{"seat": number}, {"rows": letters}, {"rows": fact.rows[1:]}, {"rows": 7}]
            return replace(fact, **chance.choice(fields))
        case StreetDealt():
            return replace(fact, street=number)
        case SeatForfeited() | SeatSurrendered():
            return replace(fact, seat=number)
        case _:
            ends: list[Fact] = [HandEnded(), FantasylandDealt(), HandVoided(reason="why")]
            return chance.choice(ends)


def _placed(seat: int, rows: Any, *, street: int = 1, natural: str | None = None) -> CardsPlaced:
    return CardsPlaced(seat=seat, street=street, rows=rows, by=PlacedBy.PLAYER, natural=natural)


OPENED = opened(PINEAPPLE)
FANTASY = opened(PINEAPPLE, fantasyland=[14, 0])
THIRTEEN = opened(SURRENDER)


@pytest.mark.parametrize(
    ("played", "more"),
    [
        pytest.param(OPENED, _placed(0, "BBBBB"), id="not their turn"),
        pytest.param(OPENED, _placed(1, "BBBB"), id="a card too few"),
        pytest.param(OPENED, _placed(1, "FFFFB"), id="a row that overflows"),
        pytest.param(OPENED, _placed(1, "BBBBD"), id="a discard too many"),
        pytest.param(OPENED, _placed(1, "BBBBB", street=2), id="another street"),
        pytest.param(OPENED, _placed(7, "BBBBB"), id="no such seat"),
        pytest.param(OPENED, _placed(1, "BBBBB", natural="dragon"), id="a natural that is none"),
        pytest.param(OPENED, _placed(1, 5), id="letters that are a number"),
        pytest.param(OPENED, FantasylandSet(seat=1, rows="FFFMMMMMBBBBB", by=PlacedBy.PLAYER), id="no Fantasyland"),
        pytest.param(
            FANTASY, FantasylandSet(seat=0, rows="FFFMMMMMBBBBB", by=PlacedBy.PLAYER), id="one letter too few"
        ),
        pytest.param(OPENED, SeatSurrendered(seat=1), id="a game without surrender"),
        pytest.param(OPENED, StreetDealt(street=2), id="a street too early"),
        pytest.param(OPENED, FantasylandDealt(), id="Fantasyland for nobody"),
        pytest.param(OPENED, HandEnded(), id="an end too early"),
        pytest.param(OPENED, OPENED.log[0], id="a second beginning"),
    ],
)
def test_a_fact_that_does_not_follow_is_refused(played: Played, more: Fact) -> None:
    with pytest.raises(LogError, match=f"fact {len(played.log) + 1}"):
        audited(played, [*played.log, more])


def test_after_the_end_nothing_follows() -> None:
    ended = on_the_clock(OPENED)
    for more in (HandEnded(), HandVoided(reason="why"), SeatForfeited(seat=0)):
        with pytest.raises(LogError, match="does not follow"):
            audited(ended, [*ended.log, more])


def test_a_hand_is_void_whenever_that_is_said() -> None:
    # Without its seed a hand is void before it is dealt.
    for log in (OPENED.log, OPENED.log[:1], ()):
        assert audited(OPENED, [*log, HandVoided(reason="bad_log")]).status is HandStatus.VOIDED


def test_giving_up_twice_is_no_hand() -> None:
    forfeited = OPENED.then(Forfeit(seat=0))
    surrendered = THIRTEEN.then(Surrender(seat=0))
    for played in (forfeited, surrendered):
        assert audited(played) == played.hand
        with pytest.raises(LogError, match="gave_up"):
            audited(played, [*played.log, played.log[-1]])


@pytest.mark.parametrize(
    "opening",
    [
        HandStarted(players=("p0", "p1"), fantasyland=(0, 0), button=2),
        HandStarted(players=("p0", "p1"), fantasyland=(0,), button=0),
        HandStarted(players=("p0", "p1"), fantasyland=(0, 5), button=0),
        HandStarted(players=(), fantasyland=(), button=0),
        HandStarted(players=tuple(f"p{number}" for number in range(5)), fantasyland=(17,) * 5, button=0),
    ],
)
def test_an_opening_that_cannot_be_dealt_is_refused(opening: HandStarted) -> None:
    log: list[Fact] = [opening]
    if len(opening.players) == len(opening.fantasyland) == 5:
        log += [FantasylandDealt()]
    with pytest.raises(LogError):
        audited(OPENED, log)


@pytest.mark.parametrize("cards", [13, 15, 17])
def test_a_fantasyland_of_a_size_that_the_game_does_not_have_is_refused_though_it_could_be_dealt(cards: int) -> None:
    assert PINEAPPLE.fantasyland is not None
    another = replace(PINEAPPLE, fantasyland=Fantasyland(entry=entry_from(QUEEN, cards), stay_cards=cards))
    dealt = opened(another, fantasyland=(cards, 0))
    assert audited(dealt) == dealt.hand
    with pytest.raises(LogError):
        audit(PINEAPPLE, dealt.hand.deck, dealt.log)


def test_a_game_without_fantasyland_opens_without_it() -> None:
    bare = replace(CLASSIC, key="bare", fantasyland=None)
    assert audited(opened(bare)).seats
    with pytest.raises(LogError):
        audited(opened(bare), [HandStarted(players=("p0", "p1"), fantasyland=(14, 0), button=0)])


@pytest.mark.parametrize("kept", [0, 1])
def test_a_log_that_breaks_off_is_refused(kept: int) -> None:
    with pytest.raises(LogError, match=f"the log ends after {kept} facts"):
        audited(OPENED, OPENED.log[:kept])
