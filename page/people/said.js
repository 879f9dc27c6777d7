// Phrases: what a player says stands beside their name for a while. Who doesn't like to be talked to mutes one or all.

import { named } from "../state/aloud.js";
import { say } from "../state/deeds.js";
import { ask } from "../state/requests.js";
import { asks } from "../state/shown.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../protocol").PhraseSaid} PhraseSaid */
/** @template {{}} M @typedef {import("../state/state.js").Act<M>} Act */

export const BUBBLE_MS = 5_000;

/**
 * What somebody says, until it's gone.
 * @typedef {{ table: number, name: string, phrase: PhraseSaid["phrase"], until: number }} Bubble
 */

/** The wish not to hear a player; that not to hear anybody is "quiet". @param {string} name */
export const quietOf = (name) => `quiet ${name}`;

/**
 * @param {State} state
 * @param {string} name
 */
export const muted = ({ wishes }, name) => Boolean(wishes.quiet || wishes[quietOf(name)]);

export const phraseActs = {
  /** @type {Act<{ sent: PhraseSaid }>} */
  phraseHeard(state, { sent: { table, name, phrase } }) {
    const text = state.words[`phrase_${phrase}`];
    if (!text || table !== state.view?.table || muted(state, name)) return state;
    const others = state.bubbles.filter((one) => one.name !== name && one.until > state.now);
    return say({ ...state, bubbles: [...others, { table, name, phrase, until: state.now + BUBBLE_MS }] }, named(state, name, text));
  },

  /** @type {Act<{ phrase: PhraseSaid["phrase"] }>} */
  phrase: (state, { phrase }) =>
    state.view?.phrases && !asks(state, "say") ? ask(state, { type: "intent", id: "", verb: "say", table: state.view.table, turn: "", letters: "", phrase }) : state,
};
