// Between more than two: a line for each pair, with what its rows, royalties and bonuses have brought.

import { html, nothing } from "lit-html";
import { bonusesOf, BONUSES, pairsOf, seenBy } from "./sequence.js";
import { at, signed, way } from "./marks.js";

/** @typedef {import("../state/aloud.js").Told} Told */
/** @typedef {import("../protocol").PairScored} PairScored */
/** @typedef {import("./marks.js").Score} Score */

const STEPS = /** @type {const} */ (["front", "middle", "back"]);

/**
 * What somebody owes to another, in a line.
 * @param {PairScored} pair
 * @param {readonly string[]} names
 * @param {Told} told
 */
export function payment({ first, second, payer, paid }, names, { words }) {
  const payee = payer === first ? second : first;
  return words.pays.replace("{payer}", () => names[payer]).replace("{payee}", () => names[payee]).replace("{chips}", () => paid);
}

/**
 * @param {Score} score
 * @param {readonly string[]} names
 * @param {boolean} own true if the first of them is the reader, whose own pairs come first
 * @param {readonly string[]} rowNames
 * @param {Told} told
 */
export function pairTable({ duel, sequence }, names, own, rowNames, told) {
  const { words } = told;
  const near = own ? pairsOf(duel, 0).map((pair) => seenBy(pair, 0)) : [];
  const pairs = [...near, ...duel.pairs.filter(({ first, second }) => !own || (first && second))];
  const kinds = BONUSES.filter((kind) => kind !== "instead" && pairs.some((pair) => pair[kind]));
  const royal = pairs.some(({ royalties }) => royalties);
  const chips = pairs.some(({ owed }) => owed);
  const columns = STEPS.length + Number(royal) + kinds.length;
  const cell = (/** @type {number} */ points, /** @type {import("./sequence.js").Step} */ step) => html`<td class=${way(points)} .style=${at(sequence, step)}>${signed(points, told)}</td>`;
  const rows = pairs.map((pair) => {
    const name = own && pair.first === 0 ? names[pair.second] : words.against.replace("{player}", () => names[pair.first]).replace("{other}", () => names[pair.second]);
    const gained = pair.payer === pair.first ? -pair.chips : pair.chips;
    return html`<tr class=${own && pair.first ? "far" : nothing}><th scope="row">${name}</th>${
      pair.why ? html`<td class="why" colspan=${columns} .style=${at(sequence, "more")}>${pair.why}</td>`
        : [...STEPS.map((step, row) => cell(pair.rows[row], step)), royal ? cell(pair.royalties, "back") : nothing, ...kinds.map((kind) => cell(pair[kind], "more"))]}<td class="points ${way(pair.points)}" .style=${at(sequence, "more")}>${
      signed(pair.points, told)}</td>${chips ? html`<td class="chips" .style=${at(sequence, "more")}>${pair.owed ? signed(gained, told) : nothing}</td>` : nothing}</tr>`;
  });
  const heads = [...rowNames, ...(royal ? [words.royalties] : []), ...kinds.map((kind) => words[kind].replace("{points}", "").trim())];
  return html`<table class="duel"><thead><tr><td></td>${heads.map((head) => html`<th scope="col">${head}</th>`)}<th scope="col">${words.points}</th>${
    chips ? html`<th scope="col" class="chips">${words.chips}</th>` : nothing}</tr></thead><tbody>${rows}</tbody></table>`;
}

/** @param {PairScored} pair */
export const isEven = (pair) => !pair.points && !bonusesOf(pair).length;
