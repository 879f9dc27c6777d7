// Who sits there: a face with the player's clock around it, the dealer button, and what the player says.

import { html, nothing } from "lit-html";
import { when } from "../table/sentence.js";
import { colourOf, initialsOf } from "./faces.js";
import { bubbleOf } from "./phrases.js";
import { SOON_MS } from "./clock.js";
import { ringStyle } from "./ring.js";

/** @typedef {import("../state/aloud.js").Told} Told */
/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../protocol").SeatShown} SeatShown */

const ROBOT = "M7.3 1h1.400v2.500H12A1.5 1.5 0 0 1 13.5 5v7a1.5 1.5 0 0 1-1.5 1.500H4A1.5 1.5 0 0 1 2.5 12V5A1.5 1.5 0 0 1 4 3.500h3.300zM5 6.300v2.400h2V6.300zm4 0v2.400h2V6.300zM5.2 10.300v1.200h5.600v-1.200z";

/**
 * @param {SeatShown} seat
 * @param {Told} told
 * @param {readonly SeatShown[]} seats all of the table
 */
export function whoOf(seat, told, seats) {
  const { words } = told;
  const state = /** @type {State} */ (told);
  const colour = colourOf(seat.name, seats.map(({ name }) => name));
  const clock = state.overlay || seat.until === null ? 0 : state.clocks[seat.until] ?? 0;
  // How much of a turn is banked is only told of the clock in the head.
  const bank = state.view && seat.until === state.view.until ? state.view.bank : 0;
  const ring = seat.until && clock ? ringStyle(seat.until, clock, bank, told.now) : "";
  const soon = clock && (seat.until ?? 0) - told.now < SOON_MS ? " soon" : "";
  const kinds = `face c${colour}${seat.waiting && !state.overlay ? " turn" : ""}${clock ? " runs" : ""}${soon}${seat.computer ? " computer" : ""}`;
  return html`<span class=${kinds} .style=${ring} aria-hidden="true"><i>${
    seat.computer ? html`<svg viewBox="0 0 16 16"><path fill-rule="evenodd" d=${ROBOT}></path></svg>` : initialsOf(seat.name)}</i></span>${
    seat.dealer ? html`<span class="dealer" role="img" aria-label=${words.dealer} title=${words.dealer}>D</span>` : nothing}${
    when(bubbleOf(state, seat.name), (text) => html`<span class="bubble" aria-hidden="true">${text}</span>`)}`;
}
