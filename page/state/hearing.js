// What each message of the bot makes of the state.

import { paused } from "./aloud.js";
import { newCalls } from "./calls.js";
import { running } from "./countdown.js";
import { say, tell, todo } from "./deeds.js";
import { begin, lettersOf, take } from "./draft.js";
import { endedBy } from "./ended.js";
import { newsOf } from "./news.js";
import { placeAll, sendDraft } from "./placing.js";
import { look } from "./requests.js";
import { lasting, pastSheet, recordSheet } from "./sheets.js";
import { drafts, hintNow, suggestedWithFacts } from "./shown.js";
import { boardsSeen } from "./streets.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Ask} Ask */
/** @typedef {import("../protocol").Sent} Sent */
/** @typedef {import("../protocol").View} View */
/** @template {{}} M @typedef {import("./state.js").Act<M>} Act */

/** @param {string} letters as the bot writes them, where a discard has a letter too */
const ownLetters = (letters) => letters.replaceAll("D", ".");

/**
 * One's own part of a view: a new draft for new cards, and for the same cards what was changed elsewhere.
 * @param {State} state
 * @param {View} seen
 * @returns {State}
 */
function seeOwn(state, seen) {
  const { draft, drafted, order } = state;
  const mine = seen.mine;
  const left = draft?.order.length && seen.table !== state.view?.table ? { ...state.left, [state.turn]: lettersOf(draft) } : state.left;
  if (!mine) return { ...state, left, draft: null, drafted: null, turn: "", toConfirm: false };
  if (mine.turn !== state.turn || !draft) {
    /** @type {State} */
    const begun = {
      ...state, left, turn: mine.turn, sent: [], draft: begin(mine, seen.seats[0].rows), drafted: mine.draft, sure: "", toConfirm: false,
      order: mine.whole ? (order === "suit" ? "suit" : "rank") : "dealt",
    };
    // The bot keeps no drafts of private tables.
    const before = begun.draft?.order.length ? "" : left[mine.turn];
    return before && begun.draft ? sendDraft({ ...begun, view: seen, draft: take(begun.draft, before) }) : begun;
  }
  // Drawn elsewhere, such as on the panel beside this page, unless it is what was moved here a moment ago.
  const own = state.sent.indexOf(ownLetters(mine.draft.letters));
  const elsewhere = mine.draft.letters !== state.view?.mine?.draft.letters && own < 0;
  const after = { ...state, sent: elsewhere ? [] : state.sent.slice(own + 1), draft: elsewhere ? take(draft, mine.draft.letters) : draft };
  if (elsewhere || drafted?.letters === mine.draft.letters) return { ...after, drafted: mine.draft };
  if (!drafted || drafted.confirm.verb === mine.draft.confirm.verb) return after;
  // It's one's turn by now, say: what a press would do is another thing, which is asked for anew.
  return sendDraft({ ...after, view: seen, drafted: { ...drafted, letters: "", asked: mine.draft.asked, confirm: { ...mine.draft.confirm, ready: false } } });
}

/**
 * @param {State} state
 * @param {View} seen
 */
function see(state, seen) {
  const before = state.view;
  const own = seeOwn(state, seen);
  const after = { ...own, view: seen, table: seen.table, sheet: lasting(own.sheet, seen), clocks: running(own.clocks, [seen.until, ...[seen, ...seen.event?.boards ?? seen.beside ?? []].flatMap(({ seats }) => seats.map(({ until }) => until))], own.now), ended: endedBy(own, before, seen), earlier: boardsSeen(own.earlier, before, seen), street: 0 };
  const called = before && ((seen.yours && !before.yours) || newCalls(seen.tables, before.tables).length);
  const news = newsOf(after, before, seen);
  const told = called ? todo(after, { do: "call" }) : after;
  return news ? say(told, news) : told;
}

/**
 * The bot may know nothing of the other tables that were asked for.
 * @param {State} state
 * @param {View} seen
 */
const seeOthers = (state, seen) => (state.all && seen.watches && seen.others && !seen.event ? look(state) : state);

/**
 * What was moved while nobody heard it is told now.
 * @param {State} state
 */
function catchUp(state) {
  const { draft, drafted, todo } = state;
  if (todo.some((deed) => deed.do === "send")) return state;
  return draft && drafts(state) && lettersOf(draft) !== ownLetters(drafted?.letters ?? "") ? sendDraft(state) : state;
}

/**
 * @param {State} state
 * @param {number} now
 * @param {number} at
 */
const inTime = (state, now, at) => ({ ...state, now, ahead: now - at });

/**
 * @param {State} state
 * @param {import("../protocol").Drafted} message
 */
function drafted(state, message) {
  if (!state.draft || message.turn !== state.turn) return state;
  const after = { ...state, drafted: message };
  const news = message.warning !== state.drafted?.warning && ownLetters(message.letters) === lettersOf(state.draft);
  return news ? say(after, message.warning) : after;
}

/**
 * @param {State} state
 * @param {import("../protocol").Answer} message
 * @param {Ask} [ask]
 */
function answered(state, message, ask) {
  const wanted = ask?.message.type === "intent" ? ask.message : null;
  let after = state.toast.how ? { ...state, toast: { ...state.toast, shown: false } } : state;
  // What comes too late for its cards is about nothing that is to be seen.
  const over = wanted !== null && (wanted.table !== state.view?.table || wanted.turn !== state.turn);
  if (wanted?.verb === "arrange" && message.letters && state.draft && !over) after = sendDraft({ ...after, draft: take(state.draft, message.letters) });
  if (message.hint) {
    after = { ...after, hint: message.hint, suggestion: 0 };
    const hint = hintNow(after);
    if (hint) after = say(after, paused(after, [hint.title, ...hint.placements.map((_, number) => suggestedWithFacts(after, hint, number)), hint.note]));
  }
  if (message.stream) {
    const address = `${state.home}?overlay${state.view?.table ? `&table=${state.view.table}` : ""}#${message.stream}`;
    after = { ...after, sheet: { kind: "stream", address, said: wanted?.verb === "stream_renew" ? state.words.stream_renewed : "" } };
  }
  if (message.puzzles && after.sheet?.kind === "puzzles") after = { ...after, sheet: { ...after.sheet, choices: message.puzzles } };
  if (wanted?.verb === "stream_end" && message.outcome === "done") after = { ...after, sheet: null };
  // Where the terms have changed, those that hold now are shown.
  if (wanted?.verb === "join" && after.sheet?.kind === "terms") after = { ...after, sheet: { ...after.sheet, offer: after.view?.offers.find(({ verb }) => verb === "join") ?? after.sheet.offer } };
  if (wanted?.verb === "retry") {
    if (message.outcome === "done" && state.begins) after = placeAll(after, state.begins);
    after = { ...after, begins: "" };
  }
  return message.said ? tell(after, message.said) : after;
}

/**
 * @param {State} state
 * @param {import("../protocol").Found} message
 * @param {Ask} [ask]
 * @returns {State}
 */
function found(state, message, ask) {
  const { view, words } = state;
  const table = ask?.message.table ?? 0;
  if (message.what === "rules") return view && table !== view.table ? state : { ...state, sheet: { kind: "rules", table, chapters: message.chapters } };
  if (message.past) return { ...state, sheet: pastSheet(message.past, ask?.start ?? 0) };
  switch (message.what) {
    case "file":
      return todo(state, { do: "save", name: message.name, text: message.text });
    case "record":
      return { ...state, sheet: recordSheet(message.text), people: { ...state.people, ...message.names } };
    case "link":
      return todo(state, { do: "give", address: `${state.home}#${message.text}`, said: words.shared });
    case "puzzles":
      return message.puzzles ? { ...state, sheet: { kind: "puzzles", choices: message.puzzles } } : state;
    case "invite":
      return todo(state, { do: "give", address: message.text, said: words.invited });
    default:
      return state;
  }
}

/**
 * @param {State} state
 * @param {Sent} sent
 * @param {number} at
 * @param {Ask} [ask] the request that it's about
 * @returns {State}
 */
function hear(state, sent, at, ask) {
  switch (sent.type) {
    case "words":
      return { ...state, words: sent.words, cards: sent.cards, hands: sent.hands, language: sent.language };
    case "snapshot":
      return catchUp(seeOthers(see({ ...inTime(state, sent.now, at), named: sent.state }, sent.view), sent.view));
    case "change": {
      const then = { ...inTime(state, sent.now, at), named: sent.state };
      if (!state.view) return then;
      const seen = { ...state.view, ...sent.parts };
      const after = see(then, seen);
      // The table before may have had no others to look at.
      return seen.table !== state.view.table && !seen.beside?.length ? seeOthers(after, seen) : after;
    }
    case "current":
      return catchUp(inTime(state, sent.now, at));
    case "drafted":
      return drafted(state, sent);
    case "working":
      return ask ? tell(state, state.words.working, "lasting") : state;
    case "answer":
      return answered({ ...state, requests: state.requests.filter((one) => one !== ask) }, sent, ask);
    case "found":
      return found(state, sent, ask);
    case "bye":
      // An end that was meant is no fault: the page is asleep, or its link no longer works.
      return tell({ ...state, asleep: !sent.again }, sent.said, sent.again ? "trouble" : "lasting");
    default:
      return state;
  }
}

export const heardActs = {
  /** @type {Act<{ sent: Sent }>} */
  heard: (state, { sent, at }) => hear(state, sent, at, "id" in sent ? state.requests.find(({ message }) => message.id === sent.id) : undefined),
};
