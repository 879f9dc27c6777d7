// What is asked of the bot: each request stays until it is answered, and is sent again after a lost connection.

import { quiet, say, todo } from "./deeds.js";
import { lettersOf } from "./draft.js";
import { asks, hintNow } from "./shown.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Request} Request */
/** @typedef {import("../protocol").Intent["verb"]} Verb */
/** @typedef {import("../protocol").Read["what"]} What */
/** @template {{}} M @typedef {import("./state.js").Act<M>} Act */

/**
 * @param {State} state
 * @param {Request} message
 * @param {number} [start]
 */
export function ask(state, message, start = 0) {
  const named = { ...message, id: state.chance };
  return todo({ ...state, requests: [...state.requests, { message: named, start }] }, { do: "send", message: named });
}

/**
 * @param {State} state
 * @param {Verb} verb
 * @param {string} [turn] what was seen where it was pressed
 * @returns {State}
 */
export function want(state, verb, turn = state.turn) {
  const { view, draft } = state;
  if (!view || asks(state, verb)) return state;
  // A try may come to the very cards for which there was a hint.
  const hint = verb === "retry" || verb === "end_retry" ? null : state.hint;
  return ask(quiet({ ...state, hint }), { type: "intent", id: "", verb, table: view.table, turn, letters: draft ? lettersOf(draft) : "" });
}

/**
 * @param {State} state
 * @param {What} what
 * @param {number} hand
 * @param {number} [table]
 * @returns {State}
 */
export function read(state, what, hand, table = state.view?.table ?? 0) {
  if (asks(state, what)) return state;
  const start = what === "review" && state.sheet?.kind === "past" ? state.sheet.at : 0;
  return ask(state, { type: "read", id: "", what, table, hand }, start);
}

/**
 * Ask for the table that was chosen. A bot that offers no others doesn't know that they can be asked for.
 * @param {State} state
 */
export function look(state) {
  const { table, all, view } = state;
  return todo(state, { do: "send", message: all && view?.others ? { type: "look", table, beside: true } : { type: "look", table } });
}

export const requestActs = {
  /** @type {Act<{ verb: Verb, turn?: string }>} */
  want: (state, { verb, turn }) => want(state, verb, turn),

  /** @type {Act<{ what: What, hand: number, table?: number }>} */
  read: (state, { what, hand, table }) => read(state, what, hand, table),

  /**
   * An offer below the board was pressed. Some ask first whether one is sure.
   * @type {Act<{ offer: import("../protocol").Offered }>}
   */
  offer(state, { offer }) {
    const { verb } = offer;
    if (verb === "hint" && hintNow(state)) return { ...state, hint: null };
    if (verb === "join") return { ...state, sheet: { kind: "terms", table: state.view?.table ?? 0, offer } };
    if (offer.sure && state.sure !== verb) return say({ ...state, sure: verb }, offer.text);
    if (verb === "invite") return read(state, "invite", 0);
    if (verb === "puzzle_choose") return read(state, "puzzles", 0);
    return want(state, verb, offer.turn);
  },

  /**
   * Another table is looked at; it is asked for once more if the connection is lost before the answer. ``all`` shows the
   * other tables too, or no longer.
   * @type {Act<{ table: number, all?: boolean }>}
   */
  look: (state, { table, all = state.all }) => look({ ...state, table, all }),

  /**
   * A finished hand is tried again, from a street on.
   * @type {Act<{ table: number, hand: number, from: number, letters?: string }>}
   */
  retry: (state, { table, hand, from, letters = "" }) =>
    ask({ ...state, sheet: null, begins: letters, hint: null }, { type: "intent", id: "", verb: "retry", table, turn: `${hand}.${from}`, letters: "" }),
};
