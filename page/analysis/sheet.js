// The sheet: the boards, the deck whose cards go into them, and the best placements once they are found.

import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { comparedOf } from "../puzzle/compared.js";
import { filled } from "../rows/names.js";
import { listed, named } from "../state/aloud.js";
import { ROWS, SIZES } from "../state/draft.js";
import { card, face, faceClass, rankOf } from "../table/cards.js";
import { slots } from "../table/seats.js";
import { sentence, unbroken, when } from "../table/sentence.js";
import { waiting } from "./assembling.js";
import { deckOf } from "./deck.js";
import { BLANK, gameOf, opponentName, pileName, textOf } from "./position.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */
/** @typedef {import("./position.js").Analysis} Analysis */
/** @typedef {import("./position.js").Pile} Pile */
/** @typedef {Record<string, string>} Labels */

/** @param {State} state */
export const title = ({ words }) => words.analyse;

/**
 * @param {HTMLElement} dialog
 * @param {unknown} sheet
 * @param {Send} send
 */
export function opened(dialog, sheet, send) {
  send({ type: "beginAnalysis" });
}

/** What was kept in sight when it was last drawn. */
let inSight = "";

/**
 * Keep the pile in sight that takes the next card, and one's own board once the best placements lie on it.
 * @param {Analysis} analysis
 */
function follow({ into, found }) {
  const to = found ? "0-F" : `${into.board}-${into.pile}`;
  if (to !== inSight) setTimeout(() => document.querySelector(`[data-pile="${to}"]`)?.scrollIntoView({ block: "nearest" }));
  inSight = to;
}

/**
 * A pile: its name takes the next cards, and each of its cards comes back. Below an answer it only shows them.
 * @param {State} state
 * @param {Labels} labels
 * @param {number} board
 * @param {Pile} pile
 * @param {Send} send
 */
function pileOf(state, labels, board, pile, send) {
  const analysis = state.analysis ?? BLANK;
  const { boards, into, found, shown } = analysis;
  const codes = boards[board][pile];
  const size = pile === "held" || pile === "discards" ? 0 : SIZES[pile];
  const placement = board ? undefined : found?.placements[shown];
  const held = boards[0].held;
  const sent = placement && size ? held.filter((_, place) => placement.letters[place] === pile) : [];
  const kept = placement && pile === "held" ? held.filter((_, place) => placement.letters[place] === "D") : null;
  const row = ROWS.findIndex((letter) => letter === pile);
  const aimed = !found && into.board === board && into.pile === pile;
  const name = pileName(analysis, { board, pile });
  const short = board ? pileName(analysis, { board: 0, pile }) : name;
  const count = size ? ` ${codes.length + sent.length}/${size}` : codes.length && !kept ? ` ${codes.length}` : "";
  const names = listed(state, (kept ?? [...codes, ...sent]).map((code) => state.cards[code])) || state.words.empty;
  const hand = placement && row >= 0 ? placement.hands[row] : "";
  const aim = (/** @type {Event} */ event) => {
    if (!(event.target instanceof Element && event.target.closest("[data-at]"))) send({ type: "aim", board, pile });
  };
  // An opponent's discards have the short name that rows have.
  const label = pile === "discards" && board ? labels.opponent_discards : short;
  const heard = named(state, kept ? state.words.discards : `${name}${count}`, [names, hand].filter(Boolean).join(state.words.pause));
  const shows = html`${kept ? state.words.discards : label}<span>${kept ? "" : count}</span>${when(hand, (text) => html`<small>${unbroken(text)}</small>`)}`;
  const head = found
    ? html`<span class="into" role="img" aria-label=${heard}>${shows}</span>`
    : html`<button type="button" class="into" data-key="into-${board}-${pile}" aria-pressed=${aimed} aria-label=${heard}>${shows}</button>`;
  return html`<div class="pile${aimed ? " aimed" : ""}${size ? "" : " loose"}${found ? " still" : ""}" data-pile="${board}-${pile}" @click=${found ? nothing : aim}>${head}<div class="slots">${
    found ? (kept ?? codes).map((code) => card(code, state.cards[code], kept ? "out" : "")) : codes.map((code, at) => html`<button type="button" class=${faceClass(code)} data-rank=${rankOf(code)} data-at=${at} data-key="at-${board}-${pile}-${at}" aria-label=${
      filled(labels.used, { card: state.cards[code], place: name })} @click=${() => send({ type: "takeBack", board, pile, number: at })}>${face(code)}</button>`)}${
    sent.map((code) => card(code, state.cards[code], "placed"))}${size ? slots(Math.max(0, size - codes.length - sent.length)) : nothing}</div></div>`;
}

/**
 * @param {State} state
 * @param {Labels} labels
 * @param {number} number 0 is the reader's own
 * @param {Send} send
 */
function boardOf(state, labels, number, send) {
  const analysis = state.analysis ?? BLANK;
  const game = gameOf(analysis);
  const { fantasyland } = analysis.boards[number];
  const { found } = analysis;
  const name = number ? opponentName(analysis, number) : labels.own;
  /** @type {Pile[]} */
  const piles = [...(fantasyland && (number || !found) ? [] : ROWS), ...(number ? [] : /** @type {const} */ (["held"]))];
  const solved = analysis.found && !analysis.boards[number].discards.length;
  const discards = game && !fantasyland && !solved && (number ? game.open_discards : game.discards);
  const choose = (/** @type {Event} */ event) => send({ type: "toFantasyland", board: number, count: Number(/** @type {HTMLSelectElement} */ (event.target).value) });
  const options = [0, ...game?.fantasyland ?? []].map((count) => html`<option value=${count} .selected=${live(count === fantasyland)}>${
    count ? filled(labels.in_fantasyland, { count }) : labels.not_in_fantasyland}</option>`);
  return html`<section class="assembled${number ? "" : " own"}" aria-label=${name}><div class="of"><h3>${name}</h3>${
    when(game?.fantasyland.length, () => html`<select data-key="fantasyland-${number}" aria-label=${name} ?disabled=${Boolean(found)} @change=${choose}>${options}</select>`)}${
    number && !found ? html`<button type="button" data-key="remove-${number}" aria-label=${named(state, labels.remove, name)} @click=${() => send({ type: "removeOpponent", board: number })}>${labels.remove}</button>` : nothing}</div>${
    piles.map((pile) => pileOf(state, labels, number, pile, send))}${discards ? pileOf(state, labels, number, "discards", send) : nothing}</section>`;
}

/**
 * The position as text, to be copied and pasted.
 * @param {State} state
 * @param {Labels} labels
 * @param {Send} send
 */
function textField(state, labels, send) {
  const analysis = state.analysis ?? BLANK;
  const text = analysis.typed ?? textOf(analysis);
  const type = (/** @type {Event} */ event) => send({ type: "typePosition", text: /** @type {HTMLInputElement} */ (event.target).value.trim() });
  const copy = async () => {
    const field = /** @type {HTMLInputElement} */ (document.getElementById("position"));
    try {
      await navigator.clipboard.writeText(text);
      send({ type: "tell", text: labels.copied });
    } catch {
      field.select();
    }
  };
  return html`<div class="text"><label for="position">${labels.position}</label><input type="text" id="position" data-key="position" maxlength="300" autocapitalize="off" autocomplete="off" spellcheck="false" placeholder=${labels.position_hint} .value=${text} @change=${type} @paste=${
    (/** @type {Event} */ event) => setTimeout(type, 0, event)}><button type="button" data-key="copy" @click=${copy}>${labels.copy}</button></div>`;
}

/**
 * @param {State} state
 * @param {unknown} sheet
 * @param {Send} send
 */
export function body(state, sheet, send) {
  const analysis = state.analysis ?? BLANK;
  const { choices, boards, found, shown, ready, said, before, refused } = analysis;
  const game = gameOf(analysis);
  // The games can come before the page's words.
  if (!choices || !game || !state.words.named) return html`<p role="status">${state.words.working}</p>`;
  follow(analysis);
  const { labels } = choices;
  const busy = waiting(state);
  const button = (/** @type {string} */ key, /** @type {string} */ label, /** @type {Parameters<Send>[0]} */ act, { off = false, look = "", waits = false } = {}) =>
    html`<button type="button" data-key=${key} class=${look || nothing} ?disabled=${off} aria-disabled=${waits ? "true" : nothing} @click=${() => waits || send(act)}>${label}</button>`;
  const choose = (/** @type {Event} */ event) => send({ type: "pickGame", game: /** @type {HTMLSelectElement} */ (event.target).value });
  const compared = found && html`<section class="compared" aria-label=${found.title}>${comparedOf(found.placements, found.numbers, shown, (number) => send({ type: "flipAnalysed", number }))}</section>${
    found.told.map((line, at) => html`<p class=${at ? "small" : "lead"}>${sentence(line, state)}</p>`)}`;
  const buttons = found
    ? [found.deeper ? button("deeper", labels.deeper, { type: "analysePosition", deeper: true }, { look: "main", waits: busy }) : nothing, button("change", labels.change, { type: "changePosition" })]
    : [button("clear", before ? labels.undo : labels.clear, { type: before ? "undoLost" : "emptyPosition" }), button("analyse", busy ? state.words.working : labels.analyse, { type: "analysePosition", deeper: false }, { off: !ready, look: "main", waits: busy })];
  return html`<div class="analysis${found ? " found" : ""}"><div class="boards"><div class="of"><label for="analysis-game">${labels.game}</label><select id="analysis-game" data-key="game" ?disabled=${Boolean(found)} @change=${choose}>${
    choices.games.map((one) => html`<option value=${one.game} .selected=${live(one.game === game.game)}>${one.label}</option>`)}</select></div>${
    boards.map((_, number) => boardOf(state, labels, number, send))}${
    boards.length <= game.opponents && !found ? html`<button type="button" class="add" data-key="add" @click=${() => send({ type: "addOpponent" })}>${labels.add}</button>` : nothing}${
    textField(state, labels, send)}</div><div class="below">${compared ?? deckOf(state, labels, send)}<p class="lacks${refused ? " refused" : ready ? " ready" : ""}">${
    refused || (found ? "" : said)}</p><div class="ways">${buttons}</div></div></div>`;
}
