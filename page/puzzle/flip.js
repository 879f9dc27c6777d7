// Flipping through the placements that a solution compares, and choosing other puzzles.

import { listed, named, paused } from "../state/aloud.js";
import { say } from "../state/deeds.js";
import { lettersOf, ROWS, take } from "../state/draft.js";
import { ask } from "../state/requests.js";

/** @typedef {import("../state/state.js").State} State */
/** @template {{}} M @typedef {import("../state/state.js").Act<M>} Act */

/**
 * The placement that is on the board; -1 for none of them.
 * @param {State} state
 */
export function flippedTo({ view, draft }) {
  const placements = view?.puzzle?.solution?.placements ?? [];
  return draft ? placements.findIndex(({ letters }) => letters.replaceAll("D", ".") === lettersOf(draft)) : -1;
}

/**
 * A placement for who hears it: what it's called, where its cards go, and its numbers.
 * @param {State} state
 * @param {number} number
 */
function heard(state, number) {
  const { view, words, cards } = state;
  const solution = view?.puzzle?.solution;
  if (!view?.mine || !solution) return "";
  const { mine, row_names } = view;
  const { name, own, letters, numbers } = solution.placements[number];
  const rows = [...ROWS, "D"].flatMap((letter, row) => {
    const sent = mine.cards.filter((_, place) => letters[place] === letter);
    return sent.length ? [named(state, row_names[row] ?? words.discard, listed(state, sent.map((code) => cards[code])))] : [];
  });
  const note = own === name ? "" : own;
  return paused(state, [name, note, ...rows, ...numbers.map((text, at) => named(state, solution.numbers[at], text))]);
}

export const flipActs = {
  /**
   * Put one of the placements on the board.
   * @type {Act<{ number: number }>}
   */
  flip(state, { number }) {
    const placement = state.view?.puzzle?.solution?.placements[number];
    if (!placement || !state.draft || number === flippedTo(state)) return state;
    return say({ ...state, draft: take(state.draft, placement.letters) }, heard(state, number));
  },

  /**
   * Choose a theme, or games; none means all of them. The choice is shown at once.
   * @type {Act<{ verb: "puzzle_theme" | "puzzle_games", chosen: readonly string[] }>}
   */
  choosePuzzles(state, { verb, chosen }) {
    const { sheet, view } = state;
    if (sheet?.kind !== "puzzles" || !view) return state;
    const part = verb === "puzzle_theme" ? "themes" : "games";
    const options = sheet.choices[part].map((one) => ({ ...one, chosen: one.key ? chosen.includes(one.key) : !chosen.length }));
    const after = { ...state, sheet: { ...sheet, choices: { ...sheet.choices, [part]: options } } };
    return ask(after, { type: "intent", id: "", verb, table: view.table, turn: "", letters: "", chosen: [...chosen] });
  },
};
