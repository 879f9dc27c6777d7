// Placements side by side, each a press away from the board: those of a solution, and those of an analysis.

import { html, nothing } from "lit-html";
import { addStyle } from "../later.js";
import { when } from "../table/sentence.js";
import css from "./compared.css";

addStyle(css);

/** @typedef {import("./heard.js").Compared} Compared */

/**
 * @param {readonly Compared[]} placements
 * @param {readonly string[]} numbers what they are compared by
 * @param {number} shown
 * @param {(number: number) => void} look
 */
export function comparedOf(placements, numbers, shown, look) {
  const turn = (/** @type {number} */ number) => number !== shown && look(number);
  const step = (/** @type {KeyboardEvent} */ event, /** @type {number} */ number) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    const to = (number + by + placements.length) % placements.length;
    if (!by) return;
    event.preventDefault();
    const table = /** @type {HTMLElement} */ (event.currentTarget).closest("table");
    /** @type {HTMLElement | null | undefined} */ (table?.querySelector(`[data-key="flip-${to}"]`))?.focus();
    turn(to);
  };
  const heads = placements.map(({ name, own }, number) => {
    // A table that appears below a mouse at rest shows what its reader hasn't chosen: only a move chooses.
    const point = (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && turn(number);
    return html`<th scope="col" class=${number === shown ? "shown" : nothing} @pointermove=${point}><button type="button" data-key="flip-${number}" aria-pressed=${number === shown} @click=${() => turn(number)} @keydown=${(/** @type {KeyboardEvent} */ event) => step(event, number)}>${name}${
      when(own !== name && own, (note) => html`<small>${note}</small>`)}</button></th>`;
  });
  const rows = numbers.map((name, row) => html`<tr><th scope="row">${name}</th>${placements.map((one, number) => html`<td class=${number === shown ? "shown" : nothing}>${one.numbers[row]}</td>`)}</tr>`);
  return html`<table><thead><tr><td></td>${heads}</tr></thead><tbody>${rows}</tbody></table>`;
}
