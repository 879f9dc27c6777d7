// All that the page knows, and what each message makes of it: nothing here touches a browser, a clock or chance.

import { connectionActs } from "./connected.js";
import { endedActs } from "./ended.js";
import { heardActs } from "./hearing.js";
import { lookingActs } from "./looking.js";
import { placingActs } from "./placing.js";
import { requestActs } from "./requests.js";
import { sheetActs } from "./sheets.js";
import { streetActs } from "./streets.js";
import { toldActs } from "./telling.js";

/**
 * An unanswered request: something to be done, or something to be read. ``start`` is the step at which a replay opens.
 * @typedef {import("../protocol").Intent | import("../protocol").Read} Request
 * @typedef {{ message: Request, start: number }} Ask
 */

/**
 * What stands above the table for a moment. What lasts stays until something else is told.
 * @typedef {{ text: string, how: "" | "lasting" | "lost" | "trouble", shown: boolean, until: number }} Toast
 */

/**
 * What a message has the page do besides showing its state.
 * @typedef {(
 *   | { do: "send", message: import("../protocol").Heard }
 *   | { do: "say", text: string }
 *   | { do: "focus", on: string }
 *   | { do: "call" | "reopen" | "wake" }
 *   | { do: "save", name: string, text: string }
 *   | { do: "give", address: string, said: string }
 *   | { do: "keep", name: string, value: boolean }
 * )} Deed
 */

/**
 * @typedef {object} State
 * @property {Record<string, string>} words
 * @property {Record<string, string>} cards what each card is called
 * @property {Record<string, string>} hands sentences about hands
 * @property {string} language
 * @property {number} now the bot's time, when the last message came
 * @property {number} ahead how much the bot's clock is ahead of this one's
 * @property {string} home where browsers reach the page
 * @property {boolean} overlay true for a stream, which shows the boards alone
 * @property {boolean} all true while who watches wants to see the other tables too
 * @property {Record<string, boolean>} wishes what somebody has chosen on this page
 * @property {import("../protocol").View | null} view
 * @property {string} named the name of that view
 * @property {number} table the table that is asked for when the connection opens
 * @property {boolean} shared true for the page of a link to a hand: only the bot knows which one that is
 * @property {boolean} asleep true once the bot has ended the page: any press opens it again
 * @property {string} turn the cards that are to be placed
 * @property {import("./draft.js").Draft | null} draft
 * @property {import("../protocol").Drafted | null} drafted what the bot has said of the draft
 * @property {Readonly<Record<string, string>>} left drafts at tables that were left for another one, by turn
 * @property {readonly string[]} sent drafts that were sent and are not seen in a view yet, oldest first
 * @property {"dealt" | "rank" | "suit"} order
 * @property {boolean} toConfirm true once a key has placed the last card: the focus goes on to Confirm
 * @property {string} sure the offer that asks whether one is sure
 * @property {import("../protocol").Hinted | null} hint
 * @property {number} suggestion the one that is shown on the board
 * @property {string} begins what a retry that was asked for begins with
 * @property {readonly Ask[]} requests oldest first
 * @property {import("./countdown.js").Clocks} clocks
 * @property {readonly import("../people/said.js").Bubble[]} bubbles
 * @property {Toast} toast
 * @property {import("./sheets.js").Sheet | null} sheet
 * @property {Record<string, string>} people what those are called whose ids records hold, as far as the bot has told
 * @property {import("./draft.js").Row | ""} pays the row whose table is shown
 * @property {boolean} seen true while the seen cards are shown
 * @property {boolean} menu true while the menu is open in a browser without popovers
 * @property {import("./ended.js").Ended | null} ended the last hand of the table, as it ended
 * @property {import("./streets.js").Boards} earlier the boards of the running hand that were seen, oldest first
 * @property {number} street the street that is looked at, counted from 1; 0 for none
 * @property {import("../analysis/position.js").Analysis} [analysis] the position that is assembled
 * @property {string} chance a random name for what the last message asks
 * @property {readonly Deed[]} todo what the last message has the page do
 */

/** @typedef {{ type: string, at: number, chance: string }} Stamped every message has its time and a random name for what it may ask */

/**
 * @template {{}} M
 * @typedef {(state: State, message: M & Stamped) => State} Act
 */

/** @type {State} */
export const START = {
  words: {}, cards: {}, hands: {}, language: "en", now: 0, ahead: 0, home: "", overlay: false, all: false, wishes: {},
  view: null, named: "", table: 0, shared: false, asleep: false,
  turn: "", draft: null, drafted: null, left: {}, sent: [], order: "dealt", toConfirm: false,
  sure: "", hint: null, suggestion: 0, begins: "", requests: [],
  clocks: {}, bubbles: [], toast: { text: "", how: "", shown: false, until: 0 }, sheet: null, people: {}, pays: "", seen: false, menu: false, ended: null, earlier: [], street: 0, chance: "", todo: [],
};

/** @type {Record<string, Act<any>>} */
const ACTS = { ...connectionActs, ...endedActs, ...heardActs, ...lookingActs, ...placingActs, ...requestActs, ...sheetActs, ...streetActs, ...toldActs };

/**
 * Parts that are loaded later bring acts of their own; until then nothing comes of theirs.
 * @param {Record<string, Act<any>>} acts
 */
export const bringActs = (acts) => void Object.assign(ACTS, acts);

/**
 * @param {State} state
 * @param {{ type: string, at: number, chance: string } & Record<string, any>} message
 * @returns {State}
 */
export function next(state, message) {
  const then = { ...state, now: message.at + state.ahead, chance: message.chance, todo: [] };
  const made = ACTS[message.type]?.(then, message) ?? then;
  // What is heard may concern a part that was loaded later as well.
  return ACTS[`${message.sent?.type}Heard`]?.(made, message) ?? made;
}
