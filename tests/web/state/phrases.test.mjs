import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOf, COLOURS, initialsOf } from "../../../page/people/faces.js";
import { bubbleOf, phrasesOf } from "../../../page/people/phrases.js";
import { ringStyle } from "../../../page/people/ring.js";
import { BUBBLE_MS, phraseActs, quietOf } from "../../../page/people/said.js";
import { bringActs } from "../../../page/state/state.js";
import { Page, seat, view } from "./table.mjs";

const SAID = { type: "phrase", table: 1, name: "Bob", phrase: "nice_hand" };
const talks = (more = {}) => {
  const page = Page.at(view({ phrases: true, ...more }));
  page.state = { ...page.state, words: { ...page.state.words, phrase_nice_hand: "Nice hand!", phrase_thanks: "Thanks!" } };
  return page;
};

test("until the part has come nothing is heard of a phrase", () => {
  const page = talks();
  assert.deepEqual(page.say("heard", { sent: SAID }).bubbles, []);
  assert.deepEqual(page.done, []);
  bringActs(phraseActs);
  assert.equal(page.say("heard", { sent: SAID }).bubbles.length, 1);
});

test("what somebody says is heard, stands beside their name and is gone", () => {
  const page = talks();
  page.say("heard", { sent: SAID });
  assert.deepEqual(page.said(), ["Bob: Nice hand!"]);
  assert.equal(bubbleOf(page.state, "Bob"), "Nice hand!");
  assert.equal(bubbleOf(page.state, "Alice"), "");
  page.at += 1_000;
  page.say("heard", { sent: { ...SAID, phrase: "thanks" } });
  assert.deepEqual([bubbleOf(page.state, "Bob"), page.state.bubbles.length], ["Thanks!", 1]);
  page.at += BUBBLE_MS - 1;
  page.say("tick");
  assert.equal(bubbleOf(page.state, "Bob"), "Thanks!");
  page.at += 1;
  page.say("tick");
  assert.equal(bubbleOf(page.state, "Bob"), "");
});

test("phrases of another table, or of a newer bot, are no news", () => {
  const page = talks();
  page.say("heard", { sent: { ...SAID, table: 2 } });
  page.say("heard", { sent: { ...SAID, phrase: "unheard_of" } });
  assert.deepEqual([page.state.bubbles, page.said()], [[], []]);
  page.say("heard", { sent: SAID });
  page.snapshot(view({ table: 2 }));
  assert.equal(bubbleOf(page.state, "Bob"), "", "they sit there too, and have said it elsewhere");
});

test("who is muted is neither seen nor heard, at once", () => {
  for (const wish of ["quiet", quietOf("Bob")]) {
    const page = talks();
    page.say("heard", { sent: SAID });
    page.say("wish", { name: wish, value: true });
    assert.equal(bubbleOf(page.state, "Bob"), "");
    page.done = [];
    page.say("heard", { sent: { ...SAID, phrase: "thanks" } });
    assert.deepEqual(page.said(), []);
    page.say("heard", { sent: { ...SAID, name: "Cleo" } });
    assert.equal(page.said().length, wish === "quiet" ? 0 : 1);
    page.say("wish", { name: wish, value: false });
    page.say("heard", { sent: SAID });
    assert.equal(bubbleOf(page.state, "Bob"), "Nice hand!");
  }
});

test("a phrase is asked for by its key, once at a time, and only where the bot offers it", () => {
  const page = talks();
  page.say("phrase", { phrase: "thanks" });
  page.say("phrase", { phrase: "thanks" });
  assert.deepEqual(page.sent("intent").map(({ verb, table, phrase }) => [verb, table, phrase]), [["say", 1, "thanks"]]);
  page.hear({ type: "answer", id: page.sent("intent")[0].id, outcome: "refused", said: "One at a time", letters: "", hint: null, stream: "" });
  assert.equal(page.state.toast.text, "One at a time");
  page.say("phrase", { phrase: "thanks" });
  assert.equal(page.sent("intent").length, 2);
  const silent = talks({ phrases: undefined });
  silent.say("phrase", { phrase: "thanks" });
  assert.deepEqual(silent.done, [], "an older bot would end the connection");
});

test("no other intent has a phrase, which an older bot would not understand", () => {
  const page = talks({ mine: null });
  page.say("want", { verb: "next_hand", turn: "t1" });
  assert.ok(page.sent("intent").length === 1 && !("phrase" in page.sent("intent")[0]));
});

test("there are eight phrases", () => {
  const keys = phrasesOf({}).map(([key]) => key);
  assert.equal(new Set(keys).size, 8);
});

test("initials are those of the name", () => {
  const names = { Alice: "A", "mary ann lee": "ML", "花子 Hanako": "花", "\u2068ボブ\u2069": "ボ", "ﾊﾅｺ": "ハ", "🤖 Robin": "R", "ßeta": "S", "Player 12": "P1", "🦊": "🦊", "김철수": "김", "o'neil": "ON", "": "?" };
  assert.deepEqual(Object.fromEntries(Object.keys(names).map((name) => [name, initialsOf(name)])), names);
});

test("colours are the same for all who look, and differ at a table", () => {
  const names = ["Alice", "Bob", "花子 Hanako", "Carol", "Dan", "Eve", "Frank", "Grace"];
  const colours = names.map((name) => colourOf(name, names));
  assert.equal(new Set(colours).size, COLOURS);
  assert.deepEqual(names.map((name) => colourOf(name, [...names].reverse())), colours);
  assert.ok(colours.every((colour) => colour >= 0 && colour < COLOURS));
  const crowd = Array.from({ length: 12 }, (_, number) => `Player ${number}`);
  assert.equal(new Set(crowd.map((name) => colourOf(name, crowd))).size, COLOURS, "more than there are colours");
});

test("a ring runs out with its clock, and its bank is at the end", () => {
  assert.equal(ringStyle(100_000, 40_000, 10_000, 60_000), "--left:1;--bank:0.25");
  assert.equal(ringStyle(100_000, 40_000, 0, 95_000), "--left:0.125;--bank:0");
  assert.equal(ringStyle(100_000, 40_000, 0, 94_500), "--left:0.15;--bank:0", "a second is drawn until it's over");
  assert.equal(ringStyle(100_000, 40_000, 0, 101_000), "--left:0;--bank:0");
  assert.equal(ringStyle(1_000, 400, 5_000, 800), "--left:1;--bank:1");
});

test("each clock is full where it was seen first, whoever's it is", () => {
  const seats = (until) => [seat("Alice", { you: true }), seat("Bob", { until })];
  const page = Page.at(view({ until: 1_030_000, seats: seats(1_060_000) }));
  page.at += 20_000;
  page.hear({ type: "change", now: page.at, state: "s2", parts: { seats: seats(1_060_000) } });
  assert.deepEqual(page.state.clocks, { 1030000: 30_000, 1060000: 60_000 });
  page.hear({ type: "change", now: page.at, state: "s3", parts: { until: null, seats: seats(1_090_000) } });
  assert.deepEqual(page.state.clocks, { 1090000: 70_000 });
});
