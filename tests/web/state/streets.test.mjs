// The streets of the running hand: what the page has seen of them, and the boards as they were.

import assert from "node:assert/strict";
import { test } from "node:test";
import { streetsOf } from "../../../page/history/streets.js";
import { looked } from "../../../page/state/ended.js";
import { may } from "../../../page/state/shown.js";
import { mine, Page, seat, view } from "./table.mjs";

const STREETS = [5, 7, 9, 11, 13];
const FIRST = [["Ah"], ["Kd", "Qc"], ["Js", "Th"]];
const BOB = [[], ["2c", "3c", "4c"], ["9d", "9h"]];

/** A view of Alice's and Bob's boards. */
const boards = (alice, bob, more = {}) => view({
  streets: STREETS, mine: null, seats: [seat("Alice", { you: true, rows: alice }), seat("Bob", { rows: bob })], ...more,
});
const EMPTY = [[], [], []];
const SECOND = [["Ah", "Ad"], ["Kd", "Qc"], ["Js", "Th", "5s"]];
const told = ({ state }) => streetsOf(state).map(({ number, whole, placed }) => [number, whole, placed.map(({ name, rows }) => `${name} ${rows.map((row) => row.join("")).join("/")}`)]);

test("each street has who placed what, newest first", () => {
  const page = Page.at(boards(EMPTY, EMPTY));
  assert.deepEqual(told(page), []);
  page.snapshot(boards(FIRST, EMPTY));
  page.snapshot(boards(FIRST, BOB));
  page.snapshot(boards(SECOND, BOB));
  assert.deepEqual(told(page), [
    [2, false, ["Alice Ad//5s"]],
    [1, false, ["Alice Ah/KdQc/JsTh", "Bob /2c3c4c/9d9h"]],
  ]);
});

test("a page that comes later knows no more than it has seen", () => {
  const page = Page.at(boards(SECOND, BOB));
  assert.deepEqual(told(page), [[2, true, ["Alice AhAd/KdQc/JsTh5s", "Bob /2c3c4c/9d9h"]]], "Alice's first street can't be told from her second");
  const bob = [["Qs"], ["2c", "3c", "4c"], ["9d", "9h", "Tc"]];
  page.snapshot(boards(SECOND, bob));
  assert.deepEqual(told(page), [[2, true, ["Alice AhAd/KdQc/JsTh5s", "Bob Qs/2c3c4c/9d9hTc"]]]);
});

test("boards are as they were until a press or an event, and nothing can be placed meanwhile", () => {
  const page = Page.at(boards(EMPTY, EMPTY));
  page.snapshot(boards(FIRST, EMPTY));
  page.snapshot(boards(FIRST, BOB));
  page.snapshot(boards(SECOND, BOB, { mine: mine(["Ac", "7h", "8h"]) }));
  page.say("put", { row: "M" });
  assert.equal(may(page.state), true);
  const then = looked(page.say("street", { street: 1 }));
  assert.deepEqual(then.view.seats.map(({ rows }) => rows), [FIRST, BOB]);
  assert.deepEqual(then.draft.places, [".", ".", "."], "the draft is no part of that board");
  assert.equal(may(then), false);
  page.say("put", { row: "F" });
  assert.deepEqual(page.state.draft.places, ["M", ".", "."], "the draft stays, and takes nothing");
  page.say("street", { street: 0 });
  assert.equal(looked(page.state), page.state);
  page.say("street", { street: 1 });
  page.snapshot(boards(SECOND, BOB, { status: "Bob is on turn" }));
  assert.equal(page.state.street, 0);
});

test("another hand or table begins anew, and cards that are turned over are known from then on", () => {
  const page = Page.at(boards(EMPTY, EMPTY));
  page.snapshot(boards(FIRST, EMPTY));
  page.snapshot(boards(FIRST, [["?", "?", "?"], Array(5).fill("?"), Array(5).fill("?")]));
  assert.deepEqual(told(page), [[5, false, ["Bob ???/?????/?????"]], [1, false, ["Alice Ah/KdQc/JsTh"]]], "a whole board is there when the last street is");
  const open = [["2s", "2d", "2h"], ["3s", "3d", "3h", "4s", "4d"], ["5d", "5h", "5c", "6s", "6d"]];
  const full = [["Ah", "Ad", "Ac"], ["Kd", "Qc", "2h", "3h", "4h"], ["Js", "Th", "5s", "6h", "7h"]];
  page.snapshot(boards(full, open));
  const [last] = told(page);
  assert.deepEqual(last[2].slice(1), ["Bob 2s2d2h/3s3d3h4s4d/5d5h5c6s6d"]);
  page.snapshot(boards(EMPTY, EMPTY));
  assert.deepEqual(told(page), []);
  page.snapshot(boards(FIRST, EMPTY, { table: 2 }));
  assert.equal(page.state.earlier.length, 1);
});

test("an older bot that names no streets has none", () => {
  const page = Page.at(boards(EMPTY, EMPTY, { streets: undefined }));
  page.snapshot(boards(FIRST, BOB, { streets: undefined }));
  assert.deepEqual(told(page), []);
});
