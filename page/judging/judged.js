// What the page itself makes of one's board while one places cards: it's there before the bot has answered.

import { captionOf } from "../rows/caption.js";
import { drawsOf } from "../rows/draws.js";
import { ceilings, codeOf, judge } from "../rows/judge.js";
import { seenIn, unseen } from "../rows/left.js";
import { heardTable, payTable } from "../rows/pays.js";
import { ROWS } from "../state/draft.js";

/** @typedef {import("../state/state.js").State} State */
/**
 * @typedef {object} JudgedRow
 * @property {readonly string[]} made what the row makes, and what that pays
 * @property {string} draw what is missing for more; empty if nothing is to be told
 * @property {readonly string[]} heard all of it, for who hears it
 * @property {import("../rows/pays.js").PayTable} pays
 * @property {string} described what the row pays, for who hears it
 */

const BOARD_CARDS = 13;
/** @type {WeakMap<import("../state/draft.js").Draft, { of: readonly unknown[], rows: JudgedRow[] }>} A draft is drawn many times. */
const known = new WeakMap();

/**
 * Front, middle and back, as they're now; null while nothing is to be placed.
 * @param {State} state
 * @returns {JudgedRow[] | null}
 */
export function judgedRows(state) {
  const { view, draft, words } = state;
  if (!view?.mine || !view.row_rules || !draft || !words.row_pays) return null;
  const of = [view.seats, view.mine, words];
  const before = known.get(draft);
  if (before?.of.every((one, at) => one === of[at])) return before.rows;
  const rows = judgeBoard(state, view, view.mine, view.row_rules, draft);
  known.set(draft, { of, rows });
  return rows;
}

/**
 * @param {State} state
 * @param {import("../protocol").View} view
 * @param {import("../protocol").Mine} mine
 * @param {import("../protocol").RowRules} rules
 * @param {import("../state/draft.js").Draft} draft
 */
function judgeBoard(state, view, mine, rules, draft) {
  const lying = view.seats[0].rows;
  const board = ROWS.map((letter, at) => [...lying[at], ...mine.cards.filter((_, place) => draft.places[place] === letter)]);
  const held = mine.fantasyland;
  const judged = judge(rules, board, held);
  // With the last cards nothing more can come.
  const last = lying.flat().length + mine.to_place >= BOARD_CARDS;
  const left = unseen(rules, seenIn(view));
  const ceiling = ceilings(rules, board, judged.strengths);
  return board.map((cards, at) => {
    const place = /** @type {import("../rows/strength.js").Place} */ (at);
    const most = ceiling[at];
    const draw = last ? undefined : drawsOf(rules, place, cards, left).find(({ strength }) => strength <= most);
    const caption = (/** @type {boolean} */ aloud) => captionOf(state, rules, place, cards, { judged, held, draw, most, aloud });
    const now = cards.length ? codeOf(place, judged.strengths[place]) : "";
    return { ...caption(false), heard: Object.values(caption(true)).flat(), pays: payTable(state, rules, place, held, now), described: heardTable(state, rules, place, held) };
  });
}
