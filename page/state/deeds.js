// What acts share: things to do, things to say.

/** @typedef {import("./state.js").State} State */

const TOLD_MS = 6_000;

/**
 * @param {State} state
 * @param {...import("./state.js").Deed} deeds
 * @returns {State}
 */
export function todo(state, ...deeds) {
  return { ...state, todo: [...state.todo, ...deeds] };
}

/**
 * @param {State} state
 * @param {string} text
 */
export function say(state, text) {
  return todo(state, { do: "say", text });
}

/**
 * @param {State} state
 * @param {string} text
 * @param {import("./state.js").Toast["how"]} [how]
 */
export function tell(state, text, how = "") {
  return say({ ...state, toast: { text, how, shown: Boolean(text), until: state.now + TOLD_MS } }, text);
}

/**
 * Take away what was told for a moment.
 * @param {State} state
 * @returns {State}
 */
export function quiet(state) {
  return state.toast.how ? state : { ...state, toast: { ...state.toast, shown: false } };
}
