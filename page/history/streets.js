// Who has placed what on each street of the running hand, newest first.

import { boardsWith, cardsOn } from "../state/streets.js";

/** @typedef {import("../protocol").SeatShown} SeatShown */
/** @typedef {{ name: string, rows: string[][] }} Placed the cards that somebody has placed, row by row */

/**
 * @typedef {object} Street
 * @property {number} number counted from 1
 * @property {boolean} whole true where the streets before it weren't seen, so that their cards are among these
 * @property {readonly Placed[]} placed
 */

/**
 * The cards of a row that another doesn't have.
 * @param {readonly string[]} row
 * @param {readonly string[]} other
 */
function added(row, other) {
  const left = [...other];
  return row.filter((code) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * @param {SeatShown} after
 * @param {SeatShown | undefined} before
 * @returns {Placed}
 */
const placedBy = (after, before) => ({ name: after.name, rows: after.rows.map((row, number) => added(row, before?.rows[number] ?? [])) });

/**
 * The streets that can be looked at: those after which the page has seen every board.
 * @param {Pick<import("../state/state.js").State, "earlier" | "view">} state
 * @returns {Street[]}
 */
export function streetsOf({ earlier, view }) {
  return (view?.streets ?? []).flatMap((most, at, all) => {
    const boards = boardsWith(earlier, most);
    const least = all[at - 1] ?? 0;
    if (!boards.every(Boolean)) return [];
    const earliest = at ? boardsWith(earlier, least) : [];
    const whole = !earliest.every(Boolean);
    const before = whole ? [] : earliest;
    const placed = boards.flatMap((seat, number) => (seat && cardsOn(seat) > (before[number] ? cardsOn(before[number]) : 0) ? [placedBy(seat, before[number])] : []));
    return placed.length ? [{ number: at + 1, whole, placed }] : [];
  }).reverse();
}
