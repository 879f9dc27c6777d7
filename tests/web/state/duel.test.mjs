import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf, pairsOf, seenBy, sequenceOf } from "../../../page/duel/sequence.js";


function chance(seed) {
  let state = seed;
  return (most) => (state = (state * 48271) % 2147483647) % (most + 1);
}

/**
 * A duel at random, whose sums are right.
 * @param {number} seed
 */
function anyDuel(seed) {
  const any = chance(seed + 1);
  const count = 2 + any(3);
  const special = Array.from({ length: count }, () => any(9) === 0);
  const royalties = Array.from({ length: count }, (_, seat) => ([0, 1, 2].map(() => (special[seat] ? 0 : any(2) * any(12)))));
  const points = new Array(count).fill(0);
  const pairs = [];
  for (let first = 0; first < count; first++) {
    for (let second = first + 1; second < count; second++) {
      const instead = special[first] || special[second] ? any(20) - 10 : 0;
      const why = special[first] || special[second] ? "natural" : "";
      const rows = (why ? [0, 0, 0] : [any(2) - 1, any(2) - 1, any(2) - 1]);
      const won = rows.reduce((sum, one) => sum + one, 0);
      const scoop = Math.abs(won) === 3 ? won : 0;
      const sum = ( numbers) => numbers.reduce((all, one) => all + one, 0);
      const net = why ? 0 : sum(royalties[first]) - sum(royalties[second]);
      const all = won + scoop + net + instead;
      points[first] += all;
      points[second] -= all;
      pairs.push({
        first, second, rows, scoop, majority: 0, two_rows: 0, total: 0, royalties: net, instead, why, points: all,
        payer: all > 0 ? second : first, owed: Math.abs(all), chips: Math.abs(all),
      });
    }
  }
  const seats = points.map((own, seat) => {
    const fantasyland = any(5) ? 0 : 14;
    return { royalties: royalties[seat], points: own, chips: own, fantasyland, stays: false, told: fantasyland ? "Fantasyland" : "" };
  });
  return { seats, pairs };
}

test("what rows and bonuses bring adds up to a seat's points", () => {
  for (let seed = 0; seed < 500; seed++) {
    const duel = anyDuel(seed);
    const sequence = sequenceOf(duel);
    duel.seats.forEach(({ points }, seat) => {
      const { totals, more } = sequence.seats[seat];
      assert.equal(totals[3], points);
      assert.equal(totals[2] + more.reduce((sum, bonus) => sum + bonus.points, 0), points);
      assert.equal(countOf(sequence, seat).at(-1)?.total ?? 0, points);
    });
    for (const step of [0, 1, 2, 3]) assert.equal(sequence.seats.reduce((sum, { totals }) => sum + totals[step], 0), 0);
  }
});

test("each pair seen by both adds up to what its seats have", () => {
  for (let seed = 0; seed < 100; seed++) {
    const duel = anyDuel(seed);
    duel.seats.forEach(({ points }, seat) => {
      const own = pairsOf(duel, seat).map((pair) => seenBy(pair, seat));
      assert.equal(own.length, duel.seats.length - 1);
      assert.ok(own.every(({ first }) => first === seat));
      assert.equal(own.reduce((sum, pair) => sum + pair.points, 0), points);
    });
  }
});

test("a scoop with royalties counts up row by row", () => {
  const seat = { chips: 0, fantasyland: 0, stays: false, told: "" };
  const duel = {
    seats: [{ ...seat, royalties: ([7, 0, 2]), points: 15 }, { ...seat, royalties: ([0, 0, 0]), points: -15 }],
    pairs: [{ first: 0, second: 1, rows: ([1, 1, 1]), scoop: 3, majority: 0, two_rows: 0, total: 0, royalties: 9, instead: 0, why: "", points: 15, payer: 1, owed: 150, chips: 120 }],
  };
  const sequence = sequenceOf(duel);
  assert.deepEqual(sequence.steps, ["front", "middle", "back", "more"]);
  assert.deepEqual(countOf(sequence, 0), [{ step: 0, total: 8 }, { step: 1, total: 9 }, { step: 2, total: 12 }, { step: 3, total: 15 }]);
  assert.deepEqual(countOf(sequence, 1).map(({ total }) => total), [-8, -9, -12, -15]);
  assert.deepEqual(sequence.seats[1].rows, [{ points: -1, royalty: 0 }, { points: -1, royalty: 0 }, { points: -1, royalty: 0 }]);
  assert.deepEqual(sequence.seats[1].more, [{ kind: "scoop", points: -3 }]);
});

test("rows that don't count are left out", () => {
  const seat = { royalties: ([0, 0, 0]), chips: 0, fantasyland: 0, stays: false, told: "" };
  const pair = { first: 0, second: 1, rows: ([0, 0, 0]), scoop: 0, majority: 0, two_rows: 0, total: 0, royalties: 0, payer: 0, owed: 0, chips: 0 };
  const natural = { seats: [{ ...seat, points: 13 }, { ...seat, points: -13 }], pairs: [{ ...pair, instead: 13, why: "natural +13", points: 13 }] };
  assert.deepEqual(sequenceOf(natural).steps, ["more"]);
  assert.deepEqual(countOf(sequenceOf(natural), 1), [{ step: 0, total: -13 }]);
  const fouls = { seats: [{ ...seat, points: 0 }, { ...seat, points: 0 }], pairs: [{ ...pair, instead: 0, why: "both fouled", points: 0 }] };
  assert.deepEqual(sequenceOf(fouls).steps, []);
  assert.deepEqual(countOf(sequenceOf(fouls), 0), []);
});
