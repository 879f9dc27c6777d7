"""Custom ids: whatever matches can be read, whatever is written fits, and no draft breaks a panel."""

from discord import SelectOption
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, SELECT_TEMPLATE, Draft, Press, as_argument, decode
from bot.chat.kit.widgets import channel_select, select
from bot.chat.table.screens.placement_draft import PlacementDraft, sound
from bot.model.ids import TableId
from bot.pure.ofc.cards import EMPTY
from bot.pure.ofc.placement import OPEN

MAX_CUSTOM_ID_LENGTH = 100
DRAFTS = st.lists(st.tuples(st.integers(0, 35), st.sampled_from("FMBD")), max_size=17).map(tuple)


@given(st.from_regex(BUTTON_TEMPLATE, fullmatch=True) | st.from_regex(SELECT_TEMPLATE, fullmatch=True))
def test_every_id_that_matches_can_be_read_and_is_written_the_same(custom_id: str) -> None:
    template = BUTTON_TEMPLATE if custom_id.startswith("c1") else SELECT_TEMPLATE
    match = template.fullmatch(custom_id)
    assert match is not None
    press = decode(match)
    again = template.fullmatch(f"{custom_id[:3]}{press}")
    assert again is not None
    assert decode(again) == press


def test_the_longest_press_fits_into_a_custom_id() -> None:
    press = Press(
        verb="v" * 16,
        table=TableId(999_999_999),
        hand=999_999_999,
        street=99,
        draft=tuple((place, "B") for place in range(17)),
        chosen=16,
        argument="a" * 16,
    )
    assert len(f"c1:{press}") <= MAX_CUSTOM_ID_LENGTH
    assert BUTTON_TEMPLATE.fullmatch(f"c1:{press}")


@given(draft=DRAFTS, count=st.integers(1, 17), chosen=st.none() | st.integers(0, 35), tapped=st.integers(0, 99))
def test_a_sound_draft_stays_sound_whatever_is_tapped(
    draft: Draft, count: int, chosen: int | None, tapped: int
) -> None:
    to_place = min(count, 13)
    if not sound(draft, count=count, rows=EMPTY, to_place=to_place):
        return
    placement_draft = PlacementDraft(count=count, to_place=to_place, rows=EMPTY, draft=draft, chosen=chosen)
    assert len(placement_draft.letters) == count
    after = [
        placement_draft.undone(),
        placement_draft.tap(tapped)[0],
        *(placement_draft.put(letter) for letter in "FMB"),
    ]
    for changed in after:
        assert sound(changed, count=count, rows=EMPTY, to_place=to_place)


def test_a_skipped_card_is_the_discard_and_costs_one_tap() -> None:
    draft: Draft = ((1, "B"),)
    placement_draft = PlacementDraft(count=3, to_place=2, rows=EMPTY, draft=draft, chosen=None)
    assert placement_draft.next_card == 2
    assert placement_draft.letters == f"{OPEN}B{OPEN}"
    assert PlacementDraft(count=3, to_place=2, rows=EMPTY, draft=placement_draft.put("M"), chosen=None).letters == "DBM"


def test_a_menu_has_another_number_when_something_else_holds() -> None:
    """A client keeps the selection of a menu whose number stays, even if another member has chosen since."""
    press = Press(verb="x", table=TableId(0))

    def options(held: str) -> list[SelectOption]:
        return [SelectOption(label=one, value=one, default=one == held) for one in ("a", "b")]

    for drawn in (
        [select(press, options(held), placeholder="p") for held in ("a", "b", "")],
        [channel_select(press, chosen=held, placeholder="p") for held in ([1], [2], [1, 2], [])],
    ):
        assert len({menu["components"][0]["id"] for menu in drawn}) == len(drawn)
    assert select(press, options("a"), placeholder="p") == select(press, options("a"), placeholder="p")


@given(st.text(max_size=40))
def test_every_value_becomes_an_argument_that_fits(value: str) -> None:
    press = Press(verb="x", table=TableId(0), argument=f"{as_argument(value)}-")
    assert SELECT_TEMPLATE.fullmatch(f"s1:{press}")
