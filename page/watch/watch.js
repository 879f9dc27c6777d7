// Watching an event: its standings or its bracket, and its other tables as small boards. Who is out of it is told what comes next.

import { html, nothing } from "lit-html";
import { door } from "../connection/door.js";
import { seatBoard } from "../table/seats.js";
import { sentence, when } from "../table/sentence.js";

/**
 * @param {import("../state/state.js").State} state
 * @param {import("../main.js").Send} send
 */
export function eventOf(state, send) {
  const { view, words } = state;
  if (!view?.event) return nothing;
  const { title, standings, headings, boards, next, address } = view.event;
  const shown = boards.map((board) => html`<article class="small" aria-label=${board.title}><button type="button" class="way" @click=${() => send({ type: "look", table: board.table })}>${board.title}</button>${
    board.seats.length ? html`<div class="seats">${board.seats.map((seat) => seatBoard(seat, view.row_names, state))}</div>` : html`<p>${sentence(board.status, state)}</p>`}</article>`);
  const lines = standings.map((line, number) => html`<p class=${headings.includes(number) ? "heading" : nothing}>${sentence(line, state)}</p>`);
  const own = next.length || address ? html`<section class="next" aria-label=${words.comes_next}>${next.map((line) => html`<p>${sentence(line, state)}</p>`)}${
    when(address, (to) => html`<button type="button" data-key="event-in-discord" @click=${() => door.away(to)}>${words.event_in_discord}</button>`)}</section>` : nothing;
  return html`<h2>${title}</h2>${own}<div class="standings" role="group" aria-label=${words.standings}>${lines}</div>${
    shown.length ? html`<h3>${words.other_tables}</h3>${shown}` : nothing}`;
}
