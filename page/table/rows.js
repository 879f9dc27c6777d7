// The part that judges one's rows, once it has come. Until then rows are named as the bot has last named them.

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

/** @type {typeof import("../judging/part.js") | null} */
let part = null;
let asked = false;

export const rowsPart = () => part;

/**
 * Load it for who places cards.
 * @param {() => State} state
 * @param {Send} send
 * @param {() => void} draw
 */
export async function loadRows(state, send, draw) {
  if (asked || !state().view?.mine) return;
  asked = true;
  try {
    part = await import("../judging/part.js");
    part.watchRows(state, send);
    draw();
  } catch {
    // A bot that was replaced meanwhile has other parts. The bot's own names do as well.
  }
}
