// Hands by name, as bot/text/cards.py.

import { CATEGORIES, categoryOf, FLUSH, FULL_HOUSE, HIGH_CARD, LOW, lowRanks, RANKS, ROYAL_FLUSH, secondRank, STRAIGHT, STRAIGHT_FLUSH, topRank, TWO_PAIR } from "./strength.js";

/** @typedef {Readonly<Record<string, string>>} HandWords `hand.flush` and the like, as the bot sends them */

const BY_HIGHEST = [HIGH_CARD, STRAIGHT, FLUSH, STRAIGHT_FLUSH];
const BY_TWO = [TWO_PAIR, FULL_HOUSE];

/** @param {number} rank */
export const rankName = (rank) => RANKS[rank - 2].replace("T", "10");

/**
 * @param {string} text
 * @param {Readonly<Record<string, string | number>>} values
 */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => `${values[name]}`);

/**
 * @param {number} category
 * @param {HandWords} words
 */
export const categoryName = (category, words) => words[`category.${CATEGORIES[category]}`];

/**
 * A hand in words, such as `pair of queens`.
 * @param {number} strength
 * @param {HandWords} words
 */
export function handName(strength, words) {
  const [category, top] = [categoryOf(strength), topRank(strength)];
  if (category === LOW) return filled(words["rules.low"], { ranks: lowRanks(strength).map(rankName).join("-") });
  if (category === ROYAL_FLUSH || !top) return categoryName(category, words);
  const sentence = words[`hand.${CATEGORIES[category]}`];
  if (BY_HIGHEST.includes(category)) return filled(sentence, { rank: rankName(top) });
  const others = BY_TWO.includes(category) ? words[`ranks.${secondRank(strength)}`] : "";
  return filled(sentence, { ranks: words[`ranks.${top}`], others });
}

/**
 * A hand of the tables by its code: `QQ`, `flush`, `9` for a low, `wheel`.
 * @param {string} code
 * @param {HandWords} words
 */
export function codeName(code, words) {
  if (/^([2-9TJQKA])\1+$/.test(code)) return code[0] === "T" ? Array(code.length).fill("10").join("-") : code;
  if (code === "wheel") return "7-5-4-3-2";
  return words[`category.${code}`] ?? filled(words["rules.royalties.low"], { rank: code });
}

const PAIRS = [...RANKS].map((rank) => rank.repeat(2));
const ORDER = [...PAIRS, ...PAIRS.map((pair) => pair + pair[0]), "trips", ...CATEGORIES, "10", "9", "8", "7", "wheel"];

/**
 * The codes of a table, weakest first.
 * @param {Readonly<Record<string, number>>} table
 */
export const codesIn = (table) => ORDER.filter((code) => code in table);

/** @param {number} points */
export const signed = (points) => `+${points}`;
