// Looking back at a finished hand, street by street.

import { html, nothing } from "lit-html";
import { overPart } from "../later.js";
import { named } from "../state/aloud.js";
import { prose } from "../sheets/prose.js";
import { resultOf } from "../table/result.js";
import { seatBoard } from "../table/seats.js";
import { when } from "../table/sentence.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */
/** @typedef {{ past: import("../protocol").PastShown, at: number, again: boolean }} Past */

const LARGEST = 56;
const READABLE = 30;
const SCROLLED = 0.6; // what boards are worth that have to be scrolled to
const OUTSIDE_BOARDS = 190; // how tall is what stands around the boards
const BESIDE_CARDS = 120; // how tall a board is beside its cards: names, hands, discards
const PLACE_BUTTON = 46;

/**
 * As many columns as make the cards of the boards largest, and how large they are.
 * @param {number} count
 * @param {boolean} places true where a board has a button below it
 */
function layOut(count, places) {
  const rest = BESIDE_CARDS + (places ? PLACE_BUTTON : 0);
  const tries = Array.from({ length: Math.min(count, 4) }, (_, at) => {
    const wide = (Math.min(900, innerWidth - 16) - 28) / (at + 1) / 5.7 - 4;
    const tall = ((innerHeight - OUTSIDE_BOARDS) / Math.ceil(count / (at + 1)) - rest) / 4.08;
    // Where all of them are too tall for the screen, the sheet is scrolled.
    const size = Math.min(LARGEST, Math.max(Math.min(wide, tall), Math.min(wide, READABLE)));
    return { columns: at + 1, size, worth: size * (tall < size ? SCROLLED : 1) };
  });
  const { columns, size } = tries.reduce((one, other) => (other.worth >= one.worth ? other : one));
  return `--columns:${columns};--oth:${size}px`;
}

/**
 * @param {State} state
 * @param {Past} sheet
 */
export const title = (state, { past }) => past.title;

/**
 * @param {State} state
 * @param {Past} sheet
 * @param {Send} send
 */
export function body(state, { past, at, again }, send) {
  const { words } = state;
  // A shared hand can come before the page's words.
  if (!words.named) return nothing;
  const { table, hand } = past;
  const last = past.steps.length - 1;
  const step = past.steps[at];
  const scores = (at === last && overPart()?.scoresOf(past.result, state)) || [];
  const go = (/** @type {number} */ to) => send({ type: "go", to });
  const retry = (/** @type {number} */ from, letters = "") => send({ type: "retry", table, hand, from, letters });
  const jump = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {number} */ to, /** @type {boolean} */ off) =>
    html`<button type="button" aria-label=${label} ?disabled=${off} @click=${() => go(to)}>${sign}</button>`;
  const way = (/** @type {string} */ label, /** @type {() => void} */ act) => html`<button type="button" @click=${act}>${label}</button>`;
  const read = (/** @type {import("../protocol").Read["what"]} */ what) => () => send({ type: "read", what, hand, table });

  /**
   * The master's placement beside one's own, and the way to place it.
   * @param {import("../protocol").Better} better
   */
  const boardOf = (better) => seatBoard({ ...better.seat, name: words.master_board }, past.row_names, state, {
    kind: " better",
    below: again ? html`<button type="button" class="place" @click=${() => retry(better.start, better.letters)}>${words.place_these}</button>` : nothing,
  });
  /** What the review says of the whole hand, and behind a heading what its numbers mean. */
  const overview = () => html`${prose(past.told, state)}${
    past.meanings.length ? html`<details class="meanings"><summary>${words.meanings}</summary>${prose(past.meanings, state)}</details>` : nothing}${resultOf(past.result, state, { score: scores[0], seats: step.seats, rowNames: past.row_names })}`;
  const [own, ...others] = step.seats.map((seat, number) => seatBoard(seat, past.row_names, state, { score: scores[number], seats: step.seats }));
  const boards = [own, ...(step.better ? [boardOf(step.better)] : []), ...others];
  const place = named(state, words.step.replace("{number}", String(at + 1)).replace("{total}", String(last + 1)), step.title);
  const slide = (/** @type {Event} */ event) => go(Number(/** @type {HTMLInputElement} */ (event.target).value));
  return html`<p class="step" aria-live="polite">${step.title}</p>${
    when(last, () => html`<div class="scrub">${jump("«", words.first_step, 0, at === 0)}${jump("‹", words.step_back, at - 1, at === 0)}<input type="range" min="0" max=${last} step="1" id="scrubber" aria-label=${words.replay} aria-valuetext=${place} .value=${String(at)} @input=${slide}>${
      jump("›", words.step_on, at + 1, at === last)}${jump("»", words.last_step, last, at === last)}</div>`)}<div class="boards" .style=${layOut(boards.length, Boolean(step.better && again))}>${boards}</div><div class="below">${
    prose(step.value, state)}${at === last ? overview() : nothing}</div><div class="ways">${
    past.played && !past.told.length ? way(words.review, read("review")) : nothing}${
    again ? way(words.retry, () => retry(Math.min(at, Math.max(0, last - 1)))) : nothing}${
    way(words.history_file, read("file"))}${way(words.share, read("link"))}${past.provable ? way(words.record, read("record")) : nothing}</div>`;
}

export function opened() {
  document.getElementById("scrubber")?.focus();
}
