import assert from "node:assert/strict";
import { test } from "node:test";
import { lettersOf } from "../../../page/state/draft.js";
import { drafted, mine, Page, seat, view } from "./table.mjs";

const letters = ({ state }) => lettersOf(state.draft);
const put = (page, rows) => [...rows].forEach((row) => page.say("put", { row }));

test("cards go where a row is tapped, in the order dealt, and each is sent and said", () => {
  const page = Page.at();
  put(page, "FMB");
  assert.equal(letters(page), "FMB..");
  assert.deepEqual(page.sent().map((one) => one.letters), ["F....", "FM...", "FMB.."]);
  assert.deepEqual(page.said(), ["A of h to Front", "K of d to Middle", "Q of c to Back"]);
});

test("a full row takes no card and says so until the next act", () => {
  const page = Page.at();
  put(page, "FFFF");
  assert.equal(letters(page), "FFF..");
  assert.deepEqual([page.state.toast.text, page.state.toast.shown], ["Front is full", true]);
  put(page, "M");
  assert.equal(page.state.toast.shown, false);
});

test("the card that is chosen goes first, and an arrow chooses another", () => {
  const page = Page.at();
  page.say("tap", { place: 3 });
  put(page, "B");
  assert.equal(letters(page), "...B.");
  page.say("step", { by: 1 });
  assert.equal(page.state.draft.chosen, 0);
  assert.deepEqual(page.done.at(-1), { do: "focus", on: '[data-key="card-0"]' });
  page.say("step", { by: -1 });
  assert.equal(page.state.draft.chosen, 4);
});

test("a card that is tapped on the board comes back and is chosen", () => {
  const page = Page.at();
  put(page, "FM");
  page.say("tap", { place: 0 });
  assert.equal(letters(page), ".M...");
  assert.equal(page.state.draft.chosen, 0);
});

test("undo takes the last card, clear all of them", () => {
  const page = Page.at();
  put(page, "FMB");
  page.say("undo");
  assert.equal(letters(page), "FM...");
  page.say("clear");
  assert.equal(letters(page), ".....");
  page.done = [];
  page.say("undo");
  page.say("clear");
  assert.deepEqual(page.done, []);
});

test("with two of three placed another card takes the place of the last one", () => {
  const page = Page.at(view({ mine: mine(["Ah", "Kd", "Qc"]) }));
  put(page, "FM");
  page.say("tap", { place: 2 });
  put(page, "B");
  assert.equal(letters(page), "F.B");
});

test("a card that is dropped on another changes places with it where there is no room", () => {
  const page = Page.at();
  put(page, "FFF");
  page.say("drop", { place: 3, row: "F", other: 1 });
  assert.equal(letters(page), "F.FF.");
  page.say("drop", { place: 1, row: "M", other: null });
  assert.equal(letters(page), "FMFF.");
});

test("the last row of a whole board fills itself", () => {
  const cards = [..."23456789TJQKA"].map((rank) => `${rank}h`);
  const page = Page.at(view({ mine: mine(cards, { to_place: 13 }) }));
  put(page, "FFFMMMMM");
  assert.match(letters(page), /^[FMB]{13}$/);
  assert.equal(page.state.draft.order.length, 13);
});

test("what lies on the board already takes its room", () => {
  const page = Page.at(view({ mine: mine(["Ah", "Kd", "Qc"]), seats: [seat("Alice", { you: true, rows: [["2c", "2d"], [], []] }), seat("Bob")] }));
  put(page, "FF");
  assert.equal(letters(page), "F..");
});

test("Confirm asks once, for the draft that was answered, and says what is missing before", () => {
  const page = Page.at(view({ mine: mine(["Ah", "Kd", "Qc"]) }));
  page.say("confirm");
  assert.equal(page.state.toast.text, "2 more");
  put(page, "FM");
  page.say("confirm");
  assert.deepEqual(page.sent("intent"), [], "nothing is known of this draft yet");
  page.hear(drafted("FMD", { confirm: { verb: "confirm", label: "Confirm", ready: true, danger: false } }));
  page.say("confirm");
  page.say("confirm");
  const [intent, ...more] = page.sent("intent");
  assert.deepEqual(more, []);
  assert.deepEqual({ ...intent, id: "" }, { type: "intent", id: "", verb: "confirm", table: 1, turn: "t1", letters: "FM." });
});

test("a key on a card leads the focus on, and behind the last card to Confirm", () => {
  const page = Page.at();
  for (const row of "FFMM") page.say("put", { row, onCard: true });
  assert.equal(page.state.toConfirm, false);
  page.say("put", { row: "B", onCard: true });
  assert.equal(page.state.toConfirm, true);
  page.say("undo");
  assert.equal(page.state.toConfirm, false);
});

test("nothing moves while one waits for the others", () => {
  const page = Page.at(view({ mine: mine(["Ah", "Kd", "Qc"], { draft: drafted("FMD", { verb: "take_back" }) }) }));
  page.say("put", { row: "B" });
  page.say("tap", { place: 0 });
  page.say("undo");
  page.say("step", { by: 1 });
  assert.deepEqual([letters(page), page.done], ["FM.", []]);
});
