// Which sounds follow from what has happened.

import assert from "node:assert/strict";
import { test } from "node:test";
import { soundOf } from "../../../page/sounds/heard.js";
import { mine, Page, seat, view } from "./table.mjs";

/** What a page sounds while it's told something. */
function heard(page, tell) {
  const before = page.state;
  tell(page);
  return soundOf(before, page.state);
}

const waits = (more = {}) => view({ mine: null, seats: [seat("Alice", { you: true }), seat("Bob", more)] });
const over = (gained, duel = null, hand = 1) => view({ mine: null, seats: [seat("Alice", { you: true, gained }), seat("Bob")], result: { hand, title: `Hand ${hand}`, totals: [], notes: [], pairs: [], duel } });
const scored = (scoop) => ({ seats: [], pairs: [{ first: 0, second: 1, rows: [1, 1, 1], scoop }] });

test("one's turn sounds", () => {
  assert.equal(heard(Page.at(waits()), (page) => page.snapshot(view({ yours: true }))), "turn");
});

test("a card sounds when one places it, and when somebody else does", () => {
  const page = Page.at();
  assert.equal(heard(page, () => page.say("tap", { place: 0 })), null, "a card that is only chosen lies nowhere");
  assert.equal(heard(page, () => page.say("put", { row: "B" })), "card");
  assert.equal(heard(page, () => page.say("undo")), null);
  assert.equal(heard(Page.at(waits()), (other) => other.snapshot(waits({ latest: ["Ah"], rows: [["Ah"], [], []] }))), "card");
  assert.equal(heard(page, () => page.snapshot(view({ mine: mine(["2h", "3d", "4c"], { turn: "t2" }) }))), null, "new cards are not placed yet");
});

test("a hand that was won sounds, and a scoop more", () => {
  assert.equal(heard(Page.at(waits()), (page) => page.snapshot(over("+6", scored(0)))), "won");
  assert.equal(heard(Page.at(waits()), (page) => page.snapshot(over("+6", scored(3)))), "scoop");
  assert.equal(heard(Page.at(waits()), (page) => page.snapshot(over("\u22126", scored(-3)))), null, "what others win is silent");
  assert.equal(heard(Page.at(over("+6", scored(3))), (page) => page.snapshot(over("+6", scored(3)))), null, "once is enough");
  assert.equal(heard(Page.at(waits()), (page) => page.snapshot({ ...over("+6", scored(3)), table: 2 })), null, "another table's result is looked at");
});

test("who watches hears nobody win", () => {
  const watched = view({ mine: null, watches: true, seats: [seat("Alice"), seat("Bob")] });
  const ended = { ...over("", scored(3)), watches: true, seats: [seat("Alice", { gained: "+6" }), seat("Bob")] };
  assert.equal(heard(Page.at(watched), (page) => page.snapshot(ended)), null);
});

test("the clock sounds once, when one's own time gets short", () => {
  const page = Page.at();
  page.snapshot(view({ yours: true, until: page.at + 30_000 }));
  page.at += 19_000;
  assert.equal(heard(page, () => page.say("tick")), null);
  page.at += 1_500;
  assert.equal(heard(page, () => page.say("tick")), "clock");
  page.at += 500;
  assert.equal(heard(page, () => page.say("tick")), null);
  const other = Page.at(view({ until: 1_030_000 }));
  other.at += 25_000;
  assert.equal(heard(other, () => other.say("tick")), null, "somebody else's time is theirs");
});
