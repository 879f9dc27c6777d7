// The last hand: whoever reads its result can stay with it, and it becomes a line above the next one.

import { html, nothing } from "lit-html";
import { scoreOf } from "./sequence.js";
import { signed } from "./steps.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

/**
 * The last hand in a line above the next one, which leads back to it.
 * @param {State} state
 * @param {Send} send
 */
export function lastOf(state, send) {
  const { ended, view, words } = state;
  const hand = ended?.view.result?.hand;
  if (!ended || !hand || view?.result || state.overlay) return nothing;
  const { points, name } = scoreOf(ended);
  const text = words.last_result.replace("{hand}", String(hand)).replace("{text}", () => [name, signed(points, state)].filter(Boolean).join(" "));
  return html`<button id="last" type="button" data-key="last" aria-label=${words.look_again.replace("{text}", () => text)} @click=${() => send({ type: "lookAgain" })}>${text}</button>`;
}

/**
 * While a result is shown its reader can stay with it, and goes on once they like.
 * @param {State} state
 * @returns {import("../table/bar.js").Button[]}
 */
export function stayButtons({ view, words, ended }) {
  if (!view?.result?.duel || !ended) return [];
  if (ended.open) return [{ key: "goOn", label: words.go_on, act: { type: "goOn" }, look: "main" }];
  // Nothing takes the place of the last hand of somebody who is out of an event.
  return view.next_hand === null || (view.seatless && view.event) ? [] : [{ key: "wait", label: words.wait, act: { type: "wait" }, pressed: ended.waits }];
}
