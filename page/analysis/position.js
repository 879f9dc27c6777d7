// A position that is assembled: which card lies where, and its text in the notation of positions.

import { filled } from "../rows/names.js";
import { SIZES } from "../state/draft.js";

/** @typedef {"F" | "M" | "B" | "held" | "discards"} Pile */
/** @typedef {Readonly<Record<Pile, readonly string[]>> & { readonly fantasyland: number }} Board */
/** @typedef {{ board: number, pile: Pile }} Place the reader's own board is the first one */

/**
 * @typedef {object} Analysis
 * @property {import("../protocol").AnalysisChoices | null} choices null until the bot has sent them
 * @property {string} game
 * @property {readonly Board[]} boards the reader's own first, then the opponents' clockwise
 * @property {Place} into where the next card goes
 * @property {string} at the card of the deck that keys have reached
 * @property {string | null} typed a text that wasn't read yet
 * @property {boolean} ready true if it can be analysed
 * @property {string} said what it lacks
 * @property {string} note what became of the last tap, where the cards alone wouldn't show it
 * @property {string} aloud the note for who hears it, until it was said
 * @property {{ game: string, boards: readonly Board[] } | null} before what was there before cards were lost, until the next change
 * @property {string} refused why it wasn't analysed
 * @property {"analyse" | "analyse_deeper" | ""} first what is asked as soon as the position that a link has brought is read
 * @property {string} waits the name of the intent that isn't answered yet
 * @property {import("../protocol").Analysed | null} found
 * @property {number} shown the placement that is looked at
 */

/** @type {readonly Pile[]} */
export const PILES = ["F", "M", "B", "held", "discards"];
/** @type {Board} */
export const EMPTY = { F: [], M: [], B: [], held: [], discards: [], fantasyland: 0 };

/** @type {Analysis} */
export const BLANK = {
  choices: null, game: "", boards: [EMPTY], into: { board: 0, pile: "held" }, at: "As", typed: null, ready: false, said: "", note: "", aloud: "", before: null, refused: "", first: "", waits: "", found: null, shown: 0,
};

/** @param {Analysis} analysis */
export const gameOf = ({ choices, game }) => choices?.games.find((one) => one.game === game);

/** @param {Analysis} analysis */
export const labelsOf = ({ choices }) => choices?.labels ?? {};

/**
 * @param {Analysis} analysis
 * @param {number} number
 */
export const opponentName = (analysis, number) => filled(labelsOf(analysis).opponent, { number });

/**
 * What a pile is called.
 * @param {Analysis} analysis
 * @param {Place} place
 */
export function pileName(analysis, { board, pile }) {
  const labels = labelsOf(analysis);
  const row = { F: 0, M: 1, B: 2, held: -1, discards: -1 }[pile];
  const name = row < 0 ? labels[pile === "held" ? "held" : board ? "opponent_discards" : "discards"] : gameOf(analysis)?.row_names[row] ?? "";
  return board ? filled(labels.opponent_pile, { opponent: opponentName(analysis, board), place: name }) : name;
}

/** @param {Board} board */
const boardText = (board) => (board.fantasyland ? `@${board.fantasyland}` : [board.F, board.M, board.B].map((row) => row.join("")).join("/"));

/** @param {Analysis} analysis */
export function textOf({ boards: [own, ...others] }) {
  const away = (/** @type {Board} */ { discards }, /** @type {string} */ before) => (discards.length ? `${before}-${discards.join("")}` : "");
  const boards = others.map((one) => ` ${boardText(one)}${away(one, "")}`);
  return `${boardText(own)} +${own.held.join("")}${away(own, " ")}${boards.length ? ` vs${boards.join("")}` : ""}`;
}

/**
 * Where a card lies, as often as it does.
 * @param {readonly Board[]} boards
 * @param {string} code
 * @returns {(Place & { at: number })[]}
 */
export function placesOf(boards, code) {
  return boards.flatMap((one, board) => PILES.flatMap((pile) => one[pile].flatMap((other, at) => (other === code ? [{ board, pile, at }] : []))));
}

/**
 * @param {readonly Board[]} boards
 * @param {Place} place
 * @param {(cards: readonly string[]) => readonly string[]} change
 */
export function changed(boards, { board, pile }, change) {
  return boards.map((one, number) => (number === board ? { ...one, [pile]: change(one[pile]) } : one));
}

/**
 * Where the next card goes once this place is full.
 * @param {readonly Board[]} boards
 * @param {Place} into
 * @returns {Place}
 */
export function onwards(boards, into) {
  const { board, pile } = into;
  if (pile === "held" || pile === "discards" || boards[board][pile].length < SIZES[pile]) return into;
  const rest = /** @type {const} */ (["F", "M", "B"]).find((row) => boards[board][row].length < SIZES[row]);
  return rest ? { board, pile: rest } : { board: 0, pile: "held" };
}

/**
 * The boards as far as another game has room for them.
 * @param {readonly Board[]} boards
 * @param {import("../protocol").AnalysisGame} game
 * @returns {Board[]}
 */
export function fitting(boards, { decks, jokers, opponents, fantasyland, discards, open_discards }) {
  /** @type {Record<string, number>} */
  const left = {};
  const has = (/** @type {string} */ code) => {
    left[code] ??= code[0] === "X" ? Number(Number(code[1]) <= jokers) : decks;
    return left[code]-- > 0;
  };
  return boards.slice(0, opponents + 1).map((board, number) => {
    const [F, M, B, held, away] = PILES.map((pile) => board[pile].filter(has));
    return { F, M, B, held, discards: (number ? open_discards : discards) ? away : [], fantasyland: fantasyland.includes(board.fantasyland) ? board.fantasyland : 0 };
  });
}

/**
 * The cards that lie on some boards and no longer on others, in order.
 * @param {readonly Board[]} boards
 * @param {readonly Board[]} others
 */
export function droppedFrom(boards, others) {
  const left = others.flatMap((board) => PILES.flatMap((pile) => board[pile]));
  return boards.flatMap((board) => PILES.flatMap((pile) => board[pile])).filter((code) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * @param {import("../protocol").BoardAssembled} read
 * @param {readonly string[]} held
 * @returns {Board}
 */
export function boardOf({ rows: [F, M, B], discards, fantasyland }, held = []) {
  return { F, M, B, held, discards, fantasyland };
}
