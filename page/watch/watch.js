// Watching an event: its standings or its bracket, and its other tables as small boards.

import { html, nothing } from "lit-html";
import { seatBoard } from "../table/seats.js";
import { sentence } from "../table/sentence.js";

/**
 * @param {import("../state/state.js").State} state
 * @param {import("../main.js").Send} send
 */
export function eventOf(state, send) {
  const { view, words } = state;
  if (!view?.event) return nothing;
  const { title, standings, headings, boards } = view.event;
  const shown = boards.map((board) => html`<article class="small" aria-label=${board.title}><button type="button" class="way" @click=${() => send({ type: "look", table: board.table })}>${board.title}</button>${
    board.seats.length ? html`<div class="seats">${board.seats.map((seat) => seatBoard(seat, view.row_names, state, { seats: board.seats }))}</div>` : html`<p>${sentence(board.status, state)}</p>`}</article>`);
  const lines = standings.map((line, number) => html`<p class=${headings.includes(number) ? "heading" : nothing}>${sentence(line, state)}</p>`);
  return html`<h2>${title}</h2><div class="standings" role="group" aria-label=${words.standings}>${lines}</div>${
    shown.length ? html`<h3>${words.other_tables}</h3>${shown}` : nothing}`;
}
