// The line above the table: its title or a choice of tables, the clock, the menu, and a call to another table.

import { html, nothing } from "lit-html";
import { audiencePart, overPart } from "../later.js";
import { callsOf, callText } from "../state/calls.js";
import { shortTime, timeLeft } from "../state/countdown.js";
import { wheelOf } from "./wheel.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

const AROUND = 2 * Math.PI * 15;
const SOON_MS = 10_000;

/**
 * The clock as a ring: what is left of a turn, as far as it was seen to begin.
 * @param {State} state
 */
function clockOf({ clock, view, words, now }) {
  const ms = Math.max(0, (clock.until ?? 0) - now);
  const looks = [view?.yours && "mine", ms < SOON_MS && "soon", ms < (view?.bank ?? 0) && "bank"].filter(Boolean).join(" ");
  const gone = AROUND * (1 - Math.min(1, ms / clock.whole));
  return html`<div id="clock" role="timer" class=${looks} aria-label=${words.clock ?? nothing} ?hidden=${clock.until === null}><svg viewBox="0 0 36 36" aria-hidden="true"><circle cx="18" cy="18" r="15"></circle><circle cx="18" cy="18" r="15" class="left" stroke-dasharray=${AROUND} stroke-dashoffset=${gone}></circle></svg><span><b>${shortTime(ms, words)}</b></span></div>`;
}

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
  return html`<header id="head"><div id="titles"><h1 id="title" title=${view?.title ?? nothing}>${view?.title}</h1>${tablesOf(state, send)}<div id="below">${audiencePart()?.viewersOf(state)}<p id="about">${view?.about}</p>${overPart()?.lastOf(state, send) ?? nothing}</div></div>${clockOf(state)}${wheelOf(state, send)}</header>`;
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
