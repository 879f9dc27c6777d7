// What a board makes: each row's strength and royalty, whether the rows are in order, and the Fantasyland it earns.
// As bot/pure/ofc/placement.py, scoring.py and royalties.py.

import { categoryOf, HIGH_CARD, LOW, lowRanks, mayBeLow, PAIR, possible, RANKS, SIZES, topRank, TRIPS, CATEGORIES } from "./strength.js";

/** @typedef {import("./strength.js").RowRules} RowRules */
/** @typedef {import("./strength.js").Place} Place */

/**
 * @typedef {object} Judged
 * @property {readonly number[]} strengths of front, middle and back
 * @property {readonly (number | null)[]} royalties null for a row that isn't full
 * @property {"legal" | "open" | "danger" | "foul"} order
 * @property {readonly [Place, Place] | null} clash the row that is too strong, and the one below it
 * @property {number} fantasyland the number of cards that the board earns for the next hand
 */

const PLACES = /** @type {const} */ ([0, 1, 2]);
const WHEEL = "7,5,4,3,2";
/** @type {readonly (readonly [Place, Place])[]} A row that may be too strong, and the one below it. */
const COMPARED = [[0, 1], [1, 2], [0, 2]];
/** @type {readonly (readonly [Place, Place])[]} */
const COMPARED_LOW = [[0, 2]];

/** @param {number} strength */
const isWheel = (strength) => categoryOf(strength) === LOW && String(lowRanks(strength)) === WHEEL;

/**
 * What a hand is called in the tables: its category, in the front `QQ` or `QQQ`, and a low by its highest card.
 * @param {Place} place
 * @param {number} strength
 */
export function codeOf(place, strength) {
  const category = categoryOf(strength);
  if (category === LOW) return isWheel(strength) ? "wheel" : `${lowRanks(strength)[0]}`;
  if (place || category === HIGH_CARD) return CATEGORIES[category];
  return RANKS[topRank(strength) - 2].repeat(category === PAIR ? 2 : 3);
}

/**
 * @param {RowRules} rules
 * @param {Place} place
 * @param {number} strength
 */
export const royaltyOf = (rules, place, strength) => rules.royalties[place][codeOf(place, strength)] ?? 0;

/**
 * The number of cards that a front earns outside Fantasyland.
 * @param {RowRules} rules
 * @param {number} front
 */
export function entryOf(rules, front) {
  const code = categoryOf(front) === TRIPS ? "trips" : codeOf(0, front);
  return rules.fantasyland?.entry[code] ?? 0;
}

/**
 * True for each row that earns another Fantasyland by itself.
 * @param {import("../protocol").FantasylandRules} rule
 * @param {readonly number[]} strengths
 */
function staying(rule, [front, middle, back]) {
  const reaches = (/** @type {number} */ strength, /** @type {string} */ least) =>
    least !== "" && categoryOf(strength) >= CATEGORIES.findIndex((name) => name === least);
  const low = categoryOf(middle) === LOW;
  return [categoryOf(front) === TRIPS, low ? rule.wheel_stays && isWheel(middle) : reaches(middle, rule.stay_middle), reaches(back, rule.stay_back)];
}

/**
 * @param {RowRules} rules
 * @param {readonly number[]} strengths
 * @param {number} held the number of Fantasyland cards in this hand
 */
function nextFantasyland(rules, strengths, held) {
  const rule = rules.fantasyland;
  if (!rule) return 0;
  if (held) return staying(rule, strengths).some(Boolean) ? rule.stay_cards || held : 0;
  const [front, low] = [entryOf(rules, strengths[0]), isWheel(strengths[1]) ? rule.wheel_cards : 0];
  return front && low ? Math.max(front, low, rule.both_cards) : front || low;
}

/**
 * The rows that earn the Fantasyland of a board which earns one.
 * @param {RowRules} rules
 * @param {readonly number[]} strengths
 * @param {number} held
 */
export function earning(rules, strengths, held) {
  const rule = rules.fantasyland;
  if (!rule) return [false, false, false];
  return held ? staying(rule, strengths) : [entryOf(rules, strengths[0]) > 0, rule.wheel_cards > 0 && isWheel(strengths[1]), false];
}

/**
 * Each row as strong as it can be without overtaking the full row below it; null for both if one can't stay below.
 * @param {RowRules} rules
 * @param {readonly (readonly number[])[]} all
 * @param {readonly boolean[]} full
 * @returns {{ strengths: number[], clash: [Place, Place] | null, foul: boolean }}
 */
function inOrder(rules, all, full) {
  const strengths = all.map(([best]) => best);
  /** @type {Place | null} */
  let below = null;
  for (const place of /** @type {const} */ ([2, 1, 0])) {
    const beside = rules.low_middle && place === 1;
    const limit = below === null || beside ? Infinity : strengths[below];
    const found = all[place].find((value) => value < limit || (value === limit && (rules.low_middle || !rules.strict)));
    const fits = beside ? (full[1] ? categoryOf(strengths[1]) === LOW : mayBeLow(strengths[1])) : found !== undefined;
    if (!fits) return { strengths: all.map(([best]) => best), clash: below === null || beside ? null : [place, below], foul: true };
    strengths[place] = found ?? strengths[place];
    if (full[place] && !beside) below = place;
  }
  return { strengths, clash: null, foul: false };
}

/**
 * How strong each row may become without being certain to foul: as strong as the full row below it.
 * @param {RowRules} rules
 * @param {readonly (readonly string[])[]} rows front, middle and back
 * @param {readonly number[]} strengths
 */
export function ceilings(rules, rows, strengths) {
  const compared = rules.low_middle ? COMPARED_LOW : COMPARED;
  return PLACES.map((place) => Math.min(...compared.map(([upper, lower]) => (upper === place && rows[lower].length === SIZES[lower] ? strengths[lower] : Infinity))));
}

/**
 * @param {RowRules} rules
 * @param {readonly (readonly string[])[]} rows front, middle and back
 * @param {number} held the number of Fantasyland cards in this hand
 * @returns {Judged}
 */
export function judge(rules, rows, held) {
  const all = PLACES.map((place) => possible(rules, place, rows[place]));
  const full = PLACES.map((place) => rows[place].length === SIZES[place]);
  const { strengths, clash, foul } = inOrder(rules, all, full);
  const whole = full.every(Boolean);
  const ahead = foul || whole ? undefined : (rules.low_middle ? COMPARED_LOW : COMPARED).find(([upper, lower]) => {
    const least = all[upper][all[upper].length - 1];
    return !full[lower] && least > strengths[lower] && categoryOf(least) > HIGH_CARD;
  });
  const promised = !foul && (whole || (full[0] && !held));
  return {
    strengths,
    royalties: PLACES.map((place) => (full[place] ? royaltyOf(rules, place, strengths[place]) : null)),
    order: foul ? "foul" : whole ? "legal" : ahead ? "danger" : "open",
    clash: clash ?? ahead ?? null,
    fantasyland: promised ? nextFantasyland(rules, strengths, held) : 0,
  };
}
