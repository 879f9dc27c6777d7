import assert from "node:assert/strict";
import { test } from "node:test";
import { running, timeLeft } from "../../../page/state/countdown.js";
import { Page, seat, view } from "./table.mjs";

const found = (ask, more) => ({ type: "found", id: ask.id, what: ask.what, text: "", name: "", chapters: [], past: null, names: {}, ...more });
const RESULT = { title: "Hand 7", totals: ["+3"], notes: [], pairs: [] };
const BOARD = [["2c", "2d", "2h"], ["3c", "3d", "3h", "3s", "4c"], ["5c", "5d", "5h", "5s", "6c"]];
const step = (rows) => ({ title: "Street", seats: [seat("Alice", { rows })], value: [], better: null });
const PAST = { table: 1, hand: 7, title: "Hand 7", about: "", row_names: ["", "", ""], steps: [step([[], [], []]), step(BOARD)], result: RESULT, told: [], meanings: [], played: true, provable: false };

/** Ask for something that is read, and be answered. */
function read(page, what, more) {
  page.say("read", { what, hand: 7 });
  const ask = page.sent("read").at(-1);
  page.hear(found(ask, more));
  page.hear({ type: "answer", id: ask.id, outcome: "done", said: "", letters: "", hint: null, stream: "" });
}

test("the rules lie over their table alone", () => {
  const page = Page.at();
  read(page, "rules");
  assert.equal(page.state.sheet.kind, "rules");
  page.snapshot(view({ status: "Bob is on turn" }));
  assert.equal(page.state.sheet.kind, "rules");
  page.snapshot(view({ table: 2 }));
  assert.equal(page.state.sheet, null);
});

test("a result lasts as long as the table shows it", () => {
  const page = Page.at(view({ result: RESULT }));
  page.say("showResult");
  assert.deepEqual(page.state.sheet, { kind: "result", table: 1, result: RESULT });
  page.snapshot(view({ result: { ...RESULT, title: "Hand 8" } }));
  assert.equal(page.state.sheet, null);
});

test("a replay goes from step to step, and its review opens where one was", () => {
  const page = Page.at();
  read(page, "past", { past: PAST });
  assert.deepEqual([page.state.sheet.at, page.state.sheet.again], [0, true]);
  page.say("go", { to: -1 });
  assert.equal(page.state.sheet.at, 0);
  page.say("go", { to: 9 });
  assert.equal(page.state.sheet.at, 1);
  read(page, "review", { past: { ...PAST, told: [{ kind: "text", text: "Well done", mark: "", head: [], rows: [] }] } });
  assert.equal(page.state.sheet.at, 1);
  page.say("close");
  assert.equal(page.state.sheet, null);
});

test("a hand that was given up isn't tried again", () => {
  const page = Page.at();
  read(page, "past", { past: { ...PAST, steps: [step([[], [], []])] } });
  assert.equal(page.state.sheet.again, false);
});

test("what was found of a record is over once it changes, and so is what was found too late", () => {
  const page = Page.at();
  page.say("verify");
  const [first, second] = [{}, {}];
  page.say("check", { place: "record", mark: first });
  page.say("checked", { place: "record", mark: first, found: "right" });
  assert.equal(page.state.sheet.checks.record.found, "right");
  page.say("check", { place: "record", mark: second });
  page.say("checked", { place: "record", mark: first, found: "right" });
  assert.equal(page.state.sheet.checks.record.found, null);
});

test("files are saved, and links copied", () => {
  const page = Page.at();
  read(page, "file", { name: "hand.phh", text: "x" });
  assert.ok(page.done.some((deed) => deed.do === "save" && deed.name === "hand.phh"));
  read(page, "link", { text: "hand.1" });
  assert.ok(page.done.some((deed) => deed.do === "give" && deed.address.endsWith("#hand.1")));
});

test("a page that opens keeps its words and forgets its view", () => {
  const page = Page.at();
  page.say("put", { row: "F" });
  page.say("open", { language: "ja", table: 3, requests: [{ type: "read", id: "old-request", what: "rules", table: 3 }], shared: false, saved: false });
  const { words, view: seen, draft, table, requests, language } = page.state;
  assert.deepEqual([words.joint, seen, draft, table, requests.map(({ message }) => message.id), language], [", ", null, null, 3, ["old-request"], "en"]);
});

test("the link to a hand asks for it, and a saved page opens the check of records", () => {
  const page = Page.at();
  page.say("open", { language: "en", table: 0, requests: [], shared: true, saved: false });
  assert.deepEqual(page.sent("read").map(({ what, table, hand }) => [what, table, hand]), [["past", 0, 0]]);
  page.say("open", { language: "ja-JP", table: 0, requests: [], shared: false, saved: true });
  assert.deepEqual([page.state.sheet.kind, page.state.language], ["record", "ja-JP"]);
});

test("what is told in passing goes away, and trouble stays", () => {
  const page = Page.at();
  page.say("tell", { text: "Copied" });
  page.at += 5_900;
  page.say("tick");
  assert.equal(page.state.toast.shown, true);
  page.at += 200;
  page.say("tick");
  assert.equal(page.state.toast.shown, false);
  page.say("connected", { on: false });
  page.at += 60_000;
  page.say("tick");
  assert.deepEqual([page.state.toast.text, page.state.toast.shown], ["No connection", true]);
  page.say("connected", { on: true });
  assert.equal(page.state.toast.text, "Back");
});

test("clocks are full where they were seen first", () => {
  const clocks = running({}, [90_000, null], 30_000);
  assert.deepEqual(clocks, { 90000: 60_000 });
  assert.deepEqual(running(clocks, [90_000, 70_000], 60_000), { 90000: 60_000, 70_000: 10_000 });
  assert.deepEqual(running(clocks, [null], 60_000), {}, "those that have stopped are forgotten");
  assert.equal(timeLeft(61_000, "en"), "1:01");
});
