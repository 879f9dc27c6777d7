// The part that judges one's rows, once it has come. Until then rows are named as the bot has last named them.

import { later } from "../later.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

const { part: rowsPart, load } = later(() => import("../judging/part.js"));
export { rowsPart };

/**
 * Load it for who places cards.
 * @param {() => State} state
 * @param {Send} send
 * @param {() => void} draw
 */
export async function loadRows(state, send, draw) {
  if (!state().view?.mine) return;
  await load((part) => {
    part.watchRows(state, send);
    draw();
  });
}
