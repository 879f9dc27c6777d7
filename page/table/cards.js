// Card faces, drawn: no picture is fetched, and each size is sharp.

import { html, nothing } from "lit-html";

/**
 * The class of a card.
 * @param {string} code
 * @param {string} [kind]
 */
export function faceClass(code, kind = "") {
  const look = code === "?" ? "down" : code[0] === "X" ? "x" : code[1];
  return `card ${look}${kind && ` ${kind}`}`;
}

/**
 * What stands on it. The style draws it: who hears the card has its name, and shall not hear its rank as well.
 * @param {string} code
 */
export function rankOf(code) {
  if (code === "?" || code[0] === "X") return nothing;
  return code[0] === "T" ? "10" : code[0];
}

/**
 * The face of a card: rank above, suit below; "?" lies face down.
 * @param {string} code
 */
export function face(code) {
  if (code === "?") return nothing;
  if (code[0] === "X") return html`<svg viewBox="0 0 60 82" aria-hidden="true"><use href="#joker" x="8" y="18" width="44" height="44"></use></svg>`;
  return html`<svg viewBox="0 0 60 82" aria-hidden="true"><use href="#suit-${code[1]}" x="21" y="42" width="36" height="36"></use></svg>`;
}

/**
 * A card that can only be looked at.
 * @param {string} code
 * @param {string} called
 * @param {string} [kind]
 */
export function card(code, called, kind) {
  return html`<span class=${faceClass(code, kind)} data-rank=${rankOf(code)} role="img" aria-label=${called}>${face(code)}</span>`;
}
