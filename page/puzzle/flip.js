// Flipping through the placements that a solution compares, and choosing other puzzles.

import { say } from "../state/deeds.js";
import { lettersOf, take } from "../state/draft.js";
import { ask } from "../state/requests.js";
import { placementHeard } from "./heard.js";

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
 * A placement for who hears it.
 * @param {State} state
 * @param {number} number
 */
function heard(state, number) {
  const { view } = state;
  const solution = view?.puzzle?.solution;
  if (!view?.mine || !solution) return "";
  return placementHeard(state, solution.placements[number], { cards: view.mine.cards, heads: solution.numbers, rowNames: view.row_names });
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
