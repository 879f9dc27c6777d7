// What is told of a hand's end beside the boards, on which the points stand: chips and Fantasyland, and between more than
// two a line for each pair.

import { html, nothing } from "lit-html";
import { named } from "../state/aloud.js";
import { BONUSES, pairsOf, seenBy } from "./sequence.js";
import { at, bonusText, ROW_STEPS, signed, way } from "./steps.js";

/** @typedef {import("../state/aloud.js").Told} Told */
/** @typedef {import("../protocol").Duel} Duel */
/** @typedef {import("../protocol").PairScored} PairScored */
/** @typedef {import("./sequence.js").Sequence} Sequence */

/**
 * What somebody has paid to another.
 * @param {PairScored} pair
 * @param {readonly string[]} names
 * @param {Told} told
 */
function payment({ first, second, payer, paid }, names, { words }) {
  const payee = payer === first ? second : first;
  return words.pays.replace("{payer}", () => names[payer]).replace("{payee}", () => names[payee]).replace("{chips}", () => paid);
}

/**
 * @param {Duel} duel
 * @param {Sequence} sequence
 * @param {readonly string[]} names
 * @param {boolean} own true if the first of them is the reader, whose own pairs come first
 * @param {readonly string[]} rowNames
 * @param {Told} told
 */
function pairTable(duel, sequence, names, own, rowNames, told) {
  const { words } = told;
  const near = own ? pairsOf(duel, 0).map((pair) => seenBy(pair, 0)) : [];
  const pairs = [...near, ...duel.pairs.filter(({ first, second }) => !own || (first && second))];
  const kinds = BONUSES.filter((kind) => kind !== "instead" && pairs.some((pair) => pair[kind]));
  const royal = pairs.some(({ royalties }) => royalties);
  const chips = pairs.some(({ owed }) => owed);
  const columns = ROW_STEPS.length + Number(royal) + kinds.length;
  const cell = (/** @type {number} */ points) => html`<td class=${way(points)}>${signed(points, told)}</td>`;
  const rows = pairs.map((pair) => {
    const mine = own && pair.first === 0;
    const name = mine ? names[pair.second] : words.against.replace("{player}", () => names[pair.first]).replace("{other}", () => names[pair.second]);
    const parts = pair.why ? html`<td class="why" colspan=${columns}>${pair.why}</td>`
      : [...pair.rows.map(cell), royal ? cell(pair.royalties) : nothing, ...kinds.map((kind) => cell(pair[kind]))];
    const gained = pair.payer === pair.first ? -pair.chips : pair.chips;
    return html`<tr class=${own && !mine ? "far" : nothing}><th scope="row">${name}</th>${parts}<td class="points ${way(pair.points)}">${
      signed(pair.points, told)}</td>${chips ? html`<td class="chips">${signed(gained, told)}</td>` : nothing}</tr>`;
  });
  const titles = kinds.map((kind) => bonusText({ kind, points: 0 }, told).replace(words.zero, "").trim());
  const heads = [...rowNames, ...(royal ? [words.royalties] : []), ...titles, words.points];
  return html`<table class="duel"><thead><tr><td></td>${heads.map((head) => html`<th scope="col">${head}</th>`)}${
    chips ? html`<th scope="col" class="chips">${words.chips}</th>` : nothing}</tr></thead><tbody .style=${at(sequence, "more")}>${rows}</tbody></table>`;
}

/**
 * What is told of two who have won nothing from each other.
 * @param {PairScored} pair
 * @param {Told} told
 */
const evenly = ({ why }, { words }) => (why ? words.even_because.replace("{why}", () => why) : words.even);

/**
 * @param {Duel} duel
 * @param {Sequence} sequence
 * @param {readonly import("../protocol").SeatShown[]} seats
 * @param {readonly string[]} rowNames
 * @param {Told} told
 */
export function summary(duel, sequence, seats, rowNames, told) {
  const names = seats.map(({ name }) => name);
  const two = duel.seats.length === 2;
  const between = duel.pairs.flatMap((pair) => (pair.paid ? [payment(pair, names, told)] : pair.points ? [] : [evenly(pair, told)]));
  const paid = two ? between.map((line) => html`<li .style=${at(sequence, "more")}>${line}</li>`) : [];
  const fantasylands = duel.seats.flatMap((seat, number) => (seat.told ? [html`<li class="fantasyland" .style=${at(sequence, "fantasyland")}>${named(told, names[number], seat.told)}</li>`] : []));
  const lines = [...paid, ...fantasylands];
  return html`${two ? nothing : pairTable(duel, sequence, names, seats[0].you, rowNames, told)}${lines.length ? html`<ul class="told">${lines}</ul>` : nothing}`;
}
