// Boards that one looks at: the other players', and those of a finished hand.

import { html, nothing } from "lit-html";
import { listed, named, paused } from "../state/aloud.js";
import { ROWS, SIZES } from "../state/draft.js";
import { card } from "./cards.js";
import { unbroken, when } from "./sentence.js";

/** @typedef {import("../state/aloud.js").Told} Told */
/** @typedef {import("../protocol").SeatShown} SeatShown */

/**
 * A player's name and what the hand has brought them; on one's own board also the chips.
 * @param {SeatShown} seat
 * @param {unknown} [more]
 */
export function nameLine(seat, more = nothing) {
  const way = seat.gained.startsWith("+") ? "up" : /^[-−]/.test(seat.gained) ? "down" : "";
  return html`<div class="name"><b><bdi>${seat.name}</bdi></b>${when(seat.you && seat.chips, (chips) => html`<span>${chips}</span>`)}${when(seat.gained, (gained) => html`<span class="gained ${way}">${gained}</span>`)}${more}</div>`;
}

/**
 * As many empty places as a row has room for.
 * @param {number} count
 */
export const slots = (count) => Array.from({ length: count }, () => html`<span class="slot"></span>`);

/**
 * @param {SeatShown} seat
 * @param {readonly string[]} rowNames
 * @param {Told} told
 * @param {{ kind?: string, below?: unknown }} [more]
 */
export function seatBoard(seat, rowNames, told, { kind = "", below = nothing } = {}) {
  const { words, cards } = told;
  const latest = [...seat.latest];
  const rows = ROWS.map((letter, number) => {
    const row = seat.rows[number];
    const names = listed(told, row.map((code) => cards[code])) || words.empty;
    const heard = paused(told, [named(told, rowNames[number], names), seat.hands[number]]);
    const faces = row.map((code) => {
      const at = latest.indexOf(code);
      if (at >= 0) latest.splice(at, 1);
      return card(code, cards[code], at < 0 ? "" : "latest");
    });
    return html`<div class="row" role="group" aria-label=${heard}><div class="slots">${faces}${slots(SIZES[letter] - row.length)}</div><div class="made" aria-hidden="true">${unbroken(seat.hands[number])}</div></div>`;
  });
  const note = [seat.chips, seat.note].filter(Boolean).join(" · ").replaceAll(" · ", "\u00a0· ");
  return html`<article class="seat${kind}${seat.waiting ? " turn" : ""}" aria-label=${seat.name}>${nameLine(seat)}<div class="note">${note}</div>${rows}${
    seat.held.length ? pile(seat.held, words.to_place, told) : nothing}${
    seat.discards.some((code) => code !== "?") ? pile(seat.discards, words.discards, told) : nothing}${below}</article>`;
}

/**
 * @param {readonly string[]} cards
 * @param {string} label
 * @param {Told} told
 */
export function pile(cards, label, told) {
  return html`<div class="pile" role="group" aria-label=${label}><span>${label}</span>${cards.map((code) => card(code, told.cards[code]))}</div>`;
}
