// Acts on one's own cards: each changes the draft and sends it.

import { quiet, say, tell, todo } from "./deeds.js";
import * as drafts from "./draft.js";
import { looksBack, may, settled, shown } from "./shown.js";
import { want } from "./requests.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Row} Row */
/** @template {{}} M @typedef {import("./state.js").Act<M>} Act */

/**
 * @param {State} state
 * @returns {State}
 */
export function sendDraft(state) {
  if (!state.view?.mine || !state.draft) return state;
  const letters = drafts.lettersOf(state.draft);
  return todo({ ...state, sent: [...state.sent, letters] }, { do: "send", message: { type: "draft", table: state.view.table, turn: state.turn, letters } });
}

/**
 * The draft was changed here: what was told before is over.
 * @param {State} state
 * @param {Draft} draft
 */
function moved(state, draft) {
  return sendDraft(quiet({ ...state, draft, toConfirm: false }));
}

/**
 * @param {State} state
 * @param {number} place
 * @param {Row} row
 * @param {(draft: Draft) => Draft | null} change null where there is no room
 */
function placed(state, place, row, change) {
  const { view, draft, words } = state;
  if (!view?.mine || !draft || !may(state)) return state;
  const name = view.row_names[drafts.ROWS.indexOf(row)];
  const made = change(draft);
  if (!made) return tell(state, words.full.replace("{row}", name));
  return moved(say(state, words.placed.replace("{card}", state.cards[view.mine.cards[place]]).replace("{row}", name)), made);
}

/**
 * @param {State} state
 * @param {number} place
 */
function takeBack(state, place) {
  const { view, draft, words } = state;
  if (!view?.mine || !draft || !may(state) || draft.places[place] === ".") return state;
  const made = { ...drafts.back(draft, place), chosen: place };
  return moved(say(state, words.undone.replace("{card}", state.cards[view.mine.cards[place]])), made);
}

/**
 * Draft a whole placement.
 * @param {State} state
 * @param {string} letters
 */
export function placeAll(state, letters) {
  if (!state.draft || !may(state)) return state;
  return moved(say(state, state.words.hint_placed), drafts.take(state.draft, letters));
}

/**
 * The card that was chosen goes where another lies: beside it where there is room, else in its place.
 * @param {State} state
 * @param {Draft} draft
 * @param {number} chosen
 * @param {number} other
 */
function exchange(state, draft, chosen, other) {
  const row = /** @type {Row} */ (draft.places[other]);
  const beside = drafts.room(draft, row) > 0 && !drafts.isComplete(draft);
  return placed(state, chosen, row, (draft) => (beside ? drafts.put(draft, chosen, row) : drafts.swap(draft, chosen, other)));
}

export const placingActs = {
  /**
   * The next card goes to this row. By a key that was on a card, the focus goes on.
   * @type {Act<{ row: Row, onCard?: boolean }>}
   */
  put(state, { row, onCard = false }) {
    const place = state.draft && drafts.nextCard(state.draft, shown(state));
    const after = place === null ? state : placed(state, place, row, (draft) => drafts.put(draft, place, row));
    return onCard ? todo({ ...after, toConfirm: Boolean(after.draft && drafts.isComplete(after.draft)) }, { do: "focus", on: "" }) : after;
  },

  /**
   * A card was dropped on a row, or on a card there.
   * @type {Act<{ place: number, row: Row, other: number | null }>}
   */
  drop: (state, { place, row, other }) => placed(state, place, row, (draft) => {
    const swaps = other !== null && other !== place && draft.places[place] !== row
      && (drafts.room(draft, row) <= 0 || (drafts.isComplete(draft) && draft.places[place] === "."));
    return swaps ? drafts.swap(draft, place, other) : drafts.put(draft, place, row);
  }),

  /** @type {Act<{ place: number }>} */
  takeBack: (state, { place }) => takeBack(state, place),

  /** @type {Act<{ place: number }>} */
  tap(state, { place }) {
    const { draft } = state;
    if (!draft || !may(state)) return state;
    if (draft.places[place] === ".") return quiet({ ...state, draft: { ...draft, chosen: draft.chosen === place ? null : place } });
    if (draft.chosen !== null && draft.places[draft.chosen] === ".") return exchange(state, draft, draft.chosen, place);
    return takeBack(state, place);
  },

  /** @type {Act<{}>} */
  undo: (state) => {
    const order = state.draft?.order ?? [];
    return order.length ? takeBack(state, order[order.length - 1]) : state;
  },

  /** @type {Act<{}>} */
  clear: (state) => (state.draft?.order.length && may(state) ? moved(state, drafts.clear(state.draft)) : state),

  /** @type {Act<{}>} */
  sort: (state) => ({ ...state, order: state.order === "rank" ? "suit" : "rank" }),

  /**
   * An arrow goes from card to card.
   * @type {Act<{ by: number }>}
   */
  step(state, { by }) {
    const { draft } = state;
    if (!draft || !may(state) || drafts.isComplete(draft)) return state;
    const free = shown(state).filter((place) => draft.places[place] === ".");
    const at = free.indexOf(drafts.nextCard(draft, shown(state)) ?? -1);
    const chosen = free[(at + by + free.length) % free.length] ?? null;
    return todo(quiet({ ...state, draft: { ...draft, chosen } }), { do: "focus", on: `[data-key="card-${chosen}"]` });
  },

  /** @type {Act<{}>} */
  confirm(state) {
    const { draft, drafted, words } = state;
    if (looksBack(state)) return state;
    const by = drafted?.confirm;
    if (by?.verb && by.ready && (settled(state) || by.verb === "take_back")) return want(state, by.verb);
    if (!may(state) || !draft || drafts.isComplete(draft)) return state;
    return tell(state, words.more.replace("{count}", String(draft.toPlace - draft.order.length)));
  },

  /** @type {Act<{ number: number }>} */
  suggest: (state, { number }) => ({ ...state, suggestion: number }),

  /** @type {Act<{ letters: string }>} */
  placeAll: (state, { letters }) => placeAll(state, letters),
};
