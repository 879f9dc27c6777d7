"""Captions, pay tables and seen cards while a player places cards, which appear at once and move nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import pytest
from pytest_asyncio import fixture

from bot.pure.ofc.cards import ROWS, card_name
from bot.pure.ofc.placement import place, preview
from bot.pure.ofc.view import unseen
from bot.text.cards import hand_text
from bot.text.words import words_for
from tests.discord.club import Club, fantasyland_letters
from tests.web.browser import DESK, PHONE, Tab
from tests.web.open_pages import Open
from tests.web.test_browser import placed, tab, three
from tests.web.test_browser_sizes import opened_earning  # noqa: F401  (a fixture)
from tests.web.webkit import WebKitTab, webkit

pytestmark = pytest.mark.browser

SIZES = (
    {"width": 320, "height": 568},
    {"width": 375, "height": 667},
    PHONE,
    {"width": 667, "height": 375},
    {"width": 844, "height": 390},
    DESK,
)
DROP_DRAFTS = """() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    if (JSON.parse(text).type !== 'draft') send.call(this, text);
  };
}"""
"""From now on the bot hears of no draft, so all that the page says of one is its own."""
CAPTIONS = "#own .made.judged"
BOXES = """() => [...document.querySelectorAll('#own :is(.board, .row, .slots), #tray, #others .seat')].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
})"""
CUT = """() => [...document.querySelectorAll('#own .judged')].flatMap((made) => {
  const box = made.getBoundingClientRect();
  const shown = made.querySelector('.draw') ?? made.querySelector('span');
  if (!shown) return [];
  const { left, right, top, bottom } = shown.getBoundingClientRect();
  const whole = shown.scrollWidth <= shown.clientWidth + 1 && shown.scrollHeight <= shown.clientHeight + 1;
  const inside = left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
  return whole && inside ? [] : [shown.textContent];
})"""
"""The captions that can't be read whole."""
WITH = """([draw, made]) => {
  const boxes = BOXES, cut = CUT;
  const all = [...document.querySelectorAll('#own .judged')].map((one) => [one, [...one.childNodes]]);
  for (const [one] of all) {
    one.replaceChildren(...['draw', ''].map((name, at) => {
      const span = document.createElement('span');
      [span.className, span.textContent] = [name, [draw, made][at]];
      return span;
    }));
  }
  const found = [boxes(), cut()];
  // The page draws its own again, in the places that it knows.
  for (const [one, nodes] of all) one.replaceChildren(...nodes);
  return found;
}""".replace("BOXES", BOXES).replace("CUT", CUT)
"""The boxes of the table, and the captions that are cut off, with this in each caption."""
HOLD = """([selector, type]) => {
  const one = document.querySelector(selector);
  const { x, y } = one.getBoundingClientRect();
  const where = { bubbles: true, cancelable: true, clientX: x + 4, clientY: y + 4 };
  one.dispatchEvent(new PointerEvent(type, { ...where, pointerType: 'touch', pointerId: 7 }));
  if (type === 'pointerup') one.dispatchEvent(new MouseEvent('click', where));
}"""


async def late(club: Club, name: str) -> None:
    """Play until this member places the cards of the fourth street."""
    await club.open_table("alice", "bob", "hanako")
    for _ in range(9):
        await club.play_turn(await club.on_turn())
    while await club.on_turn() != name:
        await club.play_turn(await club.on_turn())


async def captions(page: Tab) -> list[str]:
    """Return the captions of front, middle and back."""
    found: list[str] = await page.at(CAPTIONS).all_text_contents()
    return found


async def test_a_board_is_judged_before_the_bot_has_heard_of_it(lucky: Club, opened_earning: Open) -> None:  # noqa: F811
    words = words_for("en")
    view = await lucky.look(1, "alice")
    assert view.hand
    assert view.hand.mine
    letters = fantasyland_letters(view)
    cards = [card for card in view.hand.mine.held if card is not None]
    rows, _ = place(((), (), ()), cards, letters)
    shown = preview(view.hand.variant, rows, fantasyland=view.hand.mine.fantasyland)
    async with tab(opened_earning, lucky, "alice", DESK) as page:
        await page.at(CAPTIONS).first.wait_for()
        await page.view.evaluate(DROP_DRAFTS)
        for card, letter in enumerate(letters):
            if letter != "D":
                await page.at(f'#tray [data-card="{card}"]').click()
                await page.at(f'[data-row="{letter}"] .line button').click()
        await page.at("#own .board.pending").wait_for()
        for row, told in zip(ROWS, await captions(page), strict=True):
            royalty = shown.royalties[row.place]
            paid = f" {words.signed(royalty)}" if royalty else ""
            assert told.startswith(hand_text(shown.strengths[row.place], words) + paid), row
        assert any(map("Fantasyland".__contains__, await captions(page))) == bool(shown.next_fantasyland)


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_captions_fit_and_move_nothing(club: Club, opened: Open, name: str) -> None:
    await late(club, name)
    long = {
        "alice": (
            "full house +12: 2 more, 10 left",
            "10-10-10 +18, Fantasyland: 2 left",
            "four of a kind +20: 2 more, 4 left",
        ),
        "hanako": (
            "フルハウス +12：あと2枚（残り10枚）",
            "10-10-10 +18で突入：残り2枚",
            "フラッシュ +8：♥\ufe0eあと3枚（残り10枚）",
        ),
    }
    async with tab(opened, club, name, PHONE) as page:
        await page.at(CAPTIONS).first.wait_for()
        for size in SIZES:
            await page.sized(size)
            await page.fits()
            assert await page.view.evaluate(CUT) == [], size
            boxes = await page.view.evaluate(BOXES)
            for draw in long[name]:
                assert await page.view.evaluate(WITH, [draw, "pair of tens"]) == [boxes, []], size
            assert await page.view.evaluate(WITH, ["", ""]) == [boxes, []], size


async def test_only_ones_own_rows_are_judged_and_only_while_one_places(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, DESK) as page:
        await page.at(CAPTIONS).first.wait_for()
        assert await page.at(CAPTIONS).count() == 3
        assert await page.at(".judged").count() == 3
        for row in "fm":
            await page.page.keyboard.press(row)
        await page.confirm()
        await page.at("#tray").wait_for(state="detached")
        assert await page.at(".judged, .peek").count() == 0
        await page.page.keyboard.press("c")
        assert await page.at("#seen").count() == 0


async def test_a_row_shows_what_it_pays_under_the_mouse_and_with_the_keyboard(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, DESK) as page:
        await page.at(CAPTIONS).first.wait_for()
        await page.at('[data-row="F"] .line').hover()
        await page.at("#pays").wait_for()
        assert "QQ 7" in " ".join((await page.at("#pays").inner_text()).split())
        # It stays under the mouse, covers no other row, and is gone after Escape, elsewhere, and with a press.
        await page.at("#pays li").first.hover()
        table = await page.at("#pays").bounding_box()
        middle = await page.at('[data-row="M"]').bounding_box()
        assert table
        assert middle
        assert table["x"] >= middle["x"] + middle["width"] - 1
        await page.page.keyboard.press("Escape")
        await page.at("#pays").wait_for(state="detached")
        await page.at("#title").hover()
        await page.at('[data-row="M"] .line').hover()
        await page.at("#pays").wait_for()
        await page.at('[data-row="M"] .line button').click()
        await page.at("#pays").wait_for(state="detached")
        assert await page.at('[data-row="M"] [data-card]').count() == 1
        for row in "FMB":
            label = page.at(f'[data-key="row-{row}"]')
            await page.at('[data-key="board"]').focus()
            await page.page.keyboard.press("Tab")
            await label.focus()
            await page.at("#pays").wait_for()
            described = str(await label.get_attribute("aria-describedby"))
            assert words_for("en")("page.words.pays_royalties") in await page.at(f"#{described}").text_content()
        await page.at('[data-key="undo"]').focus()
        await page.at("#pays").wait_for(state="detached")


async def test_a_press_on_a_pay_table_goes_to_what_it_covers(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, DESK) as page:
        await page.at(CAPTIONS).first.wait_for()
        await page.at('[data-row="B"] .line').hover()
        await page.at("#pays").wait_for()
        # Wherever it lies: under the pointer is a card now, which the press gives to the row.
        await page.view.evaluate("""() => {
          const card = [...document.querySelectorAll("#tray [data-card]")].at(-1);
          const { left, top } = card.getBoundingClientRect();
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(`#pays { left: ${left - 20}px !important; top: ${top - 20}px !important; }`);
          document.adoptedStyleSheets.push(sheet);
        }""")
        card = page.at("#tray [data-card]").last
        assert await card.get_attribute("aria-pressed") == "false"
        box = await card.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert await page.view.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('#pays') !== null", [x, y])
        await page.page.mouse.click(x, y)
        await page.at("#pays").wait_for(state="detached")
        await page.at("#tray [data-card]:last-child[aria-pressed=true]").wait_for()


async def test_a_row_that_is_held_shows_what_it_pays_and_takes_no_card(club: Club, opened: Open) -> None:
    name = await three(club)
    async with tab(opened, club, name, PHONE, has_touch=True) as page:
        await page.at(CAPTIONS).first.wait_for()
        row = '#own [data-row="M"] .slots'
        await page.view.evaluate(HOLD, [row, "pointerdown"])
        await page.at("#pays").wait_for()
        await page.view.evaluate(HOLD, [row, "pointerup"])
        assert await page.at("#own [data-card].draft").count() == 0
        table = await page.at("#pays").bounding_box()
        assert table
        assert table["x"] >= 0
        assert table["y"] >= 0
        assert table["x"] + table["width"] <= PHONE["width"]
        # The next tap is one again.
        await page.at('[data-row="M"] .line button').tap()
        await page.at('[data-row="M"] [data-card]').wait_for()
        assert await page.at("#pays").count() == 0


@pytest.mark.parametrize("name", ["alice", "hanako"])
async def test_the_seen_cards_are_a_key_or_a_press_away(club: Club, opened: Open, name: str) -> None:
    await late(club, name)
    words = words_for("ja" if name == "hanako" else "en")
    hand = (await club.look(1, name)).hand
    assert hand
    left = Counter(card_name(card)[1] for card in unseen(hand))
    async with tab(opened, club, name, PHONE, has_touch=True) as page:
        await page.at(CAPTIONS).first.wait_for()
        before = await page.view.evaluate(BOXES)
        await page.page.keyboard.press("c")
        await page.at("#seen").wait_for()
        assert await page.view.evaluate(BOXES) == before, "it lies over the table"
        for size in SIZES:
            await page.sized(size)
            box = await page.at("#seen").bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= size["width"]
            assert await page.at("#seen .deck-lines span").count() == 52
            for suit, count in left.items():
                assert await page.at(f"#seen .deck-lines .{suit}").count() == count
        lines = await page.at("#seen [role=img]").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
        for suit, label in zip(("spades", "hearts", "diamonds", "clubs"), lines, strict=True):
            said = words("page.words.seen_left", suit=words(f"aloud.suit.{suit}"), count=left[suit[0]])
            assert said in label
        # Cards are placed with it open, and it closes in each way.
        await page.page.keyboard.press("f")
        await page.at('[data-row="F"] [data-card]').wait_for()
        assert await page.at("#seen").is_visible()
        await page.page.keyboard.press("Escape")
        await page.at("#seen").wait_for(state="detached")
        await page.sized(PHONE)
        await page.at(".peek").tap()
        await page.at('.peek[aria-expanded="true"]').wait_for()
        assert await page.at("#own [data-card].draft").count() == 1, "the press places no card"
        await page.at('[data-key="seen-close"]').tap()
        await page.at("#seen").wait_for(state="detached")
        assert await placed(club, name) == 9


@fixture(loop_scope="session")
async def webkit_tab() -> AsyncIterator[WebKitTab]:
    """The browser that iPhones have, about as large as a phone."""
    async with webkit() as found:
        await found.size(PHONE["width"], PHONE["height"])
        yield found


async def test_rows_are_judged_in_webkit(club: Club, opened: Open, webkit_tab: WebKitTab) -> None:
    name = await three(club)
    await webkit_tab.go(f"{opened.origin}/table#{opened.token(club, name)}")
    await webkit_tab.there(CAPTIONS)
    assert await webkit_tab.run(CUT) == []
    await webkit_tab.keys("c")
    await webkit_tab.there("#seen .gone")
    await webkit_tab.keys("c")
    await webkit_tab.gone("#seen")
    await webkit_tab.run(f"() => ({HOLD})(['#own [data-row=M] .slots', 'pointerdown'])")
    await webkit_tab.there("#pays li")
