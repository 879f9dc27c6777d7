// The page as the state has it.

import { html, nothing, render } from "lit-html";
import { audiencePart, historyPart, overPart } from "./later.js";
import { callText, callsOf } from "./state/calls.js";
import { looked, tells } from "./state/ended.js";
import { settleSheet, sheetOf } from "./sheets/sheet.js";
import { dips } from "./table/arc.js";
import { barOf } from "./table/bar.js";
import { keepFocus } from "./table/focus.js";
import { callOf, headOf } from "./table/head.js";
import { icon } from "./table/icon.js";
import { ownOf } from "./table/own.js";
import { hasHistory, isRoomy } from "./table/roomy.js";
import { rowsPart } from "./table/rows.js";
import { seatBoard } from "./table/seats.js";
import { sentence, when } from "./table/sentence.js";
import { wish } from "./table/wishes.js";

/** @typedef {import("./state/state.js").State} State */
/** @typedef {import("./main.js").Send} Send */

/** Where things are told, on the page or on the sheet. */
const voice = document.createElement("div");

/**
 * What is pressed with the mouse doesn't take the focus: behind a press on Undo, Enter still confirms.
 * @param {Event} event
 */
const keepKeys = (event) => {
  if (event.target instanceof Element && event.target.closest("button, [data-row]")) event.preventDefault();
};

/**
 * @param {State} state
 * @param {Send} send
 * @param {() => void} draw
 */
function pageOf(state, send, draw) {
  const { view, words } = state;
  const seats = view?.seats ?? [];
  const over = overPart();
  const audience = audiencePart();
  const counting = tells(state);
  const scores = (!state.street && over?.scoresOf(view?.result, state, counting)) || [];
  const own = seats.findIndex((seat) => seat.you);
  const others = seats.flatMap((seat, number) => (seat.you ? [] : [{ seat, score: scores[number] }]));
  const arc = isRoomy() && own >= 0 && others.length;
  const dip = dips(others.length);
  return html`${headOf(state, send)}${callOf(state, send)}${over?.moment(state) ?? nothing}<div id="stage" class=${counting ? "telling" : state.street ? "then" : nothing}><aside id="history" ?hidden=${!hasHistory(state)} aria-label=${words.history ?? nothing}>${
    historyPart()?.historyOf(state, send)}</aside><main id="main" tabindex="-1" class=${arc ? "arc" : nothing}><section id="others" ?hidden=${!others.length} aria-label=${words.others ?? nothing} .style=${`--seats:${others.length}`}>${
    others.map(({ seat, score }, at) => seatBoard(seat, view?.row_names ?? [], state, { score, seats, dip: dip[at] }))}</section><section id="own" class=${view?.yours ? "turn" : nothing} @mousedown=${keepKeys}>${
    ownOf(state, send, scores[own])}</section><section id="ended" ?hidden=${!view?.result || !over}>${
    when(view?.result, (result) => over?.resultOf(result, state, { all: () => send({ type: "showResult" }), score: scores[0], seats, rowNames: view?.row_names }))}</section></main><aside id="event" ?hidden=${!audience || !(view?.event || view?.beside?.length)} class=${state.all ? "all" : nothing} aria-label=${view?.event?.title ?? words.other_tables ?? nothing}>${
    audience?.eventOf(state, send)}</aside>${rowsPart()?.seenOf(state, send)}</div><footer id="bar" @mousedown=${keepKeys}>${barOf(state, send)}</footer>${sheetOf(state, send, draw, voice)}`;
}

/** @param {State} state */
function voiceOf({ toast, words, language, cards, now }) {
  return html`<div id="toast" ?hidden=${!toast.shown} class=${toast.how}>${sentence(toast.text, { words, language, cards, now })}</div><p id="live" class="unseen" aria-live="polite"></p>`;
}

/**
 * What the document has around the page.
 * @param {State} state
 */
function dress(state) {
  const { view, words, language, asleep, overlay } = state;
  const root = document.documentElement;
  const looks = { dark: wish(state, "dark"), large: wish(state, "large"), two: !wish(state, "colours"), watches: Boolean(view?.watches), over: asleep, overlay };
  for (const [name, on] of Object.entries(looks)) root.classList.toggle(name, on);
  if (root.lang !== language) root.lang = language;
  root.style.setProperty("--all", String(Math.max(1, view?.seats.length ?? 0)));
  const [call] = callsOf(view?.tables ?? []);
  const title = !view ? document.title : view.yours ? `● ${words.turn} · ${view.title}` : call ? `● ${callText(call, words)}` : view.title;
  if (document.title !== title) document.title = title;
  const tab = /** @type {HTMLLinkElement} */ (document.getElementById("icon"));
  const picture = icon(Boolean(view && (view.yours || call)));
  if (tab.href !== picture) tab.href = picture;
  // A table that was chosen there and isn't shown after all is chosen no more.
  const tables = /** @type {HTMLSelectElement} */ (document.getElementById("tables"));
  if (tables.value !== String(state.table) && view?.tables.some(({ table }) => table === state.table)) tables.value = String(state.table);
}

/**
 * Draw all of it.
 * @param {State} state
 * @param {Send} send
 * @param {() => void} draw draws it anew once a part has come
 */
export function drawPage(state, send, draw) {
  keepFocus(() => {
    render(pageOf(looked(state), send, draw), document.body);
    render(voiceOf(state), voice);
    dress(state);
  }, state.toConfirm);
  settleSheet(/** @type {HTMLDialogElement} */ (document.getElementById("sheet")), state, send);
}

/** @param {string} text */
export function speak(text) {
  const live = voice.querySelector("#live");
  if (live) live.textContent = text;
}
