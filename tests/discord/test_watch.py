"""The watch sees what it is there for."""

from typing import Any

import pytest

from bot.chat.application_assets import emoji_name
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.faces import Faces
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Screen, button, button_rows, screen
from bot.chat.table.screens.panel import Panel, panel_screen
from bot.pure.ofc.cards import card_name
from tests.discord.club import Club
from tests.discord.forge import forge
from tests.discord.messages import cards_in, hand_of
from tests.discord.watch import faults_of


@pytest.mark.parametrize("written", [True, False])
async def test_it_sees_a_hidden_card_in_a_public_message(club: Club, written: bool) -> None:
    await club.open_table("alice", "bob")
    view = await club.look(1, "bob")
    assert view.hand is not None
    assert view.hand.mine is not None
    card = view.hand.mine.held[0]
    assert card is not None
    faces = Faces() if written else club.bot.services.faces
    words = club.words()
    title = words("table.title", table=1, game="x", stakes="y") + "\n" + words("table.hand", hand=1)
    await _send(club, screen(f"{title}\n{faces.card(card)}", colour=0))
    with pytest.raises(AssertionError, match=f"None is shown .'{card_name(card)}'"):
        await club.watch.look()


async def test_it_sees_a_card_shown_to_the_wrong_person(club: Club) -> None:
    await club.open_table("alice", "bob")
    view = await club.look(1, "bob")

    async def betray(reply: Reply, press: Press, values: Any) -> None:
        await reply.show(panel_screen(Panel(view=view), reply.words, club.bot.services.faces))

    club.bot.services.gate.route("betray", betray)
    with pytest.raises(AssertionError, match=f"{club.members['alice'].id} is shown"):
        await forge(club, "alice", club.table_screen(), "c1:betray:1:0:0:::")


async def test_it_sees_a_draft_and_an_answer_that_everybody_sees(club: Club) -> None:
    await club.slash("alice", "ofc play")

    async def draft(reply: Reply, press: Press, values: Any) -> None:
        press = Press(verb="row", table=press.table, hand=1, street=1, draft=((0, "B"),))
        view = screen("x", *button_rows([button(press, "x")]), colour=0)
        await reply.interaction.response.edit_message(view=view)

    club.bot.services.gate.route("draft", draft)
    with pytest.raises(AssertionError, match="in place of a public message"):
        await forge(club, "alice", club.table_screen(), "c1:draft:1:0:0:::")
    press = Press(verb="row", table=club.key().table, draft=((0, "B"),))
    await _send(club, screen("x", *button_rows([button(press, "x")]), colour=0))
    with pytest.raises(AssertionError, match="a draft for all to see"):
        await club.watch.look()


async def _send(club: Club, view: Screen) -> None:
    with club.world.env.time_context():
        await club.bot.get_partial_messageable(club.channel.id).send(view=view)


def row(*children: dict[str, Any]) -> dict[str, Any]:
    """A row of components."""
    return {"type": 1, "components": list(children)}


def press(**changes: Any) -> dict[str, Any]:
    """A button."""
    return {"type": 2, "label": "x", "custom_id": "c1:x", **changes}


def menu(count: int, **changes: Any) -> dict[str, Any]:
    """A select of so many options."""
    options = [{"label": "x", "value": str(n)} for n in range(count)]
    chosen = {"min_values": 0, "max_values": 1, "placeholder": "x"}
    return {"type": 3, "custom_id": "s1:x", "options": options, **chosen, **changes}


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"components": [{"type": 10, "content": "x"}] * 41}, "41 components"),
        ({"components": [{"type": 10, "content": "x" * 2001}] * 2}, "4003 characters"),
        ({"components": [{"type": 10, "content": " "}]}, "an empty text"),
        ({"components": [row(press(), press())]}, "2 times"),
        ({"components": [row(press(custom_id="c" * 101))]}, "101 characters"),
        ({"components": [row(press(label="x" * 81))]}, "label"),
        ({"components": [row(press(label=""))]}, "label"),
        ({"components": [row(*[press(custom_id=str(n)) for n in range(5)])]}, "5 buttons"),
        ({"components": [row(menu(26))]}, "26 options"),
        ({"components": [row(menu(0))]}, "0 options"),
        ({"components": [row(menu(2, max_values=3))]}, "impossible"),
        ({"components": [row(menu(2, placeholder=""))]}, "a menu that says"),
        ({"choices": [{"name": "x" * 101, "value": "x"}]}, "suggestion"),
        ({"choices": [{"name": "x", "value": "x"}] * 26}, "26 suggestions"),
    ],
)
def test_it_sees_what_discord_would_refuse(body: dict[str, Any], fault: str) -> None:
    assert any(fault in found for found in faults_of(body))


def test_it_lets_a_good_message_pass() -> None:
    good = {"components": [{"type": 10, "content": "x"}, row(press()), row(menu(25))]}
    assert list(faults_of(good)) == []


def test_it_reads_cards_and_the_hand_in_both_languages() -> None:
    emoji = {"name": emoji_name("2c2")}
    shown = {"a": [f"<:{emoji_name('Th')}:123> A♠\ufe0e", {"emoji": emoji}, "10♦ and K♥"]}
    assert cards_in(shown) == {"Th", "As", "2c", "Td", "Kh"}
    assert cards_in(f"<:{emoji_name('back')}:1> <:{emoji_name('slot')}:2> 1♠ AK") == set()
    assert hand_of([{"type": 10, "content": "Nothing about a table"}]) is None
