// Watching: an event's standings or its bracket, and other tables as small boards. One press makes one of them large. Who is
// out of the event is told what comes next.

import { html, nothing } from "lit-html";
import { door } from "../connection/door.js";
import { seatBoard } from "../table/seats.js";
import { sentence, when } from "../table/sentence.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */
/** @typedef {import("../protocol").BoardShown} BoardShown */

/**
 * The other tables that have come.
 * @param {State} state
 */
export const othersOf = ({ view }) => view?.event?.boards ?? view?.beside ?? [];

/**
 * @param {State} state
 * @param {Send} send
 * @param {BoardShown} board
 */
function small(state, send, board) {
  const rowNames = state.view?.row_names ?? [];
  return html`<article class="small" aria-label=${board.title}><button type="button" class="way" data-key="table-${board.table}" @click=${() => send({ type: "look", table: board.table })}>${board.title}</button>${
    board.seats.length ? html`<div class="seats" .style=${`--seats:${board.seats.length}`}>${board.seats.map((seat) => seatBoard(seat, rowNames, state, { seats: board.seats }))}</div>` : html`<p>${sentence(board.status, state)}</p>`}</article>`;
}

/**
 * @param {State} state
 * @param {Send} send
 */
export function eventOf(state, send) {
  const { view, words } = state;
  const boards = othersOf(state);
  const event = view?.event;
  const lines = event?.standings.map((line, number) => html`<p class=${event.headings.includes(number) ? "heading" : nothing}>${sentence(line, state)}</p>`);
  const own = event?.next.length || event?.address ? html`<section class="next" aria-label=${words.comes_next}>${event.next.map((line) => html`<p>${sentence(line, state)}</p>`)}${
    when(event.address, (to) => html`<button type="button" data-key="event-in-discord" @click=${() => door.away(to)}>${words.event_in_discord}</button>`)}</section>` : nothing;
  return html`${event ? html`<h2>${event.title}</h2>${own}<div class="standings" role="group" aria-label=${words.standings}>${lines}</div>` : nothing}${
    boards.length ? html`${event ? html`<h3>${words.other_tables}</h3>` : html`<h2>${words.other_tables}</h2>`}<div class="boards">${boards.map((board) => small(state, send, board))}</div>` : nothing}`;
}

/**
 * The button that shows the other tables beside the one that is watched, and takes them away.
 * @param {State} state
 * @returns {import("../table/bar.js").Button[]}
 */
export function allButton({ view, words, all }) {
  if (!view?.watches || !view.others) return [];
  return [{ key: "all", label: all ? words.one_table : words.all_tables, act: { type: "look", table: view.table, all: !all }, pressed: all }];
}
