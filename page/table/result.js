// What a hand has come to.

import { html, nothing } from "lit-html";
import { sentence } from "./sentence.js";

/**
 * A result. On a phone the table shows the first lines of a long one, and a button that leads to all.
 * @param {import("../protocol").ResultShown} result
 * @param {import("../state/aloud.js").Told} told
 * @param {() => void} [all]
 */
export function resultOf(result, told, all) {
  const { words } = told;
  const list = (/** @type {readonly string[]} */ lines, /** @type {string} */ name) =>
    lines.length ? html`<ul class=${name}>${lines.map((line) => html`<li>${sentence(line, told)}</li>`)}</ul>` : nothing;
  const long = result.pairs.length > 1 || result.notes.length > 1;
  return html`<section id="result" aria-label=${words.result} tabindex="0"><div class="head"><h2>${result.title}</h2>${
    long ? html`<button type="button" class="all" data-key="details" @click=${all}>${words.details}</button>` : nothing}</div>${
    list(result.totals, "totals")}${list(result.notes, "notes")}${list(result.pairs, "pairs")}</section>`;
}
