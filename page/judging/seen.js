// The cards that have been seen: the whole deck on four lines, one key or one press away.

import { html, nothing } from "lit-html";
import { listed, named } from "../state/aloud.js";
import { filled, rankName } from "../rows/names.js";
import { SUIT_SIGNS, strip } from "../rows/left.js";
import { isJoker, rankOf } from "../rows/strength.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

/**
 * @param {State} state
 * @param {Send} send
 */
export function seenButton({ words, seen }, send) {
  return html`<button type="button" class="peek" data-key="seen" aria-label=${words.seen} title=${words.seen} aria-expanded=${seen} aria-controls=${seen ? "seen" : nothing} @click=${
    () => send({ type: "seen" })}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M2 5h4v3H2zm5.3 0h4v3h-4zm5.4 0h4v3h-4zM18 5h4v3h-4zM2 10.500h4v3H2zm5.3 0h4v3h-4zm5.4 0h4v3h-4zm5.3 0h4v3h-4zM2 16h4v3H2zm5.3 0h4v3h-4zm5.4 0h4v3h-4zM18 16h4v3h-4z"></path></svg></button>`;
}

/**
 * @param {State} state
 * @param {Send} send
 */
export function seenOf(state, send) {
  const { view, words, hands, cards, seen } = state;
  if (!seen || !view?.mine || !view.row_rules) return nothing;
  const lines = strip(view.row_rules, view).map((line) => {
    const joker = isJoker(line[0].card);
    const suit = joker ? cards[line[0].card] : hands[`suit.${line[0].card[1]}`];
    const left = line.filter((one) => one.left);
    const names = left.map((one) => (joker ? "" : rankName(rankOf(one.card)))).filter(Boolean);
    const count = left.reduce((sum, one) => sum + one.left, 0);
    const told = filled(words.seen_left, { suit, count });
    const faces = line.map((one) => html`<span class=${[one.left ? one.card[1] : "gone", one.own && "own"].filter(Boolean).join(" ")}>${
      joker ? "★" : rankName(rankOf(one.card))}${one.left && view.row_rules?.decks === 2 ? html`<sub>${one.left}</sub>` : nothing}</span>`);
    return html`<div role="img" aria-label=${names.length ? named(state, told, listed(state, names)) : told}><b aria-hidden="true">${
      joker ? "" : SUIT_SIGNS[line[0].card[1]]}</b>${faces}</div>`;
  });
  return html`<section id="seen" aria-label=${words.seen}><div class="deck-lines">${lines}</div><p aria-hidden="true">${words.seen_how}</p><button type="button" data-key="seen-close" aria-label=${words.seen_close} @click=${
    () => send({ type: "seen" })}>×</button></section>`;
}
