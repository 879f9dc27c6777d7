"""Whole boards set by menus: a client shows what was chosen in a menu for as long as it takes it for the same one."""

from typing import Any

import pytest

from bot.chat.table.screens.placement_draft import PlacementDraft, drawn_as
from bot.pure.ofc.cards import EMPTY
from tests.discord.club import Club, Screen, fantasyland_letters


def menus(panel: Screen) -> list[dict[str, Any]]:
    """The menus of the three rows, as Discord is sent them."""
    found = [control for control in panel.controls() if ":set_" in control["custom_id"]]
    assert len(found) == 3
    return found


def names(panel: Screen) -> set[tuple[str, int]]:
    """Return the menus' identities for clients: custom ids and numbers."""
    return {(menu["custom_id"], menu["id"]) for menu in menus(panel)}


def ticked(panel: Screen) -> list[int]:
    """Return the number of selected cards in each menu."""
    return [sum(option.get("default", False) for option in menu["options"]) for menu in menus(panel)]


def apart(one: Screen, *others: set[tuple[str, int]]) -> bool:
    """True where no menu is taken for one of the others, by its custom id or by its number."""
    mine = names(one)
    known = set().union(*others)
    same = {a for a, _ in mine} & {a for a, _ in known} or {b for _, b in mine} & {b for _, b in known}
    return len({number for _, number in mine}) == 3 and not same


async def test_menus_are_new_ones_whenever_their_ticks_change(club: Club) -> None:
    panel = await club.slash("alice", "ofc practice", game="chinese")
    seen = [names(panel)]
    for step in ("choose", "clear", "arrange", "sort", "clear"):
        if step == "choose":
            panel = await club.choose("alice", panel, panel.find("set_f"), ["3"])
        else:
            panel = await club.tap("alice", panel, panel.find(step))
        assert ticked(panel) == {"choose": [1, 0, 0], "clear": [0, 0, 0]}.get(step, [3, 5, 5])
        assert apart(panel, *seen), step
        seen.append(names(panel))


async def test_menus_of_the_next_hand_know_nothing_of_the_last(club: Club) -> None:
    panel = await club.slash("alice", "ofc practice", game="chinese")
    first = names(panel)
    panel = await club.tap("alice", panel, panel.find("arrange"))
    arranged = names(panel)
    await club.tap("alice", panel, panel.find("confirm"))
    await club.pass_time(5)
    over = next(screen for screen in club.private("alice") if screen.has("next_hand"))
    panel = await club.tap("alice", over, over.find("next_hand"))
    assert (await club.look()).table.hand_no == 2
    assert ticked(panel) == [0, 0, 0]
    assert apart(panel, first, arranged)


async def test_the_last_row_fills_itself_and_a_card_taken_back_stays_back(club: Club) -> None:
    panel = await club.slash("alice", "ofc practice", game="chinese")
    letters = fantasyland_letters(await club.look(1, "alice"))
    rows = {row: [str(place) for place, letter in enumerate(letters) if letter == row] for row in "FMB"}
    panel = await club.choose("alice", panel, panel.find("set_b"), rows["B"])
    assert ticked(panel) == [0, 0, 5]
    panel = await club.choose("alice", panel, panel.find("set_f"), rows["F"])
    assert ticked(panel) == [3, 5, 5]
    assert panel.has("confirm")
    panel = await club.choose("alice", panel, panel.find("set_m"), rows["M"][1:])
    assert ticked(panel) == [3, 4, 5]
    assert not panel.has("confirm")
    panel = await club.choose("alice", panel, panel.find("set_m"), rows["M"])
    panel = await club.tap("alice", panel, panel.find("confirm"))
    view = await club.look(1, "alice")
    assert view.hand is not None
    assert view.hand.mine is not None
    assert view.hand.mine.placed


@pytest.mark.parametrize(("cards", "filled"), [(13, 13), (14, 8)])
def test_nothing_fills_itself_while_a_discard_is_to_be_chosen(cards: int, filled: int) -> None:
    draft = tuple((place, "B") for place in range(5))
    placement_draft = PlacementDraft(count=cards, to_place=13, rows=EMPTY, draft=draft, chosen=None)
    assert len(placement_draft.with_row("F", [5, 6, 7])) == filled


@pytest.mark.parametrize(("argument", "read"), [("", ("rank", 0)), ("suit", ("suit", 0)), ("suit_z", ("suit", 35))])
def test_controls_of_older_messages_are_read(argument: str, read: tuple[str, int]) -> None:
    assert drawn_as(argument) == read
