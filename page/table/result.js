// What a hand has come to.

import { html, nothing } from "lit-html";
import { at } from "../duel/marks.js";
import { pairTable, payment } from "../duel/pairs.js";
import { named } from "../state/aloud.js";
import { sentence } from "./sentence.js";

/** @typedef {import("../protocol").ResultShown} ResultShown */
/** @typedef {import("../protocol").SeatShown} SeatShown */
/** @typedef {import("../duel/marks.js").Score} Score */

/**
 * What is told beside the boards, on which the points stand: chips and Fantasyland, or a line for each pair.
 * @param {Score} score
 * @param {readonly SeatShown[]} seats
 * @param {readonly string[]} rowNames
 * @param {import("../state/aloud.js").Told} told
 */
function scored(score, seats, rowNames, told) {
  const { duel, sequence } = score;
  const names = seats.map(({ name }) => name);
  const two = duel.seats.length === 2;
  const paid = duel.pairs.filter(({ paid }) => paid).map((pair) => html`<li .style=${at(sequence, "more")}>${payment(pair, names, told)}</li>`);
  const fantasylands = duel.seats.flatMap((seat, number) => (seat.told ? [html`<li class="fantasyland" .style=${at(sequence, "fantasyland")}>${named(told, names[number], seat.told)}</li>`] : []));
  const lines = [...(two ? paid : []), ...fantasylands];
  return html`${two ? nothing : pairTable(score, names, seats[0].you, rowNames, told)}${lines.length ? html`<ul class="told">${lines}</ul>` : nothing}`;
}

/**
 * A result. On a phone the table shows the first lines of a long one, and a button that leads to all. Where the boards
 * have the score on them it isn't told in sentences as well.
 * @param {ResultShown} result
 * @param {import("../state/aloud.js").Told} told
 * @param {{ all?: () => void, score?: Score, seats?: readonly SeatShown[], rowNames?: readonly string[] }} [more]
 */
export function resultOf(result, told, { all, score, seats = [], rowNames = [] } = {}) {
  const { words } = told;
  const list = (/** @type {readonly string[]} */ lines, /** @type {string} */ name) =>
    lines.length ? html`<ul class=${name}>${lines.map((line) => html`<li>${sentence(line, told)}</li>`)}</ul>` : nothing;
  const long = score ? result.notes.length > 1 || result.duel?.seats.length !== 2 : result.pairs.length > 1 || result.notes.length > 1;
  return html`<section id="result" aria-label=${words.result} tabindex="0"><div class="head"><h2>${result.title}</h2>${
    all && long ? html`<button type="button" class="all" data-key="details" @click=${all}>${words.details}</button>` : nothing}</div>${
    score ? scored(score, seats, rowNames, told) : list(result.totals, "totals")}${list(result.notes, "notes")}${score ? nothing : list(result.pairs, "pairs")}</section>`;
}
