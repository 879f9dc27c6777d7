"""Looking back at a hand in Discord: pages that one person sees, and another try at the same cards."""

from typing import Any

import pytest
from simcord import ResponseMessage

from bot.chat.table.screens.review import lost_tenths
from bot.pure.solver.comparison import Choice, ExpectedResults
from bot.pure.solver.review import Decision
from tests.discord.club import Club, Control, Screen
from tests.discord.forge import forge
from tests.discord.test_practice import play_to_the_end, practised

PEOPLE = ["alice", "hanako"]


async def reviewed_hand(club: Club, *, variant: str = "pineapple") -> Screen:
    """Alice and Hanako have played a hand; its result."""
    table = await club.open_table("alice", "hanako", game=variant)
    await club.call_at_once()
    await club.type_hand(table)
    await club.settle()
    return result_screen(club)


def result_screen(club: Club) -> Screen:
    """The newest result in the channel."""
    return next(screen for screen in reversed(club.public()) if controls(screen, "review"))


def controls(screen: Screen, verb: str) -> list[Control]:
    return [control for control in screen.controls() if control["custom_id"].split(":")[1] == verb]


async def follow(club: Club, name: str, screen: Screen, label: str) -> Screen:
    shown = await club.click(name, screen, label)
    assert shown is not None
    return shown


async def overview(club: Club, name: str, result: Screen) -> Screen:
    shown = await club.press(name, result, controls(result, "review")[0])
    assert shown is not None
    return shown


@pytest.mark.parametrize("name", PEOPLE)
async def test_two_taps_lead_to_the_page_of_a_street(club: Club, name: str) -> None:
    words = club.words(name)
    result = await reviewed_hand(club)
    shown = await overview(club, name, result)
    assert shown.message.is_ephemeral
    assert words("review.title", hand=1) in shown.text
    assert all(words("review.street", street=street) in shown.text for street in range(1, 6))
    page = await club.press(name, shown, controls(shown, "reviewed")[0])
    assert page is not None
    assert page.id == shown.id
    assert words("review.placed") in page.text or words("review.auto") in page.text
    strongest = {"alice": "the strongest computer player", "hanako": "最強のコンピューター"}[name]
    assert strongest in page.text, "who the master is"
    assert len([part for part in walk_rows(page) if len(part["components"]) > 4]) == 0


def walk_rows(screen: Screen) -> list[dict[str, Any]]:
    found = []
    stack = list(screen.components)
    while stack:
        part = stack.pop()
        inner = part.get("components", ())
        if part.get("type") == 1:
            found.append(part)
        stack += inner
    return found


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_result_leads_to_another_try_from_the_first_cards(club: Club, name: str) -> None:
    words = club.words(name)
    result = await reviewed_hand(club)
    facts, posts = await club.facts(), [screen.text for screen in club.public()]
    shown = await club.tap(name, result, result.find("hand_details"))
    panel = await club.tap(name, shown, shown.find("retry_hand"))
    assert panel.message.is_ephemeral
    assert len(controls(panel, "try_card")) == 5, "the first five cards"
    tried = await filled(club, name, panel)
    assert words("review.retry.again") in tried.labels()
    assert await club.facts() == facts
    assert [screen.text for screen in club.public()] == posts, "everybody's result stays"
    details = await club.tap("bob", result, result.find("hand_details"))
    refused = await club.tap("bob", details, details.find("retry_hand"))
    assert refused.text == club.words("bob")("refused.not_in_hand", hand=1)


async def test_every_page_is_reached_and_leads_back(club: Club) -> None:
    words = club.words("alice")
    shown = await overview(club, "alice", await reviewed_hand(club))
    page = await forge_page(club, shown, 1)
    for street in range(1, 6):
        assert page.text.startswith(f"### {words('review.page', street=words('review.street', street=street), hand=1)}")
        if street < 5:
            label = words("review.button.next", street=words("review.street", street=street + 1))
            page = await follow(club, "alice", page, label)
    page = await follow(club, "alice", page, words("review.button.overview"))
    assert words("review.title", hand=1) in page.text


async def forge_page(club: Club, screen: Screen, page: int) -> Screen:
    custom_id = controls(screen, "reviewed")[0]["custom_id"]
    parts = custom_id.split(":")
    parts[4] = str(page)
    await forge(club, "alice", screen, ":".join(parts))
    return screen


async def test_a_review_shows_no_card_that_its_reader_may_not_know(club: Club) -> None:
    """The opponent's discards stay secret while the table is open."""
    result = await reviewed_hand(club)
    seen = (await club.look(1, "hanako")).hand
    assert seen
    hidden = [card for seat in seen.seats for card in seat.discards if card is not None]
    assert len(hidden) == 4
    shown = await overview(club, "alice", result)
    texts = [shown.text]
    for page in range(1, 6):
        texts.append((await forge_page(club, shown, page)).text)
    faces = club.bot.services.faces
    assert not [card for card in hidden if any(faces.card(card) in text for text in texts)]


async def test_only_those_who_played_review_a_hand(club: Club) -> None:
    result = await reviewed_hand(club)
    words = club.words("bob")
    shown = await overview(club, "bob", result)
    assert shown.text == words("refused.not_in_hand", hand=1)


async def test_a_running_hand_and_one_that_never_was_are_refused(club: Club) -> None:
    await club.open_table("alice", "hanako")
    await club.call_at_once()
    panel = await club.open_panel("alice")
    words = club.words("alice")
    press = await forge(club, "alice", panel, "c1:review:1:1:0:::")
    assert press.said == words("refused.not_revealed_yet", hand=1)
    press = await forge(club, "alice", panel, "c1:review:1:7:0:::")
    assert press.said == words("refused.no_such_hand", last=1)


async def test_a_void_hand_has_nothing_to_review(club: Club) -> None:
    await club.open_table("alice", "hanako")
    await club.call_at_once()
    await club.play.close(club.key(), reason="closed_by_admin")
    await club.settle()
    screen = club.public()[-1]
    press = await forge(club, "alice", screen, "c1:review:1:1:0:::")
    assert press.said == club.words("alice")("refused.hand_was_void", hand=1)


@pytest.mark.parametrize("name", PEOPLE)
async def test_the_menu_of_a_message_reviews_its_hand(club: Club, name: str) -> None:
    result = await reviewed_hand(club)
    shown = await from_menu(club, name, result)
    assert club.words(name)("review.title", hand=1) in shown.text
    assert shown.message.is_ephemeral


async def from_menu(club: Club, name: str, screen: Screen) -> Screen:
    message = ResponseMessage(club.world.env, screen.message)
    result = await club.members[name].context_menu(club.channel, "Review this hand", message)
    assert result.response
    return Screen(club, result.response.channel_id, result.response.id)


async def test_the_menu_on_any_other_message_says_where_to_look(club: Club) -> None:
    await club.open_table("alice", "hanako")
    shown = await from_menu(club, "alice", club.table_screen())
    assert shown.text == club.words("alice")("refused.no_hand_there")


async def test_a_private_practice_hand_is_reviewed_in_a_message_beside_it(club: Club) -> None:
    panel = await practised(club, "alice")
    await play_to_the_end(club, "alice", panel)
    await club.settle()
    words = club.words("alice")
    shown = await overview(club, "alice", panel)
    assert shown.id != panel.id
    assert words("review.title", hand=1) in shown.text
    assert words("result.heading", hand=1, table=1) in panel.text


@pytest.mark.parametrize("name", PEOPLE)
async def test_a_hand_is_tried_again_as_often_as_one_likes(club: Club, name: str) -> None:
    words = club.words(name)
    shown = await overview(club, name, await reviewed_hand(club))
    page = await club.press(name, shown, controls(shown, "reviewed")[0])
    assert page is not None
    facts = await club.facts()
    for _ in range(2):
        tried = await try_again(club, name, page)
        assert words("review.retry.again") in [control["label"] for control in tried.controls()]
        page = tried
    assert await club.facts() == facts  # nothing of it is kept
    back = await follow(club, name, page, words("review.retry.back"))
    assert words("review.button.retry") in [control.get("label") for control in back.controls()]


async def try_again(club: Club, name: str, page: Screen) -> Screen:
    """From a page or the end of a try: fill the lowest free rows until the board is full."""
    panel = await club.press(name, page, controls(page, "retry")[0])
    assert panel is not None
    return await filled(club, name, panel)


async def filled(club: Club, name: str, panel: Screen) -> Screen:
    for _ in range(40):
        ready = [control for control in controls(panel, "try_confirm") if not control.get("disabled")]
        rows = [control for control in controls(panel, "try_row") if not control.get("disabled")]
        if not ready and not rows:
            return panel
        shown = await club.press(name, panel, ready[0] if ready else rows[-1])
        assert shown is not None
        panel = shown
    raise AssertionError("the try does not end")


async def place_one(club: Club, panel: Screen) -> Screen:
    """The next card into the lowest row that takes it."""
    rows = [control for control in controls(panel, "try_row") if not control.get("disabled")]
    shown = await club.press("alice", panel, rows[-1])
    assert shown is not None
    return shown


async def test_a_try_goes_on_after_a_restart(club: Club) -> None:
    shown = await overview(club, "alice", await reviewed_hand(club))
    page = await forge_page(club, shown, 2)
    panel = await club.press("alice", page, controls(page, "retry")[0])
    assert panel is not None
    panel = await place_one(club, panel)
    await club.restart()
    again = await place_one(club, panel)
    assert not controls(again, "try_confirm")[0].get("disabled")
    back = await follow(club, "alice", again, club.words("alice")("review.retry.back"))
    assert (
        club.words("alice")("review.page", street=club.words("alice")("review.street", street=2), hand=1) in back.text
    )


async def test_a_forged_try_changes_nothing_and_is_answered(club: Club) -> None:
    result = await reviewed_hand(club)
    facts = await club.facts()
    for state in ("", "-", "-z1", "-0", "-01zz", "-9", "0-1zzzzzzzzz", "-11f", "zzzz-1", "-1", "-00"):
        for verb in ("try_row", "try_confirm", "try_card", "try_set_f", "try_arrange"):
            press = await forge(club, "alice", result, f"c1:{verb}:1:1:0:0F::{state}")
            assert press.acknowledged, (verb, state)
    for street in (0, 6, 99):
        press = await forge(club, "alice", result, f"c1:retry:1:1:{street}:::")
        assert press.acknowledged
    assert await club.facts() == facts


async def test_a_board_set_at_once_is_tried_again_in_menus(club: Club) -> None:
    words = club.words("alice")
    shown = await overview(club, "alice", await reviewed_hand(club, variant="chinese"))
    page = await club.press("alice", shown, controls(shown, "reviewed")[0])
    assert page is not None
    panel = await club.press("alice", page, controls(page, "retry")[0])
    assert panel is not None
    panel = await club.press("alice", panel, controls(panel, "try_arrange")[0])
    assert panel is not None
    tried = await club.press("alice", panel, controls(panel, "try_confirm")[0])
    assert tried is not None
    assert words("review.retry.again") in [control.get("label") for control in tried.controls()]


def decision_that_lost(loss: float) -> Decision:
    facts = ExpectedResults(foul=0, fantasyland=0, royalties=0)
    placed, best = (Choice(letters=letters, facts=facts) for letters in ("FFMMM", "BBBMM"))
    return Decision(street=1, placed=placed, best=best, loss=loss, error=0.01, real=True)


@pytest.mark.parametrize(
    ("losses", "shown"),
    [
        ([4.54, 1.13, 1.13], [46, 11, 11]),
        ([0.36, 0.36, 0.36], [3, 4, 4]),
        ([1.0, 0.2, -0.4], [10, 2, -4]),
        ([], []),
    ],
)
def test_what_mistakes_have_cost_adds_up_as_it_is_shown(losses: list[float], shown: list[int]) -> None:
    decisions = [decision_that_lost(loss) for loss in losses]
    assert lost_tenths(decisions) == shown
