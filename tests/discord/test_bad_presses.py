"""Presses that come twice, late, out of turn, from the wrong person or from nowhere: answered, and without effect."""

import random
import re

import pytest

from bot.chat.kit.custom_ids import Press
from tests.discord.club import Club, Screen, plain_letters
from tests.discord.forge import Interaction, deliver, forge, forged_press
from tests.in_turn import in_turn

PANEL_VERBS = ("card", "row", "undo", "clear", "sort", "set_f", "set_m", "set_b", "confirm", "panel", "hand", "rules")


async def test_a_doubled_join_takes_one_seat(club: Club) -> None:
    await club.slash("alice", "ofc play")
    table = club.table_screen()
    join = table.find("join")["custom_id"]
    presses = [forged_press(club, "bob", table, join) for _ in range(3)]
    await deliver(*presses)
    assert all(press.acknowledged for press in presses)
    words = club.words("bob")
    again = await forge(club, "bob", table, join)
    # Seated players see the current state in one message, however often they press.
    assert [press.said for press in presses] == [""] * 3
    assert again.said.endswith(words("lobby.joined_ready", table=1, start=club.words()("button.start")))
    assert len((await club.look()).places) == 2


async def test_one_interaction_delivered_twice_has_one_effect(club: Club) -> None:
    await club.slash("alice", "ofc play")
    table = club.table_screen()
    press = forged_press(club, "bob", table, table.find("join")["custom_id"])
    club.forgiven.append("an answer could not be delivered")  # Discord takes one answer to an interaction.
    await deliver(press, press)
    await deliver(press)
    assert len((await club.look()).places) == 2
    assert await club.count("table.joined") == 1


async def test_a_full_table_says_so(club: Club) -> None:
    await club.opens("alice", seats=2)
    table = club.table_screen()
    join = table.find("join")["custom_id"]
    rush = {name: forged_press(club, name, table, join) for name in ("bob", "hanako")}
    await deliver(*rush.values())
    assert len((await club.look()).places) == 2
    # Either may be the first.
    full = [press.said == club.words(name)("refused.table_full", seats=2) for name, press in rush.items()]
    assert sorted(full) == [False, True]
    assert not club.table_screen().has("join")


async def test_only_the_host_starts_and_cancels(club: Club) -> None:
    await club.slash("alice", "ofc play")
    table = club.table_screen()
    start = table.find("seats")["custom_id"].replace("seats", "start")
    cancel = table.find("seats")["custom_id"].replace("seats", "seat") + "cancel"
    alone = await forge(club, "alice", table, start)
    assert alone.said == club.words("alice")("refused.too_few_players", need=2, have=1)
    await club.press("hanako", table, table.find("join"))
    for name in ("hanako", "bob"):
        for custom_id, reason in ((start, "only_host_starts"), (cancel, "not_host")):
            answer = await forge(club, name, table, custom_id)
            host = club.members["alice"].mention
            assert answer.said == club.words(name)(f"refused.{reason}", player=host), "who it is, and what to do"
    again = await forge(club, "hanako", table, table.find("join")["custom_id"])
    assert club.words("hanako")("lobby.joined_ready", table=1, start=club.words()("button.start")) in again.said, (
        "who is seated reads that they are"
    )
    assert (await club.look()).table.state.value == "lobby"


async def test_start_pressed_twice_deals_one_hand(club: Club) -> None:
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    table = club.table_screen()
    start = table.find("start")["custom_id"]
    presses = [forged_press(club, "alice", table, start) for _ in range(2)]
    await deliver(*presses)
    assert (await club.look()).table.hand_no == 1
    assert presses[1].said == club.words("alice")("refused.already_started")
    cancel = await forge(club, "alice", club.table_screen(), start.replace("start", "seat") + "cancel")
    assert cancel.said == club.words("alice")("refused.already_started")


async def test_leaving_twice_is_leaving_once(club: Club) -> None:
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    table = club.table_screen()
    leave = table.find("seats")["custom_id"].replace("seats", "leave")
    first, second = (forged_press(club, "bob", table, leave) for _ in range(2))
    await deliver(first, second)
    assert first.said == club.words("bob")("lobby.left", table=1, count=1000, chips="1,000")
    assert second.said == club.words("bob")("refused.not_at_this_table", table=1)
    assert await club.play.wallet(club.key().guild, club.player("bob")) == 10_000


async def test_the_host_who_leaves_hands_the_table_on_and_the_last_one_closes_it(club: Club) -> None:
    await club.slash("alice", "ofc play")
    await club.press("bob", club.table_screen(), club.table_screen().find("join"))
    await club.leave("alice")
    assert (await club.look()).table.host == club.player("bob")
    await club.leave("bob")
    assert not (await club.look()).table.open
    assert club.words()("closed.empty") in club.said()


async def test_a_confirm_that_is_doubled_places_one_street(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BBBBB")
    confirm = panel.find("confirm")["custom_id"]
    presses = [forged_press(club, "bob", panel, confirm) for _ in range(3)]
    await deliver(*presses)
    assert all(press.acknowledged for press in presses)
    assert await club.count("cards_laid") == 1
    assert club.words("bob")("panel.waiting", players=club.shown("alice")) in panel.text


async def test_a_row_that_is_doubled_places_one_card(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.open_panel("bob")
    row = panel.find("row", "B")["custom_id"]
    await deliver(*[forged_press(club, "bob", panel, row) for _ in range(2)])
    assert _placed(panel) == 1
    # The second press of a double click arrives after the panel was redrawn, with its own draft.
    await forge(club, "bob", panel, row)
    assert _placed(panel) == 1


def _placed(panel: Screen) -> int:
    """Return the number of cards marked as placed. The mark follows the card's name."""
    cards = [control for control in panel.controls() if control["custom_id"].startswith("c1:card")]
    return sum(control["label"].endswith("✓") for control in cards)


async def test_somebody_elses_panel_shows_and_plays_only_my_own_cards(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BBBBB")
    before, facts = panel.text, await club.facts(drafts=False)
    for verb in ("confirm", "card", "undo"):
        stolen = await forge(club, "alice", panel, panel.find(verb)["custom_id"])
        assert all(answer.message.visible_to(club.members["alice"].id) for answer in stolen.answers)
    outsider = await forge(club, "hanako", panel, panel.find("confirm")["custom_id"])
    assert outsider.answers == []
    assert panel.text == before
    assert await club.facts(drafts=False) == facts
    drafts = await club.drafts()
    assert drafts["bob"] == ("BBBBB", "1.1"), "his stays as it was"
    assert drafts["alice"] == ("BBBB.", "1.1"), "she has drawn with her own cards"


async def test_buttons_of_an_earlier_street_or_hand_show_the_present_one(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BBBBB")
    # The rules are those of the game, whatever street it is.
    old = [c["custom_id"] for c in panel.controls() if ":rulebook:" not in c["custom_id"]]
    assert len(old) > 8
    await club.tap("bob", panel, panel.find("confirm"))
    await club.play_turn("alice")
    for custom_id in old:
        facts = await club.facts()
        late = await forge(club, "bob", club.private("bob")[-1], custom_id)
        assert "2:" in late.answers[0].find("row")["custom_id"]
        assert await club.facts() == facts
    await club.type_hand()
    await club.pass_time(13)
    facts = await club.facts()
    for custom_id in old:
        late = await forge(club, "bob", club.private("bob")[-1], custom_id)
        assert club.words("bob")("table.hand", hand=2) in late.said
    assert await club.facts() == facts


async def test_presses_after_the_hand_say_when_the_next_one_comes(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.place("bob", await club.open_panel("bob"), "BBBBB")
    confirm = panel.find("confirm")["custom_id"]
    await club.type_hand()
    facts = await club.facts()
    late = await forge(club, "bob", club.private("bob")[-1], confirm)
    assert club.words("bob")("table.next_hand", when="@").split("@")[0] in late.said
    assert await club.facts() == facts


@in_turn("name", "alice", "hanako")
async def test_buttons_of_a_closed_table_have_no_effect(club: Club, name: str) -> None:
    await club.slash("alice", "ofc play")
    await club.press("hanako", club.table_screen(), club.table_screen().find("join"))
    table = club.table_screen()
    lobby = [c["custom_id"] for c in table.controls()]
    await club.press("alice", table, table.find("start"))
    playing = [c["custom_id"] for c in club.table_screen().controls()]
    panel = await club.open_panel("hanako")
    hand = [c["custom_id"] for c in panel.controls()]
    await club.closes("alice", 1)
    facts = await club.facts()
    for custom_id in (one for one in (*lobby, *playing, *hand) if not OF_NO_TABLE.match(one)):
        where = club.private("hanako")[-1] if custom_id in hand and name == "hanako" else club.public()[-1]
        late = await forge(club, name, where, custom_id)
        assert late.said in _closed(club, name, late), custom_id
    assert await club.facts() == facts


def _closed(club: Club, name: str, late: Interaction) -> set[str]:
    """Return the acceptable answers to a press on a closed table: that it's closed, or nothing."""
    words = club.words(name)
    return {words("refused.table_closed"), ""} | {
        a.text for a in late.answers if a.text.endswith(words("closed.closed_by_admin"))
    }


OF_NO_TABLE = re.compile(r"\w1:(?:howto|rulebook):")
"""Buttons that explain the game on any message."""


async def test_a_table_that_is_not_there_is_refused(club: Club) -> None:
    await club.open_table("alice", "bob")
    facts = await club.facts()
    for number in (0, 2, 999_999_999):
        for verb in ("join", "leave", "stay", "start", "hand", *PANEL_VERBS[:-1]):
            press = await forge(club, "bob", club.table_screen(), f"c1:{verb}:{number}:1:1:::")
            assert press.said == club.words("bob")("refused.no_table"), verb
    assert await club.facts() == facts


async def test_a_press_never_reaches_a_table_of_another_server(club: Club) -> None:
    other = club.elsewhere("Another club")
    await other.open_table("alice", "bob")
    await club.slash("hanako", "ofc table", do="tables")
    await club.slash("bob", "ofc play")
    await club.leave("bob")
    facts = await club.facts()
    panel = await forge(club, "bob", club.public()[-1], "c1:hand:1:0:0:::")
    assert "🔘" not in panel.said
    for verb in ("leave", "confirm", "panel"):
        await forge(club, "bob", club.public()[-1], f"c1:{verb}:1:1:1:0B1B2B3B4B::")
    assert await club.facts() == facts


@pytest.mark.parametrize("custom_id", ["c1:join", "c0:join:1", "x", "c1:nothing:1:0:0:::", "c1:join:1:0:0:::!", "🂡"])
async def test_buttons_of_another_version_say_so(club: Club, custom_id: str) -> None:
    await club.slash("alice", "ofc play")
    facts = await club.facts()
    press = await forge(club, "bob", club.table_screen(), custom_id)
    assert press.said == club.words("bob")("gate.old_button")
    assert await club.facts() == facts


def _random_ids(chance: random.Random, count: int) -> list[str]:
    """Custom ids that can be read, with anything in them."""
    return [f"{chance.choice(('c1', 's1'))}:{_random_press(chance)}" for _ in range(count)]


def _random_press(chance: random.Random) -> Press:
    draft = tuple((chance.randrange(36), chance.choice("FMBD")) for _ in range(chance.randrange(6)))
    return Press(
        verb=chance.choice((*PANEL_VERBS, "chips", "nothing", "_")),
        table=chance.choice((1, 1, 1, 1, 2, 0, 999_999_999)),  # type: ignore[arg-type]
        hand=chance.choice((0, 1, 1, 1, 2, 999_999_999)),
        street=chance.choice((0, 1, 1, 1, 2, 99)),
        draft=draft,
        chosen=chance.choice((None, 0, 4, 5, 35)),
        argument=chance.choice(("", "0", "4", "35", "F", "M", "B", "D", "-", "rank", "suit", "pineapple", "Z_9-z")),
    )


@pytest.mark.parametrize("chance", [0, *(pytest.param(n, marks=pytest.mark.deep) for n in range(1, 6))])
async def test_forged_buttons_are_answered_and_change_nothing(club: Club, chance: int) -> None:
    """By the player who is not on turn, by one who is (who never holds a whole draft here), and by a stranger."""
    await club.open_table("alice", "bob")
    panels = {name: await club.open_panel(name) for name in ("alice", "bob", "hanako")}
    await club.slash("hanako", "ofc profile", show="chips")  # Her first look at her chips brings the welcome.
    facts = await club.facts(drafts=False)
    source = random.Random(chance)
    for custom_id in _random_ids(source, 120):
        name = source.choice(("alice", "bob", "hanako"))
        if ":confirm:" in custom_id and name == "bob":
            continue
        where = source.choice((panels[name], club.table_screen()))
        values = [source.choice(("0", "4", "13", "-", "99", "٣", "x"))] if custom_id.startswith("s1") else None
        await forge(club, name, _there(club, where), custom_id, values=values)
    assert await club.facts(drafts=False) == facts
    for letters, turn in (await club.drafts()).values():
        assert (letters, turn) == ("", "") or (len(letters), turn) == (5, "1.1")
        assert set(letters) <= set("FMB.")


def _there(club: Club, screen: Screen) -> Screen:
    return club.table_screen() if screen.gone else screen


async def test_a_forged_confirm_places_nothing_but_a_whole_legal_street(club: Club) -> None:
    await club.open_table("alice", "bob")
    panel = await club.open_panel("bob")
    facts = await club.facts()
    for draft in ("", "0B", "0B0B0B0B0B", "0F1F2F3F4F", "0D1D2D3D4D", "0B1B2B3B5B", "0B1B2B3B4Bz", "0B1B2B3B4B5B"):
        await forge(club, "bob", panel, f"c1:confirm:1:1:1:{draft}::")
        await forge(club, "bob", panel, f"s1:confirm:1:1:1:{draft}::", values=["0"])
    for place in ("1:1:2", "1:2:1", "1:0:1", "2:1:1"):
        await forge(club, "bob", _there(club, panel), f"c1:confirm:{place}:0B1B2B3B4B::")
    assert await club.facts() == facts


async def test_a_whole_hand_of_nervous_double_clicks_is_the_same_hand(club: Club) -> None:
    """Every press comes twice at the same moment, and once more after the next."""
    await club.open_table("alice", "bob")
    for _ in range(10):
        name = await club.on_turn()
        panel = await club.open_panel(name)
        late: list[str] = []
        for number, letter in enumerate(plain_letters(await club.look(1, name))):
            if letter != "D":
                assert panel.find("card", str(number))["style"] == 1
                late = await _nervously(club, name, panel, panel.find("row", letter)["custom_id"])
        await _nervously(club, name, panel, panel.find("confirm")["custom_id"])
        for custom_id in late:
            await forge(club, name, panel, custom_id)
    assert (await club.look()).table.state.value == "between"
    assert await club.count("cards_laid") == 10


async def _nervously(club: Club, name: str, panel: Screen, custom_id: str) -> list[str]:
    presses = [forged_press(club, name, panel, custom_id) for _ in range(2)]
    await deliver(*presses)
    assert all(press.acknowledged for press in presses)
    return [custom_id]
