// The solution of a puzzle: its placements side by side, each a press away from the board.

import { html, nothing } from "lit-html";
import { when, sentence } from "../table/sentence.js";
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
  const shown = flippedTo(state);
  const look = (/** @type {number} */ number) => number !== shown && send({ type: "flip", number });
  const heads = placements.map(({ name, own }, number) => {
    const point = (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && look(number);
    return html`<th scope="col" class=${number === shown ? "shown" : nothing} @pointerover=${point}><button type="button" data-key="flip-${number}" aria-pressed=${number === shown} @click=${() => look(number)} @keydown=${(/** @type {KeyboardEvent} */ event) => step(event, number)}>${name}${
      when(own !== name && own, (note) => html`<small>${note}</small>`)}</button></th>`;
  });
  const step = (/** @type {KeyboardEvent} */ event, /** @type {number} */ number) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    const to = (number + by + placements.length) % placements.length;
    if (!by) return;
    event.preventDefault();
    /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="flip-${to}"]`))?.focus();
    look(to);
  };
  const rows = numbers.map((name, row) => html`<tr><th scope="row">${name}</th>${placements.map((one, number) => html`<td class=${number === shown ? "shown" : nothing}>${one.numbers[row]}</td>`)}</tr>`);
  return html`<section id="solution" class=${right ? "right" : "wrong"} aria-label=${title}><table><thead><tr><td></td>${heads}</tr></thead><tbody>${rows}</tbody></table>${
    told.map((line) => html`<p>${sentence(line, state)}</p>`)}</section>`;
}
