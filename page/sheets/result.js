// All of a result, of which a phone shows the first lines.

import { resultOf } from "../table/result.js";

/** @typedef {import("../protocol").ResultShown} ResultShown */

/**
 * @param {import("../state/state.js").State} state
 * @param {{ result: ResultShown }} sheet
 */
export const title = (state, { result }) => result.title;

/**
 * @param {import("../state/state.js").State} state
 * @param {{ result: ResultShown }} sheet
 */
export const body = (state, { result }) => resultOf(result, state);
