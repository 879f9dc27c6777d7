// Boards that one looks at: the other players', and those of a finished hand.

import { html, nothing } from "lit-html";
import { peoplePart } from "../later.js";
import { listed, named, paused } from "../state/aloud.js";
import { ROWS, SIZES } from "../state/draft.js";
import { card } from "./cards.js";
import { unbroken, when } from "./sentence.js";

/** @typedef {import("../state/aloud.js").Told} Told */
/** @typedef {import("../protocol").SeatShown} SeatShown */
/** @typedef {import("../duel/marks.js").Score} Score */

/**
 * A player's face and name, and what the hand has brought them; on one's own board also the chips.
 * @param {SeatShown} seat
 * @param {Told} told
 * @param {{ seats?: readonly SeatShown[], more?: unknown, won?: unknown }} [rest] with all seats of the table
 */
export function nameLine(seat, told, { seats = [], more = nothing, won = nothing } = {}) {
  return html`<div class="name">${peoplePart()?.whoOf(seat, told, seats)}<b><bdi>${seat.name}</bdi></b>${when(seat.you && seat.chips, (chips) => html`<span>${chips}</span>`)}${won}${more}</div>`;
}

/**
 * What is told of a player beside the name: badges, and the rest in words.
 * @param {SeatShown} seat
 * @param {Told} told
 * @param {string} [first]
 */
export function noteOf(seat, told, first = "") {
  const people = peoplePart();
  const more = people ? seat.more : seat.note;
  // Where there's too little room, a foul matters more than what comes first otherwise.
  const text = (seat.fouled ? [more, first] : [first, more]).filter(Boolean).join(" · ").replaceAll(" · ", "\u00a0· ");
  return html`${people?.badgesOf(seat, told)}${text}`;
}

/**
 * What the hand has brought somebody.
 * @param {SeatShown} seat
 * @param {Score | undefined} score
 */
export function wonBy(seat, score) {
  if (score) return score.beside(seat);
  const way = seat.gained.startsWith("+") ? "up" : /^[-−]/.test(seat.gained) ? "down" : "";
  return when(seat.gained, (gained) => html`<span class="gained ${way}">${gained}</span>`);
}

/**
 * A row's hand, with its points at the edge once the hand is over.
 * @param {string} hand
 * @param {Score | undefined} score
 * @param {number} row
 */
export const madeOf = (hand, score, row) => html`<div class="made" aria-hidden="true"><span>${unbroken(hand)}</span>${score?.marks(row) ?? nothing}</div>`;

/**
 * As many empty places as a row has room for.
 * @param {number} count
 */
export const slots = (count) => Array.from({ length: count }, () => html`<span class="slot"></span>`);

/**
 * @param {SeatShown} seat
 * @param {readonly string[]} rowNames
 * @param {Told} told
 * @param {{ kind?: string, below?: unknown, score?: Score, seats?: readonly SeatShown[], dip?: number }} [more] ``dip`` is how far down in an arc it sits
 */
export function seatBoard(seat, rowNames, told, { kind = "", below = nothing, score, seats, dip } = {}) {
  const { words, cards } = told;
  const latest = [...seat.latest];
  const rows = ROWS.map((letter, number) => {
    const row = seat.rows[number];
    const names = listed(told, row.map((code) => cards[code])) || words.empty;
    const heard = paused(told, [named(told, rowNames[number], names), seat.hands[number], score?.heard(number) ?? ""]);
    const light = score?.lit(number);
    const faces = row.map((code) => {
      const at = latest.indexOf(code);
      if (at >= 0) latest.splice(at, 1);
      return card(code, cards[code], at < 0 ? "" : "latest");
    });
    return html`<div class="row${light?.kind ?? ""}" .style=${light?.step ?? ""} role="group" aria-label=${heard}><div class="slots">${faces}${slots(SIZES[letter] - row.length)}</div>${madeOf(seat.hands[number], score, number)}</div>`;
  });
  return html`<article class="seat${kind}${seat.waiting ? " turn" : ""}${seat.fouled ? " fouled" : ""}" aria-label=${seat.name} .style=${dip ? `--dip:${dip}` : ""}>${nameLine(seat, told, { seats, won: wonBy(seat, score) })}<div class="note">${noteOf(seat, told, seat.chips)}</div>${rows}${
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
