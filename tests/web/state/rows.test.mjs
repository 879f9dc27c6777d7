// The page judges rows as the bot does: each board, draw and name of rows.json, which `make page` writes from bot/pure/ofc.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { captionOf } from "../../../page/rows/caption.js";
import { drawsOf } from "../../../page/rows/draws.js";
import { ceilings, judge } from "../../../page/rows/judge.js";
import { strip, unseen } from "../../../page/rows/left.js";
import { handName } from "../../../page/rows/names.js";
import { heardTable, payTable } from "../../../page/rows/pays.js";
import { CATEGORIES, categoryOf, topRank } from "../../../page/rows/strength.js";

const golden = JSON.parse(readFileSync(new URL("rows.json", import.meta.url), "utf8"));
const cardsIn = (text) => text.match(/../g) ?? [];

for (const { game, rules, boards, draws } of golden.games) {
  test(`boards of ${game}`, () => {
    assert.ok(boards.length);
    for (const { rows, held, ...told } of boards) {
      assert.deepEqual(judge(rules, rows.split("/").map(cardsIn), held), told, rows);
    }
  });

  test(`draws of ${game}`, () => {
    assert.ok(draws.some((one) => one.draws.length));
    for (const { row, cards, others, draws: told } of draws) {
      const left = unseen(rules, [...cardsIn(cards), ...cardsIn(others)]);
      const found = drawsOf(rules, row, cardsIn(cards), left).map(({ strength, needed, left, points, entry, ranks }) => (
        { category: CATEGORIES[categoryOf(strength)], rank: topRank(strength), needed, left, points, entry, ranks }));
      assert.deepEqual(found, told, `${cards} without ${others}`);
    }
  });
}

for (const [language, names] of Object.entries(golden.names)) {
  test(`names in ${language}`, () => {
    for (const [strength, name] of Object.entries(names)) assert.equal(handName(Number(strength), golden.hands[language]), name);
  });
}

const PINEAPPLE = golden.games.find(({ game }) => game === "pineapple").rules;
const THIRTEEN = golden.games.find(({ game }) => game === "thirteen").rules;
const TWO_SEVEN = golden.games.find(({ game }) => game === "two_seven").rules;
const told = (language) => ({ words: golden.words[language], hands: golden.hands[language] });

/** The captions of a board's rows. */
function captions(rows, { language = "en", rules = PINEAPPLE, others = "", held = 0, aloud = false } = {}) {
  const board = rows.split("/").map(cardsIn);
  const left = unseen(rules, [...board.flat(), ...cardsIn(others)]);
  const judged = judge(rules, board, held);
  const ceiling = ceilings(rules, board, judged.strengths);
  return board.map((cards, place) => {
    const most = ceiling[place];
    const draw = held ? undefined : drawsOf(rules, place, cards, left).find(({ strength }) => strength <= most);
    return captionOf(told(language), rules, place, cards, { judged, held, draw, most, aloud });
  }).map(({ made, draw }) => [...made, draw].filter(Boolean).join(" · "));
}

test("captions say what a row makes, what it pays and what is missing", () => {
  assert.deepEqual(captions("//"), ["QQ or better: Fantasyland", "", ""]);
  assert.deepEqual(captions("Qs/ThTd7c/9h5hKh", { others: "2h3h" }), [
    "QQ +7, Fantasyland: 3 left", "pair of tens · full house +12: 2 more, 5 left", "flush +4: 2 more ♥︎, 7 left",
  ]);
  assert.deepEqual(captions("Qs/ThTd7c/9h5hKh", { language: "ja", others: "2h3h" }), [
    "QQ +7で突入：残り3枚", "10のワンペア · フルハウス +12：あと2枚（残り5枚）", "フラッシュ +4：♥︎あと2枚（残り7枚）",
  ]);
  assert.deepEqual(captions("QsQd2c/5c5d5h9s9c/AhKhQhJhTh"), ["pair of queens +7 · Fantasyland", "fives full of nines +12", "royal flush +25"]);
  assert.deepEqual(captions("/9h8d7c6s/TcTdTh"), ["QQ or better: Fantasyland", "straight +4: 5/10, 5 left", "three tens · full house +6: any pair"]);
});

test("a row isn't offered what would foul with the full row below it", () => {
  assert.equal(captions("Qs/ThTd7c2s3d/9h5hKh")[0], "Q-high", "tens are below queens");
  assert.equal(captions("/ThTd7c2s3d/9h5hKh")[0], "", "no queens either");
  assert.equal(captions("/AhAd7c2s3d/9h5hKh")[0], "QQ or better: Fantasyland");
  assert.equal(captions("Qs/AhAd7c2s3d/9h5hKh")[0], "QQ +7, Fantasyland: 3 left");
  assert.equal(captions("//9h8d7c6s5d")[0], "QQ or better: Fantasyland", "the middle may still become better");
  assert.ok(!captions("/2h5h9hJh/9c8d7c6s5d")[1].includes("flush"));
  assert.ok(captions("/2h5h9hJh/")[1].includes("flush"));
  assert.equal(captions("/7h5d4c3s2h/9c8d7c6s5d", { rules: TWO_SEVEN })[0], captions("//9c8d7c6s5d", { rules: TWO_SEVEN })[0], "a low isn't compared");
});

test("a pair in an unfinished front is told what it earns", () => {
  assert.equal(captions("AhAc/5h7h/")[0], "AA +9, Fantasyland");
  assert.equal(captions("AhAc/5h7h/", { language: "ja" })[0], "AA +9で突入");
  assert.equal(captions("6h6c//")[0], "66 +1");
  assert.equal(captions("5h5c//")[0], "pair of fives · 555 +13, Fantasyland: 2 left");
  assert.equal(captions("AhAc/5h7h/", { held: 14 })[0], "AA +9");
});

test("suits have names for who hears a caption", () => {
  assert.equal(captions("//9h5hKh2h", { aloud: true })[2], "flush +4: hearts, 1 more, 9 left");
  assert.equal(captions("//9h5hKh2h", { language: "ja", aloud: true })[2], "フラッシュ +4：ハートがあと1枚（残り9枚）");
});

test("a foul pays nothing, and is told of the row that is too strong", () => {
  assert.deepEqual(captions("AsAdAc/2s4d5h7c9s/Qs"), ["three aces · foul", "9-high", "Q-high"]);
});

test("draws that the reader knows to be dead aren't told", () => {
  assert.equal(captions("//9h5hKh2h", { others: "AhQhJhTh8h7h6h4h3h" })[2], "pair: 12 left");
});

test("other games are told their own way", () => {
  assert.deepEqual(captions("7s7d7c/9s9d9h9c2c/AhKhQhJhTh", { rules: THIRTEEN }), ["three sevens · worth 3", "four nines · worth 4", "royal flush · worth 5"]);
  assert.equal(captions("/9h5d2c/", { rules: TWO_SEVEN })[1], "low: 2 more, 24 left");
  assert.equal(captions("/9h9d2c/", { rules: TWO_SEVEN })[1], "no low: pair of nines · foul");
  assert.equal(captions("2s2d2c/4c4d4h4s9c/9h8h7h6h5h", { held: 14 })[0], "three deuces +10 · Fantasyland");
});

test("a row's table names what it pays and what enters Fantasyland", () => {
  const front = payTable(told("en"), PINEAPPLE, 0, 0, "QQ");
  assert.deepEqual(front.royalties.find(({ now }) => now), { name: "QQ", points: 7, now: true });
  assert.deepEqual(front.notes, ["Fantasyland with 14 cards: QQ or better"]);
  const progressive = golden.games.find(({ game }) => game === "progressive").rules;
  assert.deepEqual(payTable(told("ja"), progressive, 0, 0, "").notes, [
    "ファンタジーランド14枚：QQ", "ファンタジーランド15枚：KK", "ファンタジーランド16枚：AA", "ファンタジーランド17枚：スリーカード",
  ]);
  assert.equal(heardTable(told("en"), PINEAPPLE, 0, 0),
    "Royalties, if you don't foul: pair of sixes 1 up to pair of aces 9, three deuces 10 up to three aces 22. Fantasyland with 14 cards: QQ or better");
  assert.equal(heardTable(told("en"), PINEAPPLE, 2, 14),
    "Royalties, if you don't foul: straight 2, flush 4, full house 6, four of a kind 10, straight flush 15, royal flush 25. Stay in Fantasyland: four of a kind or better");
  assert.equal(heardTable(told("en"), THIRTEEN, 0, 0), "Points for winning the row: three of a kind 3");
});

test("the strip shows what is left of each card", () => {
  const seat = (you, rows, discards = []) => ({ you, rows: rows.split("/").map(cardsIn), held: [], discards });
  const view = { seats: [seat(true, "Qs//9h", ["2c"]), seat(false, "As/?/Kd", ["?"])], mine: { cards: ["Th", "2d"] } };
  const lines = strip(PINEAPPLE, view);
  assert.deepEqual(lines.map((line) => line.length), [13, 13, 13, 13]);
  const flat = lines.flat();
  assert.deepEqual(flat.filter(({ left }) => !left).map(({ card }) => card).sort(), ["2c", "2d", "9h", "As", "Kd", "Qs", "Th"]);
  assert.deepEqual(flat.filter(({ own }) => own).map(({ card }) => card).sort(), ["2c", "2d", "9h", "Qs", "Th"]);
});
