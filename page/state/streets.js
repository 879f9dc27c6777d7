// The streets of the running hand, as far as the page has seen them: which boards it was sent, one after the other.

/** @typedef {import("./state.js").State} State */
/** @typedef {import("../protocol").View} View */
/** @typedef {import("../protocol").SeatShown} SeatShown */
/** @typedef {readonly (readonly SeatShown[])[]} Boards oldest first */
/** @template {{}} M @typedef {import("./state.js").Act<M>} Act */

/** @param {SeatShown} seat */
export const cardsOn = ({ rows }) => rows.flat().length;

/**
 * The boards seen so far, with those that are seen now. A board with fewer cards belongs to another hand.
 * @param {Boards} earlier
 * @param {View | null} before
 * @param {View} seen
 * @returns {Boards}
 */
export function boardsSeen(earlier, before, seen) {
  const last = earlier[earlier.length - 1] ?? [];
  const goesOn = before?.table === seen.table && last.length === seen.seats.length && !(before.result && !seen.result)
    && last.every((seat, at) => seat.name === seen.seats[at].name && cardsOn(seat) <= cardsOn(seen.seats[at]));
  if (!goesOn) return [seen.seats];
  return String(last.map(({ rows }) => rows)) === String(seen.seats.map(({ rows }) => rows)) ? earlier : [...earlier, seen.seats];
}

/**
 * Each board as it was when it had so many cards at most; undefined for one that wasn't seen then.
 * @param {Boards} earlier
 * @param {number} most
 */
export const boardsWith = (earlier, most) => (earlier[0] ?? []).map((_, at) => earlier.map((seats) => seats[at]).filter((seat) => cardsOn(seat) <= most).pop());

/**
 * The boards as they were after the street that is looked at; null for the boards as they are.
 * @param {State} state
 */
export function boardsThen({ street, earlier, view }) {
  if (!street || !view) return null;
  const boards = boardsWith(earlier, view.streets[street - 1]);
  return boards.flatMap((seat) => (seat ? [{ ...seat, waiting: false, until: null, gained: "" }] : []));
}

export const streetActs = {
  /**
   * A street is looked at, counted from 1; 0 returns to the boards as they are.
   * @type {Act<{ street: number }>}
   */
  street: (state, { street }) => ({ ...state, street }),
};
