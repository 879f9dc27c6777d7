import assert from "node:assert/strict";
import { test } from "node:test";
import { lettersOf } from "../../../page/state/draft.js";
import { hintNow } from "../../../page/state/shown.js";
import { drafted, mine, Page, seat, view } from "./table.mjs";

const letters = ({ state }) => lettersOf(state.draft);
const withDraft = (given, more) => view({ mine: mine(["Ah", "Kd", "Qc", "Js", "Th"], { draft: drafted(given, more) }) });
const answer = (ask, more = {}) => ({ type: "answer", id: ask.id, outcome: "done", said: "", letters: "", hint: null, stream: "", ...more });

test("a view with one's own draft changes nothing, and one drawn elsewhere is taken over", () => {
  const page = Page.at();
  for (const row of "FM") page.say("put", { row });
  page.snapshot(withDraft("F...."));
  assert.equal(letters(page), "FM...", "an echo of what was moved here a moment ago");
  page.snapshot(withDraft("BBB.."));
  assert.equal(letters(page), "BBB..", "moved on the panel beside this page");
});

test("new cards begin a new draft", () => {
  const page = Page.at();
  page.say("put", { row: "F" });
  page.say("offer", { offer: { verb: "surrender", label: "Give up", text: "Sure?", sure: "Yes", turn: "t1" } });
  assert.equal(page.state.sure, "surrender");
  page.snapshot(view({ mine: mine(["2c", "3c", "4c"], { turn: "t2", draft: drafted("...", { turn: "t2" }) }) }));
  assert.deepEqual([letters(page), page.state.turn, page.state.sure, page.state.order], ["...", "t2", "", "dealt"]);
});

test("a draft is there again after a look at another table, even if the bot has kept none", () => {
  const page = Page.at();
  page.say("put", { row: "F", onCard: false });
  page.say("put", { row: "B", onCard: false });
  page.snapshot(view({ table: 2, mine: mine(["2c", "3c", "4c"], { turn: "t9" }) }));
  page.say("put", { row: "M", onCard: false });
  page.snapshot(view({ table: 3, mine: null, watches: true }));
  assert.equal(page.state.draft, null);
  page.done = [];
  page.snapshot(view());
  assert.deepEqual([page.state.draft.places.join(""), page.sent("draft").map(({ letters }) => letters)], ["FB...", ["FB..."]]);
  page.snapshot(view({ table: 2, mine: mine(["2c", "3c", "4c"], { turn: "t9" }) }));
  assert.equal(page.state.draft.places.join(""), "M..");
  page.snapshot(view({ mine: mine(["5c", "6c", "7c"], { turn: "t2" }) }));
  assert.equal(page.state.draft.places.join(""), "...", "other cards");
  page.snapshot(view({ table: 2, mine: mine(["2c", "3c", "4c"], { turn: "t9", draft: drafted("B..") }) }));
  assert.equal(page.state.draft.places.join(""), "B..", "what the bot has kept is newer");
});

test("an answer to an older draft leaves Confirm waiting, and one to older cards is no answer", () => {
  const page = Page.at();
  for (const row of "FM") page.say("put", { row });
  page.hear(drafted("F....", { warning: "Foul" }));
  assert.deepEqual(page.said().includes("Foul"), false);
  page.hear(drafted("FM...", { warning: "Careful" }));
  assert.equal(page.said().at(-1), "Careful");
  const before = page.state.drafted;
  page.hear(drafted("BB...", { turn: "t0" }));
  assert.equal(page.state.drafted, before);
});

test("where a press would do something else by now, the draft is asked for anew", () => {
  const page = Page.at(withDraft(".....", { verb: "ahead" }));
  for (const row of "FFMMB") page.say("put", { row });
  page.hear(drafted("FFMMB", { verb: "ahead" }));
  page.done = [];
  page.snapshot(withDraft("FFMM.", { verb: "confirm" }));
  assert.equal(page.state.drafted.confirm.ready, false);
  assert.deepEqual(page.sent("draft").map((one) => one.letters), ["FFMMB"]);
});

test("after a lost connection what was moved meanwhile is told", () => {
  const page = Page.at();
  page.say("put", { row: "F" });
  page.done = [];
  page.hear({ type: "current", now: page.at });
  assert.deepEqual(page.sent("draft").map((one) => one.letters), ["F...."]);
});

test("a change replaces parts of the view and keeps its name", () => {
  const page = Page.at();
  page.hear({ type: "change", now: page.at + 5_000, state: "s2", parts: { status: "Bob is on turn" } });
  assert.deepEqual([page.state.view.status, page.state.view.title, page.state.named, page.state.ahead], ["Bob is on turn", "Table 1", "s2", 5_000]);
  assert.deepEqual(page.said(), ["Bob is on turn"]);
});

test("what others have placed is said row by row, and one's turn is called", () => {
  const page = Page.at();
  const bob = seat("Bob", { rows: [["2c"], [], ["Kh", "Ks"]], latest: ["2c", "Kh"] });
  page.snapshot(view({ yours: true, seats: [seat("Alice", { you: true }), bob], mine: view().mine }));
  assert.deepEqual(page.said(), ["Bob. Front: 2 of c. Back: K of h"]);
  assert.ok(page.done.some((deed) => deed.do === "call"));
});

test("a request is answered once, and asked again only then", () => {
  const page = Page.at();
  page.say("want", { verb: "hint" });
  page.say("want", { verb: "hint" });
  const [ask, ...more] = page.sent("intent");
  assert.deepEqual(more, []);
  page.hear({ type: "working", id: ask.id });
  assert.deepEqual([page.state.toast.text, page.state.toast.how], ["Thinking", "lasting"]);
  const hint = { turn: "t1", title: "Two ways", placements: [{ letters: "FFMMB", facts: "best" }, { letters: "MMMBB", facts: "less" }], note: "" };
  page.hear(answer(ask, { hint }));
  assert.deepEqual([page.state.requests, page.state.toast.shown, hintNow(page.state)], [[], false, hint]);
  assert.match(page.said().at(-1), /^Two ways\. Choice 1\. Front: A of h, K of d\./);
  page.say("placeAll", { letters: "MMMBB" });
  assert.equal(letters(page), "MMMBB");
  page.snapshot(view({ mine: mine(["2c", "3c", "4c"], { turn: "t2" }) }));
  assert.equal(hintNow(page.state), null, "it is over with its cards");
});

test("an arrangement that comes too late for its cards is not placed", () => {
  for (const [turn, expected] of [["t1", "FFMMB"], ["t2", "....."]]) {
    const page = Page.at();
    page.say("want", { verb: "arrange" });
    const [ask] = page.sent("intent");
    page.snapshot(view({ mine: mine(["Ah", "Kd", "Qc", "Js", "Th"], { turn, draft: drafted(".....", { turn }) }) }));
    page.hear(answer(ask, { letters: "FFMMB" }));
    assert.equal(letters(page), expected);
  }
});

test("a retry begins with the placement that it was asked for", () => {
  const page = Page.at(view({ mine: null }));
  page.say("retry", { table: 1, hand: 7, from: 0, letters: "FFMMB" });
  const [ask] = page.sent("intent");
  assert.equal(ask.turn, "7.0");
  page.snapshot(view());
  page.hear(answer(ask));
  assert.deepEqual([letters(page), page.state.begins], ["FFMMB", ""]);
});

test("the bot's goodbye puts the page to sleep, and a press opens it again", () => {
  const page = Page.at();
  page.hear({ type: "bye", said: "Over", again: false, to: "" });
  assert.deepEqual([page.state.asleep, page.state.toast.how], [true, "lasting"]);
  page.say("wake");
  assert.deepEqual(page.done.at(-1), { do: "reopen" });
});

test("an end that was meant is told calmly, and a fault is not", () => {
  for (const [again, how] of [[false, "lasting"], [true, "trouble"]]) {
    const page = Page.at();
    page.hear({ type: "bye", said: "That was it.", again, to: "" });
    assert.deepEqual([page.state.toast.how, page.state.toast.text, page.state.toast.shown, page.state.asleep], [how, "That was it.", true, !again]);
  }
});
