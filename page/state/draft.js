// The half-made placement: the page's own business, until it is confirmed. Each act returns another one.

export const ROWS = /** @type {const} */ (["F", "M", "B"]);
export const SIZES = { F: 3, M: 5, B: 5 };

/**
 * @typedef {"F" | "M" | "B"} Row
 * @typedef {object} Draft
 * @property {number} toPlace how many of the cards go on the board
 * @property {Record<Row, number>} there how many cards lie in each row already
 * @property {readonly (Row | ".")[]} places where each card is, in the order dealt
 * @property {readonly number[]} order the cards that are placed, in the order in which they were
 * @property {number | null} chosen the card that goes where a row is tapped next
 */

/**
 * @param {import("../protocol").Mine} mine
 * @param {readonly (readonly string[])[]} rows what lies on the board already
 * @returns {Draft}
 */
export function begin(mine, rows) {
  const there = { F: rows[0].length, M: rows[1].length, B: rows[2].length };
  return take({ toPlace: mine.to_place, there, places: mine.cards.map(() => "."), order: [], chosen: null }, mine.draft.letters);
}

/**
 * @param {Draft} draft
 * @param {string} letters
 * @returns {Draft}
 */
export function take(draft, letters) {
  const places = draft.places.map((_, place) => {
    const letter = letters[place];
    return letter === "F" || letter === "M" || letter === "B" ? letter : ".";
  });
  return { ...draft, places, order: places.flatMap((letter, place) => (letter === "." ? [] : [place])), chosen: null };
}

/** @param {Draft} draft */
export const lettersOf = (draft) => draft.places.join("");

/** @param {Draft} draft */
export const isComplete = (draft) => draft.order.length === draft.toPlace;

/**
 * @param {Draft} draft
 * @param {Row} row
 */
export const room = (draft, row) => SIZES[row] - draft.there[row] - draft.places.filter((letter) => letter === row).length;

/**
 * The card that goes where the next row is tapped.
 * @param {Draft} draft
 * @param {readonly number[]} shown the cards in the order in which they stand
 */
export function nextCard(draft, shown) {
  if (draft.chosen !== null && draft.places[draft.chosen] === ".") return draft.chosen;
  if (isComplete(draft)) return null;
  const last = draft.order[draft.order.length - 1];
  const from = last === undefined ? 0 : shown.indexOf(last) + 1;
  const turn = [...shown.slice(from), ...shown.slice(0, from)];
  return turn.find((place) => draft.places[place] === ".") ?? null;
}

/**
 * @param {Draft} draft
 * @param {number} place
 * @returns {Draft}
 */
export function back(draft, place) {
  return { ...draft, places: draft.places.map((letter, other) => (other === place ? "." : letter)), order: draft.order.filter((other) => other !== place) };
}

/**
 * The draft with this card there; null where the row is full. Where a whole board is set, the last row fills itself once
 * nothing else is possible.
 * @param {Draft} draft
 * @param {number} place
 * @param {Row} row
 * @returns {Draft | null}
 */
export function put(draft, place, row) {
  if (draft.places[place] === row) return draft;
  const moved = draft.places[place] !== ".";
  let made = draft;
  if (isComplete(draft) && !moved) {
    // It takes the place of the card that was placed last, where that leaves room for it.
    const last = draft.order[draft.order.length - 1];
    if (last === undefined) return null;
    made = back(draft, last);
  }
  if (room(made, row) <= 0) return null;
  made = back(made, place);
  const places = made.places.map((letter, other) => (other === place ? row : letter));
  made = { ...made, places, order: [...made.order, place], chosen: null };
  const rooms = ROWS.filter((one) => room(made, one) > 0);
  if (moved || places.length !== 13 || draft.toPlace !== 13 || rooms.length !== 1 || rooms[0] === row) return made;
  const rest = places.flatMap((letter, other) => (letter === "." ? [other] : []));
  return { ...made, places: places.map((letter) => (letter === "." ? rooms[0] : letter)), order: [...made.order, ...rest] };
}

/**
 * Two cards change places.
 * @param {Draft} draft
 * @param {number} one
 * @param {number} other
 * @returns {Draft}
 */
export function swap(draft, one, other) {
  const places = draft.places.map((letter, place) => (place === one ? draft.places[other] : place === other ? draft.places[one] : letter));
  const order = draft.order.filter((place) => places[place] !== ".");
  const come = [one, other].filter((place) => places[place] !== "." && !order.includes(place));
  return { ...draft, places, order: [...order, ...come], chosen: null };
}

/**
 * @param {Draft} draft
 * @returns {Draft}
 */
export const clear = (draft) => ({ ...draft, places: draft.places.map(() => "."), order: [], chosen: null });
