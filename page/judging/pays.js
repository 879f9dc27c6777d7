// What a row pays, beside it: shown while the mouse rests on it, while it has the keyboard, or once it was held.

import { html, nothing } from "lit-html";
import { ROWS } from "../state/draft.js";
import { when } from "../table/sentence.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("./judged.js").JudgedRow} JudgedRow */
/** @typedef {import("../main.js").Send} Send */

const REST_MS = 500;
const FAR = 8;
const EDGE = 4;

/**
 * The tables in words, for who comes to a row with a screen reader.
 * @param {readonly JudgedRow[]} rows
 */
export function paysDescribed(rows) {
  return rows.map(({ described }, at) => html`<p id="pays-${ROWS[at]}" hidden>${described}</p>`);
}

/**
 * The table of a row that is rested on.
 * @param {State} state
 * @param {readonly JudgedRow[]} rows
 */
export function paysOf(state, rows) {
  const { words, view, pays: row } = state;
  if (!row) return nothing;
  const at = ROWS.indexOf(row);
  const { royalties, wins, notes } = rows[at].pays;
  const list = (/** @type {string} */ title, /** @type {import("../rows/pays.js").PayTable["royalties"]} */ hands) =>
    when(hands.length, () => html`<p>${title}</p><ul>${hands.map(({ name, points, now }) => html`<li class=${now ? "now" : nothing}><span>${name}</span> <b>${points}</b></li>`)}</ul>`);
  const empty = !royalties.length && !wins.length && !notes.length;
  return html`<div id="pays" aria-hidden="true"><h2>${view?.row_names[at]}</h2>${list(words.pays_royalties, royalties)}${list(words.pays_wins, wins)}${
    notes.map((note) => html`<p>${note}</p>`)}${empty ? html`<p>${words.pays_nothing}</p>` : nothing}</div>`;
}

/** Put the table beside its row, or above it where there's no room, and within the screen. */
export function placePays(/** @type {State} */ { pays: row }) {
  const table = document.getElementById("pays");
  const beside = row && document.querySelector(`#own [data-row="${row}"]`);
  if (!table || !beside) return;
  const [box, { width, height }] = [beside.getBoundingClientRect(), table.getBoundingClientRect()];
  const right = box.right + width + EDGE <= innerWidth;
  const within = (/** @type {number} */ at, /** @type {number} */ most) => Math.max(EDGE, Math.min(at, most - EDGE));
  table.style.left = `${right ? box.right : within(box.left + (box.width - width) / 2, innerWidth - width)}px`;
  table.style.top = `${within(right ? box.top : box.top >= height + EDGE ? box.top - height : box.bottom, innerHeight - height)}px`;
}

/**
 * Watch for rows that are rested on.
 * @param {() => State} state
 * @param {Send} send
 */
export function watchRows(state, send) {
  let waits = 0;
  /** @type {Element | null} The row that the mouse is on, which shows its table once. */
  let on = null;
  /** @type {{ x: number, y: number } | null} Where a finger holds a row. */
  let finger = null;
  let held = false;
  let covers = false; // the table lay over what is pressed

  const rowAt = (/** @type {EventTarget | null} */ target) => {
    const row = target instanceof Element ? target.closest("#own [data-row]") : null;
    return row instanceof HTMLElement ? row : null;
  };
  const show = (/** @type {string} */ row) => {
    clearTimeout(waits);
    if (state().pays !== row) send({ type: "pays", row });
  };
  const later = (/** @type {HTMLElement} */ row, /** @type {() => void} */ then = () => {}) => {
    clearTimeout(waits);
    waits = setTimeout(() => {
      show(row.dataset.row ?? "");
      then();
    }, REST_MS);
  };

  addEventListener("pointerover", ({ pointerType, target, buttons }) => {
    if (pointerType !== "mouse" || (target instanceof Element && target.closest("#pays"))) return;
    const row = rowAt(target);
    if (row === on) return;
    on = row;
    show("");
    if (row && !buttons) later(row);
  });
  addEventListener("pointerdown", ({ pointerType, target, clientX: x, clientY: y }) => {
    covers = target instanceof Element && target.closest("#pays") !== null;
    show("");
    held = false;
    const row = rowAt(target);
    if (pointerType === "mouse" || !row || /** @type {Element} */ (target).closest("[data-card], .peek")) return;
    finger = { x, y };
    later(row, () => { held = true; });
  });
  addEventListener("pointermove", ({ clientX, clientY }) => {
    if (!finger || Math.hypot(clientX - finger.x, clientY - finger.y) < FAR) return;
    finger = null;
    clearTimeout(waits);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => {
      if (finger) clearTimeout(waits);
      finger = null;
    });
  }
  // The press goes to what the table has covered. Browsers differ in whether they give it there by themselves.
  addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!covers) return;
    covers = false;
    const below = document.elementFromPoint(clientX, clientY)?.closest("button, select, a, [data-row]");
    if (!(below instanceof HTMLElement)) return;
    let pressed = false;
    const seen = () => { pressed = true; };
    below.addEventListener("click", seen);
    setTimeout(() => {
      below.removeEventListener("click", seen);
      if (!pressed) below.click();
    });
  });
  // A row that was held isn't tapped, and shows no menu of the browser's.
  addEventListener("click", (event) => {
    if (!held) return;
    held = false;
    event.stopPropagation();
    event.preventDefault();
  }, { capture: true });
  addEventListener("contextmenu", (event) => (held || finger) && event.preventDefault());
  addEventListener("focusin", ({ target }) => {
    // The focus may move while the page is being drawn.
    if (target instanceof Element && target.matches("#own [data-row] .line button:focus-visible")) queueMicrotask(() => show(rowAt(target)?.dataset.row ?? ""));
  });
  addEventListener("focusout", ({ target }) => rowAt(target) && queueMicrotask(() => rowAt(document.activeElement) || show("")));
}
