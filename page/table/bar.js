// The buttons below the table: the draft's, the offers, and the ways back to the last hand.

import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { audiencePart, overPart } from "../later.js";
import { asks, hintNow, may, ofTheMenu, settled } from "../state/shown.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../main.js").Send} Send */
/**
 * @typedef {object} Button
 * @property {string} key
 * @property {string} label
 * @property {Parameters<Send>[0]} act
 * @property {boolean} [off]
 * @property {string} [look]
 * @property {string} [asks] what is asked of the bot, if that isn't the key
 * @property {boolean} [open] for one that shows and hides something
 * @property {boolean} [pressed] for one that stays pressed
 */

/**
 * @param {State} state
 * @returns {Button[]}
 */
function draftButtons(state) {
  const { view, draft, drafted, words, order } = state;
  const mine = view?.mine;
  if (!mine || !draft || !drafted?.confirm.verb) return [];
  /** @type {Button[]} */
  const made = [];
  if (may(state)) {
    const off = !draft.order.length;
    made.push({ key: "undo", label: words.undo, act: { type: "undo" }, off });
    if (mine.whole || mine.cards.length > 3) made.push({ key: "clear", label: words.clear, act: { type: "clear" }, off });
    if (mine.whole) {
      made.push({ key: "sort", label: order === "rank" ? words.by_suit : words.by_rank, act: { type: "sort" } });
      made.push({ key: "arrange", label: words.arrange, act: { type: "want", verb: "arrange" } });
    }
  }
  const by = drafted.confirm;
  const off = !by.ready || (!settled(state) && by.verb !== "take_back");
  return [...made, { key: "confirm", label: by.label, act: { type: "confirm" }, off, look: by.danger ? "main danger" : "main", asks: by.verb }];
}

/**
 * @param {State} state
 * @returns {Button[]}
 */
function offerButtons(state) {
  const { view } = state;
  const elsewhere = view ? ofTheMenu(view) : [];
  return (view?.offers ?? []).filter((one) => !elsewhere.includes(one)).map((offer) => {
    const main = offer.verb === "puzzle_next" || !view?.mine && !["retry", "end_retry", "leave", "invite"].includes(offer.verb);
    return {
      key: offer.verb, label: offer.sure && state.sure === offer.verb ? offer.sure : offer.label, act: { type: "offer", offer }, off: view?.puzzle?.off.includes(offer.verb),
      look: offer.verb === "surrender" ? "risky" : main ? "main" : "", open: offer.verb === "hint" ? Boolean(hintNow(state)) : undefined,
    };
  });
}

/**
 * @param {State} state
 * @returns {Button[]}
 */
function backButtons({ view, words }) {
  if (!view?.result || !view.past) return [];
  const [review, past] = /** @type {const} */ (["review", "past"]).map((what) => ({ key: what, label: what === "past" ? words.replay : words.review, act: { type: "read", what, hand: view.past } }));
  return view.seats.some((seat) => seat.you) ? [review, past] : [past];
}

/**
 * @param {State} state
 * @param {Send} send
 */
export function barOf(state, send) {
  /** @type {Button[]} The link to a hand leads back to it. */
  const again = state.shared && state.view && !backButtons(state).length ? [{ key: "past", label: state.words.replay, act: { type: "read", what: "past", hand: 0, table: 0 }, look: "main" }] : [];
  const buttons = [...draftButtons(state), ...overPart()?.stayButtons(state) ?? [], ...offerButtons(state), ...backButtons(state), ...again, ...audiencePart()?.allButton(state) ?? []];
  return repeat(buttons, ({ key }) => key, ({ key, label, act, off = false, look, asks: asked = key, open, pressed }) => {
    // While it's under way a button keeps the focus, and does nothing.
    const busy = asks(state, asked);
    return html`<button type="button" data-key=${key} class=${look || nothing} ?disabled=${off} aria-disabled=${busy ? "true" : nothing} aria-expanded=${open ?? nothing} aria-pressed=${pressed ?? nothing} @click=${() => busy || send(act)}>${label}</button>`;
  });
}
