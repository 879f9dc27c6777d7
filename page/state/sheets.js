// What lies over the table for a while: the rules, a finished hand, a record that is checked. One at a time.

import { looked } from "./ended.js";

/** @typedef {import("./state.js").State} State */
/** @template {{}} M @typedef {import("./state.js").Act<M>} Act */

/**
 * The check of a record, and what it has found.
 * @typedef {{ mark: unknown, found: any }} Check
 *
 * @typedef {(
 *   | { kind: "rules", table: number, chapters: readonly import("../protocol").Chapter[] }
 *   | { kind: "result", table: number, result: import("../protocol").ResultShown }
 *   | { kind: "past", past: import("../protocol").PastShown, at: number, again: boolean }
 *   | { kind: "share", address: string }
 *   | { kind: "terms", table: number, offer: import("../protocol").Offered }
 *   | { kind: "stream", address: string, said: string }
 *   | { kind: "puzzles", choices: import("../protocol").PuzzleChoices }
 *   | { kind: "analysis", given: string, deeper: boolean }
 *   | { kind: "record", given: string, checks: Readonly<Record<string, Check>> }
 * )} Sheet
 */

/**
 * The sheet, as long as its subject is still there.
 * @param {Sheet | null} sheet
 * @param {import("../protocol").View} seen
 */
export function lasting(sheet, seen) {
  if (sheet?.kind === "rules") return seen.table === sheet.table ? sheet : null;
  // A table that has become full or has closed says so to who presses.
  if (sheet?.kind === "terms") return seen.table === sheet.table && seen.seatless ? sheet : null;
  if (sheet?.kind === "result") return seen.table === sheet.table && (!seen.result || seen.result.title === sheet.result.title) ? sheet : null;
  return sheet;
}

/**
 * @param {import("../protocol").PastShown} past
 * @param {number} start
 * @returns {Sheet}
 */
export function pastSheet(past, start) {
  const whole = past.steps[past.steps.length - 1].seats[0].rows.flat().length === 13;
  return { kind: "past", past, at: start, again: past.played && whole };
}

/**
 * @param {string} [given] a record that is checked at once
 * @returns {Sheet}
 */
export function recordSheet(given = "") {
  return { kind: "record", given, checks: {} };
}

export const sheetActs = {
  /** @type {Act<{}>} */
  close: (state) => ({ ...state, sheet: null }),

  /** @type {Act<{}>} */
  showResult(state) {
    const { view } = looked(state);
    return view?.result ? { ...state, sheet: { kind: "result", table: view.table, result: view.result } } : state;
  },

  /** @type {Act<{}>} */
  verify: (state) => ({ ...state, sheet: recordSheet() }),

  /** @type {Act<{ given?: string, deeper?: boolean }>} */
  analyse: (state, { given = "", deeper = false }) => ({ ...state, sheet: { kind: "analysis", given, deeper } }),

  /** @type {Act<{ address: string }>} */
  share: (state, { address }) => ({ ...state, sheet: { kind: "share", address } }),

  /**
   * A replay goes to this step.
   * @type {Act<{ to: number }>}
   */
  go(state, { to }) {
    if (state.sheet?.kind !== "past") return state;
    const at = Math.max(0, Math.min(state.sheet.past.steps.length - 1, to));
    return { ...state, sheet: { ...state.sheet, at } };
  },

  /**
   * A record is checked, or has been changed: what was found before is of another one.
   * @type {Act<{ place: string, mark: unknown }>}
   */
  check(state, { place, mark }) {
    if (state.sheet?.kind !== "record") return state;
    // What an event has to say is about the hand above it.
    const others = place === "record" ? {} : state.sheet.checks;
    return { ...state, sheet: { ...state.sheet, checks: { ...others, [place]: { mark, found: null } } } };
  },

  /** @type {Act<{ place: string, mark: unknown, found: any }>} */
  checked(state, { place, mark, found }) {
    if (state.sheet?.kind !== "record" || state.sheet.checks[place]?.mark !== mark) return state;
    return { ...state, sheet: { ...state.sheet, checks: { ...state.sheet.checks, [place]: { mark, found } } } };
  },
};
