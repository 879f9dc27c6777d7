// Where to go from a table at which one has no seat any more.

import { html, nothing } from "lit-html";
import { addStyle } from "../later.js";
import css from "./next.css";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

addStyle(css);

/** More tables are in the choice above. */
const MOST = 3;

/**
 * Other tables, while nothing happens at the one that is shown.
 * @param {State} state
 * @param {Send} send
 */
export function nextOf({ view, words, overlay }, send) {
  const idle = view && !overlay && view.seatless && !view.event && !view.seats.some((seat) => seat.waiting);
  const others = idle ? view.tables.filter((one) => !one.chosen).slice(0, MOST) : [];
  if (!others.length) return nothing;
  return html`<nav id="next" aria-label=${words.other_tables}><span aria-hidden="true">${words.other_tables}</span>${others.map(({ table, title }) =>
    html`<button type="button" data-key="next-${table}" title=${title} @click=${() => send({ type: "look", table })}>${title}</button>`)}</nav>`;
}
