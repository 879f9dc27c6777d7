// The menu behind the wheel: ways to sheets, and what somebody can choose on this page.

import { html, nothing } from "lit-html";
import { ofTheMenu } from "../state/shown.js";
import { when } from "./sentence.js";
import { POPS } from "./wheel.js";
import { wish } from "./wishes.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

/**
 * Close it, with the focus on the wheel.
 * @param {Send} send
 */
export function closeMenu(send) {
  const menu = document.getElementById("menu");
  /** @type {HTMLElement | null | undefined} */ (menu?.previousElementSibling)?.focus();
  if (POPS) menu?.hidePopover();
  else send({ type: "menu", open: false });
}

/**
 * @param {State} state
 * @param {Send} send
 */
export function insideMenu(state, send) {
  const { words, view } = state;
  const way = (/** @type {string} */ key, /** @type {string} */ label, /** @type {Parameters<Send>[0]} */ message) => html`<button type="button" data-key=${key} @click=${() => {
    closeMenu(send);
    send(message);
  }}>${label}</button>`;
  const choice = (/** @type {string} */ name, /** @type {string} */ label) => html`<label><input type="checkbox" id="wish-${name}" data-key="wish-${name}" .checked=${wish(state, name)} @change=${
    (/** @type {Event} */ event) => send({ type: "wish", name, value: /** @type {HTMLInputElement} */ (event.target).checked })}>${label}</label>`;
  return html`<div class="ways">${
    when(view?.table || view?.puzzle && view.mine, () => way("rules", words.rules, { type: "read", what: "rules", hand: 0 }))}${
    when(!view?.result && view?.past, (hand) => way("replay", words.replay, { type: "read", what: "past", hand }))}${
    when(view?.analyses, () => way("analyse", words.analyse, { type: "analyse" }))}${
    way("verify", words.verify, { type: "verify" })}${
    when(view?.table, () => way("stream", words.stream, { type: "want", verb: "stream", turn: "" }))}${
    view ? ofTheMenu(view).map((offer) => way(/watch/.test(offer.verb) ? "watched" : offer.verb, offer.label, { type: "offer", offer })) : nothing}</div>${
    choice("colours", words.colours)}${choice("dark", words.dark)}${choice("large", words.large)}${choice("sound", words.sound)}${
    "vibrate" in navigator ? choice("vibration", words.vibration) : nothing}<p class="keys">${words.keys}</p>`;
}
