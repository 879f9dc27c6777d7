// The solution of a puzzle: its placements side by side, and what is told of it.

import { html, nothing } from "lit-html";
import { sentence } from "../table/sentence.js";
import { comparedOf } from "./compared.js";
import { flippedTo } from "./flip.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

/**
 * @param {State} state
 * @param {Send} send
 */
export function solutionOf(state, send) {
  const solution = state.view?.puzzle?.solution;
  if (!solution) return nothing;
  const { placements, numbers, title, right, told } = solution;
  const table = comparedOf(placements, numbers, flippedTo(state), (number) => send({ type: "flip", number }));
  return html`<section id="solution" class="compared ${right ? "right" : "wrong"}" aria-label=${title}>${table}${
    told.map((line) => html`<p>${sentence(line, state)}</p>`)}</section>`;
}
