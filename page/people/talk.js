// The way to phrases in the head: eight of them and whom not to hear, or for who watches, a switch for all.

import { html, nothing } from "lit-html";
import { quietOf } from "./said.js";
import { home } from "../table/focus.js";
import { POPS } from "../table/wheel.js";
import { phrasesOf } from "./phrases.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */

const BUBBLE = "M4 3h18a3 3 0 0 1 3 3v9a3 3 0 0 1-3 3H12l-5 5v-5H4a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z";
const DASH = "M3 2l20 20";
const list = () => document.getElementById("phrases");
const isOpen = () => Boolean(list()?.matches(POPS ? ":popover-open" : ".open"));

/** @param {boolean} open */
function show(open) {
  const one = list();
  if (!one || open === isOpen()) return;
  if (POPS) one.togglePopover(open);
  else one.classList.toggle("open", open);
  if (open) one.querySelector("button")?.focus();
  else if (one.contains(document.activeElement) || document.activeElement === document.body) home()?.focus({ preventScroll: true });
}

/** @param {boolean} quiet */
const icon = (quiet) => html`<svg viewBox="0 0 26 24" aria-hidden="true"><path d=${BUBBLE}></path>${quiet ? html`<path class="dash" d=${DASH}></path>` : nothing}</svg>`;

/**
 * @param {State} state
 * @param {Send} send
 */
export function talkOf({ view, words, wishes, overlay }, send) {
  if (!view || overlay || !words.phrases) return nothing;
  const people = view.seats.filter(({ computer }) => !computer);
  const quiet = Boolean(wishes.quiet);
  const mute = (/** @type {string} */ key, /** @type {string} */ label) =>
    html`<button type="button" class="mute" data-key=${key} aria-pressed=${Boolean(wishes[key])} @click=${() => send({ type: "wish", name: key, value: !wishes[key] })}>${label}</button>`;
  if (view.watches && people.length > 1) {
    return html`<div id="talk"><button type="button" data-key="quiet" aria-pressed=${quiet} aria-label=${words.mute} title=${words.mute} @click=${() => send({ type: "wish", name: "quiet", value: !quiet })}>${icon(quiet)}</button></div>`;
  }
  if (!view.phrases) return nothing;
  const say = (/** @type {string} */ phrase) => {
    show(false);
    send({ type: "phrase", phrase });
  };
  return html`<div id="talk"><button type="button" data-key="talk" popovertarget="phrases" aria-label=${words.phrases} title=${words.phrases} @click=${() => POPS || show(!isOpen())}>${icon(quiet)}</button><div id="phrases" popover role="group" aria-label=${words.phrases} @keydown=${press}><div class="eight">${
    phrasesOf(words).map(([phrase, text], at) => html`<button type="button" data-key="phrase-${phrase}" @click=${() => say(phrase)}><kbd aria-hidden="true">${at + 1}</kbd>${text}</button>`)}</div><div class="mutes">${
    mute("quiet", words.mute)}${people.filter(({ you }) => !you).map(({ name }) => mute(quietOf(name), words.mute_player.replace("{player}", () => name)))}</div></div></div>`;
}

/**
 * Keys while the list is open: digits say something, arrows go through it, and none of them goes on to the cards.
 * @param {KeyboardEvent} event
 */
function press(event) {
  const buttons = /** @type {HTMLElement[]} */ ([...(list()?.querySelectorAll("button") ?? [])]);
  const at = buttons.findIndex((one) => one === document.activeElement);
  const arrows = { ArrowRight: 1, ArrowDown: 2, ArrowLeft: -1, ArrowUp: -2 };
  const step = arrows[/** @type {keyof typeof arrows} */ (event.key)];
  if (!isOpen() || event.key === "Tab" || event.key === "Escape" || event.ctrlKey || event.metaKey || event.altKey) return;
  event.stopPropagation();
  if (/^[1-8]$/.test(event.key) && !event.repeat) buttons[Number(event.key) - 1].click();
  else if (step) buttons[Math.max(0, Math.min(buttons.length - 1, at + step))].focus();
  else if (event.key.toUpperCase() === "P" && !event.repeat) show(false);
  else return;
  event.preventDefault();
}

/**
 * Listen for the key that opens the phrases, and in a browser without popovers for what closes them.
 * @param {() => State} state
 */
export function listen(state) {
  addEventListener("keydown", (event) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (event.key === "Escape" && !POPS) show(false);
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.key.toUpperCase() !== "P" || state().asleep) return;
    if (!list() || document.querySelector("dialog[open]") || target?.matches("select, input, textarea")) return;
    show(true);
    event.preventDefault();
  });
  if (!POPS) addEventListener("pointerdown", ({ target }) => target instanceof Node && !document.getElementById("talk")?.contains(target) && show(false));
}
