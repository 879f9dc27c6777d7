// What follows from the state: which cards may be moved, in which order they stand, which hint is on them.

import { heard, listed, named, paused } from "./aloud.js";
import { lettersOf, ROWS } from "./draft.js";

/** @typedef {import("./state.js").State} State */

/**
 * True while the last hand is shown in the place of the next one.
 * @param {State} state
 */
export const looksBack = ({ ended, view }) => Boolean(ended?.open && !view?.result?.duel);

/**
 * True while one has cards that aren't played yet.
 * @param {State} state
 */
export const drafts = (state) => Boolean(state.view?.mine && state.draft && !["take_back", ""].includes(state.drafted?.confirm.verb ?? "confirm"));

/**
 * True while one's cards may be moved, which they can't be where they aren't seen.
 * @param {State} state
 */
export const may = (state) => drafts(state) && !looksBack(state) && !state.street;

/**
 * True where what was answered is of the draft as it stands.
 * @param {State} state
 */
export function settled({ draft, drafted }) {
  return Boolean(draft && drafted && drafted.letters.replaceAll("D", ".") === lettersOf(draft));
}

const RANKS = "23456789TJQKA";

/**
 * The places of cards, high ranks or like suits first; jokers last.
 * @param {readonly string[]} cards
 * @param {"dealt" | "rank" | "suit"} by
 */
export function sorted(cards, by) {
  const places = cards.map((_, place) => place);
  if (by === "dealt") return places;
  const rank = (/** @type {number} */ place) => RANKS.indexOf(cards[place][0]);
  const suit = (/** @type {number} */ place) => (cards[place][0] === "X" ? -1 : "cdhs".indexOf(cards[place][1]));
  return places.sort((a, b) => (by === "rank" ? rank(b) - rank(a) || suit(b) - suit(a) : suit(b) - suit(a) || rank(b) - rank(a)));
}

/**
 * The places of one's own cards as they stand.
 * @param {State} state
 */
export function shown({ view, order }) {
  return view?.mine ? sorted(view.mine.cards, order) : [];
}

/**
 * True while something of this kind is unanswered.
 * @param {State} state
 * @param {string} kind the verb of an intent, or what is read
 */
export function asks({ requests }, kind) {
  return requests.some(({ message }) => kind === (message.type === "intent" ? message.verb : message.what));
}

/**
 * The hint on the cards that are to be placed now; it is over with them.
 * @param {State} state
 */
export function hintNow(state) {
  const { hint, view, turn } = state;
  return hint && view?.mine && hint.turn === turn && may(state) ? hint : null;
}

/**
 * Where a suggestion puts each card, for who hears it.
 * @param {State} state
 * @param {import("../protocol").Hinted} hint
 * @param {number} number
 */
export function suggested(state, hint, number) {
  const { words, view } = state;
  const { letters } = hint.placements[number];
  const rows = [...ROWS, "D"].map((letter, row) => {
    const sent = (view?.mine?.cards ?? []).filter((_, place) => letters[place] === letter);
    return sent.length ? named(state, view?.row_names[row] ?? words.discard, listed(state, sent.map((code) => state.cards[code]))) : "";
  });
  return paused(state, [words.hint_choice.replace("{number}", String(number + 1)), ...rows]);
}

/**
 * A suggestion and what speaks for it, for who hears it.
 * @param {State} state
 * @param {import("../protocol").Hinted} hint
 * @param {number} number
 */
export function suggestedWithFacts(state, hint, number) {
  return paused(state, [suggested(state, hint, number), ...heard(hint.placements[number].facts, state).split("\n")]);
}

/**
 * The offers in the menu: what is seldom wanted, and the way out while there are cards to place or a result to read.
 * @param {import("../protocol").View} view
 */
export function ofTheMenu({ offers, mine, result, seats, puzzle }) {
  const busy = mine || result || seats.some((seat) => seat.waiting);
  return offers.filter(({ verb }) => /watch|top_up|sit_out/.test(verb) || (verb === "puzzle_next" && !puzzle) || (busy && (verb === "leave" || (result && verb === "invite"))));
}
