// What players say: the eight phrases, and what is heard of them.

import { muted } from "./said.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../protocol").PhraseSaid["phrase"]} Phrase */

/**
 * The phrases in the order of the keys 1 to 8.
 * @param {Record<string, string>} words
 * @returns {readonly (readonly [Phrase, string])[]}
 */
export const phrasesOf = (words) => [
  ["good_luck", words.phrase_good_luck], ["nice_hand", words.phrase_nice_hand], ["wow", words.phrase_wow], ["thanks", words.phrase_thanks],
  ["oops", words.phrase_oops], ["thinking", words.phrase_thinking], ["no_hurry", words.phrase_no_hurry], ["good_game", words.phrase_good_game],
];

/**
 * What a player has just said; empty if nothing.
 * @param {State} state
 * @param {string} name
 */
export function bubbleOf(state, name) {
  const said = state.bubbles.find((one) => one.name === name);
  return said && said.until > state.now && said.table === state.view?.table && !muted(state, name) ? state.words[`phrase_${said.phrase}`] : "";
}
