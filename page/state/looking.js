// What one looks at beside one's cards: what a row pays, and which cards have been seen.

/** @typedef {import("./state.js").State} State */
/** @template {{}} M @typedef {import("./state.js").Act<M>} Act */

export const lookingActs = {
  /**
   * The table of a row is shown; none with an empty row.
   * @type {Act<{ row: State["pays"] }>}
   */
  pays: (state, { row }) => ({ ...state, pays: row }),

  /** @type {Act<{}>} */
  seen: (state) => (state.view?.mine && state.view.row_rules ? { ...state, seen: !state.seen } : state),
};
