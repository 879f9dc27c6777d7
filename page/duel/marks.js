// What the end of a hand puts on the boards: each row's points at its edge, bonuses and the total beside the name.

import { html, nothing } from "lit-html";
import { paused } from "../state/aloud.js";
import { countOf, sequenceOf } from "./sequence.js";

/** @typedef {import("../state/aloud.js").Told} Told */
/** @typedef {import("../protocol").ResultShown} ResultShown */
/** @typedef {import("./sequence.js").Sequence} Sequence */

/**
 * A seat's part in the end of a hand, as it is drawn. ``bare`` leaves the bonuses out, which a table has then.
 * @typedef {{ seat: number, duel: import("../protocol").Duel, sequence: Sequence, bare: boolean }} Score
 */

/**
 * The scores of the seats that are shown, as many as have played.
 * @param {ResultShown | null | undefined} result
 * @returns {Score[]}
 */
export function scoresOf(result) {
  const duel = result?.duel;
  if (!duel) return [];
  const sequence = sequenceOf(duel);
  return duel.seats.map((_, seat) => ({ seat, duel, sequence, bare: duel.seats.length > 2 && seat > 0 }));
}

/**
 * A number with its sign.
 * @param {number} points
 * @param {Told} told
 */
export function signed(points, { words, language }) {
  if (!points) return words.zero;
  return `${points > 0 ? "+" : "−"}${new Intl.NumberFormat(language).format(Math.abs(points))}`;
}

/** @param {number} points */
export const way = (points) => (points > 0 ? "up" : points < 0 ? "down" : "even");

/**
 * When a step begins (style.css).
 * @param {Sequence} sequence
 * @param {import("./sequence.js").Step} step
 */
export const at = ({ steps }, step) => `--step:${Math.max(0, steps.indexOf(step))}`;

const STEPS = /** @type {const} */ (["front", "middle", "back"]);

/**
 * How a row is lit up, and when.
 * @param {Score | undefined} score
 * @param {number} row
 */
export function lit(score, row) {
  if (!score || !score.sequence.steps.includes(STEPS[row])) return { kind: "", step: "" };
  const { points } = score.sequence.seats[score.seat].rows[row];
  return { kind: ` lit ${way(points)}`, step: at(score.sequence, STEPS[row]) };
}

/**
 * The marks at the edge of a row: its points, and its royalty.
 * @param {Score | undefined} score
 * @param {number} row
 * @param {Told} told
 */
export function marks(score, row, told) {
  if (!score || !score.sequence.steps.includes(STEPS[row])) return nothing;
  const { points, royalty } = score.sequence.seats[score.seat].rows[row];
  return html`${royalty ? html`<b class="mark royal">${signed(royalty, told)}</b>` : nothing}<b class="mark ${way(points)}">${signed(points, told)}</b>`;
}

/**
 * The same for who hears the row.
 * @param {Score | undefined} score
 * @param {number} row
 * @param {Told} told
 */
export function markHeard(score, row, told) {
  if (!score || !score.sequence.steps.includes(STEPS[row])) return "";
  const { points, royalty } = score.sequence.seats[score.seat].rows[row];
  return paused(told, [signed(points, told), royalty ? told.words.royalty.replace("{points}", () => signed(royalty, told)) : ""]);
}

/**
 * A bonus in words, such as "scoop +3".
 * @param {import("./sequence.js").Bonus} bonus
 * @param {Told} told
 */
export function bonusText({ kind, points }, told) {
  const text = signed(points, told);
  return kind === "instead" ? text : told.words[kind].replace("{points}", () => text);
}

/**
 * The total beside a name, which counts up while the end of the hand is told.
 * @param {Score} score
 * @param {string} gained
 * @param {boolean} counting
 * @param {Told} told
 */
function total({ seat, duel, sequence }, gained, counting, told) {
  const { points, chips } = duel.seats[seat];
  const all = html`${gained}${seat === 0 && chips ? html` <small>(${signed(chips, told)})</small>` : nothing}`;
  const count = counting ? countOf(sequence, seat) : [];
  if (!count.length) return html`<span class="gained ${way(points)}">${all}</span>`;
  const between = [{ step: -1, total: 0 }, ...count].slice(0, -1).map(({ step, total }, number) =>
    html`<i class=${way(total)} aria-hidden="true" .style=${`--step:${step};--for:${count[number].step - step}`}>${signed(total, told)}</i>`);
  return html`<span class="gained count">${between}<span class=${way(points)} .style=${`--step:${count[count.length - 1].step}`}>${all}</span></span>`;
}

/**
 * What stands beside the name of somebody whose hand is over.
 * @param {Score} score
 * @param {string} gained
 * @param {boolean} counting
 * @param {Told} told
 */
export function beside(score, gained, counting, told) {
  const { sequence, seat, bare } = score;
  const bonuses = bare ? [] : sequence.seats[seat].more;
  return html`${total(score, gained, counting, told)}${
    bonuses.map((bonus) => html`<span class="mark bonus ${way(bonus.points)}" .style=${at(sequence, "more")}>${bonusText(bonus, told)}</span>`)}`;
}
