// The menu behind the wheel: ways to sheets, and what somebody can choose on this page.

import { html, nothing } from "lit-html";
import { ofTheMenu } from "../state/shown.js";
import { when } from "./sentence.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

/** Browsers without popovers show and hide the menu by the state. */
export const POPS = "popover" in HTMLElement.prototype;
const WHEEL = "M19.4 13a7.5 7.5 0 0 0 0-2l2-1.6-2-3.4-2.4 1a7.5 7.5 0 0 0-1.7-1L15 3.5h-4l-.4 2.5a7.5 7.5 0 0 0-1.7 1l-2.4-1-2 3.4 2 1.6a7.5 7.5 0 0 0 0 2l-2 1.6 2 3.4 2.4-1a7.5 7.5 0 0 0 1.7 1l.4 2.5h4l.4-2.5a7.5 7.5 0 0 0 1.7-1l2.4 1 2-3.4zM13 15.5a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7z";
export const night = matchMedia("(prefers-color-scheme: dark)");

/**
 * @param {State} state
 * @param {string} name
 */
export function wish({ wishes, view }, name) {
  return wishes[name] ?? (name === "colours" ? view?.colours !== "two" : name === "dark" ? night.matches : false);
}

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
export function menuOf(state, send) {
  const { words, view } = state;
  const way = (/** @type {string} */ key, /** @type {string} */ label, /** @type {Parameters<Send>[0]} */ message) => html`<button type="button" data-key=${key} @click=${() => {
    closeMenu(send);
    send(message);
  }}>${label}</button>`;
  const choice = (/** @type {string} */ name, /** @type {string} */ label) => html`<label><input type="checkbox" id="wish-${name}" data-key="wish-${name}" .checked=${wish(state, name)} @change=${
    (/** @type {Event} */ event) => send({ type: "wish", name, value: /** @type {HTMLInputElement} */ (event.target).checked })}>${label}</label>`;
  const inside = () => html`<div class="ways">${
    when(view?.table, () => way("rules", words.rules, { type: "read", what: "rules", hand: 0 }))}${
    when(!view?.result && view?.past, (hand) => way("replay", words.replay, { type: "read", what: "past", hand }))}${
    way("verify", words.verify, { type: "verify" })}${
    when(view?.table, () => way("stream", words.stream, { type: "want", verb: "stream", turn: "" }))}${
    view ? ofTheMenu(view).map((offer) => way(/watch/.test(offer.verb) ? "watched" : offer.verb, offer.label, { type: "offer", offer })) : nothing}</div>${
    choice("colours", words.colours)}${choice("dark", words.dark)}${choice("large", words.large)}${choice("sound", words.sound)}${
    "vibrate" in navigator ? choice("vibration", words.vibration) : nothing}<p>${words.keys}</p>`;
  return html`<div id="settings"><button type="button" data-key="settings" popovertarget="menu" aria-label=${words.settings ?? nothing} aria-expanded=${POPS ? nothing : state.menu} @click=${
    () => POPS || send({ type: "menu", open: !state.menu })}><svg viewBox="0 0 26 24" aria-hidden="true"><path d=${WHEEL}></path></svg></button><div id="menu" popover ?hidden=${!POPS && !state.menu}>${
    when(words.settings, inside)}</div></div>`;
}
