// Which cards the reader hasn't seen, by what their page shows: their own cards, and all that lie face up.

import { RANKS } from "./strength.js";

/** @typedef {import("./strength.js").RowRules} RowRules */

export const SUITS = /** @type {const} */ (["s", "h", "d", "c"]);
/** @type {Readonly<Record<string, string>>} As text, not as pictures. */
export const SUIT_SIGNS = { s: "♠\ufe0e", h: "♥\ufe0e", d: "♦\ufe0e", c: "♣\ufe0e" };
const JOKERS = ["X1", "X2"];

/** @param {RowRules} rules */
function deckOf({ decks, jokers }) {
  const naturals = SUITS.flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  return new Map([...naturals.map((card) => /** @type {const} */ ([card, decks])), ...JOKERS.slice(0, jokers).map((card) => /** @type {const} */ ([card, 1]))]);
}

/**
 * The cards in a view that its reader sees, each as often as it lies there.
 * @param {import("../protocol").View} view
 */
export function seenIn(view) {
  const lying = view.seats.flatMap((seat) => [...seat.rows.flat(), ...seat.held, ...seat.discards]);
  return [...lying, ...(view.mine?.cards ?? [])].filter((card) => card !== "?");
}

/**
 * How many of each card haven't been seen.
 * @param {RowRules} rules
 * @param {readonly string[]} seen
 */
export function unseen(rules, seen) {
  const left = /** @type {Map<string, number>} */ (deckOf(rules));
  for (const card of seen) left.set(card, Math.max(0, (left.get(card) ?? 0) - 1));
  return left;
}

/**
 * @typedef {object} StripCard
 * @property {string} card
 * @property {number} left how many haven't been seen
 * @property {boolean} own it's one of the reader's
 */

/**
 * The deck by suit, aces first, and its jokers last.
 * @param {number} jokers
 * @returns {string[][]}
 */
export function deckLines(jokers) {
  const lines = [...SUITS.map((suit) => [...RANKS].reverse().map((rank) => rank + suit)), JOKERS.slice(0, jokers)];
  return lines.filter((line) => line.length);
}

/**
 * What is left of each card of the deck, line by line.
 * @param {RowRules} rules
 * @param {import("../protocol").View} view
 * @returns {StripCard[][]}
 */
export function strip(rules, view) {
  const left = unseen(rules, seenIn(view));
  const seat = view.seats.find(({ you }) => you);
  const own = [...(seat?.rows.flat() ?? []), ...(seat?.discards ?? []), ...(view.mine?.cards ?? [])];
  return deckLines(rules.jokers).map((line) => line.map((card) => ({ card, left: left.get(card) ?? 0, own: own.includes(card) })));
}
