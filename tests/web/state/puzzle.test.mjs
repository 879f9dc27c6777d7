import assert from "node:assert/strict";
import { test } from "node:test";
import { lettersOf } from "../../../page/state/draft.js";
import { heard } from "../../../page/state/aloud.js";
import { bringActs } from "../../../page/state/state.js";
import { ofTheMenu } from "../../../page/state/shown.js";
import { flipActs, flippedTo } from "../../../page/puzzle/flip.js";
import { drafted, mine, Page, seat, view } from "./table.mjs";

bringActs(flipActs);

const CARDS = ["Ah", "Kd", "Qc"];
const LETTERS = ["FMD", "DFM", "BDB"];
const puzzle = (solution = null) => ({ solution, off: [] });
const SOLUTION = {
  right: false, title: "Compared", numbers: ["Points", "Foul"], told: [],
  placements: LETTERS.map((letters, number) => ({ name: `No. ${number + 1}`, own: number === 1 ? "yours" : "", letters, numbers: [`+${3 - number}`, "10%"] })),
};
const own = (more) => mine(CARDS, { whole: false, ...more });
const asked = () => view({ table: 0, puzzle: puzzle(), status: "Which one?", mine: own({ turn: "p.0" }), seats: [seat("You", { you: true })] });
const solved = () => view({
  table: 0, puzzle: puzzle(SOLUTION), status: "That costs 1 point\nIt fouls.", seats: [seat("You", { you: true })],
  mine: own({ turn: "p.answer1", draft: drafted("FMD", { turn: "p.answer1", verb: "" }) }),
});
const letters = ({ state }) => lettersOf(state.draft);

/** A page that has answered a puzzle with the second placement. */
function answered() {
  const page = Page.at(asked());
  [..."FM"].forEach((row, place) => page.say("drop", { place: place + 1, row, other: null }));
  page.hear(drafted(".FM".replaceAll(".", "D"), { turn: "p.0" }));
  page.say("confirm");
  page.snapshot(solved());
  return page;
}

test("confirm answers with the cards as they lie, at no table", () => {
  const page = answered();
  const [intent] = page.sent("intent");
  assert.deepEqual([intent.verb, intent.table, intent.turn, intent.letters], ["confirm", 0, "p.0", ".FM"]);
});

test("the solution puts the best placement on the board, whatever lay there", () => {
  const page = answered();
  assert.equal(letters(page), "FM.");
  assert.equal(flippedTo(page.state), 0);
  assert.ok(page.said().at(-1).startsWith("That costs 1 point"));
  assert.ok(!page.said().at(-1).includes("Your cards"), "they are known by then");
});

test("placements are flipped through, and each is said with its numbers", () => {
  const page = answered();
  page.done = [];
  page.say("flip", { number: 1 });
  assert.equal(letters(page), ".FM");
  assert.equal(flippedTo(page.state), 1);
  assert.deepEqual(page.said(), ["No. 2. yours. Front: K of d. Middle: Q of c. Discard: A of h. Points: +2. Foul: 10%"]);
  page.say("flip", { number: 1 });
  page.say("flip", { number: 7 });
  assert.equal(flippedTo(page.state), 1);
  assert.deepEqual(page.sent(), [], "it's the page's own business");
});

test("the cards of a solution can't be moved or confirmed", () => {
  const page = answered();
  page.done = [];
  for (const [type, more] of [["put", { row: "B" }], ["tap", { place: 0 }], ["undo"], ["clear"], ["confirm"], ["drop", { place: 0, row: "B", other: null }]]) page.say(type, more);
  assert.equal(letters(page), "FM.");
  assert.deepEqual(page.sent(), []);
});

test("before the answer nothing can be flipped", () => {
  const page = Page.at(asked());
  page.say("flip", { number: 0 });
  assert.equal(letters(page), "...");
});

test("the next puzzle begins with an empty board", () => {
  const page = answered();
  page.say("flip", { number: 2 });
  page.snapshot({ ...asked(), mine: own({ turn: "q.0" }) });
  assert.equal(letters(page), "...");
  page.say("put", { row: "B" });
  assert.equal(letters(page), "B..");
});

test("the way back from a table is in the menu, and the next puzzle is a button", () => {
  const next = { verb: "puzzle_next", label: "Puzzle", text: "", sure: "", turn: "" };
  assert.deepEqual(ofTheMenu(view({ offers: [next] })), [next]);
  assert.deepEqual(ofTheMenu({ ...asked(), offers: [next] }), []);
});

test("the choice of puzzles is a sheet, which shows at once what was chosen and then what holds", () => {
  const page = Page.at(asked());
  const option = (key, chosen = false) => ({ key, label: key, chosen });
  const choices = { title: "Choose", told: "5 fit", theme: "Theme", themes: [option("", true), option("draw")], game: "Games", games: [option("", true), option("a"), option("b")] };
  page.say("offer", { offer: { verb: "puzzle_choose", label: "Choose", text: "", sure: "", turn: "" } });
  const [read] = page.sent("read");
  assert.deepEqual([read.what, read.table], ["puzzles", 0]);
  page.hear({ type: "found", id: read.id, what: "puzzles", puzzles: choices });
  assert.equal(page.state.sheet.kind, "puzzles");
  page.say("choosePuzzles", { verb: "puzzle_games", chosen: ["a", "b"] });
  assert.deepEqual(page.state.sheet.choices.games.map((one) => one.chosen), [false, true, true]);
  const [intent] = page.sent("intent");
  assert.deepEqual([intent.verb, intent.chosen], ["puzzle_games", ["a", "b"]]);
  page.hear({ type: "answer", id: intent.id, outcome: "done", said: "", puzzles: { ...choices, told: "2 fit" } });
  assert.equal(page.state.sheet.choices.told, "2 fit");
  page.say("choosePuzzles", { verb: "puzzle_theme", chosen: [] });
  assert.deepEqual(page.state.sheet.choices.themes.map((one) => one.chosen), [true, false]);
});

test("a day is said as a date, and another moment as how far away it is", () => {
  const told = { words: {}, cards: {}, language: "en", now: 1_764_547_200_000 };
  assert.equal(heard("You missed this on <t:1764504000:D>.", told), "You missed this on November 30, 2025.");
  assert.equal(heard("It starts <t:1764547260:R>", told), "It starts in 1 minute");
});
