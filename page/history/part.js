// The streets of the running hand beside the table: a press shows the boards as they were then.

import { html, nothing } from "lit-html";
import { addStyle } from "../later.js";
import { listed, named, paused } from "../state/aloud.js";
import { card } from "../table/cards.js";
import css from "./history.css";
import { streetsOf } from "./streets.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */
/** @typedef {import("./streets.js").Street} Street */

addStyle(css);

/**
 * @param {State} state
 * @param {Street} street
 */
const called = ({ words }, { number, whole }) => (whole ? words.up_to_street : words.street).replace("{number}", String(number));

/**
 * A street for who hears it.
 * @param {State} state
 * @param {Street} street
 */
function heard(state, street) {
  const rows = street.placed.flatMap(({ name, rows }) => [name, ...rows.flatMap((row, number) =>
    (row.length ? [named(state, state.view?.row_names[number] ?? "", listed(state, row.map((code) => state.cards[code])))] : []))]);
  return paused(state, [called(state, street), ...rows]);
}

/**
 * @param {State} state
 * @param {Send} send
 */
export function historyOf(state, send) {
  const { words, cards, view, street: looked } = state;
  const streets = streetsOf(state);
  const look = (/** @type {Street} */ street) => {
    const to = looked === street.number ? 0 : street.number;
    send({ type: "street", street: to });
    if (to) send({ type: "say", text: heard(state, street) });
  };
  const lines = (/** @type {Street} */ { placed }) => placed.map(({ name, rows }) => html`<div class="placed"><bdi>${name}</bdi>${rows.map((row, number) =>
    (row.length ? html`<div role="group" aria-label=${view?.row_names[number] ?? nothing}><i aria-hidden="true">${view?.row_names[number]}</i><span>${row.map((code) => card(code, cards[code]))}</span></div>` : nothing))}</div>`);
  return html`<h2>${words.history}</h2>${
    streets.map((street) => html`<section class=${looked === street.number ? "shown" : nothing}><button type="button" data-key="street-${street.number}" aria-pressed=${looked === street.number} @click=${() => look(street)}>${called(state, street)}</button>${lines(street)}</section>`)}${
    looked ? html`<button type="button" class="now" data-key="street-now" @click=${() => send({ type: "street", street: 0 })}>${words.history_now}</button>` : nothing}`;
}

/**
 * Any press elsewhere returns to the boards as they are. A key does nothing else then, since nobody sees what it would act on.
 * @param {() => State} state
 * @param {Send} send
 */
export function watchStreets(state, send) {
  const inside = (/** @type {EventTarget | null} */ target) => target instanceof Element && target.closest("#history");
  addEventListener("pointerdown", ({ target }) => state().street && !inside(target) && send({ type: "street", street: 0 }), { capture: true });
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!state().street || key === "Tab" || key === "Shift" || (inside(target) && key !== "Escape")) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    send({ type: "street", street: 0 });
  }, { capture: true });
}
