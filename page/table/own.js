// One's own part of the table: the board, what is told, the cards to place.

import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { puzzlePart, soonPart } from "../later.js";
import { listed, named, paused } from "../state/aloud.js";
import { isComplete, nextCard, ROWS, SIZES } from "../state/draft.js";
import { hintNow, may, settled, shown } from "../state/shown.js";
import { card, face, faceClass, rankOf } from "./cards.js";
import { rowsPart } from "./rows.js";
import { madeOf, nameLine, noteOf, pile, wonBy } from "./seats.js";
import { sentence, unbroken, when } from "./sentence.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */
/** @typedef {import("../protocol").SeatShown} SeatShown */
/** @typedef {import("../duel/marks.js").Score} Score */

/**
 * One's own cards, each a button.
 * @param {State} state
 * @param {readonly number[]} places
 * @param {string} kind
 * @param {Send} send
 * @param {number | null} [chosen] where one of them is chosen
 */
function ownCards(state, places, kind, send, chosen) {
  const codes = state.view?.mine?.cards ?? [];
  return repeat(places, (place) => place, (place) => {
    const code = codes[place];
    const kinds = [kind, chosen === place && "chosen"].filter(Boolean).join(" ");
    return html`<button type="button" class=${faceClass(code, kinds)} data-rank=${rankOf(code)} data-card=${place} data-key="card-${place}" aria-label=${state.cards[code]} aria-pressed=${
      chosen === undefined ? nothing : chosen === place} aria-disabled=${may(state) ? nothing : "true"} @click=${() => send({ type: "tap", place })}>${face(code)}</button>`;
  });
}

/**
 * @param {State} state
 * @param {SeatShown} seat
 * @param {Send} send
 * @param {Score | undefined} score
 */
function ownBoard(state, seat, send, score) {
  const { words, cards, draft, drafted, view } = state;
  const mine = view?.mine;
  const hands = mine && drafted ? drafted.hands : seat.hands;
  const places = shown(state);
  const chosen = draft && nextCard(draft, places);
  const part = rowsPart();
  const judged = part?.judgedRows(state);
  const ghosts = draft && !isComplete(draft) ? hintNow(state)?.placements[state.suggestion].letters ?? "" : "";
  const rows = ROWS.map((letter, number) => {
    const there = seat.rows[number];
    const added = mine ? places.filter((place) => draft?.places[place] === letter) : [];
    const filled = there.length + added.length;
    const open = may(state) && chosen !== null && filled < SIZES[letter];
    const names = listed(state, [...there, ...added.map((place) => mine?.cards[place] ?? "")].map((code) => cards[code]));
    const count = `${view?.row_names[number]} ${filled}/${SIZES[letter]}`;
    const one = judged?.[number];
    const heard = paused(state, [named(state, count, names || words.empty), ...one?.heard ?? [hands[number]], score?.heard(number) ?? ""]);
    const light = score?.lit(number);
    const coming = places.filter((place) => ghosts[place] === letter && draft?.places[place] !== letter);
    const free = Array.from({ length: SIZES[letter] - filled }, (_, at) => html`<span class="slot">${coming[at] === undefined ? nothing : ghost(mine?.cards[coming[at]] ?? "?")}</span>`);
    const put = (/** @type {Event} */ event) => {
      if (!(event.target instanceof Element && event.target.closest("[data-card], .peek"))) send({ type: "put", row: letter });
    };
    return html`<div class="row${open ? " open" : ""}${light?.kind ?? ""}" .style=${light?.step ?? ""} data-row=${letter} @click=${put}><div class="line"><button type="button" data-key="row-${letter}" aria-label=${heard} aria-describedby=${one ? `pays-${letter}` : nothing} ?disabled=${!mine}>${count}</button>${
      one ? caption(one) : madeOf(hands[number], score, number)}</div><div class="slots">${
      there.map((code) => card(code, cards[code]))}${ownCards(state, added, "draft", send)}${free}</div>${one && !number ? part?.seenButton(state, send) : nothing}</div>`;
  });
  return html`<section class="board${mine && !settled(state) ? " pending" : ""}" aria-label=${words.board} data-key="board" tabindex="-1">${rows}${judged ? [part?.paysDescribed(judged), part?.paysOf(state, judged)] : nothing}</section>`;
}

/**
 * What a row makes and what is missing for more, in a line. Where both are too long for it, what is missing stays.
 * @param {import("../judging/judged.js").JudgedRow} judged
 */
const caption = ({ made, draw }) => html`<div class="made judged" aria-hidden="true">${
  when(draw, (text) => html`<span class="draw">${unbroken(text)}</span>`)}${when(made.join(" · "), (text) => html`<span>${unbroken(text)}</span>`)}</div>`;

/**
 * A card where a hint would put it. The suggestion itself says so to who hears it.
 * @param {string} code
 */
const ghost = (code) => html`<span class=${faceClass(code, "hinted")} data-rank=${rankOf(code)} aria-hidden="true">${face(code)}</span>`;

/**
 * @param {State} state
 * @param {Send} send
 */
function tray(state, send) {
  const { draft, view, words, cards } = state;
  const mine = view?.mine;
  if (!mine || !draft) return nothing;
  const places = shown(state);
  const left = places.filter((place) => draft.places[place] === ".");
  const complete = isComplete(draft);
  // A screen reader leaves all keys to an application, letters too; its name says which cards are in it.
  const name = named(state, complete ? words.discards : words.cards, listed(state, left.map((place) => cards[mine.cards[place]])));
  return html`<section id="tray" class=${mine.whole ? "whole" : nothing} role=${left.length ? "application" : nothing} aria-label=${name} data-tray>${
    complete && draft.toPlace < draft.places.length ? html`<span class="left" aria-hidden="true">${words.discards}</span>` : nothing}${
    ownCards(state, left, complete ? "out" : "", send, nextCard(draft, places))}</section>`;
}

/**
 * What is told of the hand and of the draft, a line each.
 * @param {State} state
 */
function told(state) {
  const { view, draft, drafted, words, overlay } = state;
  if (!view) return nothing;
  const lines = (/** @type {string} */ text, /** @type {string} */ name) =>
    text.split("\n").filter(Boolean).map((line) => html`<div><span class=${name}>${sentence(line, state)}</span></div>`);
  return html`<div id="told">${
    view.watches && view.table && !overlay ? html`<div><span class="watching">${words.watching}</span></div>` : nothing}${
    lines(view.status, view.yours ? "status yours" : "status")}${
    view.mine && drafted ? [
      !draft?.order.length || view.seats[0].placed ? lines(view.mine.told, "asked") : nothing,
      lines(drafted.warning, drafted.level), lines(drafted.asked, "asked"),
    ] : nothing}</div>`;
}

/**
 * @param {State} state
 * @param {Send} send
 * @param {Score | undefined} score
 */
export function ownOf(state, send, score) {
  const { view, draft, words, sure } = state;
  if (!view) return nothing;
  const seat = view.seats.find((one) => one.you);
  const hint = hintNow(state);
  const offers = view.offers.filter((offer) => offer.text && (!offer.sure || sure === offer.verb));
  const discarding = view.mine && draft && isComplete(draft) && draft.places.includes(".");
  return [
    seat ? [
      nameLine(seat, state, { seats: view.seats, more: when(seat.note, () => html`<span class="note">${noteOf(seat, state)}</span>`), won: wonBy(seat, score) }), ownBoard(state, seat, send, score),
      seat.discards.length && !discarding ? pile(seat.discards, view.mine?.discards || words.discards, state) : nothing,
    ] : nothing,
    told(state), soonPart()?.nextOf(state, send), tray(state, send),
    hint ? soonPart()?.hintOf(state, hint, send) : nothing, puzzlePart()?.solutionOf(state, send),
    offers.map((offer) => html`<p class="offer-text">${sentence(offer.text, state)}</p>`),
  ];
}
