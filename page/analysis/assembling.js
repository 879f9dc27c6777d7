// What taps and the bot's messages make of a position that is assembled.

import { placementHeard } from "../puzzle/heard.js";
import { filled } from "../rows/names.js";
import { say, todo } from "../state/deeds.js";
import { listed, paused } from "../state/aloud.js";
import { ask, read } from "../state/requests.js";
import { asks } from "../state/shown.js";
import { BLANK, boardOf, changed, droppedFrom, EMPTY, fitting, gameOf, labelsOf, onwards, opponentName, pileName, placesOf, textOf } from "./position.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("./position.js").Analysis} Analysis */
/** @typedef {import("./position.js").Place} Place */
/** @template {{}} M @typedef {import("../state/state.js").Act<M>} Act */

/**
 * @param {State} state
 * @param {Partial<Analysis>} more
 * @returns {State}
 */
const noted = (state, more) => ({ ...state, analysis: { ...BLANK, ...state.analysis, ...more } });

/**
 * Ask the bot what the position lacks.
 * @param {State} state
 */
function check(state) {
  const { game, typed, choices } = state.analysis ?? BLANK;
  if (!choices) return state;
  return todo(state, { do: "send", message: { type: "assemble", game, position: (typed ?? textOf(state.analysis ?? BLANK)).slice(0, 300) } });
}

/**
 * Another position: what was found of the one before is over.
 * @param {State} state
 * @param {Partial<Analysis>} more
 */
const assembled = (state, more) => check(noted(state, { typed: null, ready: false, refused: "", found: null, note: "", aloud: "", before: null, first: "", ...more }));

/**
 * Show what became of a tap until the next one. It's said together with what the position lacks.
 * @param {State} state
 * @param {string} text
 * @param {Record<string, string>} named
 * @param {Record<string, string>} [heard] what is said in other words than shown
 */
function remark(state, text, named, heard = {}) {
  return noted(state, { note: filled(text, named), aloud: filled(text, { ...named, ...heard }) });
}

/**
 * A card as it's written.
 * @param {string} code
 */
const written = (code) => (code[0] === "X" ? "🃏" : code.replace("T", "10").replace(/.$/, (suit) => SIGNS[suit]));

/** @type {Record<string, string>} */
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };

/**
 * What other boards have lost is told, and one press brings it back.
 * @param {State} state
 * @param {State} after
 * @param {string} text
 * @param {Record<string, string>} [named]
 * @param {Record<string, string>} [heard]
 */
function lost(state, after, text, named = {}, heard = {}) {
  const { game, boards } = state.analysis ?? BLANK;
  return remark(noted(after, { before: { game, boards } }), text, named, heard);
}

/**
 * The cards that boards no longer have are told.
 * @param {State} state
 * @param {State} after
 */
function dropping(state, after) {
  const analysis = state.analysis ?? BLANK;
  const gone = droppedFrom(analysis.boards, after.analysis?.boards ?? []);
  if (!gone.length) return after;
  return lost(state, after, labelsOf(analysis).dropped, { cards: gone.map(written).join(" ") }, { cards: listed(state, gone.map((code) => state.cards[code])) });
}

/**
 * A card comes back, and the next one goes where it was.
 * @param {State} state
 * @param {Place & { number: number }} from
 */
function back(state, { board, pile, number }) {
  const analysis = state.analysis ?? BLANK;
  const { boards } = analysis;
  const code = boards[board][pile][number];
  const into = { board, pile };
  const after = assembled(state, { boards: changed(boards, into, (cards) => cards.filter((_, other) => other !== number)), into, at: code });
  return remark(after, labelsOf(analysis).taken_back, { card: written(code), place: pileName(analysis, into) }, { card: state.cards[code] });
}

/**
 * A placement for who hears it.
 * @param {State} state
 * @param {number} number
 */
function heard(state, number) {
  const analysis = state.analysis ?? BLANK;
  const { found, boards } = analysis;
  return found ? placementHeard(state, { ...found.placements[number], own: "" }, { cards: boards[0].held, heads: found.numbers, rowNames: gameOf(analysis)?.row_names ?? [] }) : "";
}

/**
 * Ask for the best placements.
 * @param {State} state
 * @param {"analyse" | "analyse_deeper"} verb
 */
function analysing(state, verb) {
  const analysis = state.analysis ?? BLANK;
  if (waiting(state) || !analysis.ready) return state;
  const after = noted(state, { waits: state.chance, refused: "" });
  return ask(after, { type: "intent", id: "", verb, table: state.view?.table ?? 0, turn: "", letters: "", game: analysis.game, position: textOf(analysis) });
}

/**
 * True while an analysis isn't answered.
 * @param {State} state
 */
export const waiting = (state) => asks(state, "analyse") || asks(state, "analyse_deeper");

export const analysisActs = {
  /**
   * The sheet is open: the games are asked for each time, because a server's own may have changed.
   * @type {Act<{}>}
   */
  beginAnalysis: (state) => read(state, "analysis", 0),

  /** @type {Act<{ sent: import("../protocol").Found }>} */
  foundHeard(state, { sent: { analysis: choices } }) {
    if (!choices || state.sheet?.kind !== "analysis") return state;
    const before = state.analysis ?? BLANK;
    const [game, ...text] = state.sheet.given.split(" ");
    const known = (/** @type {string} */ name) => choices.games.some((one) => one.game === name);
    // A position that is begun keeps its game. Another one begins with that of the table or the puzzle behind it.
    const begun = before.typed !== null || textOf(before) !== textOf(BLANK);
    const chosen = [game, begun ? before.game : ""].find(known) ?? choices.game;
    const given = text.join(" ");
    const first = given ? (state.sheet.deeper ? "analyse_deeper" : "analyse") : before.first;
    const after = noted({ ...state, sheet: { ...state.sheet, given: "" } }, { choices, game: chosen, typed: given || before.typed, first });
    return check(after);
  },

  /**
   * The next cards go there.
   * @type {Act<Place>}
   */
  aim: (state, { board, pile }) => noted(state, { into: { board, pile }, note: "" }),

  /** @type {Act<{ code: string }>} */
  reach: (state, { code }) => noted(state, { at: code }),

  /**
   * A card of the deck goes where cards go now, or to the next place with room; one of which no other is left comes back.
   * @type {Act<{ code: string }>}
   */
  pick(state, { code }) {
    const analysis = state.analysis ?? BLANK;
    const { boards, into } = analysis;
    const places = placesOf(boards, code);
    const copies = code[0] === "X" ? 1 : gameOf(analysis)?.decks ?? 1;
    if (places.length < copies) {
      const to = onwards(boards, into);
      const filled = changed(boards, to, (cards) => [...cards, code]);
      const next = onwards(filled, to);
      const after = assembled(state, { boards: filled, into: next, at: code });
      return next === into ? after : remark(after, labelsOf(analysis).full, { full: pileName(analysis, next === to ? into : to), place: pileName(analysis, next) });
    }
    const { at, ...place } = places.find(({ board, pile }) => board === into.board && pile === into.pile) ?? places[places.length - 1];
    return back(state, { ...place, number: at });
  },

  /** @type {Act<Place & { number: number }>} */
  takeBack: back,

  /**
   * Rows and discards of a board in Fantasyland aren't seen.
   * @type {Act<{ board: number, count: number }>}
   */
  toFantasyland(state, { board, count }) {
    const { boards } = state.analysis ?? BLANK;
    const after = boards.map((one, number) => (number === board ? { ...(count ? { ...EMPTY, held: one.held } : one), fantasyland: count } : one));
    return dropping(state, assembled(state, { boards: after, into: { board: 0, pile: "held" } }));
  },

  /** @type {Act<{}>} */
  addOpponent(state) {
    const { boards } = state.analysis ?? BLANK;
    return assembled(state, { boards: [...boards, EMPTY], into: { board: boards.length, pile: "F" } });
  },

  /** @type {Act<{ board: number }>} */
  removeOpponent(state, { board }) {
    const { boards } = state.analysis ?? BLANK;
    return dropping(state, assembled(state, { boards: boards.filter((_, number) => number !== board), into: BLANK.into }));
  },

  /** @type {Act<{ game: string }>} */
  pickGame(state, { game }) {
    const analysis = { ...BLANK, ...state.analysis, game };
    const chosen = gameOf(analysis);
    if (!chosen) return state;
    const boards = fitting(analysis.boards, chosen);
    const after = assembled(state, { game, typed: analysis.typed, boards, into: BLANK.into });
    const others = [
      ...analysis.boards.flatMap((_, number) => (number < boards.length ? [] : [opponentName(analysis, number)])),
      ...new Set(boards.flatMap((one, number) => (one.fantasyland === analysis.boards[number].fantasyland ? [] : [filled(labelsOf(analysis).in_fantasyland, { count: analysis.boards[number].fantasyland })]))),
    ];
    const gone = droppedFrom(analysis.boards.slice(0, boards.length), boards);
    if (!gone.length && !others.length) return after;
    const what = listed(state, [...gone.map(written), ...others]);
    return lost(state, after, labelsOf(analysis).unfit, { what }, { what: listed(state, [...gone.map((code) => state.cards[code]), ...others]) });
  },

  /** @type {Act<{}>} */
  emptyPosition(state) {
    const analysis = state.analysis ?? BLANK;
    const after = assembled(state, { boards: [EMPTY], into: BLANK.into });
    return textOf(analysis) === textOf(BLANK) ? after : lost(state, after, labelsOf(analysis).cleared);
  },

  /** The game and the boards before come back. @type {Act<{}>} */
  undoLost(state) {
    const { before } = state.analysis ?? BLANK;
    return before ? assembled(state, { ...before, into: BLANK.into }) : state;
  },

  /**
   * A position was typed or pasted; the bot reads it.
   * @type {Act<{ text: string }>}
   */
  typePosition: (state, { text }) => (text === textOf(state.analysis ?? BLANK) ? state : assembled(state, { typed: text })),

  /** @type {Act<{ sent: import("../protocol").Assembled }>} */
  assembledHeard(state, { sent }) {
    const analysis = state.analysis ?? BLANK;
    const { typed, game } = analysis;
    if (sent.game !== game || sent.position !== (typed ?? textOf(analysis))) return state;
    /** @type {Partial<Analysis>} */
    const told = { ready: sent.ready, said: sent.said, aloud: "", first: "" };
    if (typed !== null && sent.read) Object.assign(told, { typed: null, boards: [boardOf(sent.read.own, sent.read.held), ...sent.read.opponents.map((one) => boardOf(one))], into: BLANK.into });
    const after = noted(state, told);
    // A link under an answer leads to that answer.
    if (analysis.first && sent.ready) return analysing(noted(after, { first: "" }), analysis.first);
    const news = [analysis.aloud, ...(sent.said === analysis.said ? [] : [sent.said])].filter(Boolean);
    return news.length > 1 ? say(after, paused(after, news)) : news.length ? say(after, news[0]) : after;
  },

  /** What wasn't told before the connection was lost is told now. @type {Act<{}>} */
  snapshotHeard: (state) => (state.sheet?.kind === "analysis" ? check(state) : state),
  /** @type {Act<{}>} */
  currentHeard: (state) => (state.sheet?.kind === "analysis" ? check(state) : state),

  /** @type {Act<{ deeper: boolean }>} */
  analysePosition: (state, { deeper }) => analysing(state, deeper ? "analyse_deeper" : "analyse"),

  /** @type {Act<{ sent: import("../protocol").Answer }>} */
  answerHeard(state, { sent }) {
    const analysis = state.analysis ?? BLANK;
    if (sent.id === "assemble" && sent.said) return noted(state, { said: sent.said });
    if (sent.id !== analysis.waits) return state;
    // A refusal stays on the sheet, where the position is.
    const told = noted({ ...state, toast: { ...state.toast, shown: false } }, { waits: "", refused: sent.said });
    const found = sent.analysis;
    if (!found || found.game !== analysis.game || found.position !== textOf(analysis)) return told;
    const after = noted(told, { found, shown: 0 });
    const lead = found.told[0] ?? "";
    return todo(say(after, paused(after, [lead, heard(after, 0)])), { do: "focus", on: "#sheet [data-key=flip-0]" });
  },

  /** @type {Act<{ number: number }>} */
  flipAnalysed(state, { number }) {
    const { found, shown } = state.analysis ?? BLANK;
    return !found?.placements[number] || number === shown ? state : say(noted(state, { shown: number }), heard(state, number));
  },

  /** The deck comes back. @type {Act<{}>} */
  changePosition: (state) => noted(state, { found: null }),
};
