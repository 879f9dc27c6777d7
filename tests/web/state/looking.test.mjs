import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { judgedRows } from "../../../page/judging/judged.js";
import { mine, Page, seat, view } from "./table.mjs";

const golden = JSON.parse(readFileSync(new URL("rows.json", import.meta.url), "utf8"));
const row_rules = golden.games.find(({ game }) => game === "pineapple").rules;
const { words, hands } = { words: golden.words.en, hands: golden.hands.en };

/** A page for this board and these cards, which knows how to name hands. */
function placing(rows, cards, { more = {}, others = [] } = {}) {
  const own = seat("Alice", { you: true, rows });
  const page = Page.at(view({ row_rules, seats: [own, seat("Bob", { rows: [[], [], others] })], mine: mine(cards, { fantasyland: 0, ...more }) }));
  page.state = { ...page.state, words: { ...page.state.words, ...words }, hands };
  return page;
}

const captions = ({ state }) => judgedRows(state).map(({ made, draw }) => [...made, draw].filter(Boolean).join(" · "));

test("captions follow the draft, without a word from the bot", () => {
  const page = placing([["Qs"], [], ["9h", "5h"]], ["Kh", "Qd", "2c"]);
  assert.deepEqual(captions(page), ["QQ +7, Fantasyland: 2 left", "", "flush +4: 3 more ♥\ufe0e, 10 left"]);
  page.say("put", { row: "B" });
  page.say("put", { row: "F" });
  assert.equal(page.state.drafted.letters, "...", "the bot has not answered");
  assert.deepEqual(captions(page), ["QQ +7, Fantasyland", "", "flush +4: 2 more ♥\ufe0e, 10 left"]);
  page.say("undo");
  assert.equal(captions(page)[0], "QQ +7, Fantasyland: 2 left");
});

test("cards that others show aren't left, and cards that are face down are", () => {
  const page = placing([[], [], ["9h", "5h"]], ["Kh", "Qd", "2c"], { others: ["2h", "3h", "?", "?"] });
  page.say("put", { row: "B" });
  assert.equal(captions(page)[2], "flush +4: 2 more ♥\ufe0e, 8 left");
});

test("with the last cards nothing more can come", () => {
  const rows = [["Qs", "2d"], ["3c", "4c", "5c", "6c"], ["9h", "5h", "Kh", "2h", "3h"]];
  const page = placing(rows, ["7c", "8d", "Ac"]);
  assert.deepEqual(captions(page), ["Q-high", "6-high", "K-high flush +4"]);
});

test("only while one places is anything judged", () => {
  const page = placing([[], [], []], ["Kh", "Qd", "2c"]);
  page.snapshot(view({ row_rules, mine: null }));
  assert.equal(judgedRows(page.state), null);
  assert.equal(page.say("seen").seen, false);
});

test("the seen cards and a row's table are shown and hidden", () => {
  const page = placing([[], [], []], ["Kh", "Qd", "2c"]);
  assert.equal(page.say("seen").seen, true);
  assert.equal(page.say("seen").seen, false);
  assert.equal(page.say("pays", { row: "B" }).pays, "B");
  assert.equal(page.say("pays", { row: "" }).pays, "");
});
