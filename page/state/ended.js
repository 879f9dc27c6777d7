// The end of a hand: it stays until its reader goes on, and can be looked at again above the next hand.

import { say } from "./deeds.js";
import { looksBack, ofTheMenu } from "./shown.js";
import { boardsThen } from "./streets.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("../protocol").View} View */
/** @template {{}} M @typedef {import("./state.js").Act<M>} Act */

/** How long the whole sequence takes at most. */
export const SEQUENCE_MS = 5_000;

/**
 * The last hand of the table that is shown, as it ended.
 * @typedef {object} Ended
 * @property {View} view
 * @property {number} until the sequence runs until then; 0 for a result that had been there before
 * @property {boolean} waits true if the reader stays with it although the next hand begins
 * @property {boolean} open true while it is shown in the place of the next hand
 */

/**
 * @param {State} state
 * @param {View | null} before
 * @param {View} seen
 * @returns {Ended | null}
 */
export function endedBy({ ended, now }, before, seen) {
  const last = ended?.view.table === seen.table ? ended : null;
  if (!seen.result?.duel) {
    // The next hand has begun, or the last one is tried again.
    const again = seen.offers.some(({ verb }) => verb === "end_retry");
    return last && { ...last, open: !again && (last.open || last.waits), waits: false };
  }
  if (last && last.view.result?.hand === seen.result.hand) return { ...last, view: seen, open: false };
  const fresh = before?.table === seen.table && before.result?.hand !== seen.result.hand;
  return { view: seen, until: fresh ? now + SEQUENCE_MS : 0, waits: false, open: false };
}

/**
 * The state as it is shown: while the last hand or an earlier street is looked at, those boards stand where the present ones would.
 * @param {State} state
 * @returns {State}
 */
export function looked(state) {
  const { ended, view } = state;
  const then = boardsThen(state);
  if (then && view) {
    const draft = state.draft && { ...state.draft, places: state.draft.places.map(() => /** @type {const} */ (".")), order: [] };
    return { ...state, view: { ...view, seats: then }, draft, hint: null };
  }
  if (!ended || !view || !looksBack(state)) return state;
  const { seats, result, row_names } = ended.view;
  const shown = { ...view, seats: seats.map((seat) => ({ ...seat, waiting: false, until: null })), result, row_names, mine: null, offers: ofTheMenu(view), past: result?.hand ?? 0, next_hand: null };
  return { ...state, view: shown, draft: null, drafted: null, hint: null };
}

/**
 * True while the end of the hand is told step by step.
 * @param {State} state
 */
export const tells = ({ ended, now }) => Boolean(ended && ended.until > now);

/**
 * A result for who hears it: between two, what they have won row by row; between more, what each has come to.
 * @param {View} view
 */
export function linesOf({ seats, result }) {
  if (!result) return [];
  const { duel } = result;
  const fantasylands = duel?.seats.flatMap(({ told }, seat) => (told ? [`${seats[seat].name} ${told}`] : [])) ?? [];
  return [result.title, ...(duel?.seats.length === 2 ? result.pairs : result.totals), ...fantasylands];
}

export const endedActs = {
  /**
   * The result stays although the next hand begins, or doesn't stay after all.
   * @type {Act<{}>}
   */
  wait(state) {
    if (!state.ended) return state;
    const waits = !state.ended.waits;
    const after = { ...state, ended: { ...state.ended, waits } };
    return waits ? say(after, state.words.waits) : after;
  },

  /** @type {Act<{}>} */
  goOn: (state) => (state.ended ? { ...state, ended: { ...state.ended, open: false, waits: false } } : state),

  /** @type {Act<{}>} */
  lookAgain: (state) => (state.ended ? { ...state, ended: { ...state.ended, open: true, until: 0 } } : state),
};
