// What the end of a hand puts on the boards: each row's points at its edge, bonuses and the total beside the name.

import { html, nothing } from "lit-html";
import { paused } from "../state/aloud.js";
import { countOf, sequenceOf } from "./sequence.js";
import { at, bonusText, ROW_STEPS, signed, way } from "./steps.js";
import { summary } from "./summary.js";
import "./style.js";

/** @typedef {import("../state/aloud.js").Told} Told */
/** @typedef {import("../protocol").Duel} Duel */
/** @typedef {import("../protocol").SeatShown} SeatShown */
/** @typedef {import("./sequence.js").Sequence} Sequence */

/**
 * A seat's part in the end of a hand, as it is drawn.
 * @typedef {object} Score
 * @property {(row: number) => { kind: string, step: string }} lit how a row is lit up, and when
 * @property {(row: number) => unknown} marks a row's points and its royalty
 * @property {(row: number) => string} heard the same for who hears the row
 * @property {(shown: SeatShown) => unknown} beside what stands beside the name
 * @property {(seats: readonly SeatShown[], rowNames: readonly string[]) => unknown} summary what is told beside the boards
 */

/**
 * The total beside a name, which counts up while the end of the hand is told.
 * @param {Duel} duel
 * @param {Sequence} sequence
 * @param {number} seat
 * @param {SeatShown} shown
 * @param {boolean} counting
 * @param {Told} told
 */
function total(duel, sequence, seat, { gained, you }, counting, told) {
  const { points, chips } = duel.seats[seat];
  const all = html`${gained}${you && chips ? html` <small>(${signed(chips, told)})</small>` : nothing}`;
  const count = counting ? countOf(sequence, seat) : [];
  if (!count.length) return html`<span class="gained ${way(points)}">${all}</span>`;
  const before = [{ step: -1, total: 0 }, ...count];
  const passing = count.map(({ step }, number) => html`<i class=${way(before[number].total)} aria-hidden="true" .style=${`--step:${before[number].step};--for:${step - before[number].step}`}>${signed(before[number].total, told)}</i>`);
  return html`<span class="gained count">${passing}<span class=${way(points)} .style=${`--step:${count[count.length - 1].step}`}>${all}</span></span>`;
}

/**
 * The scores of the seats that have played; none for a hand without a score.
 * @param {import("../protocol").ResultShown | null | undefined} result
 * @param {Told} told
 * @param {boolean} [counting] true while the end of the hand is told step by step
 * @returns {Score[]}
 */
export function scoresOf(result, told, counting = false) {
  const duel = result?.duel;
  if (!duel) return [];
  const sequence = sequenceOf(duel);
  const rowsCount = sequence.steps.includes("front");
  return duel.seats.map((_, seat) => {
    const { rows, more } = sequence.seats[seat];
    return {
      lit: (row) => (rowsCount ? { kind: ` lit ${way(rows[row].points)}`, step: at(sequence, ROW_STEPS[row]) } : { kind: "", step: "" }),
      marks(row) {
        const { points, royalty } = rows[row];
        return rowsCount ? html`${royalty ? html`<b class="mark royal">${signed(royalty, told)}</b>` : nothing}<b class="mark ${way(points)}">${signed(points, told)}</b>` : nothing;
      },
      heard(row) {
        const { points, royalty } = rows[row];
        return rowsCount ? paused(told, [signed(points, told), royalty ? told.words.royalty.replace("{points}", () => signed(royalty, told)) : ""]) : "";
      },
      // Between more than two, a table has the bonuses of the others.
      beside: (shown) => html`${total(duel, sequence, seat, shown, counting, told)}${
        (duel.seats.length === 2 || shown.you ? more : []).map((bonus) => html`<span class="mark ${way(bonus.points)}" .style=${at(sequence, "more")}>${bonusText(bonus, told)}</span>`)}`,
      summary: (seats, rowNames) => summary(duel, sequence, seats, rowNames, told),
    };
  });
}
