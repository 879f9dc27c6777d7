// Where others sit on a large screen, and how large cards are there.

import assert from "node:assert/strict";
import { test } from "node:test";
import { arcSizes, dips, TALL, traySizes } from "../../../page/table/arc.js";

const ROOM = { wide: 1034, tall: 678, seats: 2, around: 106, beside: 26, board: 60, edge: 130, side: 334 };

test("an arc is the same on both sides, and lowest at its ends", () => {
  assert.deepEqual(dips(1), [0]);
  assert.deepEqual(dips(2), [0, 0]);
  assert.deepEqual(dips(3), [1, 0, 1]);
  assert.deepEqual(dips(5), [1, 0.25, 0, 0.25, 1]);
  for (let count = 1; count <= 8; count++) assert.deepEqual(dips(count), dips(count).reverse());
});

test("one's own board is larger than the others', and all of it fits", () => {
  for (let seats = 1; seats <= 7; seats++) {
    for (const [wide, tall] of [[870, 560], [1034, 678], [1600, 960], [2300, 1300]]) {
      const { own, other, lines } = arcSizes({ ...ROOM, seats, wide, tall });
      const abreast = Math.ceil(seats / lines);
      assert.ok(own > other && other >= 15, `${seats} others on ${wide} x ${tall}: ${own}, ${other}`);
      assert.ok(own >= 44, `${own}`);
      assert.ok(ROOM.board + TALL * own + lines * (ROOM.around + TALL * other) <= tall);
      assert.ok(5 * own + ROOM.edge + ROOM.side <= wide);
      assert.ok(abreast * (5 * other + ROOM.beside) + 12 * (abreast - 1) <= wide);
    }
  }
});

test("more room makes no card smaller", () => {
  const small = arcSizes(ROOM);
  const large = arcSizes({ ...ROOM, wide: 1500, tall: 900 });
  assert.ok(large.own > small.own && large.other > small.other);
});

test("cards of the tray stand in one line if they're hardly smaller then, else in even lines", () => {
  assert.deepEqual(traySizes(3, 77, 320), { hand: 77, row: 3 });
  assert.deepEqual(traySizes(5, 77, 320), { hand: 58, row: 5 });
  assert.deepEqual(traySizes(5, 118, 320), { hand: 118, row: 2 });
  assert.deepEqual(traySizes(14, 77, 480), { hand: 63, row: 7 });
  assert.deepEqual(traySizes(17, 77, 480), { hand: 74, row: 6 });
  assert.deepEqual(traySizes(0, 77, 320), { hand: 77, row: 1 });
});
