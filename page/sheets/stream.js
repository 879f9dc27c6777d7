// The address for streaming software: it is copied, exchanged or turned off here.

import { html } from "lit-html";
import { door } from "../connection/door.js";
import { when } from "../table/sentence.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */
/** @typedef {{ address: string, said: string }} Stream */

/** @param {State} state */
export const title = ({ words }) => words.stream;

/**
 * @param {State} state
 * @param {Stream} stream
 * @param {Send} send
 */
export function body({ words }, { address, said }, send) {
  const way = (/** @type {string} */ key, /** @type {string} */ label, /** @type {() => void} */ act) => html`<button type="button" data-key=${key} @click=${act}>${label}</button>`;
  const copy = async () => {
    field()?.select();
    try {
      await navigator.clipboard.writeText(address);
      send({ type: "tell", text: words.copied });
    } catch {
      // It is selected: the keyboard copies it.
    }
  };
  return html`<p>${words.stream_how}</p><p>${words.stream_lasts}</p>${when(said, (text) => html`<p class="said" role="status">${text}</p>`)}<input type="text" readonly id="stream-address" .value=${address} aria-label=${words.stream_address}><div class="ways">${
    way("copy", words.copy, copy)}${way("open-stream", words.stream_open, () => door.away(address))}${
    way("stream-renew", words.stream_renew, () => send({ type: "want", verb: "stream_renew", turn: "" }))}${
    way("stream-end", words.stream_end, () => send({ type: "want", verb: "stream_end", turn: "" }))}</div>`;
}

const field = () => /** @type {HTMLInputElement | null} */ (document.getElementById("stream-address"));

export function opened() {
  field()?.focus();
  field()?.select();
}
