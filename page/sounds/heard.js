// Which sound follows from what has happened: one at most for each message.

/** @typedef {import("../state/state.js").State} State */
/** @typedef {"turn" | "card" | "won" | "scoop" | "clock"} Sound */

/** From here on the clock runs out. */
export const SOON_MS = 10_000;

/**
 * What the end of a hand has brought the reader.
 * @param {State} before
 * @param {State} after
 * @returns {Sound | null}
 */
function end(before, { view }) {
  const result = view?.result;
  if (!view || !result || before.view?.table !== view.table || before.view.result?.hand === result.hand) return null;
  const own = view.seats.findIndex(({ you }) => you);
  if (own < 0 || !view.seats[own].gained.startsWith("+")) return null;
  const scooped = result.duel?.pairs.some(({ first, second, scoop }) => (first === own && scoop > 0) || (second === own && scoop < 0));
  return scooped ? "scoop" : "won";
}

/**
 * True if a card has come to lie on the table: one's own, or one that somebody else has placed.
 * @param {State} before
 * @param {State} after
 */
function placed(before, { view, draft, turn }) {
  if (draft && before.draft && turn === before.turn && draft.order.length > before.draft.order.length) return true;
  if (!view || before.view?.table !== view.table || before.view === view) return false;
  return view.seats.some((seat, number) => !seat.you && seat.latest.length > 0 && String(seat.latest) !== String(before.view?.seats[number]?.latest));
}

/**
 * True if the reader's time has just become short.
 * @param {State} before
 * @param {State} after
 */
function short(before, { view, now }) {
  const until = view?.until ?? null;
  if (!view?.yours || until === null || before.view?.until !== until) return false;
  return before.now < until - SOON_MS && now >= until - SOON_MS;
}

/**
 * @param {State} before
 * @param {State} after
 * @returns {Sound | null}
 */
export function soundOf(before, after) {
  const ended = end(before, after);
  if (ended) return ended;
  if (after.todo.some((deed) => deed.do === "call")) return "turn";
  if (short(before, after)) return "clock";
  return placed(before, after) ? "card" : null;
}
