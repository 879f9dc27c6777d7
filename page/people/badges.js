// Badges of a player: Fantasyland with its cards, and sitting out.

import { html, nothing } from "lit-html";

/**
 * @param {import("../protocol").SeatShown} seat
 * @param {import("../state/aloud.js").Told} told
 */
export function badgesOf({ fantasyland, away }, { words }) {
  const heard = words.in_fantasyland.replace("{cards}", String(fantasyland));
  return html`${fantasyland ? html`<span class="badge rainbow" role="img" aria-label=${heard} title=${heard}>🌈 ${fantasyland}</span>` : nothing}${
    away ? html`<span class="badge"><span aria-hidden="true">💤 </span>${words.away}</span>` : nothing}`;
}
