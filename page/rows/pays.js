// What a row pays: its hands with their points, and those that earn Fantasyland.

import { categoryName, codeName, codesIn, filled } from "./names.js";
import { CATEGORIES, RANKS, TRIPS } from "./strength.js";

/** @typedef {import("./strength.js").RowRules} RowRules */
/** @typedef {import("./strength.js").Place} Place */
/** @typedef {import("./caption.js").Told} Told */

/**
 * @typedef {object} PayTable
 * @property {readonly { name: string, points: number, now: boolean }[]} royalties weakest hand first; ``now`` is what the row makes
 * @property {readonly { name: string, points: number, now: boolean }[]} wins points for winning the row
 * @property {readonly string[]} notes sentences about Fantasyland
 */

/**
 * The hands that enter Fantasyland, by the number of cards that they earn.
 * @param {Told} told
 * @param {Readonly<Record<string, number>>} entry
 */
function entries({ words, hands }, entry) {
  const named = (/** @type {string} */ code) => (code === "trips" ? categoryName(TRIPS, hands) : codeName(code, hands));
  const numbers = [...new Set(codesIn(entry).map((code) => entry[code]))];
  return numbers.map((cards) => {
    const codes = codesIn(entry).filter((code) => entry[code] === cards);
    const upward = codes.length > 1 && codes[codes.length - 1] === "trips";
    const names = upward ? filled(hands["rules.better"], { hand: named(codes[0]) }) : codes.map(named).join(words.joint);
    return filled(words.pays_entry, { cards, hand: names });
  });
}

/**
 * @param {Told} told
 * @param {RowRules} rules
 * @param {Place} place
 * @param {number} held the number of Fantasyland cards in this hand
 */
function fantasyland(told, rules, place, held) {
  const { words, hands } = told;
  const rule = rules.fantasyland;
  if (!rule) return [];
  if (!held && place === 0) return entries(told, rule.entry);
  if (!held) return place === 1 && rule.wheel_cards ? [filled(words.pays_entry, { cards: rule.wheel_cards, hand: codeName("wheel", hands) })] : [];
  const least = [CATEGORIES[TRIPS], rule.stay_middle, rule.stay_back][place];
  const better = place && least ? filled(hands["rules.better"], { hand: codeName(least, hands) }) : codeName(least, hands);
  const hand = rules.low_middle && place === 1 ? (rule.wheel_stays ? codeName("wheel", hands) : "") : least && better;
  return hand ? [filled(words.pays_stay, { hand })] : [];
}

/**
 * @param {Told} told
 * @param {RowRules} rules
 * @param {Place} place
 * @param {number} held
 * @param {string} now the code of what the row makes
 * @returns {PayTable}
 */
export function payTable(told, rules, place, held, now) {
  const listed = (/** @type {Readonly<Record<string, number>>} */ points) =>
    codesIn(points).map((code) => ({ name: codeName(code, told.hands), points: points[code], now: code === now }));
  return { royalties: listed(rules.royalties[place]), wins: listed(rules.wins[place]), notes: fantasyland(told, rules, place, held) };
}

/** Fewer hands than that are named one by one. */
const RUN = 3;

/**
 * Hands with their points, for who hears them: hands that pay one more each are told by the first and the last.
 * @param {Told} told
 * @param {Readonly<Record<string, number>>} points
 */
function heardPoints({ words, hands }, points) {
  const runs = /** @type {[string, number][][]} */ ([]);
  for (const code of codesIn(points)) {
    const paid = points[code];
    const run = runs[runs.length - 1];
    const last = run?.[run.length - 1];
    const goesOn = last && last[1] === paid - 1 && last[0].length === code.length && RANKS.indexOf(last[0][0]) === RANKS.indexOf(code[0]) - 1 && code[0] === code[1];
    if (goesOn) run.push([code, paid]);
    else runs.push([[code, paid]]);
  }
  const name = (/** @type {string} */ code) => {
    if (code[0] !== code[1]) return codeName(code, hands);
    return filled(hands[code.length === 2 ? "hand.pair" : "hand.three_of_a_kind"], { ranks: hands[`ranks.${RANKS.indexOf(code[0]) + 2}`] });
  };
  return runs.flatMap((run) => {
    const [[first, least], [last, most]] = [run[0], run[run.length - 1]];
    if (run.length >= RUN) return [filled(words.pays_range, { first: name(first), last: name(last), least, most })];
    return run.map(([code, paid]) => `${name(code)} ${paid}`);
  }).join(words.joint);
}

/**
 * What a row pays in a few sentences, for who hears it.
 * @param {Told} told
 * @param {RowRules} rules
 * @param {Place} place
 * @param {number} held
 */
export function heardTable(told, rules, place, held) {
  const { words } = told;
  const line = (/** @type {string} */ name, /** @type {Readonly<Record<string, number>>} */ points) =>
    Object.keys(points).length ? [filled(words.named, { name, text: heardPoints(told, points) })] : [];
  const lines = [...line(words.pays_royalties, rules.royalties[place]), ...line(words.pays_wins, rules.wins[place]), ...fantasyland(told, rules, place, held)];
  return (lines.length ? lines : [words.pays_nothing]).join(words.pause);
}
