// What a hand has come to.

import { html, nothing } from "lit-html";
import { sentence } from "./sentence.js";

/** @typedef {import("../protocol").SeatShown} SeatShown */

/**
 * A result. On a phone the table shows the first lines of a long one, and a button that leads to all. What a score puts
 * on the boards isn't told in sentences as well.
 * @param {import("../protocol").ResultShown} result
 * @param {import("../state/aloud.js").Told} told
 * @param {{ all?: () => void, score?: import("../duel/marks.js").Score, seats?: readonly SeatShown[], rowNames?: readonly string[] }} [more]
 */
export function resultOf(result, told, { all, score, seats = [], rowNames = [] } = {}) {
  const { words } = told;
  const list = (/** @type {readonly string[]} */ lines, /** @type {string} */ name) =>
    lines.length ? html`<ul class=${name}>${lines.map((line) => html`<li>${sentence(line, told)}</li>`)}</ul>` : nothing;
  const long = result.pairs.length > 1 || result.notes.length > 1;
  return html`<section id="result" aria-label=${words.result} tabindex="0"><div class="head"><h2>${result.title}</h2>${
    all && long ? html`<button type="button" class="all" data-key="details" @click=${all}>${words.details}</button>` : nothing}</div>${
    score ? score.summary(seats, rowNames) : list(result.totals, "totals")}${list(result.notes, "notes")}${score ? nothing : list(result.pairs, "pairs")}</section>`;
}
