"""The cache of replayed hands gives what a replay from the beginning gives, whatever happens to the log."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.hands import HandRecord, HandState
from bot.model.ids import Player
from bot.play.session.hand_cache import HandCache
from bot.pure.ofc.hand import audit
from bot.pure.ofc.log import LogError
from bot.pure.ofc.presets import PRESETS
from tests.pure.ofc.games import any_hand


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
def test_it_gives_what_a_replay_from_the_beginning_gives(key: str, seed: int, cuts: list[int]) -> None:
    *_, played = any_hand(PRESETS[key], Random(seed))
    cache, record = HandCache(), record_of(key)
    whole = [place for place in range(1, len(played.log) + 1) if _stands(record, played.hand.deck, played.log[:place])]
    for cut in cuts:
        events = played.log[: whole[cut % len(whole)]]
        hand = cache.hand("h", record, events, lambda: played.hand.deck)
        assert hand == audit(record.variant, played.hand.deck, events)


def _stands(record: HandRecord, deck: object, events: object) -> bool:
    try:
        audit(record.variant, deck, events)  # type: ignore[arg-type]
    except LogError:
        return False
    return True


def test_another_deal_or_another_log_is_replayed_anew() -> None:
    *_, one = any_hand(PRESETS["classic"], Random(1))
    *_, other = any_hand(PRESETS["classic"], Random(2))
    cache, record = HandCache(), record_of("classic")
    assert cache.hand("h", record, one.log, lambda: one.hand.deck) == one.hand
    assert cache.hand("h", record, other.log, lambda: other.hand.deck) == other.hand
    dealt_anew = replace(record, sealed_seed=b"t")
    assert cache.hand("h", dealt_anew, one.log, lambda: one.hand.deck) == one.hand


def test_a_log_that_breaks_a_rule_is_refused_also_where_its_beginning_is_known() -> None:
    *_, played = any_hand(PRESETS["classic"], Random(1))
    cache, record = HandCache(), record_of("classic")
    cache.hand("h", record, played.log, lambda: played.hand.deck)
    with pytest.raises(LogError):
        cache.hand("h", record, [*played.log, played.log[-1]], lambda: played.hand.deck)


def test_a_hand_grows_by_what_was_decided_if_it_is_the_one_that_is_known() -> None:
    *_, played = any_hand(PRESETS["classic"], Random(1))
    cache, record, deck = HandCache(), record_of("classic"), played.hand.deck
    cut = next(place for place in range(1, len(played.log)) if _stands(record, deck, played.log[:place]))
    begun = cache.hand("h", record, played.log[:cut], lambda: deck)
    grown = replace(played.hand, button=played.hand.button)
    cache.grow("h", replace(begun), played.log[cut:], grown)
    assert cache.hand("h", record, played.log, lambda: deck) is not grown
    cache.hand("i", record, played.log[:cut], lambda: deck)
    cache.grow("i", cache.hand("i", record, played.log[:cut], lambda: deck), played.log[cut:], grown)
    assert cache.hand("i", record, played.log, lambda: deck) is grown
    # After a rollback, the hand is replayed from the start.
    assert cache.hand("i", record, played.log[:cut], lambda: deck) == begun


def test_a_hand_that_is_dealt_is_known_with_its_first_facts() -> None:
    *_, played = any_hand(PRESETS["classic"], Random(1))
    cache, record, deck = HandCache(), record_of("classic"), played.hand.deck
    cut = next(place for place in range(1, len(played.log)) if _stands(record, deck, played.log[:place]))
    dealt = audit(record.variant, deck, played.log[:cut])
    cache.begin("h", record, played.log[:cut], dealt)
    assert cache.hand("h", record, played.log[:cut], tuple) is dealt
    assert cache.hand("h", record, played.log, tuple) == played.hand
    # A hand that was rolled back and dealt with another seed is replayed from the start.
    cache.begin("h", record, played.log[:cut], again := replace(dealt))
    other = cache.hand("h", replace(record, sealed_seed=b"t"), played.log[:cut], lambda: deck)
    assert (other == again, other is again) == (True, False)


def test_it_forgets_the_hands_that_were_not_looked_at_for_longest() -> None:
    *_, played = any_hand(PRESETS["classic"], Random(1))
    cache, record, asked = HandCache(most=2), record_of("classic"), []

    def look(name: str) -> None:
        def deck() -> tuple[object, ...]:
            asked.append(name)
            return played.hand.deck

        cache.hand(name, record, played.log, deck)  # type: ignore[arg-type]

    for name in ("a", "b", "a", "c", "a", "b"):
        look(name)
    assert asked == ["a", "b", "c", "b"]


def test_no_card_of_it_is_ever_printed() -> None:
    *_, played = any_hand(PRESETS["classic"], Random(1))
    cache = HandCache()
    cache.hand("h", record_of("classic"), played.log, lambda: played.hand.deck)
    assert "deck" not in repr(cache)
    assert "hand" not in repr(next(iter(cache._hands.values()))).replace("hand_no", "")  # noqa: SLF001
