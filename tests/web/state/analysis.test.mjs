import assert from "node:assert/strict";
import { test } from "node:test";
import { bringActs } from "../../../page/state/state.js";
import { analysisActs } from "../../../page/analysis/assembling.js";
import { textOf } from "../../../page/analysis/position.js";
import { Page, view } from "./table.mjs";

bringActs(analysisActs);

const game = (name, more = {}) => ({ game: name, label: name, row_names: ["Front", "Middle", "Back"], decks: 1, jokers: 0, opponents: 2, fantasyland: [14], discards: true, open_discards: false, ...more });
const GAMES = [game("pineapple"), game("jokers", { jokers: 2 }), game("double", { decks: 2, opponents: 1 }), game("plain", { fantasyland: [], discards: false })];
const LABELS = {
  held: "To place", discards: "Discards", opponent: "Opponent {number}", opponent_discards: "Their discards", opponent_pile: "{opponent}, {place}",
  taken_back: "{card} back. Next: {place}", full: "{full} full. Next: {place}", cleared: "All back.",
  dropped: "Back: {cards}.", unfit: "Not here: {what}.", in_fantasyland: "Fantasyland {count}",
};
const SECOND = "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs";
const board = (rows, more = {}) => ({ rows, discards: [], fantasyland: 0, ...more });
const READ = { own: board([["Kd"], ["7c", "7d"], ["As", "Ks"]]), held: ["Qh", "Qs", "2c"], opponents: [board([["Ah"], ["9c", "9d"], ["Js", "Ts"]])] };
const assembled = (position, more = {}) => ({ type: "assembled", game: "pineapple", position, text: position, ready: false, said: "", read: null, ...more });
const PLACEMENTS = ["DBM", "FBD"].map((letters, at) => ({ name: `No. ${at + 1}`, letters, hands: ["", "", ""], numbers: [`+${5 - at}`] }));
const found = (position, more = {}) => ({ game: "pineapple", position, title: "Compared", numbers: ["Points"], placements: PLACEMENTS, told: ["It leads."], deeper: true, ...more });

/** A page whose sheet is open, with games to choose from. */
function open(given = "") {
  const page = Page.at(view());
  page.say("analyse", { given });
  page.say("beginAnalysis");
  const [read] = page.sent("read");
  page.hear({ type: "found", id: read.id, what: "analysis", analysis: { games: GAMES, game: "pineapple", labels: LABELS } });
  page.hear({ type: "answer", id: read.id, outcome: "done", said: "" });
  return page;
}

const text = (page) => textOf(page.state.analysis);
const pick = (page, ...codes) => codes.forEach((code) => page.say("pick", { code }));

/** A page with the second street's position, which the bot calls complete. */
function complete() {
  const page = open();
  page.say("typePosition", { text: SECOND });
  page.hear(assembled(SECOND, { ready: true, said: "Complete.", read: READ }));
  page.done = [];
  return page;
}

test("the games are read once the sheet is open, and the empty position is checked", () => {
  const page = open();
  assert.deepEqual(page.sent("assemble"), [{ type: "assemble", game: "pineapple", position: "// +" }]);
  assert.equal(page.state.requests.length, 0);
});

test("cards go where cards go now, each with one message, and come back with a second tap", () => {
  const page = open();
  page.done = [];
  pick(page, "Qh", "Qs");
  page.say("aim", { board: 0, pile: "F" });
  pick(page, "Kd");
  assert.equal(text(page), "Kd// +QhQs");
  assert.deepEqual(page.sent().map(({ type, position }) => [type, position]), [["assemble", "// +Qh"], ["assemble", "// +QhQs"], ["assemble", "Kd// +QhQs"]]);
  pick(page, "Qh");
  assert.equal(text(page), "Kd// +Qs");
  page.say("takeBack", { board: 0, pile: "held", number: 0 });
  assert.equal(text(page), "Kd// +");
  assert.deepEqual(page.state.analysis.into, { board: 0, pile: "held" });
});

test("behind a full row come the next row with room, and then the cards to place", () => {
  const page = open();
  page.say("aim", { board: 0, pile: "F" });
  pick(page, "As", "Ks", "Qs", "2h", "3h", "4h", "5h", "6h", "2c", "3c", "4c", "5c", "7d", "Jd");
  assert.equal(text(page), "AsKsQs/2h3h4h5h6h/2c3c4c5c7d +Jd");
});

test("the next card goes where one was taken back, from the deck or the board, and that is said", () => {
  const page = open();
  page.say("addOpponent");
  pick(page, "Qh", "Ts");
  page.say("aim", { board: 0, pile: "B" });
  pick(page, "Qh");
  assert.deepEqual(page.state.analysis.into, { board: 1, pile: "F" });
  assert.equal(page.state.analysis.note, "Q♥ back. Next: Opponent 1, Front");
  page.done = [];
  page.hear(assembled(text(page), { said: "More." }));
  assert.deepEqual(page.said(), ["Q of h back. Next: Opponent 1, Front. More"]);
  page.hear(assembled(text(page), { said: "More." }));
  assert.equal(page.said().length, 1);
  page.say("takeBack", { board: 1, pile: "F", number: 0 });
  assert.equal(page.state.analysis.note, "10♠ back. Next: Opponent 1, Front");
  page.hear(assembled(text(page), { said: "More." }));
  assert.equal(page.said().at(-1), "T of s back. Next: Opponent 1, Front");
  pick(page, "2c");
  assert.equal(page.state.analysis.note, "");
  assert.equal(text(page), "// + vs 2c//");
});

test("a full row says where the next cards go, and takes no more", () => {
  const page = open();
  page.say("aim", { board: 0, pile: "F" });
  pick(page, "As", "Ks", "Qs");
  assert.equal(page.state.analysis.note, "Front full. Next: Middle");
  page.say("aim", { board: 0, pile: "F" });
  pick(page, "2c");
  assert.equal(text(page), "AsKsQs/2c/ +");
  assert.equal(page.state.analysis.note, "Front full. Next: Middle");
  pick(page, "3c");
  assert.equal(page.state.analysis.note, "");
});

test("boards that were emptied come back until the next change", () => {
  const page = open();
  page.say("emptyPosition");
  assert.equal(page.state.analysis.before, null, "nothing was there");
  pick(page, "Qh");
  page.say("addOpponent");
  page.say("emptyPosition");
  assert.equal(text(page), "// +");
  assert.equal(page.state.analysis.note, "All back.");
  page.say("undoLost");
  assert.equal(text(page), "// +Qh vs //");
  page.say("emptyPosition");
  pick(page, "2c");
  assert.equal(page.state.analysis.before, null);
});

test("a deck that has a card twice gives it twice, and a third tap takes one back", () => {
  const page = open();
  page.say("pickGame", { game: "double" });
  pick(page, "As", "As");
  assert.equal(text(page), "// +AsAs");
  pick(page, "As");
  assert.equal(text(page), "// +As");
});

test("another game keeps the cards that it has room for", () => {
  const page = open();
  page.say("pickGame", { game: "jokers" });
  pick(page, "X1", "X2", "Ah");
  page.say("aim", { board: 0, pile: "discards" });
  pick(page, "2c");
  page.say("addOpponent");
  page.say("toFantasyland", { board: 1, count: 14 });
  page.say("addOpponent");
  assert.equal(text(page), "// +X1X2Ah -2c vs @14 //");
  page.say("pickGame", { game: "plain" });
  assert.equal(text(page), "// +Ah vs // //");
  assert.equal(page.state.analysis.note, "Not here: 🃏, 🃏, 2♣, Fantasyland 14.");
  page.say("undoLost");
  assert.equal(text(page), "// +X1X2Ah -2c vs @14 //");
  assert.equal(page.state.analysis.game, "jokers");
  page.say("pickGame", { game: "double" });
  assert.equal(page.state.analysis.note, "Not here: 🃏, 🃏, Opponent 2.");
  page.say("undoLost");
  page.say("pickGame", { game: "plain" });
  page.say("removeOpponent", { board: 1 });
  page.say("emptyPosition");
  assert.equal(text(page), "// +");
});

test("in Fantasyland one's own board isn't seen, and the cards to place stay", () => {
  const page = open();
  pick(page, "Qh");
  page.say("aim", { board: 0, pile: "F" });
  pick(page, "Kd");
  page.say("toFantasyland", { board: 0, count: 14 });
  assert.equal(text(page), "@14 +Qh");
  assert.equal(page.state.analysis.note, "Back: K♦.");
  page.say("undoLost");
  assert.equal(text(page), "Kd// +Qh");
});

test("a typed position is read by the bot; one that can't be read stays as it was typed", () => {
  const page = open();
  page.say("typePosition", { text: "K♦/7c" });
  page.hear(assembled("K♦/7c", { text: "", said: "That isn't a board." }));
  assert.equal(page.state.analysis.typed, "K♦/7c");
  assert.equal(page.state.analysis.said, "That isn't a board.");
  assert.equal(page.said().at(-1), "That isn't a board.");
  page.say("typePosition", { text: SECOND });
  page.hear(assembled("K♦/7c", { ready: true }));
  assert.equal(page.state.analysis.ready, false, "that's about another text");
  page.hear(assembled(SECOND, { ready: true, said: "Complete.", read: READ }));
  assert.equal(page.state.analysis.typed, null);
  assert.equal(text(page), SECOND);
});

test("a link's game and position are there at once, and are analysed", () => {
  const page = open(`jokers ${SECOND}`);
  assert.deepEqual(page.sent("assemble").at(-1), { type: "assemble", game: "jokers", position: SECOND });
  page.hear({ ...assembled(SECOND, { ready: true, read: READ }), game: "jokers" });
  assert.equal(text(page), SECOND);
  assert.deepEqual(page.sent("intent").map(({ verb, game, position }) => [verb, game, position]), [["analyse", "jokers", SECOND]]);
});

test("one press asks once, and the best placement is said with the lead", () => {
  const page = complete();
  page.say("analysePosition", { deeper: false });
  page.say("analysePosition", { deeper: false });
  const [intent, ...others] = page.sent("intent");
  assert.equal(others.length, 0);
  assert.deepEqual([intent.verb, intent.game, intent.position], ["analyse", "pineapple", SECOND]);
  page.hear({ type: "answer", id: intent.id, outcome: "done", said: "", analysis: found(SECOND) });
  assert.equal(page.state.analysis.found.placements.length, 2);
  assert.deepEqual(page.said(), ["It leads. No. 1. Middle: 2 of c. Back: Q of s. Discard: Q of h. Points: +5"]);
  page.say("flipAnalysed", { number: 1 });
  assert.equal(page.said().at(-1), "No. 2. Front: Q of h. Back: Q of s. Discard: 2 of c. Points: +4");
  page.say("analysePosition", { deeper: true });
  assert.equal(page.sent("intent").at(-1).verb, "analyse_deeper");
});

test("a refusal stays until the position changes, and nothing is lost", () => {
  const page = complete();
  page.say("analysePosition", { deeper: false });
  const [intent] = page.sent("intent");
  page.hear({ type: "answer", id: intent.id, outcome: "refused", said: "That's your hand.", analysis: null });
  assert.equal(page.state.analysis.refused, "That's your hand.");
  assert.equal(page.state.toast.shown, false);
  assert.deepEqual(page.said(), ["That's your hand."]);
  assert.equal(text(page), SECOND);
  pick(page, "2c");
  assert.equal(page.state.analysis.refused, "");
});

test("an answer about a position that was changed meanwhile isn't shown", () => {
  const page = complete();
  page.say("analysePosition", { deeper: false });
  const [intent] = page.sent("intent");
  pick(page, "3c");
  page.hear({ type: "answer", id: intent.id, outcome: "done", said: "", analysis: found(SECOND) });
  assert.equal(page.state.analysis.found, null);
});

test("what was assembled outlasts the sheet and the connection", () => {
  const page = complete();
  page.say("close");
  page.say("open", { language: "en", table: 0, requests: [], shared: false, saved: false });
  page.say("analyse");
  page.say("beginAnalysis");
  assert.equal(text(page), SECOND);
  page.done = [];
  page.snapshot(view());
  assert.deepEqual(page.sent("assemble").map(({ position }) => position), [SECOND]);
});
