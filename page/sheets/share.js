// An address that couldn't be put on the clipboard.

import { html } from "lit-html";

/** @typedef {import("../state/state.js").State} State */

/** @param {State} state */
export const title = ({ words }) => words.share_here;

/**
 * @param {State} state
 * @param {{ address: string }} sheet
 */
export const body = ({ words }, { address }) => html`<input type="text" readonly .value=${address} aria-label=${words.share_here}>`;
