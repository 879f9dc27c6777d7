"""The page by keyboard, for example with a screen reader. Each key does one thing, and focus is never lost."""

from __future__ import annotations

import pytest

from bot.text.words import words_for
from tests.discord.club import Club
from tests.web.browser import DESK, Tab
from tests.web.open_pages import Open
from tests.web.test_browser import focused, placed, tab, three

pytestmark = pytest.mark.browser

WORDS = words_for("en")
FOCUSED = """() => {
  const one = document.activeElement;
  return one === document.body ? "" : one.dataset.key || one.id || one.className || one.tagName;
}"""
STOPS = "button, select, summary, input, a[href]"
NAMED = "one => one.dataset.key ? `[data-key=${one.dataset.key}]` : one.id ? `#${one.id}` : one.tagName"
ON_PAGE = f"() => [...document.querySelectorAll('{STOPS}')].filter(one => one.checkVisibility()).map({NAMED})"


async def place_all(page: Tab) -> None:
    """Place the cards in the order dealt, with no key that needs the focus on anything."""
    await page.view.evaluate("() => document.activeElement.blur()")
    for row in "bbmmf":
        await page.at("#tray [data-card].chosen, #bar button.main:not([disabled])").first.wait_for()
        if await page.at("#tray [data-card].chosen").count():
            await page.page.keyboard.press(row)
    await page.at("#bar button.main:not([disabled])").wait_for()


NOTE_INTENTS = """() => {
  window.asked = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    const said = JSON.parse(text);
    if (said.type === 'intent') window.asked.push(said.verb);
    return send.call(this, text);
  };
}"""
"""From now on the page notes the verbs of all that it asks for."""


async def test_enter_acts_on_what_is_focused_and_confirms_nowhere_but_on_confirm(club: Club, opened: Open) -> None:
    name = await three(club, streets=0)
    async with tab(opened, club, name, DESK) as page:
        await page.view.evaluate(NOTE_INTENTS)
        await place_all(page)
        stops = await page.view.evaluate(ON_PAGE)
        seen: set[str] = set()
        for stop in stops:
            for key in ("Enter", "Space"):
                await place_all(page)
                await page.at(stop).first.focus()
                where = await page.view.evaluate(FOCUSED)
                if where in ("", "confirm"):
                    continue
                seen.add(where)
                before = await page.at("#own .board [data-card]").count()
                await page.page.keyboard.press(key)
                if where.startswith("card-"):
                    # A card that is placed comes back.
                    await page.at(f'#tray [data-key="{where}"]').wait_for()
                    assert before - await page.at("#own .board [data-card]").count() == 1
                    await page.view.wait_for_function(f"key => ({FOCUSED})() === key", arg=where)
                await page.page.keyboard.press("Escape")
        assert seen >= {
            *(f"card-{place}" for place in range(5)),
            "row-F",
            "row-M",
            "row-B",
            "undo",
            "clear",
            "settings",
        }
        assert await page.view.evaluate("() => window.asked") == []
        await place_all(page)
        await focused(page, '[data-key="confirm"]')
        await page.page.keyboard.press("Enter")
        await page.at("#tray").wait_for(state="detached")
        assert await page.view.evaluate("() => window.asked") == ["confirm"]
        assert await placed(club, name) == 5


async def test_keys_go_from_card_to_card_and_then_to_confirm(club: Club, opened: Open) -> None:
    name = await three(club, streets=0)
    async with tab(opened, club, name, DESK) as page:
        keys = page.page.keyboard
        await focused(page, '#tray [data-card="0"]')
        # A screen reader leaves letters to an application, and reads which cards are in it.
        tray = page.at("#tray[role=application]")
        for place, row in enumerate("bbmmf"):
            assert await page.view.evaluate(FOCUSED) == f"card-{place}"
            label = str(await tray.get_attribute("aria-label"))
            assert str(await page.at(f'[data-card="{place}"]').get_attribute("aria-label")) in label
            await keys.press(row)
        await page.view.wait_for_function(f"() => ({FOCUSED})() === 'confirm'")
        await keys.press("u")
        assert await page.view.evaluate(FOCUSED) == "card-4"
        await keys.press("f")
        await page.view.wait_for_function(f"() => ({FOCUSED})() === 'confirm'")
        await keys.press("Enter")
        await page.at("#tray").wait_for(state="detached")
        assert await page.view.evaluate(FOCUSED) == "board"
        assert await placed(club, name) == 5


async def test_behind_a_press_with_the_mouse_enter_confirms_and_repeats_nothing(club: Club, opened: Open) -> None:
    name = await three(club, streets=0)
    async with tab(opened, club, name, DESK) as page:
        await place_all(page)
        await page.at('[data-key="undo"]').click()
        await page.at("#tray [data-card].chosen").wait_for()
        await page.page.keyboard.press("Enter")
        assert await page.at("#own .board [data-card]").count() == 4
        await page.at('[data-row="F"] .line button').click()
        await page.at("#bar button.main:not([disabled])").wait_for()
        await page.page.keyboard.press("Enter")
        await page.at("#tray").wait_for(state="detached")
        assert await placed(club, name) == 5


async def test_a_key_that_is_held_down_presses_once(club: Club, opened: Open) -> None:
    name = await three(club, streets=0)
    async with tab(opened, club, name, DESK) as page:
        keys = page.page.keyboard
        for _ in range(3):
            await keys.down("f")
        await keys.up("f")
        await page.counts('[data-row="F"] [data-card]', 1)
        assert await page.at("#tray [data-card]").count() == 4
        await focused(page, '[data-key="row-M"]')
        for _ in range(3):
            await keys.down("Enter")
        await keys.up("Enter")
        await page.counts('[data-row="M"] [data-card]', 1)
        assert await page.at("#tray [data-card]").count() == 3


async def test_the_focus_comes_back_from_every_sheet(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    await club.play_hand()
    async with tab(opened, club, "alice", DESK) as page:
        keys = page.page.keyboard
        # A sheet that takes the place of another has the focus too.
        await focused(page, '[data-key="past"]')
        await keys.press("Enter")
        await page.at("#scrubber").wait_for()
        await page.at("#sheet .ways button", has_text=WORDS("review.button_label")).press("Enter")
        await page.at("#sheet .below .prose p").first.wait_for()
        assert await page.view.evaluate("() => document.activeElement.id") == "scrubber"
        await keys.press("Escape")
        await page.at("#sheet").wait_for(state="hidden")
        for key, shows in (("past", "#scrubber"), ("review", "#sheet .below .prose p")):
            await focused(page, f'[data-key="{key}"]')
            await keys.press("Enter")
            await page.at(shows).first.wait_for()
            await keys.press("Escape")
            await page.at("#sheet").wait_for(state="hidden")
            assert await page.view.evaluate(FOCUSED) == key
        for key, shows in (("rules", "#sheet h3"), ("verify", "#record")):
            await focused(page, "#settings > button")
            await keys.press("Enter")
            await focused(page, f'#menu [data-key="{key}"]')
            await keys.press("Enter")
            await page.at(shows).first.wait_for()
            await keys.press("Escape")
            await page.at("#sheet").wait_for(state="hidden")
            assert await page.view.evaluate("() => document.activeElement.matches('#settings > button')")


async def test_what_others_place_is_said_row_by_row(club: Club, opened: Open) -> None:
    await club.open_table("alice", "bob")
    name = await club.on_turn()
    other = "bob" if name == "alice" else "alice"
    async with tab(opened, club, other, DESK) as page:
        await club.play_turn(name, script={name: ["FFMBB"]})
        await page.at("#tray").wait_for()
        spoken = str(await page.at("#live").text_content())
        view = await club.look(1, other)
        assert view.hand is not None
        rows = page.at("#others .seat .row")
        for number, row in enumerate(("front", "middle", "back")):
            cards = "all => all.map(one => one.getAttribute('aria-label'))"
            names = await rows.nth(number).locator(".card").evaluate_all(cards)
            assert len(names) == (2, 1, 2)[number]
            assert f"{WORDS(f'row.{row}').capitalize()}: {', '.join(names)}" in spoken
        assert name.capitalize() in spoken


async def test_enter_says_how_many_cards_are_still_to_place(club: Club, opened: Open) -> None:
    name = await three(club, streets=0)
    async with tab(opened, club, name, DESK) as page:
        await page.view.evaluate(NOTE_INTENTS)
        await page.view.evaluate("() => document.activeElement.blur()")
        for left in (5, 4):
            await page.page.keyboard.press("Enter")
            said = WORDS("page.words.more", count=left)
            await page.at("#toast", has_text=said).wait_for()
            assert said in str(await page.at("#live").text_content())
            await page.page.keyboard.press("b")
            await page.at("#toast").wait_for(state="hidden")
        assert await page.view.evaluate("() => window.asked") == []


async def test_a_row_is_called_full_no_longer_than_until_the_next_act(club: Club, opened: Open) -> None:
    name = await three(club, streets=0)
    acts = ("m", "u", "ArrowRight")
    async with tab(opened, club, name, DESK) as page:
        for act in acts:
            for key in "fff":
                await page.page.keyboard.press(key)
            await page.page.keyboard.press("f")
            await page.at("#toast", has_text="is full").wait_for()
            await page.page.keyboard.press(act)
            assert await page.at("#toast").is_hidden(), act
            await page.at('[data-key="clear"]').click()
            await page.at('[data-row="F"] [data-card]').wait_for(state="detached")
