// The line above the table: its title or a choice of tables, the clock, the menu, and a call to another table.

import { html, nothing } from "lit-html";
import { audiencePart, overPart, peoplePart } from "../later.js";
import { callsOf, callText } from "../state/calls.js";
import { timeLeft } from "../state/countdown.js";
import { wheelOf } from "./wheel.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

/**
 * @param {State} state
 * @param {Send} send
 */
function tablesOf({ view, words }, send) {
  const tables = view?.tables ?? [];
  const chosen = tables.find((one) => one.chosen);
  const option = (/** @type {import("../protocol").TableChoice} */ one) => {
    const text = one.waits && !one.chosen ? `● ${words.table_waits.replace("{table}", () => one.title)}` : one.title;
    return html`<option value=${one.table} .selected=${one.chosen}>${text}</option>`;
  };
  const watched = tables.filter((one) => one.watch);
  const look = (/** @type {Event} */ event) => send({ type: "look", table: Number(/** @type {HTMLSelectElement} */ (event.target).value) });
  return html`<select id="tables" ?hidden=${!chosen} aria-label=${words.table ?? nothing} title=${chosen?.title ?? ""} @change=${look}>${
    tables.filter((one) => !one.watch).map(option)}${
    watched.length ? html`<optgroup label=${words.watched_tables}>${watched.map(option)}</optgroup>` : nothing}</select>`;
}

/**
 * @param {State} state
 * @param {Send} send
 */
export function headOf(state, send) {
  const { view } = state;
  return html`<header id="head"><div id="titles"><h1 id="title" title=${view?.title ?? nothing}>${view?.title}</h1>${tablesOf(state, send)}<div id="below">${audiencePart()?.viewersOf(state)}<p id="about">${view?.about}</p>${overPart()?.lastOf(state, send) ?? nothing}</div></div>${peoplePart()?.clockOf(state)}${peoplePart()?.talkOf(state, send)}${wheelOf(state, send)}</header>`;
}

/**
 * Another of one's tables waits: a line says so above the table that is shown, and leads there.
 * @param {State} state
 * @param {Send} send
 */
export function callOf({ view, words, now, language }, send) {
  const [call] = callsOf(view?.tables ?? []);
  const text = call && callText(call, words);
  return html`<button id="call" type="button" ?hidden=${!call} title=${text ?? nothing} @click=${() => call && send({ type: "look", table: call.table })}>${
    call ? html`<b>${text}</b><span class="left">${call.until === null ? "" : timeLeft(call.until - now, language)}</span>` : nothing}</button>`;
}
