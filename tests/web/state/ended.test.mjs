import assert from "node:assert/strict";
import { test } from "node:test";
import { scoreOf } from "../../../page/duel/sequence.js";
import { looked, SEQUENCE_MS, tells } from "../../../page/state/ended.js";
import { looksBack, may } from "../../../page/state/shown.js";
import { Page, seat, view } from "./table.mjs";

const scored = (points, told = "") => ({ royalties: [0, 0, 0], points, chips: 10 * points, fantasyland: told ? 14 : 0, stays: false, told });
const PAIR = {
  first: 0, second: 1, rows: [1, 1, 1], scoop: 3, majority: 0, two_rows: 0, total: 0, royalties: 0, instead: 0, why: "", points: 6, payer: 1, owed: 60, chips: 60, paid: "60 chips",
};
const result = (hand, told) => ({
  hand, title: `Hand ${hand}`, totals: ["Alice +6", "Bob -6"], notes: [], pairs: ["Alice wins 60 chips from Bob"], duel: { seats: [scored(6, told), scored(-6)], pairs: [PAIR] },
});
const SEATS = [seat("Alice", { you: true, rows: [["Ah"], [], []] }), seat("Bob")];
const over = (hand = 1, more = {}) => view({ mine: null, seats: SEATS, result: result(hand), next_hand: 10_000, past: hand, ...more });

test("the end of a hand is told once, to whoever saw the hand", () => {
  const page = Page.at();
  page.snapshot(over());
  assert.ok(tells(page.state));
  assert.deepEqual(page.said(), ["Hand 1. Alice wins 60 chips from Bob"]);
  page.snapshot(over(1, { status: "Bob is ready" }));
  assert.ok(tells(page.state));
  page.at += SEQUENCE_MS;
  page.say("tick");
  assert.ok(!tells(page.state));
  assert.ok(!tells(Page.at(over()).state), "a page that opens later shows what there is");
});

test("between more than two the totals are said, and Fantasyland with its player", () => {
  const page = Page.at();
  const { duel, ...rest } = result(1, "Fantasyland next hand, 14 cards");
  page.snapshot(over(1, { seats: [...SEATS, seat("Carol")], result: { ...rest, duel: { ...duel, seats: [...duel.seats, scored(0)] } } }));
  assert.deepEqual(page.said(), ["Hand 1. Alice +6. Bob -6. Alice Fantasyland next hand, 14 cards"]);
});

test("the result folds once the next hand begins, and opens again", () => {
  const page = Page.at();
  page.snapshot(over());
  page.snapshot(view());
  assert.ok(!looksBack(page.state));
  assert.equal(looked(page.state), page.state);
  page.say("lookAgain");
  const shown = looked(page.state);
  assert.equal(shown.view.result.hand, 1);
  assert.deepEqual(shown.view.seats[0].rows, [["Ah"], [], []]);
  assert.equal(shown.view.mine, null);
  assert.ok(!may(shown), "no card can be moved that isn't seen");
  assert.ok(!tells(shown), "it isn't told again");
  page.done = [];
  for (const message of [{ type: "put", row: "F" }, { type: "tap", place: 0 }, { type: "drop", place: 0, row: "B", other: null }, { type: "confirm" }]) page.say(message.type, message);
  assert.deepEqual(page.done, []);
  page.say("goOn");
  assert.ok(may(page.state));
  assert.equal(looked(page.state), page.state);
});

test("whoever waits sees the result until they go on", () => {
  const page = Page.at();
  page.snapshot(over());
  page.say("wait");
  assert.equal(looked(page.state), page.state);
  page.snapshot(view({ yours: true, status: "Your turn" }));
  assert.ok(looksBack(page.state));
  const { view: seen } = looked(page.state);
  assert.deepEqual([seen.result.hand, seen.yours, seen.status], [1, true, "Your turn"]);
  page.say("goOn");
  assert.ok(!looksBack(page.state));
  page.snapshot(over(2));
  page.snapshot(view());
  assert.ok(!looksBack(page.state), "they have waited once");
});

test("whoever takes the wait back goes on with the next hand", () => {
  const page = Page.at();
  page.snapshot(over());
  page.say("wait");
  page.say("wait");
  page.snapshot(view());
  assert.ok(!looksBack(page.state));
});

test("a new result takes the place of the one that is looked at", () => {
  const page = Page.at();
  page.snapshot(over());
  page.snapshot(view());
  page.say("lookAgain");
  page.snapshot(over(2));
  assert.ok(!looksBack(page.state));
  assert.equal(looked(page.state).view.result.hand, 2);
  assert.ok(tells(page.state));
});

test("the result of one table is not shown at another", () => {
  const page = Page.at();
  page.snapshot(over());
  page.say("wait");
  page.snapshot(view({ table: 2 }));
  assert.equal(page.state.ended, null);
  assert.equal(looked(page.state), page.state);
});

test("a hand that is tried again is shown, whoever waits", () => {
  const page = Page.at();
  page.snapshot(over());
  page.say("wait");
  page.snapshot(view({ offers: [{ verb: "end_retry", label: "", text: "", sure: "", turn: "" }] }));
  assert.ok(!looksBack(page.state));
});

test("the details of a result stay while the next hand begins", () => {
  const page = Page.at();
  page.snapshot(over());
  page.say("showResult");
  page.snapshot(view());
  assert.equal(page.state.sheet.result.hand, 1);
  page.snapshot(over(2));
  assert.equal(page.state.sheet, null);
  page.snapshot(view());
  page.say("lookAgain");
  page.say("showResult");
  assert.equal(page.state.sheet.result.hand, 2);
});

test("the line above the next hand has the reader's points, or the winner's", () => {
  const page = Page.at();
  page.snapshot(over());
  assert.deepEqual(scoreOf(page.state.ended), { points: 6, name: "" });
  page.snapshot(over(2, { seats: [seat("Alice"), seat("Bob")], watches: true }));
  assert.deepEqual(scoreOf(page.state.ended), { points: 6, name: "Alice" });
});
