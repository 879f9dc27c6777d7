// What a row can still become with the cards that its player hasn't seen: how many are needed, and how many are left.

import { entryOf, royaltyOf } from "./judge.js";
import {
  CATEGORIES, categoryOf, FLUSH, isJoker, isSuited, LOW, mayBeLow, possible, rankOf, ROYAL_FLUSH, SIZES, STRAIGHT, STRAIGHT_FLUSH, topRank, TRIPS,
} from "./strength.js";

/** @typedef {import("./strength.js").RowRules} RowRules */
/** @typedef {import("./strength.js").Place} Place */

/**
 * @typedef {object} DrawTo
 * @property {number} strength a hand of this kind
 * @property {number} needed how many cards it takes
 * @property {number} left how many of the cards that help haven't been seen
 * @property {number} points
 * @property {number} entry the Fantasyland cards that it earns, in the front
 * @property {readonly number[]} ranks those of the cards that help
 * @property {number} chance the share of the unseen cards, taken ``needed`` at a time, that make it
 */

/** A hand two cards away is told, a flush or a low also three. */
const NEAR = 2;
const FAR = 3;
/** What an entry to Fantasyland counts for, in points, when draws are compared. */
const ENTRY_VALUE = 7;
const SEQUENCES = [STRAIGHT, FLUSH, STRAIGHT_FLUSH];

/**
 * @param {number} many
 * @param {number} count
 */
function ways(many, count) {
  let found = 1;
  for (let taken = 0; taken < count; taken++) found = (found * (many - taken)) / (taken + 1);
  return found;
}

/**
 * The unseen cards, those with the same effect on a row together.
 * @param {ReadonlyMap<string, number>} left
 * @param {string} suit the only suit of the row; empty if it has several
 */
function kindsOf(left, suit) {
  const kinds = /** @type {Map<string, { card: string, count: number }>} */ (new Map());
  for (const [card, count] of left) {
    if (!count) continue;
    const key = isJoker(card) ? "X" : `${card[0]}${card[1] === suit}`;
    const kind = kinds.get(key);
    if (kind) kind.count += count;
    else kinds.set(key, { card, count });
  }
  return [...kinds.values()];
}

/**
 * Every choice of ``count`` cards, with the number of ways to take it.
 * @param {readonly { card: string, count: number }[]} kinds
 * @param {number} count
 * @param {number} [from]
 * @returns {Generator<{ cards: string[], ways: number }>}
 */
function* choices(kinds, count, from = 0) {
  if (!count) yield { cards: [], ways: 1 };
  for (let at = from; count && at < kinds.length; at++) {
    for (let taken = Math.min(count, kinds[at].count); taken > 0; taken--) {
      for (const rest of choices(kinds, count - taken, at + 1)) {
        yield { cards: [...Array(taken).fill(kinds[at].card), ...rest.cards], ways: ways(kinds[at].count, taken) * rest.ways };
      }
    }
  }
}

/**
 * True if drawing for a hand of ``category`` is served by ``made``, as a flush is by a straight flush.
 * @param {number} category
 * @param {number} made
 */
const serves = (category, made) =>
  made === category || (SEQUENCES.includes(category) && (made === ROYAL_FLUSH || made === STRAIGHT_FLUSH));

/**
 * What the row can become, the most promising first: what pays, by points and chance, then the rest by chance.
 * @param {RowRules} rules
 * @param {Place} place
 * @param {readonly string[]} cards
 * @param {ReadonlyMap<string, number>} left the unseen cards
 * @returns {DrawTo[]}
 */
export function drawsOf(rules, place, cards, left) {
  const room = SIZES[place] - cards.length;
  const now = possible(rules, place, cards)[0];
  const low = place === 1 && rules.low_middle;
  if (!room || cards.length < (place ? 2 : 1) || (low && (room > FAR || !mayBeLow(now)))) return [];
  const suit = place && isSuited(cards) ? cards.find((card) => !isJoker(card))?.[1] ?? "" : "";
  const kinds = kindsOf(left, suit);
  const unseen = kinds.reduce((sum, { count }) => sum + count, 0);
  const found = /** @type {Map<string, { strength: number, needed: number, ways: number, helping: Set<string> }>} */ (new Map());
  const inSuit = kinds.filter(({ card }) => isJoker(card) || card[1] === suit);
  const ranks = cards.map((card) => card[0]);
  const farFlush = suit !== "" && room === FAR && !low;
  for (let needed = low ? room : 1; needed <= Math.min(room, low ? FAR : place ? NEAR : 1); needed++) {
    // Two cards that don't fill the row make four of a kind or nothing that counts.
    const useful = needed === NEAR && needed < room ? kinds.filter(({ card }) => ranks.includes("X") || isJoker(card) || ranks.includes(card[0])) : kinds;
    for (const choice of choices(useful, needed)) {
      const made = possible(rules, place, [...cards, ...choice.cards])[0];
      for (const target of targets(now, made, { low, front: place === 0, needed })) {
        const key = `${categoryOf(target)} ${place ? "" : topRank(target)}`;
        const draw = found.get(key) ?? { strength: target, needed, ways: 0, helping: new Set() };
        if (draw.needed !== needed) continue;
        found.set(key, draw);
        draw.ways += choice.ways;
        for (const card of choice.cards) draw.helping.add(card);
      }
    }
  }
  const suited = inSuit.reduce((sum, { count }) => sum + count, 0);
  if (farFlush && suited >= FAR) found.set("flush", { strength: FLUSH << 20, needed: FAR, ways: ways(suited, FAR), helping: new Set(inSuit.map(({ card }) => card)) });
  const draws = [...found.values()].map(({ strength, needed, ways: many, helping }) => ({
    strength,
    needed,
    left: kinds.reduce((sum, { card, count }) => sum + (helping.has(card) ? count : 0), 0),
    points: low ? 0 : royaltyOf(rules, place, strength),
    entry: place ? 0 : entryOf(rules, strength),
    ranks: [...new Set([...helping].filter((card) => !isJoker(card)).map(rankOf))].sort((one, other) => one - other),
    chance: many / ways(unseen, needed),
  }));
  const value = (/** @type {DrawTo} */ { points, entry }) => points + (entry ? ENTRY_VALUE : 0);
  return draws.sort((one, other) => value(other) * other.chance - value(one) * one.chance || other.chance - one.chance || other.strength - one.strength);
}

/**
 * The hands for which a row with more cards counts: one pair of a front by its rank, the others by category. Two cards away
 * only those above three of a kind count.
 * @param {number} now
 * @param {number} made
 * @param {{ low: boolean, front: boolean, needed: number }} how
 */
function targets(now, made, { low, front, needed }) {
  if (low) return categoryOf(made) === LOW ? [LOW << 20] : [];
  if (front) return categoryOf(made) > categoryOf(now) ? [made >> 16 << 16] : [];
  const least = Math.max(categoryOf(now), needed === 1 ? 0 : TRIPS);
  return [...CATEGORIES.keys()].filter((category) => category > least && serves(category, categoryOf(made))).map((category) => category << 20);
}
