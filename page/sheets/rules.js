// The rules: a way to each chapter, then the chapters.

import { html } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { prose } from "./prose.js";

/** @typedef {import("../state/state.js").State} State */

/** @param {State} state */
export const title = ({ words }) => words.rules;

/**
 * @param {State} state
 * @param {{ chapters: readonly import("../protocol").Chapter[] }} sheet
 */
export function body(state, { chapters }) {
  const go = (/** @type {number} */ number) => () => {
    const section = document.querySelectorAll("#sheet .chapter")[number];
    section.scrollIntoView();
    section.querySelector("h3")?.focus({ preventScroll: true });
  };
  return guard([chapters, state.words], () => html`<div class="ways">${chapters.map((one, number) => html`<button type="button" @click=${go(number)}>${one.title}</button>`)}</div>${
    chapters.map((one) => html`<section class="chapter" aria-label=${one.title}><h3 tabindex="-1">${one.title}</h3>${prose(one.lines, state)}</section>`)}`);
}
