"""The memory of folded hands: the same as a fold from the beginning, whatever happens to the log."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.hands import HandRecord, HandState
from bot.model.ids import Player
from bot.ofc.hand import audit
from bot.ofc.log import LogError
from bot.ofc.presets import PRESETS
from bot.play.session.session import Folds
from tests.ofc.games import any_hand


def record_of(key: str) -> HandRecord:
    return HandRecord(
        hand_no=1,
        variant=PRESETS[key],
        state=HandState.PLAYING,
        commitment=b"c",
        sealed_seed=b"s",
        entropy=((Player("1"), "x"),),
        point_value=1,
        started_at=0,
    )


@given(key=st.sampled_from(list(PRESETS)), seed=st.integers(0, 1 << 32), cuts=st.lists(st.integers(0, 60), max_size=8))
def test_it_gives_what_a_fold_from_the_beginning_gives(key: str, seed: int, cuts: list[int]) -> None:
    *_, played = any_hand(PRESETS[key], Random(seed))
    folds, record = Folds(), record_of(key)
    whole = [place for place in range(1, len(played.log) + 1) if _stands(record, played.hand.deck, played.log[:place])]
    for cut in cuts:
        events = played.log[: whole[cut % len(whole)]]
        hand = folds.hand("h", record, events, lambda: played.hand.deck)
        assert hand == audit(record.variant, played.hand.deck, events)


def _stands(record: HandRecord, deck: object, events: object) -> bool:
    try:
        audit(record.variant, deck, events)  # type: ignore[arg-type]
    except LogError:
        return False
    return True


def test_another_deal_or_another_log_is_folded_anew() -> None:
    *_, one = any_hand(PRESETS["classic"], Random(1))
    *_, other = any_hand(PRESETS["classic"], Random(2))
    folds, record = Folds(), record_of("classic")
    assert folds.hand("h", record, one.log, lambda: one.hand.deck) == one.hand
    assert folds.hand("h", record, other.log, lambda: other.hand.deck) == other.hand
    dealt_anew = replace(record, sealed_seed=b"t")
    assert folds.hand("h", dealt_anew, one.log, lambda: one.hand.deck) == one.hand


def test_a_log_that_breaks_a_rule_is_refused_also_where_its_beginning_is_known() -> None:
    *_, played = any_hand(PRESETS["classic"], Random(1))
    folds, record = Folds(), record_of("classic")
    folds.hand("h", record, played.log, lambda: played.hand.deck)
    with pytest.raises(LogError):
        folds.hand("h", record, [*played.log, played.log[-1]], lambda: played.hand.deck)


def test_a_hand_grows_by_what_was_decided_if_it_is_the_one_that_is_known() -> None:
    *_, played = any_hand(PRESETS["classic"], Random(1))
    folds, record, deck = Folds(), record_of("classic"), played.hand.deck
    cut = next(place for place in range(1, len(played.log)) if _stands(record, deck, played.log[:place]))
    begun = folds.hand("h", record, played.log[:cut], lambda: deck)
    grown = replace(played.hand, button=played.hand.button)
    folds.grow("h", replace(begun), played.log[cut:], grown)
    assert folds.hand("h", record, played.log, lambda: deck) is not grown
    folds.hand("i", record, played.log[:cut], lambda: deck)
    folds.grow("i", folds.hand("i", record, played.log[:cut], lambda: deck), played.log[cut:], grown)
    assert folds.hand("i", record, played.log, lambda: deck) is grown
    # What was rolled back is folded anew.
    assert folds.hand("i", record, played.log[:cut], lambda: deck) == begun


def test_a_hand_that_is_dealt_is_known_with_its_first_facts() -> None:
    *_, played = any_hand(PRESETS["classic"], Random(1))
    folds, record, deck = Folds(), record_of("classic"), played.hand.deck
    cut = next(place for place in range(1, len(played.log)) if _stands(record, deck, played.log[:place]))
    dealt = audit(record.variant, deck, played.log[:cut])
    folds.begin("h", record, played.log[:cut], dealt)
    assert folds.hand("h", record, played.log[:cut], tuple) is dealt
    assert folds.hand("h", record, played.log, tuple) == played.hand
    # One that was rolled back and is dealt with another seed is folded anew.
    folds.begin("h", record, played.log[:cut], again := replace(dealt))
    other = folds.hand("h", replace(record, sealed_seed=b"t"), played.log[:cut], lambda: deck)
    assert (other == again, other is again) == (True, False)


def test_it_forgets_the_hands_that_were_not_looked_at_for_longest() -> None:
    *_, played = any_hand(PRESETS["classic"], Random(1))
    folds, record, asked = Folds(most=2), record_of("classic"), []

    def look(name: str) -> None:
        def deck() -> tuple[object, ...]:
            asked.append(name)
            return played.hand.deck

        folds.hand(name, record, played.log, deck)  # type: ignore[arg-type]

    for name in ("a", "b", "a", "c", "a", "b"):
        look(name)
    assert asked == ["a", "b", "c", "b"]


def test_no_card_of_it_is_ever_printed() -> None:
    *_, played = any_hand(PRESETS["classic"], Random(1))
    folds = Folds()
    folds.hand("h", record_of("classic"), played.log, lambda: played.hand.deck)
    assert "deck" not in repr(folds)
    assert "hand" not in repr(next(iter(folds._folds.values()))).replace("hand_no", "")  # noqa: SLF001
