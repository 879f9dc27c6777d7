// A placement for who hears it.

import { listed, named, paused } from "../state/aloud.js";
import { ROWS } from "../state/draft.js";

/** @typedef {{ name: string, own?: string, letters: string, numbers: readonly string[] }} Compared */

/**
 * What it's called, where its cards go, and its numbers.
 * @param {import("../state/aloud.js").Told} told
 * @param {Compared} placement
 * @param {{ cards: readonly string[], heads: readonly string[], rowNames: readonly string[] }} of the cards to place, and what is compared
 */
export function placementHeard(told, { name, own = "", letters, numbers }, { cards, heads, rowNames }) {
  const rows = [...ROWS, "D"].flatMap((letter, row) => {
    const sent = cards.filter((_, place) => letters[place] === letter);
    return sent.length ? [named(told, rowNames[row] ?? told.words.discard, listed(told, sent.map((code) => told.cards[code])))] : [];
  });
  const note = own === name ? "" : own;
  return paused(told, [name, note, ...rows, ...numbers.map((text, at) => named(told, heads[at], text))]);
}
