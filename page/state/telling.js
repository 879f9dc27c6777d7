// What is told in passing, for eyes and ears; what was told is over with the next act.

import { quiet, say, tell, todo } from "./deeds.js";

/** @typedef {import("./state.js").State} State */
/** @template {{}} M @typedef {import("./state.js").Act<M>} Act */

export const toldActs = {
  /** @type {Act<{ text: string, how?: import("./state.js").Toast["how"] }>} */
  tell: (state, { text, how }) => tell(state, text, how),

  /** @type {Act<{}>} */
  tick: (state) => (state.toast.shown && !state.toast.how && state.now >= state.toast.until ? quiet(state) : state),

  /**
   * What was chosen in the menu.
   * @type {Act<{ name: string, value: boolean }>}
   */
  wish: (state, { name, value }) => todo({ ...state, wishes: { ...state.wishes, [name]: value } }, { do: "keep", name, value }),

  /** @type {Act<{ open: boolean }>} */
  menu: (state, { open }) => ({ ...state, menu: open }),

  /** @type {Act<{ text: string }>} */
  say: (state, { text }) => say(state, text),
};
