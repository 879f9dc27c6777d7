// The sheet that lies over the table. What is on it comes from a part of the page that is loaded once it's needed.

import { html, nothing } from "lit-html";
import { renew } from "../later.js";
import { home } from "../table/focus.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../state/sheets.js").Sheet} Sheet */
/** @typedef {import("../main.js").Send} Send */

/**
 * @typedef {object} Part
 * @property {(state: State, sheet: any) => string} title
 * @property {(state: State) => string} [closes] the label of the button that closes it
 * @property {(state: State, sheet: any, send: Send) => unknown} body
 * @property {(dialog: HTMLElement, sheet: any, send: Send) => void} [opened] called once it can be seen
 */

/** @type {Partial<Record<Sheet["kind"], Part>>} Parts that have come. */
const loaded = {};

/** @type {Set<Sheet["kind"]>} Sheets that wait for their part. */
const waiting = new Set();

/** @param {Sheet["kind"]} kind */
async function load(kind) {
  if (kind === "record") loaded[kind] = await import("../verify/record.js");
  else if (kind === "analysis") loaded[kind] = await import("../analysis/part.js");
  else Object.assign(loaded, await import("./reading.js"));
}

/** Load all parts, while there is nothing else to do. */
export function loadAll() {
  for (const kind of /** @type {const} */ (["past", "record"])) load(kind).catch(() => {});
}

/**
 * Load what a sheet needs. A bot that was replaced meanwhile has other parts, and the page that goes with them.
 * @param {Sheet["kind"]} kind
 * @param {State} state
 * @param {Send} send
 * @param {() => void} draw
 */
async function fetchPart(kind, { words }, send, draw) {
  if (waiting.has(kind)) return;
  waiting.add(kind);
  try {
    await load(kind);
    draw();
  } catch {
    await renew();
    send({ type: "close" });
    send({ type: "tell", text: words.offline });
  }
  waiting.delete(kind);
}

/**
 * The dialog. What is said stands on the sheet that is open: behind it nobody would see or hear it.
 * @param {State} state
 * @param {Send} send
 * @param {() => void} draw
 * @param {HTMLElement} voice
 */
export function sheetOf(state, send, draw, voice) {
  const { sheet, view, words } = state;
  const part = sheet && loaded[sheet.kind];
  if (sheet && !part) void fetchPart(sheet.kind, state, send, draw);
  const close = (/** @type {Event} */ event) => {
    // Another one may lie there by the time that the browser says so.
    if (/** @type {HTMLDialogElement} */ (event.target).open) return;
    send({ type: "close" });
    if (document.activeElement === document.body) home()?.focus();
  };
  return html`<dialog id="sheet" closedby="any" class=${sheet?.kind === "past" ? "past" : ""} aria-label=${part ? part.title(state, sheet) : nothing} @close=${close}>${
    part ? html`<header><h2>${part.title(state, sheet)}</h2>${view?.yours && !view.puzzle ? html`<b>${view.status}</b>` : nothing}<button type="button" class="close" aria-label=${part.closes?.(state) ?? words.close} @click=${() => send({ type: "close" })}>×</button></header><div class="body">${part.body(state, sheet, send)}</div>${voice}` : nothing}</dialog>${part ? nothing : voice}`;
}

/** @type {unknown} The subject of the sheet that is open. */
let open = null;

/**
 * What a sheet is about: as long as it's the same, the focus stays where it is.
 * @param {Sheet} sheet
 */
const subject = (sheet) => (sheet.kind === "past" ? sheet.past : sheet.kind === "record" ? sheet.given : sheet);

/**
 * Open and close the dialog as the state says, and put the focus into it.
 * @param {HTMLDialogElement} dialog
 * @param {State} state
 * @param {Send} send
 */
export function settleSheet(dialog, { sheet }, send) {
  const part = sheet && loaded[sheet.kind];
  if (!part) {
    open = null;
    if (!sheet && dialog.open) dialog.close();
    return;
  }
  // One that the reader has just closed isn't opened again before the browser says so.
  if (open === subject(sheet)) return;
  open = subject(sheet);
  if (!dialog.open) dialog.showModal();
  part.opened?.(dialog, sheet, send);
  if (!dialog.contains(document.activeElement)) dialog.querySelector("button")?.focus();
}
