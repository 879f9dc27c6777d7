// How many watch. Who they are nobody is told.

import { html, nothing } from "lit-html";

/**
 * A reader who watches alone knows that already.
 * @param {import("../state/state.js").State} state
 */
export function viewersOf({ view, words }) {
  const viewers = view?.viewers ?? 0;
  return viewers > (view?.watches ? 1 : 0) ? html`<span id="viewers">${words.viewers.replace("{number}", String(viewers))}</span>` : nothing;
}
