// A hint: suggestions below one's own cards, which are shown on the board and placed there.

import { html } from "lit-html";
import { named } from "../state/aloud.js";
import { suggested, suggestedWithFacts } from "../state/shown.js";
import { sentence } from "./sentence.js";

/**
 * @param {import("../state/state.js").State} state
 * @param {import("../protocol").Hinted} hint
 * @param {import("../main.js").Send} send
 */
export function hintOf(state, hint, send) {
  const { words, suggestion } = state;
  const ways = hint.placements.map(({ letters }, number) => {
    // A suggestion is shown while it is pointed at or has the focus.
    const look = () => {
      if (number !== suggestion) send({ type: "suggest", number });
    };
    const point = (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && look();
    const place = () => {
      look();
      send({ type: "placeAll", letters });
    };
    return html`<div class="suggested${number === suggestion ? " shown" : ""}" @focusin=${look} @pointerover=${point}><button type="button" data-key="suggested-${number}" aria-pressed=${number === suggestion} aria-label=${suggestedWithFacts(state, hint, number)} @click=${look}>${number + 1}</button><button type="button" data-place data-key="place-${number}" aria-label=${named(state, words.place_these, suggested(state, hint, number))} @click=${place}>${words.place_these}</button></div>`;
  });
  // All of them have their room, so that nothing moves when another one is looked at.
  const facts = hint.placements.map((one, number) => html`<p class=${number === suggestion ? "" : "away"}>${one.facts.split("\n").map((fact) => html`<span>${sentence(fact, state)}</span>`)}</p>`);
  return html`<section id="hint" aria-label=${words.hint}><div class="suggestions">${ways}</div><div class="facts" aria-hidden="true">${facts}</div><p class="small">${sentence(hint.note, state)}</p></section>`;
}
