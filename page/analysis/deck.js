// The deck: a tap puts a card where cards go now, or takes it back. Arrow keys go from card to card.

import { html, nothing } from "lit-html";
import { deckLines } from "../rows/left.js";
import { filled } from "../rows/names.js";
import { isJoker } from "../rows/strength.js";
import { face, faceClass, rankOf } from "../table/cards.js";
import { sentence } from "../table/sentence.js";
import { BLANK, gameOf, pileName, placesOf } from "./position.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

/** @type {Record<string, readonly [number, number]>} */
const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

/**
 * @param {State} state
 * @param {Record<string, string>} labels
 * @param {Send} send
 */
export function deckOf(state, labels, send) {
  const analysis = state.analysis ?? BLANK;
  const { boards, into, at, note } = analysis;
  const { decks = 1, jokers = 0 } = gameOf(analysis) ?? {};
  const rows = deckLines(jokers);
  const reached = rows.flat().includes(at) ? at : "As";
  const step = (/** @type {KeyboardEvent} */ event) => {
    const [down, right] = STEPS[event.key] ?? [0, 0];
    const row = rows.findIndex((codes) => codes.includes(reached));
    if (!down && !right) return;
    event.preventDefault();
    const next = rows[(row + down + rows.length) % rows.length];
    const place = rows[row].indexOf(reached) + right;
    const code = next[right ? (place + next.length) % next.length : Math.min(place, next.length - 1)];
    /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="deck-${code}"]`))?.focus();
  };
  const cardOf = (/** @type {string} */ code) => {
    const places = placesOf(boards, code);
    const copies = code[0] === "X" ? 1 : decks;
    const [last] = places.slice(-1);
    const heard = last ? filled(labels.used, { card: state.cards[code], place: pileName(analysis, last) }) : state.cards[code];
    return html`<button type="button" class=${faceClass(code, places.length >= copies ? "used" : places.length ? "once" : "")} data-rank=${rankOf(code)} data-key="deck-${code}" tabindex=${code === reached ? 0 : -1} aria-pressed=${
      places.length > 0} aria-label=${heard} @focus=${() => code !== reached && send({ type: "reach", code })} @click=${() => send({ type: "pick", code })}>${face(code)}</button>`;
  };
  const place = filled(labels.deck_into, { place: pileName(analysis, into) });
  return html`<p class="goes">${sentence(note || place, state)}</p><div class="deck52" role="group" aria-label="${labels.deck}. ${place}" @keydown=${step}>${
    rows.map((codes) => html`<div class=${isJoker(codes[0]) ? "jokers" : nothing}>${codes.map(cardOf)}</div>`)}</div>`;
}
