import assert from "node:assert/strict";
import { test } from "node:test";
import { flightsOf } from "../../../page/motion/flights.js";
import { mine, seat, view } from "./table.mjs";

const seats = (rows, own = [[], [], []]) => [seat("Alice", { you: true, rows: own }), seat("Bob", { rows })];
const told = (flights) => flights.map(({ kind, seat, row, at }) => `${kind} ${seat} ${row} ${at}`);

test("cards that another places fly to their rows, one after the other", () => {
  const before = view({ seats: seats([["2c"], [], []]) });
  const after = view({ seats: seats([["2c"], ["3c"], ["4c"]]) });
  const flights = flightsOf(before, after);
  assert.deepEqual(told(flights), ["place 1 1 0", "place 1 2 0"]);
  assert.deepEqual(flights.map(({ order }) => order), [0, 1]);
});

test("what a card is changes nothing about how it moves", () => {
  const face = (codes) => codes.map((row) => row.map(() => "?"));
  const rows = [["2c", "9h"], ["3c", "Kd", "X1"], ["4c", "5c"]];
  const others = [["Ah", "As"], ["Qd", "Jd", "Td"], ["X1", "X2"]];
  const empty = view({ seats: seats([[], [], []]) });
  const flights = flightsOf(empty, view({ seats: seats(rows) }));
  assert.equal(flights.length, 7);
  assert.deepEqual(flightsOf(empty, view({ seats: seats(others) })), flights);
  assert.deepEqual(flightsOf(empty, view({ seats: seats(face(rows)) })), flights);
});

test("a discard of somebody else moves nothing", () => {
  const [own, bob] = seats([["2c"], [], []]);
  assert.deepEqual(flightsOf(view({ seats: [own, bob] }), view({ seats: [own, { ...bob, discards: ["?"] }] })), []);
});

test("boards that lay face down are turned where they lie", () => {
  const down = [["?", "?", "?"], ["?", "?", "?", "?", "?"], ["?", "?", "?", "?", "?"]];
  const up = [["2c", "2d", "2h"], ["3c", "3d", "3h", "3s", "4c"], ["5c", "5d", "5h", "5s", "6c"]];
  const flights = flightsOf(view({ seats: seats(down) }), view({ seats: seats(up), mine: null }));
  assert.equal(flights.length, 13);
  assert.ok(flights.every(({ kind, order }) => kind === "turn" && order === 0));
});

test("one's own cards are dealt once, and no draft moves them", () => {
  const dealt = ["deal 0 0 0", "deal 0 0 1", "deal 0 0 2"];
  const before = view({ mine: null });
  const after = view({ mine: mine(["2c", "3c", "4c"]) });
  assert.deepEqual(told(flightsOf(before, after)), dealt);
  assert.deepEqual(flightsOf(after, view({ mine: mine(["2c", "3c", "4c"], { turn: "t2" }) })), []);
  assert.deepEqual(told(flightsOf(after, view({ mine: mine(["5c", "6c", "7c"], { turn: "t2" }) }))), dealt);
});

test("nothing moves where another table, hand or company is shown", () => {
  const full = view({ seats: seats([["2c"], ["3c"], []]) });
  assert.deepEqual(flightsOf(null, full), []);
  assert.deepEqual(flightsOf(view({ table: 2, seats: seats([[], [], []]) }), full), []);
  assert.deepEqual(flightsOf(full, view({ seats: seats([["4c"], [], []]) })), [], "another hand");
  assert.deepEqual(flightsOf(view({ seats: [seat("Alice", { you: true }), seat("Carol")] }), full), []);
});
