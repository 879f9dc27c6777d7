// Fantasyland has a moment of its own: it stands over the table for a breath, and covers nothing that can be pressed.

import { html, nothing } from "lit-html";
import { tells } from "../state/ended.js";
import { sequenceOf } from "./sequence.js";
import { at } from "./steps.js";

/** @param {import("../state/state.js").State} state */
export function moment(state) {
  const { view } = state;
  const duel = view?.result?.duel;
  if (!view || !duel || !tells(state)) return nothing;
  const lines = duel.seats.flatMap(({ told }, seat) => (told ? [html`<p><b>${view.seats[seat].name}</b><span>${told}</span></p>`] : []));
  return lines.length ? html`<div id="moment" aria-hidden="true" .style=${at(sequenceOf(duel), "fantasyland")}>${lines}</div>` : nothing;
}
