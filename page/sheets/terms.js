// The terms of a seat. Its button takes the seat under exactly these.

import { html } from "lit-html";
import { asks } from "../state/shown.js";
import { sentence } from "../table/sentence.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {{ offer: import("../protocol").Offered }} Terms */

/**
 * @param {State} state
 * @param {Terms} sheet
 */
export const title = (state, { offer }) => offer.label;

/**
 * @param {State} state
 * @param {Terms} sheet
 * @param {import("../main.js").Send} send
 */
export function body(state, { offer }, send) {
  const { verb, turn } = offer;
  const busy = asks(state, verb);
  return html`<div class="prose terms">${offer.text.split("\n").map((line) => html`<p>${sentence(line, state)}</p>`)}</div><div class="ways"><button type="button" class="main" data-key="agree" aria-disabled=${
    busy} @click=${() => busy || send({ type: "want", verb, turn })}>${offer.sure}</button></div>`;
}
